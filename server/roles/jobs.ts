import { maxEventsPerStatement } from '../derive/seal.ts';
import type { EventLog } from '../event-log/event-log.ts';
import { importing } from '../import/imports.ts';
import { startJobs } from '../jobs/schedule.ts';
import { createSafeFetch } from '../lib/safe-fetch.ts';
import { createSmtp } from '../notify/mail/smtp.ts';
import type { Stats } from '../stats/answer/ask.ts';
import { listCountedGoals } from '../stats/question/goals.ts';
import type { ClickHouse } from '../store/clickhouse.ts';
import type { RoleContext } from './context.ts';
import type { Notifications } from './notifications.ts';
import { startLater } from './start-later.ts';

/** Scheduled jobs. Of several processes, one runs each job. */
export function openJobs(
	{ config, postgres, now, log, opened }: RoleContext,
	services: {
		clickhouse: ClickHouse;
		eventLog: EventLog;
		stats: Stats;
		notifications: Notifications;
		ready: Promise<void>;
	},
): void {
	const { clickhouse, eventLog, stats, ready } = services;
	const { mail, links, quota, vault, alerts, webhooks } = services.notifications;
	const smtp = mail && createSmtp(mail);
	opened.push(async () => smtp?.close());
	const jobs = startLater(ready, () =>
		startJobs({
			postgres,
			clickhouse,
			eventLog,
			now,
			log,
			atOnce: { events: maxEventsPerStatement },
			smtp,
			dataFolder: config.dataFolder,
			reports: { stats, links, quota },
			alerts: { ...alerts, outside: createSafeFetch(vault), webhooks },
			imports: importing(config),
			goalsOf: (websiteIds) => listCountedGoals(postgres, websiteIds),
		}),
	);
	opened.push(() => jobs.stop());
}
