import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { websiteOf } from '../support/contract.ts';
import { assertAccessible, assertFits, focusIn, openDashboard } from '../support/dashboard.ts';
import { storeEvents } from '../support/stored-events.ts';

const now = new Date('2026-11-15T12:00:00.000Z');
const d = await openDashboard({ after }, { now: () => now });
const owner = await d.account({ timezone: 'UTC' });
const website = websiteOf(await owner.api('POST', '/websites', { form: { domain: 'changed.example' } }), 201);
const path = `/websites/${website.id}?period=today&compare=previous`;

const [today, yesterday] = ['2026-11-15', '2026-11-14'];
const views = (count: number, date: string, source: string, page: string, country: string) =>
	Array.from({ length: count }, () => ({
		...{ date, source, path: page, country, browser: 'Firefox', device: 'desktop' },
		...{ kind: 'pageview' as const, name: 'pageview' },
	}));
await storeEvents(d.w, website.id, [
	...views(20, yesterday, 'Google', '/', 'DE'),
	...views(5, yesterday, '', '/a', 'FR'),
	...views(22, today, 'Google', '/', 'DE'),
	...views(3, today, '', '/a', 'FR'),
	...views(8, today, 'ChatGPT', '/pricing', 'DE'),
	...views(2, today, 'ChatGPT', '/a-page-with-a-very-long-path-that-has-to-be-cut-somewhere/for-sure', 'FR'),
]);

test('the change of a tile opens what changed, and each value is a filter', async () => {
	const page = await d.open(path, owner);
	const open = page.getByRole('button', { name: 'What changed: Visits', exact: true });
	await open.focus();
	await page.keyboard.press('Enter');
	await focusIn(page, 'dialog');
	const dialog = page.getByRole('dialog', { name: 'What changed: Visits' });
	await dialog
		.getByText('Visits rose by 10 (+40%), mostly from ChatGPT (+10), especially on /pricing (+8).')
		.waitFor();
	const sources = dialog.getByRole('table').filter({ hasText: 'ChatGPT' }).first();
	assert.deepEqual(
		await sources
			.getByRole('row')
			.allInnerTexts()
			.then((rows) => rows.map((row) => row.split(/\s*\t\s*/))),
		[
			['Source', 'Comparison', 'This period', 'Change'],
			['ChatGPT', '0', '10', '+10'],
			['Google', '20', '22', '+2'],
			['Direct', '5', '3', '−2'],
		],
	);
	await assertAccessible(page);
	await page.keyboard.press('Escape');
	await dialog.waitFor({ state: 'detached' });
	assert.ok(await open.evaluate((button) => button.matches(':focus')));
	await open.click();
	await dialog.getByRole('link', { name: 'ChatGPT' }).first().click();
	await page.waitForURL(/f=is,source,ChatGPT/);
	assert.equal(await dialog.count(), 0);
});

test('a ratio shows its numerator and denominator, on a phone in the dark', async () => {
	const page = await d.open(path, owner, { theme: 'dark', phone: true });
	await page.getByRole('button', { name: 'What changed: Bounce rate', exact: true }).click();
	const dialog = page.getByRole('dialog');
	await dialog.getByRole('heading', { name: /^Bounces 25 → 35 \(\+10\)$/ }).waitFor();
	await dialog.getByRole('heading', { name: /^Visits 25 → 35 \(\+10\)$/ }).waitFor();
	await assertFits(page);
	await assertAccessible(page);
	await dialog.getByRole('button', { name: 'Show all dimensions' }).first().click();
	await dialog.getByRole('table').nth(3).waitFor();
	await assertFits(page);
});

test('without a comparison, and in public statistics, there is nothing to open', async () => {
	const page = await d.open(`/websites/${website.id}?period=today&compare=none`, owner);
	await page
		.getByRole('button', { name: /^Visits/ })
		.first()
		.waitFor();
	assert.equal(await page.getByRole('button', { name: /^What changed/ }).count(), 0);
	const visitor = await d.open(path);
	await visitor
		.getByRole('button', { name: /^Visits/ })
		.first()
		.waitFor();
	await visitor.getByText('vs. 25').first().waitFor();
	assert.equal(await visitor.getByRole('button', { name: /^What changed/ }).count(), 0);
});
