import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { z } from 'zod';
import type { Event } from '../../server/ingest/event.ts';
import { assertProblem, assertStatus, freshDomain, runsMeta, websiteOf } from '../support/contract.ts';
import { storeEvents } from '../support/stored-events.ts';
import { world } from '../support/world.ts';

const now = new Date('2026-11-15T12:00:00.000Z');
const w = await world({ after }, { now: () => now });
const owner = await w.account({ timezone: 'UTC' });

const share = z.number().min(0).max(1).nullable();
const count = z.int().nonnegative().nullable();
const schema = z.strictObject({
	data: z.strictObject({
		id: z.int(),
		name: z.string(),
		steps: z.array(
			z.strictObject({
				step: z.int(),
				name: z.string(),
				visits: count,
				visitors: count,
				drop_off: share,
				conversion_rate: share,
			}),
		),
	}),
	meta: runsMeta,
});

const idOf = (answer: { json: unknown }) =>
	z.object({ data: z.object({ id: z.int() }) }).parse(answer.json).data.id;

async function make() {
	const { id } = websiteOf(await owner.api('POST', '/websites', { form: { domain: freshDomain() } }), 201);
	const goal = idOf(
		await owner.api('POST', `/websites/${id}/goals`, {
			json: { name: 'Signed up', kind: 'event', pattern: 'signup' },
		}),
	);
	const funnel = idOf(
		await owner.api('POST', `/websites/${id}/funnels`, {
			json: { name: 'Joining', steps: [{ page: '/' }, { page: '/join*' }, { goal }] },
		}),
	);
	return { id, goal, funnel };
}

/** A visit: its events a minute apart, pages by their path and events by their name. */
let ids = 0;
function visit(
	date: string,
	hour: number,
	visitor: number,
	...what: string[]
): (Partial<Event> & { date: string })[] {
	return what.map((text, minute) => {
		const isPage = text.startsWith('/');
		return {
			date,
			time: `${date} ${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}:00.000`,
			visitor_id: String(visitor),
			event_id: String(++ids),
			kind: isPage ? 'pageview' : 'custom',
			name: isPage ? 'pageview' : text,
			path: isPage ? text : '/join/done',
			country: visitor % 2 === 0 ? 'DE' : 'FR',
		};
	});
}

async function ask({ id, funnel }: { id: number; funnel: number }, query = '') {
	const answer = await owner.api('GET', `/websites/${id}/funnels/${funnel}/stats${query}`);
	assertStatus(answer, 200);
	return schema.parse(answer.json);
}

const made = await make();
await storeEvents(w, made.id, [
	...visit('2026-11-14', 9, 1, '/', '/join', 'signup'),
	...visit('2026-11-14', 9, 2, '/', '/about', '/join/now', '/', 'signup'),
	// The same visitor comes again and goes less far.
	...visit('2026-11-14', 15, 2, '/', '/join'),
	...visit('2026-11-15', 9, 4, '/'),
	// In another order, or without the first step.
	...visit('2026-11-15', 9, 6, 'signup', '/join', '/'),
	...visit('2026-11-15', 9, 8, '/join', 'signup'),
	...visit('2026-10-01', 9, 10, '/', '/join', 'signup'),
	// Nobody has no visits.
	...visit('2026-11-15', 9, 0, '/', '/join', 'signup'),
]);

test('[C-STEP-1] each step with its visits, visitors, drop-off and rate', async () => {
	const { data, meta } = await ask(made, '?period=7d');
	assert.deepEqual(data, {
		id: made.funnel,
		name: 'Joining',
		steps: [
			{ step: 1, name: '/', visits: 5, visitors: 4, drop_off: null, conversion_rate: 1 },
			{ step: 2, name: '/join*', visits: 3, visitors: 2, drop_off: 0.4, conversion_rate: 0.6 },
			{ step: 3, name: 'Signed up', visits: 2, visitors: 2, drop_off: 1 / 3, conversion_rate: 0.4 },
		],
	});
	const { ms: _, rows_read: __, ...about } = meta;
	assert.deepEqual(about, {
		from: '2026-11-09',
		to: '2026-11-15',
		timezone: 'UTC',
		as_of: '2026-11-15T12:00:00.000Z',
		answered_from: 'events',
		available_from: null,
		imported: null,
	});
});

