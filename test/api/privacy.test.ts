import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { isPassword } from '../../server/lib/passwords.ts';
import { assertProblem, assertWebsite, freshDomain, websiteOf } from '../support/contract.ts';
import { world } from '../support/world.ts';

const w = await world({ after });
const owner = await w.account({ timezone: 'UTC' });
const create = async (fields: Record<string, string> = {}) =>
	websiteOf(await owner.api('POST', '/websites', { form: { domain: freshDomain(), ...fields } }), 201);
const update = (id: number, fields: Record<string, unknown>) =>
	owner.api('PUT', `/websites/${id}`, { json: fields });

for (const privacy of [0, 1] as const)
	test(`[C-PRIV-1] privacy ${privacy} is taken as text and as a number`, async () => {
		for (const call of [
			{ form: { privacy: `${privacy}` } },
			{ json: { privacy } },
			{ json: { privacy: ` ${privacy} ` } },
		]) {
			const { id } = await create({ privacy: privacy === 0 ? '1' : '0' });
			assert.equal(websiteOf(await owner.api('PUT', `/websites/${id}`, call)).privacy, privacy);
		}
	});

const noMode = [
	'3',
	'-1',
	'2.0',
	'+2',
	'02',
	'1e0',
	'0x1',
	'public',
	'true',
	'null',
	'1 1',
	'٢',
	'99999999999999999999',
];
for (const privacy of noMode)
	test(`[C-PRIV-1] privacy ${JSON.stringify(privacy)} is 422 on create and on update`, async () => {
		const domain = freshDomain();
		const made = await owner.api('POST', '/websites', { form: { domain, privacy, password: 'x' } });
		assertProblem(made, 'validation_failed', ['privacy']);
		const { id } = await create();
		assertProblem(await update(id, { privacy }), 'validation_failed', ['privacy']);
	});
for (const privacy of [true, false, 1.5, -1, 3, [1], { a: 1 }, 1e21])
	test(`[C-PRIV-1] JSON ${JSON.stringify(privacy)} as privacy is 422`, async () => {
		const { id } = await create();
		assertProblem(await update(id, { privacy }), 'validation_failed', ['privacy']);
	});

for (const from of [0, 1, 2] as const)
	for (const to of [0, 1, 2] as const) {
		test(`[C-PRIV-2] ${from} → ${to} with a stored password`, async () => {
			const website = await create({ privacy: `${from}`, password: 'ebb' });
			assertWebsite(website, { domain: website.domain, privacy: from, has_password: true });
			const after = websiteOf(await update(website.id, { privacy: to }));
			assertWebsite(after, { domain: website.domain, privacy: to, has_password: true });
		});
		test(`[C-PRIV-2] ${from} → ${to} with the password sent along`, async () => {
			const website = await create(from === 2 ? { privacy: '2', password: 'ebb' } : { privacy: `${from}` });
			const after = websiteOf(await update(website.id, { privacy: to, password: 'flood' }));
			assertWebsite(after, { domain: website.domain, privacy: to, has_password: true });
		});
	}

const withoutPassword = [{ privacy: '2' }, { privacy: '2', password: '' }];
for (const fields of withoutPassword)
	test(`[C-PRIV-3] create with ${JSON.stringify(fields)} is 422 on password`, async () => {
		const call = { form: { domain: freshDomain(), ...fields } };
		assertProblem(await owner.api('POST', '/websites', call), 'validation_failed', ['password']);
	});
for (const from of ['0', '1'])
	test(`[C-PRIV-3] ${from} → 2 without a password is 422 on password`, async () => {
		const website = await create({ privacy: from });
		for (const fields of [{ privacy: 2 }, { privacy: 2, password: '' }, { privacy: 2, password: null }])
			assertProblem(await update(website.id, fields), 'validation_failed', ['password']);
		assert.deepEqual(websiteOf(await owner.api('GET', `/websites/${website.id}`)), website);
	});

