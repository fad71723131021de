import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { assertStatus, freshDomain, listOf } from '../support/contract.ts';
import { exchange, wireRequest } from '../support/wire.ts';
import { world } from '../support/world.ts';

const w = await world({ after });
const owner = await w.account({ timezone: 'UTC' });
const authorization = `Authorization: Bearer ${owner.key}`;
const smuggled = 'smuggled.example';
const inner = `POST /api/v1/websites HTTP/1.1\r\nHost: x\r\n${authorization}\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${`domain=${smuggled}`.length}\r\n\r\ndomain=${smuggled}`;
const answersIn = (text: string) => text.match(/HTTP\/1\.1 \d{3}/g)?.length ?? 0;

const bombs: { name: string; headers: [string, string][] }[] = [
	{ name: 'one header of 17 KiB', headers: [['X-Large', 'a'.repeat(17 * 1024)]] },
	{ name: 'one header of 100 kB', headers: [['X-Large', 'a'.repeat(100_000)]] },
	{ name: 'a cookie of 100 kB', headers: [['Cookie', 'a=b; '.repeat(20_000)]] },
	{ name: '200 headers', headers: Array.from({ length: 200 }, (_, n): [string, string] => [`X-${n}`, 'a']) },
	{
		name: '2,000 headers',
		headers: Array.from({ length: 2_000 }, (_, n): [string, string] => [`X-${n}`, 'a']),
	},
	{
		name: 'one header 2,000 times',
		headers: Array.from({ length: 2_000 }, (): [string, string] => ['X-Same', 'a']),
	},
];
for (const { name, headers } of bombs)
	test(`[T72] ${name}: 431`, async () => {
		const answer = await wireRequest(w.base, {
			path: '/api/v1/websites',
			headers: [['Authorization', `Bearer ${owner.key}`], ...headers],
		});
		assert.equal(answer.status, 431, answer.statusLine);
		assert.equal(answer.closed, true);
		assert.equal(JSON.parse(answer.body).code, 'headers_too_large');
	});
test('[T72] an address of 100 kB is refused', async () => {
	const answer = await wireRequest(w.base, { path: `/api/v1/websites?search=${'a'.repeat(100_000)}` });
	assert.ok([414, 431].includes(answer.status), answer.statusLine);
});
test('[T72] 50 ordinary headers are fine', async () => {
	const headers = Array.from({ length: 50 }, (_, n): [string, string] => [`X-${n}`, 'a']);
	const answer = await wireRequest(w.base, {
		path: '/api/v1/websites',
		headers: [['Authorization', `Bearer ${owner.key}`], ...headers],
	});
	assert.equal(answer.status, 200);
});

