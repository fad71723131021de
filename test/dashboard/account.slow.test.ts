import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, test } from 'node:test';
import { generate } from 'otplib';
import type { Page } from 'playwright-core';
import { client } from '../support/client.ts';
import { freshDomain, websiteOf } from '../support/contract.ts';
import {
	assertAccessible,
	assertFits,
	assertGoodInAllLooks,
	openDashboard,
	pressLastInMenu,
} from '../support/dashboard.ts';
import { goodPassword } from '../support/visitor.ts';

/** Ahead of the real time, so that a test need not wait for the next code of an app. */
let aheadMs = 0;
const now = () => new Date(Date.now() + aheadMs);
const d = await openDashboard({ after }, { now });

const field = (page: Page, label: string) => page.getByLabel(label, { exact: true });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true });

const ask = (page: Page, path: string) =>
	page.evaluate<[number, string]>(
		`fetch('/app/api${path}').then(async (answer) => [answer.status, await answer.text()])`,
	);

async function signIn(page: Page, email: string, password = goodPassword): Promise<void> {
	await field(page, 'Email address').fill(email);
	await field(page, 'Password').fill(password);
	await button(page, 'Sign in').click();
}

test('name and language are kept with the person, the zone with the account, the theme in the browser', async () => {
	const account = await d.account({ name: 'Ann' });
	const page = await d.open('/account', account);
	// Stored without the space, and then nothing is unsaved.
	await field(page, 'Name').fill('Änne ');
	await field(page, 'Time zone').fill('America/New_York');
	await field(page, 'Language').selectOption('de');
	assert.equal(await field(page, 'Email address').inputValue(), account.email);
	await assertGoodInAllLooks(page);
	await button(page, 'Save changes').click();
	await page.getByText('Gespeichert', { exact: true }).waitFor();
	assert.equal(await button(page, 'Änderungen speichern').count(), 0);
	await heading(page, 'Profil').waitFor();
	const record = JSON.parse((await account.api('GET', '/account')).text).data;
	// The account has a name of its own, and the language of its primary owner.
	assert.deepEqual([record.name, record.timezone, record.locale], ['Ann', 'America/New_York', 'de']);
	await page.getByLabel('Darstellung').selectOption('dark');
	assert.equal(await page.evaluate('document.documentElement.dataset.theme'), 'dark');
	await page.reload();
	await heading(page, 'Profil').waitFor();
	assert.equal(await page.evaluate('document.documentElement.dataset.theme'), 'dark');
	await page.getByLabel('Darstellung').selectOption('system');
	assert.equal(await page.evaluate('document.documentElement.dataset.theme'), 'light');
	const other = await d.open('/account', account, { language: 'en-GB' });
	await heading(other, 'Profil').waitFor();
	assert.equal(await field(other, 'Name').inputValue(), 'Änne');
});

test('a new password wants the old one and signs the other browsers out', async () => {
	const account = await d.account();
	const other = await d.open('/account/usage', account);
	await other.getByText('Page views this month').waitFor();
	const page = await d.open('/account/security', account);
	await page.getByRole('listitem').nth(1).waitFor();
	await field(page, 'Current password').fill('not the password');
	await field(page, 'New password').fill('spring tide in march');
	await button(page, 'Change password').click();
	await page.getByText('Incorrect password.').waitFor();
	await field(page, 'Current password').fill(goodPassword);
	await field(page, 'New password').fill('short');
	await button(page, 'Change password').click();
	await page.getByText('Use at least 10 characters.').waitFor();
	await field(page, 'New password').fill('spring tide in march');
	await button(page, 'Change password').click();
	await page.getByText('Password changed. All other browsers were signed out.').waitFor();
	assert.equal(await field(page, 'Current password').inputValue(), '');
	assert.equal((await ask(page, '/session'))[0], 200);
	await page.getByRole('listitem').nth(1).waitFor({ state: 'detached' });

	await other.getByRole('link', { name: 'API keys' }).click();
	await heading(other, 'Sign in').waitFor();
	await signIn(other, account.email);
	await other.getByText('Incorrect email address or password.').waitFor();
	await signIn(other, account.email, 'spring tide in march');
	await other.waitForURL(`${d.w.base}/account/keys`);
});

