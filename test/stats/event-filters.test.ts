import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { freshDomain, websiteOf } from '../support/contract.ts';
import { storeEvents } from '../support/stored-events.ts';
import { world } from '../support/world.ts';

const date = '2026-11-05';
const w = await world({ after }, { now: () => new Date('2026-11-08T12:00:00.000Z') });
const owner = await w.account({ timezone: 'UTC' });

/** A visit by its events: a path is a page view, a name with a path is a custom event. */
const visits: Record<string, readonly string[]> = {
	together: ['/', 'buy /shop'],
	apart: ['/shop', 'buy /'],
	twice: ['buy /', 'buy /shop', 'ask /shop'],
	page: ['/shop'],
	event: ['buy /'],
	neither: ['/'],
	nowhere: ['ask '],
};

const cases: [filter: unknown, visits: readonly string[]][] = [
	[
		['is', 'event', ['buy']],
		['together', 'apart', 'twice', 'event'],
	],
	[
		['is', 'page', ['/shop']],
		['together', 'apart', 'twice', 'page'],
	],
	// Within an `and`, one event must meet all conditions.
	[
		['and', ['is', 'event', ['buy']], ['is', 'page', ['/shop']]],
		['together', 'twice'],
	],
	[
		['and', ['is', 'event', ['buy']], ['is', 'event', ['buy', 'ask']]],
		['together', 'apart', 'twice', 'event'],
	],
	[['and', ['is', 'event', ['buy']], ['is', 'event', ['ask']]], []],
	[['is', 'page', ['']], ['nowhere']],
	[
		['and', ['is', 'browser', ['together', 'apart']], ['is', 'event', ['buy']], ['is', 'page', ['/shop']]],
		['together'],
	],
	// A negation is about the visit.
	[
		['is_not', 'event', ['buy']],
		['page', 'neither', 'nowhere'],
	],
	[['and', ['is', 'page', ['/shop']], ['is_not', 'event', ['buy']]], ['page']],
	[
		['or', ['is', 'page', ['/shop']], ['is', 'event', ['ask']]],
		['together', 'apart', 'twice', 'page', 'nowhere'],
	],
];

/** Of each page, the visits with an event that meets the filter there, and how many of these events are page views. */
const pageCases: [filter: unknown, rows: Record<string, { visits: number; pageviews: number }>][] = [
	[['is', 'page', ['/shop']], { '/shop': { visits: 4, pageviews: 2 } }],
	// A custom event may have been sent without a page.
	[['is', 'page', ['']], { '': { visits: 1, pageviews: 0 } }],
	[
		['is', 'page', ['/shop', '/']],
		{ '/': { visits: 5, pageviews: 2 }, '/shop': { visits: 4, pageviews: 2 } },
	],
	[['and', ['is', 'event', ['buy']], ['is', 'page', ['/shop']]], { '/shop': { visits: 2, pageviews: 0 } }],
	[
		['and', ['is', 'browser', ['page', 'apart']], ['is', 'page', ['/shop']]],
		{ '/shop': { visits: 2, pageviews: 2 } },
	],
	[
		['and', ['is', 'page', ['/shop']], ['is_not', 'event', ['buy']]],
		{ '/shop': { visits: 1, pageviews: 1 } },
	],
	// Visits with an event on one page and a purchase on another: only a purchase on the page is an event that counts.
	[
		['and', ['is', 'page', ['/shop']], ['or', ['is', 'browser', ['page']], ['is', 'event', ['buy']]]],
		{ '/shop': { visits: 3, pageviews: 1 } },
	],
	[['and', ['is', 'page', ['/nowhere']], ['is', 'browser', ['page']]], {}],
];

test('[C-STAT-9] rows by page within a filter count the events that meet it', async () => {
	const id = await openVisits();
	for (const [filters, expected] of pageCases) {
		const answer = await owner.api('POST', `/websites/${id}/stats/query`, {
			json: {
				period: '7d',
				metrics: ['visits', 'pageviews'],
				filters,
				breakdowns: [{ dimension: 'page' }],
			},
		});
		assert.equal(answer.status, 200, answer.text);
		const { data } = answer.json as {
			data: { breakdowns: { rows: { value: string; visits: number; pageviews: number }[] }[] };
		};
		const rows = data.breakdowns[0]?.rows ?? [];
		const found = Object.fromEntries(rows.map(({ value, ...counts }) => [value, counts]));
		assert.deepEqual(found, expected, JSON.stringify(filters));
	}
});

async function openVisits(): Promise<number> {
	const { id } = websiteOf(
		await owner.api('POST', '/websites', { form: { domain: freshDomain('filter') } }),
		201,
	);
	await storeEvents(
		w,
		id,
		Object.entries(visits).flatMap(([browser, events], index) =>
			events.map((text, nth) => {
				const [path = '', name] = text.split(' ').reverse();
				const time = `${date} 09:0${nth}:00.000`;
				// The browser tells the visits apart.
				const common = { date, time, visitor_id: String(index + 1), browser, path };
				return name === undefined ? common : { ...common, kind: 'custom' as const, name };
			}),
		),
	);
	return id;
}

