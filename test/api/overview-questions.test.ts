import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { z } from 'zod';
import { metricNames } from '../../api/stats.ts';
import { client } from '../support/client.ts';
import { assertStatus, websiteOf } from '../support/contract.ts';
import { storeEvents } from '../support/stored-events.ts';
import { world } from '../support/world.ts';

const now = new Date('2026-11-15T09:30:00.000Z');
const w = await world({ after }, { now: () => now });
const account = await w.account({ timezone: 'UTC' });

const value = z.union([z.number(), z.record(z.string(), z.number())]).nullable();
const row = z.looseObject({
	id: z.int(),
	change: z.number().nullable(),
	compared: z.looseObject({ from: z.string(), to: z.string() }).catchall(value.or(z.string())).nullable(),
	changes: z.record(z.string(), value).nullable(),
	sparkline: z.array(z.int()),
});
const answer = z.object({
	data: z.array(row),
	meta: z.object({
		total: z.int(),
		last_page: z.int(),
		totals: z.looseObject({
			compared: z.record(z.string(), value).nullable(),
			changes: z.record(z.string(), value).nullable(),
		}),
		goal: z.object({ name: z.string(), websites: z.int() }).optional(),
	}),
});
const alone = z.object({
	data: z.object({
		totals: z.record(z.string(), value),
		compared: z.object({ from: z.string(), to: z.string(), totals: z.record(z.string(), value) }).nullable(),
	}),
});

async function ask(query: string, api = account.api) {
	const response = await api('GET', `/stats?${query}`);
	assertStatus(response, 200);
	return answer.parse(response.json);
}

const create = async (domain: string, timezone: string) =>
	websiteOf(await account.api('POST', '/websites', { form: { domain, timezone } }), 201).id;

const event = (date: string, visitor: string, more: object = {}) => ({
	date,
	time: `${date} 08:00:00.000`,
	visitor_id: visitor,
	...more,
});
const buys = { kind: 'custom', name: 'buy', time: '', revenue: '10.5', currency: 'EUR' } as const;

/** Two with a goal of this name, each its own, and one without. */
const berlin = await create('berlin.example', 'Europe/Berlin');
const nepal = await create('nepal.example', 'Asia/Kathmandu');
const plain = await create('plain.example', 'UTC');
const goals = new Map<number, number>();
for (const [id, form] of [
	[berlin, { name: 'Sale', kind: 'event', pattern: 'buy' }],
	[nepal, { name: 'Sale', kind: 'page', pattern: '/thanks*' }],
	[plain, { name: 'sale', kind: 'event', pattern: 'buy' }],
] as const) {
	const made = await account.api('POST', `/websites/${id}/goals`, { json: form });
	assertStatus(made, 201);
	if (form.name === 'Sale')
		goals.set(id, z.object({ data: z.object({ id: z.int() }) }).parse(made.json).data.id);
}
await storeEvents(w, berlin, [
	event('2026-11-14', '1', { country: 'DE' }),
	event('2026-11-14', '1', { ...buys, time: '2026-11-14 08:05:00.000', country: 'DE' }),
	event('2026-11-14', '2', { country: 'FR', path: '/a' }),
	event('2026-11-13', '3', { country: 'DE', path: '/a' }),
	event('2026-11-04', '4', { country: 'DE' }),
	event('2026-11-04', '4', { ...buys, time: '2026-11-04 08:05:00.000', country: 'DE' }),
	event('2025-11-12', '5', { country: 'DE' }),
]);
await storeEvents(w, nepal, [
	event('2026-11-12', '1', { country: 'NP' }),
	event('2026-11-12', '1', { path: '/thanks/you', time: '2026-11-12 08:01:00.000', country: 'NP' }),
	event('2026-11-12', '2', { country: 'DE' }),
	event('2026-11-05', '3', { country: 'DE', path: '/thanks' }),
]);
await storeEvents(w, plain, [
	event('2026-11-10', '1', { country: 'DE' }),
	event('2026-11-10', '1', { ...buys, time: '2026-11-10 08:05:00.000', country: 'DE' }),
]);

