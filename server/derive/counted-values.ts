/** What rows are grouped by: the values of a dimension, or of two at once. */
import { identifier, join, param, type Sql, sql } from '../store/sql.ts';
import {
	type CountedColumn,
	type CountedDimension,
	type EventValue,
	type Expression,
	elements,
	eventValue,
	isVisitDimension,
	type ListColumn,
	onlyValueOf,
	type SingleDimension,
	textOf,
	visitValue,
} from './counts.ts';

const singlesOf = ({ by, ...first }: CountedDimension): readonly SingleDimension[] =>
	by ? [first, by] : [first];

/** Separates the two values of a row. Collected values have no control characters, and texts sort as the pairs would. */
export const separator = '\0';

/** One text of the values of a row. */
export const rowValueOf = ([first = sql`''`, second]: readonly Sql[]): Sql =>
	second ? sql`concat(${first}, char(0), ${second})` : first;

/** The value of a visit, for dimensions that a visit has one value of. */
export function visitRowValue(dimension: CountedDimension): Expression {
	const singles = singlesOf(dimension);
	return {
		columns: singles.flatMap(({ name }) => (isVisitDimension(name) ? visitValue(name).columns : [])),
		sql: rowValueOf(
			singles.map((single) =>
				isVisitDimension(single.name) ? textOf(single.name) : sql`${param('String', onlyValueOf(single))}`,
			),
		),
	};
}

export type EventGrouping = {
	lists: readonly ListColumn[];
	columns: readonly CountedColumn[];
	/** One per dimension. */
	values: readonly Sql[];
	/** Whether an event has all of them. */
	has: Sql;
	/** A list: for each event of the visit, its position among those with the same values, from 1. */
	nth: Sql;
};

/** How events are grouped. `without`: a SELECT of values that do not count; all others count together, as ''. */
export function groupEvents(dimension: CountedDimension, without?: Sql): EventGrouping {
	const found = singlesOf(dimension).map(readValue);
	const ofEvents = found.filter((value) => 'has' in value);
	const lists = [...new Set(ofEvents.flatMap((value) => value.lists))];
	const values = found.map((value) => value.sql);
	const has =
		ofEvents.length === 0
			? sql`true`
			: join(
					ofEvents.map((value) => value.has),
					' AND ',
				);
	const grouping = {
		lists,
		columns: found.flatMap((value) => ('has' in value ? [] : value.columns)),
		values: without ? [sql`''`] : values,
		has: without ? sql`(${has}) AND ${rowValueOf(values)} NOT IN (${without})` : has,
	};
	const [only, ...others] = ofEvents;
	// Visits of visit dimensions are counted by themselves, so none of their events is the first.
	if (!only) return { ...grouping, nth: sql`arrayWithConstant(length(kinds), 0)` };
	if (only.of && others.length === 0 && !without)
		return { ...grouping, nth: sql`arrayEnumerateUniq(${identifier(only.of)})` };
	const names = join(
		lists.map((list) => elements[list]),
		', ',
	);
	const eachValue = without ? grouping.values : ofEvents.map((value) => value.sql);
	const lambda = sql`(${names}) -> (${grouping.has}, ${join(eachValue, ', ')})`;
	return {
		...grouping,
		nth: sql`arrayEnumerateUniq(arrayMap(${lambda}, ${join(lists.map(identifier), ', ')}))`,
	};
}

function readValue(dimension: SingleDimension): EventValue | Expression {
	if (dimension.name === 'property') return eventValue(dimension);
	const { name } = dimension;
	if (name === 'goal') throw new Error('Goals are counted by countGoals.');
	if (name === '') return { columns: [], sql: sql`''` };
	return isVisitDimension(name)
		? { columns: visitValue(name).columns, sql: textOf(name) }
		: eventValue({ name });
}
