import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { createKeyedSemaphore } from './keyed-semaphore.ts';

const here = new AbortController().signal;

test('so many run, so many wait in their order, one more is refused', async () => {
	const turns = createKeyedSemaphore({ running: 2, waiting: 2, waitMs: 10_000 });
	const order: string[] = [];
	const first = await turns.take('a', here);
	const second = await turns.take('a', here);
	const third = turns.take('a', here).then((end) => {
		order.push('third');
		return end;
	});
	const fourth = turns.take('a', here).then((end) => {
		order.push('fourth');
		return end;
	});
	assert.equal(turns.isFull('a'), true);
	assert.equal(turns.isFull('b'), false);
	assert.equal(await turns.take('a', here), undefined);
	assert.ok(await turns.take('b', here), 'another name has its own turns');
	await pause(10);
	assert.deepEqual(order, []);
	second?.();
	// Ending twice gives no second turn away.
	second?.();
	await pause(10);
	assert.deepEqual(order, ['third']);
	first?.();
	await pause(10);
	assert.deepEqual(order, ['third', 'fourth']);
	assert.equal(turns.isFull('a'), false);
	(await third)?.();
	(await fourth)?.();
	assert.ok(await turns.take('a', here));
	assert.ok(await turns.take('a', here));
});

test('who leaves or waits too long is no longer in the way', async () => {
	const turns = createKeyedSemaphore({ running: 1, waiting: 1, waitMs: 50 });
	const first = await turns.take('a', here);
	const leaving = new AbortController();
	const left = turns.take('a', leaving.signal);
	leaving.abort();
	assert.equal(await left, undefined);
	assert.equal(await turns.take('a', leaving.signal), undefined);
	const began = performance.now();
	assert.equal(await turns.take('a', here), undefined, 'it waited in vain');
	assert.ok(performance.now() - began < 5_000);
	const next = turns.take('a', here);
	first?.();
	const end = await next;
	assert.ok(end);
	end();
	assert.ok(await turns.take('a', here));
});
