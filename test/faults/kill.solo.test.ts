/**
 * What a 2xx is worth when everything dies at once. Writers create, change and delete websites; in the middle the
 * service, the statistics engine and PostgreSQL are killed with SIGKILL; the service is started again on the same
 * folder, and what it holds is compared with a ledger of what was asked and answered.
 *
 * KILL_ROUNDS=20 SEED=7 node scripts/test.ts test/faults
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { quickest } from '../support/best-of.ts';
import { type Client, client, send } from '../support/client.ts';
import { listOf, type Website, websiteOf } from '../support/contract.ts';
import { type Random, seededRandom } from '../support/random.ts';
import {
	engineOf,
	isAlive,
	startServiceProcess,
	temporaryFolder,
	tidemark,
	until,
} from '../support/service.ts';

const rounds = Number(process.env.KILL_ROUNDS) || 5;
const writers = 8;
/** Lifts the limits of a caller, so that the load is what the service can carry. */
const settings = { TIDEMARK_RATE_LIMIT: '100000000' };

/** What is known of a website: what was acknowledged last, and what was asked since without an answer. */
type Entry = {
	domain: string;
	id: number | undefined;
	/** undefined: it does not exist as far as was acknowledged. */
	acknowledged: State | undefined;
	/** Any of these may have happened too. */
	unanswered: (State | undefined)[];
};
/** The one field that the writers change; it stands for the record. */
type State = { params: string };

async function makeAccount(folder: string): Promise<string> {
	const made = await tidemark([
		...['account', 'create', '--json', '--data', folder],
		...['--email', 'ledger@example.test', '--name', 'Ledger'],
	]);
	assert.equal(made.code, 0, made.stderr);
	return JSON.parse(made.stdout).key;
}

/** One request after another on websites of its own, until the service no longer answers. */
async function write(api: Client, ledger: Entry[], random: Random, name: string, isOver: () => boolean) {
	const mine: Entry[] = [];
	for (let step = 0; !isOver(); step++) {
		const living = mine.filter((entry) => entry.id !== undefined && entry.acknowledged);
		const choice = living.length < 3 ? 0 : random.next();
		const entry = choice < 0.4 ? undefined : random.pick(living);
		const wanted = choice < 0.8 ? { params: `p${step}` } : undefined;
		const target = entry ?? {
			domain: `${name}-${step}.example`,
			id: undefined,
			acknowledged: undefined,
			unanswered: [],
		};
		if (!entry) {
			mine.push(target);
			ledger.push(target);
		}
		// Before the request goes out, as in a ledger on paper: the answer may never come.
		target.unanswered.push(wanted);
		const form = { domain: target.domain, exclude_params: wanted?.params ?? '' };
		try {
			const answer = !entry
				? await api('POST', '/websites', { form })
				: wanted
					? await api('PUT', `/websites/${target.id}`, { form })
					: await api('DELETE', `/websites/${target.id}`);
			if (answer.status >= 300) {
				assert.equal(answer.status, 503, answer.text);
				continue;
			}
			if (!entry) target.id = websiteOf(answer, 201).id;
			target.acknowledged = wanted;
			target.unanswered = [];
		} catch (error) {
			// fetch says TypeError when the connection is gone; anything else is a finding.
			if (!(error instanceof TypeError)) throw error;
			return;
		}
	}
}

async function readAll(api: Client): Promise<Map<string, Website>> {
	const found = new Map<string, Website>();
	for (let page = 1; ; page++) {
		const { data, meta } = listOf(await api('GET', `/websites?per_page=100&sort=asc&page=${page}`));
		for (const website of data) {
			assert.ok(!found.has(website.domain), `${website.domain} is there twice`);
			found.set(website.domain, website);
		}
		if (page >= meta.last_page) return found;
	}
}

function judge(ledger: readonly Entry[], found: ReadonlyMap<string, Website>): string[] {
	const faults: string[] = [];
	const known = new Set(ledger.map(({ domain }) => domain));
	for (const domain of found.keys()) if (!known.has(domain)) faults.push(`${domain} was never asked for`);
	for (const { domain, id, acknowledged, unanswered } of ledger) {
		const website = found.get(domain);
		const params = website && (website.exclude_params ?? 'nothing');
		const allowed = [acknowledged, ...unanswered].map((state) => state?.params);
		if (!allowed.includes(params)) faults.push(`${domain} is ${params}, not one of ${allowed.join(', ')}`);
		if (website && id !== undefined && website.id !== id) faults.push(`${domain} changed its id`);
	}
	return faults;
}

