import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { Page } from 'playwright-core';
import { freshDomain, type Website, websiteOf } from '../support/contract.ts';
import { assertAccessible, assertFits, looks, openDashboard } from '../support/dashboard.ts';
import { makeMmdb } from '../support/mmdb.ts';
import { until } from '../support/service.ts';
import { storeEvents } from '../support/stored-events.ts';

const folder = mkdtempSync(join(tmpdir(), 'tidemark-sharing-'));
after(() => rmSync(folder, { recursive: true }));
const geoFile = join(folder, 'dbip-city.mmdb');
writeFileSync(geoFile, makeMmdb([]));
const d = await openDashboard({ after }, { settings: { TIDEMARK_GEO_FILE: geoFile } });
const owner = await d.account();
const password = 'low tide 7';
const create = async (form: Record<string, string> = {}) =>
	websiteOf(await owner.api('POST', '/websites', { form: { domain: freshDomain(), ...form } }), 201);
const change = (website: Website, form: Record<string, string>) =>
	owner.api('PUT', `/websites/${website.id}`, { form });
const pathOf = ({ id }: { id: number }) => `/websites/${id}`;
/** The name of the website stands on its statistics page alone. */
const shown = (page: Page, { domain }: Website) => page.getByRole('heading', { level: 1, name: domain });
const asksPassword = (page: Page) => page.getByRole('heading', { name: 'Password required' });
const nothing = (page: Page) => page.getByRole('heading', { name: 'Page not found' });
/** Whoever looks away and comes back has the page asked again. */
const lookAgain = (page: Page) => page.evaluate("window.dispatchEvent(new Event('visibilitychange'))");

async function unlock(page: Page, word: string) {
	await page.getByLabel('Password').fill(word);
	await page.getByRole('button', { name: 'View statistics' }).click();
}

test('anyone sees a public website, without settings', async () => {
	const website = await create();
	const page = await d.open(pathOf(website));
	await shown(page, website).waitFor();
	assert.equal(await page.getByRole('link', { name: 'Settings' }).count(), 0);
	await page.goto(`${d.w.base}${pathOf(website)}/settings`);
	await page.waitForURL(/\/sign-in\?to=/);
	const stranger = await d.open(pathOf(website), await d.account());
	await shown(stranger, website).waitFor();
	assert.equal(await stranger.getByRole('link', { name: 'Settings' }).count(), 0);
	const own = await d.open(pathOf(website), owner);
	await own.getByRole('link', { name: 'Settings' }).waitFor();
});

test('the source of places is named on shared, embedded and own pages', async () => {
	const website = await create();
	await change(website, { embed_origins: 'https://example.com' });
	for (const [path, account] of [
		[pathOf(website), undefined],
		[`${pathOf(website)}?embed=1`, undefined],
		[pathOf(website), owner],
		[`${pathOf(website)}/live`, owner],
	] as const) {
		const page = await d.open(path, account);
		const link = page.getByRole('link', { name: 'IP Geolocation by DB-IP' });
		await link.waitFor();
		assert.equal(await link.getAttribute('href'), 'https://db-ip.com');
		await assertFits(page);
	}
});

test('a password opens the statistics of its website and of no other', async () => {
	const website = await create({ privacy: '2', password });
	const other = await create({ privacy: '2', password });
	const page = await d.open(pathOf(website));
	await asksPassword(page).waitFor();
	assert.ok(!(await page.content()).includes(website.domain), 'the page before it does not name the website');
	await unlock(page, 'high tide');
	await page.getByText('Incorrect password.').waitFor();
	await unlock(page, password);
	await shown(page, website).waitFor();
	await page.reload();
	await shown(page, website).waitFor();
	await page.goto(d.w.base + pathOf(other));
	await asksPassword(page).waitFor();
	// Its people are not asked.
	const own = await d.open(pathOf(website), owner);
	await shown(own, website).waitFor();
});

test('[T54] a filter that would single somebody out shows "fewer than 3", and is exact for the owner', async () => {
	const website = await create();
	const date = new Date(Date.now() - 2 * 86_400_000).toISOString().slice(0, 10);
	const countries = ['DE', 'AT', 'AT', 'AT', 'AT', 'AT'];
	await storeEvents(
		d.w,
		website.id,
		countries.map((country) => ({ date, country })),
	);
	const page = await d.open(`${pathOf(website)}?f=is,country,DE`);
	const visitors = (of: Page) => of.getByRole('button', { name: /^Visitors/ }).first();
	await visitors(page).getByText('fewer than 3').waitFor();
	await page.getByText('Fewer than 3 visitors. Small groups are hidden.').first().waitFor();
	await assertAccessible(page);
	const own = await d.open(`${pathOf(website)}?f=is,country,DE`, owner);
	await visitors(own).getByText('1', { exact: true }).waitFor();
});

