import type { OpenDay } from '../derive/open-days.ts';
import { type Count, labelOf } from '../derive/totals.ts';
import { mapInSlices } from '../lib/slices.ts';
import type { ValueRow, WholeRow } from './build.ts';
import { type Dimension, writeDimension } from './dimensions.ts';
import {
	addCounts,
	type Counts,
	counts,
	type MetricName,
	metricOf,
	noCounts,
	type Value,
} from './metrics.ts';
import { isWithinDays, lacking, type Plan } from './plan.ts';
import type { Breakdown, Bucket, Question, Span } from './question.ts';

/** A metric's value; null where it cannot be had any more, or has no meaning. */
export type Values = Partial<Record<MetricName, Value>>;

export type Point = { time: string; isUnfinished: boolean; values: Values };

export type BreakdownAnswer = {
	dimension: string;
	rows: { value: string; isOther: boolean; values: Values; counts: Counts }[];
	total: number;
	/** Its values are known only since `availableFrom`, which is within the period: it has no rows. */
	isUnavailable: boolean;
	/** Counts that some of its days do not have. */
	lacking: ReadonlySet<Count>;
};

export type Answer = {
	totals: Values;
	series: Point[] | null;
	compared: { totals: Values; series: Point[] | null } | null;
	breakdowns: BreakdownAnswer[];
	/** The counts behind `totals`. */
	counts: Counts;
	meta: {
		asOf: Date;
		/** `totals`, `visits`, `events`, or several. */
		answeredFrom: string[];
		rowsRead: number;
		ms: number;
		availableFrom: string | null;
		/** The days of the time asked about that were counted elsewhere. */
		imported: { from: string; to: string; source: string } | null;
	};
};

type Result = {
	whole: readonly { rows: readonly WholeRow[]; readRows: number }[];
	breakdowns: readonly { of: readonly Breakdown[]; rows: readonly ValueRow[]; readRows: number }[];
	/** The open days that were read. */
	open: readonly OpenDay[];
	ms: number;
	asOf: Date;
};

export async function shape(question: Question, planned: Plan, result: Result): Promise<Answer> {
	const rows = result.whole.flatMap((each) => each.rows);
	const { unavailable } = planned;
	const own = rows.filter((row) => row.is_compared === 0);
	const others = rows.filter((row) => row.is_compared === 1);
	const total = sum(own.filter(isOfDates));
	const values = (of: Counts | null, span: Span | null) =>
		toValues(question.metrics, of, { lacking: span ? lacking(planned, '', span) : none });
	return {
		totals: values(unavailable.totals ? null : total, question.span),
		series: question.buckets && points(question, planned, own, question.buckets),
		compared: question.compared && {
			totals: values(unavailable.compared ? null : sum(others.filter(isOfDates)), question.compared),
			series: question.comparedBuckets && points(question, planned, others, question.comparedBuckets),
		},
		breakdowns: await Promise.all(
			question.breakdowns.map((breakdown) => {
				const asked = result.breakdowns.find(({ of }) => of.includes(breakdown));
				return shapeBreakdown(question, planned, asked?.rows ?? [], breakdown, total);
			}),
		),
		counts: total,
		meta: {
			asOf: oldest([
				result.asOf,
				...(planned.asOf ? [planned.asOf] : []),
				...result.open.map(({ at }) => at),
			]),
			answeredFrom: [...new Set(planned.parts.map(({ source }) => source.from))],
			rowsRead: [...result.whole, ...result.breakdowns].reduce((sum, { readRows }) => sum + readRows, 0),
			ms: result.ms,
			availableFrom: planned.availableFrom,
			imported: importedIn(planned, question.span),
		},
	};
}

const none: ReadonlySet<Count> = new Set();

/** From the first to the last of them. Several sources are named beside each other. */
export function importedIn(
	{ imported }: Pick<Plan, 'imported'>,
	{ from, to }: Span,
): Answer['meta']['imported'] {
	const here = imported.filter(({ date }) => date >= from && date <= to);
	const [first, last] = [here[0], here.at(-1)];
	if (!first || !last) return null;
	const sources = new Set(here.map(({ imported: { source } }) => source));
	return { from: first.date, to: last.date, source: [...sources].join('+') };
}

