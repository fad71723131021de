import assert from 'node:assert/strict';
import { test } from 'node:test';
import { refusalOf } from '../../server/store/clickhouse-errors.ts';
import { sql } from '../../server/store/sql.ts';
import { engineFor, raw } from './engine.ts';

test('a setting of one statement never reaches the next', async (t) => {
	const { clickhouse } = await engineFor(t);
	// One after the other, so that all of them use the same connection.
	await assert.rejects(
		clickhouse.rows(sql`SELECT number FROM numbers(5)`, { settings: { max_result_rows: '1' } }),
		{ code: '396' },
	);
	assert.equal((await clickhouse.rows(sql`SELECT number FROM numbers(5)`)).length, 5);

	const hour = sql`SELECT toHour(toDateTime(0)) AS hour`;
	assert.deepEqual(await clickhouse.rows(hour, { settings: { session_timezone: 'Asia/Tokyo' } }), [
		{ hour: 9 },
	]);
	assert.deepEqual(await clickhouse.rows(hour), [{ hour: 0 }]);

	await assert.rejects(
		clickhouse.rows(sql`SELECT sum(sipHash64(number)) FROM numbers(100000000000)`, {
			settings: { max_execution_time: 1 },
		}),
		{ code: '159' },
	);
	assert.deepEqual(await clickhouse.rows(sql`SELECT toUInt32(getSetting('max_execution_time')) AS seconds`), [
		{ seconds: 60 },
	]);
});

test('a de-duplication token is for one insert only', async (t) => {
	const { clickhouse } = await engineFor(t);
	await clickhouse.command(
		sql`CREATE TABLE t (a UInt8) ENGINE = MergeTree ORDER BY a SETTINGS non_replicated_deduplication_window = 100`,
	);
	const count = async () => (await clickhouse.rows<{ n: string }>(sql`SELECT count() AS n FROM t`))[0]?.n;
	const token = { as: 'ingest', settings: { insert_deduplication_token: 'first' } } as const;

	await clickhouse.command(sql`INSERT INTO t (a) VALUES (1)`, token);
	await clickhouse.command(sql`INSERT INTO t (a) VALUES (2)`, token);
	assert.equal(await count(), '1', 'the same token is written once');
	await clickhouse.command(sql`INSERT INTO t (a) VALUES (3)`, { as: 'ingest' });
	assert.equal(await count(), '2', 'the next insert has no token');
});

test('the same rows with the same token are written once', async (t) => {
	const { clickhouse } = await engineFor(t);
	await clickhouse.command(
		sql`CREATE TABLE t (a UInt32, s String) ENGINE = MergeTree ORDER BY a SETTINGS non_replicated_deduplication_window = 100`,
	);
	const lines = Array.from({ length: 1_000 }, (_, a) => JSON.stringify({ a, s: `'\\\n${a}` })).join('\n');
	for (const token of ['1', '1', '1', '2'])
		assert.deepEqual(await clickhouse.insert({ table: 't', lines, token }), { writtenRows: 1_000 });
	assert.deepEqual(await clickhouse.rows(sql`SELECT count() AS n, uniqExact(a) AS different FROM t`), [
		{ n: '2000', different: '1000' },
	]);
});

test('an insert with one bad row writes nothing', async (t) => {
	const { clickhouse } = await engineFor(t);
	await clickhouse.command(sql`CREATE TABLE t (a UInt8) ENGINE = MergeTree ORDER BY a`);
	await assert.rejects(clickhouse.insert({ table: 't', lines: '{"a":1}\n{"a":"x"}\n', token: '1' }), {
		type: /^CANNOT_PARSE/,
	});
	assert.deepEqual(await clickhouse.rows(sql`SELECT count() AS n FROM t`), [{ n: '0' }]);
});

test('nobody raises their own limits or sets what is not theirs', async (t) => {
	const { clickhouse } = await engineFor(t);
	const refused = [
		{ max_execution_time: 61 },
		{ max_execution_time: 0 },
		{ max_memory_usage: '0' },
		{ max_memory_usage: '100000000000' },
		{ max_threads: 1_000 },
		{ readonly: '0' },
		{ allow_ddl: 1 },
		{ allow_introspection_functions: 1 },
		{ send_logs_level: 'trace' },
		{ async_insert: 1 },
	] as const;
	for (const settings of refused)
		await assert.rejects(
			clickhouse.rows(sql`SELECT 1`, { settings }),
			{ code: '452' },
			JSON.stringify(settings),
		);
	assert.deepEqual(
		await clickhouse.rows(sql`SELECT 1 AS a`, { settings: { max_execution_time: 59, max_threads: 1 } }),
		[{ a: 1 }],
	);
});

test('a statement that wants too much memory fails and leaves the engine as it was', async (t) => {
	const { clickhouse, engine } = await engineFor(t);
	const pid = engine.pid();
	await assert.rejects(clickhouse.rows(sql`SELECT length(groupArray(number)) FROM numbers(1000000000)`), {
		code: '241',
		type: 'MEMORY_LIMIT_EXCEEDED',
	});
	assert.deepEqual(await clickhouse.rows(sql`SELECT 1 AS a`), [{ a: 1 }]);
	assert.equal(engine.pid(), pid);
});

test('groups that exceed the memory of their statement go to disk, up to a limit', async (t) => {
	const { clickhouse } = await engineFor(t);
	const groups = sql`
		SELECT count() AS groups, sum(n) AS numbers
		FROM (SELECT number % 1500000 AS key, uniqExact(number) AS n FROM numbers(3000000) GROUP BY key)`;
	assert.deepEqual(await clickhouse.rows(groups), [{ groups: '1500000', numbers: '3000000' }]);
	await assert.rejects(
		clickhouse.rows(groups, { settings: { max_memory_usage: '20000000' } }),
		(error: unknown) => refusalOf(error) === 'memory',
	);
});

test('a mutation is done when its command returns', async (t) => {
	const { clickhouse } = await engineFor(t);
	await clickhouse.script('CREATE TABLE t (a UInt8) ENGINE = MergeTree ORDER BY a');
	await clickhouse.command(sql`INSERT INTO t SELECT number FROM numbers(10)`);
	await clickhouse.command(sql`ALTER TABLE t DELETE WHERE a < 4`, { settings: { mutations_sync: '2' } });
	assert.deepEqual(await clickhouse.rows(raw('SELECT count() AS n FROM t -- the last line')), [{ n: '6' }]);
});
