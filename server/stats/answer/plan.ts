/**
 * Chooses where each part of an answer is read from: the cheapest source that is exact.
 *
 * - `totals`: whole sealed days, without a filter, by dimensions that totals are stored for.
 * - `visits`: sealed days, when a filter, a goal, hours, two dimensions at once or a cut day needs the visits themselves.
 * - `events`: days with events that no seal contains yet, that is today and days with late events. Their visits are derived by
 *   the same SELECT as a seal (derive/open-days.ts). Only a large day is answered from provisional totals, and the answer
 *   says as of when.
 * - `imported`: days that were counted by another product: whole days, without a filter, with the counts that it provides. A
 *   day with events of its own is never answered from an import: every day has one source.
 *
 * The states of all days are read from `days` once, before anything else, so all parts of an answer see the same seals.
 */
import {
	type Count,
	type CountedDimension,
	countNames,
	labelOf,
	storedDimensions,
} from '../../derive/counts.ts';
import type { Timing } from '../../derive/totals.ts';
import { addDays } from '../../lib/local-dates.ts';
import type { Queries } from '../../store/postgres.ts';
import { type Sql, sql, value } from '../../store/sql.ts';
import { metricOf } from '../question/metrics.ts';
import type { Bucket, Question, Span } from '../question/question.ts';

export type PlannedDay = {
	date: string;
	/** Sealed, without events since. */
	isSealed: boolean;
	generation: number;
	capped: readonly string[];
	goalRevision: number;
	/** About how many events it has. */
	size: number;
	provisional: {
		generation: number;
		at: Date;
		capped: readonly string[];
		goalRevision: number;
	} | null;
	/** The import that the day comes from, if any. Without `suppliedCounts` its events were imported. */
	imported: ImportedDay | null;
};

/** `suppliedCounts`: by dimension, the counts that the source provides. */
export type ImportedDay = {
	importId: number;
	source: string;
	suppliedCounts: Readonly<Record<string, readonly Count[]>> | null;
};

/** The days of the spans that have any data. */
export async function readDays(
	queries: Queries,
	websiteId: number,
	spans: readonly Span[],
): Promise<PlannedDay[]> {
	const isWithin = (date: Sql): Sql => sql`EXISTS (
			SELECT 1 FROM unnest(${value(spans.map(({ from }) => from))}::date[], ${value(spans.map(({ to }) => to))}::date[]) AS span ("from", "to")
			WHERE ${date} BETWEEN span."from" AND span."to")`;
	const rows = await queries.rows<{
		date: string;
		isSealed: boolean;
		generation: number;
		capped: string[];
		goalRevision: number;
		size: number;
		provisionalGeneration: number;
		provisionalAt: Date | null;
		provisionalCapped: string[];
		provisionalGoalRevision: number;
		importId: number | null;
		source: string | null;
		given: ImportedDay['suppliedCounts'];
		isOfEvents: boolean;
	}>(sql`
		SELECT days.date::text AS date, generation > 0 AND last_batch <= sealed_batch AS "isSealed", generation, capped,
			goal_revision AS "goalRevision", size, provisional_generation AS "provisionalGeneration",
			provisional_at AS "provisionalAt", provisional_capped AS "provisionalCapped",
			provisional_goal_revision AS "provisionalGoalRevision",
			NULL::bigint AS "importId", NULL AS source, NULL::jsonb AS given, true AS "isOfEvents"
		FROM days
		WHERE website_id = ${value(websiteId)} AND ${isWithin(sql`days.date`)}
		UNION ALL
		SELECT i.date::text, false, 0, '{}', 0, 0, 0, NULL, '{}', 0, import_id, source, given, kind = 'events'
		FROM imported_days AS i JOIN imports ON imports.id = import_id
		WHERE i.website_id = ${value(websiteId)} AND ${isWithin(sql`i.date`)}
		ORDER BY date`);
	const imported = new Map(
		rows.flatMap(({ date, importId, source, given, isOfEvents }) =>
			importId === null
				? []
				: [[date, { importId, source: source ?? '', suppliedCounts: isOfEvents ? null : given }]],
		),
	);
	const own = new Set(rows.filter(({ importId }) => importId === null).map(({ date }) => date));
	// A day of imported events has both rows; a day of imported totals has the import alone.
	const days = rows.filter(({ importId, date }) => importId === null || !own.has(date));
	return days.map((row) => ({
		date: row.date,
		isSealed: row.isSealed,
		generation: row.generation,
		capped: row.capped,
		goalRevision: row.goalRevision,
		size: row.size,
		provisional:
			row.provisionalAt && row.provisionalGeneration > 0
				? {
						generation: row.provisionalGeneration,
						at: row.provisionalAt,
						capped: row.provisionalCapped,
						goalRevision: row.provisionalGoalRevision,
					}
				: null,
		imported: importedAs(row.importId === null, imported.get(row.date)),
	}));
}

