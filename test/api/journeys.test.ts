import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { journeysAnswer } from '../../api/journeys.ts';
import type { Event } from '../../server/ingest/event.ts';
import { assertProblem, assertStatus, freshDomain, websiteOf } from '../support/contract.ts';
import { storeEvents } from '../support/stored-events.ts';
import { visitor } from '../support/visitor.ts';
import { world } from '../support/world.ts';

const now = new Date('2026-11-15T12:00:00.000Z');
const w = await world({ after }, { now: () => now });
const owner = await w.account({ timezone: 'UTC' });

const make = async (form: Record<string, string> = {}) =>
	websiteOf(await owner.api('POST', '/websites', { form: { domain: freshDomain(), ...form } }), 201).id;

/** A visit: its events a minute apart, pages by their path and events by their name. */
let ids = 0;
function visit(date: string, visitorId: number, ...what: string[]): (Partial<Event> & { date: string })[] {
	return what.map((text, minute) => {
		const isPage = text.startsWith('/');
		return {
			date,
			time: `${date} 09:${String(minute).padStart(2, '0')}:00.000`,
			visitor_id: String(visitorId),
			event_id: String(++ids),
			kind: isPage ? 'pageview' : 'custom',
			name: isPage ? 'pageview' : text,
			path: isPage ? text : '/form',
			country: visitorId % 2 === 0 ? 'DE' : 'FR',
		};
	});
}

async function ask(id: number, query = '') {
	const answer = await owner.api('GET', `/websites/${id}/journeys${query}`);
	assertStatus(answer, 200);
	return journeysAnswer.parse(answer.json);
}

const id = await make();
await storeEvents(w, id, [
	...visit('2026-11-15', 1, '/', '/pricing', '/pricing', 'signup', '/welcome'),
	...visit('2026-11-14', 2, '/blog', '/', '/pricing'),
	...visit('2026-11-14', 3, '/', '/docs', '/', '/pricing'),
	...visit('2026-11-14', 4, '/'),
	...visit('2026-11-14', 5, '/docs'),
	// In the comparison.
	...visit('2026-11-04', 6, '/', '/pricing'),
	...visit('2026-11-04', 7, '/', '/old'),
	// Nobody has no visits.
	...visit('2026-11-15', 0, '/', '/pricing'),
]);

/** `/pricing 2 50% -1`; other kinds by their name. */
const write = (
	rows: readonly {
		kind: string;
		value: string | null;
		visits: number;
		share: number | null;
		change: number | null;
	}[],
) => rows.map(({ kind, value, visits, share, change }) => [value ?? kind, visits, share, change].join(' '));
const nodesOf = async (query: string, website = id) =>
	(await ask(website, query)).data.steps?.map(({ nodes }) => write(nodes));

test('[C-JRN-2] page groups as the anchor and as steps', async () => {
	const shop = await make();
	await owner.api('PUT', `/websites/${shop}/path-groups`, {
		json: { rules: [{ pattern: '/product/*', target: '/product/:id' }] },
	});
	await storeEvents(w, shop, [
		...visit('2026-11-15', 1, '/', '/product/1', '/product/2', '/cart'),
		...visit('2026-11-15', 2, '/product/3', '/cart'),
		...visit('2026-11-14', 3, '/product/4'),
	]);
	const { data } = await ask(shop, '?period=7d&start=page_group:/product/:id&grouped=1&steps=1');
	assert.deepEqual(data.start, { kind: 'page_group', value: '/product/:id' });
	assert.deepEqual(
		data.steps?.[0]?.nodes.map(({ kind, value, visits }) => [kind, value, visits]),
		[
			['page_group', '/cart', 2],
			['exit', null, 1],
		],
	);
	assert.deepEqual(await nodesOf('?period=7d&grouped=1&steps=2', shop), [
		['/product/:id 1 1 '],
		['/cart 1 1 '],
	]);
	assert.deepEqual(await nodesOf('?period=7d&start=page_group:/product/:id&steps=1', shop), [
		[`/cart 1 ${1 / 3} `, `/product/2 1 ${1 / 3} `, `exit 1 ${1 / 3} `],
	]);
});

test('[C-JRN-1][C-JRN-5] each step with its nodes, exits and links, compared with another period', async () => {
	const { data, meta } = await ask(id, '?period=7d&compare=previous&steps=2');
	assert.deepEqual(data.start, { kind: 'page', value: '/' });
	assert.deepEqual([data.visits, data.compared_visits, data.change], [4, 2, 2]);
	assert.deepEqual(
		data.steps?.map(({ nodes }) => write(nodes)),
		[
			['/pricing 2 0.5 1', '/docs 1 0.25 1', '/old 0 0 -1', 'exit 1 0.25 1'],
			['/ 1 0.25 1', '/welcome 1 0.25 1', 'exit 1 0.25 -1'],
		],
	);
	assert.deepEqual(
		data.steps?.map(({ ended }) => [ended.visits, ended.compared_visits]),
		[
			[0, 0],
			[1, 0],
		],
	);
	assert.deepEqual(data.steps?.[1]?.links[0], {
		from: { kind: 'page', value: '/pricing' },
		to: { kind: 'exit', value: null },
		visits: 1,
		share: 0.25,
		compared_visits: 1,
		change: 0,
	});
	assert.deepEqual(
		data.paths?.map(({ nodes, visits }) => [...nodes.map(({ kind, value }) => value ?? kind), visits]),
		[
			['/pricing', 'exit', 1],
			['exit', 1],
			['/docs', '/', 1],
			['/pricing', '/welcome', 1],
			['/old', 'exit', 0],
		],
	);
	const { ms: _, rows_read: __, ...about } = meta;
	assert.deepEqual(about, {
		from: '2026-11-09',
		to: '2026-11-15',
		compared: { from: '2026-11-02', to: '2026-11-08' },
		timezone: 'UTC',
		as_of: '2026-11-15T12:00:00.000Z',
		answered_from: 'events',
		available_from: null,
		imported: null,
	});
});

