import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { client } from '../support/client.ts';
import { accountOf, assertProblem, freshDomain, listOf, websiteOf } from '../support/contract.ts';
import { world } from '../support/world.ts';

const w = await world({ after });

test('[C-HTTP-10] a restart keeps websites, accounts, keys, answers and ids', async () => {
	const owner = await w.account({ timezone: 'Europe/Berlin', limits: { websites: 9 } });
	const reader = await w.key(owner, { access: 'read' });
	const revoked = await w.key(owner, {});
	await w.revokeKey(revoked.id);
	const form = { domain: freshDomain(), privacy: '2', password: 'ebb', exclude_params: 'ref', email: '1' };
	const headers = { 'idempotency-key': randomUUID() };
	const made = await owner.api('POST', '/websites', { form, headers });
	const website = websiteOf(made, 201);
	const deleted = websiteOf(await owner.api('POST', '/websites', { form: { domain: freshDomain() } }), 201);
	await owner.api('DELETE', `/websites/${deleted.id}`);
	const before = {
		list: listOf(await owner.api('GET', '/websites')),
		account: accountOf(await owner.api('GET', '/account')),
		etag: (await owner.api('GET', `/websites/${website.id}`)).headers.etag,
	};

	await w.restart();

	assert.deepEqual(
		{
			list: listOf(await owner.api('GET', '/websites')),
			account: accountOf(await owner.api('GET', '/account')),
			etag: (await owner.api('GET', `/websites/${website.id}`)).headers.etag,
		},
		before,
	);
	assert.deepEqual(websiteOf(await client(w.base, reader.key)('GET', `/websites/${website.id}`)), website);
	assertProblem(await client(w.base, reader.key)('PUT', `/websites/${website.id}`), 'forbidden');
	assertProblem(await client(w.base, revoked.key)('GET', '/websites'), 'unauthenticated');
	const again = await owner.api('POST', '/websites', { form, headers });
	assert.equal(again.text, made.text);
	assert.equal(again.headers['idempotency-replayed'], 'true');
	assertProblem(await owner.api('GET', `/websites/${deleted.id}`), 'not_found');
	const next = websiteOf(await owner.api('POST', '/websites', { form: { domain: deleted.domain } }), 201);
	assert.ok(next.id > deleted.id);
});
