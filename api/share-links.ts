import { z } from 'zod';
import type { BoardCard, BoardRecord } from './boards.ts';
import type { Branding } from './branding.ts';
import { deleted, pageParameters } from './envelopes.ts';
import { readInteger, readJson, readWords, sentFilter, shortText, text } from './fields.ts';

export const sharePanels = [
	'sources',
	'pages',
	'places',
	'devices',
	'conversions',
	'hours',
	'vitals',
	'live',
] as const;

/** Empty is null: no limit. */
const orNull = <T extends z.ZodType>(field: T) =>
	z.preprocess((input) => (input === '' ? null : input), field.nullable());

const sentFilterOrNull = { sent: { anyOf: [sentFilter.sent, { type: 'null' }] } };

const filters = orNull(
	z.preprocess(
		readJson,
		z.array(z.unknown(), { error: 'The filters field must be a filter such as ["is", "country", ["DE"]].' }),
	),
).meta({
	...sentFilterOrNull,
	description:
		'A filter with at most 3 values that applies to everything the link shows. It cannot use goals or page groups. Null: all traffic.',
	examples: [['is', 'country', ['DE']]],
});

const panels = orNull(
	z.preprocess(
		readWords,
		z.array(
			z.literal([...sharePanels], {
				error: `The panels field must be a list of: ${sharePanels.join(', ')}.`,
			}),
			{ error: `The panels field must be a list of: ${sharePanels.join(', ')}.` },
		),
	),
)
	.transform((names) => names && [...new Set(names)])
	.meta({
		sent: { anyOf: [{ type: 'array', items: { type: 'string', enum: [...sharePanels] } }, { type: 'null' }] },
		description:
			'The panels that the link shows besides the totals and the chart. Filters can use their dimensions. Null: all. `vitals` needs a link without `filters`, `live` one without `filters`, `from` and `to`.',
	});

const date = (name: string) =>
	orNull(z.iso.date({ error: `The ${name} field must be a date such as 2026-11-15.` }));

const daysError = 'The last_days field must be a whole number from 1 to 3650.';
const lastDays = orNull(
	z.preprocess(readInteger, z.int(daysError).min(1, daysError).max(3_650, daysError)),
).meta({ description: 'So many days up to today can be seen. Not together with `from` or `to`.' });

const password = orNull(
	text('password').refine(
		(value) => [...value].length <= 128,
		'The password must not have more than 128 characters.',
	),
).meta({
	description: 'Visitors must enter it, once a day. Null or empty: no password.',
});

const expiresAt = orNull(
	z.iso.datetime({
		offset: true,
		error: 'The expires_at field must be a time such as 2026-12-01T00:00:00Z.',
	}),
)
	.transform((time) => (time === null ? null : new Date(time)))
	.meta({
		sent: { anyOf: [{ type: 'string', format: 'date-time' }, { type: 'null' }] },
		description: 'When the link stops working.',
	});

/** What create takes. */
export const createShareLinkBody = z
	.object({
		name: shortText('name', 100).meta({
			description: 'Unique within the website. Visitors do not see it.',
			examples: ['Client, monthly'],
		}),
		filters: filters.optional(),
		panels: panels.optional(),
		from: date('from').optional().meta({ description: 'The first date that can be seen.' }),
		to: date('to').optional().meta({ description: 'The last date that can be seen.' }),
		last_days: lastDays.optional(),
		password: password.optional(),
		expires_at: expiresAt.optional(),
	})
	.meta({ id: 'NewShareLink' });

/** What update takes. What is left out stays as it is. */
export const updateShareLinkBody = createShareLinkBody.partial().meta({ id: 'ShareLinkChange' });

export const listShareLinksQuery = z.object(pageParameters);

export const shareLinkRecord = z
	.object({
		id: z.int().positive(),
		name: z.string(),
		url: z
			.string()
			.nullable()
			.meta({
				description:
					'The link. Whoever has it sees the statistics. Null if the service has another secret than when the link was created.',
				examples: ['https://stats.example.com/s/0oSz5oR0yAXv6mZ9J1yqf3bWZ4W2P8m1uJmY5mT7x3g'],
			}),
		filters: z
			.array(z.unknown())
			.nullable()
			.meta({ ...sentFilterOrNull, description: 'In normalized form. Null: all traffic.' }),
		panels: z.array(z.literal([...sharePanels])).nullable(),
		from: z.iso.date().nullable(),
		to: z.iso.date().nullable(),
		last_days: z.int().positive().nullable(),
		has_password: z.boolean(),
		expires_at: z.iso.datetime({ precision: 3 }).nullable(),
		used_count: z.int().nonnegative().meta({ description: 'Number of times the page was opened.' }),
		last_used_at: z.iso.datetime({ precision: 3 }).nullable(),
		created_at: z.iso.datetime({ precision: 3 }),
		updated_at: z.iso.datetime({ precision: 3 }),
	})
	.meta({ id: 'ShareLink' });

export const deletedShareLink = deleted('share_link', 'DeletedShareLink');

/** What the page of a link may know of it. */
export type SharedLinkRecord =
	| {
			access: 'open';
			website: { id: number; domain: string; timezone: string };
			filters: unknown[] | null;
			panels: (typeof sharePanels)[number][] | null;
			from: string | null;
			to: string | null;
			last_days: number | null;
			brand?: Branding;
	  }
	| {
			access: 'open';
			board: Pick<BoardRecord, 'name' | 'period'> & {
				/** Those of websites that the owner of the board may share, with their place on the board. */
				cards: { index: number; card: BoardCard }[];
				websites: { id: number; domain: string }[];
			};
			brand?: Branding;
	  }
	| { access: 'password' };

/** A link to a board. */
export const createBoardLinkBody = createShareLinkBody.pick({ name: true, password: true, expires_at: true });

export const boardLinkRecord = shareLinkRecord
	.pick({
		...{ id: true, name: true, url: true, has_password: true, expires_at: true },
		...{ used_count: true, last_used_at: true, created_at: true },
	})
	.meta({ id: 'BoardShareLink' });

export type BoardLinkRecord = z.output<typeof boardLinkRecord>;
