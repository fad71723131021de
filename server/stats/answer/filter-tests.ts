/** The tests of filters as SQL. */

import { anyOf, passesAny } from '../../derive/text-tests.ts';
import { maxPlaces, numberPattern } from '../../lib/decimal-numbers.ts';
import { param, type Sql, sql } from '../../store/sql.ts';
import { foldCase, foldsInto } from '../question/ignore-case.ts';
import type { Filter, NumberTest } from '../question/question.ts';
import { toAscii } from '../question/regular-expression.ts';

export type Test = Extract<Filter, { kind: 'test' }>;
type Compared = Pick<Test, 'test' | 'values' | 'ignoresCase'>;

/** Whether a text passes a test. */
export function passes(text: Sql, compared: Compared): Sql {
	const { test, values, ignoresCase } = compared;
	switch (test) {
		case 'is':
		case 'contains':
		case 'starts_with':
		case 'ends_with':
		case 'wildcard': {
			if (!ignoresCase) return passesAny(text, test, values);
			const folded = values.map(foldCase);
			return passesAny(foldIn(text, folded), test, folded);
		}
		case 'matches':
			return anyOf(
				values.map(
					(value) => sql`match(${text}, ${param('String', (ignoresCase ? '(?i)' : '') + toAscii(value))})`,
				),
			);
		case 'is_set':
			return sql`${text} != ''`;
		default:
			return sql`(match(${text}, ${param('String', numberPattern)}) AND ${isInRange(sql`toDecimal256OrZero(${text}, ${places})`, test, values)})`;
	}
}

/**
 * The text with every character folded that is one of these values' when it is. The statement is the same without such characters,
 * because values must not change its text.
 */
function foldIn(text: Sql, folded: readonly string[]): Sql {
	const { from, to } = foldsInto(folded);
	return sql`translateUTF8(${text}, ${param('String', from)}, ${param('String', to)})`;
}

const places = sql`${param('UInt8', maxPlaces)}`;

/** Whether an amount of money passes a test of numbers. */
export const passesAsMoney = (amount: Sql, test: NumberTest, values: readonly string[]): Sql =>
	isInRange(sql`toDecimal256(${amount}, ${places})`, test, values);

function isInRange(amount: Sql, test: NumberTest, [first = '0', second = '0']: readonly string[]): Sql {
	// A goal may have a test of numbers and another value, if an older version changed it.
	const decimal = (text: string) => sql`toDecimal256OrZero(${param('String', text)}, ${places})`;
	switch (test) {
		case 'greater_than':
			return sql`${amount} > ${decimal(first)}`;
		case 'at_least':
			return sql`${amount} >= ${decimal(first)}`;
		case 'less_than':
			return sql`${amount} < ${decimal(first)}`;
		case 'at_most':
			return sql`${amount} <= ${decimal(first)}`;
		case 'between':
			return sql`${amount} BETWEEN ${decimal(first)} AND ${decimal(second)}`;
	}
}
