import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import type { ClickHouse } from '../store/clickhouse.ts';
import type { Postgres } from '../store/postgres.ts';
import { sql, value } from '../store/sql.ts';
import { eraseWebsites } from './erase-websites.ts';

export type JobServices = { postgres: Postgres; clickhouse: ClickHouse; now: Clock; log: Log };

type Job = { name: string; everyMs: number; run(services: JobServices): Promise<unknown> };

const hour = 3_600_000;
const soonMs = 60_000;

/** What is done by the clock. Of several processes one does it: each run holds a lock of its name in PostgreSQL. */
const jobs: readonly Job[] = [{ name: 'erase websites', everyMs: hour, run: eraseWebsites }];

export function startJobs(services: JobServices): { stop(): Promise<void> } {
	const running = new Set<Promise<void>>();
	// Also soon after the start: a box that is restarted every day would otherwise never come to what is done by the day.
	const timers = jobs.flatMap((job) => {
		const start = () => {
			const run = runJob(job, services).finally(() => running.delete(run));
			running.add(run);
		};
		return [setTimeout(start, soonMs), setInterval(start, job.everyMs)];
	});
	return {
		async stop() {
			for (const timer of timers) clearInterval(timer);
			await Promise.all(running);
		},
	};
}

async function runJob(job: Job, services: JobServices): Promise<void> {
	const { postgres, log } = services;
	try {
		const holder = await postgres.hold(() => undefined);
		try {
			const [lock] = await holder.rows<{ taken: boolean }>(
				sql`SELECT pg_try_advisory_lock(hashtextextended(${value(job.name)}, 7461005)) AS taken`,
			);
			if (lock?.taken) await job.run(services);
		} finally {
			await holder.end();
		}
	} catch (error) {
		log.error({ error, job: job.name }, 'a job failed and will be tried again');
	}
}
