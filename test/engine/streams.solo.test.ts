import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { param, sql } from '../../server/store/sql.ts';
import { sample } from '../support/sample.ts';
import { ask, basic, engineFor, residentMb, until } from './engine.ts';

const rowCount = sample('STREAM_ROWS', 1_200_000, 2_500_000);

test(`a result of ${rowCount * 400} bytes is streamed in bounded memory on both sides`, async (t) => {
	const { clickhouse, engine } = await engineFor(t);
	await clickhouse.script('CREATE TABLE t (number UInt64, text String) ENGINE = MergeTree ORDER BY number');
	await clickhouse.command(
		sql`INSERT INTO t SELECT number, repeat('x', 380) FROM numbers(${param('UInt64', rowCount)})`,
		{ settings: { max_block_size: '8192' } },
	);
	// A new child, so that what the insert left behind does not hide what the stream takes.
	process.kill(engine.pid() ?? 0, 'SIGKILL');
	await until(() => !engine.isUp(), 1_000);
	await until(() => clickhouse.ping(), 5_000);
	const pid = engine.pid() ?? 0;
	const query = (rows: number) => sql`SELECT number, text FROM t LIMIT ${param('UInt64', rows)}`;
	const child = residentMb(pid);
	// What is loaded by the first reading, a little or much of it by how the process was started, is not what is asked here.
	for await (const _ of clickhouse.stream(query(10_000)));
	const before = { child, parent: residentMb(process.pid) };
	const most = { ...before };
	let count = 0;
	let bytes = 0;
	for await (const rows of clickhouse.stream<{ number: string; text: string }>(query(rowCount))) {
		for (const row of rows) bytes += row.text.length + row.number.length + 23;
		// A reader that is slower than the engine at first: what it has not read must wait in the engine, not in memory.
		if (count === 0) await pause(1_000);
		count += rows.length;
		most.child = Math.max(most.child, residentMb(pid));
		most.parent = Math.max(most.parent, residentMb(process.pid));
	}
	assert.equal(count, rowCount);
	assert.ok(bytes > rowCount * 400, `${bytes} bytes`);
	const grown = {
		child: Math.round(most.child - before.child),
		parent: Math.round(most.parent - before.parent),
	};
	t.diagnostic(
		`${bytes} bytes; resident before ${Math.round(before.child)} and ${Math.round(before.parent)} MB, grown by ${grown.child} MB (child) and ${grown.parent} MB (parent)`,
	);
	assert.ok(grown.child < 300, `the child grew by ${grown.child} MB`);
	// Rows are parsed into objects here, and the collector lets some of them lie.
	assert.ok(grown.parent < 150, `the parent grew by ${grown.parent} MB`);
});

test('an error in the middle of a stream is an error and not a short answer', async (t) => {
	const { clickhouse, engine } = await engineFor(t);
	let rows = 0;
	const read = async () => {
		for await (const some of clickhouse.stream(
			sql`SELECT throwIf(number = 1000000, 'in the middle') FROM numbers(2000000)`,
		))
			rows += some.length;
	};
	await assert.rejects(read, {
		code: '395',
		type: 'FUNCTION_THROW_IF_VALUE_IS_NON_ZERO',
		message: /in the middle/,
	});
	assert.ok(rows > 0 && rows <= 1_000_000, `${rows} rows came before it`);
	await assert.rejects(clickhouse.rows(sql`SELECT throwIf(number = 1000000) FROM numbers(2000000)`), {
		code: '395',
	});
	// A reader that knows nothing of exceptions in the text sees that the body has no end.
	const plain = ask(engine.connection.socketPath, {
		body: 'SELECT throwIf(number = 1000000) FROM numbers(2000000) FORMAT CSV',
		authorization: basic('stats', engine.connection.passwords.stats),
	});
	await assert.rejects(plain, { code: 'ECONNRESET' });
	assert.deepEqual(await clickhouse.rows(sql`SELECT 1 AS a`), [{ a: 1 }]);
});

