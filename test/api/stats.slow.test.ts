import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { client } from '../support/client.ts';
import { assertProblem, face } from '../support/contract.ts';
import { bodyOf, dataOf, days, fiveMetrics, noon, openShop, problemOf, totalsOf } from '../support/shop.ts';

let now = noon;
const { w, owner, shop, signup, reads, website, goal, get, page } = await openShop({ after }, () => now);
const zero = { visitors: 0, visits: 0, pageviews: 0, bounce_rate: null, visit_duration: null };

test('[C-STAT-1][C-STAT-16] the whole answer of a week by day', async () => {
	const { data, meta } = bodyOf(await get(`?${days}&interval=day&metrics=${fiveMetrics}`));
	assert.deepEqual(data, {
		totals: { visitors: 3, visits: 3, pageviews: 4, bounce_rate: 1 / 3, visit_duration: 140 },
		series: [
			{ time: '2026-11-01', visitors: 1, visits: 1, pageviews: 2, bounce_rate: 0, visit_duration: 300 },
			{ time: '2026-11-02', visitors: 2, visits: 2, pageviews: 2, bounce_rate: 0.5, visit_duration: 60 },
			...['03', '04', '05', '06', '07'].map((day) => ({ time: `2026-11-${day}`, ...zero })),
		],
		compared: null,
	});
	const { rows_read, ms, answered_from, ...rest } = meta;
	assert.deepEqual(rest, {
		from: '2026-11-01',
		to: '2026-11-07',
		interval: 'day',
		timezone: 'UTC',
		as_of: '2026-11-08T12:00:00.000Z',
		available_from: null,
		imported: null,
	});
	assert.match(String(answered_from), /^(totals|visits|events)(\+(totals|visits|events))*$/);
	assert.ok(Number.isInteger(rows_read) && Number(rows_read) > 0);
	assert.ok(Number.isInteger(ms) && Number(ms) >= 0);
});

test('[C-STAT-2] without parameters: 30 days up to today, five metrics, no comparison', async () => {
	const { data, meta } = bodyOf(await get(''));
	const { series, compared, totals } = data as { series: object[]; compared: null; totals: object };
	assert.deepEqual(Object.keys(totals), fiveMetrics.split(','));
	assert.equal(series.length, 30);
	assert.deepEqual(series.at(-1), { time: '2026-11-08', ...zero, unfinished: true });
	assert.equal(compared, null);
	assert.deepEqual(
		[meta.from, meta.to, meta.interval, totals],
		['2026-10-10', '2026-11-08', 'day', { ...totals, visitors: 3 }],
	);
});

for (const [period, from, to, interval] of [
	['today', '2026-11-08', '2026-11-08', 'hour'],
	['yesterday', '2026-11-07', '2026-11-07', 'hour'],
	['24h', '2026-11-07', '2026-11-08', 'hour'],
	['7d', '2026-11-02', '2026-11-08', 'day'],
	['28d', '2026-10-12', '2026-11-08', 'day'],
	['30d', '2026-10-10', '2026-11-08', 'day'],
	['90d', '2026-08-11', '2026-11-08', 'day'],
	// Today is a Sunday.
	['last_week', '2026-10-26', '2026-11-01', 'day'],
	['last_week&week_start=monday', '2026-10-26', '2026-11-01', 'day'],
	['last_week&week_start=sunday', '2026-11-01', '2026-11-07', 'day'],
	['month', '2026-11-01', '2026-11-08', 'day'],
	['last_month', '2026-10-01', '2026-10-31', 'day'],
	['quarter', '2026-10-01', '2026-11-08', 'day'],
	['year', '2026-01-01', '2026-11-08', 'month'],
	['6months', '2026-06-01', '2026-11-08', 'week'],
	['12months', '2025-12-01', '2026-11-08', 'month'],
	['all', '2026-11-01', '2026-11-08', 'day'],
] as const)
	test(`[C-STAT-3] ${period} is ${from} to ${to}`, async () => {
		const { meta } = bodyOf(await get(`?period=${period}`));
		assert.deepEqual([meta.from, meta.to, meta.interval], [from, to, interval]);
	});

