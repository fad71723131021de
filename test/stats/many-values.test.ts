import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { maxValues } from '../../server/stats/answer/build.ts';
import { freshDomain, websiteOf } from '../support/contract.ts';
import { storeEvents } from '../support/stored-events.ts';
import { world } from '../support/world.ts';

const now = new Date('2026-11-08T12:00:00.000Z');
const w = await world({ after }, { now: () => now });
const owner = await w.account({ timezone: 'UTC' });

type Page = {
	data: {
		totals: { pageviews: number };
		breakdowns: { total: number; rows: { value: string; pageviews: number }[] }[];
	};
};

test('[STATS-1] a breakdown with more values than are ranked in the service is complete and in order', async () => {
	const { id } = websiteOf(
		await owner.api('POST', '/websites', { form: { domain: freshDomain('many') } }),
		201,
	);
	const pathOf = (n: number) => `/${String(n).padStart(5, '0')}`;
	// The last paths are read twice: an engine that returns any values would rarely return these.
	const count = maxValues + 100;
	const views = Array.from({ length: count + 5 }, (_, n) => pathOf(n < count ? n : count - 1 - (n - count)));
	const storeViews = (date: string) =>
		storeEvents(
			w,
			id,
			views.map((path) => ({ date, path, country: 'DE' })),
		);
	await storeViews('2026-11-05');
	const ask = async (filters?: unknown): Promise<Page['data']> => {
		const answer = await owner.api('POST', `/websites/${id}/stats/query`, {
			json: {
				period: '7d',
				metrics: ['pageviews'],
				...(filters !== undefined && { filters }),
				breakdowns: [{ dimension: 'page', limit: 5 }, { dimension: 'country' }],
			},
		});
		assert.equal(answer.status, 200, answer.text);
		// Its shape is what test/api/stats.slow.test.ts is about.
		return (answer.json as Page).data;
	};
	const top = Array.from({ length: 5 }, (_, n) => pathOf(count - 5 + n));
	for (const filters of [undefined, ['is', 'country', ['DE']], undefined]) {
		const { totals, breakdowns } = await ask(filters);
		assert.equal(totals.pageviews, views.length);
		assert.equal(breakdowns[0]?.total, count);
		assert.deepEqual(
			breakdowns[0]?.rows,
			top.map((value) => ({ value, pageviews: 2 })),
		);
		assert.deepEqual(breakdowns[1]?.rows, [{ value: 'DE', pageviews: views.length }]);
	}
	// More events of the same day, and another day: known results do not hide them.
	await storeViews('2026-11-05');
	await storeViews('2026-11-06');
	let { totals, breakdowns } = await ask();
	// While events arrive, the visits of a day are used for a moment.
	for (let tries = 0; tries < 100 && totals.pageviews < 3 * views.length; tries++) {
		await sleep(100);
		({ totals, breakdowns } = await ask());
	}
	assert.deepEqual([totals.pageviews, breakdowns[0]?.total], [3 * views.length, count]);
	assert.deepEqual(breakdowns[0]?.rows[0], { value: top[0], pageviews: 6 });
});
