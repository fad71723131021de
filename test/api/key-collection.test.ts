import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { z } from 'zod';
import { hasKeyForm } from '../../server/accounts/keys.ts';
import { type Answer, client } from '../support/client.ts';
import { assertProblem, assertStatus, face, freshDomain, websiteOf } from '../support/contract.ts';
import { givePassword, goodPassword, signedIn } from '../support/visitor.ts';
import { world } from '../support/world.ts';

const w = await world({ after });
const record = {
	id: z.int().positive(),
	name: z.string(),
	ending: z.string().length(4),
	access: z.enum(['full', 'read', 'scoped']),
	scopes: z.array(z.string()).nullable(),
	website_ids: z.array(z.int()).nullable(),
	expires_at: z.iso.datetime().nullable(),
	networks: z.array(z.string()).nullable(),
	created_at: z.iso.datetime(),
	last_used_at: z.iso.datetime().nullable(),
};
const keySchema = z.strictObject(record);
const shownSchema = z.strictObject({ data: z.strictObject({ ...record, key: z.string() }) });
function shownOf(answer: Answer, status: number) {
	assertStatus(answer, status);
	assert.equal(answer.headers['cache-control'], 'no-store');
	const { data } = shownSchema.parse(answer.json);
	assert.ok(hasKeyForm(data.key) && data.key.endsWith(data.ending));
	return data;
}
const keysOf = (answer: Answer) => {
	assertStatus(answer, 200);
	return z
		.object({ data: z.array(keySchema), meta: z.object({ total: z.int() }), links: z.object({}) })
		.parse(answer.json);
};
const statusOf = async (key: string) => (await client(w.base, key)('GET', '/websites')).status;

test('[C-KEY-14] a key is made by a form or JSON, shown once, and works at once', async () => {
	const owner = await w.account({ timezone: 'UTC' });
	const made = await owner.api('POST', '/keys', { form: { name: ' Deploys ' } });
	const { key, ...shown } = shownOf(made, 201);
	assert.equal(made.headers.location, `${w.publicUrl}/api/v1/keys/${shown.id}`);
	assert.deepEqual(
		{ ...shown, id: 0, created_at: '', ending: '' },
		{
			id: 0,
			name: 'Deploys',
			ending: '',
			access: 'full',
			scopes: null,
			website_ids: null,
			expires_at: null,
			networks: null,
			created_at: '',
			last_used_at: null,
		},
	);
	const listed = await owner.api('GET', '/keys');
	assert.equal(keysOf(listed).meta.total, 2, 'the first key and this one');
	assert.deepEqual(keysOf(listed).data[1], shown);
	assert.ok(!listed.text.includes(key));
	const single = await owner.api('GET', `/keys/${shown.id}`);
	assert.deepEqual(single.json, { data: shown });
	assert.equal(await statusOf(key), 200);

	const website = websiteOf(await owner.api('POST', '/websites', { form: { domain: freshDomain() } }), 201);
	const json = { name: 'Reader', access: 'read', website_ids: [website.id, website.id] };
	const limited = shownOf(await owner.api('POST', '/keys', { json }), 201);
	assert.deepEqual([limited.access, limited.website_ids], ['read', [website.id]]);
	const api = client(w.base, limited.key);
	assert.equal((await api('GET', `/websites/${website.id}`)).status, 200);
	assertProblem(await api('PUT', `/websites/${website.id}`, { form: { email: '1' } }), 'forbidden');
});

test('[C-KEY-14] a form limits a key to websites: repeated, with commas, with brackets, as JSON text', async () => {
	const owner = await w.account({ timezone: 'UTC' });
	const make = async () =>
		websiteOf(await owner.api('POST', '/websites', { form: { domain: freshDomain() } }), 201).id;
	const [a, b, other] = [await make(), await make(), await make()];
	for (const ids of [
		`website_ids[]=${a}&website_ids[]=${b}`,
		`website_ids%5B%5D=${a}&website_ids%5B%5D=${b}`,
		`website_ids=${a}&website_ids=${b}`,
		`website_ids=${a},${b}&website_ids=${a}`,
		`website_ids[0]=${a}&website_ids[1]=${b}`,
		`website_ids=[${a},${b}]`,
	]) {
		const made = shownOf(await owner.api('POST', '/keys', { form: `name=Form&${ids}` }), 201);
		assert.deepEqual(made.website_ids, [a, b], ids);
		const api = client(w.base, made.key);
		assert.equal((await api('GET', `/websites/${a}`)).status, 200);
		assertProblem(await api('GET', `/websites/${other}`), 'not_found');
	}
	// What names no website must not become a key for all of them.
	for (const ids of [
		'website_ids[]=',
		'website_ids=',
		'website_ids=,',
		'website_ids=[]',
		'website_ids[x]=1',
		'website_ids=1.5',
	])
		assertProblem(await owner.api('POST', '/keys', { form: `name=Form&${ids}` }), 'validation_failed', [
			'website_ids',
		]);
	assert.equal(shownOf(await owner.api('POST', '/keys', { form: 'name=Form' }), 201).website_ids, null);
});

