import assert from 'node:assert/strict';
import { test } from 'node:test';
import { remember } from './remember.ts';

test('an answer is asked for once, and the bound holds', () => {
	const asked: string[] = [];
	const length = remember((text) => {
		asked.push(text);
		return text.length;
	}, 2);
	assert.deepEqual(['a', 'bb', 'a', 'ccc', 'a', 'bb'].map(length), [1, 2, 1, 3, 1, 2]);
	// When ccc came, bb was the one that nobody had asked for longest.
	assert.deepEqual(asked, ['a', 'bb', 'ccc', 'bb']);
});

test('undefined is an answer like any other', () => {
	let asked = 0;
	const nothing = remember(() => {
		asked++;
		return undefined;
	}, 10);
	nothing('a');
	nothing('a');
	assert.equal(asked, 1);
});
