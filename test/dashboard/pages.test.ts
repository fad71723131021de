import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { after, test } from 'node:test';
import type { Page } from 'playwright-core';
import { openBrowserWithScrollBars } from '../support/browser.ts';
import { assertAccessible, assertFits, focusIn, looks, openDashboard } from '../support/dashboard.ts';
import { until } from '../support/service.ts';
import { sessionOf, signedIn } from '../support/visitor.ts';

const d = await openDashboard({ after });

test('whoever is not signed in is asked to, and comes back to where they wanted', async () => {
	const page = await d.open('/websites?sort_by=domain');
	await page.waitForURL(`${d.w.base}/sign-in?to=${encodeURIComponent('/websites?sort_by=domain')}`);
});

test('an address that is none says so', async () => {
	const account = await d.account();
	for (const look of looks) {
		const page = await d.open('/websites/1/nothing-of-ours', account, look);
		await page.getByText('Page not found').first().waitFor();
		await assertAccessible(page);
		await assertFits(page);
	}
});

test('a browser gets the page for an unknown address, with 404; programs and the API get JSON', async () => {
	const answerTo = async (path: string, accept?: string, method = 'GET') => {
		const answer = await fetch(d.w.base + path, { method, ...(accept && { headers: { accept } }) });
		return `${answer.status} ${answer.headers.get('content-type')?.split(';')[0]}`;
	};
	const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
	for (const path of ['/nothing', '/wp-login.php?x=1', '/websites/1/nothing', '/apis', '/docs/nothing'])
		assert.equal(await answerTo(path, browser), '404 text/html', path);
	assert.equal(await answerTo('/websites/1/reports', browser), '200 text/html');
	assert.equal(await answerTo('/nothing'), '404 application/json');
	assert.equal(await answerTo('/nothing', browser, 'POST'), '404 application/json');
	assert.equal(await answerTo('/app/api/nothing', browser), '401 application/json');
	for (const path of ['/api', '/api/v2/websites']) {
		assert.equal(await answerTo(path, browser), '404 application/json', path);
		assert.equal(await answerTo(path, 'application/problem+json'), '404 application/problem+json', path);
	}
	const page = await d.open('/nothing');
	await page.getByRole('heading', { name: 'Page not found' }).waitFor();
	const answer = await fetch(`${d.w.base}/nothing`, { headers: { accept: browser } });
	assert.equal(answer.headers.get('x-robots-tag'), 'noindex');
	assert.match(answer.headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/);
});

test('a dialog starts in its first field, and its backdrop covers the window and its scroll bar', async () => {
	const account = await d.account();
	const browser = await openBrowserWithScrollBars();
	try {
		const context = await browser.newContext({ viewport: { width: 1280, height: 500 }, locale: 'en-GB' });
		const value = sessionOf(await signedIn(d.w, account));
		await context.addCookies([{ name: 'tidemark', value, url: d.w.base, httpOnly: true }]);
		const page = await context.newPage();
		await page.goto(`${d.w.base}/account/keys`);
		const heading = page.locator('h1');
		const button = page.getByRole('button', { name: 'New API key' });
		await button.waitFor();
		assert.ok(
			await page.evaluate<boolean>('document.documentElement.getBoundingClientRect().width < innerWidth'),
			'there is room for a scroll bar',
		);
		const before = await heading.boundingBox();
		await button.click();
		await focusIn(page, 'dialog');
		assert.equal(await page.locator('input[maxlength="200"]:focus').count(), 1, 'the field for the name');
		await until(
			() =>
				page.evaluate<boolean>(
					'document.querySelector("[role=dialog]").previousElementSibling.getBoundingClientRect().width === innerWidth',
				),
			10_000,
			'the backdrop covers the window',
		);
		assert.deepEqual(await heading.boundingBox(), before, 'the page behind stays where it was');
	} finally {
		await browser.close();
	}
	const phone = await d.open('/account/keys', account, { phone: true });
	await phone.getByRole('button', { name: 'New API key' }).click();
	await focusIn(phone, 'dialog');
	assert.equal(await phone.locator('[role=dialog]:focus').count(), 1, 'no keyboard on a phone');
	await assertAccessible(phone);
});

test('[T46] [T107] pages are not indexed and have a policy without inline styles, with Trusted Types', async () => {
	const answer = await fetch(`${d.w.base}/websites`);
	assert.equal(answer.headers.get('x-robots-tag'), 'noindex');
	const policy = answer.headers.get('content-security-policy') ?? '';
	assert.match(policy, /^default-src 'none'; script-src 'self' 'sha256-[\w+/=]+'; /);
	assert.match(policy, /frame-ancestors 'none'/);
	assert.match(policy, /; require-trusted-types-for 'script'; trusted-types 'none'; style-src 'self'; /);
	assert.doesNotMatch(policy, /unsafe/);
});

