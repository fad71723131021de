/**
 * Rolling deploys: on one PostgreSQL server, one ClickHouse server and one socket, a new process is started, the old one is told to
 * stop, and so on, while hits come at a fixed rate. No request may fail: a connection that is refused or reset is a failure.
 *
 * ROLLING_RESTARTS=20 ROLLING_SECONDS=300 ROLLING_RATE=1000 SEED=7 node scripts/test.ts test/faults/rolling.slow.test.ts
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { lagOf } from '../../server/event-log/postgres-log.ts';
import { createLog } from '../../server/lib/log.ts';
import { createClickHouse } from '../../server/store/clickhouse.ts';
import { openPostgres } from '../../server/store/postgres.ts';
import { sharePort } from '../../server/workers/shared-port.ts';
import { startClickHouseServer } from '../support/clickhouse-server.ts';
import { client } from '../support/client.ts';
import { websiteOf } from '../support/contract.ts';
import { createLedger, faultsOf, inWords } from '../support/ledger.ts';
import { oneSecret } from '../support/one-secret.ts';
import { startPostgresServer } from '../support/postgres-server.ts';
import { seededRandom } from '../support/random.ts';
import { noonZone, percentile, sendSteadily } from '../support/rolling.ts';
import { sample } from '../support/sample.ts';
import {
	type ServiceProcess,
	startServiceProcess,
	temporaryFolder,
	tidemark,
	until,
} from '../support/service.ts';

const restarts = sample('ROLLING_RESTARTS', 2, 3);
const seconds = sample('ROLLING_SECONDS', 16, 30);
const perSecond = Number(process.env.ROLLING_RATE) || 200;
const visitors = 50;

test(`[F26] ${restarts} rolling restarts in ${seconds} s at ${perSecond} hits a second: no request fails, every event is counted once`, async (t) => {
	const random = seededRandom();
	t.diagnostic(`seed ${random.seed}`);
	const server = await startPostgresServer();
	t.after(() => server.stop());
	const clickhouseServer = await startClickHouseServer(t);
	const port = await sharePort({ host: '127.0.0.1', port: 0 }, () => undefined);
	t.after(() => port.close());
	const base = `http://127.0.0.1:${port.port}`;
	const settings = {
		...{ DATABASE_URL: server.url, CLICKHOUSE_URL: clickhouseServer.url },
		...{ TIDEMARK_SECRET: oneSecret, TIDEMARK_BASE_URL: base, TIDEMARK_WEBSITE_HIT_LIMIT: '100000' },
	};
	const root = temporaryFolder(t);
	const start = (number: number) =>
		startServiceProcess(t, {
			...{ folder: join(root, `data${number}`), settings, socket: port.handle().fd },
			longestMs: 2 * seconds * 1000 + 120_000,
		});

	let running: ServiceProcess = await start(0);
	const made = await tidemark(
		[
			...['account', 'create', '--json', '--data', running.folder],
			...['--email', 'a@example.test', '--name', 'A'],
		],
		{ settings },
	);
	assert.equal(made.code, 0, made.stderr);
	const api = client(base, JSON.parse(made.stdout).key);
	const websites = [];
	for (const domain of ['a.example', 'b.example']) {
		const form = { domain, timezone: noonZone() };
		websites.push(websiteOf(await api('POST', '/websites', { form }), 201));
	}

	const ledger = createLedger();
	const began = performance.now();
	const load = sendSteadily({ ledger, base, websites, random, perSecond, visitors });
	const stops: number[] = [];
	for (let number = 1; number <= restarts; number++) {
		await sleep(Math.max(0, began + ((number - 0.5) * seconds * 1000) / restarts - performance.now()));
		const next = await start(number);
		const stopping = performance.now();
		assert.equal(await running.stop('SIGTERM'), 0, running.output());
		stops.push(Math.round(performance.now() - stopping));
		running = next;
	}
	await sleep(Math.max(0, began + seconds * 1000 - performance.now()));
	await load.end();

	const log = createLog('silent', () => undefined);
	const postgres = openPostgres({ connectionString: server.url }, { log });
	t.after(() => postgres.close());
	await until(async () => (await lagOf(postgres)).rows === 0, 60_000, 'the log is written');
	const clickhouse = createClickHouse(clickhouseServer.url, { log });
	t.after(() => clickhouse.close());
	const verdict = await ledger.judge(clickhouse);
	t.diagnostic(`${restarts} restarts in ${seconds} s: ${inWords(verdict)}`);
	t.diagnostic(
		`answers p50 ${percentile(load.times, 0.5)} ms, p99 ${percentile(load.times, 0.99)} ms, longest ${percentile(load.times, 1)} ms; stops ${Math.min(...stops)} to ${Math.max(...stops)} ms`,
	);
	assert.deepEqual([...load.failures], [], 'no request fails');
	assert.deepEqual(faultsOf(verdict), []);
	assert.ok(verdict.ok > seconds * perSecond * 0.9, `${verdict.ok} events`);

	// Every visitor is one on each website, and comes once: no process split a visit by another salt.
	const overview = await api('GET', '/stats?period=today');
	const found = (
		overview.json as { data: { domain: string; visitors: number; visits: number; pageviews: number }[] }
	).data;
	const sent = ledger.acknowledged();
	assert.deepEqual(
		found
			.map(({ domain, visitors, visits, pageviews }) => ({ domain, visitors, visits, pageviews }))
			.sort((a, b) => a.domain.localeCompare(b.domain)),
		websites.map(({ id, domain }) => ({
			...{ domain, visitors, visits: visitors },
			pageviews: sent.filter(({ websiteId }) => websiteId === id).length,
		})),
	);
	assert.equal(await running.stop(), 0);
});
