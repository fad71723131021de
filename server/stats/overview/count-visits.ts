/**
 * Counts visits of many websites in few statements: those of days that are open or cut at an instant, and of all days when a
 * filter or a goal selects visits. Each statement reads its own websites and days, so no visit is read twice.
 */
import { type Count, type Expression, isStoredColumn } from '../../derive/counts.ts';
import type { Counting, Timing } from '../../derive/totals.ts';
import { type VisitColumn, visitRowsOf } from '../../derive/visits.ts';
import { identifier, join, param, type Sql, sql } from '../../store/sql.ts';
import { offsetsOf } from '../../websites/offsets.ts';
import { countSelected } from '../answer/build.ts';
import { dateOfDay, type StoredDays } from '../answer/day-state-cache.ts';
import { hasTest, reachesOf, type Selection } from '../answer/visit-filter.ts';
import { type Counts, noCounts } from '../question/metrics.ts';
import type { Filter, Goal, StatsWebsite } from '../question/question.ts';
import {
	addCount,
	type CountLists,
	countAt,
	countLists,
	type DayCount,
	type DayCountQuery,
	type StoredCounts,
	toStoredCounts,
} from './counted-days.ts';

/** What is counted of many websites. */
export type ManySelection = {
	names: readonly Count[];
	filter: Filter | null;
	/** By website; those that are not here have no goal. */
	goals: ReadonlyMap<number, Goal>;
};

/** A day that is open, or cut at instants: its visits are counted. */
export type DayCountPiece = {
	website: Pick<StatsWebsite, 'id' | 'zones'>;
	date: string;
	/** Null for the whole day. */
	timing: Pick<Timing, 'startMs' | 'endMs'> | null;
	visits: { from: 'visits' | 'open_visits'; generation: bigint } | { from: 'events'; sinceMs: number | null };
	/** About how many events it has. */
	size: number;
	/** The count stays the same until this changes; null when it must not be cached. */
	stamp: string | null;
};

/** How many events one statement may derive visits from. */
const maxEventsPerStatement = 500_000;
/**
 * Each SELECT takes some kilobytes, and a ClickHouse server accepts form fields of 128 KiB. A filter takes up to 70, and with it
 * the SELECTs may be there twice.
 */
const maxSelects = 8;
const maxFilteredSelects = 2;
/** Conditions of goals in a statement. */
const maxGoals = 8;
/** A day takes some hundred bytes of memory in a statement. */
const maxDaysPerStatement = 50_000;

/**
 * Pieces that are cut in the same way are counted together, although websites have different time zones: times are relative to
 * the instant at which the website's day is cut.
 */
export async function countPieces(
	ask: DayCountQuery,
	pieces: readonly DayCountPiece[],
	selection: ManySelection,
): Promise<Map<DayCountPiece, DayCount>> {
	const counted = new Map<DayCountPiece, Counts>();
	const groups = [
		...Map.groupBy(pieces, (piece) => JSON.stringify([piece.visits.from, fromBase(piece)])).values(),
	];
	await Promise.all(
		groups
			.flatMap((group) => intoStatements(group, selection))
			.map(async (group) => {
				const byKey = new Map(group.map((piece) => [keyOf(piece.website.id, piece.date), piece]));
				for (const row of await ask<CountLists>(statementOfPieces(group, selection)))
					for (const [index, day] of row.days.entries()) {
						const piece = byKey.get(keyOf(row.website_id, dateOfDay(day)));
						if (!piece) continue;
						const sum = counted.get(piece) ?? { ...noCounts };
						addCount(sum, countAt(row, selection.names, index));
						counted.set(piece, sum);
					}
			}),
	);
	return counted;
}

const keyOf = (websiteId: number, date: string) => `${websiteId} ${date}`;

const baseOf = ({ timing }: DayCountPiece): number => timing?.endMs ?? timing?.startMs ?? 0;

/** Start and end of the piece, relative to its base. */
function fromBase(piece: DayCountPiece): Timing | null {
	const { timing } = piece;
	if (!timing) return null;
	const base = baseOf(piece);
	return {
		startMs: timing.startMs === null ? null : timing.startMs - base,
		endMs: timing.endMs === null ? null : timing.endMs - base,
		edgesMs: null,
	};
}

/** Hours are those of the website's clock. */
const isByHour = ({ filter }: ManySelection): boolean =>
	filter !== null && hasTest(filter, ({ dimension }) => dimension.name === 'hour');

/** Pieces with the same key share a SELECT. */
const selectOf = ({ website, date, visits }: DayCountPiece, byHour: boolean): string =>
	visits.from === 'events' ? JSON.stringify([date, visits.sinceMs, ...(byHour ? [website.zones] : [])]) : '';

