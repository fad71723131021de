/**
 * Counting. Every number of the product comes from these SELECTs: a seal stores their results for a day, and a question runs
 * them itself for a day that is not sealed and, with a filter, for the visits that the filter selects.
 *
 * They read visits (derive/visits.ts) and return one row per website, date, dimension and value; the dimension '' is
 * everything. All counts can be summed over dates. They belong to different instants:
 * - visits, bounces, seconds, conversions and converted visitors belong to the start of the visit;
 * - visitors, views, events, engagement and revenue belong to each event.
 * For whole days both agree, and the sums of a visit are used; within hours, or in a day that is cut, they are counted apart.
 *
 * A visit has one value of a visit dimension. Of an event dimension it counts once for each value that its events have (at its
 * first event with the value, n = 1), and of its events those with the value count.
 */
import { identifier, join, param, type Sql, sql } from '../store/sql.ts';
import { groupEvents, rowValueOf, visitRowValue } from './counted-values.ts';
import {
	type Count,
	type CountedColumn,
	type CountedDimension,
	elements,
	eventCounts,
	isEventCount,
	isOfVisits,
	isVisitCount,
	type ListColumn,
	labelOf,
	visitCounts,
	zeroOf,
} from './counts.ts';
import { type GoalProperty, passesGoal } from './goal-property.ts';
import { groupInSets } from './group-in-sets.ts';

/** Restricts a count to a part of the time, or divides it into buckets within days. */
export type Timing = {
	/** Instants: included, excluded. */
	startMs: number | null;
	endMs: number | null;
	/** Instants at which buckets begin, in order; earlier events are in no bucket. */
	edgesMs: readonly number[] | null;
};

export type CountedGoal = {
	websiteId: number;
	revision: number;
	kind: 'page' | 'event';
	/** A LIKE pattern. */
	pattern: string;
	/** The value of `wildcard` is a LIKE pattern too. */
	property: GoalProperty | null;
};

export type Counting = {
	dimensions: readonly CountedDimension[];
	counts: readonly Count[];
	/** The goals of the dimension `goal`. */
	goals: readonly CountedGoal[];
	timing: Timing | null;
	/**
	 * Rows cover all dates, which is enough for a breakdown; only rows of everything are by date. They have no website and no
	 * bucket, and a `day`, which is 1970-01-01 for rows that cover all dates.
	 */
	isOverDates?: boolean;
	/** A SELECT of values that do not count; all others of the single dimension count together, as ''. */
	without?: Sql;
};

/**
 * The columns of a visit that a count reads. Besides them it needs website_id, date, visitor_id, `start_ms`, and
 * `active_visitor`, which is the visitor if any event counts and 0 if none does; and `is_converted` for conversions.
 */
export function columnsOf(counting: Counting): CountedColumn[] {
	const parts = partsOf(counting);
	return [...new Set([...columnsOfVisitors(counting), ...parts.flatMap((part) => part.columns)])];
}

/** One row per website, date, bucket, dimension and value, with the requested counts in their order. */
export function totalsOf(counting: Counting, visits: Sql): Sql {
	return join(
		partsOf(counting).map((part) => part.select(visits)),
		' UNION ALL ',
	);
}

type Part = { columns: readonly CountedColumn[]; select(visits: Sql): Sql };

