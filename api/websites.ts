import { z } from 'zod';
import { deleted, oneOf, pageParameters } from './envelopes.ts';
import { listField, readInteger, readSwitch, sentSwitch, text } from './fields.ts';
import { labelParameter } from './settings.ts';

const privacy = z
	.preprocess(
		readInteger,
		z.literal([0, 1, 2], { error: 'The privacy field must be 0 (public), 1 (private) or 2 (password).' }),
	)
	.meta({
		description:
			'Visibility of the statistics: 0 public, 1 private (the account and its members), 2 password.',
	});

const switchField = (name: string) =>
	z
		.preprocess(readSwitch, z.literal([0, 1], { error: `The ${name} field must be 0 or 1.` }))
		.meta(sentSwitch);

const email = switchField('email').meta({ description: 'Email reports: 0 off, 1 on.' });

const exclude_bots = switchField('exclude_bots').meta({
	description: 'Exclude bots: 0 no, 1 yes.',
});

const favorite = z
	.preprocess(
		(input) => (input === '' ? 0 : readSwitch(input)),
		z.literal([0, 1], { error: 'The favorite field must be 0 or 1.' }),
	)
	.meta({
		...sentSwitch,
		description: 'Marks the website as a favorite. An empty value removes the mark.',
	});

const password = text('password')
	.refine((value) => [...value].length <= 128, 'The password must not have more than 128 characters.')
	.meta({
		description:
			'Password for the statistics if `privacy` is 2; 1 to 128 characters, not trimmed. An empty value removes it.',
	});

const exclude_params = listField('exclude_params').meta({
	description:
		'Query parameters to remove from URLs, one name per line or as a list. `&` removes all of them.',
});

const exclude_ips = listField('exclude_ips').meta({
	description: 'IP addresses and networks (CIDR) whose traffic is ignored, one per line or as a list.',
});

const timezone = text('timezone').meta({
	description:
		'IANA time zone of the statistics, such as Europe/Berlin. Default: the time zone of the account.',
});

const domain = text('domain').meta({
	description:
		'The domain of the website. A scheme, a leading `www.` and a trailing slash or dot are removed; IDN becomes punycode.',
	examples: ['example.com'],
});

export const template_id = z
	.preprocess(
		readInteger,
		z
			.int({ error: 'The template_id field must be the id of a template.' })
			.positive({ error: 'The template_id field must be the id of a template.' }),
	)
	.meta({ description: 'A template of the account, see `/website-templates`.' });

/** What create takes (spec 4.3). */
export const createWebsiteBody = z
	.object({
		domain,
		privacy: privacy.meta({ default: 0 }).optional(),
		password: password.optional(),
		email: email.meta({ default: 0 }).optional(),
		exclude_bots: exclude_bots.meta({ default: 1 }).optional(),
		exclude_params: exclude_params.optional(),
		exclude_ips: exclude_ips.optional(),
		timezone: timezone.optional(),
		template_id: template_id.optional(),
	})
	.meta({ id: 'NewWebsite' });

/** What update takes (spec 4.4). What is left out stays as it is. */
export const updateWebsiteBody = z
	.object({
		privacy: privacy.optional(),
		password: password.optional(),
		email: email.optional(),
		exclude_bots: exclude_bots.optional(),
		exclude_params: exclude_params.optional(),
		exclude_ips: exclude_ips.optional(),
		favorite: favorite.optional(),
		timezone: timezone.optional(),
	})
	.meta({ id: 'WebsiteChange' });

export const renameWebsiteBody = z.object({ domain }).meta({ id: 'WebsiteRename' });

/** Fields whose value is a list of lines; everything else is one value. */
export const listFields = ['exclude_params', 'exclude_ips'];

/** The parameters of the list (spec 4.1). */
export const listWebsitesQuery = z.object({
	search: z
		.string({ error: 'The search parameter must be a string.' })
		.optional()
		.meta({ description: 'Part of the domain, case-insensitive.' }),
	search_by: oneOf('search_by', ['domain'], 'domain').meta({ description: 'The field that `search` uses.' }),
	favorite: z
		.preprocess(readSwitch, z.literal([0, 1], { error: 'The favorite parameter must be 0 or 1.' }))
		.optional()
		.meta({ description: '1: only favorites. 0: only others.' }),
	label: labelParameter,
	sort_by: oneOf('sort_by', ['id', 'domain'], 'id').meta({ description: '`id` is the order of creation.' }),
	sort: oneOf('sort', ['desc', 'asc'], 'desc').meta({ description: 'Descending or ascending.' }),
	...pageParameters,
});

/** A website as every operation answers it. */
export const websiteRecord = z
	.object({
		id: z.int().positive().meta({ description: 'Assigned at creation and never reused.' }),
		domain: z.string().meta({ description: 'Lower case, punycode.' }),
		privacy: z.literal([0, 1, 2]),
		has_password: z
			.boolean()
			.meta({ description: 'Whether a password is set. The password itself is never returned.' }),
		email: z.literal([0, 1]),
		exclude_bots: z.literal([0, 1]),
		exclude_params: z.string().nullable().meta({ description: 'One name per line, or null.' }),
		exclude_ips: z.string().nullable().meta({ description: 'One address or network per line, or null.' }),
		favorite: z.literal([0, 1]),
		timezone: z.string(),
		created_at: z.iso.datetime({ precision: 3 }),
		updated_at: z.iso.datetime({ precision: 3 }),
	})
	.meta({ id: 'Website' });

export type WebsiteRecord = z.output<typeof websiteRecord>;

export const deletedWebsite = deleted('website', 'DeletedWebsite');
