import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { bulkAnswer } from '../../api/bulk.ts';
import { type Answer, client } from '../support/client.ts';
import { assertProblem, assertStatus, freshDomain, itemsOf, listOf, websiteOf } from '../support/contract.ts';
import { type TestAccount, world } from '../support/world.ts';

const w = await world({ after });
const owner = await w.account({ timezone: 'UTC' });
const { api } = owner;

function resultsOf(answer: Answer) {
	assertStatus(answer, 200);
	const { data, meta } = bulkAnswer.parse(answer.json);
	const failed = data.filter(({ error }) => error).length;
	assert.deepEqual(meta, { total: data.length, succeeded: data.length - failed, failed });
	for (const { data: record, error } of data) assert.equal(record === undefined, error !== undefined);
	return data;
}
const createMany = async (count: number, account: TestAccount = owner, more: object = {}) => {
	const websites = Array.from({ length: count }, () => ({ domain: freshDomain('bulk') }));
	const results = resultsOf(await account.api('POST', '/bulk/websites', { json: { websites, ...more } }));
	return results.map(({ id, error }) => id ?? assert.fail(error?.detail));
};
const change = (json: object, account: TestAccount = owner) => account.api('PUT', '/bulk/websites', { json });
const settingsOf = async (id: number) => {
	const { json } = await api('GET', `/websites/${id}/settings`);
	return (json as { data: Record<string, unknown> }).data;
};
const goalsOf = async (id: number) => itemsOf('goals', await api('GET', `/websites/${id}/goals`)).data;
const goal = { name: 'Contact', kind: 'page', pattern: '/contact' };

test('[C-BULK-1] each website has a result, in the order of the request, as the request for it alone would have', async () => {
	const [one = 0, two = 0] = await createMany(2);
	const results = resultsOf(await change({ website_ids: [two, 999_999_999, one], website: { email: 1 } }));
	assert.deepEqual(
		results.map(({ id, status }) => [id, status]),
		[
			[two, 200],
			[999_999_999, 404],
			[one, 200],
		],
	);
	assert.deepEqual(results[0]?.data, websiteOf(await api('GET', `/websites/${two}`)));
	assert.deepEqual(results[1]?.error, (await api('GET', '/websites/999999999')).json);
	assert.equal(results[0]?.data?.email, 1);
});

test('[C-BULK-2] websites are selected by up to 1,000 ids, which count once, or by labels', async () => {
	const [one = 0, two = 0, three = 0] = await createMany(3);
	assert.deepEqual(
		resultsOf(await change({ website_ids: [two, one, two], add_labels: ['spring'] })).map(({ id }) => id),
		[two, one],
	);
	await change({ website_ids: [three], add_labels: 'Spring' });
	assert.deepEqual(
		resultsOf(await change({ labels: ['spring', 'x'], website: { email: 1 } })).map(({ id }) => id),
		[one, two],
	);
	assert.deepEqual(resultsOf(await change({ labels: 'none of them' })), []);
	const faulty: unknown[] = [
		[],
		['1'],
		[0],
		[-1],
		[1.5],
		'x',
		{},
		Array.from({ length: 1_001 }, (_, id) => id + 1),
	];
	for (const ids of faulty)
		assertProblem(await change({ website_ids: ids }), 'validation_failed', ['website_ids']);
	assertProblem(await change({}), 'validation_failed', ['website_ids']);
	assertProblem(await change({ website_ids: [one], labels: ['x'] }), 'validation_failed', ['website_ids']);
	assertProblem(await change({ labels: [] }), 'validation_failed', ['labels']);
});

