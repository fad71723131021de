import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { after, test } from 'node:test';
import type { Page } from 'playwright-core';
import { z } from 'zod';
import { assertFits, assertGoodInAllLooks, openDashboard } from '../support/dashboard.ts';
import { goodPassword } from '../support/visitor.ts';

/** Browsers offer passkeys for `localhost` and for no IP address. */
const d = await openDashboard({ after }, { host: 'localhost' });
const atAddress = await openDashboard({ after });

const field = (page: Page, label: string) => page.getByLabel(label, { exact: true });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const menuItem = (page: Page, name: string) => page.getByRole('menuitem', { name, exact: true });
const text = (page: Page, words: string) => page.getByText(words, { exact: true });

/** Chromium's own authenticator: it confirms at once, if it is set to. */
async function addAuthenticator(page: Page) {
	const cdp = await page.context().newCDPSession(page);
	await cdp.send('WebAuthn.enable');
	const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
		options: {
			protocol: 'ctap2',
			transport: 'internal',
			hasResidentKey: true,
			hasUserVerification: true,
			isUserVerified: true,
			automaticPresenceSimulation: true,
		},
	});
	return {
		verifyUser: (isUserVerified: boolean) =>
			cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
		credentials: async () =>
			(await cdp.send('WebAuthn.getCredentials', { authenticatorId })).credentials.length,
	};
}

async function signOut(page: Page): Promise<void> {
	await page.evaluate(`fetch('/app/api/session', { method: 'DELETE' })`);
	await page.goto(`${d.base}/sign-in`);
	await button(page, 'Sign in with a passkey').waitFor();
}

async function addPasskey(page: Page, name: string): Promise<void> {
	await button(page, 'Add a passkey').click();
	await field(page, 'Name').fill(name);
	await page
		.locator('form', { has: field(page, 'Name') })
		.getByLabel('Current password', { exact: true })
		.fill(goodPassword);
	await button(page, 'Add a passkey').click();
}

test('a passkey is added and named, signs in, is a second factor, and is removed', async () => {
	const account = await d.account();
	const page = await d.open('/account/security', account);
	const authenticator = await addAuthenticator(page);
	await addPasskey(page, 'Work laptop');
	await page.getByText('never used').waitFor();
	assert.equal(await authenticator.credentials(), 1);
	await assertGoodInAllLooks(page);

	await addPasskey(page, 'Again');
	await text(page, 'This device or password manager already has a passkey for your account.').waitFor();
	await page.getByRole('button', { name: 'Cancel' }).click();

	await button(page, 'Actions for Work laptop').click();
	await menuItem(page, 'Rename').click();
	await page.getByRole('dialog').getByLabel('Name').fill('Laptop');
	await button(page, 'Save').click();
	await button(page, 'Actions for Laptop').waitFor();

	// Passkeys as the second factor, proven with one.
	await button(page, 'Use passkeys').click();
	await button(page, 'Use a passkey instead').last().click();
	await text(page, 'Confirmed with your passkey.').waitFor();
	await button(page, 'Turn on').click();
	await page.getByRole('heading', { name: 'Save your recovery codes' }).waitFor();
	await button(page, 'I have saved the codes').click();
	await text(page, 'Recovery codes left: 10').waitFor();
	await text(page, 'On. Signing in with your password also requires a passkey.').waitFor();
	await assertGoodInAllLooks(page);

	await signOut(page);
	await assertGoodInAllLooks(page);
	await authenticator.verifyUser(false);
	await button(page, 'Sign in with a passkey').click();
	await text(page, 'The passkey prompt was closed or timed out. Try again.').waitFor();
	await authenticator.verifyUser(true);
	await button(page, 'Sign in with a passkey').click();
	await page.waitForURL(/\/websites/);

	await signOut(page);
	await field(page, 'Email address').fill(account.email);
	await field(page, 'Password').fill(goodPassword);
	await button(page, 'Sign in').click();
	await text(page, 'Use your passkey, or enter one of your recovery codes.').waitFor();
	await assertGoodInAllLooks(page);
	await button(page, 'Use a passkey').click();
	await page.waitForURL(/\/websites/);

	await page.goto(`${d.base}/account/security`);
	await button(page, 'Actions for Laptop').click();
	await menuItem(page, 'Remove').click();
	await page.getByText('This is your only second factor.').waitFor();
	await button(page, 'Close').click();
	await button(page, 'Turn off').click();
	await button(page, 'Use a passkey instead').last().click();
	await text(page, 'Confirmed with your passkey.').waitFor();
	await button(page, 'Turn off').click();
	await text(page, 'Off. Your password is enough to sign in.').waitFor();
	await button(page, 'Actions for Laptop').click();
	await menuItem(page, 'Remove').click();
	const dialog = page.getByRole('dialog');
	await dialog.getByLabel('Current password').fill(goodPassword);
	await assertGoodInAllLooks(page);
	await dialog.getByRole('button', { name: 'Remove' }).click();
	await dialog.waitFor({ state: 'detached' });
	assert.equal(await button(page, 'Actions for Laptop').count(), 0);

	await signOut(page);
	await button(page, 'Sign in with a passkey').click();
	await text(page, 'This passkey was not accepted. Try again, or use your password.').waitFor();
});

