import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from '../../server/store/sql.ts';
import { residentMb, until } from '../engine/engine.ts';
import { send } from '../support/client.ts';
import { assertProblem, websiteOf } from '../support/contract.ts';
import { storeManyVisits } from '../support/stored-visits.ts';
import { visitor } from '../support/visitor.ts';
import { world } from '../support/world.ts';

/** Five years, a million different pages, and filters that are dear: what would hold up everything else if it could. */
const now = new Date('2026-11-08T12:00:00.000Z');
const w = await world({ after }, { now: () => now, settings: { TIDEMARK_HIT_LIMIT: '100000000' } });
const owner = await w.account({ timezone: 'UTC' });
const { id, domain } = websiteOf(
	await owner.api('POST', '/websites', { form: { domain: 'dear.example' } }),
	201,
);
before(() => storeManyVisits(w, id, { visits: 1_000_000, to: '2026-11-05' }), { timeout: 180_000 });

const years = { period: 'custom', from: '2021-12-02', to: '2026-11-05', metrics: ['visitors'] };
/** Five thousand texts that no title contains are looked for in each title, for each of so many tables anew. */
const dear = (tables: number, salt: string) => ({
	...years,
	filters: [
		'or',
		...Array.from({ length: 50 }, (_, test) => [
			'contains',
			'title',
			Array.from({ length: 100 }, (_, n) => `never ${salt} ${test} ${n}`),
		]),
	],
	// Without a search they would be read together.
	breakdowns: Array.from({ length: tables }, (_, n) => ({
		dimension: 'hostname',
		limit: n + 1,
		search: 'e',
	})),
});
/** The same with a few of the texts: some seconds at most. */
const few = (salt: string) => {
	const { filters, ...rest } = dear(0, salt);
	return { ...rest, filters: filters.slice(0, 4) };
};
const ask = (json: object, signal?: AbortSignal) =>
	send(w.base, 'POST', `/api/v1/websites/${id}/stats/query`, {
		json,
		key: owner.key,
		...(signal && { signal }),
	});
const running = async (): Promise<number> => {
	const rows = await w.clickhouse.rows<{ count: string }>(
		sql`SELECT count() AS count FROM system.processes WHERE log_comment = 'stats'`,
		{ as: 'ingest', name: 'watch' },
	);
	return Number(rows[0]?.count);
};

test('[C-ASK-2][T26] a question that takes too long is ended, with what to do', async (t) => {
	const began = performance.now();
	const problem = assertProblem(await ask(dear(20, 'slow')), 'unavailable');
	const seconds = (performance.now() - began) / 1000;
	assert.match(
		problem.detail,
		/longer than 15 seconds.*shorter period, fewer breakdowns or a simpler filter/,
	);
	assert.ok(seconds > 10 && seconds < 30, `${seconds} s`);
	t.diagnostic(
		`ended after ${seconds.toFixed(1)} s, gone ${Math.round(await until(async () => (await running()) === 0, 5_000))} ms later`,
	);
});

