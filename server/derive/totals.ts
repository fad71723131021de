/**
 * Counting. Every number of the product comes out of these SELECTs: a seal stores what they give for a day, a question over
 * a day that is not sealed runs them itself, and so does one with a filter, over the runs that the filter selects.
 *
 * They read runs (derive/visits.ts) and give one row a website, date, dimension and value; the dimension '' is everything.
 * All counts can be summed over dates. Two kinds of count keep to two clocks:
 * - visits, bounces, seconds and conversions are the run's and belong to the instant of its start;
 * - visitors, views, events, engagement and revenue are the events' and belong to the instant of each.
 * For whole days the two agree and a run's own sums serve; within hours, or in a day that is cut, they are counted apart.
 *
 * A value of a visit's dimension is the run's. A value of an event's dimension is one of its events': the run counts once for
 * each value it has (its n-th event with the value counts for n = 1), and of its events those with the value count.
 */
import { join, param, type Sql, sql, word } from '../store/sql.ts';
import type { VisitColumn } from './visits.ts';

/** By dimension of a visit: its value, and whether it is a LowCardinality text, which must be decoded to stand in a list with others. */
const visitValues = {
	entry_page: { of: ['entry_path'], sql: sql`entry_path` },
	exit_page: { of: ['exit_path'], sql: sql`exit_path` },
	source: { of: ['source'], sql: sql`source`, isCoded: true },
	referrer: { of: ['referrer'], sql: sql`referrer` },
	channel: { of: ['channel'], sql: sql`channel`, isCoded: true },
	utm_source: { of: ['utm_source'], sql: sql`utm_source`, isCoded: true },
	utm_medium: { of: ['utm_medium'], sql: sql`utm_medium`, isCoded: true },
	utm_campaign: { of: ['utm_campaign'], sql: sql`utm_campaign` },
	utm_term: { of: ['utm_term'], sql: sql`utm_term` },
	utm_content: { of: ['utm_content'], sql: sql`utm_content` },
	country: { of: ['country'], sql: sql`country`, isCoded: true },
	region: { of: ['region'], sql: sql`region`, isCoded: true },
	city: { of: ['city'], sql: sql`city` },
	language: { of: ['language'], sql: sql`language`, isCoded: true },
	browser: { of: ['browser'], sql: sql`browser`, isCoded: true },
	browser_version: { of: ['browser_version'], sql: sql`browser_version`, isCoded: true },
	os: { of: ['os'], sql: sql`os`, isCoded: true },
	os_version: { of: ['os_version'], sql: sql`os_version`, isCoded: true },
	device: { of: ['device'], sql: sql`device`, isCoded: true },
	screen: { of: ['screen'], sql: sql`screen`, isCoded: true },
	hour: { of: ['hour'], sql: sql`toString(hour)` },
	weekday: { of: [], sql: sql`toString(toDayOfWeek(date))` },
} as const satisfies Record<string, Expression & { isCoded?: true }>;

/** By dimension of an event: its value, and whether an event has one at all. Names of elements are those of `elements`. */
const eventValues = {
	page: { of: ['paths'], sql: sql`path`, has: sql`true` },
	hostname: { of: ['hostnames'], sql: sql`toString(hostname)`, has: sql`true` },
	title: { of: ['titles', 'kinds'], sql: sql`title`, has: sql`kind = 'pageview'` },
	event: { of: ['names', 'kinds'], sql: sql`toString(name)`, has: sql`kind = 'custom'` },
} as const satisfies Record<string, { of: readonly ListColumn[]; sql: Sql; has: Sql }>;

export type ListColumn = Extract<
	VisitColumn,
	| 'offsets'
	| 'kinds'
	| 'names'
	| 'paths'
	| 'hostnames'
	| 'titles'
	| 'properties'
	| 'engaged'
	| 'scrolls'
	| 'revenues'
	| 'currencies'
>;

