import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { client, send } from '../support/client.ts';
import { assertProblem, assertStatus, face, freshDomain, listOf, websiteOf } from '../support/contract.ts';
import { headerOf, wireRequest } from '../support/wire.ts';
import { world } from '../support/world.ts';

const w = await world({ after });
const owner = await w.account({ timezone: 'UTC' });
const stranger = await w.account({ timezone: 'UTC' });
const website = websiteOf(await owner.api('POST', '/websites', { form: { domain: freshDomain() } }), 201);
const nobody = client(w.base);

const operations: { name: string; method: string; path: string; form?: Record<string, string> }[] = [
	{ name: 'list', method: 'GET', path: '/websites' },
	{ name: 'get', method: 'GET', path: `/websites/${website.id}` },
	{ name: 'create', method: 'POST', path: '/websites', form: { domain: 'nobody.example' } },
	{ name: 'update', method: 'PUT', path: `/websites/${website.id}`, form: { favorite: '1' } },
	{ name: 'update by PATCH', method: 'PATCH', path: `/websites/${website.id}`, form: { favorite: '1' } },
	{ name: 'delete', method: 'DELETE', path: `/websites/${website.id}` },
	{
		name: 'rename',
		method: 'PUT',
		path: `/websites/${website.id}/domain`,
		form: { domain: 'taken-away.example' },
	},
	{ name: 'account', method: 'GET', path: '/account' },
];

for (const { name, method, path, form } of operations) {
	test(`[C-AUTH-1] ${name} without a key is 401, with and without Accept`, async () => {
		for (const headers of [{}, { accept: 'application/json' }]) {
			const answer = await nobody(method, path, form ? { form, headers } : { headers });
			assertProblem(answer, 'unauthenticated');
			assert.equal(answer.headers['www-authenticate'], 'Bearer');
		}
		assert.deepEqual(websiteOf(await owner.api('GET', `/websites/${website.id}`)), website);
	});
}

test('[C-AUTH-1] openapi.json and OPTIONS need no key', async () => {
	assertStatus(await nobody('GET', '/openapi.json'), 200);
	assertStatus(await nobody('OPTIONS', '/websites'), 204);
});

const swapCase = (text: string) =>
	text.replace(/[a-z]/gi, (letter) =>
		letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase(),
	);
const otherLast = (text: string) => text.slice(0, -1) + (text.endsWith('a') ? 'b' : 'a');
const { key } = owner;

const refused: { name: string; header: string }[] = [
	{ name: 'an empty header', header: '' },
	{ name: 'the scheme alone', header: 'Bearer' },
	{ name: 'the scheme and a blank', header: 'Bearer ' },
	{ name: 'the key alone', header: key },
	{ name: 'no blank after the scheme', header: `Bearer${key}` },
	{ name: 'Basic with the key as password', header: `Basic ${Buffer.from(`api:${key}`).toString('base64')}` },
	{ name: 'the scheme Token', header: `Token ${key}` },
	{ name: 'a word that is no key', header: 'Bearer wrong' },
	{ name: 'a key without its last character', header: `Bearer ${key.slice(0, -1)}` },
	{ name: 'a key with one character more', header: `Bearer ${key}0` },
	{ name: 'a key with another last character', header: `Bearer ${otherLast(key)}` },
	{ name: 'a key without its prefix', header: `Bearer ${key.slice(3)}` },
	{ name: 'a key in the other case', header: `Bearer tm_${swapCase(key.slice(3))}` },
	{ name: 'a prefix in capitals', header: `Bearer TM_${key.slice(3)}` },
	{ name: 'the prefix alone', header: 'Bearer tm_' },
	{ name: 'a key in quotes', header: `Bearer "${key}"` },
	{ name: 'a key and another word', header: `Bearer ${key} more` },
	{ name: 'two keys with a comma', header: `Bearer ${key}, Bearer ${key}` },
	{ name: 'a long run of letters', header: `Bearer tm_${'a'.repeat(4_000)}` },
	{ name: 'SQL', header: `Bearer tm_' OR '1'='1` },
];