test('[C-ASK-4][T26] somebody who is not known to us has 5 seconds, and shares have few turns', async (t) => {
	const anybody = visitor(() => w.base);
	// A share may use three values, and is answered under each part of them. All visits match, and a property is looked up in each
	// of their events: three times the limit on a quiet machine.
	const look = (salt: string) =>
		anybody('POST', `/websites/${id}/stats/query`, {
			json: {
				...years,
				filters: ['is_not', 'title', [1, 2, 3].map((n) => `never ${salt} ${n}`)],
				breakdowns: Array.from({ length: 20 }, (_, n) => ({
					dimension: 'property:plan',
					limit: n + 1,
					search: '1',
				})),
			},
		});
	const began = performance.now();
	let most = 0;
	const watching = new AbortController();
	const watch = (async () => {
		while (!watching.signal.aborted) {
			most = Math.max(most, await running());
			await pause(100);
		}
	})();
	const answers = await Promise.all(Array.from({ length: 25 }, (_, n) => look(`share ${n}`)));
	watching.abort();
	await watch;
	const seconds = (performance.now() - began) / 1000;
	const slow = answers.filter(({ status }) => status === 503);
	for (const answer of slow)
		assert.match(assertProblem(answer, 'unavailable').detail, /longer than 5 seconds/);
	// The last one has the machine for itself, and may be done within its 5 seconds.
	const answered = answers.filter(({ status }) => status === 200);
	for (const answer of answers.filter(({ status }) => status !== 503 && status !== 200)) {
		assertProblem(answer, 'too_many_requests');
		assert.ok(Number(answer.headers['retry-after']) >= 1);
	}
	t.diagnostic(
		`${slow.length} of 25 were ended, ${answered.length} answered, at most ${most} at a time, ${seconds.toFixed(1)} s`,
	);
	// 2 run, 16 wait for up to ten seconds, 7 are refused at once.
	assert.ok(slow.length >= 2 && slow.length + answered.length <= 18, String(slow.length));
	assert.ok(answered.length <= 2, `${answered.length} answered: the questions are too cheap`);
	// Two of two questions that run, and two of two that are being ended.
	assert.ok(most > 0 && most <= 8, `${most} statements`);
	await until(async () => (await running()) === 0, 10_000);
});

test('[C-ASK-2][T26] one with more groups than fit into memory is ended, and the engine stays within its own', async (t) => {
	const breakdowns = ['page', 'title', 'property:plan', 'entry_page', 'exit_page'].map((dimension) => ({
		dimension,
	}));
	const problem = assertProblem(
		await ask({ ...years, filters: ['is', 'country', 'DE'], breakdowns }),
		'unavailable',
	);
	// The groups go to disk, until there are too many or the time is over: it depends on the machine which comes first.
	assert.match(problem.detail, /(exceeds the memory limit|took longer than 15 seconds).*shorter period/);
	const mb = residentMb(w.pids().engine ?? 0);
	t.diagnostic(`engine ${Math.round(mb)} MB`);
	assert.ok(mb < 1.5 * w.config.engineMemoryMb, `${mb} MB`);
	// A shorter time is answered.
	const week = { period: 'custom', from: '2026-10-30', to: '2026-11-05', metrics: ['visitors'] };
	assert.equal((await ask({ ...week, filters: ['is', 'country', 'DE'], breakdowns })).status, 200);
});

test('[C-ASK-2] a filter that is too long for ClickHouse to read is 422', async () => {
	// Each length is a test of its own.
	const values = Array.from({ length: 100 }, (_, n) => 'x'.repeat(n + 1));
	const filters = ['or', ...Array.from({ length: 50 }, () => ['starts_with', 'page', values])];
	assertProblem(await ask({ ...years, filters }), 'validation_failed', ['filters']);
});

test('[C-ASK-3] equal questions at the same time are one', async () => {
	const answers = await Promise.all(Array.from({ length: 12 }, () => ask(few('equal'))));
	// How long it took and how many rows it read would differ.
	assert.equal(new Set(answers.map(({ text }) => text)).size, 1);
	assert.equal(answers[0]?.status, 200);
	const [one, other] = await Promise.all([ask(few('one')), ask(few('other'))]);
	assert.notEqual(one.text, other.text);
});

test('[C-ASK-3][T26] a question goes on while somebody waits for it, and ends when all have left', async (t) => {
	const leaving = [new AbortController(), new AbortController(), new AbortController()];
	const [first, second, third] = leaving.map(({ signal }) =>
		ask(dear(20, 'left'), signal).catch(() => 'left'),
	);
	await until(async () => (await running()) > 0, 10_000);
	leaving[0]?.abort();
	leaving[1]?.abort();
	assert.deepEqual(await Promise.all([first, second]), ['left', 'left']);
	await pause(1_000);
	assert.ok((await running()) > 0, 'the third still waits');
	leaving[2]?.abort();
	assert.equal(await third, 'left');
	t.diagnostic(`gone ${Math.round(await until(async () => (await running()) === 0, 10_000))} ms later`);
});

const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0';

