/**
 * What changed between a period and its comparison: the difference of a metric, divided exactly by each dimension. All numbers are
 * those of breakdowns with compared rows, so they equal the panels of the statistics page. What the rows leave of the total is in
 * `rest`: other values; for visitors, minus those who are counted in several rows (docs/decisions/0028-what-changed.md).
 */
import type { Count } from '../../derive/counts.ts';
import { addDays } from '../../lib/local-dates.ts';
import type { DimensionName } from '../question/dimensions.ts';
import { type Counts, type MetricName, metricOf, noCounts } from '../question/metrics.ts';
import type { Breakdown, Filter, Question } from '../question/question.ts';
import type { BreakdownAnswer, BreakdownRow, StatsAnswer } from './shape.ts';

export type Amounts = { current: number; compared: number; difference: number };
export type ChangedValue = Amounts & { value: string };

export type ChangedDimension = {
	dimension: DimensionName;
	/** How well one value explains the difference, from 0 to 1. Null where the rows are not available. */
	score: number | null;
	/** Those in the direction of the change first, the largest first. Null where they are not available. */
	rows: ChangedValue[] | null;
	/** The total without the rows; null where the rows have all of it. */
	rest: Amounts | null;
};

/** What a metric is computed from: one count, or the numerator and the denominator of a ratio. */
export type ChangedCount = {
	count: Count;
	/** Null where a part of a period is not available, and without a comparison. */
	amounts: Amounts | null;
	/** The dimension that explains the difference best first. */
	dimensions: ChangedDimension[];
};

/** The value that stands for most of a difference, and the value of a second dimension that does so within it. */
export type Cause = CausedBy & { within: CausedBy | null };
export type CausedBy = ChangedValue & { dimension: DimensionName };

export type Changes = {
	metric: MetricName;
	/** Of revenue. */
	currency: string | null;
	current: number | null;
	compared: number | null;
	difference: number | null;
	counts: ChangedCount[];
	cause: Cause | null;
	meta: StatsAnswer['meta'];
};

/** A value stands for most of a difference from this share of all movements on. */
const minShare = 0.5;
/** A value explains a difference only if its share exceeds that of the comparison: one that is always large explains nothing. */
const minScore = 0.2;
/** More values of a dimension are in its rest. */
const maxValues = 1_000;

/**
 * In the order of equal scores. Hours and weekdays say when and not why, exit pages follow from the visit, and versions replace
 * each other all the time.
 */
const visitDimensions = [
	'source',
	'channel',
	'referrer',
	'utm_campaign',
	'utm_source',
	'utm_medium',
	'utm_term',
	'utm_content',
	'entry_page',
	'country',
	'region',
	'city',
	'language',
	'device',
	'browser',
	'os',
	'screen',
] as const satisfies readonly DimensionName[];

/** Dimensions of which everything that the metric counts has one value. */
export function changedDimensions(metric: MetricName): readonly DimensionName[] {
	switch (metric) {
		case 'pageviews':
			return ['page', 'title', 'hostname', ...visitDimensions];
		case 'events':
			return ['event', 'page', 'hostname', ...visitDimensions];
		case 'engaged_time':
		case 'scroll_depth':
			return ['page', 'hostname', ...visitDimensions];
		default:
			return visitDimensions;
	}
}

/** The dimension in which a cause is divided once more. */
function dimensionWithin(metric: MetricName, { dimension }: CausedBy): DimensionName {
	if (dimension === 'page' || dimension === 'entry_page') return 'source';
	return metric === 'pageviews' || metric === 'events' ? 'page' : 'entry_page';
}

type Wanted = {
	metric: MetricName;
	/** Of revenue; by default the one with the largest amount. */
	currency?: string | undefined;
	/** Rows per dimension. */
	limit: number;
};

