import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { AppError } from '../../lib/app-error.ts';
import { dimensionNames, type FilterDimension, findFilterDimension } from './dimensions.ts';
import { type Filter, type Goal, numberTests, textTests } from './question.ts';
import { filterOperators, readFilter, writeFilter } from './read-filter.ts';

const goals: Goal[] = [3, 12].map((id) => ({
	id,
	revision: id,
	name: `Goal ${id}`,
	kind: 'page',
	pattern: '/*',
	property: null,
}));

type Test = Extract<Filter, { kind: 'test' }>;
const of = (name: string): FilterDimension => findFilterDimension(name) ?? assert.fail(name);
const testOf =
	(word: Test['test']) =>
	(name: string, ...values: string[]): Test => ({ kind: 'test', dimension: of(name), test: word, values });
const insensitive = { case_sensitive: false };
const ignoringCase = (test: Test): Filter => ({ ...test, ignoresCase: true });
const is = testOf('is');
const contains = testOf('contains');
const startsWith = testOf('starts_with');
const not = (part: Filter): Filter => ({ kind: 'not', part });

/** What is sent, what it means, and how it is written back where that is another spelling. */
const good: { sent: unknown; filter: Filter; written?: unknown }[] = [
	{ sent: ['is', 'country', ['DE']], filter: is('country', 'DE') },
	{ sent: ['is', 'country', 'DE'], filter: is('country', 'DE'), written: ['is', 'country', ['DE']] },
	{
		sent: ['any_of', 'country', ['DE', 'AT']],
		filter: is('country', 'DE', 'AT'),
		written: ['is', 'country', ['DE', 'AT']],
	},
	{ sent: ['is', 'country', ['de']], filter: is('country', 'de') },
	{
		sent: ['is', 'country', ['DE', 'DE']],
		filter: is('country', 'DE'),
		written: ['is', 'country', ['DE']],
	},
	{ sent: ['is', 'source', ['']], filter: is('source', '') },
	{ sent: ['is_not', 'country', ['DE']], filter: not(is('country', 'DE')) },
	{ sent: ['contains', 'page', ['/blog']], filter: contains('page', '/blog') },
	{ sent: ['not_contains', 'page', ['/blog']], filter: not(contains('page', '/blog')) },
	{
		sent: ['starts_with', 'page', ['/blog']],
		filter: startsWith('page', '/blog'),
	},
	{
		sent: ['not', ['is', 'country', ['DE']]],
		filter: not(is('country', 'DE')),
		written: ['is_not', 'country', ['DE']],
	},
	{
		sent: ['not', ['starts_with', 'page', ['/a']]],
		filter: not(startsWith('page', '/a')),
		written: ['not_starts_with', 'page', ['/a']],
	},
	{ sent: ['ends_with', 'page', ['.pdf']], filter: testOf('ends_with')('page', '.pdf') },
	{ sent: ['not_ends_with', 'page', ['.pdf']], filter: not(testOf('ends_with')('page', '.pdf')) },
	{ sent: ['wildcard', 'page', ['/a/*/b*']], filter: testOf('wildcard')('page', '/a/*/b*') },
	{ sent: ['not_wildcard', 'page', ['*']], filter: not(testOf('wildcard')('page', '*')) },
	{ sent: ['matches', 'page', ['^/a[0-9]+$']], filter: testOf('matches')('page', '^/a[0-9]+$') },
	{ sent: ['not_matches', 'page', ['a|b']], filter: not(testOf('matches')('page', 'a|b')) },
	{
		sent: ['is', 'utm_medium', 'Email', insensitive],
		filter: ignoringCase(is('utm_medium', 'Email')),
		written: ['is', 'utm_medium', ['Email'], insensitive],
	},
	{
		sent: ['not', ['contains', 'title', ['x'], insensitive]],
		filter: not(ignoringCase(contains('title', 'x'))),
		written: ['not_contains', 'title', ['x'], insensitive],
	},
	{
		sent: ['matches', 'title', ['x'], { case_sensitive: true }],
		filter: testOf('matches')('title', 'x'),
		written: ['matches', 'title', ['x']],
	},
	{ sent: ['is_set', 'property:plan'], filter: testOf('is_set')('property:plan') },
	{ sent: ['is_not_set', 'utm_source'], filter: not(testOf('is_set')('utm_source')) },
	{
		sent: ['not', ['is_set', 'goal']],
		filter: not(testOf('is_set')('goal')),
		written: ['is_not_set', 'goal'],
	},
	{ sent: ['is_set', 'revenue'], filter: testOf('is_set')('revenue') },
	{
		sent: ['greater_than', 'property:price', 10],
		filter: testOf('greater_than')('property:price', '10'),
		written: ['greater_than', 'property:price', ['10']],
	},
	{ sent: ['at_least', 'revenue:EUR', ['-19.99']], filter: testOf('at_least')('revenue:EUR', '-19.99') },
	{ sent: ['at_most', 'revenue', ['0.10']], filter: testOf('at_most')('revenue', '0.10') },
	{
		sent: ['not', ['less_than', 'revenue', [5]]],
		filter: not(testOf('less_than')('revenue', '5')),
		written: ['not', ['less_than', 'revenue', ['5']]],
	},
	{
		sent: ['between', 'property:size', [1, 2.5]],
		filter: testOf('between')('property:size', '1', '2.5'),
		written: ['between', 'property:size', ['1', '2.5']],
	},
	{ sent: ['between', 'property:size', ['7', '7']], filter: testOf('between')('property:size', '7', '7') },
	{ sent: ['not', ['is_not', 'country', ['DE']]], filter: not(not(is('country', 'DE'))) },
	{
		sent: ['and', ['is', 'country', ['DE']], ['or', ['is', 'browser', ['Firefox']], ['is', 'os', ['Linux']]]],
		filter: {
			kind: 'and',
			parts: [is('country', 'DE'), { kind: 'or', parts: [is('browser', 'Firefox'), is('os', 'Linux')] }],
		},
	},
	{ sent: ['and', ['is', 'country', ['DE']]], filter: { kind: 'and', parts: [is('country', 'DE')] } },
	{ sent: ['is', 'property:plan', ['pro']], filter: is('property:plan', 'pro') },
	{ sent: ['is', 'property:a:b c"\'\\', ['x']], filter: is('property:a:b c"\'\\', 'x') },
	{ sent: ['is', 'property:__proto__', ['x']], filter: is('property:__proto__', 'x') },
	{ sent: ['is', 'goal', [3, '12']], filter: is('goal', '3', '12'), written: ['is', 'goal', ['3', '12']] },
	{ sent: ['is', 'goal', 3], filter: is('goal', '3'), written: ['is', 'goal', ['3']] },
	{ sent: ['is_not', 'goal', ['12']], filter: not(is('goal', '12')) },
	{
		sent: ['any_of', 'hour', ['0', 23]],
		filter: is('hour', '0', '23'),
		written: ['is', 'hour', ['0', '23']],
	},
	{ sent: ['is', 'weekday', ['1', '7']], filter: is('weekday', '1', '7') },
	{ sent: ['is', 'title', ['it\'s "so" \\ `x` \n\t 👋']], filter: is('title', 'it\'s "so" \\ `x` \n\t 👋') },
	{ sent: ['is', 'title', ['__proto__', 'constructor']], filter: is('title', '__proto__', 'constructor') },
	{ sent: ['is', 'title', ['👋'.repeat(2_000)]], filter: is('title', '👋'.repeat(2_000)) },
];
for (const { sent, filter, written = sent } of good)
	test(`${JSON.stringify(sent).slice(0, 90)} is read and written`, () => {
		const read = readFilter(sent, goals);
		assert.deepEqual(read, filter);
		assert.deepEqual(writeFilter(read), written);
		assert.deepEqual(readFilter(JSON.parse(JSON.stringify(writeFilter(read))), goals), filter);
	});

