/**
 * Where an answer comes from, the cheapest that is exact:
 *
 * - `totals`, for whole days that are sealed, without a filter, by what is stored;
 * - `visits`, for sealed days, when a filter, a goal, hours or a cut day needs the runs themselves;
 * - `events`, through the very SELECT that seals (derive/open-days.ts), for days that have events which are in no seal yet:
 *   today, and a day that was late. Only a large day answers from provisional totals instead, and the answer says of when
 *   they are.
 *
 * - `imported`, for days that were counted elsewhere: whole days alone, without a filter, by what the source gives. A day with
 *   events of its own is never answered from an import: one source a day.
 *
 * Which day is in which state is read from `days` once, before anything is asked: all parts of an answer see the same seals.
 */
import {
	type Count,
	type CountedDimension,
	countNames,
	labelOf,
	storedDimensions,
	type Timing,
} from '../derive/totals.ts';
import { addDays } from '../lib/local-dates.ts';
import type { Queries } from '../store/postgres.ts';
import { type Sql, sql, value } from '../store/sql.ts';
import { metricOf } from './metrics.ts';
import type { Bucket, Question, Span } from './question.ts';

export type Day = {
	date: string;
	/** Sealed, and nothing came since. */
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
	/** Where it was counted, if not here. Without `given` it has events, which an import brought. */
	imported: ImportedDay | null;
};

/** `given`: by dimension, the counts that the source has of it. */
export type ImportedDay = {
	importId: number;
	source: string;
	given: Readonly<Record<string, readonly Count[]>> | null;
};

/** The days of a span on which anything was counted. */
export async function readDays(queries: Queries, websiteId: number, spans: readonly Span[]): Promise<Day[]> {
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
		given: ImportedDay['given'];
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
			importId === null ? [] : [[date, { importId, source: source ?? '', given: isOfEvents ? null : given }]],
		),
	);
	const own = new Set(rows.filter(({ importId }) => importId === null).map(({ date }) => date));
	// Of a day that came as events both are there, and of one that was counted elsewhere the import alone.
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

/** Own events win over what was counted elsewhere; that they came by an import is said. */
const importedAs = (isOwn: boolean, imported: ImportedDay | undefined): ImportedDay | null =>
	imported && (!isOwn || imported.given === null) ? imported : null;

/** The generation of an imported day is the import. */
export type Source =
	| { from: 'totals' | 'visits' | 'imported'; days: readonly { date: string; generation: number }[] }
	| { from: 'events'; dates: readonly string[] };

/** Rows of one source, for one of the two spans. */
export type Part = {
	source: Source;
	isCompared: boolean;
	dimensions: readonly CountedDimension[];
	timing: Timing | null;
};

export type Plan = {
	parts: readonly Part[];
	counts: readonly Count[];
	/** Rows by these dimensions, and what the question counts in all, cannot be had before `availableFrom`. */
	unavailable: { totals: boolean; compared: boolean; series: boolean; dimensions: ReadonlySet<string> };
	availableFrom: string | null;
	/** The instant of the oldest provisional totals among the sources. */
	asOf: Date | null;
	/** The days of the question that were not counted here. */
	imported: readonly { date: string; imported: ImportedDay }[];
};

/** Above so many events a day is not counted anew for each question. */
const maxLiveEvents = 200_000;

