import { identifier, join, param, type Sql, sql } from '../store/sql.ts';
import { type CountedDimension, isVisitDimension, onlyValueOf, visitValue } from './counts.ts';

/**
 * Counts visits over all dates without a row per visit and dimension: GROUPING SETS keep one hash table per dimension, typed by
 * its column. That halves the time over the dates of a question. Everything ('') is grouped by date in the same pass. A seal
 * would have one table per day and is no faster.
 */
export function groupInSets(
	dimensions: readonly CountedDimension[],
	{ counted, visits, isWithinTime }: { counted: Sql; visits: Sql; isWithinTime: Sql },
): Sql {
	const names = dimensions.map(({ name }) => name);
	const keyOf = (dimension: CountedDimension): Sql => {
		if (dimension.name === '') return sql`date`;
		return isVisitDimension(dimension.name)
			? visitValue(dimension.name).sql
			: sql`materialize(${param('String', onlyValueOf(dimension))})`;
	};
	const keys = names.map((_, index) => identifier(`value_${index}`));
	// `grouping` has a bit per key, the highest for the first: it is 0 where the row belongs to that key.
	const all = 2n ** BigInt(names.length) - 1n;
	const bits = names.map((_, index) => all - 2n ** BigInt(names.length - 1 - index));
	const nth = sql`indexOf(${param('Array(UInt64)', bits)}, toUInt64(grouping(${join(keys, ', ')})))`;
	return sql`
		SELECT
			${keys[names.indexOf('')] ?? sql`toDate(0)`} AS day,
			${param('Array(String)', names)}[${nth}] AS dimension,
			[${join(
				keys.map((key, index) => (names[index] === '' ? sql`''` : sql`toString(${key})`)),
				', ',
			)}][${nth}] AS value,
			${counted}
		FROM (SELECT *, ${join(
			dimensions.map((dimension, index) => sql`${keyOf(dimension)} AS ${keys[index] ?? sql``}`),
			', ',
		)} FROM (${visits})) AS r
		WHERE ${isWithinTime}
		GROUP BY GROUPING SETS (${join(
			keys.map((key) => sql`(${key})`),
			', ',
		)})`;
}
