import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { sharePort } from '../../server/workers/shared-port.ts';
import { startServiceProcess, temporaryFolder, until } from '../support/service.ts';
import { patience } from '../support/timeout-factor.ts';

type Open = Socket & { received: string };

async function open(base: string): Promise<Open> {
	const { hostname, port } = new URL(base);
	const socket = Object.assign(connect(Number(port), hostname), { received: '' });
	socket.setEncoding('utf8').on('data', (text: string) => {
		socket.received += text;
	});
	socket.on('error', () => undefined);
	await once(socket, 'connect');
	return socket;
}

async function ask(socket: Open, path: string): Promise<string> {
	socket.received = '';
	socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
	await until(() => /\r\n\r\n.*\}/s.test(socket.received), 5_000, 'an answer is there');
	return socket.received;
}

test('[F26][C-ROLE-2] a stop says so to load balancers first, and goes on until they look elsewhere', async (t) => {
	const service = await startServiceProcess(t, { settings: { TIDEMARK_DRAIN_SECONDS: '5' } });
	const [early, silent] = await Promise.all([open(service.base), open(service.base)]);
	assert.match(await ask(early, '/health/ready'), /^HTTP\/1\.1 200 .*"status":"ready"/s);
	const began = performance.now();
	const ended = service.stop('SIGTERM');
	const late = await open(service.base);
	await until(() => /"stopping"/.test(service.output()), 2_000, 'it stops');
	const told = await ask(late, '/health/ready');
	assert.match(told, /^HTTP\/1\.1 503 .*"status":"stopping"/s);
	assert.match(told, /^connection: close\r$/im);
	assert.match(await ask(early, '/health/live'), /^HTTP\/1\.1 200 .*^connection: close\r$.*"live"/ims);
	// One that was open and silent all the time is answered too, after the door is closed for new ones.
	await until(() => performance.now() - began > 5_200, 10_000, 'load balancers had their time');
	assert.match(await ask(silent, '/health/live'), /^HTTP\/1\.1 200 /);
	assert.equal(await ended, 0);
	const ms = performance.now() - began;
	assert.ok(ms > 5_000 && ms < 13_000 * patience, `${ms} ms`);
});

for (const workers of ['0', '1'])
	test(`[F26] whoever connects to a socket that was handed over, while no process is there, is answered by the next one (workers: ${workers})`, async (t) => {
		const port = await sharePort({ host: '127.0.0.1', port: 0 }, () => undefined);
		t.after(async () => port.close());
		const folder = join(temporaryFolder(t), 'data');
		const base = `http://127.0.0.1:${port.port}`;
		const start = () =>
			startServiceProcess(t, {
				...{ folder, socket: port.handle().fd },
				settings: { TIDEMARK_WORKERS: workers, TIDEMARK_BASE_URL: base, TIDEMARK_PORT: '1' },
			});
		const first = await start();
		assert.equal(first.base, base);
		const asked = await open(base);
		assert.match(await ask(asked, '/health/ready'), /^HTTP\/1\.1 200 /);
		asked.destroy();
		assert.equal(await first.stop(), 0);
		const waiting = await open(base);
		const answer = ask(waiting, '/health/live').catch((error: unknown) => error);
		const second = await start();
		await until(() => waiting.received !== '' || waiting.destroyed, 5_000, 'the waiting one is answered');
		assert.match(waiting.received, /^HTTP\/1\.1 200 /);
		await answer;
		waiting.destroy();
		assert.equal(await second.stop(), 0);
	});
