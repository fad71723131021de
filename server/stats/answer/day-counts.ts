/**
 * Counts of days of many websites, for pages that show them next to each other. The numbers are those of every other answer:
 * totals of sealed days, and the same SELECTs for days that are open or cut at an instant.
 *
 * Totals are laid out for one website with many dimensions: to read one row per day of hundreds of websites, ClickHouse reads
 * nearly all rows (7 million for 400 websites and 180 days). But the totals of a generation never change, so they are cached
 * here, and so is the count of an open day until more events arrive. Reading a website again costs only what is new.
 */
import { type Counting, columnsOf, type Timing, totalsOf } from '../../derive/totals.ts';
import { type VisitColumn, visitRowsOf } from '../../derive/visits.ts';
import { chunk } from '../../lib/chunk.ts';
import { identifier, join, param, type Sql, sql } from '../../store/sql.ts';
import { dateOfDay, dayOf, type StoredDays } from './day-state-cache.ts';

const countNames = ['visitors', 'visits', 'views', 'bounces', 'seconds'] as const;
export type DayCount = Record<(typeof countNames)[number], number>;

export const noCount: DayCount = { visitors: 0, visits: 0, views: 0, bounces: 0, seconds: 0 };

export function addCount(sum: DayCount, more: DayCount): void {
	sum.visitors += more.visitors;
	sum.visits += more.visits;
	sum.views += more.views;
	sum.bounces += more.bounces;
	sum.seconds += more.seconds;
}

/** Queries ClickHouse within the limits of the question. */
export type DayCountQuery = <Row>(query: Sql) => Promise<Row[]>;

/** A day that is open, or cut at instants: its visits are counted. */
export type DayCountPiece = {
	websiteId: number;
	date: string;
	/** Null for the whole day. */
	timing: Pick<Timing, 'startMs' | 'endMs'> | null;
	visits: { from: 'visits'; generation: number } | { from: 'events'; sinceMs: number | null };
	/** About how many events it has. */
	size: number;
	/** The count stays the same until this changes; null when it must not be cached. */
	stamp: string | null;
};

/** Counts of the stored days of a website. */
export type StoredCounts = {
	/** From one day to another, both inclusive. */
	sum(first: number, last: number): DayCount;
	visitors(first: number, last: number): Map<number, number>;
};

export type DayCounts = {
	/** By website. */
	stored(
		ask: DayCountQuery,
		wanted: ReadonlyMap<number, StoredDays>,
	): Promise<ReadonlyMap<number, StoredCounts>>;
	/** In the order of the pieces. */
	pieces(ask: DayCountQuery, wanted: readonly DayCountPiece[]): Promise<DayCount[]>;
};

/** `stamp` is the generation of a stored day. */
type CachedCount = DayCount & { stamp: number | string };
type CachedDays = Map<number, CachedCount>;

/** About 120 bytes each. */
const maxCached = 500_000;
const websitesAtOnce = 500;
/** Per website. */
const maxSums = 16;
/** How many events one statement may derive visits from. */
const maxEventsPerStatement = 500_000;

