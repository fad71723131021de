import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Page } from 'playwright-core';
import { assertFits, assertGoodInAllLooks, openDashboard } from '../support/dashboard.ts';
import { goodPassword } from '../support/visitor.ts';

/** Mails stay in the outbox: nothing listens there. */
const d = await openDashboard(
	{ after },
	{
		settings: {
			TIDEMARK_SMTP_HOST: '127.0.0.1',
			TIDEMARK_SMTP_PORT: '9',
			TIDEMARK_SMTP_TLS: 'none',
			TIDEMARK_MAIL_FROM: 'Tidemark <stats@example.test>',
		},
	},
);
// The first account is the operator's.
const operator = await d.account({ name: 'Olive' });
const prove = (page: Page) => page.getByLabel('Current password', { exact: true }).fill(goodPassword);
const choose = async (page: Page, name: string, action: string) => {
	await page.getByRole('button', { name: `Actions for ${name}` }).click();
	await page.getByRole('menuitem', { name: action }).click();
};

test('an operator creates an account, limits, disables and deletes it, and sees all of that in the log', async () => {
	const page = await d.open('/operator', operator);
	await page.getByRole('button', { name: 'Create account' }).click();
	const dialog = page.getByRole('dialog');
	await dialog.getByLabel('Name', { exact: true }).fill('Harbour Books');
	await dialog.getByLabel('Email address').fill('books@example.test');
	await dialog.getByRole('button', { name: 'Create account' }).click();
	await dialog.getByLabel('Invitation link').waitFor();
	await page.keyboard.press('Escape');

	await page.getByLabel('Search').fill('books@');
	await page.getByText('Harbour Books').first().waitFor();
	await choose(page, 'Harbour Books', 'Set limits');
	await page.getByRole('dialog').getByLabel('Website limit').fill('3');
	await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
	await page.getByText('Websites: 0 of 3').waitFor();
	await assertGoodInAllLooks(page);

	await choose(page, 'Harbour Books', 'Disable');
	await prove(page);
	await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click();
	await page.getByRole('list', { name: 'Accounts' }).getByText('Disabled', { exact: true }).waitFor();
	await choose(page, 'Harbour Books', 'Delete');
	await prove(page);
	await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
	await page.getByText('No account matches.').waitFor();

	await page.getByRole('link', { name: 'Operator log' }).click();
	for (const entry of ['Deleted', 'Disabled', 'limits']) await page.getByText(entry).first().waitFor();
	await assertGoodInAllLooks(page);
});

test('somebody who is no operator is shown none of it', async () => {
	const page = await d.open('/operator', await d.account());
	await page.getByText('Page not found').first().waitFor();
	assert.equal(await page.getByRole('link', { name: 'Operator log' }).count(), 0);
});

test('the operator opens sign-up, and a newcomer creates an account with the mailed link', async () => {
	const page = await d.open('/operator/sign-up', operator);
	await page.getByLabel('Certain domains').check();
	await page.getByLabel('Domains (one per line)').fill('example.test');
	await prove(page);
	await page.getByRole('button', { name: 'Save' }).click();
	await page.getByText('Saved').first().waitFor();
	await assertGoodInAllLooks(page);

	const newcomer = await d.open('/sign-in', undefined, { phone: true });
	await newcomer.getByRole('link', { name: 'Create an account' }).click();
	await newcomer.getByLabel('Email address').fill('new@elsewhere.test');
	await newcomer.getByRole('button', { name: 'Send link' }).click();
	await newcomer.getByText('Email addresses of this domain cannot sign up.').waitFor();
	await newcomer.getByLabel('Email address').fill('new@example.test');
	await newcomer.getByRole('button', { name: 'Send link' }).click();
	await newcomer.getByText('Check your inbox.').waitFor();
	await assertGoodInAllLooks(newcomer);

	const [mail] = await d.w.sql<{ content: { text: string } }>(
		"SELECT content FROM outbox WHERE recipient = 'new@example.test'",
	);
	const [link = ''] = /http\S+\/sign-up#token=[\w-]{43}/.exec(mail?.content.text ?? '') ?? [];
	// A link in a mail opens a new tab.
	await newcomer.goto('about:blank');
	await newcomer.goto(link);
	await newcomer.getByLabel('Your name').fill('Nora');
	await newcomer.getByLabel('Password', { exact: true }).fill('password1234');
	await newcomer.getByRole('button', { name: 'Create account' }).click();
	await newcomer
		.getByText(/common|guess/)
		.first()
		.waitFor();
	await assertFits(newcomer);
	await newcomer.getByLabel('Password', { exact: true }).fill(goodPassword);
	await newcomer.getByRole('button', { name: 'Create account' }).click();
	await newcomer.waitForURL(/\/websites/);
	const [account] = await d.w.sql<{ name: string }>(
		"SELECT name FROM people WHERE email = 'new@example.test'",
	);
	assert.equal(account?.name, 'Nora');
});
