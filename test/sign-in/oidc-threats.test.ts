import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { z } from 'zod';
import { createProviderFetch, readProviderUrl } from '../../server/oidc/provider-fetch.ts';
import { assertProblem } from '../support/contract.ts';
import {
	addProvider,
	comesBack,
	signInWith,
	startProvider,
	visitProvider,
} from '../support/oidc-provider.ts';
import {
	givePassword,
	goodPassword,
	sessionOf,
	signedIn,
	type Visitor,
	visitor,
} from '../support/visitor.ts';
import { world } from '../support/world.ts';

let moment = Date.now();
const w = await world({ after }, { now: () => new Date(moment) });
const company = await startProvider({ after });
const evil = await startProvider({ after });
await addProvider(w, company, { name: 'company', admits: 'everyone' });
await addProvider(w, evil, { name: 'evil', admits: 'everyone' });
const anna = { sub: 'anna', email: 'anna@example.com', email_verified: true };
company.setUser(anna);
const anyone = () => visitor(() => w.base);
const dataOf = (answer: { json: unknown }) =>
	z.object({ data: z.record(z.string(), z.unknown()) }).parse(answer.json).data;
const begin = async (browser: Visitor, name = 'company', to?: string) => {
	const started = await browser('POST', `/session/oidc/${name}/start`, { json: { to } });
	assert.equal(started.status, 200, started.text);
	return z.string().parse(dataOf(started).url);
};
const locationOf = async (browser: Visitor, url: URL) => {
	const answer = await comesBack(browser, url);
	assert.equal(answer.status, 303, answer.text);
	return (answer.headers.location ?? '').replace(w.publicUrl, '');
};
const isSignedIn = async (browser: Visitor) => (await browser('GET', '/session')).status === 200;
const refusedFor = async (reason: string, browser: Visitor, url: URL) => {
	assert.equal(await locationOf(browser, url), `/sign-in?oidc=${reason}`);
	assert.equal(await isSignedIn(browser), false);
};
const epoch = () => Math.floor(moment / 1000);

const beforeFirstAccount = await signInWith(anyone(), 'company');
await w.account();

test('a provider does not make the first account, which is the operator’s', () => {
	assert.equal(beforeFirstAccount, '/sign-in?oidc=unknown');
});

test('the provider and the service understand each other', async () => {
	const browser = anyone();
	assert.equal(await signInWith(browser, 'company'), '/websites');
	assert.equal(await isSignedIn(browser), true);
});

test('[T140] the response of one provider is not taken for that of another', async () => {
	// The browser meant to sign in with the one that an attacker runs, which sends it on to the other one.
	const browser = anyone();
	const meant = new URL(await begin(browser, 'evil'));
	const sent = new URL('/auth', company.issuer);
	for (const [name, text] of meant.searchParams) sent.searchParams.set(name, text);
	sent.searchParams.set('redirect_uri', `${w.publicUrl}/app/api/session/oidc/callback/company`);
	const back = await visitProvider(sent.href);
	assert.ok(back.searchParams.get('code'));
	const before = evil.requests.length;
	await refusedFor('expired', browser, back);

	const again = anyone();
	const second = new URL(await begin(again, 'evil'));
	for (const [name, text] of second.searchParams) sent.searchParams.set(name, text);
	sent.searchParams.set('redirect_uri', `${w.publicUrl}/app/api/session/oidc/callback/company`);
	const moved = await visitProvider(sent.href);
	moved.pathname = moved.pathname.replace('company', 'evil');
	await refusedFor('invalid', again, moved);
	assert.deepEqual(
		evil.requests.slice(before).filter((request) => request === 'POST /token'),
		[],
		'the attacker gets no code of the other provider',
	);

	// Its metadata must be that of the issuer that the operator entered.
	await w.operate('oidc.add', {
		...{ name: 'posing', issuer: `${company.issuer}/tenant`, clientId: 'x', secret: null },
		...{ allowedDomains: [], groupsClaim: 'groups', admits: 'invited', hasSecondFactor: false },
	});
	assertProblem(await anyone()('POST', '/session/oidc/posing/start', { json: {} }), 'unavailable');
	await w.operate('oidc.remove', { name: 'posing' });
});

