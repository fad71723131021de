import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { generate } from 'otplib';
import { z } from 'zod';
import { client, send } from '../support/client.ts';
import { assertProblem, assertStatus, freshDomain, websiteOf } from '../support/contract.ts';
import {
	givePassword,
	goodPassword,
	sessionOf,
	signedIn,
	type Visitor,
	visitor,
} from '../support/visitor.ts';
import { world } from '../support/world.ts';

let moment = Date.parse('2026-11-15T09:00:00.000Z');
const w = await world({ after }, { now: () => new Date(moment) });
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const anyone = () => visitor(() => w.base);
const dataOf = (answer: { json: unknown }) =>
	z.object({ data: z.record(z.string(), z.unknown()) }).parse(answer.json).data;
const newAccount = async () => {
	const account = await w.account({ timezone: 'UTC' });
	await givePassword(w, account);
	return account;
};
const knows = async (browser: Visitor) => (await browser('GET', '/session')).status;

test('[C-SIGN-1] signing in answers with a cookie for this host alone, and what was there before is over', async () => {
	const account = await newAccount();
	const browser = await signedIn(w, account);
	const first = sessionOf(browser);
	const attributes = browser.cookies.get('__Host-tidemark')?.line.split('; ').slice(1).sort();
	assert.deepEqual(attributes, ['HttpOnly', 'Max-Age=2592000', 'Path=/', 'SameSite=Lax', 'Secure']);
	const again = await browser('POST', '/session', { json: { email: account.email, password: goodPassword } });
	assert.deepEqual(dataOf(again), { person_id: account.id });
	assert.notEqual(sessionOf(browser), first);
	const old = await anyone()('GET', '/session', { headers: { cookie: `__Host-tidemark=${first}` } });
	assertProblem(old, 'unauthenticated');
});

test('[C-SIGN-2] whatever is wrong, the answer is the same', async () => {
	const account = await newAccount();
	const without = await w.account({ timezone: 'UTC' });
	const disabled = await newAccount();
	await w.operate('account.disable', { email: disabled.email, disabled: true });
	const tries: [string, string][] = [
		[account.email, 'not the password'],
		[account.email, `${goodPassword} `],
		['nobody@example.test', goodPassword],
		[without.email, goodPassword],
		[disabled.email, goodPassword],
	];
	const answers = await Promise.all(
		tries.map(([email, password]) => anyone()('POST', '/session', { json: { email, password } })),
	);
	for (const answer of answers) {
		assertProblem(answer, 'sign_in_failed');
		assert.equal(answer.text, answers[0]?.text);
		assert.equal(answer.headers['set-cookie'], undefined);
	}
	const upper = await anyone()('POST', '/session', {
		json: { email: account.email.toUpperCase(), password: goodPassword },
	});
	assert.equal(upper.status, 200, 'the case of an address does not matter');
	for (const json of [{}, { email: account.email }, { email: 1, password: [] }, { email: '', password: '' }])
		assert.equal((await anyone()('POST', '/session', { json })).status, 422);
});

test('[C-SIGN-3] the session tells what a page must know', async () => {
	const account = await newAccount();
	const browser = await signedIn(w, account);
	const { session_id: id, ...rest } = dataOf(await browser('GET', '/session'));
	assert.equal(typeof id, 'number');
	assert.deepEqual(rest, {
		person: {
			id: account.id,
			name: 'A test account',
			email: account.email,
			locale: 'en',
			week_start: 'monday',
		},
		account: { id: account.id, name: 'A test account', timezone: 'UTC', is_primary_owner: true },
		accounts: [{ id: account.id, name: 'A test account', websites: 0 }],
		new_email: null,
		is_confirmed: true,
		can_mail: false,
		is_operator: false,
		policy: { refused: null, accounts: [] },
		two_factor: false,
		passkeys: 0,
		second_factor: { app: false, recovery_codes: 0 },
		public_address: { url: w.publicUrl, is_set: true },
		tracking: { script: '/tm.js', collect: '/tm' },
		warnings: [],
	});
	assertProblem(await anyone()('GET', '/session'), 'unauthenticated');
	await browser('GET', '/session', { headers: { 'x-forwarded-for': '192.0.2.1' } });
	assert.deepEqual(dataOf(await browser('GET', '/session')).warnings, [
		{ code: 'untrusted_proxy', proxy: '127.0.0.1' },
	]);
});

