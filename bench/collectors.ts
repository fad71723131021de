/**
 * Four collector processes append to one event log while one writer moves it and a reader is held open for ten seconds:
 * nothing may be lost, appends stay quick, and the log's table stays small.
 */
import { fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { readConfig } from '../server/config.ts';
import { createPostgresLog } from '../server/event-log/postgres-log.ts';
import { systemClock } from '../server/lib/clock.ts';
import { createLog } from '../server/lib/log.ts';
import { openStores } from '../server/main.ts';
import { sql } from '../server/store/sql.ts';
import { startWriter } from '../server/write/writer.ts';
import type { CollectorReport } from './collector-process.ts';
import { percentile, printTable } from './table.ts';

const seconds = Number(process.argv[2] ?? 60);
const folder = mkdtempSync(join(tmpdir(), 'tidemark-bench-'));
const log = createLog('error');
const stores = await openStores(readConfig({ TIDEMARK_DATA: folder }), { log, statistics: true });
try {
	const { postgres, clickhouse, postgresConnection } = stores;
	if (!clickhouse || !postgresConnection) throw new Error('The embedded stores did not start.');
	await postgres.script(`
		INSERT INTO accounts (name, email, locale, timezone, created_at) VALUES ('B', 'b@example.test', 'en', 'UTC', now());
		INSERT INTO websites (account_id, domain, privacy, email, exclude_bots, timezone, created_at, updated_at)
		SELECT id, 'example.com', 1, false, true, 'UTC', now(), now() FROM accounts`);
	const eventLog = createPostgresLog(postgres, { log, maxWaiting: 1_000, maxLogBytes: 1e12 });
	const writer = startWriter({ postgres, clickhouse, eventLog, now: systemClock, log });

	const collectors = [0, 1, 2, 3].map(
		(number) =>
			new Promise<CollectorReport>((resolve, reject) => {
				const child = fork(join(import.meta.dirname, 'collector-process.ts'));
				child.once('message', (report) => resolve(report as CollectorReport));
				child.once('exit', (code) => code !== 0 && reject(new Error(`A collector ended with ${code}.`)));
				child.send({ connection: postgresConnection, number, seconds });
			}),
	);
	// A transaction that sees an old moment keeps PostgreSQL from clearing away what died since.
	const reader = new pg.Client(postgresConnection);
	await reader.connect();
	await sleep(seconds * 200);
	await reader.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
	await reader.query('SELECT count(*) FROM event_log');
	let largest = 0;
	const watch = setInterval(() => {
		postgres.rows<{ bytes: number }>(sql`SELECT pg_total_relation_size('event_log') AS bytes`).then(
			([row]) => {
				largest = Math.max(largest, row?.bytes ?? 0);
			},
			() => undefined,
		);
	}, 500);
	await sleep(10_000);
	await reader.end();
	const reports = await Promise.all(collectors);
	await writer.drain();
	clearInterval(watch);
	const appended = reports.reduce((sum, report) => sum + report.appended, 0);
	const [counted] = await clickhouse.rows<{ n: string; distinct: string }>(
		sql`SELECT count() AS n, uniqExact(event_id) AS distinct FROM events`,
	);
	await writer.stop();
	await eventLog.close();
	const times = reports.flatMap((report) => report.times);
	printTable(
		[`four collectors for ${seconds} s`, 'figure'],
		[
			['appended', appended],
			['a second', Math.round(appended / seconds)],
			['in ClickHouse', Number(counted?.n)],
			['lost', appended - Number(counted?.distinct)],
			['twice', Number(counted?.n) - Number(counted?.distinct)],
			['append p50 ms', percentile(times, 0.5).toFixed(1)],
			['append p99 ms', percentile(times, 0.99).toFixed(1)],
			["largest size of the log's table, MB", (largest / 1e6).toFixed(1)],
		],
	);
	if (appended !== Number(counted?.n)) process.exitCode = 1;
} finally {
	await stores.close();
	rmSync(folder, { recursive: true, force: true });
}
