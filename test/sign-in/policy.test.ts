import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { client, send } from '../support/client.ts';
import { assertProblem, assertStatus, face } from '../support/contract.ts';
import { passkeysAt } from '../support/passkeys.ts';
import {
	addApp,
	addMember,
	dataOf,
	newAccount,
	newWebsite,
	policyBody,
	setPolicy,
} from '../support/policies.ts';
import { createLink, tokenOf } from '../support/share-links.ts';
import { goodPassword, signedIn, type Visitor, visitor } from '../support/visitor.ts';
import { world } from '../support/world.ts';

let moment = Date.parse('2026-11-15T09:00:00.000Z');
const now = () => new Date(moment);
const w = await world({ after }, { now, settings: { TIDEMARK_TRUSTED_PROXIES: '127.0.0.1' } });
const passkeys = passkeysAt(w.publicUrl);
const minute = 60_000;
const [inside, outside] = ['203.0.113.9', '192.0.2.1'];
const office = ['203.0.113.0/24', '2001:db8::/32'];
beforeEach(async () => {
	await w.operate('policy.clear', { account: null, onlyNetworks: false });
});
const statusOf = async (browser: Visitor, path: string) => (await browser('GET', path)).status;
const refusedOf = async (browser: Visitor) => dataOf(await browser('GET', '/session')).policy;

test('[C-POL-1] owners read and set the policy of their account, with a proof', async () => {
	const account = await newAccount(w);
	const owner = await signedIn(w, account, { address: inside });
	const none = { sign_in: 'any', session_idle_minutes: null, session_hours: null, networks: null };
	assert.deepEqual(dataOf(await owner('GET', '/policy')), {
		policy: none,
		service: { sign_in: 'any', session_idle_minutes: null, session_hours: null, has_networks: false },
		address: inside,
	});
	const sent = { ...none, session_idle_minutes: 30, session_hours: 12, networks: office };
	const { password: _, ...unproven } = policyBody(sent);
	assertProblem(await owner('PUT', '/policy', { json: unproven }), 'validation_failed', ['password']);
	const wrong = { ...policyBody(sent), password: 'not the password' };
	assertProblem(await owner('PUT', '/policy', { json: wrong }), 'validation_failed', ['password']);
	assert.deepEqual(dataOf(await owner('GET', '/policy')).policy, none);
	const changed = await owner('PUT', '/policy', { json: policyBody(sent) });
	assertStatus(changed, 200);
	assert.deepEqual(dataOf(changed).policy, sent);
	assert.match((await owner('GET', '/activity')).text, /"changePolicy"/);
	const limits: [object, string][] = [
		[{ sign_in: 'password' }, 'sign_in'],
		[{ session_idle_minutes: 14 }, 'session_idle_minutes'],
		[{ session_idle_minutes: 10_081 }, 'session_idle_minutes'],
		[{ session_hours: 0 }, 'session_hours'],
		[{ session_hours: 721 }, 'session_hours'],
		[{ session_hours: 1.5 }, 'session_hours'],
		[{ networks: [] }, 'networks'],
		[{ networks: ['203.0.113.0/24', 'office'] }, 'networks'],
		[{ networks: ['203.0.113.0/33'] }, 'networks'],
		[{ networks: Array(101).fill(inside) }, 'networks'],
	];
	for (const [fields, field] of limits)
		assertProblem(await owner('PUT', '/policy', { json: policyBody(fields) }), 'validation_failed', [field]);
	assert.deepEqual(dataOf(await owner('GET', '/policy')).policy, sent, 'nothing has changed');
});

test('[C-POL-2] without the second factor that the account requires, a session reaches only what leads to one', async () => {
	const account = await newAccount(w);
	const browser = await signedIn(w, account);
	const website = await newWebsite(account);
	await setPolicy(w, account, { signIn: 'second_factor' });
	const paths = [
		'/websites',
		`/websites/${website.id}`,
		`/websites/${website.id}/stats`,
		'/people',
		'/boards',
	];
	for (const path of [...paths, '/keys', '/account', '/policy', '/activity', '/reports/settings'])
		assertProblem(await browser('GET', path), 'second_factor_required');
	assert.deepEqual(await refusedOf(browser), { refused: 'second_factor_required', accounts: [] });
	for (const path of ['/session', '/session/browsers', '/session/data', '/session/passkeys'])
		assert.equal(await statusOf(browser, path), 200, path);
	assertStatus(await account.api('GET', '/websites'), 200);

	await addApp(browser, now);
	for (const path of paths) assert.equal(await statusOf(browser, path), 200, path);
	assert.deepEqual(await refusedOf(browser), { refused: null, accounts: [] });
	moment += minute;
});

