import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { assertFits, assertGoodInAllLooks, openDashboard } from '../support/dashboard.ts';
import { setPolicy } from '../support/policies.ts';
import { goodPassword } from '../support/visitor.ts';

const d = await openDashboard({ after });

test('an owner sets the policy of the account, and cannot lock themselves out', async () => {
	const account = await d.account();
	const page = await d.open('/account/policy', account);
	await page.getByLabel('Sign out after inactivity').selectOption({ label: '8 hours' });
	await page.getByLabel('Allowed networks').fill('203.0.113.0/24');
	await page.getByLabel('Current password', { exact: true }).fill(goodPassword);
	await page.getByRole('button', { name: 'Save policy' }).click();
	await page
		.getByText('The list must contain your address 127.0.0.1, and only IP addresses and networks.')
		.waitFor();
	await assertFits(page);
	await assertGoodInAllLooks(page);
	await page.getByLabel('Allowed networks').fill('203.0.113.0/24\n127.0.0.1');
	await page.getByRole('button', { name: 'Save policy' }).click();
	await page.getByText('The policy is saved.').waitFor();
	await page.reload();
	await page.getByLabel('Sign out after inactivity').waitFor();
	assert.equal(await page.getByLabel('Sign out after inactivity').inputValue(), '480');
	assert.equal(await page.getByLabel('Allowed networks').inputValue(), '203.0.113.0/24\n127.0.0.1');
	await page.close();
});

test('someone without the required second factor is led to set one up', async () => {
	const account = await d.account();
	const page = await d.open('/websites', account);
	await page.getByRole('heading', { name: 'Websites' }).first().waitFor();
	await setPolicy(d.w, account, { signIn: 'second_factor' });
	await page.goto(`${d.w.base}/websites`);
	await page.getByText('This account requires a second factor.').waitFor();
	await assertGoodInAllLooks(page);
	await page.getByRole('link', { name: 'Set up a second factor' }).click();
	await page.getByRole('heading', { name: 'Two-factor authentication' }).waitFor();
	await page.close();
});

test('outside of the allowed networks, the dashboard says whom to ask', async () => {
	const account = await d.account();
	const page = await d.open('/account', account, { phone: true });
	await setPolicy(d.w, account, { networks: ['203.0.113.0/24'] });
	await page.goto(`${d.w.base}/websites`);
	await page
		.getByText(
			'Access from this network is not allowed. Ask an owner of the account, or the operator of this server.',
		)
		.waitFor();
	await assertFits(page);
	await page.close();
});
