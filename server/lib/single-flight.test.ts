import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { createSingleFlight } from './single-flight.ts';

const here = new AbortController().signal;
const left = () => new Error('left');

test('equal work at the same time is done once, later work anew', async () => {
	const flights = createSingleFlight<number>();
	let begun = 0;
	const work = async () => {
		begun += 1;
		await pause(20);
		return begun;
	};
	const all = await Promise.all([1, 2, 3].map(() => flights.share('a', here, work, left)));
	assert.deepEqual(all, [1, 1, 1]);
	assert.equal(await flights.share('b', here, work, left), 2);
	assert.equal(await flights.share('a', here, work, left), 3);
});

test('a failure is everybody’s, and not kept', async () => {
	const flights = createSingleFlight<string>();
	const failing = async () => {
		await pause(5);
		throw new Error('broken');
	};
	const both = await Promise.allSettled([
		flights.share('a', here, failing, left),
		flights.share('a', here, failing, left),
	]);
	assert.deepEqual(
		both.map((result) => result.status === 'rejected' && String(result.reason)),
		['Error: broken', 'Error: broken'],
	);
	assert.equal(await flights.share('a', here, async () => 'mended', left), 'mended');
});

test('it is given up when all have left, and not before', async () => {
	const flights = createSingleFlight<string>();
	const [one, two] = [new AbortController(), new AbortController()];
	let isEnded = false;
	const work = async (allLeft: AbortSignal) => {
		allLeft.addEventListener('abort', () => {
			isEnded = true;
		});
		await pause(50);
		return 'done';
	};
	const first = flights.share('a', one.signal, work, left);
	const second = flights.share('a', two.signal, work, left);
	one.abort();
	await assert.rejects(first, /left/);
	assert.equal(isEnded, false);
	assert.equal(await second, 'done');

	isEnded = false;
	const third = flights.share('a', two.signal, work, left);
	two.abort();
	await assert.rejects(third, /left/);
	assert.equal(isEnded, true);
	// What is being ended is nobody’s any more.
	assert.equal(await flights.share('a', here, async () => 'anew', left), 'anew');
	await assert.rejects(flights.share('a', two.signal, work, left), /left/);
});
