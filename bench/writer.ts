/**
 * The writer alone: how fast it moves a full log into ClickHouse, as a ratio to a bare insert of the same bytes through the
 * same door, interleaved, median of the rounds.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../server/config.ts';
import { createPostgresLog } from '../server/event-log/postgres-log.ts';
import { systemClock } from '../server/lib/clock.ts';
import { createLog } from '../server/lib/log.ts';
import { openStores } from '../server/main.ts';
import { startWriter } from '../server/write/writer.ts';
import { makeLoggedEvents } from './logged-events.ts';
import { median, printTable } from './table.ts';

const perRound = Number(process.argv[2] ?? 100_000);
const rounds = 5;
const folder = mkdtempSync(join(tmpdir(), 'tidemark-bench-'));
const log = createLog('error');
const stores = await openStores(readConfig({ TIDEMARK_DATA: folder }), { log, statistics: true });
try {
	const { postgres, clickhouse } = stores;
	if (!clickhouse) throw new Error('There is no ClickHouse.');
	await postgres.script(`
		INSERT INTO accounts (name, email, locale, timezone, created_at) VALUES ('B', 'b@example.test', 'en', 'UTC', now());
		INSERT INTO websites (account_id, domain, privacy, email, exclude_bots, timezone, created_at, updated_at)
		SELECT id, 'example.com', 1, false, true, 'UTC', now(), now() FROM accounts`);
	const eventLog = createPostgresLog(postgres, { log, maxWaiting: 1_000_000, maxLogBytes: 1e12 });
	const rows: (string | number)[][] = [];
	const ratios: number[] = [];
	for (let round = 0; round < rounds; round++) {
		const makeHalf = (half: number) =>
			makeLoggedEvents(perRound, { websiteId: 1, first: (round * 2 + half) * perRound, date: '2026-11-15' });

		const bare = makeHalf(0).map((event) => event.line);
		const bareBegan = performance.now();
		for (let start = 0; start < bare.length; start += 10_000) {
			await clickhouse.insert({
				table: 'events',
				lines: bare.slice(start, start + 10_000).join('\n'),
				token: `bare-${round}-${start}`,
			});
		}
		const bareMs = performance.now() - bareBegan;

		const events = makeHalf(1);
		for (let start = 0; start < events.length; start += 500)
			await eventLog.append(events.slice(start, start + 500));
		const began = performance.now();
		const writer = startWriter({ postgres, clickhouse, eventLog, now: systemClock, log });
		await writer.drain();
		const ms = performance.now() - began;
		await writer.stop();
		ratios.push(bareMs / ms);
		rows.push([
			round + 1,
			Math.round((perRound / ms) * 1000),
			Math.round((perRound / bareMs) * 1000),
			(bareMs / ms).toFixed(2),
		]);
	}
	await eventLog.close();
	printTable(['round', 'the writer, rows/s', 'bare insert, rows/s', 'ratio'], rows);
	console.log(`\nmedian ratio ${median(ratios).toFixed(2)}`);
} finally {
	await stores.close();
	rmSync(folder, { recursive: true, force: true });
}
