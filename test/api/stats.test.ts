import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { parse } from 'csv-parse/sync';
import { dimensions } from '../../server/stats/question/dimensions.ts';
import { metrics } from '../../server/stats/question/metrics.ts';
import { type Answer, type Call, client } from '../support/client.ts';
import { assertProblem, face, freshDomain, websiteOf } from '../support/contract.ts';
import { world } from '../support/world.ts';

/** Noon of a Sunday; the first event that a server may still send is of the Sunday before. */
let now = Date.parse('2026-11-08T12:00:00.000Z');
const w = await world({ after }, { now: () => new Date(now) });
const owner = await w.account({ timezone: 'UTC' });
const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0';

type Told = Record<string, unknown> & { at: string; path?: string; who?: number };

async function website(events: readonly Told[], fields: Record<string, string> = {}) {
	const made = websiteOf(
		await owner.api('POST', '/websites', { form: { domain: freshDomain('s'), ...fields } }),
		201,
	);
	const sent = events.map(({ at, path = '/', who = 7, ...more }) => ({
		url: `https://${made.domain}${path}`,
		ip: `203.0.113.${who}`,
		user_agent: agent,
		time: `2026-11-${at}:00Z`,
		...more,
	}));
	if (sent.length > 0) {
		const answer = await owner.api('POST', `/websites/${made.id}/events`, { json: { events: sent } });
		// Some are of days whose salt is gone: how many depends on the clock of the test.
		const { accepted, dropped } = (answer.json as { data: { accepted: number; dropped: unknown[] } }).data;
		assert.deepEqual({ accepted, dropped }, { accepted: sent.length, dropped: [] });
		await w.drain();
	}
	return made;
}

/** One visitor reads two pages on the first; two come on the second, one of them by a search engine, and buys. */
const week: Told[] = [
	{ at: '01T13:00', path: '/a' },
	{ at: '01T13:05', path: '/b' },
	{ at: '02T10:00', path: '/a' },
	{ at: '02T10:00', path: '/a', who: 8, referrer: 'https://www.google.com/', properties: { plan: 'none' } },
	{ at: '02T10:01', path: '/a', who: 8, name: 'signup', properties: { plan: 'pro' } },
	{ at: '02T10:02', path: '/thanks', who: 8, name: 'order', revenue: { amount: '49.90', currency: 'EUR' } },
];
const shop = await website(week);
async function goal(
	websiteId: number,
	name: string,
	kind: 'page' | 'event',
	pattern: string,
): Promise<number> {
	const [row] = await w.sql<{ id: string }>(
		`INSERT INTO goals (website_id, revision, name, kind, pattern, created_at, updated_at)
		VALUES ($1, nextval('goal_revisions'), $2, $3, $4, now(), now()) RETURNING id`,
		[websiteId, name, kind, pattern],
	);
	return Number(row?.id);
}
const signup = await goal(shop.id, 'Signed up', 'event', 'signup');
const reads = await goal(shop.id, 'Reads A', 'page', '/a*');

const days = 'period=custom&from=2026-11-01&to=2026-11-07';

const get = (path: string, call: Call = {}) => owner.api('GET', `/websites/${shop.id}/stats${path}`, call);
const page = (json: unknown, api = owner.api) => api('POST', `/websites/${shop.id}/stats/query`, { json });
const csv = { headers: { accept: 'text/csv' } };

function bodyOf(answer: Answer): { data: never; links: never; meta: Record<string, unknown> } {
	assert.equal(answer.status, 200, answer.text);
	assert.match(answer.headers['content-type'] ?? '', /^application\/json/);
	// What it holds is compared whole by the tests.
	return answer.json as { data: never; links: never; meta: Record<string, unknown> };
}
const dataOf = (answer: Answer): unknown => bodyOf(answer).data;
const totalsOf = (answer: Answer): unknown => (bodyOf(answer).data as { totals: unknown }).totals;
const valuesOf = (answer: Answer): string[] =>
	(bodyOf(answer).data as { value: string }[]).map(({ value }) => value);
