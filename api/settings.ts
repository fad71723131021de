import { z } from 'zod';
import {
	isStorable,
	listField,
	readInteger,
	readLines,
	readSwitch,
	readWords,
	sentLines,
	sentSwitch,
} from './fields.ts';

const honour_signals = z
	.preprocess(readSwitch, z.literal([0, 1], { error: 'The honour_signals field must be 0 or 1.' }))
	.meta({
		...sentSwitch,
		description: 'Honor Global Privacy Control and Do Not Track: 0 no, 1 yes.',
	});

const hostnames = listField('hostnames').meta({
	description:
		'Allowed hostnames, one per line: `example.com`, `*.example.com`, `localhost`, or `!old.example.com` to exclude one. Empty: the domain and its subdomains.',
});

const embed_origins = listField('embed_origins').meta({
	description:
		'Origins that may embed the statistics of a public website, one per line: `https://example.com`, `https://*.example.com`, `http://localhost:8080`. Empty: none.',
});

export const maxLabels = 20;
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
		...sentLines,
		description: 'Labels to group websites, up to 20 of 50 characters each, one per line or as a list.',
	});

/** For lists of websites: those that have one of these labels. */
export const labelParameter = z
	.preprocess(
		readWords,
		z.array(z.string().refine(isStorable, 'The label parameter contains characters that no label has.'), {
			error: 'The label parameter must be labels, separated by commas.',
		}),
	)
	.optional()
	.meta({
		description:
			'Only websites with this label (case-sensitive). Separate several labels with commas or repeat the parameter to get websites with any of them.',
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
			'Data retention: how many months events and visits are kept, 1 to 120. Empty: forever. Daily totals are always kept.',
	});

const indexable = z
	.preprocess(readSwitch, z.literal([0, 1], { error: 'The indexable field must be 0 or 1.' }))
	.meta({
		...sentSwitch,
		description: 'Allow search engines to index public statistics (`privacy` 0): 0 no, 1 yes.',
	});

/** Addresses, or what was read: the state of a recipient is theirs to change. */
function readRecipients(input: unknown): unknown {
	const items: unknown[] = Array.isArray(input) ? input : [input];
	const lines = readLines(
		items.map((item) => (typeof item === 'object' && item !== null && 'email' in item ? item.email : item)),
	);
	if (!Array.isArray(lines)) return lines;
	// Of two spellings the first counts.
	const seen = new Map<string, unknown>();
	for (const line of lines)
		seen.set(String(line).toLowerCase(), seen.get(String(line).toLowerCase()) ?? line);
	return [...seen.values()];
}

const maxRecipients = 50;

const recipients = z
	.preprocess(
		readRecipients,
		z
			.array(
				z
					.string()
					.max(254, 'A recipient must not have more than 254 characters.')
					.refine(
						(address) => z.email().safeParse(address).success,
						'Every recipient must be an email address.',
					),
				{ error: 'The recipients field must be a list of email addresses.' },
			)
			.max(maxRecipients, `The recipients field must not have more than ${maxRecipients} addresses.`),
	)
	.meta({
		sent: {
			anyOf: [
				{ type: 'string' },
				{
					type: 'array',
					items: {
						anyOf: [
							{ type: 'string' },
							{ type: 'object', properties: { email: { type: 'string' } }, required: ['email'] },
						],
					},
				},
				{ type: 'null' },
			],
		},
		description:
			'Additional recipients of reports and alerts: email addresses, one per line, separated by commas or as a list. New recipients must confirm before they get anything. Recipients that you leave out are removed.',
	});

/** What belongs to a website beyond its record. */
export const websiteSettings = z
	.object({
		recipients: z
			.array(
				z
					.object({ email: z.string(), state: z.enum(['asked', 'expired', 'confirmed', 'unsubscribed']) })
					.meta({ id: 'Recipient' }),
			)
			.nullable()
			.meta({
				description: 'Additional recipients of reports and alerts. Null unless you are the owner.',
			}),
		hostnames: z
			.string()
			.nullable()
			.meta({ description: 'One per line. Null: the domain and its subdomains.' }),
		honour_signals: z.literal([0, 1]),
		labels: z.array(z.string()),
		retention_months: z
			.int()
			.min(1)
			.max(maxMonths)
			.nullable()
			.meta({ description: 'Months for which events and visits are kept. Null: forever.' }),
		indexable: z.literal([0, 1]),
		embed_origins: z.string().nullable().meta({
			description: 'Origins that may embed the public statistics, one per line. Null: none.',
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
		recipients: recipients.optional(),
	})
	.meta({ id: 'WebsiteSettingsChange' });
