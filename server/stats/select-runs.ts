/**
 * A filter selects runs, and of a selected run the events that meet it count.
 *
 * Over one event a filter is plain logic: a test of a visit's dimension looks at the run, one of an event's dimension at the
 * event. Over a run, a part that is made of tests of events and holds no negation is a condition on one event: some event
 * of the run must meet it, and within an `and` one event must meet all of them together. A negation is of the run: 'not
 * on /a' is a run none of whose events was on /a.
 */
import {
	type Counting,
	columnsOf,
	type EventValue,
	type Expression,
	elements,
	eventValue,
	isVisitDimension,
	type ListColumn,
	visitValue,
} from '../derive/totals.ts';
import type { VisitColumn } from '../derive/visits.ts';
import { join, param, type Sql, sql, word } from '../store/sql.ts';
import type { Dimension } from './dimensions.ts';
import { patternToLike } from './goals.ts';
import type { Filter, Goal } from './question.ts';

type Test = Extract<Filter, { kind: 'test' }>;

/** A condition on an event, within a lambda over these lists; it may look at columns of the run too. */
type EventCondition = { lists: readonly ListColumn[]; of: readonly VisitColumn[]; sql: Sql };

/** Runs with the columns that a count reads: those that a filter selects, with the events that meet it. */
export function selectRuns(
	{ filter, goal, goals }: { filter: Filter | null; goal: Goal | null; goals: readonly Goal[] },
	counting: Counting,
	runsWith: (columns: readonly VisitColumn[]) => Sql,
): Sql {
	const wanted = columnsOf(counting);
	const flat = filter && flatten(filter);
	const selects = flat ? selectsOf(flat, goals) : { of: [], sql: sql`true` };
	const matches = flat && hasEvents(flat) ? matchesOf(flat, goals) : null;
	const converts = goal ? someEvent(goalCondition([goal])) : null;
	const read: VisitColumn[] = [
		...new Set([
			...wanted.flatMap((name) => (matches ? listsBehind(name) : [name])),
			...selects.of,
			...(matches ? (['kinds', ...matches.lists, ...matches.of] as const) : []),
			...(converts?.of ?? []),
			...(counting.timing ? (['start'] as const) : []),
		]),
	];
	const always = sql`
			website_id, date, visitor_id,
			${counting.timing ? sql`toUnixTimestamp64Milli(start)` : sql`toInt64(0)`} AS start_ms,
			${converts ? sql`toUInt8(visitor_id != 0 AND ${converts.sql})` : sql`toUInt8(0)`} AS is_converted`;
	if (!matches) {
		return sql`
		SELECT ${join([always, sql`visitor_id AS active_visitor`, ...wanted.map(word)], ', ')}
		FROM (${runsWith(read)})
		WHERE ${selects.sql}`;
	}
	const kept = [...new Set(wanted.flatMap(listsBehind))];
	return sql`
		SELECT ${join(
			[
				sql`website_id, date, visitor_id, start_ms, is_converted, if(has(is_met, 1), visitor_id, 0) AS active_visitor`,
				...wanted.map((name) => sql`${keptOf(name)} AS ${word(name)}`),
			],
			', ',
		)}
		FROM (
			SELECT ${join([always, ...kept.map(word), sql`${mapOver(matches)} AS is_met`], ', ')}
			FROM (${runsWith(read)})
			WHERE ${selects.sql}
		) AS r`;
}

/** Whether a filter selects a run. */
export const selectionOf = (filter: Filter | null, goals: readonly Goal[]): Expression =>
	filter ? selectsOf(flatten(filter), goals) : { of: [], sql: sql`true` };

/** 1 or 0 for each event of a run: whether it meets the goal. */
export function meetsOf(goal: Goal): Expression {
	// No more is read than this one goal looks at.
	const lists: ListColumn[] = ['kinds', goal.kind === 'page' ? 'paths' : 'names'];
	if (goal.property) lists.push('properties');
	return { of: lists, sql: mapOver({ ...goalCondition([goal]), lists }) };
}