test('[C-POL-2] a passkey is a second factor: one that is added now, and one that someone signs in with', async () => {
	const account = await newAccount(w);
	const browser = await signedIn(w, account);
	await setPolicy(w, account, { signIn: 'second_factor' });
	assert.equal(await statusOf(browser, '/websites'), 403);
	const { credential, id } = await passkeys.add(browser);
	assert.equal(await statusOf(browser, '/websites'), 200);
	const other = visitor(() => w.base);
	assertStatus(
		await other('POST', '/session', { json: { email: account.email, password: goodPassword } }),
		200,
	);
	assertProblem(await other('GET', '/websites'), 'second_factor_required');
	const signed = await passkeys.signInAssertion(other, credential);
	assertStatus(await other('POST', '/session/passkey', { json: { passkey: signed } }), 200);
	assert.equal(await statusOf(other, '/websites'), 200);
	assertStatus(await other('DELETE', `/session/passkeys/${id}`, { json: { password: goodPassword } }), 200);
	assertProblem(await other('GET', '/websites'), 'second_factor_required');
});

test('[C-POL-3] members are bound where they have a role, and nowhere else', async () => {
	const [account, guest] = [await newAccount(w), await newAccount(w)];
	const owner = await signedIn(w, account);
	const member = await signedIn(w, guest);
	const [shared, open, own] = [
		await newWebsite(account),
		await newWebsite(account, { privacy: '0' }),
		await newWebsite(guest),
	];
	for (const website of [shared, open]) await addMember(owner, member, website, 'editor');
	await setPolicy(w, account, { signIn: 'second_factor' });
	for (const path of [
		`/websites/${shared.id}`,
		`/websites/${shared.id}/stats`,
		`/websites/${shared.id}/settings`,
	])
		assertProblem(await member('GET', path), 'second_factor_required');
	assertProblem(await member('GET', `/websites/${shared.id}/share`), 'second_factor_required');
	assertProblem(await member('PUT', `/websites/${shared.id}/favorite`), 'second_factor_required');
	assertProblem(
		await member('PUT', `/websites/${shared.id}`, { json: { timezone: 'UTC' } }),
		'second_factor_required',
	);
	assert.equal(await statusOf(member, `/websites/${own.id}/stats`), 200);
	const listed = (await member('GET', '/websites')).text;
	assert.ok(listed.includes(own.domain) && !listed.includes(shared.domain));
	assert.ok(!(await member('GET', '/stats')).text.includes(shared.domain));
	assert.deepEqual(await refusedOf(member), {
		refused: null,
		accounts: [{ name: 'A test account', code: 'second_factor_required' }],
	});
	// What everybody sees, they see too.
	assert.equal(await statusOf(member, `/websites/${open.id}/stats`), 200);
	assertProblem(await member('GET', `/websites/${open.id}/settings`), 'second_factor_required');
	// Strangers learn nothing.
	const stranger = await signedIn(w, await newAccount(w));
	assertProblem(await stranger('GET', `/websites/${shared.id}`), 'not_found');

	await addApp(member, now);
	assert.equal(await statusOf(member, `/websites/${shared.id}/stats`), 200);
	moment += minute;
});

test('[C-POL-5] a shorter lifetime ends open sessions at once, and the shortest holds', async () => {
	const account = await newAccount(w);
	const browser = await signedIn(w, account);
	moment += 40 * minute;
	await setPolicy(w, account, { idleMinutes: 60 });
	assert.equal(await statusOf(browser, '/websites'), 200);
	moment += 59 * minute;
	assert.equal(await statusOf(browser, '/websites'), 200, 'it was used');
	moment += 60 * minute;
	assertProblem(await browser('GET', '/websites'), 'unauthenticated');

	const again = await signedIn(w, account);
	for (let n = 0; n < 5; n++) {
		moment += 30 * minute;
		assert.equal(await statusOf(again, '/websites'), 200);
	}
	await setPolicy(w, null, { sessionHours: 3 });
	assert.equal(await statusOf(again, '/websites'), 200);
	await setPolicy(w, account, { sessionHours: 2 });
	assertProblem(await again('GET', '/session'), 'unauthenticated');
	const third = await signedIn(w, account);
	assert.equal(
		(await third('GET', '/session/browsers')).text.match(/"id"/g)?.length,
		1,
		'ended ones are not listed',
	);
	// A longer one than the default is none.
	await w.operate('policy.clear', { account: String(account.id), onlyNetworks: false });
	await w.operate('policy.clear', { account: null, onlyNetworks: false });
	moment += 7 * 24 * 60 * minute;
	assertProblem(await third('GET', '/session'), 'unauthenticated');
});

