/**
 * An event is a fact; a visit is an interpretation of events, and this SELECT is the only place that interprets. It is run
 * to seal a day and, while a day is small, at the time of a question, so both show the same visits. It keeps no state
 * between events: what came out of order, late or twenty hours afterwards needs no care, a restart splits nothing, and
 * a changed rule can be applied to the past.
 *
 * A visit is a run of one visitor's page views and custom events within one local day.
 * - Order is by (time, event_id). Ids are unique per website, so there are no ties and nothing depends on how rows were
 *   inserted, merged or spread over parts and threads.
 * - A gap of 30 minutes to the millisecond ends a visit: 29:59.999 is still the same one, 30:00.000 begins the next.
 * - The day is the stored `date`, cut in the website's zone when the event came in. Times play no part in it, so days of 23
 *   or 25 hours and changed zones need no care here. A visit that crosses midnight is two visits, of two visitors: ids do
 *   not outlive a day. The collector has already named the second one's source `internal`.
 * - Engagement and vitals make no visitor and no visit and close no gap, however late they come. They are added to
 *   the page view that they name (same website, date and visitor): engaged time is a sum, scroll the deepest. One that
 *   names no page view of the visitor's counts nowhere; 0 names none.
 * - Visitor 0 is nobody and has no visits.
 * - Source, campaign, place, device and language are those of the first page view; entry and exit are the first and
 *   last page view. A visit without page views (server-side events) takes its first and last event instead.
 * - `seconds` is the time from the first to the last event, in whole seconds, rounded down. A visit of one event has 0:
 *   how long its page was read is in `engaged_ms`, and the two are never added.
 *
 * A visitor has at most one visit that starts at a given millisecond: (website_id, date, visitor_id, start) is unique.
 *
 * How it is fast: the windows read `events` in the order of its sort key, so that only events of one millisecond are left
 * to be sorted. What belongs to the entry is not carried through windows and groups: a group keeps the entry's event id
 * and finds its columns afterwards, which halves the time and takes a small part of the memory (20 texts of a group are
 * 2 kB). Who needs few columns names them, and the statement leaves out what the others need. bench/visits.ts prints it.
 */
import { join, param, type Sql, sql, word } from '../store/sql.ts';

/** Counted over the events of a visit; `m` is one of them. */
const counted = {
	start: sql`min(m.time)`,
	seconds: sql`toUInt32(intDiv(max(m.at_ms) - min(m.at_ms), 1000))`,
	/** Page views. */
	views: sql`toUInt32(countIf(m.kind = 'pageview'))`,
	/** Custom events. */
	events: sql`toUInt32(countIf(m.kind = 'custom'))`,
	engaged_ms: sql`sum(m.engaged_ms)`,
	exit_path: sql`argMax(m.path, m.exit_order)`,
	exit_hostname: sql`argMax(m.hostname, m.exit_order)`,
} as const satisfies Record<string, Sql>;

/** One element an event: arrays of equal length in the order of time. Groups are filled by many threads, so they are sorted. */
const listed = {
	/** Milliseconds since the start. */
	offsets: sql`arrayMap(at_ms -> toUInt32(at_ms - min(m.at_ms)), arraySort(groupArray(m.at_ms)))`,
	kinds: inOrder(sql`m.kind`),
	names: inOrder(sql`m.name`),
	paths: inOrder(sql`m.path`),
	hostnames: inOrder(sql`m.hostname`),
	/** Milliseconds; 0 but for page views. */
	engaged: inOrder(sql`m.engaged_ms`),
	/** Percent, the deepest; 0 but for page views. */
	scrolls: inOrder(sql`m.scroll`),
	revenues: inOrder(sql`m.revenue`),
	currencies: inOrder(sql`m.currency`),
} as const satisfies Record<string, Sql>;

function inOrder(column: Sql): Sql {
	return sql`arraySort((element, nth) -> nth, groupArray(${column}), groupArray(m.nth))`;
}

/** Taken from the event that a visit was entered with; `e` is that one. */
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

export type VisitColumn = keyof typeof counted | keyof typeof listed | keyof typeof ofEntry;

const visitColumns: Readonly<Record<VisitColumn, Sql>> = { ...counted, ...listed, ...ofEntry };

