import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { passes, type Test } from '../../server/stats/answer/filter-tests.ts';
import { foldCase } from '../../server/stats/question/ignore-case.ts';
import { numberTests, textTests } from '../../server/stats/question/question.ts';
import { checkExpression } from '../../server/stats/question/regular-expression.ts';
import type { ClickHouse } from '../../server/store/clickhouse.ts';
import { join, param, sql } from '../../server/store/sql.ts';
import { engineFor } from '../engine/engine.ts';
import { sample } from '../support/sample.ts';
import { passesText } from '../support/stats-oracle.ts';

// Few letters, so that tests are met; letters with several cases, of several bytes, and those that mean something to RE2, LIKE or SQL.
const letters =
	'a b A B k K \u212a s ſ S ß ẞ ü Ü σ ς Σ i I İ ı / . * + - 1 2 _ % [ ] ( ) { } ^ $ | \\ é É 東 👋 𐐀 𐐨'
		.split(' ')
		.concat(' ', '\n', '\t', '\r', "'", 'e\u0301');
const someText = fc
	.array(fc.constantFrom(...letters, 'a', 'a', 'b', 'b'), { maxLength: 8 })
	.map((parts) => parts.join(''));

const quote = (text: string) => text.replace(/[\\.*+?()|[\]{}^$]/g, '\\$&');
const atom = fc.oneof(
	{ weight: 2, arbitrary: fc.constantFrom(...letters, 'a', 'a', 'b').map(quote) },
	fc.constantFrom(
		...'. \\d \\D \\w \\W \\s \\S \\b ^ $ \\A \\z [a-z] [^a-z] [[:alpha:]] [^\\d] [ß-ü] [Σé] \\pL \\p{Lu} \\PL'.split(
			' ',
		),
		...'\\p{Greek} (?i) (?-i) (?m) (?-s) (?U) \\x41 \\x{fc} \\Q.é\\E \\Q*\\E \\n'.split(' '),
		'',
	),
);
const repeats = fc.constantFrom('*', '+', '?', '{2}', '{0,2}', '{1,}', '{0}', '*?', '+?', '??');
const expression = fc
	.letrec<{ all: string }>((tie) => ({
		all: fc.oneof(
			{ maxDepth: 4 },
			atom,
			fc.tuple(tie('all'), tie('all')).map(([a, b]) => a + b),
			fc.tuple(tie('all'), tie('all')).map(([a, b]) => a + b),
			fc.tuple(tie('all'), tie('all')).map(([a, b]) => `${a}|${b}`),
			fc
				.tuple(fc.constantFrom('(', '(?:', '(?i:', '(?P<n>', '(?s-i:', '(?m:'), tie('all'))
				.map(([a, b]) => `${a}${b})`),
			fc.tuple(atom, repeats).map(([a, b]) => a + b),
			fc.tuple(tie('all'), repeats).map(([a, b]) => `(?:${a})${b}`),
		),
	}))
	.all.filter((text) => 'size' in checkExpression(text));

/** Which of these texts pass each test, by ClickHouse and by hand. */
async function compare(
	clickhouse: ClickHouse,
	tests: readonly Test[],
	texts: readonly string[],
): Promise<number> {
	const columns = tests.map((one) => sql`arrayMap(text -> toUInt8(${passes(sql`text`, one)}), texts)`);
	const [row] = await clickhouse.rows<{ found: number[][] }>(
		sql`WITH ${param('Array(String)', texts)} AS texts SELECT [${join(columns, ', ')}] AS found`,
	);
	let met = 0;
	for (const [index, one] of tests.entries()) {
		const found = texts.filter((_, nth) => row?.found[index]?.[nth]);
		const expected = texts.filter((text) => passesText(one, text));
		met += expected.length;
		assert.deepEqual(found, expected, JSON.stringify(one));
	}
	return met;
}

const dimension = { name: 'property', property: 'x' } as const;
const testsOf = (arbitrary: fc.Arbitrary<string>, names: readonly Test['test'][]): fc.Arbitrary<Test> =>
	fc
		.record({
			test: fc.constantFrom(...names),
			values: fc.array(arbitrary, { minLength: 1, maxLength: 3 }),
			ignoresCase: fc.boolean(),
		})
		.map(({ test, values, ignoresCase }) => ({
			kind: 'test',
			dimension,
			test,
			values,
			...(ignoresCase && { ignoresCase }),
		}));

