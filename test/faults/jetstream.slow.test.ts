/**
 * What a 202 is worth with the event log in NATS. Trackers send hits; at seeded moments NATS is killed or frozen, and the service
 * and the engine with it; afterwards the ledger is asked.
 *
 * FAULT_RUNS=14 SEED=7 node scripts/test.ts test/faults/jetstream.slow.test.ts
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Box, engineIn, judge, startBox } from '../support/box.ts';
import { eventIdOf, sendHit, startLoad } from '../support/ledger.ts';
import { type NatsServer, startNats } from '../support/nats.ts';
import { type Random, seededRandom } from '../support/random.ts';
import { until } from '../support/service.ts';
import { patience } from '../support/timeout-factor.ts';

const runs = Number(process.env.FAULT_RUNS) || 1;

type Strike = (box: Box, nats: NatsServer, random: Random) => Promise<void>;

const strikes: Record<string, Strike> = {
	async 'NATS killed'(_box, nats, random) {
		await nats.kill();
		await sleep(random.whole(1_500));
		await nats.start();
	},
	async 'NATS frozen'(_box, nats, random) {
		nats.freeze();
		await sleep(random.whole(4_000));
		nats.thaw();
	},
	async 'NATS killed while the engine is frozen'(box, nats, random) {
		const engine = await engineIn(box);
		process.kill(engine, 'SIGSTOP');
		await sleep(random.whole(1_000));
		await nats.kill();
		await nats.start();
		process.kill(engine, 'SIGKILL');
	},
	async 'service killed'(box) {
		await box.service.killTree();
		await box.restart();
	},
	async 'service and NATS killed'(box, nats) {
		await Promise.all([box.service.killTree(), nats.kill()]);
		await nats.start();
		await box.restart();
	},
};

test(`[F09] NATS and the service are killed and frozen under load, ${runs} times: every 202 is counted once`, async (t) => {
	const random = seededRandom();
	t.diagnostic(`seed ${random.seed}`);
	for (let run = 1; run <= runs; run++) {
		const { servers, settings } = await startNats(t);
		const [nats] = servers;
		assert.ok(nats);
		const box = await startBox(t, { settings });
		const load = startLoad({ ...box, random, base: box.base, clients: 8, pauseMs: 5 });
		const names = Object.keys(strikes);
		const struck: string[] = [];
		for (let step = 0; step < 4; step++) {
			await sleep(300 + random.whole(1_200));
			const name = step === 0 ? 'NATS killed' : random.pick(names);
			struck.push(name);
			await strikes[name]?.(box, nats, random);
		}
		await sleep(random.whole(1_000));
		await load.end();
		if (random.next() < 0.5) await box.service.killTree();
		else assert.equal(await box.service.stop(), 0);
		const what = `seed ${random.seed}, run ${run} (${struck.join(', ')})`;
		await judge(t, box.folder, box.ledger, what, { settings });
		assert.deepEqual(await gapsIn(box), [], what);
	}
});

/** As the service says that it found them. */
const gapsIn = async (box: Box) =>
	box.service
		.output()
		.split('\n')
		.filter((line) => /missing in NATS|was recreated|lost its last messages/.test(line));

test('[F10] NATS is frozen: hits are answered 503 within seconds, and 202 when it goes on', async (t) => {
	const random = seededRandom();
	const { servers, settings } = await startNats(t);
	const [nats] = servers;
	assert.ok(nats);
	const box = await startBox(t, { settings });
	const [website, other] = box.websites;
	assert.ok(website && other);
	assert.equal(await sendHit(box.ledger, box.service.base, website, eventIdOf(random)), 202);
	nats.freeze();
	const began = performance.now();
	const ids = Array.from({ length: 40 }, () => eventIdOf(random));
	const answers = await Promise.all(ids.map((id) => sendHit(box.ledger, box.service.base, website, id)));
	const waitedMs = Math.round(performance.now() - began);
	const laterAt = performance.now();
	const later = ids.slice(0, 4).map((id) => sendHit(box.ledger, box.service.base, website, id));
	assert.deepEqual(await Promise.all(later), [503, 503, 503, 503]);
	assert.ok(performance.now() - laterAt < 5_000 * patience, 'once it is known, nobody waits');
	nats.thaw();
	assert.deepEqual(new Set(answers), new Set([503]));
	assert.ok(waitedMs < 13_000 * patience, `${waitedMs} ms`);
	const thawedAt = performance.now();
	const again = ids[0] ?? '';
	await until(
		async () => (await sendHit(box.ledger, box.service.base, website, again)) === 202,
		20_000,
		'hits are taken again',
	);
	t.diagnostic(
		`503 after ${waitedMs} ms; 202 again ${Math.round(performance.now() - thawedAt)} ms after it went on`,
	);
	// A retry of what was answered 503 counts once, whether the first was stored or not.
	for (const id of ids) assert.equal(await sendHit(box.ledger, box.service.base, website, id), 202);
	assert.equal(await sendHit(box.ledger, box.service.base, other, eventIdOf(random)), 202);
	assert.equal(await box.service.stop(), 0);
	await judge(t, box.folder, box.ledger, `seed ${random.seed}`, { settings });
});