// The compiler takes an object's keys for any strings; those of a literal are exactly the ones it was written with.
const allColumns = Object.keys(visitColumns) as VisitColumn[];

const isOfEntry = (name: VisitColumn) => Object.hasOwn(ofEntry, name);
const define = (name: VisitColumn) => sql`${visitColumns[name]} AS ${word(name)}`;
const list = (parts: readonly Sql[]) => join(parts, ', ');

/** Whose events can be one visit. */
const visitorDay = sql`website_id, date, visitor_id`;
/** The kinds that make a visit; the others only add to their page view. */
const isActive = sql`kind IN ('pageview', 'custom')`;

export type VisitsOf = {
	websiteIds: readonly number[];
	/** Local dates, both included. */
	from: string;
	to: string;
	/** Beside website_id, date and visitor_id; all unless something else is said. */
	columns?: readonly VisitColumn[];
};

/** One row a visit, in no order: a statement, or in brackets a part of one. */
export function visitsOf({ websiteIds, from, to, columns = allColumns }: VisitsOf): Sql {
	const isAsked = sql`
				website_id IN ${param('Array(UInt32)', websiteIds)}
				AND date BETWEEN ${param('Date', from)} AND ${param('Date', to)}
				AND visitor_id != 0`;
	const ofGroup = columns.filter((name) => !isOfEntry(name)).map(define);
	const selected = columns.map((name) =>
		isOfEntry(name) ? define(name) : sql`v.${word(name)} AS ${word(name)}`,
	);
	const visits = columns.some(isOfEntry)
		? sql`entries AS e INNER ANY JOIN visits AS v USING (${visitorDay}, event_id)`
		: sql`visits AS v`;
	return sql`
	WITH
		-- A page view or custom event, with its place among those of its visitor's day and the time of the one before.
		placed AS (
			SELECT
				${visitorDay}, time, event_id, kind, name, path, hostname, revenue, currency,
				toUnixTimestamp64Milli(time) AS at_ms,
				row_number() OVER of_visitor AS nth,
				lagInFrame(at_ms) OVER of_visitor AS before_ms
			FROM events
			WHERE ${isAsked}
				AND ${isActive}
			WINDOW of_visitor AS (PARTITION BY ${visitorDay} ORDER BY time, event_id)
		),
		-- The same, with the number of its visit among those of its visitor's day.
		numbered AS (
			SELECT *, sum(nth = 1 OR at_ms - before_ms >= 30 * 60 * 1000) OVER so_far AS visit
			FROM placed
			WINDOW so_far AS (
				PARTITION BY ${visitorDay} ORDER BY time, event_id
				ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
			)
		),
		-- A page view's engagement, by the page view's id.
		engagement AS (
			SELECT
				${visitorDay}, page_event_id AS event_id,
				sum(events.engaged_ms) AS engaged_ms, max(events.scroll) AS scroll
			FROM events
			WHERE ${isAsked}
				AND NOT ${isActive} AND page_event_id != 0
			GROUP BY ${visitorDay}, page_event_id
		),
		-- A page view or custom event with all that a visit wants to know of it. Page views are first in the order of entry
		-- and last in that of exit, whatever else happened before or behind them.
		moments AS (
			SELECT
				n.*,
				if(n.kind = 'pageview', g.engaged_ms, 0) AS engaged_ms,
				if(n.kind = 'pageview', g.scroll, 0) AS scroll,
				n.nth + if(n.kind = 'pageview', 0, 4294967296) AS entry_order,
				n.nth + if(n.kind = 'pageview', 4294967296, 0) AS exit_order
			FROM numbered AS n
			LEFT ANY JOIN engagement AS g USING (${visitorDay}, event_id)
		),
		-- A visit, with the id of the event that it was entered with.
		visits AS (
			SELECT
				${list([sql`${visitorDay}, argMin(m.event_id, m.entry_order) AS event_id`, ...ofGroup])}
			FROM moments AS m
			GROUP BY ${visitorDay}, visit
		),
		-- An event that a visit may have been entered with.
		entries AS (
			SELECT *
			FROM events
			WHERE ${isAsked}
				AND ${isActive}
		)
	SELECT ${list([visitorDay, ...selected])}
	FROM ${visits}`;
}