test('[T87] a second factor is set up by its picture, asked for, stood in for by a recovery code, and taken away', async () => {
	const account = await d.account();
	const page = await d.open('/account/security', account);
	await button(page, 'Turn on').click();
	await field(page, 'Current password').last().fill('not the password');
	await button(page, 'Continue').click();
	await page.getByText('Incorrect password.').waitFor();
	await field(page, 'Current password').last().fill(goodPassword);
	await button(page, 'Continue').click();
	await page.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor();
	const secret = await field(page, 'Or enter this key manually').inputValue();
	assert.match(secret, /^[A-Z2-7]{32}$/);
	await assertGoodInAllLooks(page);
	const codeNow = () => generate({ secret, epoch: now().getTime() / 1000 });
	await field(page, 'Code from the app').fill('000000');
	await button(page, 'Confirm and turn on').click();
	await page.getByText('Incorrect code.').waitFor();
	assert.equal(JSON.parse((await ask(page, '/session'))[1]).data.two_factor, false);
	await field(page, 'Code from the app').fill(await codeNow());
	await button(page, 'Confirm and turn on').click();
	const codes = (await field(page, 'Recovery codes').inputValue()).split('\n');
	assert.equal(codes.length, 10);
	await assertGoodInAllLooks(page);
	assert.equal(JSON.parse((await ask(page, '/session'))[1]).data.two_factor, true);
	await button(page, 'I have saved the codes').click();
	await page.getByText('On. Signing in requires your password and a code.').waitFor();
	await page.locator(':focus', { hasText: /^Turn off$/ }).waitFor();
	assert.ok(!(await page.content()).includes(codes[0] ?? '?'), 'they are shown once');

	const other = await d.open('/sign-in?to=%2Faccount%2Fsecurity');
	await signIn(other, account.email);
	await heading(other, 'Two-factor authentication').waitFor();
	await assertGoodInAllLooks(other);
	await field(other, 'Code').fill('123456');
	await button(other, 'Sign in').click();
	await other.getByText('This code is incorrect or was already used.').waitFor();
	await button(other, 'Back').click();
	await signIn(other, account.email);
	aheadMs += 60_000;
	await field(other, 'Code').fill(await codeNow());
	await button(other, 'Sign in').click();
	await other.waitForURL(`${d.w.base}/account/security`);

	const lost = await d.open('/sign-in', undefined, { phone: true });
	for (const [given, isRight] of [
		[codes[3] ?? '', true],
		[codes[3] ?? '', false],
	] as const) {
		await lost.context().clearCookies();
		await lost.goto(`${d.w.base}/sign-in`);
		await signIn(lost, account.email);
		await button(lost, 'Use a recovery code').click();
		await field(lost, 'Recovery code').fill(given.toUpperCase());
		await button(lost, 'Sign in').click();
		if (isRight) await lost.waitForURL(`${d.w.base}/websites`);
		else await lost.getByText('This recovery code is incorrect or was already used.').waitFor();
	}

	await button(page, 'Turn off').click();
	await field(page, 'Current password').last().fill(goodPassword);
	await field(page, 'Two-factor code').last().fill('000000');
	await button(page, 'Turn off').click();
	await page.getByText('This code is incorrect or was already used.').waitFor();
	await assertGoodInAllLooks(page);
	await field(page, 'Two-factor code')
		.last()
		.fill(codes[4] ?? '');
	await button(page, 'Turn off').click();
	await page.getByText('Off. Your password is enough to sign in.').waitFor();
	assert.equal(JSON.parse((await ask(page, '/session'))[1]).data.two_factor, false);
});

