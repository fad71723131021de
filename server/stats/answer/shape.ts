import { separator } from '../../derive/counted-values.ts';
import { type Count, labelOf } from '../../derive/counts.ts';
import type { OpenDay } from '../../derive/open-days.ts';
import { mapYielding } from '../../lib/map-yielding.ts';
import { type Dimension, writeDimension } from '../question/dimensions.ts';
import {
	addCounts,
	type Counts,
	type MetricName,
	metricOf,
	noCounts,
	type Value,
} from '../question/metrics.ts';
import type { Breakdown, Bucket, Question, Span } from '../question/question.ts';
import { isWithinDays, missingCounts, type Plan } from './plan.ts';
import type { Ranked } from './rank.ts';
import type { CountsRead, DayRow } from './read-counts.ts';

/** Values by metric; null where no longer available or not defined, such as a rate of no visits. */
export type Values = Partial<Record<MetricName, Value>>;

/** `isFew`: some values are null because they stand for too few visitors to be shown. */
type Hidden = { isFew?: true };

export type Point = Hidden & {
	time: string;
	isUnfinished: boolean;
	values: Values;
	/** The counts behind `values`; null where they are no longer available. */
	counts: Counts | null;
};

export type BreakdownRow = Hidden & {
	value: string;
	/** The value of the second dimension, if there are two. */
	by?: string;
	isOther: boolean;
	values: Values;
	counts: Counts;
	/** In the compared span; null where they are no longer available, and missing in a breakdown that is not compared. */
	compared?: Values | null;
	/** The counts behind `compared`. */
	comparedCounts?: Counts;
};

export type BreakdownAnswer = Hidden & {
	dimension: string;
	/** The second dimension. */
	by?: string;
	rows: BreakdownRow[];
	total: number;
	/** Its values are available only from `availableFrom`, which is within the period: it has no rows. */
	isUnavailable: boolean;
	/** The same of its compared rows. */
	isComparedUnavailable: boolean;
	/** Counts that some of its days lack. */
	lacking: ReadonlySet<Count>;
	/** The last day that another product counted, in the period or, if its rows are compared, the comparison. */
	importedTo?: string;
};

/** Totals and the series of a span. */
export type Whole = Hidden & {
	totals: Values;
	series: Point[] | null;
	/** The counts behind `totals`. */
	counts: Counts;
};

export type StatsAnswer = Whole & {
	compared: Whole | null;
	breakdowns: BreakdownAnswer[];
	meta: {
		asOf: Date;
		/** `totals`, `visits`, `events`, or several. */
		answeredFrom: string[];
		rowsRead: number;
		ms: number;
		availableFrom: string | null;
		/** The imported days of the span. */
		imported: { from: string; to: string; source: string } | null;
	};
};

type Result = CountsRead & {
	/** The open days that were read. */
	open: readonly OpenDay[];
	ms: number;
	asOf: Date;
};

export async function shape(question: Question, planned: Plan, result: Result): Promise<StatsAnswer> {
	const { own, compared: others } = result;
	const { unavailable } = planned;
	const total = sum(own.filter(isOfDates));
	const otherTotal = sum(others.filter(isOfDates));
	const values = (sums: Counts | null, span: Span | null) =>
		toValues(question.metrics, sums, { lacking: span ? missingCounts(planned, '', span) : none });
	return {
		totals: values(unavailable.totals ? null : total, question.span),
		series: question.buckets && points(question, planned, own, question.buckets),
		compared: question.compared && {
			totals: values(unavailable.compared ? null : otherTotal, question.compared),
			counts: otherTotal,
			series: question.comparedBuckets && points(question, planned, others, question.comparedBuckets),
		},
		breakdowns: await Promise.all(
			question.breakdowns.map((breakdown) =>
				shapeBreakdown(question, planned, result.breakdowns.get(breakdown), { breakdown, total, otherTotal }),
			),
		),
		counts: total,
		meta: {
			asOf: oldest([
				result.asOf,
				...(planned.asOf ? [planned.asOf] : []),
				...result.open.map(({ at }) => at),
			]),
			answeredFrom: [...new Set(planned.parts.map(({ source }) => source.from))],
			rowsRead: result.rowsRead,
			ms: result.ms,
			availableFrom: planned.availableFrom,
			imported: importedIn(planned, question.span),
		},
	};
}

const none: ReadonlySet<Count> = new Set();

/** From the first to the last imported day; several sources are joined with `+`. */
export function importedIn(
	{ imported }: Pick<Plan, 'imported'>,
	{ from, to }: Span,
): StatsAnswer['meta']['imported'] {
	const here = imported.filter(({ date }) => date >= from && date <= to);
	const [first, last] = [here[0], here.at(-1)];
	if (!first || !last) return null;
	const sources = new Set(here.map(({ imported: { source } }) => source));
	return { from: first.date, to: last.date, source: [...sources].join('+') };
}

