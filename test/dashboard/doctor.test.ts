import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { assertGoodInAllLooks, openDashboard } from '../support/dashboard.ts';

const d = await openDashboard({ after });
const first = await d.account({ name: 'Whoever set it up' });
const second = await d.account({ name: 'A customer' });

test('the page of health: from the menu, the worst first, what to do, looked at again', async () => {
	const page = await d.open('/websites', first);
	await page.getByRole('button', { name: 'Account' }).click();
	await page.getByRole('menuitem', { name: 'System health' }).click();
	await page.getByRole('heading', { level: 1, name: 'System health', exact: true }).waitFor();
	const list = page.getByRole('list', { name: 'System health' });
	await list.getByText('Versions', { exact: true }).waitFor();
	assert.match((await list.textContent()) ?? '', /Node 24\.\d+/);
	await list.getByText('Recommended:').first().waitFor();
	const states = await list
		.locator('[data-state]')
		.evaluateAll((found) =>
			found.map((one) => (one as unknown as { dataset: { state: string } }).dataset.state),
		);
	const rank = ['problem', 'notice', 'ok'];
	assert.deepEqual(
		states,
		states.toSorted((a, b) => rank.indexOf(a) - rank.indexOf(b)),
	);
	await page
		.getByText(/^\d+ warnings?$|problem/)
		.first()
		.waitFor();
	await assertGoodInAllLooks(page);

	await d.w.sql("INSERT INTO dead_letters VALUES (1, 1, '{}', 'Cannot parse')");
	await page.getByRole('button', { name: 'Run checks again' }).click();
	await list.getByText('1 event could not be written').waitFor();
	await page.context().close();
});

test('whoever came later has no such page, and no way to it', async () => {
	const page = await d.open('/doctor', second);
	await page.getByRole('heading', { level: 1 }).waitFor();
	assert.doesNotMatch((await page.locator('body').textContent()) ?? '', /System health|Versions/);
	await page.getByRole('button', { name: 'Account' }).click();
	await page.getByRole('menuitem', { name: 'Websites' }).waitFor();
	assert.equal(await page.getByRole('menuitem', { name: 'System health' }).count(), 0);
});
