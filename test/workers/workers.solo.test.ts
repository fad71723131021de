/**
 * `serve --workers`: processes that share the port. One that dies is replaced, refuses no connection and loses nothing that was
 * acknowledged; what they count, they count together.
 */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { readConfig } from '../../server/config.ts';
import { createLog } from '../../server/lib/log.ts';
import { startService } from '../../server/main.ts';
import { sql } from '../../server/store/sql.ts';
import { client, send } from '../support/client.ts';
import { assertProblem, websiteOf } from '../support/contract.ts';
import { createLedger, eventIdOf, faultsOf, inWords, sendHit, userAgentOf } from '../support/ledger.ts';
import { seededRandom } from '../support/random.ts';
import { noonZone, sendSteadily } from '../support/rolling.ts';
import {
	descendantsOf,
	isAlive,
	keyOn,
	type ServiceProcess,
	spawnService,
	startServiceProcess,
	temporaryFolder,
	until,
} from '../support/service.ts';

const commandOf = (pid: number) => readFileSync(`/proc/${pid}/cmdline`, 'utf8');
const workersOf = ({ pid }: Pick<ServiceProcess, 'pid'>) =>
	descendantsOf(pid).filter((child) => /main\.(ts|js)\0worker\0/.test(commandOf(child)));
const startWith = (
	t: Parameters<typeof startServiceProcess>[0],
	workers: number,
	settings: Record<string, string> = {},
) =>
	startServiceProcess(t, {
		settings: { TIDEMARK_WORKERS: String(workers), ...settings },
	});

const readyLines = ({ output }: Pick<ServiceProcess, 'output'>) =>
	output().match(/"worker ready"/g)?.length ?? 0;

/** On a connection of its own: who takes it is chance. */
const askAnew = (base: string, path: string, headers: Record<string, string> = {}): Promise<number> =>
	new Promise((resolve, reject) => {
		const asking = request(`${base}${path}`, { agent: false, headers }, (response) => {
			response.resume();
			response.once('end', () => resolve(response.statusCode ?? 0));
		});
		asking.once('error', reject);
		asking.end();
	});

test('workers are killed under load: no connection is refused, nothing acknowledged is lost, a visitor is one visitor at all', async (t) => {
	const random = seededRandom();
	t.diagnostic(`seed ${random.seed}`);
	const service = await startWith(t, 2);
	const api = client(service.base, await keyOn(service));
	const websites = [];
	for (const domain of ['a.example', 'b.example'])
		websites.push(websiteOf(await api('POST', '/websites', { form: { domain, timezone: noonZone() } }), 201));
	const ledger = createLedger();
	const load = sendSteadily({ ledger, base: service.base, websites, random, perSecond: 150, visitors: 20 });
	const seen = new Set(workersOf(service));
	for (let round = 0; round < 3; round++) {
		await sleep(500 + random.whole(500));
		const [one] = workersOf(service);
		assert.ok(one);
		process.kill(one, 'SIGKILL');
		await until(() => readyLines(service) === 3 + round, 20_000, 'there are two workers again');
		for (const pid of workersOf(service)) seen.add(pid);
	}
	await load.end();
	assert.equal(seen.size, 5);
	t.diagnostic(`failed: ${JSON.stringify([...load.failures])}`);
	// Those that a killed process had taken are reset; a connection that nobody had taken yet waits for another worker.
	assert.deepEqual(
		[...load.failures.keys()].filter((what) => what !== 'ECONNRESET' && what !== 'EPIPE'),
		[],
	);
	assert.equal(await service.stop(), 0);
	assert.equal(service.output().match(/"worker exited; restarting"/g)?.length, 3);

	const opened = await startService(readConfig({ TIDEMARK_DATA: service.folder, TIDEMARK_PORT: '0' }), {
		log: createLog('silent', () => undefined),
	});
	t.after(() => opened.stop());
	await opened.drain();
	assert.ok(opened.clickhouse);
	const verdict = await ledger.judge(opened.clickhouse);
	t.diagnostic(inWords(verdict));
	assert.deepEqual(faultsOf(verdict), []);
	const counted = await opened.clickhouse.rows(
		sql`SELECT website_id, uniqExact(visitor_id) AS visitors FROM events GROUP BY website_id ORDER BY website_id`,
		{ as: 'migrate' },
	);
	assert.deepEqual(
		counted,
		websites.map(({ id }) => ({ website_id: id, visitors: '20' })),
	);
});

