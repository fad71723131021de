import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { buildDashboardIfOld } from '../../scripts/build-dashboard.ts';
import { type EngineBrowser, openFirefox, openWebKit } from '../support/engines.ts';
import { freePort } from '../support/free-port.ts';
import { until } from '../support/service.ts';
import { patience } from '../support/timeout-factor.ts';
import { givePassword, goodPassword, signedIn } from '../support/visitor.ts';
import { type TestAccount, world } from '../support/world.ts';

/** The journeys that most people make, in the two engines that the other files do not use. */
await buildDashboardIfOld();
const now = new Date('2026-11-12T14:32:07Z');
const port = String(await freePort());
const w = await world(
	{ after },
	{
		now: () => now,
		settings: { TIDEMARK_PORT: port, TIDEMARK_BASE_URL: `http://127.0.0.1:${port}` },
	},
);
let owner: TestAccount;
let id: number;
let goalId: number;
let visitors: string;

before(async () => {
	owner = await w.account({ timezone: 'Europe/Berlin', locale: 'en' });
	await givePassword(w, owner);
	id = (await w.operate('demo', { email: owner.email, domain: 'example.com', days: 8 })).websiteId;
	await owner.api('PUT', `/websites/${id}`, { form: { privacy: '0' } });
	const goal = await owner.api('POST', `/websites/${id}/goals`, {
		json: { name: 'Looked at prices', kind: 'page', pattern: '/pricing' },
	});
	assert.equal(goal.status, 201, goal.text);
	goalId = (goal.json as { data: { id: number } }).data.id;
	const api = await signedIn(w, owner);
	const answer = await api('POST', `/websites/${id}/stats/query`, { json: { period: '30d' } });
	visitors = (answer.json as { data: { totals: { visitors: number } } }).data.totals.visitors.toLocaleString(
		'en',
	);
});

for (const [name, open] of [
	['Firefox', openFirefox],
	['WebKit', openWebKit],
] as const) {
	let browser: EngineBrowser | undefined;
	after(() => browser?.close());
	const page = () => {
		assert.ok(browser, 'the browser is open');
		return browser.page;
	};
	const waitUntil = (expression: string, what: string) =>
		until(async () => (await page().evaluate<boolean>(expression)) === true, 30_000 * patience, what);
	const address = () => page().evaluate<string>('location.href');
	const statistics = () => `${w.base}/websites/${id}`;

	test(`${name}: sign-in`, async (t) => {
		browser = await open();
		t.diagnostic(browser.version);
		await page().go(`${w.base}/websites`);
		await page().fill('//input[@type="email"]', owner.email);
		await page().fill('//input[@type="password"]', goodPassword);
		await page().click('//button[@type="submit"]');
		await page().waitFor('//a[contains(., "example.com")]');
	});

	test(`${name}: statistics`, async () => {
		await page().click('//a[contains(., "example.com")]');
		await page().waitFor('//*[@role="slider"]');
		await page().waitFor(`//strong[.="${visitors}"]`);
		assert.ok((await address()).startsWith(statistics()));
	});

	test(`${name}: a row filters the page`, async () => {
		await page().click('//a[contains(@href, "f=is,country,DE")]');
		await waitUntil('location.search.includes("country")', 'the filter is in the address');
		await page().waitFor('//ul[@aria-label="Filters"]//li[contains(., "Germany")]');
		await waitUntil(`!document.body.innerText.includes(${JSON.stringify(visitors)})`, 'the numbers change');
		await page().evaluate('history.back()');
		await page().waitFor(`//strong[.="${visitors}"]`);
	});

	test(`${name}: a goal`, async () => {
		await page().click(`//a[contains(@href, "is,goal,${goalId}")]`);
		await page().waitFor('//ul[@aria-label="Filters"]//li[contains(., "Looked at prices")]');
	});

	test(`${name}: phone width`, async () => {
		await page().go(statistics());
		// MiniBrowser cannot be narrower than about 450 pixels.
		await page().setWidth(390);
		await waitUntil('innerWidth < 500', 'the window is narrow');
		await page().waitFor(`//strong[.="${visitors}"]`);
		await waitUntil('document.documentElement.scrollWidth <= innerWidth', 'nothing overflows');
		await page().setWidth(1280);
	});

	test(`${name}: a public page without an account`, async () => {
		await page().clearCookies();
		await page().go(statistics());
		await page().waitFor('//*[@role="slider"]');
		await page().waitFor(`//strong[.="${visitors}"]`);
		assert.equal(await page().evaluate<boolean>('document.body.innerText.includes("Settings")'), false);
	});
}
