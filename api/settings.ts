import { z } from 'zod';
import { isStorable, listField, readInteger, readLines, readSwitch } from './fields.ts';

const honour_signals = z
	.preprocess(readSwitch, z.literal([0, 1], { error: 'The honour_signals field must be 0 or 1.' }))
	.meta({
		description: 'Leave out visitors who ask for it by Global Privacy Control or Do Not Track: 0 no, 1 yes.',
	});

const hostnames = listField('hostnames').meta({
	description:
		'Hostnames whose hits count, one a line: `example.com`, `*.example.com`, `localhost`, or `!old.example.com` for one that does not. Empty: the domain and its subdomains.',
});

const embed_origins = listField('embed_origins').meta({
	description:
		'Origins whose pages may show the statistics of a public website in a frame, one a line: `https://example.com`, `https://*.example.com`, `http://localhost:8080`. Empty: none.',
});

const maxLabels = 20;
const maxLabelLength = 50;

const labels = z
	.preprocess(
		readLines,
		z
			.array(
				z
					.string()
					.refine(isStorable, 'A label contains characters that cannot be stored.')
					.refine(
						(label) => [...label].length <= maxLabelLength,
						`A label must not have more than ${maxLabelLength} characters.`,
					),
				{ error: 'The labels field must be a text with one label a line, or a list of texts.' },
			)
			.max(maxLabels, `The labels field must not have more than ${maxLabels} labels.`),
	)
	.meta({
		description:
			'Words of your own to find websites by, up to 20 of 50 characters each: a list, or one a line.',
	});

const maxMonths = 120;
const monthsFault = `The retention_months field must be a whole number from 1 to ${maxMonths}, or empty.`;

const retention_months = z
	.preprocess(
		(input) => (input === '' ? null : readInteger(input)),
		z.int(monthsFault).min(1, monthsFault).max(maxMonths, monthsFault).nullable(),
	)
	.meta({
		description:
			'For how many months events and visits are kept, 1 to 120; empty: for ever. Totals by day are kept in any case.',
	});

const indexable = z
	.preprocess(readSwitch, z.literal([0, 1], { error: 'The indexable field must be 0 or 1.' }))
	.meta({
		description: 'Let search engines list the statistics while they are public (privacy 0): 0 no, 1 yes.',
	});

/** What belongs to a website beyond its record. */
export const websiteSettings = z
	.object({
		hostnames: z
			.string()
			.nullable()
			.meta({ description: 'One a line, or null for the domain and its subdomains.' }),
		honour_signals: z.literal([0, 1]),
		labels: z.array(z.string()),
		retention_months: z
			.int()
			.min(1)
			.max(maxMonths)
			.nullable()
			.meta({ description: 'Months for which events and visits are kept, or null for ever.' }),
		indexable: z.literal([0, 1]),
		embed_origins: z.string().nullable().meta({
			description: 'Origins that may show the public statistics in a frame, one a line, or null for none.',
		}),
	})
	.meta({ id: 'WebsiteSettings' });

export type WebsiteSettingsRecord = z.output<typeof websiteSettings>;

export const changeSettingsBody = z
	.object({
		hostnames: hostnames.optional(),
		honour_signals: honour_signals.optional(),
		labels: labels.optional(),
		retention_months: retention_months.optional(),
		indexable: indexable.optional(),
		embed_origins: embed_origins.optional(),
	})
	.meta({ id: 'WebsiteSettingsChange' });
