import { expireUpgradeBackups } from '../backup/before-upgrade.ts';
import { type DeletingJob, dropLeftClones } from '../backup/take.ts';
import { dropSetAside } from '../derive/damage.ts';
import type { SealServices } from '../derive/seal-types.ts';
import type { PendingEvents } from '../event-log/event-log.ts';
import type { ImportServices } from '../import/imports.ts';
import { renewEventIds } from '../import/renew-event-ids.ts';
import { runImports } from '../import/run-imports.ts';
import { warnOfExpiringKeys } from '../notify/mail/expiring-keys.ts';
import { sendMails } from '../notify/mail/queue.ts';
import type { Smtp } from '../notify/mail/smtp.ts';
import type { NotifyServices } from '../notify/notify.ts';
import { type EventServices, sendEvents } from '../notify/send-events.ts';
import { createAlertWatch } from '../notify/watch-alerts.ts';
import { watchGoalsReached } from '../notify/watch-goals.ts';
import { sendWebhooks, type WebhookServices } from '../notify/webhooks.ts';
import { deleteExpiredSignUps } from '../operator/sign-up.ts';
import { createReportJob, type ReportServices } from '../reports/make-due.ts';
import type { ClickHouse } from '../store/clickhouse.ts';
import { namedLock } from '../store/locks.ts';
import type { Postgres } from '../store/postgres.ts';
import { sql } from '../store/sql.ts';
import { applyRetention } from './apply-retention.ts';
import { deleteDeadGenerations } from './delete-dead-generations.ts';
import { deleteHiddenEvents } from './delete-hidden-events.ts';
import { eraseWebsites } from './erase-websites.ts';
import { createSealJob } from './seal-days.ts';
import { spreadLargeWebsites } from './spread-large-websites.ts';

/**
 * The optional services are missing where the feature is not configured. `dataFolder` contains the backups before upgrades.
 */
export type JobServices = SealServices & {
	eventLog: PendingEvents;
	dataFolder?: string;
	smtp?: Smtp | undefined;
	reports?: Pick<ReportServices, 'stats' | 'links' | 'quota'>;
	alerts?: NotifyServices & Pick<WebhookServices, 'vault' | 'outside'> & Pick<EventServices, 'webhooks'>;
	imports?: Pick<ImportServices, 'uploads' | 'reader' | 'turns'>;
};

type Job = { name: string; everyMs: number; run(services: JobServices): Promise<unknown> };

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const soonMs = minute;
/** How long damaged parts are kept for examination, unless websites are erased before. */
const setAsideDays = 7;

