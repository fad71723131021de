/** Tables of days: which column of a source's file is which count of ours, and what each row says of which dimensions. */

import { cleanText } from '../ingest/text.ts';
import { keysOf } from '../lib/keys-of.ts';
import type { ImportedCount, Item, SuppliedCounts } from './importer.ts';
import { readCount, readDate } from './read-cells.ts';
import type { CsvRow } from './read-file.ts';

export type Table = {
	/** Column of the date. */
	date: string;
	/** Whether the row is a part of the whole day, with the counts that then count for it: all, or those named. */
	dayCounts?: true | readonly ImportedCount[];
	/** Dimension by dimension: where its value stands, and how it is said here. */
	values: Readonly<Record<string, { column: string; say?(text: string): string }>>;
	/** What each column counts. A page view of a table of days is one of a visit, so it counts twice. */
	counts: Readonly<Record<string, readonly ImportedCount[]>>;
};

/**
 * A file may say the same twice, by day and by hour or in two reports: of what a day comes to the first table counts, and what another
 * one says of the same day is left out.
 */
export function createOwners(): (what: string, table: number) => boolean {
	const owners = new Map<string, number>();
	return (what, table) => {
		const owner = owners.get(what);
		if (owner === undefined) owners.set(what, table);
		return owner === undefined || owner === table;
	};
}

/** The maximum length of a path. */
const maxValue = 1_024;

/** Records which counts a source supplies for each dimension. */
export function createSupplied() {
	const supplied = new Map<string, Set<ImportedCount>>();
	return {
		add(dimension: string, names: readonly ImportedCount[]): void {
			const known = supplied.get(dimension) ?? new Set();
			for (const name of names) known.add(name);
			supplied.set(dimension, known);
		},
		counts: (): SuppliedCounts =>
			Object.fromEntries([...supplied].map(([dimension, names]) => [dimension, [...names]])),
	};
}
export type Supplied = ReturnType<typeof createSupplied>;

/** Reads the rows of a table and records which counts it has. */
export function createTableReader() {
	const supplied = createSupplied();
	return {
		suppliedCounts: supplied.counts,
		*read(row: CsvRow, table: Table): Generator<Item> {
			if (!row) return yield { skipped: 'bad_row' };
			const date = readDate(row.get(table.date) ?? '');
			if (date === undefined) return yield { skipped: 'bad_date' };
			const counts: Partial<Record<ImportedCount, number>> = {};
			for (const [column, names] of Object.entries(table.counts)) {
				const cell = row.get(column);
				if (cell === undefined) continue;
				const count = readCount(cell);
				if (count === undefined) return yield { skipped: 'bad_number' };
				for (const name of names) counts[name] = count;
			}
			const names = keysOf(counts);
			for (const [dimension, { column, say }] of Object.entries(table.values)) {
				const cell = row.get(column);
				if (cell === undefined) continue;
				const value = cleanText(cell, maxValue);
				supplied.add(dimension, names);
				yield { total: { date, dimension, value: say ? say(value) : value, counts } };
			}
			if (table.dayCounts === undefined) return;
			const dayCounts =
				table.dayCounts === true
					? names
					: names.filter((name) => table.dayCounts !== true && table.dayCounts?.includes(name));
			supplied.add('', dayCounts);
			yield {
				total: {
					date,
					dimension: '',
					value: '',
					counts: Object.fromEntries(dayCounts.map((name) => [name, counts[name] ?? 0])),
				},
			};
		},
	};
}