for (const [query, ...fields] of [
	['period=custom', 'from', 'to'],
	['period=custom&from=2026-11-01', 'to'],
	['period=custom&from=2026-02-30&to=2026-03-01', 'from'],
	['period=custom&from=2026-11-02&to=2026-11-01', 'to'],
	['period=7d&from=2026-11-01', 'from'],
	['period=week', 'period'],
	['period[]=7d', 'period'],
	['interval=second', 'interval'],
	['week_start=tuesday', 'week_start'],
	['period=30d&interval=minute', 'interval'],
	['compare=last', 'compare'],
	['compare=custom', 'compare_from', 'compare_to'],
	['compare=previous&compare_from=2026-11-01', 'compare_from'],
	['match_weekdays=1', 'match_weekdays'],
	['compare=previous&match_weekdays=yes', 'match_weekdays'],
] as const)
	test(`[C-STAT-3][C-STAT-4][C-STAT-8] ${query} is 422`, async () => {
		problemOf(await get(`?${query}`), ...fields);
	});

test('[C-STAT-4][C-STAT-5] hours bear the offset of the clock, and only the one that now lies in is unfinished', async () => {
	const { id } = await website([{ at: '08T09:30' }, { at: '08T11:59' }], { timezone: 'Asia/Kathmandu' });
	const answer = await owner.api('GET', `/websites/${id}/stats?period=today&metrics=pageviews`);
	const { series } = dataOf(answer) as { series: { time: string; pageviews: number }[] };
	// Noon in UTC is 17:45 there.
	assert.equal(series.length, 18);
	assert.deepEqual(
		series.filter(({ pageviews }) => pageviews > 0),
		[
			{ time: '2026-11-08T15:00:00+05:45', pageviews: 1 },
			{ time: '2026-11-08T17:00:00+05:45', pageviews: 1, unfinished: true },
		],
	);
	assert.equal(series.filter((point) => 'unfinished' in point).length, 1);
});

test('[C-STAT-4] minutes of a day', async () => {
	const answer = await get(
		'?period=custom&from=2026-11-02&to=2026-11-02&interval=minute&metrics=visitors,events',
	);
	const { series } = dataOf(answer) as { series: Record<string, unknown>[] };
	assert.equal(series.length, 1_440);
	assert.deepEqual(
		series.filter(({ visitors }) => visitors !== 0),
		[
			{ time: '2026-11-02T10:00:00+00:00', visitors: 2, events: 0 },
			{ time: '2026-11-02T10:01:00+00:00', visitors: 1, events: 1 },
			{ time: '2026-11-02T10:02:00+00:00', visitors: 1, events: 1 },
		],
	);
});

test('[C-STAT-6] metrics come in the order that was asked for, once each', async () => {
	const asked = [`?${days}&metrics=events,visitors,events`, `?${days}&metrics[]=events&metrics[]=visitors`];
	for (const query of asked)
		assert.equal(JSON.stringify(totalsOf(await get(query))), '{"events":2,"visitors":3}', query);
});

for (const query of ['metrics=visitors,users', 'metrics=,', 'metrics[x]=visitors', 'metrics=Visitors'])
	test(`[C-STAT-6] ${query} is 422 and names the metrics`, async () => {
		const { errors } = problemOf(await get(`?${query}`), 'metrics');
		if (query !== 'metrics[x]=visitors')
			assert.match(errors?.metrics?.[0] ?? '', /visitors, visits, pageviews/);
	});

test('[C-STAT-7] every metric without a goal, in its own unit', async () => {
	assert.deepEqual(
		totalsOf(
			await get(`?${days}&metrics=views_per_visit,engaged_time,scroll_depth,events,revenue,bounce_rate`),
		),
		{
			views_per_visit: 4 / 3,
			engaged_time: null,
			scroll_depth: null,
			events: 2,
			revenue: { EUR: 49.9 },
			bounce_rate: 1 / 3,
		},
	);
	assert.deepEqual(totalsOf(await get('?period=last_month&metrics=visitors,revenue,bounce_rate')), {
		visitors: 0,
		revenue: {},
		bounce_rate: null,
	});
});

