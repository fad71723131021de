import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import { after, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { isPublicAddress } from '../../server/lib/networks.ts';
import { createSafeFetch, RefusedAddress, readPublicUrl } from '../../server/lib/safe-fetch.ts';
import { patience } from '../support/timeout-factor.ts';

/** Listens on every address of this machine, and counts who comes. */
let connections = 0;
const received: { headers: Record<string, unknown>; body: string }[] = [];
let answer: (server: { status: number; location?: string }) => void = () => undefined;
const trap: Server = createServer((request, response) => {
	const plan: { status: number; location?: string } = { status: 200 };
	answer(plan);
	let body = '';
	request.on('data', (chunk) => {
		body += chunk;
	});
	request.on('end', () => {
		received.push({ headers: request.headers, body });
		if (plan.status === 0) return;
		response.writeHead(plan.status, plan.location ? { location: plan.location } : {});
		if (plan.status === 299) response.write(Buffer.alloc(2_000_000));
		response.end('ok');
	});
});
trap.on('connection', () => connections++);
await new Promise<void>((resolve) => trap.listen(0, '::', resolve));
after(() => {
	trap.closeAllConnections();
	trap.close();
});
const address = trap.address();
const port = typeof address === 'object' && address ? address.port : 0;

const sent = { headers: { 'content-type': 'text/plain' }, body: 'x' };
/** Names as a stranger's DNS server would answer. */
const names: Record<string, readonly string[]> = {
	'loopback.example': ['127.0.0.1'],
	'half.example': ['93.184.215.14', '10.0.0.1'],
	'six.example': ['::1'],
	'mapped.example': ['::ffff:127.0.0.1'],
	'nat64.example': ['64:ff9b::7f00:1'],
	'sixtofour.example': ['2002:7f00:1::'],
	'empty.example': [],
	'localhost.': ['127.0.0.1'],
	localhost: ['127.0.0.1'],
};
const outside = (allowedHosts: string[] = []) =>
	createSafeFetch({ allowedHosts, resolve: async (name) => names[name] ?? ['127.0.0.1'] });

const refused = [
	'http://127.0.0.1/',
	'http://127.1/',
	'http://0x7f.1/',
	'http://0x7f000001/',
	'http://2130706433/',
	'http://0177.0.0.1/',
	'http://127。0。0。1/',
	'http://１２７.0.0.1/',
	'http://0.0.0.0/',
	'http://0/',
	'http://[::1]/',
	'http://[::]/',
	'http://[::ffff:127.0.0.1]/',
	'http://[::ffff:7f00:1]/',
	'http://[::127.0.0.1]/',
	'http://[64:ff9b::127.0.0.1]/',
	'http://[2002:7f00:1::]/',
	'http://[fd00::1]/',
	'http://[fe80::1]/',
	'http://[ff02::1]/',
	'http://[2001:db8::1]/',
	'http://169.254.169.254/latest/meta-data/',
	'http://10.0.0.1/',
	'http://172.16.0.1/',
	'http://192.168.0.1/',
	'http://100.64.0.1/',
	'http://198.18.0.1/',
	'http://224.0.0.1/',
	'http://255.255.255.255/',
	'http://localhost/',
	'http://localhost./',
	'http://LOCALHOST/',
	'http://loopback.example/',
	'http://half.example/',
	'http://six.example/',
	'http://mapped.example/',
	'http://nat64.example/',
	'http://sixtofour.example/',
	'http://empty.example/',
	'http://user@127.0.0.1/',
	'http://example.com@127.0.0.1/',
	'http://example.com:80@127.0.0.1/',
	'http://user:secret@example.com/',
	'https://example.com:22/',
	`http://127.0.0.1:${port}/`,
	`http://loopback.example:${port}/`,
	'ftp://example.com/',
	'file:///etc/passwd',
	'gopher://127.0.0.1/',
	'data:text/plain,x',
	'javascript:alert(1)',
	'//127.0.0.1/',
	'',
];

for (const url of refused)
	test(`[T36] nothing is sent to ${url || 'nothing'}`, async () => {
		connections = 0;
		await assert.rejects(outside().post(url, sent), RefusedAddress);
		assert.equal(connections, 0);
	});

test('[T36] addresses with a port, so that the trap would hear them: none is connected to', async () => {
	connections = 0;
	for (const url of refused.filter((one) => URL.canParse(one) && /^https?:/.test(one))) {
		const there = new URL(url);
		there.protocol = 'http:';
		there.port = String(port);
		await assert.rejects(outside().post(there.href, sent), RefusedAddress);
	}
	await pause(50);
	assert.equal(connections, 0);
});

test('[T36] a name is asked for once, and what was judged is what is connected to', async () => {
	connections = 0;
	let asked = 0;
	// The first answer is harmless, every later one is this machine.
	const rebinding = createSafeFetch({
		allowedHosts: [],
		resolve: async () => (asked++ === 0 ? ['192.0.2.1'] : ['127.0.0.1']),
	});
	await assert.rejects(rebinding.post('http://rebind.example/', sent), RefusedAddress);
	assert.equal(asked, 1);
	let times = 0;
	const allowed = createSafeFetch({
		allowedHosts: [`pinned.invalid:${port}`],
		resolve: async () => (times++ === 0 ? ['127.0.0.1'] : ['192.0.2.1']),
	});
	// `.invalid` has no address in any DNS: only the judged one can have been used.
	assert.equal(await allowed.post(`http://pinned.invalid:${port}/`, sent), 200);
	assert.deepEqual([times, connections], [1, 1]);
});

test('[T36] only the usual ports, also of hosts of the open net', () => {
	for (const url of ['http://example.com:22/', 'https://example.com:8443/', 'http://1.1.1.1:25/'])
		assert.throws(() => readPublicUrl(url, []), RefusedAddress);
	for (const url of ['http://example.com/', 'https://example.com:80/', 'http://1.1.1.1:443/'])
		assert.equal(readPublicUrl(url, []).href, new URL(url).href);
});

test('[T36] a redirect is not followed', async () => {
	connections = 0;
	answer = (plan) => Object.assign(plan, { status: 302, location: `http://127.0.0.1:${port}/again` });
	assert.equal(await outside([`hook.example:${port}`]).post(`http://hook.example:${port}/`, sent), 302);
	assert.equal(connections, 1);
	answer = () => undefined;
});

test('[T36] a host is allowed by name and port, and by nothing else', async () => {
	const allowed = outside([`ntfy.lan:${port}`, '10.0.0.7']);
	received.length = 0;
	assert.equal(await allowed.post(`http://ntfy.lan:${port}/topic`, sent), 200);
	assert.deepEqual(
		Object.keys(received[0]?.headers ?? {}).toSorted(),
		['connection', 'content-length', 'content-type', 'host', 'user-agent'],
		'no cookie and nothing else of ours',
	);
	for (const url of ['http://ntfy.lan/', `http://other.lan:${port}/`, `http://10.0.0.7:${port}/`])
		await assert.rejects(allowed.post(url, sent), RefusedAddress);
	assert.equal(readPublicUrl('http://10.0.0.7/x', ['10.0.0.7']).pathname, '/x');
});

test('[T36] neither a long nor a slow answer is waited for', async () => {
	const there = outside([`hook.example:${port}`]);
	answer = (plan) => Object.assign(plan, { status: 299 });
	await assert.rejects(there.post(`http://hook.example:${port}/`, sent), /too long/);
	answer = (plan) => Object.assign(plan, { status: 0 });
	const began = performance.now();
	await assert.rejects(there.post(`http://hook.example:${port}/`, sent), /within 5 seconds/);
	assert.ok(performance.now() - began < 7_000 * patience);
	answer = () => undefined;
});

test('hosts of the open net are taken', () => {
	for (const one of ['93.184.215.14', '1.1.1.1', '8.8.8.8', '2606:4700::1111', '2a00:1450:4001::1'])
		assert.equal(isPublicAddress(one), true, one);
});