/** Own events win over imported totals; imported events are marked as such. */
const importedAs = (isOwn: boolean, imported: ImportedDay | undefined): ImportedDay | null =>
	imported && (!isOwn || imported.suppliedCounts === null) ? imported : null;

/** For imported days the generation is the id of the import. */
export type PlanSource =
	| { from: 'totals' | 'visits' | 'imported'; days: readonly { date: string; generation: number }[] }
	| { from: 'events'; dates: readonly string[] };

/** What is read from one source, for the span or its comparison. */
export type Part = {
	source: PlanSource;
	isCompared: boolean;
	dimensions: readonly CountedDimension[];
	timing: Timing | null;
};

export type Plan = {
	parts: readonly Part[];
	counts: readonly Count[];
	/** Totals, series and breakdowns that are not available before `availableFrom`. */
	unavailable: {
		totals: boolean;
		compared: boolean;
		series: boolean;
		dimensions: ReadonlySet<string>;
		comparedDimensions: ReadonlySet<string>;
	};
	availableFrom: string | null;
	/** Dimensions of which some day has more values than are stored. */
	capped: ReadonlySet<string>;
	/** The time of the oldest provisional totals that are used. */
	asOf: Date | null;
	/** The imported days of the question. */
	imported: readonly { date: string; imported: ImportedDay }[];
};

/** Larger days are not counted anew for each question. */
export const maxLiveEvents = 200_000;

export function plan(question: Question, days: readonly PlannedDay[]): Plan {
	const unavailable = {
		totals: false,
		compared: false,
		series: false,
		dimensions: new Set<string>(),
		comparedDimensions: new Set<string>(),
	};
	let asOf: Date | null = null;
	let availableFrom: string | null = null;
	const parts: Part[] = [];
	for (const { span, isCompared, timing, dimensions } of slicesOf(question)) {
		const within = days.filter(({ date }) => date >= span.from && date <= span.to);
		for (const dimension of dimensions) {
			const bySource = Map.groupBy(within, (day) => sourceOf(question, day, dimension, timing));
			for (const { date, imported } of bySource.get('none') ?? []) {
				const from = imported?.suppliedCounts ? addDays(date, 1) : question.website.rawFrom;
				if (from !== null && (availableFrom === null || from > availableFrom)) availableFrom = from;
				if (dimension.name !== '')
					(isCompared ? unavailable.comparedDimensions : unavailable.dimensions).add(labelOf(dimension));
				else if (timing?.edgesMs) unavailable.series = true;
				else if (isCompared) unavailable.compared = true;
				else unavailable.totals = true;
			}
			for (const { provisional } of bySource.get('provisional') ?? [])
				if (provisional && (!asOf || provisional.at < asOf)) asOf = provisional.at;
			for (const source of planSources(bySource))
				parts.push({ source, isCompared, dimensions: [dimension], timing });
		}
	}
	return {
		parts: merge(parts),
		counts: countsOf(question),
		unavailable,
		availableFrom,
		capped: new Set(days.flatMap(({ capped, provisional }) => [...capped, ...(provisional?.capped ?? [])])),
		asOf,
		imported: importedOf(days),
	};
}

