/**
 * What a 202 is worth. Trackers send hits; at seeded moments the service, the statistics engine or PostgreSQL is killed or
 * frozen; afterwards the ledger is asked. The clock of these services stands at the end of a month in one half of the
 * websites and at the beginning of the next in the other, so that every batch is two parts of the table.
 *
 * FAULT_RUNS=14 SEED=7 node scripts/test.ts test/faults/ingest.solo.test.ts
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { quickest } from '../support/best-of.ts';
import { type Box, engineIn, judge, startBox } from '../support/box.ts';
import { eventIdOf, sendHit, startLoad, userAgentOf, wireId } from '../support/ledger.ts';
import { type Random, seededRandom } from '../support/random.ts';
import { isAlive, postmasterOf } from '../support/service.ts';

const runs = Number(process.env.FAULT_RUNS) || 1;

type Fault = {
	name: string;
	isKill: boolean;
	weight: number;
	strike(box: Box, random: Random): Promise<void>;
};

const faults: readonly Fault[] = [
	{
		name: 'engine killed',
		isKill: true,
		weight: 4,
		async strike(box) {
			process.kill(await engineIn(box), 'SIGKILL');
		},
	},
	{
		name: 'engine frozen',
		isKill: false,
		weight: 1,
		async strike(box, random) {
			const engine = await engineIn(box);
			process.kill(engine, 'SIGSTOP');
			await sleep(300 + random.whole(1_500));
			if (isAlive(engine)) process.kill(engine, 'SIGCONT');
		},
	},
	{
		name: 'engine killed while frozen',
		isKill: true,
		weight: 1,
		async strike(box, random) {
			const engine = await engineIn(box);
			process.kill(engine, 'SIGSTOP');
			await sleep(random.whole(1_200));
			process.kill(engine, 'SIGKILL');
		},
	},
	{
		name: 'PostgreSQL killed',
		isKill: true,
		weight: 2,
		async strike({ folder }) {
			const postmaster = postmasterOf(folder);
			if (postmaster && isAlive(postmaster)) process.kill(postmaster, 'SIGKILL');
		},
	},
	{
		name: 'service killed',
		isKill: true,
		weight: 3,
		async strike(box) {
			await box.service.kill();
			await box.restart();
		},
	},
	{
		name: 'everything killed',
		isKill: true,
		weight: 2,
		async strike(box) {
			await box.service.killTree();
			await box.restart();
		},
	},
];
const chances = faults.flatMap((fault) => Array<Fault>(fault.weight).fill(fault));

test(`[F01][F02][F05][F06][F08][F13][F36] service, engine and PostgreSQL killed and frozen at random moments under load, ${runs} runs`, async (t) => {
	const random = seededRandom();
	t.diagnostic(`seed ${random.seed}`);
	const struck = new Map<string, number>();
	let kills = 0;
	let events = 0;
	for (let run = 1; run <= runs; run++) {
		const some = await startBox(t);
		const load = startLoad({ ...some, random, clients: 8, pauseMs: 4 });
		for (let strike = 0; strike < 5; strike++) {
			await sleep(100 + random.whole(1_600));
			const fault = random.pick(chances);
			struck.set(fault.name, (struck.get(fault.name) ?? 0) + 1);
			if (fault.isKill) kills++;
			await fault.strike(some, random);
		}
		await sleep(random.whole(1_000));
		// The last end is a kill as often as not: then recovery has work.
		if (random.next() < 0.6) {
			kills++;
			await some.service.killTree();
			await load.end();
		} else {
			await load.end();
			assert.equal(await some.service.stop(), 0, some.service.output());
		}
		const verdict = await judge(t, some.folder, some.ledger, `seed ${random.seed}, run ${run}`);
		events += verdict.ok;
	}
	t.diagnostic(
		`${kills} kills (${[...struck].map(([name, times]) => `${name} ${times}`).join(', ')}), ${events} acknowledged events, each counted once`,
	);
});

test('[F07] ClickHouse is gone for a while: every hit is answered 202, and it catches up', async (t) => {
	const random = seededRandom();
	const some = await startBox(t);
	const load = startLoad({ ...some, random, clients: 8, pauseMs: 5 });
	await sleep(500);
	// Frozen at its door: no connection is refused, and none is answered.
	const engine = await engineIn(some);
	process.kill(engine, 'SIGSTOP');
	await sleep(4_000);
	process.kill(engine, 'SIGKILL');
	await load.end();
	const statuses = new Set([...some.ledger.entries.values()].map(({ status }) => status));
	assert.deepEqual([...statuses].sort(), [202, 400], `seed ${random.seed}`);
	const began = performance.now();
	await some.service.stop();
	t.diagnostic(`stopped in ${Math.round(performance.now() - began)} ms`);
	await judge(t, some.folder, some.ledger, `seed ${random.seed}`);
});

test('[F11] PostgreSQL is killed: hits are answered 503 with Retry-After, and 202 again within two seconds', async (t) => {
	const random = seededRandom();
	const some = await startBox(t);
	const [website] = some.websites;
	assert.ok(website);
	assert.equal(await sendHit(some.ledger, some.service.base, website, eventIdOf(random)), 202);
	const killAndWait = async () => {
		const postmaster = postmasterOf(some.folder);
		assert.ok(postmaster);
		process.kill(postmaster, 'SIGKILL');
		const killedAt = performance.now();
		const answers = new Map<string, number>();
		let backMs: number | undefined;
		while (performance.now() - killedAt < 10_000) {
			const eventId = eventIdOf(random);
			const entry = some.ledger.noteSent(website.id, eventId);
			const response = await fetch(`${some.service.base}/tm`, {
				method: 'POST',
				headers: { 'user-agent': userAgentOf(1) },
				body: JSON.stringify({
					w: website.id,
					i: wireId(eventId),
					u: `https://${website.domain}/`,
				}),
			});
			some.ledger.noteAnswer(entry, response.status, response.headers.get('x-tidemark-dropped'));
			const said = `${response.status} ${response.headers.get('retry-after')}`;
			answers.set(said, (answers.get(said) ?? 0) + 1);
			await response.arrayBuffer();
			if (response.status === 202 && answers.size > 1) {
				backMs = performance.now() - killedAt;
				break;
			}
			await sleep(5);
		}
		t.diagnostic(
			`${[...answers].map(([said, times]) => `${said}: ${times}`).join(', ')}; back after ${Math.round(backMs ?? 0)} ms`,
		);
		assert.deepEqual([...answers.keys()].sort(), ['202 null', '503 2']);
		assert.ok(backMs !== undefined, 'it came back');
		return backMs;
	};
	const backMs = await quickest(2_000, killAndWait);
	assert.ok(backMs < 2_000, `${backMs} ms`);
	await sendHit(some.ledger, some.service.base, some.websites[1] ?? website, eventIdOf(random));
	assert.equal(await some.service.stop(), 0);
	await judge(t, some.folder, some.ledger, `seed ${random.seed}`);
});

test('[F27] SIGTERM while the engine is frozen: it ends within ten seconds, and the next start writes what was acknowledged', async (t) => {
	const random = seededRandom();
	const some = await startBox(t);
	const load = startLoad({ ...some, random, clients: 4, pauseMs: 5 });
	await sleep(1_000);
	process.kill(await engineIn(some), 'SIGSTOP');
	// So long that whatever asks it by the clock is waiting too.
	await sleep(16_000);
	await load.end();
	const began = performance.now();
	assert.equal(await some.service.stop(), 0);
	const ms = Math.round(performance.now() - began);
	t.diagnostic(`ended in ${ms} ms`);
	assert.ok(ms <= 10_000, `${ms} ms`);
	await judge(t, some.folder, some.ledger, `seed ${random.seed}`);
});

test('[F27] SIGTERM right after PostgreSQL was killed: it ends in peace, and nothing of it goes on', async (t) => {
	const random = seededRandom();
	const some = await startBox(t);
	const load = startLoad({ ...some, random, clients: 4, pauseMs: 5 });
	await sleep(1_000);
	await load.end();
	const engine = await engineIn(some);
	process.kill(postmasterOf(some.folder) ?? 0, 'SIGKILL');
	// A drop that is not noted yet. No database is asked for it.
	const [website] = some.websites;
	const bot = await fetch(`${some.service.base}/tm`, {
		method: 'POST',
		headers: { 'user-agent': 'Googlebot/2.1' },
		body: JSON.stringify({ w: website?.id, n: 'pageview', u: `https://${website?.domain}/` }),
	});
	assert.equal(bot.headers.get('x-tidemark-dropped'), 'bot');
	assert.equal(await some.service.stop(), 0, some.service.output());
	assert.equal(isAlive(engine), false);
	const postmaster = postmasterOf(some.folder);
	assert.ok(postmaster === undefined || !isAlive(postmaster));
	await judge(t, some.folder, some.ledger, `seed ${random.seed}`);
});
