import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { openBrowser } from '../support/browser.ts';
import { openUndriven, pause, serveSite, type TrackedSite, trackedSite } from '../support/tracked-site.ts';

let browser: Browser;
before(async () => {
	browser = await openBrowser('whole');
});
after(() => browser.close());

/** Page views of an application whose title never changes, in order, each coming from the one before. */
function journey(s: TrackedSite, first: string, ...paths: string[]) {
	return [first, ...paths].map((path, index, all) =>
		s.pageview(path, {
			i: `#${index + 1}`,
			r: index === 0 ? '' : `${s.origin}${all[index - 1]}`,
			t: `Title of ${first}`,
		}),
	);
}

test('pushState is a page view that comes from the page before', async (t) => {
	const s = await trackedSite(t, browser);
	await s.open('/app');
	await s.page.evaluate(`history.pushState(null, '', '/app/one')`);
	await s.page.evaluate(`history.pushState({ a: 1 }, '', '/app/two?tab=3')`);
	assert.deepEqual(await s.events(3), journey(s, '/app', '/app/one', '/app/two?tab=3'));
	assert.deepEqual(s.faults, []);
});

test('pushState does for the page what it always did', async (t) => {
	const s = await trackedSite(t, browser);
	await s.open('/app');
	const seen = await s.page.evaluate(`
		const answer = history.pushState({ a: 1 }, '', '/app/one');
		let refusal;
		try { history.pushState(null, '', 'https://other.test/'); } catch (error) { refusal = error.name; }
		({ answer, state: history.state, path: location.pathname, refusal })
	`);
	assert.deepEqual(seen, { answer: undefined, state: { a: 1 }, path: '/app/one', refusal: 'SecurityError' });
});

test('replaceState to another address is a page view', async (t) => {
	const s = await trackedSite(t, browser);
	await s.open('/app');
	await s.page.evaluate(`history.replaceState(null, '', '/app/one')`);
	assert.deepEqual(await s.events(2), journey(s, '/app', '/app/one'));
});

test('replaceState and pushState without a change count nothing', async (t) => {
	const s = await trackedSite(t, browser);
	await s.open('/app');
	await s.page.evaluate(`
		history.replaceState({ scroll: 3 }, '');
		history.replaceState({ scroll: 4 }, '', location.href);
		history.pushState({ scroll: 5 }, '', '/app');
	`);
	assert.deepEqual(await s.hits(1), journey(s, '/app'));
});

test('going back and forward in a single-page application counts each time once', async (t) => {
	const s = await trackedSite(t, browser);
	await s.open('/app');
	await s.page.evaluate(`history.pushState(null, '', '/app/one')`);
	await s.events(2);
	await s.page.evaluate('history.back()');
	await s.events(3);
	await s.page.evaluate('history.forward()');
	assert.deepEqual(await s.events(4), journey(s, '/app', '/app/one', '/app', '/app/one'));
});

test('a page view carries the title that the application sets after the address', async (t) => {
	const s = await trackedSite(t, browser);
	await s.open('/app');
	await s.page.evaluate(`
		history.pushState(null, '', '/app/one');
		setTimeout(() => { document.title = 'One' }, 30);
	`);
	assert.deepEqual(await s.events(2), [
		s.pageview('/app'),
		s.pageview('/app/one', { i: '#2', r: `${s.origin}/app`, t: 'One' }),
	]);
});

test('a page view waits for its title however soon it follows another', async (t) => {
	const s = await trackedSite(t, browser);
	await s.open('/app');
	await s.page.evaluate(`
		history.pushState(null, '', '/one');
		setTimeout(() => history.pushState(null, '', '/two'), 60);
		setTimeout(() => { document.title = 'Two' }, 130);
	`);
	assert.deepEqual(
		(await s.events(3)).at(-1),
		s.pageview('/two', { i: '#3', r: `${s.origin}/one`, t: 'Two' }),
	);
});

test('three addresses within a moment are three page views', async (t) => {
	const s = await trackedSite(t, browser);
	await s.open('/app');
	await s.page.evaluate(`for (const path of ['/1', '/2', '/3']) history.pushState(null, '', path)`);
	assert.deepEqual(await s.events(4), journey(s, '/app', '/1', '/2', '/3'));
});

test('an event just after a navigation comes after its page view', async (t) => {
	const s = await trackedSite(t, browser);
	await s.open('/app');
	await s.events(1);
	await s.page.evaluate(`history.pushState(null, '', '/app/one'); tidemark('now')`);
	const [first, second] = journey(s, '/app', '/app/one');
	assert.deepEqual(await s.events(3), [first, second, { ...second, i: '#3', n: 'now' }]);
});

test('a page view that is left at once is sent all the same', async (t) => {
	const s = await trackedSite(t, browser);
	s.add('/elsewhere', { script: '' });
	await s.open('/app');
	await s.events(1);
	await s.page.evaluate(`history.pushState(null, '', '/app/one'); location.href = '/elsewhere'`);
	assert.deepEqual(await s.events(2), journey(s, '/app', '/app/one'));
});

