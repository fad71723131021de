import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type GoalEvent, matchesGoal, matchesPattern, patternToLike } from './goals.ts';
import type { Goal } from './question.ts';

const goalOf = (goal: Partial<Goal>): Goal => ({
	id: 1,
	revision: 1,
	name: 'A goal',
	kind: 'page',
	pattern: '*',
	property: null,
	...goal,
});
const view = (path: string, properties: Record<string, string> = {}): GoalEvent => ({
	kind: 'pageview',
	name: 'pageview',
	path,
	properties,
});
const custom = (name: string, properties: Record<string, string> = {}): GoalEvent => ({
	kind: 'custom',
	name,
	path: '/thanks',
	properties,
});

const patterns: { pattern: string; like: string; met: string[]; missed: string[] }[] = [
	{ pattern: '/thanks', like: '/thanks', met: ['/thanks'], missed: ['/thanks/', '/Thanks', '/a/thanks', ''] },
	{ pattern: '*', like: '%', met: ['', '/', '/a\nb', '*', '👋'], missed: [] },
	{ pattern: '/blog/*', like: '/blog/%', met: ['/blog/', '/blog/a/b'], missed: ['/blog', '/a/blog/b'] },
	{ pattern: '*/thanks', like: '%/thanks', met: ['/thanks', '/a/thanks'], missed: ['/thanks/', 'thanks'] },
	{
		pattern: '/order/*/done',
		like: '/order/%/done',
		met: ['/order/1/done', '/order//done', '/order/1/2/done'],
		missed: ['/order/done', '/order/1/done/'],
	},
	{ pattern: '/a*a', like: '/a%a', met: ['/aa', '/aba'], missed: ['/a'] },
	{ pattern: '/ab*ba', like: '/ab%ba', met: ['/abba', '/ab-ba'], missed: ['/aba'] },
	{ pattern: '*ab*ab*', like: '%ab%ab%', met: ['abab', 'xabyabz'], missed: ['ab', 'aba', 'xaby'] },
	{ pattern: '/**', like: '/%%', met: ['/', '/a'], missed: ['', 'a/'] },
	{ pattern: '/*a*b*c*', like: '/%a%b%c%', met: ['/abc', '/xaxbxcx', '/cabc'], missed: ['/acb', '/cba'] },
	{ pattern: '/50%', like: '/50\\%', met: ['/50%'], missed: ['/50', '/500', '/50%25'] },
	{ pattern: '/a_b', like: '/a\\_b', met: ['/a_b'], missed: ['/a-b', '/axb'] },
	{ pattern: '/a\\b', like: '/a\\\\b', met: ['/a\\b'], missed: ['/ab', '/a\\\\b'] },
	{ pattern: '/\\*', like: '/\\\\%', met: ['/\\', '/\\a'], missed: ['/*', '/a'] },
	{ pattern: '/\\%_\\', like: '/\\\\\\%\\_\\\\', met: ['/\\%_\\'], missed: ['/%_', '/\\%x\\'] },
	{
		pattern: '/it\'s "so" `x`*',
		like: '/it\'s "so" `x`%',
		met: ['/it\'s "so" `x`', '/it\'s "so" `x`; DROP TABLE goals'],
		missed: ['/its so x'],
	},
	{ pattern: '/café/*', like: '/café/%', met: ['/café/ü'], missed: ['/cafe/ü', '/cafe\u0301/x'] },
	{
		pattern: '/東京*👩‍👩‍👧',
		like: '/東京%👩‍👩‍👧',
		met: ['/東京👩‍👩‍👧', '/東京 👋 👩‍👩‍👧'],
		missed: ['/東京👩'],
	},
	{ pattern: '/a\nb*', like: '/a\nb%', met: ['/a\nb', '/a\nb\n\nc'], missed: ['/a', '/ab', '/a\r\nb'] },
	{ pattern: '/a*c', like: '/a%c', met: ['/a\nb\r\n\tc'], missed: ['/a\nc\n'] },
	{
		pattern: '/a.c+[x](y)^$|?',
		like: '/a.c+[x](y)^$|?',
		met: ['/a.c+[x](y)^$|?'],
		missed: ['/abc', '/a.cc'],
	},
	{ pattern: '{p0:String} -- /*', like: '{p0:String} -- /%', met: ['{p0:String} -- /* */'], missed: ['/'] },
];

