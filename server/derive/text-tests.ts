/** Tests of a text as SQL. Each passes when any of its values does. */
import { join, param, type Sql, sql } from '../store/sql.ts';

export type SimpleTest = 'is' | 'contains' | 'starts_with' | 'ends_with' | 'wildcard';

export function passesAny(text: Sql, test: SimpleTest, values: readonly string[]): Sql {
	switch (test) {
		case 'is':
			return sql`has(${param('Array(String)', values)}, ${text})`;
		case 'contains':
			// Every text contains '', but multiSearchAny does not find it in an empty text.
			return values.includes('')
				? sql`true`
				: sql`multiSearchAny(${text}, ${param('Array(String)', values)})`;
		case 'starts_with':
			return byLength(values, (length) => sql`substring(${text}, 1, ${param('UInt64', length)})`);
		case 'ends_with':
			return byLength(values, (length) => sql`right(${text}, ${param('UInt64', length)})`);
		case 'wildcard':
			return anyOf(values.map((value) => sql`${text} LIKE ${param('String', patternToLike(value))}`));
	}
}

/** One condition per length: ClickHouse parses a long OR more slowly than it runs the query. */
function byLength(values: readonly string[], partOf: (length: number) => Sql): Sql {
	const lengths = Map.groupBy(values, (value) => Buffer.byteLength(value));
	return anyOf(
		[...lengths].map(
			([length, sameLength]) => sql`has(${param('Array(String)', sameLength)}, ${partOf(length)})`,
		),
	);
}

export const anyOf = (parts: readonly Sql[]): Sql => sql`(${join(parts, ' OR ')})`;

/**
 * A pattern for LIKE of ClickHouse: `*` becomes `%`, and LIKE's own wildcards are escaped. Not for `match()`, where a pattern
 * could be arbitrarily expensive.
 */
export const patternToLike = (pattern: string): string =>
	pattern.replace(/[\\%_]/g, '\\$&').replaceAll('*', '%');
