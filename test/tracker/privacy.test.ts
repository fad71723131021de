import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { openBrowser } from '../support/browser.ts';
import { type TrackedSite, trackedSite } from '../support/tracked-site.ts';

let browser: Browser;
before(async () => {
	browser = await openBrowser();
});
after(() => browser.close());

const signals = {
	'Global Privacy Control': `Object.defineProperty(Navigator.prototype, 'globalPrivacyControl', { get: () => true })`,
	'Do Not Track': `Object.defineProperty(Navigator.prototype, 'doNotTrack', { get: () => '1' })`,
};

for (const [name, script] of Object.entries(signals)) {
	test(`${name}: a hit says nothing but the website, so that the drop can be counted`, async (t) => {
		const s = await trackedSite(t, browser);
		await s.page.addInitScript(script);
		await s.open('/secret?of=mine', { tag: `data-properties='{"plan":"pro"}'` });
		await s.page.evaluate(`
			tidemark('bought', { properties: { what: 'a' }, revenue: { amount: 1, currency: 'EUR' } });
			history.pushState(null, '', '/another');
		`);
		await s.events(3);
		await s.page.goto('about:blank');
		assert.deepEqual(await s.hits(3), [
			{ w: 42, i: '#1', n: 'pageview', g: 1 },
			{ w: 42, i: '#2', n: 'bought', g: 1 },
			{ w: 42, i: '#3', n: 'pageview', g: 1 },
		]);
		assert.ok(s.received.every(({ headers }) => headers.referer === undefined));
	});

	test(`${name}: with data-signals="count" the hit is whole and flagged`, async (t) => {
		const s = await trackedSite(t, browser);
		await s.page.addInitScript(script);
		await s.open('/a', { tag: 'data-signals="count"' });
		await s.events(1);
		await s.page.goto('about:blank');
		const hits = await s.hits(2);
		const { d, e } = hits[1] ?? {};
		assert.deepEqual(hits, [
			s.pageview('/a', { g: 1 }),
			{ w: 42, i: '#2', u: `${s.origin}/a`, k: 'e', o: '#1', d, e, s: 100, g: 1 },
		]);
	});
}

test('a signal that is there and off is none', async (t) => {
	const s = await trackedSite(t, browser);
	await s.page.addInitScript(`
		Object.defineProperty(Navigator.prototype, 'globalPrivacyControl', { get: () => false });
		Object.defineProperty(Navigator.prototype, 'doNotTrack', { get: () => '0' });
	`);
	await s.open('/a');
	assert.deepEqual(await s.hits(1), [s.pageview('/a')]);
});

/** Everything that a page can leave in a browser. */
const stored = async (s: TrackedSite) => ({
	cookies: await s.context.cookies(),
	...((await s.page.evaluate(`(async () => ({
		local: { ...localStorage },
		session: { ...sessionStorage },
		databases: (await indexedDB.databases()).length,
		caches: (await caches.keys()).length,
		workers: (await navigator.serviceWorker.getRegistrations()).length,
		windowName: window.name,
	}))()`)) as object),
});
const nothing = { cookies: [], local: {}, session: {}, databases: 0, caches: 0, workers: 0, windowName: '' };

test('#tidemark-ignore: nothing is sent, here and on the pages after', async (t) => {
	const s = await trackedSite(t, browser);
	s.add('/a', { body: '<a id="out" target="_blank" href="https://other.test/">x</a>' });
	s.add('/b');
	await s.page.goto(`${s.origin}/a#tidemark-ignore`);
	await s.page.evaluate(`tidemark('event'); history.pushState(null, '', '/c')`);
	await s.page.goto(`${s.origin}/b`);
	assert.deepEqual(await s.hits(0), []);
	assert.deepEqual(await stored(s), { ...nothing, local: { tidemark: '1' } });
});

test('#tidemark-count removes the flag, and this page counts already', async (t) => {
	const s = await trackedSite(t, browser);
	s.add('/a');
	s.add('/b');
	await s.page.goto(`${s.origin}/a#tidemark-ignore`);
	await s.page.goto(`${s.origin}/b#tidemark-count`);
	assert.deepEqual(await s.hits(1), [s.pageview('/b', { r: '' })]);
	assert.deepEqual(await stored(s), nothing);
});

test('#tidemark-ignore typed into an open page holds from then on, in other tabs too', async (t) => {
	const s = await trackedSite(t, browser);
	await s.open('/a');
	await s.events(1);
	const other = await s.context.newPage();
	await other.goto(`${s.origin}/a`);
	await s.events(2);
	await s.page.evaluate(`location.hash = 'tidemark-ignore'`);
	await s.page.waitForFunction('localStorage.tidemark');
	await s.page.evaluate(`tidemark('here')`);
	await other.evaluate(`tidemark('there')`);
	await other.close();
	assert.equal((await s.hits(2)).length, 2);
});

test('#tidemark-ignore holds on a page that waits for consent', async (t) => {
	const s = await trackedSite(t, browser);
	s.add('/a', { tag: 'data-auto="off"' });
	await s.page.goto(`${s.origin}/a#tidemark-ignore`);
	assert.deepEqual(await stored(s), { ...nothing, local: { tidemark: '1' } });
	await s.page.goto(`${s.origin}/a`);
	await s.page.evaluate(`tidemark('start')`);
	assert.deepEqual(await s.hits(0), []);
});

test('a whole journey leaves nothing in the browser', async (t) => {
	const s = await trackedSite(t, browser);
	s.reply((request) => (request % 3 === 0 ? 503 : 202));
	const vitals = `<script defer src="${s.collector}/tm-vitals.js"></script>`;
	s.add('/b', { head: vitals });
	await s.open('/a', {
		head: vitals,
		body: `<button data-tm-event="press">x</button><a href="/file.zip" download>x</a>
			<form id="f"><input type="submit"></form><script>addEventListener('submit', (e) => e.preventDefault())</script>`,
	});
	await s.page.click('button');
	await s.page.click('[type=submit]');
	await s.page.evaluate(`tidemark('bought', { revenue: { amount: 1, currency: 'EUR' } })`);
	await s.page.evaluate(`history.pushState(null, '', '/a/2')`);
	await s.events(5);
	assert.deepEqual(await stored(s), nothing);
	await s.page.goto(`${s.origin}/b`);
	await s.events(6);
	await s.page.goBack({ waitUntil: 'commit' });
	await s.events(7);
	assert.deepEqual(await stored(s), nothing);
	// What looks must be able to find.
	await s.page.evaluate(`document.cookie = 'a=1'; sessionStorage.b = 2; localStorage.c = 3`);
	const planted = (await stored(s)) as { cookies: unknown[] };
	assert.deepEqual(
		{ ...planted, cookies: planted.cookies.length },
		{ ...nothing, cookies: 1, local: { c: '3' }, session: { b: '2' } },
	);
});

test('the only global is tidemark', async (t) => {
	const s = await trackedSite(t, browser);
	s.add('/without', { script: '' });
	await s.page.goto(`${s.origin}/without`);
	const list = 'Object.getOwnPropertyNames(window)';
	const before = (await s.page.evaluate(list)) as string[];
	await s.open('/with', { head: `<script defer src="${s.collector}/tm-vitals.js"></script>` });
	await s.events(1);
	const names = (await s.page.evaluate(list)) as string[];
	assert.deepEqual(
		names.filter((name) => !before.includes(name)),
		['tidemark'],
	);
	assert.deepEqual(s.faults, []);
});