/** `question`: a period and its comparison, with a filter and a goal. */
export async function findChanges(
	question: Question,
	{ metric, currency: wanted, limit }: Wanted,
	ask: (question: Question) => Promise<StatsAnswer>,
): Promise<Changes> {
	const names = changedDimensions(metric);
	const answer = await ask(questionAbout(question, metric, names, 'risen'));
	const currency = metric === 'revenue' ? (wanted ?? largestCurrency(answer)) : null;
	const read = (counts: Counts, count: Count): number =>
		count === 'revenue' ? (counts.revenue[currency ?? ''] ?? 0) : counts[count];
	const { inputs } = metricOf(metric);
	const totals = inputs.map((count) => totalOf(answer, metric, count, read));
	// Of many values, those that fell most are not among those that rose most.
	const cut = answer.breakdowns.filter(({ rows, total }) => total > rows.length);
	const fallen =
		cut.length > 0 && totals[0] && totals[0].difference < 0
			? await ask(
					questionAbout(
						question,
						metric,
						names.filter((name) => cut.some(({ dimension }) => dimension === name)),
						'fallen',
					),
				)
			: null;
	const breakdownOf = (name: DimensionName): BreakdownAnswer | undefined =>
		[...(fallen?.breakdowns ?? []), ...answer.breakdowns].find(({ dimension }) => dimension === name);
	const counts = inputs.map((count, index): ChangedCount => {
		const amounts = totals[index] ?? null;
		const dimensions = names.map((name) => ({
			dimension: name,
			...divide(breakdownOf(name), amounts, (rowCounts) => read(rowCounts, count)),
		}));
		return { count, amounts, dimensions: dimensions.toSorted((a, b) => (b.score ?? -1) - (a.score ?? -1)) };
	});
	const [only] = inputs.length === 1 ? counts : [];
	const cause = only?.amounts ? causeOf(only.dimensions, only.amounts) : null;
	return {
		metric,
		currency,
		...valuesOf(answer, metric, currency),
		counts: counts.map((count) => ({
			...count,
			dimensions: count.dimensions.map((divided) => shorten(divided, count.amounts, limit)),
		})),
		cause: cause && {
			...cause,
			within: await findWithin(question, metric, cause, {
				ask,
				read: (rowCounts) => read(rowCounts, only?.count ?? 'visits'),
				usual: only?.dimensions ?? [],
			}),
		},
		meta: { ...answer.meta, availableFrom: availableFrom(answer) },
	};
}

/** The metric by which rows are sorted before they are limited to maxValues. */
function sortedBy(metric: MetricName): MetricName {
	if (metricOf(metric).inputs.length === 1) return metric;
	return metric === 'engaged_time' || metric === 'scroll_depth' ? 'pageviews' : 'visits';
}

const breakdown = (
	{ compared }: Question,
	metric: MetricName,
	dimension: Breakdown['dimension'],
	order: 'risen' | 'fallen',
): Breakdown => ({
	dimension,
	sort: { by: sortedBy(metric), isByChange: compared !== null, descending: order === 'risen' },
	...(compared && { isCompared: true }),
	search: null,
	offset: 0,
	limit: maxValues,
});

const questionAbout = (
	question: Question,
	metric: MetricName,
	names: readonly DimensionName[],
	order: 'risen' | 'fallen',
): Question => ({
	...question,
	buckets: null,
	comparedBuckets: null,
	// The visits distinguish a ratio without a denominator from one that is not available.
	metrics: [metric, 'visits'],
	breakdowns: names.map((name) => breakdown(question, metric, { name }, order)),
});

function amountsOf(current: number, compared: number): Amounts {
	return { current, compared, difference: subtract(current, compared) };
}

/** Amounts of money have four decimals; differences of floats would have more. */
const subtract = (a: number, b: number): number => Math.round((a - b) * 10_000) / 10_000 + 0;

