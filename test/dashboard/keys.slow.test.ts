import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Page } from 'playwright-core';
import { z } from 'zod';
import { client } from '../support/client.ts';
import { freshDomain, websiteOf } from '../support/contract.ts';
import { assertGoodInAllLooks, openDashboard } from '../support/dashboard.ts';
import { goodPassword } from '../support/visitor.ts';

const d = await openDashboard({ after });

const field = (page: Page, label: string) => page.getByLabel(label, { exact: true });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const rowOf = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name });

async function edit(page: Page, name: string) {
	await page.getByRole('button', { name: `Actions for ${name}` }).click();
	await page.getByRole('menuitem', { name: 'Edit' }).click();
	await field(page, 'Name').waitFor();
}

test('a key is made with permissions, an expiration and networks, and works within them', async () => {
	const account = await d.account();
	const { id, domain } = websiteOf(
		await account.api('POST', '/websites', { form: { domain: freshDomain() } }),
		201,
	);
	const page = await d.open('/account/keys', account);
	await button(page, 'New API key').click();
	await field(page, 'Name').fill('Shop');
	await page.getByRole('radio', { name: /^Selected permissions/ }).check();
	await field(page, 'Expiration').selectOption('Custom date');
	await field(page, 'Last day').fill('2020-01-01');
	await field(page, 'Allowed networks (one per line)').fill('127.0.0.1\nnot a network');
	await field(page, 'Current password').fill(goodPassword);
	await button(page, 'Create API key').click();
	await page.getByText('Select at least one permission.').waitFor();
	await page.getByText('Choose a date from today on, within five years.').waitFor();
	await page.getByRole('checkbox', { name: /^Send events/ }).check();
	await field(page, 'Expiration').selectOption('90 days');
	await button(page, 'Create API key').click();
	await page.getByText('Enter IP addresses or networks such as 203.0.113.0/24, up to 100.').waitFor();
	await assertGoodInAllLooks(page);
	await field(page, 'Allowed networks (one per line)').fill('127.0.0.1\n2001:db8::/32');
	await button(page, 'Create API key').click();
	const key = await field(page, 'API key').inputValue();
	const api = client(d.w.base, key);
	const event = { json: { url: `https://${domain}/` } };
	assert.equal((await api('POST', `/websites/${id}/events`, event)).status, 202);
	assert.equal((await api('GET', '/websites')).status, 403);
	await button(page, 'I have copied the key').click();
	const row = rowOf(page, 'Shop');
	await row.getByText(/^Send events · All websites · … /).waitFor();
	await row.getByText(/, expires /).waitFor();
	await row.getByText('Only from 127.0.0.1, 2001:db8::/32').waitFor();
	await assertGoodInAllLooks(page);
});

test('[T130] a key is renamed and narrowed at once, and gets more access only with the password', async () => {
	const account = await d.account();
	const ids: number[] = [];
	for (const name of ['alpha', 'beta'])
		ids.push(
			websiteOf(await account.api('POST', '/websites', { form: { domain: freshDomain(name) } }), 201).id,
		);
	const [alpha = 0, beta = 0] = ids;
	const { id, key } = await d.w.key(account, {
		websites: [alpha],
		expiresAt: new Date(Date.now() + 86_400_000),
	});
	const record = async () =>
		z
			.object({
				data: z.object({
					...{ name: z.string(), access: z.string(), scopes: z.array(z.string()).nullable() },
					...{ website_ids: z.array(z.int()).nullable(), expires_at: z.string().nullable() },
				}),
			})
			.parse((await account.api('GET', `/keys/${id}`)).json).data;
	const before = await record();
	const page = await d.open('/account/keys', account);
	await edit(page, 'A test key');
	// What the key has is chosen.
	assert.ok(await page.getByRole('radio', { name: /^Read and write/ }).isChecked());
	assert.ok(await page.getByRole('checkbox', { name: /alpha/ }).isChecked());
	assert.equal(await field(page, 'Current password').count(), 0);
	await field(page, 'Name').fill('Reports');
	await page.getByRole('radio', { name: /^Selected permissions/ }).check();
	await page.getByRole('checkbox', { name: /^View statistics/ }).check();
	await page.getByRole('checkbox', { name: /^Export data/ }).check();
	await button(page, 'Save').click();
	await page.getByRole('dialog').waitFor({ state: 'detached' });
	assert.deepEqual(await record(), {
		...before,
		...{ name: 'Reports', access: 'scoped', scopes: ['stats', 'export'] },
	});
	const api = client(d.w.base, key);
	assert.equal((await api('GET', `/websites/${alpha}/settings`)).status, 403);

	await edit(page, 'Reports');
	await page.getByRole('checkbox', { name: /beta/ }).check();
	await field(page, 'Expiration').selectOption('Never');
	await button(page, 'Save').click();
	await page.getByText('Confirm your password to give this key more access.').waitFor();
	await field(page, 'Current password').and(page.locator(':focus')).waitFor();
	await assertGoodInAllLooks(page);
	assert.equal((await api('GET', `/websites/${beta}/stats`)).status, 404, 'not yet');
	await field(page, 'Current password').fill('not the password');
	await button(page, 'Save').click();
	await page.getByText('Incorrect password.').waitFor();
	await field(page, 'Current password').fill(goodPassword);
	await button(page, 'Save').click();
	await page.getByRole('dialog').waitFor({ state: 'detached' });
	assert.deepEqual((await record()).website_ids, [alpha, beta]);
	assert.equal((await record()).expires_at, null);
	assert.equal((await api('GET', `/websites/${beta}/stats`)).status, 200);
});

test('keys that expired, expire soon or are not used are marked', async () => {
	const account = await d.account();
	const made: Record<string, number> = {};
	for (const name of ['expired', 'soon', 'unused', 'fine']) made[name] = (await d.w.key(account)).id;
	for (const [name, change] of [
		['expired', "expires_at = now() - interval '73 hours'"],
		['soon', "expires_at = now() + interval '73 hours'"],
		['unused', "last_used_at = now() - interval '91 days'"],
		['fine', "created_at = now() - interval '200 days', last_used_at = now() - interval '89 days'"],
	] as const) {
		const isLimited = change.startsWith('expires');
		await d.w.sql(
			`UPDATE api_keys SET name = $2, ${change}
				${isLimited ? ', restricted_digest = digest, digest = sha256(digest)' : ''} WHERE id = $1`,
			[made[name], `Key ${name}`],
		);
	}
	const page = await d.open('/account/keys', account);
	await rowOf(page, 'Key expired').getByText('Expired 3 days ago', { exact: true }).waitFor();
	await rowOf(page, 'Key soon').getByText('Expires in 3 days', { exact: true }).waitFor();
	await rowOf(page, 'Key unused').getByText('Unused for 90 days', { exact: true }).waitFor();
	assert.equal(
		await rowOf(page, 'Key fine')
			.getByText(/Unused|Expire/)
			.count(),
		0,
	);
	await assertGoodInAllLooks(page);
});
