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
 * - Visitor 0 is nobody and has no visits. Its events are still counted, so they stand beside the visits, each as a run of
 *   one (`runsOf`): with its own values where a visit has those of its entry, and with nothing that makes a visit.
 * - Source, campaign, place, device and language are those of the first page view; entry and exit are the first and
 *   last page view. A visit without page views (server-side events) takes its first and last event instead.
 * - `seconds` is the time from the first to the last event, in whole seconds, rounded down. A visit of one event has 0:
 *   how long its page was read is in `engaged_ms`, and the two are never added.
 * - A bounce is a visit of one page view and nothing else that was engaged with for less than 10 seconds.
 *
 * A visitor has at most one visit that starts at a given millisecond: (website_id, date, visitor_id, start) is unique.
 *
 * How it is done: the events of a visitor's day are gathered into arrays, one for each column that is asked for, sorted, and
 * cut where a visit begins. Window functions and a join for the engagement say the same and take 1.5 to 4 times as
 * long, because ClickHouse sorts whole rows for each window. What a visit has of its entry is no array: the visit keeps
 * that event's id and finds its columns afterwards, because 20 texts a visit in the memory of a group are 2 kB. Who needs
 * few columns names them, and nothing is read for the others. No lambda captures an array: ClickHouse would copy it for
 * every element, and a visitor with 100,000 events would be the end of it. bench/visits.ts prints the times.
 */
import { join, param, type Sql, sql, word } from '../store/sql.ts';

/** What is listed of each page view and custom event, in the order of time. */
const gathered = {
	kinds: sql`kind`,
	names: sql`name`,
	paths: sql`path`,
	hostnames: sql`hostname`,
	titles: sql`title`,
	properties: sql`properties`,
	revenues: sql`revenue`,
	currencies: sql`currency`,
} as const satisfies Record<string, Sql>;

/** What is listed beside them of the engagement with each; 0 but for page views. */
const attached = {
	/** Milliseconds, summed. */
	engaged: sql`engagement.3`,
	/** Percent, the deepest. */
	scrolls: sql`engagement.4`,
} as const satisfies Record<string, Sql>;

type Gathered = keyof typeof gathered;
type Attached = keyof typeof attached;
type Listed = Gathered | Attached;
type Definition = { of: readonly Listed[]; sql: Sql };

/** The exit among them; from the end when there is no page view. */
const exit = sql`if(has(v.kinds, 'pageview'), arrayLastIndex(kind -> kind = 'pageview', v.kinds), -1)`;

const bounceBelowMs = sql`10000`;

/** What is made of them, and `of` which; the milliseconds of their times are always there. */
const counted = {
	/** Whether its visitor has no other that day. */
	is_only: { of: [], sql: sql`v.is_only` },
	start: { of: [], sql: sql`fromUnixTimestamp64Milli(v.times[1], 'UTC')` },
	seconds: { of: [], sql: sql`toUInt32(intDiv(v.times[-1] - v.times[1], 1000))` },
	/** Page views. */
	views: { of: ['kinds'], sql: sql`toUInt32(countEqual(v.kinds, 'pageview'))` },
	/** Custom events. */
	events: { of: ['kinds'], sql: sql`toUInt32(countEqual(v.kinds, 'custom'))` },
	is_bounce: {
		of: ['kinds', 'engaged'],
		sql: sql`toUInt8(v.kinds = ['pageview'] AND arraySum(v.engaged) < ${bounceBelowMs})`,
	},
	engaged_ms: { of: ['engaged'], sql: sql`arraySum(v.engaged)` },
	/** Page views that reported engaged time. */
	engaged_views: { of: ['engaged'], sql: sql`toUInt32(arrayCount(ms -> ms > 0, v.engaged))` },
	/** The sum over page views. */
	scroll: { of: ['scrolls'], sql: sql`toUInt32(arraySum(v.scrolls))` },
	scroll_views: { of: ['scrolls'], sql: sql`toUInt32(arrayCount(percent -> percent > 0, v.scrolls))` },
	exit_path: { of: ['kinds', 'paths'], sql: sql`v.paths[${exit}]` },
	exit_hostname: { of: ['kinds', 'hostnames'], sql: sql`v.hostnames[${exit}]` },
	/** Milliseconds since the start. */
	offsets: { of: [], sql: sql`arrayMap(ms -> toUInt32(ms), arrayCumSum(arrayDifference(v.times)))` },
} as const satisfies Record<string, Definition>;

/** What is taken from the event `e` that a visit was entered with. */
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

/** `hour` is the hour of the start on the website's clock; it needs the offsets of that clock. */
export type VisitColumn = Listed | keyof typeof counted | keyof typeof ofEntry | 'hour';

// The compiler takes an object's keys for any strings; those of a literal are exactly the ones it was written with.
const allColumns = Object.keys({ ...counted, ...gathered, ...attached, ...ofEntry }) as Exclude<
	VisitColumn,
	'hour'
>[];

const isGathered = (name: VisitColumn): name is Gathered => Object.hasOwn(gathered, name);
const isAttached = (name: VisitColumn): name is Attached => Object.hasOwn(attached, name);
const isOfEntry = (name: VisitColumn): name is keyof typeof ofEntry => Object.hasOwn(ofEntry, name);

/**
 * UTC offsets in minutes, by the instant since which each holds; the first also holds before. They come from the runtime:
 * its zone data and ClickHouse's are of different years, and the collector cut the days by the runtime's.
 */
export type Offsets = { sinceMs: readonly number[]; minutes: readonly number[] };