test('[C-SIGN-4] signing out ends the session and takes the cookie away', async () => {
	const browser = await signedIn(w, await newAccount());
	const old = sessionOf(browser);
	assert.deepEqual(dataOf(await browser('DELETE', '/session')), { signed_out: true });
	assert.deepEqual([...browser.cookies.keys()], ['__Host-tidemark-device'], 'which opens nothing');
	assert.equal(
		(await anyone()('GET', '/session', { headers: { cookie: `__Host-tidemark=${old}` } })).status,
		401,
	);
	assert.equal((await anyone()('DELETE', '/session')).status, 200, 'whoever is signed out stays so');
});

test('[C-SIGN-5] browsers are listed by words that people know, and each can be ended', async () => {
	const account = await newAccount();
	const [one, two, three] = [
		await signedIn(w, account, { agent: firefox }),
		await signedIn(w, account),
		await signedIn(w, account),
	];
	const list = z
		.object({
			data: z.array(
				z.strictObject({
					id: z.int(),
					browser: z.string(),
					os: z.string(),
					created_at: z.iso.datetime(),
					last_used_at: z.iso.datetime(),
					current: z.boolean(),
				}),
			),
		})
		.parse((await one('GET', '/session/browsers')).json).data;
	assert.equal(list.length, 3);
	const own = list.filter(({ current }) => current);
	assert.deepEqual(
		own.map(({ browser, os }) => [browser, os]),
		[['Firefox', 'Linux']],
	);
	const idOfTwo = dataOf(await two('GET', '/session')).session_id;
	const stranger = await signedIn(w, await newAccount());
	assert.equal((await stranger('DELETE', `/session/browsers/${idOfTwo}`)).status, 404);
	assert.equal(await knows(two), 200);
	assert.equal((await one('DELETE', `/session/browsers/${idOfTwo}`)).status, 200);
	assert.deepEqual([await knows(one), await knows(two), await knows(three)], [200, 401, 200]);
	for (const id of ['0', '01', 'x', '999999999', '1e3'])
		assert.equal((await one('DELETE', `/session/browsers/${id}`)).status, 404, id);
	assert.equal((await one('DELETE', '/session/browsers')).status, 200);
	assert.deepEqual([await knows(one), await knows(three)], [200, 401]);
	const rows = await w.sql('SELECT * FROM sessions');
	assert.ok(!JSON.stringify(rows).includes('Mozilla') && !JSON.stringify(rows).includes('127.0.0.1'));
});

test('[C-SIGN-6][T13][T14] a new password wants the old one, ends all other browsers and renews this one', async () => {
	const account = await newAccount();
	const [one, two] = [await signedIn(w, account), await signedIn(w, account)];
	const before = sessionOf(one);
	const next = 'the moon pulls the sea';
	const put = (json: Record<string, unknown>) => one('PUT', '/session/password', { json });
	const wrong = await put({ password: 'wrong', new_password: next });
	assert.deepEqual(assertProblem(wrong, 'validation_failed').errors, {
		password: ['This password is not correct.'],
	});
	for (const bad of ['short', 'x'.repeat(257), '', null])
		assertProblem(await put({ password: goodPassword, new_password: bad }), 'validation_failed', [
			'new_password',
		]);
	assert.equal(await knows(two), 200);
	assert.equal((await put({ password: goodPassword, new_password: next })).status, 200);
	assert.notEqual(sessionOf(one), before);
	assert.deepEqual([await knows(one), await knows(two)], [200, 401]);
	const old = await anyone()('GET', '/session', { headers: { cookie: `__Host-tidemark=${before}` } });
	assert.equal(old.status, 401);
	await signedIn(w, account, { password: next });
	await assert.rejects(signedIn(w, account));
});

