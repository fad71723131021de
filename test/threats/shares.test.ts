import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import type { Principal } from '../../server/accounts/principal.ts';
import { createOpenDays } from '../../server/derive/open-days.ts';
import type { Services } from '../../server/http/call.ts';
import { describeProblem } from '../../server/http/problem.ts';
import { routes } from '../../server/http/routes.ts';
import { AppError } from '../../server/lib/app-error.ts';
import { createLog } from '../../server/lib/log.ts';
import { createStats } from '../../server/stats/ask.ts';
import { openPostgres } from '../../server/store/postgres.ts';
import { freshDomain, websiteOf } from '../support/contract.ts';
import { storeEvents } from '../support/stored-events.ts';
import { world } from '../support/world.ts';

/**
 * What somebody who is not known to us is shown of a public website. The list of routes is called as a door for shares
 * calls it, with a share as the principal.
 */
const now = () => new Date('2026-11-08T12:00:00.000Z');
const date = '2026-11-05';
const w = await world({ after }, { now });
const owner = await w.account({ timezone: 'UTC' });
const log = createLog('silent', () => undefined);
const postgres = openPostgres(w.postgresConnection ?? { connectionString: w.config.databaseUrl ?? '' }, {
	log,
});
const openDays = createOpenDays({ postgres, clickhouse: w.clickhouse, now, log });
after(async () => {
	await openDays.close();
	await postgres.close();
});
const stats = createStats({ postgres, clickhouse: w.clickhouse, openDays, now, engineMemoryMb: 1_024 });
// The routes of statistics ask for no other service.
const services = { postgres, now, stats } as unknown as Services;

type Shown = {
	status: number;
	text: string;
	json: { data: never; meta: Record<string, unknown>; errors?: object };
};

async function call(
	principal: Principal,
	operationId: string,
	{
		id,
		dimension = '',
		query = '',
		body,
		accept = '',
	}: { id: number; dimension?: string; query?: string; body?: object; accept?: string },
): Promise<Shown> {
	const route = routes.find((one) => one.operationId === operationId);
	assert.ok(route, operationId);
	const bytes = Buffer.from(body ? JSON.stringify(body) : '');
	try {
		const { status, text } = await route.handle(
			{
				principal,
				params: { id: String(id), dimension },
				query,
				body: { bytes, contentType: 'application/json', contentEncoding: undefined },
				header: (name) => (name === 'accept' ? accept : undefined),
				mountedAt: 'https://stats.example.test/share',
				signal: new AbortController().signal,
			},
			services,
		);
		return { status, text, json: accept === '' ? JSON.parse(text) : {} };
	} catch (error) {
		if (!(error instanceof AppError)) throw error;
		const { status, text } = describeProblem(error);
		return { status, text, json: JSON.parse(text) };
	}
}

const share = (websiteId: number): Principal => ({ kind: 'share', websiteId });
const cities = (id: number, query = '', principal = share(id)) =>
	call(principal, 'getBreakdown', {
		id,
		dimension: 'city',
		query: `period=7d&metrics=visitors,visits&${query}`,
	});
type Row = { value: string; visitors: number; visits: number; other?: true };
const rowsOf = ({ status, text, json }: Shown): Row[] => {
	assert.equal(status, 200, text);
	return json.data;
};
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
	test(`[T54] by city: ${what}`, async () => {
		const id = await visited(from);
		assert.deepEqual(await shown(id), rows);
		// Who may see the website sees all of it.
		const all = await owner.api('GET', `/websites/${id}/stats/city?period=7d&metrics=visitors&per_page=100`);
		assert.equal((all.json as { meta: { total: number } }).meta.total, Object.keys(from).length);
	});

test('[T54] search, order, pages, tables and statistics pages show nothing more', async () => {
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
	const { json } = await cities(id, 'per_page=10&page=2');
	assert.deepEqual([json.data, json.meta.total], [[], 4]);
	const table = await call(share(id), 'getBreakdown', {
		id,
		dimension: 'city',
		query: 'period=7d&metrics=visitors',
		accept: 'text/csv',
	});
	assert.equal(
		table.text,
		'value,visitors,other\r\nBerlin,9,0\r\nBernau,4,0\r\nBremen,3,0\r\n(other),5,1\r\n',
	);
	const page = await call(share(id), 'getStatsPage', {
		id,
		body: {
			period: '7d',
			metrics: ['visitors', 'bounce_rate'],
			breakdowns: [
				{ dimension: 'city', limit: 2, sort_by: 'visits' },
				{ dimension: 'country' },
				{ dimension: 'city', search: 'e', limit: 1 },
			],
		},
	});
	assert.deepEqual((page.json.data as { breakdowns: unknown }).breakdowns, [
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

test('[T54] no filter by city, however it is written, and no minutes', async () => {
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
		for (const [operation, dimension] of [
			['getStats', ''],
			['getBreakdown', 'page'],
			['getBreakdown', 'city'],
		] as const) {
			const refused = await call(share(id), operation, { id, dimension, query: `period=7d&${query}` });
			assert.deepEqual([refused.status, Object.keys(refused.json.errors ?? {})], [422, ['filters']], query);
			assert.equal((await owner.api('GET', `/websites/${id}/stats?period=7d&${query}`)).status, 200);
		}
	const minutes = `period=custom&from=${date}&to=${date}&interval=minute&metrics=visitors`;
	const refused = await call(share(id), 'getStats', { id, query: minutes });
	assert.deepEqual([refused.status, Object.keys(refused.json.errors ?? {})], [422, ['interval']]);
	assert.equal(
		(await call(share(id), 'getStats', { id, query: minutes.replace('minute', 'hour') })).status,
		200,
	);
	assert.equal((await owner.api('GET', `/websites/${id}/stats?${minutes}`)).status, 200);
});

test('[T54] whatever the cities are, no row is about one or two people, and none is worked out from the others', async () => {
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

test('[T28] a share sees its website and no other, and nothing but statistics', async () => {
	const [id, other] = [await visited({ Berlin: 3 }), await visited({ Berlin: 3 })];
	assert.equal((await cities(id)).status, 200);
	assert.equal((await cities(other, '', share(id))).status, 404);
	assert.equal((await cities(id, '', { kind: 'nobody' })).status, 404);
	for (const operation of ['getWebsite', 'getSettings', 'listWebsites'])
		assert.equal((await call(share(id), operation, { id })).status, 404, operation);
	assert.equal((await call(share(id), 'listMetrics', { id })).status, 200);
});

test('[T28] what an account is shown is not shown to a share that asks the same at the same time', async () => {
	const names = Array.from({ length: 12 }, (_, n) => `City ${String(n).padStart(2, '0')}`);
	const id = await visited({ ...Object.fromEntries(names.map((name) => [name, 3])), Werder: 1 });
	const key: Principal = { kind: 'key', accountId: owner.id, keyId: 1, access: 'read', websiteIds: null };
	const both = await Promise.all(
		Array.from({ length: 10 }, (_, n) => cities(id, 'page=2', n % 2 === 0 ? share(id) : key)),
	);
	for (const [n, answer] of both.entries())
		assert.deepEqual(
			rowsOf(answer).map(({ value }) => value),
			n % 2 === 0 ? ['City 10', '(other)'] : ['City 10', 'City 11', 'Werder'],
		);
});
