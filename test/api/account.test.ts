import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { client } from '../support/client.ts';
import { accountOf, freshDomain, websiteOf } from '../support/contract.ts';
import { world } from '../support/world.ts';

const w = await world({ after });
const details = {
	name: 'Harbour Books',
	email: 'owner@harbour-books.example',
	locale: 'de',
	timezone: 'Europe/Berlin',
};

test('[C-ACC-1] the whole account', async () => {
	const owner = await w.account(details);
	const account = accountOf(await owner.api('GET', '/account', { headers: { accept: 'application/json' } }));
	assert.deepEqual(account, {
		id: owner.id,
		...details,
		created_at: account.created_at,
		usage: { websites: 0, pageviews_this_month: 0 },
		limits: { websites: null, pageviews_per_month: null },
	});
	assert.ok(Math.abs(Date.now() - Date.parse(account.created_at)) < 60_000);
});

test('[C-ACC-1] every key of an account gives the same, another account its own', async () => {
	const one = await w.account({ timezone: 'UTC' });
	const two = await w.account({ timezone: 'UTC' });
	const reader = await w.key(one, { access: 'read' });
	const own = accountOf(await one.api('GET', '/account'));
	assert.deepEqual(accountOf(await client(w.base, reader.key)('GET', '/account')), own);
	assert.notEqual(accountOf(await two.api('GET', '/account')).id, own.id);
	assert.notEqual(accountOf(await two.api('GET', '/account')).email, own.email);
});

test('[C-ACC-1] the query changes nothing', async () => {
	const one = await w.account({ timezone: 'UTC' });
	const two = await w.account({ timezone: 'UTC' });
	const answer = await one.api('GET', `/account?id=${two.id}&account_id=${two.id}`);
	assert.equal(accountOf(answer).id, one.id);
});

test('[C-ACC-2] usage counts what exists', async () => {
	const owner = await w.account({ timezone: 'UTC' });
	const count = async () => accountOf(await owner.api('GET', '/account')).usage.websites;
	assert.equal(await count(), 0);
	const one = websiteOf(await owner.api('POST', '/websites', { form: { domain: freshDomain() } }), 201);
	const two = websiteOf(await owner.api('POST', '/websites', { form: { domain: freshDomain() } }), 201);
	assert.equal(await count(), 2);
	await owner.api('POST', '/websites', { form: { domain: two.domain } });
	assert.equal(await count(), 2);
	await owner.api('DELETE', `/websites/${one.id}`);
	await owner.api('DELETE', `/websites/${one.id}`);
	assert.equal(await count(), 1);
	await owner.api('PUT', `/websites/${two.id}/domain`, { form: { domain: freshDomain() } });
	assert.equal(await count(), 1);
});

test('[C-ACC-3] a limit that the operator sets is shown at once, and none is null', async () => {
	const owner = await w.account({ timezone: 'UTC', limits: { websites: 3 } });
	const limits = async () => accountOf(await owner.api('GET', '/account')).limits;
	assert.deepEqual(await limits(), { websites: 3, pageviews_per_month: null });
	await w.setLimits(owner, { websites: 5 });
	assert.deepEqual(await limits(), { websites: 5, pageviews_per_month: null });
	await w.setLimits(owner, { websites: null });
	assert.deepEqual(await limits(), { websites: null, pageviews_per_month: null });
});

test('[C-ACC-4] no key, no hash', async () => {
	const owner = await w.account({ timezone: 'UTC' });
	const { text } = await owner.api('GET', '/account');
	assert.equal(text.includes(owner.key), false);
	assert.doesNotMatch(text, /tm_|argon2|[0-9a-f]{32}|hash|password|secret/i);
});