test('[C-POL-6] the dashboard is refused outside of the allowed networks, and says so', async () => {
	const account = await newAccount(w);
	const website = await newWebsite(account);
	const browser = await signedIn(w, account, { address: outside });
	await setPolicy(w, account, { networks: office });
	for (const path of ['/websites', `/websites/${website.id}/stats`, '/people', '/session/passkeys'])
		assertProblem(await browser('GET', path), 'network_not_allowed');
	assert.deepEqual(await refusedOf(browser), { refused: 'network_not_allowed', accounts: [] });
	assert.equal(await statusOf(browser, '/session/data'), 200, "a person's own data is no account's");
	for (const address of [inside, '2001:db8::7', '::ffff:203.0.113.77'])
		assert.equal(await statusOf(await signedIn(w, account, { address }), '/websites'), 200, address);
	// For the whole service, nobody signs in from elsewhere.
	await setPolicy(w, null, { networks: ['203.0.113.0/24'] });
	const anyone = visitor(() => w.base, { address: outside });
	const credentials = { email: account.email, password: goodPassword };
	assertProblem(await anyone('POST', '/session', { json: credentials }), 'network_not_allowed');
	assertProblem(
		await anyone('POST', '/session/forgotten', { json: { email: account.email } }),
		'network_not_allowed',
	);
	assertProblem(await browser('GET', '/session/data'), 'network_not_allowed');
	assert.equal(await statusOf(anyone, '/session/oidc'), 200, 'the sign-in page can be shown');
	assertStatus(await browser('DELETE', '/session'), 200);
});

test('[C-POL-7] keys outside of the allowed networks are unknown, except to send events', async () => {
	const account = await newAccount(w);
	const website = await newWebsite(account);
	const from = (address: string, method: string, path: string, key = account.key, json?: object) =>
		send(w.base, method, path, { key, headers: { 'x-forwarded-for': address }, ...(json && { json }) });
	assertStatus(await from(outside, 'GET', '/api/v1/account'), 200);
	await setPolicy(w, account, { networks: office });
	const unknown = await client(w.base, 'tm_unknown')('GET', '/account');
	for (const path of ['/account', '/websites', `/websites/${website.id}`, '/nothing'])
		assert.deepEqual(face(await from(outside, 'GET', `/api/v1${path}`)), face(unknown));
	const reading = await w.key(account, { access: 'read' });
	const call = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
	assert.equal((await from(outside, 'POST', '/mcp', reading.key, call)).status, 401);
	for (const address of [inside, '2001:db8::7'])
		assertStatus(await from(address, 'GET', '/api/v1/account'), 200);
	const event = { url: `https://${website.domain}/` };
	const events = `/api/v1/websites/${website.id}/events`;
	assertStatus(await from(outside, 'POST', events, account.key, event), 202);
	assertStatus(await from(inside, 'POST', events, account.key, event), 202);
	// The networks of a key hold everywhere, as before.
	const bound = await w.key(account, { networks: [inside] });
	assert.equal((await from(outside, 'POST', events, bound.key, event)).status, 401);
	await setPolicy(w, null, { networks: [outside] });
	for (const address of [inside, outside])
		assert.equal((await from(address, 'GET', '/api/v1/account')).status, 401, 'both lists hold');
});

test('[C-POL-9] the policy of the service holds in every account; the operator clears both', async () => {
	const account = await newAccount(w);
	const browser = await signedIn(w, account);
	await setPolicy(w, null, { signIn: 'second_factor', idleMinutes: 60, networks: ['127.0.0.1'] });
	assertProblem(await browser('GET', '/websites'), 'second_factor_required');
	const shown = await w.operate('policy.show', { account: null });
	assert.deepEqual(shown, {
		signIn: 'second_factor',
		idleMinutes: 60,
		sessionHours: null,
		networks: ['127.0.0.1'],
	});
	await addApp(browser, now);
	assert.deepEqual(dataOf(await browser('GET', '/policy')).service, {
		sign_in: 'second_factor',
		session_idle_minutes: 60,
		session_hours: null,
		has_networks: true,
	});
	await w.operate('policy.clear', { account: null, onlyNetworks: true });
	const kept = await w.operate('policy.show', { account: null });
	assert.deepEqual([kept.signIn, kept.networks], ['second_factor', null]);
	await assert.rejects(w.operate('policy.set', { account: null, networks: ['office'] }), /not an IP address/);
	moment += minute;
});

