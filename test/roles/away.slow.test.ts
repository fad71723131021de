/** Servers that are away, and come back. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { chmodSync, closeSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { startClickHouseServer } from '../support/clickhouse-server.ts';
import { send } from '../support/client.ts';
import { makeDisks } from '../support/disks.ts';
import { freePort } from '../support/free-port.ts';
import { userAgentOf } from '../support/ledger.ts';
import { startNats } from '../support/nats.ts';
import { startPostgresServer } from '../support/postgres-server.ts';
import { programFile } from '../support/program.ts';
import { spawnService, temporaryFolder, tidemark, until } from '../support/service.ts';
import { createTcpProxy } from '../support/tcp-proxy.ts';
import { open } from '../support/wire.ts';

/** A database with one website, whose id is 1; made without a service. */
async function prepare(t: TestContext, url: string): Promise<void> {
	const folder = temporaryFolder(t);
	const list = join(folder, 'domains.csv');
	writeFileSync(list, 'domain,timezone\nroles.example,UTC\n');
	for (const args of [
		['account', 'create', '--email', 'a@example.test', '--name', 'A'],
		['website', 'create', '--account', 'a@example.test', '--file', list],
	]) {
		const done = await tidemark([...args, '--data', join(folder, 'data')], {
			settings: { DATABASE_URL: url },
		});
		assert.equal(done.code, 0, done.stderr);
	}
}

const hit = (base: string, path = '/') =>
	send(base, 'POST', '/tm', {
		body: JSON.stringify({ w: 1, u: `https://roles.example${path}` }),
		headers: { 'content-type': 'text/plain', 'user-agent': userAgentOf(1) },
	});

const ready = async (base: string) => {
	const { status, json } = await send(base, 'GET', '/health/ready');
	return [status, json];
};

const answers = (base: string) =>
	send(base, 'GET', '/health/live').then(
		({ status }) => status === 200,
		() => false,
	);

async function waitingEvents(url: string): Promise<number> {
	const connection = new pg.Client({ connectionString: url });
	await connection.connect();
	const { rows } = await connection.query(
		`SELECT coalesce(sum(jsonb_array_length(header::jsonb -> 'w')), 0)::int AS events FROM event_log`,
	);
	await connection.end();
	return rows[0].events;
}

const portOf = (url: string) => Number(new URL(url).port);

function throughPort(url: string, port: number): string {
	const through = new URL(url);
	through.port = String(port);
	return through.href;
}

test('[F12][C-ROLE-8] a collector that is started while PostgreSQL is down says 503, lives, and works by itself later', async (t) => {
	const server = await startPostgresServer();
	t.after(() => server.stop());
	await prepare(t, server.url);
	const proxy = createTcpProxy(t, portOf(server.url), await freePort());
	const port = await freePort();
	const base = `http://127.0.0.1:${port}`;
	const collector = spawnService(t, {
		folder: join(temporaryFolder(t), 'data'),
		settings: { DATABASE_URL: throughPort(server.url, proxy.port) },
		args: ['--role', 'collect', '--port', String(port)],
	});
	await until(() => answers(base), 30_000, 'it answers');
	const waiting = { status: 'waiting', roles: { collect: 'waits for postgres' }, postgres: 'down' };
	assert.deepEqual(await ready(base), [503, waiting]);
	for (const refused of [
		await hit(base),
		await send(base, 'GET', '/tm.gif?w=1'),
		await send(base, 'GET', '/'),
	]) {
		assert.equal(refused.status, 503);
		assert.equal(refused.headers['retry-after'], '2');
		assert.equal(refused.headers['access-control-allow-origin'], '*', 'a tracker can read it');
	}
	assert.ok(!collector.hasExited());

	await proxy.open();
	await until(
		() =>
			hit(base).then(
				({ status }) => status === 202,
				() => false,
			),
		15_000,
		'hits are taken',
	);
	assert.deepEqual(await ready(base), [
		200,
		{ status: 'ready', roles: { collect: 'ready' }, postgres: 'up' },
	]);

	// And once more, in the middle of its work.
	await proxy.shut();
	await until(async () => (await hit(base)).status === 503, 5_000, 'they are refused');
	assert.deepEqual(await ready(base), [503, waiting]);
	await proxy.open();
	await until(async () => (await hit(base)).status === 202, 5_000, 'they are taken again');
	assert.equal(await waitingEvents(server.url), 2, 'what was answered 202 is there, and nothing else');
	assert.equal(await collector.stop(), 0);
});

