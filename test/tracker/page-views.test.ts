import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { openBrowser } from '../support/browser.ts';
import { type Hit, trackedSite } from '../support/tracked-site.ts';

let browser: Browser;
before(async () => {
	browser = await openBrowser();
});
after(() => browser.close());

const stub = `<script>window.tidemark=window.tidemark||function(){(tidemark.q=tidemark.q||[]).push(arguments)}</script>`;

test('a page view is one whole hit', async (t) => {
	const s = await trackedSite(t, browser);
	await s.open('/welcome');
	assert.deepEqual(await s.hits(1), [s.pageview('/welcome')]);
	assert.deepEqual(s.faults, []);
});

test('the address has its query and not what follows #', async (t) => {
	const s = await trackedSite(t, browser);
	s.add('/search');
	await s.page.goto(`${s.origin}/search?q=a%20b&utm_source=mail#access_token=secret`);
	assert.deepEqual(await s.hits(1), [
		s.pageview('/search', { u: `${s.origin}/search?q=a%20b&utm_source=mail` }),
	]);
});

test('the next page says where the visitor came from', async (t) => {
	const s = await trackedSite(t, browser);
	s.add('/b');
	await s.open('/a', { body: '<a id="next" href="/b">b</a>' });
	await s.events(1);
	await s.page.click('#next');
	assert.deepEqual(await s.events(2), [s.pageview('/a'), s.pageview('/b', { i: '#2', r: `${s.origin}/a` })]);
});

test('a hit is text/plain without preflight, cookies or referrer', async (t) => {
	const s = await trackedSite(t, browser);
	await s.context.addCookies([{ name: 'mine', value: '1', url: s.collector }]);
	await s.open('/a');
	await s.hits(1);
	assert.deepEqual(
		s.received.map(({ method, path, headers }) => ({
			method,
			path,
			type: headers['content-type'],
			cookie: headers.cookie,
			referer: headers.referer,
		})),
		[
			{
				method: 'POST',
				path: '/tm',
				type: 'text/plain;charset=UTF-8',
				cookie: undefined,
				referer: undefined,
			},
		],
	);
});

test('event ids are distinct and have 16 hexadecimal digits', async (t) => {
	const s = await trackedSite(t, browser);
	await s.open('/a');
	await s.page.evaluate(`for (let n = 0; n < 200; n++) tidemark('e' + n)`);
	await s.events(201);
	const posted = s.received.filter(({ method }) => method === 'POST');
	const ids = posted.map(({ body }) => (JSON.parse(body) as Hit).i as string);
	assert.equal(ids.length, 201);
	assert.equal(new Set(ids).size, 201);
	assert.deepEqual(
		ids.filter((id) => !/^[0-9a-f]{16}$/.test(id)),
		[],
	);
	// 64 random bits: one in sixteen begins with 0, and each of the other digits turns up there as well.
	assert.equal(new Set(ids.map((id) => id[0])).size, 16);
});

test('calls before the script has loaded are kept, and come after the page view', async (t) => {
	const s = await trackedSite(t, browser);
	await s.open('/a', {
		head: `${stub}<script>tidemark('early', { properties: { n: 1 } }); tidemark('earlier still')</script>`,
	});
	assert.deepEqual(await s.hits(3), [
		s.pageview('/a'),
		s.event('early', '/a', { i: '#2', p: { n: 1 } }),
		s.event('earlier still', '/a', { i: '#3' }),
	]);
	assert.deepEqual(s.faults, []);
});

test('data-auto="off" sends nothing before start, then what was kept', async (t) => {
	const s = await trackedSite(t, browser);
	await s.open('/a', { tag: 'data-auto="off"', body: '<a id="out" href="https://other.test/">x</a>' });
	await s.page.evaluate(`
		tidemark('kept');
		history.pushState(null, '', '/b');
		out.addEventListener('click', (event) => event.preventDefault());
		out.click();
	`);
	assert.deepEqual(await s.hits(0), []);
	await s.page.evaluate(`document.title = 'Agreed'; tidemark('start'); tidemark('start')`);
	assert.deepEqual(await s.hits(2), [
		s.pageview('/b', { t: 'Agreed' }),
		s.event('kept', '/b', { i: '#2', t: 'Agreed' }),
	]);
});

test('data-auto="off" starts when the page asked for it before the script was there', async (t) => {
	const s = await trackedSite(t, browser);
	await s.open('/a', { tag: 'data-auto="off"', head: `${stub}<script>tidemark('start')</script>` });
	assert.deepEqual(await s.hits(1), [s.pageview('/a')]);
});

test('what waits for the start is bounded', async (t) => {
	const s = await trackedSite(t, browser);
	await s.open('/a', { tag: 'data-auto="off"' });
	await s.page.evaluate(`for (let n = 0; n < 1000; n++) tidemark('again'); tidemark('start')`);
	assert.equal((await s.hits(100)).length, 100);
});

test('two copies of the script count once', async (t) => {
	const s = await trackedSite(t, browser);
	const tag = `<script defer data-website="42" src="${s.collector}/tm.js"></script>`;
	await s.open('/a', { script: tag + tag });
	await s.page.evaluate(`tidemark('once')`);
	assert.deepEqual(await s.hits(2), [s.pageview('/a'), s.event('once', '/a', { i: '#2' })]);
});