test('whoever has a second factor and sets a password by a link still needs a code', async () => {
	const account = await d.account();
	const page = await d.open('/account/security', account);
	await button(page, 'Turn on').click();
	await field(page, 'Current password').last().fill(goodPassword);
	await button(page, 'Continue').click();
	const secret = await field(page, 'Or enter this key manually').inputValue();
	await field(page, 'Code from the app').fill(await generate({ secret, epoch: now().getTime() / 1000 }));
	await button(page, 'Confirm and turn on').click();
	await button(page, 'I have saved the codes').click();
	const { token } = await d.w.operate('account.reset', { email: account.email });
	await page.goto(`${d.w.base}/password#token=${token}`);
	await field(page, 'New password').fill('neap tide in april');
	await button(page, 'Set password and sign in').click();
	await page.getByText('Your password was set. You can sign in now.').waitFor();
	assert.equal((await ask(page, '/session'))[0], 401);
	await signIn(page, account.email, 'neap tide in april');
	await heading(page, 'Two-factor authentication').waitFor();
});

test('signed-in browsers are listed; one or all others are signed out, at once', async () => {
	const account = await d.account();
	const second = await d.open('/account/usage', account);
	const third = await d.open('/account/usage', account);
	const page = await d.open('/account/security', account);
	const rows = page.getByRole('listitem').filter({ has: button(page, 'Sign out') });
	const list = page.locator('ul').filter({ hasText: 'This browser' }).getByRole('listitem');
	await list.nth(2).waitFor();
	assert.match((await list.nth(0).textContent()) ?? '', /This browser.*Signed in .*, last active now/);
	assert.match(
		(await list.nth(0).locator('[title]').first().getAttribute('title')) ?? '',
		/:\d\d.* GMT\+\d$/,
	);
	assert.equal(await rows.count(), 0, 'each button says which browser it is for');
	await page
		.getByRole('button', { name: /^Sign out (?!This|all)/ })
		.first()
		.click();
	await list.nth(2).waitFor({ state: 'detached' });
	await button(page, 'Sign out all other sessions').click();
	await page.getByText('All other sessions were signed out.').waitFor();
	assert.equal(JSON.parse((await ask(page, '/session/browsers'))[1]).data.length, 1);
	for (const other of [second, third]) {
		await other.getByRole('link', { name: 'API keys' }).click();
		await heading(other, 'Sign in').waitFor();
	}
	await button(page, 'Sign out This browser').click();
	await heading(page, 'Sign in').waitFor();
	assert.equal((await ask(page, '/session'))[0], 401);
});

