/** A text table. Numbers are right-aligned. */
export function formatTable(
	headings: readonly string[],
	rows: readonly (readonly (string | number)[])[],
): string {
	// Names come from users: line breaks would break the table, escape sequences could control the terminal.
	const texts = [headings, ...rows].map((row) => row.map((cell) => String(cell).replace(/\p{Cc}/gu, ' ')));
	const widths = headings.map((_, column) => Math.max(...texts.map((row) => row[column]?.length ?? 0)));
	const isNumber = headings.map(
		(_, column) => rows.length > 0 && rows.every((row) => typeof row[column] === 'number'),
	);
	return texts
		.map((row) =>
			row
				.map((cell, column) =>
					isNumber[column] ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
				)
				.join('  ')
				.trimEnd(),
		)
		.join('\n');
}