test('[C-SIGN-7][T13] a second factor: set up, asked for, each code good once, taken away', async () => {
	const account = await newAccount();
	const [browser, other] = [await signedIn(w, account), await signedIn(w, account)];
	assert.equal((await browser('POST', '/session/two-factor', { json: { password: 'wrong' } })).status, 422);
	const shown = await browser('POST', '/session/two-factor', { json: { password: goodPassword } });
	const { secret, uri } = z.object({ secret: z.string(), uri: z.string() }).parse(dataOf(shown));
	assert.ok(uri.startsWith('otpauth://totp/Tidemark') && uri.includes(secret));
	const codeNow = () => generate({ secret, epoch: moment / 1000 });
	assert.equal(dataOf(await browser('GET', '/session')).two_factor, false, 'not before it is proven');
	for (const code of ['000000', 'abc', '', '1234567'])
		assert.equal((await browser('PUT', '/session/two-factor', { json: { code } })).status, 422, code);
	const before = sessionOf(browser);
	const confirmed = await browser('PUT', '/session/two-factor', { json: { code: await codeNow() } });
	const { recovery_codes: codes } = z
		.object({ recovery_codes: z.array(z.string().regex(/^([0-9a-f]{5}-){3}[0-9a-f]{5}$/)).length(10) })
		.parse(dataOf(confirmed));
	assert.notEqual(sessionOf(browser), before);
	assert.deepEqual([await knows(browser), await knows(other)], [200, 401]);
	assert.equal(dataOf(await browser('GET', '/session')).two_factor, true);

	const attempt = (code?: string) =>
		anyone()('POST', '/session', { json: { email: account.email, password: goodPassword, code } });
	assertProblem(await attempt(), 'code_needed');
	assert.equal((await attempt(await codeNow())).status, 401, 'the code that set it up was used');
	moment += 30_000;
	assert.equal((await attempt(await codeNow())).status, 200);
	assert.equal((await attempt(await codeNow())).status, 401, 'no code is good twice');
	const [first = '', second = ''] = codes;
	assert.equal((await attempt(first.toUpperCase().replaceAll('-', ' '))).status, 200);
	moment += 60_000;
	assert.equal((await attempt(first)).status, 401, 'nor is a recovery code');
	assert.equal((await attempt(second)).status, 200);

	const rows = JSON.stringify(await w.sql('SELECT * FROM people JOIN recovery_codes ON account_id = id'));
	for (const hidden of [secret, second, Buffer.from(secret).toString('hex')])
		assert.ok(!rows.includes(hidden));
	const remove = (json: Record<string, unknown>) => browser('DELETE', '/session/two-factor', { json });
	assertProblem(await remove({ password: 'x', code: codes[2] }), 'validation_failed', ['password']);
	assertProblem(await remove({ password: goodPassword }), 'validation_failed', ['code']);
	assertProblem(await remove({ password: goodPassword, code: '000000' }), 'validation_failed', ['code']);
	assert.equal(dataOf(await browser('GET', '/session')).two_factor, true);
	assert.equal((await remove({ password: goodPassword, code: codes[2] })).status, 200);
	assert.equal((await attempt()).status, 200);
});

test('[T87][C-KEY-14][C-KEY-15] a session makes and renews keys with the password and a code, and not by itself', async () => {
	const account = await newAccount();
	const browser = await signedIn(w, account);
	const keysOf = async () =>
		z.object({ data: z.array(z.unknown()) }).parse((await account.api('GET', '/keys')).json).data;
	const before = (await keysOf()).length;
	const { id } = await w.key(account);
	const password = goodPassword;
	const make = (proof: object) => browser('POST', '/keys', { json: { name: 'x', ...proof } });
	const rotate = (proof: object) => browser('POST', `/keys/${id}/rotate`, { json: proof });
	for (const send of [make, rotate]) {
		assertProblem(await send({}), 'validation_failed', ['password']);
		assertProblem(await send({ password: 'wrong' }), 'validation_failed', ['password']);
	}
	assertProblem(await browser('POST', '/keys', { json: {} }), 'validation_failed', ['name', 'password']);
	assert.equal((await make({ password })).status, 201);
	assert.equal((await rotate({ password })).status, 200);
	assert.equal((await keysOf()).length, before + 2);

	const shown = await browser('POST', '/session/two-factor', { json: { password } });
	const { secret } = z.object({ secret: z.string() }).parse(dataOf(shown));
	const codeNow = () => generate({ secret, epoch: moment / 1000 });
	const on = await browser('PUT', '/session/two-factor', { json: { code: await codeNow() } });
	const [recovery] = z.object({ recovery_codes: z.array(z.string()) }).parse(dataOf(on)).recovery_codes;
	const changePassword = (proof: object) =>
		browser('PUT', '/session/password', { json: { new_password: 'the moon pulls the sea', ...proof } });
	const showAnother = (proof: object) => browser('POST', '/session/two-factor', { json: proof });
	for (const send of [make, rotate, changePassword, showAnother]) {
		for (const code of [undefined, '000000']) {
			assertProblem(await send({ password, code }), 'validation_failed', ['code']);
			moment += 900_000;
		}
	}
	assert.equal((await make({ password, code: await codeNow() })).status, 201);
	assertProblem(await make({ password, code: await codeNow() }), 'validation_failed', ['code']);
	assert.equal((await make({ password, code: recovery })).status, 201);
	assert.equal((await keysOf()).length, before + 4);
	// Whoever has a session can still end what should end.
	assert.equal((await browser('DELETE', `/keys/${id}`)).status, 200);
	// A key proves itself.
	assert.equal((await account.api('POST', '/keys', { json: { name: 'by a key' } })).status, 201);
});