const oldest = (instants: readonly Date[]): Date =>
	new Date(Math.min(...instants.map((instant) => instant.getTime())));

const isOfDates = ({ bucket }: WholeRow) => bucket === '0';

function points(
	question: Question,
	planned: Plan,
	rows: readonly WholeRow[],
	buckets: readonly Bucket[],
): Point[] {
	const { rawFrom } = question.website;
	const isByInstant = isWithinDays(buckets);
	const here = rows.filter((row) => (row.bucket !== '0') === isByInstant);
	const byKey = Map.groupBy(here, (row) => (isByInstant ? row.bucket : row.date));
	// Dates are few and buckets hold several: each date goes to the bucket that it lies in.
	return buckets.map((bucket) => {
		const inside =
			isByInstant || bucket.from === bucket.to
				? (byKey.get(isByInstant ? String(bucket.startMs) : bucket.from) ?? [])
				: [...byKey].flatMap(([day, of]) => (day >= bucket.from && day <= bucket.to ? of : []));
		const isElsewhere = planned.imported.some(
			({ date, imported }) => imported.given && date >= bucket.from && date <= bucket.to,
		);
		const isGone =
			(isElsewhere || (rawFrom !== null && bucket.from < rawFrom)) &&
			(isByInstant ? planned.unavailable.series : planned.unavailable.totals || planned.unavailable.compared);
		return {
			time: bucket.time,
			isUnfinished: bucket.isUnfinished,
			values: toValues(question.metrics, isGone ? null : sum(inside), {
				lacking: isElsewhere ? lacking(planned, '', bucket) : none,
			}),
		};
	});
}

async function shapeBreakdown(
	question: Question,
	planned: Plan,
	rows: readonly ValueRow[],
	{ dimension, offset }: Breakdown,
	total: Counts,
): Promise<BreakdownAnswer> {
	const label = labelOf(dimension);
	const here = planned.unavailable.dimensions.has(label)
		? []
		: rows.filter((row) => row.dimension === label).toSorted((a, b) => Number(a.place) - Number(b.place));
	const asked = here.filter((row) => Number(row.place) > offset);
	const unknown = lacking(planned, label, question.span);
	return {
		dimension: writeDimension(dimension),
		rows: await mapInSlices(asked, (row) => {
			const its = toCounts(row);
			return {
				value: row.value,
				isOther: row.is_other === 1,
				values: toValues(question.metrics, its, { visits: rateOf(dimension, total), lacking: unknown }),
				counts: its,
			};
		}),
		total: Number(here[0]?.total ?? 0),
		isUnavailable: planned.unavailable.dimensions.has(label),
		lacking: unknown,
	};
}

/** A goal's rate is its conversions in all visits; those in its row are the ones that converted. */
const rateOf = (dimension: Dimension, total: Counts) =>
	dimension.name === 'goal' ? total.visits : undefined;

/** `lacking`: counts that are not known, so that nothing made of them is. */
export function toValues(
	metrics: readonly MetricName[],
	of: Counts | null,
	{ visits, lacking = none }: { visits?: number | undefined; lacking?: ReadonlySet<Count> } = {},
): Values {
	return Object.fromEntries(
		metrics.map((name) => {
			if (!of || metricOf(name).of.some((count) => lacking.has(count))) return [name, null];
			const isRate = name === 'conversion_rate' && visits !== undefined;
			return [name, metricOf(name).value(isRate ? { ...of, visits } : of)];
		}),
	);
}

const sum = (rows: readonly WholeRow[]): Counts => rows.map(toCounts).reduce(addCounts, noCounts);

function toCounts(row: WholeRow | ValueRow): Counts {
	const of = { ...noCounts };
	for (const name of counts) of[name] = Number(row[name] ?? 0);
	of.revenue = Object.fromEntries(
		Object.entries(row.revenue ?? {}).map(([currency, amount]) => [currency, Number(amount)]),
	);
	return of;
}