test('[T87] a key is made for some websites, shown once, used, given a new secret and revoked', async () => {
	const account = await d.account();
	const ids: number[] = [];
	for (const name of ['alpha', 'beta'])
		ids.push(
			websiteOf(await account.api('POST', '/websites', { form: { domain: freshDomain(name) } }), 201).id,
		);
	const page = await d.open('/account/keys', account);
	await page.getByText('First key').waitFor();
	await button(page, 'New API key').click();
	await field(page, 'Name').fill('Nightly export');
	await page.getByRole('radio', { name: /^Selected websites/ }).check();
	await field(page, 'Current password').fill(goodPassword);
	await button(page, 'Create API key').click();
	await page.getByText('Select at least one website.').waitFor();
	await field(page, 'Search websites').fill('beta');
	await page.getByRole('checkbox', { name: /alpha/ }).waitFor({ state: 'detached' });
	await page.getByRole('checkbox', { name: /beta/ }).check();
	await field(page, 'Current password').fill('not the password');
	await assertGoodInAllLooks(page);
	await button(page, 'Create API key').click();
	await page.getByText('Incorrect password.').waitFor();
	await field(page, 'Current password').fill(goodPassword);
	await button(page, 'Create API key').click();
	const key = await field(page, 'API key').inputValue();
	assert.match(key, /^tm_[0-9A-Za-z]{49}$/);
	await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
	await button(page, 'Copy').click();
	await button(page, 'Copied').waitFor();
	assert.equal(await page.evaluate('navigator.clipboard.readText()'), key);
	await assertGoodInAllLooks(page);
	const api = client(d.w.base, key);
	assert.equal((await api('GET', `/websites/${ids[1]}`)).status, 200);
	assert.equal((await api('GET', `/websites/${ids[0]}`)).status, 404);
	assert.equal((await api('PATCH', `/websites/${ids[1]}`, { form: { favorite: '1' } })).status, 403);
	await page.reload();
	const row = page.getByRole('listitem').filter({ hasText: 'Nightly export' });
	await row.getByText(/Read only · 1 website · … /).waitFor();
	await row.getByText(/last used/).waitFor();
	assert.ok(!(await page.content()).includes(key), 'shown once');

	const actions = page.getByRole('button', { name: 'Actions for Nightly export' });
	await actions.click();
	await page.getByRole('menuitem', { name: 'Rotate key' }).click();
	await field(page, 'Current password').fill(goodPassword);
	await page.getByRole('dialog').getByRole('button', { name: 'Rotate key' }).click();
	await page.getByRole('dialog').waitFor({ state: 'detached' });
	const renewed = await field(page, 'API key').inputValue();
	assert.notEqual(renewed, key);
	assert.equal((await api('GET', '/account')).status, 401);
	assert.equal((await client(d.w.base, renewed)('GET', `/websites/${ids[1]}`)).status, 200);
	await button(page, 'I have copied the key').click();

	await actions.click();
	await page.getByRole('menuitem', { name: 'Revoke' }).click();
	await page.getByText('The key stops working immediately.').waitFor();
	await assertAccessible(page);
	await page.keyboard.press('Escape');
	assert.equal((await client(d.w.base, renewed)('GET', `/websites/${ids[1]}`)).status, 200, 'not yet');
	await actions.click();
	await page.getByRole('menuitem', { name: 'Revoke' }).click();
	await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
	await page.getByRole('dialog').waitFor({ state: 'detached' });
	await row.waitFor({ state: 'detached' });
	assert.equal((await client(d.w.base, renewed)('GET', `/websites/${ids[1]}`)).status, 401);
});

test('a key is made and revoked with the keyboard alone', async () => {
	const account = await d.account();
	const page = await d.open('/account', account);
	await field(page, 'Name').waitFor();
	/** Goes on by Tab until the focus stands on what has this name. */
	const reach = async (name: RegExp) => {
		for (let n = 0; n < 60; n++) {
			await page.keyboard.press('Tab');
			const found = await page.evaluate<string>(
				'(document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.textContent) || ""',
			);
			if (name.test(found)) return;
		}
		assert.fail(`nothing named ${name} is reached`);
	};
	await reach(/^API keys$/);
	await page.keyboard.press('Enter');
	await page.getByText('First key').waitFor();
	await reach(/^New API key$/);
	await page.keyboard.press('Enter');
	await page.locator('input:focus').waitFor();
	await page.keyboard.type('By hand');
	await page.keyboard.press('Tab');
	await page.keyboard.press('ArrowDown');
	// Past the websites, the expiration and the networks.
	for (let n = 0; n < 4; n++) await page.keyboard.press('Tab');
	await page.keyboard.type(goodPassword);
	await page.keyboard.press('Enter');
	const key = await field(page, 'API key').inputValue();
	assert.equal(
		(await client(d.w.base, key)('POST', '/websites', { form: { domain: freshDomain() } })).status,
		201,
	);
	await reach(/^Actions for By hand$/);
	await page.keyboard.press('Enter');
	await pressLastInMenu(page);
	await page.getByRole('dialog').waitFor();
	await reach(/^Revoke$/);
	await page.keyboard.press('Enter');
	await page.getByRole('dialog').waitFor({ state: 'detached' });
	assert.equal((await client(d.w.base, key)('GET', '/account')).status, 401);
});