test('[T87] codes for the second factor are guessed no faster than passwords', async () => {
	const account = await newAccount();
	const browser = await signedIn(w, account);
	await browser('POST', '/session/two-factor', { json: { password: goodPassword } });
	const answers = [];
	for (let n = 0; n < 12; n++)
		answers.push((await browser('PUT', '/session/two-factor', { json: { code: '000000' } })).status);
	assert.equal(answers[0], 422);
	assert.equal(answers.at(-1), 429);
});

test('[C-SIGN-8] a link ends the keys of the account as well where that is asked for', async () => {
	const account = await newAccount();
	const another = await w.key(account);
	const stranger = await newAccount();
	const use = async (more: object) => {
		const { token } = await w.operate('account.reset', { email: account.email });
		return anyone()('PUT', '/session/link', { json: { token, password: goodPassword, ...more } });
	};
	assertProblem(await use({ revoke_keys: 'yes' }), 'validation_failed', ['revoke_keys']);
	assert.equal((await use({})).status, 200);
	assert.equal((await account.api('GET', '/account')).status, 200);
	assert.equal((await use({ revoke_keys: true })).status, 200);
	for (const key of [account.key, another.key])
		assert.equal((await client(w.base, key)('GET', '/account')).status, 401);
	assert.equal((await stranger.api('GET', '/account')).status, 200);
	const written = await w.sql('SELECT what FROM changes WHERE account_id = $1 ORDER BY id DESC LIMIT 3', [
		account.id,
	]);
	assert.deepEqual(
		written.map(({ what }) => what),
		['setPasswordByLink', 'revokeKey', 'revokeKey'],
	);
});

test('[C-SIGN-8][T79] a link sets a password once, within its time, and ends every session', async () => {
	const account = await newAccount();
	const browser = await signedIn(w, account);
	const { token } = await w.operate('account.reset', { email: account.email });
	const look = (sent: string) => anyone()('POST', '/session/link', { json: { token: sent } });
	const use = (sent: string, password = 'another good password') =>
		anyone()('PUT', '/session/link', { json: { token: sent, password } });
	assert.deepEqual(dataOf(await look(token)), { purpose: 'reset', email: account.email });
	assert.equal((await use(token, 'short')).status, 422);
	assert.equal(await knows(browser), 200);
	const both = await Promise.all([use(token), use(token)]);
	assert.deepEqual(both.map(({ status }) => status).sort(), [200, 410], 'of two at once one succeeds');
	assert.equal(await knows(browser), 401);
	await signedIn(w, account, { password: 'another good password' });
	for (const dead of [
		token,
		'x',
		sessionOf(await signedIn(w, account, { password: 'another good password' })),
		account.key,
	])
		for (const answer of [await look(dead), await use(dead)]) assertProblem(answer, 'link_dead');

	const { token: late } = await w.operate('account.reset', { email: account.email });
	const stored = JSON.stringify(await w.sql('SELECT * FROM one_time_links'));
	assert.ok(!stored.includes(late) && !stored.includes(Buffer.from(late).toString('hex')));
	const { token: later } = await w.operate('account.reset', { email: account.email });
	assert.equal((await look(late)).status, 410, 'a new one takes its place');
	moment += 30 * 60_000;
	assert.equal((await use(later)).status, 410);
});

