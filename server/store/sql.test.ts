import assert from 'node:assert/strict';
import { test } from 'node:test';
import { identifier, join, param, render, renderPostgres, sql, value } from './sql.ts';

test('a statement renders to text and values, numbered through its parts', () => {
	const ofWebsite = sql`website_id = ${param('UInt64', 7)}`;
	const inPeriod = sql`date >= ${param('Date', '2026-01-01')}`;
	const query = sql`SELECT ${identifier('path')} FROM events WHERE ${join([ofWebsite, inPeriod], ' AND ')} LIMIT ${param('UInt32', 10)}`;
	assert.deepEqual(render(query), {
		query: 'SELECT path FROM events WHERE website_id = {p0:UInt64} AND date >= {p1:Date} LIMIT {p2:UInt32}',
		query_params: { p0: 7, p1: '2026-01-01', p2: 10 },
	});
});

test('the same shape renders for PostgreSQL', () => {
	const query = sql`UPDATE websites SET name = ${value("O'Hara")} WHERE id = ${value(3)} AND ${sql`owner = ${value(null)}`}`;
	assert.deepEqual(renderPostgres(query), {
		text: 'UPDATE websites SET name = $1 WHERE id = $2 AND owner = $3',
		values: ["O'Hara", 3, null],
	});
});

test('values never become text', () => {
	const hostile = "'; DROP TABLE events; --";
	assert.equal(render(sql`SELECT ${param('String', hostile)}`).query, 'SELECT {p0:String}');
	assert.equal(renderPostgres(sql`SELECT ${value(hostile)}`).text, 'SELECT $1');
});

test('a plain string cannot be substituted', () => {
	const name = 'events; DROP TABLE events';
	// @ts-expect-error a string is neither a part of a statement nor a parameter
	const query = () => render(sql`SELECT * FROM ${name}`);
	assert.throws(query, TypeError);
});

test('a word is a plain lower-case name and a separator holds no values', () => {
	for (const name of ['', 'Events', 'a b', 'a;b', "a'", '1a', 'a.b'])
		assert.throws(() => identifier(name), /plain lower-case name/);
	assert.throws(() => join([sql`a`, sql`b`], "' OR '"), /does not separate/);
	assert.deepEqual(render(join([], ', ')), { query: '', query_params: {} });
});

test('a parameter of ClickHouse has a type', () => {
	assert.throws(() => render(sql`SELECT ${value(1)}`), /needs a type/);
});

test('[F47] a long list is sent as several parameters, each far below what a server takes in a field', () => {
	const numbers = Array.from({ length: 4_500 }, (_, index) => 2n ** 63n + BigInt(index));
	const { query, query_params } = render(
		sql`SELECT 1 WHERE a IN ${param('Array(UInt64)', numbers)} AND b = ${param('UInt8', 7)}`,
	);
	assert.equal(
		query,
		'SELECT 1 WHERE a IN arrayConcat({p0:Array(UInt64)}, {p1:Array(UInt64)}, {p2:Array(UInt64)}) AND b = {p3:UInt8}',
	);
	assert.deepEqual(
		['p0', 'p1', 'p2'].flatMap((name) => query_params[name]),
		numbers,
	);
	assert.equal(query_params.p3, 7);
	const texts = Array.from({ length: 300 }, (_, index) => `${index}${"'".repeat(1_000)}`);
	const pieces = Object.values(render(sql`SELECT ${param('Array(String)', texts)}`).query_params);
	assert.deepEqual(pieces.flat(), texts);
	for (const piece of pieces) assert.ok(JSON.stringify(piece).length * 2 < 131_072);
	assert.equal(render(sql`SELECT ${param('Array(UInt8)', [])}`).query, 'SELECT {p0:Array(UInt8)}');
});