function totalOf(
	answer: StatsAnswer,
	metric: MetricName,
	count: Count,
	read: (counts: Counts, count: Count) => number,
): Amounts | null {
	const { compared } = answer;
	if (!compared || !isKnown(answer, metric) || !isKnown(compared, metric)) return null;
	return amountsOf(read(answer.counts, count), read(compared.counts, count));
}

/** A ratio is also null where it has no denominator. */
function isKnown({ totals, counts }: Pick<StatsAnswer, 'totals' | 'counts'>, metric: MetricName): boolean {
	if (totals[metric] !== null) return true;
	const [, denominator] = metricOf(metric).inputs;
	return (
		denominator !== undefined &&
		denominator !== 'revenue' &&
		counts[denominator] === 0 &&
		totals.visits !== null
	);
}

function valuesOf(
	{ totals, compared }: StatsAnswer,
	metric: MetricName,
	currency: string | null,
): Pick<Changes, 'current' | 'compared' | 'difference'> {
	const [current = null, before = null] = [totals, compared?.totals].map((values) => {
		const value = values?.[metric] ?? null;
		return value === null || typeof value === 'number' ? value : (value[currency ?? ''] ?? 0);
	});
	const difference = current === null || before === null ? null : current - before;
	// As the differences of rows of other statistics.
	return { current, compared: before, difference: difference && Number(difference.toFixed(6)) };
}

function largestCurrency({ totals, compared }: StatsAnswer): string | null {
	const sums = [totals.revenue, compared?.totals.revenue].flatMap((amounts) =>
		typeof amounts === 'object' && amounts !== null ? Object.entries(amounts) : [],
	);
	const sorted = sums.toSorted(([a, x], [b, y]) => Math.abs(y) - Math.abs(x) || (a < b ? -1 : 1));
	return sorted[0]?.[0] ?? null;
}

/** The rows of a dimension in the direction of the change, and what they leave of the total. */
function divide(
	answered: BreakdownAnswer | undefined,
	total: Amounts | null,
	read: (counts: Counts) => number,
): Omit<ChangedDimension, 'dimension'> {
	const rows = total && answered && rowsOf(answered, read);
	if (!rows) return { score: null, rows: null, rest: null };
	const sorted = inDirection(rows, total);
	const rest = restOf(total, sorted);
	return { score: scoreOf(sorted, rest, total), rows: sorted, rest };
}

function inDirection(rows: readonly ChangedValue[], { difference }: Amounts): ChangedValue[] {
	const direction = difference < 0 ? -1 : 1;
	return rows.toSorted((a, b) => direction * (b.difference - a.difference));
}

function rowsOf(answered: BreakdownAnswer, read: (counts: Counts) => number): ChangedValue[] | null {
	const { isUnavailable, isComparedUnavailable, importedTo, rows } = answered;
	// Rows of another product need not add up to its totals.
	if (isUnavailable || isComparedUnavailable || importedTo) return null;
	return rows.filter(({ isOther }) => !isOther).map((row) => toChanged(row, read));
}

const toChanged = (
	{ value, counts, comparedCounts = noCounts }: BreakdownRow,
	read: (counts: Counts) => number,
): ChangedValue => ({ value, ...amountsOf(read(counts), read(comparedCounts)) });

function restOf(total: Amounts, rows: readonly Amounts[]): Amounts | null {
	const sum = (name: 'current' | 'compared') => rows.reduce((all, row) => all + row[name], 0);
	const rest = amountsOf(subtract(total.current, sum('current')), subtract(total.compared, sum('compared')));
	return rest.current === 0 && rest.compared === 0 ? null : rest;
}

/** The share of the first value in all movements. */
function shareOf(rows: readonly ChangedValue[], rest: Amounts | null, total: Amounts): number {
	const [first] = rows;
	if (!first || Math.sign(first.difference) !== Math.sign(total.difference)) return 0;
	const moved = rows.reduce(
		(sum, { difference }) => sum + Math.abs(difference),
		Math.abs(rest?.difference ?? 0),
	);
	return moved === 0 ? 0 : Math.abs(first.difference) / moved;
}

