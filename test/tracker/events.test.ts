import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { openBrowser } from '../support/browser.ts';
import { trackedSite } from '../support/tracked-site.ts';

let browser: Browser;
before(async () => {
	browser = await openBrowser();
});
after(() => browser.close());

/** Keeps links and forms from leaving the page; the tracker does not mind. */
const stay = `<script>
	const stop = (event) => (event.type === 'submit' || event.target.closest('a')) && event.preventDefault();
	for (const type of ['click', 'auxclick', 'submit']) addEventListener(type, stop);
</script>`;

test('a custom event carries its properties and its revenue', async (t) => {
	const s = await trackedSite(t, browser);
	await s.open('/shop');
	await s.page.evaluate(`
		tidemark('purchase', {
			properties: { plan: 'pro', seats: 3, trial: false },
			revenue: { amount: '19.90', currency: 'EUR' },
		});
		tidemark('donation', { revenue: { amount: 5, currency: 'USD' } });
	`);
	assert.deepEqual(await s.hits(3), [
		s.pageview('/shop'),
		s.event('purchase', '/shop', {
			i: '#2',
			p: { plan: 'pro', seats: 3, trial: false },
			m: '19.90',
			c: 'EUR',
		}),
		s.event('donation', '/shop', { i: '#3', m: 5, c: 'USD' }),
	]);
	assert.deepEqual(s.faults, []);
});

test('a click inside a tagged element is its event, with its attributes as properties', async (t) => {
	const s = await trackedSite(t, browser);
	await s.open('/a', {
		body: `<div data-tm-event="outer"><button data-tm-event="Sign up" data-tm-plan="pro" data-tm-button-colour="red"
			data-other="x" class="y"><svg width="40" height="40"><circle id="dot" r="40"/></svg></button></div>`,
	});
	await s.page.click('#dot');
	assert.deepEqual(await s.hits(2), [
		s.pageview('/a'),
		s.event('Sign up', '/a', { i: '#2', p: { plan: 'pro', 'button-colour': 'red' } }),
	]);
});

test('a tagged element counts though the page stops the click, and though it was added later', async (t) => {
	const s = await trackedSite(t, browser);
	await s.open('/a');
	await s.page.evaluate(`
		document.body.innerHTML = '<button id="late" data-tm-event="late">x</button>';
		late.addEventListener('click', (event) => event.stopImmediatePropagation());
	`);
	await s.page.click('#late');
	assert.deepEqual(await s.hits(2), [s.pageview('/a'), s.event('late', '/a', { i: '#2', p: {} })]);
});

test('a tagged element in a shadow tree counts', async (t) => {
	const s = await trackedSite(t, browser);
	await s.open('/a', { body: '<div id="host"></div>' });
	await s.page.evaluate(`
		host.attachShadow({ mode: 'open' }).innerHTML = '<button data-tm-event="deep">x</button>'
	`);
	await s.page.click('#host button');
	assert.deepEqual(await s.hits(2), [s.pageview('/a'), s.event('deep', '/a', { i: '#2', p: {} })]);
});

test('a click beside tagged elements and links is nothing', async (t) => {
	const s = await trackedSite(t, browser);
	await s.open('/a', {
		body: '<p id="text">words</p><a id="anchor">no address</a><button id="b">x</button>',
	});
	for (const id of ['text', 'anchor', 'b']) await s.page.click(`#${id}`);
	await s.page.evaluate('document.dispatchEvent(new MouseEvent("click"))');
	assert.deepEqual(await s.hits(1), [s.pageview('/a')]);
	assert.deepEqual(s.faults, []);
});

test('an outbound link in the same tab counts while the page is left', async (t) => {
	const s = await trackedSite(t, browser);
	const target = `${s.collector}/elsewhere?a=1#b`;
	await s.open('/a', { body: `<a id="out" href="${target}"><b>out</b></a>` });
	await s.page.click('#out b');
	assert.deepEqual(await s.events(2), [
		s.pageview('/a'),
		s.event('outbound', '/a', { i: '#2', p: { url: target } }),
	]);
});

test('an outbound link that opens a new tab counts', async (t) => {
	const s = await trackedSite(t, browser);
	await s.open('/a', { body: `<a id="out" target="_blank" href="${s.collector}/elsewhere">out</a>` });
	await s.page.click('#out');
	assert.deepEqual(await s.events(2), [
		s.pageview('/a'),
		s.event('outbound', '/a', { i: '#2', p: { url: `${s.collector}/elsewhere` } }),
	]);
});

test('the middle button opens an outbound link; the right one does not', async (t) => {
	const s = await trackedSite(t, browser);
	await s.open('/a', { body: `<a id="out" href="https://other.test/">out</a>${stay}` });
	await s.page.click('#out', { button: 'right' });
	await s.page.click('#out', { button: 'middle' });
	assert.deepEqual(await s.events(2), [
		s.pageview('/a'),
		s.event('outbound', '/a', { i: '#2', p: { url: 'https://other.test/' } }),
	]);
});

