import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Call } from '../support/client.ts';
import {
	accountOf,
	assertProblem,
	assertWebsite,
	freshDomain,
	listOf,
	websiteOf,
} from '../support/contract.ts';
import { wireRequest } from '../support/wire.ts';
import { world } from '../support/world.ts';

const w = await world({ after });
const owner = await w.account({ timezone: 'UTC' });
const create = async (fields: Record<string, string> = {}) =>
	websiteOf(await owner.api('POST', '/websites', { form: { domain: freshDomain(), ...fields } }), 201);

test('[C-DEL-1] the whole answer of a delete', async () => {
	const { id } = await create();
	const answer = await owner.api('DELETE', `/websites/${id}`);
	assert.equal(answer.status, 200);
	assert.equal(answer.text, JSON.stringify({ data: { id, object: 'website', deleted: true } }));
	assert.match(answer.headers['content-type'] ?? '', /^application\/json/);
});

test('[C-DEL-2] afterwards it is gone for every operation', async () => {
	const website = await create({ privacy: '2', password: 'ebb' });
	const before = accountOf(await owner.api('GET', '/account')).usage.websites;
	await owner.api('DELETE', `/websites/${website.id}`);
	for (const [method, path] of [
		['DELETE', `/websites/${website.id}`],
		['GET', `/websites/${website.id}`],
		['PUT', `/websites/${website.id}`],
		['PATCH', `/websites/${website.id}`],
		['PUT', `/websites/${website.id}/domain`],
	] as const)
		assertProblem(
			await owner.api(method, path, method === 'GET' ? {} : { form: { domain: 'x.example' } }),
			'not_found',
		);
	assert.equal(listOf(await owner.api('GET', `/websites?search=${website.domain}`)).meta.total, 0);
	assert.equal(accountOf(await owner.api('GET', '/account')).usage.websites, before - 1);
});

test('[C-DEL-2] of ten deletes at the same moment one is 200', async () => {
	const { id } = await create();
	const answers = await Promise.all(Array.from({ length: 10 }, () => owner.api('DELETE', `/websites/${id}`)));
	assert.equal(answers.filter(({ status }) => status === 200).length, 1);
	for (const answer of answers.filter(({ status }) => status !== 200)) assertProblem(answer, 'not_found');
});

test('[C-DEL-3] the domain can be created again, with fresh defaults and a new id', async () => {
	const former = await create({
		privacy: '2',
		password: 'ebb',
		email: '1',
		exclude_params: 'a',
		timezone: 'Asia/Tokyo',
	});
	await owner.api('PUT', `/websites/${former.id}`, { form: { favorite: '1' } });
	await owner.api('DELETE', `/websites/${former.id}`);
	const next = websiteOf(await owner.api('POST', '/websites', { form: { domain: former.domain } }), 201);
	assert.ok(next.id > former.id);
	assertWebsite(next, { domain: former.domain });
	assertProblem(await owner.api('GET', `/websites/${former.id}`), 'not_found');
});

const ballast: { name: string; call: Call }[] = [
	{
		name: 'a form type and no body',
		call: { headers: { 'content-type': 'application/x-www-form-urlencoded' } },
	},
	{ name: 'a JSON type and no body', call: { headers: { 'content-type': 'application/json' } } },
	{ name: 'a form', call: { form: { id: '1' } } },
	{ name: 'a JSON object', call: { json: { force: true } } },
	{ name: 'broken JSON', call: { body: '{', headers: { 'content-type': 'application/json' } } },
];
for (const { name, call } of ballast)
	test(`[C-DEL-4] ${name} does no harm`, async () => {
		const { id } = await create();
		const answer = await owner.api('DELETE', `/websites/${id}`, call);
		assert.deepEqual(answer.json, { data: { id, object: 'website', deleted: true } });
	});
test('[C-DEL-4] Content-Length: 0 does no harm', async () => {
	const { id } = await create();
	const answer = await wireRequest(w.base, {
		method: 'DELETE',
		path: `/api/v1/websites/${id}`,
		headers: [
			['Authorization', `Bearer ${owner.key}`],
			['Content-Length', '0'],
		],
	});
	assert.equal(answer.status, 200, answer.text);
});
