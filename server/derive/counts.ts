/** The dimensions and counts of totals (totals.ts): which columns of a visit they read, and how. */
import { param, type Sql, sql } from '../store/sql.ts';
import type { VisitColumn } from './visits.ts';

/** By visit dimension: its value. `isCoded`: a LowCardinality text, which must be converted before it is put in an array with others. */
const visitValues = {
	entry_page: { columns: ['entry_path'], sql: sql`entry_path`, isCoded: true },
	exit_page: { columns: ['exit_path'], sql: sql`exit_path`, isCoded: true },
	source: { columns: ['source'], sql: sql`source`, isCoded: true },
	referrer: { columns: ['referrer'], sql: sql`referrer` },
	channel: { columns: ['channel'], sql: sql`channel`, isCoded: true },
	utm_source: { columns: ['utm_source'], sql: sql`utm_source`, isCoded: true },
	utm_medium: { columns: ['utm_medium'], sql: sql`utm_medium`, isCoded: true },
	utm_campaign: { columns: ['utm_campaign'], sql: sql`utm_campaign` },
	utm_term: { columns: ['utm_term'], sql: sql`utm_term` },
	utm_content: { columns: ['utm_content'], sql: sql`utm_content` },
	country: { columns: ['country'], sql: sql`country`, isCoded: true },
	region: { columns: ['region'], sql: sql`region`, isCoded: true },
	city: { columns: ['city'], sql: sql`city` },
	language: { columns: ['language'], sql: sql`language`, isCoded: true },
	browser: { columns: ['browser'], sql: sql`browser`, isCoded: true },
	browser_version: { columns: ['browser_version'], sql: sql`browser_version`, isCoded: true },
	os: { columns: ['os'], sql: sql`os`, isCoded: true },
	os_version: { columns: ['os_version'], sql: sql`os_version`, isCoded: true },
	device: { columns: ['device'], sql: sql`device`, isCoded: true },
	screen: { columns: ['screen'], sql: sql`screen`, isCoded: true },
	hour: { columns: ['hour'], sql: sql`toString(hour)` },
	weekday: { columns: [], sql: sql`toString(toDayOfWeek(date))` },
} as const satisfies Record<string, Expression & { isCoded?: true }>;

/**
 * By event dimension: its value, and whether an event has one at all, over the names of `elements`. `of`: the list that has the value
 * of every event.
 */
const eventValues = {
	page: { lists: ['paths'], sql: sql`path`, has: sql`true`, of: 'paths' },
	page_group: { lists: ['page_groups'], sql: sql`page_group`, has: sql`true`, of: 'page_groups' },
	hostname: { lists: ['hostnames'], sql: sql`toString(hostname)`, has: sql`true`, of: 'hostnames' },
	title: { lists: ['titles', 'kinds'], sql: sql`title`, has: sql`kind = 'pageview'` },
	event: { lists: ['names', 'kinds'], sql: sql`toString(name)`, has: sql`kind = 'custom'` },
} as const satisfies Record<string, EventValue>;

/** What counts read: columns of a visit, and the groups of its pages, which a question computes from them. */
export type CountedColumn = VisitColumn | 'page_groups';

export const isStoredColumn = (name: CountedColumn): name is VisitColumn => name !== 'page_groups';

export type ListColumn = Extract<
	CountedColumn,
	| 'offsets'
	| 'kinds'
	| 'names'
	| 'paths'
	| 'page_groups'
	| 'hostnames'
	| 'titles'
	| 'properties'
	| 'engaged'
	| 'scrolls'
	| 'revenues'
	| 'currencies'
>;

/** The name of one element of each list, in lambdas and after ARRAY JOIN. */
export const elements = {
	offsets: sql`offset`,
	kinds: sql`kind`,
	names: sql`name`,
	paths: sql`path`,
	page_groups: sql`page_group`,
	hostnames: sql`hostname`,
	titles: sql`title`,
	properties: sql`props`,
	engaged: sql`engaged_here`,
	scrolls: sql`scroll_here`,
	revenues: sql`revenue_here`,
	currencies: sql`currency`,
} as const satisfies Record<ListColumn, Sql>;

export type VisitDimension = keyof typeof visitValues;
export type EventDimension = keyof typeof eventValues;

/**
 * The values of `goal` are revisions. `onlyValue`: the value of every counted event, so that visits need not be divided into
 * their events.
 */
export type SingleDimension =
	| { name: '' | VisitDimension | EventDimension | 'goal'; onlyValue?: string }
	| { name: 'property'; property: string };

/** What to count by: a dimension, or two at once. An event must have both values itself, or its visit. */
export type CountedDimension = SingleDimension & { by?: SingleDimension };

/** Whether a visit has a single value. */
export const isOfVisits = (dimension: CountedDimension): boolean =>
	isOfVisit(dimension) && (!dimension.by || isOfVisit(dimension.by));

const isOfVisit = (dimension: SingleDimension): boolean =>
	dimension.name === '' || isVisitDimension(dimension.name) || 'onlyValue' in dimension;

export const onlyValueOf = (dimension: SingleDimension): string =>
	('onlyValue' in dimension && dimension.onlyValue) || '';

