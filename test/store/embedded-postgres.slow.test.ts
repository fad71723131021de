import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import {
	appendFileSync,
	chmodSync,
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	readlinkSync,
	statSync,
	writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { client, send } from '../support/client.ts';
import { assertStatus } from '../support/contract.ts';
import { startPostgresServer } from '../support/postgres-server.ts';
import {
	descendantsOf,
	engineOf,
	isAlive,
	keyOn,
	postmasterOf,
	spawnService,
	startServiceProcess,
	temporaryFolder,
	tidemark,
	until,
} from '../support/service.ts';

test('a PostgreSQL that outlived its service is adopted by the next one and stops with it', async (t) => {
	const first = await startServiceProcess(t);
	const key = await keyOn(first);
	const postmaster = postmasterOf(first.folder);
	assert.ok(postmaster);
	await first.kill();
	assert.ok(isAlive(postmaster), 'PostgreSQL lives on');

	const second = await startServiceProcess(t, { folder: first.folder });
	assert.equal(postmasterOf(first.folder), postmaster);
	assert.match(second.output(), /adopted a running PostgreSQL/);
	assertStatus(await client(second.base, key)('GET', '/account'), 200);
	assert.equal(await second.stop(), 0);
	assert.ok(!isAlive(postmaster), 'whoever adopted it stops it');
	assert.equal(existsSync(join(first.folder, 'postgres', 'postmaster.pid')), false);
});

test('a start that is refused once its databases run stops them again', async (t) => {
	const first = await startServiceProcess(t);
	assert.equal(await first.stop(), 0);
	writeFileSync(join(first.folder, 'secrets', 'secret'), '');
	const refused = spawnService(t, { folder: first.folder });
	await until(() => postmasterOf(first.folder) !== undefined, 60_000, 'PostgreSQL runs');
	const postmaster = Number(postmasterOf(first.folder));
	await until(refused.hasExited, 20_000, 'the start is refused');
	assert.match(refused.output(), /contains no secret/);
	assert.ok(!isAlive(postmaster), 'PostgreSQL has stopped');
	assert.equal(postmasterOf(first.folder), undefined);
});

test('a second service on a folder is refused in one sentence, and the first does not notice', async (t) => {
	const first = await startServiceProcess(t);
	const key = await keyOn(first);
	const [postmaster, engine] = [postmasterOf(first.folder), engineOf(first.pid)];
	const second = spawnService(t, { folder: first.folder });
	let failed = 0;
	while (!second.hasExited()) {
		const answer = await client(first.base, key)('GET', '/websites');
		if (answer.status !== 200) failed++;
		await sleep(5);
	}
	assert.equal(await second.exited, 1);
	const lines = second.output().trim().split('\n');
	const messages = lines.map((line): { level: string; msg: string } => JSON.parse(line));
	assert.deepEqual(
		messages.filter(({ level }) => level === 'fatal').map(({ msg }) => msg),
		[`Tidemark is already running on ${first.folder}. Stop it first, or choose another folder with --data.`],
	);
	assert.equal(failed, 0);
	assert.deepEqual([postmasterOf(first.folder), engineOf(first.pid)], [postmaster, engine]);
	assert.equal((await tidemark(['account', 'list', '--data', first.folder])).code, 0);
	assert.equal(await first.stop(), 0);
});

test('[F63] a PostgreSQL that is killed during the first start is started again, and the service comes up', async (t) => {
	const service = spawnService(t, { folder: join(temporaryFolder(t), 'data') });
	await until(() => /migrating PostgreSQL/.test(service.output()), 60_000, 'it migrates');
	process.kill(postmasterOf(service.folder) ?? 0, 'SIGKILL');
	const base = await service.ready();
	assert.equal((await send(base, 'GET', '/health/ready')).status, 200);
	assert.equal(await service.stop(), 0);
});

test('a stale postmaster.pid that names another living process is not believed', async (t) => {
	const service = await startServiceProcess(t);
	assert.equal(await service.stop(), 0);
	const stranger = spawn('sleep', ['60'], { stdio: 'ignore' });
	t.after(() => {
		stranger.kill();
	});
	const file = join(service.folder, 'postgres', 'postmaster.pid');
	const lines = [
		stranger.pid,
		join(service.folder, 'postgres'),
		1_700_000_000,
		5432,
		service.folder,
		'',
		'0 0',
		'ready',
	];
	writeFileSync(file, `${lines.join('\n')}\n`, { mode: 0o600 });
	const again = await startServiceProcess(t, { folder: service.folder });
	assert.ok(isAlive(stranger.pid ?? 0), 'a process that is not ours is left alone');
	assert.notEqual(postmasterOf(service.folder), stranger.pid);
	assert.equal(await again.stop(), 0);
	assert.ok(isAlive(stranger.pid ?? 0));
});

test('it runs below a folder that only root may enter, and the folder is left as it was', {
	skip: process.getuid?.() !== 0,
}, async (t) => {
	const closed = temporaryFolder(t);
	chmodSync(closed, 0o700);
	const service = await startServiceProcess(t, { folder: join(closed, 'data') });
	assert.equal(statSync(closed).mode & 0o777, 0o700);
	const uid = /^Uid:\s+(\d+)/m.exec(
		readFileSync(`/proc/${postmasterOf(service.folder)}/status`, 'utf8'),
	)?.[1];
	assert.notEqual(uid, '0', 'PostgreSQL does not run as root');
	assert.equal((await send(service.base, 'GET', '/health/ready')).status, 200);
	assert.equal(await service.stop(), 0);
});

test('it runs on a path that is too long for a socket', async (t) => {
	const folder = join(temporaryFolder(t), 'a-long-name-'.repeat(8), 'another-long-name-'.repeat(3), 'data');
	assert.ok(folder.length > 150);
	mkdirSync(folder, { recursive: true });
	const service = await startServiceProcess(t, { folder });
	const key = await keyOn(service);
	assertStatus(await client(service.base, key)('GET', '/account'), 200);
	assert.equal(await spawnService(t, { folder }).exited, 1, 'the lock holds there too');
	assert.equal(await service.stop(), 0);
	assert.equal(
		(await tidemark(['account', 'list', '--data', folder])).code,
		0,
		'and a command without a service',
	);
});

test('[T61][F64] the engines listen on no port, the only one is that of the service; the log of PostgreSQL is bounded', async (t) => {
	const service = await startServiceProcess(t);
	const tree = [service.pid, ...descendantsOf(service.pid)];
	assert.ok(tree.includes(postmasterOf(service.folder) ?? 0) && tree.includes(engineOf(service.pid) ?? 0));
	const port = Number(new URL(service.base).port);
	assert.deepEqual(
		tree.flatMap((pid) => listenersOf(pid).map((listener) => ({ pid, ...listener }))),
		[{ pid: service.pid, address: '0100007F', port }],
	);
	const log = join(service.folder, 'postgres.log');
	appendFileSync(log, 'x'.repeat(1_100_000));
	await until(() => statSync(log).size < 1_000, 10_000, '[F64] a large log of PostgreSQL is rotated');
	assert.ok(statSync(`${log}.1`).size >= 1_100_000);
	assert.equal(statSync(`${log}.1`).mode & 0o077, 0);
	// Their doors are files that nobody else can open.
	const sockets = [
		join(service.folder, 'sockets', '.s.PGSQL.5432'),
		join(service.folder, 'control.sock'),
		join(service.folder, 'engine.sock'),
	];
	for (const socket of sockets) assert.equal(statSync(socket).mode & 0o077, 0, socket);
	assert.equal(await service.stop(), 0);
});

/** The ports that a process listens on, by its own open sockets. */
function listenersOf(pid: number): { address: string; port: number }[] {
	const inodes = new Set(
		readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
			try {
				return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1] ?? [];
			} catch {
				return [];
			}
		}),
	);
	return ['tcp', 'tcp6', 'udp', 'udp6'].flatMap((kind) =>
		readFileSync(`/proc/net/${kind}`, 'utf8')
			.trim()
			.split('\n')
			.slice(1)
			.map((line) => line.trim().split(/\s+/))
			// 0A is LISTEN; a socket of UDP has no such state and counts when it is bound.
			.filter((fields) => (kind.startsWith('udp') || fields[3] === '0A') && inodes.has(fields[9] ?? ''))
			.map((fields) => {
				const [address = '', port = ''] = (fields[1] ?? '').split(':');
				return { address, port: Number.parseInt(port, 16) };
			}),
	);
}

