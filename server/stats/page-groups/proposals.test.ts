import assert from 'node:assert/strict';
import { test } from 'node:test';
import { proposeRules } from './proposals.ts';

const viewed = (...paths: string[]) => paths.map((path) => ({ path, views: 2 }));
const propose = (paths: ReturnType<typeof viewed>, existing: Parameters<typeof proposeRules>[1] = []) =>
	proposeRules(paths, existing).map(({ pattern, target, paths: count, pageviews }) => ({
		pattern,
		target,
		count,
		pageviews,
	}));
const numbered = (count: number, of: (n: number) => string) =>
	viewed(...Array.from({ length: count }, (_, n) => of(n)));

test('segments that look like ids become one wildcard, with their counts', () => {
	const paths = [...numbered(4, (n) => `/product/${n}`), ...viewed('/', '/about', '/product')];
	assert.deepEqual(propose(paths), [
		{ pattern: '/product/*', target: '/product/:id', count: 4, pageviews: 8 },
	]);
});

test('ids of many forms', () => {
	const ids = [
		'0190f1a2-7b3c-7def-8a9b-0123456789ab',
		'17-blue-shoes',
		'blue-shoes-4711.html',
		'a94f3c1be0',
		'x7Kp29QmZ41',
	];
	assert.deepEqual(
		propose(viewed(...ids.map((id) => `/p/${id}`))).map(({ target, count }) => [target, count]),
		[['/p/:id', 5]],
	);
	assert.deepEqual(propose(viewed('/p/shoes', '/p/hats', '/p/coats')), []);
});

test('dates and several wildcards', () => {
	const paths = numbered(9, (n) => `/news/2026-11-0${1 + (n % 3)}/${n}`);
	assert.deepEqual(propose(paths), [
		{ pattern: '/news/*/*', target: '/news/:date/:id', count: 9, pageviews: 18 },
	]);
	const both = numbered(6, (n) => `/user/${n}${n % 2 === 0 ? '/orders' : ''}`);
	assert.deepEqual(
		propose(both).map(({ pattern, count }) => [pattern, count]),
		[
			['/user/*', 3],
			['/user/*/orders', 3],
		],
	);
});

test('very many siblings become one wildcard, but not the pages of the root', () => {
	const word = (n: number) => String.fromCharCode(97 + Math.floor(n / 26), 97 + (n % 26));
	assert.deepEqual(propose(numbered(60, (n) => `/blog/${word(n)}`)), [
		{ pattern: '/blog/*', target: '/blog/:slug', count: 60, pageviews: 120 },
	]);
	assert.deepEqual(propose(numbered(40, (n) => `/blog/${word(n)}`)), []);
	assert.deepEqual(propose(numbered(60, (n) => `/${word(n)}`)), []);
	assert.deepEqual(
		propose(numbered(5, (n) => `/${n}`)).map(({ pattern }) => pattern),
		['/*'],
	);
});

test('pages beside ids keep their own group, unless they are few', () => {
	assert.deepEqual(propose(viewed('/p/1', '/p/2', '/p/3', '/p/new', '/p/sale')), []);
});

test('paths that a rule groups, paths with asterisks and strange ones are left alone', () => {
	const rule = { pattern: '/product/*', target: '/product/:id' };
	assert.deepEqual(
		propose(
			numbered(9, (n) => `/product/${n}`),
			[rule],
		),
		[],
	);
	assert.deepEqual(propose(viewed('', '//', '/*/1', '/*/2', '/*/3', '/__proto__/x', '/a//')), []);
	assert.deepEqual(
		propose(numbered(4, (n) => `/$1/${n}`)).map(({ target }) => target),
		['/1/:id'],
	);
});

test('a target names no wildcard, and has a length that can be saved', () => {
	assert.deepEqual(
		propose(numbered(4, (n) => `/$$1/${n}`)).map(({ target }) => target),
		['/1/:id'],
	);
	assert.deepEqual(propose(numbered(4, (n) => `/${'long'.repeat(74)}/${n}`)), []);
});

const tenThousand: Record<string, (n: number) => string> = {
	'long segments': (n) => `/a/${n % 100}/b/${n}/${'x-'.repeat(400)}`,
	'hundreds of segments that look like ids': (n) => `/${n}${'/1'.repeat(500)}`,
	'many words below ids': (n) =>
		`/p/${n}/${['a', 'b', 'c'].map((word, at) => `${word}${(n >> at) % 20}`).join('/')}`,
	'long paths for patterns with a long end': () => `/${'a'.repeat(1_000)}`,
};
for (const [shape, of] of Object.entries(tenThousand))
	test(`[T113] ten thousand paths are read in a moment: ${shape}`, () => {
		const begin = performance.now();
		proposeRules(
			numbered(10_000, of),
			Array.from({ length: 100 }, (_, n) => ({ pattern: `/*b${'a'.repeat(200)}/c${n}/**`, target: '/' })),
		);
		assert.ok(performance.now() - begin < 3_000);
	});
