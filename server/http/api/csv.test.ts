import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'csv-parse/sync';
import { attachment, type Cell, wantsCsv, writeCsv } from './csv.ts';

const write = (columns: readonly string[], rows: readonly Cell[][]) => writeCsv(columns, rows, (row) => row);

test('a table has a header row, CRLF after every row, and quotes only where needed', async () => {
	const rows: Cell[][] = [
		['/a', 2, 0.5, null],
		['a "b", c', -1.5, 0, ''],
		['two\r\nlines', 1e21, 3, 'é💧'],
	];
	assert.equal(
		await write(['value', 'visitors', 'rate', 'x,y'], rows),
		'value,visitors,rate,"x,y"\r\n/a,2,0.5,\r\n"a ""b"", c",-1.5,0,\r\n"two\r\nlines",1e+21,3,é💧\r\n',
	);
	assert.equal(await write(['value'], []), 'value\r\n');
});

const plain = ['', '/a', 'a=b', ' =1', "'quoted'", "it's", '"=1"', '1-2', 'ünï', '(other)', "'", "''"];
const formulas = ['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '\rx', '\nx', '=', "'=1", "''-1", "'\t"];
for (const text of [...plain, ...formulas])
	test(`[T41] ${JSON.stringify(text)} comes back as it was, and is ${formulas.includes(text) ? 'made text' : 'left alone'}`, async () => {
		for (const table of [await write(['name'], [[text]]), await write([text, 'b'], [['x', 1]])]) {
			const read: string[][] = parse(table, { record_delimiter: '\r\n', skip_empty_lines: false });
			const cell = table.startsWith('name\r\n') ? (read[1]?.[0] ?? '') : (read[0]?.[0] ?? '');
			assert.equal(cell, formulas.includes(text) ? `'${text}` : text);
			assert.doesNotMatch(cell, /^[=+\-@\t\r\n]/);
			assert.equal(cell.replace(/^'(?='*[=+\-@\t\r\n])/, ''), text);
		}
	});

test('[T41] a cell with a semicolon or a tab is quoted, so that no spreadsheet begins a new cell inside it', async () => {
	assert.equal(
		await write(
			['a;b', 'c\td'],
			[
				['/x;=HYPERLINK("http://e.example")', 'y\t=1+1'],
				['/plain', 'z'],
			],
		),
		'"a;b","c\td"\r\n"/x;=HYPERLINK(""http://e.example"")","y\t=1+1"\r\n/plain,z\r\n',
	);
	// Split at semicolons or tabs, as some spreadsheets do, no cell is a formula.
	for (const delimiter of [';', '\t']) {
		const table = await write(['value'], [[`/x${delimiter}=1+1`], [`${delimiter}=1+1`]]);
		const cells: string[][] = parse(table, { delimiter, record_delimiter: '\r\n' });
		for (const cell of cells.flat()) assert.doesNotMatch(cell, /^[=+\-@\t\r\n]/);
	}
});

test('[T41] numbers stay numbers', async () => {
	assert.equal(await write(['a', 'b'], [[-1, 2.5]]), 'a,b\r\n-1,2.5\r\n');
});

test('writing a long table does not block the event loop', async () => {
	let turns = 0;
	const counting = setInterval(() => turns++, 0);
	const table = await write(
		['value', 'number'],
		Array.from({ length: 100_000 }, (_, n) => [`/page "${n}"`, n]),
	);
	clearInterval(counting);
	assert.equal(table.split('\r\n').length, 100_002);
	assert.ok(turns >= 3, `${turns} turns`);
});

const accepts: [accept: string | undefined, isCsv: boolean][] = [
	[undefined, false],
	['', false],
	['*/*', false],
	['application/json', false],
	['text/csv', true],
	['TEXT/CSV; charset=utf-8', true],
	['text/csv;q=0', false],
	['text/csv;q=x', false],
	['text/csv, application/json', true],
	['application/json, text/csv', false],
	['application/json;q=0.5, text/csv', true],
	['text/csv;q=0.5, application/json', false],
	['text/html, text/csv;q=0.9, */*;q=0.1', true],
	['text/csv, application/problem+json', true],
	['text/csvx', false],
];
for (const [accept, isCsv] of accepts)
	test(`Accept: ${accept} asks for ${isCsv ? 'CSV' : 'JSON'}`, () => assert.equal(wantsCsv(accept), isCsv));

test('a file name has only characters that are valid everywhere', () => {
	assert.equal(
		attachment('example.com', 'page', '2026-11-01'),
		'attachment; filename="example.com-page-2026-11-01.csv"',
	);
	assert.equal(
		attachment('a.b', 'property:ö "x"\r\n../', ''),
		'attachment; filename="a.b-property_x_.._.csv"',
	);
});
