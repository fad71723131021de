import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { openBrowser } from '../support/browser.ts';
import { assertGoodInAllLooks, openDashboard, pressLastInMenu } from '../support/dashboard.ts';
import { startServiceProcess, until } from '../support/service.ts';
import { patience } from '../support/timeout-factor.ts';
import { goodPassword, signedIn, visitor } from '../support/visitor.ts';

const d = await openDashboard({ after });
const field = (page: Page, label: string) => page.getByLabel(label, { exact: true });
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true });

async function signIn(page: Page, email: string, password = goodPassword): Promise<void> {
	await field(page, 'Email address').fill(email);
	await field(page, 'Password').fill(password);
	await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/** What the service says to the browser of a page. */
const ask = (page: Page, path: string) =>
	page.evaluate<[number, string]>(
		`fetch('/app/api${path}').then(async (answer) => [answer.status, await answer.text()])`,
	);

/** A page of another service than the one above, which is closed with its browser. */
async function openElsewhere(browser: Browser, url: string): Promise<Page> {
	const context = await browser.newContext({ locale: 'en-GB', timezoneId: 'Europe/Berlin' });
	context.setDefaultTimeout(15_000 * patience);
	const page = await context.newPage();
	page.on('pageerror', (error) => assert.fail(`${url}: ${error}`));
	await page.goto(url);
	return page;
}

test('a wrong password is refused, the right one leads to where one wanted to go, and out again', async () => {
	const account = await d.account();
	const page = await d.open('/account/usage?from=here');
	await page.waitForURL(`${d.w.base}/sign-in?to=${encodeURIComponent('/account/usage?from=here')}`);
	await signIn(page, account.email, 'not the password');
	await page.getByRole('alert').getByText('Incorrect email address or password.').waitFor();
	await assertGoodInAllLooks(page);
	assert.equal((await ask(page, '/session'))[0], 401);
	await field(page, 'Password').fill(goodPassword);
	await page.getByRole('button', { name: 'Show' }).click();
	assert.equal(await field(page, 'Password').getAttribute('type'), 'text');
	await page.getByRole('button', { name: 'Sign in', exact: true }).click();
	await page.waitForURL(`${d.w.base}/account/usage?from=here`);
	await page.getByText('Page views this month').waitFor();
	const [status, text] = await ask(page, '/session');
	assert.deepEqual([status, JSON.parse(text).data.person.email], [200, account.email]);
	const [cookie] = (await page.context().cookies()).filter(({ name }) => name === 'tidemark');
	assert.deepEqual([cookie?.httpOnly, cookie?.sameSite], [true, 'Lax']);
	assert.equal(await page.evaluate('document.cookie'), '', 'no script sees it');

	await page.context().setOffline(true);
	await page.getByRole('button', { name: 'Account' }).click();
	await page.getByRole('menuitem', { name: 'Sign out' }).click();
	await page.getByRole('alert').getByText('The server cannot be reached.').waitFor();
	await page.context().setOffline(false);
	await page.getByRole('button', { name: 'Account' }).click();
	await page.getByRole('menuitem', { name: 'Sign out' }).click();
	await heading(page, 'Sign in').waitFor();
	assert.equal((await ask(page, '/account'))[0], 401);
	await page.goto(`${d.w.base}/account/usage`);
	await heading(page, 'Sign in').waitFor();
	assert.equal(await page.getByText('Page views this month').count(), 0);
});

test('only addresses of the service are followed after signing in', async () => {
	const account = await d.account();
	const elsewhere = [
		'https://evil.example/',
		'//evil.example/',
		'/\\evil.example/',
		'/\t/evil.example/',
		'javascript:document.title="taken"',
		'evil.example',
		'/sign-in?to=%2Fsign-in',
		'http://[',
	];
	const page = await d.open('/sign-in', account);
	for (const to of elsewhere) {
		await page.goto(`${d.w.base}/sign-in?to=${encodeURIComponent(to)}`);
		await page.waitForURL(`${d.w.base}/websites`);
	}
	await page.goto(`${d.w.base}/sign-in?to=${encodeURIComponent('/account/keys?a=b#c')}`);
	await page.waitForURL(`${d.w.base}/account/keys?a=b#c`);
});

test('too many tries are slowed down, and the page says so', async () => {
	const account = await d.account();
	const page = await d.open('/sign-in');
	await field(page, 'Email address').fill(account.email);
	const tooOften = page.getByText('Too many requests. Wait a moment and try again.');
	for (let n = 0; n < 8 && !(await tooOften.isVisible()); n++) {
		await field(page, 'Password').fill(`guess number ${n}`);
		const answered = page.waitForResponse(/\/app\/api\/session$/);
		await page.getByRole('button', { name: 'Sign in', exact: true }).click();
		await answered;
		await page.getByRole('alert').waitFor();
	}
	await tooOften.waitFor();
});

test('the operator makes a link, it sets a password once, and every browser signs in anew', async () => {
	const account = await d.account();
	const other = await d.open('/account', account);
	await field(other, 'Name').waitFor();
	const page = await d.open('/sign-in');
	await page.getByRole('link', { name: 'Forgot your password?' }).click();
	await heading(page, 'Reset your password').waitFor();
	assert.equal(
		await page.getByLabel('Command on the server').inputValue(),
		'tidemark account reset you@example.com',
	);
	await assertGoodInAllLooks(page);

	const { token } = await d.w.operate('account.reset', { email: account.email });
	await page.goto(`${d.w.base}/password#token=${token}`);
	await heading(page, 'Set your password').waitFor();
	await page.locator('input:focus').waitFor();
	assert.equal(await field(page, 'Email address').inputValue(), account.email);
	await field(page, 'New password').fill('too short');
	await page.getByRole('button', { name: 'Set password and sign in' }).click();
	await page.getByRole('alert').getByText('Use at least 10 characters.').waitFor();
	await page.locator('[autocomplete=new-password]:focus').waitFor();
	await assertGoodInAllLooks(page);
	await field(page, 'New password').fill('low water at noon');
	await page.getByRole('switch', { name: 'Also revoke all API keys' }).click();
	await page.getByRole('button', { name: 'Set password and sign in' }).click();
	await page.waitForURL(`${d.w.base}/websites`);
	assert.equal((await ask(page, '/session'))[0], 200);
	assert.equal((await account.api('GET', '/account')).status, 401, 'its keys are revoked');
	assert.ok(!d.w.log().includes(token), 'no server has seen what stands behind #');

	await other.getByRole('link', { name: 'Usage' }).click();
	await other.waitForURL(/\/sign-in\?to=%2Faccount%2Fusage$/);
	await signIn(other, account.email);
	await other.getByText('Incorrect email address or password.').waitFor();
	await signIn(other, account.email, 'low water at noon');
	await other.waitForURL(`${d.w.base}/account/usage`);

	const again = await d.open(`/password#token=${token}`);
	await heading(again, 'This link is no longer valid').waitFor();
	await assertGoodInAllLooks(again);
	await again.getByRole('link', { name: 'Request a new link' }).click();
	await again.waitForURL(`${d.w.base}/forgotten`);
	for (const dead of ['', '#token=', '#token=x', `#token=${'x'.repeat(200)}`]) {
		await again.goto('about:blank');
		await again.goto(`${d.w.base}/password${dead}`);
		await heading(again, 'This link is no longer valid').waitFor();
	}
});

test('whoever is invited chooses a password and is in, in their own language', async () => {
	const { link, account } = await d.w.operate('account.create', {
		name: 'Jo',
		email: 'jo@example.test',
		locale: 'de',
	});
	const page = await d.open(`/password#token=${link.token}`, undefined, { language: 'de-AT', phone: true });
	await heading(page, 'Passwort festlegen').waitFor();
	await page.getByText('Willkommen bei Tidemark.').waitFor();
	await field(page, 'Neues Passwort').fill(goodPassword);
	await page.getByRole('button', { name: 'Passwort festlegen und anmelden' }).click();
	await page.waitForURL(`${d.w.base}/websites`);
	const [, text] = await ask(page, '/session');
	assert.equal(JSON.parse(text).data.account.id, account.id);
	assert.equal(await page.evaluate('document.documentElement.lang'), 'de');
});

test('all of it works with the keyboard alone', async () => {
	const account = await d.account();
	const page = await d.open('/sign-in?to=%2Faccount');
	await field(page, 'Email address').waitFor();
	await page.locator('[name=email]:focus').waitFor();
	await page.keyboard.type(account.email);
	await page.keyboard.press('Tab');
	await page.keyboard.type(goodPassword);
	await page.keyboard.press('Enter');
	await field(page, 'Name').waitFor();
	for (let n = 0; n < 30; n++) {
		await page.keyboard.press('Tab');
		if (await page.evaluate('/Account/.test(document.activeElement?.textContent ?? "")')) break;
	}
	await page.keyboard.press('Enter');
	await pressLastInMenu(page);
	await heading(page, 'Sign in').waitFor();
});

/** Fills in what the page asks for; language and zone are guessed. */
async function fillSetUp(page: Page, email: string): Promise<void> {
	await field(page, 'Your name').fill('Ada');
	await field(page, 'Email address').fill(email);
	await field(page, 'Password').fill(goodPassword);
}

test('a first start leads from the printed link to the first website, and to sign-in over plain http on a LAN', async (t) => {
	const service = await startServiceProcess(t);
	await until(() => service.setupUrl() !== undefined, 5_000, 'the link is printed');
	const link = service.setupUrl() ?? '';
	const browser = await openBrowser(
		'light',
		`--host-resolver-rules=MAP tidemark.lan 127.0.0.1:${new URL(service.base).port}`,
	);
	t.after(() => browser.close());
	const page = await openElsewhere(browser, `${service.base}/`);
	await page.getByText('Create the first one with the set-up link that Tidemark printed').waitFor();
	await page.getByText('tidemark account create --email').waitFor();
	await assertGoodInAllLooks(page);
	await page.goto(`${service.base}/set-up#token=of-another-start`);
	await heading(page, 'This setup link is no longer valid').waitFor();
	await assertGoodInAllLooks(page);
	await page.goto('about:blank');
	await page.goto(link);
	await heading(page, 'Set up Tidemark').waitFor();
	await page.getByRole('button', { name: 'Create account' }).waitFor();
	assert.equal(await page.locator('form input:visible, form select:visible').count(), 3, 'three questions');
	await assertGoodInAllLooks(page);
	await page.getByText('Language, time zone and URL').click();
	assert.equal(await field(page, 'Public URL').inputValue(), service.base);
	assert.equal(await field(page, 'Time zone').inputValue(), 'Europe/Berlin');
	assert.equal(await field(page, 'Language').inputValue(), 'en');
	await fillSetUp(page, 'ada@example.test');
	await field(page, 'Password').fill('short');
	await field(page, 'Public URL').fill('http://tidemark.lan/somewhere');
	await page.getByRole('button', { name: 'Create account' }).click();
	await page.getByText('Use at least 10 characters.').waitFor();
	await page.getByText('Enter http:// or https:// and a hostname, without a path.').waitFor();
	await assertGoodInAllLooks(page);
	await field(page, 'Language').selectOption('de');
	await heading(page, 'Tidemark einrichten').waitFor();
	await page.getByLabel('Sprache').selectOption('en');
	await field(page, 'Password').fill(goodPassword);
	await field(page, 'Public URL').fill('http://tidemark.lan/');
	await page.getByRole('button', { name: 'Create account' }).click();
	await page.waitForURL(`${service.base}/websites/new`);
	const [status, text] = await ask(page, '/session');
	assert.equal(status, 200);
	const { person, account, public_address } = JSON.parse(text).data;
	assert.deepEqual(
		[person.name, person.email, person.locale, account.name, account.timezone],
		['Ada', 'ada@example.test', 'en', 'Ada', 'Europe/Berlin'],
	);
	assert.deepEqual(public_address, { url: 'http://tidemark.lan', is_set: true });
	await page.goto(`${service.base}/account`);
	const banner = page.getByText(`You opened ${service.base}, but the public URL is http://tidemark.lan.`);
	await banner.waitFor();
	await page.goto('about:blank');
	await page.goto(link);
	await heading(page, 'This setup link is no longer valid').waitFor();

	const lan = await openElsewhere(browser, 'http://tidemark.lan/account');
	await heading(lan, 'Sign in').waitFor();
	await lan.getByText('This page is not encrypted').waitFor();
	await assertGoodInAllLooks(lan);
	await signIn(lan, 'ada@example.test');
	await field(lan, 'Name').waitFor();
	assert.equal(lan.url(), 'http://tidemark.lan/account');
	assert.equal(await lan.getByText('but the public URL is').count(), 0);
	const cookies = await lan.context().cookies();
	assert.deepEqual(cookies.map(({ name, secure }) => [name, secure]).sort(), [
		['tidemark', false],
		['tidemark-device', false],
	]);
	// Over plain http the browser does not say Sec-Fetch-Site: what it changes is taken by its Origin.
	await field(lan, 'Name').fill('Ada of the LAN');
	await lan.getByRole('button', { name: 'Save changes' }).click();
	await lan.getByText('Saved', { exact: true }).waitFor();
	assert.match((await ask(lan, '/session'))[1], /"name":"Ada of the LAN"/);
	// Nor is there a clipboard for scripts; what is selected is copied all the same.
	await lan.goto('http://tidemark.lan/forgotten');
	await lan.getByRole('button', { name: 'Copy' }).click();
	await lan.getByRole('button', { name: 'Copied' }).waitFor();
	await browser.close();
	assert.equal(await service.stop(), 0);
});

test('set up for https and opened without it, the page says why nobody stays signed in', async (t) => {
	const service = await startServiceProcess(t);
	await until(() => service.setupUrl() !== undefined, 5_000, 'the link is printed');
	const browser = await openBrowser(
		'light',
		`--host-resolver-rules=MAP tidemark.lan 127.0.0.1:${new URL(service.base).port}`,
	);
	t.after(() => browser.close());
	const { hash } = new URL(service.setupUrl() ?? '');
	const page = await openElsewhere(browser, `http://tidemark.lan/set-up${hash}`);
	await heading(page, 'Set up Tidemark').waitFor();
	await fillSetUp(page, 'bea@example.test');
	await page.getByText('Language, time zone and URL').click();
	await field(page, 'Public URL').fill('https://stats.example.test');
	await page.getByRole('button', { name: 'Create account' }).click();
	await heading(page, 'Account created').waitFor();
	await page.getByRole('link', { name: 'https://stats.example.test/sign-in' }).waitFor();
	await assertGoodInAllLooks(page);
	await page.goto('http://tidemark.lan/sign-in');
	await signIn(page, 'bea@example.test');
	await page.getByText('The browser rejected the session cookie').waitFor();
	const proxy = visitor(() => service.base);
	const json = { email: 'bea@example.test', password: goodPassword };
	assert.equal((await proxy('POST', '/session', { json })).status, 200, 'behind TLS it is right');
	await browser.close();
	assert.equal(await service.stop(), 0);
});

test('[T14] a session that was ended elsewhere is over at the next click, and nothing of it is left on the page', async () => {
	const account = await d.account({ name: 'Name of the first' });
	const page = await d.open('/account', account);
	await field(page, 'Name').waitFor();
	const elsewhere = await signedIn(d.w, account);
	assert.equal((await elsewhere('DELETE', '/session/browsers')).status, 200);
	await field(page, 'Name').fill('Another');
	await page.getByRole('button', { name: 'Save changes' }).click();
	await page.waitForURL(/\/sign-in\?to=%2Faccount$/);
	assert.doesNotMatch(await page.content(), /Name of the first/);
	const second = await d.account({ name: 'Name of the second' });
	await signIn(page, second.email);
	await page.waitForURL(`${d.w.base}/account`);
	assert.equal(await field(page, 'Name').inputValue(), 'Name of the second');
	assert.match((await account.api('GET', '/account')).text, /"name":"Name of the first"/);
});