export function createDayCounts({ max = maxCached }: { max?: number } = {}): DayCounts {
	/** Least recently used first. */
	const cached = new Map<number, CachedDays>();
	/** For lists of days that are all cached: their counts, and the sums of spans that were requested. */
	const complete = new WeakMap<StoredDays, { days: CachedDays; sums: Map<string, DayCount> }>();

	function use(websiteIds: Iterable<number>): Map<number, CachedDays> {
		const used = new Map<number, CachedDays>();
		for (const websiteId of websiteIds) {
			const days: CachedDays = cached.get(websiteId) ?? new Map();
			cached.delete(websiteId);
			cached.set(websiteId, days);
			used.set(websiteId, days);
		}
		return used;
	}

	/** Requests that are running keep their own references. */
	function evictOldest(): void {
		let size = cached.values().reduce((sum, days) => sum + days.size, 0);
		for (const [websiteId, days] of cached) {
			if (size <= max) return;
			cached.delete(websiteId);
			size -= days.size;
		}
	}

	function countsOf(stored: StoredDays): StoredCounts {
		const { days, sums } = complete.get(stored) ?? { days: new Map<number, CachedCount>(), sums: new Map() };
		return {
			visitors: (first, last) =>
				new Map(
					stored.days
						.filter((day) => day >= first && day <= last)
						.map((day) => [day, days.get(day)?.visitors ?? 0]),
				),
			sum(first, last) {
				const key = `${first} ${last}`;
				let sum = sums.get(key);
				if (!sum) {
					sum = { ...noCount };
					for (const day of stored.days)
						if (day >= first && day <= last) addCount(sum, days.get(day) ?? noCount);
					// The same spans are requested all day long, and others tomorrow.
					if (sums.size >= maxSums) sums.clear();
					sums.set(key, sum);
				}
				return sum;
			},
		};
	}

	return {
		async stored(ask, wanted) {
			const used = use(wanted.keys());
			const missing = [...wanted].flatMap(([websiteId, stored]) => {
				const known: CachedDays = used.get(websiteId) ?? new Map();
				return complete.get(stored)?.days === known ? [] : [{ websiteId, stored, known }];
			});
			const unread = missing.filter(({ stored, known }) =>
				stored.days.some((day, index) => known.get(day)?.stamp !== stored.generations[index]),
			);
			for (const some of chunk(unread, websitesAtOnce)) await readTotals(ask, some);
			for (const { stored, known } of missing) complete.set(stored, { days: known, sums: new Map() });
			evictOldest();
			return new Map([...wanted].map(([websiteId, stored]) => [websiteId, countsOf(stored)]));
		},
		async pieces(ask, wanted) {
			const used = use(wanted.map(({ websiteId }) => websiteId));
			const known = wanted.map(({ websiteId, date, stamp }) => {
				const count = used.get(websiteId)?.get(dayOf(date));
				return stamp !== null && count?.stamp === stamp ? count : undefined;
			});
			const missing = wanted.filter((_, index) => known[index] === undefined);
			const counted = await countPieces(ask, missing);
			for (const [{ websiteId, date, stamp }, count] of counted)
				if (stamp !== null) used.get(websiteId)?.set(dayOf(date), { ...count, stamp });
			evictOldest();
			return wanted.map((piece, index) => known[index] ?? counted.get(piece) ?? noCount);
		},
	};
}

type TotalsRow = { website_id: number; days: number[]; generations: number[] } & Record<
	(typeof countNames)[number],
	number[]
>;

async function readTotals(
	ask: DayCountQuery,
	wanted: readonly { websiteId: number; stored: StoredDays; known: CachedDays }[],
): Promise<void> {
	const days = wanted.flatMap(({ stored }) => stored.days);
	const [first, last] = days.reduce(
		([least, most], day) => [Math.min(least, day), Math.max(most, day)],
		[Number.POSITIVE_INFINITY, 0],
	);
	// Rows of all generations: sending so many pairs takes longer than reading the rows that they would exclude.
	const rows = await ask<TotalsRow>(sql`
		SELECT
			website_id, groupArray(toUInt32(date)) AS days, groupArray(toFloat64(generation)) AS generations,
			${join(
				countNames.map((name) => sql`groupArray(toFloat64(t.${identifier(name)})) AS ${identifier(name)}`),
				', ',
			)}
		FROM totals AS t
		WHERE website_id IN ${param(
			'Array(UInt32)',
			wanted.map(({ websiteId }) => websiteId),
		)}
			AND dimension = '' AND date BETWEEN ${param('Date', dateOfDay(first))} AND ${param('Date', dateOfDay(last))}
		GROUP BY website_id`);
	const byWebsite = new Map(rows.map((row) => [row.website_id, row]));
	for (const { websiteId, stored, known } of wanted) {
		const generations = new Map(stored.days.map((day, index) => [day, stored.generations[index] ?? 0]));
		// A day without counts has no row.
		for (const [day, stamp] of generations) known.set(day, { ...noCount, stamp });
		const row = byWebsite.get(websiteId);
		for (const [index, day] of (row?.days ?? []).entries()) {
			const stamp = row?.generations[index];
			if (!row || stamp === undefined || generations.get(day) !== stamp) continue;
			const read = (name: (typeof countNames)[number]) => row[name][index] ?? 0;
			known.set(day, {
				stamp,
				visitors: read('visitors'),
				visits: read('visits'),
				views: read('views'),
				bounces: read('bounces'),
				seconds: read('seconds'),
			});
		}
	}
}

type CountRow = { website_id: number; date: string } & Record<(typeof countNames)[number], string>;

/**
 * Pieces that are cut in the same way are counted together, although websites have different time zones: times are relative to
 * the instant at which the website's day is cut.
 */
async function countPieces(
	ask: DayCountQuery,
	pieces: readonly DayCountPiece[],
): Promise<Map<DayCountPiece, DayCount>> {
	const counted = new Map<DayCountPiece, DayCount>();
	const groups = [
		...Map.groupBy(pieces, (piece) => JSON.stringify([piece.visits.from, fromBase(piece)])).values(),
	];
	await Promise.all(
		groups.flatMap(intoStatements).map(async (group) => {
			const byKey = new Map(group.map((piece) => [keyOf(piece.websiteId, piece.date), piece]));
			for (const row of await ask<CountRow>(statementOf(group))) {
				const piece = byKey.get(keyOf(row.website_id, row.date));
				if (!piece) continue;
				const sum = counted.get(piece) ?? { ...noCount };
				addCount(sum, toCount(row));
				counted.set(piece, sum);
			}
		}),
	);
	return counted;
}

