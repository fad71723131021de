import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { benchmarks, longRuns } from '../../scripts/long-runs.ts';

const root = join(import.meta.dirname, '..', '..');
const text = readFileSync(join(root, 'docs', 'figures.md'), 'utf8');

test('every long run has its last result, seed, commit and date in docs/figures.md', () => {
	const rows = new Map(
		[...text.matchAll(/^\| `npm run test:long -- (\w+)` \| (.+) \|$/gm)].map(([, name = '', cells = '']) => [
			name,
			cells.split(' | '),
		]),
	);
	assert.deepEqual([...rows.keys()].sort(), Object.keys(longRuns).sort());
	for (const [name, [result = '', seed = '', commit = '', date = '']] of rows) {
		assert.match(result, /\d/, name);
		assert.doesNotMatch(
			result,
			/[1-9]\d* (failed|lost|duplicate|phantom|foreign)|MISSED|BROKEN|no result/,
			name,
		);
		assert.match(seed, /^\d+$/, name);
		assert.match(commit, /^([0-9a-f]{7,}|not recorded)$/, name);
		assert.match(date, /^\d{4}-\d\d-\d\d$/, name);
	}
});

test('every benchmark has a figure in docs/figures.md', () => {
	assert.deepEqual(
		Object.keys(benchmarks).filter((name) => !text.includes(`npm run bench -- ${name}`)),
		[],
	);
});