/** What was found becomes what is known, so that later rounds go on from it. */
function settle(ledger: readonly Entry[], found: ReadonlyMap<string, Website>) {
	for (const entry of ledger) {
		const website = found.get(entry.domain);
		entry.acknowledged = website ? { params: website.exclude_params ?? '' } : undefined;
		entry.unanswered = [];
	}
}

test(`everything is killed in the middle of writes, ${rounds} times: what was acknowledged is there`, async (t) => {
	const random = seededRandom();
	const folder = `${temporaryFolder(t)}/data`;
	let service = await startServiceProcess(t, { folder, settings });
	const key = await makeAccount(folder);
	const ledger: Entry[] = [];
	const restarts: number[] = [];
	let writes = 0;
	t.diagnostic(`seed ${random.seed}`);
	for (let round = 1; round <= rounds; round++) {
		const before = ledger.length;
		let over = false;
		const api = client(service.base, key);
		const work = Array.from({ length: writers }, (_, number) =>
			write(api, ledger, seededRandom(random.whole(2 ** 31)), `r${round}w${number}`, () => over),
		);
		const ms = 100 + random.whole(600);
		await sleep(ms);
		await service.killTree();
		over = true;
		await Promise.all(work);
		const started = performance.now();
		service = await startServiceProcess(t, { folder, settings });
		const restartMs = Math.round(performance.now() - started);
		restarts.push(restartMs);
		const found = await readAll(client(service.base, key));
		const lost = judge(ledger, found);
		assert.deepEqual(lost, [], `seed ${random.seed}, round ${round}`);
		const account = await client(service.base, key)('GET', '/account');
		assert.equal((account.json as { data: { usage: { websites: number } } }).data.usage.websites, found.size);
		settle(ledger, found);
		writes += ledger.length - before;
		t.diagnostic(
			`round ${round}: killed after ${ms} ms, ${ledger.length - before} websites asked for, ${found.size} there, up again in ${restartMs} ms`,
		);
	}
	assert.ok(writes > rounds * writers, `only ${writes} creates were under way: the kill met nothing`);
	t.diagnostic(
		`${rounds} rounds, nothing lost; restarts ${Math.min(...restarts)} to ${Math.max(...restarts)} ms`,
	);
	assert.equal(await service.stop(), 0);
});

test('the statistics engine alone is killed: no request fails, it is back within three seconds, and ready tells it', async (t) => {
	const service = await startServiceProcess(t, { settings });
	const key = await makeAccount(service.folder);
	const api = client(service.base, key);
	const ready = async () => JSON.parse((await send(service.base, 'GET', '/health/ready')).text);
	const roles = { collect: 'ready', write: 'ready', api: 'ready', jobs: 'ready' };
	assert.deepEqual(await ready(), { status: 'ready', roles, postgres: 'up', clickhouse: 'up' });

	let over = false;
	const statuses: number[] = [];
	const load = [0, 1, 2, 3].map(async (number) => {
		for (let step = 0; !over; step++) {
			const made = await api('POST', '/websites', { form: { domain: `w${number}-${step}.example` } });
			const listed = await api('GET', '/websites');
			statuses.push(made.status, listed.status);
			// The engine runs at low priority: a load that takes both cores would measure the scheduler.
			await sleep(25);
		}
	});
	const killAndWait = async () => {
		const engine = engineOf(service.pid);
		assert.ok(engine);
		process.kill(engine, 'SIGKILL');
		const killedAt = performance.now();
		const seen = new Set<string>();
		await until(
			async () => {
				const answer = await send(service.base, 'GET', '/health/ready');
				assert.equal(answer.status, 200, 'the service stays in the load balancer');
				const { clickhouse } = JSON.parse(answer.text);
				seen.add(clickhouse);
				return clickhouse === 'up' && engineOf(service.pid) !== engine;
			},
			10_000,
			'the engine is up again',
		);
		assert.deepEqual(seen, new Set(['down', 'up']));
		assert.ok(!isAlive(engine));
		return performance.now() - killedAt;
	};
	const backMs = await quickest(3_000, killAndWait);
	over = true;
	await Promise.all(load);
	t.diagnostic(`the engine was back after ${Math.round(backMs)} ms; ${statuses.length} requests meanwhile`);
	assert.ok(backMs < 3_000, `${backMs} ms`);
	assert.deepEqual(new Set(statuses), new Set([200, 201]));
	assert.equal(await service.stop(), 0);
});