const toCount = (row: CountRow): DayCount => ({
	visitors: Number(row.visitors),
	visits: Number(row.visits),
	views: Number(row.views),
	bounces: Number(row.bounces),
	seconds: Number(row.seconds),
});

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

/** Each SELECT takes some kilobytes, and a ClickHouse server accepts form fields of 128 KiB. */
const maxSelects = 8;

/** Pieces with the same key share a SELECT. */
const selectOf = ({ date, visits }: DayCountPiece): string =>
	visits.from === 'events' ? JSON.stringify([date, visits.sinceMs]) : '';

/** Divides pieces into statements without too many events or SELECTs, and without the same day of a website twice. */
function intoStatements(group: readonly DayCountPiece[]): DayCountPiece[][] {
	const parts: { pieces: DayCountPiece[]; keys: Set<string>; selects: Set<string>; size: number }[] = [];
	for (const piece of group) {
		const key = keyOf(piece.websiteId, piece.date);
		const select = selectOf(piece);
		let part = parts.find(
			({ keys, selects, size }) =>
				!keys.has(key) &&
				(selects.has(select) || selects.size < maxSelects) &&
				(size === 0 || size + piece.size <= maxEventsPerStatement),
		);
		if (!part) {
			part = { pieces: [], keys: new Set(), selects: new Set(), size: 0 };
			parts.push(part);
		}
		part.pieces.push(piece);
		part.keys.add(key);
		part.selects.add(select);
		part.size += piece.size;
	}
	return parts.map(({ pieces }) => pieces);
}

function statementOf(group: readonly DayCountPiece[]): Sql {
	const [first] = group;
	const timing = first ? fromBase(first) : null;
	const counting: Counting = { dimensions: [{ name: '' }], counts: countNames, goals: [], timing };
	const columns = columnsOf(counting);
	const read: VisitColumn[] = timing ? [...new Set<VisitColumn>([...columns, 'start'])] : columns;
	const visits = first?.visits.from === 'visits' ? sealedVisits(group, read) : openVisits(group, read);
	const bases = [...new Map(group.map((piece) => [piece.websiteId, baseOf(piece)]))];
	const base = sql`transform(website_id, ${param(
		'Array(UInt32)',
		bases.map(([websiteId]) => websiteId),
	)}, ${param(
		'Array(Int64)',
		bases.map(([, ms]) => ms),
	)}, toInt64(0))`;
	return sql`
	SELECT website_id, date, ${join(countNames.map(identifier), ', ')}
	FROM (${totalsOf(
		counting,
		sql`
		SELECT
			website_id, date, visitor_id, visitor_id AS active_visitor, toUInt8(0) AS is_converted,
			${timing ? sql`toUnixTimestamp64Milli(start) - ${base}` : sql`toInt64(0)`} AS start_ms
			${join([sql``, ...columns.map(identifier)], ', ')}
		FROM (${visits})`,
	)})`;
}

function sealedVisits(group: readonly DayCountPiece[], columns: readonly VisitColumn[]): Sql {
	const dates = group.map(({ date }) => date).toSorted();
	const ids = param(
		'Array(UInt32)',
		group.map(({ websiteId }) => websiteId),
	);
	return sql`
		SELECT website_id, date, visitor_id ${join([sql``, ...columns.map(identifier)], ', ')}
		FROM visits
		WHERE website_id IN ${ids} AND date BETWEEN ${param('Date', dates[0])} AND ${param('Date', dates.at(-1))}
			AND (website_id, date, generation) IN arrayZip(${ids}, ${param(
				'Array(Date)',
				group.map(({ date }) => date),
			)}, ${param(
				'Array(UInt64)',
				group.map(({ visits }) => (visits.from === 'visits' ? visits.generation : 0)),
			)})`;
}

/** Few websites were reset on the same day: nearly all share `sinceMs` and the date. */
function openVisits(group: readonly DayCountPiece[], columns: readonly VisitColumn[]): Sql {
	const groups = Map.groupBy(group, selectOf);
	return join(
		[...groups.values()].map((pieces) => {
			const [{ date, visits } = { date: '', visits: null }] = pieces;
			return sql`SELECT * FROM (${visitRowsOf({
				websiteIds: pieces.map(({ websiteId }) => websiteId),
				from: date,
				to: date,
				columns,
				sinceMs: visits?.from === 'events' ? visits.sinceMs : null,
			})})`;
		}),
		' UNION ALL ',
	);
}
