import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { client } from '../support/client.ts';
import { assertProblem, assertStatus, freshDomain, listOf, websiteOf } from '../support/contract.ts';
import { wireRequest } from '../support/wire.ts';
import { world } from '../support/world.ts';

const w = await world({ after });
const owner = await w.account({ timezone: 'UTC' });
const stranger = await w.account({ timezone: 'UTC' });
const create = (form: string | Record<string, string>, key: string, api = owner.api) =>
	api('POST', '/websites', { form, headers: { 'idempotency-key': key } });
const countOf = async (domain: string) =>
	listOf(await owner.api('GET', `/websites?search=${domain}`)).meta.total;

test('[C-IDEM-1] the same key and body get the first answer again', async () => {
	const key = randomUUID();
	const domain = freshDomain();
	const first = await create({ domain, email: '1' }, key);
	websiteOf(first, 201);
	assert.equal(first.headers['idempotency-replayed'], undefined);
	for (let round = 0; round < 3; round++) {
		const again = await create({ domain, email: '1' }, key);
		assert.equal(again.status, 201);
		assert.equal(again.text, first.text);
		assert.equal(again.headers.location, first.headers.location);
		assert.equal(again.headers['content-type'], first.headers['content-type']);
		assert.equal(again.headers['idempotency-replayed'], 'true');
	}
	assert.equal(await countOf(domain), 1);
});
test('[C-IDEM-1] the first answer stays, whatever happened to the website since', async () => {
	const key = randomUUID();
	const domain = freshDomain();
	const first = await create({ domain }, key);
	const { id } = websiteOf(first, 201);
	await owner.api('PUT', `/websites/${id}`, { form: { email: '1' } });
	assert.equal((await create({ domain }, key)).text, first.text);
	await owner.api('DELETE', `/websites/${id}`);
	const again = await create({ domain }, key);
	assert.equal(again.text, first.text);
	assert.equal(again.headers['idempotency-replayed'], 'true');
	assert.equal(await countOf(domain), 0);
});
test('[C-IDEM-1] after 24 hours the key is free', async () => {
	const key = randomUUID();
	const domain = freshDomain();
	const first = await create({ domain }, key);
	websiteOf(first, 201);
	const age = (by: string) =>
		w.sql('UPDATE idempotent_answers SET created_at = created_at - $2::interval WHERE key = $1', [key, by]);
	await age('23 hours 59 minutes');
	assert.equal((await create({ domain }, key)).text, first.text);
	await age('2 minutes');
	const late = await create({ domain }, key);
	assertProblem(late, 'domain_taken', ['domain']);
	assert.equal(late.headers['idempotency-replayed'], undefined);
});
test('[C-IDEM-1] without the header a second create is a duplicate', async () => {
	const domain = freshDomain();
	websiteOf(await create({ domain }, randomUUID()), 201);
	assertProblem(await owner.api('POST', '/websites', { form: { domain } }), 'domain_taken', ['domain']);
	assertProblem(await create({ domain }, randomUUID()), 'domain_taken', ['domain']);
});

const refusals: { name: string; form: string; code: 'validation_failed' | 'domain_taken' }[] = [
	{ name: 'a missing domain', form: 'domain=', code: 'validation_failed' },
	{ name: 'a bad field', form: 'domain=idem.example&privacy=9', code: 'validation_failed' },
	{ name: 'a missing password', form: 'domain=idem.example&privacy=2', code: 'validation_failed' },
	{ name: 'a duplicate', form: 'domain=duplicate.example', code: 'domain_taken' },
];
for (const { name, form, code } of refusals)
	test(`[C-IDEM-2] the 422 of ${name} is kept`, async () => {
		await owner.api('POST', '/websites', { form: { domain: 'duplicate.example' } });
		const key = randomUUID();
		const first = await create(form, key);
		assertProblem(first, code);
		const again = await create(form, key);
		assert.equal(again.text, first.text);
		assert.equal(again.status, 422);
		assert.equal(again.headers['idempotency-replayed'], 'true');
	});
