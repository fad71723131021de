import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { assertAccessible, assertFits, looks, openDashboard } from '../support/dashboard.ts';

const d = await openDashboard({ after });

test('whoever is not signed in is asked to, and comes back to where they wanted', async () => {
	const page = await d.open('/websites?sort_by=domain');
	await page.waitForURL(`${d.w.base}/sign-in?to=${encodeURIComponent('/websites?sort_by=domain')}`);
});

test('an address that is none says so', async () => {
	const account = await d.account();
	for (const look of looks) {
		const page = await d.open('/websites/1/nothing-of-ours', account, look);
		await page.getByText('There is nothing here').first().waitFor();
		await assertAccessible(page);
		await assertFits(page);
	}
});

test('pages are read by nobody else and come with a policy', async () => {
	const answer = await fetch(`${d.w.base}/websites`);
	assert.equal(answer.headers.get('x-robots-tag'), 'noindex');
	const policy = answer.headers.get('content-security-policy') ?? '';
	assert.match(policy, /^default-src 'none'; script-src 'self' 'sha256-[\w+/=]+'; /);
	assert.match(policy, /frame-ancestors 'none'/);
});