function partsOf(counting: Counting): Part[] {
	const { dimensions, timing, counts } = counting;
	const visitDimensions = dimensions.filter(isOfVisits);
	const eventDimensions = dimensions.filter(
		(dimension) => !isOfVisits(dimension) && dimension.name !== 'goal',
	);
	const byGoal = dimensions.some(({ name }) => name === 'goal') && counting.goals.length > 0;
	const visitCountNames = counts.filter(isVisitCount);
	const eventCountNames = counts.filter((name) => !isVisitCount(name));
	const parts: Part[] = [];
	if (visitDimensions.length > 0 && !timing) parts.push(countVisits(counting, visitDimensions, counts));
	if (visitDimensions.length > 0 && timing) {
		parts.push(
			countVisits(counting, visitDimensions, visitCountNames),
			countEvents(counting, visitDimensions, eventCountNames),
		);
	}
	if (eventDimensions.length > 0) parts.push(countEvents(counting, eventDimensions, counts));
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

/** What identifies a row besides the dimension and value: as columns, and as keys of GROUP BY. */
function rowKeysOf({ timing, isOverDates }: Counting, ms: Sql): { columns: Sql; keys: Sql } {
	if (isOverDates) return { columns: sql`toDate(0) AS day,`, keys: sql`` };
	const bucket = timing?.edgesMs
		? sql`roundDown(${ms}, ${param('Array(Int64)', timing.edgesMs)})`
		: sql`toInt64(0)`;
	return { columns: sql`website_id, date, ${bucket} AS bucket,`, keys: sql`website_id, date, bucket,` };
}

/**
 * Visitor ids are unique within a date: over several dates, each id is moved by a distance of its date. The sum stays 64 bits wide, as a
 * set of wider ids takes more than twice the time (docs/decisions/0027-dates-in-visitor-ids.md).
 */
const visitorOf = ({ isOverDates }: Counting, visitor: Sql): Sql =>
	isOverDates ? sql`${visitor} + toUInt16(r.date) * 11400714819323198485` : visitor;

/** Over rows of which `isFirst` is true once per visit. Visitors with one visit that day are counted without a set of ids. */
const countVisitors = (counting: Counting, visitor: Sql, isFirst: Sql): Sql =>
	sql`countIf(is_only AND ${visitor} != 0 AND ${isFirst}) + uniqExactIf(${visitorOf(counting, visitor)}, ${visitor} != 0 AND NOT is_only AND ${isFirst})`;

const countConverted = (counting: Counting, isConverted: Sql): Sql =>
	sql`uniqExactIf(${visitorOf(counting, sql`visitor_id`)}, ${isConverted})`;
const columnsOfVisitors = ({ timing, counts }: Counting): readonly CountedColumn[] =>
	counts.includes('visitors') && !timing ? ['is_only'] : [];

const text = (value: string): Sql => sql`${param('String', value)}`;

/** The requested counts in their order; 0 where a SELECT does not have one. */
const countColumns = (counts: readonly Count[], columnOf: (name: Count) => Sql | undefined): Sql =>
	join(
		counts.map((name) => sql`${columnOf(name) ?? zeroOf(name)} AS ${identifier(name)}`),
		', ',
	);

const money = (currencies: Sql, revenues: Sql): Sql =>
	sql`CAST(mapFilter((currency, amount) -> currency != '', mapFromArrays((sumMap(${currencies}, ${revenues}) AS money).1, money.2)), 'Map(LowCardinality(String), Decimal(38, 4))')`;

/** Over the visits themselves: one row per visit and dimension. */
function countVisits(
	counting: Counting,
	dimensions: readonly CountedDimension[],
	counts: readonly Count[],
): Part {
	const { timing, counts: all, without } = counting;
	const rowKeys = rowKeysOf(counting, sql`start_ms`);
	const names = dimensions.map(labelOf);
	const values = dimensions.map(visitRowValue);
	const value = join(
		values.map((each) => each.sql),
		', ',
	);
	const columnOf = (name: Count): Sql | undefined => {
		if (!counts.includes(name)) return undefined;
		if (name === 'visitors') return countVisitors(counting, sql`active_visitor`, sql`true`);
		if (name === 'converted_visitors') return countConverted(counting, sql`is_converted`);
		if (name === 'revenue') return money(sql`currencies`, sql`revenues`);
		const each = isVisitCount(name) ? visitCounts[name].each : eventCounts[name].visit;
		return sql`toUInt64(sum(${each}))`;
	};
	return {
		columns: [
			...values.flatMap(({ columns }) => columns),
			...counts.flatMap((name): readonly CountedColumn[] => {
				if (name === 'revenue') return ['currencies', 'revenues'];
				if (isVisitCount(name)) return visitCounts[name].columns;
				return isEventCount(name) ? eventCounts[name].columns : [];
			}),
		],
		select: (visits) =>
			counting.isOverDates && !without && (names.length > 1 || names[0] === '')
				? groupInSets(dimensions, {
						counted: countColumns(all, columnOf),
						visits,
						isWithinTime: isWithin(sql`start_ms`, timing),
					})
				: sql`
		SELECT ${rowKeys.columns} dimension, value, ${countColumns(all, columnOf)}
		FROM (${visits}) AS r
		ARRAY JOIN [${join(names.map(text), ', ')}] AS dimension, [${without ? sql`''` : value}] AS value
		WHERE ${isWithin(sql`start_ms`, timing)} ${without ? sql`AND ${value} NOT IN (${without})` : sql``}
		GROUP BY ${rowKeys.keys} dimension, value`,
	};
}

/** A count over rows of events that have `event_ms`, and `nth`: 1 in the first row of a visit. */
function ofEventRows(counting: Counting, name: Count, isConverted = sql`is_converted`): Sql {
	const { timing } = counting;
	const isCounted = isWithin(sql`event_ms`, timing);
	if (name === 'visitors')
		return timing
			? sql`uniqExactIf(${visitorOf(counting, sql`visitor_id`)}, visitor_id != 0 AND ${isCounted})`
			: countVisitors(counting, sql`visitor_id`, sql`nth = 1`);
	if (name === 'revenue') return money(sql`[if(${isCounted}, currency, '')]`, sql`[revenue_here]`);
	if (!isVisitCount(name)) return sql`toUInt64(sumIf(${eventCounts[name].each}, ${isCounted}))`;
	const isFirst = sql`nth = 1 AND ${isWithin(sql`start_ms`, timing)}`;
	if (name === 'converted_visitors') return countConverted(counting, sql`${isConverted} AND ${isFirst}`);
	return sql`toUInt64(sumIf(${name === 'conversions' ? isConverted : visitCounts[name].each}, ${isFirst}))`;
}

/** The time of an event; for whole days the start of the visit will do. */
const eventMs = ({ timing }: Counting): Sql => (timing ? sql`start_ms + offset` : sql`start_ms`);

/** The lists that rows of events are made of. */
function listsOf({ timing }: Counting, counts: readonly Count[], more: readonly ListColumn[]): ListColumn[] {
	const counted = counts.flatMap((name): readonly ListColumn[] => {
		if (name === 'revenue') return ['revenues', 'currencies'];
		return isEventCount(name) ? eventCounts[name].lists : [];
	});
	return [...new Set([...more, ...counted, ...(timing ? (['offsets'] as const) : [])])];
}

/** Over the events of visits: one row per event and dimension that it has a value of. */
function countEvents(
	counting: Counting,
	dimensions: readonly CountedDimension[],
	counts: readonly Count[],
): Part {
	const { timing, counts: all, without } = counting;
	const rowKeys = rowKeysOf(counting, sql`event_ms`);
	const values = dimensions.map((dimension) => groupEvents(dimension, without));
	const lists = listsOf(counting, counts, ['kinds', ...values.flatMap((value) => value.lists)]);
	const nths = values.map((_, index) => identifier(`nth_${index}`));
	const eventRows = (visits: Sql, more: Sql): Sql => sql`
			SELECT ${join([sql`*`, sql`${eventMs(counting)} AS event_ms`, ...lists.map((list) => elements[list]), more], ', ')}
			FROM (${visits})
			ARRAY JOIN ${join(
				[
					...lists.map((list) => sql`${identifier(list)} AS ${elements[list]}`),
					...values.map(({ nth }, index) => sql`${nth} AS ${nths[index] ?? sql``}`),
				],
				', ',
			)}
		`;
	return {
		columns: [
			...lists,
			...values.flatMap(({ columns }) => columns),
			...counts.flatMap((name) => (isVisitCount(name) ? visitCounts[name].columns : [])),
		],
		select(visits) {
			const counted = countColumns(all, (name) =>
				counts.includes(name) ? ofEventRows(counting, name) : undefined,
			);
			const isCounted =
				timing?.edgesMs || counts.every((name) => !isVisitCount(name))
					? isWithin(sql`event_ms`, timing)
					: sql`true`;
			const [only, ...others] = values;
			// One dimension, or two at once, need no second row per event, and pages stay codes until they are counted.
			if (only && others.length === 0) {
				const keys = only.values.map((_, index) => identifier(`value_${index}`));
				const named = only.values.map((value, index) => sql`${value} AS ${keys[index] ?? sql``}`);
				return sql`
		SELECT ${rowKeys.columns} ${join(
			dimensions.map((dimension) => text(labelOf(dimension))),
			', ',
		)} AS dimension, ${rowValueOf(keys.map((key) => sql`toString(${key})`))} AS value, ${counted}
		FROM (${eventRows(visits, join([...named, sql`nth_0 AS nth`], ', '))}) AS r
		WHERE ${only.has} AND (${isCounted})
		GROUP BY ${rowKeys.keys} ${join(keys, ', ')}`;
			}
			return sql`
		SELECT ${rowKeys.columns} dimension, value, ${counted}
		FROM (${eventRows(visits, join(nths, ', '))}) AS r
		ARRAY JOIN
			[${join(
				dimensions.map((dimension) => text(labelOf(dimension))),
				', ',
			)}] AS dimension,
			[${join(
				values.map((value) => rowValueOf(value.values)),
				', ',
			)}] AS value,
			[${join(
				values.map((value) => value.has),
				', ',
			)}] AS has_value,
			[${join(nths, ', ')}] AS nth
		WHERE has_value AND (${isCounted})
		GROUP BY ${rowKeys.keys} dimension, value`;
		},
	};
}

/** Over visits and the goals of their website: one row per visit and goal that it reached. */
function countGoals(counting: Counting): Part {
	const { counts, goals } = counting;
	const rowKeys = rowKeysOf(counting, sql`event_ms`);
	const lists = listsOf(counting, counts, ['kinds', 'names', 'paths', 'properties']);
	const listOf = (type: string, each: (goal: CountedGoal) => unknown) =>
		sql`${param(`Array(${type})`, goals.map(each))}`;
	// Most goals have no test but equality.
	const hasTests = goals.some(({ property }) => property?.test !== undefined);
	const passes = hasTests
		? passesGoal(sql`props[goal_property]`, {
				test: sql`goal_test`,
				value: sql`goal_property_value`,
				like: sql`goal_like`,
			})
		: sql`props[goal_property] = goal_property_value`;
	const goalValue = (property: GoalProperty | null, isLike: boolean): string =>
		property && (property.test === 'wildcard') === isLike ? property.value : '';
	return {
		columns: [...lists, ...counts.flatMap((name) => (isVisitCount(name) ? visitCounts[name].columns : []))],
		select: (visits) => sql`
		SELECT ${rowKeys.columns} 'goal' AS dimension, value, ${countColumns(counts, (name) =>
			// A visit that reached the goal is a conversion.
			ofEventRows(counting, name, sql`visitor_id != 0`),
		)}
		FROM (
			SELECT ${join([sql`*, nth`, sql`${eventMs(counting)} AS event_ms`, ...lists.map((list) => elements[list])], ', ')}
			FROM (
				SELECT
					*,
					arrayMap(
						(${join([elements.kinds, elements.names, elements.paths, elements.properties], ', ')}) ->
							if(goal_is_page, kind = 'pageview' AND path LIKE goal_pattern, kind = 'custom' AND toString(name) LIKE goal_pattern)
							AND (NOT goal_has_property OR (mapContains(props, goal_property) AND ${passes})),
						kinds, names, paths, properties
					) AS reached
				FROM (${visits}) AS r
				INNER JOIN (
					SELECT
						goal.1 AS website_id, goal.2 AS value, goal.3 AS goal_is_page, goal.4 AS goal_pattern,
						goal.5 AS goal_has_property, goal.6 AS goal_property, goal.7 AS goal_property_value${hasTests ? sql`, goal.8 AS goal_test, goal.9 AS goal_like` : sql``}
					FROM (
						SELECT arrayJoin(arrayZip(
							${listOf('UInt32', ({ websiteId }) => websiteId)},
							${listOf('String', ({ revision }) => String(revision))},
							${listOf('UInt8', ({ kind }) => (kind === 'page' ? 1 : 0))},
							${listOf('String', ({ pattern }) => pattern)},
							${listOf('UInt8', ({ property }) => (property ? 1 : 0))},
							${listOf('String', ({ property }) => property?.name ?? '')},
							${listOf('String', ({ property }) => goalValue(property, false))}${hasTests ? sql`, ${listOf('String', ({ property }) => property?.test ?? '')}, ${listOf('String', ({ property }) => goalValue(property, true))}` : sql``}
						)) AS goal
					)
				) AS g USING (website_id)
				WHERE has(reached, 1)
			)
			ARRAY JOIN ${join(
				[
					...lists.map((list) => sql`${identifier(list)} AS ${elements[list]}`),
					sql`reached AS is_reached`,
					sql`arrayCumSum(reached) AS nth`,
				],
				', ',
			)}
			WHERE is_reached
		) AS r
		GROUP BY ${rowKeys.keys} value`,
	};
}
