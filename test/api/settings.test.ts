import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { type Call, send } from '../support/client.ts';
import { accountOf, assertProblem, assertStatus, freshDomain, websiteOf } from '../support/contract.ts';
import { world } from '../support/world.ts';

const w = await world({ after });
const owner = await w.account({ timezone: 'UTC' });
const create = async (api = owner.api) =>
	websiteOf(await api('POST', '/websites', { form: { domain: freshDomain() } }), 201);
const put = (id: number, call: Call, method = 'PUT') => owner.api(method, `/websites/${id}/settings`, call);
const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0';
let hits = 0;
const hit = (id: number, url: string, headers: Record<string, string> = {}) =>
	send(w.base, 'POST', '/tm', {
		body: JSON.stringify({ w: id, i: `${Date.now().toString(16)}${++hits}`, n: 'pageview', u: url }),
		headers: { 'user-agent': agent, ...headers },
	});

test('[C-SET-1] a new website counts its domain and honours signals', async () => {
	const { id } = await create();
	const answer = await owner.api('GET', `/websites/${id}/settings`);
	assertStatus(answer, 200);
	assert.deepEqual(answer.json, {
		data: {
			hostnames: null,
			honour_signals: 1,
			labels: [],
			retention_months: null,
			indexable: 0,
			embed_origins: null,
			recipients: [],
		},
	});
});

for (const method of ['PUT', 'PATCH'])
	for (const kind of ['form', 'json'] as const)
		test(`[C-SET-2] ${method} with ${kind} changes what is sent`, async () => {
			const { id } = await create();
			assert.deepEqual((await put(id, { [kind]: { honour_signals: '0' } }, method)).json, {
				data: {
					hostnames: null,
					honour_signals: 0,
					labels: [],
					retention_months: null,
					indexable: 0,
					embed_origins: null,
					recipients: [],
				},
			});
			const both = await put(id, { [kind]: { hostnames: 'a.example\n*.b.example' } }, method);
			assert.deepEqual(both.json, {
				data: {
					hostnames: 'a.example\n*.b.example',
					honour_signals: 0,
					labels: [],
					retention_months: null,
					indexable: 0,
					embed_origins: null,
					recipients: [],
				},
			});
			assert.deepEqual((await put(id, { [kind]: {} }, method)).json, both.json);
			assert.deepEqual((await owner.api('GET', `/websites/${id}/settings`)).json, both.json);
		});

for (const [sent, stored] of [
	['a.example, b.example', 'a.example\nb.example'],
	['!old.example', '!old.example'],
	['localhost', 'localhost'],
	['*.example.com', '*.example.com'],
	['', null],
] as const)
	test(`[C-SET-3] hostnames ${JSON.stringify(sent)} are stored as ${JSON.stringify(stored)}`, async () => {
		const { id } = await create();
		assert.deepEqual((await put(id, { form: { hostnames: sent } })).json, {
			data: {
				hostnames: stored,
				honour_signals: 1,
				labels: [],
				retention_months: null,
				indexable: 0,
				embed_origins: null,
				recipients: [],
			},
		});
	});
for (const bad of ['https://a.example', 'a.example/path', 'a b', '*', 'a.*.example', '!', 'localhost:80'])
	test(`[C-SET-3] the line ${bad} is 422 and named with its number`, async () => {
		const { id } = await create();
		const answer = await put(id, { json: { hostnames: ['fine.example', bad] } });
		assertProblem(answer, 'validation_failed', ['hostnames']);
		assert.match(answer.text, /Line 2 of hostnames/);
	});

for (const [sent, stored] of [
	['1', 1],
	['true', 1],
	['False', 0],
	[false, 0],
	[1, 1],
] as const)
	test(`[C-SET-4] honour_signals ${JSON.stringify(sent)} is ${stored}`, async () => {
		const { id } = await create();
		assert.deepEqual((await put(id, { json: { honour_signals: sent } })).json, {
			data: {
				hostnames: null,
				honour_signals: stored,
				labels: [],
				retention_months: null,
				indexable: 0,
				embed_origins: null,
				recipients: [],
			},
		});
	});
for (const bad of ['', '2', 'yes', null])
	test(`[C-SET-4] honour_signals ${JSON.stringify(bad)} is 422`, async () => {
		const { id } = await create();
		assertProblem(await put(id, { json: { honour_signals: bad } }), 'validation_failed', ['honour_signals']);
	});

for (const [sent, stored] of [
	['1', 1],
	[true, 1],
	['false', 0],
] as const)
	test(`[C-SET-9] indexable ${JSON.stringify(sent)} is ${stored}`, async () => {
		const { id } = await create();
		assert.deepEqual((await put(id, { json: { indexable: sent } })).json, {
			data: {
				hostnames: null,
				honour_signals: 1,
				labels: [],
				retention_months: null,
				indexable: stored,
				embed_origins: null,
				recipients: [],
			},
		});
	});