test('a private website is the same page as one that does not exist', async () => {
	const website = await create({ privacy: '1' });
	const never = { id: 999_999_999 };
	for (const account of [undefined, await d.account()]) {
		const seen = [];
		for (const one of [website, never]) {
			const page = await d.open(pathOf(one), account);
			await nothing(page).waitFor();
			const answer = await page.request.get(d.w.base + pathOf(one));
			const share = await page.request.get(`${d.w.base}/app/api${pathOf(one)}/share`);
			seen.push({
				text: await page.locator('body').innerHTML(),
				title: await page.title(),
				status: answer.status(),
				headers: Object.entries(answer.headers()).filter(
					([name]) => !['date', 'x-request-id'].includes(name),
				),
				page: await answer.text(),
				share: [share.status(), await share.text()],
			});
		}
		const [hidden, missing] = seen.map((one) =>
			JSON.stringify(one)
				.replaceAll(/websites(\/|%2F)\d+/g, 'websites/')
				// Ids of elements count how often something was drawn, which is a matter of time.
				.replaceAll(/_r_\w+?_/g, ''),
		);
		assert.equal(hidden, missing);
		assert.equal(seen[0]?.share[0], 404);
	}
	const page = await d.open('/websites/nothing-of-ours');
	await nothing(page).waitFor();
});

test('a change of mode or password holds on a page that is open elsewhere', async () => {
	const website = await create();
	const page = await d.open(pathOf(website));
	await shown(page, website).waitFor();

	// The owner changes it in their own browser.
	const settings = await d.open(`${pathOf(website)}/settings/sharing`, owner);
	await settings.getByRole('radio', { name: 'Password' }).check();
	await settings.getByRole('textbox', { name: 'Password' }).fill(password);
	await settings.getByRole('button', { name: 'Save changes' }).click();
	await settings.getByText('Saved', { exact: true }).waitFor();
	await lookAgain(page);
	await asksPassword(page).waitFor();
	assert.ok(!(await page.content()).includes(website.domain));
	await unlock(page, password);
	await shown(page, website).waitFor();

	await change(website, { password: 'high tide 8' });
	await lookAgain(page);
	await asksPassword(page).waitFor();
	await unlock(page, password);
	await page.getByText('Incorrect password.').waitFor();
	await unlock(page, 'high tide 8');
	await shown(page, website).waitFor();

	await change(website, { privacy: '1' });
	await lookAgain(page);
	await nothing(page).waitFor();
	await change(website, { privacy: '0' });
	await page.reload();
	await shown(page, website).waitFor();
	// While the password is being typed the website is closed.
	await change(website, { privacy: '2', password });
	await lookAgain(page);
	await asksPassword(page).waitFor();
	await change(website, { privacy: '1' });
	await unlock(page, password);
	await nothing(page).waitFor();
});

test('whose session ends is asked to sign in, and nobody else', async () => {
	const website = await create({ privacy: '1' });
	const page = await d.open(pathOf(website), owner);
	await shown(page, website).waitFor();
	await d.w.sql('DELETE FROM sessions WHERE account_id = $1', [owner.id]);
	await lookAgain(page);
	await page.waitForURL(/\/sign-in/);
});

test('[C-SHARE-7] search engines may list a public website whose owner allows it, and nothing else', async () => {
	const robots = async (path: string) => (await fetch(d.w.base + path)).headers.get('x-robots-tag');
	const website = await create();
	assert.equal(await robots(pathOf(website)), 'noindex', 'not unless it is allowed');
	await owner.api('PATCH', `/websites/${website.id}/settings`, { json: { indexable: 1 } });
	assert.equal(await robots(pathOf(website)), null);
	assert.equal(await robots(`${pathOf(website)}/settings`), 'noindex');
	for (const id of ['0', '01', `${website.id}x`, '999999999', '99999999999999999999'])
		assert.equal(await robots(`/websites/${id}`), 'noindex', id);
	await change(website, { privacy: '2', password });
	assert.equal(await robots(pathOf(website)), 'noindex');
	await change(website, { privacy: '1' });
	assert.equal(await robots(pathOf(website)), 'noindex');
});

test('[C-SHARE-7] an operator can shut all public pages, and owners are told', async (t) => {
	const shut = await openDashboard(t, { settings: { TIDEMARK_PUBLIC_STATS: 'off' } });
	const account = await shut.account();
	const website = websiteOf(
		await account.api('POST', '/websites', { form: { domain: freshDomain(), privacy: '0' } }),
		201,
	);
	await account.api('PATCH', `/websites/${website.id}/settings`, { json: { indexable: 1 } });
	assert.equal((await fetch(shut.w.base + pathOf(website))).headers.get('x-robots-tag'), 'noindex');
	await nothing(await shut.open(pathOf(website))).waitFor();
	const page = await shut.open(`${pathOf(website)}/settings/sharing`, account);
	await page.getByText('Public statistics are disabled').waitFor();
	await page.goto(shut.w.base + pathOf(website));
	await shown(page, website).waitFor();
});

