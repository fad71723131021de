import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Page } from 'playwright-core';
import { freshDomain, type Website, websiteOf } from '../support/contract.ts';
import { assertAccessible, assertGoodInAllLooks, openDashboard } from '../support/dashboard.ts';
import { createLink, linkOf, tokenOf } from '../support/share-links.ts';
import { storeEvents } from '../support/stored-events.ts';

const d = await openDashboard({ after });
const owner = await d.account();
const password = 'low tide 7';
const create = async (form: Record<string, string> = { privacy: '1' }) =>
	websiteOf(await owner.api('POST', '/websites', { form: { domain: freshDomain(), ...form } }), 201);
const dayMs = 86_400_000;
const dateBefore = (days: number) => new Date(Date.now() - days * dayMs).toISOString().slice(0, 10);

/** Thirty visitors from Germany and ten from Austria. */
async function fill(website: Website, days = 2): Promise<void> {
	await storeEvents(
		d.w,
		website.id,
		Array.from({ length: 40 }, (_, n) => ({
			date: dateBefore(days),
			country: n < 30 ? 'DE' : 'AT',
			browser: n % 2 ? 'Firefox' : 'Chrome',
			path: n % 3 ? '/' : '/blog',
		})),
	);
}
const sharing = (website: Website) => `/websites/${website.id}/settings/sharing`;
const links = (page: Page) =>
	page.locator('section', { has: page.getByRole('heading', { name: 'Share links' }) });
const dialog = (page: Page) => page.getByRole('dialog');
const visitors = (page: Page) => page.getByRole('button', { name: /^Visitors/ }).first();

test('[C-LINK-1] an admin creates, copies, edits and deletes a share link', async () => {
	const website = await create();
	await owner.api('POST', `/websites/${website.id}/segments`, {
		json: { name: 'Blog', filters: ['starts_with', 'page', ['/blog']] },
	});
	const page = await d.open(sharing(website), owner);
	await links(page).getByText('No share links yet.').waitFor();
	await links(page).getByRole('button', { name: 'New share link' }).click();
	await dialog(page).getByRole('button', { name: 'Create link' }).click();
	await dialog(page).getByLabel('Name').fill('Client');
	await dialog(page).getByLabel('Copy a segment').selectOption('Blog');
	await dialog(page).getByText('Page starts with /blog').waitFor();
	await dialog(page).getByRole('button', { name: 'Add filter' }).click();
	const filter = page.getByRole('dialog', { name: 'Add filter' });
	await filter.getByLabel('Dimension').selectOption('Country');
	assert.equal(await filter.getByRole('option', { name: 'Goal', exact: true }).count(), 0);
	await page.keyboard.press('Escape');
	await dialog(page).getByLabel('Devices').uncheck();
	await dialog(page).getByLabel('Dates').selectOption('Last days');
	await dialog(page).getByLabel('Days up to today').fill('7');
	await dialog(page).getByLabel('Password (optional)').fill(password);
	await dialog(page).getByLabel('Last day of the link (optional)').fill('2099-12-31');
	await assertAccessible(page);
	await dialog(page).getByRole('button', { name: 'Create link' }).click();
	const url = await dialog(page).getByLabel('Link', { exact: true }).inputValue();
	assert.match(url, /\/s\/[\w-]{43}$/);
	await dialog(page).getByRole('button', { name: 'Close' }).click();
	await links(page)
		.getByText('Page starts with /blog · Last 7 days · Password · Expires after Dec 31, 2099 · Not used yet')
		.waitFor();
	const [stored] = (
		(await owner.api('GET', `/websites/${website.id}/share-links`)).json as { data: { id: number }[] }
	).data;
	const link = linkOf(await owner.api('GET', `/websites/${website.id}/share-links/${stored?.id}`));
	assert.deepEqual(
		[link.url, link.filters, link.panels, link.last_days, link.has_password],
		[
			url,
			['starts_with', 'page', ['/blog']],
			['sources', 'pages', 'places', 'conversions', 'hours', 'vitals', 'live'],
			7,
			true,
		],
	);
	await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
	await links(page).getByRole('button', { name: 'Copy link: Client' }).click();
	await links(page).getByRole('button', { name: 'Copied' }).waitFor();
	assert.equal(await page.evaluate('navigator.clipboard.readText()'), url);

	await links(page).getByRole('button', { name: 'Edit Client' }).click();
	await dialog(page).getByLabel('Name').fill('Press');
	await dialog(page).getByRole('switch', { name: 'Remove password' }).click();
	await dialog(page).getByRole('button', { name: 'Remove filter: Page starts with /blog' }).click();
	await dialog(page).getByRole('button', { name: 'Save' }).click();
	await links(page).getByText('Last 7 days · Expires after Dec 31, 2099 · Not used yet').waitFor();
	await links(page).getByRole('button', { name: 'Delete Press' }).click();
	await dialog(page).getByRole('button', { name: 'Delete' }).click();
	await links(page).getByText('No share links yet.').waitFor();
});

