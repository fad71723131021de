import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Page } from 'playwright-core';
import { send } from '../support/client.ts';
import { freshDomain, websiteOf } from '../support/contract.ts';
import { assertAccessible, assertFits, assertGoodInAllLooks, openDashboard } from '../support/dashboard.ts';
import { sampleReport, storeReport } from '../support/reports.ts';

const d = await openDashboard({ after });
const owner = await d.account({ name: 'Olga Owner' });
const website = websiteOf(
	await owner.api('POST', '/websites', { form: { domain: freshDomain(), privacy: '1', email: '1' } }),
	201,
);
const { id, domain } = website;

test('before the first report the page says when it comes', async () => {
	const page = await d.open(`/websites/${id}/reports`, owner);
	await page.getByText('No reports yet').waitFor();
	// A preview does not have to wait for it.
	await page.getByRole('heading', { name: /^Preview · / }).waitFor();
	await page.getByText('Visitors', { exact: true }).waitFor();
	await assertGoodInAllLooks(page);
	await page.context().close();
});

test('made reports are listed with their numbers, and open the very period', async () => {
	const of = { id, name: domain, domain };
	await storeReport(d.w, owner.id, sampleReport({ website: of }));
	await storeReport(
		d.w,
		owner.id,
		sampleReport({ website: of, kind: 'month', isProvisional: true, madeAt: '2026-11-01T06:00:00.000Z' }),
	);
	const page = await d.open(`/websites/${id}/reports`, owner);
	const list = page.getByRole('list', { name: 'Reports, newest first' });
	await list.getByRole('listitem').first().waitFor();
	const texts = await list.getByRole('listitem').allInnerTexts();
	assert.equal(texts.length, 2);
	assert.match(texts[0] ?? '', /Nov 9\s–\s15, 2026[\s\S]*Week[\s\S]*1,204[\s\S]*12%/);
	assert.match(texts[1] ?? '', /Oct 1\s–\s31, 2026[\s\S]*Month · provisional/);
	const whole = page
		.locator('section')
		.filter({ has: page.getByRole('heading', { level: 2 }) })
		.first();
	assert.match(
		(await whole.textContent()) ?? '',
		/What changed[\s\S]*Source Hacker News 184 visitors[\s\S]*Page \/docs\/install 154 visitors[\s\S]*3,871[\s\S]*41%[\s\S]*2m 18s[\s\S]*€4,048[\s\S]*Sign-up48/,
	);
	await assertGoodInAllLooks(page);
	await list.getByRole('link', { name: 'Oct 1 – 31, 2026' }).click();
	await page.getByRole('heading', { name: 'Oct 1 – 31, 2026' }).waitFor();
	await page.goBack();
	await page.getByRole('heading', { name: 'Nov 9 – 15, 2026' }).getByRole('link').click();
	await page.waitForURL(`**/websites/${id}?from=2026-11-09&to=2026-11-15`);
	await page.context().close();
});

test('the address of the feed is made, shown once, renewed and removed', async () => {
	const page = await d.open(`/websites/${id}/settings/reports`, owner);
	await page.getByRole('link', { name: 'All reports' }).click();
	await page.getByRole('button', { name: 'Create feed URL' }).click();
	// The dialog, which may still be closing, has the words in its title.
	const field = page.getByRole('textbox', { name: 'Feed URL' });
	const first = await field.inputValue();
	assert.match(first, /\/feeds\/[\w-]{43}\.atom$/);
	const statusOf = async (url: string) => (await send(d.w.base, 'GET', new URL(url).pathname)).status;
	assert.equal(await statusOf(first), 200);
	await assertAccessible(page);
	await assertFits(page);
	await page.reload();
	await page.getByText('A feed URL was created on').waitFor();
	assert.equal(await field.count(), 0, 'it is not shown again');
	await page.getByRole('button', { name: 'Create new feed URL' }).click();
	await page.getByRole('dialog').getByRole('button', { name: 'Create new feed URL' }).click();
	await field.waitFor();
	const second = await field.inputValue();
	assert.notEqual(second, first);
	assert.deepEqual([await statusOf(first), await statusOf(second)], [404, 200]);
	await page.getByRole('button', { name: 'Remove feed URL' }).click();
	await page.getByRole('dialog').getByRole('button', { name: 'Remove feed URL' }).click();
	await page.getByRole('button', { name: 'Create feed URL' }).waitFor();
	assert.equal(await statusOf(second), 404);
	await page.context().close();
});

