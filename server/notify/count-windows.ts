import { type HiddenEvents, isVisible } from '../derive/hidden-events.ts';
import { chunk } from '../lib/chunk.ts';
import { dayMs } from '../lib/durations.ts';
import type { ClickHouse } from '../store/clickhouse.ts';
import { join, param, sql } from '../store/sql.ts';
import { dateOf, type Zones } from '../websites/zones.ts';

/** A half-open interval. */
export type Window = { fromMs: number; toMs: number };

type Counted = { visitors: number; events: number; lastMs: number };

const nothingCounted: Counted = { visitors: 0, events: 0, lastMs: 0 };

type Windows = {
	id: number;
	zones: Zones;
	hidden?: HiddenEvents | null | undefined;
	windows: readonly Window[];
}[];

/** Limits the length of the statement. Conditions of hidden events are long, so their websites have statements of their own. */
const maxPerStatement = 1_000;

/**
 * Counts events of many websites in time windows, with few statements. All websites have the same number of windows, and the windows of
 * a website do not overlap.
 */
export async function countWindows(
	clickhouse: ClickHouse,
	websites: Windows,
): Promise<(websiteId: number, window: number) => Counted> {
	const found = new Map<string, Counted>();
	const { single = [], plain = [] } = Object.groupBy(websites, ({ hidden, windows }) =>
		hidden?.selections.some(({ untilMs }) => windows.some(({ fromMs }) => fromMs < untilMs))
			? 'single'
			: 'plain',
	);
	for (const some of [...chunk(plain, maxPerStatement), ...chunk(single, 1)])
		for (const { key, ...counted } of await countSome(clickhouse, some)) found.set(key, counted);
	return (id, window) => found.get(`${id} ${window}`) ?? nothingCounted;
}

async function countSome(clickhouse: ClickHouse, websites: Windows): Promise<(Counted & { key: string })[]> {
	const ids = websites.map(({ id }) => id);
	const dates = new Set(
		websites.flatMap(({ zones, windows }) =>
			windows.flatMap(({ fromMs, toMs }) => datesOf(zones, fromMs, toMs)),
		),
	);
	/** The start or end of a website's window. */
	const bound = (number: number, side: keyof Window) => sql`transform(website_id,
		${param('Array(UInt32)', ids)},
		${param(
			'Array(Int64)',
			websites.map(({ windows }) => windows[number]?.[side] ?? 0),
		)}, toInt64(0))`;
	const tests = (websites[0]?.windows ?? []).map(
		(_, number) =>
			sql`ms >= ${bound(number, 'fromMs')} AND ms < ${bound(number, 'toMs')}, ${param('Int8', number)}`,
	);
	const rows = await clickhouse.rows<{
		website_id: number;
		n: number;
		visitors: string;
		events: string;
		last: string;
	}>(
		sql`
	SELECT
		website_id, n, count() AS events, toString(max(ms)) AS last,
		uniqExactIf((date, visitor_id), visitor_id != 0 AND kind IN ('pageview', 'custom')) AS visitors
	FROM (
		SELECT
			website_id, date, visitor_id, kind, toUnixTimestamp64Milli(time) AS ms,
			multiIf(${join(tests, ', ')}, toInt8(-1)) AS n
		FROM events
		WHERE website_id IN ${param('Array(UInt32)', ids)} AND date IN ${param('Array(Date)', [...dates])}
			${websites.length === 1 ? isVisible(websites[0]?.hidden) : sql``}
	)
	WHERE n >= 0
	GROUP BY website_id, n`,
		{ name: 'watch', settings: { max_execution_time: 20, max_threads: 2 } },
	);
	return rows.map(({ website_id: id, n, visitors, events, last }) => ({
		key: `${id} ${n}`,
		visitors: Number(visitors),
		events: Number(events),
		lastMs: Number(last),
	}));
}

/** The local dates that a window overlaps. */
function datesOf(zones: Zones, fromMs: number, toMs: number): string[] {
	const dates = [dateOf(zones, toMs - 1).date];
	for (let ms = fromMs; ms < toMs; ms += dayMs) dates.push(dateOf(zones, ms).date);
	return dates;
}