test('[C-PRIV-4] 2 → 0 → 2 and 2 → 1 → 2 need the password only once', async () => {
	for (const between of [0, 1] as const) {
		const { id, domain } = await create({ privacy: '2', password: 'ebb' });
		assertWebsite(websiteOf(await update(id, { privacy: between })), {
			domain,
			privacy: between,
			has_password: true,
		});
		assertWebsite(websiteOf(await update(id, { privacy: 2 })), { domain, privacy: 2, has_password: true });
	}
});

const lengths: { name: string; password: string; good: boolean }[] = [
	{ name: 'one letter', password: 'a', good: true },
	{ name: 'one blank', password: ' ', good: true },
	{ name: '128 letters', password: 'a'.repeat(128), good: true },
	{ name: '129 letters', password: 'a'.repeat(129), good: false },
	{ name: '128 umlauts', password: 'ü'.repeat(128), good: true },
	{ name: '129 umlauts', password: 'ü'.repeat(129), good: false },
	{ name: '128 emoji', password: '🌊'.repeat(128), good: true },
	{ name: '129 emoji', password: '🌊'.repeat(129), good: false },
	{ name: '128 letters between blanks', password: ` ${'a'.repeat(126)} `, good: true },
	{ name: '127 letters between blanks, 129 in all', password: ` ${'a'.repeat(127)} `, good: false },
	{ name: 'a megabyte less a little', password: 'a'.repeat(1_000_000), good: false },
];
for (const { name, password, good } of lengths)
	test(`[C-PRIV-5] ${name} ${good ? 'is a password' : 'is 422'}`, async () => {
		for (const kind of ['form', 'json'] as const) {
			const domain = freshDomain();
			const answer = await owner.api('POST', '/websites', { [kind]: { domain, privacy: '2', password } });
			if (good) assertWebsite(websiteOf(answer, 201), { domain, privacy: 2, has_password: true });
			else assertProblem(answer, 'validation_failed', ['password']);
			const website = await create();
			const put = await owner.api('PUT', `/websites/${website.id}`, { [kind]: { password } });
			if (good) assertWebsite(websiteOf(put), { domain: website.domain, has_password: true });
			else assertProblem(put, 'validation_failed', ['password']);
		}
	});
for (const password of [['a'], { a: 1 }, true])
	test(`[C-PRIV-5] JSON ${JSON.stringify(password)} is no password`, async () => {
		const { id } = await create();
		assertProblem(await update(id, { password }), 'validation_failed', ['password']);
	});

for (const mode of ['0', '1'])
	test(`[C-PRIV-6] an empty password in mode ${mode} removes it`, async () => {
		for (const call of [
			{ form: { password: '' } },
			{ json: { password: '' } },
			{ json: { password: null } },
		]) {
			const { id, domain } = await create({ privacy: mode, password: 'ebb' });
			const after = websiteOf(await owner.api('PUT', `/websites/${id}`, call));
			assertWebsite(after, { domain, privacy: mode === '0' ? 0 : 1, has_password: false });
			assertProblem(await update(id, { privacy: 2 }), 'validation_failed', ['password']);
		}
	});
test('[C-PRIV-6] an empty password in mode 2 is 422', async () => {
	const website = await create({ privacy: '2', password: 'ebb' });
	for (const fields of [{ password: '' }, { password: null }, { password: '', privacy: 2 }])
		assertProblem(await update(website.id, fields), 'validation_failed', ['password']);
	assert.deepEqual(websiteOf(await owner.api('GET', `/websites/${website.id}`)), website);
});
test('[C-PRIV-6] an empty password and another mode at once removes it', async () => {
	const { id, domain } = await create({ privacy: '2', password: 'ebb' });
	assertWebsite(websiteOf(await update(id, { password: '', privacy: 1 })), { domain, privacy: 1 });
});