test('usage shows what there is and what is allowed', async () => {
	const account = await d.account({ limits: { websites: 4 } });
	await account.api('POST', '/websites', { form: { domain: freshDomain() } });
	const page = await d.open('/account/usage', account);
	await page.getByText('of 4').waitFor();
	assert.deepEqual(await page.locator('dl dd').allTextContents(), ['1 of 4', '0 unlimited']);
	await assertGoodInAllLooks(page);
});

test('every tab fits a phone in German and is reached by a menu', async () => {
	const account = await d.account({ locale: 'de' });
	const page = await d.open('/account', account, { phone: true, theme: 'dark', language: 'de-DE' });
	for (const tab of ['Sicherheit', 'API-Schlüssel', 'Nutzung', 'Profil']) {
		const menu = page.getByRole('button', { name: 'Einstellungen:' });
		assert.ok(((await menu.boundingBox())?.height ?? 0) >= 44);
		await menu.click();
		await page.getByRole('menuitem', { name: tab, exact: true }).click();
		await heading(page, tab).waitFor();
		await page.locator('main section').first().waitFor();
		await assertFits(page);
	}
	await page.goto(`${d.w.base}/account/nothing`);
	await heading(page, 'Seite nicht gefunden').waitFor();
});

test('[T38] names of people, keys and websites are text and nothing else', async () => {
	const hostile = `"'><img src=x onerror=alert(1)><script>alert(2)</script>{{constructor}}$t(common.save)`;
	const account = await d.account({ name: hostile });
	await account.api('POST', '/keys', { json: { name: hostile } });
	const page = await d.open('/account', account);
	let dialogs = 0;
	page.on('dialog', (dialog) => {
		dialogs++;
		void dialog.dismiss();
	});
	await field(page, 'Name').waitFor();
	assert.equal(await field(page, 'Name').inputValue(), hostile);
	await page.getByRole('link', { name: 'API keys' }).click();
	const row = page.getByRole('listitem').filter({ hasText: hostile });
	await row.waitFor();
	await row.getByRole('button').click();
	await page.getByRole('menuitem', { name: 'Revoke' }).click();
	await page.getByRole('dialog').getByText(`Revoke “${hostile}”?`).waitFor();
	assert.equal(await page.locator('img, body script:not([src])').count(), 0);
	assert.equal(dialogs, 0);
});

