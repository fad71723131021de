import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { assertProblem, assertStatus, freshDomain, websiteOf } from '../support/contract.ts';
import { headerOf, wireRequest } from '../support/wire.ts';
import { world } from '../support/world.ts';

const w = await world({ after });
const owner = await w.account({ timezone: 'UTC' });
const stranger = await w.account({ timezone: 'UTC' });
const create = async () =>
	websiteOf(await owner.api('POST', '/websites', { form: { domain: freshDomain() } }), 201);
const get = (id: number, headers: Record<string, string> = {}) =>
	owner.api('GET', `/websites/${id}`, { headers });
const tagOf = async (id: number) => (await get(id)).headers.etag ?? '';

test('[C-GET-1] a get gives the record and a strong ETag', async () => {
	const website = await create();
	const answer = await get(website.id);
	assert.deepEqual(websiteOf(answer), website);
	assert.match(answer.headers.etag ?? '', /^"[\x21\x23-\x7e]+"$/);
});
test('[C-GET-2] an id that is not yours is 404', async () => {
	const website = await create();
	assertProblem(await stranger.api('GET', `/websites/${website.id}`), 'not_found');
	assertProblem(await owner.api('GET', '/websites/999999999'), 'not_found');
});

test('[C-ETAG-1] the tag stays with the state and goes with a change', async () => {
	const { id, domain } = await create();
	const first = await tagOf(id);
	assert.equal(await tagOf(id), first);
	assert.equal((await owner.api('PUT', `/websites/${id}`)).headers.etag, first);
	assert.equal((await owner.api('PUT', `/websites/${id}`, { form: { email: '0' } })).headers.etag, first);
	const seen = [first];
	for (const call of [
		{ form: { email: '1' } },
		{ form: { email: '0' } },
		{ form: { password: 'x' } },
		{ form: { password: 'x' } },
	]) {
		await wait(2);
		const tag = (await owner.api('PUT', `/websites/${id}`, call)).headers.etag ?? '';
		assert.equal(await tagOf(id), tag);
		seen.push(tag);
	}
	const renamed = await owner.api('PUT', `/websites/${id}/domain`, { form: { domain: `new-${domain}` } });
	assert.equal(await tagOf(id), renamed.headers.etag);
	seen.push(renamed.headers.etag ?? '');
	assert.equal(new Set(seen).size, seen.length);
});

const known: { name: string; header: (tag: string) => string }[] = [
	{ name: 'the tag', header: (tag) => tag },
	{ name: 'a list with the tag', header: (tag) => `"a", ${tag}, "b"` },
	{ name: 'a list without blanks', header: (tag) => `"a",${tag}` },
	{ name: 'the weak form of the tag', header: (tag) => `W/${tag}` },
	{ name: '*', header: () => '*' },
];
for (const { name, header } of known)
	test(`[C-ETAG-2] If-None-Match with ${name} is 304 without a body`, async () => {
		const { id } = await create();
		const tag = await tagOf(id);
		const answer = await wireRequest(w.base, {
			path: `/api/v1/websites/${id}`,
			headers: [
				['Authorization', `Bearer ${owner.key}`],
				['If-None-Match', header(tag)],
			],
		});
		assert.equal(answer.status, 304);
		assert.equal(answer.body, '');
		assert.equal(headerOf(answer, 'etag'), tag);
	});
for (const [name, header] of Object.entries({
	'another tag': '"x"',
	'an empty tag': '""',
	nonsense: 'x',
	nothing: '',
}))
	test(`[C-ETAG-2] If-None-Match with ${name} is 200`, async () => {
		const website = await create();
		assert.deepEqual(websiteOf(await get(website.id, { 'if-none-match': header })), website);
	});
test('[C-ETAG-2] after a change the former tag is 200 again', async () => {
	const { id } = await create();
	const tag = await tagOf(id);
	const changed = websiteOf(await owner.api('PUT', `/websites/${id}`, { form: { favorite: '1' } }));
	assert.deepEqual(websiteOf(await get(id, { 'if-none-match': tag })), changed);
});
test('[C-ETAG-2] HEAD is 304 as well', async () => {
	const { id } = await create();
	const answer = await owner.api('HEAD', `/websites/${id}`, {
		headers: { 'if-none-match': await tagOf(id) },
	});
	assertStatus(answer, 304);
});

const writes: {
	name: string;
	method: string;
	path: (id: number) => string;
	form: () => Record<string, string>;
}[] = [
	{ name: 'update', method: 'PUT', path: (id) => `/websites/${id}`, form: () => ({ email: '1' }) },
	{ name: 'update by PATCH', method: 'PATCH', path: (id) => `/websites/${id}`, form: () => ({ email: '1' }) },
	{
		name: 'rename',
		method: 'PUT',
		path: (id) => `/websites/${id}/domain`,
		form: () => ({ domain: freshDomain() }),
	},
	{ name: 'delete', method: 'DELETE', path: (id) => `/websites/${id}`, form: () => ({}) },
];
for (const { name, method, path, form } of writes) {
	test(`[C-ETAG-3] ${name} with a stale tag is 412 and changes nothing`, async () => {
		const { id } = await create();
		const stale = await tagOf(id);
		const current = websiteOf(await owner.api('PUT', `/websites/${id}`, { form: { favorite: '1' } }));
		for (const tag of [stale, '"x"', `${stale}, "x"`, '""'])
			assertProblem(
				await owner.api(method, path(id), { form: form(), headers: { 'if-match': tag } }),
				'precondition_failed',
			);
		assert.deepEqual(websiteOf(await get(id)), current);
	});
	test(`[C-ETAG-3] ${name} with the present tag goes through`, async () => {
		for (const header of [(tag: string) => tag, (tag: string) => `"x", ${tag}`]) {
			const { id } = await create();
			const headers = { 'if-match': header(await tagOf(id)) };
			assertStatus(await owner.api(method, path(id), { form: form(), headers }), 200);
		}
	});
	test(`[C-ETAG-4] ${name}: * holds, a weak tag does not`, async () => {
		const { id } = await create();
		const weak = { 'if-match': `W/${await tagOf(id)}` };
		assertProblem(await owner.api(method, path(id), { form: form(), headers: weak }), 'precondition_failed');
		assertStatus(await owner.api(method, path(id), { form: form(), headers: { 'if-match': '*' } }), 200);
	});
	test(`[C-ETAG-5] ${name} of an id that is not yours is 404, whatever If-Match says`, async () => {
		const { id } = await create();
		const tag = await tagOf(id);
		for (const match of ['*', '"x"', tag]) {
			const call = { form: form(), headers: { 'if-match': match } };
			assertProblem(await owner.api(method, path(999_999_999), call), 'not_found');
			assertProblem(await stranger.api(method, path(id), call), 'not_found');
		}
	});
}
test('[C-ETAG-3] of ten updates with the same tag one goes through', async () => {
	const { id } = await create();
	const headers = { 'if-match': await tagOf(id) };
	const answers = await Promise.all(
		Array.from({ length: 10 }, (_, n) =>
			owner.api('PUT', `/websites/${id}`, { form: { exclude_params: `p${n}` }, headers }),
		),
	);
	assert.equal(answers.filter(({ status }) => status === 200).length, 1);
	for (const answer of answers.filter(({ status }) => status !== 200))
		assertProblem(answer, 'precondition_failed');
});