/** A hit every 10 ms: how long half of them took, and all but the slowest percent. */
async function collectFor(ms: number): Promise<{ p50: number; p99: number; hits: number }> {
	const took: number[] = [];
	const sent: Promise<void>[] = [];
	const end = performance.now() + ms;
	while (performance.now() < end) {
		const began = performance.now();
		const body = JSON.stringify({ w: id, u: `https://${domain}/` });
		sent.push(
			send(w.base, 'POST', '/tm', { body, headers: { 'user-agent': agent } }).then(({ status, text }) => {
				assert.equal(status, 202, text);
				took.push(performance.now() - began);
			}),
		);
		await pause(10);
	}
	await Promise.all(sent);
	took.sort((a, b) => a - b);
	const at = (share: number) => took[Math.floor(took.length * share)] ?? 0;
	return { p50: at(0.5), p99: at(0.99), hits: took.length };
}

test('[T26][C-ASK-1] fifty clients with dear questions: collection goes on, who is too many is told when to come again', async (t) => {
	const quiet = await collectFor(6_000);
	const leaving = new AbortController();
	const statuses = new Map<number, number>();
	let most = 0;
	const clients = Array.from({ length: 50 }, async (_, n) => {
		for (let round = 0; !leaving.signal.aborted; round++) {
			const answer = await ask(dear(4, `${n} ${round}`), leaving.signal).catch(() => undefined);
			if (!answer) break;
			statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
			if (answer.status === 200) continue;
			const code = answer.status === 429 ? 'too_many_requests' : 'unavailable';
			assertProblem(answer, code);
			assert.ok(Number(answer.headers['retry-after']) >= 1);
			await pause(1_000);
		}
	});
	await pause(1_000);
	const watching = (async () => {
		while (!leaving.signal.aborted) {
			most = Math.max(most, await running());
			await pause(200);
		}
	})();
	const busy = await collectFor(10_000);
	const mb = residentMb(w.pids().engine ?? 0);
	leaving.abort();
	await Promise.all([...clients, watching]);
	const gone = await until(async () => (await running()) === 0, 10_000);
	const shown = ({ p50, p99, hits }: typeof busy) =>
		`${hits} hits in ${p50.toFixed(0)} ms (p99 ${p99.toFixed(0)})`;
	t.diagnostic(
		`quiet: ${shown(quiet)}; busy: ${shown(busy)}; answers ${JSON.stringify([...statuses])}; ` +
			`at most ${most} statements, engine ${Math.round(mb)} MB; gone ${Math.round(gone)} ms later`,
	);
	// 4 run and 16 wait; 30 are refused at once.
	assert.ok((statuses.get(429) ?? 0) >= 30, JSON.stringify([...statuses]));
	assert.ok(most > 0 && most <= 16, `${most} statements`);
	assert.ok(mb < 1.5 * w.config.engineMemoryMb, `${mb} MB`);
	// The clients are in the same process as the service, and the machine may be busy with other things.
	assert.ok(busy.p50 < Math.max(50, 3 * quiet.p50), `${quiet.p50} ms quiet, ${busy.p50} ms busy`);
	assert.ok(busy.p99 < Math.max(1_500, 3 * quiet.p99), `${quiet.p99} ms quiet, ${busy.p99} ms busy`);
	// Whoever comes now is answered.
	assert.equal((await ask({ period: '7d' })).status, 200);
});

test('[C-ASK-5] a question to an engine that was killed is 503, and is answered when it is back', async (t) => {
	const underWay = Promise.all(Array.from({ length: 3 }, (_, n) => ask(dear(20, `killed ${n}`))));
	await until(async () => (await running()) > 0, 10_000);
	process.kill(w.pids().engine ?? 0, 'SIGKILL');
	for (const answer of await underWay) {
		assertProblem(answer, 'unavailable');
		assert.ok(Number(answer.headers['retry-after']) >= 1);
	}
	const back = await until(async () => {
		const answer = await ask({ period: '7d' });
		if (answer.status !== 200) assertProblem(answer, 'unavailable');
		return answer.status === 200;
	}, 60_000);
	t.diagnostic(`back after ${Math.round(back)} ms`);
});
