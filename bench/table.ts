import { formatTable } from '../cli/table.ts';

export function printTable(
	headings: readonly string[],
	rows: readonly (readonly (string | number)[])[],
): void {
	console.log(`\n${formatTable(headings, rows)}`);
}

/** The middle value: noise of a shared machine moves it least. */
export function median(values: readonly number[]): number {
	const sorted = values.toSorted((a, b) => a - b);
	return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

export function percentile(values: readonly number[], part: number): number {
	const sorted = values.toSorted((a, b) => a - b);
	return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}