const running = sql`SELECT query_id, user, log_comment FROM system.processes WHERE log_comment != 'watch' ORDER BY query_id`;
const slow = sql`SELECT sum(sipHash64(number)) FROM numbers(1000000000000)`;

test('whoever hangs up ends their statement', async (t) => {
	const { clickhouse } = await engineFor(t);
	const watch = () => clickhouse.rows(running, { as: 'ingest', name: 'watch' });
	const leaving = new AbortController();
	const left = assert.rejects(
		clickhouse.rows(slow, { queryId: 'left', name: 'slow sum', signal: leaving.signal }),
	);
	await until(async () => (await watch()).length === 1, 3_000);
	assert.deepEqual(await watch(), [{ query_id: 'left', user: 'stats', log_comment: 'slow sum' }]);
	leaving.abort();
	await left;
	t.diagnostic(`gone ${Math.round(await until(async () => (await watch()).length === 0, 2_000))} ms later`);

	for await (const _ of clickhouse.stream(sql`SELECT number FROM numbers(1000000000)`)) break;
	await until(async () => (await watch()).length === 0, 2_000);
});

test('one who hangs up before a statement is sent breaks no other one', async (t) => {
	const { clickhouse } = await engineFor(t);
	const long = sql`SELECT sleep(1.5) + sleep(1.5) AS slept`;
	for (let round = 0; round < 3; round++) {
		await Promise.all(Array.from({ length: 4 }, () => clickhouse.ask(sql`SELECT 1`)));
		const left = Array.from({ length: 40 }, async (_, n) => {
			const leaving = new AbortController();
			const gone = clickhouse.ask(sql`SELECT 1`, { signal: leaving.signal });
			for (let turn = 0; turn < n % 8; turn++) await Promise.resolve();
			leaving.abort();
			await gone.catch(() => undefined);
		});
		await Promise.all(left);
		const answers = await Promise.all(
			Array.from({ length: 4 }, () => clickhouse.ask<{ slept: number }>(long)),
		);
		for (const { rows } of answers) assert.deepEqual(rows, [{ slept: 0 }]);
	}
});

test('[T101] KILL QUERY ends a running statement, waits until it is gone, and leaves no warning in the log', async (t) => {
	const { clickhouse, lines } = await engineFor(t);
	const statements = [
		slow,
		// Computed while the stream is being opened.
		sql`WITH (SELECT sum(sipHash64(number)) FROM numbers(1000000000000)) AS x SELECT x`,
		sql`SELECT number FROM numbers(1000000000000) WHERE sipHash64(number) = 1`,
	];
	for (const statement of statements) {
		const ended = assert.rejects(clickhouse.rows(statement, { queryId: "it's 1" }), {
			code: '394',
			type: 'QUERY_WAS_CANCELLED',
		});
		await until(
			async () => (await clickhouse.rows(running, { as: 'ingest', name: 'watch' })).length === 1,
			3_000,
		);
		await pause(100);
		await assert.rejects(clickhouse.rows(sql`SELECT 1`, { queryId: "it's 1", as: 'ingest' }), {
			code: '216',
		});
		await assert.rejects(clickhouse.kill("it's 1", { as: 'stats' }), { code: '497' });
		await assert.rejects(clickhouse.kill("it's 1", { as: 'ingest' }), { code: '497' });
		const from = performance.now();
		await clickhouse.kill("it's 1", { as: 'migrate' });
		const took = performance.now() - from;
		assert.deepEqual(
			await clickhouse.rows(running, { as: 'ingest', name: 'watch' }),
			[],
			'it is gone when KILL returns',
		);
		await ended;
		t.diagnostic(`gone after ${Math.round(took)} ms`);
		assert.ok(took < 2_000, `it took ${took} ms`);
	}
	await clickhouse.kill('nobody');
	assert.deepEqual(
		lines.filter((line) => line.includes('"level":"warn"')),
		[],
	);
});

