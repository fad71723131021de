import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { locks } from './locks.ts';

test('no two locks have the same number, and none stands anywhere else', () => {
	assert.equal(new Set(Object.values(locks)).size, Object.keys(locks).length);
	const server = join(import.meta.dirname, '..');
	for (const name of readdirSync(server, { recursive: true, encoding: 'utf8' })) {
		if (!/(?<!\.test)\.ts$/.test(name) || name === join('store', 'locks.ts')) continue;
		const text = readFileSync(join(server, name), 'utf8');
		const found = /advisory\w*lock\w*\(\d|7_?461_?0\d\d/.exec(text)?.[0];
		assert.equal(found, undefined, name);
	}
});