test('an account chooses when reports come, and whether in one mail', async () => {
	const page = await d.open('/account/mail', owner);
	const schedule = page.getByLabel('Frequency');
	await schedule.waitFor();
	assert.equal(await schedule.inputValue(), 'week');
	await assertGoodInAllLooks(page);
	await schedule.selectOption('both');
	await page.getByRole('switch', { name: 'Combine all websites in one email' }).click();
	await page.getByRole('button', { name: 'Save changes' }).click();
	await page.getByText('Saved', { exact: true }).waitFor();
	await page.reload();
	assert.equal(await schedule.inputValue(), 'both');
	assert.equal(
		await page.getByRole('switch', { name: 'Combine all websites in one email' }).isChecked(),
		true,
	);
	await page.context().close();
});

test('a viewer sees the reports and no feed, a stranger nothing', async () => {
	const viewer = await d.account();
	await d.w.sql(
		"INSERT INTO members (owner_id, website_id, member_id, role, created_at) VALUES ($1, $2, $3, 'viewer', now())",
		[owner.id, id, viewer.id],
	);
	const page = await d.open(`/websites/${id}/reports`, viewer);
	await page.getByRole('heading', { name: 'Reports', level: 1 }).waitFor();
	assert.equal(await page.getByText('Feed URL').count(), 0);
	assert.equal(await page.getByRole('heading', { name: 'Feed' }).count(), 0);
	await page.context().close();
	const other = await d.open(`/websites/${id}/reports`, await d.account());
	await other.getByText('Page not found').waitFor();
	await other.context().close();
});

test('without a mail server, whatever needs one says so: to the operator what to set, to others whom to ask', async () => {
	const operator = 'Set TIDEMARK_SMTP_HOST and TIDEMARK_MAIL_FROM and restart the server';
	const noMail = (page: Page, text: string) =>
		page
			.getByRole('status')
			.filter({ hasText: 'Mail is not set up on this server.' })
			.filter({ hasText: text });
	const page = await d.open(`/websites/${id}/settings/reports`, owner);
	await noMail(page, operator).getByRole('link', { name: 'System health' }).waitFor();
	await assertGoodInAllLooks(page);
	await page.goto(`${d.w.base}/account/mail`);
	await noMail(page, 'Reports are listed in the dashboard').waitFor();
	await noMail(page, 'Recipients cannot be invited').waitFor();
	await page.goto(`${d.w.base}/account/people`);
	await page.getByRole('button', { name: 'Invite member' }).click();
	await noMail(page, 'you get a link to pass on').waitFor();

	const other = await d.account();
	const theirs = websiteOf(await other.api('POST', '/websites', { form: { domain: freshDomain() } }), 201);
	await other.api('POST', `/websites/${theirs.id}/alerts`, { json: { kind: 'spike', channel: 'mail' } });
	const alerts = await d.open(`/websites/${theirs.id}/settings/alerts`, other, { phone: true });
	await noMail(alerts, 'Ask the operator of this server to set it up').waitFor();
	assert.equal(await alerts.getByRole('link', { name: 'System health' }).count(), 0);
	await alerts.getByRole('button', { name: 'Add alert' }).click();
	const dialog = alerts.getByRole('dialog');
	await dialog.getByText('Alerts by email are not delivered').waitFor();
	await assertAccessible(alerts);
	await dialog.getByText('ntfy', { exact: true }).click();
	await dialog.getByText('Alerts by email are not delivered').waitFor({ state: 'detached' });
});
