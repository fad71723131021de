import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { client } from '../support/client.ts';
import { accountOf, assertProblem, assertStatus, freshDomain, websiteOf } from '../support/contract.ts';
import { world } from '../support/world.ts';

const w = await world({ after });
const owner = await w.account({ timezone: 'UTC' });
const create = async () =>
	websiteOf(await owner.api('POST', '/websites', { form: { domain: freshDomain() } }), 201);
const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0';
const send = (id: number | string, json: unknown, api = owner.api) =>
	api('POST', `/websites/${id}/events`, { json });
const event = (domain: string, more: object = {}) => ({
	url: `https://${domain}/`,
	ip: '203.0.113.7',
	user_agent: agent,
	...more,
});

/** Page views of the month, once all is written and they stand still: each test has its own account. */
async function settled(api = owner.api): Promise<number> {
	await w.drain();
	for (let last = -1; ; ) {
		const now = accountOf(await api('GET', '/account')).usage.pageviews_this_month;
		if (now === last) return now;
		last = now;
		await wait(1_500);
	}
}

test('[C-EVT-1] one event, and a list of them', async () => {
	const { id, domain } = await create();
	const one = await send(id, event(domain));
	assertStatus(one, 202);
	assert.deepEqual(one.json, { data: { accepted: 1, late: 0, dropped: [] } });
	const many = await send(id, {
		events: [event(domain), event(domain, { user_agent: 'Googlebot/2.1 (+http://www.google.com/bot.html)' })],
	});
	assert.deepEqual(many.json, { data: { accepted: 1, late: 0, dropped: [{ index: 1, reason: 'bot' }] } });
});
for (const [what, events] of [
	['an empty list', []],
	['1,001 events', Array.from({ length: 1_001 }, () => ({ url: 'https://a.example/' }))],
	['no list', 'x'],
] as const)
	test(`[C-EVT-1] ${what} is 422`, async () => {
		const { id } = await create();
		assertProblem(await send(id, { events }), 'validation_failed', ['events']);
	});
test('[C-EVT-1] a thousand events are taken', async () => {
	const { id, domain } = await create();
	const answer = await send(id, { events: Array.from({ length: 1_000 }, () => event(domain)) });
	assert.deepEqual(answer.json, { data: { accepted: 1_000, late: 0, dropped: [] } });
});

test('[C-EVT-2] accepted events are there after a restart, counted once [C-EVT-6]', async () => {
	const account = await w.account();
	const { id, domain } = websiteOf(
		await account.api('POST', '/websites', { form: { domain: freshDomain() } }),
		201,
	);
	const events = Array.from({ length: 20 }, (_, n) =>
		event(domain, { id: `order-${n}`, time: new Date().toISOString() }),
	);
	assertStatus(await send(id, { events }, account.api), 202);
	await w.restart();
	assertStatus(await send(id, { events }, account.api), 202);
	assertStatus(await send(id, { events: events.slice(0, 5) }, account.api), 202);
	assert.equal(await settled(account.api), 20);
});

test('[C-EVT-3] every field is taken, unknown ones are ignored', async () => {
	const { id, domain } = await create();
	const answer = await send(id, {
		...event(domain),
		name: 'order',
		referrer: 'https://news.example/',
		title: 'Thanks',
		language: 'de-DE',
		time: new Date().toISOString(),
		id: 'a1',
		properties: { plan: 'pro', seats: 3, trial: false },
		revenue: { amount: '49.90', currency: 'EUR' },
		website_id: 999,
		country: 'XX',
	});
	assert.deepEqual(answer.json, { data: { accepted: 1, late: 0, dropped: [] } });
});

const faulty: { what: string; fields: object; named: string }[] = [
	{ what: 'no url', fields: { url: undefined }, named: 'url' },
	{ what: 'a url that is no text', fields: { url: 7 }, named: 'url' },
	{ what: 'a bad address', fields: { ip: '300.1.1.1' }, named: 'ip' },
	{ what: 'a revenue without a currency', fields: { revenue: { amount: 1 } }, named: 'revenue' },
	{ what: 'a revenue too large', fields: { revenue: { amount: '1e30', currency: 'EUR' } }, named: 'revenue' },
	{ what: 'properties that are a list', fields: { properties: [] }, named: 'properties' },
	{ what: 'nested properties', fields: { properties: { a: {} } }, named: 'properties' },
	{ what: 'an id that is too long', fields: { id: 'x'.repeat(65) }, named: 'id' },
	{ what: 'a name that is too long', fields: { name: 'x'.repeat(101) }, named: 'name' },
];
for (const { what, fields, named } of faulty)
	test(`[C-EVT-4] ${what} is 422 on ${named}, alone and in a list, and nothing is taken`, async () => {
		const account = await w.account();
		const { id, domain } = websiteOf(
			await account.api('POST', '/websites', { form: { domain: freshDomain() } }),
			201,
		);
		assertProblem(await send(id, event(domain, fields), account.api), 'validation_failed', [named]);
		const list = await send(id, { events: [event(domain), event(domain, fields)] }, account.api);
		assertProblem(list, 'validation_failed', [`events.1.${named}`]);
		assert.equal(await settled(account.api), 0);
	});

const hours = (n: number) => new Date(Date.now() + n * 3_600_000).toISOString();
for (const [time, isGood] of [
	[hours(-24 * 6.9), true],
	[hours(0.05), true],
	[hours(-24 * 7.1), false],
	[hours(0.2), false],
	['2026-11-15', false],
	['2026-11-15T09:00:00', false],
	['yesterday', false],
] as const)
	test(`[C-EVT-5] the time ${time} is ${isGood ? 'taken' : 'refused'}`, async () => {
		const { id, domain } = await create();
		const answer = await send(id, event(domain, { time }));
		if (isGood) assertStatus(answer, 202);
		else assertProblem(answer, 'validation_failed', ['time']);
	});

test('[C-EVT-7] what the website leaves out is dropped with its reason', async () => {
	const { id, domain } = await create();
	await owner.api('PUT', `/websites/${id}`, { form: { exclude_ips: '203.0.113.0/24' } });
	await wait(1_000);
	const answer = await send(id, {
		events: [
			event(domain),
			event('elsewhere.example', { ip: '198.51.100.1' }),
			event(domain, { ip: '198.51.100.1' }),
		],
	});
	assert.deepEqual(answer.json, {
		data: {
			accepted: 1,
			late: 0,
			dropped: [
				{ index: 0, reason: 'excluded_address' },
				{ index: 1, reason: 'foreign_hostname' },
			],
		},
	});
});

test('[C-EVT-8] a form is 415, broken JSON is 400', async () => {
	const { id } = await create();
	assertProblem(
		await owner.api('POST', `/websites/${id}/events`, { form: { url: 'https://a.example/' } }),
		'unsupported_media_type',
	);
	const headers = { 'content-type': 'application/json' };
	assertProblem(
		await owner.api('POST', `/websites/${id}/events`, { body: '{"url":', headers }),
		'bad_request',
	);
	assertProblem(await owner.api('POST', `/websites/${id}/events`, { body: '[]', headers }), 'bad_request');
});

test("[C-EVT-9] a read-only key is 403, another account's website 404", async () => {
	const { id, domain } = await create();
	const { key } = await w.key(owner, { access: 'read' });
	assertProblem(await send(id, event(domain), client(w.base, key)), 'forbidden');
	const stranger = await w.account();
	assertProblem(await send(id, event(domain), stranger.api), 'not_found');
	assertProblem(await send('01', event(domain)), 'not_found');
});