test('[C-BULK-3] a website with an error is unchanged, and does not stop the others', async () => {
	const ids = await createMany(3);
	const [one = 0, full = 0, three = 0] = ids;
	const labels = Array.from({ length: 20 }, (_, index) => `label ${index}`);
	await api('PUT', `/websites/${full}/settings`, { json: { labels } });
	const before = [await settingsOf(full), websiteOf(await api('GET', `/websites/${full}`))];
	const results = resultsOf(
		await change({ website_ids: ids, website: { email: 1 }, goals: [goal], add_labels: ['one more'] }),
	);
	assert.deepEqual(
		results.map(({ status, error }) => [status, error?.errors && Object.keys(error.errors)]),
		[
			[200, undefined],
			[422, ['labels']],
			[200, undefined],
		],
	);
	assert.deepEqual([await settingsOf(full), websiteOf(await api('GET', `/websites/${full}`))], before);
	assert.deepEqual(await goalsOf(full), []);
	for (const id of [one, three]) assert.deepEqual((await settingsOf(id)).labels, ['one more']);
	// One has a password, the other does not.
	await api('PUT', `/websites/${one}`, { json: { password: 'ebb' } });
	const locked = resultsOf(await change({ website_ids: [one, three], website: { privacy: 2 } }));
	assert.deepEqual(
		locked.map(({ status }) => status),
		[200, 422],
	);
});

test('[C-BULK-4] a template is applied first, then fields, labels and goals; repeating it changes nothing', async () => {
	const [id = 0] = await createMany(1);
	await api('POST', `/websites/${id}/goals`, { json: goal });
	await api('PUT', `/websites/${id}/settings`, { json: { labels: ['own', 'old'] } });
	const { json } = await api('POST', '/website-templates', {
		json: {
			name: 'For bulk',
			website: { exclude_params: 'ref', email: 1 },
			settings: { labels: ['template'] },
			goals: [{ name: 'Sale', kind: 'event', pattern: 'sale' }],
			segments: [{ name: 'Buyers', filters: ['is', 'goal', ['Sale']] }],
		},
	});
	const wanted = {
		website_ids: [id],
		template_id: (json as { data: { id: number } }).data.id,
		website: { email: 0 },
		settings: { retention_months: 6, hostnames: 'shop.example' },
		add_labels: ['new'],
		remove_labels: ['old'],
		goals: [{ ...goal, pattern: '/kontakt', property: { name: 'plan', value: 'pro' } }],
	};
	const [first] = resultsOf(await change(wanted));
	assert.deepEqual([first?.data?.email, first?.data?.exclude_params], [0, 'ref']);
	const settings = await settingsOf(id);
	assert.deepEqual(settings.labels, ['own', 'template', 'new']);
	assert.deepEqual([settings.retention_months, settings.hostnames], [6, 'shop.example']);
	const goals = await goalsOf(id);
	assert.deepEqual(
		goals.map(({ name, pattern, property }) => [name, pattern, property]),
		[
			['Sale', 'sale', null],
			['Contact', '/kontakt', { name: 'plan', value: 'pro' }],
		],
	);
	await change(wanted);
	assert.deepEqual(await goalsOf(id), goals);
	assert.deepEqual(await settingsOf(id), settings);
});

test('[C-BULK-5] what is wrong for all websites refuses the request as a whole, and nobody gets a password', async () => {
	const website_ids = await createMany(1);
	const faulty: Record<string, unknown[]> = {
		website: [{ privacy: 3 }, { timezone: 'x' }, { password: 'high water' }, 'x'],
		settings: [{ embed_origins: 'x' }, { retention_months: 0 }, 1],
		goals: [[{ name: 'x' }], 'x', Array.from({ length: 51 }, (_, index) => ({ ...goal, name: `${index}` }))],
		add_labels: [['x'.repeat(51)]],
		template_id: [999_999, 'x'],
	};
	for (const [field, cases] of Object.entries(faulty))
		for (const sent of cases)
			assertProblem(await change({ website_ids, [field]: sent }), 'validation_failed', [field]);
	assertProblem(await api('PUT', '/bulk/websites', { form: { labels: 'x' } }), 'unsupported_media_type');
	const [result] = resultsOf(
		await api('POST', '/bulk/websites', { json: { websites: [{ domain: freshDomain(), password: 'ebb' }] } }),
	);
	assert.deepEqual([result?.status, Object.keys(result?.error?.errors ?? {})], [422, ['password']]);
});