test('[C-POL-10] what needs no sign-in stays open whatever the policies are', async () => {
	const account = await newAccount(w);
	const website = await newWebsite(account, { privacy: '0' });
	const link = await createLink(account, website);
	const browser = await signedIn(w, account);
	await setPolicy(w, account, { signIn: 'provider', networks: [inside] });
	await setPolicy(w, null, { signIn: 'second_factor', networks: [inside] });
	const hit = await send(w.base, 'POST', '/tm', {
		headers: { 'x-forwarded-for': outside, origin: `https://${website.domain}` },
		json: { w: website.id, url: `https://${website.domain}/` },
	});
	assert.equal(hit.status, 202, hit.text);
	const anyone = visitor(() => w.base, { address: outside });
	assert.equal(await statusOf(anyone, `/websites/${website.id}/stats`), 200);
	assert.equal(await statusOf(anyone, `/websites/${website.id}/share`), 200);
	assert.equal(await statusOf(browser, `/websites/${website.id}/stats`), 200, 'as for everybody');
	const shared = await anyone('GET', `/websites/${website.id}/stats`, {
		headers: { 'x-share-link': tokenOf(link) },
	});
	assert.equal(shared.status, 200, shared.text);
});

const common = [
	'password123!',
	'P@ssw0rd2024',
	'qwertyuiop123',
	'1234567890',
	'iloveyou1234',
	'letmein2024!',
	'sunshine!2026',
	'aaaaaaaaaaaaaaaa',
	'abcdefghijklmnop',
	'monkeymonkey',
	'Tidemark2026',
	'password-password',
	'Passwort2024!',
	'Grace Hopper 1',
	'gracehopper12',
];

test('[C-POL-11] common passwords, and those that contain what is known of a person, cannot be set', async () => {
	const email = 'grace@navy.example';
	const account = await w.account({ name: 'Grace Hopper', email });
	const { token } = await w.operate('account.reset', { email });
	const anyone = visitor(() => w.base);
	const set = (password: string) => anyone('PUT', '/session/link', { json: { token, password } });
	for (const password of [...common, email]) {
		const answer = await set(password);
		assertProblem(answer, 'validation_failed', ['password']);
		assert.match(answer.text, /too easy to guess\. Use several words/, password);
	}
	assertStatus(await set(goodPassword), 200);
	const browser = await signedIn(w, account);
	const refused = await browser('PUT', '/session/password', {
		json: { password: goodPassword, new_password: 'gracehopper12' },
	});
	assertProblem(refused, 'validation_failed', ['new_password']);
	let password = goodPassword;
	for (const next of ['x9$kLm2Q!r-t', 'correct horse battery staple', '🌊🌊🌙🐙🐚🦀🐳🪸🐠🦑🐡🦐']) {
		const json = { password, new_password: next };
		assertStatus(await browser('PUT', '/session/password', { json }), 200);
		password = next;
	}
	// Those of shared statistics are for others to type.
	await newWebsite(account, { privacy: '2', password: '1' });
	const website = await newWebsite(account);
	await createLink(account, website, { password: '1234' });
});

test('[C-POL-11] an invited person and the first one choose a password that is not common', async () => {
	const owner = await signedIn(w, await newAccount(w));
	const invited = await owner('POST', '/people/invitations', {
		json: { role: 'viewer', email: 'ada@engine.example' },
	});
	const token = new URL(String(dataOf(invited).link)).hash.replace('#token=', '');
	const join = (password: string) =>
		visitor(() => w.base)('POST', '/join/account', { json: { token, name: 'Ada Lovelace', password } });
	for (const password of ['ada lovelace1', 'password1234'])
		assertProblem(await join(password), 'validation_failed', ['password']);
	assertStatus(await join(goodPassword), 200);
});

test('[C-POL-11] a long password is judged quickly', async () => {
	const account = await newAccount(w);
	const { token } = await w.operate('account.reset', { email: account.email });
	const started = performance.now();
	const password = '4@8({[<369!|017+%z$5xaeiost'.repeat(9).slice(0, 240);
	assertStatus(await visitor(() => w.base)('PUT', '/session/link', { json: { token, password } }), 200);
	assert.ok(performance.now() - started < 5_000);
});
