import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import type { Call } from '../support/client.ts';
import { assertProblem, freshDomain, listOf, type Website, websiteOf } from '../support/contract.ts';
import { world } from '../support/world.ts';

const w = await world({ after });
const owner = await w.account({ timezone: 'UTC' });
const get = async (id: number) => websiteOf(await owner.api('GET', `/websites/${id}`));
const update = (id: number, call: Call) => owner.api('PUT', `/websites/${id}`, call);

/** A website with something in every field, a little older than what follows. */
async function full(): Promise<Website> {
	const form = {
		domain: freshDomain(),
		privacy: '2',
		password: 'ebb and flow',
		email: '1',
		exclude_bots: '0',
		exclude_params: 'utm_source\nref',
		exclude_ips: '203.0.113.7\n2001:db8::/32',
		timezone: 'Europe/Berlin',
	};
	const { id } = websiteOf(await owner.api('POST', '/websites', { form }), 201);
	const website = websiteOf(await update(id, { form: { favorite: '1' } }));
	await wait(3);
	return website;
}

const form = { 'content-type': 'application/x-www-form-urlencoded' };
const json = { 'content-type': 'application/json' };

test('[C-UPD-1] an update gives the whole record and its ETag, as get does', async () => {
	const website = await full();
	const answer = await update(website.id, { form: { email: '0' } });
	const after = websiteOf(answer);
	assert.deepEqual(after, { ...website, email: 0, updated_at: after.updated_at });
	const got = await owner.api('GET', `/websites/${website.id}`);
	assert.equal(got.text, answer.text);
	assert.equal(got.headers.etag, answer.headers.etag);
	assert.match(answer.headers.etag ?? '', /^"[^"]+"$/);
});

const alone: { sent: Record<string, unknown>; changed: Partial<Website> }[] = [
	{ sent: { privacy: '1' }, changed: { privacy: 1 } },
	{ sent: { privacy: '0' }, changed: { privacy: 0 } },
	{ sent: { email: '0' }, changed: { email: 0 } },
	{ sent: { exclude_bots: '1' }, changed: { exclude_bots: 1 } },
	{ sent: { exclude_params: 'fbclid' }, changed: { exclude_params: 'fbclid' } },
	{ sent: { exclude_ips: '198.51.100.0/24' }, changed: { exclude_ips: '198.51.100.0/24' } },
	{ sent: { favorite: '0' }, changed: { favorite: 0 } },
	{ sent: { timezone: 'Asia/Tokyo' }, changed: { timezone: 'Asia/Tokyo' } },
	{ sent: { password: 'another one' }, changed: {} },
];
for (const { sent, changed } of alone)
	for (const kind of ['form', 'json'] as const)
		test(`[C-UPD-2] ${JSON.stringify(sent)} alone, as ${kind}, changes only itself`, async () => {
			const website = await full();
			const after = websiteOf(await update(website.id, { [kind]: sent }));
			assert.deepEqual(after, { ...website, ...changed, updated_at: after.updated_at });
			assert.ok(after.updated_at > website.updated_at, 'updated_at moved');
			assert.deepEqual(await get(website.id), after);
		});

const nothing: { name: string; call: Call }[] = [
	{ name: 'no body and no type', call: {} },
	{ name: 'an empty body without a type', call: { body: '' } },
	{ name: 'an empty form', call: { form: '' } },
	{ name: 'an empty body as JSON', call: { body: '', headers: json } },
	{ name: 'an empty JSON object', call: { json: {} } },
	{ name: 'a form of separators', call: { form: '&&' } },
	{ name: 'a type and no body', call: { headers: form } },
	{ name: 'unknown fields alone', call: { json: { colour: 'blue' } } },
];
for (const { name, call } of nothing)
	test(`[C-UPD-3] ${name} is 200 and changes nothing`, async () => {
		const website = await full();
		for (const method of ['PUT', 'PATCH'])
			assert.deepEqual(websiteOf(await owner.api(method, `/websites/${website.id}`, call)), website);
		assert.deepEqual(await get(website.id), website);
	});

