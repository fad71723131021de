import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import type { Event } from '../../server/ingest/event.ts';
import type { Answer } from '../support/client.ts';
import { assertProblem, freshDomain, websiteOf } from '../support/contract.ts';
import { seededRandom } from '../support/random.ts';
import { sample } from '../support/sample.ts';
import { storeEvents } from '../support/stored-events.ts';
import { visitor } from '../support/visitor.ts';
import { world } from '../support/world.ts';

/** What somebody who is not known to us is shown of a public website. */
const date = '2026-11-05';
const w = await world({ after }, { now: () => new Date('2026-11-08T12:40:00.000Z') });
const owner = await w.account({ timezone: 'UTC' });
const stranger = visitor(() => w.base);
/** A share has five seconds, which a machine that does much else may not have for it: then it asks again. */
const anybody: typeof owner.api = async (...asked) => {
	for (let n = 0; n < 30; n++) {
		const answer = await stranger(...asked);
		if (answer.status !== 503) return answer;
	}
	return stranger(...asked);
};

const cities = (id: number, query = '', caller: typeof owner.api = anybody) =>
	caller('GET', `/websites/${id}/stats/city?period=7d&metrics=visitors,visits&${query}`);
type Row = { value: string; visitors: number; visits: number; other?: true };
type List = { data: Row[]; meta: { total: number } };
function listOf(answer: Answer): List {
	assert.equal(answer.status, 200, answer.text);
	// Its shape is what test/api/stats.test.ts is about.
	return answer.json as List;
}
const rowsOf = (answer: Answer): Row[] => listOf(answer).data;
const shown = async (id: number, query = '') =>
	rowsOf(await cities(id, query)).map(({ value, visitors, other }) =>
		other ? `rest ${visitors}` : `${value} ${visitors}`,
	);

/** So many visitors from each city. */
async function visited(from: Record<string, number>): Promise<number> {
	const { id } = websiteOf(await owner.api('POST', '/websites', { form: { domain: freshDomain('c') } }), 201);
	const events = Object.entries(from).flatMap(([city, visitors]) =>
		Array.from({ length: visitors }, () => ({ date, city, country: 'DE', path: `/of-${city}` })),
	);
	if (events.length > 0) await storeEvents(w, id, events);
	return id;
}

const cases: { what: string; from: Record<string, number>; rows: string[] }[] = [
	{ what: 'nobody', from: {}, rows: [] },
	{ what: 'one visitor', from: { Werder: 1 }, rows: [] },
	{ what: 'two of one village', from: { Werder: 2 }, rows: [] },
	{ what: 'two of two', from: { Werder: 1, Caputh: 1 }, rows: [] },
	{ what: 'three of one city', from: { Berlin: 3 }, rows: ['Berlin 3'] },
	{ what: 'three of three villages', from: { Werder: 1, Caputh: 1, Ferch: 1 }, rows: ['rest 3'] },
	{
		what: 'a city and enough others',
		from: { Berlin: 5, Werder: 2, Caputh: 1 },
		rows: ['Berlin 5', 'rest 3'],
	},
	// The whole less what is shown must not be one or two people: the smallest city joins them.
	{ what: 'a city and one other', from: { Berlin: 5, Werder: 1 }, rows: ['rest 6'] },
	{
		what: 'two cities and two others',
		from: { Berlin: 5, Potsdam: 3, Werder: 1, Caputh: 1 },
		rows: ['Berlin 5', 'rest 5'],
	},
	{ what: 'a place that is not known', from: { '': 1, Berlin: 4, Potsdam: 3 }, rows: ['Berlin 4', 'rest 4'] },
	{
		what: 'cities alone',
		from: { Berlin: 5, Potsdam: 3, Bremen: 4 },
		rows: ['Berlin 5', 'Bremen 4', 'Potsdam 3'],
	},
];
for (const { what, from, rows } of cases)
	test(`[C-PUB-2][T54] by city: ${what}`, async () => {
		const id = await visited(from);
		assert.deepEqual(await shown(id), rows);
		// Who may see the website sees all of it.
		const all = await owner.api('GET', `/websites/${id}/stats/city?period=7d&metrics=visitors&per_page=100`);
		assert.equal((all.json as { meta: { total: number } }).meta.total, Object.keys(from).length);
	});