test('KILL QUERY ends a stream whose reader has stopped reading', async (t) => {
	const { clickhouse } = await engineFor(t);
	const reading = clickhouse.stream(sql`SELECT number, repeat('x', 300) FROM numbers(100000000)`, {
		queryId: 'stuck',
	});
	await reading.next();
	await clickhouse.kill('stuck', { as: 'migrate' });
	await assert.rejects(async () => {
		for await (const _ of reading);
	});
});

test('an insert says what it wrote, in the headers of ClickHouse', async (t) => {
	const { clickhouse, engine } = await engineFor(t);
	await clickhouse.script('CREATE TABLE t (a UInt8) ENGINE = MergeTree ORDER BY a');
	const { headers } = await ask(engine.connection.socketPath, {
		path: `/?query_id=seven&query=${encodeURIComponent('INSERT INTO t (a) FORMAT JSONEachRow')}`,
		body: '{"a":1}\n{"a":2}\n',
		authorization: basic('ingest', engine.connection.passwords.ingest),
	});
	const summary = JSON.parse(String(headers['x-clickhouse-summary']));
	assert.deepEqual(
		{ id: headers['x-clickhouse-query-id'], written: summary.written_rows },
		{ id: 'seven', written: '2' },
	);
	assert.ok(Number(summary.elapsed_ns) > 0);
});

test('formats with a head are whole', async (t) => {
	const { engine } = await engineFor(t);
	const authorization = basic('stats', engine.connection.passwords.stats);
	const get = (body: string) => ask(engine.connection.socketPath, { body, authorization });
	const { text, headers } = await get('SELECT number AS n FROM numbers(200000) FORMAT JSON');
	const answer = JSON.parse(text);
	assert.deepEqual(
		{ rows: answer.rows, length: answer.data.length, format: headers['x-clickhouse-format'] },
		{ rows: 200_000, length: 200_000, format: 'JSON' },
	);
	assert.equal(
		(await get('SELECT number AS n FROM numbers(200000) FORMAT CSVWithNames')).text.match(/n/g)?.length,
		1,
	);
	assert.match(
		(await get("SELECT repeat('x', 1000) FROM numbers(200000) FORMAT JSON")).text,
		/^Code: (396|241)\./,
	);
});

test('nothing of a statement that failed is in the answer to the next one', async (t) => {
	const { clickhouse, engine } = await engineFor(t);
	const fails = sql`SELECT number AS secret, throwIf(number = 70000) FROM numbers(100000)`;
	const settings = { max_block_size: '1000' };
	for (let round = 0; round < 5; round++) {
		// One for each connection, in a format that is made whole; some are ended by who asked.
		const leaving = new AbortController();
		await Promise.all([
			...Array.from({ length: 4 }, () =>
				assert.rejects(clickhouse.ask(fails, { settings }), { code: '395' }),
			),
			assert.rejects(
				clickhouse.ask(sql`SELECT number AS secret, sleepEachRow(0.01) FROM numbers(1000)`, {
					settings,
					signal: leaving.signal,
				}),
			),
			pause(150).then(() => leaving.abort()),
		]);
		for (let n = 0; n < 8; n++) {
			const { text } = await ask(engine.connection.socketPath, {
				body: `SELECT ${n} AS a FORMAT ${n % 2 === 0 ? 'JSONEachRow' : 'JSONCompact'}`,
				authorization: basic('stats', engine.connection.passwords.stats),
			});
			assert.doesNotMatch(text, /secret/);
			assert.deepEqual((await clickhouse.ask<{ a: number }>(sql`SELECT 1 AS a`)).rows, [{ a: 1 }]);
			assert.deepEqual(await clickhouse.rows(sql`SELECT 2 AS a`), [{ a: 2 }]);
		}
	}
});

test('no value of a statement gets into the log', async (t) => {
	const { clickhouse, lines } = await engineFor(t);
	const secret = 'a value that nobody should find';
	await assert.rejects(clickhouse.rows(sql`SELECT toUInt8(${param('String', secret)})`), {
		message: new RegExp(secret),
	});
	await until(() => lines.some((line) => line.includes('statement failed')), 1_000);
	assert.ok(!lines.join('').includes(secret));
});
