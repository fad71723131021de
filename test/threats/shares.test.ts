import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import type { Event } from '../../server/ingest/event.ts';
import type { Answer } from '../support/client.ts';
import { assertProblem, freshDomain, websiteOf } from '../support/contract.ts';
import { type Filter, openPublicStatistics, type Page } from '../support/public-statistics.ts';
import { storeEvents } from '../support/stored-events.ts';

const date = '2026-11-05';
const { w, owner, anybody } = await openPublicStatistics({ after });

const cities = (id: number, query = '', caller: typeof owner.api = anybody) =>
	caller('GET', `/websites/${id}/stats/city?period=7d&metrics=visitors,visits&${query}`);
type Row = { value: string; visitors: number; visits: number; other?: true };
type List = { data: Row[]; meta: { total: number } };
function listOf(answer: Answer): List {
	assert.equal(answer.status, 200, answer.text);
	// Its shape is what test/api/stats.slow.test.ts is about.
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

test('[C-BRK-13][T54] rows are compared for the public only where they need no threshold', async () => {
	const id = await visited({ Berlin: 3, Werder: 1 });
	const over = `from=${date}&to=${date}&compare=previous`;
	const filter = encodeURIComponent('["is","country",["DE"]]');
	const ask = (caller: typeof owner.api, path: string) => caller('GET', `/websites/${id}/stats/${path}`);
	for (const refused of [
		`city?${over}`,
		`region?${over}`,
		`page?${over}&filters=${filter}`,
		// The comparison of a running period ends at this minute.
		'page?period=today&compare=previous',
		`page?period=today&compare=custom&compare_from=${date}&compare_to=${date}`,
		'page?period=24h&compare=previous',
	]) {
		assertProblem(await ask(anybody, refused), 'validation_failed', ['compare']);
		assert.equal((await ask(owner.api, refused)).status, 200, refused);
	}
	const shown = await ask(anybody, `page?${over}&metrics=visitors`);
	assert.deepEqual((shown.json as { data: object[] }).data[0], {
		value: '/of-Berlin',
		visitors: 3,
		compared: { visitors: 0 },
		change: { visitors: 3 },
	});
});

test('[C-BRK-15][T54] the public cannot divide by two dimensions', async () => {
	const id = await visited({ Berlin: 3, Werder: 1 });
	const path = `/websites/${id}/stats/page?period=7d&by=city`;
	assertProblem(await anybody('GET', path), 'validation_failed', ['by']);
	assert.equal((await owner.api('GET', path)).status, 200);
	const json = { breakdowns: [{ dimension: 'page', by: 'country' }] };
	assertProblem(await anybody('POST', `/websites/${id}/stats/query`, { json }), 'validation_failed', ['by']);
});

test('[C-GRP-10][T54] the public cannot use page groups', async () => {
	const id = await visited({ Berlin: 3 });
	for (const [path, field] of [
		['stats/page_group?period=7d', 'dimension'],
		[`stats?filters=${encodeURIComponent('["is","page_group",["/"]]')}`, 'filters'],
	] as const) {
		assertProblem(await anybody('GET', `/websites/${id}/${path}`), 'validation_failed', [field]);
		assert.equal((await owner.api('GET', `/websites/${id}/${path}`)).status, 200);
	}
	assertProblem(await anybody('GET', `/websites/${id}/path-groups`), 'unauthenticated');
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

// Filtered statistics.

const askPage = async (id: number, json: object, caller: typeof owner.api = anybody): Promise<Page> => {
	const answer = await caller('POST', `/websites/${id}/stats/query`, { json });
	assert.equal(answer.status, 200, `${JSON.stringify(json)} ${answer.text}`);
	// Its shape is what test/api/stats.slow.test.ts is about.
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
		[sent(['matches', 'page', '^/a$']), /not by a part of a value/],
		[sent(['is', 'source', 'google', { case_sensitive: false }]), /case-sensitively/],
		[sent(['is_set', 'property:plan']), /with is, is_not and any_of/],
		[sent(['at_least', 'revenue', 10]), /with is, is_not and any_of/],
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

test('[C-PUB-9][T54] a conversion counts whichever event of the visit meets the filter', async () => {
	const both = (visitor: number) =>
		['sign up', 'buy'].map((name) => ({
			times: 1,
			visitor_id: String(visitor),
			kind: 'custom' as const,
			name,
		}));
	const asked = { ...day, metrics: ['visitors', 'conversions'], filters: ['is', 'event', 'sign up'] };
	for (const [converted, shown] of [
		[1, null],
		[2, null],
		[3, 3],
	] as const) {
		const id = await visitedBy([
			{ times: 9, kind: 'custom', name: 'sign up' },
			{ times: 6, kind: 'custom', name: 'buy' },
			{ times: 9 },
			...Array.from({ length: converted }, (_, index) => both(900 + index)).flat(),
		]);
		const made = await owner.api('POST', `/websites/${id}/goals`, {
			json: { name: 'Buy', kind: 'event', pattern: 'buy' },
		});
		const goal = (made.json as { data: { id: number } }).data.id;
		const { totals } = (await askPage(id, { ...asked, goal })).data;
		assert.deepEqual([totals.visitors, totals.conversions], [9 + converted, shown]);
	}
});

test('[C-LIVE-10] [T109] the feed of events is not there for the public', async () => {
	const id = await visited({ Werder: 5 });
	assertProblem(await anybody('GET', `/websites/${id}/live/feed`), 'unauthenticated');
	assert.equal((await anybody('GET', `/websites/${id}/live`)).status, 200);
	assert.equal((await owner.api('GET', `/websites/${id}/live/feed`)).status, 200);
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