/** Goals with the same key share a condition. */
const conditionOf = ({ kind, pattern, property }: Goal): string => JSON.stringify([kind, pattern, property]);

/** Divides pieces into statements without too many events, SELECTs or goals, and without two cuts or the same day of a website. */
function intoStatements(group: readonly DayCountPiece[], selection: ManySelection): DayCountPiece[][] {
	const byHour = isByHour(selection);
	const mostSelects = selection.filter ? maxFilteredSelects : maxSelects;
	const parts: {
		pieces: DayCountPiece[];
		keys: Set<string>;
		bases: Map<number, number>;
		selects: Set<string>;
		goals: Set<string>;
		size: number;
	}[] = [];
	for (const piece of group) {
		const key = keyOf(piece.website.id, piece.date);
		const base = baseOf(piece);
		const select = selectOf(piece, byHour);
		const goal = selection.goals.get(piece.website.id);
		const condition = goal ? conditionOf(goal) : '';
		let part = parts.find(
			({ keys, bases, selects, goals, size }) =>
				!keys.has(key) &&
				(bases.get(piece.website.id) ?? base) === base &&
				(selects.has(select) || selects.size < mostSelects) &&
				(goals.has(condition) || goals.size < maxGoals) &&
				(size === 0 || size + piece.size <= maxEventsPerStatement),
		);
		if (!part) {
			part = { pieces: [], keys: new Set(), bases: new Map(), selects: new Set(), goals: new Set(), size: 0 };
			parts.push(part);
		}
		part.pieces.push(piece);
		part.keys.add(key);
		part.bases.set(piece.website.id, base);
		part.selects.add(select);
		part.goals.add(condition);
		part.size += piece.size;
	}
	return parts.map(({ pieces }) => pieces);
}

function statementOfPieces(group: readonly DayCountPiece[], selection: ManySelection): Sql {
	const [first] = group;
	const timing = first ? fromBase(first) : null;
	const from = first?.visits.from ?? 'visits';
	const websiteIds = [...new Set(group.map(({ website }) => website.id))];
	const bases = [...new Map(group.map((piece) => [piece.website.id, baseOf(piece)]))];
	const base = sql`transform(website_id, ${param(
		'Array(UInt32)',
		bases.map(([websiteId]) => websiteId),
	)}, ${param(
		'Array(Int64)',
		bases.map(([, ms]) => ms),
	)}, toInt64(0))`;
	return countDays(selection, websiteIds, timing, (columns) => {
		const visits =
			from === 'events'
				? openVisits(group, columns, isByHour(selection))
				: sealedVisits(from, seals(group), columns);
		return timing
			? sql`SELECT * REPLACE (fromUnixTimestamp64Milli(toUnixTimestamp64Milli(start) - ${base}, 'UTC') AS start) FROM (${visits})`
			: visits;
	});
}

/** A statement that returns `CountLists`. A day may be in the lists twice: its counts add up. */
function countDays(
	{ names, filter, goals }: ManySelection,
	websiteIds: readonly number[],
	timing: Timing | null,
	visitsWith: (columns: readonly VisitColumn[]) => Sql,
): Sql {
	const counting: Counting = { dimensions: [{ name: '' }], counts: names, goals: [], timing };
	const selection: Selection = { filter, goal: null, converts: reachesOwn(goals, websiteIds), goals: [] };
	return sql`
	SELECT ${countLists(names)}
	FROM (${countSelected(selection, counting, sql`website_id, date`, (columns) => visitsWith(columns.filter(isStoredColumn)))}) AS t
	GROUP BY website_id`;
}

/** Whether a visit reached the goal of its website. */
function reachesOwn(goals: ReadonlyMap<number, Goal>, websiteIds: readonly number[]): Expression | null {
	const own = websiteIds.flatMap((websiteId) => {
		const goal = goals.get(websiteId);
		return goal ? [{ websiteId, goal }] : [];
	});
	if (own.length === 0) return null;
	const conditions = [...Map.groupBy(own, ({ goal }) => conditionOf(goal)).values()].flatMap((same) => {
		const [first] = same;
		if (!first) return [];
		const { columns, sql: reaches } = reachesOf(first.goal);
		const ids = same.map(({ websiteId }) => websiteId);
		return [{ columns, sql: sql`(website_id IN ${param('Array(UInt32)', ids)} AND ${reaches})` }];
	});
	return {
		columns: conditions.flatMap(({ columns }) => columns),
		sql: sql`(${join(
			conditions.map((condition) => condition.sql),
			' OR ',
		)})`,
	};
}

