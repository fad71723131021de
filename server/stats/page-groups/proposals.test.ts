import assert from 'node:assert/strict';
import { test } from 'node:test';
import { previewRules } from './preview.ts';
import { proposeRules } from './proposals.ts';

const viewed = (...paths: string[]) => paths.map((path) => ({ path, views: 2 }));
const { signal } = new AbortController();
const propose = async (paths: ReturnType<typeof viewed>, existing: Parameters<typeof proposeRules>[1] = []) =>
	(await proposeRules(paths, existing, signal)).map(({ pattern, target, paths: count, pageviews }) => ({
		pattern,
		target,
		count,
		pageviews,
	}));
const numbered = (count: number, of: (n: number) => string) =>
	viewed(...Array.from({ length: count }, (_, n) => of(n)));

test('segments that look like ids become one wildcard, with their counts', async () => {
	const paths = [...numbered(4, (n) => `/product/${n}`), ...viewed('/', '/about', '/product')];
	assert.deepEqual(await propose(paths), [
		{ pattern: '/product/*', target: '/product/:id', count: 4, pageviews: 8 },
	]);
});

test('ids of many forms', async () => {
	const ids = [
		'0190f1a2-7b3c-7def-8a9b-0123456789ab',
		'17-blue-shoes',
		'blue-shoes-4711.html',
		'a94f3c1be0',
		'x7Kp29QmZ41',
	];
	assert.deepEqual(
		(await propose(viewed(...ids.map((id) => `/p/${id}`)))).map(({ target, count }) => [target, count]),
		[['/p/:id', 5]],
	);
	assert.deepEqual(await propose(viewed('/p/shoes', '/p/hats', '/p/coats')), []);
});

test('dates and several wildcards', async () => {
	const paths = numbered(9, (n) => `/news/2026-11-0${1 + (n % 3)}/${n}`);
	assert.deepEqual(await propose(paths), [
		{ pattern: '/news/*/*', target: '/news/:date/:id', count: 9, pageviews: 18 },
	]);
	const both = numbered(6, (n) => `/user/${n}${n % 2 === 0 ? '/orders' : ''}`);
	assert.deepEqual(
		(await propose(both)).map(({ pattern, count }) => [pattern, count]),
		[
			['/user/*', 3],
			['/user/*/orders', 3],
		],
	);
});

test('very many siblings become one wildcard, but not the pages of the root', async () => {
	const word = (n: number) => String.fromCharCode(97 + Math.floor(n / 26), 97 + (n % 26));
	assert.deepEqual(await propose(numbered(60, (n) => `/blog/${word(n)}`)), [
		{ pattern: '/blog/*', target: '/blog/:slug', count: 60, pageviews: 120 },
	]);
	assert.deepEqual(await propose(numbered(40, (n) => `/blog/${word(n)}`)), []);
	assert.deepEqual(await propose(numbered(60, (n) => `/${word(n)}`)), []);
	assert.deepEqual(
		(await propose(numbered(5, (n) => `/${n}`))).map(({ pattern }) => pattern),
		['/*'],
	);
});

test('pages beside ids keep their own group, unless they are few', async () => {
	assert.deepEqual(await propose(viewed('/p/1', '/p/2', '/p/3', '/p/new', '/p/sale')), []);
});

test('paths that a rule groups, paths with asterisks and strange ones are left alone', async () => {
	const rule = { pattern: '/product/*', target: '/product/:id' };
	assert.deepEqual(
		await propose(
			numbered(9, (n) => `/product/${n}`),
			[rule],
		),
		[],
	);
	assert.deepEqual(await propose(viewed('', '//', '/*/1', '/*/2', '/*/3', '/__proto__/x', '/a//')), []);
	assert.deepEqual(
		(await propose(numbered(4, (n) => `/$1/${n}`))).map(({ target }) => target),
		['/1/:id'],
	);
});

test('a target names no wildcard, and has a length that can be saved', async () => {
	assert.deepEqual(
		(await propose(numbered(4, (n) => `/$$1/${n}`))).map(({ target }) => target),
		['/1/:id'],
	);
	assert.deepEqual(await propose(numbered(4, (n) => `/${'long'.repeat(74)}/${n}`)), []);
});

const tenThousand: Record<string, (n: number) => string> = {
	'long segments': (n) => `/a/${n % 100}/b/${n}/${'x-'.repeat(400)}`,
	'hundreds of segments that look like ids': (n) => `/${n}${'/1'.repeat(500)}`,
	'many words below ids': (n) =>
		`/p/${n}/${['a', 'b', 'c'].map((word, index) => `${word}${(n >> index) % 20}`).join('/')}`,
	'long paths for patterns with a long end': () => `/${'a'.repeat(1_000)}`,
};
for (const [shape, pathOf] of Object.entries(tenThousand))
	test(`[T113] ten thousand paths are read in a moment: ${shape}`, async () => {
		const begin = performance.now();
		await proposeRules(
			numbered(10_000, pathOf),
			Array.from({ length: 100 }, (_, n) => ({ pattern: `/*b${'a'.repeat(200)}/c${n}/**`, target: '/' })),
			signal,
		);
		assert.ok(performance.now() - begin < 3_000);
	});

test('[T113] rules that take seconds to compare do not block other requests, and end with the request', async () => {
	const paths = numbered(1_000, (n) => `${'/a'.repeat(145)}/${n}`);
	const rules = Array.from({ length: 100 }, (_, n) => ({
		pattern: `${'/*'.repeat(145)}/z${n}`,
		target: '/',
	}));
	let [last, longest] = [performance.now(), 0];
	const ticks = setInterval(() => {
		longest = Math.max(longest, performance.now() - last);
		last = performance.now();
	}, 1);
	const begin = performance.now();
	const { rules: matched, unmatched } = await previewRules(rules, paths, signal);
	const whole = performance.now() - begin;
	clearInterval(ticks);
	assert.deepEqual([unmatched.paths, matched.filter(({ paths: count }) => count > 0)], [1_000, []]);
	assert.ok(whole > 200, `too little work to see a pause: ${whole} ms`);
	assert.ok(longest < whole / 3, `blocked for ${longest} of ${whole} ms`);
	await assert.rejects(previewRules(rules, paths, AbortSignal.timeout(50)), { name: 'TimeoutError' });
});