const oldest = (instants: readonly Date[]): Date =>
	new Date(Math.min(...instants.map((instant) => instant.getTime())));

const isOfDates = ({ bucket }: DayRow) => bucket === '0';

function points(
	question: Question,
	planned: Plan,
	rows: readonly DayRow[],
	buckets: readonly Bucket[],
): Point[] {
	const { rawFrom } = question.website;
	const isByInstant = isWithinDays(buckets);
	const here = rows.filter((row) => (row.bucket !== '0') === isByInstant);
	const byKey = Map.groupBy(here, (row) => (isByInstant ? row.bucket : row.day));
	return buckets.map((bucket) => {
		const inside =
			isByInstant || bucket.from === bucket.to
				? (byKey.get(isByInstant ? String(bucket.startMs) : bucket.from) ?? [])
				: [...byKey].flatMap(([day, list]) => (day >= bucket.from && day <= bucket.to ? list : []));
		const isImported = planned.imported.some(
			({ date, imported }) => imported.suppliedCounts && date >= bucket.from && date <= bucket.to,
		);
		const isGone =
			(isImported || (rawFrom !== null && bucket.from < rawFrom)) &&
			(isByInstant ? planned.unavailable.series : planned.unavailable.totals || planned.unavailable.compared);
		const counts = isGone ? null : sum(inside);
		return {
			time: bucket.time,
			isUnfinished: bucket.isUnfinished,
			counts,
			values: toValues(question.metrics, counts, {
				lacking: isImported ? missingCounts(planned, '', bucket) : none,
			}),
		};
	});
}

async function shapeBreakdown(
	question: Question,
	planned: Plan,
	ranked: Ranked | undefined,
	{
		breakdown: { dimension, isCompared },
		total,
		otherTotal,
	}: { breakdown: Breakdown; total: Counts; otherTotal: Counts },
): Promise<BreakdownAnswer> {
	const label = labelOf(dimension);
	const isUnavailable = planned.unavailable.dimensions.has(label);
	const isComparedUnavailable = planned.unavailable.comparedDimensions.has(label);
	const { rows, total: rowCount } = (isUnavailable ? undefined : ranked) ?? { rows: [], total: 0 };
	const unknown = missingCounts(planned, label, question.span);
	const unknownBefore = question.compared ? missingCounts(planned, label, question.compared) : none;
	const importedTo = planned.imported.findLast(
		({ date, imported }) =>
			imported.suppliedCounts &&
			(isWithin(question.span, date) || (isCompared && isWithin(question.compared, date))),
	)?.date;
	const comparedOf = (counts: Counts = noCounts): Values | null =>
		isComparedUnavailable
			? null
			: toValues(question.metrics, counts, {
					visits: visitsForRate(dimension, otherTotal),
					lacking: unknownBefore,
				});
	return {
		dimension: writeDimension(dimension),
		...(dimension.by && { by: writeDimension(dimension.by) }),
		rows: await mapYielding(rows, ({ value, isOther, counts, compared }) => ({
			...(dimension.by ? splitValue(value) : { value }),
			isOther,
			values: toValues(question.metrics, counts, {
				visits: visitsForRate(dimension, total),
				lacking: unknown,
			}),
			counts,
			...(isCompared && { compared: comparedOf(compared), ...(compared && { comparedCounts: compared }) }),
		})),
		total: rowCount,
		isUnavailable,
		isComparedUnavailable,
		lacking: unknown,
		...(importedTo && { importedTo }),
	};
}

const isWithin = (span: Span | null, date: string): boolean =>
	span !== null && date >= span.from && date <= span.to;

function splitValue(both: string): { value: string; by: string } {
	const [value = '', by = ''] = both.split(separator);
	return { value, by };
}

/** The rate of a goal is relative to all visits; its row has only the visits that converted. */
const visitsForRate = (dimension: Dimension, total: Counts) =>
	dimension.name === 'goal' ? total.visits : undefined;

/** `lacking`: unknown counts; metrics made of them are null. */
export function toValues(
	metrics: readonly MetricName[],
	counts: Counts | null,
	{ visits, lacking = none }: { visits?: number | undefined; lacking?: ReadonlySet<Count> } = {},
): Values {
	return Object.fromEntries(
		metrics.map((name) => {
			if (!counts || metricOf(name).inputs.some((count) => lacking.has(count))) return [name, null];
			const isRate = name === 'conversion_rate' && visits !== undefined;
			return [name, metricOf(name).value(isRate ? { ...counts, visits } : counts)];
		}),
	);
}

const sum = (rows: readonly DayRow[]): Counts =>
	rows.reduce((counts, row) => addCounts(counts, row.counts), noCounts);