/** Sums of a run are counted again over the events that count; these lists are what they are counted from. */
const recounted: Partial<Record<VisitColumn, { from: readonly ListColumn[]; sql: Sql }>> = {
	views: { from: ['kinds'], sql: sql`arrayCount((kind, met) -> met AND kind = 'pageview', r.kinds, is_met)` },
	events: { from: ['kinds'], sql: sql`arrayCount((kind, met) -> met AND kind = 'custom', r.kinds, is_met)` },
	engaged_ms: { from: ['engaged'], sql: sql`arraySum((ms, met) -> if(met, ms, 0), r.engaged, is_met)` },
	engaged_views: { from: ['engaged'], sql: sql`arrayCount((ms, met) -> met AND ms > 0, r.engaged, is_met)` },
	scroll: { from: ['scrolls'], sql: sql`arraySum((percent, met) -> if(met, percent, 0), r.scrolls, is_met)` },
	scroll_views: {
		from: ['scrolls'],
		sql: sql`arrayCount((percent, met) -> met AND percent > 0, r.scrolls, is_met)`,
	},
};

const listsBehind = (name: VisitColumn): readonly VisitColumn[] => recounted[name]?.from ?? [name];

function keptOf(name: VisitColumn): Sql {
	const counted = recounted[name];
	if (counted) return counted.sql;
	return isList(name)
		? sql`arrayFilter((element, met) -> met, r.${word(name)}, is_met)`
		: sql`r.${word(name)}`;
}

const isList = (name: VisitColumn): name is ListColumn => Object.hasOwn(elements, name);

/** An `and` within an `and` is the same `and`. */
function flatten(filter: Filter): Filter {
	switch (filter.kind) {
		case 'test':
			return filter;
		case 'not':
			return { kind: 'not', part: flatten(filter.part) };
		case 'or':
			return { kind: 'or', parts: filter.parts.map(flatten) };
		case 'and':
			return {
				kind: 'and',
				parts: filter.parts.map(flatten).flatMap((part) => (part.kind === 'and' ? part.parts : [part])),
			};
	}
}

const isOfVisits = ({ dimension }: Test): boolean => isVisitDimension(dimension.name);

/** Whether any test looks at events. */
function hasEvents(filter: Filter): boolean {
	switch (filter.kind) {
		case 'test':
			return !isOfVisits(filter);
		case 'not':
			return hasEvents(filter.part);
		case 'and':
		case 'or':
			return filter.parts.some(hasEvents);
	}
}

/** A condition on one event: tests of events, and no negation among them. */
function isEventCondition(filter: Filter): boolean {
	switch (filter.kind) {
		case 'test':
			return !isOfVisits(filter);
		case 'not':
			return false;
		case 'and':
		case 'or':
			return filter.parts.every(isEventCondition);
	}
}

/** Over a run: whether it is selected. */
function selectsOf(filter: Filter, goals: readonly Goal[]): Expression {
	if (isEventCondition(filter)) return someEvent(matchesOf(filter, goals));
	switch (filter.kind) {
		case 'test':
			return visitTest(filter);
		case 'not': {
			const part = selectsOf(filter.part, goals);
			return { of: part.of, sql: sql`NOT (${part.sql})` };
		}
		case 'or':
			return together(
				filter.parts.map((part) => selectsOf(part, goals)),
				' OR ',
			);
		case 'and': {
			const onOneEvent = filter.parts.filter(isEventCondition);
			const others = filter.parts.filter((part) => !isEventCondition(part));
			return together(
				[
					...(onOneEvent.length > 0 ? [someEvent(matchesOf({ kind: 'and', parts: onOneEvent }, goals))] : []),
					...others.map((part) => selectsOf(part, goals)),
				],
				' AND ',
			);
		}
	}
}

/** Over an event of a run: whether it counts. */
function matchesOf(filter: Filter, goals: readonly Goal[]): EventCondition {
	switch (filter.kind) {
		case 'test':
			if (isOfVisits(filter)) return { lists: [], ...visitTest(filter) };
			return { of: [], ...eventTest(filter, goals) };
		case 'not': {
			const part = matchesOf(filter.part, goals);
			return { ...part, sql: sql`NOT (${part.sql})` };
		}
		case 'and':
		case 'or': {
			const parts = filter.parts.map((part) => matchesOf(part, goals));
			return {
				lists: parts.flatMap(({ lists }) => lists),
				...together(parts, filter.kind === 'and' ? ' AND ' : ' OR '),
			};
		}
	}
}

