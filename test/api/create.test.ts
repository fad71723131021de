import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import {
	accountOf,
	assertProblem,
	assertStatus,
	assertWebsite,
	freshDomain,
	listOf,
	websiteOf,
} from '../support/contract.ts';
import { world } from '../support/world.ts';

const w = await world({ after });
const owner = await w.account({ timezone: 'UTC' });
const berliner = await w.account({ timezone: 'Europe/Berlin' });

test('[C-NEW-1] a create is 201 with Location and the record that get gives', async () => {
	const domain = freshDomain();
	const answer = await owner.api('POST', '/websites', { form: { domain } });
	const website = websiteOf(answer, 201);
	assertWebsite(website, { domain });
	assert.equal(answer.headers.location, `${w.publicUrl}/api/v1/websites/${website.id}`);
	const got = await owner.api('GET', `/websites/${website.id}`);
	assert.deepEqual(got.json, answer.json);
});

test('[C-NEW-2] the defaults are those of the specification', async () => {
	const domain = freshDomain();
	const website = websiteOf(await berliner.api('POST', '/websites', { form: { domain } }), 201);
	assert.deepEqual(website, {
		id: website.id,
		domain,
		privacy: 0,
		has_password: false,
		email: 0,
		exclude_bots: 1,
		exclude_params: null,
		exclude_ips: null,
		favorite: 0,
		timezone: 'Europe/Berlin',
		created_at: website.created_at,
		updated_at: website.created_at,
	});
	assert.ok(Math.abs(Date.now() - Date.parse(website.created_at)) < 60_000);
});

test('[C-NEW-2] every field can be given, by form and by JSON', async () => {
	for (const kind of ['form', 'json'] as const) {
		const domain = freshDomain();
		const fields = {
			domain,
			privacy: '2',
			password: 'spring tide',
			email: '1',
			exclude_bots: '0',
			exclude_params: 'utm_source\nref',
			exclude_ips: '203.0.113.7\n10.0.0.0/8',
			timezone: 'Asia/Tokyo',
		};
		const website = websiteOf(await owner.api('POST', '/websites', { [kind]: fields }), 201);
		assertWebsite(website, {
			domain,
			privacy: 2,
			has_password: true,
			email: 1,
			exclude_bots: 0,
			exclude_params: 'utm_source\nref',
			exclude_ips: '203.0.113.7\n10.0.0.0/8',
			timezone: 'Asia/Tokyo',
		});
		assert.deepEqual(websiteOf(await owner.api('GET', `/websites/${website.id}`)), website);
	}
});

const optional = [
	'privacy',
	'password',
	'email',
	'exclude_bots',
	'exclude_params',
	'exclude_ips',
	'timezone',
	'favorite',
];
for (const field of optional)
	test(`[C-NEW-3] an empty ${field} counts as not sent`, async () => {
		for (const value of [{ form: { [field]: '' } }, { json: { [field]: '' } }, { json: { [field]: null } }]) {
			const domain = freshDomain();
			const call =
				'form' in value ? { form: { domain, ...value.form } } : { json: { domain, ...value.json } };
			assertWebsite(websiteOf(await owner.api('POST', '/websites', call), 201), { domain });
		}
	});

test('[C-NEW-3] all of them empty at once', async () => {
	const domain = freshDomain();
	const form = Object.fromEntries(optional.map((field) => [field, '']));
	assertWebsite(websiteOf(await owner.api('POST', '/websites', { form: { domain, ...form } }), 201), {
		domain,
	});
});

const ignored: Record<string, unknown>[] = [
	{ favorite: 1 },
	{ favorite: 'nonsense' },
	{ id: 1 },
	{ id: 999_999 },
	{ has_password: true },
	{ created_at: '2001-01-01T00:00:00.000Z', updated_at: '2001-01-01T00:00:00.000Z' },
	{ account_id: 1, account: 1, user_id: 1 },
	{ unknown: 'x', nested: { a: [1] } },
];
for (const extra of ignored)
	test(`[C-NEW-4] ${JSON.stringify(extra)} is ignored`, async () => {
		const domain = freshDomain();
		const website = websiteOf(await owner.api('POST', '/websites', { json: { domain, ...extra } }), 201);
		assertWebsite(website, { domain });
		assert.ok(Math.abs(Date.now() - Date.parse(website.created_at)) < 60_000);
		assert.notEqual(website.id, 999_999);
	});

test('[C-NEW-5] a second create of a domain names the first website', async () => {
	const domain = freshDomain();
	const first = websiteOf(await owner.api('POST', '/websites', { form: { domain, email: '1' } }), 201);
	const problem = assertProblem(await owner.api('POST', '/websites', { form: { domain } }), 'domain_taken', [
		'domain',
	]);
	assert.equal(problem.website_id, first.id);
	assert.deepEqual(websiteOf(await owner.api('GET', `/websites/${first.id}`)), first);
	websiteOf(await berliner.api('POST', '/websites', { form: { domain } }), 201);
});

