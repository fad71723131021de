import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { openBrowser } from '../support/browser.ts';
import { type Hit, type TrackedSite, trackedSite } from '../support/tracked-site.ts';

/**
 * The script runs in pages that we do not know. Whatever they have done to their own globals, they must work
 * as they do without us, and see no error of ours.
 */
let browser: Browser;
before(async () => {
	browser = await openBrowser();
});
after(() => browser.close());

/** A visitor who does something of everything, and at last leaves. */
async function useEverything(s: TrackedSite) {
	await s.page.evaluate(`
		const press = (html) => {
			document.body.insertAdjacentHTML('beforeend', html);
			document.body.lastElementChild.click();
		};
		addEventListener('click', (event) => event.preventDefault());
		press('<a href="https://other.test/">x</a>');
		press('<button data-tm-event="press">x</button>');
		typeof tidemark === 'function' && tidemark('call', { properties: { a: 1 } });
		history.pushState(null, '', '/next');
	`);
	await s.events(0);
	await s.page.goto('about:blank');
}

const everything = (s: TrackedSite, path: string): Hit[] => [
	s.pageview(path),
	s.event('outbound', path, { i: '#2', p: { url: 'https://other.test/' } }),
	s.event('press', path, { i: '#3', p: {} }),
	s.event('call', path, { i: '#4', p: { a: 1 } }),
	s.pageview('/next', { i: '#5', r: s.origin + path, t: `Title of ${path}` }),
];

test('[T68] a page with a strict Content-Security-Policy', async (t) => {
	const s = await trackedSite(t, browser);
	const policy = `default-src 'none'; script-src 'self' ${s.collector}; connect-src ${s.collector}`;
	await s.open('/csp', { headers: { 'content-security-policy': policy } });
	await s.events(1);
	await useEverything(s);
	assert.deepEqual(await s.events(5), everything(s, '/csp'));
	assert.deepEqual(s.faults, []);
});

test('[T68] a page that allows no connection to the collector', async (t) => {
	const s = await trackedSite(t, browser);
	await s.open('/csp', {
		headers: { 'content-security-policy': `default-src 'none'; script-src ${s.collector}` },
	});
	assert.deepEqual(await s.hits(0), []);
	// The browser reports the policy to the console by itself; no error reaches the page.
	assert.deepEqual(
		s.faults.filter((fault) => !fault.includes('Content Security Policy')),
		[],
	);
});

test('[T68] a page that requires Trusted Types', async (t) => {
	const s = await trackedSite(t, browser);
	const policy = `require-trusted-types-for 'script'; trusted-types 'none'`;
	await s.open('/types', {
		headers: { 'content-security-policy': policy },
		body: '<a href="https://other.test/">x</a>',
	});
	await s.page.evaluate(`tidemark('call'); history.pushState(null, '', '/next')`);
	assert.deepEqual(await s.events(3), [
		s.pageview('/types'),
		s.event('call', '/types', { i: '#2' }),
		s.pageview('/next', { i: '#3', r: `${s.origin}/types`, t: 'Title of /types' }),
	]);
	assert.deepEqual(s.faults, []);
});

/** What a page did before our script came, and whether hits can still be made. */
const pages: Record<string, { script: string; works: boolean }> = {
	'puts a Proxy before fetch and the history': {
		script: `
			window.fetch = new Proxy(fetch, { apply: (target, self, args) => Reflect.apply(target, window, args) });
			const real = history;
			Object.defineProperty(window, 'history', { value: new Proxy(real, {
				get: (target, name) => typeof target[name] === 'function' ? target[name].bind(target) : target[name],
				set: (target, name, value) => { target[name] = value; return true },
			}) });`,
		works: true,
	},
	'has methods on the prototypes of arrays and objects': {
		script: `
			Array.prototype.odd = function () { throw new Error('odd') };
			Object.prototype.strange = function () { throw new Error('strange') };
			Object.prototype.click = 'x';`,
		works: true,
	},
	'has a storage that throws': {
		script: `Object.defineProperty(window, 'localStorage', { get() { throw new Error('denied') } })`,
		works: true,
	},
	'has an element called tidemark': {
		script: `document.write('<img id="tidemark" name="q">')`,
		works: true,
	},
	'has no fetch': { script: 'delete window.fetch; window.fetch = undefined', works: false },
	'has a fetch that throws': {
		script: `window.fetch = () => { throw new Error('no') }`,
		works: false,
	},
	'has a fetch that answers rubbish': { script: 'window.fetch = () => 7', works: false },
	'broke JSON.stringify': { script: `JSON.stringify = () => { throw new Error('no') }`, works: false },
	'has no crypto': {
		script: `Object.defineProperty(window, 'crypto', { value: undefined })`,
		works: false,
	},
	'broke the timers': {
		script: `window.setTimeout = () => { throw new Error('no') }`,
		works: false,
	},
	'has a tidemark that cannot be replaced': {
		script: `Object.defineProperty(window, 'tidemark', { value: null })`,
		works: false,
	},
	'took away performance': {
		script: `Object.defineProperty(window, 'performance', { value: undefined })`,
		works: false,
	},
	'hides its current script': {
		script: `Object.defineProperty(document, 'currentScript', { get: () => null })`,
		works: false,
	},
};

for (const [name, { script, works }] of Object.entries(pages))
	test(`[T68] a page that ${name}`, async (t) => {
		const s = await trackedSite(t, browser);
		const unhandled = `addEventListener('unhandledrejection', (event) => { console.error('unhandled', event.reason) });`;
		await s.open('/hostile', { head: `<script>{${unhandled}${script}}</script>` });
		await s.events(works ? 1 : 0);
		await useEverything(s);
		const events = await s.events(works ? 5 : 0);
		if (works) assert.deepEqual(events, everything(s, '/hostile'));
		assert.deepEqual(s.faults, []);
	});

test('[T68] a page that froze its history: navigations are its own, going back is noticed', async (t) => {
	const s = await trackedSite(t, browser);
	await s.open('/frozen', { head: `<script>'use strict'; Object.freeze(history)</script>` });
	await s.page.evaluate(`history.pushState(null, '', '/one')`);
	await s.page.evaluate(`history.pushState(null, '', '/two')`);
	await s.page.evaluate('history.back()');
	assert.deepEqual(await s.events(2), [
		s.pageview('/frozen'),
		s.pageview('/one', { i: '#2', r: `${s.origin}/frozen`, t: 'Title of /frozen' }),
	]);
	assert.deepEqual(s.faults, []);
});

test('[T68] calls that make no sense', async (t) => {
	const s = await trackedSite(t, browser);
	await s.open('/calls');
	await s.page.evaluate(`
		const circle = {};
		circle.itself = circle;
		tidemark('circle', { properties: circle });
		tidemark('large', { properties: { n: 1n } });
		tidemark('null', null);
		tidemark();
		tidemark('fine', { properties: null, revenue: null });
	`);
	const events = await s.events(2);
	assert.deepEqual(
		events.map(({ n }) => n),
		['pageview', 'fine'],
	);
	assert.deepEqual(s.faults, []);
});

test('[T68] the page goes on where our script stands in the way of nothing', async (t) => {
	const s = await trackedSite(t, browser);
	await s.open('/page', {
		body: `<a id="inside" href="#there">x</a><form id="f" action="/sent" method="get"><input name="q" value="1"><button>go</button></form>`,
	});
	s.add('/sent', { script: '' });
	await s.page.click('#inside');
	assert.equal(await s.page.evaluate('location.hash'), '#there');
	await s.page.click('button');
	await s.page.waitForURL('**/sent?q=1');
	assert.deepEqual(s.faults, []);
});