test('[C-STAT-8] compared with the time before, a year before, and dates of one’s own', async () => {
	const compared = async (query: string) => {
		const { compared } = dataOf(await get(`?metrics=visitors&${query}`)) as { compared: unknown };
		return compared;
	};
	const point = (day: number, visitors: number) => ({ time: `2026-11-0${day}`, visitors });
	assert.deepEqual(await compared('period=custom&from=2026-11-03&to=2026-11-04&compare=previous'), {
		from: '2026-11-01',
		to: '2026-11-02',
		totals: { visitors: 3 },
		series: [point(1, 1), point(2, 2)],
	});
	assert.deepEqual(
		await compared(
			'period=custom&from=2026-11-03&to=2026-11-03&interval=day&compare=custom&compare_from=2026-11-02&compare_to=2026-11-02',
		),
		{ from: '2026-11-02', to: '2026-11-02', totals: { visitors: 2 }, series: [point(2, 2)] },
	);
	const year = (await compared('period=7d&compare=year')) as { from: string; to: string };
	assert.deepEqual([year.from, year.to], ['2025-11-02', '2025-11-08']);
	const weekdays = (await compared('period=7d&compare=year&match_weekdays=true')) as {
		from: string;
		to: string;
	};
	assert.deepEqual([weekdays.from, weekdays.to], ['2025-11-03', '2025-11-09']);
	// Today is compared with yesterday up to the same time of day.
	const { id } = await website([{ at: '07T11:59' }, { at: '07T12:01', who: 8 }, { at: '08T11:00' }]);
	const today = await owner.api(
		'GET',
		`/websites/${id}/stats?period=today&compare=previous&metrics=visitors`,
	);
	const { totals, compared: yesterday } = dataOf(today) as { totals: unknown; compared: { totals: unknown } };
	assert.deepEqual([totals, yesterday.totals], [{ visitors: 1 }, { visitors: 1 }]);
});

const filtered = async (filters: unknown, metrics = 'visitors,visits,pageviews,events') =>
	totalsOf(await get(`?${days}&metrics=${metrics}&filters=${encodeURIComponent(JSON.stringify(filters))}`));

test('[C-STAT-9] a filter selects visits, and of them the events that meet it', async () => {
	assert.deepEqual(await filtered(['is', 'source', ['Google']]), {
		visitors: 1,
		visits: 1,
		pageviews: 1,
		events: 2,
	});
	assert.deepEqual(await filtered(['is', 'page', ['/b']]), {
		visitors: 1,
		visits: 1,
		pageviews: 1,
		events: 0,
	});
	assert.deepEqual(await filtered(['is_not', 'page', '/b']), {
		visitors: 2,
		visits: 2,
		pageviews: 2,
		events: 2,
	});
	assert.deepEqual(await filtered(['and', ['is', 'property:plan', 'pro'], ['is', 'event', 'signup']]), {
		visitors: 1,
		visits: 1,
		pageviews: 0,
		events: 1,
	});
	// Every text contains the empty one and starts with it, the empty text too.
	for (const word of ['contains', 'starts_with'])
		assert.deepEqual(await filtered([word, 'utm_campaign', ['never', '']], 'visits'), { visits: 3 });
	assert.deepEqual(await filtered(['or', ['contains', 'page', 'hank'], ['starts_with', 'page', '/b']]), {
		visitors: 2,
		visits: 2,
		pageviews: 1,
		events: 1,
	});
});

