import assert from 'node:assert/strict';
import { test } from 'node:test';
import { passes } from '../../server/stats/answer/filter-tests.ts';
import { checkExpression } from '../../server/stats/question/regular-expression.ts';
import { sql } from '../../server/store/sql.ts';
import { engineFor } from '../engine/engine.ts';
import { quickest } from '../support/best-of.ts';

const wide = Array.from({ length: 60 }, (_, n) => String.fromCodePoint(0x3400 + 131 * n)).join('');
const parts = [
	...'. [^ab] [ab] (?:.?) (?:a?) (?:[ab]?) (?:.*a) (?:a.*|b.*) (?:a|b|ab) (?:[0-7].?) (?:x.*y)'.split(' '),
	...'\\pL \\PL (?:\\pL?) [\\pL\\pN] [^\\p{Ll}\\p{Mn}] (?i:[\\pL\\pM]) (?i:[\\p{Ll}\\p{Mn}]?)'.split(' '),
	'[\\p{Ll}\\p{Mn}\\p{Nd}\\p{Po}]',
	`[${wide}]`,
	`(?:[${wide}a-f]?)`,
];

test('[T111] the largest expressions that are accepted cost little for each megabyte of texts', async (t) => {
	const { clickhouse } = await engineFor(t);
	/** A megabyte without y and z. */
	const text = sql`arrayStringConcat(arrayMap(i -> lower(hex(MD5(toString(number + i)))), range(32)))`;
	const slow: { ms: number; expression: string }[] = [];
	for (const part of parts)
		for (const [begin, end] of [
			['[0-7]', '[yz]'],
			['', '[yz]$'],
		]) {
			const repeated = (count: number) => `${begin}${part}{${count}}${end}`;
			let count = 1;
			while ('size' in checkExpression(repeated(count + 1))) count++;
			const expression = repeated(count);
			const ms = await quickest(2_000, async () => {
				const began = performance.now();
				await clickhouse.rows(
					sql`SELECT count() AS found FROM numbers(1000) WHERE ${passes(text, { test: 'matches', values: [expression] })}`,
				);
				return performance.now() - began;
			});
			slow.push({ ms, expression });
		}
	const [slowest] = slow.toSorted((a, b) => b.ms - a.ms);
	t.diagnostic(`${slowest?.expression}: ${slowest?.ms.toFixed()} ms`);
	assert.ok(slowest && slowest.ms < 5_000);
});
