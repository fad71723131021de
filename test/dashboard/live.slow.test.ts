import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Page } from 'playwright-core';
import { send } from '../support/client.ts';
import { freshDomain, type Website, websiteOf } from '../support/contract.ts';
import { assertAccessible, assertFits, looks, openDashboard } from '../support/dashboard.ts';
import { readTable } from '../support/tables.ts';

const d = await openDashboard({ after });
const owner = await d.account({ locale: 'en' });

const create = async (fields: Record<string, string> = {}): Promise<Website> =>
	websiteOf(await owner.api('POST', '/websites', { form: { domain: freshDomain(), ...fields } }), 201);

let hits = 0;
async function visit({ id, domain }: Website, path: string, visitor: number, more: object = {}) {
	const answer = await send(d.w.base, 'POST', '/tm', {
		body: JSON.stringify({
			w: id,
			i: `${++hits}`.padStart(8, 'b'),
			n: 'pageview',
			u: `https://${domain}${path}`,
			...more,
		}),
		headers: {
			'user-agent': `Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/${100 + visitor}.0`,
		},
	});
	assert.equal(answer.status, 202);
	assert.equal(answer.headers['x-tidemark-dropped'], undefined);
}

type Picture = {
	data: {
		visitors: number;
		minutes: { visitors: number; pageviews: number }[];
		pages: { value: string; visitors: number }[];
		sources: { value: string; visitors: number }[];
		countries: { value: string; visitors: number }[];
	};
};

const look = async ({ id }: Website): Promise<Picture> =>
	(await owner.api('GET', `/websites/${id}/live`)).json as Picture;

const visitorsNow = (page: Page, count: number) =>
	page.locator('strong', { hasText: new RegExp(`^${count}$`) }).waitFor();

/** As a browser does when another tab is looked at. */
const setHidden = (page: Page, isHidden: boolean) =>
	page.evaluate(`Object.defineProperty(document, 'hidden', { configurable: true, get: () => ${isHidden} });
		document.dispatchEvent(new Event('visibilitychange'))`);

test('what the page shows is what the service says, and a hit changes it by itself', async () => {
	const website = await create();
	const page = await d.open(`/websites/${website.id}/live`, owner);
	await visitorsNow(page, 0);
	await page.getByText('No current visitors.').waitFor();
	await visit(website, '/', 1, { r: 'https://www.google.com/' });
	await visit(website, '/pricing', 2);
	await d.w.drain();
	await visitorsNow(page, 2);
	await page.getByText('Updates every 2 seconds').waitFor();
	assert.equal(await page.getByText('No current visitors.').count(), 0);
	const { data } = await look(website);
	await page.getByRole('list', { name: 'Feed' }).getByText('/pricing').waitFor();
	assert.deepEqual(await readTable(page, 'Devices'), [['Desktop', '2']]);
	assert.deepEqual(
		await readTable(page, 'Current pages'),
		data.pages.map(({ value, visitors }) => [value, String(visitors)]),
	);
	assert.deepEqual(
		(await readTable(page, 'Sources')).toSorted(),
		data.sources.map(({ value, visitors }) => [value || 'Direct', String(visitors)]).toSorted(),
	);
	const minutes = (await readTable(page, 'Visitors in the last 30 minutes')).map(([, visitors, views]) => [
		Number(visitors),
		Number(views),
	]);
	assert.equal(minutes.length, 30);
	const sum = (index: number) => minutes.reduce((all, one) => all + (one[index] ?? 0), 0);
	assert.deepEqual(
		[sum(0), sum(1)],
		[
			data.minutes.reduce((all, one) => all + one.visitors, 0),
			data.minutes.reduce((all, one) => all + one.pageviews, 0),
		],
	);
	await visit(website, '/late', 3);
	await d.w.drain();
	await visitorsNow(page, 3);
	await page.getByRole('link', { name: '/late' }).waitFor();
	// A visitor is at one page: the one they went to last.
	await visit(website, '/', 3, { r: `https://${website.domain}/late` });
	await visit(website, '/', 3, { n: 'signup', p: { plan: 'yearly' } });
	await owner.api('POST', `/websites/${website.id}/goals`, {
		json: { name: 'Signup', kind: 'event', pattern: 'sign*' },
	});
	await d.w.drain();
	await page.getByRole('link', { name: '/late' }).waitFor({ state: 'detached' });
	const feed = page.getByRole('list', { name: 'Feed' });
	await feed.getByText('signup').waitFor();
	assert.equal(await feed.getByRole('listitem').count(), 5);
	assert.doesNotMatch((await feed.textContent()) ?? '', /yearly|Firefox|Desktop/);
	await page.reload();
	await feed.locator('[data-goal]').getByText('Signup').waitFor();
	await assertAccessible(page);
});

