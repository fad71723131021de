import assert from 'node:assert/strict';
import { test } from 'node:test';
import { etagOf, matchesIfMatch, matchesIfNoneMatch } from './etag.ts';

test('a tag is strong, stable and different for other bytes', () => {
	const tag = etagOf('{"data":1}');
	assert.match(tag, /^"[A-Za-z0-9_-]{22}"$/);
	assert.equal(etagOf('{"data":1}'), tag);
	assert.notEqual(etagOf('{"data":1} '), tag);
});

test('If-None-Match compares weakly, If-Match strongly', () => {
	const tag = etagOf('a');
	const cases: [header: string | undefined, known: boolean, expected: boolean][] = [
		[undefined, false, true],
		['*', true, true],
		[' * ', true, true],
		[tag, true, true],
		[`W/${tag}`, true, false],
		[`"other", ${tag}`, true, true],
		[`"other",${tag},"third"`, true, true],
		[`"other", W/${tag}`, true, false],
		['"other"', false, false],
		[tag.slice(1, -1), false, false],
		['""', false, false],
		['', false, false],
		[`"a, ${tag.slice(1)}`, false, false],
		['nonsense', false, false],
	];
	for (const [header, known, expected] of cases) {
		assert.equal(matchesIfNoneMatch(header, tag), known, `If-None-Match: ${header}`);
		assert.equal(
			matchesIfMatch(header, () => tag),
			expected,
			`If-Match: ${header}`,
		);
	}
});

test('without If-Match no tag is computed', () => {
	assert.ok(matchesIfMatch(undefined, () => assert.fail('the record was read for nothing')));
});