test('[C-PUB-2][T54] search, order, pages, tables and statistics pages show nothing more', async () => {
	const id = await visited({ Berlin: 9, Bernau: 4, Bremen: 3, Werder: 1, Caputh: 2, Bad: 1, Ferch: 1 });
	assert.deepEqual(await shown(id), ['Berlin 9', 'Bernau 4', 'Bremen 3', 'rest 5']);
	assert.deepEqual(await shown(id, 'sort=asc'), ['Bremen 3', 'Bernau 4', 'Berlin 9', 'rest 5']);
	assert.deepEqual(await shown(id, 'search=BER'), ['Berlin 9', 'Bernau 4']);
	for (const text of ['Werder', 'caputh', 'ferch', 'bad', '(other)', 'other'])
		assert.deepEqual(await shown(id, `search=${text}`), [], text);
	// One that is hidden only so that the rest is not one person.
	const few = await visited({ Berlin: 9, Bernau: 4, Werder: 1 });
	assert.deepEqual(await shown(few), ['Berlin 9', 'rest 5']);
	assert.deepEqual(await shown(few, 'search=bernau'), []);
	const second = listOf(await cities(id, 'per_page=10&page=2'));
	assert.deepEqual([second.data, second.meta.total], [[], 4]);
	const table = await anybody('GET', `/websites/${id}/stats/city?period=7d&metrics=visitors`, {
		headers: { accept: 'text/csv' },
	});
	assert.equal(
		table.text,
		'value,visitors,other\r\nBerlin,9,0\r\nBernau,4,0\r\nBremen,3,0\r\n(other),5,1\r\n',
	);
	const page = await anybody('POST', `/websites/${id}/stats/query`, {
		json: {
			period: '7d',
			metrics: ['visitors', 'bounce_rate'],
			breakdowns: [
				{ dimension: 'city', limit: 2, sort_by: 'visits' },
				{ dimension: 'country' },
				{ dimension: 'city', search: 'e', limit: 1 },
			],
		},
	});
	assert.deepEqual((page.json as { data: { breakdowns: unknown } }).data.breakdowns, [
		{
			dimension: 'city',
			rows: [
				{ value: 'Berlin', visitors: 9, bounce_rate: 1 },
				{ value: 'Bernau', visitors: 4, bounce_rate: 1 },
			],
			total: 4,
		},
		{ dimension: 'country', rows: [{ value: 'DE', visitors: 21, bounce_rate: 1 }], total: 1 },
		{ dimension: 'city', rows: [{ value: 'Berlin', visitors: 9, bounce_rate: 1 }], total: 3 },
	]);
});

test('[C-PUB-1][T54] no filter by city or region, however it is written, and no minutes', async () => {
	const id = await visited({ Berlin: 5, Werder: 1 });
	const filters = [
		['is', 'city', 'Werder'],
		['is_not', 'city', ['Berlin']],
		['is', 'region', 'BB'],
		[
			'and',
			['is', 'country', 'DE'],
			['or', ['contains', 'page', 'x'], ['not', ['starts_with', 'city', 'W']]],
		],
	];
	const [segment] = await w.sql<{ id: string }>(
		`INSERT INTO segments (website_id, name, filters, created_at, updated_at) VALUES ($1, 'x', $2, now(), now()) RETURNING id`,
		[id, JSON.stringify(['is', 'city', ['Werder']])],
	);
	for (const query of [
		...filters.map((filter) => `filters=${encodeURIComponent(JSON.stringify(filter))}`),
		`segment=${segment?.id}`,
	])
		for (const path of ['stats', 'stats/page', 'stats/city']) {
			const asked = `/websites/${id}/${path}?period=7d&${query}`;
			assertProblem(await anybody('GET', asked), 'validation_failed', ['filters']);
			assert.equal((await owner.api('GET', asked)).status, 200);
		}
	const minutes = `/websites/${id}/stats?period=custom&from=${date}&to=${date}&interval=minute&metrics=visitors`;
	assertProblem(await anybody('GET', minutes), 'validation_failed', ['interval']);
	assert.equal((await anybody('GET', minutes.replace('minute', 'hour'))).status, 200);
	assert.equal((await owner.api('GET', minutes)).status, 200);
});

test('[C-PUB-2][T54] whatever the cities are, no row is about one or two people, and none is worked out from the others', async () => {
	const names = ['Berlin', 'Bernau', 'Bremen', 'Werder', 'Caputh', 'Ferch', ''];
	await fc.assert(
		fc.asyncProperty(
			fc.array(fc.integer({ min: 0, max: 6 }), { minLength: names.length, maxLength: names.length }),
			async (visitors) => {
				const from = Object.fromEntries(names.map((name, index) => [name, visitors[index] ?? 0]));
				const id = await visited(from);
				const rows = rowsOf(await cities(id));
				const whole = visitors.reduce((sum, each) => sum + each, 0);
				for (const { value, visitors: its, other } of rows) {
					assert.ok(its >= 3, `${value} ${its}`);
					if (!other) assert.equal(its, from[value]);
				}
				const told = rows.reduce((sum, row) => sum + row.visitors, 0);
				// All of them, or nothing at all: what is missing would be those who are hidden.
				assert.ok(told === whole || (rows.length === 0 && whole < 3), JSON.stringify([from, rows]));
			},
		),
		{ numRuns: 40 },
	);
});

test('[C-PUB-3] a table for a share has at most 1,000 rows', async () => {
	const { id } = websiteOf(await owner.api('POST', '/websites', { form: { domain: freshDomain('c') } }), 201);
	await storeEvents(
		w,
		id,
		Array.from({ length: 1_100 }, (_, n) => ({ date, path: `/${n}` })),
	);
	const tableOf = (caller: typeof owner.api) =>
		caller('GET', `/websites/${id}/stats/page?period=7d&metrics=visitors`, {
			headers: { accept: 'text/csv' },
		});
	for (const [caller, rows] of [
		[anybody, 1_000],
		[owner.api, 1_100],
	] as const) {
		const { text, headers } = await tableOf(caller);
		assert.equal(text.trimEnd().split('\r\n').length, 1 + rows);
		assert.equal(headers['x-total-count'], '1100');
	}
});

test('[T28] a website that is closed while it is looked at is closed at the next request', async () => {
	const id = await visited({ Berlin: 3 });
	assert.deepEqual(await shown(id), ['Berlin 3']);
	const underWay = Array.from({ length: 5 }, () => cities(id, 'sort_by=visits'));
	const closed = await owner.api('PUT', `/websites/${id}`, { form: { privacy: '1' } });
	assert.equal(closed.status, 200);
	for (const query of ['', 'sort_by=visits']) assertProblem(await cities(id, query), 'not_found');
	for (const answer of await Promise.all(underWay)) assert.match(String(answer.status), /^(200|404)$/);
	assert.equal(rowsOf(await cities(id, '', owner.api)).length, 1);
});