for (const { rule, filters, visits } of [
	{ rule: 'C-STAT-22', filters: ['ends_with', 'page', ['anks', 'never']], visits: 1 },
	{ rule: 'C-STAT-22', filters: ['not_ends_with', 'page', ['anks']], visits: 2 },
	{ rule: 'C-STAT-22', filters: ['is', 'source', 'gOOgle'], visits: 0 },
	{ rule: 'C-STAT-22', filters: ['is', 'source', 'gOOgle', { case_sensitive: false }], visits: 1 },
	{ rule: 'C-STAT-22', filters: ['is_not', 'source', 'gOOgle', { case_sensitive: false }], visits: 2 },
	{ rule: 'C-STAT-22', filters: ['wildcard', 'page', '/t*k*'], visits: 1 },
	{ rule: 'C-STAT-22', filters: ['wildcard', 'page', '/t*k'], visits: 0 },
	{ rule: 'C-STAT-22', filters: ['wildcard', 'page', '/T*KS', { case_sensitive: false }], visits: 1 },
	{ rule: 'C-STAT-23', filters: ['is_set', 'property:plan'], visits: 1 },
	{ rule: 'C-STAT-23', filters: ['is_not_set', 'property:plan'], visits: 2 },
	{ rule: 'C-STAT-23', filters: ['is_set', 'source'], visits: 1 },
	{ rule: 'C-STAT-23', filters: ['is_set', 'goal'], visits: 3 },
	{ rule: 'C-STAT-23', filters: ['is_set', 'utm_campaign'], visits: 0 },
	{ rule: 'C-STAT-24', filters: ['at_least', 'revenue', 49.9], visits: 1 },
	{ rule: 'C-STAT-24', filters: ['greater_than', 'revenue', '49.90'], visits: 0 },
	{ rule: 'C-STAT-24', filters: ['at_most', 'revenue:USD', 100], visits: 0 },
	{ rule: 'C-STAT-24', filters: ['between', 'revenue:EUR', [40, 50]], visits: 1 },
	{ rule: 'C-STAT-24', filters: ['less_than', 'property:plan', 10], visits: 0 },
	{ rule: 'C-STAT-25', filters: ['matches', 'page', ['^/(b|thank)$']], visits: 1 },
	{ rule: 'C-STAT-25', filters: ['matches', 'page', ['^/(b|thanks?s)$']], visits: 2 },
	{ rule: 'C-STAT-25', filters: ['not_matches', 'page', 'THANKS', { case_sensitive: false }], visits: 2 },
])
	test(`[${rule}] ${JSON.stringify(filters)} selects ${visits} visits`, async () => {
		assert.deepEqual(await filtered(filters, 'visits'), { visits });
	});

test('[C-STAT-24] under a test of revenue, only the events that pass it count', async () => {
	assert.deepEqual(await filtered(['at_least', 'revenue:EUR', 10], 'visits,pageviews,events,revenue'), {
		visits: 1,
		pageviews: 0,
		events: 1,
		revenue: { EUR: 49.9 },
	});
});

for (const filters of [
	'x',
	'{',
	'"is"',
	'[]',
	'{"is":1}',
	'["is","colour",["red"]]',
	'["is","country"]',
	'["is","country",[1]]',
	'["matches","page",["(?=a)"]]',
	'["matches","page",["a{1000}"]]',
	'["like","page",["a"]]',
	'["is_set","page",["a"]]',
	'["less_than","page",1]',
	'["is","page",["a"],{"case":false}]',
	'["is","goal",[99]]',
	'["is","page",["\\u0000"]]',
	JSON.stringify(['is', 'page', Array.from({ length: 101 }, (_, n) => `/${n}`)]),
	`${'["not",'.repeat(9)}["is","page",["/"]]${']'.repeat(9)}`,
])
	test(`[C-STAT-9] filters=${filters.slice(0, 60)} is 422`, async () => {
		problemOf(await get(`?filters=${encodeURIComponent(filters)}`), 'filters');
	});

