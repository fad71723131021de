import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Page } from 'playwright-core';
import type { Event } from '../../server/ingest/event.ts';
import { freshDomain, itemsOf, type Website, websiteOf } from '../support/contract.ts';
import { assertAccessible, assertFits, openDashboard } from '../support/dashboard.ts';
import { storeEvents } from '../support/stored-events.ts';
import { readTable } from '../support/tables.ts';

const d = await openDashboard({ after });
const owner = await d.account({ locale: 'en' });
const looks = [{}, { phone: true }];

const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
let ids = 0;
const event = (visitor: number, minute: number, more: Partial<Event>): Partial<Event> & { date: string } => ({
	date: yesterday,
	time: `${yesterday} 10:${String(minute).padStart(2, '0')}:00.000`,
	visitor_id: String(visitor),
	event_id: String(++ids),
	source: 'Google',
	country: 'DE',
	...more,
});

/** Ten visits: all see the front page, six the prices, four sign up. */
async function fill(): Promise<Website> {
	const website = websiteOf(
		await owner.api('POST', '/websites', { form: { domain: freshDomain(), timezone: 'UTC' } }),
		201,
	);
	const events = Array.from({ length: 10 }, (_, n) => [
		event(n + 1, 1, { path: '/' }),
		...(n < 6 ? [event(n + 1, 2, { path: '/pricing' })] : []),
		...(n < 4 ? [event(n + 1, 3, { path: '/pricing', kind: 'custom', name: 'signup' })] : []),
	]).flat();
	await storeEvents(d.w, website.id, events);
	return website;
}
const goalsOf = async ({ id }: Website) =>
	itemsOf('goals', await owner.api('GET', `/websites/${id}/goals`)).data.map(({ name, kind, pattern }) => [
		name,
		kind,
		pattern,
	]);
const received = async (page: Page) =>
	(
		await page
			.getByRole('group', { name: 'Received in the last 30 days' })
			.getByRole('button')
			.allInnerTexts()
	).map((text) => text.replace(/\s+/g, ' '));

test('without a goal the panel offers one from an event that was received', async () => {
	for (const look of looks) {
		const website = await fill();
		const page = await d.open(`/websites/${website.id}?period=7d&tabs=goals`, owner, look);
		await page.getByText('No goals yet').waitFor();
		await assertAccessible(page);
		await assertFits(page);
		await page.getByRole('button', { name: 'Create goal from “signup”' }).click();
		await page.getByRole('dialog').getByRole('button', { name: 'Create goal' }).click();
		await page.getByRole('row', { name: /signup/ }).waitFor();
		assert.deepEqual(await goalsOf(website), [['signup', 'event', 'signup']]);
		// A period before the first event: there is a goal, and nobody reached it.
		await page.goto(
			`${d.w.base}/websites/${website.id}?period=custom&from=2020-01-01&to=2020-01-07&tabs=goals`,
		);
		await page.getByText('No goals completed in this period').waitFor();
		assert.equal(await page.getByText('No goals yet').count(), 0);
		await page.getByRole('link', { name: 'Manage goals' }).click();
		await page.waitForURL(`${d.w.base}/websites/${website.id}/settings/goals`);
	}
});

test('a new goal suggests pages and events with their visitors', async () => {
	for (const look of looks) {
		const website = await fill();
		const page = await d.open(`/websites/${website.id}/settings/goals`, owner, look);
		await page.getByRole('button', { name: 'Add goal' }).click();
		const dialog = page.getByRole('dialog');
		await dialog.getByRole('group', { name: 'Received in the last 30 days' }).waitFor();
		assert.deepEqual(await received(page), ['/ 10', '/pricing 6']);
		await dialog.getByLabel('Page path').fill('/pri*');
		await dialog.getByRole('button', { name: '/ 10' }).waitFor({ state: 'detached' });
		assert.deepEqual(await received(page), ['/pricing 6']);
		await dialog.getByRole('radio', { name: 'Event' }).check();
		await dialog.getByLabel('Event name').fill('');
		await assertAccessible(page);
		await assertFits(page);
		await dialog.getByRole('button', { name: 'signup 4' }).click();
		assert.equal(await dialog.getByLabel('Name', { exact: true }).inputValue(), 'signup');
		await dialog.getByRole('button', { name: 'Save' }).click();
		await page.getByRole('listitem').filter({ hasText: 'signup' }).waitFor();
		assert.deepEqual(await goalsOf(website), [['signup', 'event', 'signup']]);
	}
});

test('the steps of a funnel are chosen from the pages that were received', async () => {
	for (const look of looks) {
		const website = await fill();
		const page = await d.open(`/websites/${website.id}?period=7d&tabs=funnels`, owner, look);
		await page.getByRole('button', { name: 'Add funnel' }).click();
		const dialog = page.getByRole('dialog');
		await dialog.getByLabel('Name').fill('To the prices');
		await dialog.getByRole('button', { name: '/ 10' }).click();
		assert.equal(await dialog.getByLabel('Path of step 1').inputValue(), '/');
		await dialog.getByRole('button', { name: '/pricing 6' }).click();
		assert.equal(await dialog.getByLabel('Path of step 2').inputValue(), '/pricing');
		await dialog.getByLabel('Path of step 2').focus();
		await assertAccessible(page);
		await assertFits(page);
		await dialog.getByRole('button', { name: 'Save' }).click();
		await dialog.waitFor({ state: 'detached' });
		assert.deepEqual(await readTable(page, 'Steps of To the prices'), [
			['1 /', '', '10', '100%'],
			['2 /pricing', '−40%', '6', '60%'],
		]);
	}
});

test('the menu of segments says how to create one and suggests filters', async () => {
	for (const look of looks) {
		const website = await fill();
		const page = await d.open(`/websites/${website.id}?period=7d`, owner, look);
		await page.getByRole('button', { name: 'Segments' }).click();
		await page.getByText('To create a segment, add filters and save them here.').waitFor();
		await page.getByRole('menuitem', { name: 'Source: Google' }).waitFor();
		await assertFits(page);
		const country = page.getByRole('menuitem', { name: 'Country: Germany' });
		assert.match((await country.textContent()) ?? '', /10$/);
		await country.click();
		await page.waitForURL(/f=is,country,DE/);
		await page.getByRole('button', { name: 'Segments' }).click();
		assert.equal(await page.getByText('To create a segment').count(), 0);
		await page.getByRole('menuitem', { name: 'Save filters as segment' }).click();
		await page.getByLabel('Name').fill('Germany');
		await page.getByRole('button', { name: 'Save' }).click();
		await page.waitForURL(/segment=\d+/);
		await page.getByRole('button', { name: 'Segments' }).click();
		await page.getByRole('menuitemcheckbox', { name: 'Germany' }).waitFor();
		assert.equal(await page.getByText('Start with a filter').count(), 0, 'there is one to learn from');
	}
});