test('[T107] the browser refuses a style and markup that were put into a page', async () => {
	const page = await openSignIn();
	const refused = page.waitForEvent('console', (message) =>
		/violates.*style-src 'self'/.test(message.text()),
	);
	const found = await page.evaluate<{ display: string; error: string }>(`(() => {
		const style = document.createElement('style');
		style.textContent = '#root { display: none }';
		document.head.append(style);
		const found = { display: getComputedStyle(document.querySelector('#root')).display, error: 'none' };
		try {
			document.body.innerHTML = '<p style="color: red">markup</p>';
		} catch (error) {
			found.error = error.message;
		}
		return found;
	})()`);
	await refused;
	assert.notEqual(found.display, 'none');
	assert.match(found.error, /requires 'TrustedHTML'/);
	await page.context().close();
});

test('[T107] an open dialog locks scrolling without an inline style', async () => {
	const page = await d.open('/account/keys', await d.account());
	const overflow = () => page.evaluate<string>('getComputedStyle(document.body).overflowY');
	const button = page.getByRole('button', { name: 'New API key' });
	await button.waitFor();
	const before = await overflow();
	assert.notEqual(before, 'hidden');
	await button.click();
	await page.getByRole('dialog').waitFor();
	await until(async () => (await overflow()) === 'hidden', 10_000, 'scrolling is locked');
	assert.equal(await page.locator('style').count(), 0);
	await page.keyboard.press('Escape');
	await page.getByRole('dialog').waitFor({ state: 'detached' });
	await until(async () => (await overflow()) === before, 10_000, 'the page scrolls again');
});

/** As a link does. */
const goTo = (page: Page, path: string) => page.evaluate(`history.pushState(null, '', '${path}')`);
const signIn = (page: Page) => page.getByRole('heading', { level: 1, name: 'Sign in' });
const forgotten = (page: Page) => page.getByRole('heading', { level: 1, name: 'Reset your password' });

test('a page whose files are cut comes all the same, with its styles', async () => {
	const page = await d.open('/websites', await d.account());
	for (const kind of ['css', 'js'])
		await page.route(`**/assets/AccountPage-*.${kind}`, (route) => route.abort('connectionreset'), {
			times: 1,
		});
	await page.getByRole('heading', { name: 'Add your first website' }).waitFor();
	await goTo(page, '/account');
	await page.getByRole('heading', { level: 1, name: 'Profile' }).waitFor();
	const sheets = await page.evaluate<string[]>('[...document.styleSheets].map(({ href }) => href ?? "")');
	const isOfPage = (name: string) => /^AccountPage-.*\.css$/.test(name);
	assert.deepEqual(
		sheets
			.map((sheet) => sheet.replace(/^.*\//, '').replace(/\?.*$/, ''))
			.filter(isOfPage)
			.sort(),
		readdirSync('dist/pages/assets').filter(isOfPage).sort(),
	);
});

/** Without what fails a file whose pages log errors: here they are meant. */
async function openSignIn(): Promise<Page> {
	const page = await (await d.browser.newContext({ locale: 'en' })).newPage();
	await page.clock.install();
	await page.goto(`${d.w.base}/sign-in`);
	await signIn(page).waitFor();
	return page;
}

test('an upgrade takes the files of pages that are open: they are loaded anew', async () => {
	const page = await openSignIn();
	let loads = 0;
	page.on('load', () => loads++);
	await page.route('**/assets/ForgotPasswordPage-*', (route) =>
		loads === 0 ? route.fulfill({ status: 404 }) : route.continue(),
	);
	await page.clock.fastForward(60_000);
	await goTo(page, '/forgotten');
	await forgotten(page).waitFor();
	assert.equal(loads, 1);
	await page.context().close();
});

test('a file that a page misses which was just loaded is said to be missing', async () => {
	const page = await openSignIn();
	await page.route('**/assets/ForgotPasswordPage-*', (route) => route.fulfill({ status: 404 }));
	await goTo(page, '/forgotten');
	const again = page.getByRole('alert').getByRole('button', { name: 'Try again' });
	await again.waitFor();
	await assertAccessible(page);
	await goTo(page, '/sign-in');
	await signIn(page).waitFor();
	await goTo(page, '/forgotten');
	await again.waitFor();
	await page.unroute('**/assets/ForgotPasswordPage-*');
	await again.click();
	await forgotten(page).waitFor();
	await page.context().close();
});

test('without a way to the service an open page stays, and says so', async () => {
	const page = await openSignIn();
	await page.clock.fastForward(60_000);
	await page.context().setOffline(true);
	await goTo(page, '/forgotten');
	await page.getByRole('alert').getByText('The server cannot be reached').waitFor();
	await page.context().close();
});