test('[C-GOAL-5] a goal tests the value of its property, in conversions, rows and filters', async () => {
	const shopWithPrices = await website([
		{ at: '02T10:00', path: '/a', name: 'order', properties: { price: '9.99' } },
		{ at: '02T10:00', path: '/a', who: 8, name: 'order', properties: { price: '10', plan: 'pro_1' } },
		{ at: '02T10:00', path: '/a', who: 9, name: 'order', properties: { price: 'ten', plan: 'prox1' } },
	]);
	const conditions: [test: string, name: string, value: string, visits: number][] = [
		['at_least', 'price', '10', 1],
		['less_than', 'price', '10.0', 1],
		['at_most', 'price', '10', 2],
		['greater_than', 'price', '10', 0],
		['contains', 'price', 'e', 1],
		['starts_with', 'plan', 'pro', 2],
		['ends_with', 'plan', '_1', 1],
		['wildcard', 'plan', 'p*_1', 1],
		['is', 'plan', 'pro_1', 1],
	];
	const { id } = shopWithPrices;
	const ids: number[] = [];
	for (const [test, name, value] of conditions) {
		const json = { name: test, kind: 'event', pattern: 'order', property: { name, value, test } };
		const made = await owner.api('POST', `/websites/${id}/goals`, { json });
		assert.equal(made.status, 201, made.text);
		ids.push((made.json as { data: { id: number } }).data.id);
	}
	const rows = await owner.api('GET', `/websites/${id}/stats/goal?${days}&metrics=conversions`);
	const found = new Map(
		(dataOf(rows) as { value: string; conversions: number }[]).map((row) => [row.value, row.conversions]),
	);
	for (const [index, [test, , , visits]] of conditions.entries()) {
		const goalId = ids[index];
		assert.equal(found.get(String(goalId)) ?? 0, visits, test);
		for (const query of [
			`metrics=conversions&goal=${goalId}`,
			`metrics=visits&filters=["is","goal",[${goalId}]]`,
		]) {
			const totals = totalsOf(await owner.api('GET', `/websites/${id}/stats?${days}&${encodeURI(query)}`));
			assert.deepEqual(Object.values(totals as object), [visits], `${test} ${query}`);
		}
	}
});

test('[C-STAT-10] conversions are about the goal that is asked about', async () => {
	const asked = (id: number) => `?${days}&metrics=visits,conversions,conversion_rate&goal=${id}`;
	assert.deepEqual(totalsOf(await get(asked(signup))), { visits: 3, conversions: 1, conversion_rate: 1 / 3 });
	assert.deepEqual(totalsOf(await get(asked(reads))), { visits: 3, conversions: 3, conversion_rate: 1 });
	const other = await goal((await website([])).id, 'Elsewhere', 'event', '*');
	for (const id of [99_999, other]) problemOf(await get(`?goal=${id}`), 'goal');
	for (const bad of ['x', '0', '-1', '1.5']) problemOf(await get(`?goal=${bad}`), 'goal');
	problemOf(await get(`?metrics=visitors,conversions`), 'metrics');
	problemOf(await get(`/page?metrics=visitors&sort_by=conversion_rate`), 'sort_by');
});

test('[C-STAT-11] a saved segment holds beside the filter', async () => {
	const save = async (websiteId: number, name: string, filters: unknown) => {
		const [row] = await w.sql<{ id: string }>(
			`INSERT INTO segments (website_id, name, filters, created_at, updated_at)
			VALUES ($1, $2, $3, now(), now()) RETURNING id`,
			[websiteId, name, JSON.stringify(filters)],
		);
		return Number(row?.id);
	};
	const segment = await save(shop.id, 'Searching', ['is', 'source', ['Google']]);
	const metrics = `${days}&metrics=visitors`;
	assert.deepEqual(totalsOf(await get(`?${metrics}&segment=${segment}`)), { visitors: 1 });
	const filter = (path: string) => encodeURIComponent(JSON.stringify(['is', 'page', [path]]));
	assert.deepEqual(totalsOf(await get(`?${metrics}&segment=${segment}&filters=${filter('/a')}`)), {
		visitors: 1,
	});
	assert.deepEqual(totalsOf(await get(`?${metrics}&segment=${segment}&filters=${filter('/b')}`)), {
		visitors: 0,
	});
	const elsewhere = await save((await website([])).id, 'Elsewhere', ['is', 'source', ['Google']]);
	for (const id of [99_999, elsewhere, 'x']) problemOf(await get(`?segment=${id}`), 'segment');
	// One that names a goal which is no more.
	const lost = await save(shop.id, 'Lost', ['is', 'goal', ['99999']]);
	problemOf(await get(`?segment=${lost}`), 'segment');
});