const begin = `POST /api/v1/websites HTTP/1.1\r\nHost: x\r\n${authorization}\r\nContent-Type: application/x-www-form-urlencoded\r\n`;
/** Requests whose end two readers could see in two places; behind each stands another request that must not run. */
const ambiguous: { name: string; bytes: string }[] = [
	{
		name: 'Content-Length and chunked',
		bytes: `${begin}Content-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${inner}`,
	},
	{
		name: 'chunked and Content-Length',
		bytes: `${begin}Transfer-Encoding: chunked\r\nContent-Length: 6\r\n\r\n0\r\n\r\n${inner}`,
	},
	{
		name: 'two different Content-Lengths',
		bytes: `${begin}Content-Length: 0\r\nContent-Length: 6\r\n\r\n${inner}`,
	},
	{ name: 'a list of Content-Lengths', bytes: `${begin}Content-Length: 0, 6\r\n\r\n${inner}` },
	{ name: 'a Content-Length with a sign', bytes: `${begin}Content-Length: +0\r\n\r\n${inner}` },
	{ name: 'a negative Content-Length', bytes: `${begin}Content-Length: -1\r\n\r\n${inner}` },
	{ name: 'a hexadecimal Content-Length', bytes: `${begin}Content-Length: 0x0\r\n\r\n${inner}` },
	{ name: 'a blank before the colon', bytes: `${begin}Content-Length : 0\r\n\r\n${inner}` },
	{
		name: 'a folded header',
		bytes: `${begin}Transfer-Encoding:\r\n chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n${inner}`,
	},
	{
		name: 'an unknown Transfer-Encoding',
		bytes: `${begin}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${inner}`,
	},
	{ name: 'chunked twice', bytes: `${begin}Transfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n${inner}` },
	{
		name: 'chunked, then identity',
		bytes: `${begin}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n${inner}`,
	},
	{ name: 'a chunk size with a sign', bytes: `${begin}Transfer-Encoding: chunked\r\n\r\n+0\r\n\r\n${inner}` },
	{
		name: 'a chunk size that is none',
		bytes: `${begin}Transfer-Encoding: chunked\r\n\r\nzz\r\n\r\n${inner}`,
	},
	{
		name: 'line ends of LF alone',
		bytes: `${begin}Content-Length: 0\r\n\r\n`.replaceAll('\r\n', '\n') + inner,
	},
	{ name: 'NUL in a header', bytes: `${begin}X-Nul: a\0b\r\nContent-Length: 0\r\n\r\n${inner}` },
	{
		name: 'CR in a header',
		bytes: `${begin}X-Cr: a\rTransfer-Encoding: chunked\r\nContent-Length: 0\r\n\r\n${inner}`,
	},
	{ name: 'a method that is none', bytes: `GE T /api/v1/websites HTTP/1.1\r\nHost: x\r\n\r\n${inner}` },
];
for (const { name, bytes } of ambiguous)
	test(`[T72] ${name}: refused, and what follows does not run`, async () => {
		const answer = await exchange(w.base, bytes, 4_000);
		assert.equal(answer.status, 400, answer.statusLine);
		assert.equal(answer.closed, true);
		assert.equal(answersIn(answer.text), 1);
		assert.equal(listOf(await owner.api('GET', `/websites?search=${smuggled}`)).meta.total, 0);
	});

for (const [name, hosts] of Object.entries({ 'two Host lines': ['Host: a', 'Host: b'], 'no Host line': [] }))
	test(`[T72] ${name}: 400`, async () => {
		const lines = [...hosts, authorization, 'Connection: close'];
		const answer = await exchange(
			w.base,
			`GET /api/v1/websites HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`,
			4_000,
		);
		assert.equal(answer.status, 400, answer.statusLine);
		assert.equal(JSON.parse(answer.body).code, 'bad_request');
	});

test('[T72] the control: the request behind does run when the first one is sound', async () => {
	const first = `GET /api/v1/websites HTTP/1.1\r\nHost: x\r\n${authorization}\r\n\r\n`;
	const answer = await exchange(
		w.base,
		first + inner.replace('Host: x', 'Host: x\r\nConnection: close'),
		4_000,
	);
	assert.equal(answersIn(answer.text), 2);
	const [made] = listOf(await owner.api('GET', `/websites?search=${smuggled}`)).data;
	assertStatus(await owner.api('DELETE', `/websites/${made?.id}`), 200);
});

test('[T72] three requests on one connection get three answers, in order', async () => {
	const get = (path: string, close = '') =>
		`GET /api/v1${path} HTTP/1.1\r\nHost: x\r\n${authorization}\r\n${close}\r\n`;
	const answer = await exchange(
		w.base,
		get('/account') + get('/nothing') + get('/websites', 'Connection: close\r\n'),
		4_000,
	);
	assert.deepEqual(answer.text.match(/HTTP\/1\.1 \d{3}/g), ['HTTP/1.1 200', 'HTTP/1.1 404', 'HTTP/1.1 200']);
});

test('[T72] a forged line end in a value reaches no header of the answer', async () => {
	const domain = freshDomain();
	const answer = await owner.api('POST', '/websites', {
		form: { domain },
		headers: { 'idempotency-key': 'a%0d%0aX-Forged:1', 'x-request-id': 'a%0d%0ab' },
	});
	assert.equal(answer.headers['x-forged'], undefined);
	const list = await owner.api('GET', '/websites?search=%0d%0aX-Forged:%201');
	assert.equal(list.headers['x-forged'], undefined);
});