const filters = encodeURIComponent(JSON.stringify(['is', 'country', ['DE']]));
const ofPages = encodeURIComponent(JSON.stringify(['or', ['is', 'page', ['/a', '/']], ['is', 'hour', [13]]]));
const custom =
	'period=custom&from=2026-11-10&to=2026-11-15&compare=custom&compare_from=2026-11-04&compare_to=2026-11-12';

for (const query of [
	'period=7d',
	'period=24h',
	'period=30d&compare=year',
	'period=7d&compare=year&match_weekdays=1',
	'period=7d&compare=previous&match_weekdays=1',
	'period=today&compare=none',
	'period=all',
	custom,
	`period=7d&filters=${filters}`,
	`period=7d&filters=${ofPages}`,
	`period=7d&filters=${filters}&filters=${ofPages}`,
	`${custom}&filters=${filters}`,
])
	for (const withGoal of [false, true])
		test(`[C-OVER-10] ${decodeURIComponent(query)} ${withGoal ? 'with' : 'without'} a goal: each row has the numbers of the website alone`, async () => {
			const names = metricNames.filter((name) => withGoal || !/conversion/.test(name));
			const overview = await ask(
				`${query}&metrics=${names}&sort_by=id&sort=asc${withGoal ? '&goal=Sale' : ''}`,
			);
			assert.deepEqual(
				overview.data.map(({ id }) => id),
				[berlin, nepal, plain],
			);
			assert.deepEqual(overview.meta.goal, withGoal ? { name: 'Sale', websites: 2 } : undefined);
			const compare = query.includes('compare=') ? query : `${query}&compare=previous`;
			for (const found of overview.data) {
				const goal = withGoal ? goals.get(found.id) : undefined;
				const own = names.filter((name) => goal !== undefined || !/conversion/.test(name));
				const response = await account.api(
					'GET',
					`/websites/${found.id}/stats?${compare}&metrics=${own}${goal === undefined ? '' : `&goal=${goal}`}`,
				);
				assertStatus(response, 200);
				const { totals, compared } = alone.parse(response.json).data;
				const unknown = Object.fromEntries(
					names.filter((name) => !own.includes(name)).map((name) => [name, null]),
				);
				assert.deepEqual(
					[Object.fromEntries(names.map((name) => [name, found[name]])), found.compared],
					[
						{ ...totals, ...unknown },
						compared && { from: compared.from, to: compared.to, ...compared.totals, ...unknown },
					],
					`${query} website ${found.id}`,
				);
			}
		});

test('[C-OVER-11] a goal is named, counted by each website as its own, and null without one', async () => {
	const { data, meta } = await ask(
		'period=7d&goal=Sale&metrics=visits,conversions,unique_conversions,conversion_rate&sort_by=conversion_rate',
	);
	assert.deepEqual(
		data.map(({ id, visits, conversions, conversion_rate }) => [id, visits, conversions, conversion_rate]),
		[
			[nepal, 2, 1, 1 / 2],
			[berlin, 3, 1, 1 / 3],
			[plain, 1, null, null],
		],
	);
	const { totals } = meta;
	// The rate of all covers the websites that have the goal.
	assert.deepEqual([totals.visits, totals.conversions, totals.conversion_rate], [6, 2, 2 / 5]);
	const nowhere = await ask('period=7d&goal=Nothing&metrics=conversions');
	assert.deepEqual(nowhere.meta.goal, { name: 'Nothing', websites: 0 });
	assert.deepEqual([nowhere.data[0]?.conversions, nowhere.meta.totals.conversions], [null, null]);
});