test('the middle button presses no tagged button', async (t) => {
	const s = await trackedSite(t, browser);
	await s.open('/a', { body: `<button id="b" data-tm-event="press">x</button>` });
	await s.page.click('#b', { button: 'middle' });
	assert.deepEqual(await s.hits(1), [s.pageview('/a')]);
});

test('links within the website, mail and telephone are not outbound', async (t) => {
	const s = await trackedSite(t, browser);
	const links = ['/b', '#c', 'mailto:a@example.test', 'tel:+123', 'javascript:void 0'];
	await s.open('/a', { body: stay + links.map((href) => `<a href="${href}">x</a> `).join('') });
	for (const link of await s.page.locator('a').all()) await link.click();
	assert.deepEqual(await s.hits(1), [s.pageview('/a')]);
});

test('a tagged outbound link is both', async (t) => {
	const s = await trackedSite(t, browser);
	await s.open('/a', { body: `${stay}<a id="out" href="https://other.test/" data-tm-event="Partner">x</a>` });
	await s.page.click('#out');
	assert.deepEqual(await s.hits(3), [
		s.pageview('/a'),
		s.event('Partner', '/a', { i: '#2', p: {} }),
		s.event('outbound', '/a', { i: '#3', p: { url: 'https://other.test/' } }),
	]);
});

test('downloads count by their ending or by the attribute, here and elsewhere', async (t) => {
	const s = await trackedSite(t, browser);
	const files = [
		'/manual.pdf',
		'/Sheet.XLSX?version=2',
		'https://other.test/tool.zip',
		'/picture" download="me.png',
	];
	await s.open('/a', {
		body: `${stay}${files.map((href) => `<a href="${href}">x</a> `).join('')}<a href="/page.html">x</a> <a href="/zip">x</a>`,
	});
	for (const link of await s.page.locator('a').all()) await link.click();
	const urls = [
		`${s.origin}/manual.pdf`,
		`${s.origin}/Sheet.XLSX?version=2`,
		'https://other.test/tool.zip',
		`${s.origin}/picture`,
	];
	assert.deepEqual(await s.hits(5), [
		s.pageview('/a'),
		...urls.map((url, index) => s.event('download', '/a', { i: `#${index + 2}`, p: { url } })),
	]);
});

test('a form counts when it is sent, by its id', async (t) => {
	const s = await trackedSite(t, browser);
	await s.open('/a', {
		body: `${stay}<form id="signup" action="/x"><input name="id"><button>go</button></form>`,
	});
	await s.page.click('button');
	assert.deepEqual(await s.hits(2), [
		s.pageview('/a'),
		s.event('form', '/a', { i: '#2', p: { id: 'signup' } }),
	]);
});

test('a form without an id counts by the path of its action', async (t) => {
	const s = await trackedSite(t, browser);
	await s.open('/a', {
		body: `${stay}<form action="https://other.test/send?to=me"><input name="action"><button id="one">go</button></form>
			<form><button id="two">go</button></form>`,
	});
	await s.page.click('#one');
	await s.page.click('#two');
	assert.deepEqual(await s.hits(3), [
		s.pageview('/a'),
		s.event('form', '/a', { i: '#2', p: { action: '/send' } }),
		s.event('form', '/a', { i: '#3', p: { action: '/a' } }),
	]);
});

test('a form that the browser finds incomplete is not sent and not counted', async (t) => {
	const s = await trackedSite(t, browser);
	await s.open('/a', { body: `${stay}<form id="f"><input required><button>go</button></form>` });
	await s.page.click('button');
	assert.deepEqual(await s.hits(1), [s.pageview('/a')]);
});

test('a tagged form is its event when it is sent, not when it is clicked', async (t) => {
	const s = await trackedSite(t, browser);
	await s.open('/a', {
		body: `${stay}<form id="f" data-tm-event="Order" data-tm-kind="trial"><input id="text"><button>go</button></form>`,
	});
	await s.page.click('#text');
	await s.page.click('button');
	assert.deepEqual(await s.hits(3), [
		s.pageview('/a'),
		s.event('Order', '/a', { i: '#2', p: { kind: 'trial' } }),
		s.event('form', '/a', { i: '#3', p: { id: 'f' } }),
	]);
});

test('outbound, download and form can be switched off', async (t) => {
	const s = await trackedSite(t, browser);
	await s.open('/a', {
		tag: 'data-outbound="off" data-download="off" data-form="off"',
		body: `${stay}<a href="https://other.test/">x</a> <a href="/manual.pdf">x</a> <a href="https://other.test/a.zip">x</a>
			<form><button>x</button></form><i data-tm-event="still here">x</i>`,
	});
	for (const element of await s.page.locator('a, button, i').all()) await element.click();
	assert.deepEqual(await s.hits(2), [s.pageview('/a'), s.event('still here', '/a', { i: '#2', p: {} })]);
});
