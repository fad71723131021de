import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { z } from 'zod';
import { createLog } from '../../server/lib/log.ts';
import { warnOfExpiringKeys } from '../../server/notify/mail/expiring-keys.ts';
import { openPostgres } from '../../server/store/postgres.ts';
import { type Answer, type Client, client } from '../support/client.ts';
import { assertProblem, assertStatus, face, freshDomain, listOf, websiteOf } from '../support/contract.ts';
import { givePassword, goodPassword, signedIn } from '../support/visitor.ts';
import { type TestAccount, world } from '../support/world.ts';

const day = 86_400_000;
const start = Date.parse('2026-11-15T09:00:00.000Z');
let moment = start;
const now = () => new Date(moment);
// Notices are queued, and stay in the outbox: nothing listens there.
const w = await world(
	{ after },
	{
		now,
		settings: {
			...{ TIDEMARK_SMTP_HOST: '127.0.0.1', TIDEMARK_SMTP_PORT: '1', TIDEMARK_SMTP_TLS: 'none' },
			...{ TIDEMARK_MAIL_FROM: 'stats@example.test', TIDEMARK_TRUSTED_PROXIES: '127.0.0.1' },
		},
	},
);
beforeEach(() => {
	moment = start;
});

const record = z.object({
	id: z.int(),
	name: z.string(),
	access: z.string(),
	scopes: z.array(z.string()).nullable(),
	website_ids: z.array(z.int()).nullable(),
	expires_at: z.string().nullable(),
	networks: z.array(z.string()).nullable(),
	last_used_at: z.string().nullable(),
	key: z.string().optional(),
});
function keyOf(answer: Answer, status: number) {
	assertStatus(answer, status);
	return z.object({ data: record }).parse(answer.json).data;
}
const inDays = (days: number) => new Date(moment + days * day).toISOString();
const make = async (by: TestAccount | { api: Client }, json: object) => {
	const { key = '', ...shown } = keyOf(await by.api('POST', '/keys', { json: { name: 'x', ...json } }), 201);
	return { ...shown, key, api: client(w.base, key) };
};
const create = async ({ api }: TestAccount) =>
	websiteOf(await api('POST', '/websites', { form: { domain: freshDomain() } }), 201);

async function person() {
	const account = await w.account({ timezone: 'UTC' });
	await givePassword(w, account);
	return { ...account, browser: await signedIn(w, account) };
}

test('[C-KEY-19] a key has the scopes that it was made with, alone or with the access scoped', async () => {
	const owner = await w.account();
	for (const sent of [
		{ scopes: ['events', 'stats', 'stats'] },
		{ access: 'scoped', scopes: ['stats', 'events'] },
	]) {
		const made = await make(owner, sent);
		assert.deepEqual([made.access, made.scopes], ['scoped', ['stats', 'events']]);
	}
	for (const form of [
		'scopes[]=export&scopes[]=manage',
		'scopes=manage,export',
		'scopes=manage&scopes=export',
	]) {
		const made = keyOf(await owner.api('POST', '/keys', { form: `name=x&${form}` }), 201);
		assert.deepEqual([made.access, made.scopes], ['scoped', ['manage', 'export']], form);
	}
	const bad: [Record<string, unknown>, string][] = [
		[{ scopes: [] }, 'scopes'],
		[{ scopes: '' }, 'scopes'],
		[{ scopes: ['keys'] }, 'scopes'],
		[{ scopes: ['stats', 'STATS'] }, 'scopes'],
		[{ scopes: 7 }, 'scopes'],
		[{ access: 'scoped' }, 'scopes'],
		[{ access: 'scoped', scopes: null }, 'scopes'],
		[{ access: 'read', scopes: ['stats'] }, 'access'],
		[{ access: 'full', scopes: ['stats'] }, 'access'],
	];
	for (const [json, field] of bad)
		assertProblem(await owner.api('POST', '/keys', { json: { name: 'x', ...json } }), 'validation_failed', [
			field,
		]);
});