test('a script that is put in by another script counts', async (t) => {
	const s = await trackedSite(t, browser);
	await s.open('/a', {
		script: `<script>
			const tag = document.createElement('script');
			tag.dataset.website = 42;
			tag.src = '${s.collector}/tm.js';
			document.head.append(tag);
		</script>`,
	});
	assert.deepEqual(await s.hits(1), [s.pageview('/a')]);
});

test('a tag without a website sends nothing', async (t) => {
	const s = await trackedSite(t, browser);
	await s.open('/a', { script: `<script defer src="${s.collector}/tm.js"></script>` });
	assert.deepEqual(await s.hits(0), []);
	assert.deepEqual(s.faults, []);
});

test('data-endpoint sends hits elsewhere', async (t) => {
	const s = await trackedSite(t, browser);
	await s.open('/a', { tag: `data-endpoint="${s.collector}/proxy/x"` });
	assert.deepEqual(await s.hits(1), [s.pageview('/a')]);
	assert.deepEqual(
		s.received.map(({ path }) => path),
		['/proxy/x'],
	);
});

test('data-properties go with every event, and an event can say otherwise', async (t) => {
	const s = await trackedSite(t, browser);
	await s.open('/a', { tag: `data-properties='{"plan":"pro","seats":3}'` });
	await s.page.evaluate(`tidemark('upgrade', { properties: { plan: 'team', trial: true } })`);
	assert.deepEqual(await s.hits(2), [
		s.pageview('/a', { p: { plan: 'pro', seats: 3 } }),
		s.event('upgrade', '/a', { i: '#2', p: { plan: 'team', seats: 3, trial: true } }),
	]);
});

test('a mistake in data-properties costs the properties and nothing else', async (t) => {
	const s = await trackedSite(t, browser);
	await s.open('/a', { tag: `data-properties='{plan}'` });
	assert.deepEqual(await s.hits(1), [s.pageview('/a')]);
	assert.deepEqual(s.faults, []);
});

for (const [path, isCounted] of [
	['/admin', true],
	['/admin/', false],
	['/admin/users/7', false],
	['/preview', false],
	['/preview/2', true],
	['/a/preview', true],
	['/docs/v1/draft', false],
	['/docs/draft', true],
	['/wiki/Tide_(sea).html', false],
	['/wiki/Tide_sea_html', true],
] as const)
	test(`data-exclude: ${path} is ${isCounted ? '' : 'not '}counted`, async (t) => {
		const s = await trackedSite(t, browser);
		await s.open(path, { tag: 'data-exclude="/admin/*, /preview,/docs/*/draft, /wiki/Tide_(sea).html"' });
		await s.page.goto(`${s.origin}${path}?query=/elsewhere`);
		await s.page.evaluate(`tidemark('seen')`);
		const events = await s.events(isCounted ? 3 : 0);
		assert.deepEqual(
			events.map(({ n }) => n),
			isCounted ? ['pageview', 'pageview', 'seen'] : [],
		);
	});

test('an excluded page of a single-page application keeps what belongs to the page before', async (t) => {
	const s = await trackedSite(t, browser);
	await s.open('/a', { tag: 'data-exclude="/admin/*"' });
	await s.events(1);
	await s.page.evaluate(
		`history.pushState(null, '', '/b'); history.pushState(null, '', '/admin/x'); tidemark('hidden')`,
	);
	await s.page.evaluate(`history.pushState(null, '', '/c')`);
	const title = 'Title of /a';
	assert.deepEqual(await s.events(3), [
		s.pageview('/a'),
		s.pageview('/b', { i: '#2', r: `${s.origin}/a`, t: title }),
		s.pageview('/c', { i: '#3', r: `${s.origin}/admin/x`, t: title }),
	]);
});

test('a 404 page says so in a meta tag', async (t) => {
	const s = await trackedSite(t, browser);
	await s.open('/gone', { head: '<meta name="tidemark" content="404">' });
	assert.deepEqual(await s.hits(2), [s.pageview('/gone'), s.event('404', '/gone', { i: '#2' })]);
});

test('a 404 page says so in a call', async (t) => {
	const s = await trackedSite(t, browser);
	await s.open('/gone', { head: `${stub}<script>tidemark('404')</script>` });
	assert.deepEqual(await s.hits(2), [s.pageview('/gone'), s.event('404', '/gone', { i: '#2' })]);
});

test('a page in a frame counts as itself', async (t) => {
	const s = await trackedSite(t, browser);
	s.add('/inside');
	await s.open('/outside', { body: '<iframe src="/inside"></iframe>' });
	const events = await s.events(2);
	const byAddress = events
		.sort((a, b) => (String(a.u) < String(b.u) ? -1 : 1))
		.map((hit) => ({ ...hit, i: '' }));
	assert.deepEqual(byAddress, [
		s.pageview('/inside', { i: '', r: `${s.origin}/outside` }),
		s.pageview('/outside', { i: '' }),
	]);
	assert.deepEqual(s.faults, []);
});

test('a page in a sandbox counts, though it has neither an origin nor storage', async (t) => {
	const s = await trackedSite(t, browser);
	s.add('/inside');
	await s.open('/outside', { script: '', body: '<iframe sandbox="allow-scripts" src="/inside"></iframe>' });
	const hits = await s.hits(1);
	// The browser tells a page in a sandbox another screen than the one that is emulated for the page around it.
	assert.deepEqual(hits, [s.pageview('/inside', { r: `${s.origin}/outside`, x: hits[0]?.x })]);
	assert.deepEqual(s.faults, []);
});
