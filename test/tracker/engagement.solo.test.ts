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

const noon = Date.parse('2026-03-02T12:00:00Z');

/**
 * A page at /read whose clock stands still but for `pass`, so that times are exact: the page view that counts
 * begins when the clock already stands.
 */
async function openWithClock(t: Parameters<typeof trackedSite>[0], body = '') {
	const s = await trackedSite(t, browser);
	await s.page.clock.install({ time: noon });
	await s.open('/load', { body });
	await s.events(1);
	await s.page.clock.pauseAt(noon + 60_000);
	await s.page.evaluate(`history.pushState(null, '', '/read')`);
	await s.page.clock.runFor(99);
	// The page view of the load, its engagement, the page view that is read.
	await s.hits(3);
	const pass = (ms: number) => s.page.clock.runFor(ms);
	const engagement = (members: object) => ({
		w: 42,
		i: '#4',
		u: `${s.origin}/read`,
		k: 'e',
		o: '#3',
		...members,
	});
	const later = async (count: number) => (await s.hits(3 + count)).slice(3);
	return { ...s, pass, engagement, later };
}

/** A driven browser keeps its pages visible; that a hidden page really sends is tried below with one that is not. */
const setHidden = (s: TrackedSite, isHidden: boolean) =>
	s.page.evaluate(`
		Object.defineProperty(document, 'hidden', { value: ${isHidden}, configurable: true });
		document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
	`);

/** With focus emulation off, the focus is where it really is. */
async function freeFocus(s: TrackedSite) {
	const session = await s.context.newCDPSession(s.page);
	await session.send('Emulation.setFocusEmulationEnabled', { enabled: false });
}

test('engaged time and depth are sent when the page is hidden', async (t) => {
	const s = await openWithClock(t);
	await s.pass(4901);
	await setHidden(s, true);
	assert.deepEqual(await s.later(1), [s.engagement({ d: 5000, e: 5000, s: 100 })]);
	assert.deepEqual(s.faults, []);
});

test('several hits of one page view add up: each has the time since the last', async (t) => {
	const s = await openWithClock(t);
	await s.pass(901);
	await setHidden(s, true);
	await s.pass(7000);
	await setHidden(s, false);
	await s.pass(2000);
	await setHidden(s, true);
	assert.deepEqual(await s.later(2), [
		s.engagement({ d: 1000, e: 1000, s: 100 }),
		s.engagement({ i: '#5', d: 10_000, e: 2000, s: 100 }),
	]);
});

test('a hidden page that is hidden again sends nothing more', async (t) => {
	const s = await openWithClock(t);
	await s.pass(901);
	await setHidden(s, true);
	await s.pass(60_000);
	await setHidden(s, true);
	assert.deepEqual(await s.later(1), [s.engagement({ d: 1000, e: 1000, s: 100 })]);
});

test('time without the focus does not count', async (t) => {
	const s = await openWithClock(t);
	await freeFocus(s);
	await s.pass(901);
	const other = await s.context.newPage();
	await other.bringToFront();
	await s.page.waitForFunction('!document.hasFocus()', undefined, { polling: 20 });
	await s.pass(50_000);
	await s.page.bringToFront();
	await pause(200);
	await s.pass(3000);
	await setHidden(s, true);
	assert.deepEqual(await s.later(1), [s.engagement({ d: 54_000, e: 4000, s: 100 })]);
});

test('engagement belongs to the page view that was read, before a single-page navigation', async (t) => {
	const s = await openWithClock(t);
	await s.pass(1901);
	await s.page.evaluate(`history.pushState(null, '', '/next')`);
	await s.pass(3000);
	await setHidden(s, true);
	assert.deepEqual(await s.later(3), [
		s.engagement({ d: 2000, e: 2000, s: 100 }),
		s.pageview('/next', { i: '#5', r: `${s.origin}/read`, t: 'Title of /load' }),
		s.engagement({ i: '#6', u: `${s.origin}/next`, o: '#5', d: 3000, e: 3000, s: 100 }),
	]);
});

test('a tab that stays open for hours tells how long ago its page view was', async (t) => {
	const s = await openWithClock(t);
	await s.pass(901);
	await setHidden(s, true);
	await s.page.clock.fastForward('05:00:00');
	await setHidden(s, false);
	await s.pass(10_000);
	await s.page.evaluate(`tidemark('still here')`);
	await setHidden(s, true);
	assert.deepEqual(await s.later(3), [
		s.engagement({ d: 1000, e: 1000, s: 100 }),
		s.event('still here', '/read', { i: '#5', r: `${s.origin}/load`, t: 'Title of /load' }),
		s.engagement({ i: '#6', d: 18_011_000, e: 10_000, s: 100 }),
	]);
});