test('[C-SIGN-10] the list of routes answers people as it answers keys', async () => {
	const account = await newAccount();
	const browser = await signedIn(w, account);
	const created = await browser('POST', '/websites', { json: { domain: freshDomain() } });
	const website = websiteOf(created, 201);
	assert.equal(created.headers.location, `${w.publicUrl}/app/api/websites/${website.id}`);
	assert.equal(created.headers['access-control-allow-origin'], undefined);
	assert.equal(created.headers['cross-origin-resource-policy'], 'same-origin');
	assert.equal(created.headers.vary, 'Cookie, Accept, X-Share-Link');
	for (const path of [`/websites/${website.id}`, '/account', `/websites/${website.id}/goals`, '/dimensions'])
		assert.equal(
			(await browser('GET', path)).text.replaceAll('/app/api', '/api/v1'),
			(await account.api('GET', path)).text,
		);
	const stranger = await signedIn(w, await newAccount());
	assert.equal((await stranger('GET', `/websites/${website.id}`)).status, 404);
	assert.equal((await browser('GET', '/nowhere')).status, 404);
	assert.equal((await browser('PUT', '/account', { json: {} })).status, 405);
	assert.equal((await browser('GET', `/websites/%31`)).status, 404);
	const cookie = `__Host-tidemark=${sessionOf(browser)}`;
	const asKey = await client(w.base)('GET', '/account', { headers: { cookie } });
	assert.equal(asKey.status, 401, 'a session is no key');
	const asSession = await send(w.base, 'GET', '/app/api/account', { key: account.key });
	assertProblem(asSession, 'unauthenticated');
	for (const path of ['/account', '/websites', '/nowhere', `/session/nowhere`])
		assertStatus(await anyone()('GET', path), 401);
});

test('[C-SIGN-13] people change their name, language and first day of the week, and nothing else', async () => {
	const account = await newAccount();
	const browser = await signedIn(w, account);
	const before = dataOf(await browser('GET', '/session'));
	const change = (json: Record<string, unknown>) => browser('PUT', '/session/person', { json });
	const wanted = { name: 'Änne O\u2019Neil', locale: 'de-AT' };
	for (const [field, wrong] of [
		['name', ''],
		['name', 'x'.repeat(201)],
		['name', undefined],
		['name', 7],
		['locale', 'no language'],
		['locale', undefined],
		['week_start', 'friday'],
	] as const)
		assertProblem(await change({ ...wanted, [field]: wrong }), 'validation_failed', [field]);
	assert.deepEqual(dataOf(await browser('GET', '/session')), before);
	const changed = await change({ ...wanted, email: 'else@example.test', id: 1 });
	assert.equal(changed.status, 200);
	assert.equal(changed.text, (await browser('GET', '/session')).text);
	const expected = { id: account.id, email: account.email, ...wanted, week_start: 'monday' };
	assert.deepEqual(dataOf(changed).person, expected);
	const sunday = await change({ ...wanted, week_start: 'sunday' });
	assert.deepEqual(dataOf(sunday).person, { ...expected, week_start: 'sunday' });
	assert.deepEqual(dataOf(await change(wanted)).person, { ...expected, week_start: 'sunday' });
	assert.match((await account.api('GET', '/account')).text, /"locale":"de-AT"/);
	assertProblem(await anyone()('PUT', '/session/person', { json: wanted }), 'unauthenticated');
});

test('[C-SIGN-13] owners change the name and the time zone of an account, and nothing else', async () => {
	const account = await newAccount();
	const browser = await signedIn(w, account);
	const { person } = dataOf(await browser('GET', '/session'));
	const change = (json: Record<string, unknown>) => browser('PUT', '/session/account', { json });
	const wanted = { name: 'Agency Ltd.', timezone: 'Europe/Vienna' };
	for (const [field, wrong] of [
		['name', ''],
		['name', undefined],
		['timezone', 'Nowhere/At_All'],
		['timezone', undefined],
	] as const)
		assertProblem(await change({ ...wanted, [field]: wrong }), 'validation_failed', [field]);
	const changed = dataOf(await change({ ...wanted, id: 1, is_primary_owner: false }));
	assert.deepEqual(changed.account, { id: account.id, ...wanted, is_primary_owner: true });
	assert.deepEqual(changed.person, person, 'a person has a name of their own');
	const record = z
		.object({ data: z.object({ name: z.string(), timezone: z.string() }) })
		.parse((await account.api('GET', '/account')).json);
	assert.deepEqual(record.data, wanted);
	assertProblem(await anyone()('PUT', '/session/account', { json: wanted }), 'unauthenticated');
});