const same: Record<string, unknown>[] = [
	{ privacy: '2' },
	{ email: 'true' },
	{ exclude_bots: 0 },
	{ exclude_params: ['utm_source', 'ref'] },
	{ exclude_params: ' utm_source ,, ref\r\n' },
	{ exclude_ips: '203.0.113.7,2001:db8::/32' },
	{ favorite: true },
	{ timezone: 'Europe/Berlin' },
];
for (const sent of same)
	test(`[C-UPD-4] ${JSON.stringify(sent)} is what the record has, and changes nothing`, async () => {
		const website = await full();
		assert.deepEqual(websiteOf(await update(website.id, { json: sent })), website);
		assert.deepEqual(await get(website.id), website);
	});
test('[C-UPD-4] a password that is sent counts as a change, even the same one', async () => {
	const website = await full();
	const after = websiteOf(await update(website.id, { form: { password: 'ebb and flow' } }));
	assert.ok(after.updated_at > website.updated_at);
	assert.deepEqual(after, { ...website, updated_at: after.updated_at });
});

const emptied: { field: 'exclude_params' | 'exclude_ips' | 'favorite'; value: null | 0 }[] = [
	{ field: 'exclude_params', value: null },
	{ field: 'exclude_ips', value: null },
	{ field: 'favorite', value: 0 },
];
for (const { field, value } of emptied)
	test(`[C-UPD-5] an empty ${field} is ${value}`, async () => {
		for (const call of [
			{ form: { [field]: '' } },
			{ form: field },
			{ json: { [field]: '' } },
			{ json: { [field]: null } },
		]) {
			const website = await full();
			const after = websiteOf(await update(website.id, call));
			assert.deepEqual(after, { ...website, [field]: value, updated_at: after.updated_at });
		}
	});

for (const field of ['privacy', 'email', 'exclude_bots', 'timezone'])
	test(`[C-UPD-6] an empty ${field} is 422`, async () => {
		const website = await full();
		for (const call of [
			{ form: { [field]: '' } },
			{ form: field },
			{ json: { [field]: '' } },
			{ json: { [field]: null } },
		])
			assertProblem(await update(website.id, call), 'validation_failed', [field]);
		assert.deepEqual(await get(website.id), website);
	});

const bad: Record<string, unknown>[] = [
	{ privacy: '3' },
	{ email: 'x' },
	{ exclude_bots: '7' },
	{ favorite: 'x' },
	{ exclude_ips: '10.0.0.1\nnowhere' },
	{ exclude_params: 'x'.repeat(256) },
	{ timezone: 'Mars/Olympus' },
	{ password: '' },
	{ password: 'x'.repeat(129) },
];
for (const fault of bad)
	test(`[C-UPD-7] ${JSON.stringify(fault).slice(0, 50)} among good fields: nothing is applied`, async () => {
		const website = await full();
		const good = {
			privacy: '2',
			email: '0',
			exclude_bots: '1',
			favorite: '0',
			exclude_params: 'a',
			exclude_ips: '::1',
			timezone: 'UTC',
		};
		const call = { json: { ...good, ...fault } };
		assertProblem(await update(website.id, call), 'validation_failed', Object.keys(fault));
		assert.deepEqual(await get(website.id), website);
	});
test('[C-UPD-7] a missing password is named beside the other faults', async () => {
	const website = websiteOf(await owner.api('POST', '/websites', { form: { domain: freshDomain() } }), 201);
	const call = { form: { privacy: '2', email: 'x' } };
	assertProblem(await update(website.id, call), 'validation_failed', ['email', 'password']);
	assert.deepEqual(await get(website.id), website);
});
test('[C-UPD-7] all faulty fields are named at once', async () => {
	const website = await full();
	const call = { form: { privacy: '9', email: 'x', favorite: 'x', exclude_ips: 'x', timezone: 'x' } };
	assertProblem(await update(website.id, call), 'validation_failed', [
		'privacy',
		'email',
		'favorite',
		'exclude_ips',
		'timezone',
	]);
	assert.deepEqual(await get(website.id), website);
});

for (const domain of ['other.example', '', 'no domain', null, ['a'], 42])
	test(`[C-UPD-8] domain ${JSON.stringify(domain)} is ignored`, async () => {
		const website = await full();
		assert.deepEqual(websiteOf(await update(website.id, { json: { domain } })), website);
		const after = websiteOf(await update(website.id, { json: { domain, email: 0 } }));
		assert.deepEqual(after, { ...website, email: 0, updated_at: after.updated_at });
	});

