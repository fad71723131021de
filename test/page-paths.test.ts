import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { pagePaths } from '../server/http/public/dashboard-files.ts';

// The pages and the door have a list of addresses each: neither can import the other.
const drawn = [...readFileSync('dashboard/routes.tsx', 'utf8').matchAll(/path(?:: '|=")([^'"]+)['"]/g)]
	.map(([, path = '']) => path)
	// `:room?` is two addresses.
	.flatMap((path) => (path.endsWith('?') ? [path.slice(0, -1), path.replace(/\/:\w+\?$/, '')] : [path]));

/** `/websites/:id` gives `/websites/42`, but `/websites/new` stays. */
const covers = (pattern: string, path: string): boolean =>
	new RegExp(`^${pattern.replace(/:\w+/g, '[^/]+')}$`).test(path.replace(/:\w+/g, '42'));

test('every address that the pages draw is given out by the service', () => {
	assert.ok(drawn.length >= 14, drawn.join(' '));
	assert.deepEqual(
		drawn.filter((path) => !pagePaths.some((pattern) => covers(pattern, path))),
		[],
	);
});

test('the service gives out no address that no page draws', () => {
	assert.deepEqual(
		pagePaths.filter((pattern) => !drawn.some((path) => covers(pattern, path))),
		[],
	);
});