test('[C-STAT-12] unknown parameters are 422 and named with the allowed ones; empty ones are not there; the last one counts', async () => {
	const { errors } = problemOf(
		await get('?metric=visitors&constructor=1&x[y]=2'),
		'metric',
		'constructor',
		'x',
	);
	assert.match(errors?.metric?.[0] ?? '', /period, from, to, week_start, interval, compare/);
	assert.deepEqual(
		totalsOf(await get(`?${days}&metrics=visitors&filters=&goal=&interval=&segment=&compare=`)),
		{ visitors: 3 },
	);
	problemOf(await get('?period=7d&period=x'), 'period');
	assert.match((await get('?__proto__=1')).text, /"errors":\{"__proto__":\["Unknown parameter __proto__\./);
	const many = Array.from({ length: 500 }, (_, n) => `p${n}=1`).join('&');
	assert.equal(
		Object.keys(assertProblem(await get(`?${many}`), 'validation_failed').errors ?? {}).length,
		10,
	);
});

test('[C-STAT-18] repeated metrics and filters are joined; of a scalar the last one counts', async () => {
	const metrics = '{"visits":3,"visitors":3,"pageviews":4}';
	for (const query of [
		'metrics=visits&metrics=visitors&metrics=pageviews',
		'metrics=visits,visitors&metrics=pageviews,visits&metrics=',
		'metrics[]=visits&metrics[]=visitors,pageviews',
		'metrics=visits&metrics[1]=visitors&metrics[]=pageviews',
	])
		assert.equal(JSON.stringify(totalsOf(await get(`?${days}&${query}`))), metrics, query);
	problemOf(await get('?metrics=visitors&metrics=users'), 'metrics');
	const filter = (text: string) => `&filters=${encodeURIComponent(text)}`;
	const onA = '["is","page",["/a"]]';
	const fromGoogle = '["is","source",["Google"]]';
	const one = async (query: string) => totalsOf(await get(`?${days}&metrics=visitors${query}`));
	const both = await one(filter(`["and",${onA},${fromGoogle}]`));
	assert.notDeepEqual(await one(filter(onA)), both);
	for (const query of [filter(onA) + filter(fromGoogle), `&filters=${filter(fromGoogle)}${filter(onA)}`])
		assert.deepEqual(await one(query), both, query);
	problemOf(await get(`?${filter(onA)}${filter('[')}`), 'filters');
	assert.equal(bodyOf(await get('?period=30d&period=7d')).meta.from, '2026-11-02');
	const { links } = bodyOf(
		await get(`/page?${days}&metrics=visits&metrics=visitors${filter(onA)}${filter(fromGoogle)}`),
	);
	const kept = new URL((links as { first: string }).first).searchParams;
	assert.deepEqual(
		[kept.getAll('metrics'), kept.getAll('filters')],
		[
			['visits', 'visitors'],
			[onA, fromGoogle],
		],
	);
	// Together they have the limits of one filter.
	const expressions = Array.from({ length: 11 }, (_, index) =>
		filter(`["not_matches","page",["x${index}"]]`),
	);
	assert.equal((await get(`?${days}${expressions.slice(1).join('')}`)).status, 200);
	problemOf(await get(`?${days}${expressions.join('')}`), 'filters');
});

test('[C-STAT-19] from and to without a period are a custom range', async () => {
	const range = 'from=2026-11-01&to=2026-11-02';
	const custom = bodyOf(await get(`?period=custom&${range}&metrics=visitors`));
	for (const query of [range, `period=&${range}`]) {
		const { data, meta } = bodyOf(await get(`?${query}&metrics=visitors`));
		assert.deepEqual([data, meta.from, meta.to], [custom.data, '2026-11-01', '2026-11-02'], query);
	}
	const body = { from: '2026-11-01', to: '2026-11-02', metrics: ['visitors'] };
	assert.deepEqual(totalsOf(await page(body)), (custom.data as { totals: object }).totals);
	for (const path of ['/page', '/../vitals', '/../properties', '/../drops', '/../../../stats'])
		assert.equal((await get(`${path}?${range}`)).status, 200, path);
	problemOf(await get('?from=2026-11-01'), 'to');
	problemOf(await get('?to=2026-11-01'), 'from');
	problemOf(await get(`?period=7d&${range}`), 'from', 'to');
});

test('[C-STAT-13] all that is wrong at once', async () => {
	problemOf(
		await get(
			'?period=custom&from=2026-13-01&compare=custom&compare_from=x&metrics=z&filters=[&segment=99999&goal=99999&sort=x',
		),
		...['from', 'to', 'compare_to', 'metrics', 'filters', 'segment', 'goal', 'sort'],
	);
	problemOf(
		await get('/pages?period=x&sort=up&per_page=7&filters=[]&goal=99999'),
		...['dimension', 'period', 'sort', 'per_page', 'filters', 'goal'],
	);
	problemOf(
		await page({
			metrics: ['users'],
			from: 'x',
			filters: ['is'],
			breakdowns: [
				{ dimension: 'pages', sort: 'up' },
				{ dimension: 'page', metrics: ['x'], limit: 0 },
			],
		}),
		...['metrics', 'from', 'to', 'filters', 'breakdowns.0.dimension', 'breakdowns.0.sort'],
		...['breakdowns.1.metrics', 'breakdowns.1.limit'],
	);
	problemOf(
		await owner.api('GET', '/stats?websites=x&sort=up&from=x&unknown=1'),
		...['websites', 'sort', 'from', 'to', 'unknown'],
	);
	problemOf(await get('/../drops?from=2026-11-01&unknown=1'), 'to', 'unknown');
	problemOf(await get('/../vitals?from=2026-11-01&filters=[&segment=9999'), 'to', 'filters', 'segment');
	problemOf(
		await get('/../export?from=2026-11-02&to=2026-11-01&what=x&format=y'),
		...['to', 'what', 'format'],
	);
	problemOf(await get('/../notes?from=2026-11-02&to=2026-11-01&per_page=7'), 'to', 'per_page');
	problemOf(
		await get('?period=x&interval=y&metrics=z&goal=g&unknown=1'),
		'period',
		'interval',
		'metrics',
		'goal',
		'unknown',
	);
	problemOf(await get('?from=2026-11-01&goal=99999&filters=[]&metrics=visitors'), 'to', 'goal', 'filters');
});

test('[C-STAT-14] days are those of the website’s calendar', async () => {
	// 23:30 in UTC is half past midnight in Berlin.
	const { id } = await website([{ at: '03T22:30' }, { at: '03T23:30' }], { timezone: 'Europe/Berlin' });
	const answer = await owner.api(
		'GET',
		`/websites/${id}/stats?period=custom&from=2026-11-03&to=2026-11-04&metrics=visitors`,
	);
	const { data, meta } = bodyOf(answer);
	assert.deepEqual((data as { series: unknown }).series, [
		{ time: '2026-11-03', visitors: 1 },
		{ time: '2026-11-04', visitors: 1 },
	]);
	assert.equal(meta.timezone, 'Europe/Berlin');
});

test('[C-STAT-15][C-PAGE-7] what needs visits that were deleted is null, and says since when it is not', async () => {
	const { id } = await website([
		{ at: '03T10:00', path: '/old' },
		{ at: '05T10:00', path: '/new' },
	]);
	// The day before is sealed, its visits and events are gone.
	await w.sql(
		'UPDATE days SET generation = 1, sealed_batch = last_batch WHERE website_id = $1 AND date = $2',
		[id, '2026-11-03'],
	);
	await w.sql('UPDATE websites SET raw_from = $2 WHERE id = $1', [id, '2026-11-04']);
	const row = {
		website_id: id,
		date: '2026-11-03',
		generation: 1,
		is_other: 0,
		visitors: 1,
		visits: 1,
		views: 1,
	};
	const lines = [
		{ ...row, dimension: '', value: '' },
		{ ...row, dimension: 'page', value: '/old' },
	];
	await w.clickhouse.insert({
		table: 'totals',
		lines: lines.map((line) => JSON.stringify(line)).join('\n'),
		token: `gone ${id}`,
	});
	const ask = (json: object) => owner.api('POST', `/websites/${id}/stats/query`, { json });
	const dates = { period: 'custom', from: '2026-11-03', to: '2026-11-05', metrics: ['visitors'] };
	const whole = bodyOf(
		await ask({ ...dates, breakdowns: [{ dimension: 'page' }, { dimension: 'property:x' }] }),
	);
	assert.deepEqual(whole.data, {
		totals: { visitors: 2 },
		series: [
			{ time: '2026-11-03', visitors: 1 },
			{ time: '2026-11-04', visitors: 0 },
			{ time: '2026-11-05', visitors: 1 },
		],
		compared: null,
		breakdowns: [
			{
				dimension: 'page',
				rows: [
					{ value: '/new', visitors: 1 },
					{ value: '/old', visitors: 1 },
				],
				total: 2,
			},
			{ dimension: 'property:x', rows: null, total: null },
		],
	});
	assert.equal(whole.meta.available_from, '2026-11-04');
	const filtered = bodyOf(await ask({ ...dates, filters: ['is', 'country', 'DE'] }));
	assert.deepEqual((filtered.data as { totals: unknown }).totals, { visitors: null });
	assert.equal(filtered.meta.available_from, '2026-11-04');
	const list = bodyOf(
		await owner.api('GET', `/websites/${id}/stats/property:x?period=custom&from=2026-11-03&to=2026-11-05`),
	);
	assert.deepEqual([list.data, list.meta.total, list.meta.available_from], [[], 0, '2026-11-04']);
});

test('[C-STAT-16] a time without anything was answered from nothing', async () => {
	const { id } = await website([]);
	const { data, meta } = bodyOf(await owner.api('GET', `/websites/${id}/stats?period=all&metrics=visitors`));
	assert.deepEqual((data as { totals: unknown }).totals, { visitors: 0 });
	assert.deepEqual([meta.answered_from, meta.from, meta.to], ['', '2026-11-08', '2026-11-08']);
});

test('[C-STAT-16] as_of is the moment of the answer, and what came since is in the next one', async () => {
	const { id, domain } = await website([{ at: '08T11:00' }]);
	const ask = async () => {
		const { data, meta } = bodyOf(
			await owner.api('GET', `/websites/${id}/stats?period=today&metrics=pageviews`),
		);
		return [(data as { totals: unknown }).totals, meta.as_of];
	};
	assert.deepEqual(await ask(), [{ pageviews: 1 }, '2026-11-08T12:00:00.000Z']);
	now += 1_234;
	await owner.api('POST', `/websites/${id}/events`, { json: { url: `https://${domain}/` } });
	await w.drain();
	// While events keep coming, runs that were found a moment ago may serve again; then the answer is of that moment.
	for (;;) {
		const found = await ask();
		if (found[1] !== '2026-11-08T12:00:00.000Z') {
			assert.deepEqual(found, [{ pageviews: 2 }, '2026-11-08T12:00:01.234Z']);
			break;
		}
		assert.deepEqual(found[0], { pageviews: 1 });
		await pause(100);
	}
	now -= 1_234;
});

test('[C-STAT-17][C-PAGE-6] a key that only reads may ask; what it cannot see looks like what is not there', async () => {
	const { key } = await w.key(owner, { access: 'read' });
	const api = client(w.base, key);
	assert.equal((await api('GET', `/websites/${shop.id}/stats`)).status, 200);
	assert.equal((await page({ period: '7d' }, api)).status, 200);
	const stranger = await w.account();
	const absent = face(await stranger.api('GET', '/websites/999999/stats?nonsense=1'));
	assert.equal(absent.status, 404);
	for (const path of ['stats', 'stats?period=x', 'stats/page', 'stats/nothing', 'stats/property:a'])
		assert.deepEqual(face(await stranger.api('GET', `/websites/${shop.id}/${path}`)), absent, path);
	assert.deepEqual(
		face(await stranger.api('POST', `/websites/${shop.id}/stats/query`, { body: '{' })),
		absent,
	);
});

test('[C-STAT-1] a reset leaves nothing, and what comes after it is counted', async () => {
	const { id, domain } = await website([{ at: '08T11:00' }, { at: '05T11:00' }]);
	const ask = async () =>
		totalsOf(await owner.api('GET', `/websites/${id}/stats?period=7d&metrics=pageviews`));
	assert.deepEqual(await ask(), { pageviews: 2 });
	now += 60_000;
	assert.equal((await owner.api('POST', `/websites/${id}/reset`)).status, 200);
	assert.deepEqual(await ask(), { pageviews: 0 });
	now += 60_000;
	await owner.api('POST', `/websites/${id}/events`, { json: { url: `https://${domain}/` } });
	await w.drain();
	assert.deepEqual(await ask(), { pageviews: 1 });
	now -= 120_000;
});