test('[C-JRN-2] pages, events and goals, after and before, folded or not, with events or without', async () => {
	const goal = await owner.api('POST', `/websites/${id}/goals`, {
		json: { name: 'Signed up', kind: 'event', pattern: 'sign*' },
	});
	const { data } = goal.json as { data: { id: number } };
	const first = async (query: string) => (await nodesOf(`?period=7d&steps=1&${query}`))?.[0];
	assert.deepEqual(await first('start=page:/pricing&direction=before'), ['/ 3 1 ']);
	assert.deepEqual(await first('start=page:/pricing'), [
		'/welcome 1 0.3333333333333333 ',
		'exit 2 0.6666666666666666 ',
	]);
	assert.deepEqual(await first('start=page:/pricing&folded=0'), [
		'/pricing 1 0.3333333333333333 ',
		'exit 2 0.6666666666666666 ',
	]);
	assert.deepEqual(await first('start=page:/pricing&nodes=all'), [
		'signup 1 0.3333333333333333 ',
		'exit 2 0.6666666666666666 ',
	]);
	assert.deepEqual(await first('start=event:signup&direction=before'), ['/pricing 1 1 ']);
	assert.deepEqual(await first(`start=goal:${data.id}`), ['/welcome 1 1 ']);
	assert.deepEqual((await ask(id, `?start=goal:${data.id}`)).data.start, {
		kind: 'goal',
		value: String(data.id),
		name: 'Signed up',
	});
	// The first event that meets the anchor counts, also before.
	assert.deepEqual(await first('start=page:/&direction=before'), ['/blog 1 0.25 ', 'entry 3 0.75 ']);
	assert.deepEqual(await first('start=page:/none'), []);
});

test('[C-JRN-4] nodes and paths beyond the limits', async () => {
	const { data } = await ask(id, '?period=7d&steps=1&limit=1&paths=1');
	assert.deepEqual(write(data.steps?.[0]?.nodes ?? []), ['/pricing 2 0.5 ', 'other 1 0.25 ', 'exit 1 0.25 ']);
	assert.equal(data.paths?.length, 1);
});

test('[C-JRN-5] the time, filters and segments choose visits', async () => {
	const visits = async (query: string) => (await ask(id, query)).data.visits;
	assert.deepEqual(await visits('?period=today'), 1);
	assert.deepEqual(await visits('?period=all'), 6);
	const filters = (json: unknown) => `?period=7d&filters=${encodeURIComponent(JSON.stringify(json))}`;
	assert.deepEqual(await visits(filters(['is', 'country', ['FR']])), 2);
	// A filter of events selects visits, and all of their events count.
	assert.deepEqual(await nodesOf(`${filters(['is', 'event', ['signup']])}&steps=1`), [['/pricing 1 1 ']]);
});

test('[C-JRN-6] what can no longer be counted is null, with the date from which on it can', async () => {
	const old = await make();
	await storeEvents(w, old, [
		...visit('2026-11-02', 1, '/', '/join'),
		...visit('2026-11-12', 1, '/', '/join'),
	]);
	await w.sql('UPDATE websites SET raw_from = $2 WHERE id = $1', [old, '2026-11-10']);
	const gone = await ask(old);
	const { visits, steps, paths } = gone.data;
	assert.deepEqual([visits, steps, paths], [null, null, null]);
	assert.equal(gone.meta.available_from, '2026-11-10');
	const there = await ask(
		old,
		'?from=2026-11-10&to=2026-11-15&compare=custom&compare_from=2026-11-01&compare_to=2026-11-06',
	);
	assert.deepEqual([there.data.visits, there.data.compared_visits, there.data.change], [1, null, null]);
	assert.equal(there.data.steps?.[0]?.nodes[0]?.compared_visits, null);
});

for (const [query, fields] of [
	['?metrics=visits', ['metrics']],
	['?start=/pricing&steps=6', ['start', 'steps']],
	['?start=goal:999999', ['start']],
	['?direction=up&nodes=links&folded=2', ['direction', 'nodes', 'folded']],
	['?limit=21&paths=0', ['limit', 'paths']],
	['?filters=%5B', ['filters']],
	['?compare=custom', ['compare_from', 'compare_to']],
] as const)
	test(`[C-JRN-7] ${query} is 422`, async () => {
		const answer = await owner.api('GET', `/websites/${id}/journeys${query}`);
		assertProblem(answer, 'validation_failed', fields);
	});

test('[C-JRN-7] a website that the caller cannot see is 404', async () => {
	const stranger = await w.account();
	assertProblem(await stranger.api('GET', `/websites/${id}/journeys?x=1`), 'not_found');
});

test('[C-JRN-8] the links as CSV', async () => {
	const { status, text } = await owner.api('GET', `/websites/${id}/journeys?period=7d&steps=1&limit=1`, {
		headers: { accept: 'text/csv' },
	});
	assert.equal(status, 200);
	assert.deepEqual(text.split('\r\n'), [
		'step,from_kind,from,to_kind,to,visits,share,compared_visits,change',
		'1,page,/,page,/pricing,2,0.5,,',
		'1,page,/,exit,,1,0.25,,',
		'1,page,/,other,,1,0.25,,',
		'',
	]);
});

test('[C-JRN-9] public statistics have no journeys', async () => {
	const shared = await make({ privacy: '0' });
	const anybody = visitor(() => w.base);
	assertStatus(await anybody('GET', `/websites/${shared}/stats`), 200);
	assertProblem(await anybody('GET', `/websites/${shared}/journeys`), 'unauthenticated');
});