/** What an element of a list is called. */
export const elements = {
	offsets: sql`offset`,
	kinds: sql`kind`,
	names: sql`name`,
	paths: sql`path`,
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

/** A dimension of a count; `goal` is by the revision of the goal. */
export type CountedDimension =
	| { name: '' | VisitDimension | EventDimension | 'goal' }
	| { name: 'property'; property: string };

export const isVisitDimension = (name: string): name is VisitDimension => Object.hasOwn(visitValues, name);
const isEventDimension = (name: string): name is EventDimension => Object.hasOwn(eventValues, name);

// Object.keys forgets that the names are those of the tables.
const visitDimensions = Object.keys(visitValues) as VisitDimension[];
const eventDimensions = Object.keys(eventValues) as EventDimension[];

/** What totals are stored by. Properties are not: there is no bound to what they are called. */
export const storedDimensions = ['', ...visitDimensions, ...eventDimensions, 'goal'] as const;

/** An expression over a run, and over which columns. */
export type Expression = { of: readonly VisitColumn[]; sql: Sql };

export const visitValue = (name: VisitDimension): Expression => visitValues[name];

function textOf(name: VisitDimension): Sql {
	const value: Expression & { isCoded?: true } = visitValues[name];
	return value.isCoded ? sql`toString(${value.sql})` : value.sql;
}

/** The value of an event, whether it has one, and the lists that both are read from. */
export type EventValue = { of: readonly ListColumn[]; sql: Sql; has: Sql };

export function eventValue(
	dimension: { name: EventDimension } | { name: 'property'; property: string },
): EventValue {
	if (dimension.name !== 'property') return eventValues[dimension.name];
	const name = param('String', dimension.property);
	return { of: ['properties'], sql: sql`props[${name}]`, has: sql`mapContains(props, ${name})` };
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
] as const;
export type Count = (typeof countNames)[number];

/** Counts of a run as a whole, over runs and, with `times`, over the first of its events with a value. */
const ofRuns = {
	visits: { of: [], each: sql`visitor_id != 0` },
	bounces: { of: ['is_bounce'], each: sql`is_bounce` },
	seconds: { of: ['seconds'], each: sql`r.seconds` },
	conversions: { of: [], each: sql`is_converted` },
} as const satisfies Partial<Record<Count, { of: readonly VisitColumn[]; each: Sql }>>;

/** Counts of events: of a run by its own sums, and of one event. */
const ofEvents = {
	views: { of: ['views'], run: sql`r.views`, lists: ['kinds'], each: sql`kind = 'pageview'` },
	visit_views: {
		of: ['views'],
		run: sql`if(visitor_id = 0, 0, r.views)`,
		lists: ['kinds'],
		each: sql`visitor_id != 0 AND kind = 'pageview'`,
	},
	events: { of: ['events'], run: sql`r.events`, lists: ['kinds'], each: sql`kind = 'custom'` },
	engaged_ms: { of: ['engaged_ms'], run: sql`r.engaged_ms`, lists: ['engaged'], each: sql`engaged_here` },
	engaged_views: {
		of: ['engaged_views'],
		run: sql`r.engaged_views`,
		lists: ['engaged'],
		each: sql`engaged_here > 0`,
	},
	scroll: { of: ['scroll'], run: sql`r.scroll`, lists: ['scrolls'], each: sql`scroll_here` },
	scroll_views: {
		of: ['scroll_views'],
		run: sql`r.scroll_views`,
		lists: ['scrolls'],
		each: sql`scroll_here > 0`,
	},
} as const satisfies Partial<
	Record<Count, { of: readonly VisitColumn[]; run: Sql; lists: readonly ListColumn[]; each: Sql }>
>;

const isOfRuns = (name: Count): name is keyof typeof ofRuns => Object.hasOwn(ofRuns, name);
const isOfEvents = (name: Count): name is keyof typeof ofEvents => Object.hasOwn(ofEvents, name);

/** Where only a part of the time counts, or a series is wanted by parts of days. */
export type Timing = {
	/** Instants: included, excluded. */
	startMs: number | null;
	endMs: number | null;
	/** Instants at which buckets begin, in order; what is before the first counts in none. */
	edgesMs: readonly number[] | null;
};

export type CountedGoal = {
	websiteId: number;
	revision: number;
	kind: 'page' | 'event';
	/** For LIKE. */
	pattern: string;
	property: { name: string; value: string } | null;
};

export type Counting = {
	dimensions: readonly CountedDimension[];
	counts: readonly Count[];
	/** Whose revisions the dimension `goal` is by. */
	goals: readonly CountedGoal[];
	timing: Timing | null;
	/** The rows are of all dates together, and have no website, date and bucket: a breakdown needs no more. */
	isOverDates?: boolean;
	/** A SELECT of values that do not count; all others of the one dimension count together, as ''. */
	without?: Sql;
};

/**
 * The columns of a run that a count reads. Beside them it needs website_id, date, visitor_id, `start_ms`, and
 * `active_visitor`, which is the visitor if any event counts and 0 if none does; and `is_converted` for conversions.
 */
export function columnsOf(counting: Counting): VisitColumn[] {
	const parts = partsOf(counting);
	return [...new Set([...columnsOfVisitors(counting), ...parts.flatMap((part) => part.columns)])];
}

/** One row a website, date, bucket, dimension and value, with the counts that are asked for, in the order they were. */
export function totalsOf(counting: Counting, runs: Sql): Sql {
	return join(
		partsOf(counting).map((part) => part.select(runs)),
		' UNION ALL ',
	);
}

type Part = { columns: readonly VisitColumn[]; select(runs: Sql): Sql };

function partsOf(counting: Counting): Part[] {
	const { dimensions, timing, counts } = counting;
	const ofVisits = dimensions.filter(({ name }) => name === '' || isVisitDimension(name));
	const ofTheirEvents = dimensions.filter(({ name }) => name === 'property' || isEventDimension(name));
	const byGoal = dimensions.some(({ name }) => name === 'goal') && counting.goals.length > 0;
	const ofRunsOnly = counts.filter(isOfRuns);
	const ofEventsOnly = counts.filter((name) => !isOfRuns(name));
	const parts: Part[] = [];
	if (ofVisits.length > 0 && !timing) parts.push(countRuns(counting, ofVisits, counts));
	if (ofVisits.length > 0 && timing) {
		parts.push(countRuns(counting, ofVisits, ofRunsOnly), countEvents(counting, ofVisits, ofEventsOnly));
	}
	if (ofTheirEvents.length > 0) parts.push(countEvents(counting, ofTheirEvents, counts));
	if (byGoal) parts.push(countGoals(counting));
	return parts;
}

const isWithin = (ms: Sql, timing: Timing | null): Sql => {
	const { startMs = null, endMs = null } = timing ?? {};
	const first = timing?.edgesMs?.[0];
	const from = startMs === null ? first : first === undefined ? startMs : Math.max(first, startMs);
	return join(
		[
			sql`true`,
			...(from === undefined ? [] : [sql`${ms} >= ${param('Int64', from)}`]),
			...(endMs === null ? [] : [sql`${ms} < ${param('Int64', endMs)}`]),
		],
		' AND ',
	);
};

/** What a row is of, beside the dimension and value: as columns, and as what is grouped by. */
function placeOf({ timing, isOverDates }: Counting, ms: Sql): { columns: Sql; keys: Sql } {
	if (isOverDates) return { columns: sql``, keys: sql`` };
	const bucket = timing?.edgesMs
		? sql`roundDown(${ms}, ${param('Array(Int64)', timing.edgesMs)})`
		: sql`toInt64(0)`;
	return { columns: sql`website_id, date, ${bucket} AS bucket,`, keys: sql`website_id, date, bucket,` };
}

/** A visitor is one of a date: over several, the date is part of who it is. */
const visitorOf = ({ isOverDates }: Counting, visitor: Sql): Sql =>
	isOverDates ? sql`bitOr(bitShiftLeft(toUInt128(toUInt16(r.date)), 64), toUInt128(${visitor}))` : visitor;

/** Over rows of which `isFirst` is true once for each run: whoever has one run that day needs not be remembered. */
const countVisitors = (counting: Counting, visitor: Sql, isFirst: Sql): Sql =>
	sql`countIf(is_only AND ${visitor} != 0 AND ${isFirst}) + uniqExactIf(${visitorOf(counting, visitor)}, ${visitor} != 0 AND NOT is_only)`;

const columnsOfVisitors = ({ timing, counts }: Counting): readonly VisitColumn[] =>
	counts.includes('visitors') && !timing ? ['is_only'] : [];

/** How a dimension is called in the rows. */
export const labelOf = (dimension: CountedDimension): string =>
	dimension.name === 'property' ? `property:${dimension.property}` : dimension.name;

const text = (value: string): Sql => sql`${param('String', value)}`;

/** The counts that are asked for, in their order. One that a SELECT has nothing of is 0 there. */
const written = (counts: readonly Count[], columnOf: (name: Count) => Sql | undefined): Sql =>
	join(
		counts.map((name) => {
			const nothing =
				name === 'revenue'
					? sql`CAST(map(), 'Map(LowCardinality(String), Decimal(38, 4))')`
					: sql`toUInt64(0)`;
			return sql`${columnOf(name) ?? nothing} AS ${word(name)}`;
		}),
		', ',
	);

const money = (currencies: Sql, revenues: Sql): Sql =>
	sql`CAST(mapFilter((currency, amount) -> currency != '', mapFromArrays((sumMap(${currencies}, ${revenues}) AS money).1, money.2)), 'Map(LowCardinality(String), Decimal(38, 4))')`;

/** Over the runs themselves: one row of a run for each dimension. */
function countRuns(
	counting: Counting,
	dimensions: readonly CountedDimension[],
	counts: readonly Count[],
): Part {
	const { timing, counts: all, without } = counting;
	const place = placeOf(counting, sql`start_ms`);
	const names = dimensions.map(({ name }) => name);
	const values = names.map((name) => (isVisitDimension(name) ? textOf(name) : sql`''`));
	const columnOf = (name: Count): Sql | undefined => {
		if (!counts.includes(name)) return undefined;
		if (name === 'visitors') return countVisitors(counting, sql`active_visitor`, sql`true`);
		if (name === 'revenue') return money(sql`currencies`, sql`revenues`);
		const each = isOfRuns(name) ? ofRuns[name].each : ofEvents[name].run;
		return sql`toUInt64(sum(${each}))`;
	};
	return {
		columns: [
			...names.flatMap((name) => (isVisitDimension(name) ? visitValues[name].of : [])),
			...counts.flatMap((name): readonly VisitColumn[] => {
				if (name === 'revenue') return ['currencies', 'revenues'];
				if (isOfRuns(name)) return ofRuns[name].of;
				return isOfEvents(name) ? ofEvents[name].of : [];
			}),
		],
		select: (runs) =>
			counting.isOverDates && !without && names.length > 1 && names.every(isVisitDimension)
				? groupInSets(names, {
						counted: written(all, columnOf),
						runs,
						isHere: isWithin(sql`start_ms`, timing),
					})
				: sql`
		SELECT ${place.columns} dimension, value, ${written(all, columnOf)}
		FROM (${runs}) AS r
		ARRAY JOIN [${join(names.map(text), ', ')}] AS dimension, [${without ? sql`''` : join(values, ', ')}] AS value
		WHERE ${isWithin(sql`start_ms`, timing)} ${without ? sql`AND ${join(values, ', ')} NOT IN (${without})` : sql``}
		GROUP BY ${place.keys} dimension, value`,
	};
}

/**
 * The same without a row of a run for each dimension: every dimension has a table of its own, by its own type. Over the
 * dates of a question it takes half the time; a seal has as many tables as days then, and is no faster.
 */
function groupInSets(
	names: readonly VisitDimension[],
	{ counted, runs, isHere }: { counted: Sql; runs: Sql; isHere: Sql },
): Sql {
	const keys = names.map((_, index) => word(`value_${index}`));
	// `grouping` has a bit for each key, the first one's is the highest: it is 0 where the row is of that key.
	const all = 2n ** BigInt(names.length) - 1n;
	const bits = names.map((_, index) => all - 2n ** BigInt(names.length - 1 - index));
	const nth = sql`indexOf(${param('Array(UInt64)', bits)}, toUInt64(grouping(${join(keys, ', ')})))`;
	return sql`
		SELECT
			${param('Array(String)', names)}[${nth}] AS dimension,
			[${join(
				keys.map((key) => sql`toString(${key})`),
				', ',
			)}][${nth}] AS value,
			${counted}
		FROM (SELECT *, ${join(
			names.map((name, index) => sql`${visitValues[name].sql} AS ${keys[index] ?? sql``}`),
			', ',
		)} FROM (${runs})) AS r
		WHERE ${isHere}
		GROUP BY GROUPING SETS (${join(
			keys.map((key) => sql`(${key})`),
			', ',
		)})`;
}

/** A count over rows of events that have `event_ms`, and `nth`: 1 in the first row of a run. */
function ofEventRows(counting: Counting, name: Count): Sql {
	const { timing } = counting;
	const isHere = isWithin(sql`event_ms`, timing);
	if (name === 'visitors')
		return timing
			? sql`uniqExactIf(${visitorOf(counting, sql`visitor_id`)}, visitor_id != 0 AND ${isHere})`
			: countVisitors(counting, sql`visitor_id`, sql`nth = 1`);
	if (name === 'revenue') return money(sql`[if(${isHere}, currency, '')]`, sql`[revenue_here]`);
	if (!isOfRuns(name)) return sql`toUInt64(sumIf(${ofEvents[name].each}, ${isHere}))`;
	return sql`toUInt64(sumIf(${ofRuns[name].each}, nth = 1 AND ${isWithin(sql`start_ms`, timing)}))`;
}

/** The instant of an event; for whole days it makes no difference. */
const eventMs = ({ timing }: Counting): Sql => (timing ? sql`start_ms + offset` : sql`start_ms`);

/** The lists that such rows are made of. */
function listsOf({ timing }: Counting, counts: readonly Count[], more: readonly ListColumn[]): ListColumn[] {
	const counted = counts.flatMap((name): readonly ListColumn[] => {
		if (name === 'revenue') return ['revenues', 'currencies'];
		return isOfEvents(name) ? ofEvents[name].lists : [];
	});
	return [...new Set([...more, ...counted, ...(timing ? (['offsets'] as const) : [])])];
}

type DimensionValue = EventValue & { nth: Sql; columns: readonly VisitColumn[] };

/** Of a visit's dimension the runs are counted elsewhere: no event of theirs is the first. */
function readValue(dimension: CountedDimension): EventValue | DimensionValue {
	if (dimension.name === 'property') return eventValue(dimension);
	const { name } = dimension;
	if (name === 'goal') throw new Error('Goals are counted apart.');
	if (name !== '' && !isVisitDimension(name)) return eventValue({ name });
	const value: Expression =
		name === '' ? { of: [], sql: sql`''` } : { of: visitValues[name].of, sql: textOf(name) };
	return {
		of: [],
		sql: value.sql,
		has: sql`true`,
		nth: sql`arrayWithConstant(length(kinds), 0)`,
		columns: value.of,
	};
}

/** Over the events of runs: one row of an event for each dimension that it has a value of. */
function countEvents(
	counting: Counting,
	dimensions: readonly CountedDimension[],
	counts: readonly Count[],
): Part {
	const { timing, counts: all, without } = counting;
	const place = placeOf(counting, sql`event_ms`);
	const values = dimensions.map((dimension): DimensionValue => {
		const told = readValue(dimension);
		if ('columns' in told) return told;
		const isOther = sql`(${told.has}) AND ${told.sql} NOT IN (${without ?? sql``})`;
		const value = without ? { ...told, sql: sql`''`, has: isOther } : told;
		const lambda = sql`(${join(
			value.of.map((list) => elements[list]),
			', ',
		)}) -> (${value.has}, ${value.sql})`;
		const nth = sql`arrayEnumerateUniq(arrayMap(${lambda}, ${join(value.of.map(word), ', ')}))`;
		return { ...value, nth, columns: [] };
	});
	const lists = listsOf(counting, counts, ['kinds', ...values.flatMap(({ of }) => of)]);
	const nths = values.map((_, index) => word(`nth_${index}`));
	return {
		columns: [
			...lists,
			...values.flatMap(({ columns }) => columns),
			...counts.flatMap((name) => (isOfRuns(name) ? ofRuns[name].of : [])),
		],
		select: (runs) => sql`
		SELECT ${place.columns} dimension, value, ${written(all, (name) => (counts.includes(name) ? ofEventRows(counting, name) : undefined))}
		FROM (
			SELECT ${join([sql`*`, sql`${eventMs(counting)} AS event_ms`, ...lists.map((list) => elements[list]), ...nths], ', ')}
			FROM (${runs})
			ARRAY JOIN ${join(
				[
					...lists.map((list) => sql`${word(list)} AS ${elements[list]}`),
					...values.map(({ nth }, index) => sql`${nth} AS ${nths[index] ?? sql``}`),
				],
				', ',
			)}
		) AS r
		ARRAY JOIN
			[${join(
				dimensions.map((dimension) => text(labelOf(dimension))),
				', ',
			)}] AS dimension,
			[${join(
				values.map((value) => value.sql),
				', ',
			)}] AS value,
			[${join(
				values.map((value) => value.has),
				', ',
			)}] AS has_value,
			[${join(nths, ', ')}] AS nth
		WHERE has_value AND (${timing?.edgesMs || counts.every((name) => !isOfRuns(name)) ? isWithin(sql`event_ms`, timing) : sql`true`})
		GROUP BY ${place.keys} dimension, value`,
	};
}

/** Over runs and the goals of their website: one row of a run for each goal that it reached. */
function countGoals(counting: Counting): Part {
	const { counts, goals } = counting;
	const place = placeOf(counting, sql`event_ms`);
	const lists = listsOf(counting, counts, ['kinds', 'names', 'paths', 'properties']);
	const listOf = (type: string, each: (goal: CountedGoal) => unknown) =>
		sql`${param(`Array(${type})`, goals.map(each))}`;
	return {
		columns: [...lists, ...counts.flatMap((name) => (isOfRuns(name) ? ofRuns[name].of : []))],
		select: (runs) => sql`
		SELECT ${place.columns} 'goal' AS dimension, value, ${written(counts, (name) =>
			// A run that reached the goal is a conversion.
			ofEventRows(counting, name === 'conversions' ? 'visits' : name),
		)}
		FROM (
			SELECT ${join([sql`*, nth`, sql`${eventMs(counting)} AS event_ms`, ...lists.map((list) => elements[list])], ', ')}
			FROM (
				SELECT
					*,
					arrayMap(
						(${join([elements.kinds, elements.names, elements.paths, elements.properties], ', ')}) ->
							if(goal_is_page, kind = 'pageview' AND path LIKE goal_pattern, kind = 'custom' AND toString(name) LIKE goal_pattern)
							AND (NOT goal_has_property OR (mapContains(props, goal_property) AND props[goal_property] = goal_property_value)),
						kinds, names, paths, properties
					) AS reached
				FROM (${runs}) AS r
				INNER JOIN (
					SELECT
						goal.1 AS website_id, goal.2 AS value, goal.3 AS goal_is_page, goal.4 AS goal_pattern,
						goal.5 AS goal_has_property, goal.6 AS goal_property, goal.7 AS goal_property_value
					FROM (
						SELECT arrayJoin(arrayZip(
							${listOf('UInt32', ({ websiteId }) => websiteId)},
							${listOf('String', ({ revision }) => String(revision))},
							${listOf('UInt8', ({ kind }) => (kind === 'page' ? 1 : 0))},
							${listOf('String', ({ pattern }) => pattern)},
							${listOf('UInt8', ({ property }) => (property ? 1 : 0))},
							${listOf('String', ({ property }) => property?.name ?? '')},
							${listOf('String', ({ property }) => property?.value ?? '')}
						)) AS goal
					)
				) AS g USING (website_id)
				WHERE has(reached, 1)
			)
			ARRAY JOIN ${join(
				[
					...lists.map((list) => sql`${word(list)} AS ${elements[list]}`),
					sql`reached AS is_reached`,
					sql`arrayCumSum(reached) AS nth`,
				],
				', ',
			)}
			WHERE is_reached
		) AS r
		GROUP BY ${place.keys} value`,
	};
}