test('[T28] what an account is shown is not shown to a share that asks the same at the same time', async () => {
	const names = Array.from({ length: 12 }, (_, n) => `City ${String(n).padStart(2, '0')}`);
	const id = await visited({ ...Object.fromEntries(names.map((name) => [name, 3])), Werder: 1 });
	const both = await Promise.all(
		Array.from({ length: 10 }, (_, n) => cities(id, 'page=2', n % 2 === 0 ? anybody : owner.api)),
	);
	for (const [n, answer] of both.entries())
		assert.deepEqual(
			rowsOf(answer).map(({ value }) => value),
			n % 2 === 0 ? ['City 10', '(other)'] : ['City 10', 'City 11', 'Werder'],
		);
});

// What a share is shown of filtered statistics.

type Values = { visitors: number | null; visits: number | null; conversions?: number | null; fewer_than?: 3 };
type Point = Values & { time: string };
type TableRow = Values & { value: string; other?: true };
type Whole = { totals: Values; series: Point[] };
type Page = {
	data: Whole & {
		compared: Whole | null;
		breakdowns: { dimension: string; rows: TableRow[]; total: number; fewer_than?: 3 }[];
	};
	meta: { as_of: string };
};
type Filter = [string, ...unknown[]];

const askPage = async (id: number, json: object, caller: typeof owner.api = anybody): Promise<Page> => {
	const answer = await caller('POST', `/websites/${id}/stats/query`, { json });
	assert.equal(answer.status, 200, `${JSON.stringify(json)} ${answer.text}`);
	// Its shape is what test/api/stats.test.ts is about.
	return answer.json as Page;
};

/** So many visitors of each kind, on one day unless it says another. */
async function visitedBy(kinds: readonly (Partial<Event> & { times: number })[]): Promise<number> {
	const { id } = websiteOf(await owner.api('POST', '/websites', { form: { domain: freshDomain('f') } }), 201);
	await storeEvents(
		w,
		id,
		kinds.flatMap(({ times, ...event }) => Array.from({ length: times }, () => ({ date, ...event }))),
	);
	return id;
}

const day = { period: 'custom', from: date, to: date, metrics: ['visitors', 'visits'] };
const total = async (id: number, filters: Filter, more: object = {}) => {
	const { totals } = (await askPage(id, { ...day, ...more, filters })).data;
	assert.equal(totals.fewer_than, totals.visitors === null ? 3 : undefined);
	if (totals.visitors === null) assert.equal(totals.visits, null);
	return totals.visitors ?? 'few';
};

test('[C-PUB-4][T54] a filtered total is shown if those it selects and those it leaves are none or at least 3', async () => {
	const id = await visitedBy([
		{ times: 6, country: 'DE' },
		{ times: 3, country: 'AT' },
		{ times: 1, country: 'CH' },
	]);
	const table: [Filter, number | 'few'][] = [
		[['is', 'country', 'DE'], 6],
		[['is_not', 'country', 'DE'], 4],
		[['is', 'country', 'AT'], 3],
		[['is', 'country', 'FR'], 0],
		[['is_not', 'country', 'FR'], 10],
		[['is', 'country', 'CH'], 'few'],
		[['is_not', 'country', 'CH'], 'few'],
		// 9 of 10, and one more than AT or DE.
		[['is', 'country', ['DE', 'AT']], 'few'],
		[['is', 'country', ['AT', 'CH']], 'few'],
		[['or', ['is', 'country', 'AT'], ['is', 'country', 'CH']], 'few'],
		[['not', ['is', 'country', ['AT', 'CH']]], 'few'],
	];
	for (const [filter, expected] of table) {
		assert.equal(await total(id, filter), expected, JSON.stringify(filter));
		const own = (await askPage(id, { ...day, filters: filter }, owner.api)).data;
		assert.equal(typeof own.totals.visitors, 'number');
	}
	// As a table there is nothing either.
	const csv = await anybody(
		'GET',
		`/websites/${id}/stats?${new URLSearchParams({ period: 'custom', from: date, to: date, interval: 'day', metrics: 'visitors,visits', filters: '["is","country","CH"]' })}`,
		{ headers: { accept: 'text/csv' } },
	);
	assert.equal(csv.text, `time,visitors,visits\r\ntotal,,\r\n${date},,\r\n`);
	const rows = await anybody(
		'GET',
		`/websites/${id}/stats/page?${new URLSearchParams({ period: '7d', metrics: 'visitors', filters: '["is","country","CH"]' })}`,
	);
	const { data, meta } = rows.json as { data: unknown[]; meta: { total: number; fewer_than?: 3 } };
	assert.deepEqual([data, meta.total, meta.fewer_than], [[], 0, 3]);
});