test('[C-AUTH-2] every header that is no key gives the same answer', async (t) => {
	const reference = await nobody('GET', '/websites');
	assertProblem(reference, 'unauthenticated');
	assert.equal(reference.headers['www-authenticate'], 'Bearer');
	for (const { name, header } of refused)
		await t.test(`[C-AUTH-2] ${name}`, async () => {
			const answer = await nobody('GET', '/websites', { headers: { authorization: header } });
			assert.deepEqual(face(answer), face(reference));
		});
});

test('[C-AUTH-2] a revoked key gives the same answer as an unknown one', async () => {
	const revoked = await w.key(owner, {});
	await w.revokeKey(revoked.id);
	const answer = await client(w.base, revoked.key)('GET', '/websites');
	assert.deepEqual(face(answer), face(await nobody('GET', '/websites')));
});

const accepted = ['Bearer ', 'bearer ', 'BEARER ', 'bEaReR ', 'Bearer   ', 'bearer          '];
for (const scheme of accepted)
	test(`[C-AUTH-3] '${scheme}' before the key is accepted`, async () => {
		const answer = await nobody('GET', `/websites/${website.id}`, {
			headers: { authorization: scheme + key },
		});
		assert.deepEqual(websiteOf(answer), website);
	});

test('[C-AUTH-3] a request of the specification, without Accept, is answered', async () => {
	const answer = await wireRequest(w.base, {
		path: `/api/v1/websites/${website.id}`,
		headers: [['Authorization', `Bearer ${key}`]],
	});
	assert.equal(answer.status, 200);
});

const elsewhere: { name: string; path: string; call: Parameters<typeof nobody>[2] }[] = [
	...['api_key', 'key', 'token', 'access_token', 'apikey', 'authorization'].map((name) => ({
		name: `the query as ${name}`,
		path: `/websites?${name}=${key}`,
		call: {},
	})),
	{ name: 'the query as a whole header', path: `/websites?authorization=Bearer%20${key}`, call: {} },
	{ name: 'a cookie', path: '/websites', call: { headers: { cookie: `tidemark=${key}; key=${key}` } } },
	{ name: 'X-Api-Key', path: '/websites', call: { headers: { 'x-api-key': key } } },
	{
		name: 'Proxy-Authorization',
		path: '/websites',
		call: { headers: { 'proxy-authorization': `Bearer ${key}` } },
	},
];
for (const { name, path, call } of elsewhere)
	test(`[C-AUTH-4] a key in ${name} is no key`, async () => {
		assertProblem(await nobody('GET', path, call), 'unauthenticated');
	});

test('[C-AUTH-4] a key in the body is no key', async () => {
	for (const call of [
		{ form: { domain: freshDomain(), access_token: key, key } },
		{ json: { domain: freshDomain(), access_token: key } },
	])
		assertProblem(await nobody('POST', '/websites', call), 'unauthenticated');
});

const twoLines: { name: string; lines: [string, string][] }[] = [
	{
		name: 'the same key twice',
		lines: [
			['Authorization', `Bearer ${key}`],
			['Authorization', `Bearer ${key}`],
		],
	},
	{
		name: 'a good key, then a wrong one',
		lines: [
			['Authorization', `Bearer ${key}`],
			['Authorization', 'Bearer x'],
		],
	},
	{
		name: 'a wrong key, then a good one',
		lines: [
			['Authorization', 'Bearer x'],
			['authorization', `Bearer ${key}`],
		],
	},
	{
		name: 'Basic, then a good key',
		lines: [
			['Authorization', 'Basic eDp5'],
			['Authorization', `Bearer ${key}`],
		],
	},
	{
		name: 'an empty line, then a good key',
		lines: [
			['Authorization', ''],
			['Authorization', `Bearer ${key}`],
		],
	},
];
for (const { name, lines } of twoLines)
	test(`[C-AUTH-5] two Authorization lines are 401: ${name}`, async () => {
		const answer = await wireRequest(w.base, { path: '/api/v1/websites', headers: lines });
		assert.equal(answer.status, 401);
		assert.equal(headerOf(answer, 'www-authenticate'), 'Bearer');
	});

