/**
 * Derives visits from events. An event is a fact, a visit is an interpretation, and this SELECT is the only place that interprets.
 * It runs to seal a day and, while a day is open, for a question, so both see the same visits. It keeps no state between
 * events: out-of-order and late events need no special care, a restart splits nothing, and a changed rule can be applied to
 * the past.
 *
 * A visit is a sequence of one visitor's page views and custom events within one local day.
 * - Order is by (time, event_id). Ids are unique per website, so there are no ties and nothing depends on how rows were
 *   inserted, merged or distributed over parts and threads.
 * - A gap of 30 minutes to the millisecond ends a visit: 29:59.999 is still the same visit, 30:00.000 starts the next.
 * - The day is the stored `date`, computed in the website's time zone when the event arrived. Times play no part in it, so
 *   days of 23 or 25 hours and changed zones need no care here. A visit that crosses midnight is two visits of two visitors,
 *   because ids change daily. The collector has already set the source of the second one to `internal`.
 * - Engagement and vitals make no visitor and no visit and close no gap, however late they arrive. They are added to the page
 *   view that they name (same website, date and visitor): engaged time is summed, scroll depth is the maximum. Those that
 *   name no page view of the visitor are not counted; 0 names none.
 * - Visitor 0 is anonymous and has no visits. Its events still count, so `visitRowsOf` returns a row for each of them, with its
 *   own values where a visit has those of its entry, and nothing that counts as a visit.
 * - Source, campaign, location, device and language are those of the first page view; entry and exit are the first and last
 *   page view. A visit without page views (server-side events) uses its first and last event instead.
 * - `seconds` is the time from the first to the last event in whole seconds, rounded down. A visit of one event has 0: how long
 *   its page was read is in `engaged_ms`, and the two are never added.
 * - A bounce is a visit of one page view and nothing else that was engaged with for less than 10 seconds.
 *
 * A visitor has at most one visit that starts at a given millisecond: (website_id, date, visitor_id, start) is unique.
 *
 * Implementation: the events of a visitor's day are gathered into arrays, one per requested column, sorted, and split where a
 * visit begins. Window functions and a join for the engagement give the same result in 1.5 to 4 times the time, because
 * ClickHouse sorts whole rows for each window. Columns of the entry are no arrays: the visit keeps that event's id and joins
 * its columns afterwards, because 20 texts per visit would take 2 kB of memory in a group. Callers name the columns they
 * need, and no others are read. No lambda captures an array: ClickHouse would copy it for every element, which is fatal for a
 * visitor with 100,000 events. bench/visits.ts prints the times.
 */
import { identifier, join, param, type Sql, sql } from '../store/sql.ts';
import { type HiddenEvents, isVisible } from './hidden-events.ts';

/** Lists over page views and custom events, in the order of time. */
const gathered = {
	kinds: sql`kind`,
	names: sql`name`,
	paths: sql`path`,
	routes: sql`route`,
	hostnames: sql`hostname`,
	titles: sql`title`,
	properties: sql`properties`,
	revenues: sql`revenue`,
	currencies: sql`currency`,
} as const satisfies Record<string, Sql>;

/** Lists of the engagement with each of them; 0 except for page views. */
const attached = {
	/** Milliseconds, summed. */
	engaged: sql`engagement.3`,
	/** Percent, the maximum. */
	scrolls: sql`engagement.4`,
} as const satisfies Record<string, Sql>;

type Gathered = keyof typeof gathered;
type Attached = keyof typeof attached;
type Listed = Gathered | Attached;
type Definition = { lists: readonly Listed[]; sql: Sql };

/** The index of the exit: the last page view, or the last event when there is none. */
const exit = sql`if(has(v.kinds, 'pageview'), arrayLastIndex(kind -> kind = 'pageview', v.kinds), -1)`;

const bounceBelowMs = sql`10000`;