test('[C-NEW-5] a bad field and a duplicate: the bad field is reported, nothing is created', async () => {
	const domain = freshDomain();
	websiteOf(await owner.api('POST', '/websites', { form: { domain } }), 201);
	const answer = await owner.api('POST', '/websites', { form: { domain, privacy: '9' } });
	assert.equal(answer.status, 422);
	assert.equal(listOf(await owner.api('GET', `/websites?search=${domain}`)).meta.total, 1);
});

test('[C-NEW-6] at the limit a create is limit_reached, a duplicate domain_taken', async () => {
	const small = await w.account({ timezone: 'UTC', limits: { websites: 2 } });
	const first = websiteOf(await small.api('POST', '/websites', { form: { domain: 'first.example' } }), 201);
	websiteOf(await small.api('POST', '/websites', { form: { domain: 'second.example' } }), 201);
	assertProblem(
		await small.api('POST', '/websites', { form: { domain: 'third.example' } }),
		'limit_reached',
		['domain'],
	);
	const duplicate = await small.api('POST', '/websites', { form: { domain: 'www.first.example' } });
	assert.equal(assertProblem(duplicate, 'domain_taken', ['domain']).website_id, first.id);
	assertProblem(await small.api('POST', '/websites', { form: { domain: '' } }), 'validation_failed', [
		'domain',
	]);
	assert.equal(accountOf(await small.api('GET', '/account')).usage.websites, 2);
});

test('[C-NEW-6] a delete makes room, a raised limit too, a limit of none ends it', async () => {
	const small = await w.account({ timezone: 'UTC', limits: { websites: 1 } });
	const create = () => small.api('POST', '/websites', { form: { domain: freshDomain('room') } });
	const { id } = websiteOf(await create(), 201);
	assertProblem(await create(), 'limit_reached', ['domain']);
	assertStatus(await small.api('DELETE', `/websites/${id}`), 200);
	websiteOf(await create(), 201);
	assertProblem(await create(), 'limit_reached', ['domain']);
	await w.setLimits(small, { websites: 2 });
	websiteOf(await create(), 201);
	assertProblem(await create(), 'limit_reached', ['domain']);
	await w.setLimits(small, { websites: null });
	websiteOf(await create(), 201);
});

test('[C-NEW-6] creates at the same moment do not pass the limit', async () => {
	const small = await w.account({ timezone: 'UTC', limits: { websites: 3 } });
	const answers = await Promise.all(
		Array.from({ length: 12 }, () =>
			small.api('POST', '/websites', { form: { domain: freshDomain('crowd') } }),
		),
	);
	assert.equal(answers.filter(({ status }) => status === 201).length, 3);
	for (const answer of answers.filter(({ status }) => status !== 201))
		assertProblem(answer, 'limit_reached', ['domain']);
	assert.equal(accountOf(await small.api('GET', '/account')).usage.websites, 3);
});

test('[C-NEW-7] all faulty fields are named at once, and nothing is created', async () => {
	const before = listOf(await owner.api('GET', '/websites')).meta.total;
	const fields = {
		domain: 'no domain',
		privacy: '9',
		password: 'x'.repeat(129),
		email: 'maybe',
		exclude_bots: '2',
		exclude_params: 'x'.repeat(256),
		exclude_ips: 'nowhere',
		timezone: 'Moon/Tranquility',
	};
	for (const kind of ['form', 'json'] as const)
		assertProblem(
			await owner.api('POST', '/websites', { [kind]: fields }),
			'validation_failed',
			Object.keys(fields),
		);
	assert.equal(listOf(await owner.api('GET', '/websites')).meta.total, before);
});

test('[C-NEW-7] a missing password is named beside the other faults', async () => {
	for (const form of [
		{ domain: 'no domain', privacy: '2' },
		{ domain: '', privacy: '2', password: '' },
	])
		assertProblem(await owner.api('POST', '/websites', { form }), 'validation_failed', [
			'domain',
			'password',
		]);
});

test('[C-NEW-7] one bad field beside a good domain creates nothing', async () => {
	const domain = freshDomain();
	for (const bad of [{ privacy: '3' }, { email: 'x' }, { exclude_ips: 'x' }, { timezone: 'x' }]) {
		assertProblem(
			await owner.api('POST', '/websites', { form: { domain, ...bad } }),
			'validation_failed',
			Object.keys(bad),
		);
		assert.equal(listOf(await owner.api('GET', `/websites?search=${domain}`)).meta.total, 0);
	}
});