test('[C-KEY-14] what is no key is refused', async () => {
	const owner = await w.account({ timezone: 'UTC' });
	const stranger = await w.account({ timezone: 'UTC' });
	const foreign = websiteOf(
		await stranger.api('POST', '/websites', { form: { domain: freshDomain() } }),
		201,
	);
	const bad: [Record<string, unknown>, string][] = [
		[{}, 'name'],
		[{ name: '' }, 'name'],
		[{ name: 'x'.repeat(201) }, 'name'],
		[{ name: 'x', access: 'write' }, 'access'],
		[{ name: 'x', website_ids: [] }, 'website_ids'],
		[{ name: 'x', website_ids: 'all' }, 'website_ids'],
		[{ name: 'x', website_ids: [0] }, 'website_ids'],
		[{ name: 'x', website_ids: [foreign.id] }, 'website_ids'],
		[{ name: 'x', website_ids: [999_999_999] }, 'website_ids'],
	];
	for (const [json, field] of bad)
		assertProblem(await owner.api('POST', '/keys', { json }), 'validation_failed', [field]);
	const missing = await owner.api('POST', '/keys', { json: { name: 'x', website_ids: [999_999_999] } });
	const others = await owner.api('POST', '/keys', { json: { name: 'x', website_ids: [foreign.id] } });
	assert.equal(others.text.replaceAll(`website ${foreign.id}.`, 'website 999999999.'), missing.text);
	assert.equal(keysOf(await owner.api('GET', '/keys')).meta.total, 1);
});

test('[C-KEY-15] rotating and revoking take effect at once', async () => {
	const owner = await w.account({ timezone: 'UTC' });
	const first = shownOf(await owner.api('POST', '/keys', { form: { name: 'x', access: 'read' } }), 201);
	assert.equal(await statusOf(first.key), 200);
	const second = shownOf(await owner.api('POST', `/keys/${first.id}/rotate`), 200);
	assert.deepEqual([second.id, second.name, second.access], [first.id, 'x', 'read']);
	assert.deepEqual([await statusOf(first.key), await statusOf(second.key)], [401, 200]);
	const gone = await owner.api('DELETE', `/keys/${first.id}`);
	assert.deepEqual(gone.json, { data: { id: first.id, object: 'key', deleted: true } });
	assert.equal(await statusOf(second.key), 401);
	for (const [method, path] of [
		['DELETE', ''],
		['GET', ''],
		['POST', '/rotate'],
	] as const)
		assertProblem(await owner.api(method, `/keys/${first.id}${path}`), 'not_found');
});

test('[C-KEY-16] keys of another account do not exist', async () => {
	const owner = await w.account({ timezone: 'UTC' });
	const stranger = await w.account({ timezone: 'UTC' });
	const { id, key } = shownOf(await owner.api('POST', '/keys', { form: { name: 'marker' } }), 201);
	for (const [method, path] of [
		['GET', ''],
		['DELETE', ''],
		['POST', '/rotate'],
	] as const) {
		const foreign = await stranger.api(method, `/keys/${id}${path}`);
		const missing = await stranger.api(method, `/keys/999999999${path}`);
		assert.deepEqual(face(foreign), face(missing));
		assertProblem(foreign, 'not_found');
	}
	assert.ok(!(await stranger.api('GET', '/keys?per_page=100')).text.includes('marker'));
	assert.equal(await statusOf(key), 200);
	for (const odd of ['0', '01', '1e0', 'x', '%31'])
		assertProblem(await owner.api('GET', `/keys/${odd}`), 'not_found');
});

test('[C-KEY-17] only full keys and signed-in owners get at keys', async () => {
	const owner = await w.account({ timezone: 'UTC' });
	await givePassword(w, owner);
	const website = websiteOf(await owner.api('POST', '/websites', { form: { domain: freshDomain() } }), 201);
	const lesser = [{ access: 'read' as const }, { websites: [website.id] }];
	for (const rights of lesser) {
		const { key, id } = await w.key(owner, rights);
		const api = client(w.base, key);
		assertProblem(await api('GET', '/keys'), 'forbidden');
		assertProblem(
			await api('POST', '/keys', { body: 'x', headers: { 'content-type': 'text/odd' } }),
			'forbidden',
		);
		assertProblem(await api('POST', `/keys/${id}/rotate`), 'forbidden');
		assertProblem(await api('DELETE', `/keys/${id}`), 'forbidden');
	}
	const browser = await signedIn(w, owner);
	const made = await browser('POST', '/keys', {
		json: { name: 'From the dashboard', password: goodPassword },
	});
	const { key, id } = shownOf(made, 201);
	assert.equal(await statusOf(key), 200);
	assert.equal((await browser('DELETE', `/keys/${id}`)).status, 200);
	assert.equal(await statusOf(key), 401);
});

test('[C-KEY-18] a hundred keys an account, a page at a time', async () => {
	const owner = await w.account({ timezone: 'UTC' });
	const made = await Promise.all(
		Array.from({ length: 105 }, (_, n) => owner.api('POST', '/keys', { form: { name: `key ${n}` } })),
	);
	assert.equal(made.filter(({ status }) => status === 201).length, 99, 'beside the first one');
	for (const answer of made.filter(({ status }) => status !== 201))
		assertProblem(answer, 'limit_reached', ['name']);
	const pages = await Promise.all(
		['1', '2', '3'].map((page) => owner.api('GET', `/keys?per_page=50&page=${page}`)),
	);
	const ids = pages.flatMap((page) => keysOf(page).data.map(({ id }) => id));
	assert.deepEqual([ids.length, new Set(ids).size], [100, 100]);
	assert.deepEqual(
		ids,
		ids.toSorted((a, b) => a - b),
	);
	assertProblem(await owner.api('GET', '/keys?per_page=7'), 'validation_failed', ['per_page']);
});
