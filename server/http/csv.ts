import { mapInSlices } from '../lib/slices.ts';

/** Tables as RFC 4180 has them: a row of names, CRLF behind every row, quotes where a cell needs them. */

/** A text, a number, or nothing. */
export type Cell = string | number | null;

export async function writeCsv<Row>(
	columns: readonly string[],
	rows: readonly Row[],
	cells: (row: Row) => readonly Cell[],
): Promise<string> {
	const lines = await mapInSlices(rows, (row) => cells(row).map(writeCell).join(','));
	return `${[columns.map(writeText).join(','), ...lines].join('\r\n')}\r\n`;
}

/** Numbers stay numbers, also those below 0. */
const writeCell = (cell: Cell): string => (typeof cell === 'string' ? writeText(cell) : String(cell ?? ''));

/**
 * Spreadsheets take what begins like this for a formula, and a formula can fetch an address or run a program. With an
 * apostrophe before it, it is text. What begins with apostrophes and then like this gets one more, so that taking one
 * away always gives back what was.
 */
const formula = /^'*[=+\-@\t\r\n]/;

function writeText(text: string): string {
	const safe = formula.test(text) ? `'${text}` : text;
	return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Whether `Accept` asks for CSV rather than JSON. What is named first wins where both are wanted alike. */
export function wantsCsv(accept: string | undefined): boolean {
	let csv = 0;
	let json = 0;
	for (const range of (accept ?? '').split(',')) {
		const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
		const weight = parameters.find((parameter) => parameter.startsWith('q='));
		const quality = weight === undefined ? 1 : Number(weight.slice(2));
		if (!(quality > 0 && quality <= 1)) continue;
		if (type === 'text/csv' && quality > json) csv = Math.max(csv, quality);
		if (type === 'application/json') json = Math.max(json, quality);
	}
	return csv > 0 && csv >= json;
}

export const csvType = 'text/csv; charset=utf-8; header=present';

/** `example.com-page-2026-11-01-2026-11-07.csv`, of letters that every system takes in a name. */
export const attachment = (...words: readonly string[]): string => attachedAs('csv', ...words);

export function attachedAs(ending: string, ...words: readonly string[]): string {
	const name = words
		.map((word) => word.replace(/[^A-Za-z0-9._-]+/g, '_').slice(0, 80))
		.filter((word) => word !== '')
		.join('-');
	return `attachment; filename="${name}.${ending}"`;
}
