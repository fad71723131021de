/** One of the collectors of bench/collectors.ts: appends groups as hits would, and notes how long each took. */
import { setTimeout as sleep } from 'node:timers/promises';
import { createPostgresLog } from '../server/event-log/postgres-log.ts';
import { createLog } from '../server/lib/log.ts';
import type { PostgresConnection } from '../server/store/embedded-postgres.ts';
import { openPostgres } from '../server/store/postgres.ts';
import { makeLoggedEvents } from './logged-events.ts';

export type CollectorReport = { appended: number; times: number[] };

const perAppend = 5;
const atOnce = 8;
/** Four of these make the load that one box is meant to carry. */
const perSecond = 1_250;

process.once(
	'message',
	async ({
		connection,
		number,
		seconds,
	}: {
		connection: PostgresConnection;
		number: number;
		seconds: number;
	}) => {
		const log = createLog('error');
		const postgres = openPostgres(connection, { log, connections: 3 });
		const eventLog = createPostgresLog(postgres, { log, maxWaiting: 10_000, maxLogBytes: 1e12 });
		const report: CollectorReport = { appended: 0, times: [] };
		const until = performance.now() + seconds * 1000;
		let next = number * 100_000_000;
		const send = async () => {
			while (performance.now() < until) {
				const events = makeLoggedEvents(perAppend, { websiteId: 1, first: next, date: '2026-11-15' });
				next += perAppend;
				const began = performance.now();
				await eventLog.append(events);
				report.times.push(performance.now() - began);
				report.appended += perAppend;
				await sleep(Math.max(0, (1000 * perAppend * atOnce) / perSecond - (performance.now() - began)));
			}
		};
		await Promise.all(Array.from({ length: atOnce }, send));
		await eventLog.close();
		await postgres.close();
		process.send?.(report, () => process.exit(0));
	},
);
