import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Page } from 'playwright-core';
import { freshDomain, websiteOf } from '../support/contract.ts';
import { assertAccessible, assertFits, looks, openDashboard } from '../support/dashboard.ts';
import { storeEvents } from '../support/stored-events.ts';

const d = await openDashboard({ after });
const owner = await d.account();

async function create(): Promise<number> {
	const { id } = websiteOf(
		await owner.api('POST', '/websites', { form: { domain: freshDomain(), timezone: 'UTC', privacy: '0' } }),
		201,
	);
	const date = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
	const paths = ['/', '/product/1', '/product/2', '/product/3', '/blog/a'];
	await storeEvents(
		d.w,
		id,
		paths.map((path) => ({ date, path })),
	);
	return id;
}

const rulesOf = async (id: number) =>
	((await owner.api('GET', `/websites/${id}/path-groups`)).json as { data: { rules: unknown[] } }).data.rules;
const patterns = async (page: Page) => {
	const inputs = await page.getByRole('textbox', { name: /^Pattern of rule/ }).all();
	return Promise.all(inputs.map((input) => input.inputValue()));
};
async function save(page: Page) {
	await page.getByRole('button', { name: 'Save changes', exact: true }).click();
	await page.getByText('Saved', { exact: true }).waitFor();
}

test('rules are proposed, previewed, reordered, saved and undone in the settings', async () => {
	const id = await create();
	const page = await d.open(`/websites/${id}/settings/paths`, owner);
	await page.getByText('No rules yet').waitFor();
	await page.getByRole('button', { name: 'Use the rule for /product/*' }).click();
	await page.getByText('Paths: 3 · Page views: 3').first().waitFor();
	await page.getByRole('button', { name: 'Add rule' }).click();
	await page.getByRole('textbox', { name: 'Pattern of rule 2' }).fill('/blog/**');
	await page.getByRole('textbox', { name: 'Group of rule 2' }).fill('Blog');
	await page.getByText('Paths: 1 · Page views: 1').first().click();
	await page.getByText('/blog/a', { exact: true }).waitFor();
	await page.getByRole('button', { name: 'Move rule 2 up' }).click();
	assert.deepEqual(await patterns(page), ['/blog/**', '/product/*']);
	assert.deepEqual(await rulesOf(id), [], 'nothing is stored before it is saved');
	await save(page);
	assert.deepEqual(await rulesOf(id), [
		{ pattern: '/blog/**', target: 'Blog' },
		{ pattern: '/product/*', target: '/product/:id' },
	]);
	await assertAccessible(page);

	await page.getByRole('textbox', { name: 'Pattern of rule 2' }).fill('product');
	await page.getByRole('button', { name: 'Save changes', exact: true }).click();
	await page.getByText('Check this rule.').waitFor();
	await page.getByRole('button', { name: 'Discard' }).click();
	assert.deepEqual(await patterns(page), ['/blog/**', '/product/*']);

	await page.getByRole('button', { name: 'Undo last change' }).click();
	await page.getByText('The last change was undone.').waitFor();
	assert.deepEqual(await rulesOf(id), []);
	await page.getByText('No rules yet').waitFor();
});

test('the statistics page has groups, and the public one does not', async () => {
	const id = await create();
	const rules = [{ pattern: '/product/*', target: '/product/:id' }];
	await owner.api('PUT', `/websites/${id}/path-groups`, { json: { rules } });
	const page = await d.open(`/websites/${id}`, owner);
	const panel = page.getByRole('region', { name: 'Pages' });
	await panel.getByRole('button', { name: 'More' }).click();
	await page.getByRole('menuitem', { name: 'Page groups' }).click();
	await panel.getByText('/product/:id', { exact: true }).waitFor();
	await panel.getByText('/product/:id', { exact: true }).click();
	await page.getByText('Page group is /product/:id').first().waitFor();

	const anybody = await d.open(`/websites/${id}?tabs=page_group`);
	const shown = anybody.getByRole('region', { name: 'Pages' });
	await shown.getByText('/product/1', { exact: true }).waitFor();
	await shown.getByRole('button', { name: 'More' }).click();
	await anybody.getByRole('menuitem', { name: 'Titles' }).waitFor();
	assert.equal(await anybody.getByRole('menuitem', { name: 'Page groups' }).count(), 0);
});

for (const look of looks)
	test(`page groups fit in ${JSON.stringify(look)}`, async () => {
		const id = await create();
		const rules = [
			{ pattern: '/product/*', target: '/product/:id' },
			{ pattern: `/${'long-'.repeat(20)}*/reviews/**`, target: '/$1' },
		];
		await owner.api('PUT', `/websites/${id}/path-groups`, { json: { rules } });
		const page = await d.open(`/websites/${id}/settings/paths`, owner, look);
		await page.getByText('Paths: 3 · Page views: 3').first().waitFor();
		await assertFits(page);
		await assertAccessible(page);
	});
