import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import pg from 'pg';
import { assertProblem, assertStatus, freshDomain, itemOf, itemsOf, websiteOf } from '../support/contract.ts';
import { until } from '../support/service.ts';
import { world } from '../support/world.ts';

const w = await world({ after });
const owner = await w.account({ timezone: 'UTC' });
const create = async () =>
	websiteOf(await owner.api('POST', '/websites', { form: { domain: freshDomain() } }), 201).id;
const website = await create();
let made = 0;
const post = (json: Record<string, unknown>, at = website) =>
	owner.api('POST', `/websites/${at}/goals`, { json: { name: `Goal ${++made}`, ...json } });
const make = async (json: Record<string, unknown> = {}, at = website) =>
	itemOf('goals', await post({ kind: 'page', pattern: '/thanks', ...json }, at), 201);
const put = (id: number, json: unknown) => owner.api('PUT', `/websites/${website}/goals/${id}`, { json });
const last = async () => itemsOf('goals', await owner.api('GET', `/websites/${website}/goals`)).data[0];

test('[C-GOAL-1] a page and an event', async () => {
	const { id: page, ...first } = await make({ name: 'Thanks' });
	const { created_at, updated_at } = first;
	assert.deepEqual(first, {
		...{ name: 'Thanks', kind: 'page', pattern: '/thanks', property: null },
		...{ created_at, updated_at },
	});
	const event = await make({ kind: 'event', pattern: 'order' });
	assert.equal(event.kind, 'event');
	assert.ok(event.id > page);
	for (const kind of ['Page', 'click', '', null, ['page'], 1])
		assertProblem(await post({ kind, pattern: '/x' }), 'validation_failed', ['kind']);
});

for (const pattern of [
	'/',
	'*',
	'*/thanks',
	'/a*b*c*d*e*',
	`/${'x'.repeat(499)}`,
	`/${'👋'.repeat(499)}`,
	'/50%_\\ "\'`',
	'/a\nb',
])
	test(`[C-GOAL-2] the page ${JSON.stringify(pattern).slice(0, 40)} is taken as it is`, async () => {
		const { id } = await make({ pattern });
		assert.equal((await last())?.pattern, pattern);
		assert.equal((await last())?.id, id);
	});

test('[C-GOAL-2] blanks around a pattern go, and it is composed as paths are', async () => {
	assert.equal((await make({ pattern: ' /cafe\u0301 ' })).pattern, '/caf\u00e9');
});

for (const pattern of [
	'thanks',
	'https://example.com/',
	'?a=1',
	'/a*b*c*d*e*f*',
	`/${'x'.repeat(500)}`,
	'',
	' ',
	'/\0',
])
	test(`[C-GOAL-2][T24] the page ${JSON.stringify(pattern).slice(0, 40)} is 422`, async () => {
		const before = await last();
		assertProblem(await post({ kind: 'page', pattern }), 'validation_failed', ['pattern']);
		assert.deepEqual(await last(), before);
	});

test('[C-GOAL-2] an event needs no slash, and is bounded as a page is', async () => {
	for (const pattern of ['order', '*paid*', 'Bestellung: "groß"'])
		assert.equal((await make({ kind: 'event', pattern })).pattern, pattern);
	for (const pattern of ['******', 'x'.repeat(501), ''])
		assertProblem(await post({ kind: 'event', pattern }), 'validation_failed', ['pattern']);
});

test('[C-GOAL-2] kind and pattern are judged together, also when one of them is stored', async () => {
	const { id } = await make({ kind: 'event', pattern: 'order' });
	assertProblem(await put(id, { kind: 'page' }), 'validation_failed', ['pattern']);
	const changed = itemOf('goals', await put(id, { kind: 'page', pattern: '/order' }));
	assertProblem(await put(id, { pattern: 'order' }), 'validation_failed', ['pattern']);
	for (const name of ['', 5])
		assertProblem(await put(id, { pattern: 'order', name }), 'validation_failed', ['name', 'pattern']);
	assert.deepEqual(itemOf('goals', await put(id, {})), changed);
	itemOf('goals', await put(id, { kind: 'event' }));
});

for (const [sent, stored] of [
	[
		{ name: 'plan', value: 'pro' },
		{ name: 'plan', value: 'pro' },
	],
	[
		{ name: ' plan ', value: 7, more: 1 },
		{ name: 'plan', value: '7' },
	],
	[
		{ name: '__proto__', value: true },
		{ name: '__proto__', value: 'true' },
	],
	[
		{ name: 'x'.repeat(100), value: 'x'.repeat(500) },
		{ name: 'x'.repeat(100), value: 'x'.repeat(500) },
	],
	[
		{ name: 'plan', value: 'pro', test: 'is' },
		{ name: 'plan', value: 'pro' },
	],
	[
		{ name: 'price', value: 19.5, test: 'at_least' },
		{ name: 'price', value: '19.5', test: 'at_least' },
	],
	[
		{ name: 'plan', value: 'p*', test: 'wildcard' },
		{ name: 'plan', value: 'p*', test: 'wildcard' },
	],
	[null, null],
	['', null],
] as const)
	test(`[C-GOAL-3][C-GOAL-5] the property ${JSON.stringify(sent).slice(0, 40)} is taken`, async () => {
		const { id } = await make({ property: sent });
		assert.deepEqual((await last())?.property, stored);
		assert.equal(itemOf('goals', await put(id, { property: null })).property, null);
	});
