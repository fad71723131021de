import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { assertStatus, freshDomain, itemsOf, websiteOf } from '../support/contract.ts';
import { assertAccessible, assertFits, looks, openDashboard } from '../support/dashboard.ts';

const d = await openDashboard({ after });
const owner = await d.account();
const create = async () =>
	websiteOf(await owner.api('POST', '/websites', { form: { domain: freshDomain() } }), 201);
const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0';

async function sendViews(website: { id: number; domain: string }, paths: readonly string[]) {
	const events = paths.map((path, n) => ({
		url: `https://${website.domain}${path}`,
		ip: `8.8.${n}.8`,
		user_agent: agent,
	}));
	assertStatus(await owner.api('POST', `/websites/${website.id}/events`, { json: { events } }), 202);
	await d.w.drain();
}

test('[C-RULE-11] a rule is added with a preview, changed, switched off and deleted', async () => {
	const website = await create();
	await sendViews(website, ['/admin', '/admin/users', '/about']);
	const rules = async () =>
		itemsOf('traffic-rules', await owner.api('GET', `/websites/${website.id}/traffic-rules`)).data;
	const page = await d.open(`/websites/${website.id}/settings/exclusions`, owner);
	await page.getByText('No rules yet.').waitFor();
	await page.getByRole('button', { name: 'Add rule' }).click();
	const dialog = page.getByRole('dialog');
	await dialog
		.getByText('Applies to new traffic. After it is saved, it can also be applied to past traffic.')
		.waitFor();
	await dialog.getByLabel('Name').fill('Back office');
	await dialog.getByRole('button', { name: 'Save' }).click();
	await dialog.getByText('Enter at least one value.').waitFor();
	await dialog.getByLabel('Operator').selectOption('starts with');
	await dialog.getByLabel('Values').fill('admin');
	await dialog.getByText('Value 1 is not valid for this kind of rule.').waitFor();
	await dialog.getByLabel('Values').fill('/admin');
	await dialog.getByText('2 visits in the last 30 days match.').waitFor();
	await assertAccessible(page);
	await dialog.getByLabel('Values').fill('/none');
	await dialog.getByText('No visits in the last 30 days match.').waitFor();
	await dialog.getByLabel('Exclude by').selectOption('User agent');
	await dialog.getByText('IP addresses, network operators and user agents are not stored').waitFor();
	await dialog.getByLabel('Exclude by').selectOption('Network operator');
	await dialog.getByText('Applies to new traffic only').waitFor();
	await dialog.getByText('AS numbers such as AS64500, one per line.').waitFor();
	await dialog.getByText('Value 1 is not valid for this kind of rule.').waitFor();
	await dialog.getByLabel('Operator').selectOption('contains');
	await dialog.getByText('Parts of names, one per line.').waitFor();
	await dialog
		.getByText('This rule matches nothing, because the database of network operators is not installed.')
		.waitFor();
	await dialog.getByText('tidemark geo update --operators').waitFor();
	await assertAccessible(page);
	await dialog.getByLabel('Exclude by').selectOption('Referrer');
	await dialog.getByText('usually the first page view of a visit').waitFor();
	assert.equal(await dialog.getByLabel('Operator').inputValue(), 'domain');
	await dialog.getByLabel('Exclude by').selectOption('Path');
	await dialog.getByLabel('Operator').selectOption('starts with');
	await dialog.getByLabel('Values').fill('/admin\n/intern');
	await dialog.getByRole('button', { name: 'Save' }).click();
	await dialog.waitFor({ state: 'detached' });
	await page.getByText('No hits excluded in the last 30 days').waitFor();
	assert.deepEqual(
		(await rules()).map(({ name, kind, test: condition, values }) => [name, kind, condition, values]),
		[['Back office', 'path', 'starts_with', ['/admin', '/intern']]],
	);

	await sendViews(website, ['/admin', '/intern/x', '/about']);
	for (let tries = 0; (await page.getByText('2 hits excluded in the last 30 days').count()) === 0; tries++) {
		assert.ok(tries < 30, 'the count is shown');
		await page.waitForTimeout(300);
		await page.reload();
		await page.getByText('Back office').waitFor();
		await page.getByText(/excluded in the last 30 days/).waitFor();
	}
	await assertAccessible(page);
	await page.goto(`${d.w.base}/websites/${website.id}/settings/drops`);
	await page.getByRole('heading', { name: 'By traffic rule' }).waitFor();
	await page.getByText('A traffic rule matched.').waitFor();
	await page.goto(`${d.w.base}/websites/${website.id}/settings/exclusions`);

	await page.getByRole('switch', { name: 'Back office' }).click();
	await page.getByRole('switch', { name: 'Back office', checked: false }).waitFor();
	await page.reload();
	await page.getByRole('switch', { name: 'Back office', checked: false }).waitFor();
	// With the keyboard alone.
	await page.getByRole('button', { name: 'Edit Back office' }).press('Enter');
	await dialog.getByLabel('Name').fill('Intern');
	await dialog.getByLabel('Name').press('Enter');
	await dialog.waitFor({ state: 'detached' });
	assert.deepEqual(
		(await rules()).map(({ name, enabled }) => [name, enabled]),
		[['Intern', false]],
	);
	await page.getByRole('button', { name: 'Delete Intern' }).click();
	await dialog.getByText('Hits that it excluded are not restored.').waitFor();
	await dialog.getByRole('button', { name: 'Delete' }).click();
	await page.getByText('No rules yet.').waitFor();
	assert.deepEqual(await rules(), []);
});