test('[C-UPD-10] fields in the query are not read', async () => {
	const website = await full();
	const path = `/websites/${website.id}?email=0&privacy=9&favorite=0&exclude_params=x`;
	assert.deepEqual(websiteOf(await owner.api('PUT', path)), website);
	const after = websiteOf(await owner.api('PUT', path, { form: { exclude_bots: '1' } }));
	assert.deepEqual(after, { ...website, exclude_bots: 1, updated_at: after.updated_at });
});
test('[C-UPD-10] nor are they on create', async () => {
	const answer = await owner.api('POST', `/websites?domain=${freshDomain()}&email=1`);
	assertProblem(answer, 'validation_failed', ['domain']);
});

for (const { sent, changed } of alone)
	test(`[C-UPD-11] PATCH with ${JSON.stringify(sent)} does what PUT does`, async () => {
		const website = await full();
		const after = websiteOf(await owner.api('PATCH', `/websites/${website.id}`, { json: sent }));
		assert.deepEqual(after, { ...website, ...changed, updated_at: after.updated_at });
	});
test('[C-UPD-11] PATCH refuses what PUT refuses', async () => {
	const website = await full();
	for (const fault of bad)
		assertProblem(
			await owner.api('PATCH', `/websites/${website.id}`, { json: fault }),
			'validation_failed',
			Object.keys(fault),
		);
});

const worse: { name: string; call: Call }[] = [
	{ name: 'a bad field', call: { form: { privacy: '9' } } },
	{ name: 'broken JSON', call: { body: '{', headers: json } },
	{ name: 'a JSON list', call: { json: [] } },
	{ name: 'another type', call: { body: 'x', headers: { 'content-type': 'text/plain' } } },
	{ name: 'a content type that is none', call: { body: 'x', headers: { 'content-type': 'nonsense' } } },
	{ name: 'a compressed body', call: { form: 'email=1', headers: { 'content-encoding': 'gzip' } } },
	{ name: 'bytes that are no UTF-8', call: { body: Uint8Array.of(0x65, 0x3d, 0xff), headers: form } },
];
for (const { name, call } of worse)
	test(`[C-UPD-12] an unknown id is 404 before ${name}`, async () => {
		for (const method of ['PUT', 'PATCH'])
			assertProblem(await owner.api(method, '/websites/999999999', call), 'not_found');
	});

test('[C-REC-3] created_at stays and updated_at grows through a chain of updates', async () => {
	const website = await full();
	let last = website.updated_at;
	for (const email of ['0', '1', '0']) {
		const after = websiteOf(await update(website.id, { form: { email } }));
		assert.equal(after.created_at, website.created_at);
		assert.ok(after.updated_at > last);
		last = after.updated_at;
		await wait(3);
	}
	const listed = listOf(await owner.api('GET', `/websites?search=${website.domain}`)).data[0];
	assert.equal(listed?.updated_at, last);
});

test('[C-REC-4] a record that was read and sent back changes nothing', async (t) => {
	const plain = websiteOf(await owner.api('POST', '/websites', { form: { domain: freshDomain() } }), 201);
	for (const website of [await full(), plain]) {
		const asText = Object.fromEntries(
			Object.entries(website).map(([name, value]) => [name, String(value ?? '')]),
		);
		for (const [name, call] of Object.entries({
			json: { json: website },
			form: { form: asText },
			'wrapped in data': { json: { data: website } },
		}))
			for (const method of ['PUT', 'PATCH'])
				await t.test(`[C-REC-4] ${method} as ${name}`, async () => {
					assert.deepEqual(websiteOf(await owner.api(method, `/websites/${website.id}`, call)), website);
					assert.deepEqual(await get(website.id), website);
				});
	}
});

for (const has_password of [true, false, 'x', null])
	test(`[C-REC-2] has_password ${has_password} has no effect`, async () => {
		const website = await full();
		assert.deepEqual(websiteOf(await update(website.id, { json: { has_password } })), website);
	});