/** Generations of days, as parallel lists. */
type Seals = { ids: number[]; dates: string[]; generations: (number | bigint)[] };

const seals = (group: readonly DayCountPiece[]): Seals => ({
	ids: group.map(({ website }) => website.id),
	dates: group.map(({ date }) => date),
	generations: group.map(({ visits }) => (visits.from === 'events' ? 0 : visits.generation)),
});

function sealedVisits(
	table: 'visits' | 'open_visits',
	{ ids, dates, generations }: Seals,
	columns: readonly VisitColumn[],
): Sql {
	const distinct = [...new Set(dates)].toSorted();
	return sql`
		SELECT website_id, date, visitor_id ${join([sql``, ...columns.map(identifier)], ', ')}
		FROM ${identifier(table)}
		WHERE website_id IN ${param('Array(UInt32)', [...new Set(ids)])}
			AND date BETWEEN ${param('Date', distinct[0])} AND ${param('Date', distinct.at(-1))}
			AND (website_id, date, generation) IN arrayZip(${param('Array(UInt32)', ids)}, ${param(
				'Array(Date)',
				dates,
			)}, ${param('Array(UInt64)', generations)})`;
}

/** Few websites were reset on the same day: nearly all share `sinceMs` and the date. */
function openVisits(group: readonly DayCountPiece[], columns: readonly VisitColumn[], byHour: boolean): Sql {
	const groups = Map.groupBy(group, (piece) => selectOf(piece, byHour));
	return join(
		[...groups.values()].flatMap((pieces) => {
			const [first] = pieces;
			if (!first) return [];
			const { date, visits, website } = first;
			return [
				sql`SELECT * FROM (${visitRowsOf({
					websiteIds: pieces.map((piece) => piece.website.id),
					from: date,
					to: date,
					columns,
					sinceMs: visits.from === 'events' ? visits.sinceMs : null,
					...(byHour && { offsets: offsetsOf(website.zones, date, date) }),
				})})`,
			];
		}),
		' UNION ALL ',
	);
}

/** Counts of whole sealed days, by website. */
export async function countSealedDays(
	ask: DayCountQuery,
	wanted: ReadonlyMap<number, StoredDays>,
	selection: ManySelection,
): Promise<ReadonlyMap<number, StoredCounts>> {
	const counted = new Map([...wanted.keys()].map((websiteId) => [websiteId, new Map<number, Counts>()]));
	await Promise.all(
		divideWebsites(wanted, selection.goals).map(async (websiteIds) => {
			const read: Seals = { ids: [], dates: [], generations: [] };
			for (const websiteId of websiteIds)
				for (const [index, day] of (wanted.get(websiteId)?.days ?? []).entries()) {
					read.ids.push(websiteId);
					read.dates.push(dateOfDay(day));
					read.generations.push(wanted.get(websiteId)?.generations[index] ?? 0);
				}
			const statement = countDays(selection, websiteIds, null, (columns) =>
				sealedVisits('visits', read, columns),
			);
			for (const row of await ask<CountLists>(statement))
				for (const [index, day] of row.days.entries()) {
					const own = counted.get(row.website_id);
					const sum = own?.get(day) ?? { ...noCounts };
					addCount(sum, countAt(row, selection.names, index));
					own?.set(day, sum);
				}
		}),
	);
	return new Map(
		[...wanted].map(([websiteId, { days }]) => [
			websiteId,
			toStoredCounts(days, counted.get(websiteId) ?? new Map()),
		]),
	);
}

/** Into statements of some days and goals. Websites with equal goals are next to each other, so that they share a condition. */
function divideWebsites(
	wanted: ReadonlyMap<number, StoredDays>,
	goals: ReadonlyMap<number, Goal>,
): number[][] {
	const sorted = [...wanted]
		.filter(([, { days }]) => days.length > 0)
		.map(([websiteId, { days }]) => {
			const goal = goals.get(websiteId);
			return { websiteId, days: days.length, condition: goal ? conditionOf(goal) : '' };
		})
		.sort((a, b) => (a.condition < b.condition ? -1 : a.condition > b.condition ? 1 : 0));
	const parts: { websiteIds: number[]; conditions: Set<string>; days: number }[] = [];
	for (const { websiteId, days, condition } of sorted) {
		let part = parts.at(-1);
		if (
			!part ||
			part.days + days > maxDaysPerStatement ||
			(!part.conditions.has(condition) && part.conditions.size >= maxGoals)
		) {
			part = { websiteIds: [], conditions: new Set(), days: 0 };
			parts.push(part);
		}
		part.websiteIds.push(websiteId);
		part.conditions.add(condition);
		part.days += days;
	}
	return parts.map(({ websiteIds }) => websiteIds);
}
