/**
 * More than one box can take: a website at ten times its budget, a disk that is slow, a log that is full, a ClickHouse that
 * takes no more parts. What is refused is refused in words and counted; what was acknowledged is there.
 *
 * OVERLOAD_SECONDS=300 OVERLOAD_TAIL_SECONDS=600 SEED=7 npm test -- test/faults/overload.solo.test.ts
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { sql } from '../../server/store/sql.ts';
import { type Box, engineIn, judge, startBox } from '../support/box.ts';
import { client } from '../support/client.ts';
import { assertStatus, freshDomain, websiteOf } from '../support/contract.ts';
import {
	createLedger,
	eventIdOf,
	faultsOf,
	inWords,
	type LedgerWebsite,
	sendHit,
	startLoad,
	userAgentOf,
} from '../support/ledger.ts';
import { seededRandom } from '../support/random.ts';
import { until } from '../support/service.ts';
import { slowDisk } from '../support/slow-disk.ts';
import { world } from '../support/world.ts';

const drops = z.object({
	data: z.object({ reasons: z.array(z.object({ reason: z.string(), count: z.int() })) }),
});

async function overBudget(box: Box, websiteId: number): Promise<number> {
	const answer = await client(box.service.base, box.key)('GET', `/websites/${websiteId}/drops`);
	assertStatus(answer, 200);
	const { reasons } = drops.parse(answer.json).data;
	return reasons.find(({ reason }) => reason === 'over_budget')?.count ?? 0;
}

const rssMb = (pid: number): number =>
	Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024);

function p99(times: readonly number[]): number {
	const sorted = times.toSorted((a, b) => a - b);
	return Math.round(sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN);
}

/** As many a second as it says, whether answers come or not. */
async function sendAtRate(
	perSecond: number,
	seconds: number,
	hit: () => Promise<unknown>,
): Promise<{ times: number[] }> {
	const times: number[] = [];
	const sent: Promise<void>[] = [];
	const began = performance.now();
	for (let n = 0; n < perSecond * seconds; n++) {
		await sleep(Math.max(0, began + (n * 1000) / perSecond - performance.now()));
		const at = performance.now();
		sent.push(hit().then(() => void times.push(performance.now() - at)));
	}
	await Promise.all(sent);
	return { times };
}

const seconds = Number(process.env.OVERLOAD_SECONDS) || 10;
const tailSeconds = Number(process.env.OVERLOAD_TAIL_SECONDS) || 4;

test('[T30][F24] one website at ten times its budget, then at twice: the others lose nothing, and what was refused is told', async (t) => {
	const random = seededRandom();
	t.diagnostic(`seed ${random.seed}`);
	const limit = 30;
	const some = await startBox(t, {
		settings: { TIDEMARK_WEBSITE_HIT_LIMIT: String(limit) },
		longestMs: 120_000 + 2_000 * (seconds + tailSeconds),
	});
	const [viral, ...others] = some.websites;
	assert.ok(viral);
	const answers = new Map<LedgerWebsite, Map<number | undefined, number>>();
	const hit = async (website: LedgerWebsite) => {
		const status = await sendHit(some.ledger, some.service.base, website, eventIdOf(random));
		const counts = answers.get(website) ?? new Map();
		answers.set(website, counts.set(status, (counts.get(status) ?? 0) + 1));
	};
	const other = () => hit(random.pick(others));
	const before = await sendAtRate(60, 4, other);
	const rssBefore = rssMb(some.service.pid);
	const [during] = await Promise.all([
		sendAtRate(60, seconds, other),
		sendAtRate(10 * limit, seconds, () => hit(viral)),
	]);
	const [tail] = await Promise.all([
		sendAtRate(60, tailSeconds, other),
		sendAtRate(2 * limit, tailSeconds, () => hit(viral)),
	]);
	const rssAfter = rssMb(some.service.pid);
	const afterwards = await sendAtRate(60, 3, other);
	t.diagnostic(
		`p99 of the others: ${p99(before.times)} ms before, ${p99(during.times)} at ten times for ${seconds} s, ` +
			`${p99(tail.times)} at twice for ${tailSeconds} s, ${p99(afterwards.times)} after; ` +
			`service ${rssBefore} MB before, ${rssAfter} after`,
	);
	for (const website of others) assert.deepEqual([...(answers.get(website)?.keys() ?? [])], [202]);
	const counts = answers.get(viral);
	assert.deepEqual([...(counts?.keys() ?? [])].sort(), [202, 429]);
	const [taken, refused] = [counts?.get(202) ?? 0, counts?.get(429) ?? 0];
	t.diagnostic(`the viral one: ${taken} taken, ${refused} refused (${inPercent(refused, taken + refused)})`);
	// A burst of ten seconds and what came in since; the machine may make it longer than it should be.
	const both = seconds + tailSeconds;
	assert.ok(taken >= limit * (10 + 0.8 * both) && taken <= limit * (10 + 1.2 * both + 10), `${taken}`);
	assert.ok(rssAfter - rssBefore < 150, `${rssAfter - rssBefore} MB`);
	await until(async () => (await overBudget(some, viral.id)) === refused, 15_000, 'every refusal is counted');
	assert.equal(await some.service.stop(), 0);
	await judge(t, some.folder, some.ledger, `seed ${random.seed}`);
});