test('[C-STEP-3] the time, filters and segments choose visits', async () => {
	const visits = async (query: string) => (await ask(made, query)).data.steps.map((step) => step.visits);
	assert.deepEqual(await visits('?period=today'), [2, 0, 0]);
	assert.deepEqual(await visits(''), [5, 3, 2]);
	assert.deepEqual(await visits('?period=all'), [6, 4, 3]);
	const filters = (json: unknown) => `?filters=${encodeURIComponent(JSON.stringify(json))}`;
	assert.deepEqual(await visits(filters(['is', 'country', ['FR']])), [1, 1, 1]);
	// A filter of events selects visits, and all of their events count.
	assert.deepEqual(await visits(filters(['is', 'page', ['/about']])), [1, 1, 1]);
	assert.deepEqual(await visits(filters(['is_not', 'page', ['/about']])), [4, 2, 1]);
	const segment = idOf(
		await owner.api('POST', `/websites/${made.id}/segments`, {
			json: { name: 'Germans', filters: ['is', 'country', ['DE']] },
		}),
	);
	assert.deepEqual(await visits(`?segment=${segment}`), [4, 2, 1]);
	assert.deepEqual(await visits(`${filters(['is', 'country', ['FR']])}&segment=${segment}`), [0, 0, 0]);
});

test('[C-STEP-1] what nobody has reached has no rates', async () => {
	const { data } = await ask(await make());
	assert.deepEqual(
		data.steps.map(({ visits, visitors, drop_off, conversion_rate }) => [
			visits,
			visitors,
			drop_off,
			conversion_rate,
		]),
		[
			[0, 0, null, null],
			[0, 0, null, null],
			[0, 0, null, null],
		],
	);
});

test('[C-STEP-4] what can no longer be counted is null, with the date from which on it can', async () => {
	const old = await make();
	await storeEvents(w, old.id, [
		...visit('2026-11-02', 9, 1, '/', '/join'),
		...visit('2026-11-12', 9, 1, '/', '/join'),
	]);
	await w.sql('UPDATE websites SET raw_from = $2 WHERE id = $1', [old.id, '2026-11-10']);
	const gone = await ask(old);
	assert.deepEqual(gone.data.steps[0], {
		step: 1,
		name: '/',
		visits: null,
		visitors: null,
		drop_off: null,
		conversion_rate: null,
	});
	assert.equal(gone.meta.available_from, '2026-11-10');
	const there = await ask(old, '?period=custom&from=2026-11-10&to=2026-11-15');
	assert.deepEqual(
		there.data.steps.map(({ visits }) => visits),
		[1, 1, 0],
	);
	assert.equal(there.meta.available_from, null);
});

for (const [query, fields] of [
	['?metrics=visits', ['metrics']],
	['?period=week', ['period']],
	['?filters=%5B', ['filters']],
	['?filters=%5B%22is%22%2C%22colour%22%2C%5B%22red%22%5D%5D', ['filters']],
	['?segment=99999', ['segment']],
	['?goal=1&compare=previous', ['goal', 'compare']],
] as const)
	test(`[C-STEP-5] ${query} is 422`, async () => {
		const answer = await owner.api('GET', `/websites/${made.id}/funnels/${made.funnel}/stats${query}`);
		assertProblem(answer, 'validation_failed', fields);
	});

test('[C-STEP-6] a funnel that is not there, or not of this website, is 404', async () => {
	const other = await make();
	for (const path of [
		`/websites/${made.id}/funnels/${other.funnel}/stats`,
		`/websites/${made.id}/funnels/0${made.funnel}/stats`,
		`/websites/${made.id}/funnels/999999/stats?x=1`,
	])
		assertProblem(await owner.api('GET', path), 'not_found');
	const stranger = await w.account();
	assertProblem(await stranger.api('GET', `/websites/${made.id}/funnels/${made.funnel}/stats`), 'not_found');
});