test('[C-PUB-4][T54] two filters show nothing of a group of one or two, however it is put together', async () => {
	// One visitor is from elsewhere and uses another browser.
	const id = await visitedBy([
		{ times: 4, country: 'DE', browser: 'Firefox' },
		{ times: 5, country: 'DE', browser: 'Chrome' },
		{ times: 3, country: 'AT', browser: 'Firefox' },
		{ times: 1, country: 'AT', browser: 'Chrome' },
	]);
	assert.equal(await total(id, ['is', 'country', 'DE']), 9);
	assert.equal(await total(id, ['is', 'browser', 'Firefox']), 7);
	// 13 - 9 - 7 + 4 would be that visitor.
	const both = (country: string, browser: string): Filter => [
		'and',
		['is', 'country', country],
		['is', 'browser', browser],
	];
	for (const country of ['DE', 'AT'])
		for (const browser of ['Firefox', 'Chrome']) assert.equal(await total(id, both(country, browser)), 'few');
	const { breakdowns } = (
		await askPage(id, { ...day, filters: ['is', 'country', 'DE'], breakdowns: [{ dimension: 'browser' }] })
	).data;
	assert.deepEqual(breakdowns[0]?.rows, [{ value: '(other)', visitors: 9, visits: 9, other: true }]);
});

test('[C-PUB-5][T54] at most two filters on visit dimensions, three values, and no part of a value', async () => {
	const id = await visitedBy([{ times: 9, country: 'DE', browser: 'Firefox', os: 'Linux' }]);
	const [country, browser, os]: Filter[] = [
		['is', 'country', 'DE'],
		['is_not', 'browser', 'Chrome'],
		['is', 'os', 'Linux'],
	];
	const [segment] = await w.sql<{ id: string }>(
		`INSERT INTO segments (website_id, name, filters, created_at, updated_at) VALUES ($1, 'x', $2, now(), now()) RETURNING id`,
		[id, JSON.stringify(['and', country, browser])],
	);
	const sent = (filters: unknown) => `filters=${encodeURIComponent(JSON.stringify(filters))}`;
	const refused: [string, RegExp][] = [
		[sent(['and', country, browser, os]), /at most 2 filters on visit dimensions/],
		[sent(['and', country, ['or', ['not', browser], ['and', os]]]), /at most 2 filters on visit dimensions/],
		[`segment=${segment?.id}&${sent(os)}`, /at most 2 filters on visit dimensions/],
		[sent(['is', 'page', ['/1', '/2', '/3', '/4']]), /at most 3 values/],
		[sent(['contains', 'page', '/']), /not by a part of a value/],
		[sent(['starts_with', 'source', 'G']), /not by a part of a value/],
		[sent(['not_contains', 'title', 'x']), /not by a part of a value/],
	];
	const funnel = await owner.api('POST', `/websites/${id}/funnels`, {
		json: { name: 'x', steps: [{ page: '/a' }, { page: '/b' }] },
	});
	assert.equal(funnel.status, 201, funnel.text);
	const funnelId = (funnel.json as { data: { id: number } }).data.id;
	for (const [query, sentence] of refused)
		for (const path of ['stats', 'stats/page', `funnels/${funnelId}/stats`]) {
			const asked = `/websites/${id}/${path}?period=7d&${query}`;
			assert.match(
				assertProblem(await anybody('GET', asked), 'validation_failed', ['filters']).detail +
					JSON.stringify((await anybody('GET', asked)).json),
				sentence,
			);
			assert.equal((await owner.api('GET', asked)).status, 200, asked);
		}
	const vitals = `/websites/${id}/vitals?period=7d&${sent(['and', country, browser, os])}`;
	assertProblem(await anybody('GET', vitals), 'validation_failed', ['filters']);
	assert.equal((await owner.api('GET', vitals)).status, 200);
	// Two filters and one by page are answered.
	assert.equal(await total(id, ['and', country, os, ['is', 'page', '/']]), 9);
});

test('[C-PUB-6][T54] filtered statistics end with the hour before this one, and say so', async () => {
	const today = '2026-11-08';
	const hits = (times: number, time: string) => ({
		times,
		date: today,
		time: `${today} ${time}`,
		country: 'DE',
	});
	const id = await visitedBy([hits(4, '09:20:00.000'), hits(5, '12:39:58.000')]);
	const asked = { period: 'today', interval: 'hour', metrics: ['visitors', 'visits'], compare: 'previous' };
	const all = await askPage(id, asked);
	assert.deepEqual(
		[all.data.totals.visitors, all.meta.as_of > `${today}T12:40`, all.data.series.length],
		[9, true, 13],
	);
	const { data, meta } = await askPage(id, { ...asked, filters: ['is', 'country', 'DE'] });
	assert.deepEqual(
		[data.totals.visitors, meta.as_of, data.series.map(({ visitors }) => visitors)],
		[4, `${today}T12:00:00.000Z`, [0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0]],
	);
	assert.equal(data.compared?.series.length, 12);
	const own = await askPage(id, { ...asked, filters: ['is', 'country', 'DE'] }, owner.api);
	assert.deepEqual([own.data.totals.visitors, own.data.series.length], [9, 13]);
});