test('[C-LINK-4][C-LINK-5] the page of a link shows its panels under its filter, which has no button', async () => {
	const website = await create();
	await fill(website);
	const link = await createLink(owner, website, {
		filters: ['is', 'country', ['DE']],
		panels: ['pages', 'places', 'vitals', 'live'],
		last_days: 7,
	});
	// Also in the browser of the owner.
	for (const account of [undefined, owner]) {
		const page = await d.open(`/s/${tokenOf(link)}`, account);
		await page.getByRole('heading', { level: 1, name: website.domain }).waitFor();
		await visitors(page).getByText('30', { exact: true }).waitFor();
		const chips = page.getByRole('list', { name: 'Filters' });
		await chips.getByText('Country is Germany').waitFor();
		await chips.getByText('Last 7 days').waitFor();
		assert.equal(await chips.getByRole('button').count(), 0);
		assert.equal(await page.getByRole('button', { name: 'Segments' }).count(), 0);
		for (const [panel, count] of [
			['Pages', 1],
			['Locations', 1],
			['Sources', 0],
			['Devices', 0],
			['Goals and events', 0],
		] as const)
			assert.equal(await page.getByRole('region', { name: panel }).count(), count, panel);
		assert.equal(await page.getByRole('link', { name: 'Settings' }).count(), 0);
		assert.equal(await page.getByRole('button', { name: 'Account' }).count(), 0);
		await page.getByRole('link', { name: /^\/blog/ }).click();
		await chips.getByText('Page is /blog').waitFor();
		await visitors(page).getByText('10', { exact: true }).waitFor();
		await chips.getByText('Country is Germany').waitFor();
		await page.reload();
		await visitors(page).getByText('10', { exact: true }).waitFor();
	}
	const { used_count: uses } = linkOf(
		await owner.api('GET', `/websites/${website.id}/share-links/${link.id}`),
	);
	assert.equal(uses, 4);
});

test('[C-LINK-6] a link whose dates are over opens on these dates', async () => {
	const website = await create();
	await fill(website, 60);
	const link = await createLink(owner, website, { from: dateBefore(70), to: dateBefore(50) });
	const page = await d.open(`/s/${tokenOf(link)}`);
	await visitors(page).getByText('40', { exact: true }).waitFor();
});

test('[C-LINK-7][C-LINK-8] a link asks for its password, and ends on an open page when it is deleted', async () => {
	const website = await create();
	await fill(website);
	const link = await createLink(owner, website, { password });
	const page = await d.open(`/s/${tokenOf(link)}`);
	await page.getByRole('heading', { name: 'Password required' }).waitFor();
	assert.ok(!(await page.content()).includes(website.domain));
	await page.getByLabel('Password').fill('high tide');
	await page.getByRole('button', { name: 'View statistics' }).click();
	await page.getByText('Incorrect password.').waitFor();
	await page.getByLabel('Password').fill(password);
	await page.getByRole('button', { name: 'View statistics' }).click();
	await visitors(page).getByText('40', { exact: true }).waitFor();
	await owner.api('DELETE', `/websites/${website.id}/share-links/${link.id}`);
	await page.evaluate("window.dispatchEvent(new Event('visibilitychange'))");
	await page.getByRole('heading', { name: 'Page not found' }).waitFor();
});