test('[C-KEY-19] a key with scopes can still be limited to websites', async () => {
	const owner = await w.account();
	const [one, two] = [await create(owner), await create(owner)];
	const { api } = await make(owner, { scopes: ['stats'], website_ids: [one.id] });
	assert.deepEqual(listOf(await api('GET', '/websites')).data.length, 1);
	assertStatus(await api('GET', `/websites/${one.id}/stats`), 200);
	assertProblem(await api('GET', `/websites/${two.id}/stats`), 'not_found');
	const refused = await api('GET', `/websites/${one.id}/settings`);
	assertProblem(refused, 'forbidden');
	assert.match(refused.text, /This API key needs the scope manage\./);
	// What is not seen is not there, whatever the scope.
	assertProblem(await api('GET', `/websites/${two.id}/settings`), 'not_found');
	const sum = z.object({ data: z.array(z.unknown()) }).parse((await api('GET', '/stats?period=today')).json);
	assert.equal(sum.data.length, 1);
});

test('[C-KEY-20] an expired key is refused like an unknown one, although it was cached a moment ago', async () => {
	const owner = await w.account();
	const made = await make(owner, { expires_at: '2026-11-15T12:00:00+02:00' });
	assert.equal(made.expires_at, '2026-11-15T10:00:00.000Z');
	moment = Date.parse('2026-11-15T09:59:59.999Z');
	assertStatus(await made.api('GET', '/account'), 200);
	moment += 1;
	const [expired, unknown] = [
		await made.api('GET', '/account'),
		await client(w.base, 'tm_x')('GET', '/account'),
	];
	assertProblem(expired, 'unauthenticated');
	assert.deepEqual(face(expired), face(unknown));
	// It is still there, and can be extended without a new secret.
	keyOf(await owner.api('PUT', `/keys/${made.id}`, { json: { expires_at: inDays(1) } }), 200);
	assertStatus(await made.api('GET', '/account'), 200);
	keyOf(await owner.api('PUT', `/keys/${made.id}`, { json: { expires_at: null } }), 200);
	moment += 3_000 * day;
	assertStatus(await made.api('GET', '/account'), 200);
});

test('[C-KEY-20] an expiry is in the future and within five years', async () => {
	const owner = await w.account();
	const { id } = await make(owner, {});
	for (const expires_at of [
		...['', '2027', '2027-01-01', 'tomorrow', '2027-13-01T00:00:00Z', '2027-01-01T00:00:00', 0, true],
		...[inDays(0), inDays(-1), inDays(1_831), '9999-12-31T23:59:59Z'],
	]) {
		const json = { name: 'x', expires_at };
		assertProblem(await owner.api('POST', '/keys', { json }), 'validation_failed', ['expires_at']);
		assertProblem(await owner.api('PUT', `/keys/${id}`, { json }), 'validation_failed', ['expires_at']);
	}
	await make(owner, { expires_at: inDays(1_826) });
});

test('[C-KEY-21] a key with networks is refused from elsewhere like an unknown one', async () => {
	const owner = await w.account();
	const made = await make(owner, { networks: ['203.0.113.0/24', ' 198.51.100.7 ', '2001:db8:1::/48'] });
	assert.deepEqual(made.networks, ['203.0.113.0/24', '198.51.100.7', '2001:db8:1::/48']);
	const from = (address: string) => made.api('GET', '/account', { headers: { 'x-forwarded-for': address } });
	// One after the other: what was cached for one address says nothing about the next.
	for (const [address, status] of [
		['203.0.113.9', 200],
		['192.0.2.1', 401],
		['198.51.100.7', 200],
		['198.51.100.8', 401],
		['::ffff:203.0.113.1', 200],
		['2001:db8:1:2::3', 200],
		['2001:db8:2::3', 401],
	] as const)
		assert.equal((await from(address)).status, status, address);
	assert.deepEqual(face(await from('192.0.2.1')), face(await client(w.base, 'tm_x')('GET', '/account')));
	assertProblem(await made.api('GET', '/account'), 'unauthenticated');

	for (const networks of [
		...[[], '', ['10.0.0.0/33'], ['example.com'], ['10.0.*'], ['fe80::1%eth0'], [7], 'x', {}],
		Array.from({ length: 101 }, (_, n) => `10.0.0.${n}`),
	])
		assertProblem(await owner.api('POST', '/keys', { json: { name: 'x', networks } }), 'validation_failed', [
			'networks',
		]);
	const form = keyOf(await owner.api('POST', '/keys', { form: 'name=x&networks=10.0.0.0/8,192.0.2.1' }), 201);
	assert.deepEqual(form.networks, ['10.0.0.0/8', '192.0.2.1']);
});

