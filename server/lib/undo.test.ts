import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Undo, undoAll } from './undo.ts';

test('[F27] the last opened is undone first, one that fails keeps none from being undone, and it is told', async () => {
	const done: string[] = [];
	const undo = (name: string): Undo => {
		return async () => void done.push(name);
	};
	const throwing = () => {
		throw new Error('at once');
	};
	const opened: Undo[] = [
		...[undo('engine'), throwing, undo('log')],
		...[() => Promise.reject(new Error('away')), undo('door')],
	];
	await assert.rejects(undoAll(opened), /away/);
	assert.deepEqual(done, ['door', 'log', 'engine']);
	assert.deepEqual(opened, []);
});
