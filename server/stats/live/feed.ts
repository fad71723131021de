/**
 * What members see of the last half hour besides the numbers: recent events, and the current page and device of each current
 * visitor as counts.
 *
 * An event carries nothing that identifies a visitor or links it to another event: no id, no country, browser or device, no
 * properties and no exact time. The source stands only on the page view that begins a visit, of which there is one.
 */
import { isVisible } from '../../derive/hidden-events.ts';
import type { ClickHouse } from '../../store/clickhouse.ts';
import { param, sql } from '../../store/sql.ts';
import { dateOf } from '../../websites/zones.ts';
import type { StatsWebsite } from '../question/question.ts';
import { currentVisitorsMs, type LiveRow, maxRows } from './live.ts';

export type FeedEvent = {
	/** Start of its minute. */
	time: Date;
	/** Null for a page view. */
	name: string | null;
	page: string;
	/** Of the first page view of a visit; empty: direct. Null for all others. */
	source: string | null;
};

export type LiveFeed = { asOf: Date; events: FeedEvent[]; currentPages: LiveRow[]; devices: LiveRow[] };

const feedMs = 30 * 60_000;
const maxEvents = 50;

export async function readFeed(
	clickhouse: ClickHouse,
	{ id, zones, resetAt, hidden }: Pick<StatsWebsite, 'id' | 'zones' | 'resetAt' | 'hidden'>,
	{ now, signal }: { now: Date; signal: AbortSignal },
): Promise<LiveFeed> {
	const nowMs = now.getTime();
	const since = (ms: number) => {
		const firstMs = Math.max(nowMs - ms, resetAt ?? 0);
		const dates = [...new Set([firstMs, nowMs].map((at) => dateOf(zones, at).date))];
		return sql`website_id = ${param('UInt32', id)} AND date IN ${param('Array(Date)', dates)}
			AND time >= fromUnixTimestamp64Milli(${param('Int64', firstMs)}, 'UTC')
			AND time <= fromUnixTimestamp64Milli(${param('Int64', nowMs)}, 'UTC')
			AND kind IN ('pageview', 'custom') ${isVisible(hidden)}`;
	};
	const options = { name: 'feed', settings: { max_execution_time: 5, max_threads: 2 }, signal };
	const [events, counts] = await Promise.all([
		clickhouse.rows<{ minute: number; kind: string; name: string; path: string; source: string }>(
			sql`
		SELECT toUInt32(toUnixTimestamp(toStartOfMinute(time))) AS minute, kind, name, path, source
		FROM events WHERE ${since(feedMs)}
		ORDER BY time DESC, event_id LIMIT ${param('UInt32', maxEvents)}`,
			options,
		),
		clickhouse.rows<{ list: 'page' | 'device'; value: string; visitors: string }>(
			sql`
		SELECT entry.1 AS list, entry.2 AS value, count() AS visitors
		FROM (
			SELECT argMax(path, (time, event_id)) AS page, argMax(toString(device), (time, event_id)) AS device
			FROM events WHERE ${since(currentVisitorsMs)} AND visitor_id != 0
			GROUP BY date, visitor_id
		)
		ARRAY JOIN [('page', page), ('device', device)] AS entry
		GROUP BY list, value
		ORDER BY visitors DESC, value
		LIMIT ${param('UInt32', maxRows)} BY list`,
			options,
		),
	]);
	const rowsOf = (list: 'page' | 'device'): LiveRow[] =>
		counts
			.filter((row) => row.list === list)
			.map(({ value, visitors }) => ({ value, visitors: Number(visitors) }));
	return {
		asOf: now,
		events: events.map(({ minute, kind, name, path, source }) => ({
			time: new Date(minute * 1_000),
			name: kind === 'pageview' ? null : name,
			page: path,
			source: kind === 'pageview' && source !== 'internal' ? source : null,
		})),
		currentPages: rowsOf('page'),
		devices: rowsOf('device'),
	};
}
