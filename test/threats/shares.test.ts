import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import type { Answer } from '../support/client.ts';
import { assertProblem, freshDomain, websiteOf } from '../support/contract.ts';
import { storeEvents } from '../support/stored-events.ts';
import { visitor } from '../support/visitor.ts';
import { world } from '../support/world.ts';

/** What somebody who is not known to us is shown of a public website. */
const date = '2026-11-05';
const w = await world({ after }, { now: () => new Date('2026-11-08T12:00:00.000Z') });
const owner = await w.account({ timezone: 'UTC' });
const anybody = visitor(() => w.base);

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
	const page = await anybody('POST', `/websites/${id}/stats/page`, {
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

test('[C-PUB-1][T54] no filter by city, however it is written, and no minutes', async () => {
	const id = await visited({ Berlin: 5, Werder: 1 });
	const filters = [
		['is', 'city', 'Werder'],
		['is_not', 'city', ['Berlin']],
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
