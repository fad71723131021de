import { type GoalTest, passesGoal } from '../derive/goal-property.ts';
import { forStatements, type HiddenEvents, isVisibleOf } from '../derive/hidden-events.ts';
import { patternToLike } from '../derive/text-tests.ts';
import { chunk } from '../lib/chunk.ts';
import { dayMs } from '../lib/durations.ts';
import type { ClickHouse } from '../store/clickhouse.ts';
import { param, sql } from '../store/sql.ts';
import { dateOf, type Zones } from '../websites/zones.ts';
import type { Window } from './count-windows.ts';

export type WatchedGoal = {
	/** What the result is named by: an alert or a goal. */
	id: number;
	websiteId: number;
	zones: Zones;
	resetAt: Date | null;
	hidden?: HiddenEvents | null;
	/** Earlier events do not count. */
	sinceMs: number;
	goalKind: 'page' | 'event' | null;
	pattern: string;
	propertyName: string | null;
	propertyValue: string | null;
	propertyTest: GoalTest | null;
};

const goalsPerStatement = 1_000;

/** How often goals of many websites were reached in a window, with few statements. Those that were not reached are missing. */
export async function countGoals(
	clickhouse: ClickHouse,
	goals: readonly WatchedGoal[],
	window: Window,
): Promise<Map<number, number>> {
	const { shared, own } = forStatements(goals, window.fromMs);
	const ownStatements = Map.groupBy(own, ({ websiteId }) => websiteId).values();
	const counts = new Map<number, number>();
	for (const some of [...chunk(shared, goalsPerStatement), ...ownStatements])
		for (const { goal, times } of await countSomeGoals(clickhouse, some, window))
			counts.set(Number(goal), Number(times));
	return counts;
}

function countSomeGoals(
	clickhouse: ClickHouse,
	watched: readonly WatchedGoal[],
	{ fromMs, toMs }: Window,
): Promise<{ goal: number; times: number }[]> {
	const listOf = <T>(type: string, pick: (goal: WatchedGoal) => T) =>
		param(`Array(${type})`, watched.map(pick));
	const moments = [toMs - 1];
	for (let ms = fromMs; ms < toMs; ms += dayMs) moments.push(ms);
	const dates = new Set(watched.flatMap(({ zones }) => moments.map((ms) => dateOf(zones, ms).date)));
	return clickhouse.rows<{ goal: number; times: number }>(
		sql`
	SELECT id AS goal, count() AS times
	FROM (
		SELECT website_id, kind, name, path, properties, toUnixTimestamp64Milli(time) AS ms
		FROM events
		WHERE website_id IN ${listOf('UInt32', ({ websiteId }) => websiteId)} AND date IN ${param('Array(Date)', [...dates])}
			AND time >= fromUnixTimestamp64Milli(${param('Int64', fromMs)}, 'UTC')
			AND time < fromUnixTimestamp64Milli(${param('Int64', toMs)}, 'UTC')
			AND kind IN ('pageview', 'custom')
			${isVisibleOf(hiddenOf(watched), fromMs)}
	) AS e
	INNER JOIN (
		-- One row per goal.
		SELECT
			goal.1 AS id, goal.2 AS website_id, goal.3 AS since, goal.4 AS is_page, goal.5 AS pattern,
			goal.6 AS property, goal.7 AS property_value, goal.8 AS property_test, goal.9 AS property_like
		FROM (
			SELECT arrayJoin(arrayZip(
				${listOf('UInt64', ({ id }) => id)},
				${listOf('UInt32', ({ websiteId }) => websiteId)},
				${listOf('Int64', ({ sinceMs, resetAt }) => Math.max(sinceMs, resetAt?.getTime() ?? 0))},
				${listOf('UInt8', ({ goalKind }) => (goalKind === 'page' ? 1 : 0))},
				${listOf('String', ({ pattern }) => patternToLike(pattern))},
				${listOf('String', ({ propertyName }) => propertyName ?? '')},
				${listOf('String', ({ propertyValue }) => propertyValue ?? '')},
				${listOf('String', ({ propertyTest }) => propertyTest ?? '')},
				${listOf('String', ({ propertyTest, propertyValue }) => (propertyTest === 'wildcard' ? patternToLike(propertyValue ?? '') : ''))}
			)) AS goal
		)
	) AS g USING (website_id)
	WHERE ms >= since
		AND if(is_page, kind = 'pageview' AND path LIKE pattern, kind = 'custom' AND toString(name) LIKE pattern)
		AND (property = '' OR (mapContains(properties, property) AND ${passesGoal(sql`properties[property]`, {
			test: sql`property_test`,
			value: sql`property_value`,
			like: sql`property_like`,
		})}))
	GROUP BY id`,
		{ name: 'watch goals', settings: { max_execution_time: 20, max_threads: 2 } },
	);
}

/** Each website once. */
const hiddenOf = (watched: readonly WatchedGoal[]) =>
	new Map(watched.map(({ websiteId: id, hidden }) => [id, { id, hidden }])).values().toArray();
