import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { z } from 'zod';
import { templateRecord } from '../../api/website-templates.ts';
import { assertStatus, freshDomain, itemsOf, websiteOf } from '../support/contract.ts';
import { assertAccessible, assertGoodInAllLooks, openDashboard } from '../support/dashboard.ts';
import type { TestAccount } from '../support/world.ts';

const d = await openDashboard({ after });
const owner = await d.account();
const create = async (account: TestAccount = owner) =>
	websiteOf(await account.api('POST', '/websites', { form: { domain: freshDomain(), privacy: '1' } }), 201);
const templatesOf = async ({ api }: TestAccount) =>
	z.object({ data: z.array(templateRecord) }).parse((await api('GET', '/website-templates')).json).data;
const labelsOf = async (account: TestAccount, id: number) => {
	const { json } = await account.api('GET', `/websites/${id}/settings`);
	return z.object({ data: z.object({ labels: z.array(z.string()) }) }).parse(json).data.labels;
};

test('[C-TPL-5][C-TPL-3] a website is saved as a template, and another one is added from it', async () => {
	const website = await create();
	await owner.api('POST', `/websites/${website.id}/goals`, {
		json: { name: 'Thanks', kind: 'page', pattern: '/thanks' },
	});
	await owner.api('PUT', `/websites/${website.id}`, { form: { timezone: 'Asia/Tokyo', privacy: '0' } });
	const page = await d.open(`/websites/${website.id}/settings`, owner);
	const save = page.locator('section', { has: page.getByRole('heading', { name: 'Save as template' }) });
	await save.getByRole('button', { name: 'Save as template' }).click();
	await save.getByText('Enter a name.').waitFor();
	await save.getByLabel('Template name').fill('Shop');
	await save.getByRole('button', { name: 'Save as template' }).click();
	await save.getByText('Template saved.').waitFor();
	await save.getByRole('button', { name: 'Save as template' }).click();
	await save.getByText('already has a template').waitFor();
	await page.goto(`${d.base}/websites/new`);
	await page.getByLabel('Template').selectOption('Shop');
	assert.equal(await page.getByLabel('Time zone').inputValue(), 'Asia/Tokyo');
	const domain = freshDomain();
	await page.getByLabel('Domain').fill(domain);
	await page.getByRole('button', { name: 'Add website' }).click();
	await page.waitForURL(/\/install$/);
	const id = Number(/websites\/(\d+)/.exec(page.url())?.[1]);
	const added = websiteOf(await owner.api('GET', `/websites/${id}`));
	assert.deepEqual([added.domain, added.timezone, added.privacy], [domain, 'Asia/Tokyo', 0]);
	const goals = itemsOf('goals', await owner.api('GET', `/websites/${id}/goals`)).data;
	assert.deepEqual(
		goals.map(({ name }) => name),
		['Thanks'],
	);
});

test('[C-TPL-1] templates are renamed and deleted where a website is added', async () => {
	const account = await d.account();
	await account.api('POST', '/website-templates', { json: { name: 'Old name' } });
	const page = await d.open('/websites/new', account);
	await page.getByRole('button', { name: 'Manage templates' }).click();
	const dialog = page.getByRole('dialog', { name: 'Manage templates' });
	await dialog.getByRole('button', { name: 'Rename: Old name' }).click();
	await dialog.getByLabel('Template name').fill('New name');
	await dialog.getByRole('button', { name: 'Save' }).click();
	await dialog.getByText('New name').waitFor();
	assert.deepEqual((await templatesOf(account))[0]?.name, 'New name');
	await assertAccessible(page);
	await dialog.getByRole('button', { name: 'Delete' }).click();
	await dialog.getByRole('button', { name: 'Delete' }).click();
	await dialog.getByText('No templates yet.').waitFor();
	assert.deepEqual(await templatesOf(account), []);
});

test('[C-BULK-4] labels of several websites are changed in the list, and a template is applied', async () => {
	const account = await d.account();
	const [one, two, three] = [await create(account), await create(account), await create(account)];
	await account.api('PUT', `/websites/${two.id}/settings`, { json: { labels: 'old' } });
	const json = { name: 'Shop', settings: { labels: ['shop'] } };
	assertStatus(await account.api('POST', '/website-templates', { json }), 201);
	const page = await d.open('/websites', account);
	await page.getByRole('button', { name: 'Change several' }).click();
	const dialog = page.getByRole('dialog', { name: 'Change several websites' });
	await dialog.getByRole('button', { name: 'Apply' }).click();
	await dialog.getByText('Select at least one website.').waitFor();
	for (const { domain } of [one, two]) await dialog.getByLabel(domain).check();
	await dialog.getByLabel('Add labels').fill('new, north');
	await dialog.getByLabel('Remove labels').fill('old');
	await dialog.getByLabel('Apply a template').selectOption('Shop');
	await dialog.getByRole('button', { name: 'Apply' }).click();
	await dialog.getByText('Saved').waitFor();
	for (const { id } of [one, two])
		assert.deepEqual((await labelsOf(account, id)).toSorted(), ['new', 'north', 'shop']);
	assert.deepEqual(await labelsOf(account, three.id), []);
	const full = Array.from({ length: 20 }, (_, index) => `label ${index}`);
	await account.api('PUT', `/websites/${one.id}/settings`, { json: { labels: full } });
	await dialog.getByLabel('Add labels').fill('one more');
	await dialog.getByRole('button', { name: 'Apply' }).click();
	await dialog.getByText(`${one.domain}: A website must not have more than 20 labels.`).waitFor();
	assert.ok((await labelsOf(account, two.id)).includes('one more'));
});

test('templates and the change of several websites fit and are accessible in all looks', async () => {
	const account = await d.account();
	const website = await create(account);
	await create(account);
	await account.api('POST', '/website-templates', { json: { name: 'Customer website' } });
	const wide = await d.open('/websites/new', account);
	await wide.getByLabel('Template').waitFor();
	await assertGoodInAllLooks(wide);
	await wide.getByRole('button', { name: 'Manage templates' }).click();
	await wide.getByRole('button', { name: 'Rename: Customer website' }).click();
	await wide.getByLabel('Template name').waitFor();
	await assertGoodInAllLooks(wide);
	const list = await d.open('/websites', account);
	await list.getByRole('button', { name: 'Change several' }).click();
	await list.getByLabel(website.domain).waitFor();
	await assertGoodInAllLooks(list);
	const settings = await d.open(`/websites/${website.id}/settings`, account);
	await settings.getByRole('button', { name: 'Save as template' }).waitFor();
	await assertGoodInAllLooks(settings);
});
