import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { freshDomain, listOf, websiteOf } from '../support/contract.ts';
import { world } from '../support/world.ts';

const w = await world({ after });
const owner = await w.account({ timezone: 'UTC' });

const members = [
	'id',
	'domain',
	'privacy',
	'has_password',
	'email',
	'exclude_bots',
	'exclude_params',
	'exclude_ips',
	'favorite',
	'timezone',
	'created_at',
	'updated_at',
];

test('[C-REC-1] list, get, create, update and rename give the same twelve members', async () => {
	const made = await owner.api('POST', '/websites', {
		form: { domain: freshDomain(), privacy: '2', password: 'x', exclude_ips: '::1' },
	});
	const { id } = websiteOf(made, 201);
	const renamed = await owner.api('PUT', `/websites/${id}/domain`, { form: { domain: freshDomain() } });
	const put = await owner.api('PUT', `/websites/${id}`, { form: { exclude_params: 'a' } });
	const got = await owner.api('GET', `/websites/${id}`);
	const listed = listOf(await owner.api('GET', '/websites')).data[0];
	for (const record of [websiteOf(made, 201), websiteOf(renamed), websiteOf(put), websiteOf(got), listed])
		assert.deepEqual(Object.keys(record ?? {}), members);
	assert.deepEqual(websiteOf(got), websiteOf(put));
	assert.deepEqual(listed, websiteOf(got));
});

test('[C-REC-2] has_password follows the password, and nothing else of it is shown', async () => {
	const { id } = websiteOf(
		await owner.api('POST', '/websites', { form: { domain: freshDomain(), password: 'low tide' } }),
		201,
	);
	const seen = [];
	for (const call of [
		{},
		{ form: { password: 'high tide' } },
		{ form: { privacy: '2' } },
		{ form: { privacy: '0', password: '' } },
	]) {
		const answer = await owner.api('PUT', `/websites/${id}`, call);
		seen.push(websiteOf(answer).has_password);
		assert.doesNotMatch(answer.text, /low tide|high tide|argon2|hash/);
	}
	assert.deepEqual(seen, [true, true, true, false]);
});

test('[C-REC-3] both times of a new record are the same and are now', async () => {
	const begin = Date.now();
	const website = websiteOf(await owner.api('POST', '/websites', { form: { domain: freshDomain() } }), 201);
	assert.equal(website.updated_at, website.created_at);
	assert.ok(Date.parse(website.created_at) >= begin - 5 && Date.parse(website.created_at) <= Date.now() + 5);
});

test('[C-REC-5] one record is wrapped in data, and there is nothing beside it', async () => {
	const made = await owner.api('POST', '/websites', { form: { domain: freshDomain() } });
	const { id } = websiteOf(made, 201);
	for (const answer of [
		made,
		await owner.api('GET', `/websites/${id}`),
		await owner.api('PUT', `/websites/${id}`),
	])
		assert.deepEqual(Object.keys(answer.json ?? {}), ['data']);
});