test('[T12] a page of another origin changes nothing in a browser that is signed in', async (t) => {
	const account = await d.account();
	const before = (await account.api('GET', '/keys')).text;
	const attack = (base: string) => `<!doctype html><title>elsewhere</title><iframe name="sink"></iframe>
		<form id="plain" method="post" enctype="text/plain" target="sink" action="${base}/app/api/keys"><input name='{"name":"taken","x":"' value='"}'></form>
		<form id="form" method="post" target="sink" action="${base}/app/api/keys"><input name="name" value="taken"></form>
		<img alt="" src="${base}/app/api/session">
		<script>
			const json = '{"name":"taken"}';
			const tries = [
				['POST', '/keys', { mode: 'no-cors', headers: { 'content-type': 'text/plain' }, body: json }],
				['POST', '/keys', { mode: 'cors', headers: { 'content-type': 'application/json' }, body: json }],
				['POST', '/keys', { mode: 'no-cors', body: new URLSearchParams({ name: 'taken' }) }],
				['DELETE', '/session', { mode: 'cors' }],
				['DELETE', '/session/browsers', { mode: 'cors' }],
				['PUT', '/session/account', { mode: 'cors', headers: { 'content-type': 'application/json' }, body: '{"name":"taken","locale":"en","timezone":"UTC"}' }],
				['GET', '/account', { mode: 'cors' }],
			];
			window.done = (async () => {
				const read = [];
				for (const [method, path, sent] of tries)
					await fetch('${base}/app/api' + path, { method, credentials: 'include', ...sent })
						.then((answer) => answer.text()).then((text) => text && read.push(text), () => undefined);
				const sink = document.querySelector('iframe');
				for (const form of document.forms) {
					const loaded = new Promise((resolve) => sink.addEventListener('load', resolve, { once: true }));
					form.submit();
					await loaded;
				}
				return read;
			})();
		</script>`;
	// Another port of the same host: the same site, so that the browser does send the cookie.
	const server = createServer((_request, reply) =>
		reply.setHeader('content-type', 'text/html').end(attack(d.w.base)),
	);
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	t.after(() => server.close());
	const address = server.address();
	assert.ok(address !== null && typeof address === 'object');
	const signedInPage = await d.open('/account', account);
	await field(signedInPage, 'Name').waitFor();
	const page = await signedInPage.context().newPage();
	const refused: number[] = [];
	page.on('response', (response) => {
		if (response.url().startsWith(d.w.base)) refused.push(response.status());
	});
	await page.goto(`http://127.0.0.1:${address.port}/`);
	assert.deepEqual(await page.evaluate('window.done'), [], 'nothing can be read');
	// What the browser itself keeps from the page is not among them.
	assert.ok(refused.length >= 2 && refused.every((status) => status === 403), refused.join());
	assert.equal(
		(await account.api('GET', '/keys')).text.replace(/"last_used_at":[^,}]+/g, ''),
		before.replace(/"last_used_at":[^,}]+/g, ''),
	);
	assert.match((await account.api('GET', '/account')).text, /"name":"A test account"/);
	assert.equal((await ask(signedInPage, '/session'))[0], 200, 'still signed in');
});

test('[T10] a second account reaches nothing of the first through the pages', async () => {
	const [owner, stranger] = [await d.account({ name: 'The owner' }), await d.account()];
	const domain = freshDomain('secret');
	const { id } = websiteOf(await owner.api('POST', '/websites', { form: { domain, privacy: '1' } }), 201);
	const page = await d.open('/account/keys', stranger);
	await page.getByText('First key').waitFor();
	for (const path of [
		'/websites',
		`/websites/${id}`,
		`/websites/${id}/settings`,
		`/websites/${id}/people`,
		'/account/security',
	]) {
		await page.goto(d.w.base + path);
		await page.waitForLoadState('networkidle');
		const content = await page.content();
		assert.ok(!content.includes(domain) && !content.includes('The owner'), path);
	}
	const keyOfOwner = JSON.parse((await owner.api('GET', '/keys')).text).data[0].id;
	for (const path of [
		`/websites/${id}`,
		`/websites/${id}/settings`,
		`/websites/${id}/drops`,
		`/keys/${keyOfOwner}`,
	])
		assert.equal((await ask(page, path))[0], 404, path);
	const sent = (method: string, path: string) =>
		page.evaluate<number>(`fetch('/app/api${path}', { method: '${method}' }).then(({ status }) => status)`);
	assert.equal(await sent('DELETE', `/websites/${id}`), 404);
	assert.equal(await sent('DELETE', `/keys/${keyOfOwner}`), 404);
	assert.equal(await sent('POST', `/keys/${keyOfOwner}/rotate`), 404);
	assert.equal((await owner.api('GET', `/websites/${id}`)).status, 200);
});

test('behind a proxy that is not trusted every page says which setting is missing', async () => {
	const account = await d.account();
	const page = await d.open('/account', account);
	await field(page, 'Name').waitFor();
	assert.equal(await page.getByText('TIDEMARK_TRUSTED_PROXIES').count(), 0);
	await page.context().setExtraHTTPHeaders({ 'x-forwarded-for': '203.0.113.7' });
	await page.reload();
	await page.getByText('Set TIDEMARK_TRUSTED_PROXIES=127.0.0.1 and restart').waitFor();
	await assertGoodInAllLooks(page);
});
