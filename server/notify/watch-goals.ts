/**
 * Queues `goal.reached` for webhooks: one event per goal and window of five minutes in which the goal was reached, with the count. The
 * end of the last window is stored in the transaction that queues its events, so windows neither overlap nor leave gaps. A window
 * is counted two minutes after its end, and only when its events are written.
 */
import type { GoalTest } from '../derive/goal-property.ts';
import type { PendingEvents } from '../event-log/event-log.ts';
import type { Clock } from '../lib/clock.ts';
import { dayMs, minuteMs } from '../lib/durations.ts';
import { type StatsContextRow, statsContextColumns } from '../stats/question/stats-context.ts';
import type { ClickHouse } from '../store/clickhouse.ts';
import type { Postgres, Queries } from '../store/postgres.ts';
import { sql, value } from '../store/sql.ts';
import { type AccountEvent, listSubscribedWebsites, queueEvents } from '../webhooks/queue-events.ts';
import { toZones } from '../websites/zones.ts';
import { countGoals, type WatchedGoal } from './count-goals.ts';
import { isWritten } from './watch-alerts.ts';

type Services = { postgres: Postgres; clickhouse: ClickHouse; eventLog: PendingEvents; now: Clock };

const windowMs = 5 * minuteMs;
const delayMs = 2 * minuteMs;
/** After a longer stop, earlier goals are not reported. */
const maxWindowMs = dayMs;

export async function watchGoalsReached({ postgres, clickhouse, eventLog, now }: Services): Promise<void> {
	const toMs = Math.floor((now().getTime() - delayMs) / windowMs) * windowMs;
	const [watching] = await postgres.rows<{ until: Date | null }>(
		sql`SELECT goals_until AS until FROM watching`,
	);
	// The job that watches alerts inserts the row.
	if (!watching || (watching.until && watching.until.getTime() >= toMs)) return;
	const fromMs = Math.max(watching.until?.getTime() ?? toMs, toMs - maxWindowMs);
	const goals = fromMs < toMs ? await listGoalsOfWebhooks(postgres, fromMs) : [];
	if (goals.length > 0 && !(await isWritten(eventLog))) return;
	const counts = await countGoals(clickhouse, goals, { fromMs, toMs });
	const events = goals.flatMap((goal): AccountEvent[] => {
		const count = counts.get(goal.id);
		if (count === undefined) return [];
		const { id, name, accountId, websiteId, domain } = goal;
		return [
			{
				type: 'goal.reached',
				accountId,
				websiteId,
				data: {
					website: { id: websiteId, domain },
					goal: { id, name },
					from: new Date(fromMs).toISOString(),
					to: new Date(toMs).toISOString(),
					count,
				},
			},
		];
	});
	await postgres.transaction(async (tx) => {
		const changed = await tx.run(sql`
			UPDATE watching SET goals_until = ${value(new Date(toMs))}
			WHERE goals_until IS NOT DISTINCT FROM ${value(watching.until)}::timestamptz`);
		if (changed > 0) await queueEvents(tx, now, events);
	});
}

type GoalRow = Omit<WatchedGoal, 'zones' | 'sinceMs' | 'resetAt'> &
	StatsContextRow & { name: string; accountId: number; domain: string };

/** The goals of websites with a webhook for them. */
async function listGoalsOfWebhooks(
	postgres: Queries,
	sinceMs: number,
): Promise<(WatchedGoal & Pick<GoalRow, 'name' | 'accountId' | 'domain'>)[]> {
	const subscribed = await listSubscribedWebsites(postgres, 'goal.reached');
	if (subscribed.length === 0) return [];
	const rows = await postgres.rows<GoalRow & { propertyTest: GoalTest | null }>(sql`
		SELECT g.id, g.website_id AS "websiteId", websites.account_id AS "accountId",
			coalesce(websites.domain_unicode, websites.domain) AS domain, ${statsContextColumns}, g.name, g.kind AS "goalKind", g.pattern,
			g.property_name AS "propertyName", g.property_value AS "propertyValue", g.property_test AS "propertyTest"
		FROM goals g JOIN websites ON websites.id = g.website_id
		WHERE websites.id = ANY(${value(subscribed.map(({ id }) => id))}::bigint[]) ORDER BY g.id`);
	return rows.map((row) => ({ ...row, zones: toZones(row.zones), sinceMs }));
}
