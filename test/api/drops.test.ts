import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { z } from 'zod';
import { client, send } from '../support/client.ts';
import { assertProblem, assertStatus, freshDomain, websiteOf } from '../support/contract.ts';
import { world } from '../support/world.ts';

const now = new Date('2026-11-15T22:30:00.000Z');
const w = await world({ after }, { now: () => now });
const owner = await w.account({ timezone: 'UTC' });
const create = async (fields: Record<string, string> = {}) =>
	websiteOf(await owner.api('POST', '/websites', { form: { domain: freshDomain(), ...fields } }), 201);

const count = z.int().nonnegative();
const schema = z.strictObject({
	data: z.strictObject({
		total: count,
		reasons: z.array(
			z.strictObject({ reason: z.string(), count, means: z.string().min(20), advice: z.string().min(8) }),
		),
		days: z.array(z.strictObject({ date: z.iso.date(), total: count, reasons: z.record(z.string(), count) })),
		foreign_hostnames: z.array(z.strictObject({ hostname: z.string(), count })),
		rules: z.array(z.strictObject({ id: z.int(), name: z.string(), count })),
	}),
	meta: z.strictObject({ from: z.string(), to: z.string(), timezone: z.string(), as_of: z.string() }),
});

async function dropsOf(id: number, query = '', api = owner.api) {
	const answer = await api('GET', `/websites/${id}/drops${query}`);
	assertStatus(answer, 200);
	return schema.parse(answer.json);
}

/** Counts that are not 0, in the order of the answer. */
const found = ({ data }: z.infer<typeof schema>) =>
	data.reasons.filter(({ count: n }) => n > 0).map(({ reason, count: n }) => [reason, n]);

const insert = (websiteId: number, rows: [date: string, reason: string, count: number][]) =>
	Promise.all(
		rows.map(([date, reason, n]) =>
			w.sql('INSERT INTO drops (website_id, date, reason, count) VALUES ($1, $2, $3, $4)', [
				websiteId,
				date,
				reason,
				n,
			]),
		),
	);

test('[C-DROP-1] what was dropped is there by reason and by day', async () => {
	// In Kathmandu it is the 16th already.
	const { id, domain } = await create({ timezone: 'Asia/Kathmandu' });
	const hit = (url: string, agent: string) =>
		send(w.base, 'POST', '/tm', {
			body: JSON.stringify({ w: id, i: crypto.randomUUID().slice(0, 8), n: 'pageview', u: url }),
			headers: { 'user-agent': agent },
		});
	const browser = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0';
	for (let n = 0; n < 3; n++)
		await hit(`https://${domain}/`, 'Googlebot/2.1 (+http://www.google.com/bot.html)');
	await hit('https://elsewhere.example/', browser);
	await hit(`https://${domain}/`, browser);
	await w.drain();
	for (let tries = 0; (await dropsOf(id)).data.total < 4 && tries < 50; tries++)
		await new Promise((resolve) => setTimeout(resolve, 100));
	const answer = await dropsOf(id, '?period=today');
	assert.deepEqual(found(answer), [
		['bot', 3],
		['foreign_hostname', 1],
	]);
	assert.equal(answer.data.total, 4);
	assert.deepEqual(answer.data.days, [
		{ date: '2026-11-16', total: 4, reasons: { bot: 3, foreign_hostname: 1 } },
	]);
	assert.deepEqual(answer.meta, {
		from: '2026-11-16',
		to: '2026-11-16',
		timezone: 'Asia/Kathmandu',
		as_of: '2026-11-15T22:30:00.000Z',
	});
});

test('[C-DROP-2] every reason is there with what it means and what to do, the most frequent first', async () => {
	const { id } = await create();
	const none = await dropsOf(id);
	assert.deepEqual(none.data.reasons.map(({ reason }) => reason).sort(), [
		'bad_url',
		'bot',
		'erased',
		'excluded_address',
		'foreign_hostname',
		'late',
		'over_budget',
		'prefetch',
		'privacy_signal',
		'rule',
	]);
	assert.equal(new Set(none.data.reasons.map(({ means }) => means)).size, 10);
	await insert(id, [
		['2026-11-14', 'late', 2],
		['2026-11-15', 'late', 5],
		['2026-11-15', 'bot', 6],
		['2026-11-15', 'of_another_version', 1],
	]);
	const some = await dropsOf(id);
	assert.deepEqual(found(some), [
		['late', 7],
		['bot', 6],
		['of_another_version', 1],
	]);
	assert.equal(some.data.total, 14);
});

