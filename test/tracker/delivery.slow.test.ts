import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { openBrowser } from '../support/browser.ts';
import { patience } from '../support/timeout-factor.ts';
import { type Hit, pause, trackedSite } from '../support/tracked-site.ts';

let browser: Browser;
before(async () => {
	browser = await openBrowser();
});
after(() => browser.close());

const noon = Date.parse('2026-03-02T12:00:00Z');

/** A port on which nobody listens. */
async function deadPort(): Promise<number> {
	const server = createServer();
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const address = server.address();
	await new Promise((resolve) => server.close(resolve));
	if (address === null || typeof address === 'string') throw new Error('The server has no port.');
	return address.port;
}

/** Lets time pass in the page in small steps, with a real moment after each for answers to come in. */
async function pass(page: Page, seconds: number) {
	for (let second = 0; second < seconds; second++) {
		await page.clock.runFor(1000);
		await pause(30);
	}
}

/** What the browser sent, by event id: the age that each attempt gave for its event. */
function attempts(bodies: readonly string[]): (number | undefined)[][] {
	const byId = Map.groupBy(
		bodies.filter((body) => body !== '').map((body): Hit => JSON.parse(body)),
		({ i }) => i,
	);
	return [...byId.values()].map((hits) => hits.map(({ a }) => (a === undefined ? undefined : Number(a))));
}

/** Ages are as exact as the steps in which time passes. */
const inSeconds = (ages: readonly (number | undefined)[]) =>
	ages.map((age) => (age === undefined ? undefined : Math.floor(age / 1000)));

test('a dead collector is tried three more times with the same hit, then no more', async (t) => {
	const s = await trackedSite(t, browser);
	await s.page.clock.install({ time: noon });
	await s.open('/a', { tag: `data-endpoint="http://127.0.0.1:${await deadPort()}/tm"` });
	await s.page.clock.pauseAt(noon + 10_000);
	await s.page.evaluate(`tidemark('lost', { properties: { n: 1 } })`);
	await pause(300);
	await pass(s.page, 120);
	const lost = s.issued.filter((body) => body.includes('lost'));
	const [ages] = attempts(lost);
	assert.deepEqual(inSeconds(ages ?? []), [undefined, 1, 5, 21]);
	const bare = lost.map((body) => ({ ...(JSON.parse(body) as Hit), a: 0 }));
	assert.deepEqual(
		bare,
		bare.map(() => bare[0]),
	);
	// The browser itself notes failed requests in its console; the page sees no error.
	assert.deepEqual(
		s.faults.filter((fault) => !fault.includes('ERR_CONNECTION_REFUSED')),
		[],
	);
});

test('503 and then 202: sent again until it is taken, with its age', async (t) => {
	const s = await trackedSite(t, browser);
	s.reply((request) => (request === 1 ? 503 : 202));
	await s.open('/a');
	const hits = await s.hits(2);
	const age = hits[1]?.a;
	assert.deepEqual(hits, [s.pageview('/a'), s.pageview('/a', { a: age })]);
	assert.ok(Number(age) >= 1000 && Number(age) < 3000, `sent again after ${age} ms`);
	await pause(4500);
	assert.equal(s.received.length, 2);
});

for (const [status, count] of [
	[200, 1],
	[202, 1],
	[204, 1],
	[400, 1],
	[403, 1],
	[404, 1],
	[413, 1],
	[422, 1],
	[429, 4],
	[500, 4],
	[503, 4],
] as const)
	test(`an answer of ${status} is ${count === 1 ? 'final' : 'tried three more times'}`, async (t) => {
		const s = await trackedSite(t, browser);
		s.reply(() => status);
		await s.page.clock.install({ time: noon });
		await s.open('/a');
		await s.page.clock.pauseAt(noon + 10_000);
		await pause(200);
		await pass(s.page, 40);
		assert.equal(s.received.length, count);
	});

test('a collector that cannot be read across origins is an unreachable one', async (t) => {
	const s = await trackedSite(t, browser);
	s.refuseOtherOrigins();
	await s.page.clock.install({ time: noon });
	await s.open('/a');
	await s.page.clock.pauseAt(noon + 10_000);
	await pass(s.page, 40);
	assert.equal(s.received.length, 4);
});

test('an answer that comes after a minute is not followed by another attempt', async (t) => {
	const s = await trackedSite(t, browser);
	await s.page.clock.install({ time: noon });
	s.reply(() => 'silence');
	await s.open('/a');
	await s.hits(1);
	await s.page.clock.pauseAt(noon + 59_500);
	s.hangUpAll();
	await pass(s.page, 60);
	assert.equal(s.received.length, 1);
});

test('a page that was frozen for long gives its retries up', async (t) => {
	const s = await trackedSite(t, browser);
	s.reply(() => 503);
	await s.page.clock.install({ time: noon });
	await s.open('/a');
	await s.hits(1);
	// The timer was set for a second; it fires hours late.
	await s.page.clock.fastForward('03:00:00');
	await pass(s.page, 30);
	assert.equal(s.received.length, 1);
});

test('a slow collector delays neither the page nor the next hit', async (t) => {
	const s = await trackedSite(t, browser);
	s.reply(() => 'silence');
	const started = performance.now();
	await s.open('/a');
	assert.ok(performance.now() - started < 5_000 * patience);
	await s.page.evaluate(`tidemark('one'); tidemark('two')`);
	assert.deepEqual(await s.hits(3), [
		s.pageview('/a'),
		s.event('one', '/a', { i: '#2' }),
		s.event('two', '/a', { i: '#3' }),
	]);
	assert.deepEqual(s.faults, []);
});

test('hits that wait for their retry stay apart', async (t) => {
	const s = await trackedSite(t, browser);
	s.reply((request) => (request <= 3 ? 503 : 202));
	await s.open('/a');
	await s.page.evaluate(`tidemark('one'); tidemark('two')`);
	const hits = await s.hits(6);
	const count = (name: string) => hits.filter(({ n }) => n === name).map(({ i }) => i);
	assert.deepEqual(
		[count('pageview'), count('one'), count('two')],
		[
			['#1', '#1'],
			['#2', '#2'],
			['#3', '#3'],
		],
	);
});