test('every dimension of the table can be tested', () => {
	for (const name of dimensionNames) {
		const value = name === 'goal' ? '3' : '1';
		assert.deepEqual(readFilter(['is', name, [value]], goals), is(name, value));
	}
});

const deep = (depth: number): unknown => (depth === 1 ? ['is', 'country', ['DE']] : ['not', deep(depth - 1)]);
const many = (count: number) => ['or', ...Array.from({ length: count }, () => ['is', 'country', ['DE']])];
const numbers = (count: number) => Array.from({ length: count }, (_, n) => String(n));

test('eight deep, fifty tests and a hundred values are read', () => {
	readFilter(deep(8), goals);
	readFilter(many(50), goals);
	assert.deepEqual(readFilter(['is', 'page', numbers(100)], goals), is('page', ...numbers(100)));
	readFilter(['is', `property:${'👋'.repeat(100)}`, ['x']], goals);
});

const endless = JSON.parse(`${'["not",'.repeat(100_000)}1${']'.repeat(100_000)}`);
const itself: unknown[] = ['and'];
itself.push(itself);

const bad: { name: string; sent: unknown; says: RegExp }[] = [
	{ name: 'nothing', sent: undefined, says: /must be a list such as .*, not nothing/ },
	{ name: 'null', sent: null, says: /must be a list such as .*, not null/ },
	{ name: 'a text', sent: 'country is DE', says: /must be a list such as .*, not "country is DE"/ },
	{ name: 'a number', sent: 7, says: /must be a list/ },
	{ name: 'an object', sent: { is: ['country', 'DE'] }, says: /must be a list such as .*, not an object/ },
	{
		name: 'an empty list',
		sent: [],
		says: /must begin with one of is, is_not, contains, .*, between, any_of, and, or, not, not nothing/,
	},
	{
		name: 'an unknown word',
		sent: ['like', 'page', ['.*']],
		says: /one of .*, not "like"/,
	},
	{ name: 'a word of another case', sent: ['IS', 'page', ['/']], says: /not "IS"/ },
	{ name: 'a list as word', sent: [['is'], 'page', ['/']], says: /one of .*, not a list/ },
	{ name: 'the word __proto__', sent: ['__proto__', 'page', ['/']], says: /not "__proto__"/ },
	{
		name: 'the word constructor',
		sent: ['constructor', 'page', ['/']],
		says: /not "constructor"/,
	},
	{ name: 'a test without values', sent: ['is', 'page'], says: /needs a dimension and its values/ },
	{
		name: 'a test with more',
		sent: ['is', 'page', ['/'], ['/']],
		says: /takes \{"case_sensitive": false\} and/,
	},
	{
		name: 'five elements',
		sent: ['is', 'page', ['/'], insensitive, 1],
		says: /needs a dimension and its values/,
	},
	{
		name: 'an unknown option',
		sent: ['is', 'page', ['/'], { case: false }],
		says: /takes \{"case_sensitive"/,
	},
	{
		name: 'an option of another type',
		sent: ['is', 'page', ['/'], { case_sensitive: 0 }],
		says: /takes \{"case_sensitive"/,
	},
	{
		name: 'two options',
		sent: ['is', 'page', ['/'], { case_sensitive: false, x: 1 }],
		says: /takes \{"case_sensitive"/,
	},
	{ name: 'null as options', sent: ['is', 'page', ['/'], null], says: /takes \{"case_sensitive"/ },
	{
		name: 'the case of an hour',
		sent: ['is', 'hour', ['1'], insensitive],
		says: /numbers, which have no case/,
	},
	{
		name: 'the case of a number',
		sent: ['at_least', 'property:x', 1, insensitive],
		says: /numbers, which have no case/,
	},
	{ name: 'is_set with values', sent: ['is_set', 'page', ['/']], says: /needs a dimension and nothing else/ },
	{ name: 'is_set of nothing', sent: ['is_set'], says: /needs a dimension and nothing else/ },
	{ name: 'is_set of an hour', sent: ['is_set', 'hour'], says: /not with is_set/ },
	{
		name: 'a number of a page',
		sent: ['greater_than', 'page', 1],
		says: /can test property:NAME and revenue/,
	},
	{
		name: 'the text of revenue',
		sent: ['is', 'revenue', ['1']],
		says: /revenue can be tested with greater_than/,
	},
	{ name: 'an odd currency', sent: ['at_least', 'revenue:eur', 1], says: /"revenue:eur" is not a dimension/ },
	{
		name: 'no number',
		sent: ['at_least', 'revenue', ['1e3']],
		says: /must be a number such as .*"1e3" is not/,
	},
	{ name: 'an empty number', sent: ['at_least', 'revenue', ['']], says: /must be a number such as/ },
	{ name: 'a huge number', sent: ['at_least', 'revenue', 1e21], says: /must be a number such as/ },
	{ name: 'a tiny number', sent: ['at_least', 'revenue', 1e-7], says: /must be a number such as/ },
	{ name: 'a list as number', sent: ['at_least', 'revenue', [[1]]], says: /a list is not/ },
	{ name: 'two numbers', sent: ['at_least', 'revenue', [1, 2]], says: /needs one number/ },
	{ name: 'one end', sent: ['between', 'revenue', [1]], says: /needs two numbers, such as \[10, 20\]/ },
	{ name: 'ends in reverse', sent: ['between', 'revenue', [2, 1]], says: /lower number first, not 2 and 1/ },
	{
		name: 'a broken expression',
		sent: ['matches', 'page', ['a', '(b']],
		says: /expression "\(b" is not valid in RE2 syntax: missing closing \)/,
	},
	{
		name: '[T111] a long expression',
		sent: ['matches', 'page', ['x'.repeat(201)]],
		says: /more than 200 char/,
	},
	{
		name: '[T111] 11 expressions',
		sent: ['or', ['matches', 'page', numbers(6)], ['matches', 'page', numbers(5)]],
		says: /more than 10 regular expressions/,
	},
	{
		name: '[T111] expressions that are large together',
		sent: ['matches', 'page', ['a{80}', 'b{80}', 'c{80}', 'd{80}']],
		says: /too large together/,
	},
	{ name: 'six wildcards', sent: ['wildcard', 'page', ['******']], says: /500 characters and 5 wildcards/ },
	{ name: 'a long pattern', sent: ['wildcard', 'page', ['x'.repeat(501)]], says: /500 characters and 5/ },
	{
		name: '101 patterns',
		sent: ['or', ['wildcard', 'page', numbers(51)], ['wildcard', 'page', numbers(50)]],
		says: /more than 100 values with wildcards/,
	},
	{ name: 'an empty and', sent: ['and'], says: /\["and", …\] needs at least one filter/ },
	{ name: 'an empty or', sent: ['or'], says: /\["or", …\] needs at least one filter/ },
	{ name: 'a not of nothing', sent: ['not'], says: /needs exactly one filter, not 0/ },
	{ name: 'a not of two', sent: ['not', deep(1), deep(1)], says: /needs exactly one filter, not 2/ },
	{ name: 'a bad part', sent: ['and', deep(1), ['is', 'x', ['y']]], says: /"x" is not a dimension/ },
	{
		name: 'an unknown dimension',
		sent: ['is', 'path', ['/']],
		says: /"path" is not a dimension\. .* page, .*property:NAME/,
	},
	{
		name: 'the dimension __proto__',
		sent: ['is', '__proto__', ['x']],
		says: /"__proto__" is not a dimension/,
	},
	{ name: 'the dimension constructor', sent: ['is', 'constructor', ['x']], says: /is not a dimension/ },
	{ name: 'the dimension toString', sent: ['is', 'toString', ['x']], says: /is not a dimension/ },
	{ name: 'the bare word property', sent: ['is', 'property', ['x']], says: /"property" is not a dimension/ },
	{ name: 'a property without a name', sent: ['is', 'property:', ['x']], says: /is not a dimension/ },
	{ name: 'a property with NUL', sent: ['is', 'property:a\0b', ['x']], says: /is not a dimension/ },
	{
		name: 'a property with half a character',
		sent: ['is', 'property:\ud800', ['x']],
		says: /is not a dimension/,
	},
	{
		name: 'a long property',
		sent: ['is', `property:${'x'.repeat(101)}`, ['x']],
		says: /at most 100 characters/,
	},
	{ name: 'a number as dimension', sent: ['is', 5, ['x']], says: /5 is not a dimension/ },
	{ name: 'a list as dimension', sent: ['is', ['page'], ['x']], says: /a list is not a dimension/ },
	{ name: 'no value', sent: ['is', 'page', []], says: /needs 1 to 100 values; one of page has 0/ },
	{
		name: '101 values',
		sent: ['is', 'page', numbers(101)],
		says: /needs 1 to 100 values; one of page has 101/,
	},
	{ name: 'a number as value', sent: ['is', 'page', [5]], says: /page must be a text, not 5/ },
	{ name: 'null as value', sent: ['is', 'page', [null]], says: /must be a text, not null/ },
	{ name: 'a list as value', sent: ['is', 'page', [['/']]], says: /must be a text, not a list/ },
	{
		name: 'an object as values',
		sent: ['is', 'page', { length: 1, 0: '/' }],
		says: /must be a text, not an object/,
	},
	{ name: 'NUL in a value', sent: ['is', 'page', ['/a\0']], says: /cannot be stored/ },
	{ name: 'half a character in a value', sent: ['is', 'page', ['/\udc00']], says: /cannot be stored/ },
	{
		name: 'a value of 2,001',
		sent: ['is', 'page', ['x'.repeat(2_001)]],
		says: /not have more than 2000 characters/,
	},
	{
		name: 'a value of a million',
		sent: ['is', 'page', ['👋'.repeat(1e6)]],
		says: /not have more than 2000 characters/,
	},
	{
		name: 'a goal that is not there',
		sent: ['is', 'goal', [4]],
		says: /goal must be the id of a goal of this website; 4 is not/,
	},
	{ name: 'a goal by name', sent: ['is', 'goal', ['Goal 3']], says: /"Goal 3" is not/ },
	{ name: 'a goal spelt oddly', sent: ['is', 'goal', ['03']], says: /"03" is not/ },
	{ name: 'a goal with a fraction', sent: ['is', 'goal', [3.5]], says: /3\.5 is not/ },
	{ name: 'a goal beyond all numbers', sent: ['is', 'goal', [1e300]], says: /is not/ },
	{
		name: 'part of a goal',
		sent: ['contains', 'goal', ['3']],
		says: /goal can be tested with is, is_not and any_of, not with contains/,
	},
	{ name: 'not part of a goal', sent: ['not_contains', 'goal', ['3']], says: /not with not_contains/ },
	{ name: 'the beginning of a goal', sent: ['starts_with', 'goal', ['3']], says: /not with starts_with/ },
	{ name: 'part of an hour', sent: ['contains', 'hour', ['1']], says: /hour can be tested with is/ },
	{ name: 'hour 24', sent: ['is', 'hour', ['24']], says: /an hour from 0 to 23; "24" is not/ },
	{ name: 'hour -1', sent: ['is', 'hour', ['-1']], says: /an hour from 0 to 23/ },
	{ name: 'hour 07', sent: ['is', 'hour', ['07']], says: /an hour from 0 to 23/ },
	{ name: 'hour 1.5', sent: ['is', 'hour', [1.5]], says: /an hour from 0 to 23/ },
	{ name: 'no hour', sent: ['is', 'hour', ['']], says: /an hour from 0 to 23/ },
	{ name: 'weekday 0', sent: ['is', 'weekday', ['0']], says: /a day from 1 \(Monday\) to 7/ },
	{ name: 'weekday 8', sent: ['is', 'weekday', [8]], says: /a day from 1 \(Monday\) to 7/ },
	{ name: 'nine deep', sent: deep(9), says: /nested more than 8 deep/ },
	{ name: 'a hundred thousand deep', sent: endless, says: /nested more than 8 deep/ },
	{ name: 'a list in itself', sent: itself, says: /nested more than 8 deep/ },
	{ name: '51 tests', sent: many(51), says: /more than 50 tests/ },
	{ name: '51 tests in two groups', sent: ['and', many(26), many(25)], says: /more than 50 tests/ },
	{ name: 'a hundred thousand tests', sent: many(100_000), says: /more than 50 tests/ },
];
for (const { name, sent, says } of bad)
	test(`${name} is refused`, () => {
		const begin = process.threadCpuUsage();
		assert.throws(
			() => readFilter(sent, goals),
			(error) => {
				assert.ok(error instanceof AppError);
				assert.equal(error.code, 'validation_failed');
				assert.deepEqual(Object.keys(error.errors ?? {}), ['filters']);
				assert.match(error.errors?.filters?.[0] ?? '', says);
				assert.ok(error.message.length < 1_000, 'what was sent is shortened');
				assert.ok(error.message.isWellFormed());
				return true;
			},
		);
		const cost = process.threadCpuUsage(begin);
		assert.ok(cost.user + cost.system < 500_000, 'it costs little');
	});

const isOfTexts = (word: string) =>
	['any_of', 'is_not', ...textTests].includes(word.replace(/^not_/, '')) && !word.endsWith('matches');

const anyFilter = fc.letrec<{ filter: unknown }>((tie) => ({
	filter: fc.oneof(
		{ maxDepth: 4 },
		fc
			.tuple(
				fc.constantFrom(...filterOperators.filter(isOfTexts)),
				fc.constantFrom('country', 'page', 'source', 'property:plan', 'title'),
				fc.oneof(
					fc.string({ unit: 'grapheme' }),
					fc.array(fc.string({ unit: 'grapheme' }), { minLength: 1, maxLength: 4 }),
				),
				fc.constantFrom(undefined, insensitive, { case_sensitive: true }),
			)
			.map((parts) => parts.filter((part) => part !== undefined)),
		fc.tuple(
			fc.constantFrom('is_set', 'is_not_set'),
			fc.constantFrom('page', 'goal', 'revenue', 'property:x'),
		),
		fc.tuple(
			fc.constantFrom(...numberTests.filter((test) => test !== 'between')),
			fc.constantFrom('revenue', 'revenue:EUR', 'property:x'),
			fc.integer(),
		),
		fc.tuple(fc.constant('not'), tie('filter')),
		fc
			.tuple(fc.constantFrom('and', 'or'), fc.array(tie('filter'), { minLength: 1, maxLength: 3 }))
			.map(([word, parts]) => [word, ...parts]),
	),
})).filter;
const isStorable = (sent: unknown) => !JSON.stringify(sent).includes('\\u0000');

test('what is written is read as the same filter, and written in the same way', () => {
	fc.assert(
		fc.property(anyFilter.filter(isStorable), (sent) => {
			let filter: Filter;
			try {
				filter = readFilter(sent, goals);
			} catch (error) {
				assert.match(String(error), /more than (50 tests|100 values with|500 characters)/);
				return;
			}
			const written = writeFilter(filter);
			assert.deepEqual(readFilter(written, goals), filter);
			assert.deepEqual(writeFilter(readFilter(written, goals)), written);
		}),
		{ numRuns: 2_000 },
	);
});

test('whatever JSON comes, it is read or refused', () => {
	fc.assert(
		fc.property(fc.jsonValue({ maxDepth: 12 }), (sent) => {
			try {
				writeFilter(readFilter(sent, goals));
			} catch (error) {
				assert.ok(error instanceof AppError, String(error));
			}
		}),
		{ numRuns: 2_000 },
	);
});