test('[T45][T46] a page in a frame stays empty, and a script that was put into a page does not run', async () => {
	const website = await create();
	const context = await d.browser.newContext();
	const page = await context.newPage();
	const blocked = page.waitForEvent('console', (message) => /frame-ancestors/.test(message.text()));
	await page.setContent(`<iframe src="${d.w.base}${pathOf(website)}"></iframe>`);
	await blocked;
	const [frame] = page.frames().slice(1);
	assert.ok(!(await frame?.content())?.includes(website.domain));
	// In the HTML, where Trusted Types do not apply: only script-src can refuse this one.
	await page.route(`**${pathOf(website)}`, async (route) => {
		const response = await route.fetch();
		const body = (await response.text()).replace('</body>', '<script>window.wasRun = true</script></body>');
		await route.fulfill({ response, body });
	});
	const refused = page.waitForEvent('console', (message) => /violates.*script-src/.test(message.text()));
	await page.goto(d.w.base + pathOf(website));
	await shown(page, website).waitFor();
	await refused;
	assert.ok((await page.content()).includes('wasRun'));
	assert.equal(await page.evaluate('window.wasRun'), undefined);
	const byCode = page.evaluate(`(() => {
		const script = document.createElement('script');
		script.textContent = 'window.wasRun = true';
		document.body.append(script);
	})()`);
	await assert.rejects(byCode, /requires 'TrustedScript'/);
	assert.equal(await page.evaluate('window.wasRun'), undefined);
	await context.close();
});

test('[T47][T48] what is shared is kept by no cache, read by no other page and named to no other host', async () => {
	const website = await create({ privacy: '2', password });
	const page = await d.open(pathOf(website));
	await unlock(page, password);
	await shown(page, website).waitFor();
	for (const path of ['/share', '/stats', '/goals', '/live']) {
		const answer = await page.request.get(`${d.w.base}/app/api${pathOf(website)}${path}`, {
			headers: { origin: 'https://elsewhere.example' },
		});
		assert.equal(answer.status(), 200, path);
		const headers = answer.headers();
		assert.match(headers['cache-control'] ?? '', /no-store|^private, no-cache$/, path);
		assert.match(headers.vary ?? '', /Cookie/, path);
		assert.equal(headers['access-control-allow-origin'], undefined, path);
		assert.equal(headers['cross-origin-resource-policy'], 'same-origin', path);
	}
	const { headers } = await fetch(d.w.base + pathOf(website));
	assert.match(headers.get('referrer-policy') ?? '', /^(same-origin|no-referrer)$/);
	// The password is never part of an address.
	assert.ok(!page.url().includes('tide'));
});

test('the password page fits, is accessible, speaks German and needs no mouse', async () => {
	const website = await create({ privacy: '2', password });
	for (const look of looks) {
		const page = await d.open(pathOf(website), undefined, look);
		await asksPassword(page).waitFor();
		await assertAccessible(page);
		await assertFits(page);
	}
	const page = await d.open(pathOf(website), undefined, { language: 'de-DE' });
	await page.getByRole('heading', { name: 'Passwort erforderlich' }).waitFor();
	await page.keyboard.type('falsch');
	await page.keyboard.press('Enter');
	await page.getByText('Falsches Passwort.').waitFor();
	await page.getByLabel('Passwort').press('Control+a');
	await page.keyboard.type(password);
	await page.keyboard.press('Enter');
	await shown(page, website).waitFor();
});

test('among the settings, sharing shows how the frame and the badge will look, and gives out their code', async () => {
	const website = await create();
	for (const look of looks) {
		const page = await d.open(`${pathOf(website)}/settings/privacy`, owner, look);
		await page.waitForURL(/\/settings\/sharing$/);
		await page.getByRole('heading', { level: 1, name: 'Sharing' }).waitFor();
		const themes = page.getByLabel('Appearance');
		const preview = page.getByTestId('embed-preview');
		await preview.getByText('Page views').waitFor();
		await themes.first().selectOption('dark');
		assert.equal(await preview.getAttribute('data-theme'), 'dark');
		assert.match(await page.getByLabel('Embed code').inputValue(), /embed=1&amp;theme=dark"/);

		const badge = page.getByRole('img', { name: 'Badge' });
		const heightOf = () => badge.evaluate((image: { naturalHeight: number }) => image.naturalHeight);
		await until(async () => (await heightOf()) === 28, 30_000, 'the badge is drawn');
		await page.getByRole('radio', { name: 'Counter' }).check();
		await page.getByLabel('Period').selectOption('7d');
		await themes.nth(1).selectOption('dark');
		await until(async () => (await heightOf()) === 68, 30_000, 'the counter is drawn');
		const code = await page.getByLabel('Badge code').inputValue();
		assert.match(code, /badge\.svg\?look=counter&amp;period=7d&amp;theme=dark" alt="Visitors: Last 7 days"/);
		await assertAccessible(page);
		await assertFits(page);
		await page.context().close();
	}
	await change(website, { privacy: '1' });
	const page = await d.open(`${pathOf(website)}/settings/sharing`, owner);
	await page.getByText('Only public websites, and share links without a password, can be embedded').waitFor();
	assert.equal(await page.getByLabel('Embed code').count(), 0);
});
