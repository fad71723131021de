import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { openBrowser } from '../support/browser.ts';
import { type Hit, pause, type TrackedSite, trackedSite } from '../support/tracked-site.ts';

let browser: Browser;
before(async () => {
	browser = await openBrowser();
});
after(() => browser.close());

const withVitals = (s: TrackedSite) => ({
	head: `<script defer src="${s.collector}/tm-vitals.js"></script>`,
});
type Vitals = { lcp?: number; inp?: number; cls?: number };
const vitalsOf = (hits: readonly Hit[]) => hits.filter(({ k }) => k === 'v');
const firstVitals = (hits: readonly Hit[]) => (vitalsOf(hits)[0]?.v ?? {}) as Vitals;

test('the largest paint is sent when the page is left, tied to its page view', async (t) => {
	const s = await trackedSite(t, browser);
	await s.open('/a', { ...withVitals(s), body: '<h1>Words that are painted</h1>' });
	await s.events(1);
	await pause(300);
	await s.page.goto('about:blank');
	const hits = await s.hits(3);
	const [hit] = vitalsOf(hits);
	const { lcp } = firstVitals(hits);
	assert.deepEqual(vitalsOf(hits), [
		{ w: 42, i: '#3', u: `${s.origin}/a`, k: 'v', o: '#1', d: hit?.d, v: { lcp, cls: 0 } },
	]);
	assert.ok(Number.isInteger(lcp) && Number(lcp) > 0 && Number(lcp) < 5000, `painted after ${lcp} ms`);
	assert.equal(hits.find(({ k }) => k === 'e')?.d, hit?.d);
	assert.deepEqual(s.faults, []);
});

test('the slowest answer to a click is the interaction', async (t) => {
	const s = await trackedSite(t, browser);
	await s.open('/a', {
		...withVitals(s),
		body: `<button id="slow">slow</button> <button id="fast">fast</button><script>
			slow.onclick = () => { const end = performance.now() + 250; while (performance.now() < end); };
		</script>`,
	});
	await s.events(1);
	for (const id of ['fast', 'slow', 'fast']) {
		await s.page.click(`#${id}`);
		await pause(400);
	}
	await s.page.goto('about:blank');
	const { inp } = firstVitals(await s.hits(3));
	assert.ok(Number(inp) >= 250 && Number(inp) < 1000, `answered after ${inp} ms`);
});

test('what moves about without being asked is the shift', async (t) => {
	const s = await trackedSite(t, browser);
	await s.open('/a', {
		...withVitals(s),
		body: '<div id="late"></div><div style="height: 360px; background: red">This is pushed down.</div>',
	});
	await s.events(1);
	await pause(700);
	await s.page.evaluate(`late.style.height = '180px'`);
	await pause(500);
	await s.page.goto('about:blank');
	const { cls } = firstVitals(await s.hits(3));
	// Half of the window was moved over a quarter of it (by the longer side, the width): about 0.75 × 180/1280.
	assert.ok(Number(cls) > 0.05 && Number(cls) < 0.2, `moved by ${cls}`);
});

test('vitals are sent once for each page view, and begin anew with the next', async (t) => {
	const s = await trackedSite(t, browser);
	await s.open('/a', {
		...withVitals(s),
		body: `<button id="slow">slow</button><script>
			slow.onclick = () => { const end = performance.now() + 150; while (performance.now() < end); };
		</script>`,
	});
	await s.events(1);
	await s.page.click('#slow');
	await pause(400);
	const hide = `
		Object.defineProperty(document, 'hidden', { value: true, configurable: true });
		document.dispatchEvent(new Event('visibilitychange'));
		delete document.hidden;
		document.dispatchEvent(new Event('visibilitychange'));
	`;
	await s.page.evaluate(hide);
	await pause(100);
	await s.page.evaluate(hide);
	await s.page.evaluate(`history.pushState(null, '', '/b')`);
	await pause(200);
	await s.page.goto('about:blank');
	const hits = await s.hits(5);
	const views = hits.filter(({ n }) => n === 'pageview').map(({ i }) => i);
	const vitals = vitalsOf(hits);
	assert.deepEqual(
		vitals.map(({ o, v }) => ({ o, members: Object.keys(v as object) })),
		[
			{ o: views[0], members: ['lcp', 'inp', 'cls'] },
			{ o: views[1], members: ['cls'] },
		],
	);
});

test('the files can stand in either order', async (t) => {
	const s = await trackedSite(t, browser);
	const tags = [
		`<script defer data-website="42" src="${s.collector}/tm.js"></script>`,
		`<script defer src="${s.collector}/tm-vitals.js"></script>`,
	];
	for (const script of [tags.join(''), tags.toReversed().join('')]) {
		await s.open('/a', { script, body: '<h1>Words</h1>' });
		await pause(500);
		await s.page.goto('about:blank');
	}
	assert.equal(vitalsOf(await s.hits(6)).length, 2);
});

test('[T68] vitals alone, or in a page without observers, do nothing', async (t) => {
	const s = await trackedSite(t, browser);
	const tag = `<script defer src="${s.collector}/tm-vitals.js"></script>`;
	await s.open('/alone', { script: tag });
	await s.open('/none', { script: `<script>delete window.PerformanceObserver</script>${tag}` });
	await s.open('/few', {
		script: `<script>Object.defineProperty(PerformanceObserver, 'supportedEntryTypes', { value: [] })</script>${tag}`,
	});
	await s.page.goto('about:blank');
	assert.deepEqual(await s.hits(0), []);
	assert.deepEqual(s.faults, []);
});
