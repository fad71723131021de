/**
 * The next version migrates while this one collects. What its migrations might do is done by some that are made up: columns of
 * tables that every hit reads, an index on a large table, a table, a column in ClickHouse; and a reader that holds what they need.
 *
 * MIGRATE_RATE=2000 MIGRATE_SECONDS=30 SEED=7 node scripts/test.ts test/faults/migrate-under-load.solo.test.ts
 */
import assert from 'node:assert/strict';
import { cpSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { lagOf } from '../../server/event-log/postgres-log.ts';
import { createLog } from '../../server/lib/log.ts';
import { createClickHouse } from '../../server/store/clickhouse.ts';
import { migrate } from '../../server/store/migrate.ts';
import { openPostgres } from '../../server/store/postgres.ts';
import { startClickHouseServer } from '../support/clickhouse-server.ts';
import { client } from '../support/client.ts';
import { websiteOf } from '../support/contract.ts';
import { createLedger, faultsOf, inWords } from '../support/ledger.ts';
import { oneSecret } from '../support/one-secret.ts';
import { startPostgresServer } from '../support/postgres-server.ts';
import { seededRandom } from '../support/random.ts';
import { noonZone, percentile, sendSteadily } from '../support/rolling.ts';
import { startServiceProcess, temporaryFolder, tidemark, until } from '../support/service.ts';

const perSecond = Number(process.env.MIGRATE_RATE) || 200;
const seconds = Number(process.env.MIGRATE_SECONDS) || 8;

const next = {
	postgres: [
		'ALTER TABLE websites ADD COLUMN more text; ALTER TABLE tombstones ADD COLUMN more text;',
		"ALTER TABLE website_zones ADD COLUMN more integer NOT NULL DEFAULT 7; ALTER TABLE event_log ADD COLUMN more text NOT NULL DEFAULT '';",
		'CREATE TABLE next_things (id bigint PRIMARY KEY, website_id bigint NOT NULL); CREATE INDEX days_by_batch ON days (last_batch);',
	],
	clickhouse: ['ALTER TABLE events ADD COLUMN IF NOT EXISTS more UInt8'],
};

test(`[F28] the next version migrates at ${perSecond} hits a second: no hit fails or waits for a lock, and this version goes on`, async (t) => {
	const random = seededRandom();
	t.diagnostic(`seed ${random.seed}`);
	const server = await startPostgresServer();
	t.after(() => server.stop());
	const clickhouseServer = await startClickHouseServer(t);
	const settings = {
		...{ DATABASE_URL: server.url, CLICKHOUSE_URL: clickhouseServer.url, TIDEMARK_SECRET: oneSecret },
		TIDEMARK_WEBSITE_HIT_LIMIT: '100000',
	};
	const service = await startServiceProcess(t, { settings });
	const made = await tidemark(
		[
			...['account', 'create', '--json', '--data', service.folder],
			...['--email', 'a@example.test', '--name', 'A'],
		],
		{ settings },
	);
	const api = client(service.base, JSON.parse(made.stdout).key);
	const form = { domain: 'a.example', timezone: noonZone() };
	const websites = [websiteOf(await api('POST', '/websites', { form }), 201)];

	const folder = join(temporaryFolder(t), 'migrations');
	cpSync(join(import.meta.dirname, '..', '..', 'migrations'), folder, { recursive: true });
	for (const [name, texts] of Object.entries(next)) {
		const last = readdirSync(join(folder, name)).length;
		for (const [index, text] of texts.entries())
			writeFileSync(
				join(folder, name, `${String(last + index + 1).padStart(4, '0')}_next_${index}.sql`),
				text,
			);
	}
	const log = createLog('silent', () => undefined);
	const postgres = openPostgres({ connectionString: server.url }, { log });
	t.after(() => postgres.close());
	const clickhouse = createClickHouse(clickhouseServer.url, { log });
	t.after(() => clickhouse.close());
	const reader = new pg.Client({ connectionString: server.url });
	await reader.connect();
	// The server is stopped first when the test has failed.
	reader.on('error', () => undefined);
	const watcher = new pg.Client({ connectionString: server.url });
	await watcher.connect();
	// The server is stopped first when the test has failed.
	watcher.on('error', () => undefined);

	const ledger = createLedger();
	const load = sendSteadily({ ledger, base: service.base, websites, random, perSecond, visitors: 20 });
	await sleep((seconds * 1000) / 3);
	const before = load.times.splice(0);

	let longestWaitMs = 0;
	let isOver = false;
	const watching = (async () => {
		while (!isOver) {
			const { rows } = await watcher.query<{ ms: number }>(`
				SELECT coalesce(max(extract(epoch FROM clock_timestamp() - waitstart)) * 1000, 0)::float8 AS ms
				FROM pg_locks WHERE NOT granted AND relation IS NOT NULL`);
			longestWaitMs = Math.max(longestWaitMs, rows[0]?.ms ?? 0);
			await sleep(10);
		}
	})();
	// Such as a report or a backup: whoever waits for what it reads makes every hit wait behind.
	await reader.query('BEGIN');
	await reader.query('SELECT count(*) FROM websites');
	const began = performance.now();
	const migrating = migrate({ postgres, clickhouse, folder, log });
	await sleep(2_000);
	await reader.query('COMMIT');
	await migrating;
	const took = Math.round(performance.now() - began);
	isOver = true;
	await watching;
	await Promise.all([reader.end(), watcher.end()]);
	const during = load.times.splice(0);
	await sleep((seconds * 1000) / 3);
	await load.end();

	const words = (times: readonly number[]) =>
		`p50 ${percentile(times, 0.5)}, p99 ${percentile(times, 0.99)}, longest ${percentile(times, 1)} ms`;
	t.diagnostic(`before: ${words(before)}`);
	t.diagnostic(
		`during ${took} ms of migrations: ${words(during)}; longest wait for a lock ${Math.round(longestWaitMs)} ms`,
	);
	t.diagnostic(`after: ${words(load.times)}`);
	assert.deepEqual([...load.failures], []);
	assert.ok(longestWaitMs < 1_000, `somebody waited ${longestWaitMs} ms for a lock`);
	await until(async () => (await lagOf(postgres)).rows === 0, 30_000, 'the log is written');
	const verdict = await ledger.judge(clickhouse);
	t.diagnostic(inWords(verdict));
	assert.deepEqual(faultsOf(verdict), []);

	// This version works on the schema of the next one, as long as it runs; it does not start on it.
	assert.equal(
		(await api('GET', `/websites/${websites[0]?.id}/stats?period=today&metrics=pageviews`)).status,
		200,
	);
	assert.equal(
		(await api('PUT', `/websites/${websites[0]?.id}`, { form: { domain: 'b.example' } })).status,
		200,
	);
	assert.equal((await api('POST', '/websites', { form: { domain: 'c.example' } })).status, 201);
	assert.equal(await service.stop(), 0);
	const refused = await tidemark(['serve', '--port', '0', '--data', service.folder], { settings });
	assert.equal(refused.code, 1);
	assert.match(refused.stderr, /newer than this program/);
});
