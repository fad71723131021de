import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { after, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { assertStatus, freshDomain, websiteOf } from '../support/contract.ts';
import { createLedger, eventIdOf, sendHit } from '../support/ledger.ts';
import { seededRandom } from '../support/random.ts';
import { exchange, open } from '../support/wire.ts';
import { world } from '../support/world.ts';

const w = await world({ after });
const { api, key } = await w.account({ timezone: 'UTC' });
const website = websiteOf(await api('POST', '/websites', { form: { domain: freshDomain() } }), 201);
const connections = 500;

/** Opens many connections, sends one byte a second on each, and tells how long each one lived. */
async function crawl(first: string, drip: (n: number) => string): Promise<number[]> {
	const lives: number[] = [];
	const sockets: Socket[] = [];
	for (let n = 0; n < connections; n++) {
		const socket = await open(w.base);
		const begin = performance.now();
		socket.on('error', () => {});
		socket.resume();
		socket.on('close', () => lives.push(performance.now() - begin));
		socket.write(first);
		sockets.push(socket);
	}
	for (let second = 0; second < 15 && lives.length < connections; second++) {
		await wait(1_000);
		for (const socket of sockets) if (socket.writable) socket.write(drip(second));
	}
	for (const socket of sockets) socket.destroy();
	return lives;
}

const ledger = createLedger();
const random = seededRandom();

/** Ordinary requests and hits meanwhile: their times, and none may fail. */
async function ordinary(until: Promise<unknown>): Promise<number[]> {
	const times: number[] = [];
	let done = false;
	void until.finally(() => {
		done = true;
	});
	while (!done) {
		const begin = performance.now();
		assertStatus(await api('GET', '/websites'), 200);
		times.push(performance.now() - begin);
		const sent = performance.now();
		assert.equal(await sendHit(ledger, w.base, website, eventIdOf(random)), 202);
		times.push(performance.now() - sent);
		await wait(20);
	}
	return times.sort((a, b) => a - b);
}

const attacks: { name: string; first: string; drip: (n: number) => string; within: number }[] = [
	{
		name: 'headers',
		first: 'GET /api/v1/websites HTTP/1.1\r\nHost: x\r\nX-Slow: ',
		drip: () => 'a',
		within: 8_000,
	},
	{
		name: 'a body',
		first: `POST /api/v1/websites HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 1000\r\n\r\n`,
		drip: () => 'a',
		within: 13_000,
	},
	{
		name: 'a hit',
		first: 'POST /tm HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: 1000\r\n\r\n',
		drip: () => '{',
		within: 13_000,
	},
];
for (const { name, first, drip, within } of attacks)
	test(`[T69] ${connections} connections that send ${name} byte by byte are closed, and others are answered`, {
		timeout: 60_000,
	}, async (t) => {
		const attack = crawl(first, drip);
		const times = await ordinary(attack);
		const lives = await attack;
		const p99 = times[Math.floor(times.length * 0.99)] ?? 0;
		t.diagnostic(
			`${lives.length} closed, the last after ${Math.round(Math.max(...lives))} ms; ${times.length} ordinary requests, p99 ${p99.toFixed(1)} ms`,
		);
		assert.equal(lives.length, connections);
		assert.ok(Math.max(...lives) < within, `${Math.max(...lives)} ms`);
		assert.ok(times.length > 50);
		assert.ok(p99 < 500, `p99 ${p99} ms`);
	});

test('[T69] an idle connection is closed too, without a word that a browser would take for its next answer', {
	timeout: 30_000,
}, async () => {
	const idle = await exchange(w.base, '', 15_000);
	assert.deepEqual([idle.closed, idle.text], [true, '']);
	assert.ok(idle.ms < 13_000);
});

test('[T69] a client that never reads its answers is closed at last or holds little', {
	timeout: 60_000,
}, async () => {
	const socket = await open(w.base);
	socket.on('error', () => {});
	socket.pause();
	const request = `GET /api/v1/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n`;
	const before = process.memoryUsage().rss;
	for (let n = 0; n < 200; n++) socket.write(request);
	await wait(2_000);
	assertStatus(await api('GET', '/websites'), 200);
	assert.ok(process.memoryUsage().rss - before < 64 * 1024 * 1024);
	socket.destroy();
});
