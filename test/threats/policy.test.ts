/** Policies of accounts: no way around them, no way to weaken them, and always a way back in. */
import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { actions } from '../../server/accounts/authorize.ts';
import { dashboardRoutes } from '../../server/http/dashboard-api/routes.ts';
import { send } from '../support/client.ts';
import { assertProblem, assertStatus } from '../support/contract.ts';
import { addProvider, signInWith, startProvider } from '../support/oidc-provider.ts';
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
import { givePassword, goodPassword, signedIn, type Visitor, visitor } from '../support/visitor.ts';
import { wireRequest } from '../support/wire.ts';
import { world } from '../support/world.ts';

let moment = Date.now();
const now = () => new Date(moment);
const w = await world({ after }, { now });
const proxied = await world({ after }, { settings: { TIDEMARK_TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8' } });
const company = await startProvider({ after });
await addProvider(w, company, { name: 'company' });
await addProvider(w, company, { name: 'strict', hasSecondFactor: true });
const passkeys = passkeysAt(w.publicUrl);
const anyone = () => visitor(() => w.base);
const proof = { password: goodPassword };
beforeEach(async () => {
	await w.operate('policy.clear', { account: null, onlyNetworks: false });
});

let people = 0;
/** Someone whose address the provider has verified, signed in with it. */
async function linked(name: string) {
	const sub = `policy-${++people}`;
	const email = `${sub}@example.com`;
	company.setUser({ sub, email, email_verified: true, name: sub });
	company.setRedirectUris([`${w.publicUrl}/app/api/session/oidc/callback/${name}`]);
	const account = await w.account({ timezone: 'UTC', email });
	await givePassword(w, account);
	const browser = anyone();
	assert.equal(await signInWith(browser, name), '/sign-in?oidc=proof');
	assertStatus(await browser('POST', '/session/oidc/proof', { json: proof }), 200);
	return { account, browser };
}
const enter = async (account: { email: string }, more: object = {}): Promise<Visitor> => {
	const browser = anyone();
	assertStatus(await browser('POST', '/session', { json: { email: account.email, ...proof, ...more } }), 200);
	return browser;
};
const statusOf = async (browser: Visitor, path = '/websites') => (await browser('GET', path)).status;

test('[T240] no route of the dashboard or of the API is reached without the second factor, whichever it is', async () => {
	const account = await newAccount(w);
	const browser = await signedIn(w, account);
	const website = await newWebsite(account);
	await setPolicy(w, account, { signIn: 'second_factor' });
	const reachable: string[] = [];
	for (const { methods, path, isPublic } of dashboardRoutes) {
		if (isPublic) continue;
		const id = path.startsWith('/websites') ? website.id : 999_999_999;
		const url = path.replace(':id', String(id)).replace(/:\w+/g, '1');
		const answer = await browser(methods[0], url, { ...(methods[0] !== 'GET' && { json: {} }) });
		if (answer.status !== 403) reachable.push(`${methods[0]} ${path}`);
		else assertProblem(answer, 'second_factor_required');
	}
	assert.deepEqual(reachable.sort(), [
		'DELETE /session/browsers',
		'DELETE /session/browsers/:id',
		'DELETE /session/passkeys/:id',
		'DELETE /session/person',
		'DELETE /session/two-factor',
		'GET /session',
		'GET /session/browsers',
		'GET /session/data',
		'GET /session/deletion',
		'GET /session/passkeys',
		'PATCH /session/passkeys/:id',
		'POST /session/confirmation',
		'POST /session/passkeys',
		'POST /session/passkeys/challenge',
		'POST /session/passkeys/options',
		'POST /session/recovery-codes',
		'POST /session/two-factor',
		'POST /session/two-factor/passkeys',
		'PUT /session/confirmation',
		'PUT /session/person',
		'PUT /session/two-factor',
		'PUT /session/working-account',
	]);
	// The API for sessions asks `authorize`, which refuses every action.
	const { routes } = await import('../../server/http/api/routes.ts');
	for (const { methods, path, action, isUpload } of routes) {
		if (actions[action].on === 'service') continue;
		const url = path.replace(':id', String(website.id)).replace(/:\w+/g, '1');
		const answer = await browser(methods[0], url, {
			...(methods[0] !== 'GET' && !isUpload && { json: {} }),
			...(isUpload && { body: 'x', headers: { 'content-type': 'application/octet-stream' } }),
		});
		assertProblem(answer, 'second_factor_required');
	}
});

test('[T240] an older session, another account and a header do not help', async () => {
	const [agency, own] = [await newAccount(w), await newAccount(w)];
	// A person who owns both: one of them requires a second factor.
	await w.sql(
		`INSERT INTO account_owners (account_id, person_id, is_primary, created_at) VALUES (${agency.id}, ${own.id}, false, now())`,
	);
	const website = await newWebsite(agency);
	const browser = await signedIn(w, own);
	const work = (accountId: number) => ({ headers: { 'tidemark-account': String(accountId) } });
	assertStatus(await browser('GET', '/websites', work(agency.id)), 200);
	await setPolicy(w, agency, { signIn: 'second_factor' });
	assertProblem(await browser('GET', '/websites', work(agency.id)), 'second_factor_required');
	assertStatus(await browser('GET', '/websites', work(own.id)), 200);
	// While they work in their own account, the websites of the other one stay closed.
	for (const path of ['', '/stats', '/settings', '/export'])
		assertProblem(
			await browser('GET', `/websites/${website.id}${path}`, work(own.id)),
			'second_factor_required',
		);
	assertProblem(
		await browser('PUT', `/websites/${website.id}`, { json: { timezone: 'UTC' }, ...work(own.id) }),
		'second_factor_required',
	);
	// A session of the previous version, which recorded nothing.
	await w.sql('UPDATE sessions SET second_factor = NULL');
	assertProblem(await browser('GET', '/websites', work(agency.id)), 'second_factor_required');
	// Turning it off again ends what it gave.
	const { code } = await addApp(browser, now);
	assertStatus(await browser('GET', '/websites', work(agency.id)), 200);
	moment += 60_000;
	const other = await enter(own, { code: await code() });
	assertStatus(await other('GET', '/websites', work(agency.id)), 200);
	moment += 60_000;
	assertStatus(
		await browser('DELETE', '/session/two-factor', { json: { ...proof, code: await code() } }),
		200,
	);
	for (const session of [browser, other])
		assertProblem(await session('GET', '/websites', work(agency.id)), 'second_factor_required');
});

test('[T240][C-POL-4] a provider counts as a second factor only if the operator says that it asks for one', async () => {
	const plain = await linked('company');
	await setPolicy(w, null, { signIn: 'second_factor' });
	assertProblem(await plain.browser('GET', '/websites'), 'second_factor_required');
	const flagged = await linked('strict');
	assert.equal(await statusOf(flagged.browser), 200);
	assertProblem(await (await enter(flagged.account))('GET', '/websites'), 'second_factor_required');
	moment += 60_000;
});

test('[C-POL-4] an account that requires a provider is closed to other sessions, until someone signs in with one', async () => {
	const { account, browser } = await linked('company');
	await setPolicy(w, account, { signIn: 'provider' });
	assert.equal(await statusOf(browser), 200);
	const other = await enter(account);
	assertProblem(await other('GET', '/websites'), 'provider_required');
	assert.equal(await statusOf(other, '/session/oidc/linked'), 200);
	assertProblem(await other('GET', '/session/passkeys'), 'provider_required');
	assertStatus(await account.api('GET', '/websites'), 200);
	// Someone who has not linked one yet can.
	const unlinked = await newAccount(w);
	const fresh = await signedIn(w, unlinked);
	await setPolicy(w, unlinked, { signIn: 'provider' });
	assertProblem(await fresh('GET', '/websites'), 'provider_required');
	assertStatus(await fresh('POST', '/session/oidc/company/link', { json: proof }), 200);
});

test('[T241] whoever knows only the password adds no second factor of their own, in any account', async () => {
	const [agency, victim] = [await newAccount(w), await newAccount(w)];
	const browser = await signedIn(w, victim);
	await passkeys.add(browser);
	await addMember(await signedIn(w, agency), browser, await newWebsite(agency));
	await setPolicy(w, agency, { signIn: 'second_factor' });
	// Their own account requires nothing, so this session works there.
	const thief = await enter(victim);
	assert.equal(await statusOf(thief), 200);
	const tries: [string, string][] = [
		['POST', '/session/two-factor'],
		['POST', '/session/two-factor/passkeys'],
		['POST', '/session/passkeys/options'],
		['POST', '/session/oidc/strict/link'],
		['DELETE', '/session/passkeys/1'],
		['DELETE', '/session/two-factor'],
	];
	for (const [method, path] of tries)
		assertProblem(await thief(method, path, { json: proof }), 'second_factor_required');
	assertProblem(
		await thief('PUT', '/session/two-factor', { json: { code: '123456' } }),
		'second_factor_required',
	);
	// A provider that asks for none is no way either, and one that is linked already cannot be joined by another.
	const { account } = await linked('company');
	await setPolicy(w, account, { signIn: 'provider' });
	assertProblem(
		await (await enter(account))('POST', '/session/oidc/strict/link', { json: proof }),
		'provider_required',
	);
});

test('[T242][C-POL-8] nobody saves what locks them out, and the operator lets back in who is', async () => {
	const account = await newAccount(w);
	const owner = await signedIn(w, account);
	const save = (fields: object) => owner('PUT', '/policy', { json: policyBody(fields) });
	const before = (await owner('GET', '/policy')).text;
	for (const networks of [['192.0.2.0/24'], ['::1'], ['127.0.0.2', '10.0.0.0/8']]) {
		const answer = await save({ networks });
		assertProblem(answer, 'validation_failed', ['networks']);
		assert.match(answer.text, /Your address 127\.0\.0\.1 is not in this list/);
	}
	for (const sign_in of ['second_factor', 'provider'])
		assertProblem(await save({ sign_in }), 'validation_failed', ['sign_in']);
	assert.equal((await owner('GET', '/policy')).text, before);
	assertStatus(await owner('GET', '/websites'), 200);
	assertStatus(await save({ networks: ['127.0.0.0/8'] }), 200);
	await addApp(owner, now);
	moment += 60_000;
	// The proof needs the code now, so the operator stands in.
	await setPolicy(w, account, { networks: ['192.0.2.0/24'] });
	assertProblem(await owner('GET', '/websites'), 'network_not_allowed');
	assert.equal((await account.api('GET', '/websites')).status, 401);
	await w.operate('policy.clear', { account: account.email, onlyNetworks: true });
	assertStatus(await owner('GET', '/websites'), 200);
	assertStatus(await account.api('GET', '/websites'), 200);
	assert.match((await owner('GET', '/activity')).text, /"changePolicy"/);
});

test('[T243] no header puts a client into the allowed networks, and no spelling of an address out of them', async () => {
	const account = await newAccount(proxied);
	const browser = await signedIn(proxied, account);
	const cookie = [...browser.cookies].map(([name, { value }]) => `${name}=${value}`).join('; ');
	await setPolicy(proxied, account, { networks: ['203.0.113.0/24', '2001:db8::/48'] });
	const forwarded = (...values: string[]) =>
		values.map((value): [string, string] => ['X-Forwarded-For', value]);
	const cases: [headers: [string, string][], isInside: boolean][] = [
		[forwarded('203.0.113.9'), true],
		[forwarded('::ffff:203.0.113.9'), true],
		[forwarded('::ffff:cb00:7109'), true],
		[forwarded('2001:DB8:0::1'), true],
		[forwarded('192.0.2.1, 203.0.113.9'), true],
		[forwarded('203.0.113.9, 192.0.2.1'), false],
		[forwarded('203.0.113.9', '192.0.2.1'), false],
		[forwarded('203.0.113.9, unknown'), false],
		[forwarded('::ffff:192.0.2.1'), false],
		[forwarded('2001:db8:1::1'), false],
		[forwarded('::203.0.113.9'), false],
		[[['X-Real-IP', '203.0.113.9']], false],
		[[['Forwarded', 'for=203.0.113.9']], false],
		[[['X-Client-IP', '203.0.113.9']], false],
	];
	for (const [headers, isInside] of [...cases, ...cases]) {
		const said = JSON.stringify(headers);
		const asPerson = await wireRequest(proxied.base, {
			path: '/app/api/websites',
			headers: [['Cookie', cookie], ['Sec-Fetch-Site', 'same-origin'], ...headers],
		});
		assert.equal(asPerson.status, isInside ? 200 : 403, said);
		const asKey = await wireRequest(proxied.base, {
			path: '/api/v1/account',
			headers: [['Authorization', `Bearer ${account.key}`], ...headers],
		});
		assert.equal(asKey.status, isInside ? 200 : 401, said);
	}
	// Without a trusted proxy, headers count for nothing.
	const direct = await newAccount(w);
	await setPolicy(w, direct, { networks: ['203.0.113.0/24'] });
	const [first = forwarded('')] = cases.map(([headers]) => headers);
	const answer = await send(w.base, 'GET', '/api/v1/account', {
		key: direct.key,
		headers: Object.fromEntries(first),
	});
	assert.equal(answer.status, 401);
	assert.ok(
		!proxied.log().includes('203.0.113.9') && !proxied.log().includes('192.0.2.1'),
		'no address is logged',
	);
	assert.ok(!JSON.stringify(await proxied.sql('SELECT * FROM sessions')).includes('203.0.113'));
});

test('[T243] an open stream ends when its network is no longer allowed', async () => {
	const account = await newAccount(w);
	const website = await newWebsite(account);
	const stream = await fetch(`${w.base}/api/v1/websites/${website.id}/live/stream`, {
		headers: { authorization: `Bearer ${account.key}` },
	});
	const reader = stream.body?.getReader();
	assert.match(Buffer.from((await reader?.read())?.value ?? []).toString(), /^data: /);
	await setPolicy(w, account, { networks: ['192.0.2.0/24'] });
	await account.api('POST', `/websites/${website.id}/events`, {
		json: { url: `https://${website.domain}/` },
	});
	let later = '';
	for (let read = await reader?.read(); read && !read.done; read = await reader?.read())
		later += Buffer.from(read.value).toString();
	assert.doesNotMatch(later, /data:/);
});

test('[T244] members and keys neither read nor change a policy', async () => {
	const [account, guest] = [await newAccount(w), await newAccount(w)];
	const member = await signedIn(w, guest);
	const owner = await signedIn(w, account);
	const invited = await owner('POST', '/people/invitations', { json: { role: 'admin' } });
	const token = new URL(String(dataOf(invited).link)).hash.replace('#token=', '');
	assertStatus(await member('POST', '/join', { json: { token } }), 200);
	await setPolicy(w, account, { sessionHours: 10 });
	// An admin of the account works in their own, so this is the policy of that one.
	const headers = { 'tidemark-account': String(account.id) };
	for (const call of [{ headers }, { headers, json: policyBody({}) }])
		assertProblem(await member(call.json ? 'PUT' : 'GET', '/policy', call), 'account_changed');
	assertStatus(await member('PUT', '/policy', { json: policyBody({}) }), 200);
	for (const path of ['/app/api/policy', '/api/v1/policy'])
		for (const method of ['GET', 'PUT']) {
			const answer = await send(w.base, method, path, {
				key: account.key,
				headers: { 'sec-fetch-site': 'same-origin' },
				...(method === 'PUT' && { json: policyBody({}) }),
			});
			assert.ok([401, 404].includes(answer.status), `${method} ${path}: ${answer.status}`);
		}
	assert.equal((await w.operate('policy.show', { account: String(account.id) })).sessionHours, 10);
	// A former owner, whose request waits for the lock, changes nothing: as for every change of an account.
	assertProblem(
		await owner('PUT', '/policy', { json: { ...policyBody({}), password: 'x' } }),
		'validation_failed',
		['password'],
	);
});
