/** Sums, sorts and pages the rows of a breakdown, as the SELECT of build.ts does for breakdowns with many values. */
import type { Count } from '../../derive/counts.ts';
import { addCounts, type Counts, counts, metricOf, noCounts } from '../question/metrics.ts';
import type { Breakdown } from '../question/question.ts';
import type { CountColumns } from './build.ts';

export type RankedRow = { value: string; isOther: boolean; counts: Counts };

/** A page of a breakdown, and its number of rows. */
export type Ranked = { rows: RankedRow[]; total: number };

/** Each list has a value once. `countsOfEmpty`: a row in which all of these are 0 is left out. */
export function rank(
	lists: readonly (readonly RankedRow[])[],
	{ dimension, sort, offset, limit }: Breakdown,
	countsOfEmpty: readonly Exclude<Count, 'revenue'>[],
): Ranked {
	const filled = lists.filter((list) => list.length > 0);
	const summed = filled.length === 1 ? (filled[0] ?? []) : sumUp(filled.flat());
	const rows = summed.filter(({ counts: own }) => countsOfEmpty.some((name) => own[name] > 0));
	// The rates of all goals are relative to the same visits.
	const metric =
		dimension.name === 'goal' && sort.by === 'conversion_rate' ? metricOf('conversions') : metricOf(sort.by);
	const direction = sort.descending ? -1 : 1;
	const keyed = rows.map((row) => ({ row, key: metric.sortKey(row.counts) }));
	keyed.sort(
		(a, b) =>
			Number(a.row.isOther) - Number(b.row.isOther) ||
			direction * (a.key - b.key) ||
			compareBytes(a.row.value, b.row.value),
	);
	return { rows: keyed.slice(offset, offset + limit).map(({ row }) => row), total: rows.length };
}

/** One row per value. */
export function sumUp(rows: readonly RankedRow[]): RankedRow[] {
	const sums = new Map<string, RankedRow>();
	for (const row of rows) {
		const key = `${Number(row.isOther)}${row.value}`;
		const before = sums.get(key);
		sums.set(key, before ? { ...row, counts: addCounts(before.counts, row.counts) } : row);
	}
	return [...sums.values()];
}

const firstSurrogate = 0xd800;

/** As ClickHouse, which compares bytes of UTF-8. UTF-16 units have the same order, except surrogates and what follows them. */
export function compareBytes(a: string, b: string): number {
	const length = Math.min(a.length, b.length);
	for (let index = 0; index < length; index++) {
		const [left, right] = [a.charCodeAt(index), b.charCodeAt(index)];
		if (left === right) continue;
		return left < firstSurrogate && right < firstSurrogate
			? left - right
			: Buffer.compare(Buffer.from(a), Buffer.from(b));
	}
	return a.length - b.length;
}

export function toCounts(row: CountColumns): Counts {
	const read = { ...noCounts };
	for (const name of counts) read[name] = Number(row[name] ?? 0);
	read.revenue = Object.fromEntries(
		Object.entries(row.revenue ?? {}).map(([currency, amount]) => [currency, Number(amount)]),
	);
	return read;
}
