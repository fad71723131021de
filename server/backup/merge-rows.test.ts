import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mapLines } from './merge-rows.ts';

const mapping = {
	ids: new Map([
		[1, 11],
		[2, 12],
	]),
	imports: new Map([[5, 50]]),
	since: new Map([[2, '2026-03-01 00:00:00.000']]),
};
const map = (table: string, columns: string[], rows: string[][]) =>
	mapLines(
		Buffer.from(rows.map((row) => `${row.join('\t')}\n`).join('')),
		{ name: table, kind: 'clickhouse', table, columns },
		mapping,
	)
		.toString()
		.split('\n')
		.filter((line) => line !== '')
		.map((line) => line.split('\t'));

test('events of a website from before its reset do not come along', () => {
	const columns = ['website_id', 'time', 'path'];
	assert.deepEqual(
		map('events', columns, [
			['1', '2026-02-28 23:59:59.999', '/never-reset'],
			['2', '2026-02-28 23:59:59.999', '/before'],
			['2', '2026-03-01 00:00:00.000', '/after'],
			['3', '2026-03-01 00:00:00.000', '/of-another-account'],
		]),
		[
			['11', '2026-02-28 23:59:59.999', '/never-reset'],
			['12', '2026-03-01 00:00:00.000', '/after'],
		],
	);
});

test('rows of imports get the new id of their import, and those of unknown imports do not come along', () => {
	assert.deepEqual(
		map(
			'imported',
			['import_id', 'website_id'],
			[
				['0', '1'],
				['5', '1'],
				['6', '1'],
			],
		),
		[
			['0', '11'],
			['50', '11'],
		],
	);
});