/** Columns computed from these lists; `times` (milliseconds) is always available. */
const counted = {
	/** Whether its visitor has no other visit that day. */
	is_only: { lists: [], sql: sql`v.is_only` },
	start: { lists: [], sql: sql`fromUnixTimestamp64Milli(v.times[1], 'UTC')` },
	seconds: { lists: [], sql: sql`toUInt32(intDiv(v.times[-1] - v.times[1], 1000))` },
	/** Page views. */
	views: { lists: ['kinds'], sql: sql`toUInt32(countEqual(v.kinds, 'pageview'))` },
	/** Custom events. */
	events: { lists: ['kinds'], sql: sql`toUInt32(countEqual(v.kinds, 'custom'))` },
	is_bounce: {
		lists: ['kinds', 'engaged'],
		sql: sql`toUInt8(v.kinds = ['pageview'] AND arraySum(v.engaged) < ${bounceBelowMs})`,
	},
	engaged_ms: { lists: ['engaged'], sql: sql`arraySum(v.engaged)` },
	/** Page views that reported engaged time. */
	engaged_views: { lists: ['engaged'], sql: sql`toUInt32(arrayCount(ms -> ms > 0, v.engaged))` },
	/** The sum over page views. */
	scroll: { lists: ['scrolls'], sql: sql`toUInt32(arraySum(v.scrolls))` },
	scroll_views: { lists: ['scrolls'], sql: sql`toUInt32(arrayCount(percent -> percent > 0, v.scrolls))` },
	exit_path: { lists: ['kinds', 'paths'], sql: sql`v.paths[${exit}]` },
	exit_hostname: { lists: ['kinds', 'hostnames'], sql: sql`v.hostnames[${exit}]` },
	/** Milliseconds since the start. */
	offsets: { lists: [], sql: sql`arrayMap(ms -> toUInt32(ms), arrayCumSum(arrayDifference(v.times)))` },
} as const satisfies Record<string, Definition>;

/** Columns of the event `e` that a visit was entered with. */
const ofEntry = {
	entry_path: sql`e.path`,
	entry_hostname: sql`e.hostname`,
	referrer: sql`e.referrer`,
	source: sql`e.source`,
	channel: sql`e.channel`,
	utm_source: sql`e.utm_source`,
	utm_medium: sql`e.utm_medium`,
	utm_campaign: sql`e.utm_campaign`,
	utm_term: sql`e.utm_term`,
	utm_content: sql`e.utm_content`,
	click_id: sql`e.click_id`,
	country: sql`e.country`,
	region: sql`e.region`,
	city: sql`e.city`,
	language: sql`e.language`,
	browser: sql`e.browser`,
	browser_version: sql`e.browser_version`,
	os: sql`e.os`,
	os_version: sql`e.os_version`,
	device: sql`e.device`,
	screen: sql`e.screen`,
	late: sql`e.late`,
} as const satisfies Record<string, Sql>;

/** `hour` is the local hour of the start; it needs `offsets`. */
export type VisitColumn = Listed | keyof typeof counted | keyof typeof ofEntry | 'hour';

// Object.keys does not keep the type of the names.
const allColumns = Object.keys({ ...counted, ...gathered, ...attached, ...ofEntry }) as Exclude<
	VisitColumn,
	'hour'
>[];

const isGathered = (name: VisitColumn): name is Gathered => Object.hasOwn(gathered, name);
const isAttached = (name: VisitColumn): name is Attached => Object.hasOwn(attached, name);
const isOfEntry = (name: VisitColumn): name is keyof typeof ofEntry => Object.hasOwn(ofEntry, name);

/**
 * UTC offsets in minutes, by the instant from which each applies; the first also applies before. They come from the runtime,
 * whose time zone data may differ from ClickHouse's, and which the collector computes dates with.
 */
export type Offsets = { sinceMs: readonly number[]; minutes: readonly number[] };

const hourOf = (ms: Sql, offsets: Offsets | undefined): Sql => {
	if (!offsets) throw new Error('The column hour needs UTC offsets.');
	const minutes = sql`${param('Array(Int32)', offsets.minutes)}[greatest(1, arrayLastIndex(since -> since <= ${ms}, ${param('Array(Int64)', offsets.sinceMs)}))]`;
	return sql`toUInt8(intDiv(positiveModulo(${ms} + toInt64(${minutes}) * 60000, 86400000), 3600000))`;
};

function define(name: VisitColumn, offsets: Offsets | undefined): Definition {
	if (name === 'hour') return { lists: [], sql: hourOf(sql`v.times[1]`, offsets) };
	if (isGathered(name) || isAttached(name)) return { lists: [name], sql: sql`v.${identifier(name)}` };
	if (isOfEntry(name)) return { lists: ['kinds'], sql: ofEntry[name] };
	return counted[name];
}