for (const { pattern, like, met, missed } of patterns)
	test(`the pattern ${JSON.stringify(pattern)}`, () => {
		assert.equal(patternToLike(pattern), like);
		for (const text of met) assert.equal(matchesPattern(pattern, text), true, JSON.stringify(text));
		for (const text of missed) assert.equal(matchesPattern(pattern, text), false, JSON.stringify(text));
	});

test('a page goal is met by a page view of its path', () => {
	const goal = goalOf({ pattern: '/thanks*' });
	assert.equal(matchesGoal(goal, view('/thanks/1')), true);
	assert.equal(matchesGoal(goal, view('/')), false);
	assert.equal(matchesGoal(goal, custom('/thanks')), false, 'an event on the page is no view of it');
	assert.equal(matchesGoal(goalOf({ pattern: '*' }), custom('order')), false);
});

test('an event goal is met by an event of its name', () => {
	const goal = goalOf({ kind: 'event', pattern: 'order*' });
	assert.equal(matchesGoal(goal, custom('order: paid')), true);
	assert.equal(matchesGoal(goal, custom('Order')), false);
	assert.equal(matchesGoal(goalOf({ kind: 'event', pattern: '*' }), view('/')), false);
	assert.equal(matchesGoal(goalOf({ kind: 'event', pattern: 'pageview' }), view('/')), false);
});

test('a property must be there with the very value', () => {
	const goal = goalOf({ kind: 'event', pattern: 'order', property: { name: 'plan', value: 'pro' } });
	assert.equal(matchesGoal(goal, custom('order', { plan: 'pro', n: '1' })), true);
	assert.equal(matchesGoal(goal, custom('order', { plan: 'Pro' })), false);
	assert.equal(matchesGoal(goal, custom('order', { plan: 'pro*' })), false);
	assert.equal(matchesGoal(goal, custom('order', { Plan: 'pro' })), false);
	assert.equal(matchesGoal(goal, custom('order')), false);
	assert.equal(matchesGoal(goal, custom('cart', { plan: 'pro' })), false);
	const page = goalOf({ pattern: '/*', property: { name: 'a"\\', value: "'\n*" } });
	assert.equal(matchesGoal(page, view('/x', { 'a"\\': "'\n*" })), true);
	assert.equal(matchesGoal(page, view('/x', { 'a"\\': "'\nx" })), false);
});

test('names of every object are no properties', () => {
	const goal = goalOf({ property: { name: 'constructor', value: String(Object) } });
	assert.equal(matchesGoal(goal, view('/')), false);
	const hidden = goalOf({ property: { name: '__proto__', value: 'x' } });
	assert.equal(matchesGoal(hidden, view('/')), false);
	assert.equal(matchesGoal(hidden, view('/', JSON.parse('{"__proto__":"x"}'))), true);
});

test('[T24] a hundred patterns made to take for ever are answered at once', () => {
	const path = `/${'ab'.repeat(511)}`;
	// What it cost, not how long it took: the machine may be busy with something else.
	const begin = process.threadCpuUsage();
	for (let n = 0; n < 100; n++) {
		const part = `${'ab'.repeat(n % 45)}a`;
		const pattern = ['*', '*', '*', '*', '*c'].join(part);
		assert.equal(matchesPattern(pattern, path), false);
	}
	const cost = process.threadCpuUsage(begin);
	assert.ok(cost.user + cost.system < 200_000, `${cost.user + cost.system} µs`);
});