test('a passkey stands in for the password in the other dialogs', async () => {
	const page = await d.open('/account/security', await d.account());
	await addAuthenticator(page);
	await addPasskey(page, 'Laptop');
	await page.getByText('never used').waitFor();
	await page.goto(`${d.base}/account/keys`);
	await button(page, 'New API key').first().click();
	await field(page, 'Name').fill('Export');
	await button(page, 'Use a passkey instead').click();
	await text(page, 'Confirmed with your passkey.').waitFor();
	await page.locator('form').getByRole('button', { name: 'Create', exact: false }).click();
	await page
		.getByText(/tm_\w+/)
		.first()
		.waitFor();
});

test('recovery codes are replaced, and running out of them is a warning', async () => {
	const account = await d.account();
	const page = await d.open('/account/security', account);
	await addAuthenticator(page);
	await addPasskey(page, 'Laptop');
	await button(page, 'Use passkeys').click();
	await button(page, 'Use a passkey instead').last().click();
	await text(page, 'Confirmed with your passkey.').waitFor();
	await button(page, 'Turn on').click();
	await button(page, 'I have saved the codes').click();
	await d.w.sql(
		`DELETE FROM recovery_codes WHERE account_id = $1 AND digest NOT IN (SELECT digest FROM recovery_codes WHERE account_id = $1 LIMIT 3)`,
		[account.id],
	);
	await page.reload();
	await text(page, 'Recovery codes left: 3. Generate new ones before you run out.').waitFor();
	await assertGoodInAllLooks(page);
	await button(page, 'Generate new recovery codes').click();
	await button(page, 'Use a passkey instead').last().click();
	await text(page, 'Confirmed with your passkey.').waitFor();
	await button(page, 'Generate new recovery codes').click();
	await button(page, 'I have saved the codes').click();
	await text(page, 'Recovery codes left: 10').waitFor();
});

test('[C-PASSKEY-1] at an IP address the page says why there are no passkeys', async () => {
	const page = await atAddress.open('/account/security', await atAddress.account());
	await text(
		page,
		'Passkeys need a host name, but the public URL of this server has an IP address.',
	).waitFor();
	assert.equal(await button(page, 'Add a passkey').count(), 0);
	await assertGoodInAllLooks(page);
	const signIn = await atAddress.open('/sign-in');
	await button(signIn, 'Sign in').waitFor();
	await signIn.waitForLoadState('networkidle');
	assert.equal(await button(signIn, 'Sign in with a passkey').count(), 0);
});

const textsSchema = z.object({
	pages: z.object({
		signIn: z.object({ passkey: z.object({ submit: z.string() }) }),
		account: z.object({ passkeys: z.object({ title: z.string(), add: z.string(), nameHint: z.string() }) }),
	}),
});
const languages = readdirSync('dashboard/texts', { withFileTypes: true }).filter((entry) =>
	entry.isDirectory(),
);

for (const { name: language } of languages)
	test(`passkeys fit on a phone in ${language}`, async () => {
		const { pages } = textsSchema.parse(await import(`../../dashboard/texts/${language}/pages.ts`));
		const { title, add, nameHint } = pages.account.passkeys;
		const account = await d.account({ locale: language });
		const page = await d.open('/account/security', account, { language, phone: true });
		await page.getByRole('heading', { name: title, exact: true }).waitFor();
		await button(page, add).click();
		await text(page, nameHint).waitFor();
		await assertFits(page);
		const signIn = await d.open('/sign-in', undefined, { language, phone: true });
		await button(signIn, pages.signIn.passkey.submit).waitFor();
		await assertFits(signIn);
	});