const hourOf = (ms: Sql, offsets: Offsets | undefined): Sql => {
	if (!offsets) throw new Error('The hour of a visit was asked for without the offsets of its clock.');
	const minutes = sql`${param('Array(Int32)', offsets.minutes)}[greatest(1, arrayLastIndex(since -> since <= ${ms}, ${param('Array(Int64)', offsets.sinceMs)}))]`;
	return sql`toUInt8(intDiv(positiveModulo(${ms} + toInt64(${minutes}) * 60000, 86400000), 3600000))`;
};

function define(name: VisitColumn, offsets: Offsets | undefined): Definition {
	if (name === 'hour') return { of: [], sql: hourOf(sql`v.times[1]`, offsets) };
	if (isGathered(name) || isAttached(name)) return { of: [name], sql: sql`v.${word(name)}` };
	if (isOfEntry(name)) return { of: ['kinds'], sql: ofEntry[name] };
	return counted[name];
}

/** Whose events can be one visit. */
const visitorDay = sql`website_id, date, visitor_id`;
/** The kinds that make a visit; the others only add to their page view. */
const isActive = sql`kind IN ('pageview', 'custom')`;

export type VisitsOf = {
	websiteIds: readonly number[];
	/** Local dates, both included. */
	from: string;
	to: string;
	/** Of these only some. */
	dates?: readonly string[];
	/** Beside website_id, date and visitor_id; all but `hour` unless something else is said. */
	columns?: readonly VisitColumn[];
	/** Events before this instant were emptied and do not count, although they may still be on the disk. */
	sinceMs?: number | null;
	/** A part of the visitors; without it all of them. */
	visitors?: VisitorRange | null;
	offsets?: Offsets;
};

/** Ids, both included. They are hashes, so equal ranges have about equally many events, and a range is read by the key. */
export type VisitorRange = { first: bigint; last: bigint };

/** The rows of events that are asked for. */
const isAsked = ({ websiteIds, from, to, dates, sinceMs, visitors }: VisitsOf): Sql => sql`
				website_id IN ${param('Array(UInt32)', websiteIds)}
				AND date BETWEEN ${param('Date', from)} AND ${param('Date', to)}
				${dates ? sql`AND date IN ${param('Array(Date)', dates)}` : sql``}
				${visitors ? sql`AND visitor_id BETWEEN ${param('UInt64', visitors.first)} AND ${param('UInt64', visitors.last)}` : sql``}
				${sinceMs == null ? sql`` : sql`AND time >= fromUnixTimestamp64Milli(${param('Int64', sinceMs)}, 'UTC')`}`;

/** One row a visit, in no order: a statement, or in brackets a part of one. */
export function visitsOf(of: VisitsOf): Sql {
	const { columns = allColumns, offsets } = of;
	const isWanted = sql`${isAsked(of)}
				AND visitor_id != 0`;
	const lists = [...new Set(columns.flatMap((name) => define(name, offsets).of))];
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
				${each(lists.filter(isGathered), (name) => sql`groupArrayIf(${gathered[name]}, ${isActive}) AS ${word(name)}`)}
			FROM events
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
				${each(lists, (name) => sql`${isGathered(name) ? sql`arraySort((element, place) -> place, g.${word(name)}, g.places)` : attached[name]} AS ${word(name)}`)}
			FROM gathered AS g
		),
		-- A visit: those arrays, cut where one begins.
		visits AS (
			SELECT ${visitorDay}, toUInt8(NOT has(d.begins, 1)) AS is_only, times, ids ${each(lists, word)}
			FROM days AS d
			ARRAY JOIN
				arraySplit((element, begin) -> begin, d.times, d.begins) AS times,
				arraySplit((element, begin) -> begin, d.ids, d.begins) AS ids
				${each(lists, (name) => sql`arraySplit((element, begin) -> begin, d.${word(name)}, d.begins) AS ${word(name)}`)}
		),
		-- The same, with the id of the event that it was entered with.
		entered AS (
			SELECT *, ids[greatest(1, indexOf(kinds, 'pageview'))] AS event_id
			FROM visits
		),
		-- A page view or custom event: one that a visit may have been entered with.
		active AS (
			SELECT *
			FROM events
			WHERE ${isWanted}
				AND ${isActive}
		)
	SELECT ${visitorDay} ${each(columns, (name) => sql`${define(name, offsets).sql} AS ${word(name)}`)}
	FROM ${visits}`;
}

/** Of an event `e` that stands alone: what a visit would have. */
const alone: Record<keyof typeof counted | Listed, Sql> = {
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
	hostnames: sql`[e.hostname]`,
	titles: sql`[e.title]`,
	properties: sql`[e.properties]`,
	revenues: sql`[e.revenue]`,
	currencies: sql`[e.currency]`,
	engaged: sql`[toUInt64(0)]`,
	scrolls: sql`[toUInt8(0)]`,
};

/** One row for each event of nobody. */
function nobodiesOf(of: VisitsOf): Sql {
	const { columns = allColumns, offsets } = of;
	const columnOf = (name: VisitColumn): Sql => {
		if (name === 'hour') return hourOf(sql`toUnixTimestamp64Milli(e.time)`, offsets);
		return isOfEntry(name) ? ofEntry[name] : alone[name];
	};
	return sql`
	SELECT ${visitorDay} ${each(columns, (name) => sql`${columnOf(name)} AS ${word(name)}`)}
	FROM (
		SELECT *
		FROM events
		WHERE ${isAsked(of)}
			AND visitor_id = 0
			AND ${isActive}
	) AS e`;
}

/** One row a run, in no order: the visits, and the events of nobody. */
export const runsOf = (of: VisitsOf): Sql => sql`
	SELECT * FROM (${visitsOf(of)})
	UNION ALL
	SELECT * FROM (${nobodiesOf(of)})`;

/** The further members of a list. */
const each = <Name extends string>(names: readonly Name[], write: (name: Name) => Sql): Sql =>
	join([sql``, ...names.map(write)], ', ');