/** Events of one visit share these. */
const visitorDay = sql`website_id, date, visitor_id`;
/** The kinds of events that make a visit; the others only add to their page view. */
const isActive = sql`kind IN ('pageview', 'custom')`;

export type VisitsOf = {
	websiteIds: readonly number[];
	/** Local dates, both included. */
	from: string;
	to: string;
	/** Only these of them. */
	dates?: readonly string[];
	/** Besides website_id, date and visitor_id; by default all except `hour`. */
	columns?: readonly VisitColumn[];
	/** Earlier events were reset and do not count, although they may still be on disk. */
	sinceMs?: number | null;
	/** Events of the website that do not count either. With several websites: none. */
	hidden?: HiddenEvents | null;
	/** By default all visitors. */
	visitors?: VisitorRange | null;
	offsets?: Offsets;
};

/** Ids, both inclusive. They are hashes, so equal ranges have about equally many events, and a range uses the primary key. */
export type VisitorRange = { first: bigint; last: bigint };

/** The rows of `events` that are read. */
const isRequested = ({ websiteIds, from, to, dates, sinceMs, visitors }: VisitsOf): Sql => sql`
				website_id IN ${param('Array(UInt32)', websiteIds)}
				AND date BETWEEN ${param('Date', from)} AND ${param('Date', to)}
				${dates ? sql`AND date IN ${param('Array(Date)', dates)}` : sql``}
				${visitors ? sql`AND visitor_id BETWEEN ${param('UInt64', visitors.first)} AND ${param('UInt64', visitors.last)}` : sql``}
				${sinceMs == null ? sql`` : sql`AND time >= fromUnixTimestamp64Milli(${param('Int64', sinceMs)}, 'UTC')`}`;

/** Conditions of hidden events are tested by themselves, because their columns have the names of lists. */
const eventsOf = (query: VisitsOf): Sql =>
	query.hidden && query.hidden.selections.length > 0
		? sql`(SELECT * FROM events WHERE ${isRequested(query)} ${isVisible(query.hidden)})`
		: sql`events`;

/** One row per visit, in no order: a statement, or a subquery. */
export function visitsOf(query: VisitsOf): Sql {
	const { columns = allColumns, offsets } = query;
	const isWanted = sql`${isRequested(query)}
				AND visitor_id != 0`;
	const lists = [...new Set(columns.flatMap((name) => define(name, offsets).lists))];
	const isRead = lists.some(isAttached) ? sql`(${isActive} OR page_event_id != 0)` : isActive;
	const visits = columns.some(isOfEntry)
		? sql`active AS e INNER ANY JOIN entered AS v USING (${visitorDay}, event_id)`
		: sql`visits AS v`;
	return sql`
	WITH
		-- A visitor's day: its events as arrays, in no order yet. A mark is an event, or what names one as its page view.
		gathered AS (
			SELECT
				${visitorDay},
				arrayZip(
					groupArrayIf(toUnixTimestamp64Milli(time), ${isActive}),
					groupArrayIf(event_id, ${isActive})
				) AS places,
				arrayZip(
					groupArray(if(${isActive}, event_id, page_event_id)),
					groupArray(NOT ${isActive}),
					groupArray(toUnixTimestamp64Milli(time)),
					groupArray(kind = 'pageview'),
					groupArray(if(${isActive}, 0, engaged_ms)),
					groupArray(if(${isActive}, 0, scroll))
				)::Array(Tuple(id UInt64, is_quiet UInt8, ms Int64, is_view UInt8, engaged_ms UInt32, scroll UInt8)) AS marks
				${each(lists.filter(isGathered), (name) => sql`groupArrayIf(${gathered[name]}, ${isActive}) AS ${identifier(name)}`)}
			FROM ${eventsOf(query)}
			WHERE ${isWanted}
				AND ${isRead}
			GROUP BY ${visitorDay}
		),
		-- The same in the order of time, and which of its events come after a gap. Marks sorted by id are bundles: an event,
		-- behind it what names it; one that begins with anything else names nothing.
		days AS (
			SELECT
				${visitorDay},
				arraySort(g.places) AS in_order,
				in_order.1 AS times,
				in_order.2 AS ids,
				arrayMap(gap_ms -> gap_ms >= 30 * 60 * 1000, arrayDifference(times)) AS begins,
				arraySort(g.marks) AS by_id,
				arraySplit(
					(mark, step, is_quiet) -> step != 0 OR NOT is_quiet,
					by_id, arrayDifference(by_id.id), by_id.is_quiet
				) AS bundles,
				arraySort(arrayMap(
					bundle -> (
						bundle[1].ms,
						bundle[1].id,
						if(bundle[1].is_view, arraySum(bundle.engaged_ms), 0),
						if(bundle[1].is_view, arrayMax(bundle.scroll), 0)
					),
					arrayFilter(bundle -> NOT bundle[1].is_quiet, bundles)
				)) AS engagement
				${each(lists, (name) => sql`${isGathered(name) ? sql`arraySort((element, place) -> place, g.${identifier(name)}, g.places)` : attached[name]} AS ${identifier(name)}`)}
			FROM gathered AS g
		),
		-- A visit: those arrays, cut where one begins.
		visits AS (
			SELECT ${visitorDay}, toUInt8(NOT has(d.begins, 1)) AS is_only, times, ids ${each(lists, identifier)}
			FROM days AS d
			ARRAY JOIN
				arraySplit((element, begin) -> begin, d.times, d.begins) AS times,
				arraySplit((element, begin) -> begin, d.ids, d.begins) AS ids
				${each(lists, (name) => sql`arraySplit((element, begin) -> begin, d.${identifier(name)}, d.begins) AS ${identifier(name)}`)}
		),
		-- The same, with the id of the event that it was entered with.
		entered AS (
			SELECT *, ids[greatest(1, indexOf(kinds, 'pageview'))] AS event_id
			FROM visits
		),
		-- A page view or custom event: one that a visit may have been entered with.
		active AS (
			SELECT *
			FROM ${eventsOf(query)}
			WHERE ${isWanted}
				AND ${isActive}
		)
	SELECT ${visitorDay} ${each(columns, (name) => sql`${define(name, offsets).sql} AS ${identifier(name)}`)}
	FROM ${visits}`;
}