test('[T141] an ID token for another client, of another issuer, with another nonce or another key is refused', async (t) => {
	const foreign = company.makeKey();
	const other = (claims: Record<string, unknown>) => (token: unknown) => company.resign(token, claims);
	const cases: Record<string, (token: unknown) => unknown> = {
		'another client': other({ aud: 'another-client' }),
		'several clients': other({ aud: ['tidemark', 'another-client'] }),
		'another authorized party': other({ aud: ['tidemark', 'another-client'], azp: 'another-client' }),
		'another issuer': other({ iss: evil.issuer }),
		'another nonce': other({ nonce: 'another' }),
		'no nonce': other({ nonce: undefined }),
		'no subject': other({ sub: undefined }),
		'an unknown key': (token) => company.resign(token, {}, foreign),
		'a foreign key with a known id': (token) => {
			const kid = JSON.parse(Buffer.from(String(token).split('.')[0] ?? '', 'base64url').toString()).kid;
			return company.resign(token, { sub: 'admin' }, { ...foreign, kid });
		},
		'a changed payload': (token) => {
			const [head, payload = '', signature] = String(token).split('.');
			const claims = { ...JSON.parse(Buffer.from(payload, 'base64url').toString()), sub: 'admin' };
			return [head, Buffer.from(JSON.stringify(claims)).toString('base64url'), signature].join('.');
		},
		'no signature': (token) => {
			const head = Buffer.from(JSON.stringify({ alg: 'none', typ: 'JWT' })).toString('base64url');
			return `${head}.${String(token).split('.')[1]}.`;
		},
		'a signature with the client secret': (token) => {
			const head = Buffer.from(JSON.stringify({ alg: 'HS256', typ: 'JWT' })).toString('base64url');
			const unsigned = `${head}.${String(token).split('.')[1]}`;
			return `${unsigned}.${createHmac('sha256', company.clientSecret).update(unsigned).digest('base64url')}`;
		},
		'no token': () => undefined,
	};
	for (const [name, change] of Object.entries(cases))
		await t.test(name, async () => {
			company.setChange((tokens) => ({ ...tokens, id_token: change(tokens.id_token) }));
			const browser = anyone();
			await refusedFor('invalid', browser, await visitProvider(await begin(browser)));
		});
	company.setChange(undefined);
	assert.equal(await signInWith(anyone(), 'company'), '/websites', 'the same without the change');
});

test('[T141] a token that has expired, or is not valid yet, is refused; clocks may differ by a minute', async (t) => {
	const cases: [string, Record<string, unknown>, boolean][] = [
		['expired an hour ago', { exp: epoch() - 3_600 }, false],
		['expired 90 seconds ago', { exp: epoch() - 90 }, false],
		['expired 30 seconds ago', { exp: epoch() - 30 }, true],
		['valid in ten minutes', { nbf: epoch() + 600 }, false],
		['issued in ten minutes', { iat: epoch() + 600 }, false],
		['issued in 30 seconds', { iat: epoch() + 30 }, true],
		['without an end', { exp: undefined }, false],
	];
	for (const [name, claims, isValid] of cases)
		await t.test(name, async () => {
			company.setChange((tokens) => ({ ...tokens, id_token: company.resign(tokens.id_token, claims) }));
			const browser = anyone();
			const back = await visitProvider(await begin(browser));
			if (isValid) assert.equal(await locationOf(browser, back), '/websites');
			else await refusedFor('invalid', browser, back);
		});
	company.setChange(undefined);
});