test('[C-PUB-7][T54] rows of filtered statistics that stand for fewer than 3 are one row', async () => {
	const id = await visitedBy([
		{ times: 8, country: 'DE', browser: 'Firefox', path: '/a' },
		{ times: 6, country: 'DE', browser: 'Chrome', path: '/b' },
		{ times: 2, country: 'DE', browser: 'Safari', path: '/c' },
		{ times: 1, country: 'DE', browser: 'Opera', path: '/d' },
		{ times: 5, country: 'AT', browser: 'Firefox', path: '/a' },
		{ times: 4, country: 'AT', browser: 'Chrome', path: '/b' },
		{ times: 3, country: 'AT', browser: 'Safari', path: '/c' },
		{ times: 3, country: 'AT', browser: 'Opera', path: '/d' },
	]);
	const rows = async (dimension: string, more: object = {}) => {
		const { breakdowns } = (
			await askPage(id, {
				...day,
				metrics: ['visitors'],
				filters: ['is', 'country', 'DE'],
				breakdowns: [{ dimension, ...more }],
			})
		).data;
		return breakdowns[0]?.rows.map(({ value, visitors }) => `${value} ${visitors}`);
	};
	assert.deepEqual(await rows('browser'), ['Firefox 8', 'Chrome 6', '(other) 3']);
	assert.deepEqual(await rows('page'), ['/a 8', '/b 6', '(other) 3']);
	assert.deepEqual(await rows('browser', { sort: 'asc' }), ['Chrome 6', 'Firefox 8', '(other) 3']);
	assert.deepEqual(await rows('browser', { search: 'opera' }), []);
	assert.deepEqual(await rows('browser', { limit: 1 }), ['Firefox 8']);
	// Without a filter every row is exact.
	const { breakdowns } = (
		await askPage(id, { ...day, metrics: ['visitors'], breakdowns: [{ dimension: 'browser' }] })
	).data;
	assert.equal(breakdowns[0]?.rows.length, 4);
	// 17 of 32, of whom 14 are in the two rows: one more of Opera and one less of Safari would be told apart.
	const csv = await anybody(
		'GET',
		`/websites/${id}/stats/browser?${new URLSearchParams({ period: 'custom', from: date, to: date, metrics: 'visitors', filters: '["is","country","DE"]' })}`,
		{ headers: { accept: 'text/csv' } },
	);
	assert.equal(csv.text, 'value,visitors,other\r\nFirefox,8,0\r\nChrome,6,0\r\n(other),3,1\r\n');
});

test('[C-PUB-2][T54] regions have the threshold of cities', async () => {
	const id = await visitedBy([
		{ times: 5, region: 'BE' },
		{ times: 2, region: 'BB' },
		{ times: 1, region: 'SN' },
	]);
	const { breakdowns } = (await askPage(id, { ...day, breakdowns: [{ dimension: 'region' }] })).data;
	assert.deepEqual(
		breakdowns[0]?.rows.map(({ value, visitors }) => [value, visitors]),
		[
			['BE', 5],
			['(other)', 3],
		],
	);
});

test('[C-PUB-8][T54] points of a filtered series cannot be worked out from the whole, nor hours from days', async () => {
	const at = (times: number, hour: string, country = 'DE', on = date) => ({
		times,
		country,
		date: on,
		time: `${on} ${hour}:00:00.000`,
	});
	const before = '2026-11-04';
	const id = await visitedBy([
		at(5, '08'),
		at(4, '09'),
		at(1, '10'),
		at(3, '08', 'AT'),
		at(3, '09', 'AT'),
		at(3, '10', 'AT'),
		at(5, '08', 'DE', before),
		at(2, '09', 'DE', before),
		at(3, '08', 'AT', before),
		at(3, '09', 'AT', before),
	]);
	const filters: Filter = ['is', 'country', 'DE'];
	const series = async (interval: string, more: object = {}) =>
		(await askPage(id, { ...day, interval, filters, ...more })).data.series;
	const hours = (await series('hour')).slice(8, 11);
	assert.deepEqual(
		hours.map(({ visitors, fewer_than }) => [visitors, fewer_than]),
		[
			[5, undefined],
			[null, 3],
			[null, 3],
		],
	);
	const weeks = (await series('hour', { from: '2026-11-01', to: '2026-11-07' })).filter(
		({ visitors }) => visitors !== 0,
	);
	// The 2 and 1 that are too few are 3 together, but not on their own dates.
	assert.deepEqual(
		weeks.map(({ visitors }) => visitors),
		[null, null, 5, null, null],
	);
	assert.deepEqual(
		(await series('day')).map(({ visitors }) => visitors),
		[10],
	);
});

test('[C-PUB-9][T54] conversions of a goal are shown as a filter by that goal would be', async () => {
	const id = await visitedBy([
		{ times: 7, country: 'DE', kind: 'custom', name: 'buy' },
		{ times: 6, country: 'DE' },
		{ times: 1, country: 'AT', kind: 'custom', name: 'buy' },
		{ times: 8, country: 'AT' },
		{ times: 9, country: 'CH' },
	]);
	const made = await owner.api('POST', `/websites/${id}/goals`, {
		json: { name: 'Buy', kind: 'event', pattern: 'buy' },
	});
	assert.equal(made.status, 201, made.text);
	const goal = (made.json as { data: { id: number } }).data.id;
	const asked = {
		...day,
		goal,
		metrics: ['visitors', 'conversions'],
		breakdowns: [{ dimension: 'country', sort_by: 'conversions' }],
	};
	const { totals, breakdowns } = (await askPage(id, asked)).data;
	assert.deepEqual([totals.visitors, totals.conversions], [31, 8]);
	// One of AT: with it, the largest that is not.
	assert.deepEqual(
		breakdowns[0]?.rows.map(({ value, visitors, conversions, fewer_than }) => [
			value,
			visitors,
			conversions,
			fewer_than,
		]),
		[
			['CH', 9, 0, undefined],
			['AT', 9, null, 3],
			['DE', 13, null, 3],
		],
	);
	assert.deepEqual((await askPage(id, { ...asked, filters: ['is', 'country', 'AT'] })).data.totals, {
		visitors: 9,
		conversions: null,
		fewer_than: 3,
	});
});