test('a row leads to the statistics of today with that filter', async () => {
	const website = await create();
	await visit(website, '/a,b%', 1);
	await d.w.drain();
	const page = await d.open(`/websites/${website.id}/live`, owner);
	await page.getByRole('link', { name: '/a,b%' }).click();
	await page.waitForURL((url) => url.pathname === `/websites/${website.id}`);
	const sent = new URL(page.url()).searchParams;
	assert.equal(sent.get('period'), 'today');
	assert.equal(sent.get('f'), 'is,page,/a%2Cb%25');
});

test('[T73] a stream that is refused twice is given up, and the page asks every five seconds', async () => {
	const website = await create();
	const context = await d.open('/websites', owner);
	let refused = 0;
	let asked = 0;
	await context.route('**/live/stream', (route) => {
		refused++;
		return route.fulfill({ status: 429, headers: { 'retry-after': '30' }, body: '{}' });
	});
	context.on('request', (request) => {
		if (request.url().endsWith('/live')) asked++;
	});
	await context.goto(`${d.w.base}/websites/${website.id}/live`);
	await context.getByText('Updates every 5 seconds').waitFor();
	assert.equal(refused, 2);
	await visit(website, '/polled', 1);
	await d.w.drain();
	await context.getByRole('link', { name: '/polled' }).waitFor();
	assert.equal(refused, 2, 'the stream is left alone');
	assert.ok(asked >= 2, `${asked}`);
});

test('a lost connection keeps the last picture, says since when, and the stream comes back by itself', async () => {
	const website = await create();
	const pages = await Promise.all(looks.map((look) => d.open(`/websites/${website.id}/live`, owner, look)));
	for (const page of pages) await page.locator('[data-way=stream]').waitFor();
	const bannerOf = (page: Page) =>
		page.getByRole('status').getByText(/^Connection lost since \d\d:\d\d\. Retrying\.$/);
	await d.w.restart(async () => {
		for (const page of pages) {
			await bannerOf(page).waitFor();
			await visitorsNow(page, 0);
			await page.locator('[data-way]').waitFor({ state: 'detached' });
			await assertAccessible(page);
			await assertFits(page);
		}
	});
	for (const page of pages) {
		await bannerOf(page).waitFor({ state: 'detached' });
		await page.locator('[data-way=stream]').waitFor();
	}
	await visit(website, '/back', 1);
	await d.w.drain();
	for (const page of pages) await visitorsNow(page, 1);
});

test('[T73] a page that is not in sight holds no stream', async () => {
	const website = await create();
	await visit(website, '/', 1);
	await d.w.drain();
	const page = await d.open(`/websites/${website.id}/live`, owner);
	await visitorsNow(page, 1);
	const over = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/live/stream'));
	await setHidden(page, true);
	await over;
	const again = page.waitForRequest((request) => request.url().endsWith('/live/stream'));
	await setHidden(page, false);
	await again;
});

test('a public website is shown live to whoever comes, in steps of five minutes; a private one is not there', async () => {
	const open = await create({ privacy: '0' });
	const page = await d.open(`/websites/${open.id}/live`);
	await visitorsNow(page, 0);
	await page.getByText('rows with fewer than 3 visitors are hidden').waitFor();
	assert.equal((await readTable(page, 'Visitors in the last 30 minutes')).length, 6);
	const hidden = await create({ privacy: '1' });
	const nothing = await d.open(`/websites/${hidden.id}/live`);
	await nothing.getByText('Page not found').first().waitFor();
});

test('the page is accessible and fits in all looks, and speaks German', async () => {
	const website = await create();
	for (const visitor of [1, 2, 3])
		await visit(website, `/a-very-long-path/${'that-goes-on/'.repeat(20)}${visitor}`, visitor);
	await d.w.drain();
	for (const look of looks) {
		const page = await d.open(`/websites/${website.id}/live`, owner, look);
		await visitorsNow(page, 3);
		await assertAccessible(page);
		await assertFits(page);
		await page.context().close();
	}
	const german = await d.account({ locale: 'de' });
	const own = websiteOf(await german.api('POST', '/websites', { form: { domain: freshDomain() } }), 201);
	const page = await d.open(`/websites/${own.id}/live`, german, { language: 'de-DE' });
	await page.getByText('Keine aktuellen Besucher.').waitFor();
});

test('nothing moves for whoever wants no motion', async () => {
	const website = await create();
	await visit(website, '/', 1);
	await d.w.drain();
	const page = await d.open(`/websites/${website.id}/live`, owner);
	await visitorsNow(page, 1);
	const moving = () =>
		page.evaluate<number>(
			"document.getAnimations().filter(({ playState }) => playState === 'running').length",
		);
	assert.ok((await moving()) > 0);
	await page.emulateMedia({ reducedMotion: 'reduce' });
	assert.equal(await moving(), 0);
});