const problemOf = (answer: Answer, ...fields: string[]) => assertProblem(answer, 'validation_failed', fields);

const zero = { visitors: 0, visits: 0, pageviews: 0, bounce_rate: null, visit_duration: null };
const five = 'visitors,visits,pageviews,bounce_rate,visit_duration';

test('[C-STAT-1][C-STAT-16] the whole answer of a week by day', async () => {
	const { data, meta } = bodyOf(await get(`?${days}&interval=day&metrics=${five}`));
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
	assert.deepEqual(Object.keys(totals), five.split(','));
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
	['24h', '2026-11-07', '2026-11-08', 'hour'],
	['7d', '2026-11-02', '2026-11-08', 'day'],
	['30d', '2026-10-10', '2026-11-08', 'day'],
	['month', '2026-11-01', '2026-11-08', 'day'],
	['last_month', '2026-10-01', '2026-10-31', 'day'],
	['year', '2026-01-01', '2026-11-08', 'month'],
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

for (const filters of [
	'x',
	'{',
	'"is"',
	'[]',
	'{"is":1}',
	'["is","colour",["red"]]',
	'["is","country"]',
	'["is","country",[1]]',
	'["matches","page",["(a+)+$"]]',
	'["is","goal",[99]]',
	'["is","page",["\\u0000"]]',
	JSON.stringify(['is', 'page', Array.from({ length: 101 }, (_, n) => `/${n}`)]),
	`${'["not",'.repeat(9)}["is","page",["/"]]${']'.repeat(9)}`,
])
	test(`[C-STAT-9] filters=${filters.slice(0, 60)} is 422`, async () => {
		problemOf(await get(`?filters=${encodeURIComponent(filters)}`), 'filters');
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
	assert.match(errors?.metric?.[0] ?? '', /period, from, to, interval, compare/);
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

const path = `${w.publicUrl}/api/v1/websites/${shop.id}/stats`;

test('[C-BRK-1] the whole answer by page', async () => {
	const { data, links, meta } = bodyOf(
		await get(`/page?${days}&metrics=visitors,pageviews,events&per_page=25`),
	);
	assert.deepEqual(data, [
		{ value: '/a', visitors: 3, pageviews: 3, events: 1 },
		{ value: '/b', visitors: 1, pageviews: 1, events: 0 },
		{ value: '/thanks', visitors: 1, pageviews: 0, events: 1 },
	]);
	const link = `${path}/page?${days}&metrics=visitors%2Cpageviews%2Cevents&per_page=25&page=1`;
	assert.deepEqual(links, { first: link, last: link, prev: null, next: null });
	const { rows_read, ms, answered_from, ...rest } = meta;
	assert.ok(Number(rows_read) > 0 && Number(ms) >= 0 && String(answered_from).length > 0);
	assert.deepEqual(rest, {
		current_page: 1,
		from: 1,
		last_page: 1,
		path: `${path}/page`,
		per_page: 25,
		to: 3,
		total: 3,
		period: { from: '2026-11-01', to: '2026-11-07' },
		timezone: 'UTC',
		as_of: '2026-11-08T12:00:00.000Z',
		available_from: null,
		imported: null,
	});
});

for (const [query, field] of [
	['interval=day', 'interval'],
	['compare=previous', 'compare'],
	['compare_from=2026-11-01', 'compare_from'],
	['compare_to=2026-11-01', 'compare_to'],
	['match_weekdays=1', 'match_weekdays'],
	['limit=5', 'limit'],
	['per_page=20', 'per_page'],
	['page=-1', 'page'],
	['page=x', 'page'],
	['sort=up', 'sort'],
	['sort_by=value', 'sort_by'],
	['sort_by[]=visitors', 'sort_by'],
] as const)
	test(`[C-BRK-2][C-BRK-3][C-BRK-5] ${query} is 422`, async () => {
		problemOf(await get(`/page?${query}`), field);
	});

test('[C-BRK-2] filters, goals and segments hold for rows too', async () => {
	const filters = encodeURIComponent('["is","source",["Google"]]');
	assert.deepEqual(
		dataOf(
			await get(`/page?${days}&metrics=visits,conversions,conversion_rate&goal=${signup}&filters=${filters}`),
		),
		[
			{ value: '/a', visits: 1, conversions: 1, conversion_rate: 1 },
			{ value: '/thanks', visits: 1, conversions: 1, conversion_rate: 1 },
		],
	);
});

test('[C-BRK-3] sorted by any metric, in both directions, equal ones by value', async () => {
	const by = async (query: string) => valuesOf(await get(`/page?${days}&metrics=visitors&${query}`));
	assert.deepEqual(await by(''), ['/a', '/b', '/thanks']);
	assert.deepEqual(await by('sort=asc'), ['/b', '/thanks', '/a']);
	assert.deepEqual(await by('sort_by=visit_duration'), ['/b', '/a', '/thanks']);
	assert.deepEqual(await by('sort_by=pageviews&sort=asc'), ['/thanks', '/b', '/a']);
	assert.deepEqual(await by('sort_by=revenue'), ['/thanks', '/a', '/b']);
});

test('[C-BRK-4] search is literal, whatever the letter case', async () => {
	const { id } = await website(
		['/Straße', '/100%', '/a_b', '/a\\b', "/it's", '/axb', '/ÄRGER'].map((at, who) => ({
			at: '05T10:00',
			path: at,
			who: who + 1,
		})),
	);
	const found = async (text: string) =>
		valuesOf(
			await owner.api('GET', `/websites/${id}/stats/page?period=7d&search=${encodeURIComponent(text)}`),
		);
	assert.deepEqual(await found('ASSE'), []);
	assert.deepEqual(await found('stra'), ['/Straße']);
	assert.deepEqual(await found('0%'), ['/100%']);
	assert.deepEqual(await found('a_b'), ['/a_b']);
	assert.deepEqual(await found("'"), ["/it's"]);
	assert.deepEqual(await found(''), await found('/'));
	assert.equal((await found('/')).length, 7);
});

test('[C-BRK-5] walking along next meets every row once', async () => {
	const paths = Array.from({ length: 23 }, (_, n) => `/p${String(n).padStart(2, '0')}`);
	const { id } = await website(paths.map((at, who) => ({ at: '05T10:00', path: at, who: who + 1 })));
	const met: string[] = [];
	let next: string | null = `${w.publicUrl}/api/v1/websites/${id}/stats/page?period=7d&metrics=visitors`;
	let pages = 0;
	while (next) {
		const answer: Answer = await owner.api('GET', next.replace(`${w.publicUrl}/api/v1`, ''));
		met.push(...valuesOf(answer));
		next = (bodyOf(answer).links as { next: string | null }).next;
		pages++;
	}
	assert.deepEqual([met, pages], [paths, 3]);
	const past = bodyOf(await owner.api('GET', `/websites/${id}/stats/page?period=7d&page=9`));
	assert.deepEqual(
		[past.data, past.meta.total, past.meta.last_page, past.meta.from, past.meta.to],
		[[], 23, 3, null, null],
	);
	assert.equal(
		(past.links as { prev: string }).prev,
		`${w.publicUrl}/api/v1/websites/${id}/stats/page?period=7d&page=3`,
	);
	const far = bodyOf(
		await owner.api('GET', `/websites/${id}/stats/page?period=7d&page=99999999999999999999`),
	);
	assert.deepEqual([far.data, far.meta.total], [[], 23]);
});

for (const name of [
	'nothing',
	'Page',
	'pages',
	'property',
	'property:',
	'Property:x',
	'__proto__',
	'totals',
	'0',
])
	test(`[C-BRK-10] the dimension ${name} is 422 with the list of dimensions`, async () => {
		const { errors } = problemOf(await get(`/${name}`), 'dimension');
		for (const known of [...Object.keys(dimensions), 'property:NAME'])
			assert.match(errors?.dimension?.[0] ?? '', new RegExp(`\\b${known}\\b`));
	});
test('[C-BRK-10] an unknown website and another account’s are the same 404 before that', async () => {
	const stranger = await w.account({ timezone: 'UTC' });
	const foreign = await stranger.api('GET', `/websites/${shop.id}/stats/nothing`);
	assertProblem(foreign, 'not_found');
	assert.equal(foreign.text, (await stranger.api('GET', '/websites/999999999/stats/nothing')).text);
	assert.equal(foreign.text, (await stranger.api('GET', `/websites/${shop.id}/stats/page`)).text);
});
for (const name of ['page%20', 'pag%65'])
	test(`[C-BRK-7] the dimension ${name} is 404: no percent sign is read there`, async () => {
		assertProblem(await get(`/${name}`), 'not_found');
	});

const names = [
	"it's",
	'a/b',
	'a\\b',
	'100%',
	'plan',
	'ü',
	'💧',
	'__proto__',
	'a~b',
	'a b',
	'?',
	'%2F',
	'{p0:String}',
];
test('[C-BRK-7] properties with any name, percent-encoded once', async () => {
	const properties = Object.fromEntries(names.map((name, index) => [name, `value ${index}`]));
	const { id } = await website([{ at: '05T10:00', properties }]);
	for (const [index, name] of names.entries()) {
		const encoded = encodeURIComponent(name);
		for (const word of [`property:${encoded}`, `property%3A${encoded}`, `property%3a${encoded}/`]) {
			const answer = await owner.api('GET', `/websites/${id}/stats/${word}?period=7d&metrics=visitors`);
			assert.deepEqual(dataOf(answer), [{ value: `value ${index}`, visitors: 1 }], word);
			assert.equal(
				bodyOf(answer).meta.path,
				`${w.publicUrl}/api/v1/websites/${id}/stats/property:${encoded}`,
			);
		}
	}
});

for (const word of [
	'property:%FF',
	'property:a%00',
	'property:%C3',
	'property:%zz',
	'property:a/b',
	'property:%',
])
	test(`[C-BRK-7] ${word} is 404`, async () => {
		assertProblem(await get(`/${word}`), 'not_found');
	});

test('[C-BRK-7] ids have one spelling, also before a property', async () => {
	const encoded = `%3${String(shop.id)[0]}${String(shop.id).slice(1)}`;
	assertProblem(await owner.api('GET', `/websites/${encoded}/stats/property:plan`), 'not_found');
	assertProblem(await owner.api('GET', `/websites/${shop.id}/st%61ts/property:plan`), 'not_found');
});

test('[C-BRK-8] by goal: the id, the name, and conversions without a goal parameter', async () => {
	const query = `/goal?${days}&metrics=conversions,conversion_rate`;
	assert.deepEqual(dataOf(await get(query)), [
		{ value: String(reads), name: 'Reads A', conversions: 3, conversion_rate: 1 },
		{ value: String(signup), name: 'Signed up', conversions: 1, conversion_rate: 1 / 3 },
	]);
	assert.deepEqual(valuesOf(await get(`${query}&search=SIGNED`)), [String(signup)]);
	assert.deepEqual(valuesOf(await get(`${query}&search=${signup}`)), []);
});

test('[C-BRK-9] what is beyond the stored values is one row, marked and last', async () => {
	const { id } = await website([]);
	await w.sql(
		`INSERT INTO days (website_id, date, last_batch, sealed_batch, generation, capped) VALUES ($1, '2026-11-05', 1, 1, 1, '{page}')`,
		[id],
	);
	await w.sql('UPDATE websites SET raw_from = $2 WHERE id = $1', [id, '2026-11-06']);
	const row = { website_id: id, date: '2026-11-05', generation: 1, dimension: 'page', visits: 0 };
	const lines = [
		{ ...row, value: '/a', is_other: 0, visitors: 2, views: 2 },
		{ ...row, value: '(other)', is_other: 1, visitors: 50, views: 60 },
		{ ...row, value: '(other)', is_other: 0, visitors: 1, views: 1 },
	].map((line) => JSON.stringify(line));
	await w.clickhouse.insert({ table: 'totals', lines: lines.join('\n'), token: `other ${id}` });
	const query = `/websites/${id}/stats/page?period=7d&metrics=visitors`;
	assert.deepEqual(dataOf(await owner.api('GET', query)), [
		{ value: '/a', visitors: 2 },
		{ value: '(other)', visitors: 1 },
		{ value: '(other)', visitors: 50, other: true },
	]);
	const table = await owner.api('GET', query, csv);
	assert.equal(table.text, 'value,visitors,other\r\n/a,2,0\r\n(other),1,0\r\n(other),50,1\r\n');
});

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
	assert.deepEqual(Object.keys(totalsOf(await send({})) as object), five.split(','));
	const allowed = await owner.api('DELETE', `/websites/${shop.id}/stats/query`);
	assertProblem(allowed, 'method_not_allowed');
	assert.equal(allowed.headers.allow, 'GET, POST, HEAD, OPTIONS');
});

test('[C-DEF-1] every metric is listed, and can be asked for', async () => {
	const list = dataOf(await owner.api('GET', '/metrics')) as Record<string, unknown>[];
	assert.deepEqual(
		list.map(({ name }) => name),
		Object.keys(metrics),
	);
	for (const metric of list) {
		assert.deepEqual(Object.keys(metric), ['name', 'label', 'definition', 'unit', 'needs_goal']);
		const plain = await get(`?period=7d&metrics=${metric.name}`);
		assert.equal(plain.status, metric.needs_goal ? 422 : 200);
		assert.equal((await get(`?period=7d&metrics=${metric.name}&goal=${signup}`)).status, 200);
	}
});

test('[C-DEF-2] every dimension is listed, and can be asked for', async () => {
	const list = dataOf(await owner.api('GET', '/dimensions')) as Record<string, unknown>[];
	assert.deepEqual(
		list.map(({ name }) => name),
		[...Object.keys(dimensions), 'property:NAME'],
	);
	for (const dimension of list) {
		assert.deepEqual(Object.keys(dimension), ['name', 'label', 'definition', 'scope']);
		assert.equal((await get(`/${dimension.name}?period=7d`)).status, 200, String(dimension.name));
	}
});

test('[C-DEF-3] keys of all kinds may read them, and nobody else', async () => {
	for (const rights of [{ access: 'read' as const }, { websites: [shop.id] }]) {
		const { key } = await w.key(owner, rights);
		for (const list of ['/metrics', '/dimensions'])
			assert.equal((await client(w.base, key)('GET', list)).status, 200);
	}
	for (const list of ['/metrics', '/dimensions'])
		assertProblem(await client(w.base)('GET', list), 'unauthenticated');
});

test('[C-CSV-1][C-CSV-2] the whole as a table, with what it is compared with', async () => {
	const answer = await get(
		'?period=custom&from=2026-11-02&to=2026-11-03&compare=previous&metrics=visitors,bounce_rate',
		csv,
	);
	assert.equal(answer.status, 200);
	assert.equal(answer.headers['content-type'], 'text/csv; charset=utf-8; header=present');
	assert.equal(
		answer.headers['content-disposition'],
		`attachment; filename="${shop.domain}-2026-11-02-2026-11-03.csv"`,
	);
	assert.equal(
		answer.text,
		[
			'time,visitors,bounce_rate,compared_time,compared_visitors,compared_bounce_rate',
			'total,2,0.5,total,1,0',
			'2026-11-02,2,0.5,2026-10-31,0,',
			'2026-11-03,0,,2026-11-01,1,0',
			'',
		].join('\r\n'),
	);
});

test('[C-CSV-1] JSON where JSON is wanted more', async () => {
	for (const accept of ['*/*', 'application/json, text/csv', 'text/csv;q=0.1, application/json'])
		bodyOf(await get('?period=7d', { headers: { accept } }));
	const table = await get('?period=7d', { headers: { accept: 'text/html;q=0.5, text/csv' } });
	assert.match(table.headers['content-type'] ?? '', /^text\/csv/);
});

test('[C-CSV-3][C-CSV-5] all rows of a breakdown, money by currency', async () => {
	const answer = await get(`/page?${days}&metrics=visitors,revenue&per_page=10&page=5`, csv);
	assert.equal(answer.text, 'value,visitors,revenue_EUR\r\n/a,3,0\r\n/b,1,0\r\n/thanks,1,49.9\r\n');
	assert.equal(answer.headers['x-total-count'], '3');
	assert.equal(
		answer.headers['content-disposition'],
		`attachment; filename="${shop.domain}-page-2026-11-01-2026-11-07.csv"`,
	);
	const goals = await get(`/goal?${days}&metrics=conversions`, csv);
	assert.equal(goals.text, `value,name,conversions\r\n${reads},Reads A,3\r\n${signup},Signed up,1\r\n`);
	const many = await website(
		Array.from({ length: 150 }, (_, n) => ({
			at: '05T10:00',
			path: `/${String(n).padStart(3, '0')}`,
			who: n,
		})),
	);
	const all = await owner.api('GET', `/websites/${many.id}/stats/page?period=7d&metrics=visitors`, csv);
	const rows: string[][] = parse(all.text);
	assert.equal(rows.length, 151);
	assert.equal(all.headers['x-total-count'], '150');
});

test('[C-CSV-4] a page as one table', async () => {
	const json = {
		period: 'custom',
		from: '2026-11-02',
		to: '2026-11-02',
		interval: 'day',
		compare: 'previous',
		metrics: ['visitors'],
		breakdowns: [{ dimension: 'page' }, { dimension: 'goal', metrics: ['conversions'] }],
	};
	const answer = await owner.api('POST', `/websites/${shop.id}/stats/query`, { json, ...csv });
	assert.equal(
		answer.text,
		[
			'part,value,name,visitors,conversions',
			'totals,,,2,',
			'series,2026-11-02,,2,',
			'compared,,,1,',
			'compared_series,2026-11-01,,1,',
			'page,/a,,2,',
			'page,/thanks,,1,',
			`goal,${reads},Reads A,,2`,
			`goal,${signup},Signed up,,1`,
			'',
		].join('\r\n'),
	);
});

test('[C-CSV-1] the definitions as tables', async () => {
	const rows: string[][] = parse((await owner.api('GET', '/metrics', csv)).text);
	assert.deepEqual(
		[rows[0], rows.length],
		[['name', 'label', 'definition', 'unit', 'needs_goal'], Object.keys(metrics).length + 1],
	);
	const dimensionRows: string[][] = parse((await owner.api('GET', '/dimensions', csv)).text);
	assert.deepEqual(
		[dimensionRows[0], dimensionRows.length],
		[['name', 'label', 'definition', 'scope'], Object.keys(dimensions).length + 2],
	);
});

test('[C-CSV-6][T41] what looks like a formula is text, and comes back as it was', async () => {
	const values = [
		'=1+1',
		'+1',
		'-1',
		'@SUM(A1)',
		'=HYPERLINK("http://x","y")',
		"'=1",
		'plain, with "quotes"',
		"it's",
	];
	const { id } = await website(
		values.map((plan, who) => ({ at: '05T10:00', who: who + 1, properties: { plan } })),
	);
	const ask = (call: Call) =>
		owner.api('GET', `/websites/${id}/stats/property:plan?period=7d&metrics=visitors`, call);
	assert.deepEqual(valuesOf(await ask({})).sort(), values.toSorted());
	const rows: string[][] = parse((await ask(csv)).text);
	const cells = rows.slice(1).map(([cell = '']) => cell);
	for (const cell of cells) assert.doesNotMatch(cell, /^[=+\-@\t\r\n]/);
	assert.deepEqual(cells.map((cell) => cell.replace(/^'(?='*[=+\-@])/, '')).sort(), values.toSorted());
});

test('[C-CSV-7] errors stay JSON', async () => {
	problemOf(await get('?period=x', csv), 'period');
	problemOf(await get('/nothing', csv), 'dimension');
	assertProblem(await owner.api('GET', '/websites/999999999/stats', csv), 'not_found');
	assertProblem(await client(w.base)('GET', `/websites/${shop.id}/stats`, csv), 'unauthenticated');
});