test('[T141] a key that was rotated is known at once, and a revoked one is no longer', async () => {
	assert.equal(await signInWith(anyone(), 'company'), '/websites');
	const revoked = company.rotateKeys();
	assert.equal(await signInWith(anyone(), 'company'), '/websites');
	company.setChange((tokens) => ({ ...tokens, id_token: company.resign(tokens.id_token, {}, revoked) }));
	const browser = anyone();
	await refusedFor('invalid', browser, await visitProvider(await begin(browser)));
	company.setChange(undefined);
});

test('[T142] a response and its code work once', async () => {
	const browser = anyone();
	const back = await visitProvider(await begin(browser));
	const cookie = `__Host-tidemark-oidc=${browser.cookies.get('__Host-tidemark-oidc')?.value}`;
	assert.equal(await locationOf(browser, back), '/websites');
	const replay = await anyone()('GET', back.pathname.replace('/app/api', '') + back.search, {
		headers: { cookie },
	});
	assert.equal(replay.headers.location, `${w.publicUrl}/sign-in?oidc=expired`);

	// With a new request of the attacker's own browser: the code belongs to another PKCE verifier, and was used.
	const attacker = anyone();
	const own = new URL(await begin(attacker));
	const stolen = new URL(back);
	stolen.searchParams.set('state', own.searchParams.get('state') ?? '');
	await refusedFor('invalid', attacker, stolen);

	const fresh = anyone();
	const unused = await visitProvider(await begin(fresh));
	const thief = anyone();
	const ownState = new URL(await begin(thief)).searchParams.get('state') ?? '';
	unused.searchParams.set('state', ownState);
	await refusedFor('invalid', thief, unused);

	const twice = anyone();
	const both = await visitProvider(await begin(twice));
	const [one, two] = await Promise.all([comesBack(twice, both), comesBack(twice, both)]);
	assert.deepEqual([one, two].map(({ headers }) => headers.location?.replace(w.publicUrl, '')).sort(), [
		'/sign-in?oidc=expired',
		'/websites',
	]);
});

test('[T142] a response that comes after ten minutes is refused', async () => {
	const browser = anyone();
	const back = await visitProvider(await begin(browser));
	moment += 11 * 60_000;
	await refusedFor('expired', browser, back);
});

test('[T143] nobody can be signed in to an account of the attacker', async () => {
	const attacker = anyone();
	const back = await visitProvider(await begin(attacker));
	// The victim opens the attacker's link: without a request of their own, and in the middle of one.
	await refusedFor('expired', anyone(), back);
	const victim = anyone();
	await begin(victim);
	await refusedFor('invalid', victim, back);
	// State and cookie belong together.
	const browser = anyone();
	const own = await visitProvider(await begin(browser));
	own.searchParams.delete('state');
	await refusedFor('invalid', browser, own);
	const started = await anyone()('POST', '/session/oidc/company/start', {
		json: {},
		headers: { 'sec-fetch-site': 'cross-site' },
	});
	assertProblem(started, 'forbidden');

	// A victim who is signed in cannot be linked to an identity of the attacker.
	const account = await w.account();
	await givePassword(w, account);
	const signed = await signedIn(w, account);
	const linking = await signedIn(w, account);
	const begun = await linking('POST', '/session/oidc/company/link', { json: { password: goodPassword } });
	const response = await visitProvider(z.string().parse(dataOf(begun).url));
	linking.cookies.delete('__Host-tidemark');
	assert.equal(await locationOf(linking, response), '/account/security?oidc=expired');
	assert.deepEqual(await w.sql('SELECT 1 FROM oidc_identities WHERE person_id = $1', [account.id]), []);
	// A session is replaced, never continued.
	const before = sessionOf(signed);
	assert.equal(await signInWith(signed, 'company'), '/websites');
	assert.notEqual(sessionOf(signed), before);
});