test('[C-KEY-22] an update changes what was sent, at once, and a record can be sent back', async () => {
	const owner = await w.account();
	const website = await create(owner);
	const made = await make(owner, { scopes: ['stats'], expires_at: inDays(9), networks: ['127.0.0.1'] });
	const update = async (json: object, method = 'PUT') =>
		keyOf(await owner.api(method, `/keys/${made.id}`, { json }), 200);
	const { key: _key, api: _api, ...before } = made;
	assert.deepEqual(await update({}), before);
	assert.deepEqual(await update(before), before);
	assert.deepEqual(await update({ name: ' Nightly ' }, 'PATCH'), { ...before, name: 'Nightly' });
	assertStatus(await made.api('GET', `/websites/${website.id}/stats`), 200);
	await update({ scopes: ['events'] });
	assertProblem(await made.api('GET', `/websites/${website.id}/stats`), 'forbidden');
	await update({ access: 'read' });
	assert.equal((await made.api('GET', `/websites/${website.id}/export`)).status, 200);
	await update({ networks: ['192.0.2.1'] });
	assertProblem(await made.api('GET', '/account'), 'unauthenticated');
	await update({ networks: null, website_ids: [website.id] });
	assertProblem(await made.api('GET', '/account'), 'forbidden');
	const all = await update({ access: 'full', website_ids: null, expires_at: null });
	assert.deepEqual(all, {
		...before,
		...{ name: 'Nightly', access: 'full', scopes: null, expires_at: null, networks: null },
		last_used_at: all.last_used_at,
	});
	assertStatus(await made.api('GET', '/keys'), 200);
	// An empty variable of a script removes no limit.
	for (const form of ['networks=', 'website_ids=', 'expires_at=', 'scopes=', 'access=', 'name='])
		assertProblem(await owner.api('PUT', `/keys/${made.id}`, { form }), 'validation_failed', [
			form.slice(0, -1),
		]);
	assertProblem(
		await owner.api('PUT', `/keys/${made.id}`, { json: { website_ids: [999_999] } }),
		'validation_failed',
		['website_ids'],
	);
	assertProblem(await owner.api('PUT', '/keys/999999999', { json: { name: 'x' } }), 'not_found');
});

