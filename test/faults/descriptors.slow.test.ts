import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startClickHouseServer } from '../support/clickhouse-server.ts';
import { client } from '../support/client.ts';
import { websiteOf } from '../support/contract.ts';
import { createLedger, eventIdOf, sendHit } from '../support/ledger.ts';
import { oneSecret } from '../support/one-secret.ts';
import { startPostgresServer } from '../support/postgres-server.ts';
import { seededRandom } from '../support/random.ts';
import { startServiceProcess, tidemark, until } from '../support/service.ts';

const filesOf = (pid: number) => readdirSync(`/proc/${pid}/fd`).length;

/** Seconds of a core that a process has used. */
function cpuOf(pid: number): number {
	const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
		.replace(/^.*\) /s, '')
		.split(' ');
	return (Number(fields[11]) + Number(fields[12])) / 100;
}

type Held = Socket & { isGone: boolean };

/** Opens connections and keeps those that the other side keeps. */
function hold(base: string, count: number): Held[] {
	const { hostname, port } = new URL(base);
	return Array.from({ length: count }, () => {
		const socket = Object.assign(connect(Number(port), hostname), { isGone: false });
		socket.on('error', () => undefined);
		socket.on('close', () => {
			socket.isGone = true;
		});
		return socket;
	});
}

const statusOf = (base: string): Promise<number | string> =>
	new Promise((resolve) => {
		const asking = request(`${base}/health/ready`, { agent: false, timeout: 5_000 }, (response) => {
			response.resume();
			response.once('end', () => resolve(response.statusCode ?? 0));
		});
		asking.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
		asking.end();
	});

test('[F37] without descriptors connections are refused without a busy loop, hits under way are kept, and it recovers', async (t) => {
	const random = seededRandom();
	const server = await startPostgresServer();
	t.after(() => server.stop());
	const clickhouse = await startClickHouseServer(t);
	const settings = {
		...{ DATABASE_URL: server.url, CLICKHOUSE_URL: clickhouse.url, TIDEMARK_SECRET: oneSecret },
	};
	const files = 100;
	const service = await startServiceProcess(t, { settings, prefix: ['prlimit', `--nofile=${files}`] });
	const made = await tidemark(
		[
			...['account', 'create', '--json', '--data', service.folder],
			...['--email', 'a@example.test', '--name', 'A'],
		],
		{ settings },
	);
	const api = client(service.base, JSON.parse(made.stdout).key);
	const website = websiteOf(await api('POST', '/websites', { form: { domain: 'a.example' } }), 201);
	const ledger = createLedger();
	const hit = () => sendHit(ledger, service.base, website, eventIdOf(random));
	assert.equal(await hit(), 202);

	const measure = async (what: string) => {
		const before = cpuOf(service.pid);
		await sleep(2_000);
		const share = (cpuOf(service.pid) - before) / 2;
		t.diagnostic(`${what}: ${filesOf(service.pid)} of ${files} open, ${Math.round(share * 100)} % of a core`);
		assert.ok(share < 0.25, `${what}: ${share} of a core`);
	};

	// Whoever opens many connections gets half of what there is; the database has the rest.
	const many = hold(service.base, 300);
	await until(() => many.filter(({ isGone }) => isGone).length >= 300 - files, 10_000, 'most are refused');
	assert.ok(filesOf(service.pid) < files, 'some are left for the database');
	await measure('300 connections at once');
	assert.ok(!service.hasExited());
	for (const socket of many) socket.destroy();
	await until(async () => (await statusOf(service.base)) === 200, 10_000, 'it answers again');
	assert.equal(await hit(), 202);

	// Something else has taken them: not one is left for a connection that it would take.
	const limit = (count: number) =>
		execFileSync('prlimit', ['--pid', String(service.pid), `--nofile=${count}:${files}`]);
	limit(filesOf(service.pid));
	const few = hold(service.base, 50);
	await measure('50 connections, none left');
	assert.ok(!service.hasExited(), service.output());
	limit(files);
	for (const socket of few) socket.destroy();
	await until(async () => (await statusOf(service.base)) === 200, 10_000, 'it answers again');
	assert.equal(await hit(), 202);
	assert.equal(await service.stop(), 0);
});