test('[T144] an address at a provider opens no account that has this address', async () => {
	const victim = await w.account({ email: 'victim@example.com' });
	await givePassword(w, victim);
	evil.setUser({ sub: 'attacker', email: 'Victim@Example.com', email_verified: true });
	const browser = anyone();
	assert.equal(await signInWith(browser, 'evil'), '/sign-in?oidc=proof');
	assert.equal(await isSignedIn(browser), false);
	assert.equal((await browser('POST', '/session/oidc/proof', { json: { password: 'guess' } })).status, 422);
	assert.equal((await browser('POST', '/session/oidc/proof', { json: {} })).status, 422);
	assert.deepEqual(await w.sql('SELECT 1 FROM oidc_identities WHERE subject = $1', ['attacker']), []);
	// Guesses count like those of a password.
	const answers = [];
	for (let guess = 0; guess < 8; guess++)
		answers.push(
			(await browser('POST', '/session/oidc/proof', { json: { password: `guess ${guess}` } })).status,
		);
	assert.ok(answers.includes(429), String(answers));
	// Who a person is says the subject, not the address: another subject with a known address is someone else.
	company.setUser({ ...anna, sub: 'not-anna' });
	const impostor = anyone();
	assert.equal(await signInWith(impostor, 'company'), '/sign-in?oidc=proof');
	assert.equal(await isSignedIn(impostor), false);
	company.setUser({ ...anna, email: 'renamed@example.com' });
	const renamed = anyone();
	assert.equal(await signInWith(renamed, 'company'), '/websites', 'and the same subject is the same person');
	assert.ok((await renamed('GET', '/session')).text.includes(anna.email));
	company.setUser(anna);
});

test('[T145] an address counts only if the provider has verified it', async () => {
	const account = await w.account({ email: 'careful@example.com' });
	await givePassword(w, account);
	for (const verified of [false, undefined, 'false', 1, 'yes', null]) {
		evil.setUser({ sub: 'unverified', email: account.email, email_verified: verified });
		const browser = anyone();
		assert.equal(await signInWith(browser, 'evil'), '/sign-in?oidc=unverified', String(verified));
		assertProblem(await browser('GET', '/session/oidc/proof'), 'link_dead');
	}
	evil.setUser({ sub: 'no address' });
	assert.equal(await signInWith(anyone(), 'evil'), '/sign-in?oidc=unverified');
	await w.operate('oidc.update', { name: 'evil', allowedDomains: ['example.com'] });
	evil.setUser({ sub: 'unverified', email: 'other@example.com' });
	assert.equal(await signInWith(anyone(), 'evil'), '/sign-in?oidc=unverified');
	await w.operate('oidc.update', { name: 'evil', allowedDomains: [] });
	// The address of one place with the verification of another is not verified.
	evil.setUser({ sub: 'mixed', email: 'mixed@example.com', email_verified: true });
	evil.setChange((tokens) => ({
		...tokens,
		id_token: evil.resign(tokens.id_token, { email: account.email }),
	}));
	assert.equal(await signInWith(anyone(), 'evil'), '/sign-in?oidc=unverified');
	evil.setChange(undefined);
});

test('[T146] a sign-in leads to pages of this service only', async () => {
	const elsewhere = [
		'https://evil.example/',
		'//evil.example/',
		'/\\evil.example/',
		'/./\\evil.example',
		'/x/..//evil.example/',
		'\t//evil.example',
		'javascript:alert(1)',
		'evil.example',
		'/sign-in',
		'/api/v1/websites',
		'/app/api/session',
		'',
	];
	for (const to of elsewhere) {
		const browser = anyone();
		const started = await browser('POST', '/session/oidc/company/start', { json: { to } });
		if (started.status === 422) continue;
		const back = await visitProvider(z.string().parse(dataOf(started).url));
		assert.equal((await comesBack(browser, back)).headers.location, `${w.publicUrl}/websites`, to);
	}
	// Neither the Host header nor what the provider adds leads anywhere else, and its text is not repeated.
	const browser = anyone();
	const back = new URL(await begin(browser, 'company', '/account'));
	const refused = new URL(`${w.publicUrl}/app/api/session/oidc/callback/company`);
	refused.searchParams.set('state', back.searchParams.get('state') ?? '');
	refused.searchParams.set('iss', company.issuer);
	refused.searchParams.set('error', 'access_denied');
	refused.searchParams.set('error_description', 'Call +1 555 to unlock');
	refused.searchParams.set('to', 'https://evil.example');
	const answer = await browser('GET', refused.pathname.replace('/app/api', '') + refused.search, {
		headers: { 'x-forwarded-host': 'evil.example' },
	});
	assert.equal(answer.headers.location, `${w.publicUrl}/sign-in?oidc=denied&to=%2Faccount`);
	assert.ok(!w.log().includes('+1 555'), 'nor is it logged');
});

