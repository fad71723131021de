import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import type { Call } from '../support/client.ts';
import { assertProblem, assertStatus, freshDomain, websiteOf } from '../support/contract.ts';
import { world } from '../support/world.ts';

const w = await world({ after });
const owner = await w.account({ timezone: 'UTC' });
const stranger = await w.account({ timezone: 'UTC' });
const create = async (fields: Record<string, string> = {}) =>
	websiteOf(await owner.api('POST', '/websites', { form: { domain: freshDomain(), ...fields } }), 201);
const get = async (id: number) => websiteOf(await owner.api('GET', `/websites/${id}`));
const rename = (id: number | string, call: Call) => owner.api('PUT', `/websites/${id}/domain`, call);

test('[C-REN-1] a rename changes the domain and updated_at alone', async () => {
	const website = await create({
		privacy: '2',
		password: 'ebb',
		email: '1',
		exclude_bots: '0',
		exclude_params: 'ref',
		exclude_ips: '::1',
		timezone: 'Asia/Tokyo',
	});
	for (const kind of ['form', 'json'] as const) {
		await wait(3);
		const before = await get(website.id);
		const domain = freshDomain('renamed');
		const answer = await rename(website.id, { [kind]: { domain } });
		const after = websiteOf(answer);
		assert.deepEqual(after, { ...before, domain, updated_at: after.updated_at });
		assert.ok(after.updated_at > before.updated_at);
		const got = await owner.api('GET', `/websites/${website.id}`);
		assert.equal(got.text, answer.text);
		assert.equal(got.headers.etag, answer.headers.etag);
	}
});
test('[C-REN-1] PATCH does the same', async () => {
	const { id } = await create();
	const domain = freshDomain();
	assert.equal(
		websiteOf(await owner.api('PATCH', `/websites/${id}/domain`, { form: { domain } })).domain,
		domain,
	);
});

const cleaned: { sent: string; stored: string }[] = [
	{ sent: ' HTTPS://www.Clean.Example./ ', stored: 'clean.example' },
	{ sent: 'www.www.clean.example', stored: 'www.clean.example' },
	{ sent: 'kühl.example', stored: 'xn--khl-hoa.example' },
	{ sent: '198.51.100.7', stored: '198.51.100.7' },
];
for (const { sent, stored } of cleaned)
	test(`[C-REN-2] ${JSON.stringify(sent)} is stored as ${stored}`, async () => {
		const { id } = await create();
		assert.equal(websiteOf(await rename(id, { form: { domain: sent } })).domain, stored);
		assert.equal((await get(id)).domain, stored);
	});
for (const domain of [
	'localhost',
	'a..b',
	'example.com:80',
	'*.example.com',
	'xn--.example',
	'1.2.3',
	'a b.example',
	`${'a'.repeat(64)}.example`,
])
	test(`[C-REN-2] ${domain.slice(0, 40)} is 422`, async () => {
		const website = await create();
		assertProblem(await rename(website.id, { form: { domain } }), 'validation_failed', ['domain']);
		assert.deepEqual(await get(website.id), website);
	});
for (const [name, call] of Object.entries<Call>({
	'no body': {},
	'an empty domain': { form: { domain: '' } },
	'JSON null': { json: { domain: null } },
	'another field': { form: { name: 'x.example' } },
}))
	test(`[C-REN-2] ${name} is 'The domain field is required.'`, async () => {
		const website = await create();
		const problem = assertProblem(await rename(website.id, call), 'validation_failed', ['domain']);
		assert.equal(problem.detail, 'The domain field is required.');
		assert.deepEqual(await get(website.id), website);
	});

test('[C-REN-3] the domain of another website is taken', async () => {
	const one = await create();
	const two = await create();
	for (const domain of [
		one.domain,
		one.domain.toUpperCase(),
		`www.${one.domain}`,
		`https://${one.domain}/`,
	]) {
		const problem = assertProblem(await rename(two.id, { form: { domain } }), 'domain_taken', ['domain']);
		assert.equal(problem.website_id, one.id);
	}
	assert.deepEqual([await get(one.id), await get(two.id)], [one, two]);
});
test('[C-REN-3] its own domain, in any spelling, changes nothing', async () => {
	const website = await create();
	for (const domain of [website.domain, ` WWW.${website.domain.toUpperCase()}. `])
		assert.deepEqual(websiteOf(await rename(website.id, { form: { domain } })), website);
});
test("[C-REN-3] another account's domain is free", async () => {
	const theirs = websiteOf(
		await stranger.api('POST', '/websites', { form: { domain: 'theirs.example' } }),
		201,
	);
	const { id } = await create();
	assert.equal(websiteOf(await rename(id, { form: { domain: theirs.domain } })).domain, theirs.domain);
});
test('[C-REN-3] of ten renames to one domain at the same moment one succeeds', async () => {
	const websites = [];
	for (let n = 0; n < 10; n++) websites.push(await create());
	const domain = freshDomain('prize');
	const answers = await Promise.all(websites.map(({ id }) => rename(id, { form: { domain } })));
	const winners = answers.filter(({ status }) => status === 200);
	assert.equal(winners.length, 1);
	const [winner] = winners.map((answer) => websiteOf(answer));
	for (const answer of answers.filter(({ status }) => status !== 200))
		assert.equal(assertProblem(answer, 'domain_taken', ['domain']).website_id, winner?.id);
});

test('[C-REN-4] other fields are ignored, good or bad', async () => {
	const website = await create();
	const domain = freshDomain();
	const after = websiteOf(
		await rename(website.id, { json: { domain, privacy: 9, email: 1, favorite: 'x', id: 1 } }),
	);
	assert.deepEqual(after, { ...website, domain, updated_at: after.updated_at });
});

test('[C-REN-5] an id that is not yours is 404 before the body is judged', async () => {
	const theirs = websiteOf(await stranger.api('POST', '/websites', { form: { domain: freshDomain() } }), 201);
	for (const id of [theirs.id, '999999999', 'abc'])
		for (const call of [
			{ form: { domain: freshDomain() } },
			{ form: { domain: '' } },
			{ body: '{', headers: { 'content-type': 'application/json' } },
			{ body: 'x', headers: { 'content-type': 'text/plain' } },
		])
			assertProblem(await rename(id, call), 'not_found');
	assert.deepEqual(websiteOf(await stranger.api('GET', `/websites/${theirs.id}`)), theirs);
});

test('[C-REN-6] the former domain is free at once', async () => {
	const website = await create();
	websiteOf(await rename(website.id, { form: { domain: freshDomain() } }));
	const next = websiteOf(await owner.api('POST', '/websites', { form: { domain: website.domain } }), 201);
	assert.notEqual(next.id, website.id);
	assertStatus(await owner.api('GET', `/websites/${next.id}`), 200);
});