for (const bad of ['', '2', 'yes', null])
	test(`[C-SET-9] indexable ${JSON.stringify(bad)} is 422`, async () => {
		const { id } = await create();
		assertProblem(await put(id, { json: { indexable: bad } }), 'validation_failed', ['indexable']);
	});

for (const [sent, stored] of [
	[{ form: { retention_months: '24' } }, 24],
	[{ json: { retention_months: 1 } }, 1],
	[{ json: { retention_months: 120 } }, 120],
	[{ form: { retention_months: '' } }, null],
	[{ json: { retention_months: null } }, null],
] as const)
	test(`[C-SET-8] retention_months ${JSON.stringify(sent)} is ${stored}`, async () => {
		const { id } = await create();
		await put(id, { json: { retention_months: 6 } });
		const settings = {
			hostnames: null,
			honour_signals: 1,
			labels: [],
			retention_months: stored,
			indexable: 0,
			embed_origins: null,
			recipients: [],
		};
		assert.deepEqual((await put(id, sent)).json, { data: settings });
		// What is not sent stays, and what was read can be sent back.
		const read = await put(id, { json: { honour_signals: 1 } });
		assert.deepEqual((await put(id, { json: (read.json as { data: unknown }).data })).json, {
			data: settings,
		});
		assert.deepEqual((await owner.api('GET', `/websites/${id}/settings`)).json, { data: settings });
	});
for (const bad of ['0', 121, -1, 1.5, 'a year', true, [12]])
	test(`[C-SET-8] retention_months ${JSON.stringify(bad)} is 422`, async () => {
		const { id } = await create();
		assertProblem(await put(id, { json: { retention_months: bad } }), 'validation_failed', [
			'retention_months',
		]);
		const read = await owner.api('GET', `/websites/${id}/settings`);
		assert.match(read.text, /"retention_months":null/);
	});

for (const [sent, stored] of [
	[{ json: { labels: ['shops', 'über uns 😀'] } }, ['shops', 'über uns 😀']],
	[{ json: { labels: 'shops\r\n shops ,Shops\n\n' } }, ['shops', 'Shops']],
	[{ json: { labels: [2026] } }, ['2026']],
	[{ form: 'labels=b&labels=a' }, ['b', 'a']],
	[{ form: 'labels[]=b&labels[]=a,c' }, ['b', 'a', 'c']],
	[{ form: { labels: '' } }, []],
	[{ json: { labels: null } }, []],
	[{ json: { labels: [], retention_months: null, indexable: 0, embed_origins: null } }, []],
	[{ json: { labels: ['ü'.repeat(50)] } }, ['ü'.repeat(50)]],
] as const)
	test(`[C-SET-7] labels ${JSON.stringify(sent).slice(0, 60)} are stored as ${JSON.stringify(stored).slice(0, 40)}`, async () => {
		const { id } = await create();
		await put(id, { json: { labels: ['before'] } });
		assert.deepEqual((await put(id, sent)).json, {
			data: {
				hostnames: null,
				honour_signals: 1,
				labels: stored,
				retention_months: null,
				indexable: 0,
				embed_origins: null,
				recipients: [],
			},
		});
		// What is not sent stays, and what was read can be sent back.
		const read = await put(id, { json: { honour_signals: 1 } });
		assert.deepEqual((await put(id, { json: (read.json as { data: unknown }).data })).json, read.json);
		assert.deepEqual((await owner.api('GET', `/websites/${id}/settings`)).json, {
			data: {
				hostnames: null,
				honour_signals: 1,
				labels: stored,
				retention_months: null,
				indexable: 0,
				embed_origins: null,
				recipients: [],
			},
		});
	});
test('[C-SET-7] twenty labels are taken', async () => {
	const { id } = await create();
	const labels = Array.from({ length: 20 }, (_, n) => `label ${n}`);
	assertStatus(await put(id, { json: { labels: [...labels, 'label 7'] } }), 200);
});
for (const bad of [
	Array.from({ length: 21 }, (_, n) => `label ${n}`),
	['x'.repeat(51)],
	['a\0b'],
	['\ud83d'],
	{ a: 'b' },
	[['a']],
	true,
])
	test(`[C-SET-7] the labels ${JSON.stringify(bad).slice(0, 40)} are 422 and nothing changes`, async () => {
		const { id } = await create();
		await put(id, { json: { labels: ['kept'] } });
		const answer = await put(id, { json: { labels: bad, honour_signals: 0 } });
		assertProblem(answer, 'validation_failed', ['labels']);
		assert.deepEqual((await owner.api('GET', `/websites/${id}/settings`)).json, {
			data: {
				hostnames: null,
				honour_signals: 1,
				labels: ['kept'],
				retention_months: null,
				indexable: 0,
				embed_origins: null,
				recipients: [],
			},
		});
	});

test('[C-SET-5] the record of the website stays as it was', async () => {
	const { id } = await create();
	const before = await owner.api('GET', `/websites/${id}`);
	await put(id, { form: { honour_signals: '0', hostnames: 'x.example' } });
	const after = await owner.api('GET', `/websites/${id}`);
	assert.equal(after.text, before.text);
	assert.equal(after.headers.etag, before.headers.etag);
});

