import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { changesAnswer } from '../../api/changes.ts';
import type { Event } from '../../server/ingest/event.ts';
import { assertProblem, assertStatus, freshDomain, websiteOf } from '../support/contract.ts';
import { storeEvents } from '../support/stored-events.ts';
import { visitor } from '../support/visitor.ts';
import { world } from '../support/world.ts';

const now = new Date('2026-11-15T12:00:00.000Z');
const w = await world({ after }, { now: () => now });
const owner = await w.account({ timezone: 'UTC' });

type Sent = Partial<Event> & { date: string };

const make = async (form: Record<string, string> = {}) =>
	websiteOf(await owner.api('POST', '/websites', { form: { domain: freshDomain(), ...form } }), 201).id;

async function ask(id: number, query = '') {
	const answer = await owner.api('GET', `/websites/${id}/what-changed?period=today&${query}`);
	assertStatus(answer, 200);
	return changesAnswer.parse(answer.json);
}

const [today, yesterday] = ['2026-11-15', '2026-11-14'];
/** Each of another visitor. */
const views = (count: number, event: Sent): Sent[] =>
	Array.from({ length: count }, () => ({ kind: 'pageview' as const, name: 'pageview', ...event }));

const website = await make();
await storeEvents(w, website, [
	...views(20, { date: yesterday, source: 'Google', path: '/', country: 'DE' }),
	...views(5, { date: yesterday, source: '', path: '/a', country: 'FR' }),
	...views(22, { date: today, source: 'Google', path: '/', country: 'DE' }),
	...views(3, { date: today, source: '', path: '/a', country: 'FR' }),
	...views(8, { date: today, source: 'ChatGPT', path: '/pricing', country: 'DE' }),
	...views(2, { date: today, source: 'ChatGPT', path: '/', country: 'FR' }),
]);

test('[C-CHG-1] the difference, its parts, and the sentence', async () => {
	const { data, meta } = await ask(website);
	assert.deepEqual(
		{ ...data, counts: data.counts.map(({ dimensions, ...count }) => count) },
		{
			metric: 'visits',
			currency: null,
			current: 35,
			compared: 25,
			difference: 10,
			sentence: 'Visits rose by 10 (+40%), mostly from ChatGPT (+10), especially on /pricing (+8).',
			cause: {
				...{ dimension: 'source', value: 'ChatGPT', current: 10, compared: 0, difference: 10 },
				within: { dimension: 'entry_page', value: '/pricing', current: 8, compared: 0, difference: 8 },
			},
			counts: [{ count: 'visits', current: 35, compared: 25, difference: 10 }],
		},
	);
	assert.deepEqual(data.counts[0]?.dimensions[0], {
		dimension: 'source',
		// 10 of 14 visits that moved.
		score: 0.714286,
		rows: [
			{ value: 'ChatGPT', current: 10, compared: 0, difference: 10 },
			{ value: 'Google', current: 22, compared: 20, difference: 2 },
			{ value: '', current: 3, compared: 5, difference: -2 },
		],
		rest: null,
	});
	assert.deepEqual(meta.compared, { from: yesterday, to: yesterday });
	assert.equal(meta.available_from, null);
});

test('[C-CHG-1] what the rows leave is in the rest', async () => {
	const { data } = await ask(website, 'limit=1');
	const [divided] = data.counts[0]?.dimensions ?? [];
	assert.equal(divided?.rows?.length, 1);
	assert.deepEqual(divided?.rest, { current: 25, compared: 25, difference: 0 });
	assert.equal(divided.score, 0.714286);
});

test('[C-CHG-2] a ratio is divided as its numerator and its denominator', async () => {
	const { data } = await ask(website, 'metric=views_per_visit');
	assert.deepEqual(
		data.counts.map(({ count, current, compared, difference }) => ({ count, current, compared, difference })),
		[
			{ count: 'pageviews', current: 35, compared: 25, difference: 10 },
			{ count: 'visits', current: 35, compared: 25, difference: 10 },
		],
	);
	assert.equal(data.current, 1);
	assert.equal(data.difference, 0);
	assert.equal(data.cause, null);
	assert.equal(data.sentence, 'Views per visit: no change (1.0).');
});

test('[C-CHG-2] revenue is divided in one currency, the largest unless another is named', async () => {
	const id = await make();
	const order = (date: string, source: string, revenue: string, currency = 'EUR'): Sent => ({
		...{ date, source, revenue, currency, kind: 'custom', name: 'order' },
	});
	await storeEvents(w, id, [
		order(yesterday, 'Google', '10.1'),
		order(today, 'Google', '10.2'),
		order(today, 'letter', '50.25'),
		order(today, 'letter', '5', 'USD'),
	]);
	const { data } = await ask(id, 'metric=revenue');
	assert.deepEqual(
		[data.currency, data.current, data.compared, data.difference],
		['EUR', 60.45, 10.1, 50.35],
	);
	assert.equal(data.sentence, 'Revenue rose by €50.35 (+499%), mostly from letter (+€50.25).');
	assert.deepEqual(data.counts[0]?.dimensions[0]?.rows, [
		{ value: 'letter', current: 50.25, compared: 0, difference: 50.25 },
		{ value: 'Google', current: 10.2, compared: 10.1, difference: 0.1 },
	]);
	assert.equal((await ask(id, 'metric=revenue&currency=USD')).data.difference, 5);
});

