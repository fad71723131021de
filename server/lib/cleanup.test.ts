import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Cleanup, runCleanups } from './cleanup.ts';

test('[F27] the last opened is undone first, one that fails keeps none from being undone, and it is told', async () => {
	const done: string[] = [];
	const undo = (name: string): Cleanup => {
		return async () => void done.push(name);
	};
	const throwing = () => {
		throw new Error('at once');
	};
	const opened: Cleanup[] = [
		...[undo('engine'), throwing, undo('log')],
		...[() => Promise.reject(new Error('away')), undo('door')],
	];
	await assert.rejects(runCleanups(opened), /away/);
	assert.deepEqual(done, ['door', 'log', 'engine']);
	assert.deepEqual(opened, []);
});
