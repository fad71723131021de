import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { after, test } from 'node:test';
import type { Page } from 'playwright-core';
import { assertAccessible, assertFits, assertGoodInAllLooks, openDashboard } from '../support/dashboard.ts';
import { addProvider, startProvider } from '../support/oidc-provider.ts';
import { goodPassword } from '../support/visitor.ts';

const provider = await startProvider({ after });
const d = await openDashboard({ after }, { hosts: [new URL(provider.issuer).host] });
await addProvider(d.w, provider, { name: 'company', label: 'Example Company', admits: 'everyone' });
const continueButton = (page: Page) => page.getByRole('button', { name: 'Continue with Example Company' });
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true });
const alert = (page: Page, text: string | RegExp) => page.getByRole('alert').getByText(text);
await d.account();
let people = 0;
const newUser = (more: Record<string, unknown> = {}) => {
	const sub = `browser-${++people}`;
	const user = { sub, email: `${sub}@example.com`, email_verified: true, name: 'Anna Example', ...more };
	provider.setUser(user);
	return user;
};

test('a new person signs in with the button, and gets to the page that they wanted', async () => {
	newUser();
	const page = await d.open('/account/security');
	await continueButton(page).waitFor();
	await assertGoodInAllLooks(page);
	await continueButton(page).click();
	await page.waitForURL(`${d.w.base}/account/security`);
	await page.getByText('You have no password.', { exact: false }).waitFor();
	await assertGoodInAllLooks(page);
});

test('a person with an account links the provider with their password, and unlinks it', async () => {
	const user = newUser();
	await d.account({ email: user.email });
	const page = await d.open('/websites');
	await continueButton(page).click();
	await heading(page, 'Is this you?').waitFor();
	await page.getByText(user.email, { exact: false }).waitFor();
	await assertGoodInAllLooks(page);
	await page.getByLabel('Password', { exact: true }).fill('not the password');
	await page.getByRole('button', { name: 'Link and sign in' }).click();
	await page
		.getByText('password is incorrect', { exact: false })
		.or(page.getByText('Incorrect password', { exact: false }))
		.first()
		.waitFor();
	await page.getByLabel('Password', { exact: true }).fill(goodPassword);
	await page.getByRole('button', { name: 'Link and sign in' }).click();
	await page.waitForURL(`${d.w.base}/websites`);
	await page.goto(`${d.w.base}/account/security`);
	await page.getByRole('button', { name: 'Unlink Example Company' }).click();
	await page.getByText('lose the roles', { exact: false }).waitFor();
	await assertGoodInAllLooks(page);
	const form = page
		.locator('form')
		.filter({ has: page.getByRole('button', { name: 'Unlink Example Company' }) });
	await form.getByLabel('Current password').fill(goodPassword);
	await form.getByRole('button', { name: 'Unlink Example Company' }).click();
	await page.getByText('Not linked', { exact: true }).waitFor();

	await page.getByRole('button', { name: 'Link Example Company' }).click();
	const linking = page
		.locator('form')
		.filter({ has: page.getByRole('button', { name: 'Link Example Company' }) });
	await linking.getByLabel('Current password').fill(goodPassword);
	await linking.getByRole('button', { name: 'Link Example Company' }).click();
	await page.getByText('The provider is linked.', { exact: false }).waitFor();
	assert.match(page.url(), /\/account\/security\?oidc=linked$/);
});

test('what goes wrong is said on the sign-in page, in words of ours', async () => {
	newUser({ email_verified: false });
	const page = await d.open('/account/usage');
	await continueButton(page).click();
	await alert(page, /has not verified your email address/).waitFor();
	assert.match(page.url(), /\/sign-in\?oidc=unverified&to=%2Faccount%2Fusage$/);
	await assertGoodInAllLooks(page);
	provider.setUser({ sub: 'refuses' });
	const refused = await d.open('/websites');
	await continueButton(refused).click();
	await alert(refused, /did not sign you in/).waitFor();
	await page.goto(`${d.w.base}/sign-in?oidc=%3Cb%3Eyou+won%3C%2Fb%3E`);
	await continueButton(page).waitFor();
	assert.equal(await page.getByRole('alert').count(), 0, 'no other word is shown');
	await page.goto(`${d.w.base}/sign-in?oidc=proof`);
	await page.getByText('The sign-in took too long', { exact: false }).waitFor();
	await assertGoodInAllLooks(page);
});

test('where a provider is required, there is no password to type', async () => {
	await d.w.operate('oidc.require', { required: true });
	newUser();
	const page = await d.open('/websites');
	await page.getByText('identity provider of your organization', { exact: false }).waitFor();
	assert.equal(await page.getByLabel('Password', { exact: true }).count(), 0);
	await assertGoodInAllLooks(page);
	await continueButton(page).click();
	await page.waitForURL(`${d.w.base}/websites`);
	await d.w.operate('oidc.require', { required: false });
});

test('the sign-in page fits and is accessible in every language', async () => {
	const languages = readdirSync('dashboard/texts', { withFileTypes: true }).filter((entry) =>
		entry.isDirectory(),
	);
	assert.equal(languages.length, 9);
	for (const { name: language } of languages) {
		const page = await d.open('/sign-in?oidc=unknown', undefined, { language, phone: true });
		await page.locator(`html[lang^="${language}"]`).waitFor();
		await page.getByRole('button', { name: 'Example Company' }).waitFor();
		await page.getByRole('alert').waitFor();
		await assertAccessible(page);
		await assertFits(page);
		await page.context().close();
	}
});
