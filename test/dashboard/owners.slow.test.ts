import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Page } from 'playwright-core';
import { freshDomain, websiteOf } from '../support/contract.ts';
import { assertAccessible, looks, openDashboard } from '../support/dashboard.ts';
import { startMailServer } from '../support/mail-server.ts';
import { until } from '../support/service.ts';
import { goodPassword } from '../support/visitor.ts';
import type { TestAccount } from '../support/world.ts';

const server = await startMailServer({ after });
const d = await openDashboard(
	{ after },
	{
		settings: {
			TIDEMARK_SMTP_HOST: '127.0.0.1',
			TIDEMARK_SMTP_PORT: String(server.port),
			TIDEMARK_SMTP_TLS: 'none',
			TIDEMARK_MAIL_FROM: 'Tidemark <stats@example.test>',
		},
	},
);

const createWebsite = async (of: TestAccount) =>
	websiteOf(await of.api('POST', '/websites', { form: { domain: freshDomain(), privacy: '1' } }), 201);
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });

/** Chooses an entry of the menu of an owner. */
async function chooseFor(page: Page, name: string, action: string) {
	await button(page, `Actions for ${name}`).click();
	await page.getByRole('menuitem', { name: action }).click();
}

/** Confirms the open dialog with the password. */
async function prove(page: Page, action: string) {
	const dialog = page.getByRole('dialog');
	await dialog.getByLabel('Current password').fill(goodPassword);
	await dialog.getByRole('button', { name: action, exact: true }).click();
	await dialog.waitFor({ state: 'detached' });
}

test('an agency: a second owner is invited, works in both accounts, becomes the primary owner and removes the first', async () => {
	const founder = await d.account({ name: 'Ann Founder' });
	const other = await d.account({ name: 'Bob Partner' });
	const [website, own] = [await createWebsite(founder), await createWebsite(other)];

	const page = await d.open('/account', founder);
	await page.getByLabel('Account name').fill('Harbor Agency');
	await button(page, 'Save changes').click();
	await page.goto(`${d.w.base}/account/people`);
	await button(page, 'Invite member').click();
	const dialog = page.getByRole('dialog');
	await dialog.getByRole('radio', { name: 'Owner' }).check();
	await dialog.getByLabel(/^Email address/).fill(other.email);
	await dialog.getByLabel('Current password').fill(goodPassword);
	await assertAccessible(page);
	await dialog.getByRole('button', { name: 'Create invitation link' }).click();
	const link = await dialog.getByLabel('Invitation link').inputValue();
	await dialog.getByRole('button', { name: 'Done' }).click();

	const older = await d.open('/websites', other);
	await older.getByRole('link', { name: own.domain }).waitFor();
	const partner = await older.context().newPage();
	await partner.goto(link);
	await partner.getByText('Your role is Owner').waitFor();
	await button(partner, 'Accept invitation').click();
	await partner.getByRole('link', { name: website.domain }).waitFor();
	assert.equal(await partner.getByRole('link', { name: own.domain }).count(), 0);
	await older.reload();
	await older.getByRole('link', { name: own.domain }).waitFor();

	// The older tab keeps the account that it shows, whatever other tabs work in.
	const listed = older.waitForRequest((request) => request.url().includes('/app/api/stats?'));
	await older.reload();
	assert.equal((await listed).headers()['tidemark-account'], String(other.id));
	await button(partner, 'Account').click();
	await partner.getByRole('menuitemcheckbox', { name: 'Bob Partner' }).click();
	await partner.getByRole('link', { name: own.domain }).waitFor();
	await button(partner, 'Account').click();
	await partner.getByRole('menuitemcheckbox', { name: 'Harbor Agency' }).click();
	await partner.getByRole('link', { name: website.domain }).waitFor();

	await page.reload();
	await chooseFor(page, 'Bob Partner', 'Make primary owner');
	await prove(page, 'Make primary owner');
	await page.getByText('Primary owner').waitFor();
	await partner.goto(`${d.w.base}/account/people`);
	await chooseFor(partner, 'Ann Founder', 'Remove');
	await prove(partner, 'Remove');
	await until(
		async () => (await partner.getByText('Ann Founder').count()) === 0,
		30_000,
		'the owner is gone',
	);
	// The window of the removed owner says so, and continues in their own account.
	await page.goto(`${d.w.base}/websites`);
	await until(
		async () => (await page.getByRole('link', { name: website.domain }).count()) === 0,
		30_000,
		'the removed owner sees nothing of the account',
	);
});

test('favorites are moved among each other', async () => {
	const owner = await d.account();
	const websites = [await createWebsite(owner), await createWebsite(owner)];
	const page = await d.open('/websites', owner);
	for (const { domain } of websites) await button(page, `Favorite: ${domain}`).click();
	await page.reload();
	const order = async () =>
		(await page.getByRole('listitem').getByRole('link').allTextContents()).filter((text) =>
			websites.some(({ domain }) => domain === text),
		);
	const [first, second] = websites.map(({ domain }) => domain);
	await until(async () => (await order()).join() === [first, second].join(), 30_000, 'the order of marking');
	await page.getByRole('button', { name: `Move ${second} up` }).click();
	await until(async () => (await order()).join() === [second, first].join(), 30_000, 'the chosen order');
	assert.ok(await page.getByRole('button', { name: `Move ${second} up` }).isDisabled());
});

test('a person changes their address through a mail, and deletes their sign-in', async () => {
	const who = await d.account({ name: 'Cleo' });
	const { domain } = await createWebsite(who);
	const page = await d.open('/account', who);
	await button(page, 'Change address').click();
	const dialog = page.getByRole('dialog');
	await dialog.getByLabel('New email address').fill('cleo@example.net');
	await assertAccessible(page);
	await prove(page, 'Send link');
	await page.getByText('Open the link that was sent to cleo@example.net').waitFor();
	await until(
		async () => (await server.mails()).some(({ to }) => to?.[0]?.address === 'cleo@example.net'),
		30_000,
		'the mail',
	);
	const mail = (await server.mails()).find(({ to }) => to?.[0]?.address === 'cleo@example.net');
	await page.goto(/http\S+/.exec(mail?.text ?? '')?.[0] ?? '');
	await page.getByText('Confirm cleo@example.net as the new email address').waitFor();
	await page.getByRole('button', { name: /confirm/i }).click();
	await page.waitForURL(/\/websites$/);
	await page.goto(`${d.w.base}/account/security`);
	await button(page, 'Delete my profile').click();
	await page.getByRole('dialog').getByText(domain).waitFor();
	await assertAccessible(page);
	await page.getByRole('dialog').getByLabel('Current password').fill(goodPassword);
	await page.getByRole('dialog').getByRole('button', { name: 'Delete my profile' }).click();
	await page.waitForURL(/\/sign-in/);
});

for (const look of looks)
	test(`profile, owners and own data pass every rule of axe: ${JSON.stringify(look)}`, async () => {
		const founder = await d.account();
		for (const path of ['/account', '/account/people', '/account/security']) {
			const page = await d.open(path, founder, look);
			await page.getByRole('heading', { level: 1 }).or(page.getByRole('main')).first().waitFor();
			await assertAccessible(page);
		}
	});