test('[C-LINK-11] a link without a password can be embedded, also of a private website', async () => {
	const website = await create();
	await fill(website);
	const link = await createLink(owner, website, { name: 'Frame', filters: ['is', 'country', ['AT']] });
	await createLink(owner, website, { name: 'Locked', password });
	const settings = await d.open(sharing(website), owner);
	await settings.getByLabel('Embed code').waitFor();
	assert.match(
		await settings.getByLabel('Embed code').inputValue(),
		new RegExp(`src="[^"]*/s/${tokenOf(link)}\\?embed=1&amp;theme=light"`),
	);
	assert.equal(await settings.getByText('Locked').count(), 1, 'in the list of links only');
	const page = await d.open(`/s/${tokenOf(link)}?embed=1`, owner);
	await visitors(page).getByText('10', { exact: true }).waitFor();
	assert.equal(await page.getByRole('banner').count(), 0);
});

test('the settings of share links and the page of a link fit and are accessible in all looks', async () => {
	const website = await create();
	await fill(website);
	const link = await createLink(owner, website, {
		name: 'Press: Germany only, until the end of the campaign',
		filters: ['and', ['is', 'country', ['DE']], ['or', ['is', 'page', ['/']], ['is', 'page', ['/blog']]]],
		from: dateBefore(20),
		expires_at: '2099-01-01T00:00:00Z',
	});
	await createLink(owner, website, { password, expires_at: '2026-01-01T00:00:00Z' });
	const settings = await d.open(sharing(website), owner);
	await links(settings).getByText(link.name).waitFor();
	await assertGoodInAllLooks(settings);
	await links(settings)
		.getByRole('button', { name: `Edit ${link.name}` })
		.click();
	await dialog(settings).getByLabel('First date').waitFor();
	await assertGoodInAllLooks(settings);
	const page = await d.open(`/s/${tokenOf(link)}`);
	await page.getByText('Country is Germany').first().waitFor();
	await assertGoodInAllLooks(page);
});

test('[C-LINK-14] a board is shared from its page, and its link shows the cards without links', async () => {
	const website = await create();
	await fill(website);
	const boards = await d.open('/boards', owner);
	const made = await boards.request.post(`${d.w.base}/app/api/boards`, {
		headers: { 'sec-fetch-site': 'same-origin' },
		data: {
			name: 'Clients',
			period: '7d',
			cards: [
				{ website_id: website.id, view: 'number' },
				{ website_id: website.id, view: 'breakdown', dimension: 'country', width: 6 },
				{ website_id: website.id, view: 'live' },
			],
		},
	});
	const { data } = (await made.json()) as { data: { id: number } };
	const board = await d.open(`/boards/${data.id}`, owner);
	await board.getByRole('button', { name: 'Share' }).click();
	await dialog(board).getByLabel('Name').fill('Agency');
	await assertAccessible(board);
	await dialog(board).getByRole('button', { name: 'Create link' }).click();
	await dialog(board).getByText('Not used yet').waitFor();
	await board.context().grantPermissions(['clipboard-read', 'clipboard-write']);
	await dialog(board).getByRole('button', { name: 'Copy link: Agency' }).click();
	await dialog(board).getByRole('button', { name: 'Copied' }).waitFor();
	const url = String(await board.evaluate('navigator.clipboard.readText()'));
	const page = await d.open(new URL(url).pathname);
	await page.getByRole('heading', { level: 1, name: 'Clients' }).waitFor();
	await page.getByText('40', { exact: true }).waitFor();
	await page
		.getByRole('row', { name: /Germany/ })
		.getByText('30')
		.waitFor();
	assert.equal(await page.locator('main a[href^="/websites"]').count(), 0);
	await assertGoodInAllLooks(page);
	await dialog(board).getByRole('button', { name: 'Delete Agency' }).click();
	await dialog(board)
		.getByRole('button', { name: /Agency/ })
		.last()
		.click();
	await dialog(board).getByText('Not used yet').waitFor({ state: 'detached' });
	await page.evaluate("window.dispatchEvent(new Event('visibilitychange'))");
	await page.getByRole('heading', { name: 'Page not found' }).waitFor();
});
