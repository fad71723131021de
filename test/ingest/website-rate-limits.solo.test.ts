import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { z } from 'zod';
import { createTrackedWebsites } from '../../server/ingest/lookups/tracked-websites.ts';
import { createLog } from '../../server/lib/log.ts';
import { type Listener, openPostgres } from '../../server/store/postgres.ts';
import { client, send } from '../support/client.ts';
import { assertProblem, assertStatus, freshDomain, websiteOf } from '../support/contract.ts';
import { until } from '../support/service.ts';
import { world } from '../support/world.ts';

const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0';
const w = await world(
	{ after },
	{ settings: { TIDEMARK_WEBSITE_HIT_LIMIT: '2', TIDEMARK_HIT_LIMIT: '100000' } },
);
const owner = await w.account({ timezone: 'UTC' });
const create = async (api = owner.api) =>
	websiteOf(await api('POST', '/websites', { form: { domain: freshDomain() } }), 201);
const post = (body: string) => send(w.base, 'POST', '/tm', { body, headers: { 'user-agent': agent } });
const hit = ({ id, domain }: { id: number; domain: string }) =>
	post(JSON.stringify({ w: id, u: `https://${domain}/` }));

const drops = z.object({
	data: z.object({ total: z.int(), reasons: z.array(z.object({ reason: z.string(), count: z.int() })) }),
});

async function overBudget(id: number, atLeast: number): Promise<number> {
	for (let tries = 0; ; tries++) {
		const answer = await owner.api('GET', `/websites/${id}/drops`);
		assertStatus(answer, 200);
		const { reasons } = drops.parse(answer.json).data;
		const count = reasons.find(({ reason }) => reason === 'over_budget')?.count ?? 0;
		if (count >= atLeast || tries > 60) return count;
		await new Promise((resolve) => setTimeout(resolve, 100));
	}
}

/** Until one is refused: a budget of two a second grows while the test runs. */
async function spend(website: { id: number; domain: string }): Promise<number> {
	for (let taken = 0; ; taken++) {
		const answer = await hit(website);
		if (answer.status === 429) return taken;
		assert.equal(answer.status, 202);
		assert.ok(taken < 200, 'a budget has an end');
	}
}

test('[T30] a website over its budget is refused before its hit is parsed, others go on, and the number is told', async () => {
	const [viral, other] = [await create(), await create()];
	const taken = await spend(viral);
	assert.ok(taken >= 20, `${taken}`);
	let refusals = 1;
	let grown = 0;
	const spentAt = performance.now();
	for (let sent = 0; sent < 30; sent++) {
		// Not JSON: only its first bytes were looked at.
		const answer = await post(`{"w":${viral.id},"u`);
		if (answer.status === 400) continue;
		assertProblem(answer, 'too_many_requests');
		assert.ok(Number(answer.headers['retry-after']) >= 1);
		assert.equal(answer.headers['access-control-allow-origin'], '*');
		refusals++;
		const { status } = await hit(viral);
		if (status === 202) grown++;
		else {
			assert.equal(status, 429);
			refusals++;
		}
	}
	const seconds = (performance.now() - spentAt) / 1_000;
	assert.ok(grown <= 1 + 2 * seconds, `${grown} were taken in ${seconds} s`);
	assert.ok(refusals > 10, `${refusals}`);
	assert.equal((await hit(other)).status, 202);
	assert.equal(await overBudget(viral.id, refusals), refusals);
	assert.equal(await overBudget(other.id, 0), 0);
});

test('[T30] a hit is charged to the website that it is for, wherever it says so', async () => {
	const [viral, other] = [await create(), await create()];
	const url = `https://${viral.domain}/`;
	await spend(viral);
	const statuses = new Set<number>();
	for (let sent = 0; sent < 6; sent++) {
		statuses.add((await post(JSON.stringify({ u: url, w: viral.id }))).status);
		// The last one counts.
		statuses.add((await post(`{"w":${other.id},"u":"${url}","w":${viral.id}}`)).status);
	}
	assert.ok(statuses.has(429));
	assert.equal((await hit(other)).status, 202);
});

test('[T30][C-EVT-10] events from a server have the same budget', async () => {
	const website = await create();
	const url = `https://${website.domain}/`;
	const events = (count: number) =>
		owner.api('POST', `/websites/${website.id}/events`, {
			json: { events: Array.from({ length: count }, () => ({ url, ip: '203.0.113.7', user_agent: agent })) },
		});
	assertStatus(await events(100), 202);
	const refused = await events(40);
	assertProblem(refused, 'too_many_requests');
	const seconds = Number(refused.headers['retry-after']);
	assert.ok(seconds > 30 && seconds <= 41, `${seconds}`);
	assert.equal((await hit(website)).status, 429);
	assert.equal(await overBudget(website.id, 41), 41);
});

test('[T30] the operator raises the limit of an account, and it counts at once', async () => {
	const account = await w.account({ timezone: 'UTC' });
	const website = await create(client(w.base, account.key));
	await spend(website);
	await w.operate('account.limit', { email: account.email, hits: 5_000 });
	for (let tries = 0; (await hit(website)).status !== 202; tries++) {
		assert.ok(tries < 100, 'the new limit is heard of');
		await new Promise((resolve) => setTimeout(resolve, 20));
	}
	let taken = 0;
	for (let sent = 0; sent < 100; sent++) if ((await hit(website)).status === 202) taken++;
	assert.ok(taken > 90, `${taken}`);
});

test('[T30] names of websites that do not exist cost a few questions, and push out none that does', async (t) => {
	const website = await create();
	const postgres = openPostgres(w.postgresTarget, { log: createLog('silent', () => undefined) });
	t.after(() => postgres.close());
	let questions = 0;
	let listener: Listener | undefined;
	const tracked = createTrackedWebsites({
		...postgres,
		listen: (...of) => {
			listener = postgres.listen(...of);
			return listener;
		},
		rows: (query) => {
			questions++;
			return postgres.rows(query);
		},
	});
	t.after(() => tracked.close());
	// What was asked before it hears of changes is not believed for long.
	await until(() => listener?.connectedSince() !== undefined, 5_000, 'it hears of changes');
	assert.equal((await tracked.find(website.id))?.domain, website.domain);
	const names = Array.from({ length: 150_000 }, (_, n) => 1_000_000 + n);
	const found = await Promise.all(names.map((id) => tracked.find(id)));
	assert.ok(found.every((one) => one === undefined));
	t.diagnostic(`${questions} questions for ${names.length} names`);
	assert.ok(questions <= 160, `${questions}`);
	questions = 0;
	assert.equal((await tracked.find(website.id))?.domain, website.domain);
	assert.equal(await tracked.find(1_149_999), undefined);
	assert.equal(questions, 0, 'both were known');
});
