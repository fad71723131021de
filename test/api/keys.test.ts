import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type Client, client } from '../support/client.ts';
import { assertProblem, freshDomain, listOf, websiteOf } from '../support/contract.ts';
import { world } from '../support/world.ts';

const w = await world({ after });
const owner = await w.account({ timezone: 'UTC' });
const stranger = await w.account({ timezone: 'UTC' });
const create = async (api: Client, domain = freshDomain()) =>
	websiteOf(await api('POST', '/websites', { form: { domain } }), 201);
const one = await create(owner.api);
const two = await create(owner.api);
const three = await create(owner.api);
const foreign = await create(stranger.api);

const reader = client(w.base, (await w.key(owner, { access: 'read' })).key);
const limited = client(w.base, (await w.key(owner, { websites: [one.id, two.id] })).key);
const limitedReader = client(w.base, (await w.key(owner, { access: 'read', websites: [one.id] })).key);

test('[C-KEY-1] a key has the prefix, letters and digits, and enough of them for 256 bits', async () => {
	for (const { key } of [owner, stranger, await w.key(owner, {})]) {
		assert.match(key, /^tm_[0-9A-Za-z]+$/);
		// 43 characters of base62 hold 256 bits.
		assert.ok(key.length >= 3 + 43, `${key.length} characters`);
	}
});

test('[C-KEY-1] no two keys share more than the prefix', async () => {
	const keys = await Promise.all(Array.from({ length: 20 }, () => w.key(owner, {})));
	assert.equal(new Set(keys.map(({ key }) => key.slice(3, 11))).size, 20);
});

test('[C-KEY-2] no answer shows a key again', async () => {
	for (const path of ['/account', '/websites', `/websites/${one.id}`]) {
		const { text } = await owner.api('GET', path);
		assert.equal(text.includes(owner.key), false);
		assert.doesNotMatch(text, /tm_[0-9A-Za-z]{10}/);
	}
});

test('[C-KEY-3] several keys of an account work side by side', async () => {
	for (const { key } of [await w.key(owner, {}), await w.key(owner, { access: 'full' })])
		assert.deepEqual(websiteOf(await client(w.base, key)('GET', `/websites/${one.id}`)), one);
	assert.deepEqual(websiteOf(await owner.api('GET', `/websites/${one.id}`)), one);
});

test('[C-KEY-4] a revoked key is 401 at once, its sisters work on', async () => {
	const spent = await w.key(owner, {});
	const sister = await w.key(owner, {});
	const api = client(w.base, spent.key);
	websiteOf(await api('GET', `/websites/${one.id}`));
	await w.revokeKey(spent.id);
	assertProblem(await api('GET', `/websites/${one.id}`), 'unauthenticated');
	websiteOf(await client(w.base, sister.key)('GET', `/websites/${one.id}`));
});

for (const rights of [{}, { access: 'read' as const }, { websites: [one.id] }])
	test(`[C-KEY-5] rotating a key with ${JSON.stringify(rights)} keeps its rights and ends the former one`, async () => {
		const former = await w.key(owner, rights);
		const faceOf = async (key: string) => ({
			total: listOf(await client(w.base, key)('GET', '/websites')).meta.total,
			account: (await client(w.base, key)('GET', '/account')).status,
			write: (await client(w.base, key)('PUT', `/websites/${one.id}`)).status,
		});
		const before = await faceOf(former.key);
		const next = await w.rotateKey(former.id);
		assert.notEqual(next.key, former.key);
		assertProblem(await client(w.base, former.key)('GET', '/websites'), 'unauthenticated');
		assert.deepEqual(await faceOf(next.key), before);
	});

test('[C-KEY-6] a key that was made without further words may do everything', async () => {
	const api = client(w.base, (await w.key(owner, {})).key);
	const website = await create(api);
	const put = await api('PUT', `/websites/${website.id}`, { form: { favorite: '1' } });
	assert.equal(websiteOf(put).favorite, 1);
	assert.equal(
		(await api('PUT', `/websites/${website.id}/domain`, { form: { domain: freshDomain() } })).status,
		200,
	);
	assert.equal((await api('DELETE', `/websites/${website.id}`)).status, 200);
	assert.equal((await api('GET', '/account')).status, 200);
});

test('[C-KEY-7] a read key reads', async () => {
	assert.equal(
		listOf(await reader('GET', '/websites?per_page=100')).meta.total,
		listOf(await owner.api('GET', '/websites')).meta.total,
	);
	assert.deepEqual(websiteOf(await reader('GET', `/websites/${one.id}`)), one);
	assert.equal((await reader('GET', '/account')).status, 200);
});

