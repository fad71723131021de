import { createOpenDays } from '../../server/derive/open-days.ts';
import { sealDays } from '../../server/derive/seal.ts';
import { pendingInTable } from '../../server/event-log/postgres-log.ts';
import type { Clock } from '../../server/lib/clock.ts';
import { createLog } from '../../server/lib/log.ts';
import { createReportJob, type ReportServices } from '../../server/reports/make-due.ts';
import type { Report } from '../../server/reports/report.ts';
import { createStats } from '../../server/stats/answer/ask.ts';
import { createResultCache } from '../../server/stats/answer/result-cache.ts';
import { openPostgres } from '../../server/store/postgres.ts';
import { sql, value } from '../../server/store/sql.ts';
import { holdJobs } from './hold-jobs.ts';
import { sealServices } from './sealing.ts';
import type { World } from './world.ts';

export type MadeReport = {
	website_id: number;
	account_id: number;
	kind: string;
	from: string;
	is_provisional: boolean;
	awaits_digest: boolean;
	content: Report;
};

/** What makes reports, on the stores of a world and by a clock of the test's own. */
export async function reporting(w: World, t: { after(work: () => Promise<void>): void }, now: Clock) {
	const lines: string[] = [];
	const log = createLog('debug', (line) => lines.push(line));
	const postgres = openPostgres(w.postgresTarget, { log, connections: 4 });
	const { clickhouse } = w;
	const openDays = createOpenDays({ postgres, clickhouse, now, log });
	// The seals of the service know nothing of days that were stored past the writer, and would leave them open.
	const holder = await holdJobs(postgres, 'make reports', 'seal days');
	t.after(async () => {
		await holder.end().catch(() => undefined);
		await openDays.close();
		await postgres.close();
	});
	const services: ReportServices = {
		...{ postgres, eventLog: pendingInTable(postgres), now, log, hasMail: true },
		links: { baseUrl: () => w.publicUrl, key: Buffer.alloc(32, 7) },
		quota: { perAccount: 1_000, inAll: 10_000, log },
		stats: createStats({
			postgres,
			clickhouse,
			openDays,
			results: createResultCache(),
			now,
			engineMemoryMb: undefined,
		}),
		signal: new AbortController().signal,
	};
	return {
		services,
		log: () => lines.join(''),
		/** One run of the job, by a process that remembers nothing. */
		run: (given: Partial<ReportServices> = {}) => createReportJob()({ ...services, ...given }),
		/** All days of a website that have anything. */
		async seal(websiteId: number): Promise<void> {
			const days = await postgres.rows<{ websiteId: number; date: string }>(
				sql`SELECT website_id AS "websiteId", date::text AS date FROM days WHERE website_id = ${value(websiteId)}`,
			);
			const { failures } = await sealDays(sealServices({ postgres, clickhouse, now, log }), days, 'whole');
			for (const { error } of failures) throw error;
			// Stored past the writer, they have a batch that was never numbered.
			await postgres.run(
				sql`UPDATE days SET sealed_batch = last_batch WHERE website_id = ${value(websiteId)}`,
			);
		},
		reports: (): Promise<MadeReport[]> =>
			postgres.rows(sql`
				SELECT website_id, account_id, kind, from_day::text AS from, is_provisional, awaits_digest, content
				FROM reports ORDER BY id`),
		mails: (): Promise<{ key: string; recipient: string; state: string }[]> =>
			postgres.rows(sql`SELECT key, recipient, state FROM outbox ORDER BY id`),
	};
}
