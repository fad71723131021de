import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { Page } from 'playwright-core';
import { accentShades } from '../../presentation/accent.ts';
import { freshDomain, websiteOf } from '../support/contract.ts';
import { assertAccessible, assertFits, looks, openDashboard } from '../support/dashboard.ts';
import { makePng } from '../support/images.ts';
import { makeMmdb } from '../support/mmdb.ts';
import { createLink, tokenOf } from '../support/share-links.ts';
import type { TestAccount } from '../support/world.ts';

const folder = mkdtempSync(join(tmpdir(), 'tidemark-branding-'));
after(() => rmSync(folder, { recursive: true }));
const geoFile = join(folder, 'dbip-city.mmdb');
writeFileSync(geoFile, makeMmdb([]));
const d = await openDashboard({ after }, { settings: { TIDEMARK_GEO_FILE: geoFile } });
const accent = '#7f4fc9';

async function branded(fields: object = {}): Promise<TestAccount> {
	const account = await d.account();
	const json = { name: 'Acme Analytics', accent, ...fields };
	const { status, text } = await account.api('PUT', '/account/branding', { json });
	assert.equal(status, 200, text);
	return account;
}
const create = async (account: TestAccount, form: Record<string, string> = {}) =>
	websiteOf(await account.api('POST', '/websites', { form: { domain: freshDomain(), ...form } }), 201);

const tokenOfPage = (page: Page, name: string) =>
	page.evaluate<string>(`getComputedStyle(document.documentElement).getPropertyValue('--${name}')`);
const header = (page: Page) => page.getByRole('banner');
const imagesThatFailed = (page: Page) =>
	page.evaluate<number>(
		'[...document.images].filter((image) => !image.complete || image.naturalWidth === 0).length',
	);

test('[C-LABEL-5] pages of a website have the name, logo and color of its account, within the policy', async () => {
	const account = await branded();
	const logo = makePng({ width: 240, height: 60 });
	assert.equal((await account.api('PUT', '/account/branding/logo', { body: logo })).status, 200);
	const website = await create(account, { embed_origins: 'https://example.com' });
	const link = await createLink(account, website);
	for (const look of looks)
		for (const [path, as] of [
			[`/websites/${website.id}`, undefined],
			[`/s/${tokenOf(link)}`, undefined],
			[`/websites/${website.id}`, account],
			['/websites', account],
			['/account/branding', account],
		] as const) {
			const page = await d.open(path, as, look);
			const image = header(page).getByRole('img', { name: 'Acme Analytics' });
			await image.waitFor();
			assert.equal(await imagesThatFailed(page), 0);
			assert.equal((await image.boundingBox())?.height, 36);
			const shades = accentShades(accent, look.theme ?? 'light');
			for (const [name, shade] of Object.entries(shades)) assert.equal(await tokenOfPage(page, name), shade);
			assert.match(await page.title(), / · Acme Analytics$/);
			await page.getByText('Powered by Tidemark', { exact: true }).waitFor();
			await assertAccessible(page);
			await assertFits(page);
			await page.close();
		}
});

test('[C-LABEL-7] [T264] without "powered by" no page names Tidemark, but the source of places is named', async () => {
	const account = await branded({ powered_by: false });
	const website = await create(account);
	await account.api('PUT', `/websites/${website.id}/settings`, {
		json: { embed_origins: 'https://example.com' },
	});
	const link = await createLink(account, website);
	for (const path of [
		`/websites/${website.id}`,
		`/websites/${website.id}?embed=1`,
		`/s/${tokenOf(link)}`,
		`/s/${tokenOf(link)}?embed=1`,
	]) {
		const page = await d.open(path);
		await page.getByText('Acme Analytics', { exact: true }).waitFor();
		const source = page.getByRole('link', { name: 'IP Geolocation by DB-IP' });
		await source.waitFor();
		assert.equal(await source.getAttribute('href'), 'https://db-ip.com');
		assert.doesNotMatch(await page.evaluate<string>('document.body.innerText'), /Tidemark/);
		assert.doesNotMatch(await page.title(), /Tidemark/);
		await page.close();
	}
});

test('[T262] pages that ask for a password are the service’s own, for everybody', async () => {
	const account = await branded({ powered_by: false });
	const website = await create(account, { privacy: '2', password: 'low tide 7' });
	const link = await createLink(account, website, { password: 'low tide 7' });
	for (const [path, as] of [
		['/sign-in', undefined],
		['/forgotten', account],
		['/password', account],
		['/join', account],
		[`/websites/${website.id}`, undefined],
		[`/s/${tokenOf(link)}`, undefined],
	] as const) {
		const page = await d.open(path, as);
		await header(page).getByText('Tidemark', { exact: true }).waitFor();
		await page.getByRole('heading', { level: 1 }).waitFor();
		assert.equal(await tokenOfPage(page, 'sea'), '#0a7f78');
		assert.doesNotMatch(await page.content(), /Acme/);
		await page.close();
	}
});

test('[T263] the brand goes with the page that had it', async () => {
	const [account, other] = [await branded(), await d.account()];
	const [own, foreign] = [await create(account), await create(other)];
	const page = await d.open(`/websites/${own.id}`, account);
	await header(page).getByText('Acme Analytics').waitFor();
	await page.evaluate(`history.pushState(null, '', '/websites/${foreign.id}')`);
	await page.getByRole('heading', { level: 1, name: foreign.domain }).waitFor();
	await header(page).getByText('Tidemark', { exact: true }).waitFor();
	assert.equal(await tokenOfPage(page, 'sea'), '#0a7f78');
	assert.match(await page.title(), / · Tidemark$/);
});

test('[C-LABEL-1] an owner changes the brand and sees it at once', async () => {
	const account = await d.account();
	const page = await d.open('/account/branding', account);
	await page.getByLabel('Name', { exact: true }).fill('Harbor & Co');
	await page.getByLabel('Accent color').fill('#c00');
	const save = page.getByRole('button', { name: 'Save changes' });
	await save.click();
	await page.getByText('Enter a color such as #0a7f78.').waitFor();
	await page.getByLabel('Accent color').fill('#cc0033');
	await page.locator('figure').first().getByText('Harbor & Co').waitFor();
	await save.click();
	await header(page).getByText('Harbor & Co').waitFor();
	assert.equal(await tokenOfPage(page, 'sea'), accentShades('#cc0033', 'light').sea);

	const logo = page.getByLabel('Logo', { exact: true }).first();
	await logo.setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: Buffer.from('<svg/>') });
	await page.getByRole('button', { name: 'Save', exact: true }).click();
	await page.getByText('The logo must be a PNG or JPEG image.').waitFor();
	await logo.setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: makePng() });
	await page.getByRole('button', { name: 'Save', exact: true }).click();
	await header(page).getByRole('img', { name: 'Harbor & Co' }).waitFor();
	await assertAccessible(page);
	await page.getByRole('button', { name: 'Delete' }).click();
	await header(page).getByText('Harbor & Co').waitFor();
	assert.equal(await header(page).getByRole('img').count(), 0);
});