/** The share of the first value in all movements, as far as it exceeds its share of the comparison. */
function scoreOf(rows: readonly ChangedValue[], rest: Amounts | null, total: Amounts): number {
	const before = total.compared === 0 ? 0 : (rows[0]?.compared ?? 0) / total.compared;
	return Math.max(0, Number((shareOf(rows, rest, total) - before).toFixed(6)));
}

const shorten = (divided: ChangedDimension, total: Amounts | null, limit: number): ChangedDimension => {
	if (!divided.rows || !total) return divided;
	const rows = divided.rows.slice(0, limit);
	return { ...divided, rows, rest: restOf(total, rows) };
};

/** The first value of the first dimension that has one for most of the difference. */
function causeOf(dimensions: readonly ChangedDimension[], total: Amounts): CausedBy | null {
	for (const { dimension, score, rows, rest } of dimensions) {
		const most = score !== null && score >= minScore && mostOf(dimension, rows ?? [], rest, total);
		if (most) return most;
	}
	return null;
}

function mostOf(
	dimension: DimensionName,
	rows: readonly ChangedValue[],
	rest: Amounts | null,
	total: Amounts,
): CausedBy | null {
	const [first] = rows;
	// Without a value, a visit came directly. Of other dimensions, an empty value says nothing.
	if (!first || (first.value === '' && dimension !== 'source')) return null;
	if (shareOf(rows, rest, total) < minShare) return null;
	return { dimension, ...first };
}

/** The value of a second dimension that stands for most of the cause, among what has the value of the cause. */
async function findWithin(
	question: Question,
	metric: MetricName,
	cause: CausedBy,
	{
		ask,
		read,
		usual,
	}: {
		ask(question: Question): Promise<StatsAnswer>;
		read(counts: Counts): number;
		/** The second dimension as a whole. */
		usual: readonly ChangedDimension[];
	},
): Promise<CausedBy | null> {
	const by = dimensionWithin(metric, cause);
	const isCause: Filter = {
		kind: 'test',
		dimension: { name: cause.dimension },
		test: 'is',
		values: [cause.value],
	};
	const filter: Filter = question.filter ? { kind: 'and', parts: [question.filter, isCause] } : isCause;
	const answer = await ask(
		questionAbout({ ...question, filter }, metric, [by], cause.difference < 0 ? 'fallen' : 'risen'),
	);
	const rows = answer.breakdowns[0] && rowsOf(answer.breakdowns[0], read);
	if (!rows) return null;
	const rest = restOf(cause, rows);
	const sorted = inDirection(rows, cause);
	const most = mostOf(by, sorted, rest, cause);
	const whole = usual.find(({ dimension }) => dimension === by);
	const total = whole?.rows?.reduce((sum, row) => sum + row.compared, whole.rest?.compared ?? 0) ?? 0;
	const before = whole?.rows?.find(({ value }) => value === most?.value)?.compared ?? 0;
	// Not a page on which most visits begin anyway.
	return shareOf(sorted, rest, cause) - (total === 0 ? 0 : before / total) >= minScore ? most : null;
}

/** The first date from which everything is available, if it is not. Imported totals have no rows that add up. */
function availableFrom({ meta, breakdowns }: StatsAnswer): string | null {
	const imported = breakdowns
		.flatMap(({ importedTo }) => importedTo ?? [])
		.toSorted()
		.at(-1);
	const from = [meta.availableFrom, imported === undefined ? null : addDays(imported, 1)].filter(
		(date) => date !== null,
	);
	return from.toSorted().at(-1) ?? null;
}

/** What a sentence about it needs. */
export const toFacts = ({ metric, currency, current, compared, difference, cause, counts }: Changes) => ({
	...{ metric, currency, current, compared, difference, cause },
	isDivided: counts.some(({ dimensions }) => dimensions.some(({ rows }) => rows !== null)),
});
