import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Page } from 'playwright-core';
import { assertGoodInAllLooks, openDashboard } from '../support/dashboard.ts';
import { startHookServer } from '../support/hook-server.ts';

const hooks = await startHookServer({ after });
const d = await openDashboard({ after }, { settings: { TIDEMARK_WEBHOOK_ALLOWED_HOSTS: hooks.host } });

const field = (page: Page, label: string) => page.getByLabel(label, { exact: true });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

async function choose(page: Page, name: string, item: string) {
	await page.getByRole('button', { name: `Actions for ${name}` }).click();
	await page.getByRole('menuitem', { name: item, exact: true }).click();
}

test('[C-HOOK-1][C-HOOK-9] a webhook is made, tested, and its delivery sent again', async () => {
	const account = await d.account();
	const page = await d.open('/account/webhooks', account);
	await page.getByText('No webhooks yet').waitFor();
	await assertGoodInAllLooks(page);
	await button(page, 'Add webhook').click();
	await field(page, 'Name').fill('Warehouse');
	await field(page, 'URL').fill('http://10.0.0.1/');
	await button(page, 'Create webhook').click();
	await page.getByText('Select at least one event.').waitFor();
	await page.getByRole('checkbox', { name: /^Website created/ }).check();
	await button(page, 'Create webhook').click();
	await page.getByText(/is not a host of the open net/).waitFor();
	await assertGoodInAllLooks(page);
	await field(page, 'URL').fill(hooks.url('/secret-path'));
	await button(page, 'Create webhook').click();
	assert.match(await field(page, 'Secret').inputValue(), /^[\w-]{43}$/);
	await button(page, 'I have copied the secret').click();
	const row = page.getByRole('listitem').filter({ hasText: 'Warehouse' });
	await row.getByText(`http://${hooks.host}/… · Website created · All websites`).waitFor();
	await choose(page, 'Warehouse', 'Send test');
	await page.getByText('A test was sent to Warehouse.').waitFor();
	await choose(page, 'Warehouse', 'Deliveries');
	await page.getByText('Delivered', { exact: true }).waitFor();
	await assertGoodInAllLooks(page);
	await page.getByRole('button', { name: /^Send again: Test/ }).click();
	await page.getByText('Delivered', { exact: true }).nth(1).waitFor();
	assert.equal(hooks.at('/secret-path').length, 2);
	await button(page, 'Close').click();
	await choose(page, 'Warehouse', 'Edit');
	await field(page, 'Name').fill('Data warehouse');
	await page.getByRole('radio', { name: /^All events/ }).check();
	await button(page, 'Save').click();
	await page.getByText(/All events · All websites/).waitFor();
	await choose(page, 'Data warehouse', 'New secret');
	await button(page, 'New secret').click();
	await page.getByText('Secret of Data warehouse').waitFor();
	await assertGoodInAllLooks(page);
	await choose(page, 'Data warehouse', 'Disable');
	await page.getByText('Disabled', { exact: true }).waitFor();
	await choose(page, 'Data warehouse', 'Delete');
	await button(page, 'Delete').click();
	await page.getByText('No webhooks yet').waitFor();
});
