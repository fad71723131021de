/**
 * A filter selects visits, and of a selected visit the events that meet it count.
 *
 * For one event a filter is plain logic: a test of a visit dimension looks at the visit, a test of an event dimension at the
 * event. For a visit, a part that consists of event tests without negation is a condition on one event: some event of the
 * visit must meet it, and within an `and` the same event must meet all of them. A negation applies to the visit: 'not on /a'
 * selects visits without any event on /a.
 */
import {
	type CountedColumn,
	type EventValue,
	type Expression,
	elements,
	eventValue,
	isVisitDimension,
	type ListColumn,
	visitValue,
} from '../../derive/counts.ts';
import { anyOf, patternToLike } from '../../derive/text-tests.ts';
import { type Counting, columnsOf } from '../../derive/totals.ts';
import { identifier, join, param, type Sql, sql } from '../../store/sql.ts';
import type { FilterDimension } from '../question/dimensions.ts';
import { type Filter, type Goal, isNumberTest, type Question } from '../question/question.ts';
import { passes, passesAsMoney, type Test } from './filter-tests.ts';

/** A condition on an event, within a lambda over these lists; it may also read columns of the visit. */
type EventCondition = { lists: readonly ListColumn[]; columns: readonly CountedColumn[]; sql: Sql };

/** Which visits are counted. `converts`: whether a visit reached the goal; by default, whether it reached `goal`. */
export type Selection = Pick<Question, 'filter' | 'goal' | 'onlyConverted'> & {
	goals: readonly Goal[];
	converts?: Expression | null;
};

/**
 * The visits that a filter selects, with the columns that a count reads, over the events that meet `counted`, by default the
 * filter itself.
 */
export function selectVisits(
	{
		filter,
		counted = filter,
		goal,
		converts = goal && someEvent(goalCondition([goal])),
		onlyConverted = false,
		goals,
	}: Selection & { counted?: Filter | null },
	counting: Counting,
	visitsWith: (columns: readonly CountedColumn[]) => Sql,
): Sql {
	const wanted = columnsOf(counting);
	const flat = filter && flatten(filter);
	const selects = flat ? selectsOf(flat, goals) : { columns: [], sql: sql`true` };
	const matches = counted && hasEvents(counted) ? matchesOf(counted, goals) : null;
	const isSelected = onlyConverted ? sql`(${selects.sql}) AND is_converted` : selects.sql;
	const read: CountedColumn[] = [
		...new Set([
			...wanted.flatMap((name) => (matches ? listsBehind(name) : [name])),
			...selects.columns,
			...(matches ? (['kinds', ...matches.lists, ...matches.columns] as const) : []),
			...(converts?.columns ?? []),
			...(counting.timing ? (['start'] as const) : []),
		]),
	];
	const always = sql`
			website_id, date, visitor_id,
			${counting.timing ? sql`toUnixTimestamp64Milli(start)` : sql`toInt64(0)`} AS start_ms,
			${converts ? sql`toUInt8(visitor_id != 0 AND ${converts.sql})` : sql`toUInt8(0)`} AS is_converted`;
	if (!matches) {
		return sql`
		SELECT ${join([always, sql`visitor_id AS active_visitor`, ...wanted.map(identifier)], ', ')}
		FROM (${visitsWith(read)})
		WHERE ${isSelected}`;
	}
	const kept = [...new Set(wanted.flatMap(listsBehind))];
	return sql`
		SELECT ${join(
			[
				sql`website_id, date, visitor_id, start_ms, is_converted, if(has(is_met, 1), visitor_id, 0) AS active_visitor`,
				...wanted.map((name) => sql`${keptOf(name)} AS ${identifier(name)}`),
			],
			', ',
		)}
		FROM (
			SELECT ${join([always, ...kept.map(identifier), sql`${mapOver(matches)} AS is_met`], ', ')}
			FROM (${visitsWith(read)})
			WHERE ${isSelected}
		) AS r`;
}

/** Whether a filter selects a visit. */
export const selectionOf = (filter: Filter | null, goals: readonly Goal[]): Expression =>
	filter ? selectsOf(flatten(filter), goals) : { columns: [], sql: sql`true` };

/** 1 or 0 for each event of a visit: whether it meets the goal. */
export function meetsOf(goal: Goal): Expression {
	const lists = listsOfGoal(goal);
	return { columns: lists, sql: mapOver({ ...goalCondition([goal]), lists }) };
}

/** Whether a visit reached the goal. */
export const reachesOf = (goal: Goal): Expression =>
	someEvent({ ...goalCondition([goal]), lists: listsOfGoal(goal) });

/** Only the lists that this goal needs. */
const listsOfGoal = ({ kind, property }: Goal): ListColumn[] => [
	'kinds',
	kind === 'page' ? 'paths' : 'names',
	...(property ? (['properties'] as const) : []),
];