const inPercent = (part: number, all: number) => `${Math.round((100 * part) / all)} %`;

test('[F24] the event log is full: 503 and nothing else, memory stays, and when there is room all of it is written', async (t) => {
	const random = seededRandom();
	t.diagnostic(`seed ${random.seed}`);
	const some = await startBox(t, { settings: { TIDEMARK_MAX_LOG_MB: '16' } });
	const load = startLoad({ ...some, random, clients: 4, pauseMs: 10 });
	const engine = await engineIn(some);
	process.kill(engine, 'SIGSTOP');
	const api = client(some.service.base, some.key);
	// About a megabyte a call, to a website of its own, which no ledger judges.
	const filler = websiteOf(await api('POST', '/websites', { form: { domain: 'filler.example' } }), 201);
	const properties = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`p${n}`, 'word '.repeat(90)]));
	const events = Array.from({ length: 60 }, () => ({
		...{ url: `https://${filler.domain}/`, ip: '203.0.113.7', user_agent: userAgentOf(1), properties },
	}));
	let accepted = 0;
	const isFull = async () => {
		const { status } = await api('POST', `/websites/${filler.id}/events`, { json: { events } });
		if (status === 202) accepted += events.length;
		else assert.equal(status, 503);
		return status === 503;
	};
	await until(isFull, 30_000, 'the log is full');
	const rssFull = rssMb(some.service.pid);
	await sleep(2_000);
	process.kill(engine, 'SIGCONT');
	await until(async () => !(await isFull()), 30_000, 'there is room again');
	await load.end();
	t.diagnostic(
		`answers ${[...some.ledger.answers].map(([status, times]) => `${status}: ${times}`).join(', ')}; ` +
			`service ${rssFull} MB when it was full`,
	);
	assert.deepEqual([...some.ledger.answers.keys()].sort(), [202, 400, 503]);
	assert.ok(rssFull < 500, `${rssFull} MB`);
	const counted = async () => {
		const { json } = await api('GET', `/websites/${filler.id}/stats?period=24h&metrics=pageviews`);
		// While the engine is just back there is no answer yet.
		const totals = z.object({ data: z.object({ totals: z.object({ pageviews: z.int() }) }) });
		return totals.safeParse(json).data?.data.totals.pageviews;
	};
	await until(async () => (await counted()) === accepted, 20_000, `${accepted} are counted`);
	await api('DELETE', `/websites/${filler.id}`);
	assert.equal(await some.service.stop(), 0);
});

