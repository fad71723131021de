/** What limits a key cannot be shaken off: not by the key itself, not by time, headers, other mounts or an earlier version. */
import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { z } from 'zod';
import { digestOf, makeKey } from '../../server/accounts/keys.ts';
import { type Answer, type Client, client, send } from '../support/client.ts';
import { assertProblem, assertStatus, face, freshDomain, websiteOf } from '../support/contract.ts';
import { until } from '../support/service.ts';
import { headerOf, wireRequest } from '../support/wire.ts';
import { type World, world } from '../support/world.ts';

const day = 86_400_000;
const start = Date.parse('2026-11-15T09:00:00.000Z');
let moment = start;
const now = () => new Date(moment);
const w = await world({ after }, { now });
const proxied = await world({ after }, { settings: { TIDEMARK_TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8' } });
beforeEach(() => {
	moment = start;
});
const inDays = (days: number) => new Date(moment + days * day);

const shown = z.object({
	data: z.object({
		...{ id: z.int(), access: z.string(), key: z.string().optional() },
		...{ expires_at: z.string().nullable(), networks: z.array(z.string()).nullable() },
	}),
});
function keyOf(answer: Answer, status: number) {
	assertStatus(answer, status);
	return shown.parse(answer.json).data;
}

/** Of keys with full access, for all websites: only these can manage keys. */
const limits = {
	'an expiry': { expiresAt: new Date(start + 9 * day) },
	networks: { networks: ['127.0.0.0/24', '2001:db8::/32'] },
	both: { expiresAt: new Date(start + 9 * day), networks: ['127.0.0.1'] },
};
const beyond = {
	'an expiry': [{ expires_at: null }, { expires_at: new Date(start + 9 * day + 1).toISOString() }],
	networks: [
		...[null, ['0.0.0.0/0'], ['127.0.0.0/23'], ['127.0.1.1'], ['127.0.0.1', '192.0.2.1'], ['2001:db8::/31']],
		...[['::/0'], ['::ffff:0:0/96'], ['::ffff:127.0.0.1'], ['2001:db9::1']],
	].map((networks) => ({ networks })),
	both: [{ expires_at: null }, { networks: null }, { networks: ['127.0.0.2'] }],
};

for (const name of ['an expiry', 'networks', 'both'] as const)
	test(`[T130][C-KEY-23] a full key with ${name} makes no key that can do more, and makes none do more`, async () => {
		const owner = await w.account();
		const own = await w.key(owner, limits[name]);
		const api = client(w.base, own.key);
		// One that the holder also has, with other limits and less access.
		const reader = await w.key(owner, { access: 'read' });
		const equal = await w.key(owner, { access: 'read', ...limits[name] });
		const before = (await owner.api('GET', '/keys')).text.replace(/"last_used_at":[^,}]+/g, '');
		for (const more of beyond[name]) {
			const [field = ''] = Object.keys(more);
			const said = JSON.stringify(more);
			const created = await api('POST', '/keys', { json: { name: 'x', access: 'read', ...more } });
			assertProblem(created, 'validation_failed', [field]);
			for (const id of [own.id, equal.id]) {
				const changed = await api('PUT', `/keys/${id}`, { json: more });
				assertProblem(changed, 'validation_failed', [field]);
				assert.match(changed.text, /than the key that sends the request/, said);
			}
		}
		// A lesser key without these limits must not get the access of the caller.
		for (const json of [{ access: 'full' }, { scopes: ['stats', 'events'] }])
			assert.equal((await api('PUT', `/keys/${reader.id}`, { json })).status, 422);
		assertProblem(await api('POST', `/keys/${reader.id}/rotate`), 'forbidden');
		const unlimited = await w.key(owner);
		assertProblem(await api('POST', `/keys/${unlimited.id}/rotate`), 'forbidden');
		await w.revokeKey(unlimited.id);
		assert.equal((await owner.api('GET', '/keys')).text.replace(/"last_used_at":[^,}]+/g, ''), before);

		// What is not sent is inherited, and within its limits the key manages keys as before.
		const { expiresAt, networks } = { expiresAt: null, networks: null, ...limits[name] };
		const made = keyOf(await api('POST', '/keys', { json: { name: 'x' } }), 201);
		assert.deepEqual(
			[made.access, made.expires_at, made.networks],
			['full', expiresAt?.toISOString() ?? null, networks],
		);
		keyOf(await api('PUT', `/keys/${equal.id}`, { json: { access: 'full' } }), 200);
		keyOf(await api('PUT', `/keys/${reader.id}`, { json: { name: 'renamed', scopes: ['stats'] } }), 200);
		const rotated = keyOf(await api('POST', `/keys/${own.id}/rotate`), 200);
		assert.deepEqual([rotated.expires_at, rotated.networks], [made.expires_at, made.networks]);
		assert.equal((await api('GET', '/account')).status, 401);
		assert.equal((await client(w.base, rotated.key)('DELETE', `/keys/${made.id}`)).status, 200);
	});

test('[T130] a key that is not full, or not for all websites, manages no keys, itself included', async () => {
	const owner = await w.account();
	const website = websiteOf(await owner.api('POST', '/websites', { form: { domain: freshDomain() } }), 201);
	for (const rights of [
		{ access: 'read' as const },
		{ websites: [website.id] },
		{ scopes: ['stats', 'events', 'manage', 'export', 'people'] as const },
	]) {
		const own = await w.key(owner, rights);
		const api = client(w.base, own.key);
		assertProblem(await api('GET', '/keys'), 'forbidden');
		assertProblem(await api('POST', '/keys', { json: { name: 'x', scopes: ['stats'] } }), 'forbidden');
		assertProblem(await api('PUT', `/keys/${own.id}`, { json: { access: 'full' } }), 'forbidden');
		assertProblem(await api('POST', `/keys/${own.id}/rotate`), 'forbidden');
	}
});

test('[T130] a caller that was narrowed while it waited makes no key with its former permissions', async () => {
	const owner = await w.account();
	const own = await w.key(owner);
	// Holds the account, so that the create waits in its transaction.
	const held = w.sql(
		`BEGIN; SELECT 1 FROM accounts WHERE id = ${owner.id} FOR UPDATE; SELECT pg_sleep(1); COMMIT`,
	);
	await until(
		async () => (await w.sql("SELECT 1 FROM pg_stat_activity WHERE wait_event = 'PgSleep'")).length > 0,
		5_000,
		'the account is held',
	);
	const creating = client(w.base, own.key)('POST', '/keys', { json: { name: 'x' } });
	await until(
		async () => (await w.sql('SELECT 1 FROM pg_locks WHERE NOT granted')).length > 0,
		5_000,
		'the create waits',
	);
	await w.operate('key.update', { id: own.id, access: 'read' });
	await held;
	assertProblem(await creating, 'validation_failed', ['access']);
});

test('[T131] no request and no message of a stream gets through after the expiry', async () => {
	const owner = await w.account();
	const website = websiteOf(await owner.api('POST', '/websites', { form: { domain: freshDomain() } }), 201);
	const { key } = await w.key(owner, { access: 'read', expiresAt: inDays(1) });
	const api = client(w.base, key);
	for (let n = 0; n < 5; n++) assertStatus(await api('GET', '/websites'), 200);
	const stream = await fetch(`${w.base}/api/v1/websites/${website.id}/live/stream`, {
		headers: { authorization: `Bearer ${key}` },
	});
	const reader = stream.body?.getReader();
	assert.match(Buffer.from((await reader?.read())?.value ?? []).toString(), /^data: /);
	moment += day;
	for (const path of ['/websites', '/account', `/websites/${website.id}/export`, '/websites/999999999'])
		assertProblem(await api('GET', path), 'unauthenticated');
	await owner.api('POST', `/websites/${website.id}/events`, { json: { url: `https://${website.domain}/` } });
	let later = '';
	for (let read = await reader?.read(); read && !read.done; read = await reader?.read())
		later += Buffer.from(read.value).toString();
	assert.doesNotMatch(later, /data:/);
});

/** Sent from 127.0.0.1 to a service that trusts no proxy, and to one that trusts this address. */
async function statusFrom(of: World, key: string, headers: [string, string][], path = '/api/v1/account') {
	const sent: [string, string][] = [['Authorization', `Bearer ${key}`], ...headers];
	return wireRequest(of.base, { path, headers: sent });
}
const claims = (address: string): [string, string][][] => [
	[['X-Forwarded-For', address]],
	[['X-Forwarded-For', `${address}, ${address}`]],
	[['X-Real-IP', address]],
	[['Forwarded', `for=${address}`]],
	[['CF-Connecting-IP', address]],
	[['True-Client-IP', address]],
	[['X-Client-IP', address]],
	[
		['X-Forwarded-For', address],
		['X-Forwarded-For', address],
	],
	[
		['X-Forwarded-For', '203.0.113.9'],
		['X-Real-IP', address],
	],
];

test('[T132] headers of a client do not put it into the networks of a key', async () => {
	const owner = await w.account();
	const { key } = await w.key(owner, { networks: ['203.0.113.0/24'] });
	for (const path of ['/api/v1/account', '/mcp'])
		for (const headers of claims('203.0.113.9'))
			assert.equal(
				(await statusFrom(w, key, headers, path)).status,
				401,
				`${path} ${JSON.stringify(headers)}`,
			);
	// Nor out of them.
	const near = await w.key(owner, { networks: ['127.0.0.0/8'] });
	for (const headers of claims('192.0.2.1'))
		assert.equal((await statusFrom(w, near.key, headers)).status, 200);
});

test('[T132] behind a proxy, the address that the proxy saw decides, not what the client claimed', async () => {
	const owner = await proxied.account();
	const { key } = await proxied.key(owner, { networks: ['203.0.113.0/24'] });
	const cases: [headers: [string, string][], status: number][] = [
		[[['X-Forwarded-For', '203.0.113.9']], 200],
		[[['X-Forwarded-For', '192.0.2.1, 203.0.113.9']], 200],
		[[['X-Forwarded-For', '203.0.113.9, 10.0.0.5']], 200],
		[[['X-Forwarded-For', '203.0.113.9, 192.0.2.1']], 401],
		[
			[
				['X-Forwarded-For', '203.0.113.9'],
				['X-Forwarded-For', '192.0.2.1'],
			],
			401,
		],
		[[['X-Forwarded-For', '203.0.113.9, 192.0.2.1, 10.0.0.5']], 401],
		[[['X-Forwarded-For', '203.0.113.9, unknown']], 401],
		[[['X-Forwarded-For', '203.0.113.9:8080']], 401],
		[[['X-Forwarded-For', '']], 401],
		[[['X-Real-IP', '203.0.113.9']], 401],
		[[['Forwarded', 'for=203.0.113.9']], 401],
	];
	// Twice: the first request of an address that fits has put the key into the cache.
	for (const [headers, status] of [...cases, ...cases])
		assert.equal((await statusFrom(proxied, key, headers)).status, status, JSON.stringify(headers));
	const refused = await statusFrom(proxied, key, [['X-Forwarded-For', '192.0.2.7']]);
	const unknown = await statusFrom(proxied, makeKey(), [['X-Forwarded-For', '192.0.2.8']]);
	assert.equal(refused.body, unknown.body);
	// Guessing from elsewhere is counted like any failed attempt, by address.
	assert.equal(headerOf(refused, 'x-ratelimit-remaining'), headerOf(unknown, 'x-ratelimit-remaining'));
});

test('[T133] keys with scopes are the same at every mount: assistants need statistics and nothing else', async () => {
	const owner = await w.account();
	const website = websiteOf(await owner.api('POST', '/websites', { form: { domain: freshDomain() } }), 201);
	const mcp = async (key: string, name: string, input: object) =>
		send(w.base, 'POST', '/mcp', {
			key,
			headers: { accept: 'application/json, text/event-stream' },
			json: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } },
		});
	const reading = await w.key(owner, { scopes: ['stats'] });
	assert.match((await mcp(reading.key, 'list_websites', {})).text, new RegExp(website.domain));
	const exporting = await w.key(owner, { scopes: ['stats', 'export'] });
	for (const scopes of [
		['events'],
		['manage'],
		['export'],
		['stats', 'manage'],
		['stats', 'events'],
	] as const) {
		const { key } = await w.key(owner, { scopes });
		assertProblem(await mcp(key, 'list_websites', {}), 'forbidden');
	}
	assertProblem(await mcp(exporting.key, 'list_websites', {}), 'forbidden');
	const expiring = await w.key(owner, { scopes: ['stats'], expiresAt: inDays(1) });
	assert.equal((await mcp(expiring.key, 'list_websites', {})).status, 200);
	moment += day;
	const expired = await mcp(expiring.key, 'list_websites', {});
	assertProblem(expired, 'unauthenticated');
	const elsewhere = await w.key(owner, { scopes: ['stats'], networks: ['192.0.2.1'] });
	assert.deepEqual(face(await mcp(elsewhere.key, 'list_websites', {})), face(expired));

	// The mount of the dashboard knows sessions only: no key reaches members, boards, health checks or itself there.
	for (const { key } of [reading, await w.key(owner)])
		for (const path of ['/keys', '/session', '/people', '/boards', '/doctor', `/websites/${website.id}`]) {
			const answer = await send(w.base, 'GET', `/app/api${path}`, {
				key,
				headers: { 'sec-fetch-site': 'same-origin' },
			});
			assert.equal(answer.status, 401, path);
			assertProblem(await client(w.base, key)('GET', path === '/keys' ? '/session' : '/doctor'), 'not_found');
		}
});

