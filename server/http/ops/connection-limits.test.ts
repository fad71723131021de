import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import Fastify from 'fastify';
import { limitConnections } from './connection-limits.ts';

/** A server on loopback for which only this peer is exempt. */
async function serve(t: { after(work: () => unknown): void }, exempt: string, isByFastify = true) {
	const app = Fastify({ keepAliveTimeout: 60_000 });
	const limits = limitConnections(app, {
		perNetwork: 3,
		idleMs: 1_000,
		isExempt: (address) => address === exempt,
	});
	if (!isByFastify) {
		app.server.off('request', app.routing);
		app.server.on('request', (request, response) => {
			const headers = ['content-length', '0'];
			limits.limitIdleTime(request.socket, response, headers);
			response.writeHead(200, headers).end();
		});
	}
	app.get('/', async () => 'ok');
	await app.listen({ host: '127.0.0.1', port: 0 });
	t.after(() => app.close());
	const bound = app.server.address();
	assert.ok(typeof bound === 'object' && bound !== null);
	const { port } = bound;
	const open = async (localAddress: string): Promise<Socket> => {
		const socket = connect({ host: '127.0.0.1', port, localAddress });
		t.after(() => socket.destroy());
		socket.on('error', () => undefined);
		await once(socket, 'connect');
		return socket;
	};
	/** The head of the response, or an empty string if the connection was closed. */
	const ask = async (socket: Socket): Promise<string> => {
		socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
		const answer = await Promise.race([
			once(socket, 'data').then(([data]) => String(data)),
			once(socket, 'close').then(() => ''),
		]);
		return answer;
	};
	return { open, ask };
}

test('[T98] a network is limited in its connections, other networks are not affected, and closing one makes room', async (t) => {
	const { open, ask } = await serve(t, '127.0.0.9');
	const held = [await open('127.0.0.1'), await open('127.0.0.1'), await open('127.0.0.1')];
	for (const socket of held) assert.match(await ask(socket), /^HTTP\/1\.1 200/);
	assert.equal(await ask(await open('127.0.0.1')), '', 'the fourth is closed');
	assert.match(await ask(await open('127.0.0.2')), /^HTTP\/1\.1 200/, 'another network');
	for (let count = 0; count < 8; count++) assert.match(await ask(await open('127.0.0.9')), /200/, 'a proxy');
	held[0]?.destroy();
	await once(held[0] as Socket, 'close');
	let answer = '';
	for (let tries = 0; tries < 50 && answer === ''; tries++) answer = await ask(await open('127.0.0.1'));
	assert.match(answer, /^HTTP\/1\.1 200/);
});

for (const isByFastify of [true, false])
	test(`[T98] idle connections of untrusted peers are closed soon, busy ones and those of a proxy stay open, ${isByFastify ? 'with' : 'without'} Fastify`, async (t) => {
		const { open, ask } = await serve(t, '127.0.0.9', isByFastify);
		const [stranger, proxy] = [await open('127.0.0.1'), await open('127.0.0.9')];
		assert.match(await ask(stranger), /keep-alive: timeout=1\r/i);
		assert.match(await ask(proxy), /keep-alive: timeout=60\r/i);
		await once(stranger, 'close');
		assert.match(await ask(proxy), /^HTTP\/1\.1 200/);
	});
