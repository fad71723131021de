/**
 * Current visitors. One small statement over the events of the last half hour, because derived data is not that recent. Visitor
 * ids are unique within a date; visitor 0 is anonymous and has page views but is not counted as a visitor.
 *
 * A visitor's source and country are those of the first page view in that half hour with an external source. For someone who
 * has been reading for longer, only page views within the website are left, and the source is `internal`.
 *
 * The public sees less: steps of five minutes instead of one, and only complete steps, because someone who polls would
 * otherwise see each visitor arrive. No row stands for fewer than three visitors or lets one be computed from others, and page
 * views of one or two visitors in a step are hidden.
 */
import { forStatements, isVisible, isVisibleOf } from '../../derive/hidden-events.ts';
import type { ClickHouse } from '../../store/clickhouse.ts';
import { param, type Sql, sql } from '../../store/sql.ts';
import { dateOf } from '../../websites/zones.ts';
import { choose, minVisitorsShown, type Size, type Sizes, sum } from '../answer/public-thresholds.ts';
import type { StatsWebsite } from '../question/question.ts';

export type Audience = 'people' | 'public';

export type LiveRow = { value: string; visitors: number };

export type LiveSnapshot = {
	asOf: Date;
	stepMinutes: number;
	/** Active in the last five minutes. */
	visitors: number;
	/** Half an hour, oldest first. */
	steps: {
		time: Date;
		visitors: number;
		/** Null for too few visitors to be shown. */
		pageviews: number | null;
	}[];
	pages: LiveRow[];
	sources: LiveRow[];
	countries: LiveRow[];
};

const minuteMs = 60_000;
/** Visitors with an event in the last five minutes are current visitors. */
export const currentVisitorsMs = 5 * minuteMs;
const wholeMs = 30 * minuteMs;
export const maxRows = 10;

type Window = { asOfMs: number; stepMs: number; firstMs: number; endMs: number };

function windowOf(audience: Audience, ms: number): Window {
	const stepMs = audience === 'people' ? minuteMs : 5 * minuteMs;
	const running = Math.floor(ms / stepMs) * stepMs;
	if (audience === 'public') return { asOfMs: running, stepMs, firstMs: running - wholeMs, endMs: running };
	// Events in the future (the clock of a server may be ahead) do not count yet.
	return { asOfMs: ms, stepMs, firstMs: running + stepMs - wholeMs, endMs: ms + 1 };
}

type Row = { list: 'now' | 'step' | 'page' | 'source' | 'country'; value: string } & Record<
	'visitors' | 'pageviews',
	string
>;

export async function readLive(
	clickhouse: ClickHouse,
	{ id, zones, resetAt, hidden }: Pick<StatsWebsite, 'id' | 'zones' | 'resetAt' | 'hidden'>,
	{ audience, now, signal }: { audience: Audience; now: Date; signal?: AbortSignal },
): Promise<LiveSnapshot> {
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
				ms >= ${param('Int64', asOfMs - currentVisitorsMs)} AS is_now
			FROM events
			WHERE website_id = ${param('UInt32', id)} AND date IN ${param('Array(Date)', dates)}
				AND time >= fromUnixTimestamp64Milli(${param('Int64', Math.max(firstMs, resetAt ?? 0))}, 'UTC')
				AND time < fromUnixTimestamp64Milli(${param('Int64', endMs)}, 'UTC')
				AND kind IN ('pageview', 'custom') ${isVisible(hidden)}
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
	const rowsOf = (list: Row['list']) => rows.filter((row) => row.list === list);
	const visitors = Number(rowsOf('now')[0]?.visitors ?? 0);
	const top = (list: 'page' | 'source' | 'country'): LiveRow[] => {
		const listed = rowsOf(list).map((row) => ({ value: row.value, visitors: Number(row.visitors) }));
		const shown = audience === 'public' ? chooseRows(listed, list, visitors) : listed;
		return shown.filter((row) => row.visitors > 0).slice(0, maxRows);
	};
	const steps = new Map(rowsOf('step').map((row) => [Number(row.value), row]));
	const toStep = (n: number) => {
		const [here, views] = [Number(steps.get(n)?.visitors ?? 0), Number(steps.get(n)?.pageviews ?? 0)];
		const isFew = audience === 'public' && here > 0 && here < minVisitorsShown;
		return { visitors: here, pageviews: isFew ? null : views };
	};
	return {
		asOf: new Date(asOfMs),
		stepMinutes: stepMs / minuteMs,
		visitors,
		steps: Array.from({ length: wholeMs / stepMs }, (_, n) => ({
			time: new Date(firstMs + n * stepMs),
			...toStep(n),
		})),
		pages: top('page'),
		sources: top('source'),
		countries: top('country'),
	};
}

/** As for breakdowns: a visitor has one source and one country, and any number of pages. */
function chooseRows(
	rows: readonly LiveRow[],
	list: 'page' | 'source' | 'country',
	visitors: number,
): LiveRow[] {
	const toSize = (count: number): Size => ({ visitors: count, visits: 0, views: 0 });
	const totalSizes: Sizes = [toSize(visitors)];
	const items = rows.map((row) => ({ row, totalSizes, sizes: [toSize(row.visitors)] }));
	const total = list === 'page' ? [sum(items.flatMap(({ sizes }) => sizes))] : totalSizes;
	const shown = choose(items, [{ items, total }]);
	return items.filter((item) => shown.has(item)).map(({ row }) => row);
}

/** Current visitors of many websites; websites without any are omitted. */
export async function countCurrentVisitors(
	ask: <Row>(query: Sql) => Promise<Row[]>,
	websites: readonly Pick<StatsWebsite, 'id' | 'zones' | 'resetAt' | 'hidden'>[],
	now: Date,
): Promise<Map<number, number>> {
	const { shared, own } = forStatements(websites, now.getTime() - currentVisitorsMs);
	const counted = await Promise.all(
		[...(shared.length > 0 ? [shared] : []), ...own.map((website) => [website])].map((some) =>
			countTogether(ask, some, now),
		),
	);
	return new Map(counted.flat());
}

async function countTogether(
	ask: <Row>(query: Sql) => Promise<Row[]>,
	websites: readonly Pick<StatsWebsite, 'id' | 'zones' | 'resetAt' | 'hidden'>[],
	now: Date,
): Promise<[number, number][]> {
	const asOfMs = now.getTime();
	const sinceMs = asOfMs - currentVisitorsMs;
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
		${isVisibleOf(websites, sinceMs)}
	GROUP BY website_id`);
	return rows.map(({ website_id: id, visitors }) => [id, Number(visitors)]);
}