/** What version 0.1.0 runs to find a key, to rotate it and to create one, word for word. */
const earlier = {
	find: `SELECT k.id AS "keyId", k.access FROM api_keys k JOIN accounts a ON a.id = k.account_id AND a.disabled_at IS NULL
		WHERE k.digest = $1`,
	rotate: 'UPDATE api_keys SET digest = $1, ending = $2, last_used_at = NULL WHERE id = $3',
	create: `INSERT INTO api_keys (account_id, name, digest, ending, access, website_ids, created_at)
		VALUES ($1, 'x', $2, 'abcd', 'read', NULL, now())`,
};

test('[T134] a process of the previous version, which knows no limits, does not find a key that has some', async () => {
	const owner = await w.account();
	const found = async (key: string) => (await w.sql(earlier.find, [digestOf(key)])).length;
	const works = async (api: Client) => (await api('GET', '/metrics')).status;
	for (const rights of [
		{ scopes: ['events' as const] },
		{ scopes: ['stats' as const, 'manage' as const] },
		{ expiresAt: inDays(1) },
		{ networks: ['127.0.0.1'] },
	]) {
		const made = await w.key(owner, rights);
		assert.equal(await found(made.key), 0, JSON.stringify(rights));
		assert.equal(await works(client(w.base, made.key)), 200);
		// It would store a secret that it could then find, without the limits.
		const taken = makeKey();
		await assert.rejects(
			w.sql(earlier.rotate, [digestOf(taken), 'abcd', made.id]),
			/restricted_keys_are_hidden/,
		);
		assert.deepEqual([await found(taken), await works(client(w.base, made.key))], [0, 200]);
		const rotated = await w.rotateKey(made.id);
		assert.deepEqual([await found(rotated.key), await works(client(w.base, rotated.key))], [0, 200]);
		assert.equal(await works(client(w.base, made.key)), 401);
		// Without limits, every version finds it.
		await w.operate('key.update', { id: made.id, access: 'read', expiresAt: null, networks: null });
		assert.deepEqual([await found(rotated.key), await works(client(w.base, rotated.key))], [1, 200]);
		await w.operate('key.update', { id: made.id, ...rights, expiresAt: inDays(2).toISOString() });
		assert.deepEqual([await found(rotated.key), await works(client(w.base, rotated.key))], [0, 200]);
	}
	const plain = await w.key(owner, { access: 'read' });
	assert.equal(await found(plain.key), 1);
	// Its own keys work with this version.
	const theirs = makeKey();
	await w.sql(earlier.create, [owner.id, digestOf(theirs)]);
	assert.equal(await works(client(w.base, theirs)), 200);
});