function together(parts: readonly Expression[], word: ' AND ' | ' OR '): Expression {
	return {
		of: parts.flatMap(({ of }) => of),
		sql: sql`(${join(
			parts.map((part) => part.sql),
			word,
		)})`,
	};
}

function visitTest(test: Test): Expression {
	const { name } = test.dimension;
	if (!isVisitDimension(name)) throw new Error(`${name} is no dimension of visits.`);
	const value = visitValue(name);
	// Of a coded column IN compares codes; elsewhere it is as good as any.
	const isOne = sql`${value.sql} IN ${param('Array(String)', test.values)}`;
	return { of: value.of, sql: test.test === 'is' ? isOne : passes(value.sql, test) };
}

function eventTest(test: Test, goals: readonly Goal[]): { lists: readonly ListColumn[]; sql: Sql } {
	const { dimension } = test;
	if (dimension.name === 'goal')
		return goalCondition(
			goals.filter(({ id }) => test.values.some((value) => isMet(String(id), test.test, value))),
		);
	const value = eventValueOf(dimension);
	return { lists: value.of, sql: sql`(${value.has} AND ${passes(value.sql, test)})` };
}

function isMet(text: string, test: Test['test'], value: string): boolean {
	switch (test) {
		case 'is':
			return text === value;
		case 'contains':
			return text.includes(value);
		case 'starts_with':
			return text.startsWith(value);
	}
}

function eventValueOf(dimension: Dimension): EventValue {
	if (dimension.name === 'property') return eventValue(dimension);
	const { name } = dimension;
	if (name === 'goal' || isVisitDimension(name)) throw new Error(`${name} has no single value of an event.`);
	return eventValue({ name });
}

/** One of the values passes. */
export function passes(of: Sql, { test, values }: Pick<Test, 'test' | 'values'>): Sql {
	switch (test) {
		case 'is':
			return sql`has(${param('Array(String)', values)}, ${of})`;
		case 'contains':
			// Every text contains the empty one; this function would not find it in an empty text.
			return values.includes('') ? sql`true` : sql`multiSearchAny(${of}, ${param('Array(String)', values)})`;
		case 'starts_with': {
			// An OR of so many would take ClickHouse longer to read than to answer.
			const byLength = Map.groupBy(values, (value) => Buffer.byteLength(value));
			return anyOf(
				[...byLength].map(
					([length, alike]) =>
						sql`has(${param('Array(String)', alike)}, substring(${of}, 1, ${param('UInt64', length)}))`,
				),
			);
		}
	}
}

const anyOf = (parts: readonly Sql[]): Sql => sql`(${join(parts, ' OR ')})`;

/** The event meets one of these goals. */
function goalCondition(goals: readonly Goal[]): EventCondition {
	const conditions = goals.map(({ kind, pattern, property }) => {
		const like = param('String', patternToLike(pattern));
		const meets =
			kind === 'page'
				? sql`kind = 'pageview' AND path LIKE ${like}`
				: sql`kind = 'custom' AND toString(name) LIKE ${like}`;
		if (!property) return sql`(${meets})`;
		const name = param('String', property.name);
		return sql`(${meets} AND mapContains(props, ${name}) AND props[${name}] = ${param('String', property.value)})`;
	});
	return {
		lists: ['kinds', 'names', 'paths', 'properties'],
		of: [],
		sql: conditions.length === 0 ? sql`false` : anyOf(conditions),
	};
}

const overLists = (condition: EventCondition) => {
	// An event is one element of every list: where none is looked at, any will do.
	const lists = [...new Set<ListColumn>(condition.lists.length > 0 ? condition.lists : ['kinds'])];
	const names = join(
		lists.map((list) => elements[list]),
		', ',
	);
	return { lists, lambda: sql`(${names}) -> ${condition.sql}`, arrays: join(lists.map(word), ', ') };
};

function someEvent(condition: EventCondition): Expression {
	const { lists, lambda, arrays } = overLists(condition);
	return { of: [...lists, ...condition.of], sql: sql`arrayExists(${lambda}, ${arrays})` };
}

/** 1 or 0 for each event. */
function mapOver(condition: EventCondition): Sql {
	const { lambda, arrays } = overLists(condition);
	return sql`arrayMap(${lambda}, ${arrays})`;
}