const rounds = sample('FILTER_ROUNDS', 40, 400);
const testsPerRound = 25;

async function compareRounds(
	t: Parameters<typeof engineFor>[0],
	one: fc.Arbitrary<Test>,
	texts: fc.Arbitrary<string>,
) {
	const { clickhouse } = await engineFor(t);
	let met = 0;
	await fc.assert(
		fc.asyncProperty(
			fc.array(one, { minLength: testsPerRound, maxLength: testsPerRound }),
			fc.array(texts, { minLength: 40, maxLength: 40 }),
			async (tests, some) => {
				// Texts that meet them as well.
				const own = tests.filter((each) => each.test !== 'matches').flatMap(({ values }) => values);
				met += await compare(clickhouse, tests, [...some, ...own, ...own.map(foldCase)]);
			},
		),
		{ numRuns: rounds, endOnFailure: true },
	);
	t.diagnostic(`${met} texts passed`);
	assert.ok(met > rounds * testsPerRound);
}

test('[C-STAT-25] regular expressions: ClickHouse finds what RE2 in JavaScript finds', async (t) => {
	await compareRounds(t, testsOf(expression, ['matches']), someText);
});

test('[C-STAT-22] tests of texts, with and without regard to case', async (t) => {
	const names = textTests.filter((name) => name !== 'matches');
	await compareRounds(t, testsOf(someText, names), someText);
});

test('[C-STAT-24] numbers are compared as decimals, and other texts never pass', async (t) => {
	const digits = (most: number) => fc.stringMatching(new RegExp(`^[0-9]{1,${most}}$`));
	const number = fc
		.tuple(fc.constantFrom('', '-'), digits(21), fc.option(digits(25), { nil: undefined }))
		.map(([sign, whole, places]) => sign + whole + (places === undefined ? '' : `.${places}`));
	const near = fc.constantFrom(
		'0',
		'-0',
		'0.0',
		'00.5',
		'0.5',
		'0.50',
		'-0.5',
		'10',
		'9.99',
		'10.0',
		'1',
		'0.3',
		'0.30000000000000004',
	);
	const odd = fc.constantFrom(
		'',
		' 1',
		'1 ',
		'+1',
		'1.',
		'.5',
		'1e3',
		'NaN',
		'-',
		'1,5',
		'٣',
		'1\n',
		`1${'0'.repeat(21)}`,
		`0.${'1'.repeat(26)}`,
	);
	const limits = fc.oneof(number, near, near);
	const one = fc.tuple(fc.constantFrom(...numberTests), limits, limits).map(
		([test, a, b]): Test => ({
			kind: 'test',
			dimension,
			test,
			values: test === 'between' ? [a, b].toSorted((x, y) => Number(x) - Number(y)) : [a],
		}),
	);
	await compareRounds(t, one, fc.oneof(number, near, near, odd));
});

test('[C-STAT-22] every letter with a case, without regard to case', async (t) => {
	const { clickhouse } = await engineFor(t);
	const cased = Array.from({ length: 0x1ffff }, (_, code) => String.fromCodePoint(code)).filter(
		(letter) => letter.toLowerCase() !== letter || letter.toUpperCase() !== letter,
	);
	const folded = [...new Set(cased.map(foldCase))];
	for (let begin = 0; begin < folded.length; begin += 100) {
		const tests = folded.slice(begin, begin + 100).map(
			(value): Test => ({
				kind: 'test',
				dimension,
				test: 'is',
				values: [value],
				ignoresCase: true,
			}),
		);
		const columns = tests.map((one) => sql`arrayFilter(text -> ${passes(sql`text`, one)}, texts)`);
		const [row] = await clickhouse.rows<{ found: string[][] }>(
			sql`WITH ${param('Array(String)', cased)} AS texts SELECT [${join(columns, ', ')}] AS found`,
		);
		for (const [index, { values }] of tests.entries())
			assert.deepEqual(
				row?.found[index],
				cased.filter((letter) => foldCase(letter) === values[0]),
				values[0],
			);
	}
});