const writes: { name: string; method: string; path: string; call?: Parameters<Client>[2] }[] = [
	{ name: 'create', method: 'POST', path: '/websites', call: { form: { domain: 'read.example' } } },
	{ name: 'create with a bad field', method: 'POST', path: '/websites', call: { form: { domain: '' } } },
	{
		name: 'create with broken JSON',
		method: 'POST',
		path: '/websites',
		call: { body: '{', headers: { 'content-type': 'application/json' } },
	},
	{
		name: 'create as text',
		method: 'POST',
		path: '/websites',
		call: { body: 'x', headers: { 'content-type': 'text/plain' } },
	},
	{ name: 'update', method: 'PUT', path: `/websites/${one.id}`, call: { form: { favorite: '1' } } },
	{ name: 'an empty update', method: 'PUT', path: `/websites/${one.id}` },
	{
		name: 'update with a bad field',
		method: 'PUT',
		path: `/websites/${one.id}`,
		call: { form: { privacy: '9' } },
	},
	{ name: 'PATCH', method: 'PATCH', path: `/websites/${one.id}`, call: { json: { email: 1 } } },
	{
		name: 'rename',
		method: 'PUT',
		path: `/websites/${one.id}/domain`,
		call: { form: { domain: 'other.example' } },
	},
	{ name: 'delete', method: 'DELETE', path: `/websites/${one.id}` },
];
for (const { name, method, path, call } of writes)
	test(`[C-KEY-7] ${name} with a read key is 403 and changes nothing`, async () => {
		assertProblem(await reader(method, path, call), 'forbidden');
		assert.deepEqual(websiteOf(await owner.api('GET', `/websites/${one.id}`)), one);
	});

for (const id of [String(foreign.id), '999999999', 'abc', '01'])
	test(`[C-KEY-8] writing to ${id === String(foreign.id) ? 'a foreign id' : id} with a read key is 404`, async () => {
		for (const [method, path] of [
			['PUT', `/websites/${id}`],
			['PATCH', `/websites/${id}`],
			['DELETE', `/websites/${id}`],
			['PUT', `/websites/${id}/domain`],
		] as const)
			assertProblem(await reader(method, path), 'not_found');
	});

test('[C-KEY-9] a limited key lists, counts and finds its websites alone', async () => {
	const list = listOf(await limited('GET', '/websites?sort=asc'));
	assert.deepEqual(list.data, [one, two]);
	assert.equal(list.meta.total, 2);
	assert.equal(listOf(await limited('GET', `/websites?search=${three.domain}`)).meta.total, 0);
	assert.equal(listOf(await limited('GET', '/websites?favorite=0')).meta.total, 2);
	assert.deepEqual(websiteOf(await limited('GET', `/websites/${two.id}`)), two);
});

test('[C-KEY-9] for a limited key the other websites of the account do not exist', async () => {
	const absent = await limited('GET', '/websites/999999999');
	for (const [method, path] of [
		['GET', `/websites/${three.id}`],
		['PUT', `/websites/${three.id}`],
		['PATCH', `/websites/${three.id}`],
		['DELETE', `/websites/${three.id}`],
		['PUT', `/websites/${three.id}/domain`],
	] as const) {
		const answer = await limited(method, path);
		assertProblem(answer, 'not_found');
		assert.equal(answer.text, absent.text);
	}
	assert.deepEqual(websiteOf(await owner.api('GET', `/websites/${three.id}`)), three);
});

test('[C-KEY-10] a limited key may not create', async () => {
	for (const call of [
		{ form: { domain: freshDomain() } },
		{ form: { domain: '' } },
		{ form: { domain: one.domain } },
	])
		assertProblem(await limited('POST', '/websites', call), 'forbidden');
});

test('[C-KEY-11] a limited key may not read the account', async () => {
	assertProblem(await limited('GET', '/account'), 'forbidden');
	assertProblem(await limitedReader('GET', '/account'), 'forbidden');
});

test('[C-KEY-12] a limited key with full access changes its own websites', async () => {
	const website = await create(owner.api);
	const api = client(w.base, (await w.key(owner, { websites: [website.id] })).key);
	assert.equal(websiteOf(await api('PUT', `/websites/${website.id}`, { form: { email: '1' } })).email, 1);
	const domain = freshDomain();
	assert.equal(
		websiteOf(await api('PUT', `/websites/${website.id}/domain`, { form: { domain } })).domain,
		domain,
	);
	assert.equal((await api('DELETE', `/websites/${website.id}`)).status, 200);
	assert.equal(listOf(await api('GET', '/websites')).meta.total, 0);
});

test('[C-KEY-12] a limited key that only reads changes nothing', async () => {
	assert.deepEqual(listOf(await limitedReader('GET', '/websites')).data, [one]);
	assertProblem(await limitedReader('PUT', `/websites/${one.id}`, { form: { email: '1' } }), 'forbidden');
	assertProblem(await limitedReader('DELETE', `/websites/${one.id}`), 'forbidden');
	assertProblem(await limitedReader('DELETE', `/websites/${two.id}`), 'not_found');
	assertProblem(await limitedReader('POST', '/websites', { form: { domain: freshDomain() } }), 'forbidden');
});

test('[C-KEY-13] the keys of a disabled account are 401, and work again when it is enabled', async () => {
	const { api, email } = await w.account({ timezone: 'UTC' });
	const website = await create(api);
	await w.operate('account.disable', { email, disabled: true });
	assertProblem(await api('GET', `/websites/${website.id}`), 'unauthenticated');
	await w.operate('account.disable', { email, disabled: false });
	assert.deepEqual(websiteOf(await api('GET', `/websites/${website.id}`)), website);
});