test('[C-PRIV-7] a password set in mode 0 or 1 waits for mode 2', async () => {
	for (const mode of ['0', '1']) {
		const { id, domain } = await create({ privacy: mode });
		const set = websiteOf(await update(id, { password: 'ebb' }));
		assertWebsite(set, { domain, privacy: mode === '0' ? 0 : 1, has_password: true });
		assertWebsite(websiteOf(await update(id, { privacy: 2 })), { domain, privacy: 2, has_password: true });
	}
});

test('[C-PRIV-8] no answer and no log line holds a password', async () => {
	const secret = 'Canary-Of-The-Tide-7c1f';
	const seen: string[] = [];
	const made = await owner.api('POST', '/websites', {
		form: { domain: freshDomain(), privacy: '2', password: secret },
	});
	const { id } = websiteOf(made, 201);
	seen.push(made.text);
	for (const call of [
		{ form: { password: secret } },
		{ json: { password: secret, privacy: 9 } },
		{ json: { password: [secret] } },
		{ json: { [secret]: secret } },
		{ body: `{"password":"${secret}"`, headers: { 'content-type': 'application/json' } },
		{ body: `password=${secret}`, headers: { 'content-type': 'text/plain' } },
		{ form: { password: secret.repeat(10) } },
	])
		seen.push((await owner.api('PUT', `/websites/${id}`, call)).text);
	seen.push((await owner.api('GET', `/websites/${id}`)).text, (await owner.api('GET', '/websites')).text);
	for (const text of [...seen, w.log()]) {
		assert.equal(text.includes(secret), false);
		assert.doesNotMatch(text, /argon2/);
	}
});

/** The limit of 128 tells how the text was decoded: one character more on the way would be 422. */
const survivors: { name: string; encoded: string }[] = [
	{ name: 'blanks as +', encoded: '+'.repeat(128) },
	{ name: 'plus signs as %2B', encoded: '%2B'.repeat(128) },
	{ name: 'ampersands as %26', encoded: '%26'.repeat(128) },
	{ name: 'quotes', encoded: `%22%27`.repeat(64) },
	{ name: 'per cent signs', encoded: '%25'.repeat(128) },
	{ name: 'emoji as %F0%9F%8C%8A', encoded: '%F0%9F%8C%8A'.repeat(128) },
];
for (const { name, encoded } of survivors)
	test(`[C-PRIV-9] ${name} are one character each`, async () => {
		const fits = await owner.api('POST', '/websites', {
			form: `domain=${freshDomain()}&privacy=2&password=${encoded}`,
		});
		assert.equal(websiteOf(fits, 201).has_password, true);
		const over = await owner.api('POST', '/websites', {
			form: `domain=${freshDomain()}&privacy=2&password=${encoded}x`,
		});
		assertProblem(over, 'validation_failed', ['password']);
	});

const words = [
	'a+b',
	'a b',
	' a ',
	'a%2Bb',
	'a&b=c',
	`"quoted" 'too'`,
	'100 %',
	'Ärger 🌊 水',
	'a\\b\tc\nd',
	'%00',
	'🌊'.repeat(128),
];
for (const password of words)
	test(`[C-PRIV-9] ${JSON.stringify(password.slice(0, 20))} opens its own hash, by form and by JSON`, async () => {
		for (const kind of ['form', 'json'] as const) {
			const call = { [kind]: { domain: freshDomain(), privacy: '2', password } };
			const { id } = websiteOf(await owner.api('POST', '/websites', call), 201);
			for (const put of [{}, { [kind]: { password } }]) {
				await owner.api('PUT', `/websites/${id}`, put);
				const [row] = await w.sql<{ hash: string }>(
					'SELECT password_hash AS hash FROM websites WHERE id = $1',
					[id],
				);
				assert.match(row?.hash ?? '', /^\$argon2id\$/);
				assert.equal(await isPassword(password, row?.hash ?? ''), true);
				assert.equal(await isPassword(`${password}x`, row?.hash ?? ''), false);
			}
		}
	});