test('without any worker the service says 503 and when to come again, until one is back; with the service they all end', async (t) => {
	const service = await startWith(t, 1);
	const [only] = workersOf(service);
	assert.ok(only);
	process.kill(only, 'SIGKILL');
	await until(() => !isAlive(only), 5_000, 'it is dead');
	const answer = await send(service.base, 'GET', '/health/ready');
	assertProblem(answer, 'unavailable');
	assert.equal(answer.headers['retry-after'], '2');
	assert.equal(answer.headers['access-control-allow-origin'], '*');
	const statuses = new Set<number>();
	await until(
		async () => {
			const status = await askAnew(service.base, '/health/ready');
			statuses.add(status);
			return status === 200;
		},
		20_000,
		'a worker is back',
	);
	assert.deepEqual(statuses, new Set([503, 200]));

	// A service that is killed takes its workers along, and the port is free for the next one.
	const workers = workersOf(service);
	assert.equal(workers.length, 1);
	await service.kill();
	await until(() => !workers.some(isAlive), 10_000, 'the workers have ended');
	const { port } = new URL(service.base);
	const again = await startServiceProcess(t, {
		folder: service.folder,
		args: ['--port', port, '--workers', '1'],
	});
	assert.equal(await askAnew(again.base, '/health/ready'), 200);
	assert.equal(await again.stop(), 0);
	assert.deepEqual(workersOf(again), []);
});

test('limits, figures and watchers are those of all workers together, and no worker shows a secret', async (t) => {
	const token = randomBytes(24).toString('hex');
	const service = await startWith(t, 2, { TIDEMARK_METRICS_TOKEN: token, TIDEMARK_RATE_LIMIT: '40' });
	const key = await keyOn(service);
	const headers = { authorization: `Bearer ${key}` };
	const website = websiteOf(
		await client(service.base, key)('POST', '/websites', { form: { domain: 'a.example' } }),
		201,
	);
	const statuses: number[] = [];
	// Several at once, so that both workers get some.
	for (let wave = 0; wave < 20; wave++) {
		const asking = Array.from({ length: 6 }, () => askAnew(service.base, '/api/v1/account', headers));
		statuses.push(...(await Promise.all(asking)));
		// Longer than it takes until they have told each other.
		await sleep(150);
	}
	const passed = statuses.filter((status) => status === 200).length;
	t.diagnostic(`${passed} of 120 passed a limit of 40`);
	// One was used above. Each worker alone would let 40 pass.
	assert.ok(passed >= 39 && passed <= 60, `${passed}`);
	assert.ok(statuses.slice(-20).every((status) => status === 429));

	const figures = await send(service.base, 'GET', '/metrics', {
		headers: { authorization: `Bearer ${token}` },
	});
	const count = (status: number) =>
		Number(
			new RegExp(
				`^tidemark_http_requests_total\\{method="GET",route="/api/v1/account",status="${status}"\\} (\\d+)$`,
				'm',
			).exec(figures.text)?.[1],
		);
	assert.deepEqual([count(200), count(429)], [passed, 120 - passed]);
	assert.match(figures.text, /^tidemark_workers 2$/m);
	assert.match(figures.text, /^tidemark_engine_up 1$/m);

	const ledger = createLedger();
	const random = seededRandom();
	const watching = tailOf(service.folder);
	await until(() => watching.isOpen(), 5_000, 'somebody watches');
	// Told to the workers right after that; a hit before it is not shown.
	let sent = 0;
	await until(
		async () => {
			const options = { headers: { 'user-agent': userAgentOf(sent++ % 10), connection: 'close' } };
			assert.equal(await sendHit(ledger, service.base, website, eventIdOf(random), options), 202);
			return watching.lines() >= 10;
		},
		10_000,
		'hits of the workers are seen',
	);
	watching.close();

	const secrets = readdirSync(join(service.folder, 'secrets')).map((name) =>
		readFileSync(join(service.folder, 'secrets', name), 'utf8').trim(),
	);
	assert.ok(secrets.length >= 2);
	for (const worker of workersOf(service)) {
		const shown = commandOf(worker) + readFileSync(`/proc/${worker}/environ`, 'utf8');
		for (const secret of secrets) assert.ok(!shown.includes(secret));
	}
	assert.equal(await service.stop(), 0);
});

/** What `tidemark tail` is shown. */
function tailOf(folder: string) {
	let text = '';
	let isOpen = false;
	const asking = request(
		{ socketPath: join(folder, 'control.sock'), method: 'POST', path: '/operations/tail', agent: false },
		(response) => {
			response.setEncoding('utf8').on('data', (piece: string) => {
				text += piece;
			});
			response.on('error', () => undefined);
		},
	);
	asking.on('error', () => undefined);
	asking.end('{}', () => {
		isOpen = true;
	});
	return {
		isOpen: () => isOpen,
		lines: () => text.split('\n').filter((line) => line.includes('"said"')).length,
		close: () => asking.destroy(),
	};
}

test('a port that is taken is said, and nothing is left running', async (t) => {
	const taken = createServer();
	await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
	t.after(() => new Promise<void>((resolve) => taken.close(() => resolve())));
	const address = taken.address();
	const port = String(typeof address === 'object' ? address?.port : 0);
	const folder = join(temporaryFolder(t), 'data');
	const service = spawnService(t, { folder, args: ['--port', port, '--workers', '2'] });
	assert.equal(await service.exited, 1);
	assert.match(service.output(), new RegExp(`Port ${port} is already in use`));
	assert.deepEqual(descendantsOf(service.pid), []);
});
