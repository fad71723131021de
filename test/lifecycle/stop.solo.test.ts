import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { client } from '../support/client.ts';
import {
	descendantsOf,
	isAlive,
	keyOn,
	postmasterOf,
	spawnService,
	startServiceProcess,
	temporaryFolder,
	until,
} from '../support/service.ts';

async function open(base: string): Promise<Socket & { received: string }> {
	const { hostname, port } = new URL(base);
	const socket = Object.assign(connect(Number(port), hostname), { received: '' });
	socket.setEncoding('utf8').on('data', (text: string) => {
		socket.received += text;
	});
	socket.on('error', () => undefined);
	await once(socket, 'connect');
	return socket;
}

const isRefused = async (base: string) => {
	const { hostname, port } = new URL(base);
	const socket = connect(Number(port), hostname);
	return new Promise<boolean>((resolve) => {
		socket.once('connect', () => {
			socket.destroy();
			resolve(false);
		});
		socket.once('error', () => resolve(true));
	});
};

test('a stop lets the request under way finish, takes no new one, and ends everything with 0', async (t) => {
	const service = await startServiceProcess(t);
	const key = await keyOn(service);
	const tree = descendantsOf(service.pid);
	assert.ok(tree.includes(postmasterOf(service.folder) ?? 0));
	const body = 'domain=slow.example';
	const socket = await open(service.base);
	const idle = await open(service.base);
	socket.write(
		`POST /api/v1/websites HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 5)}`,
	);
	await sleep(200);
	const started = performance.now();
	const ended = service.stop('SIGTERM');
	await until(() => isRefused(service.base), 2_000, 'new connections are refused');
	assert.ok(!service.hasExited(), 'it waits for the request');
	socket.write(body.slice(5));
	await until(() => socket.received.includes('\r\n\r\n'), 3_000, 'the slow request is answered');
	assert.match(socket.received, /^HTTP\/1\.1 201 /);
	assert.equal(await ended, 0);
	t.diagnostic(`stopped ${Math.round(performance.now() - started)} ms after the signal`);
	assert.ok(performance.now() - started < 5_000, 'it did not wait for the idle connection');
	idle.destroy();
	assert.deepEqual(tree.filter(isAlive), [], 'nothing is left running');
	assert.doesNotMatch(service.output(), /"level":"(error|warn)"/);

	const again = await startServiceProcess(t, { folder: service.folder });
	const found = await client(again.base, key)('GET', '/websites?search=slow.example');
	assert.equal((found.json as { meta: { total: number } }).meta.total, 1);
	assert.equal(await again.stop('SIGINT'), 0);
});

test('a request that never ends is cut when the time for it is over', async (t) => {
	const service = await startServiceProcess(t, { settings: { TIDEMARK_STOP_SECONDS: '1' } });
	const key = await keyOn(service);
	const socket = await open(service.base);
	socket.write(
		`POST /api/v1/websites HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Length: 100\r\n\r\nd`,
	);
	await sleep(200);
	const started = performance.now();
	assert.equal(await service.stop('SIGTERM'), 0);
	const ms = Math.round(performance.now() - started);
	t.diagnostic(`stopped after ${ms} ms`);
	assert.ok(ms > 900 && ms < 4_000, `${ms} ms`);
});

test('a signal during the start ends it cleanly, whenever it comes', async (t) => {
	for (const after of [/^$/, /creating a PostgreSQL cluster/, /the engine is ready/]) {
		const folder = `${temporaryFolder(t)}/data`;
		const service = spawnService(t, { folder });
		await until(() => after.test(service.output()), 20_000, `it says ${after}`);
		// Before the program has put up its handlers a signal simply ends it, with nothing to clean up.
		if (after.source === '^$') await sleep(50);
		const tree = descendantsOf(service.pid);
		const code = await service.stop('SIGTERM');
		assert.ok(code === 0 || (after.source === '^$' && code === 'SIGTERM'), `${after}: ${code}`);
		assert.deepEqual([...tree, postmasterOf(folder) ?? 0].filter(isAlive), [], 'nothing is left running');
		const next = await startServiceProcess(t, { folder });
		assert.equal(await next.stop(), 0);
	}
});

test('who is told twice does not stop twice', async (t) => {
	const service = await startServiceProcess(t);
	process.kill(service.pid, 'SIGTERM');
	process.kill(service.pid, 'SIGINT');
	assert.equal(await service.stop('SIGTERM'), 0);
	assert.equal(service.output().match(/"stopping"/g)?.length, 1);
});
