import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { freshDomain, websiteOf } from '../support/contract.ts';
import { assertAccessible, looks, openDashboard } from '../support/dashboard.ts';
import { zipOf } from '../support/zip.ts';

const d = await openDashboard({ after });
const owner = await d.account();
const create = async () =>
	websiteOf(await owner.api('POST', '/websites', { form: { domain: freshDomain(), timezone: 'UTC' } }), 201);

const buffer = zipOf([
	{
		name: 'imported_visitors_20240301_20240302.csv',
		text: 'date,visitors,pageviews,bounces,visits,visit_duration\n2024-03-01,10,30,4,12,600\n2024-03-02,5,8,3,6,120\n2024-03-02,x,8,3,6,120',
	},
]);
const file = { name: 'export.zip', mimeType: 'application/zip', buffer };

for (const look of looks.slice(0, 2))
	test(`[C-IMP-8] a file is chosen, looked at, imported and undone; ${JSON.stringify(look)}`, async () => {
		const { id } = await create();
		const page = await d.open(`/websites/${id}/settings/data`, owner, look);
		await page.getByLabel('Source', { exact: true }).selectOption('Plausible');
		await page
			.getByLabel('File', { exact: true })
			.setInputFiles({ ...file, buffer: Buffer.from('nonsense') });
		await page.getByRole('button', { name: 'Preview' }).click();
		await page.getByText('This is not an export of Plausible').waitFor();
		await page.getByLabel('File', { exact: true }).setInputFiles(file);
		await page.getByRole('button', { name: 'Preview' }).click();
		const list = page.getByRole('list', { name: 'Imports' });
		await list.getByText('Days: 2, from').waitFor();
		await list.getByText('Skipped').click();
		await list.getByText('Invalid numbers: 1').waitFor();
		await assertAccessible(page);
		await list.getByRole('button', { name: 'Import', exact: true }).click();
		await list.getByText('Imported', { exact: true }).waitFor();

		const statistics = await d.open(
			`/websites/${id}?period=custom&from=2024-03-01&to=2024-03-02`,
			owner,
			look,
		);
		await statistics.getByText(/^Imported from Plausible: .* to .*$/).waitFor();
		await statistics.close();

		await list.getByRole('button', { name: 'Undo' }).click();
		await page.getByRole('dialog').getByRole('button', { name: 'Undo' }).click();
		// Not by its role: behind a dialog nothing has one.
		await page.getByText('export.zip').waitFor({ state: 'detached' });
		const { json } = await owner.api('GET', `/websites/${id}/imports`);
		assert.deepEqual((json as { data: unknown }).data, []);
	});
