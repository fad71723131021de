import { z } from 'zod';
import { deleted, pageParameters } from './envelopes.ts';
import { readInteger, shortText, text } from './fields.ts';
import { metricNames, periodNames } from './stats.ts';

/** The views of a card. Boards are pages of pinned views. */
const boardViews = ['number', 'chart', 'breakdown', 'funnel', 'live'] as const;
/** Widths of a card, in twelfths of the page. */
const cardWidths = [3, 4, 6, 8, 12] as const;
const textTests = [
	'is',
	'is_not',
	'contains',
	'not_contains',
	'starts_with',
	'not_starts_with',
	'ends_with',
	'not_ends_with',
	'wildcard',
	'not_wildcard',
	'matches',
	'not_matches',
] as const;
/** Tests without a value. */
const setTests = ['is_set', 'is_not_set'] as const;
/** The tests of filters, as URLs of the dashboard write them: `contains:i` ignores case. */
const filterTests = [
	...textTests,
	...textTests.map((test) => `${test}:i` as const),
	...setTests,
	...(['greater_than', 'at_least', 'less_than', 'at_most', 'between'] as const),
];

const oneOf = <const V extends readonly (string | number)[]>(name: string, values: V, owner = 'a card') =>
	z.literal([...values], { error: `The ${name} of ${owner} must be one of: ${values.join(', ')}.` });

const namedPeriods = periodNames.filter((name) => name !== 'custom');
const id = (name: string) =>
	z.preprocess(
		readInteger,
		z.int({ error: `The ${name} of a card must be an id.` }).min(1, `The ${name} of a card must be an id.`),
	);

const filter = z
	.object({
		test: oneOf('filter test', filterTests),
		dimension: shortText('dimension', 300),
		values: z
			.array(text('values').max(2_000, 'A filter value can have up to 2,000 characters.'))
			.max(100, 'A filter can have up to 100 values.'),
	})
	.refine(({ test, values }) => values.length > 0 || setTests.some((name) => name === test), {
		error: 'A filter needs at least one value.',
		path: ['values'],
	});

const boardCard = z
	.object({
		website_id: id('website_id'),
		view: oneOf('view', boardViews),
		metric: oneOf('metric', metricNames).default('visitors'),
		/** Only of a breakdown. */
		dimension: shortText('dimension', 300).nullable().default(null),
		/** Only of a funnel. */
		funnel_id: id('funnel_id').nullable().default(null),
		/** null: the period of the board. */
		period: oneOf('period', namedPeriods).nullable().default(null),
		filters: z.array(filter).max(20, 'A card can have up to 20 filters.').default([]),
		segment_id: id('segment_id').nullable().default(null),
		width: oneOf('width', cardWidths).default(4),
	})
	.refine(({ view, dimension }) => (view === 'breakdown') === (dimension !== null), {
		error: 'A breakdown, and no other view, must name its dimension.',
		path: ['dimension'],
	})
	.refine(({ view, funnel_id }) => (view === 'funnel') === (funnel_id !== null), {
		error: 'A funnel, and no other view, must name its funnel_id.',
		path: ['funnel_id'],
	});

const maxCards = 40;

export const boardBody = z.object({
	name: shortText('name', 100),
	period: oneOf('period', namedPeriods, 'a board').default('30d'),
	cards: z.array(boardCard).max(maxCards, `A board can have up to ${maxCards} cards.`).default([]),
});

const of = z.enum(['person', 'account'], { error: 'The of field must be person or account.' });

export const newBoardBody = boardBody.extend({
	of: of.optional().meta({
		description:
			'`account`: all owners of the account have the board. A session can also create one of the `person` alone, which is its default.',
	}),
});

export const listBoardsQuery = z.object(pageParameters);

const facts = {
	id: z.int().positive(),
	name: z.string(),
	of: of.meta({ description: '`account`: all owners of the account and its API keys have it.' }),
	updated_at: z.iso.datetime({ precision: 3 }),
};

export const boardRecord = z
	.object({ ...facts, period: z.string(), cards: z.array(boardCard) })
	.meta({ id: 'Board' });

export const boardSummary = z
	.object({ ...facts, cards: z.int().nonnegative().meta({ description: 'The number of cards.' }) })
	.meta({ id: 'BoardSummary' });

export const deletedBoard = deleted('board', 'DeletedBoard');

export type BoardCard = z.output<typeof boardCard>;
export type NewBoard = z.input<typeof newBoardBody>;
export type BoardRecord = z.output<typeof boardBody> & Omit<z.output<typeof boardRecord>, 'period' | 'cards'>;
export type BoardSummary = z.output<typeof boardSummary>;
