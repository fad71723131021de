import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { param, sql } from '../../server/store/sql.ts';
import { ask, basic, engineFor } from './engine.ts';

const values: readonly { type: string; value: unknown; comes?: unknown }[] = [
	{ type: 'String', value: '' },
	{ type: 'String', value: 'plain' },
	{ type: 'String', value: 'it\'s "quoted" and `quoted`' },
	{ type: 'String', value: 'tab\there' },
	{ type: 'String', value: 'line\nand\r\nline' },
	{ type: 'String', value: 'C:\\new\\table \\\\ \\N \\' },
	{ type: 'String', value: "'; DROP TABLE events; --" },
	{ type: 'String', value: '\0\b\f\v\x1b\x7f' },
	{ type: 'String', value: 'Grüße, 東京, 👩‍👩‍👧‍👦, \u{10ffff}' },
	{ type: 'String', value: '{p1:String} /* */ -- ?' },
	{ type: 'String', value: 'x'.repeat(300_000) },
	{ type: 'LowCardinality(String)', value: "a'b\\c" },
	{ type: 'FixedString(3)', value: "a'b" },
	{ type: 'Nullable(String)', value: null },
	{ type: 'Nullable(String)', value: 'NULL' },
	{ type: 'Nullable(Int64)', value: null },
	{ type: 'Bool', value: true },
	{ type: 'Int8', value: -128 },
	{ type: 'Int64', value: -9_223_372_036_854_775_808n, comes: '-9223372036854775808' },
	{ type: 'UInt64', value: 18_446_744_073_709_551_615n, comes: '18446744073709551615' },
	{ type: 'UInt256', value: 2n ** 256n - 1n, comes: String(2n ** 256n - 1n) },
	{ type: 'Float64', value: -1.5e-300 },
	{ type: 'Decimal(18, 4)', value: '-12345678901234.5678' },
	{ type: 'Date', value: '2026-02-28' },
	{ type: 'DateTime64(3)', value: new Date('2026-01-02T03:04:05.678Z'), comes: '2026-01-02 03:04:05.678' },
	{ type: "Enum8('a' = 1, 'b' = 2)", value: 'b' },
	{ type: 'UUID', value: '61f0c404-5cb3-11e7-907b-a6006ad3dba0' },
	{ type: 'Array(String)', value: [] },
	{ type: 'Array(String)', value: ['', "a'b", 'c\\', '\\\\', 't\tn\nr\r', '],[', '👋', 'NULL'] },
	{ type: 'Array(Nullable(String))', value: ['a', null] },
	{ type: 'Array(UInt64)', value: [0, 18_446_744_073_709_551_615n], comes: ['0', '18446744073709551615'] },
	{ type: 'Array(Bool)', value: [true, false] },
	{ type: 'Array(Array(String))', value: [[], [''], ["'", '\\', "\\'"]] },
	{ type: 'Array(Array(Array(Int8)))', value: [[[-1], []], []] },
	{ type: 'Map(String, String)', value: {} },
	{ type: 'Map(String, String)', value: { '': '', "k'": "v'", 'k\\': '\\', 'k\t': '\n', '👋': '}' } },
	{ type: 'Map(String, Array(Int16))', value: { a: [], b: [-1, 2] } },
	{ type: 'Array(Map(String, String))', value: [{ "a'": ':' }, {}] },
];

test('a parameter comes back as it was sent', async (t) => {
	const { clickhouse } = await engineFor(t);
	for (const { type, value, comes = value } of values) {
		const shown = `${type} ${String(JSON.stringify(value, (_, of) => (typeof of === 'bigint' ? String(of) : of))).slice(0, 60)}`;
		await t.test(shown, async () => {
			assert.deepEqual(await clickhouse.rows(sql`SELECT ${param(type, value)} AS v`), [{ v: comes }]);
		});
	}
});

test('any strings come back as they were sent, alone, in arrays and in maps', async (t) => {
	const { clickhouse } = await engineFor(t);
	const anyText = fc.oneof(
		fc.string({ unit: 'binary' }),
		fc.string({
			unit: fc.constantFrom(
				'\\',
				"'",
				'"',
				'`',
				'\t',
				'\n',
				'\r',
				'\0',
				'N',
				'n',
				't',
				'0',
				'x',
				'4',
				'1',
				',',
				']',
				'{',
				'}',
				':',
			),
		}),
	);
	const anyMap = fc.dictionary(anyText, anyText).filter((map) => !Object.hasOwn(map, '__proto__'));
	const property = fc.asyncProperty(anyText, fc.array(fc.array(anyText)), anyMap, async (one, many, map) => {
		const query = sql`SELECT ${param('String', one)} AS one, ${param('Array(Array(String))', many)} AS many, ${param('Map(String, String)', map)} AS map,
			length(${param('String', one)}) AS bytes`;
		const [row] = await clickhouse.rows<{ map: object }>(query);
		assert.deepEqual(
			{ ...row, map: { ...row?.map } },
			{ one, many, map: { ...map }, bytes: String(Buffer.byteLength(one)) },
		);
	});
	await fc.assert(property, { numRuns: 300, seed: 20261115 });
});

test('parameters of statements at the same time are not mixed up', async (t) => {
	const { clickhouse } = await engineFor(t);
	const answers = await Promise.all(
		Array.from({ length: 200 }, (_, n) =>
			clickhouse.rows(sql`SELECT ${param('UInt32', n)} AS n, ${param('String', `s${n}`)} AS s`),
		),
	);
	assert.deepEqual(
		answers,
		Array.from({ length: 200 }, (_, n) => [{ n, s: `s${n}` }]),
	);
});

test('a parameter is a value wherever it stands', async (t) => {
	const { clickhouse } = await engineFor(t);
	const keys = Array.from({ length: 20_000 }, (_, n) => `${n}-'\\`);
	const query = sql`SELECT count() AS n FROM numbers(${param('UInt64', 50_000)})
		WHERE concat(toString(number), ${param('String', "-'\\")}) IN ${param('Array(String)', keys)} LIMIT ${param('UInt8', 1)}`;
	assert.deepEqual(await clickhouse.rows(query), [{ n: '20000' }]);
	await assert.rejects(clickhouse.rows({ strings: ['SELECT {nobody:String}'], values: [] }), { code: '456' });
	await assert.rejects(clickhouse.rows(sql`SELECT * FROM ${param('Identifier', 'system.one')}`), {
		code: '457',
	});
});

test('[T25] a map that holds more than literals is refused', async (t) => {
	const { engine } = await engineFor(t);
	const send = (value: string) =>
		ask(engine.connection.socketPath, {
			path: `/?param_m=${encodeURIComponent(value)}`,
			body: 'SELECT {m:Map(String, String)} AS m FORMAT JSONEachRow',
			authorization: basic('stats', engine.connection.passwords.stats),
		});
	for (const hostile of [
		"{'a':file('/etc/hostname')}",
		"{'a':version()}",
		"{'a':(SELECT 1)}",
		"{'a':'b'}, 1",
		"{'a':x}",
	]) {
		assert.match((await send(hostile)).text, /^Code: (457|62|53|43|42)\. /, hostile);
	}
	assert.match((await send("{'a':version()}")).text, /^Code: 457\. /);
	assert.equal((await send("{'a':'b'}")).text, '{"m":{"a":"b"}}\n');
});
