/**
 * Who is there now. One small statement over the events of the last half hour, because nothing that is derived is so young.
 * A visitor is told apart within a date, as everywhere; nobody (visitor 0) has page views and is no visitor.
 *
 * A visitor's source and country are those of the first page view in that half hour which came from elsewhere: of one who
 * has been reading for longer only steps within the website are left, and the source is `internal`.
 *
 * The public is shown less: no minutes, but steps of five, and the last full step instead of the one that runs, or whoever
 * looks every second would see each visitor come. No row stands for fewer than three visitors.
 */
import type { ClickHouse } from '../store/clickhouse.ts';
import { param, type Sql, sql } from '../store/sql.ts';
import { dateOf } from '../websites/zones.ts';
import { fewest } from './few.ts';
import type { AskedWebsite } from './question.ts';

export type Audience = 'people' | 'public';

export type LiveRow = { value: string; visitors: number };

export type LivePicture = {
	asOf: Date;
	stepMinutes: number;
	/** Active in the last five minutes. */
	visitors: number;
	/** Half an hour, oldest first. */
	steps: { time: Date; visitors: number; pageviews: number }[];
	pages: LiveRow[];
	sources: LiveRow[];
	countries: LiveRow[];
};

const minuteMs = 60_000;
/** Who did something in so long is there now. */
export const hereMs = 5 * minuteMs;
const wholeMs = 30 * minuteMs;
const maxRows = 10;

type Window = { asOfMs: number; stepMs: number; firstMs: number; endMs: number };

function windowOf(audience: Audience, ms: number): Window {
	const stepMs = audience === 'people' ? minuteMs : 5 * minuteMs;
	const running = Math.floor(ms / stepMs) * stepMs;
	if (audience === 'public') return { asOfMs: running, stepMs, firstMs: running - wholeMs, endMs: running };
	// What is dated ahead (a server's clock may be) is not there yet.
	return { asOfMs: ms, stepMs, firstMs: running + stepMs - wholeMs, endMs: ms + 1 };
}

type Row = { list: 'now' | 'step' | 'page' | 'source' | 'country'; value: string } & Record<
	'visitors' | 'pageviews',
	string
>;

export async function readLive(
	clickhouse: ClickHouse,
	{ id, zones, resetAt }: Pick<AskedWebsite, 'id' | 'zones' | 'resetAt'>,
	{ audience, now, signal }: { audience: Audience; now: Date; signal?: AbortSignal },
): Promise<LivePicture> {
	const { asOfMs, stepMs, firstMs, endMs } = windowOf(audience, now.getTime());
	const dates = [...new Set([firstMs, endMs - 1].map((ms) => dateOf(zones, ms).date))];
	const rows = await clickhouse.rows<Row>(
		sql`
	SELECT entry.1 AS list, entry.2 AS value, countIf(visitor_id != 0) AS visitors, sum(entry.3) AS pageviews
	FROM (
		-- A visitor of a date: its steps with the page views of each, and of one who is there now pages, source and country.
		SELECT
			visitor_id,
			sumMap([step], [toUInt64(1)], [toUInt64(kind = 'pageview')]) AS by_step,
			groupUniqArrayIf(path, is_now) AS pages,
			argMin(toString(source), (NOT is_entry, ms, event_id)) AS entry_source,
			argMin(toString(country), (NOT is_entry, ms, event_id)) AS entry_country,
			max(is_now) AS is_here
		FROM (
			SELECT
				date, visitor_id, event_id, kind, path, source, country, toUnixTimestamp64Milli(time) AS ms,
				toUInt64(intDiv(ms - ${param('Int64', firstMs)}, ${param('Int64', stepMs)})) AS step,
				kind = 'pageview' AND source != 'internal' AS is_entry,
				ms >= ${param('Int64', asOfMs - hereMs)} AS is_now
			FROM events
			WHERE website_id = ${param('UInt32', id)} AND date IN ${param('Array(Date)', dates)}
				AND time >= fromUnixTimestamp64Milli(${param('Int64', Math.max(firstMs, resetAt ?? 0))}, 'UTC')
				AND time < fromUnixTimestamp64Milli(${param('Int64', endMs)}, 'UTC')
				AND kind IN ('pageview', 'custom')
		)
		GROUP BY date, visitor_id
	)
	ARRAY JOIN arrayConcat(
		arrayMap((n, views_of) -> ('step', toString(n), views_of), by_step.1, by_step.3),
		arrayMap(page -> ('page', page, toUInt64(0)), pages),
		arrayMap(
			(name, text) -> (name, text, toUInt64(0)),
			if(is_here, ['now', 'source', 'country'], []),
			if(is_here, ['', entry_source, entry_country], [])
		)
	) AS entry
	GROUP BY list, value
	ORDER BY visitors DESC, value
	LIMIT ${param('UInt64', wholeMs / minuteMs)} BY list`,
		{
			name: 'live',
			settings: { max_execution_time: 5, max_threads: 2 },
			...(signal && { signal }),
		},
	);
	const of = (list: Row['list']) => rows.filter((row) => row.list === list);
	const top = (list: Row['list']): LiveRow[] =>
		of(list)
			.map(({ value, visitors }) => ({ value, visitors: Number(visitors) }))
			.filter(({ visitors }) => visitors >= (audience === 'public' ? fewest : 1))
			.slice(0, maxRows);
	const steps = new Map(of('step').map((row) => [Number(row.value), row]));
	return {
		asOf: new Date(asOfMs),
		stepMinutes: stepMs / minuteMs,
		visitors: Number(of('now')[0]?.visitors ?? 0),
		steps: Array.from({ length: wholeMs / stepMs }, (_, n) => ({
			time: new Date(firstMs + n * stepMs),
			visitors: Number(steps.get(n)?.visitors ?? 0),
			pageviews: Number(steps.get(n)?.pageviews ?? 0),
		})),
		pages: top('page'),
		sources: top('source'),
		countries: top('country'),
	};
}

/** How many are on each of many websites now; those without anybody are not named. */
export async function readHere(
	ask: <Row>(query: Sql) => Promise<Row[]>,
	websites: readonly Pick<AskedWebsite, 'id' | 'zones' | 'resetAt'>[],
	now: Date,
): Promise<Map<number, number>> {
	if (websites.length === 0) return new Map();
	const asOfMs = now.getTime();
	const sinceMs = asOfMs - hereMs;
	const dates = new Set(
		websites.flatMap(({ zones }) => [sinceMs, asOfMs].map((ms) => dateOf(zones, ms).date)),
	);
	const reset = websites.filter(({ resetAt }) => resetAt !== null && resetAt > sinceMs);
	const rows = await ask<{ website_id: number; visitors: string }>(sql`
	SELECT website_id, uniqExact(date, visitor_id) AS visitors
	FROM events
	WHERE website_id IN ${param(
		'Array(UInt32)',
		websites.map(({ id }) => id),
	)} AND date IN ${param('Array(Date)', [...dates])}
		AND time >= fromUnixTimestamp64Milli(${param('Int64', sinceMs)}, 'UTC')
		AND time < fromUnixTimestamp64Milli(${param('Int64', asOfMs + 1)}, 'UTC')
		AND toUnixTimestamp64Milli(time) >= transform(website_id, ${param('Array(UInt32)', [0, ...reset.map(({ id }) => id)])}, ${param('Array(Int64)', [0, ...reset.map(({ resetAt }) => resetAt ?? 0)])}, toInt64(0))
		AND visitor_id != 0 AND kind IN ('pageview', 'custom')
	GROUP BY website_id`);
	return new Map(rows.map(({ website_id: id, visitors }) => [id, Number(visitors)]));
}
