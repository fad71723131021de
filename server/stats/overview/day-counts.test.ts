import assert from 'node:assert/strict';
import { test } from 'node:test';
import { render } from '../../store/sql.ts';
import type { StoredDays } from '../answer/day-state-cache.ts';
import type { DayCountQuery } from './counted-days.ts';
import { createDayCounts } from './day-counts.ts';

/** Totals of two generations of each day: visitors are the day, and 1,000 more in the second. */
function totals() {
	const state = { asked: [] as number[][], isBroken: false };
	const ask = async (query: Parameters<DayCountQuery>[0]) => {
		if (state.isBroken) throw new Error('The engine is away.');
		const ids = Object.values(render(query).query_params)[0] as number[];
		state.asked.push(ids);
		const days = [1, 1, 2, 2, 3, 3];
		const generations = [10, 20, 10, 20, 10, 20];
		const visitors = days.map((day, index) => day + (generations[index] === 20 ? 1_000 : 0));
		const nothing = days.map(() => 0);
		return ids.map((website_id) => ({
			...{ website_id, days, generations, visitors },
			...{ visits: nothing, views: nothing, bounces: nothing, seconds: nothing },
		}));
	};
	// What is asked for here are totals and nothing else.
	return { state, ask: ask as unknown as DayCountQuery };
}

const names = ['visitors', 'visits', 'views', 'bounces', 'seconds'] as const;
const first: StoredDays = { days: [1, 2, 3, 4], generations: [10, 10, 10, 10] };
const second: StoredDays = { days: [1, 2, 3, 4], generations: [10, 20, 10, 10] };

test('what a generation came to is read once, and another generation anew', async () => {
	const { state, ask } = totals();
	const counts = createDayCounts({ names });
	const sum = async (stored: StoredDays, from = 1, to = 4) =>
		(await counts.stored(ask, new Map([[7, stored]]))).get(7)?.sum(from, to).visitors;
	assert.equal(await sum(first), 6);
	assert.equal(await sum(first, 2, 3), 5);
	assert.equal(await sum({ ...first }), 6);
	assert.equal(state.asked.length, 1);
	assert.equal(await sum(second), 1_006);
	assert.equal(await sum(second, 1, 1), 1);
	assert.equal(state.asked.length, 2);
});

test('what could not be read is asked for again', async () => {
	const { state, ask } = totals();
	const counts = createDayCounts({ names });
	const read = () => counts.stored(ask, new Map([[7, first]]));
	state.isBroken = true;
	await assert.rejects(read(), /away/);
	state.isBroken = false;
	assert.equal((await read()).get(7)?.sum(1, 4).visitors, 6);
	assert.deepEqual(
		(await read()).get(7)?.visitors(2, 4),
		new Map([
			[2, 2],
			[3, 3],
			[4, 0],
		]),
	);
});

test('of many websites those are forgotten that were not asked about for longest', async () => {
	const { state, ask } = totals();
	const counts = createDayCounts({ names, max: 8 });
	const read = async (...ids: number[]) => {
		const found = await counts.stored(ask, new Map(ids.map((id) => [id, { ...first }])));
		assert.ok(ids.every((id) => found.get(id)?.sum(1, 4).visitors === 6));
	};
	await read(1);
	await read(2);
	await read(1);
	await read(3);
	assert.deepEqual(state.asked, [[1], [2], [3]]);
	await read(1, 2);
	assert.deepEqual(state.asked.at(-1), [2]);
	// More at once than are kept.
	await read(4, 5, 6, 7);
	assert.deepEqual(state.asked.at(-1), [4, 5, 6, 7]);
});
