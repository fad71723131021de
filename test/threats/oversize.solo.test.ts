import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { assertProblem, assertStatus } from '../support/contract.ts';
import { open, readAnswer, wireRequest } from '../support/wire.ts';
import { world } from '../support/world.ts';

/** The collector with its smaller limit does not exist yet; this is the API's door. */
const w = await world({ after });
const { api, key } = await w.account({ timezone: 'UTC' });
const mebibyte = 1024 * 1024;
const head = (lines: string[]) =>
	[
		'POST /api/v1/websites HTTP/1.1',
		'Host: x',
		`Authorization: Bearer ${key}`,
		'Content-Type: application/x-www-form-urlencoded',
		...lines,
		'',
		'',
	].join('\r\n');

for (const length of [mebibyte + 1, 10 * mebibyte, 2 ** 40])
	test(`[T37] Content-Length: ${length} is 413 before a byte of the body is sent, and the socket is closed`, async () => {
		const socket = await open(w.base);
		const begin = performance.now();
		let text = '';
		socket.on('data', (part) => {
			text += part;
		});
		socket.write(head([`Content-Length: ${length}`]));
		await Promise.race([once(socket, 'close'), new Promise((resolve) => setTimeout(resolve, 3_000))]);
		const ms = performance.now() - begin;
		assert.equal(socket.closed, true, 'closed by the service');
		const answer = readAnswer(text);
		assertProblem(
			{ ...answer, text: answer.body, headers: Object.fromEntries(answer.headers) },
			'body_too_large',
		);
		assert.ok(ms < 1_000, `${ms} ms`);
	});

test('[T37] an endless chunked body is cut at the limit', async () => {
	const socket = await open(w.base);
	let sent = 0;
	let text = '';
	socket.on('data', (part) => {
		text += part;
	});
	socket.on('error', () => {});
	// Not events.once: that would take the broken pipe for a failure.
	const closed = new Promise((resolve) => socket.on('close', resolve));
	socket.write(head(['Transfer-Encoding: chunked']));
	const chunk = Buffer.from(`4000\r\n${'x'.repeat(0x4000)}\r\n`);
	const begin = performance.now();
	// Stops by itself only if the service never does.
	while (!socket.destroyed && sent < 64 * mebibyte && performance.now() - begin < 10_000) {
		if (!socket.write(chunk))
			await Promise.race([
				new Promise((resolve) => socket.once('drain', resolve)),
				closed,
				new Promise((resolve) => setTimeout(resolve, 500)),
			]);
		sent += chunk.length;
		if (text !== '') break;
	}
	assert.equal(readAnswer(text).status, 413);
	assert.ok(sent < 16 * mebibyte, `${sent} bytes went out`);
	await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, 3_000))]);
	assert.equal(socket.closed, true, 'closed by the service');
});

test('[T37] without a key nothing of a large body is read either', async () => {
	const answer = await wireRequest(w.base, {
		method: 'POST',
		path: '/api/v1/websites',
		headers: [['Content-Length', String(50 * mebibyte)]],
	});
	assert.ok([401, 413].includes(answer.status), answer.statusLine);
	assert.ok(answer.ms < 2_000);
});

test('[T37] memory does not follow the bodies that were refused', async () => {
	const body = 'x'.repeat(2 * mebibyte);
	const request = () =>
		wireRequest(w.base, {
			method: 'POST',
			path: '/api/v1/websites',
			headers: [['Authorization', `Bearer ${key}`]],
			body,
		});
	// The bodies that we send are in this process as well; collected before each look, they do not count.
	setFlagsFromString('--expose-gc');
	const collect = runInNewContext('gc');
	for (let n = 0; n < 5; n++) await request();
	collect();
	const before = process.memoryUsage().arrayBuffers;
	for (let n = 0; n < 30; n++) assert.equal((await request()).status, 413);
	let grown = Number.POSITIVE_INFINITY;
	// Sockets that are still closing hold their last bytes; what was really kept would stay.
	for (let n = 0; n < 30 && grown >= 8 * mebibyte; n++) {
		await new Promise((resolve) => setTimeout(resolve, 100));
		collect();
		grown = process.memoryUsage().arrayBuffers - before;
	}
	assert.ok(grown < 8 * mebibyte, `${grown} bytes more`);
	assertStatus(await api('GET', '/websites'), 200);
});