export function plan(question: Question, days: readonly Day[]): Plan {
	const { website, span, compared, buckets, comparedBuckets, breakdowns } = question;
	const counts = countsOf(question);
	// One may be asked for twice, sorted in two ways.
	const asked = new Map<string, CountedDimension>(
		breakdowns.map(({ dimension }) => [labelOf(dimension), dimension]),
	);
	const dimensions: CountedDimension[] = [{ name: '' }, ...asked.values()];
	const parts: Part[] = [];
	const missing = { totals: false, compared: false, series: false, dimensions: new Set<string>() };
	let asOf: Date | null = null;
	let availableFrom: string | null = null;

	function add(isCompared: boolean, of: Span, wanted: readonly CountedDimension[], timing: Timing | null) {
		const within = days.filter(({ date }) => date >= of.from && date <= of.to);
		for (const dimension of wanted) {
			const chosen = {
				totals: [] as Day[],
				provisional: [] as Day[],
				visits: [] as Day[],
				events: [] as Day[],
				imported: [] as Day[],
			};
			for (const day of within) {
				const source = sourceOf(question, day, dimension, timing);
				if (source === 'none') {
					const availableHere = day.imported?.given ? addDays(day.date, 1) : website.rawFrom;
					if (availableHere !== null && (availableFrom === null || availableHere > availableFrom))
						availableFrom = availableHere;
					if (dimension.name !== '') missing.dimensions.add(labelOf(dimension));
					else if (timing?.edgesMs) missing.series = true;
					else if (isCompared) missing.compared = true;
					else missing.totals = true;
				} else chosen[source].push(day);
			}
			for (const { provisional } of chosen.provisional)
				if (provisional && (!asOf || provisional.at < asOf)) asOf = provisional.at;
			const stored = [
				...chosen.totals,
				...chosen.provisional.map((day) => ({ ...day, generation: day.provisional?.generation ?? 0 })),
			].toSorted((a, b) => (a.date < b.date ? -1 : 1));
			if (stored.length > 0)
				parts.push({
					source: { from: 'totals', days: stored.map(sealOf) },
					isCompared,
					dimensions: [dimension],
					timing,
				});
			if (chosen.imported.length > 0)
				parts.push({
					source: {
						from: 'imported',
						days: chosen.imported.map(({ date, imported }) => ({
							date,
							generation: imported?.importId ?? 0,
						})),
					},
					isCompared,
					dimensions: [dimension],
					timing,
				});
			if (chosen.visits.length > 0)
				parts.push({
					source: { from: 'visits', days: chosen.visits.map(sealOf) },
					isCompared,
					dimensions: [dimension],
					timing,
				});
			if (chosen.events.length > 0)
				parts.push({
					source: { from: 'events', dates: chosen.events.map(({ date }) => date) },
					isCompared,
					dimensions: [dimension],
					timing,
				});
		}
	}

	for (const { span: piece, timing } of cut(span)) add(false, piece, dimensions, timing);
	if (compared) for (const { span: piece, timing } of cut(compared)) add(true, piece, [{ name: '' }], timing);
	if (buckets && isWithinDays(buckets)) add(false, span, [{ name: '' }], timingOf(span, buckets));
	if (compared && comparedBuckets && isWithinDays(comparedBuckets))
		add(true, compared, [{ name: '' }], timingOf(compared, comparedBuckets));
	return {
		parts: merge(parts),
		counts,
		unavailable: missing,
		availableFrom,
		asOf,
		imported: importedOf(days),
	};
}

export const importedOf = (days: readonly Day[]): Plan['imported'] =>
	days.flatMap(({ date, imported }) => (imported ? [{ date, imported }] : []));

const sealOf = ({ date, generation }: { date: string; generation: number }) => ({ date, generation });

/** All that the metrics and the sorting of rows are made of; and what tells whether there is anything in a row. */
function countsOf({ metrics, breakdowns }: Question): Count[] {
	const asked = [...metrics, ...breakdowns.map(({ sort }) => sort.by)];
	return [...new Set<Count>(['views', 'events', 'visits', ...asked.flatMap((name) => metricOf(name).of)])];
}

/** The dates of a span that are cut at an instant, and the whole ones between them. */
function cut(span: Span): { span: Span; timing: Timing | null }[] {
	const { from, to, startMs, endMs } = span;
	if (startMs === null && endMs === null) return [{ span, timing: null }];
	// A cut date is asked with both instants: the date alone says which of them can matter.
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

type Chosen = 'totals' | 'provisional' | 'visits' | 'events' | 'imported' | 'none';

function sourceOf(question: Question, day: Day, dimension: CountedDimension, timing: Timing | null): Chosen {
	const { website, filter, goal } = question;
	const newestGoal = Math.max(0, ...website.goals.map(({ revision }) => revision));
	const isStored = (of: { capped: readonly string[]; goalRevision: number }, isLast: boolean) =>
		!filter &&
		!timing &&
		!(goal && dimension.name !== 'goal') &&
		(storedDimensions as readonly string[]).includes(dimension.name) &&
		(isLast || !of.capped.includes(dimension.name)) &&
		(dimension.name !== 'goal' || of.goalRevision >= newestGoal);
	if (day.imported?.given) {
		const isGiven = Object.hasOwn(day.imported.given, dimension.name);
		return isGiven && !filter && !timing && !goal ? 'imported' : 'none';
	}
	const isRawGone = website.rawFrom !== null && day.date < website.rawFrom;
	if (isRawGone) return day.generation > 0 && isStored(day, true) ? 'totals' : 'none';
	if (day.isSealed) return isStored(day, false) ? 'totals' : 'visits';
	const { provisional } = day;
	return day.size > maxLiveEvents && provisional && isStored(provisional, false) ? 'provisional' : 'events';
}

/** What the source of some day between two dates does not give of a dimension: a metric made of it is not known. */
export function lacking(
	{ imported }: Pick<Plan, 'imported'>,
	dimension: string,
	{ from, to }: { from: string; to: string },
): ReadonlySet<Count> {
	const lists = new Set(
		imported.flatMap(({ date, imported: { given } }) =>
			given && date >= from && date <= to ? [given[dimension] ?? []] : [],
		),
	);
	return new Set([...lists].flatMap((list) => countNames.filter((name) => !list.includes(name))));
}

/** Parts of one source, span and timing are asked together. */
function merge(parts: readonly Part[]): Part[] {
	const merged = new Map<string, Part>();
	for (const part of parts) {
		const key = JSON.stringify([part.source, part.isCompared, part.timing]);
		const before = merged.get(key);
		merged.set(key, before ? { ...before, dimensions: [...before.dimensions, ...part.dimensions] } : part);
	}
	return [...merged.values()];
}