test('[C-DROP-3] only the dates asked about count, and each of them has a row', async () => {
	const { id } = await create();
	const other = await create();
	await insert(other.id, [['2026-11-15', 'bot', 1_000]]);
	await insert(id, [
		['2026-10-16', 'bot', 1],
		['2026-10-17', 'bot', 2],
		['2026-11-08', 'bot', 4],
		['2026-11-09', 'late', 8],
		['2026-11-15', 'bot', 16],
		['2026-11-16', 'bot', 32],
	]);
	for (const [query, total, from, days] of [
		['', 30, '2026-10-17', 30],
		['?period=7d', 24, '2026-11-09', 7],
		['?period=24h', 16, '2026-11-14', 2],
		['?period=all', 31, '2026-10-16', 31],
		['?period=custom&from=2026-11-08&to=2026-11-09', 12, '2026-11-08', 2],
		['?period=custom&from=2026-11-16&to=2026-11-16', 32, '2026-11-16', 1],
		['?period=last_month', 3, '2026-10-01', 31],
	] as const) {
		const answer = await dropsOf(id, query);
		assert.equal(answer.data.total, total, query);
		assert.equal(answer.meta.from, from, query);
		assert.equal(answer.data.days.length, days, query);
		assert.equal(
			answer.data.days.reduce((sum, day) => sum + day.total, 0),
			total,
			query,
		);
		assert.equal(answer.data.days[0]?.date, from, query);
	}
});

for (const [query, fields] of [
	['?perod=7d', ['perod']],
	['?period=week', ['period']],
	['?from=2026-11-01', ['to']],
	['?period=custom&from=2026-11-31&to=2026-11-30', ['from']],
	['?reason=bot&metrics=visitors', ['reason', 'metrics']],
] as const)
	test(`[C-DROP-4] ${query} is 422`, async () => {
		const { id } = await create();
		assertProblem(await owner.api('GET', `/websites/${id}/drops${query}`), 'validation_failed', fields);
	});

test('[C-DROP-5] a website that the key cannot see is 404, before its parameters are looked at', async () => {
	const { id } = await create();
	const stranger = await w.account();
	assertProblem(await stranger.api('GET', `/websites/${id}/drops?x=1`), 'not_found');
	const { key } = await w.key(owner, { access: 'read', websites: [id] });
	await dropsOf(id, '', client(w.base, key));
});

test('[C-DROP-6] a reset empties them', async () => {
	const { id } = await create();
	await insert(id, [['2026-11-15', 'bot', 3]]);
	assertStatus(await owner.api('POST', `/websites/${id}/reset`), 200);
	assert.equal((await dropsOf(id)).data.total, 0);
});

test('[C-DROP-7] hostnames that were not counted are named, a few of each day', async () => {
	const { id } = await create();
	let hits = 0;
	const hit = (url: string) =>
		send(w.base, 'POST', '/tm', {
			body: JSON.stringify({ w: id, i: `f${++hits}`, n: 'pageview', u: url }),
			headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0' },
		});
	const counted = async (total: number) => {
		for (let tries = 0; tries < 100; tries++) {
			const answer = await dropsOf(id);
			if (answer.data.total >= total) return answer.data.foreign_hostnames;
			await new Promise((resolve) => setTimeout(resolve, 100));
		}
		throw new Error('The drops were never counted.');
	};
	for (let n = 0; n < 3; n++) await hit('https://Old.Example.org/a?secret=1#b');
	await hit('https://other.example.org/');
	assert.deepEqual(await counted(4), [
		{ hostname: 'old.example.org', count: 3 },
		{ hostname: 'other.example.org', count: 1 },
	]);
	// Whoever sends ever new ones fills the day, not the table; what is known goes on counting.
	for (let n = 0; n < 40; n++) await hit(`https://h${n}.example.net/`);
	await counted(44);
	await hit('https://old.example.org/');
	const all = await counted(45);
	assert.equal(all.length, 20);
	assert.deepEqual(all[0], { hostname: 'old.example.org', count: 4 });
	const rows = await w.sql('SELECT * FROM foreign_hostnames WHERE website_id = $1', [id]);
	assert.equal(rows.length, 20);
	assert.deepEqual(Object.keys(rows[0] ?? {}), ['website_id', 'date', 'hostname', 'count']);
	await owner.api('POST', `/websites/${id}/reset`);
	assert.deepEqual((await dropsOf(id)).data.foreign_hostnames, []);
});
