import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { websiteOf } from '../support/contract.ts';
import { headerOf, wireRequest } from '../support/wire.ts';
import { world } from '../support/world.ts';

/** Plain hits are answered before Fastify, others by it. A query makes the difference, and is otherwise ignored. */
const paths = { fast: '/tm', fastify: '/tm?by=fastify' };
const limit = 20;
const w = await world(
	{ after },
	{ settings: { TIDEMARK_TRUSTED_PROXIES: '127.0.0.1', TIDEMARK_HIT_LIMIT: String(limit) } },
);
const owner = await w.account({ timezone: 'UTC' });
const website = websiteOf(await owner.api('POST', '/websites', { form: { domain: 'fast.example' } }), 201);
const hit = JSON.stringify({ w: website.id, u: 'https://fast.example/a' });
type Headers = [name: string, value: string][];
const browser: Headers = [
	['User-Agent', 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0'],
	['Content-Type', 'text/plain;charset=UTF-8'],
	['Connection', 'keep-alive, close'],
];
const post = (path: string, body: string, headers: Headers = []) =>
	wireRequest(w.base, { method: 'POST', path, body, headers: [...browser, ...headers] });

const cases: [what: string, status: number, body: string, headers?: Headers][] = [
	['a page view', 202, hit],
	['a hit that is dropped', 202, hit, [['Sec-GPC', '1']]],
	['broken JSON', 400, '{"w":'],
	['an unknown website', 404, JSON.stringify({ w: 4_000_000, u: 'https://fast.example/a' })],
	['a field of the wrong type', 400, JSON.stringify({ w: website.id, u: 5 })],
	['the other type of problems', 400, '[]', [['Accept', 'application/problem+json']]],
];
for (const [what, status, body, headers] of cases)
	test(`${what} gets the same response before Fastify and from it`, async () => {
		const [fast, slow] = [await post(paths.fast, body, headers), await post(paths.fastify, body, headers)];
		const comparable = (answer: typeof fast) => ({
			headers: answer.headers
				.filter(([name]) => name !== 'x-request-id' && name !== 'date')
				.toSorted(([a], [b]) => a.localeCompare(b)),
			body: answer.body,
		});
		assert.equal(fast.status, status, fast.text);
		assert.deepEqual(comparable(fast), comparable(slow));
		assert.match(headerOf(fast, 'x-request-id') ?? '', /^[0-9a-f-]{36}$/);
	});

test('[T30] both count in one limit of a network, and both refuse beyond it', async () => {
	const statuses: number[] = [];
	for (let count = 0; count < limit + 4; count++) {
		const path = count % 2 === 0 ? paths.fast : paths.fastify;
		const answer = await post(path, hit, [['X-Forwarded-For', '203.0.114.7']]);
		statuses.push(answer.status);
		if (answer.status === 429) assert.match(headerOf(answer, 'retry-after') ?? '', /^[1-9]\d?$/);
	}
	assert.deepEqual(statuses, [...Array(limit).fill(202), ...Array(4).fill(429)]);
});

test('[T31] both take the address of a visitor from a trusted proxy', async () => {
	const statuses = new Set<number>();
	for (let count = 0; count < limit + 4; count++)
		statuses.add(
			(await post(paths.fast, hit, [['X-Forwarded-For', `203.0.115.${count}, 127.0.0.1`]])).status,
		);
	assert.deepEqual([...statuses], [202]);
});

test('a hit with two Host headers, too many headers or an unknown type is checked by Fastify', async () => {
	const many: Headers = Array.from({ length: 60 }, (_, n) => [`X-Header-${n}`, '1']);
	for (const [headers, status] of [
		[
			[
				['Host', 'a'],
				['Host', 'b'],
			],
			400,
		],
		[many, 431],
		[[['Content-Type', 'text/html']], 202],
		[[['Content-Type', 'nonsense']], 415],
	] satisfies [Headers, number][]) {
		const sent =
			headers[0]?.[0] === 'Content-Type' ? [browser[0] ?? ['', ''], ...headers] : [...browser, ...headers];
		const answer = await wireRequest(w.base, {
			method: 'POST',
			path: paths.fast,
			body: hit,
			headers: sent as Headers,
		});
		assert.equal(answer.status, status, answer.text);
	}
});

test('a hit in several pieces is read whole', async () => {
	const long = JSON.stringify({ w: website.id, u: 'https://fast.example/a', t: 'x'.repeat(60_000) });
	assert.equal((await post(paths.fast, long)).status, 202);
	assert.equal((await post(paths.fast, long.padEnd(65_536))).status, 202);
	assert.equal((await post(paths.fast, long.padEnd(65_537))).status, 413);
});

test('both are in the log by their route', () => {
	const lines = w
		.log()
		.split('\n')
		.filter((line) => /"route":"\/tm".*request completed/.test(line));
	assert.ok(
		lines.filter((line) => line.includes('"status":202')).length > 2 * limit,
		w.log().slice(0, 2_000),
	);
});
