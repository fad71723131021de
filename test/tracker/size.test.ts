import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { built, builtFile } from '../support/tracked-site.ts';

/** What was reached. A change that makes a file larger says so here, and why it is worth it in its commit. */
const gzippedAtMost: Record<string, number> = { 'tm.js': 1800, 'tm-vitals.js': 810 };

test('[T68] the files are as small as they were', () => {
	assert.deepEqual(
		Object.keys(gzippedAtMost),
		built.map(({ name }) => name),
	);
	for (const { name, gzipped } of built)
		assert.ok(gzipped <= Number(gzippedAtMost[name]), `${name} has ${gzipped} bytes, gzipped`);
});

test('[T68] the script has no code but ours', () => {
	const sources = globSync('tracker/*.ts').filter((file) => !file.endsWith('.d.ts'));
	const imported = sources.flatMap((file) =>
		[...readFileSync(file, 'utf8').matchAll(/from '([^']+)'/g)].map(([, target = '']) => target),
	);
	assert.ok(imported.length > 5);
	assert.deepEqual(
		imported.filter((target) => !/^\.\/[a-z-]+\.ts$/.test(target)),
		[],
	);
});

test('[T68] the files are without eval, comments or addresses', () => {
	for (const { name } of built) {
		const code = builtFile(name);
		assert.doesNotMatch(code, /\beval\b|new Function|\/\*|https?:|innerHTML|document\.write|cookie/);
		assert.equal(code.split('\n').length, 1);
	}
});
