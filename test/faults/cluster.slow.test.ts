/**
 * What a 202 is worth on many processes. Hits come to two collectors; at seeded moments servers of NATS, collectors, the writer, the
 * engine and the nets between them break, one or two at a time; afterwards the ledger is asked.
 *
 * FAULT_RUNS=50 SEED=7 npm test -- test/faults/cluster.slow.test.ts
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { faultsOf, inWords, startLoad } from '../support/ledger.ts';
import { startCluster, strikes, untilTaken } from '../support/many-processes.ts';
import { seededRandom } from '../support/random.ts';

const runs = Number(process.env.FAULT_RUNS) || 1;
const perRun = 4;
/** Those that every run begins with. */
const always = ['leader killed', 'net of a collector loses what comes from NATS'];
const isShort = runs === 1;

test(`[F09] [F10] [F25] [F45] servers, processes and nets of a cluster break under load, ${runs} times: every 202 is counted once`, async (t) => {
	const random = seededRandom();
	t.diagnostic(`seed ${random.seed}`);
	// Apart from that of the hits, whose number nobody knows: a seed is a sequence of faults.
	const moments = seededRandom(random.seed);
	const cluster = await startCluster(t, { random, longestMs: 300_000 * runs });
	const slow = 'net of the writer loses what comes from ClickHouse';
	const names = Object.keys(strikes).filter((name) => !isShort || name !== slow);
	for (let run = 1; run <= runs; run++) {
		const load = startLoad({ ...cluster, random, clients: 12, pauseMs: 20 });
		const struck: string[] = [];
		try {
			for (let step = 0; step < perRun; step++) {
				await sleep(200 + moments.whole(500));
				const name = always[step] ?? moments.pick(names);
				const strike = strikes[name];
				assert.ok(strike);
				await strike.run(cluster, moments);
				const tookMs = await untilTaken(cluster, random, strike.boundMs);
				struck.push(`${name}: 202 after ${tookMs} ms`);
				t.diagnostic(`${name}: 202 after ${tookMs} ms`);
			}
		} finally {
			await load.end();
		}
		const what = `seed ${random.seed}, run ${run} (${struck.join(', ')})`;
		const verdict = await cluster.judge(isShort ? 40_000 : 150_000);
		t.diagnostic(`${what}: ${inWords(verdict)}`);
		assert.deepEqual(faultsOf(verdict), [], what);
		assert.deepEqual({ gaps: verdict.gaps, aside: verdict.aside }, { gaps: 0, aside: 0 }, what);
		assert.ok(verdict.ok > 200, what);
	}
});