test('[C-IDEM-2] the 422 of a limit is kept, also after the limit was raised', async () => {
	const small = await w.account({ timezone: 'UTC', limits: { websites: 0 } });
	const key = randomUUID();
	const first = await create({ domain: 'limit.example' }, key, small.api);
	assertProblem(first, 'limit_reached', ['domain']);
	await w.setLimits(small, { websites: 5 });
	const again = await create({ domain: 'limit.example' }, key, small.api);
	assert.equal(again.text, first.text);
	websiteOf(await create({ domain: 'limit.example' }, randomUUID(), small.api), 201);
});
test('[C-IDEM-2] after 400, 403 and 415 the key is free', async () => {
	const key = randomUUID();
	const headers = { 'idempotency-key': key };
	const reader = client(w.base, (await w.key(owner, { access: 'read' })).key);
	assertProblem(await reader('POST', '/websites', { form: { domain: 'x.example' }, headers }), 'forbidden');
	const broken = { body: '{', headers: { ...headers, 'content-type': 'application/json' } };
	assertProblem(await owner.api('POST', '/websites', broken), 'bad_request');
	const text = { body: 'x', headers: { ...headers, 'content-type': 'text/plain' } };
	assertProblem(await owner.api('POST', '/websites', text), 'unsupported_media_type');
	const answer = await create({ domain: freshDomain() }, key);
	websiteOf(answer, 201);
	assert.equal(answer.headers['idempotency-replayed'], undefined);
});

test('[C-IDEM-3] the same key with another body is 422 and does nothing', async () => {
	const key = randomUUID();
	const domain = freshDomain();
	const other = freshDomain();
	const first = await create({ domain }, key);
	for (const form of [`domain=${other}`, `domain=${domain}&email=1`, `domain=${domain}&`, ''])
		assertProblem(await create(form, key), 'idempotency_mismatch');
	assert.equal(await countOf(other), 0);
	assert.equal((await create({ domain }, key)).text, first.text);
});

test('[C-IDEM-4] many at once: the website is made once, and the late ones get 409 or the answer', async () => {
	let conflicts = 0;
	// Creates of one account wait for each other. So the others here make the first of the pair slow enough
	// for the second to meet it; how often that happens is up to the machine, and once is enough.
	for (let round = 0; round < 20 && conflicts === 0; round++) {
		const key = randomUUID();
		const domain = freshDomain('pair');
		const crowd = Array.from({ length: 20 }, () =>
			owner.api('POST', '/websites', { form: { domain: freshDomain('crowd') } }),
		);
		const answers = await Promise.all(Array.from({ length: 6 }, () => create({ domain }, key)));
		for (const answer of await Promise.all(crowd)) assertStatus(answer, 201);
		const made = answers.filter(({ status }) => status === 201);
		assert.equal(new Set(made.map(({ text }) => text)).size, 1);
		assert.equal(made.filter(({ headers }) => headers['idempotency-replayed'] === undefined).length, 1);
		const late = answers.filter(({ status }) => status !== 201);
		for (const answer of late) assertProblem(answer, 'idempotency_conflict');
		conflicts += late.length;
		assert.equal(await countOf(domain), 1);
		assert.equal((await create({ domain }, key)).status, 201);
	}
	assert.ok(conflicts > 0, 'no two requests met');
});

const goodKeys = ['a', '!', '~', randomUUID(), 'x'.repeat(255), '"quoted"', 'a,b;c=d', "it's:~/?#[]@"];
for (const key of goodKeys)
	test(`[C-IDEM-5] ${key.slice(0, 40)} is a key`, async () => {
		const domain = freshDomain();
		const first = await create({ domain }, key);
		websiteOf(first, 201);
		assert.equal((await create({ domain }, key)).text, first.text);
	});
