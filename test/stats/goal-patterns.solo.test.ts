import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { patternToLike } from '../../server/derive/text-tests.ts';
import { param, sql } from '../../server/store/sql.ts';
import { engineFor } from '../engine/engine.ts';
import { matchesPattern } from '../support/stats-oracle.ts';

// Few letters, so that patterns and texts meet often; the others are those that LIKE, SQL or a regular expression might mind.
const letters = [
	'a',
	'b',
	'/',
	'\\',
	'%',
	'_',
	"'",
	'"',
	'`',
	'\n',
	'\t',
	'.',
	'[',
	'(',
	'?',
	'^',
	'$',
	'é',
	'東',
	'👋',
];
const texts = fc
	.array(fc.constantFrom(...letters, 'a', 'a', 'b', '/'), { maxLength: 8 })
	.map((parts) => parts.join(''));
const pattern = fc
	.array(texts, { minLength: 1, maxLength: 6 })
	.map((parts) => parts.map((part) => part.slice(0, 6).toWellFormed()).join('*'));

test('ClickHouse finds by LIKE what we find by hand', async (t) => {
	const { clickhouse } = await engineFor(t);
	let met = 0;
	await fc.assert(
		fc.asyncProperty(pattern, fc.array(texts, { minLength: 20, maxLength: 20 }), async (wanted, some) => {
			// Texts that meet it as well: each wildcard filled with something.
			const tried = [...some, ...some.map((text) => wanted.replaceAll('*', text))];
			const [row] = await clickhouse.rows<{ found: number[] }>(sql`
				SELECT arrayMap(x -> x LIKE ${param('String', patternToLike(wanted))}, ${param('Array(String)', tried)}) AS found`);
			const expected = tried.map((text) => matchesPattern(wanted, text));
			met += expected.filter(Boolean).length;
			assert.deepEqual(row?.found.map(Boolean), expected, JSON.stringify({ wanted, tried }));
		}),
		{ numRuns: 300 },
	);
	assert.ok(met > 1_000);
});

test('[T24] a hundred patterns made to take for ever, over ten thousand long paths', async (t) => {
	const { clickhouse } = await engineFor(t);
	const slow: number[] = [];
	for (let n = 0; n < 100; n++) {
		const like = patternToLike(['*', '*', '*', '*', '*c'].join(`${'ab'.repeat(n % 45)}a`));
		const begin = performance.now();
		const rows = await clickhouse.rows(sql`
			SELECT count() AS found FROM numbers(10000)
			WHERE concat('/', repeat('ab', 511), toString(number)) LIKE ${param('String', like)}`);
		slow.push(performance.now() - begin);
		assert.deepEqual(rows, [{ found: '0' }]);
	}
	const [median = Number.NaN, slowest = Number.NaN] = [slow.toSorted((a, b) => a - b)[50], Math.max(...slow)];
	t.diagnostic(`median ${median.toFixed()} ms, slowest ${slowest.toFixed()} ms`);
	// Ten megabytes of text each: linear in the text, whatever the pattern.
	assert.ok(median < 200);
	assert.ok(slowest < 2_000);
});
