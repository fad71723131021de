/** The property that a goal needs. Goals of many websites are counted in one statement, so their conditions are columns of rows. */
import { maxPlaces, numberPattern } from '../lib/decimal-numbers.ts';
import { param, type Sql, sql } from '../store/sql.ts';

/** `test`: how the property is compared with the value, as in filters. By default it is that value. */
export type GoalProperty = { name: string; value: string; test?: GoalTest };
export type GoalTest =
	| 'contains'
	| 'starts_with'
	| 'ends_with'
	| 'wildcard'
	| 'greater_than'
	| 'at_least'
	| 'less_than'
	| 'at_most';

/** Whether a text passes the test of a row. `like` is '' unless the test is `wildcard`: other values may be no patterns. */
export function passesGoal(text: Sql, { test, value, like }: { test: Sql; value: Sql; like: Sql }): Sql {
	const places = sql`${param('UInt8', maxPlaces)}`;
	const number = sql`toDecimal256OrZero(${text}, ${places})`;
	const limit = sql`toDecimal256OrZero(${value}, ${places})`;
	return sql`multiIf(
		${test} = '', ${text} = ${value},
		${test} = 'contains', position(${text}, ${value}) > 0,
		${test} = 'starts_with', startsWith(${text}, ${value}),
		${test} = 'ends_with', endsWith(${text}, ${value}),
		${test} = 'wildcard', ${text} LIKE ${like},
		match(${text}, ${param('String', numberPattern)}) AND multiIf(
			${test} = 'greater_than', ${number} > ${limit},
			${test} = 'at_least', ${number} >= ${limit},
			${test} = 'less_than', ${number} < ${limit},
			${number} <= ${limit}
		)
	)`;
}
