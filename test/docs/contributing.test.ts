import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { longRuns } from '../../scripts/long-runs.ts';

const root = join(import.meta.dirname, '..', '..');
const text = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');

test('every file and folder that CONTRIBUTING.md names exists', () => {
	const folders = 'api|bench|bin|cli|dashboard|docs|migrations|presentation|scripts|server|test|tracker';
	const named = [...text.matchAll(new RegExp(`[\`(]((?:${folders})(?:/[\\w.*/-]*)?)[\`)]`, 'g'))].map(
		([, path = '']) => path,
	);
	assert.ok(named.length > 40, named.join(' '));
	assert.deepEqual(
		named.filter((path) => globSync(path.replace(/\/$/, ''), { cwd: root }).length === 0),
		[],
	);
});

test('every npm script and test path that CONTRIBUTING.md names exists', () => {
	const { scripts }: { scripts: Record<string, string> } = JSON.parse(
		readFileSync(join(root, 'package.json'), 'utf8'),
	);
	const commands = [...text.matchAll(/npm run ([\w:]+)/g)].map(([, name = '']) => name);
	assert.ok(commands.length > 15);
	assert.deepEqual(
		commands.filter((name) => !(name in scripts)),
		[],
	);
	const paths = [...text.matchAll(/npm test -- ([^`#\n]+)/g)]
		.flatMap(([, rest = '']) => rest.trim().split(/\s+/))
		.filter((path) => !path.startsWith('-'));
	assert.ok(paths.length > 6, paths.join(' '));
	assert.deepEqual(
		paths.filter((path) => globSync(`${path}*`, { cwd: root }).length === 0),
		[],
	);
	const longRunsNamed = [...text.matchAll(/npm run test:long -- (\w+)/g)].map(([, name = '']) => name);
	assert.ok(longRunsNamed.length > 0);
	assert.deepEqual(
		longRunsNamed.filter((name) => !(name in longRuns)),
		[],
	);
});