test('[C-KEY-22] a session sends the password to widen a key, and not to narrow or rename it', async () => {
	const { api, browser, id: accountId } = await person();
	const website = websiteOf(await api('POST', '/websites', { form: { domain: freshDomain() } }), 201);
	const { id } = await make(
		{ api },
		{ access: 'read', website_ids: [website.id], expires_at: inDays(9), networks: ['10.0.0.0/8'] },
	);
	const update = (json: object) => browser('PUT', `/keys/${id}`, { json });
	for (const narrower of [
		{ name: 'renamed' },
		{ expires_at: inDays(8) },
		{ networks: ['10.1.0.0/16', '10.2.3.4'] },
		{ scopes: ['stats', 'export'] },
	])
		assertStatus(await update(narrower), 200);
	const before = (await api('GET', `/keys/${id}`)).text;
	const wider = [
		{ access: 'read' },
		{ scopes: ['stats', 'events'] },
		{ website_ids: null },
		{ expires_at: inDays(8.5) },
		{ expires_at: null },
		{ networks: ['10.0.0.0/8'] },
		{ networks: ['10.1.0.0/16', '192.0.2.1'] },
		{ networks: null },
		// Narrower in one way, wider in another.
		{ scopes: ['stats'], expires_at: null },
	];
	for (const json of wider) {
		assertProblem(await update(json), 'validation_failed', ['password']);
		assertProblem(await update({ ...json, password: 'not this one' }), 'validation_failed', ['password']);
		await w.sql('DELETE FROM attempts');
	}
	assert.equal((await api('GET', `/keys/${id}`)).text, before);
	await w.sql('DELETE FROM outbox');
	for (const json of wider) assertStatus(await update({ ...json, password: goodPassword }), 200);
	// The owner is told once for each.
	const mails = await w.sql<{ subject: string }>("SELECT content->>'subject' AS subject FROM outbox");
	assert.ok(
		mails.length > 0 && mails.every(({ subject }) => /^More permissions for an API key/.test(subject)),
	);
	const changes = await w.sql<{ what: string }>(
		"SELECT what FROM changes WHERE account_id = $1 AND what = 'updateKey'",
		[accountId],
	);
	assert.equal(changes.length, 4 + wider.length);
});

test('[C-KEY-25] the last use is recorded to the minute, and not by refused requests', async () => {
	const owner = await w.account();
	const made = await make(owner, { networks: ['192.0.2.1'], expires_at: inDays(1) });
	const lastUse = async () => keyOf(await owner.api('GET', `/keys/${made.id}`), 200).last_used_at;
	const from = (address: string) => made.api('GET', '/account', { headers: { 'x-forwarded-for': address } });
	const recorded = async (expected: string) => {
		for (let n = 0; n < 100 && (await lastUse()) !== expected; n++)
			await new Promise((resolve) => setTimeout(resolve, 20));
		assert.equal(await lastUse(), expected);
	};
	assertProblem(await from('192.0.2.2'), 'unauthenticated');
	assert.equal(await lastUse(), null);
	// Cached by the refused request.
	assertStatus(await from('192.0.2.1'), 200);
	await recorded('2026-11-15T09:00:00.000Z');
	moment += 61_000;
	assertStatus(await from('192.0.2.1'), 200);
	await recorded('2026-11-15T09:01:01.000Z');
	moment += 2 * day;
	assertProblem(await from('192.0.2.1'), 'unauthenticated');
	assert.equal(await lastUse(), '2026-11-15T09:01:01.000Z');
	const rows = await w.sql<{ row: string }>('SELECT k::text AS row FROM api_keys k');
	assert.ok(
		rows.every(({ row }) => !row.includes('192.0.2.2')),
		'no address of a caller is kept',
	);
});

const postgres = openPostgres(w.postgresTarget, {
	log: createLog('silent', () => undefined),
	connections: 2,
});
after(() => postgres.close());
const warn = () => warnOfExpiringKeys({ postgres, now, baseUrl: () => w.publicUrl });

async function warned({ email }: TestAccount): Promise<{ subject: string; text: string }[]> {
	return w.sql(
		"SELECT content->>'subject' AS subject, content->>'text' AS text FROM outbox WHERE recipient = $1 AND key LIKE 'key %' ORDER BY id",
		[email],
	);
}