test('[C-STAT-9] a filter on events selects the visits that its definition names', async () => {
	const id = await openVisits();
	for (const [filters, expected] of cases) {
		const answer = await owner.api('POST', `/websites/${id}/stats/query`, {
			json: {
				period: '7d',
				metrics: ['visits'],
				filters,
				breakdowns: [{ dimension: 'browser' }],
			},
		});
		assert.equal(answer.status, 200, answer.text);
		const { data } = answer.json as {
			data: { totals: { visits: number }; breakdowns: { rows: { value: string }[] }[] };
		};
		const found = data.breakdowns[0]?.rows.map(({ value }) => value) ?? [];
		assert.deepEqual(found.toSorted(), expected.toSorted(), JSON.stringify(filters));
		assert.equal(data.totals.visits, expected.length, JSON.stringify(filters));
	}
});

const paid = (name: string, path: string, revenue: string) => ({
	kind: 'custom' as const,
	name,
	path,
	revenue,
	currency: 'EUR',
});

/** Two visits of one visitor, one of another, and one of a third, who buys twice. */
const purchases = [
	{ visitor_id: '1', time: '09:00', path: '/pricing' },
	{ visitor_id: '1', time: '09:01', ...paid('buy', '/checkout', '10') },
	{ visitor_id: '1', time: '11:00', ...paid('buy', '/checkout', '20') },
	{ visitor_id: '2', time: '09:00', path: '/pricing' },
	{ visitor_id: '3', time: '09:00', path: '/pricing' },
	{ visitor_id: '3', time: '09:01', ...paid('donate', '/thanks', '5') },
	{ visitor_id: '3', time: '09:02', ...paid('buy', '/checkout', '40') },
];

async function openPurchases(): Promise<number> {
	const { id } = websiteOf(
		await owner.api('POST', '/websites', { form: { domain: freshDomain('purchases') } }),
		201,
	);
	const events = purchases.map((event) => ({ ...event, date, time: `${date} ${event.time}:00.000` }));
	await storeEvents(w, id, events);
	return id;
}

test('[C-STAT-20] a filter by page shows what its visits paid, on whichever page', async () => {
	const id = await openPurchases();
	const pricing = ['is', 'page', ['/pricing']];
	for (const [filters, expected] of [
		[pricing, { EUR: 55 }],
		[['is_not', 'page', ['/pricing']], { EUR: 20 }],
		[['is', 'page', ['/checkout']], { EUR: 75 }],
		[['is', 'event', ['buy']], { EUR: 70 }],
		// One event must meet both: its visits, and of these what was bought.
		[['and', ['is', 'event', ['buy']], ['is', 'page', ['/checkout']]], { EUR: 70 }],
		[['and', pricing, ['is_not', 'event', ['donate']]], { EUR: 10 }],
		[['or', pricing, ['is', 'event', ['buy']]], { EUR: 75 }],
	] as const) {
		for (const interval of ['day', 'hour']) {
			const answer = await owner.api('POST', `/websites/${id}/stats/query`, {
				json: {
					...{ period: 'custom', from: date, to: date, interval, filters },
					metrics: ['revenue'],
					breakdowns: [{ dimension: 'device' }],
				},
			});
			assert.equal(answer.status, 200, answer.text);
			const { data } = answer.json as {
				data: {
					totals: { revenue: object };
					series: { revenue: { EUR?: number } }[];
					breakdowns: { rows: { revenue: object }[] }[];
				};
			};
			assert.deepEqual(data.totals.revenue, expected, JSON.stringify(filters));
			assert.deepEqual(data.breakdowns[0]?.rows[0]?.revenue, expected, JSON.stringify(filters));
			const sum = data.series.reduce((all, { revenue }) => all + (revenue.EUR ?? 0), 0);
			assert.equal(sum, expected.EUR, JSON.stringify(filters));
		}
	}
});

test('[C-STAT-10] conversions are visits, and unique conversions their visitors', async () => {
	const id = await openPurchases();
	const goal = await owner.api('POST', `/websites/${id}/goals`, {
		json: { name: 'Purchases', kind: 'event', pattern: 'buy' },
	});
	const goalId = (goal.json as { data: { id: number } }).data.id;
	const metrics = 'conversions,unique_conversions,conversion_rate';
	const expected = { conversions: 3, unique_conversions: 2, conversion_rate: 3 / 4 };
	const about = `period=custom&from=${date}&to=${date}&metrics=${metrics}`;
	const get = (path: string) => owner.api('GET', `/websites/${id}/stats${path}`);
	const totals = await get(`?${about}&goal=${goalId}`);
	assert.deepEqual((totals.json as { data: { totals: object } }).data.totals, expected);
	const rows = await get(`/goal?${about}`);
	assert.deepEqual((rows.json as { data: object[] }).data, [
		{ value: String(goalId), name: 'Purchases', ...expected },
	]);
	// The visits that saw the page, and of these the ones that converted, wherever they did.
	const filters = encodeURIComponent('["is","page","/pricing"]');
	const filtered = await get(`?${about}&goal=${goalId}&filters=${filters}`);
	assert.deepEqual((filtered.json as { data: { totals: object } }).data.totals, {
		...expected,
		conversions: 2,
		conversion_rate: 2 / 3,
	});
});