test('[C-LIVE-8][T54] the public is not shown what one or two visitors do now', async () => {
	const today = '2026-11-08';
	const now = (times: number, path: string, country: string) => ({
		times,
		date: today,
		time: `${today} 12:37:00.000`,
		path,
		country,
	});
	const live = async (id: number) =>
		(
			(await anybody('GET', `/websites/${id}/live`)).json as {
				data: Record<string, unknown> & { minutes: { visitors: number; pageviews: number | null }[] };
			}
		).data;
	const one = await live(await visitedBy([now(1, '/secret', 'DE')]));
	assert.deepEqual([one.visitors, one.pages, one.sources, one.countries], [1, [], [], []]);
	assert.deepEqual(
		one.minutes.map(({ pageviews }) => pageviews),
		[0, 0, 0, 0, 0, null],
	);
	const four = await live(await visitedBy([now(3, '/a', 'DE'), now(1, '/b', 'AT')]));
	assert.deepEqual([four.visitors, four.pages, four.countries], [4, [], []]);
	assert.equal(four.minutes.at(-1)?.pageviews, 4);
});

/**
 * An attacker asks two questions of one period that differ by one value of the filter, and takes one number from the other.
 * SEED repeats a run; SHARE_PAIRS says how many pairs.
 */
const pairs = sample('SHARE_PAIRS', 4, 300);
const random = seededRandom();
const dates = ['2026-11-06', '2026-11-07', '2026-11-08'];
const kinds = {
	country: ['DE', 'AT', 'CH'],
	browser: ['Firefox', 'Chrome'],
	os: ['Linux', 'macOS'],
	language: ['de', 'en'],
	source: ['', 'Google', 'Bing'],
	page: ['/a', '/b', '/c'],
	event: ['buy', 'sign up'],
	hour: ['9', '10', '12'],
} as const;
type Kind = keyof typeof kinds;
const ofVisits: readonly Kind[] = ['country', 'browser', 'os', 'language', 'source', 'hour'];
/** What an event has itself: vitals can be filtered by it. */
const ofEvents: readonly string[] = ['country', 'browser', 'os', 'page'];

/** One day of one visitor: a visit or two, which may come from different sources. */
function randomVisits(visitor: number): (Partial<Event> & { date: string })[] {
	const visitorDate = random.pick(dates);
	const common = {
		date: visitorDate,
		visitor_id: String(visitor),
		country: random.pick(kinds.country),
		browser: random.pick(kinds.browser),
		os: random.pick(kinds.os),
		language: random.pick(kinds.language),
		region: random.pick(['BE', 'BB', 'W']),
		city: random.pick(['Berlin', 'Werder', 'Wien', 'Graz']),
	};
	// Now is 12:40 on the last of the dates.
	const hours = random.whole(3) === 0 ? [9, 12] : [random.pick([9, 10, 12])];
	return hours.flatMap((hour) => {
		const source = random.pick(kinds.source);
		return Array.from({ length: 1 + random.whole(3) }, (_, n) => {
			const time = `${visitorDate} ${String(hour).padStart(2, '0')}:${String(2 + n * 3).padStart(2, '0')}:00.000`;
			const event = { ...common, source, time, path: random.pick(kinds.page) };
			const kind = random.pick(['pageview', 'pageview', 'custom', 'vital'] as const);
			if (kind === 'custom') return { ...event, kind, name: random.pick(kinds.event) };
			return kind === 'vital' ? { ...event, kind, name: kind, lcp_ms: 900 } : event;
		});
	});
}

type Test = { word: 'is' | 'is_not'; dimension: Kind; values: readonly string[] };
type Tests = { word: 'and' | 'or'; tests: readonly Test[] };

const write = ({ word, tests }: Tests): Filter | undefined => {
	const parts = tests.map(({ word: test, dimension, values }): Filter => [test, dimension, values]);
	return parts.length > 1 ? [word, ...parts] : parts[0];
};
const countOf = (tests: readonly Test[], of: readonly string[]) =>
	tests.filter(({ dimension }) => of.includes(dimension)).length;

function randomTest(tests: readonly Test[]): Test {
	const free = countOf(tests, ofVisits) < 2 ? ofVisits : (['page', 'event'] as const);
	const dimension = random.pick(random.whole(4) === 0 ? (['page', 'event'] as const) : free);
	return {
		word: random.pick(['is', 'is', 'is_not'] as const),
		dimension,
		values: [random.pick(kinds[dimension])],
	};
}

/** A filter, and the same with one value more: in one of its tests, or as another test. */
function randomPair(): [Tests, Tests] {
	const word = random.pick(['and', 'and', 'or'] as const);
	const tests: Test[] = [];
	for (let n = random.whole(3); n > 0; n--) tests.push(randomTest(tests));
	const less = { word, tests };
	const grown = tests[random.whole(Math.max(1, tests.length))];
	const value = grown && kinds[grown.dimension].find((one) => !grown.values.includes(one));
	if (!grown || value === undefined || random.whole(2) === 0)
		return [less, { word, tests: [...tests, randomTest(tests)] }];
	const more = { ...grown, values: [...grown.values, value] };
	return [less, { word, tests: tests.map((test) => (test === grown ? more : test)) }];
}

/** Every number of visitors and visits that an answer shows, by what it is of. */
type Numbers = Map<string, number>;

