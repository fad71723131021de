import assert from 'node:assert/strict';
import { test } from 'node:test';
import { memoize } from './memoize.ts';

test('an answer that is in use is asked for once, one that is not is forgotten', () => {
	const asked: string[] = [];
	const length = memoize(
		(text) => {
			asked.push(text);
			return text.length;
		},
		{ max: 4, maxLength: 10 },
	);
	const texts = ['a', 'bb', 'a', 'ccc', 'a', 'dddd', 'a', 'bb'];
	assert.deepEqual(texts.map(length), [1, 2, 1, 3, 1, 4, 1, 2]);
	assert.deepEqual(asked, ['a', 'bb', 'ccc', 'dddd', 'bb']);
});

test('undefined is an answer like any other', () => {
	let asked = 0;
	const nothing = memoize(
		() => {
			asked++;
			return undefined;
		},
		{ max: 10, maxLength: 10 },
	);
	nothing('a');
	nothing('a');
	assert.equal(asked, 1);
});

test('memory stays bounded whatever is asked', (t) => {
	const pieces = memoize((text) => text.length, { max: 1_000, maxLength: 512 });
	const measure = () => {
		globalThis.gc?.();
		return process.memoryUsage().heapUsed / 1e6;
	};
	const before = measure();
	// Pieces of long texts: a piece that held on to its text would keep 200 MB.
	for (let n = 0; n < 20_000; n++) pieces(`${n}${'x'.repeat(10_000)}`.slice(0, 512));
	const grown = measure() - before;
	t.diagnostic(`${grown.toFixed(1)} MB`);
	assert.ok(grown < 60, `${grown} MB`);
});

test('long texts, and results that are not to be kept, are computed each time', () => {
	const asked: string[] = [];
	const isLong = memoize(
		(text) => {
			asked.push(text);
			return text.length > 3;
		},
		{ max: 10, maxLength: 5, isKept: (result) => result },
	);
	for (const text of ['four', 'four', 'two', 'two', 'longer', 'longer']) isLong(text);
	assert.deepEqual(asked, ['four', 'two', 'two', 'longer', 'longer']);
});