test('[C-KEY-24] the owner is told seven days and one day before a key expires, once each', async () => {
	const owner = await w.account({ locale: 'de' });
	const { id } = await make(owner, { expires_at: inDays(30) });
	await make(owner, {});
	const steps: [afterDays: number, mails: number][] = [
		[0, 0],
		[22.9, 0],
		[23, 1],
		[23.1, 1],
		[28.9, 1],
		[29, 2],
		[29.5, 2],
		[30, 2],
		[31, 2],
	];
	for (const [days, mails] of steps) {
		moment = start + days * day;
		// Twice at once, as after a restart in the midst of a run.
		await Promise.all([warn(), warn()]);
		assert.equal((await warned(owner)).length, mails, `after ${days} days`);
	}
	const ending = (await w.sql<{ ending: string }>('SELECT ending FROM api_keys WHERE id = $1', [id]))[0]
		?.ending;
	const [first, second] = await warned(owner);
	assert.deepEqual(first, second);
	assert.match(first?.text ?? '', new RegExp(`auf ${ending} endet.* 15\\. Dezember 2026 um 09:00 \\(UTC\\)`));
	assert.ok(first?.text.includes(`${w.publicUrl}/account/keys`));
});

test('[C-KEY-24] all owners are told, each in their language, unless their address is unconfirmed', async () => {
	const owner = await w.account();
	const second = await w.account({ locale: 'fr' });
	const unconfirmed = await w.account();
	await w.sql('UPDATE people SET confirmed_at = NULL WHERE id = $1', [unconfirmed.id]);
	for (const { id } of [second, unconfirmed])
		await w.sql(
			'INSERT INTO account_owners (account_id, person_id, is_primary, created_at) VALUES ($1, $2, false, now())',
			[owner.id, id],
		);
	await make(owner, { expires_at: inDays(30) });
	moment = start + 29.5 * day;
	await Promise.all([warn(), warn()]);
	assert.equal((await warned(owner)).length, 1);
	assert.match((await warned(second))[0]?.text ?? '', /cessera de fonctionner/);
	assert.deepEqual([(await warned(second)).length, (await warned(unconfirmed)).length], [1, 0]);
});

test('[C-KEY-24] a service that was stopped for days tells only what is still true', async () => {
	const owner = await w.account();
	await make(owner, { expires_at: inDays(30) });
	moment = start + 29.2 * day;
	await warn();
	await warn();
	assert.equal((await warned(owner)).length, 1);
});

test('[C-KEY-24] nobody is told of a key that was extended, rotated, revoked or made for a few days', async () => {
	const owner = await w.account();
	const extended = await make(owner, { expires_at: inDays(30) });
	const rotated = await make(owner, { expires_at: inDays(30) });
	const revoked = await make(owner, { expires_at: inDays(30) });
	await make(owner, { expires_at: inDays(23.5) });
	moment = start + 23 * day;
	// For less than seven days: only the last day is told.
	const brief = await make(owner, { expires_at: inDays(2) });
	keyOf(await owner.api('PUT', `/keys/${extended.id}`, { json: { expires_at: inDays(60) } }), 200);
	keyOf(await owner.api('POST', `/keys/${rotated.id}/rotate`), 200);
	assertStatus(await owner.api('DELETE', `/keys/${revoked.id}`), 200);
	await warn();
	assert.equal((await warned(owner)).length, 1, 'of the key that expires tomorrow');
	// A rotated key expires all the same: its last day is told.
	moment = start + 29.5 * day;
	await warn();
	const endings = await w.sql<{ id: string; ending: string }>('SELECT id, ending FROM api_keys');
	const endingOf = (id: number) => endings.find((key) => Number(key.id) === id)?.ending ?? '?';
	const texts = (await warned(owner)).map(({ text }) => text);
	assert.equal(texts.length, 2);
	assert.match(texts[1] ?? '', new RegExp(`ending in ${endingOf(rotated.id)} `));
	assert.ok(texts.every((text) => !text.includes(`ending in ${endingOf(brief.id)} `)));
});

test('[C-KEY-24] an unconfirmed or disabled account gets no mail, and the job goes on', async () => {
	const [owner, other] = [await w.account(), await w.account()];
	await make(owner, { expires_at: inDays(30) });
	await make(other, { expires_at: inDays(30) });
	await w.operate('account.disable', { email: owner.email, disabled: true });
	moment = start + 24 * day;
	await warn();
	assert.deepEqual([(await warned(owner)).length, (await warned(other)).length], [0, 1]);
});
