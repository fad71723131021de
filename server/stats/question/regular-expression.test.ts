import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkExpression, toAscii } from './regular-expression.ts';

for (const expression of [
	'',
	'^/blog/[0-9]{4}/',
	'(?i)^(de|en)(-[a-z]{2})?$',
	'\\p{Lu}\\pN\\P{Greek}\\p{^L}',
	'(?P<year>\\d+)|(?<month>\\d+)',
	'\\\\B\\\\p{Nonsense}',
	'\\Q\\B\\E',
	'a{40}b{40}',
	'x'.repeat(90),
	`[${'👋'.repeat(198)}]`,
	'^\\p{Lu}[\\p{Ll}\\pN]+/[a-z]+$',
	'[[:alpha:]]+?\\x{1F44B}\\z',
])
	test(`${expression.slice(0, 40)} is accepted`, () => {
		assert.ok('size' in checkExpression(expression));
	});

const bad: [string, RegExp][] = [
	['x'.repeat(201), /must not have more than 200 characters/],
	['a**', /is not valid in RE2 syntax: invalid nested repetition operator: `\*\*`/],
	['(a', /missing closing \): `\(a`/],
	['a)', /unexpected \): `a\)`/],
	['[z-a]', /invalid character class range: `z-a`/],
	['(?=a)', /invalid or unsupported Perl syntax: `\(\?=`/],
	['(?<=a)b', /invalid named capture: `\(\?<=a\)b`/],
	['(a)\\1', /invalid escape sequence: `\\1`/],
	['a{1001}', /invalid repeat count: `\{1001\}`/],
	['(a{500}){3}', /invalid repeat count/],
	['a{100}', /is too large: use fewer alternatives/],
	['(?:a?){60}', /too large/],
	['\\pL{30}', /too large/],
	['x'.repeat(200), /too large/],
	['\\p{Garay}', /unknown character class \\p\{Garay\}/],
	['[\\p{Cn}]', /unknown character class \\p\{Cn\}|not valid/],
	['a\\Bb', /must not use \\B/],
	['\\C', /invalid escape sequence: `\\C`/],
	['\\é', /invalid escape sequence/],
	['(?P<é>a)', /invalid named capture/],
	['\\', /trailing backslash/],
];
for (const [expression, says] of bad)
	test(`${expression.slice(0, 40)} is refused`, () => {
		const begin = process.threadCpuUsage();
		const checked = checkExpression(expression);
		assert.match('fault' in checked ? checked.fault : 'accepted', says);
		const { user, system } = process.threadCpuUsage(begin);
		assert.ok(user + system < 200_000, 'it costs little');
	});

test('an expression for ClickHouse is ASCII', () => {
	assert.equal(toAscii('^/é?[ß-ü]\\.👋*'), '^/\\x{e9}?[\\x{df}-\\x{fc}]\\.\\x{1f44b}*');
	assert.equal(toAscii('\\Qa.é\\E+\\\\Q'), 'a\\x{2e}\\x{e9}+\\\\Q');
	assert.equal(toAscii('\\pL\\p{Greek}\\x{e9}'), '\\pL\\p{Greek}\\x{e9}');
});