test('[C-CHG-3] visitors in several rows are taken off in the rest', async () => {
	const id = await make();
	const pageviewAt = (time: string, source: string): Sent => ({
		...{ date: today, time: `${today} ${time}:00.000`, visitor_id: '7', kind: 'pageview', name: 'pageview' },
		source,
	});
	await storeEvents(w, id, [pageviewAt('08:00', 'Google'), pageviewAt('10:00', 'letter')]);
	const { data } = await ask(id, 'metric=visitors');
	assert.equal(data.difference, 1);
	const sources = data.counts[0]?.dimensions.find(({ dimension }) => dimension === 'source');
	assert.deepEqual(
		sources?.rows?.map(({ difference }) => difference),
		[1, 1],
	);
	assert.deepEqual(sources.rest, { current: -1, compared: 0, difference: -1 });
	const visits = (await ask(id)).data.counts[0]?.dimensions.find(({ dimension }) => dimension === 'source');
	assert.equal(visits?.rest, null);
});

test('[C-CHG-4] the sentence in a language, and without a single cause', async () => {
	const german = await ask(website, 'language=de');
	assert.equal(
		german.data.sentence,
		'Besuche: 10 mehr (+40\u00a0%), vor allem über ChatGPT (+10), besonders auf /pricing (+8).',
	);
	const id = await make();
	await storeEvents(w, id, [
		...['a', 'b', 'c', 'd'].flatMap((name) => [
			...views(1, { date: yesterday, source: name, path: `/${name}`, city: name }),
			...views(2, { date: today, source: name, path: `/${name}`, city: name }),
		]),
	]);
	const spread = await ask(id);
	assert.equal(spread.data.cause, null);
	assert.equal(spread.data.sentence, 'Visits rose by 4 (+100%), with no single main cause.');
});

test('[C-CHG-4] without a comparison there is nothing to explain', async () => {
	const answer = changesAnswer.parse(
		(await owner.api('GET', `/websites/${website}/what-changed?period=all`)).json,
	);
	assert.equal(answer.data.current, 60);
	assert.equal(answer.data.compared, null);
	assert.equal(answer.data.difference, null);
	assert.equal(answer.data.counts[0]?.dimensions[0]?.rows, null);
	assert.equal(answer.data.sentence, 'Visits: nothing to compare with.');
	assert.equal(answer.meta.compared, null);
});

test('[C-CHG-5] filters and segments select as elsewhere', async () => {
	const filters = encodeURIComponent(JSON.stringify(['is', 'country', 'FR']));
	const { data } = await ask(website, `filters=${filters}`);
	assert.deepEqual([data.current, data.compared, data.difference], [5, 5, 0]);
	assert.equal(data.sentence, 'Visits: no change (5).');
	// Also within the cause.
	const id = await make();
	await storeEvents(w, id, [
		...views(9, { date: today, source: 'letter', path: '/de', country: 'DE' }),
		...views(3, { date: today, source: 'letter', path: '/fr', country: 'FR' }),
		...views(1, { date: yesterday, source: 'Google', path: '/', country: 'FR' }),
	]);
	assert.deepEqual((await ask(id, `filters=${filters}`)).data.cause, {
		...{ dimension: 'source', value: 'letter', current: 3, compared: 0, difference: 3 },
		within: { dimension: 'entry_page', value: '/fr', current: 3, compared: 0, difference: 3 },
	});
});

test('[C-CHG-6] what is not available is null, and the answer says from when it is', async () => {
	const id = await make();
	await storeEvents(w, id, [...views(3, { date: today }), ...views(2, { date: yesterday })]);
	await w.sql('UPDATE websites SET raw_from = $2 WHERE id = $1', [id, today]);
	const { data, meta } = await ask(id);
	assert.deepEqual([data.current, data.compared, data.difference], [3, null, null]);
	assert.equal(meta.available_from, today);
	for (const { rows, rest, score } of data.counts[0]?.dimensions ?? [])
		assert.deepEqual({ rows, rest, score }, { rows: null, rest: null, score: null });
});

for (const [query, fields] of [
	['compare=none', ['compare']],
	['metric=reach', ['metric']],
	['metric=conversions', ['metrics']],
	['metrics=visits&interval=day', ['interval', 'metrics']],
	['currency=EUR', ['currency']],
	['metric=revenue&currency=euro', ['currency']],
	['limit=0', ['limit']],
	['language=xx', ['language']],
	['filters=%5B', ['filters']],
] as const)
	test(`[C-CHG-7] ${query} is 422`, async () => {
		const answer = await owner.api('GET', `/websites/${website}/what-changed?${query}`);
		assertProblem(answer, 'validation_failed', fields);
	});

test('[C-CHG-7] a website that the key cannot see is 404, and shares see none of it', async () => {
	const stranger = await w.account();
	assertProblem(await stranger.api('GET', `/websites/${website}/what-changed?x=1`), 'not_found');
	const answer = await visitor(() => w.base)('GET', `/websites/${website}/what-changed`);
	assert.equal(answer.status, 401);
});

test('[C-CHG-8][T41] as a table: the total, the values and the rest, formulas as text', async () => {
	const id = await make();
	await storeEvents(w, id, [
		...views(2, { date: today, source: '=1+1' }),
		...views(1, { date: today, source: 'b' }),
	]);
	const answer = await owner.api('GET', `/websites/${id}/what-changed?period=today&limit=1`, {
		headers: { accept: 'text/csv' },
	});
	assert.equal(answer.status, 200, answer.text);
	const lines = answer.text.split('\r\n');
	assert.deepEqual(lines.slice(0, 2), [
		'count,dimension,value,current,compared,difference,other',
		'visits,,,3,0,3,0',
	]);
	assert.ok(lines.includes("visits,source,'=1+1,2,0,2,0"));
	assert.ok(lines.includes('visits,source,(other),1,0,1,1'));
	assert.match(String(answer.headers['content-disposition']), /-changes-visits-2026-11-15-2026-11-15\.csv"$/);
});