test('[T147] a provider makes the service request nothing but its own host and public ones', async () => {
	let hits = 0;
	const trap = createServer((_request, response) => {
		hits++;
		response.end('{}');
	});
	await new Promise<void>((resolve) => trap.listen(0, '127.0.0.1', resolve));
	after(() => void trap.close());
	const inside = `http://127.0.0.1:${(trap.address() as AddressInfo).port}`;
	for (const address of [
		'http://idp.example/',
		'ftp://127.0.0.1/',
		'https://user:pw@idp.example/',
		'http://127.evil.example/',
	])
		assert.throws(() => readProviderUrl(address), address);
	for (const endpoint of ['token_endpoint', 'jwks_uri', 'userinfo_endpoint']) {
		const liar = await startProvider({ after });
		await addProvider(w, liar, { name: 'liar', admits: 'everyone' });
		liar.setUser({ sub: 'x', email: 'x@example.com', email_verified: true });
		liar.setMetadata({ [endpoint]: `${inside}/latest/meta-data` });
		const browser = anyone();
		await refusedFor('invalid', browser, await visitProvider(await begin(browser, 'liar')));
		await w.operate('oidc.remove', { name: 'liar' });
	}
	assert.equal(hits, 0);
	const outside = createProviderFetch('https://idp.example');
	const get = { method: 'GET', headers: {}, body: null, redirect: 'manual' } as const;
	for (const address of [
		'http://127.0.0.1:1/',
		'https://127.0.0.1/',
		'https://169.254.169.254/',
		'https://10.0.0.1/',
		'https://[::1]/',
	])
		await assert.rejects(outside(address, get), Error, address);
	// Redirects are not followed, and a long answer is cut off.
	const liar = await startProvider({ after });
	await addProvider(w, liar, { name: 'liar' });
	liar.setMetadata(undefined, (response) => response.writeHead(302, { location: inside }).end());
	assertProblem(await anyone()('POST', '/session/oidc/liar/start', { json: {} }), 'unavailable');
	moment += 6_000;
	liar.setMetadata(undefined, (response) => response.end(Buffer.alloc(2_000_000, ' ')));
	assertProblem(await anyone()('POST', '/session/oidc/liar/start', { json: {} }), 'unavailable');
	assert.equal(hits, 0);
	await w.operate('oidc.remove', { name: 'liar' });
});

test('a provider that is down says so, and is asked again a little later', async () => {
	const other = await startProvider({ after });
	await addProvider(w, other, { name: 'down', admits: 'everyone' });
	other.setUser({ sub: 'x', email: 'down@example.com', email_verified: true });
	other.setDown(true);
	assertProblem(await anyone()('POST', '/session/oidc/down/start', { json: {} }), 'unavailable');
	await assert.rejects(w.operate('oidc.test', { name: 'down' }), /does not work/);
	const asked = other.requests.length;
	assertProblem(await anyone()('POST', '/session/oidc/down/start', { json: {} }), 'unavailable');
	assert.equal(other.requests.length, asked, 'not at once');
	other.setDown(false);
	moment += 6_000;
	const browser = anyone();
	const back = await visitProvider(await begin(browser, 'down'));
	other.setDown(true);
	await refusedFor('unavailable', browser, back);
	other.setDown(false);
	assert.equal(await signInWith(browser, 'down'), '/websites');
	assert.equal((await w.operate('oidc.test', { name: 'down' })).keys, 1);
});
