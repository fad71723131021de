import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { faults } from './faults.ts';

test('every fault can still be planted: its line stands in the code once, and its tests exist', () => {
	const lost = faults.filter(({ file, line }) => readFileSync(file, 'utf8').split(line).length !== 2);
	assert.deepEqual(
		lost.map(({ name }) => name),
		[],
	);
	assert.deepEqual(
		faults.flatMap(({ tests }) => tests).filter((file) => !existsSync(file)),
		[],
	);
	assert.ok(faults.length >= 25);
});