test('a tab in front for 40 minutes counts all of them, and no second page view', async (t) => {
	const s = await openWithClock(t);
	await s.page.clock.fastForward(40 * 60_000 - 99);
	await setHidden(s, true);
	assert.deepEqual(await s.later(1), [s.engagement({ d: 2_400_000, e: 2_400_000, s: 100 })]);
});

test('the depth is the greatest part that was on the screen', async (t) => {
	const s = await openWithClock(t, '<div style="height: 7192px"></div>');
	await s.pass(901);
	for (const top of [360, 1440, 0]) {
		await s.page.evaluate(`scrollTo(0, ${top})`);
		await s.page.waitForFunction(`scrollY === ${top}`, undefined, { polling: 20 });
		await pause(100);
	}
	await setHidden(s, true);
	// The body has a margin of 8 pixels: (1440 + 720) / 7208 of the page were seen.
	assert.deepEqual(await s.later(1), [s.engagement({ d: 1000, e: 1000, s: 30 })]);
});

test('a page that was not scrolled was seen as far as the window reaches', async (t) => {
	const s = await openWithClock(t, '<div style="height: 7192px"></div>');
	await s.pass(901);
	await setHidden(s, true);
	assert.deepEqual(await s.later(1), [s.engagement({ d: 1000, e: 1000, s: 10 })]);
});

test('each page view has its own depth', async (t) => {
	const s = await openWithClock(t, '<div style="height: 7192px"></div>');
	await s.page.evaluate('scrollTo(0, 9999)');
	await pause(100);
	await s.pass(901);
	await s.page.evaluate(`scrollTo(0, 0); history.pushState(null, '', '/next')`);
	await s.pass(1000);
	await setHidden(s, true);
	const hits = await s.later(3);
	assert.deepEqual(
		hits.map(({ o, s: depth }) => ({ o, depth })),
		[
			{ o: '#3', depth: 100 },
			{ o: undefined, depth: undefined },
			{ o: '#5', depth: 10 },
		],
	);
});

test('leaving a page sends its engagement', async (t) => {
	const s = await trackedSite(t, browser);
	s.add('/b', { script: '' });
	await s.open('/a');
	await s.events(1);
	await s.page.goto(`${s.origin}/b`);
	const hits = await s.hits(2);
	const { d, e } = hits[1] ?? {};
	assert.deepEqual(hits, [
		s.pageview('/a'),
		{ w: 42, i: '#2', u: `${s.origin}/a`, k: 'e', o: '#1', d, e, s: 100 },
	]);
	assert.ok(typeof e === 'number' && e > 200 && e <= Number(d) && Number(d) < 10_000, `${e} of ${d}`);
});

test('closing a tab sends its engagement', async (t) => {
	const s = await trackedSite(t, browser);
	await s.open('/a');
	await s.events(1);
	await s.page.close({ runBeforeUnload: true });
	assert.deepEqual(
		(await s.hits(2)).map(({ k, o }) => ({ k, o })),
		[
			{ k: undefined, o: undefined },
			{ k: 'e', o: '#1' },
		],
	);
});

test('a page in the back-forward cache is not engaged, and is a new page view afterwards', async (t) => {
	const s = await trackedSite(t, browser);
	s.add('/b', { script: '' });
	await s.open('/a');
	await s.events(1);
	await s.page.goto(`${s.origin}/b`);
	await pause(1500);
	await s.page.goBack({ waitUntil: 'commit' });
	await s.events(2);
	await s.page.goto(`${s.origin}/b`);
	const hits = await s.hits(4);
	assert.deepEqual(
		hits.map(({ n, k, o }) => n ?? `${k} ${o}`),
		['pageview', 'e #1', 'pageview', 'e #3'],
	);
	assert.ok(Number(hits[3]?.e) < 1400, `${hits[3]?.e} ms of engagement`);
});

test('a tab that is really hidden and shown again', async (t) => {
	const s = await serveSite(t);
	s.add('/other', { script: '' });
	s.add('/a', {
		body: `<script>
			document.addEventListener('visibilitychange', () => fetch('/' + document.visibilityState));
			setTimeout(() => { window.other = open('/other') }, 1000);
			setTimeout(() => other.close(), 2500);
			setTimeout(() => { location.href = '/other' }, 4000);
		</script>`,
	});
	openUndriven(t, `${s.origin}/a`);
	await s.asked('/hidden');
	await s.asked('/visible');
	const hits = await s.hits(2);
	assert.deepEqual(
		hits.slice(0, 2).map(({ n, k, o }) => n ?? `${k} ${o}`),
		['pageview', 'e #1'],
	);
	const { d, e } = hits[1] ?? {};
	assert.ok(Number(d) >= 900 && Number(d) < 2400, `hidden after ${d} ms`);
	assert.ok(Number(e) > 0 && Number(e) <= Number(d), `${e} of ${d} ms engaged`);
});
