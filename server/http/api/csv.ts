import { mapYielding } from '../../lib/map-yielding.ts';

export type Cell = string | number | null;

/** CSV by RFC 4180: a header row, CRLF after every row, quotes where a cell needs them. */
export async function writeCsv<Row>(
	columns: readonly string[],
	rows: readonly Row[],
	cells: (row: Row) => readonly Cell[],
): Promise<string> {
	const lines = await mapYielding(rows, (row) => cells(row).map(writeCell).join(','));
	return `${[columns.map(writeText).join(','), ...lines].join('\r\n')}\r\n`;
}

/** Numbers are not escaped, so negative ones stay numbers. */
const writeCell = (cell: Cell): string => (typeof cell === 'string' ? writeText(cell) : String(cell ?? ''));

/**
 * Spreadsheets run text that begins like this as a formula, which can fetch a URL or start a program. A leading apostrophe
 * makes it text. Text that already has apostrophes there gets one more, so that removing one always restores the original.
 */
const formula = /^'*[=+\-@\t\r\n]/;

/** Also quotes semicolons and tabs, which some spreadsheets use as separators. */
function writeText(text: string): string {
	const safe = formula.test(text) ? `'${text}` : text;
	return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Whether `Accept` prefers CSV to JSON. With equal weights the first one wins. */
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

/** `example.com-page-2026-11-01-2026-11-07.csv`, with characters that are valid in file names everywhere. */
export const attachment = (...words: readonly string[]): string => attachmentAs('csv', ...words);

export function attachmentAs(extension: string, ...words: readonly string[]): string {
	const name = words
		.map((word) => word.replace(/[^A-Za-z0-9._-]+/g, '_').slice(0, 80))
		.filter((word) => word !== '')
		.join('-');
	return `attachment; filename="${name}.${extension}"`;
}