test('[F11] a connection to PostgreSQL that is reset between the commit and its word is a 503, never a refusal', async (t) => {
	const server = await startPostgresServer();
	t.after(() => server.stop());
	await prepare(t, server.url);
	const proxy = createTcpProxy(t, portOf(server.url), await freePort());
	await proxy.open();
	const collector = spawnService(t, {
		folder: join(temporaryFolder(t), 'data'),
		settings: { DATABASE_URL: throughPort(server.url, proxy.port) },
		args: ['--role', 'collect', '--port', '0'],
	});
	const base = await collector.ready();
	assert.equal((await hit(base)).status, 202);
	// A sender that leaves in the middle breaks a connection too, which is no outage and nothing to tell.
	const leaver = await open(base);
	leaver.write('POST /tm HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{"w":1');
	await sleep(200);
	leaver.resetAndDestroy();
	await sleep(200);
	assert.doesNotMatch(collector.output(), /request/);
	const reset = proxy.resetNext(/"w":\[/);
	const refused = await hit(base);
	await reset;
	assert.deepEqual([refused.status, refused.headers['retry-after']], [503, '2'], refused.text);
	assert.equal(
		await waitingEvents(server.url),
		2,
		'it was taken all the same, so its sender may not be sent away',
	);
	assert.match(collector.output(), /requests fail: database unreachable/);
	assert.equal((await hit(base)).status, 202);
	assert.equal(await collector.stop(), 0);
});

test('[F10][C-ROLE-8] a process that is started while NATS is down says so, and works by itself later', async (t) => {
	const server = await startPostgresServer();
	t.after(() => server.stop());
	await prepare(t, server.url);
	const nats = await startNats(t);
	const [natsServer] = nats.servers;
	await natsServer?.kill();
	const port = await freePort();
	const base = `http://127.0.0.1:${port}`;
	const settings = { DATABASE_URL: server.url, ...nats.settings };
	const process = spawnService(t, {
		folder: join(temporaryFolder(t), 'data'),
		settings,
		args: ['--role', 'collect', '--port', String(port)],
	});
	await until(() => answers(base), 30_000, 'it answers');
	assert.deepEqual(await ready(base), [
		503,
		{
			status: 'waiting',
			roles: { collect: 'waits for nats' },
			...{ postgres: 'up', nats: 'down' },
		},
	]);
	const refused = await hit(base);
	assert.deepEqual([refused.status, refused.headers['retry-after']], [503, '2']);
	assert.equal(process.output().split('NATS is unreachable; waiting for it').length, 2, 'it is told once');

	await natsServer?.start();
	await until(
		() =>
			hit(base).then(
				({ status }) => status === 202,
				() => false,
			),
		20_000,
		'hits are taken',
	);
	assert.equal(await process.stop(), 0);

	// One that is there and would not do is refused, also while its monitoring port is away.
	const wrong = spawnService(t, {
		folder: process.folder,
		settings: { ...settings, NATS_MONITOR_URL: `http://127.0.0.1:${await freePort()}` },
		args: ['--role', 'collect', '--port', '0'],
	});
	assert.equal(await wrong.exited, 1);
	assert.match(wrong.output(), /NATS_MONITOR_URL is not its monitoring port/);
});

test('[F12] a ClickHouse server that is down at the start keeps no hit from being taken', async (t) => {
	const server = await startPostgresServer();
	t.after(() => server.stop());
	const clickhouse = await startClickHouseServer(t);
	await prepare(t, server.url);
	const proxy = createTcpProxy(t, portOf(clickhouse.url), await freePort());
	const settings = { DATABASE_URL: server.url, CLICKHOUSE_URL: throughPort(clickhouse.url, proxy.port) };
	const service = spawnService(t, {
		folder: join(temporaryFolder(t), 'data'),
		settings,
		args: ['--port', '0', '--role', 'collect,write'],
	});
	const base = await service.ready();
	const roles = { collect: 'ready', write: 'waits for clickhouse' };
	assert.deepEqual(await ready(base), [200, { status: 'ready', roles, postgres: 'up', clickhouse: 'down' }]);
	assert.equal((await hit(base)).status, 202);
	assert.equal(await waitingEvents(server.url), 1);
	await proxy.open();
	await until(async () => (await waitingEvents(server.url)) === 0, 20_000, 'it is written');
	const all = { collect: 'ready', write: 'ready' };
	assert.deepEqual(await ready(base), [
		200,
		{ status: 'ready', roles: all, postgres: 'up', clickhouse: 'up' },
	]);
	assert.equal(await service.stop(), 0);
});

function fill(file: string) {
	const handle = openSync(file, 'w');
	for (let size = 1_048_576; size >= 1_024; ) {
		try {
			writeSync(handle, Buffer.alloc(size, 1));
		} catch {
			size /= 2;
		}
	}
	closeSync(handle);
}

test('[F18] the disk of PostgreSQL is full: hits are refused with 503, and what was answered 202 is there', async (t) => {
	const place = makeDisks(t).make('disk', 300);
	// Its user comes by.
	chmodSync(dirname(place), 0o711);
	const server = await startPostgresServer({ max_wal_size: '64MB', min_wal_size: '32MB' }, { place });
	t.after(() => server.stop());
	await prepare(t, server.url);
	const collector = spawnService(t, {
		folder: join(temporaryFolder(t), 'data'),
		settings: { DATABASE_URL: server.url },
		args: ['--port', '0', '--role', 'collect'],
	});
	const base = await collector.ready();
	let taken = 0;
	const count = async (path = '/') => {
		const { status, headers } = await hit(base, path);
		if (status === 202) taken++;
		if (status === 503) assert.ok(headers['retry-after']);
		return status;
	};
	for (let n = 0; n < 20; n++) assert.equal(await count(), 202);
	fill(join(place, 'ballast'));
	const long = `/${'x'.repeat(1_500)}`;
	const seen = new Set<number>();
	await until(
		async () => {
			for (const status of await Promise.all(Array.from({ length: 50 }, () => count(long)))) seen.add(status);
			return seen.has(503);
		},
		60_000,
		'hits are refused',
	);
	assert.deepEqual(
		[...seen].filter((status) => status !== 202 && status !== 503),
		[],
	);
	assert.ok(!collector.hasExited());
	rmSync(join(place, 'ballast'));
	await until(
		async () => {
			server.startAgain();
			return (await count()) === 202;
		},
		30_000,
		'hits are taken again',
	);
	t.diagnostic(`${taken} hits were answered 202`);
	assert.equal(await waitingEvents(server.url), taken);
	assert.equal(await collector.stop(), 0);
});

test('[F18] a log that cannot be written stops nothing', async (t) => {
	const server = await startPostgresServer();
	t.after(() => server.stop());
	await prepare(t, server.url);
	const full = openSync('/dev/full', 'w');
	t.after(() => closeSync(full));
	const port = await freePort();
	const base = `http://127.0.0.1:${port}`;
	const folder = join(temporaryFolder(t), 'data');
	const child = spawn(
		process.execPath,
		[programFile, 'serve', '--role', 'collect', '--data', folder, '--port', String(port)],
		{
			env: { PATH: process.env.PATH ?? '', DATABASE_URL: server.url, TIDEMARK_LOG_LEVEL: 'debug' },
			stdio: ['ignore', 'ignore', full],
		},
	);
	t.after(async () => void child.kill('SIGKILL'));
	await until(() => answers(base), 30_000, 'it answers');
	for (let n = 0; n < 200; n++) assert.equal((await hit(base)).status, 202);
	const ended = new Promise((resolve) => child.once('exit', resolve));
	child.kill('SIGTERM');
	assert.equal(await ended, 0);
	assert.equal(await waitingEvents(server.url), 200);
});
