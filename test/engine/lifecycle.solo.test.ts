import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { startEngine } from '../../server/engine/supervise.ts';
import { createLog } from '../../server/lib/log.ts';
import { createClickHouse } from '../../server/store/clickhouse.ts';
import { sql } from '../../server/store/sql.ts';
import { engineFor, entry, residentMb, until } from './engine.ts';

const events = readFileSync(new URL('../../migrations/clickhouse/0001_events.sql', import.meta.url), 'utf8');

function isAlive(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
	} catch {
		return false;
	}
}

test('the engine starts quickly, small and niced', async (t) => {
	const from = performance.now();
	const { engine, clickhouse } = await engineFor(t);
	const startMs = performance.now() - from;
	assert.ok(engine.isUp());
	assert.ok(await clickhouse.ping());
	const pid = engine.pid() ?? 0;
	t.diagnostic(`ready after ${Math.round(startMs)} ms, ${Math.round(residentMb(pid))} MB resident`);
	assert.ok(startMs < 3_000, `${startMs} ms`);
	assert.ok(residentMb(pid) < 500, `${residentMb(pid)} MB`);
	assert.equal(readFileSync(`/proc/${pid}/stat`, 'utf8').split(' ')[18], '10');
	const environment = readFileSync(`/proc/${pid}/environ`, 'utf8');
	const secrets = Object.values(engine.connection.passwords);
	for (const text of [environment, readFileSync(`/proc/${pid}/cmdline`, 'utf8')])
		assert.ok(!secrets.some((secret) => text.includes(secret)));
	assert.ok(!environment.includes('PATH='), 'nothing of the environment of the service');
});

test('a killed engine is back within 3 s with every acknowledged insert', async (t) => {
	const { engine, clickhouse } = await engineFor(t);
	await clickhouse.script(events);
	const acknowledged = new Set<string>();
	let stopped = false;
	const inserting = (async () => {
		for (let n = 1; !stopped; n += 1) {
			const lines = `${JSON.stringify({ website_id: 1, date: '2026-01-01', visitor_id: '1', event_id: String(n) })}\n`;
			const written = await clickhouse
				.insert({ table: 'events', lines, token: String(n) })
				.catch(() => undefined);
			if (written) acknowledged.add(String(n));
		}
	})();
	try {
		for (let kills = 0; kills < 2; kills += 1) {
			const before = acknowledged.size;
			await until(() => acknowledged.size > before + 20, 10_000);
			const pid = engine.pid() ?? 0;
			process.kill(pid, 'SIGKILL');
			await until(() => !engine.isUp(), 1_000);
			const backMs = await until(() => clickhouse.ping(), 3_000);
			t.diagnostic(`back after ${Math.round(backMs)} ms`);
			assert.notEqual(engine.pid(), pid);
		}
	} finally {
		stopped = true;
	}
	await inserting;
	const found = new Set(
		(await clickhouse.rows<{ event_id: string }>(sql`SELECT event_id FROM events`)).map(
			(row) => row.event_id,
		),
	);
	const lost = [...acknowledged].filter((id) => !found.has(id));
	t.diagnostic(`${acknowledged.size} acknowledged, ${found.size} found`);
	assert.deepEqual(lost, []);
});

test('[F55] a frozen engine is not up; one that stays frozen is killed and started again', async (t) => {
	const { engine, clickhouse, lines } = await engineFor(t, { heartbeatMs: 100 });
	const pid = engine.pid() ?? 0;
	process.kill(pid, 'SIGSTOP');
	await until(() => !engine.isUp(), 5_000);
	assert.equal(await clickhouse.ping(), false);
	process.kill(pid, 'SIGCONT');
	await until(() => engine.isUp(), 5_000);
	assert.equal(engine.pid(), pid, 'one that goes on in time is left alone');
	process.kill(pid, 'SIGSTOP');
	await until(() => engine.isUp() && engine.pid() !== pid, 20_000);
	assert.ok(!isAlive(pid));
	assert.ok(await clickhouse.ping());
	const said = lines.join('');
	for (const text of ['does not respond', 'responds again', 'does not respond; killing it'])
		assert.ok(said.includes(text), text);
});

test('[F55] the engine answers a ping while long questions have all its connections', async (t) => {
	const { clickhouse } = await engineFor(t);
	const long = sql`SELECT sum(sipHash64(number)) FROM numbers(1000000000000)`;
	const leaving = new AbortController();
	const asked = Array.from({ length: 6 }, () =>
		assert.rejects(clickhouse.rows(long, { signal: leaving.signal, settings: { max_threads: 1 } })),
	);
	await until(
		async () =>
			(await clickhouse.rows(sql`SELECT 1 FROM system.processes WHERE user = 'stats'`, { as: 'ingest' }))
				.length === 6,
		10_000,
	);
	assert.ok(await clickhouse.ping());
	leaving.abort();
	await Promise.all(asked);
});

