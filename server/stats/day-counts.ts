/**
 * What days of many websites come to, for pages that show them side by side. The numbers are those of every other answer:
 * totals of sealed days, and the SELECTs behind them for days that are open or cut at an instant.
 *
 * Totals are laid out for one website with many dimensions: to read one row of each day of hundreds of websites, ClickHouse
 * reads nearly all of them (7 million rows for 400 websites and 180 days). But the totals of a generation never change, so
 * what was read once is kept here; and so is what an open day came to, until more comes. A website that is read again
 * costs what is new.
 */
import { type Counting, columnsOf, type Timing, totalsOf } from '../derive/totals.ts';
import { runsOf, type VisitColumn } from '../derive/visits.ts';
import { join, param, type Sql, sql, word } from '../store/sql.ts';
import { dateOfDay, dayOf, type StoredDays } from './many-days.ts';

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

/** Asks ClickHouse, within whatever bounds the question has. */
export type Ask = <Row>(query: Sql) => Promise<Row[]>;

/** A day that is open, or cut at instants: its runs are counted. */
export type Piece = {
	websiteId: number;
	date: string;
	/** Of the whole day, or between two instants. */
	timing: Pick<Timing, 'startMs' | 'endMs'> | null;
	runs: { from: 'visits'; generation: number } | { from: 'events'; sinceMs: number | null };
	/** About how many events it has. */
	size: number;
	/** Until this changes it is the same count; null when it is not to be kept. */
	stamp: string | null;
};

/** What stored days of a website come to. */
export type StoredCounts = {
	/** Of those from one day to another, both included. */
	sum(first: number, last: number): DayCount;
	visitors(first: number, last: number): Map<number, number>;
};

export type DayCounts = {
	/** By website. */
	stored(ask: Ask, wanted: ReadonlyMap<number, StoredDays>): Promise<ReadonlyMap<number, StoredCounts>>;
	/** The n-th is of the n-th piece. */
	pieces(ask: Ask, wanted: readonly Piece[]): Promise<DayCount[]>;
};

/** `stamp` is the generation of a stored day. */
type Kept = DayCount & { stamp: number | string };
type KeptDays = Map<number, Kept>;

/** Some 120 bytes each. */
const maxKept = 500_000;
const websitesAtOnce = 500;
/** Of a website. */
const maxSums = 16;
/** As many events as a statement may cut into visits. */
const eventsAtOnce = 500_000;

export function createDayCounts({ max = maxKept }: { max?: number } = {}): DayCounts {
	/** Whoever was read last is last. */
	const kept = new Map<number, KeptDays>();
	/** Of lists of days that were all found: where they are, and what they came to in the spans that were asked for. */
	const complete = new WeakMap<StoredDays, { days: KeptDays; sums: Map<string, DayCount> }>();

	function use(websiteIds: Iterable<number>): Map<number, KeptDays> {
		const found = new Map<number, KeptDays>();
		for (const websiteId of websiteIds) {
			const days: KeptDays = kept.get(websiteId) ?? new Map();
			kept.delete(websiteId);
			kept.set(websiteId, days);
			found.set(websiteId, days);
		}
		return found;
	}

	/** Those who are using what is forgotten here keep it until they are done. */
	function forgetOldest(): void {
		let size = kept.values().reduce((sum, days) => sum + days.size, 0);
		for (const [websiteId, days] of kept) {
			if (size <= max) return;
			kept.delete(websiteId);
			size -= days.size;
		}
	}

	function countsOf(stored: StoredDays): StoredCounts {
		const { days, sums } = complete.get(stored) ?? { days: new Map<number, Kept>(), sums: new Map() };
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
					// The same spans are asked for all day long, and others tomorrow.
					if (sums.size >= maxSums) sums.clear();
					sums.set(key, sum);
				}
				return sum;
			},
		};
	}

	return {
		async stored(ask, wanted) {
			const found = use(wanted.keys());
			const missing = [...wanted].flatMap(([websiteId, stored]) => {
				const known: KeptDays = found.get(websiteId) ?? new Map();
				return complete.get(stored)?.days === known ? [] : [{ websiteId, stored, known }];
			});
			const unread = missing.filter(({ stored, known }) =>
				stored.days.some((day, index) => known.get(day)?.stamp !== stored.generations[index]),
			);
			for (let at = 0; at < unread.length; at += websitesAtOnce)
				await readTotals(ask, unread.slice(at, at + websitesAtOnce));
			for (const { stored, known } of missing) complete.set(stored, { days: known, sums: new Map() });
			forgetOldest();
			return new Map([...wanted].map(([websiteId, stored]) => [websiteId, countsOf(stored)]));
		},
		async pieces(ask, wanted) {
			const found = use(wanted.map(({ websiteId }) => websiteId));
			const known = wanted.map(({ websiteId, date, stamp }) => {
				const one = found.get(websiteId)?.get(dayOf(date));
				return stamp !== null && one?.stamp === stamp ? one : undefined;
			});
			const missing = wanted.filter((_, index) => known[index] === undefined);
			const counted = await countPieces(ask, missing);
			for (const [{ websiteId, date, stamp }, count] of counted)
				if (stamp !== null) found.get(websiteId)?.set(dayOf(date), { ...count, stamp });
			forgetOldest();
			return wanted.map((piece, index) => known[index] ?? counted.get(piece) ?? noCount);
		},
	};
}

