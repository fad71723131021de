/**
 * Counts of days of many websites, for pages that show them next to each other. The numbers are those of every other answer:
 * totals of sealed days, and the same SELECTs (count-visits.ts) for days that are open or cut at an instant.
 *
 * Totals are laid out for one website with many dimensions: to read one row per day of hundreds of websites, ClickHouse reads
 * nearly all rows (7 million for 400 websites and 180 days). But the totals of a generation never change, so they are cached
 * here, and so is the count of an open day until more events arrive. Reading a website again costs only what is new.
 */
import type { Count } from '../../derive/counts.ts';
import { chunk } from '../../lib/chunk.ts';
import { param, sql } from '../../store/sql.ts';
import { dateOfDay, dayOf, type StoredDays } from '../answer/day-state-cache.ts';
import type { Counts } from '../question/metrics.ts';
import { countPieces, type DayCountPiece } from './count-visits.ts';
import {
	type CountLists,
	countAt,
	countLists,
	type DayCount,
	type DayCountQuery,
	noCount,
	type StoredCounts,
	toStoredCounts,
} from './counted-days.ts';

export type DayCounts = {
	/** By website. */
	stored(
		ask: DayCountQuery,
		wanted: ReadonlyMap<number, StoredDays>,
	): Promise<ReadonlyMap<number, StoredCounts>>;
	pieces(ask: DayCountQuery, wanted: readonly DayCountPiece[]): Promise<ReadonlyMap<DayCountPiece, DayCount>>;
};

/** `stamp` is the generation of a stored day. */
type CachedCount = DayCount & { stamp: number | string };
type CachedDays = Map<number, CachedCount>;

/** About 120 bytes each, and 200 with all counts. */
const maxCached = 500_000;
const websitesAtOnce = 500;
/** Per website. */
const maxSums = 16;

/** `names`: the counts that are read and cached. */
export function createDayCounts({
	names,
	max = maxCached,
}: {
	names: readonly Count[];
	max?: number;
}): DayCounts {
	/** Least recently used first. */
	const cached = new Map<number, CachedDays>();
	/** For lists of days that are all cached: their counts, and the sums of spans that were requested. */
	const complete = new WeakMap<StoredDays, { days: CachedDays; sums: Map<string, Counts> }>();

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
		const counts = toStoredCounts(stored.days, days);
		return {
			visitors: counts.visitors,
			sum(first, last) {
				const key = `${first} ${last}`;
				let sum = sums.get(key);
				if (!sum) {
					sum = counts.sum(first, last);
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
			for (const some of chunk(unread, websitesAtOnce)) await readTotals(ask, names, some);
			for (const { stored, known } of missing) complete.set(stored, { days: known, sums: new Map() });
			evictOldest();
			return new Map([...wanted].map(([websiteId, stored]) => [websiteId, countsOf(stored)]));
		},
		async pieces(ask, wanted) {
			const used = use(wanted.map(({ website }) => website.id));
			const counted = new Map<DayCountPiece, DayCount>();
			for (const piece of wanted) {
				const known = used.get(piece.website.id)?.get(dayOf(piece.date));
				if (piece.stamp !== null && known?.stamp === piece.stamp) counted.set(piece, known);
			}
			const missing = wanted.filter((piece) => !counted.has(piece));
			const selection = { names, filter: null, goals: new Map() };
			const read = await countPieces(ask, missing, selection);
			for (const piece of missing) {
				const { website, date, stamp } = piece;
				const count = read.get(piece) ?? noCount;
				counted.set(piece, count);
				if (stamp !== null) used.get(website.id)?.set(dayOf(date), { ...count, stamp });
			}
			evictOldest();
			return counted;
		},
	};
}

type TotalsRow = CountLists & { generations: number[] };

async function readTotals(
	ask: DayCountQuery,
	names: readonly Count[],
	wanted: readonly { websiteId: number; stored: StoredDays; known: CachedDays }[],
): Promise<void> {
	const dates = [...new Set(wanted.flatMap(({ stored }) => stored.days))]
		.sort((a, b) => a - b)
		.map(dateOfDay);
	// Rows of all generations: sending so many pairs takes longer than reading the rows that they would exclude.
	const rows = await ask<TotalsRow>(sql`
		SELECT ${countLists(names)}, groupArray(toFloat64(generation)) AS generations
		FROM totals AS t
		WHERE website_id IN ${param(
			'Array(UInt32)',
			wanted.map(({ websiteId }) => websiteId),
		)}
			AND dimension = '' AND date BETWEEN ${param('Date', dates[0])} AND ${param('Date', dates.at(-1))}
			AND date IN ${param('Array(Date)', dates)}
		GROUP BY website_id`);
	const byWebsite = new Map(rows.map((row) => [row.website_id, row]));
	for (const { websiteId, stored, known } of wanted) {
		const generations = new Map(stored.days.map((day, index) => [day, stored.generations[index] ?? 0]));
		// A day without counts has no row.
		for (const [day, stamp] of generations) known.set(day, { stamp });
		const row = byWebsite.get(websiteId);
		for (const [index, day] of (row?.days ?? []).entries()) {
			const stamp = row?.generations[index];
			if (!row || stamp === undefined || generations.get(day) !== stamp) continue;
			known.set(day, { ...countAt(row, names, index), stamp });
		}
	}
}