for (const [name, key] of Object.entries({
	'256 characters': 'x'.repeat(256),
	'an empty one': '',
	'a blank inside': 'a b',
	'a tab inside': 'a\tb',
	'a letter beyond ASCII': 'ü',
}))
	test(`[C-IDEM-5] ${name} is 400`, async () => {
		const domain = freshDomain();
		const answer = await wireRequest(w.base, {
			method: 'POST',
			path: '/api/v1/websites',
			headers: [
				['Authorization', `Bearer ${owner.key}`],
				['Content-Type', 'application/x-www-form-urlencoded'],
				['Idempotency-Key', key],
			],
			body: `domain=${domain}`,
		});
		assertProblem(
			{ ...answer, text: answer.body, headers: Object.fromEntries(answer.headers) },
			'bad_request',
		);
		assert.equal(await countOf(domain), 0);
	});

test("[C-IDEM-6] another account's key is another key", async () => {
	const key = randomUUID();
	const domain = freshDomain();
	const mine = websiteOf(await create({ domain }, key), 201);
	const theirs = await create({ domain }, key, stranger.api);
	assert.notEqual(websiteOf(theirs, 201).id, mine.id);
	assert.equal(theirs.headers['idempotency-replayed'], undefined);
	assertProblem(await create({ domain: freshDomain() }, key, stranger.api), 'idempotency_mismatch');
});
test('[C-IDEM-6] another API key of the account meets the same answer', async () => {
	const key = randomUUID();
	const domain = freshDomain();
	const first = await create({ domain }, key);
	const sister = client(w.base, (await w.key(owner, {})).key);
	const again = await create({ domain }, key, sister);
	assert.equal(again.text, first.text);
	assert.equal(again.headers['idempotency-replayed'], 'true');
});

const creates: { what: string; form: Record<string, string> }[] = [
	{ what: 'goals', form: { name: 'Thanks', kind: 'page', pattern: '/thanks' } },
	{ what: 'funnels', form: { name: 'Way', steps: '[{"page":"/a"},{"page":"/b"}]' } },
	{ what: 'segments', form: { name: 'Germany', filters: '["is","country",["DE"]]' } },
	{ what: 'notes', form: { date: '2026-11-01', text: 'Released' } },
	{ what: 'traffic-rules', form: { name: 'Spam', kind: 'referrer', values: 'spam.example' } },
	{ what: 'alerts', form: { kind: 'spike', channel: 'mail' } },
	{ what: 'alerts', form: { kind: 'spike', channel: 'webhook', url: 'https://example.com/hook' } },
	{ what: 'keys', form: { name: 'Robot', access: 'read' } },
];
const totalOf = async (path: string) => {
	const { meta } = (await owner.api('GET', path)).json as { meta: { total: number } };
	return meta.total;
};
for (const { what, form } of creates)
	test(`[C-IDEM-8] a create of ${what} (${Object.values(form).slice(0, 2)}) is made once and answered alike`, async () => {
		const website = websiteOf(await owner.api('POST', '/websites', { form: { domain: freshDomain() } }), 201);
		const path = what === 'keys' ? '/keys' : `/websites/${website.id}/${what}`;
		const headers = { 'idempotency-key': randomUUID() };
		const before = await totalOf(path);
		const first = await owner.api('POST', path, { form, headers });
		assertStatus(first, 201);
		assert.equal(first.headers['idempotency-replayed'], undefined);
		for (let round = 0; round < 2; round++) {
			const again = await owner.api('POST', path, { form, headers });
			assert.deepEqual([again.status, again.text], [201, first.text]);
			assert.equal(again.headers.location, first.headers.location);
			assert.equal(again.headers['cache-control'], first.headers['cache-control']);
			assert.equal(again.headers['idempotency-replayed'], 'true');
		}
		assert.equal(await totalOf(path), before + 1);
		assertProblem(
			await owner.api('POST', path, { form: { ...form, more: 'x' }, headers }),
			'idempotency_mismatch',
		);
		// The same key and body at another address is another request.
		const other = what === 'goals' ? 'segments' : 'goals';
		const elsewhere = await owner.api('POST', `/websites/${website.id}/${other}`, { form, headers });
		assertProblem(elsewhere, 'idempotency_mismatch');
		assertProblem(await create(form, headers['idempotency-key']), 'idempotency_mismatch');
		const bad = { 'idempotency-key': randomUUID() };
		const refused = await owner.api('POST', path, { form: {}, headers: bad });
		assertProblem(refused, 'validation_failed');
		const refusedAgain = await owner.api('POST', path, { form: {}, headers: bad });
		assert.equal(refusedAgain.text, refused.text);
		assert.equal(refusedAgain.headers['idempotency-replayed'], 'true');
		assertProblem(
			await owner.api('POST', path, { form, headers: { 'idempotency-key': 'a b' } }),
			'bad_request',
		);
	});