test('[C-RULE-12] a viewer gets no rules', async () => {
	const website = await create();
	const viewer = await d.account();
	await d.w.sql(
		'INSERT INTO members (owner_id, website_id, member_id, role, created_at) VALUES ($1, $2, $3, $4, now())',
		[owner.id, website.id, viewer.id, 'viewer'],
	);
	const json = { name: 'Office', kind: 'network', values: ['203.0.113.0/24'] };
	assertStatus(await owner.api('POST', `/websites/${website.id}/traffic-rules`, { json }), 201);
	const page = await d.open(`/websites/${website.id}/settings/exclusions`, viewer);
	await page.getByText('You have view-only access.').waitFor();
	await page.getByRole('heading', { name: 'Bots' }).waitFor();
	assert.equal(await page.getByText('Traffic rules').count(), 0);
	const answer = await page.request.get(`${d.w.base}/app/api/websites/${website.id}/traffic-rules`);
	assert.equal(answer.status(), 403);
});

for (const look of looks)
	test(`[C-RULE-11] rules and their dialog fit: ${look.theme}${look.phone ? ', phone' : ''}`, async () => {
		const website = await create();
		await sendViews(website, ['/admin', '/about']);
		for (const json of [
			{ name: 'Back office', kind: 'path', test: 'starts_with', values: ['/admin', '/intern'] },
			{ name: 'Office', kind: 'network', values: ['203.0.113.0/24', '2001:db8::/32'] },
			{
				name: 'Known referrer spam',
				kind: 'referrer',
				values: Array.from({ length: 2_300 }, (_, n) => `spam-with-a-long-name-${n}.example`),
			},
			{ name: 'Uptime check', kind: 'user_agent', values: ['curious-reader'], enabled: false },
		])
			assertStatus(await owner.api('POST', `/websites/${website.id}/traffic-rules`, { json }), 201);
		await sendViews(website, ['/admin']);
		const page = await d.open(`/websites/${website.id}/settings/exclusions`, owner, look);
		await page.getByText('Known referrer spam').waitFor();
		await page
			.getByText(/excluded in the last 30 days/)
			.first()
			.waitFor();
		await assertFits(page);
		await assertAccessible(page);
		await page.getByRole('button', { name: 'Edit Back office' }).click();
		await page.getByText('1 visit in the last 30 days matches.').waitFor();
		await assertFits(page);
		await assertAccessible(page);
	});