test('[C-BULK-6] the permission is checked for each website, as for a request about it alone', async () => {
	const ids = await createMany(2);
	const [one = 0] = ids;
	const keyed = async (rights: Parameters<typeof w.key>[1]) =>
		client(w.base, (await w.key(owner, rights)).key);
	const json = { website_ids: ids, website: { email: 1 } };
	const limited = await keyed({ websites: [one] });
	const results = resultsOf(await limited('PUT', '/bulk/websites', { json }));
	assert.deepEqual(
		results.map(({ status }) => status),
		[200, 404],
	);
	assertProblem(await limited('PUT', '/bulk/websites', { json: { ...json, template_id: 1 } }), 'forbidden');
	assertProblem(
		await limited('POST', '/bulk/websites', { json: { websites: [{ domain: freshDomain() }] } }),
		'forbidden',
	);
	for (const rights of [{ access: 'read' as const }, { scopes: ['stats' as const] }])
		assertProblem(await (await keyed(rights))('PUT', '/bulk/websites', { json }), 'forbidden');
});

test('[C-BULK-7] many websites are created, each by itself, also at the limit of the account', async () => {
	const account = await w.account({ limits: { websites: 3 } });
	const { id } = websiteOf(
		await account.api('POST', '/websites', { form: { domain: 'taken.example' } }),
		201,
	);
	const websites = [
		{ domain: 'https://www.One.example/', privacy: 1 },
		{ domain: 'taken.example' },
		{ domain: 'no domain', timezone: 'x' },
		{},
		{ domain: 'one.example' },
		{ domain: 'two.example' },
		{ domain: 'three.example' },
	];
	const results = resultsOf(await account.api('POST', '/bulk/websites', { json: { websites } }));
	assert.deepEqual(
		results.map(({ status, error }) => [status, error?.code]),
		[
			[201, undefined],
			[422, 'domain_taken'],
			[422, 'validation_failed'],
			[422, 'validation_failed'],
			[422, 'domain_taken'],
			[201, undefined],
			[422, 'limit_reached'],
		],
	);
	assert.equal(results[1]?.error?.website_id, id);
	assert.deepEqual(Object.keys(results[2]?.error?.errors ?? {}).sort(), ['domain', 'timezone']);
	assert.deepEqual(results[0]?.data, websiteOf(await account.api('GET', `/websites/${results[0]?.id}`)));
	assert.equal(listOf(await account.api('GET', '/websites')).meta.total, 3);
	for (const wrong of [[], {}, 'x', [1], [null], Array.from({ length: 1_001 }, () => ({}))])
		assertProblem(
			await account.api('POST', '/bulk/websites', { json: { websites: wrong } }),
			'validation_failed',
			['websites'],
		);
});

test('[C-BULK-8] a retry with an Idempotency-Key gets the first response', async () => {
	const json = { websites: [{ domain: freshDomain() }] };
	const headers = { 'idempotency-key': 'bulk-1' };
	const first = await api('POST', '/bulk/websites', { json, headers });
	assert.equal(resultsOf(first)[0]?.status, 201);
	const second = await api('POST', '/bulk/websites', { json, headers });
	assert.equal(second.text, first.text);
	assert.equal(second.headers['idempotency-replayed'], 'true');
	const other = await api('POST', '/bulk/websites', {
		json: { websites: [{ domain: 'x.example' }] },
		headers,
	});
	assertProblem(other, 'idempotency_mismatch');
	// Without one, it can be repeated as well.
	assert.equal(resultsOf(await api('POST', '/bulk/websites', { json }))[0]?.error?.code, 'domain_taken');
});

test('[C-BULK-10] the activity log has one entry for each changed website', async () => {
	const account = await w.account();
	const ids = await createMany(3, account);
	await change({ website_ids: [...ids.slice(1), 999_999_999], add_labels: ['x'] }, account);
	const rows = await w.sql<{ what: string; website: number }>(
		'SELECT what, website_id::int AS website FROM changes WHERE owner_id = $1 AND website_id IS NOT NULL ORDER BY id',
		[account.id],
	);
	assert.deepEqual(
		rows.map(({ what, website }) => [what, website]),
		[...ids.map((id) => ['createWebsite', id]), ...ids.slice(1).map((id) => ['updateWebsite', id])],
	);
});
