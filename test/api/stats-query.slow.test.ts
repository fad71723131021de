import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { dimensions } from '../../server/stats/question/dimensions.ts';
import type { Call } from '../support/client.ts';
import { assertProblem } from '../support/contract.ts';
import { bodyOf, dataOf, fiveMetrics, openShop, problemOf, totalsOf } from '../support/shop.ts';

const { owner, shop, signup, reads, page } = await openShop({ after });

test('[C-PAGE-1] the whole answer of a page', async () => {
	const json = {
		period: 'custom',
		from: '2026-11-02',
		to: '2026-11-02',
		interval: 'day',
		compare: 'previous',
		metrics: ['visitors', 'revenue'],
		filters: ['is', 'country', ['AU']],
		goal: signup,
		breakdowns: [
			{ dimension: 'page', limit: 1 },
			{ dimension: 'source', metrics: 'visits,conversions', sort: 'asc', sort_by: 'visits' },
			{ dimension: 'property:plan', search: 'PR' },
			{ dimension: 'goal', metrics: ['conversions'] },
		],
	};
	const { data, meta } = bodyOf(await page(json));
	assert.deepEqual(data, {
		totals: { visitors: 2, revenue: { EUR: 49.9 } },
		series: [{ time: '2026-11-02', visitors: 2, revenue: { EUR: 49.9 } }],
		compared: {
			from: '2026-11-01',
			to: '2026-11-01',
			totals: { visitors: 1, revenue: {} },
			series: [{ time: '2026-11-01', visitors: 1, revenue: {} }],
		},
		breakdowns: [
			{ dimension: 'page', rows: [{ value: '/a', visitors: 2, revenue: {} }], total: 2 },
			{
				dimension: 'source',
				rows: [
					{ value: '', visits: 1, conversions: 0 },
					{ value: 'Google', visits: 1, conversions: 1 },
				],
				total: 2,
			},
			{ dimension: 'property:plan', rows: [{ value: 'pro', visitors: 1, revenue: {} }], total: 1 },
			{
				dimension: 'goal',
				rows: [
					{ value: String(reads), name: 'Reads A', conversions: 2 },
					{ value: String(signup), name: 'Signed up', conversions: 1 },
				],
				total: 2,
			},
		],
	});
	assert.deepEqual([meta.from, meta.to, meta.interval], ['2026-11-02', '2026-11-02', 'day']);
});

test('[C-PAGE-3] texts, lists, null and empty texts', async () => {
	const [{ data: asText }, { data: asJson }] = [
		bodyOf(
			await page({
				period: '7d',
				metrics: 'visitors',
				filters: '["is","page",["/a"]]',
				goal: '',
				segment: null,
			}),
		),
		bodyOf(await page({ period: '7d', metrics: ['visitors'], filters: ['is', 'page', ['/a']] })),
	];
	assert.deepEqual(asText, asJson);
});

for (const [json, ...fields] of [
	[{ breakdown: [] }, 'breakdown'],
	[{ breakdowns: {} }, 'breakdowns'],
	[{ breakdowns: Array.from({ length: 21 }, () => ({ dimension: 'page' })) }, 'breakdowns'],
	[{ breakdowns: [null] }, 'breakdowns.0'],
	[{ breakdowns: [{}] }, 'breakdowns.0.dimension'],
	[
		{ breakdowns: [{ dimension: 'colour' }, { dimension: 7 }] },
		'breakdowns.0.dimension',
		'breakdowns.1.dimension',
	],
	[
		{ breakdowns: [{ dimension: 'page' }, { dimension: 'page', limit: 0, sort_by: 'x', page: 2 }] },
		'breakdowns.1.limit',
		'breakdowns.1.sort_by',
		'breakdowns.1.page',
	],
	[{ breakdowns: [{ dimension: 'page', limit: 1_001 }] }, 'breakdowns.0.limit'],
	[{ breakdowns: [{ dimension: 'page', metrics: ['conversions'] }] }, 'breakdowns.0.metrics'],
	[{ breakdowns: [{ dimension: 'page', search: '\ud800' }] }, 'breakdowns.0.search'],
	[{ metrics: [] }, 'metrics'],
	[{ metrics: { visitors: 1 } }, 'metrics'],
	[{ metrics: [['visitors']] }, 'metrics'],
	[{ filters: { country: 'DE' } }, 'filters'],
	[{ filters: 7 }, 'filters'],
	[{ period: ['7d'] }, 'period'],
	[{ match_weekdays: 2 }, 'match_weekdays'],
	[{ period: 'x', interval: 'y', constructor: 1 }, 'period', 'interval', 'constructor'],
] as const)
	test(`[C-PAGE-2][C-PAGE-4] ${JSON.stringify(json).slice(0, 80)} is 422`, async () => {
		problemOf(await page(json), ...fields);
	});

test('[C-PAGE-2] twenty breakdowns are taken', async () => {
	const breakdowns = Object.keys(dimensions)
		.slice(0, 20)
		.map((dimension) => ({ dimension }));
	const { breakdowns: found } = dataOf(await page({ period: '7d', breakdowns })) as { breakdowns: object[] };
	assert.equal(found.length, 20);
});

test('[C-PAGE-5] JSON or nothing', async () => {
	const send = (call: Call) => owner.api('POST', `/websites/${shop.id}/stats/query`, call);
	assertProblem(await send({ form: { period: '7d' } }), 'unsupported_media_type');
	const json = { 'content-type': 'application/json' };
	for (const body of ['{', '[]', 'null', '1'])
		assertProblem(await send({ body, headers: json }), 'bad_request');
	assert.deepEqual(Object.keys(totalsOf(await send({})) as object), fiveMetrics.split(','));
	const allowed = await owner.api('DELETE', `/websites/${shop.id}/stats/query`);
	assertProblem(allowed, 'method_not_allowed');
	assert.equal(allowed.headers.allow, 'GET, POST, HEAD, OPTIONS');
});
