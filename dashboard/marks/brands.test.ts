import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { brandOf, letterOf } from './brands.ts';

const list = readFileSync(join(import.meta.dirname, 'mark-files.ts'), 'utf8');
const files = new Set(/simple-icons\/icons\/\{([^}]+)\}/.exec(list)?.[1]?.split(','));

test('every brand of the list is in the package', () => {
	assert.ok(files.size > 100);
	const missing = [...files].filter((name) => !existsSync(`node_modules/simple-icons/icons/${name}.svg`));
	assert.deepEqual(missing, []);
});

test('values have the brand of their name, and referrers that of their host', () => {
	for (const [dimension, value, brand] of [
		['browser', 'Chrome', 'googlechrome'],
		['browser', 'Instagram app', 'instagram'],
		['os', 'macOS', 'apple'],
		['source', 'Hacker News', 'ycombinator'],
		['source', 'WEB.DE', 'webdotde'],
		['utm_source', 'fb', 'facebook'],
		['referrer', 'www.google.co.uk/search', 'google'],
		['referrer', 'https://de.wikipedia.org/wiki/Tide', 'wikipedia'],
		['referrer', 't.co/x', 'x'],
		['referrer', 'old.reddit.com/r/all', 'reddit'],
	] as const) {
		assert.equal(brandOf(dimension, value), brand, value);
		assert.ok(files.has(brand), `${brand} is not in the list`);
	}
	for (const [dimension, value] of [
		['browser', 'Edge'],
		['os', 'Windows'],
		['source', 'ChatGPT'],
		['source', 'google.example'],
		['referrer', 'google.example.com/'],
		['referrer', 'reddit.com.example/'],
		['referrer', ''],
	] as const)
		assert.ok(!files.has(brandOf(dimension, value)), value);
	assert.equal(letterOf('referrer', 'https://www.harbor.example/a'), 'harbor.example');
});