test('an engine whose parent is killed is gone within 1 s, its folder can be used at once, and what it compiled is kept', async (t) => {
	const dataFolder = mkdtempSync(join(tmpdir(), 'tidemark-engine-'));
	t.after(() => rmSync(dataFolder, { recursive: true, force: true }));
	const place = { folder: join(dataFolder, 'clickhouse'), socketPath: join(dataFolder, 'engine.sock') };
	const compiled = join(dataFolder, 'compiled');
	const parent = fork(
		fileURLToPath(new URL('./parent.ts', import.meta.url)),
		[place.folder, place.socketPath],
		{ execArgv: [], env: { ...process.env, NODE_COMPILE_CACHE: compiled } },
	);
	const [pid = 0]: number[] = await once(parent, 'message');
	assert.ok(isAlive(pid));
	parent.kill('SIGKILL');
	// Nobody but the engine can have written it: the parent did not end in peace.
	assert.ok(readdirSync(compiled, { recursive: true }).length > 10);
	const started = startEngine({ ...place, memoryMb: 700, log: createLog('silent'), entry });
	t.diagnostic(`gone after ${Math.round(await until(() => !isAlive(pid), 1_000))} ms`);
	const engine = await started;
	t.after(() => engine.stop());
	const clickhouse = createClickHouse(engine.connection, { log: createLog('silent') });
	assert.deepEqual(await clickhouse.rows(sql`SELECT a FROM t`), [{ a: 7 }]);
	await clickhouse.close();
});

test('two engines never share a folder', async (t) => {
	const { dataFolder, clickhouse } = await engineFor(t);
	const second = startEngine({
		folder: join(dataFolder, 'clickhouse'),
		socketPath: join(dataFolder, 'second.sock'),
		memoryMb: 700,
		log: createLog('silent'),
		entry,
		startTimeoutMs: 2_000,
	});
	await assert.rejects(second, /Another process may be using it/);
	assert.ok(await clickhouse.ping());
});

test('an engine waits for a former one that is still dying', async (t) => {
	const former = await engineFor(t);
	const lines: string[] = [];
	const next = startEngine({
		folder: join(former.dataFolder, 'clickhouse'),
		socketPath: join(former.dataFolder, 'engine.sock'),
		memoryMb: 700,
		log: createLog('debug', (line) => lines.push(line)),
		entry,
	});
	await until(() => lines.some((line) => line.includes('waiting for the engine folder')), 5_000);
	await former.engine.stop();
	const engine = await next;
	t.after(() => engine.stop());
	const clickhouse = createClickHouse(engine.connection, { log: createLog('silent') });
	assert.ok(await clickhouse.ping());
	await clickhouse.close();
});

test('stop lets a running insert finish and ends reads', async (t) => {
	const { engine, clickhouse, dataFolder, lines } = await engineFor(t);
	await clickhouse.script(
		'CREATE TABLE t (a UInt64) ENGINE = MergeTree ORDER BY a SETTINGS fsync_after_insert = 1',
	);
	const read = assert.rejects(
		clickhouse.rows(sql`SELECT sum(sipHash64(number)) FROM numbers(1000000000000)`),
	);
	const write = clickhouse.command(sql`INSERT INTO t SELECT sipHash64(number) FROM numbers(3000000)`, {
		as: 'ingest',
		queryId: 'write',
	});
	await until(
		async () =>
			(await clickhouse.rows(sql`SELECT 1 FROM system.processes WHERE query_id = 'write'`, { as: 'ingest' }))
				.length === 1,
		2_000,
	);
	const pid = engine.pid() ?? 0;
	await engine.stop();
	await write;
	await read;
	assert.ok(!isAlive(pid) && !engine.isUp());
	assert.ok(!lines.some((line) => line.includes('is killed') || line.includes('died')), lines.join(''));

	const again = await startEngine({
		folder: join(dataFolder, 'clickhouse'),
		socketPath: join(dataFolder, 'engine.sock'),
		memoryMb: 700,
		log: createLog('silent'),
		entry,
	});
	const client = createClickHouse(again.connection, { log: createLog('silent') });
	assert.deepEqual(await client.rows(sql`SELECT count() AS n FROM t`), [{ n: '3000000' }]);
	await client.close();
	await again.stop();
});

test('[F63] an engine that dies while it starts is started again, and one that always does is told with what to do', async (t) => {
	const folder = mkdtempSync(join(tmpdir(), 'tidemark-dying-'));
	t.after(() => rmSync(folder, { recursive: true }));
	const dying = (deaths: number) => {
		const file = join(folder, `dies-${deaths}.mjs`);
		const count = join(folder, `count-${deaths}`);
		writeFileSync(count, '');
		writeFileSync(
			file,
			`import { appendFileSync, readFileSync } from 'node:fs';
			appendFileSync(${JSON.stringify(count)}, 'x');
			if (readFileSync(${JSON.stringify(count)}, 'utf8').length <= ${deaths}) process.kill(process.pid, 'SIGKILL');
			await import(${JSON.stringify(entry.file)});`,
		);
		return { entry: { file, args: [] }, starts: () => readFileSync(count, 'utf8').length };
	};
	const once = dying(1);
	const { clickhouse, lines } = await engineFor(t, { entry: once.entry });
	assert.ok(await clickhouse.ping());
	assert.equal(once.starts(), 2);
	assert.match(lines.join(''), /engine exited during startup; retrying/);
	const always = dying(9);
	await assert.rejects(
		engineFor(t, { entry: always.entry }),
		/^Error: The ClickHouse engine exited during startup \(SIGKILL\)\..*TIDEMARK_ENGINE_MEMORY_MB\.$/,
	);
	assert.equal(always.starts(), 3);
});