test('[F35] ClickHouse takes no more parts: hits are answered 202, the writer waits and writes larger batches, nothing is lost', async (t) => {
	const w = await world(t);
	const random = seededRandom();
	t.diagnostic(`seed ${random.seed}`);
	const owner = await w.account();
	const website = websiteOf(await owner.api('POST', '/websites', { form: { domain: freshDomain() } }), 201);
	const ledger = createLedger();
	const load = startLoad({
		ledger,
		base: () => w.base,
		websites: [website],
		random,
		clients: 4,
		pauseMs: 10,
	});
	const partLimit = 4;
	await w.clickhouse.command(
		sql`ALTER TABLE events MODIFY SETTING parts_to_throw_insert = 4, parts_to_delay_insert = 4, max_bytes_to_merge_at_max_space_in_pool = 1`,
	);
	const isStuck = () => /TOO_MANY_PARTS|Too many parts/.test(w.log());
	await until(isStuck, 30_000, 'ClickHouse refuses an insert');
	const written = async () => {
		const [row] = await w.clickhouse.rows<{ parts: string; largest: string }>(
			// What no merge has touched is as it was inserted.
			sql`SELECT countIf(active) AS parts, maxIf(rows, level = 0) AS largest FROM system.parts WHERE table = 'events'`,
			{ as: 'migrate' },
		);
		return { parts: Number(row?.parts), largest: Number(row?.largest) };
	};
	const small = await written();
	await sleep(6_000);
	assert.ok((await written()).parts <= partLimit + 1);
	await load.end();
	await w.clickhouse.command(sql`
		ALTER TABLE events RESET SETTING parts_to_throw_insert, parts_to_delay_insert, max_bytes_to_merge_at_max_space_in_pool`);
	const began = performance.now();
	await w.drain();
	const large = await written();
	t.diagnostic(
		`${small.parts} parts with at most ${small.largest} events when it stopped, then one with ${large.largest}; ` +
			`all written ${Math.round(performance.now() - began)} ms after there was room`,
	);
	assert.ok(large.largest > 2 * small.largest, `${large.largest} after ${small.largest}`);
	const statuses = new Set([...ledger.entries.values()].map(({ status }) => status));
	assert.deepEqual([...statuses].sort(), [202, 400]);
	const verdict = await ledger.judge(w.clickhouse);
	t.diagnostic(inWords(verdict));
	assert.deepEqual(faultsOf(verdict), []);
	assert.ok(verdict.ok > 100);
});

async function slowLanes(t: TestContext) {
	const random = seededRandom();
	t.diagnostic(`seed ${random.seed}`);
	const some = await startBox(t, { settings: { TIDEMARK_WEBSITE_HIT_LIMIT: '1000000' } });
	const api = client(some.service.base, some.key);
	const viral = websiteOf(await api('POST', '/websites', { form: { domain: 'viral.example' } }), 201);
	const events = Array.from({ length: 1_000 }, () => ({
		...{ url: `https://${viral.domain}/`, ip: '203.0.113.7', user_agent: userAgentOf(1) },
	}));
	const mend = slowDisk(some.folder, 1_000);
	const flood = Promise.all(
		Array.from({ length: 25 }, () => api('POST', `/websites/${viral.id}/events`, { json: { events } })),
	);
	const others = await sendAtRate(20, 3, () =>
		sendHit(some.ledger, some.service.base, random.pick(some.websites), eventIdOf(random)),
	);
	const statuses = (await flood).map(({ status }) => status);
	await mend();
	const refused = statuses.filter((status) => status === 429).length;
	t.diagnostic(`${refused} of 25 calls refused; p99 of the others ${p99(others.times)} ms`);
	assert.deepEqual([...new Set(statuses)].sort(), [202, 429]);
	assert.deepEqual([...some.ledger.answers.keys()], [202]);
	await until(
		async () => (await overBudget(some, viral.id)) === refused * 1_000,
		20_000,
		'every refusal is counted',
	);
	await api('DELETE', `/websites/${viral.id}`);
	assert.equal(await some.service.stop(), 0);
}

test(
	'[F19][T30] a slow disk and one website that fills it: its lane is full, and the others are taken',
	slowLanes,
);
