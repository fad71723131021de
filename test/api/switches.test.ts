import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { assertProblem, assertWebsite, freshDomain, type Website, websiteOf } from '../support/contract.ts';
import { world } from '../support/world.ts';

const w = await world({ after });
const owner = await w.account({ timezone: 'UTC' });
const create = async (fields: Record<string, string> = {}) =>
	websiteOf(await owner.api('POST', '/websites', { form: { domain: freshDomain(), ...fields } }), 201);

const switches = ['email', 'exclude_bots', 'favorite'] as const;
const on = ['1', 'true', 'TRUE', 'True', ' 1 '];
const off = ['0', 'false', 'FALSE', 'False', ' 0 '];

for (const field of switches)
	for (const [words, value] of [
		[on, 1],
		[off, 0],
	] as const)
		test(`[C-SW-1] ${field}: ${JSON.stringify(words)}, ${value} and ${value === 1} are ${value}`, async () => {
			for (const call of [
				...words.map((word) => ({ form: { [field]: word } })),
				...words.map((word) => ({ json: { [field]: word } })),
				{ json: { [field]: value } },
				{ json: { [field]: value === 1 } },
			]) {
				const website = await create();
				websiteOf(await owner.api('PUT', `/websites/${website.id}`, { json: { [field]: 1 - value } }));
				const after = websiteOf(await owner.api('PUT', `/websites/${website.id}`, call));
				assertWebsite(after, { domain: website.domain, [field]: value });
			}
		});

for (const field of ['email', 'exclude_bots'] as const)
	test(`[C-SW-1] ${field} is taken on create in every spelling`, async () => {
		for (const word of [...on, ...off]) {
			const website = await create({ [field]: word });
			assertWebsite(website, { domain: website.domain, [field]: on.includes(word) ? 1 : 0 });
		}
	});

test('[C-SW-2] list, get, create and update give numbers back', async () => {
	const made = await create({ email: 'true', exclude_bots: 'false' });
	const put = websiteOf(await owner.api('PUT', `/websites/${made.id}`, { json: { favorite: true } }));
	const got = websiteOf(await owner.api('GET', `/websites/${made.id}`));
	const values = (website: Website) => [website.email, website.exclude_bots, website.favorite];
	assert.deepEqual(values(made), [1, 0, 0]);
	assert.deepEqual(values(put), [1, 0, 1]);
	assert.deepEqual(values(got), [1, 0, 1]);
});

const words = [
	'2',
	'-1',
	'01',
	'1.0',
	'+1',
	'yes',
	'no',
	'on',
	'off',
	'y',
	't',
	'enabled',
	'null',
	'1,0',
	'0x1',
];
for (const field of switches)
	for (const word of words)
		test(`[C-SW-3] ${field}=${word} is 422`, async () => {
			const website = await create();
			const put = await owner.api('PUT', `/websites/${website.id}`, { form: { [field]: word } });
			assertProblem(put, 'validation_failed', [field]);
			assert.deepEqual(websiteOf(await owner.api('GET', `/websites/${website.id}`)), website);
		});
for (const field of switches)
	test(`[C-SW-3] ${field} as another JSON value is 422`, async () => {
		const website = await create();
		for (const value of [2, -1, 0.5, [1], [], { on: true }, 1e300])
			assertProblem(
				await owner.api('PUT', `/websites/${website.id}`, { json: { [field]: value } }),
				'validation_failed',
				[field],
			);
		assert.deepEqual(websiteOf(await owner.api('GET', `/websites/${website.id}`)), website);
	});

for (const field of switches)
	test(`[C-SW-4] the word false switches ${field} off, in a form and in JSON`, async () => {
		for (const kind of ['form', 'json'] as const) {
			const website = await create();
			await owner.api('PUT', `/websites/${website.id}`, { form: { [field]: 'true' } });
			const put = await owner.api('PUT', `/websites/${website.id}`, { [kind]: { [field]: 'false' } });
			assertWebsite(websiteOf(put), { domain: website.domain, [field]: 0 });
		}
	});