test("tidemark('pageview') is a page view by hand, and what follows belongs to it", async (t) => {
	const s = await trackedSite(t, browser);
	await s.open('/app');
	await s.page.evaluate(`tidemark('pageview')`);
	assert.deepEqual(await s.events(2), journey(s, '/app', '/app'));
	await s.page.goto('about:blank');
	const hits = await s.hits(4);
	assert.deepEqual(hits.map(({ n, k, o }) => ({ n, k, o })).slice(-2), [
		{ n: 'pageview', k: undefined, o: undefined },
		{ n: undefined, k: 'e', o: hits.findLast(({ n }) => n === 'pageview')?.i },
	]);
});

test('without data-hash, what follows # is not a page', async (t) => {
	const s = await trackedSite(t, browser);
	await s.open('/doc', { body: '<a id="jump" href="#chapter">x</a>' });
	await s.page.click('#jump');
	await s.page.evaluate(`location.hash = 'other'; history.pushState(null, '', '#third')`);
	assert.deepEqual(await s.hits(1), journey(s, '/doc'));
});

test('with data-hash, each change of what follows # is a page view', async (t) => {
	const s = await trackedSite(t, browser);
	await s.open('/app', { tag: 'data-hash', body: '<a id="jump" href="#/one">x</a>' });
	await s.page.click('#jump');
	await s.events(2);
	await s.page.evaluate(`location.hash = '/two'`);
	await s.events(3);
	await s.page.evaluate(`location.hash = '/two'`);
	await s.page.evaluate(`history.back()`);
	assert.deepEqual(await s.events(4), journey(s, '/app', '/app#/one', '/app#/two', '/app#/one'));
});

test('with data-hash, routes can be excluded', async (t) => {
	const s = await trackedSite(t, browser);
	await s.open('/app', { tag: 'data-hash data-exclude="/app#/admin/*"' });
	await s.events(1);
	for (const hash of ['/admin/1', '/one']) await s.page.evaluate(`location.hash = '${hash}'`);
	assert.deepEqual(await s.events(2), [
		s.pageview('/app'),
		s.pageview('/app#/one', { i: '#2', r: `${s.origin}/app#/admin/1`, t: 'Title of /app' }),
	]);
});

test('a page that comes back from the back-forward cache is a page view', async (t) => {
	const s = await trackedSite(t, browser);
	s.add('/next', { script: '' });
	await s.open('/app', {
		head: `<script>addEventListener('pageshow', (event) => { window.wasKept = event.persisted })</script>`,
	});
	await s.events(1);
	await s.page.goto(`${s.origin}/next`);
	await s.page.goBack({ waitUntil: 'commit' });
	await s.page.waitForFunction('window.wasKept !== undefined');
	assert.equal(await s.page.evaluate('window.wasKept'), true, 'the browser did not use its cache');
	assert.deepEqual(await s.events(2), [s.pageview('/app'), s.pageview('/app', { i: '#2' })]);
	assert.deepEqual(s.faults, []);
});

test('a page that is loaded again is a page view', async (t) => {
	const s = await trackedSite(t, browser);
	await s.open('/app');
	await s.events(1);
	await s.page.reload();
	assert.deepEqual(await s.events(2), [s.pageview('/app'), s.pageview('/app', { i: '#2' })]);
});

test('a prerendered page counts when it is looked at, and not before', async (t) => {
	const s = await serveSite(t);
	s.add('/start', {
		script: `
			<script type="speculationrules">{ "prerender": [{ "urls": ["/next"], "eagerness": "immediate" }] }</script>
			<script>
				const asked = setInterval(async () => {
					if ((await (await fetch('/go')).text()) === 'go') { clearInterval(asked); location.href = '/next' }
				}, 100);
			</script>`,
	});
	const report = `<script>
		fetch('/prerendering-' + document.prerendering);
		document.addEventListener('prerenderingchange', () => fetch('/activated'));
	</script>`;
	s.add('/next', {
		head: `${report}<script>window.tidemark=function(){(tidemark.q=tidemark.q||[]).push(arguments)};tidemark('early')</script>`,
	});
	openUndriven(t, `${s.origin}/start`);
	await s.asked('/prerendering-true');
	await pause(500);
	assert.deepEqual(await s.hits(0), []);
	s.addText('/go', 'go');
	await s.asked('/activated');
	const hits = await s.hits(2);
	const usual = { r: `${s.origin}/start`, x: hits[0]?.x };
	assert.deepEqual(hits, [s.pageview('/next', usual), s.event('early', '/next', { ...usual, i: '#2' })]);
	assert.ok(s.received.every(({ headers }) => headers['sec-purpose'] === undefined));
});

test('a prerendered page that nobody looks at never counts', async (t) => {
	const s = await serveSite(t);
	s.add('/start', {
		script: `<script type="speculationrules">{ "prerender": [{ "urls": ["/next"], "eagerness": "immediate" }] }</script>`,
	});
	s.add('/next', { head: `<script>fetch('/prerendering-' + document.prerendering)</script>` });
	openUndriven(t, `${s.origin}/start`);
	await s.asked('/prerendering-true');
	await pause(1500);
	assert.deepEqual(await s.hits(0), []);
});
