import { z } from 'zod';
import { deleted, pageParameters } from './envelopes.ts';
import { readInteger, readJson, readLines, shortText } from './fields.ts';

export const scopeNames = ['stats', 'events', 'manage', 'export', 'people'] as const;

const access = z
	.enum(['full', 'read', 'scoped'], { error: 'The access field must be full, read or scoped.' })
	.meta({
		description: 'Full access, read-only, or only what the `scopes` allow, which are then required.',
	});

const scopes = z
	.preprocess(
		readList,
		z
			.array(z.enum(scopeNames, { error: `The scopes field must name some of ${scopeNames.join(', ')}.` }), {
				error: 'The scopes field must be a list.',
			})
			.min(1, 'The scopes field must name a scope, or be left out.')
			.nullable(),
	)
	.meta({
		description:
			'What the key can do: `stats` reads statistics and the list of websites, `events` sends events, `manage` reads and changes websites, their settings and saved items, `export` downloads exports, `people` reads and changes members, invitations and recipients of reports.',
	});

/** JSON, or what a form brings: repeated, with commas between entries, or as JSON text. */
export function readList(input: unknown): unknown {
	if (input === null) return null;
	const texts: unknown = typeof input === 'string' ? [input] : input;
	if (!Array.isArray(texts) || !texts.every((item) => typeof item === 'string')) return input;
	const [first = ''] = texts;
	if (texts.length === 1 && first.trim().startsWith('[')) return readJson(first);
	return readLines(texts);
}

export function readIds(input: unknown): unknown {
	const ids = readList(input);
	return Array.isArray(ids) ? ids.map(readInteger) : ids;
}

/** An empty list is refused: an empty variable of a script must not result in a key for everything. */
const website_ids = z
	.preprocess(
		readIds,
		z
			.array(z.int('A website is named by its id.').positive('A website is named by its id.'), {
				error: 'The website_ids field must be a list of ids.',
			})
			.min(1, 'The website_ids field must name a website, or be left out.')
			.max(1000, 'The website_ids field must not name more than 1,000 websites.')
			.nullable(),
	)
	.meta({
		description:
			'The ids of the websites that the key can access. Default: all websites of the account. In a form: separated by commas, or repeated (`website_ids[]=1&website_ids[]=2`).',
	});

const expires_at = z.iso
	.datetime({ offset: true, error: 'The expires_at field must be a time such as 2027-01-31T00:00:00Z.' })
	.nullable()
	.meta({ description: 'When the key stops working, within five years. Default: never.' });

/** `isValid` needs code of the server. */
export const networksField = (isValid: (entry: string) => boolean = () => true) =>
	z
		.preprocess(
			readList,
			z
				.array(
					z
						.string()
						.refine(isValid, 'The networks field must name IP addresses, or networks such as 10.0.0.0/8.'),
					{ error: 'The networks field must be a list of IP addresses and networks.' },
				)
				.min(1, 'The networks field must name a network, or be left out.')
				.max(100, 'The networks field must not name more than 100 networks.')
				.nullable(),
		)
		.meta({
			description:
				'IP addresses and networks in CIDR notation that the key can be used from. Default: any address. In a form: one per line, separated by commas, or repeated.',
		});

const limits = {
	access: access.optional(),
	scopes: scopes.optional(),
	website_ids: website_ids.optional(),
	expires_at: expires_at.optional(),
	networks: networksField().optional(),
};

export const createKeyBody = z
	.object({ name: shortText('name', 200), ...limits, access: access.meta({ default: 'full' }).optional() })
	.meta({ id: 'NewKey' });

export const updateKeyBody = z
	.object({ name: shortText('name', 200).optional(), ...limits })
	.meta({ id: 'KeyUpdate' });

/** The fields that are lists in a form. */
export const keyLists = ['scopes', 'website_ids', 'networks'];

export const listKeysQuery = z.object(pageParameters);

const members = {
	id: z.int().positive(),
	name: z.string(),
	ending: z.string().meta({ description: 'Its last four characters.' }),
	access: z.enum(['full', 'read', 'scoped']),
	scopes: z.array(z.enum(scopeNames)).nullable().meta({ description: 'Null unless the access is `scoped`.' }),
	website_ids: z
		.array(z.int().positive())
		.nullable()
		.meta({ description: 'Null: all websites of the account.' }),
	expires_at: z.iso.datetime({ precision: 3 }).nullable().meta({ description: 'Null: never.' }),
	networks: z.array(z.string()).nullable().meta({ description: 'Null: any address.' }),
	created_at: z.iso.datetime({ precision: 3 }),
	last_used_at: z.iso.datetime({ precision: 3 }).nullable().meta({ description: 'Accurate to the minute.' }),
};

/** A key as lists show it: never the key itself. */
export const keyRecord = z.object(members).meta({ id: 'Key' });

export const shownKey = z
	.object({ ...members, key: z.string().meta({ description: 'Shown only once.' }) })
	.meta({ id: 'ShownKey' });

export type KeyRecord = z.output<typeof keyRecord>;

export const deletedKey = deleted('key', 'DeletedKey');