/** The columns of a row for a single event `e` of visitor 0. */
const singleEvent: Record<keyof typeof counted | Listed, Sql> = {
	is_only: sql`toUInt8(0)`,
	start: sql`e.time`,
	seconds: sql`toUInt32(0)`,
	views: sql`toUInt32(e.kind = 'pageview')`,
	events: sql`toUInt32(e.kind = 'custom')`,
	is_bounce: sql`toUInt8(0)`,
	engaged_ms: sql`toUInt64(0)`,
	engaged_views: sql`toUInt32(0)`,
	scroll: sql`toUInt32(0)`,
	scroll_views: sql`toUInt32(0)`,
	exit_path: sql`e.path`,
	exit_hostname: sql`e.hostname`,
	offsets: sql`[toUInt32(0)]`,
	kinds: sql`[e.kind]`,
	names: sql`[e.name]`,
	paths: sql`[e.path]`,
	routes: sql`[e.route]`,
	hostnames: sql`[e.hostname]`,
	titles: sql`[e.title]`,
	properties: sql`[e.properties]`,
	revenues: sql`[e.revenue]`,
	currencies: sql`[e.currency]`,
	engaged: sql`[toUInt64(0)]`,
	scrolls: sql`[toUInt8(0)]`,
};

/** One row for each event of visitor 0. */
function anonymousRowsOf(query: VisitsOf): Sql {
	const { columns = allColumns, offsets } = query;
	const columnOf = (name: VisitColumn): Sql => {
		if (name === 'hour') return hourOf(sql`toUnixTimestamp64Milli(e.time)`, offsets);
		return isOfEntry(name) ? ofEntry[name] : singleEvent[name];
	};
	return sql`
	SELECT ${visitorDay} ${each(columns, (name) => sql`${columnOf(name)} AS ${identifier(name)}`)}
	FROM (
		SELECT *
		FROM ${eventsOf(query)}
		WHERE ${isRequested(query)}
			AND visitor_id = 0
			AND ${isActive}
	) AS e`;
}

/** The visits, and a row for each event of visitor 0, in no order. */
export const visitRowsOf = (query: VisitsOf): Sql => sql`
	SELECT * FROM (${visitsOf(query)})
	UNION ALL
	SELECT * FROM (${anonymousRowsOf(query)})`;

/** Further items of a comma-separated list. */
const each = <Name extends string>(names: readonly Name[], write: (name: Name) => Sql): Sql =>
	join([sql``, ...names.map(write)], ', ');