function numbersOf({ data }: Page): Numbers {
	const numbers: Numbers = new Map();
	const add = (name: string, values: Values) => {
		for (const metric of ['visitors', 'visits', 'conversions'] as const) {
			const value = values[metric];
			if (typeof value === 'number') numbers.set(`${metric} ${name}`, value);
			// What is not shown says so, and nothing of it is left.
			else if (metric === 'visitors') assert.deepEqual([values.fewer_than, values.visits], [3, null], name);
		}
	};
	for (const [name, whole] of [
		['', data],
		['compared', data.compared],
	] as const) {
		if (!whole) continue;
		add(`${name} in all`, whole.totals);
		for (const point of whole.series) add(`${name} at ${point.time}`, point);
	}
	for (const { dimension, rows } of data.breakdowns)
		for (const row of rows) if (!row.other) add(`by ${dimension} ${row.value}`, row);
	return numbers;
}

const isFew = (count: number) => Math.abs(count) === 1 || Math.abs(count) === 2;

/** The numbers of one answer among themselves. */
function assertSafe({ data }: Page, isFiltered: boolean, what: string): void {
	const sum = (of: readonly Values[], metric: 'visitors' | 'visits') =>
		of.reduce((all, values) => all + (values[metric] ?? 0), 0);
	for (const whole of isFiltered ? [data, data.compared] : []) {
		if (!whole || whole.totals.visits === null) {
			for (const point of whole?.series ?? []) assert.equal(point.visitors, null, what);
			continue;
		}
		assert.ok(!isFew(whole.totals.visitors ?? 0), `in all ${whole.totals.visitors}: ${what}`);
		for (const [day, points] of [
			['', whole.series],
			...Map.groupBy(whole.series, ({ time }) => time.slice(0, 10)),
		] as const)
			for (const { visitors, visits, time } of points) {
				assert.ok(!isFew(visitors ?? 0), `at ${time} ${visitors}: ${what}`);
				if (day === '') assert.ok(!isFew(whole.totals.visits - (visits ?? 0)), `but ${time}: ${what}`);
			}
		assert.ok(!isFew(whole.totals.visits - sum(whole.series, 'visits')), `but all points: ${what}`);
	}
	for (const { dimension, rows, fewer_than } of data.breakdowns) {
		const isPlace = dimension === 'city' || dimension === 'region';
		if (!isFiltered && !isPlace) continue;
		const { visitors: all, visits } = data.totals;
		if (all === null || visits === null) {
			assert.deepEqual([rows.length, fewer_than], [0, 3], what);
			continue;
		}
		const shown = rows.filter(({ other }) => !other);
		for (const { value, visitors, other } of rows) {
			assert.ok(!isFew(visitors ?? 0), `${dimension} ${value} ${visitors}: ${what}`);
			if (!other)
				assert.ok(!isFew(all - (visitors ?? 0)), `but ${dimension} ${value} ${visitors} of ${all}: ${what}`);
		}
		if (!['page', 'event'].includes(dimension) && rows.length > 0)
			assert.ok(!isFew(visits - sum(shown, 'visits')), `but all of ${dimension}: ${what}`);
	}
}