const hidden: { name: string; method: string; path: string; call?: Parameters<typeof nobody>[2] }[] = [
	{ name: 'an unknown path', method: 'GET', path: '/nothing' },
	{ name: 'an id that is none', method: 'GET', path: '/websites/abc' },
	{ name: 'an id with a percent sign', method: 'GET', path: '/websites/%31' },
	{ name: 'an unknown id', method: 'DELETE', path: '/websites/999999999' },
	{ name: 'a wrong method', method: 'DELETE', path: '/websites' },
	{ name: 'a wrong method on the account', method: 'POST', path: '/account', call: { form: { name: 'x' } } },
	{
		name: 'a wrong content type',
		method: 'POST',
		path: '/websites',
		call: { body: 'x', headers: { 'content-type': 'text/plain' } },
	},
	{
		name: 'broken JSON',
		method: 'POST',
		path: '/websites',
		call: { body: '{', headers: { 'content-type': 'application/json' } },
	},
	{
		name: 'a compressed body',
		method: 'POST',
		path: '/websites',
		call: { body: 'x', headers: { 'content-encoding': 'gzip' } },
	},
	{ name: 'a bad field', method: 'POST', path: '/websites', call: { form: { domain: '' } } },
	{ name: 'a bad list parameter', method: 'GET', path: '/websites?per_page=7' },
	{
		name: 'a duplicate domain',
		method: 'POST',
		path: '/websites',
		call: { form: { domain: website.domain } },
	},
	{
		name: 'a stale If-Match',
		method: 'PUT',
		path: `/websites/${website.id}`,
		call: { headers: { 'if-match': '"x"' } },
	},
	{
		name: 'a bad Idempotency-Key',
		method: 'POST',
		path: '/websites',
		call: { headers: { 'idempotency-key': 'a b' } },
	},
];
for (const { name, method, path, call } of hidden)
	test(`[C-AUTH-6] 401 comes before the fault of ${name}`, async () => {
		assert.deepEqual(face(await nobody(method, path, call)), face(await nobody('GET', '/websites')));
	});

test('[C-AUTH-7] a stranger neither lists, counts nor finds the website', async () => {
	for (const query of ['', `?search=${website.domain}`, '?favorite=0', '?sort_by=domain', '?per_page=100'])
		assert.equal(listOf(await stranger.api('GET', `/websites${query}`)).meta.total, 0);
});

test('[C-AUTH-7] a stranger may hold the same domain, and neither sees the other', async () => {
	const theirs = websiteOf(
		await stranger.api('POST', '/websites', { form: { domain: website.domain } }),
		201,
	);
	assert.notEqual(theirs.id, website.id);
	assert.equal(listOf(await owner.api('GET', `/websites?search=${website.domain}`)).meta.total, 1);
	assertProblem(await owner.api('GET', `/websites/${theirs.id}`), 'not_found');
	const again = await stranger.api('POST', '/websites', { form: { domain: website.domain } });
	assert.equal(assertProblem(again, 'domain_taken', ['domain']).website_id, theirs.id);
});

for (const { name, method, path, form } of operations.filter((operation) =>
	operation.path.includes(`${website.id}`),
))
	test(`[C-AUTH-7] ${name} of a stranger's website is 404 and changes nothing`, async () => {
		const before = websiteOf(await owner.api('GET', `/websites/${website.id}`));
		assertProblem(await stranger.api(method, path, form ? { form } : {}), 'not_found');
		assert.deepEqual(websiteOf(await owner.api('GET', `/websites/${website.id}`)), before);
	});

test('[C-AUTH-8] a header of 100 kB is 431, and the service goes on', async () => {
	const answer = await wireRequest(w.base, {
		path: '/api/v1/websites',
		headers: [['Authorization', `Bearer ${'a'.repeat(100_000)}`]],
	});
	assert.equal(answer.status, 431);
	assert.equal(answer.closed, true);
	assertProblem(
		{ ...answer, text: answer.body, headers: Object.fromEntries(answer.headers) },
		'headers_too_large',
	);
	assertStatus(await send(w.base, 'GET', '/api/v1/websites', { key }), 200);
});
