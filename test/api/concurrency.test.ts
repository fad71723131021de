import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import {
	accountOf,
	assertProblem,
	assertWebsite,
	freshDomain,
	listOf,
	type Website,
	websiteOf,
} from '../support/contract.ts';
import { world } from '../support/world.ts';

const w = await world({ after });
const owner = await w.account({ timezone: 'UTC' });

test('[C-NEW-8] of 20 creates of one domain at the same moment one is 201', async () => {
	for (const spellings of [
		['race.example'],
		['fuß.example', 'www.fuß.example', 'HTTPS://FUß.example/', 'xn--fu-hia.example'],
	]) {
		const answers = await Promise.all(
			Array.from({ length: 20 }, (_, n) =>
				owner.api('POST', '/websites', { form: { domain: spellings[n % spellings.length] ?? '' } }),
			),
		);
		const made = answers.filter(({ status }) => status === 201);
		assert.equal(made.length, 1);
		const [winner] = made.map((answer) => websiteOf(answer, 201));
		for (const answer of answers.filter(({ status }) => status !== 201))
			assert.equal(assertProblem(answer, 'domain_taken', ['domain']).website_id, winner?.id);
		assert.equal(listOf(await owner.api('GET', `/websites?search=${winner?.domain}`)).meta.total, 1);
	}
});

test('[C-NEW-8] creates of different domains at the same moment are all counted', async () => {
	const account = await w.account({ timezone: 'UTC' });
	const answers = await Promise.all(
		Array.from({ length: 30 }, () =>
			account.api('POST', '/websites', { form: { domain: freshDomain('many') } }),
		),
	);
	assert.equal(new Set(answers.map((answer) => websiteOf(answer, 201).id)).size, 30);
	assert.equal(accountOf(await account.api('GET', '/account')).usage.websites, 30);
	assert.equal(listOf(await account.api('GET', '/websites')).meta.total, 30);
});

test('[C-NEW-8] creates and deletes of one domain, mixed: the count stays true', async () => {
	const account = await w.account({ timezone: 'UTC' });
	const domain = 'seesaw.example';
	for (let round = 0; round < 10; round++) {
		const found = listOf(await account.api('GET', '/websites')).data[0];
		const answers = await Promise.all([
			...Array.from({ length: 3 }, () => account.api('POST', '/websites', { form: { domain } })),
			...(found ? [account.api('DELETE', `/websites/${found.id}`)] : []),
			...Array.from({ length: 3 }, () => account.api('POST', '/websites', { form: { domain } })),
		]);
		for (const { status, text } of answers) assert.ok(status < 500, text);
		const { total } = listOf(await account.api('GET', '/websites')).meta;
		assert.ok(total <= 1);
		assert.equal(accountOf(await account.api('GET', '/account')).usage.websites, total);
	}
});

/** Each row is one field with the value that the last of its writers must leave. */
const fields: { name: keyof Website; values: string[]; last: unknown }[] = [
	{ name: 'email', values: ['1', '0', '1'], last: 1 },
	{ name: 'exclude_bots', values: ['0', '1', '0'], last: 0 },
	{ name: 'favorite', values: ['1', '0', '1'], last: 1 },
	{ name: 'privacy', values: ['1', '0', '1'], last: 1 },
	{ name: 'exclude_params', values: ['a', 'b', 'c'], last: 'c' },
	{ name: 'exclude_ips', values: ['::1', '::2', '::3'], last: '::3' },
	{ name: 'timezone', values: ['Asia/Tokyo', 'Europe/Paris', 'Europe/Berlin'], last: 'Europe/Berlin' },
];

test('[C-UPD-9] 200 updates of different fields at the same moment: none is lost', async () => {
	for (let round = 0; round < 5; round++) {
		const { id, domain } = websiteOf(
			await owner.api('POST', '/websites', { form: { domain: freshDomain('busy') } }),
			201,
		);
		const method = (n: number) => (n % 2 === 0 ? 'PUT' : 'PATCH');
		// All writers of a field send the same value, so the outcome is known whatever their order.
		const answers = await Promise.all(
			Array.from({ length: 200 }, (_, n) => {
				const field = fields[n % fields.length];
				return owner.api(method(n), `/websites/${id}`, {
					form: { [field?.name ?? '']: field?.values.at(-1) ?? '' },
				});
			}),
		);
		for (const answer of answers) websiteOf(answer);
		assertWebsite(websiteOf(await owner.api('GET', `/websites/${id}`)), {
			domain,
			...Object.fromEntries(fields.map(({ name, last }) => [name, last])),
		});
	}
});

test('[C-UPD-9] one writer a field, each in its own order: the last value of each stands', async () => {
	const { id, domain } = websiteOf(
		await owner.api('POST', '/websites', { form: { domain: freshDomain('order') } }),
		201,
	);
	await Promise.all(
		fields.map(async ({ name, values }) => {
			for (let round = 0; round < 10; round++)
				for (const value of values)
					websiteOf(await owner.api('PUT', `/websites/${id}`, { form: { [name]: value } }));
		}),
	);
	assertWebsite(websiteOf(await owner.api('GET', `/websites/${id}`)), {
		domain,
		...Object.fromEntries(fields.map(({ name, last }) => [name, last])),
	});
});

test('[C-UPD-9] updates, a rename and reads at the same moment leave one true record', async () => {
	const { id } = websiteOf(
		await owner.api('POST', '/websites', { form: { domain: freshDomain('mixed') } }),
		201,
	);
	const domain = freshDomain('mixed');
	const answers = await Promise.all([
		...Array.from({ length: 20 }, () => owner.api('PUT', `/websites/${id}`, { form: { email: '1' } })),
		owner.api('PUT', `/websites/${id}/domain`, { form: { domain } }),
		...Array.from({ length: 20 }, () =>
			owner.api('PUT', `/websites/${id}`, { form: { exclude_params: 'x' } }),
		),
		...Array.from({ length: 20 }, () => owner.api('GET', `/websites/${id}`)),
	]);
	for (const answer of answers) websiteOf(answer);
	assertWebsite(websiteOf(await owner.api('GET', `/websites/${id}`)), {
		domain,
		email: 1,
		exclude_params: 'x',
	});
});
