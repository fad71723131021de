import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { assertProblem, assertWebsite, freshDomain, websiteOf } from '../support/contract.ts';
import { world } from '../support/world.ts';

const w = await world({ after });
const owner = await w.account({ timezone: 'America/New_York' });

for (const timezone of [
	'UTC',
	'Europe/Berlin',
	'America/Argentina/Buenos_Aires',
	'Asia/Kolkata',
	'Asia/Kathmandu',
	'Pacific/Chatham',
])
	test(`[C-TZ-1] ${timezone} is taken on create and on update, and given back`, async () => {
		const domain = freshDomain();
		const made = websiteOf(await owner.api('POST', '/websites', { form: { domain, timezone } }), 201);
		assertWebsite(made, { domain, timezone });
		const other = websiteOf(await owner.api('POST', '/websites', { form: { domain: freshDomain() } }), 201);
		const put = websiteOf(
			await owner.api('PUT', `/websites/${other.id}`, { json: { timezone: ` ${timezone} ` } }),
		);
		assertWebsite(put, { domain: other.domain, timezone });
	});

for (const [sent, stored] of Object.entries({
	'europe/berlin': 'Europe/Berlin',
	utc: 'UTC',
	'AMERICA/NEW_YORK': 'America/New_York',
}))
	test(`[C-TZ-1] ${sent} is given back as ${stored}`, async () => {
		const form = { domain: freshDomain(), timezone: sent };
		assert.equal(websiteOf(await owner.api('POST', '/websites', { form }), 201).timezone, stored);
	});

const noZones = [
	'Mars/Olympus',
	'Europe/Nowhere',
	'+01:00',
	'-0500',
	'UTC+1',
	'GMT+25',
	'Europe',
	'Europe/Berlin; DROP',
	'../etc/passwd',
	'0',
	'null',
	'Europe\\Berlin',
	'x'.repeat(10_000),
];
for (const timezone of noZones)
	test(`[C-TZ-1] ${timezone.slice(0, 40)} is 422`, async () => {
		const form = { domain: freshDomain(), timezone };
		assertProblem(await owner.api('POST', '/websites', { form }), 'validation_failed', ['timezone']);
		const { id } = websiteOf(await owner.api('POST', '/websites', { form: { domain: freshDomain() } }), 201);
		assertProblem(await owner.api('PUT', `/websites/${id}`, { form: { timezone } }), 'validation_failed', [
			'timezone',
		]);
	});
for (const timezone of [1, true, ['UTC'], { zone: 'UTC' }])
	test(`[C-TZ-1] JSON ${JSON.stringify(timezone)} is 422`, async () => {
		const json = { domain: freshDomain(), timezone };
		assertProblem(await owner.api('POST', '/websites', { json }), 'validation_failed', ['timezone']);
	});

test("[C-TZ-2] the account's zone is the default, also for an empty one", async () => {
	for (const extra of [{}, { timezone: '' }, { timezone: null }]) {
		const domain = freshDomain();
		const made = await owner.api('POST', '/websites', { json: { domain, ...extra } });
		assert.equal(websiteOf(made, 201).timezone, 'America/New_York');
	}
});
