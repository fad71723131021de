import type { ClickHouse } from '../store/clickhouse.ts';
import { join, param, sql } from '../store/sql.ts';
import { dateOf, type Zones } from '../websites/zones.ts';

/** From an instant up to another, which is not part of it. */
export type Window = { fromMs: number; toMs: number };

type Counted = { visitors: number; events: number; lastMs: number };

const nothingCounted: Counted = { visitors: 0, events: 0, lastMs: 0 };

type Windows = readonly { id: number; zones: Zones; windows: readonly Window[] }[];

/** By one statement. More would make it too long a text. */
const mostAtOnce = 1_000;

/**
 * What happened on many websites in some windows of time each, by few statements. All have as many windows, and an instant lies
 * in one of a website's at most. What is not given happened on no one.
 */
export async function countWindows(
	clickhouse: ClickHouse,
	websites: Windows,
): Promise<(websiteId: number, window: number) => Counted> {
	const found = new Map<string, Counted>();
	for (let begin = 0; begin < websites.length; begin += mostAtOnce)
		for (const { key, ...counted } of await countSome(clickhouse, websites.slice(begin, begin + mostAtOnce)))
			found.set(key, counted);
	return (id, window) => found.get(`${id} ${window}`) ?? nothingCounted;
}

async function countSome(clickhouse: ClickHouse, websites: Windows): Promise<(Counted & { key: string })[]> {
	const ids = websites.map(({ id }) => id);
	const dates = new Set(
		websites.flatMap(({ zones, windows }) =>
			windows.flatMap(({ fromMs, toMs }) => datesOf(zones, fromMs, toMs)),
		),
	);
	/** A bound of each website's window of this number. */
	const bound = (number: number, of: keyof Window) => sql`transform(website_id,
		${param('Array(UInt32)', ids)},
		${param(
			'Array(Int64)',
			websites.map(({ windows }) => windows[number]?.[of] ?? 0),
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
	)
	WHERE n >= 0
	GROUP BY website_id, n`,
		{ name: 'watch', settings: { max_execution_time: 20, max_threads: 2 } },
	);
	return rows.map(({ website_id: id, n, visitors, events, last }) => ({
		...{ key: `${id} ${n}`, visitors: Number(visitors), events: Number(events), lastMs: Number(last) },
	}));
}

const dayMs = 86_400_000;

/** The dates that a window of some hours or days can touch. */
function datesOf(zones: Zones, fromMs: number, toMs: number): string[] {
	const dates = [dateOf(zones, toMs - 1).date];
	for (let ms = fromMs; ms < toMs; ms += dayMs) dates.push(dateOf(zones, ms).date);
	return dates;
}
