import { eventsAtOnce } from '../derive/seal.ts';
import { importing } from '../import/imports.ts';
import { startJobs } from '../jobs/schedule.ts';
import { createOutside } from '../lib/fetch-outside.ts';
import { createSmtp } from '../mail/smtp.ts';
import type { Stats } from '../stats/ask.ts';
import { listCountedGoals } from '../stats/goals.ts';
import type { ClickHouse } from '../store/clickhouse.ts';
import type { EventLog } from '../store/event-log.ts';
import type { Base } from './base.ts';
import { startLater } from './start-later.ts';
import type { Telling } from './telling.ts';

/** What is done by the clock. Of several processes one does each job. */
export function openJobs(
	{ config, postgres, now, log, opened }: Base,
	of: { clickhouse: ClickHouse; eventLog: EventLog; stats: Stats; telling: Telling; ready: Promise<void> },
): void {
	const { clickhouse, eventLog, stats, telling } = of;
	const { mail, links, quota, vault, alerts } = telling;
	const smtp = mail && createSmtp(mail);
	opened.push(async () => smtp?.close());
	const jobs = startLater(of.ready, () =>
		startJobs({
			...{ postgres, clickhouse, eventLog, now, log, atOnce: { events: eventsAtOnce }, smtp },
			reports: { stats, links, quota },
			alerts: { ...alerts, outside: createOutside(vault) },
			imports: importing(config),
			goalsOf: (websiteIds) => listCountedGoals(postgres, websiteIds),
		}),
	);
	opened.push(() => jobs.stop());
}