export const isVisitDimension = (name: string): name is VisitDimension => Object.hasOwn(visitValues, name);

// Object.keys does not keep the type of the names.
const visitDimensions = Object.keys(visitValues) as VisitDimension[];
const eventDimensions = Object.keys(eventValues) as EventDimension[];

/**
 * The dimensions that totals are stored for. Properties are not among them, because their names are unbounded, nor page groups, because
 * their rules also apply to the past.
 */
export const storedDimensions = [
	'',
	...visitDimensions,
	...eventDimensions.filter((name) => name !== 'page_group'),
	'goal',
] as const;

/** An expression over a visit, and the columns that it reads. */
export type Expression = { columns: readonly CountedColumn[]; sql: Sql };

export const visitValue = (name: VisitDimension): Expression => visitValues[name];

export function textOf(name: VisitDimension): Sql {
	const value: Expression & { isCoded?: true } = visitValues[name];
	return value.isCoded ? sql`toString(${value.sql})` : value.sql;
}

/** The value of an event, whether it has one, and the lists that both are read from. */
export type EventValue = { lists: readonly ListColumn[]; sql: Sql; has: Sql; of?: ListColumn };

export function eventValue(
	dimension: { name: EventDimension } | { name: 'property'; property: string },
): EventValue {
	if (dimension.name !== 'property') return eventValues[dimension.name];
	const name = param('String', dimension.property);
	return { lists: ['properties'], sql: sql`props[${name}]`, has: sql`mapContains(props, ${name})` };
}

export const countNames = [
	'visitors',
	'visits',
	'bounces',
	'seconds',
	'views',
	'visit_views',
	'events',
	'engaged_ms',
	'engaged_views',
	'scroll',
	'scroll_views',
	'revenue',
	'conversions',
	'converted_visitors',
] as const;
export type Count = (typeof countNames)[number];

/** Counts of a question's goal, which totals do not have. Rows by goal have them as visits and visitors. */
export const goalCounts = ['conversions', 'converted_visitors'] as const satisfies readonly Count[];
export type GoalCount = (typeof goalCounts)[number];
export const isGoalCount = (name: Count): name is GoalCount =>
	(goalCounts as readonly Count[]).includes(name);

/** A count of nothing. */
export const zeroOf = (name: Count): Sql =>
	name === 'revenue' ? sql`CAST(map(), 'Map(LowCardinality(String), Decimal(38, 4))')` : sql`toUInt64(0)`;

/** Counts of a visit as a whole; over events, only the first event with a value counts. */
export const visitCounts = {
	visits: { columns: [], each: sql`visitor_id != 0` },
	bounces: { columns: ['is_bounce'], each: sql`is_bounce` },
	seconds: { columns: ['seconds'], each: sql`r.seconds` },
	conversions: { columns: [], each: sql`is_converted` },
	/** Distinct visitors, not a sum (totals.ts). */
	converted_visitors: { columns: [], each: sql`is_converted` },
} as const satisfies Partial<Record<Count, { columns: readonly CountedColumn[]; each: Sql }>>;

/** Counts of events: of a visit by its stored sums, and of one event. */
export const eventCounts = {
	views: { columns: ['views'], visit: sql`r.views`, lists: ['kinds'], each: sql`kind = 'pageview'` },
	visit_views: {
		columns: ['views'],
		visit: sql`if(visitor_id = 0, 0, r.views)`,
		lists: ['kinds'],
		each: sql`visitor_id != 0 AND kind = 'pageview'`,
	},
	events: { columns: ['events'], visit: sql`r.events`, lists: ['kinds'], each: sql`kind = 'custom'` },
	engaged_ms: {
		columns: ['engaged_ms'],
		visit: sql`r.engaged_ms`,
		lists: ['engaged'],
		each: sql`engaged_here`,
	},
	engaged_views: {
		columns: ['engaged_views'],
		visit: sql`r.engaged_views`,
		lists: ['engaged'],
		each: sql`engaged_here > 0`,
	},
	scroll: { columns: ['scroll'], visit: sql`r.scroll`, lists: ['scrolls'], each: sql`scroll_here` },
	scroll_views: {
		columns: ['scroll_views'],
		visit: sql`r.scroll_views`,
		lists: ['scrolls'],
		each: sql`scroll_here > 0`,
	},
} as const satisfies Partial<
	Record<Count, { columns: readonly CountedColumn[]; visit: Sql; lists: readonly ListColumn[]; each: Sql }>
>;

export const isVisitCount = (name: Count): name is keyof typeof visitCounts =>
	Object.hasOwn(visitCounts, name);
export const isEventCount = (name: Count): name is keyof typeof eventCounts =>
	Object.hasOwn(eventCounts, name);

/** The name of a dimension, or of two, in the rows. The name of a property may contain anything. */
export const labelOf = ({ by, ...dimension }: CountedDimension): string =>
	by ? JSON.stringify([nameOf(dimension), nameOf(by)]) : nameOf(dimension);

const nameOf = (dimension: SingleDimension): string =>
	dimension.name === 'property' ? `property:${dimension.property}` : dimension.name;