test('[T53] no password, session, link or code is in the log', async () => {
	const account = await newAccount();
	const browser = await signedIn(w, account);
	const { token } = await w.operate('account.reset', { email: account.email });
	await anyone()('POST', '/session/link', { json: { token } });
	await anyone()('GET', `/session?password=${encodeURIComponent(goodPassword)}&token=${token}`);
	const shown = await browser('POST', '/session/two-factor', { json: { password: goodPassword } });
	const secrets = [
		goodPassword,
		encodeURIComponent(goodPassword),
		token,
		sessionOf(browser),
		dataOf(shown).secret,
	];
	for (const secret of secrets) assert.ok(!w.log().includes(String(secret)));
	assert.ok(w.log().includes('/app/api/session/two-factor'), 'the log does tell of these requests');
	assert.ok(!w.log().includes(account.email));
});

test('[C-SIGN-12] people have their own limits, by account and by address', async (t) => {
	const small = await world(t, { settings: { TIDEMARK_RATE_LIMIT: '8', TIDEMARK_AUTH_FAILURE_LIMIT: '6' } });
	const account = await small.account();
	await givePassword(small, account);
	const browser = await signedIn(small, account);
	const answers = [];
	for (let n = 0; n < 9; n++) answers.push(await browser('GET', '/account'));
	assert.deepEqual(
		answers.map(({ status }) => status),
		[...Array(8).fill(200), 429],
	);
	assert.match(answers[8]?.headers['ratelimit-policy'] ?? '', /^"session";q=8/);
	const outside = [];
	for (let n = 0; n < 6; n++) outside.push((await visitor(() => small.base)('GET', '/account')).status);
	assert.ok(outside.includes(429) && outside[0] === 401, outside.join());
	const looks = [];
	for (let n = 0; n < 9; n++) looks.push((await visitor(() => small.base)('GET', '/session')).status);
	assert.deepEqual(
		looks,
		[...Array(8).fill(401), 429],
		'a page for everybody asks who is there, and tries nothing',
	);
	const dead = { headers: { cookie: '__Host-tidemark=none' } };
	assert.equal(
		(await visitor(() => small.base)('GET', '/session', dead)).status,
		429,
		'a wrong cookie is a try',
	);
	assert.equal((await account.api('GET', '/account')).status, 200, 'keys are counted apart');
});

test('[T80] what is done about a session is written down once, without a word of who or where', async () => {
	const account = await w.account({ timezone: 'UTC' });
	const noted = async () =>
		(
			await w.sql<{ what: string }>('SELECT what FROM changes WHERE account_id = $1 ORDER BY id', [
				account.id,
			])
		).map(({ what }) => what);
	await givePassword(w, account);
	const browser = await signedIn(w, account);
	await browser('GET', '/session');
	await browser('PUT', '/session/password', { json: { password: 'wrong', new_password: goodPassword } });
	await anyone()('POST', '/session', { json: { email: account.email, password: 'wrong password' } });
	await browser('PUT', '/session/password', { json: { password: goodPassword, new_password: goodPassword } });
	await browser('DELETE', '/session/browsers');
	await browser('POST', '/websites', { json: { domain: freshDomain() } });
	await account.api('POST', '/websites', {
		form: { domain: freshDomain() },
		headers: { 'idempotency-key': 'once' },
	});
	await browser('DELETE', '/session');
	assert.deepEqual(await noted(), [
		'setPasswordByLink',
		'signIn',
		'changePassword',
		'endOtherSessions',
		'createWebsite',
		'createWebsite',
		'signOut',
	]);
	const rows = JSON.stringify(await w.sql('SELECT * FROM changes'));
	assert.ok(!rows.includes('@example.test') && !rows.includes('127.0.0.1') && !rows.includes(goodPassword));
	await assert.rejects(w.sql('DELETE FROM changes'), /stays as it is/);
	await assert.rejects(w.sql('UPDATE changes SET account_id = 0'), /stays as it is/);
});