/** The question with rows that are compared only where all days of the comparison have them. */
export function withoutUnavailable(question: Question, { unavailable }: Plan): Question {
	return {
		...question,
		breakdowns: question.breakdowns.map((breakdown) =>
			breakdown.isCompared && unavailable.comparedDimensions.has(labelOf(breakdown.dimension))
				? { ...breakdown, isCompared: false, sort: { ...breakdown.sort, isByChange: false } }
				: breakdown,
		),
	};
}

/** What is counted together: dimensions, in a span or a part of it. */
type Slice = {
	span: Span;
	isCompared: boolean;
	timing: Timing | null;
	dimensions: readonly CountedDimension[];
};

/** The question's span and its comparison, each as a whole and, by hours or minutes, as a series. */
function slicesOf({ span, compared, buckets, comparedBuckets, breakdowns }: Question): Slice[] {
	const totalsDimension: CountedDimension = { name: '' };
	// A dimension may be asked for twice, with different sorting.
	const distinct = (some: Question['breakdowns']) =>
		new Map<string, CountedDimension>(some.map(({ dimension }) => [labelOf(dimension), dimension])).values();
	const slices: Slice[] = cut(span).map((piece) => ({
		...piece,
		isCompared: false,
		dimensions: [totalsDimension, ...distinct(breakdowns)],
	}));
	if (compared)
		slices.push(
			...cut(compared).map((piece) => ({
				...piece,
				isCompared: true,
				dimensions: [totalsDimension, ...distinct(breakdowns.filter(({ isCompared }) => isCompared))],
			})),
		);
	if (buckets && isWithinDays(buckets))
		slices.push({ span, timing: timingOf(span, buckets), isCompared: false, dimensions: [totalsDimension] });
	if (compared && comparedBuckets && isWithinDays(comparedBuckets))
		slices.push({
			span: compared,
			timing: timingOf(compared, comparedBuckets),
			isCompared: true,
			dimensions: [totalsDimension],
		});
	return slices;
}

/** What is read for the days of each source; provisional totals are read together with the others. */
function planSources(bySource: ReadonlyMap<ChosenSource, readonly PlannedDay[]>): PlanSource[] {
	const daysOf = (source: ChosenSource) => bySource.get(source) ?? [];
	const totals = [
		...daysOf('totals').map(sealOf),
		...daysOf('provisional').map(({ date, provisional }) => ({
			date,
			generation: provisional?.generation ?? 0,
		})),
	].toSorted((a, b) => (a.date < b.date ? -1 : 1));
	const imported = daysOf('imported').map(({ date, imported }) => ({
		date,
		generation: imported?.importId ?? 0,
	}));
	const sources = [
		{ from: 'totals', days: totals },
		{ from: 'imported', days: imported },
		{ from: 'visits', days: daysOf('visits').map(sealOf) },
	] as const;
	const dates = daysOf('events').map(({ date }) => date);
	return [
		...sources.filter(({ days }) => days.length > 0),
		...(dates.length > 0 ? [{ from: 'events', dates } as const] : []),
	];
}

export const importedOf = (days: readonly PlannedDay[]): Plan['imported'] =>
	days.flatMap(({ date, imported }) => (imported ? [{ date, imported }] : []));

const sealOf = ({ date, generation }: { date: string; generation: number }) => ({ date, generation });

/** The counts behind the metrics and the sorting of rows, and those that tell whether a row is empty. */
function countsOf({ metrics, breakdowns }: Question): Count[] {
	const needed = [...metrics, ...breakdowns.map(({ sort }) => sort.by)];
	return [
		...new Set<Count>(['views', 'events', 'visits', ...needed.flatMap((name) => metricOf(name).inputs)]),
	];
}