type TotalsRow = { website_id: number; days: number[]; generations: number[] } & Record<
	(typeof countNames)[number],
	number[]
>;

async function readTotals(
	ask: Ask,
	wanted: readonly { websiteId: number; stored: StoredDays; known: KeptDays }[],
): Promise<void> {
	const days = wanted.flatMap(({ stored }) => stored.days);
	const [first, last] = days.reduce(
		([least, most], day) => [Math.min(least, day), Math.max(most, day)],
		[Number.POSITIVE_INFINITY, 0],
	);
	// Of all generations, because so many pairs take longer to send than the rows that they would leave out.
	const rows = await ask<TotalsRow>(sql`
		SELECT
			website_id, groupArray(toUInt32(date)) AS days, groupArray(toFloat64(generation)) AS generations,
			${join(
				countNames.map((name) => sql`groupArray(toFloat64(t.${word(name)})) AS ${word(name)}`),
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
		// A day on which nothing counts has no row.
		for (const [day, stamp] of generations) known.set(day, { ...noCount, stamp });
		const row = byWebsite.get(websiteId);
		for (const [index, day] of (row?.days ?? []).entries()) {
			const stamp = row?.generations[index];
			if (!row || stamp === undefined || generations.get(day) !== stamp) continue;
			const at = (name: (typeof countNames)[number]) => row[name][index] ?? 0;
			known.set(day, {
				stamp,
				visitors: at('visitors'),
				visits: at('visits'),
				views: at('views'),
				bounces: at('bounces'),
				seconds: at('seconds'),
			});
		}
	}
}

type CountRow = { website_id: number; date: string } & Record<(typeof countNames)[number], string>;

/**
 * Pieces that are cut alike are counted together, although each website has its own clock: times are counted from the
 * instant that it is cut at.
 */
async function countPieces(ask: Ask, pieces: readonly Piece[]): Promise<Map<Piece, DayCount>> {
	const counted = new Map<Piece, DayCount>();
	const groups = [
		...Map.groupBy(pieces, (piece) => JSON.stringify([piece.runs.from, fromBase(piece)])).values(),
	];
	await Promise.all(
		groups.flatMap(apart).map(async (group) => {
			const byPlace = new Map(group.map((piece) => [placeOf(piece.websiteId, piece.date), piece]));
			for (const row of await ask<CountRow>(statementOf(group))) {
				const piece = byPlace.get(placeOf(row.website_id, row.date));
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

const placeOf = (websiteId: number, date: string) => `${websiteId} ${date}`;

const baseOf = ({ timing }: Piece): number => timing?.endMs ?? timing?.startMs ?? 0;

/** When the piece begins and ends, counted from its base. */
function fromBase(piece: Piece): Timing | null {
	const { timing } = piece;
	if (!timing) return null;
	const base = baseOf(piece);
	return {
		startMs: timing.startMs === null ? null : timing.startMs - base,
		endMs: timing.endMs === null ? null : timing.endMs - base,
		edgesMs: null,
	};
}

/** Into statements of which none has too many events, nor a day of a website twice. */
function apart(group: readonly Piece[]): Piece[][] {
	const parts: { pieces: Piece[]; places: Set<string>; size: number }[] = [];
	for (const piece of group) {
		const place = placeOf(piece.websiteId, piece.date);
		let part = parts.find(
			({ places, size }) => !places.has(place) && (size === 0 || size + piece.size <= eventsAtOnce),
		);
		if (!part) {
			part = { pieces: [], places: new Set(), size: 0 };
			parts.push(part);
		}
		part.pieces.push(piece);
		part.places.add(place);
		part.size += piece.size;
	}
	return parts.map(({ pieces }) => pieces);
}

function statementOf(group: readonly Piece[]): Sql {
	const [first] = group;
	const timing = first ? fromBase(first) : null;
	const counting: Counting = { dimensions: [{ name: '' }], counts: countNames, goals: [], timing };
	const columns = columnsOf(counting);
	const read: VisitColumn[] = timing ? [...new Set<VisitColumn>([...columns, 'start'])] : columns;
	const runs = first?.runs.from === 'visits' ? sealedRuns(group, read) : openRuns(group, read);
	const bases = [...new Map(group.map((piece) => [piece.websiteId, baseOf(piece)]))];
	const base = sql`transform(website_id, ${param(
		'Array(UInt32)',
		bases.map(([websiteId]) => websiteId),
	)}, ${param(
		'Array(Int64)',
		bases.map(([, ms]) => ms),
	)}, toInt64(0))`;
	return sql`
	SELECT website_id, date, ${join(countNames.map(word), ', ')}
	FROM (${totalsOf(
		counting,
		sql`
		SELECT
			website_id, date, visitor_id, visitor_id AS active_visitor, toUInt8(0) AS is_converted,
			${timing ? sql`toUnixTimestamp64Milli(start) - ${base}` : sql`toInt64(0)`} AS start_ms
			${join([sql``, ...columns.map(word)], ', ')}
		FROM (${runs})`,
	)})`;
}

function sealedRuns(group: readonly Piece[], columns: readonly VisitColumn[]): Sql {
	const dates = group.map(({ date }) => date).toSorted();
	const ids = param(
		'Array(UInt32)',
		group.map(({ websiteId }) => websiteId),
	);
	return sql`
		SELECT website_id, date, visitor_id ${join([sql``, ...columns.map(word)], ', ')}
		FROM visits
		WHERE website_id IN ${ids} AND date BETWEEN ${param('Date', dates[0])} AND ${param('Date', dates.at(-1))}
			AND (website_id, date, generation) IN arrayZip(${ids}, ${param(
				'Array(Date)',
				group.map(({ date }) => date),
			)}, ${param(
				'Array(UInt64)',
				group.map(({ runs }) => (runs.from === 'visits' ? runs.generation : 0)),
			)})`;
}

/** Websites that were emptied on the same day are few: nearly all have the same since, and the same date. */
function openRuns(group: readonly Piece[], columns: readonly VisitColumn[]): Sql {
	const alike = Map.groupBy(group, ({ date, runs }) =>
		JSON.stringify([date, runs.from === 'events' ? runs.sinceMs : null]),
	);
	return join(
		[...alike.values()].map((pieces) => {
			const [{ date, runs } = { date: '', runs: null }] = pieces;
			return sql`SELECT * FROM (${runsOf({
				websiteIds: pieces.map(({ websiteId }) => websiteId),
				from: date,
				to: date,
				columns,
				sinceMs: runs?.from === 'events' ? runs.sinceMs : null,
			})})`;
		}),
		' UNION ALL ',
	);
}