test('[T104] the stored answer to a create holds no secret, and only the API key that asked gets it again', async () => {
	const website = websiteOf(await owner.api('POST', '/websites', { form: { domain: freshDomain() } }), 201);
	const other = client(w.base, (await w.key(owner)).key);
	for (const [path, form, member] of [
		['/keys', { name: 'Robot' }, 'key'],
		[
			`/websites/${website.id}/alerts`,
			{ kind: 'spike', channel: 'webhook', url: 'https://example.com/h' },
			'secret',
		],
	] as const) {
		const headers = { 'idempotency-key': randomUUID() };
		const first = await owner.api('POST', path, { form, headers });
		assertStatus(first, 201);
		const secret = (first.json as { data: Record<string, string> }).data[member] ?? '';
		assert.ok(secret.length > 30);
		const [stored] = await w.sql<{ row: string; body: string }>(
			'SELECT t::text AS row, body FROM idempotent_answers t WHERE key = $1',
			[headers['idempotency-key']],
		);
		assert.ok(stored && stored.body.length > 200);
		const bytes = Buffer.from(stored.body, 'base64').toString('latin1');
		for (const spelling of [secret, secret.slice(3, 30), Buffer.from(secret).toString('hex')])
			assert.equal((stored.row + bytes).includes(spelling), false);
		const before = await totalOf(path);
		const foreign = await other('POST', path, { form, headers });
		assertProblem(foreign, 'idempotency_conflict');
		assert.equal(foreign.text.includes(secret), false);
		assert.match(foreign.text, new RegExp(`${path}/\\d+`));
		assert.equal((await owner.api('POST', path, { form, headers })).text, first.text);
		assert.equal(await totalOf(path), before);
	}
	// What shows no secret is given to every API key of the account.
	const headers = { 'idempotency-key': randomUUID() };
	const note = { form: { date: '2026-11-01', text: 'x' }, headers };
	const made = await owner.api('POST', `/websites/${website.id}/notes`, note);
	assert.equal((await other('POST', `/websites/${website.id}/notes`, note)).text, made.text);
});

test('[C-IDEM-8] at once: one is made', async () => {
	const website = websiteOf(await owner.api('POST', '/websites', { form: { domain: freshDomain() } }), 201);
	const path = `/websites/${website.id}/notes`;
	const call = { form: { date: '2026-11-01', text: 'x' }, headers: { 'idempotency-key': randomUUID() } };
	const answers = await Promise.all(Array.from({ length: 8 }, () => owner.api('POST', path, call)));
	for (const answer of answers) assert.ok([201, 409].includes(answer.status), answer.text);
	assert.equal(await totalOf(path), 1);
});

test('[C-IDEM-7] on other operations the header has no meaning', async () => {
	const { id } = websiteOf(await owner.api('POST', '/websites', { form: { domain: freshDomain() } }), 201);
	const headers = { 'idempotency-key': 'the same' };
	for (const email of ['1', '0', '1']) {
		const answer = await owner.api('PUT', `/websites/${id}`, { form: { email }, headers });
		assert.equal(websiteOf(answer).email, Number(email));
		assert.equal(answer.headers['idempotency-replayed'], undefined);
	}
	assertStatus(await owner.api('GET', `/websites/${id}`, { headers: { 'idempotency-key': '' } }), 200);
	assertStatus(await owner.api('DELETE', `/websites/${id}`, { headers }), 200);
	assertProblem(await owner.api('DELETE', `/websites/${id}`, { headers }), 'not_found');
});
