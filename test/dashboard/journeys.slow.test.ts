import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Event } from '../../server/ingest/event.ts';
import { websiteOf } from '../support/contract.ts';
import { assertFits, assertGoodInAllLooks, openDashboard } from '../support/dashboard.ts';
import { storeEvents } from '../support/stored-events.ts';

const d = await openDashboard({ after });
const account = await d.account({ timezone: 'UTC' });
const { id } = websiteOf(
	await account.api('POST', '/websites', { form: { domain: 'journeys.example' } }),
	201,
);
const today = new Date().toISOString().slice(0, 10);

/** A visit just after midnight: its events a second apart, pages by their path and events by their name. */
function visit(visitorId: number, ...what: string[]): (Partial<Event> & { date: string })[] {
	return what.map((text, second) => {
		const kind = text.startsWith('/') ? 'pageview' : 'custom';
		return {
			...{ date: today, time: `${today} 00:00:0${second}.000`, visitor_id: String(visitorId) },
			...{ event_id: String(visitorId * 100 + second), kind, name: kind === 'custom' ? text : kind },
			path: kind === 'custom' ? '/form' : text,
		};
	});
}

await storeEvents(d.w, id, [
	...visit(1, '/', '/pricing', '/pricing', 'signup', '/welcome'),
	...visit(2, '/', '/pricing'),
	...visit(3, '/', '/pricing', '/welcome'),
	...visit(4, '/', '/docs'),
	...visit(5, '/docs'),
]);
const path = `/websites/${id}/journeys`;

test('the nodes of a flow have names, and start another journey by keyboard', async () => {
	const page = await d.open(`${path}?period=today`, account);
	// A phone has buttons of the same name, in a table. The flow takes a moment to return.
	const flow = page.getByRole('list', { name: 'Journeys' });
	const node = flow.getByRole('button', { name: '/pricing, step 1, 3 visits, 75%' });
	await node.waitFor();
	await page.getByRole('button', { name: '/welcome, step 2, 2 visits, 50%' }).waitFor();
	await assertGoodInAllLooks(page);
	await node.press('Enter');
	await page.getByRole('menuitem', { name: 'Start from here' }).waitFor();
	await page.keyboard.press('Enter');
	await page.waitForURL(/start=page:\/pricing/);
	await page.getByRole('button', { name: '/welcome, step 1, 2 visits, 67%' }).waitFor();
	await page.getByRole('link', { name: 'Ends at' }).click();
	await page.getByRole('button', { name: '/, step 1, 3 visits, 100%' }).waitFor();
	assert.match(page.url(), /direction=before/);
});

test('a journey starts at a suggested event, and custom events can be steps', async () => {
	const page = await d.open(`${path}?period=today`, account);
	await page.getByRole('switch', { name: 'Include custom events' }).click();
	await page.getByRole('button', { name: /^signup, step 2, 1 visit,/ }).waitFor();
	await page.getByRole('button', { name: 'Page /' }).click();
	await page.getByLabel('Search pages, events and goals').fill('sign');
	await page.getByRole('region', { name: 'Event' }).getByRole('link', { name: 'signup' }).click();
	await page.getByRole('button', { name: '/welcome, step 1, 1 visit, 100%' }).waitFor();
	assert.match(page.url(), /start=event:signup/);
});

test('a selected path and the table are in the URL, and a phone has the table', async () => {
	const page = await d.open(`${path}?period=today`, account);
	await page.getByRole('link', { name: /^\/pricing → \/welcome → Exit/ }).click();
	const selected = page.getByRole('status').filter({ hasText: 'Selected path' });
	await selected.getByText('2 visits').waitFor();
	await page.reload();
	await selected.getByText('2 visits').waitFor();
	await page.getByRole('link', { name: 'Table', exact: true }).click();
	const table = page.getByRole('table', { name: 'Step 1' });
	await table.getByRole('row', { name: /\/pricing.* 3 75% new$/ }).waitFor();
	await page.goto(d.w.base + page.url().slice(d.w.base.length));
	await table
		.getByRole('row', { name: /Exit 0|\/docs/ })
		.first()
		.waitFor();

	const phone = await d.open(`${path}?period=today`, account, { phone: true });
	await phone.getByRole('table', { name: 'Step 1' }).waitFor();
	await assertFits(phone);
});

test('a node filters the statistics, and shared statistics have no journeys', async () => {
	const page = await d.open(`/websites/${id}?period=today`, account);
	await page.getByRole('link', { name: 'Journeys' }).click();
	await page.getByRole('button', { name: /^\/pricing, step 1/ }).click();
	await page.getByRole('menuitem', { name: 'Filter statistics' }).click();
	await page.waitForURL(/\/websites\/\d+\?.*f=is,page,\/pricing/);
	await account.api('PATCH', `/websites/${id}`, { form: { privacy: '0' } });
	const anybody = await d.open(`/websites/${id}`);
	await anybody.getByRole('heading', { name: 'journeys.example' }).waitFor();
	assert.equal(await anybody.getByRole('link', { name: 'Journeys' }).count(), 0);
});