test('[C-OVER-12] changes are each value minus the compared one, also of all websites', async () => {
	const { data, meta } = await ask('period=7d&metrics=visitors,revenue&sort_by=id&sort=asc');
	assert.deepEqual(data[0]?.changes, { visitors: 2, revenue: { EUR: 0 } });
	assert.deepEqual(data[2]?.changes, { visitors: 1, revenue: { EUR: 10.5 } });
	assert.deepEqual(meta.totals.compared, { visitors: 2, revenue: { EUR: 10.5 } });
	assert.deepEqual(meta.totals.changes, { visitors: 4, revenue: { EUR: 10.5 } });
	const none = await ask('period=7d&compare=none');
	assert.deepEqual(
		[none.data[0]?.compared, none.data[0]?.changes, none.data[0]?.change, none.meta.totals.compared],
		[null, null, null, null],
	);
});

test('[C-OVER-13] sorted by any metric or its change; only requested metrics are returned', async () => {
	const order = async (query: string) => (await ask(query)).data.map(({ id }) => id);
	assert.deepEqual(await order('period=7d&sort_by=pageviews&metrics=visitors'), [berlin, nepal, plain]);
	assert.deepEqual(await order('period=7d&sort_by=events&sort=asc'), [nepal, berlin, plain]);
	assert.deepEqual(await order('period=30d&compare=year&sort_by=revenue'), [berlin, plain, nepal]);
	assert.deepEqual(await order('period=7d&sort_by=visitors_change'), [berlin, nepal, plain]);
	assert.deepEqual(await order(`period=7d&sort_by=visitors_change&filters=${filters}`), [
		berlin,
		plain,
		nepal,
	]);
	const { data } = await ask('period=7d&sort_by=pageviews&metrics=events');
	assert.deepEqual(
		[data[0]?.events, data[0] && 'visitors' in data[0], data[0] && 'pageviews' in data[0]],
		[1, false, false],
	);
});

test('[C-OVER-14] up to 1,000 websites in one answer', async () => {
	const ids = [berlin, plain, ...Array.from({ length: 998 }, (_, n) => 5_000_000 + n)];
	const { data, meta } = await ask(`period=7d&per_page=1000&websites=${ids}`);
	assert.deepEqual([data.length, meta.total, meta.last_page], [2, 2, 1]);
});

test('[C-OVER-15] as CSV: all matching websites with the comparison and the change', async () => {
	const response = await account.api('GET', '/stats?period=7d&per_page=10&page=3&metrics=visitors,revenue', {
		headers: { accept: 'text/csv' },
	});
	assert.equal(response.status, 200);
	assert.equal(response.headers['x-total-count'], '3');
	assert.match(String(response.headers['content-disposition']), /filename="websites\.csv"/);
	assert.equal(
		response.text,
		[
			'id,domain,from,to,visitors,revenue_EUR,compared_visitors,compared_revenue_EUR,change_visitors,change_revenue_EUR',
			`${berlin},berlin.example,2026-11-09,2026-11-15,3,10.5,1,10.5,2,0`,
			`${nepal},nepal.example,2026-11-09,2026-11-15,2,0,1,0,1,0`,
			`${plain},plain.example,2026-11-09,2026-11-15,1,10.5,0,0,1,10.5`,
			'',
		].join('\r\n'),
	);
});

test('[C-OVER-8] filters, goals and CSV of a limited key are those of its websites', async () => {
	const { key } = await w.key(account, { access: 'read', websites: [plain] });
	const { api } = { api: client(w.base, key) };
	const { data, meta } = await ask(
		`period=7d&goal=Sale&metrics=visitors,conversions&filters=${filters}`,
		api,
	);
	assert.deepEqual(
		data.map(({ id }) => id),
		[plain],
	);
	assert.deepEqual([meta.goal, meta.totals.visitors], [{ name: 'Sale', websites: 0 }, 1]);
	const csv = await api('GET', '/stats?period=7d', { headers: { accept: 'text/csv' } });
	assert.equal(csv.text.split('\r\n').length, 3);
});
