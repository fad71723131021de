/** Sums, sorts and pages the rows of a breakdown, as the SELECT of rank-rows.ts does for breakdowns with many values. */
import type { Count } from '../../derive/counts.ts';
import { addCounts, type Counts, counts, metricOf, noCounts } from '../question/metrics.ts';
import type { Breakdown } from '../question/question.ts';
import type { CountColumns } from './build.ts';

/** `compared`: the counts of the compared span. */
export type RankedRow = { value: string; isOther: boolean; counts: Counts; compared?: Counts };

/** A page of a breakdown, and its number of rows. */
export type Ranked = { rows: RankedRow[]; total: number };

type Lists = readonly (readonly RankedRow[])[];

/** Each list has a value once. `countsOfEmpty`: a row in which all of these are 0 is left out. */
export function rank(
	{ own, compared }: { own: Lists; compared: Lists },
	{ dimension, sort, offset, limit, isCompared = false }: Breakdown,
	countsOfEmpty: readonly Exclude<Count, 'revenue'>[],
): Ranked {
	const joined = isCompared ? joinCompared(sumLists(own), sumLists(compared)) : sumLists(own);
	const isFilled = (counts: Counts) => countsOfEmpty.some((name) => counts[name] > 0);
	const rows = joined.filter((row) => isFilled(row.counts) || (row.compared && isFilled(row.compared)));
	// The rates of all goals are relative to the same visits.
	const metric =
		dimension.name === 'goal' && sort.by === 'conversion_rate' ? metricOf('conversions') : metricOf(sort.by);
	const direction = sort.descending ? -1 : 1;
	const { isByChange = false } = sort;
	const keyed = rows.map((row) => ({
		row,
		// Values that are gone come last, unless changes are sorted.
		isGone: isCompared && !isByChange && !isFilled(row.counts),
		key: metric.sortKey(row.counts) - (isByChange ? metric.sortKey(row.compared ?? noCounts) : 0),
	}));
	keyed.sort(
		(a, b) =>
			Number(a.row.isOther) - Number(b.row.isOther) ||
			Number(a.isGone) - Number(b.isGone) ||
			direction * (a.key - b.key) ||
			compareBytes(a.row.value, b.row.value),
	);
	return { rows: keyed.slice(offset, offset + limit).map(({ row }) => row), total: rows.length };
}

function sumLists(lists: Lists): readonly RankedRow[] {
	const filled = lists.filter((list) => list.length > 0);
	return filled.length === 1 ? (filled[0] ?? []) : sumUp(filled.flat());
}

const keyOf = ({ value, isOther }: RankedRow): string => `${Number(isOther)}${value}`;

/** Values that occur only in the comparison have rows without counts. */
function joinCompared(own: readonly RankedRow[], compared: readonly RankedRow[]): RankedRow[] {
	const before = new Map(compared.map((row) => [keyOf(row), row.counts]));
	const here = new Set(own.map(keyOf));
	return [
		...own.map((row) => ({ ...row, compared: before.get(keyOf(row)) ?? noCounts })),
		...compared
			.filter((row) => !here.has(keyOf(row)))
			.map((row) => ({ ...row, counts: noCounts, compared: row.counts })),
	];
}

/** One row per value. */
export function sumUp(rows: readonly RankedRow[]): RankedRow[] {
	const sums = new Map<string, RankedRow>();
	for (const row of rows) {
		const key = keyOf(row);
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
