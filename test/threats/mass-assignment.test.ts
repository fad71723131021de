import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { accountOf, assertWebsite, freshDomain, websiteOf } from '../support/contract.ts';
import { world } from '../support/world.ts';

const w = await world({ after });
const owner = await w.account({ timezone: 'UTC' });
const other = await w.account({ timezone: 'UTC' });
const { id, domain } = websiteOf(
	await owner.api('POST', '/websites', { form: { domain: freshDomain() } }),
	201,
);
const columns = (
	await w.sql<{ name: string }>(
		"SELECT column_name AS name FROM information_schema.columns WHERE table_name IN ('websites', 'accounts', 'api_keys')",
	)
).map(({ name }) => name);
const ours = [
	'domain',
	'privacy',
	'password',
	'email',
	'exclude_bots',
	'exclude_params',
	'exclude_ips',
	'favorite',
	'timezone',
];

/** The service runs in this very process, so a poisoned prototype would be ours as well. */
function assertClean(): void {
	for (const name of ['polluted', 'admin', 'email', 'privacy', 'isAdmin']) {
		// Reading through a plain object on purpose: this is where pollution would show.
		assert.equal(({} as Record<string, unknown>)[name], undefined, name);
		assert.equal(([] as unknown as Record<string, unknown>)[name], undefined, name);
	}
}

test('[T18] the columns of the tables are no fields', async () => {
	const names = columns.filter((name) => !ours.includes(name));
	assert.ok(names.length > 10);
	const before = await w.sql('SELECT * FROM websites ORDER BY id');
	for (const value of [1, other.id, '2001-01-01T00:00:00Z', 'x', null, true]) {
		const json = Object.fromEntries(names.map((name) => [name, value]));
		assertWebsite(websiteOf(await owner.api('PUT', `/websites/${id}`, { json })), { domain });
	}
	assert.deepEqual(await w.sql('SELECT * FROM websites ORDER BY id'), before);
	const fresh = freshDomain();
	const extra = Object.fromEntries(names.map((name) => [name, other.id]));
	const made = websiteOf(await owner.api('POST', '/websites', { json: { ...extra, domain: fresh } }), 201);
	assertWebsite(made, { domain: fresh });
	const [row] = await w.sql<{ account_id: string }>('SELECT account_id FROM websites WHERE id = $1', [
		made.id,
	]);
	assert.equal(Number(row?.account_id), owner.id);
});

test('[T18] nor are roles and limits', async () => {
	const before = accountOf(await owner.api('GET', '/account'));
	const json = {
		role: 'admin',
		admin: true,
		owner: true,
		limits: { websites: 9 },
		usage: { websites: 0 },
		account: { id: other.id },
	};
	assertWebsite(websiteOf(await owner.api('PUT', `/websites/${id}`, { json })), { domain });
	assert.deepEqual(accountOf(await owner.api('GET', '/account')), before);
});

const poisons = [
	'{"__proto__":{"polluted":1,"email":1,"admin":true}}',
	'{"__proto__":null}',
	'{"__proto__":[1]}',
	'{"constructor":{"prototype":{"polluted":1}}}',
	'{"constructor":"x","prototype":{"polluted":1}}',
	'{"exclude_params":{"__proto__":{"polluted":1}}}',
	'{"exclude_params":["__proto__","constructor"]}',
	'{"a":{"__proto__":{"__proto__":{"polluted":1}}}}',
	'{"\\u005f\\u005fproto\\u005f\\u005f":{"polluted":1,"email":1}}',
	'{"hasOwnProperty":1,"toString":2,"then":3,"length":-1,"toJSON":4}',
];
for (const body of poisons)
	test(`[T18] ${body.slice(0, 70)} poisons nothing`, async () => {
		const headers = { 'content-type': 'application/json' };
		for (const [method, path] of [
			['PUT', `/websites/${id}`],
			['POST', '/websites'],
			['PUT', `/websites/${id}/domain`],
		] as const) {
			const { status } = await owner.api(method, path, { body, headers });
			assert.ok(status < 500, `${method} ${status}`);
		}
		assertClean();
		await owner.api('PUT', `/websites/${id}`, { form: { exclude_params: '' } });
		assertWebsite(websiteOf(await owner.api('GET', `/websites/${id}`)), { domain });
	});

const poisonedForms = [
	'__proto__[polluted]=1',
	'__proto__=1',
	'__proto__[]=1',
	'constructor[prototype][polluted]=1',
	'constructor.prototype.polluted=1',
	'exclude_params[__proto__]=1',
	'exclude_params[constructor][prototype]=1',
	'__proto__.email=1',
	'__proto__[__proto__][email]=1',
];
for (const form of poisonedForms)
	test(`[T18] ${form} poisons nothing, in a form and in a query`, async () => {
		for (const [method, path] of [
			['PUT', `/websites/${id}`],
			['POST', '/websites'],
		] as const)
			assert.ok((await owner.api(method, path, { form })).status < 500);
		assert.ok((await owner.api('GET', `/websites?${form}`)).status < 500);
		assertClean();
		assertWebsite(websiteOf(await owner.api('GET', `/websites/${id}`)), { domain });
	});

const confused: unknown[] = [
	[],
	[[]],
	{},
	{ length: 1 },
	{ toString: 'x' },
	[null],
	0,
	-1,
	1e308,
	true,
	{ $gt: '' },
	{ valueOf: 1 },
];
for (const value of confused)
	test(`[T18] ${JSON.stringify(value)} in every field: no field changes by confusion`, async () => {
		for (const name of ours) {
			const answer = await owner.api('PUT', `/websites/${id}`, { json: { [name]: value } });
			assert.ok(answer.status < 500, `${name}: ${answer.status}`);
			if (answer.status === 200) websiteOf(answer);
			await owner.api('PUT', `/websites/${id}`, {
				json: {
					email: 0,
					exclude_bots: 1,
					privacy: 0,
					favorite: 0,
					exclude_params: null,
					exclude_ips: null,
					password: '',
					timezone: 'UTC',
				},
			});
			assertWebsite(websiteOf(await owner.api('GET', `/websites/${id}`)), { domain });
			assert.ok((await owner.api('POST', '/websites', { json: { [name]: value } })).status < 500);
		}
		assertClean();
	});