/** Sums of a visit that are recomputed over the events that meet the filter, and the lists they are computed from. */
const recounted: Partial<Record<CountedColumn, { from: readonly ListColumn[]; sql: Sql }>> = {
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

const listsBehind = (name: CountedColumn): readonly CountedColumn[] => recounted[name]?.from ?? [name];

function keptOf(name: CountedColumn): Sql {
	const counted = recounted[name];
	if (counted) return counted.sql;
	return isList(name)
		? sql`arrayFilter((element, met) -> met, r.${identifier(name)}, is_met)`
		: sql`r.${identifier(name)}`;
}

const isList = (name: CountedColumn): name is ListColumn => Object.hasOwn(elements, name);

/** Merges nested `and`s. */
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

/** Dimensions that say where a visitor was, and not what was paid for. */
const placeDimensions: readonly FilterDimension['name'][] = ['page', 'page_group', 'hostname', 'title'];

/** Whether any test is of a page. */
export const hasPages = (filter: Filter): boolean =>
	hasTest(filter, ({ dimension }) => placeDimensions.includes(dimension.name));

export function hasTest(filter: Filter, isWanted: (test: Test) => boolean): boolean {
	switch (filter.kind) {
		case 'test':
			return isWanted(filter);
		case 'not':
			return hasTest(filter.part, isWanted);
		case 'and':
		case 'or':
			return filter.parts.some((part) => hasTest(part, isWanted));
	}
}

/**
 * The part of a filter that says which revenue of a selected visit counts: all but conditions on pages. Visitors pay on another
 * page than the one that the filter names. Null: all of it.
 */
export function revenueFilterOf(filter: Filter): Filter | null {
	if (!hasPages(filter)) return filter;
	switch (filter.kind) {
		case 'test':
		case 'not':
			return null;
		case 'and': {
			const parts = filter.parts.flatMap((part) => revenueFilterOf(part) ?? []);
			return parts.length === 0 ? null : { kind: 'and', parts };
		}
		case 'or': {
			const parts = filter.parts.map(revenueFilterOf);
			return parts.includes(null) ? null : { kind: 'or', parts: parts.filter((part) => part !== null) };
		}
	}
}

/** The page of every event that meets the filter, if the filter says so and each visit that it selects has such an event. */
export function onlyPageOf(filter: Filter | null): string | undefined {
	if (!filter) return undefined;
	const parts = filter.kind === 'and' ? filter.parts : [filter];
	const tests = parts.filter((part) => part.kind === 'test');
	if (parts.some((part) => part.kind !== 'test' && hasEvents(part))) return undefined;
	return tests.find((test) => isExact(test) && test.dimension.name === 'page' && test.values.length === 1)
		?.values[0];
}

const isExact = ({ test, ignoresCase }: Test): boolean => test === 'is' && !ignoresCase;

/** Whether any test is of an event dimension. */
const hasEvents = (filter: Filter): boolean => hasTest(filter, (test) => !isOfVisits(test));

/** Whether the filter is a condition on one event: event tests without negation. */
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

/** For a visit: whether it is selected. */
function selectsOf(filter: Filter, goals: readonly Goal[]): Expression {
	// Twice as fast as a lambda over the pages of each visit.
	if (filter.kind === 'test' && isExact(filter) && filter.dimension.name === 'page') {
		const [only, ...others] = filter.values;
		return {
			columns: ['paths'],
			// In a list of coded texts, has() does not find the empty one.
			sql:
				others.length === 0 && only !== ''
					? sql`has(paths, ${param('String', only)})`
					: sql`hasAny(paths, ${param('Array(String)', filter.values)})`,
		};
	}
	if (isEventCondition(filter)) return someEvent(matchesOf(filter, goals));
	switch (filter.kind) {
		case 'test':
			return visitTest(filter);
		case 'not': {
			const part = selectsOf(filter.part, goals);
			return { columns: part.columns, sql: sql`NOT (${part.sql})` };
		}
		case 'or':
			return combine(
				filter.parts.map((part) => selectsOf(part, goals)),
				' OR ',
			);
		case 'and': {
			const onOneEvent = filter.parts.filter(isEventCondition);
			const others = filter.parts.filter((part) => !isEventCondition(part));
			return combine(
				[
					...(onOneEvent.length > 0 ? [someEvent(matchesOf({ kind: 'and', parts: onOneEvent }, goals))] : []),
					...others.map((part) => selectsOf(part, goals)),
				],
				' AND ',
			);
		}
	}
}

/** For an event of a visit: whether it counts. */
function matchesOf(filter: Filter, goals: readonly Goal[]): EventCondition {
	switch (filter.kind) {
		case 'test':
			if (isOfVisits(filter)) return { lists: [], ...visitTest(filter) };
			return { columns: [], ...eventTest(filter, goals) };
		case 'not': {
			const part = matchesOf(filter.part, goals);
			return { ...part, sql: sql`NOT (${part.sql})` };
		}
		case 'and':
		case 'or': {
			const parts = filter.parts.map((part) => matchesOf(part, goals));
			return {
				lists: parts.flatMap(({ lists }) => lists),
				...combine(parts, filter.kind === 'and' ? ' AND ' : ' OR '),
			};
		}
	}
}

function combine(parts: readonly Expression[], operator: ' AND ' | ' OR '): Expression {
	return {
		columns: parts.flatMap((part) => part.columns),
		sql: sql`(${join(
			parts.map((part) => part.sql),
			operator,
		)})`,
	};
}

function visitTest(test: Test): Expression {
	const { name } = test.dimension;
	if (!isVisitDimension(name)) throw new Error(`${name} is not a visit dimension.`);
	const value = visitValue(name);
	// For LowCardinality columns IN compares dictionary keys, which is cheaper.
	const isAnyOf = sql`${value.sql} IN ${param('Array(String)', test.values)}`;
	return { columns: value.columns, sql: isExact(test) ? isAnyOf : passes(value.sql, test) };
}

type EventTest = { lists: readonly ListColumn[]; sql: Sql };

function eventTest(test: Test, goals: readonly Goal[]): EventTest {
	const { dimension } = test;
	if (dimension.name === 'goal')
		return goalCondition(
			test.test === 'is_set' ? goals : goals.filter(({ id }) => test.values.includes(String(id))),
		);
	if (dimension.name === 'revenue') return revenueTest(test, dimension.currency);
	const value = eventValueOf(dimension);
	// An event has a property even if its value is empty.
	if (test.test === 'is_set' && dimension.name === 'property') return { lists: value.lists, sql: value.has };
	return { lists: value.lists, sql: sql`(${value.has} AND ${passes(value.sql, test)})` };
}

/** Of events with an amount. Amounts of other currencies are not converted. */
function revenueTest({ test, values }: Test, currency: string): EventTest {
	const has =
		currency === ''
			? sql`${elements.currencies} != ''`
			: sql`${elements.currencies} = ${param('String', currency)}`;
	if (!isNumberTest(test)) return { lists: ['currencies'], sql: sql`(${has})` };
	return {
		lists: ['currencies', 'revenues'],
		sql: sql`(${has} AND ${passesAsMoney(elements.revenues, test, values)})`,
	};
}

function eventValueOf(dimension: FilterDimension): EventValue {
	if (dimension.name === 'property') return eventValue(dimension);
	const { name } = dimension;
	if (name === 'goal' || name === 'revenue' || isVisitDimension(name))
		throw new Error(`An event has no single value of ${name}.`);
	return eventValue({ name });
}

/** Whether an event meets any of these goals. */
function goalCondition(goals: readonly Goal[]): EventCondition {
	const conditions = goals.map(({ kind, pattern, property }) => {
		const like = param('String', patternToLike(pattern));
		const meets =
			kind === 'page'
				? sql`kind = 'pageview' AND path LIKE ${like}`
				: sql`kind = 'custom' AND toString(name) LIKE ${like}`;
		if (!property) return sql`(${meets})`;
		const name = param('String', property.name);
		const { test = 'is', value } = property;
		const isMet =
			test === 'is'
				? sql`props[${name}] = ${param('String', value)}`
				: passes(sql`props[${name}]`, { test, values: [value] });
		return sql`(${meets} AND mapContains(props, ${name}) AND ${isMet})`;
	});
	return {
		lists: ['kinds', 'names', 'paths', 'properties'],
		columns: [],
		sql: conditions.length === 0 ? sql`false` : anyOf(conditions),
	};
}

const overLists = (condition: EventCondition) => {
	// Every list has one element per event: a condition that reads no list is evaluated over `kinds`.
	const lists = [...new Set<ListColumn>(condition.lists.length > 0 ? condition.lists : ['kinds'])];
	const names = join(
		lists.map((list) => elements[list]),
		', ',
	);
	return { lists, lambda: sql`(${names}) -> ${condition.sql}`, arrays: join(lists.map(identifier), ', ') };
};

function someEvent(condition: EventCondition): Expression {
	const { lists, lambda, arrays } = overLists(condition);
	return { columns: [...lists, ...condition.columns], sql: sql`arrayExists(${lambda}, ${arrays})` };
}

/** 1 or 0 for each event. */
function mapOver(condition: EventCondition): Sql {
	const { lambda, arrays } = overLists(condition);
	return sql`arrayMap(${lambda}, ${arrays})`;
}