test('a folder of another PostgreSQL version is refused with advice and not touched', async (t) => {
	const folder = temporaryFolder(t);
	mkdirSync(join(folder, 'data', 'postgres'), { recursive: true });
	writeFileSync(join(folder, 'data', 'postgres', 'PG_VERSION'), '17\n');
	const refused = spawnService(t, { folder: join(folder, 'data') });
	assert.equal(await refused.exited, 1);
	assert.match(
		refused.output(),
		/was created by PostgreSQL 17, but this version of Tidemark contains PostgreSQL 18/,
	);
	assert.match(refused.output(), /tidemark backup FILE --data \S+; with this one: tidemark restore FILE/);
	assert.deepEqual(readdirSync(join(folder, 'data', 'postgres')), ['PG_VERSION']);
});

test('a PostgreSQL server that may forget what it acknowledged is refused', async (t) => {
	for (const setting of ['fsync', 'full_page_writes', 'synchronous_commit']) {
		const server = await startPostgresServer({ [setting]: 'off' });
		try {
			const folder = temporaryFolder(t);
			const refused = spawnService(t, { folder, settings: { DATABASE_URL: server.url } });
			assert.equal(await refused.exited, 1);
			assert.match(
				refused.output(),
				new RegExp(`This PostgreSQL server cannot be used: ${setting} is off\\.`),
			);
		} finally {
			await server.stop();
		}
	}
});

test('a PostgreSQL server that is not there is named and waited for, without its password; a signal ends that', async (t) => {
	const folder = temporaryFolder(t);
	const waiting = spawnService(t, {
		folder,
		settings: { DATABASE_URL: 'postgres://tidemark:hunter2@127.0.0.1:1/tidemark' },
	});
	await until(() => /PostgreSQL is unreachable; waiting for it/.test(waiting.output()), 20_000, 'it waits');
	assert.equal(await waiting.stop(), 0);
	assert.match(waiting.output(), /ECONNREFUSED 127\.0\.0\.1:1/);
	assert.match(waiting.output(), /stopped before it was ready/);
	assert.doesNotMatch(waiting.output(), /hunter2|Tidemark is ready/);
});
