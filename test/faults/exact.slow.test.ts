/** Kills at an exact step, where collect.test.ts waits for chance: the step is held by a lock of PostgreSQL, or by the net. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { createLog } from '../../server/lib/log.ts';
import { createClickHouse } from '../../server/store/clickhouse.ts';
import { judge, startBox } from '../support/box.ts';
import { startClickHouseServer } from '../support/clickhouse-server.ts';
import { client } from '../support/client.ts';
import { websiteOf } from '../support/contract.ts';
import { createLedger, eventIdOf, faultsOf, inWords, sendHit } from '../support/ledger.ts';
import { seededRandom } from '../support/random.ts';
import { keyOn, startServiceProcess, until } from '../support/service.ts';

/** A box with a hit on every website, and five more of which each waits for its commit. */
async function holdCommits(t: TestContext) {
	const random = seededRandom();
	t.diagnostic(`seed ${random.seed}`);
	const box = await startBox(t);
	const send = (website: (typeof box.websites)[number], eventId: string) =>
		sendHit(box.ledger, box.base() ?? '', website, eventId);
	for (const website of box.websites) assert.equal(await send(website, eventIdOf(random)), 202);

	const connection = new pg.Client({
		...{ host: join(box.folder, 'sockets'), user: 'tidemark', database: 'postgres' },
		password: readFileSync(join(box.folder, 'secrets', 'postgres'), 'utf8').trim(),
	});
	await connection.connect();
	// Every append takes this lock, so that sequence order is commit order.
	await connection.query('SELECT pg_advisory_lock(7461003)');
	const hits = Array.from({ length: 5 }, () => ({
		website: random.pick(box.websites),
		eventId: eventIdOf(random),
	}));
	const answers = hits.map((hit) => send(hit.website, hit.eventId));
	const waiting = async () => {
		const { rows } = await connection.query<{ pid: number }>(
			`SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND objid = 7461003 AND NOT granted`,
		);
		return rows.map(({ pid }) => pid);
	};
	await until(async () => (await waiting()).length > 0, 5_000, 'a commit waits');
	// Those that came after the first are behind it in the service.
	await sleep(200);
	const logged = async () => {
		const { rows } = await connection.query<{ header: string }>('SELECT header FROM event_log');
		return hits.filter(({ eventId }) => rows.some(({ header }) => header.includes(`"${eventId}"`))).length;
	};
	return { box, connection, hits, answers, send, waiting, logged };
}

type Held = Awaited<ReturnType<typeof holdCommits>>;

/** The tracker got no answer and sends again, to the next service. */
async function sendAgain(t: TestContext, { box, connection, hits, answers, send }: Held) {
	await connection.end();
	assert.deepEqual(await Promise.all(answers), Array(5).fill(undefined), 'nobody was answered');
	await box.restart();
	for (const { website, eventId } of hits) assert.equal(await send(website, eventId), 202);
	assert.equal(await box.service.stop(), 0);
	const verdict = await judge(t, box.folder, box.ledger, 'every event');
	assert.equal(verdict.ok, box.websites.length + hits.length);
}

test('[F01] the collector is killed before hits are in the log: none of them is there, and sent again each counts once', async (t) => {
	const held = await holdCommits(t);
	await held.box.service.kill();
	for (const pid of await held.waiting())
		await held.connection.query('SELECT pg_terminate_backend($1)', [pid]);
	await until(async () => (await held.waiting()).length === 0, 5_000, 'nothing waits');
	await held.connection.query('SELECT pg_advisory_unlock(7461003)');
	assert.equal(await held.logged(), 0);
	await sendAgain(t, held);
});

test('[F02] the collector is killed after a commit and before its answer: sent again, the event counts once', async (t) => {
	const held = await holdCommits(t);
	await held.box.service.kill();
	// PostgreSQL has the statement and ends it, though nobody waits for its word any more.
	await held.connection.query('SELECT pg_advisory_unlock(7461003)');
	await until(async () => (await held.logged()) > 0, 5_000, 'it is committed');
	t.diagnostic(`${await held.logged()} of 5 were committed without an answer`);
	await sendAgain(t, held);
});

test('[F05] [F72] an insert is cut after so many bytes, or before its answer, and its writer is killed: each event counts once, and each drop of a rule', async (t) => {
	const random = seededRandom();
	t.diagnostic(`seed ${random.seed}`);
	const server = await startClickHouseServer(t);
	const settings = { CLICKHOUSE_URL: server.url, TIDEMARK_RATE_LIMIT: '100000000' };
	let service = await startServiceProcess(t, { settings });
	const { folder } = service;
	const key = await keyOn(service);
	const api = client(service.base, key);
	const website = websiteOf(await api('POST', '/websites', { form: { domain: 'cut.example' } }), 201);
	const clickhouse = createClickHouse(server.url, { log: createLog('silent', () => undefined) });
	t.after(() => clickhouse.close());
	const ledger = createLedger();
	const rule = { name: 'Cut', kind: 'path', values: ['/excluded'] };
	assert.equal((await api('POST', `/websites/${website.id}/traffic-rules`, { json: rule })).status, 201);
	let dropped = 0;
	const p = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`p${n}`, `${n} `.repeat(120)]));
	for (const when of [1, 2_000, 70_000, 250_000, 'answer'] as const) {
		for (const isKilled of [false, true]) {
			const cut = server.cutNextInsert(when);
			// Their counts are stored with the events that follow, which are acknowledged.
			for (let n = 0; n < 3; n++, dropped++) {
				const body = JSON.stringify({
					w: website.id,
					i: `d${dropped}`,
					n: 'pageview',
					u: 'https://cut.example/excluded',
				});
				const answer = await fetch(`${service.base}/tm`, {
					method: 'POST',
					headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0' },
					body,
				});
				assert.equal(answer.headers.get('x-tidemark-dropped'), 'rule');
			}
			const ids = Array.from({ length: 60 }, () => eventIdOf(random));
			const statuses = await Promise.all(
				ids.map((id) => sendHit(ledger, service.base, website, id, { members: { p } })),
			);
			assert.deepEqual(new Set(statuses), new Set([202]));
			await cut;
			if (isKilled) {
				await service.kill();
				service = await startServiceProcess(t, { folder, settings });
			}
			const what = `cut at ${when}${isKilled ? ' and killed' : ''}`;
			await until(
				async () => (await ledger.judge(clickhouse)).lost.length === 0,
				20_000,
				`${what}, all events are there`,
			);
			const verdict = await ledger.judge(clickhouse);
			assert.deepEqual(faultsOf(verdict), [], `${what}: ${inWords(verdict)}`);
		}
	}
	t.diagnostic(inWords(await ledger.judge(clickhouse)));
	const counted = async () => {
		const { data } = (await client(service.base, key)('GET', `/websites/${website.id}/drops`)).json as {
			data: { total: number; rules: { count: number }[] };
		};
		return [data.total, data.rules[0]?.count];
	};
	await until(async () => (await counted())[0] === dropped, 20_000, 'all drops are counted');
	assert.deepEqual(await counted(), [dropped, dropped]);
	assert.equal(await service.stop(), 0);
});