test(`[C-PUB-4][T54] no two questions that differ by one filter value differ by one or two people (SEED=${random.seed})`, async (t) => {
	const { id } = websiteOf(await owner.api('POST', '/websites', { form: { domain: freshDomain('p') } }), 201);
	const events = Array.from({ length: 90 }, (_, visitor) => randomVisits(visitor + 1)).flat();
	await storeEvents(
		w,
		id,
		events.map((event, n) => ({ ...event, event_id: String(n + 1) })),
	);
	const made = async (what: string, json: object) => {
		const answer = await owner.api('POST', `/websites/${id}/${what}`, { json });
		assert.equal(answer.status, 201, answer.text);
		return (answer.json as { data: { id: number } }).data.id;
	};
	const goal = await made('goals', { name: 'Buy', kind: 'event', pattern: 'buy' });
	const funnel = await made('funnels', { name: 'Way', steps: [{ page: '/a' }, { page: '/b' }] });
	const periods: Record<string, string>[] = [
		{ period: 'custom', from: '2026-11-06', to: '2026-11-08', interval: 'day' },
		{ period: 'custom', from: '2026-11-06', to: '2026-11-07', interval: 'hour' },
		{ period: 'today', interval: 'hour' },
		{ period: '24h', interval: 'day', compare: 'previous' },
		{
			period: '7d',
			interval: 'day',
			compare: 'custom',
			compare_from: '2026-11-06',
			compare_to: '2026-11-07',
		},
	];
	const dimensions = [...Object.keys(kinds), 'weekday', 'entry_page', 'city', 'region', 'goal'];
	const get = async <Of>(path: string, query: Record<string, string>): Promise<Of> => {
		const answer = await anybody('GET', `/websites/${id}/${path}?${new URLSearchParams(query)}`);
		assert.equal(answer.status, 200, answer.text);
		// Its shape is what the tests of its route are about.
		return answer.json as Of;
	};
	type About = { period: Record<string, string>; what: Record<string, string>; by: readonly string[] };
	/** Part by part, so that each has its five seconds. */
	const ask = async (tests: Tests, { period, what, by }: About): Promise<Numbers> => {
		const filters = write(tests);
		const { interval: _, compare, compare_from, compare_to, ...dates } = period;
		const query = { ...dates, ...(filters && { filters: JSON.stringify(filters) }) };
		const page = await get<Page>('stats', { ...period, ...query, ...what });
		page.data.breakdowns = [];
		for (const dimension of by) {
			const { data: rows, meta } = await get<{ data: TableRow[]; meta: { total: number; fewer_than?: 3 } }>(
				`stats/${dimension}`,
				{ ...query, ...what, per_page: '50' },
			);
			page.data.breakdowns.push({ ...meta, dimension, rows });
		}
		assertSafe(page, filters !== undefined, JSON.stringify([filters, period, what]));
		const numbers = numbersOf(page);
		const { data } = await get<{ data: { steps: { step: number; visitors: number | null }[] } }>(
			`funnels/${funnel}/stats`,
			query,
		);
		for (const { step, visitors } of data.steps) if (visitors !== null) numbers.set(`step ${step}`, visitors);
		if (tests.tests.every(({ dimension }) => ofEvents.includes(dimension))) {
			const vitals = await get<{
				data: { name: string; samples: number; fewer_than?: 3; pages: { page: string; samples: number }[] }[];
			}>('vitals', query);
			for (const { name, samples, fewer_than, pages } of vitals.data) {
				if (!fewer_than) numbers.set(`vital ${name}`, samples);
				for (const { page: path, samples: its } of pages) numbers.set(`vital ${name} ${path}`, its);
			}
		}
		return numbers;
	};
	let compared = 0;
	for (let n = 0; n < pairs; n++) {
		const [less, more] = randomPair();
		const period = random.pick(periods);
		const by = [...new Set([1, 2].map(() => random.pick(dimensions)))];
		const hasGoal = more.tests.flatMap(({ values }) => values).length < 3 && random.whole(2) === 0;
		const what: Record<string, string> = hasGoal
			? { goal: String(goal), metrics: 'visitors,visits,conversions' }
			: { metrics: 'visitors,visits' };
		const about = { period, what, by };
		const [one, two, all] = [
			await ask(less, about),
			await ask(more, about),
			await ask({ word: 'and', tests: [] }, about),
		];
		for (const [first, second] of [
			[one, two],
			[one, all],
			[two, all],
		] as const)
			for (const [name, number] of first) {
				const other = second.get(name);
				if (other === undefined) continue;
				compared++;
				assert.ok(
					!isFew(number - other),
					`${name}: ${number} and ${other}, of ${JSON.stringify([write(less), write(more), about])}`,
				);
			}
	}
	t.diagnostic(`${pairs} pairs, ${compared} numbers compared`);
	assert.ok(compared > 5 * pairs, String(compared));
});

test('[C-PUB-10][T54] filtered funnels and web vitals keep to the same rules', async () => {
	const id = await visitedBy(
		[
			...Array.from({ length: 6 }, (_, n) => ({ visitor_id: String(n + 1), country: 'DE' })),
			...Array.from({ length: 5 }, (_, n) => ({ visitor_id: String(n + 11), country: 'AT' })),
		].flatMap((one, n) => [
			{ ...one, times: 1, path: '/a', event_id: String(3 * n + 1), time: `${date} 10:00:00.000` },
			// One of each country does not come to the second page.
			...(n % 6 === 5
				? []
				: [{ ...one, times: 1, path: '/b', event_id: String(3 * n + 2), time: `${date} 10:01:00.000` }]),
			{
				...one,
				times: 1,
				kind: 'vital' as const,
				name: 'vital',
				lcp_ms: 900,
				path: n % 6 === 5 ? '/b' : '/a',
				event_id: String(3 * n + 3),
				time: `${date} 10:02:00.000`,
			},
		]),
	);
	const made = await owner.api('POST', `/websites/${id}/funnels`, {
		json: { name: 'Way', steps: [{ page: '/a' }, { page: '/b' }] },
	});
	assert.equal(made.status, 201, made.text);
	const query = (filters: Filter) =>
		new URLSearchParams({ period: 'custom', from: date, to: date, filters: JSON.stringify(filters) });
	const steps = async (filters: Filter, caller = anybody) => {
		const path = `/websites/${id}/funnels/${(made.json as { data: { id: number } }).data.id}/stats?${query(filters)}`;
		const { data } = (await caller('GET', path)).json as {
			data: {
				steps: { visitors: number | null; visits: number | null; drop_off: number | null; fewer_than?: 3 }[];
			};
		};
		return data.steps.map(({ visitors, visits, fewer_than }) => [visitors, visits, fewer_than]);
	};
	const germany: Filter = ['is', 'country', 'DE'];
	assert.deepEqual(await steps(germany), [
		[6, 6, undefined],
		[null, null, 3],
	]);
	assert.deepEqual(await steps(germany, owner.api), [
		[6, 6, undefined],
		[5, 5, undefined],
	]);
	const vitals = async (filters: Filter, caller = anybody) => {
		const { data } = (await caller('GET', `/websites/${id}/vitals?${query(filters)}`)).json as {
			data: { name: string; samples: number; fewer_than?: 3; pages: { page: string; samples: number }[] }[];
		};
		const [lcp] = data.filter(({ name }) => name === 'lcp');
		return [lcp?.samples, lcp?.fewer_than, lcp?.pages.map(({ page, samples }) => `${page} ${samples}`)];
	};
	// On /b there is one sample, which the whole would give away.
	assert.deepEqual(await vitals(germany), [6, undefined, []]);
	assert.deepEqual(await vitals(germany, owner.api), [6, undefined, ['/a 5', '/b 1']]);
	assert.deepEqual(await vitals(['is', 'page', '/b']), [0, 3, []]);
});