test('[C-SET-6] collection follows within a second', async () => {
	const { id, domain } = await create();
	assert.equal((await hit(id, 'https://other.example/')).headers['x-tidemark-dropped'], 'foreign_hostname');
	assert.equal(
		(await hit(id, `https://${domain}/`, { 'sec-gpc': '1' })).headers['x-tidemark-dropped'],
		'privacy_signal',
	);
	await put(id, { form: { hostnames: 'other.example', honour_signals: '0' } });
	await wait(1_000);
	assert.equal((await hit(id, 'https://other.example/')).headers['x-tidemark-dropped'], undefined);
	assert.equal(
		(await hit(id, 'https://other.example/', { 'sec-gpc': '1' })).headers['x-tidemark-dropped'],
		undefined,
	);
	const own = async (host: string) => (await hit(id, `https://${host}/`)).headers['x-tidemark-dropped'];
	assert.equal(await own(domain), undefined, 'the own domain counts beside another host [C-SET-3]');
	assert.equal(await own(`shop.${domain}`), 'foreign_hostname');
	await put(id, { form: { hostnames: 'localhost' } });
	await wait(1_000);
	assert.equal(await own(domain), undefined, 'adding localhost takes nothing away [C-SET-3]');
	assert.equal(await own(`shop.${domain}`), undefined);
	assert.equal(await own('localhost:3000'), undefined);
	await put(id, { form: { hostnames: `!${domain}\nlocalhost` } });
	await wait(1_000);
	assert.equal(await own(domain), 'foreign_hostname');
});

test('[C-RST-1] a reset answers what it did, and the website stays', async () => {
	const website = await create();
	const answer = await owner.api('POST', `/websites/${website.id}/reset`);
	assertStatus(answer, 200);
	assert.deepEqual(answer.json, { data: { id: website.id, object: 'website', reset: true } });
	assert.deepEqual(websiteOf(await owner.api('GET', `/websites/${website.id}`)), website);
});

test('[C-RST-2] what was in flight is not counted, what comes after is, and what is dated before is dropped', async () => {
	const account = await w.account();
	const { id, domain } = await create(account.api);
	for (let n = 0; n < 20; n++) assert.equal((await hit(id, `https://${domain}/`)).status, 202);
	assertStatus(await account.api('POST', `/websites/${id}/reset`), 200);
	const dated = { url: `https://${domain}/`, time: new Date(Date.now() - 60_000).toISOString() };
	const late = await account.api('POST', `/websites/${id}/events`, { json: dated });
	assert.deepEqual(late.json, { data: { accepted: 0, late: 0, dropped: [{ index: 0, reason: 'erased' }] } });
	for (let n = 0; n < 5; n++)
		assert.equal((await hit(id, `https://${domain}/`)).headers['x-tidemark-dropped'], undefined);
	await wait(3_000);
	const rows = await w.sql<{ count: string }>('SELECT count(*) AS count FROM event_log');
	assert.equal(Number(rows[0]?.count), 0);
	const { pageviews_this_month: counted } = accountOf(await account.api('GET', '/account')).usage;
	// Those written before the reset was asked for are in the month's usage; those in flight are not.
	assert.ok(counted >= 5 && counted <= 25, String(counted));
});

for (const [sent, stored] of [
	['https://example.com', 'https://example.com'],
	['https://*.example.com, http://localhost:8080', 'https://*.example.com\nhttp://localhost:8080'],
	[['https://a.example:8443', 'http://192.0.2.7'], 'https://a.example:8443\nhttp://192.0.2.7'],
	['', null],
] as const)
	test(`[C-SET-10] embed_origins ${JSON.stringify(sent)} are stored as ${JSON.stringify(stored)}`, async () => {
		const { id } = await create();
		const answer = await put(id, { json: { embed_origins: sent } });
		assertStatus(answer, 200);
		assert.match(
			answer.text,
			new RegExp(`"embed_origins":${JSON.stringify(stored).replace(/[*\\]/g, '\\$&')}`),
		);
	});
for (const bad of [
	'example.com',
	'https://example.com/',
	'https://example.com/path',
	"https://example.com; script-src 'unsafe-inline'",
	"'self'",
	'*',
	'https://*',
	'https://a.*.example',
	'javascript://example.com',
	'https://user@example.com',
	'https://example.com:99999',
	'https://example.com.',
	'data:',
])
	test(`[C-SET-10] the origin ${bad} is 422 and named with its number`, async () => {
		const { id } = await create();
		const answer = await put(id, { json: { embed_origins: ['https://fine.example', bad] } });
		assertProblem(answer, 'validation_failed', ['embed_origins']);
		assert.match(answer.text, /Line 2 of embed_origins/);
	});
test('[C-SET-10] more than 20 origins are 422', async () => {
	const { id } = await create();
	const embed_origins = Array.from({ length: 21 }, (_, n) => `https://a${n}.example`);
	assertProblem(await put(id, { json: { embed_origins } }), 'validation_failed', ['embed_origins']);
});