/** Scheduled jobs. Each run holds a PostgreSQL lock with the job's name, so only one process runs it at a time. */
const makeJobs = (watch = createAlertWatch()): readonly Job[] => [
	{ name: 'seal days', everyMs: 5 * second, run: createSealJob() },
	{ name: 'make reports', everyMs: minute, run: makeReports() },
	{
		name: 'send mails',
		everyMs: 5 * second,
		run: async ({ smtp, ...services }) => (smtp ? sendMails({ ...services, smtp }) : 0),
	},
	{
		name: 'warn of expiring keys',
		everyMs: hour,
		run: async ({ smtp, reports, postgres, now }) =>
			smtp && reports && warnOfExpiringKeys({ postgres, now, baseUrl: reports.links.baseUrl }),
	},
	{
		name: 'watch websites',
		everyMs: minute,
		run: async ({ alerts, reports, ...services }) =>
			alerts &&
			watch({
				...services,
				clickhouse: untilStop(services),
				...alerts,
				...(reports && {
					ask: (question, accountId, signal) =>
						reports.stats.ask(question, {
							principal: { kind: 'account', accountId },
							signal: AbortSignal.any([signal, services.signal]),
							isBackground: true,
						}),
				}),
			}),
	},
	{
		name: 'deliver alerts',
		everyMs: 5 * second,
		run: async ({ alerts, ...services }) => alerts && sendWebhooks({ ...services, ...alerts }),
	},
	{
		name: 'send events',
		everyMs: 5 * second,
		run: async ({ alerts, ...services }) => alerts && sendEvents({ ...services, ...alerts }),
	},
	{
		name: 'count goals for webhooks',
		everyMs: minute,
		run: (services) => watchGoalsReached({ ...services, clickhouse: untilStop(services) }),
	},
	{
		name: 'import',
		everyMs: 2 * second,
		run: async ({ imports, ...services }) => imports && runImports({ ...services, ...imports }, services),
	},
	{ name: 'renew event ids', everyMs: minute, run: renewEventIds },
	{ name: 'delete dead generations' satisfies DeletingJob, everyMs: 10 * minute, run: deleteDeadGenerations },
	{ name: 'erase websites' satisfies DeletingJob, everyMs: hour, run: eraseWebsites },
	{
		name: 'delete hidden events' satisfies DeletingJob,
		everyMs: 10 * minute,
		run: deleteHiddenEvents,
	},
	{
		name: 'drop what a backup left',
		everyMs: hour,
		run: (services) => dropLeftClones(services.postgres, untilStop(services)),
	},
	{
		name: 'delete damaged parts',
		everyMs: hour,
		run: (services) => dropSetAside(services, { signal: services.signal, olderThanDays: setAsideDays }),
	},
	{ name: 'apply retention' satisfies DeletingJob, everyMs: 24 * hour, run: applyRetention },
	{
		name: 'expire upgrade backups',
		everyMs: hour,
		run: async ({ dataFolder, now }) => dataFolder && expireUpgradeBackups(dataFolder, now),
	},
	{
		name: 'delete expired sign-ups',
		everyMs: hour,
		run: ({ postgres, now }) => deleteExpiredSignUps(postgres, now),
	},
	{ name: 'spread large websites', everyMs: hour, run: spreadLargeWebsites },
];

/** For jobs that pass no signal: stopping aborts their statements. */
const untilStop = ({ clickhouse, signal }: Pick<JobServices, 'clickhouse' | 'signal'>): ClickHouse => ({
	...clickhouse,
	rows: (query, options) => clickhouse.rows(query, { signal, ...options }),
	command: (query, options) => clickhouse.command(query, { signal, ...options }),
});

function makeReports(): Job['run'] {
	const run = createReportJob();
	return async ({ smtp, reports, ...services }) =>
		reports ? run({ ...services, ...reports, hasMail: smtp !== undefined }) : 0;
}

export function startJobs(others: Omit<JobServices, 'signal'>): { stop(): Promise<void> } {
	const stopping = new AbortController();
	const services: JobServices = { ...others, signal: stopping.signal };
	const running = new Map<string, Promise<void>>();
	// Also soon after the start, because daily jobs would never run on a server that is restarted every day.
	const timers = makeJobs().flatMap((job) => {
		const start = () => {
			if (running.has(job.name)) return;
			running.set(
				job.name,
				runJob(job, services).finally(() => running.delete(job.name)),
			);
		};
		return [setTimeout(start, Math.min(soonMs, job.everyMs)), setInterval(start, job.everyMs)];
	});
	return {
		async stop() {
			for (const timer of timers) clearInterval(timer);
			stopping.abort();
			await Promise.all(running.values());
		},
	};
}

async function runJob(job: Job, services: JobServices): Promise<void> {
	const { postgres, log } = services;
	try {
		await holding(postgres, job.name, () => job.run(services));
	} catch (error) {
		if (!services.signal.aborted) log.error({ error, job: job.name }, 'job failed; retrying');
	}
}

/** Runs the work if the lock is free. PostgreSQL releases the lock if the process dies. */
export async function holding(postgres: Postgres, name: string, work: () => Promise<unknown>): Promise<void> {
	const holder = await postgres.dedicatedConnection(() => undefined);
	try {
		const [lock] = await holder.rows<{ taken: boolean }>(
			sql`SELECT pg_try_advisory_lock(${namedLock('job', name)}) AS taken`,
		);
		if (lock?.taken) await work();
	} finally {
		await holder.end();
	}
}