/** The dates of a span that are cut at an instant, and the whole dates between them. */
function cut(span: Span): { span: Span; timing: Timing | null }[] {
	const { from, to, startMs, endMs } = span;
	if (startMs === null && endMs === null) return [{ span, timing: null }];
	// A cut date has both instants: only one that lies within the date has an effect.
	const timing: Timing = { startMs, endMs, edgesMs: null };
	if (from === to) return [{ span, timing }];
	const pieces: { span: Span; timing: Timing | null }[] = [];
	const first = startMs === null ? from : addDays(from, 1);
	const last = endMs === null ? to : addDays(to, -1);
	if (startMs !== null) pieces.push({ span: { ...span, to: from }, timing });
	if (first <= last)
		pieces.push({ span: { from: first, to: last, startMs: null, endMs: null }, timing: null });
	if (endMs !== null) pieces.push({ span: { ...span, from: to }, timing });
	return pieces;
}

export const isWithinDays = (buckets: readonly Bucket[]): boolean =>
	buckets.some(({ startMs }) => startMs !== null);

function timingOf({ startMs, endMs }: Span, buckets: readonly Bucket[]): Timing {
	const last = buckets.at(-1);
	const edgesMs = buckets.flatMap((bucket) => (bucket.startMs === null ? [] : [bucket.startMs]));
	const ends = [endMs, last?.endMs ?? null].filter((ms) => ms !== null);
	return { startMs, endMs: ends.length === 0 ? null : Math.min(...ends), edgesMs };
}

type ChosenSource = 'totals' | 'provisional' | 'visits' | 'events' | 'imported' | 'none';

function sourceOf(
	question: Question,
	day: PlannedDay,
	dimension: CountedDimension,
	timing: Timing | null,
): ChosenSource {
	const { website, goal, onlyConverted = false } = question;
	const isFiltered = question.filter !== null || onlyConverted;
	const newestGoal = Math.max(0, ...website.goals.map(({ revision }) => revision));
	const isStored = (seal: { capped: readonly string[]; goalRevision: number }, isLast: boolean) =>
		!isFiltered &&
		!timing &&
		!dimension.by &&
		!(goal && dimension.name !== 'goal') &&
		(storedDimensions as readonly string[]).includes(dimension.name) &&
		(isLast || !seal.capped.includes(dimension.name)) &&
		(dimension.name !== 'goal' || seal.goalRevision >= newestGoal);
	if (day.imported?.suppliedCounts) {
		const isGiven = Object.hasOwn(day.imported.suppliedCounts, dimension.name);
		return isGiven && !isFiltered && !timing && !dimension.by && !goal ? 'imported' : 'none';
	}
	const isRawGone = website.rawFrom !== null && day.date < website.rawFrom;
	if (isRawGone) return day.generation > 0 && isStored(day, true) ? 'totals' : 'none';
	if (day.isSealed) return isStored(day, false) ? 'totals' : 'visits';
	const { provisional } = day;
	return day.size > maxLiveEvents && provisional && isStored(provisional, false) ? 'provisional' : 'events';
}

/** Counts of a dimension that the source of some day between two dates lacks: metrics made of them are unknown. */
export function missingCounts(
	{ imported }: Pick<Plan, 'imported'>,
	dimension: string,
	{ from, to }: { from: string; to: string },
): ReadonlySet<Count> {
	const lists = new Set(
		imported.flatMap(({ date, imported: { suppliedCounts } }) =>
			suppliedCounts && date >= from && date <= to ? [suppliedCounts[dimension] ?? []] : [],
		),
	);
	return new Set([...lists].flatMap((list) => countNames.filter((name) => !list.includes(name))));
}

/** Parts with the same source, span and timing are read together. */
function merge(parts: readonly Part[]): Part[] {
	const merged = new Map<string, Part>();
	for (const part of parts) {
		const key = JSON.stringify([part.source, part.isCompared, part.timing]);
		const before = merged.get(key);
		merged.set(key, before ? { ...before, dimensions: [...before.dimensions, ...part.dimensions] } : part);
	}
	return [...merged.values()];
}