for (const property of [
	{},
	{ name: 'plan' },
	{ value: 'pro' },
	{ name: '', value: 'x' },
	{ name: 'x', value: '' },
	{ name: 'x'.repeat(101), value: 'x' },
	{ name: 'x', value: 'x'.repeat(501) },
	{ name: 'x', value: null },
	{ name: 'x', value: ['y'] },
	{ name: 'x', value: 'y', test: 'matches' },
	{ name: 'x', value: 'y', test: 5 },
	{ name: 'x', value: 'ten', test: 'at_least' },
	{ name: 'x', value: '1e3', test: 'less_than' },
	{ name: 'x', value: '******', test: 'wildcard' },
	{ name: 'a\0', value: 'x' },
	{ name: ['plan'], value: 'x' },
	['plan', 'pro'],
	'plan=pro',
	'["plan"]',
	5,
])
	test(`[C-GOAL-3] the property ${JSON.stringify(property).slice(0, 40)} is 422`, async () => {
		const answer = await post({ kind: 'event', pattern: 'x', property });
		assertProblem(answer, 'validation_failed', ['property']);
	});

test('[C-GOAL-4] a goal that a funnel or a segment uses stays, and they are named', async () => {
	const site = await create();
	const [used, free] = [await make({}, site), await make({}, site)];
	const steps = [{ page: '/' }, { goal: used.id }];
	const funnels = `/websites/${site}/funnels`;
	const funnel = itemOf(
		'funnels',
		await owner.api('POST', funnels, { json: { name: 'Checkout', steps } }),
		201,
	);
	await owner.api('POST', funnels, { json: { name: 'Another', steps: [{ goal: free.id }, { page: '/' }] } });
	const filters = ['and', ['is', 'country', ['DE']], ['not', ['or', ['is', 'goal', [used.id]]]]];
	const segments = `/websites/${site}/segments`;
	const segment = itemOf(
		'segments',
		await owner.api('POST', segments, { json: { name: 'Buyers', filters } }),
		201,
	);
	const harmless = ['is', 'title', ['x', 'goal', String(used.id)]];
	await owner.api('POST', segments, { json: { name: 'Titles', filters: harmless } });
	const path = `/websites/${site}/goals/${used.id}`;
	const refused = assertProblem(await owner.api('DELETE', path), 'validation_failed', ['goal']);
	assert.equal(
		refused.detail,
		'The goal is used by the funnel "Checkout", the segment "Buyers". Change or delete them first.',
	);
	assertStatus(await owner.api('GET', path), 200);
	assertStatus(await owner.api('DELETE', `${funnels}/${funnel.id}`), 200);
	const still = assertProblem(await owner.api('DELETE', path), 'validation_failed', ['goal']);
	assert.match(still.detail, /by the segment "Buyers"\./);
	const json = { filters: ['is', 'country', ['DE']] };
	assertStatus(await owner.api('PUT', `${segments}/${segment.id}`, { json }), 200);
	assertStatus(await owner.api('DELETE', path), 200);
});

test('[C-GOAL-4] a goal does not vanish while a funnel that needs it is made', async () => {
	const site = await create();
	for (let round = 0; round < 10; round++) {
		const { id } = await make({}, site);
		const json = { name: `Funnel ${round}`, steps: [{ goal: id }, { page: '/' }] };
		const [gone, funnel] = await Promise.all([
			owner.api('DELETE', `/websites/${site}/goals/${id}`),
			owner.api('POST', `/websites/${site}/funnels`, { json }),
		]);
		assert.deepEqual([gone.status, funnel.status].sort(), gone.status === 200 ? [200, 422] : [201, 422]);
	}
});

const revisionOf = async (id: number) => {
	const [row] = await w.sql<{ revision: string }>('SELECT revision FROM goals WHERE id = $1', [id]);
	return Number(row?.revision);
};

test('the revision rises with every change of the condition and with nothing else', async () => {
	const { id } = await make();
	let before = await revisionOf(id);
	for (const [json, rises] of [
		[{ name: 'Another name' }, false],
		[{ pattern: '/thanks' }, false],
		[{}, false],
		[{ pattern: '/danke' }, true],
		[{ kind: 'event' }, true],
		[{ property: { name: 'plan', value: 'pro' } }, true],
		[{ property: { value: 'pro', name: 'plan' } }, false],
		[{ property: { name: 'plan', value: 'pro', test: 'is' } }, false],
		[{ property: { name: 'plan', value: 'pro', test: 'contains' } }, true],
		[{ property: { name: 'plan', value: 'pro', test: 'contains' } }, false],
		[{ property: { name: 'plan', value: 'free' } }, true],
		[{ property: null }, true],
	] as const) {
		assertStatus(await put(id, json), 200);
		const revision = await revisionOf(id);
		assert.equal(revision > before, rises, JSON.stringify(json));
		assert.ok(revision >= before);
		before = revision;
	}
	assert.ok((await revisionOf((await make()).id)) > before, 'a new goal has a revision of its own');
});

test('no revision is given before the website is free, so later commits have higher ones', async (t) => {
	const { id } = await make();
	const given = async () => (await w.sql<{ last_value: string }>('SELECT last_value FROM goal_revisions'))[0];
	const holder = new pg.Client(w.postgresTarget);
	await holder.connect();
	t.after(() => holder.end());
	await holder.query('BEGIN');
	await holder.query('SELECT id FROM websites WHERE id = $1 FOR NO KEY UPDATE', [website]);
	const before = await given();
	const changes = ['/1', '/2', '/3'].map((pattern) => put(id, { pattern }));
	const wait = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
	await until(async () => (await w.sql(wait)).length === 3, 30_000, 'all of them wait');
	assert.deepEqual(await given(), before);
	await holder.query('COMMIT');
	for (const answer of await Promise.all(changes)) assertStatus(answer, 200);
	assert.equal(await revisionOf(id), Number(before?.last_value) + 3);
});
