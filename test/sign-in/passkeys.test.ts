import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createPrivateKey, type KeyObject, sign, X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { generate } from 'otplib';
import { z } from 'zod';
import { passkeyRoutes } from '../../server/http/dashboard-api/passkeys.ts';
import { twoFactorRoutes } from '../../server/http/dashboard-api/two-factor.ts';
import { type Attestation, type Credential, createCredential, signWith } from '../support/authenticator.ts';
import { assertProblem } from '../support/contract.ts';
import { passkeysAt } from '../support/passkeys.ts';
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
const w = await world(
	{ after },
	{
		now: () => new Date(moment),
		settings: {
			TIDEMARK_SMTP_HOST: '127.0.0.1',
			// Nothing listens there, so mails stay in the outbox.
			TIDEMARK_SMTP_PORT: '9',
			TIDEMARK_SMTP_TLS: 'none',
			TIDEMARK_MAIL_FROM: 'Tidemark <stats@example.test>',
		},
	},
);
const passkeys = passkeysAt(w.publicUrl);
const anyone = () => visitor(() => w.base);
const newAccount = async () => {
	const account = await w.account();
	await givePassword(w, account);
	return account;
};
const dataOf = (answer: { json: unknown }) =>
	z.object({ data: z.record(z.string(), z.unknown()) }).parse(answer.json).data;
const codesOf = (answer: { json: unknown }) => z.array(z.string()).parse(dataOf(answer).recovery_codes);
const knows = async (browser: Visitor) => (await browser('GET', '/session')).status;

/** An account with a passkey, and the browser in which it was added. */
async function withPasskey() {
	const account = await newAccount();
	const browser = await signedIn(w, account);
	return { account, browser, ...(await passkeys.add(browser)) };
}

/** Subjects of the mails to an account, in the order in which they were queued. */
const noticesTo = async ({ email }: { email: string }) =>
	(
		await w.sql<{ subject: string }>(
			`SELECT content->>'subject' AS subject FROM outbox WHERE recipient = $1 ORDER BY id`,
			[email],
		)
	).map(({ subject }) => subject);

/** A passkey of a password manager, which does not count its signatures. */
async function addUncounted(browser: Visitor) {
	const options = await passkeys.creationOptions(browser);
	const { credential, sent } = createCredential(options, w.publicUrl, { counter: 0 });
	const added = await browser('POST', '/session/passkeys', { json: { name: 'Synced', passkey: sent } });
	assert.equal(added.status, 201, added.text);
	return { credential };
}

const signIn = (browser: Visitor, passkey: unknown) =>
	browser('POST', '/session/passkey', { json: { passkey } });

/** Signs in with a passkey in a new browser. */
async function signedInWith(credential: Credential): Promise<Visitor> {
	const browser = anyone();
	const answer = await signIn(browser, await passkeys.signInAssertion(browser, credential));
	assert.equal(answer.status, 200, answer.text);
	return browser;
}

test('[C-PASSKEY-2] a passkey is added with a proof, for the host name of the public address', async () => {
	const account = await newAccount();
	const browser = await signedIn(w, account);
	for (const json of [{}, { password: 'wrong' }])
		assertProblem(await browser('POST', '/session/passkeys/options', { json }), 'validation_failed', [
			'password',
		]);
	const options = await passkeys.creationOptions(browser);
	assert.deepEqual(options.rp, { name: 'Tidemark', id: 'stats.example.test' });
	assert.equal(options.user.name, account.email);
	assert.ok(!Buffer.from(options.user.id, 'base64url').includes(account.email));
	assert.deepEqual(options.authenticatorSelection, {
		residentKey: 'required',
		requireResidentKey: true,
		userVerification: 'required',
	});
	assert.equal(options.attestation, 'none');
	const { sent, credential } = createCredential(options, w.publicUrl);
	const added = await browser('POST', '/session/passkeys', { json: { name: ' Laptop ', passkey: sent } });
	assert.equal(added.status, 201, added.text);
	const { id, ...rest } = dataOf(added);
	assert.equal(typeof id, 'number');
	assert.deepEqual(rest, {
		name: 'Laptop',
		created_at: new Date(moment).toISOString(),
		last_used_at: null,
		is_synced: false,
		old_host: null,
	});
	const next = await passkeys.creationOptions(browser);
	assert.deepEqual(next.excludeCredentials, [
		{ id: credential.id.toString('base64url'), transports: ['internal'], type: 'public-key' },
	]);
	assert.equal(next.user.id, options.user.id, 'the same person to their authenticator');
});

test('[C-PASSKEY-2][T150] a new passkey needs its own challenge, once, in its browser and in time', async () => {
	const account = await newAccount();
	const browser = await signedIn(w, account);
	const other = await signedIn(w, account);
	const add = (from: Visitor, passkey: unknown) =>
		from('POST', '/session/passkeys', { json: { name: 'x', passkey } });
	const refuses = async (answer: ReturnType<typeof add>) =>
		assertProblem(await answer, 'validation_failed', ['passkey']);
	const fresh = async () => createCredential(await passkeys.creationOptions(browser), w.publicUrl).sent;

	const used = await fresh();
	assert.equal((await add(browser, used)).status, 201);
	await refuses(add(browser, used));
	await refuses(add(other, await fresh()));
	// These challenges are sent without a proof.
	for (const { challenge } of [await passkeys.signInOptions(browser), await passkeys.proofOptions(browser)]) {
		const { rp, user } = await passkeys.creationOptions(browser);
		await refuses(add(browser, createCredential({ rp, user, challenge }, w.publicUrl).sent));
	}
	const late = await fresh();
	moment += 5 * 60_000;
	await refuses(add(browser, late));
	for (const changes of [
		{ origin: 'https://evil.example' },
		{ rpId: 'evil.example' },
		{ type: 'webauthn.get' },
		{ flags: 0x01 },
		{ crossOrigin: true },
		{ challenge: 'x' },
	])
		await refuses(
			add(browser, createCredential(await passkeys.creationOptions(browser), w.publicUrl, changes).sent),
		);
	for (const passkey of [
		undefined,
		'x',
		{},
		{ ...used, id: '!' },
		{ ...used, response: { clientDataJSON: 'e30' } },
	])
		assertProblem(await add(browser, passkey), 'validation_failed', ['passkey']);
	assertProblem(
		await browser('POST', '/session/passkeys', { json: { name: ' ', passkey: await fresh() } }),
		'validation_failed',
		['name'],
	);
	assert.equal((await add(browser, await fresh())).status, 201, 'the others were refused for their fault');
});

test('[C-PASSKEY-2] there is room for twenty, and none is taken twice', async () => {
	const { account, browser, credential } = await withPasskey();
	const again = createCredential(await passkeys.creationOptions(browser), w.publicUrl, { id: credential.id });
	assertProblem(
		await browser('POST', '/session/passkeys', { json: { name: 'x', passkey: again.sent } }),
		'validation_failed',
		['passkey'],
	);
	await w.sql(
		`INSERT INTO passkeys (person_id, credential_id, rp_id, user_handle, public_key, counter, transports, is_backed_up, name, created_at)
		SELECT person_id, decode(md5(n::text || person_id), 'hex'), rp_id, user_handle, public_key, 0, '{}', false, 'copy', created_at
		FROM passkeys, generate_series(1, 19) AS n WHERE person_id = $1`,
		[account.id],
	);
	const { sent } = createCredential(await passkeys.creationOptions(browser), w.publicUrl);
	assertProblem(
		await browser('POST', '/session/passkeys', { json: { name: 'x', passkey: sent } }),
		'limit_reached',
	);
});

/** What the FIDO Alliance asks of the certificate of an authenticator. */
function attestationCertificate(): { key: KeyObject; certificate: Buffer } {
	const run = (...args: string[]) => execFileSync('openssl', args, { stdio: ['ignore', 'pipe', 'ignore'] });
	const folder = mkdtempSync(join(tmpdir(), 'tidemark-attestation-'));
	after(() => rmSync(folder, { recursive: true }));
	const key = join(folder, 'key');
	run('ecparam', '-name', 'prime256v1', '-genkey', '-noout', '-out', key);
	const subject = '/C=US/O=Example/OU=Authenticator Attestation/CN=Example';
	const extensions = [
		'basicConstraints=critical,CA:FALSE',
		'crlDistributionPoints=URI:http://127.0.0.1:9/crl',
	];
	const certificate = run(
		...['req', '-x509', '-new', '-key', key, '-days', '3650', '-subj', subject],
		...extensions.flatMap((extension) => ['-addext', extension]),
	);
	return { key: createPrivateKey(readFileSync(key)), certificate: new X509Certificate(certificate).raw };
}

test('[T151] an attestation with a certificate is refused, because checking one contacts other hosts', async () => {
	const browser = await signedIn(w, await newAccount());
	const { key, certificate } = attestationCertificate();
	const add = async (attest: (signed: Buffer, privateKey: KeyObject) => Attestation) => {
		const { sent } = createCredential(await passkeys.creationOptions(browser), w.publicUrl, { attest });
		return browser('POST', '/session/passkeys', { json: { name: 'x', passkey: sent } });
	};
	const statementOf = (signed: Buffer, privateKey: KeyObject) =>
		new Map<string, number | Buffer | Buffer[]>([
			['alg', -7],
			['sig', sign('sha256', signed, privateKey)],
		]);
	const certified = await add((signed) => ['packed', statementOf(signed, key).set('x5c', [certificate])]);
	assertProblem(certified, 'validation_failed', ['passkey']);
	for (const format of ['fido-u2f', 'android-key', 'android-safetynet', 'tpm', 'apple', 'unheard-of'])
		assertProblem(await add(() => [format, new Map()]), 'validation_failed', ['passkey']);
	// Some authenticators sign with the new key itself.
	const own = await add((signed, privateKey) => ['packed', statementOf(signed, privateKey)]);
	assert.equal(own.status, 201, own.text);
});

test('[C-PASSKEY-4] a passkey signs in by itself, with both factors', async () => {
	const { account, browser, credential } = await withPasskey();
	const confirmed = await turnOnApp(browser);
	assert.equal(confirmed.length, 10);
	moment += 60_000;
	const fresh = anyone();
	const options = await passkeys.signInOptions(fresh);
	assert.deepEqual([options.rpId, options.userVerification], ['stats.example.test', 'required']);
	assert.deepEqual(options.allowCredentials, [], 'it says nothing about who has passkeys');
	const answer = await signIn(fresh, signWith(credential, options, w.publicUrl));
	assert.deepEqual(dataOf(answer), { person_id: account.id });
	assert.equal(await knows(fresh), 200);
	assert.match(sessionOf(fresh), /./);
	const attributes = fresh.cookies.get('__Host-tidemark-passkey')?.line.split('; ').slice(1).sort();
	assert.deepEqual(attributes, ['HttpOnly', 'Max-Age=600', 'Path=/', 'SameSite=Strict', 'Secure']);
	const [passkey] = z
		.object({ passkeys: z.array(z.object({ last_used_at: z.string() })) })
		.parse(dataOf(await fresh('GET', '/session/passkeys'))).passkeys;
	assert.equal(passkey?.last_used_at, new Date(moment).toISOString());
	const [written] = await w.sql('SELECT what FROM changes WHERE account_id = $1 ORDER BY id DESC LIMIT 1', [
		account.id,
	]);
	assert.equal(written?.what, 'signInWithPasskey');
});

async function turnOnApp(browser: Visitor): Promise<string[]> {
	const shown = await browser('POST', '/session/two-factor', { json: { password: goodPassword } });
	const secret = z.string().parse(dataOf(shown).secret);
	const code = await generate({ secret, epoch: moment / 1000 });
	return codesOf(await browser('PUT', '/session/two-factor', { json: { code } }));
}

test('[C-PASSKEY-4][T150][T151][T153] whatever is wrong with a passkey, the answer is the same', async () => {
	const { browser: owner, account, credential } = await withPasskey();
	const disabled = await withPasskey();
	await w.operate('account.disable', { email: disabled.account.email, disabled: true });
	const removed = await withPasskey();
	assert.equal(
		(await removed.browser('DELETE', `/session/passkeys/${removed.id}`, { json: { password: goodPassword } }))
			.status,
		200,
	);
	const stranger = await withPasskey();
	const unknown = createCredential(await passkeys.creationOptions(owner), w.publicUrl).credential;
	const browser = anyone();
	const signed = (by: Credential, changes: Parameters<typeof passkeys.signInAssertion>[2] = {}) =>
		passkeys.signInAssertion(browser, by, changes);

	const uncounted = (await addUncounted(owner)).credential;
	// Each is signed when it is tried: an expired challenge is refused whatever else is wrong.
	const tries: Record<string, () => Promise<unknown>> = {
		'a second time': async () => {
			const assertion = await signed(uncounted, { counter: 0 });
			assert.equal((await signIn(browser, assertion)).status, 200);
			return assertion;
		},
		'too late': async () => {
			const assertion = await signed(credential);
			moment += 5 * 60_000;
			return assertion;
		},
		'in another browser': () => passkeys.signInAssertion(anyone(), credential),
		'a challenge of its own': () => signed(credential, { challenge: 'A'.repeat(43) }),
		'another origin': () => signed(credential, { origin: 'https://evil.example' }),
		'another port': () => signed(credential, { origin: `${w.publicUrl}:8443` }),
		'plain HTTP': () => signed(credential, { origin: 'http://stats.example.test' }),
		'another host': () => signed(credential, { rpId: 'evil.example' }),
		'a parent domain': () => signed(credential, { rpId: 'example.test' }),
		'in a frame': () => signed(credential, { crossOrigin: true }),
		'another ceremony': () => signed(credential, { type: 'webauthn.create' }),
		'no user verification': () => signed(credential, { flags: 0x01 }),
		'nobody present': () => signed(credential, { flags: 0x04 }),
		'a broken signature': async () => {
			const assertion = await signed(credential);
			assertion.response.signature = Buffer.alloc(70).toString('base64url');
			return assertion;
		},
		'the passkey of somebody else': () => signed(stranger.credential, { id: credential.id }),
		'the handle of somebody else': () => signed(credential, { userHandle: stranger.credential.userHandle }),
		'an unknown passkey': () => signed(unknown),
		'a removed one': () => signed(removed.credential),
		'a disabled person': () => signed(disabled.credential),
	};
	const texts = new Set<string>();
	for (const [what, sign] of Object.entries(tries)) {
		const answer = await signIn(browser, await sign());
		assert.equal(answer.status, 401, `${what}: ${answer.text}`);
		assertProblem(answer, 'sign_in_failed');
		texts.add(answer.text);
		assert.equal(answer.headers['set-cookie'], undefined, what);
		// As many attempts as these are delayed.
		moment += 3_600_000;
	}
	// In the browser that has the challenge of the proof, only its purpose is wrong.
	const fresh = await signedIn(w, account);
	const forProof = await signIn(fresh, await passkeys.proofAssertion(fresh, credential));
	assertProblem(forProof, 'sign_in_failed');
	texts.add(forProof.text);
	assert.equal(texts.size, 1, [...texts].join());
	assert.equal((await signIn(browser, await signed(credential))).status, 200, 'the right one still works');
	for (const json of [{}, { passkey: 'x' }, { passkey: { ...(await signed(credential)), id: 5 } }])
		assertProblem(await browser('POST', '/session/passkey', { json }), 'validation_failed', ['passkey']);
});

test('[T150] of two browsers’ requests with the same signature one succeeds', async () => {
	// A counter would refuse the others as well.
	const { credential } = await addUncounted(await signedIn(w, await newAccount()));
	const browser = anyone();
	const assertion = await passkeys.signInAssertion(browser, credential, { counter: 0 });
	const answers = await Promise.all(Array.from({ length: 8 }, () => signIn(browser, assertion)));
	assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 401, 401, 401, 401, 401, 401, 401]);
});

test('[T150] failed attempts with passkeys are delayed like wrong passwords', async () => {
	const { credential } = await withPasskey();
	const browser = visitor(() => w.base, { address: '203.0.113.9' });
	const statuses: number[] = [];
	for (let n = 0; n < 24; n++) {
		const assertion = await passkeys.signInAssertion(browser, credential, { origin: 'https://evil.example' });
		statuses.push((await signIn(browser, assertion)).status);
	}
	assert.deepEqual([statuses[0], statuses.at(-1)], [401, 429]);
	moment += 3_600_000;
});

test('[C-PASSKEY-9][T152] a passkey whose counter goes back is refused, and its owner is told', async () => {
	const { account, credential, browser } = await withPasskey();
	const clone = { ...credential };
	credential.counter = 40;
	await signedInWith(credential);
	const before = await noticesTo(account);
	const copy = anyone();
	assertProblem(await signIn(copy, await passkeys.signInAssertion(copy, clone)), 'sign_in_failed');
	assertProblem(
		await signIn(copy, await passkeys.signInAssertion(copy, clone, { counter: 0 })),
		'sign_in_failed',
	);
	const warning = 'Passkey of your Tidemark account was refused';
	const warned = [...before, warning, warning];
	assert.deepEqual(await noticesTo(account), warned);
	// Without the key, nobody can make us warn its owner.
	const stranger = await withPasskey();
	const forger = { ...clone, privateKey: stranger.credential.privateKey };
	const forged = await passkeys.signInAssertion(copy, forger, { counter: 2 });
	assertProblem(await signIn(copy, forged), 'sign_in_failed');
	assert.deepEqual(await noticesTo(account), warned);
	await signedInWith(credential);
	assert.equal(await knows(browser), 200);
	const synced = await addUncounted(browser);
	for (let n = 0; n < 2; n++) {
		const fresh = anyone();
		const assertion = await passkeys.signInAssertion(fresh, synced.credential, { counter: 0 });
		assert.equal((await signIn(fresh, assertion)).status, 200);
	}
});

test('[C-PASSKEY-3][T154] passkeys are listed, renamed and removed by their owner, and removed with a proof', async () => {
	const { account, browser, id, credential } = await withPasskey();
	const other = await signedInWith(credential);
	const stranger = await signedIn(w, await newAccount());
	const path = `/session/passkeys/${id}`;
	const password = goodPassword;
	assertProblem(await stranger('PATCH', path, { json: { name: 'Mine' } }), 'not_found');
	assertProblem(await stranger('DELETE', path, { json: { password } }), 'not_found');
	assertProblem(await anyone()('DELETE', path, { json: { password } }), 'unauthenticated');
	assertProblem(await browser('PATCH', path, { json: { name: '' } }), 'validation_failed', ['name']);
	const renamed = await browser('PATCH', path, { json: { name: 'Phone' } });
	assert.equal(dataOf(renamed).name, 'Phone');
	const list = dataOf(await browser('GET', '/session/passkeys'));
	assert.deepEqual(
		{ ...list, passkeys: undefined },
		{
			unavailable: null,
			origin: w.publicUrl,
			passkeys: undefined,
		},
	);
	assert.deepEqual(list.passkeys, [dataOf(renamed)]);
	assert.equal(dataOf(await browser('GET', '/session')).passkeys, 1);

	for (const json of [{}, { password: 'wrong' }])
		assertProblem(await browser('DELETE', path, { json }), 'validation_failed', ['password']);
	assert.equal((await browser('DELETE', path, { json: { password } })).status, 200);
	assert.deepEqual([await knows(browser), await knows(other)], [200, 401], 'what it opened is closed');
	const fresh = anyone();
	assertProblem(await signIn(fresh, await passkeys.signInAssertion(fresh, credential)), 'sign_in_failed');
	const written = await w.sql('SELECT what FROM changes WHERE account_id = $1 ORDER BY id', [account.id]);
	assert.deepEqual(
		written.map(({ what }) => what).filter((what) => String(what).endsWith('Passkey')),
		['addPasskey', 'signInWithPasskey', 'renamePasskey', 'removePasskey'],
	);
});

test('[C-PASSKEY-3] the last way to sign in cannot be removed', async () => {
	const { account, browser, id, credential } = await withPasskey();
	await w.sql('UPDATE people SET password_hash = NULL WHERE id = $1', [account.id]);
	const remove = async () =>
		browser('DELETE', `/session/passkeys/${id}`, {
			json: { passkey: await passkeys.proofAssertion(browser, credential) },
		});
	assertProblem(await remove(), 'bad_request');
	await signedInWith(credential);
	await passkeys.add(browser, { proof: { passkey: await passkeys.proofAssertion(browser, credential) } });
	assert.equal((await remove()).status, 200);
});

test('[C-PASSKEY-6][T153][T154] a passkey stands for password and code wherever they are asked for', async () => {
	const { browser, credential } = await withPasskey();
	await turnOnApp(browser);
	const stranger = await withPasskey();
	const proof = async () => ({ passkey: await passkeys.proofAssertion(browser, credential) });
	const makeKey = (json: object) => browser('POST', '/keys', { json: { name: 'x', ...json } });
	const changePassword = (json: object) =>
		browser('PUT', '/session/password', { json: { new_password: 'the moon pulls the sea', ...json } });
	const accepted = await makeKey(await proof());
	assert.equal(accepted.status, 201, accepted.text);
	const { id } = z.object({ data: z.object({ id: z.int() }) }).parse(accepted.json).data;
	assert.equal((await browser('POST', `/keys/${id}/rotate`, { json: await proof() })).status, 200);
	assert.equal((await browser('POST', '/session/two-factor', { json: await proof() })).status, 200);

	const refuses = async (passkey: unknown) => {
		for (const send of [makeKey, changePassword])
			assertProblem(await send({ passkey }), 'validation_failed', ['passkey']);
		moment += 3_600_000;
	};
	const used = await proof();
	assert.equal((await makeKey(used)).status, 201);
	await refuses(used.passkey);
	await refuses(await passkeys.signInAssertion(browser, credential));
	await refuses(await passkeys.proofAssertion(stranger.browser, stranger.credential));
	await refuses(await passkeys.proofAssertion(browser, stranger.credential));
	await refuses(await passkeys.proofAssertion(browser, credential, { flags: 0x01 }));
	await refuses({});
	assertProblem(await makeKey({ name: '', passkey: 'x' }), 'validation_failed', ['name', 'passkey']);
	assert.equal((await changePassword(await proof())).status, 200);
});

test('[C-PASSKEY-5][T153] with two-factor authentication on, a passkey of the same person is a second factor', async () => {
	const { account, browser, credential } = await withPasskey();
	const stranger = await withPasskey();
	const attempt = (from: Visitor, more: object = {}) =>
		from('POST', '/session', { json: { email: account.email, password: goodPassword, ...more } });
	assert.equal((await attempt(anyone())).status, 200, 'a passkey alone requires nothing');
	await turnOnApp(browser);
	const asked = await attempt(anyone());
	assert.deepEqual(assertProblem(asked, 'code_needed').methods, ['app', 'passkey', 'recovery_code']);
	const fresh = anyone();
	const accepted = await attempt(fresh, { passkey: await passkeys.signInAssertion(fresh, credential) });
	assert.equal(accepted.status, 200, accepted.text);
	const foreign = await passkeys.signInAssertion(fresh, stranger.credential);
	assertProblem(await attempt(fresh, { passkey: foreign }), 'code_needed');
	const wrong = await fresh('POST', '/session', {
		json: {
			email: account.email,
			password: 'not the password',
			passkey: await passkeys.signInAssertion(fresh, credential),
		},
	});
	assertProblem(wrong, 'sign_in_failed');
});

test('[C-PASSKEY-7][T154] passkeys are the second factor of somebody without an app, who cannot lose the last one', async () => {
	const { account, browser, credential, id } = await withPasskey();
	const other = await signedIn(w, account);
	const password = goodPassword;
	const turnOn = (from: Visitor, json: object) => from('POST', '/session/two-factor/passkeys', { json });
	assertProblem(await turnOn(browser, {}), 'validation_failed', ['password']);
	assertProblem(await turnOn(await signedIn(w, await newAccount()), { password }), 'bad_request');
	const codes = codesOf(await turnOn(browser, { password }));
	assert.equal(codes.length, 10);
	assert.deepEqual([await knows(browser), await knows(other)], [200, 401]);
	const { two_factor: isOn, second_factor: second } = dataOf(await browser('GET', '/session'));
	assert.deepEqual([isOn, second], [true, { app: false, recovery_codes: 10 }]);

	const attempt = (more: object = {}) =>
		anyone()('POST', '/session', { json: { email: account.email, password, ...more } });
	const asked = await attempt();
	assert.deepEqual(assertProblem(asked, 'code_needed').methods, ['passkey', 'recovery_code']);
	assertProblem(await attempt({ code: '123456' }), 'code_needed');
	assert.equal((await attempt({ code: codes[0] })).status, 200);
	await signedInWith(credential);
	// The password alone removes nothing.
	assertProblem(
		await browser('DELETE', `/session/passkeys/${id}`, { json: { password } }),
		'validation_failed',
		['code'],
	);
	const proof = async () => ({ passkey: await passkeys.proofAssertion(browser, credential) });
	assertProblem(await browser('DELETE', `/session/passkeys/${id}`, { json: await proof() }), 'bad_request');
	await signedInWith(credential);
	assert.equal((await browser('DELETE', '/session/two-factor', { json: await proof() })).status, 200);
	assert.equal((await attempt()).status, 200);
	await signedInWith(credential);
	assert.equal((await browser('DELETE', `/session/passkeys/${id}`, { json: { password } })).status, 200);
});

test('[C-PASSKEY-8][T154] recovery codes are replaced with a proof, and counted', async () => {
	const account = await newAccount();
	const browser = await signedIn(w, account);
	const renew = (json: object) => browser('POST', '/session/recovery-codes', { json });
	assertProblem(await renew({ password: goodPassword }), 'bad_request');
	const old = await turnOnApp(browser);
	const left = async () =>
		z
			.object({ second_factor: z.object({ recovery_codes: z.int() }) })
			.parse(dataOf(await browser('GET', '/session'))).second_factor.recovery_codes;
	const attempt = async (code = '') =>
		(
			await anyone()('POST', '/session', {
				json: { email: account.email, password: goodPassword, code },
			})
		).status;
	assert.equal(await attempt(old[0]), 200);
	assert.equal(await left(), 9);
	assertProblem(await renew({}), 'validation_failed', ['password']);
	assertProblem(await renew({ password: goodPassword }), 'validation_failed', ['code']);
	const codes = codesOf(await renew({ password: goodPassword, code: old[1] }));
	assert.equal(codes.length, 10);
	assert.equal(await left(), 10);
	assert.equal(await attempt(old[2]), 401);
	moment += 3_600_000;
	assert.equal(await attempt(codes[0]), 200);
	const written = await w.sql('SELECT what FROM changes WHERE account_id = $1 ORDER BY id', [account.id]);
	assert.ok(written.some(({ what }) => what === 'renewRecoveryCodes'));
});

test('[C-PASSKEY-9] the owner is told of a new passkey, a removed one and new recovery codes', async () => {
	const account = await w.account({ locale: 'de' });
	await givePassword(w, account);
	const browser = await signedIn(w, account);
	const [, code = ''] = await turnOnApp(browser);
	const before = await noticesTo(account);
	const { id, credential } = await passkeys.add(browser, { proof: { password: goodPassword, code } });
	const proof = async () => ({ passkey: await passkeys.proofAssertion(browser, credential) });
	await browser('POST', '/session/recovery-codes', { json: await proof() });
	await browser('DELETE', `/session/passkeys/${id}`, { json: await proof() });
	assert.deepEqual((await noticesTo(account)).slice(before.length), [
		'Neuer Passkey in deinem Tidemark-Konto',
		'Neue Wiederherstellungscodes für dein Tidemark-Konto',
		'Passkey aus deinem Tidemark-Konto entfernt',
	]);
});

test('[T154] a password link keeps passkeys, and a taken-over account loses them', async () => {
	const { account, browser, credential } = await withPasskey();
	const { token } = await w.operate('account.reset', { email: account.email });
	const set = await anyone()('PUT', '/session/link', { json: { token, password: goodPassword } });
	assert.equal(set.status, 200, set.text);
	assert.equal(await knows(browser), 401);
	await signedInWith(credential);
	// The owner of the address comes for an account that a stranger made.
	await w.sql('UPDATE people SET confirmed_at = NULL WHERE id = $1', [account.id]);
	const link = await w.operate('account.reset', { email: account.email });
	await w.sql(`UPDATE one_time_links SET is_mailed = true WHERE account_id = $1`, [account.id]);
	const taken = await anyone()('PUT', '/session/link', {
		json: { token: link.token, password: goodPassword },
	});
	assert.equal(taken.status, 200, taken.text);
	const fresh = anyone();
	assertProblem(await signIn(fresh, await passkeys.signInAssertion(fresh, credential)), 'sign_in_failed');
	assert.deepEqual(await w.sql('SELECT 1 FROM passkeys WHERE person_id = $1', [account.id]), []);
});

test('[C-PASSKEY-10][T154] the operator removes the passkeys and second factors of somebody who is locked out', async () => {
	const { account, browser, credential } = await withPasskey();
	await browser('POST', '/session/two-factor/passkeys', { json: { password: goodPassword } });
	await w.operate('account.reset', { email: account.email });
	assert.equal(await knows(browser), 200, 'a link alone changes nothing');
	const { token } = await w.operate('account.reset', { email: account.email, removesSecondFactors: true });
	assert.equal(await knows(browser), 401);
	const fresh = anyone();
	assertProblem(await signIn(fresh, await passkeys.signInAssertion(fresh, credential)), 'sign_in_failed');
	assert.equal(
		(await fresh('PUT', '/session/link', { json: { token, password: goodPassword } })).status,
		200,
	);
	const again = await signedIn(w, account);
	assert.equal(dataOf(await again('GET', '/session')).two_factor, false);
	const [written] = await w.sql(
		`SELECT account_id, subject_id FROM changes WHERE owner_id = $1 AND what = 'removeSecondFactors'`,
		[account.id],
	);
	assert.deepEqual({ ...written }, { account_id: null, subject_id: account.id });
});

test('[T154] without a session, and with an API key, nothing is said about passkeys and nothing is changed', async () => {
	const { account, id } = await withPasskey();
	const headers = { authorization: `Bearer ${account.key}` };
	for (const { methods, path, isPublic } of [...passkeyRoutes, ...twoFactorRoutes])
		for (const sent of isPublic ? [] : [{}, { headers }]) {
			const answer = await anyone()(methods[0], path.replace(':id', String(id)), {
				...sent,
				...(methods[0] !== 'GET' && { json: { password: goodPassword } }),
			});
			assertProblem(answer, 'unauthenticated');
		}
	assert.equal((await w.sql('SELECT 1 FROM passkeys WHERE id = $1', [id])).length, 1);
});

test('[C-PASSKEY-1] the origin is public, and passkeys of another host name are marked', async () => {
	assert.deepEqual(dataOf(await anyone()('GET', '/session/passkey')), { origin: w.publicUrl });
	const { account, browser, credential } = await withPasskey();
	await w.sql(`UPDATE passkeys SET rp_id = 'old.example.test' WHERE person_id = $1`, [account.id]);
	const { passkeys: listed } = z
		.object({ passkeys: z.array(z.object({ old_host: z.string().nullable() })) })
		.parse(dataOf(await browser('GET', '/session/passkeys')));
	assert.deepEqual(
		listed.map(({ old_host: host }) => host),
		['old.example.test'],
	);
	assert.equal(dataOf(await browser('GET', '/session')).passkeys, 0, 'which confirms nothing here');
	credential.rpId = 'old.example.test';
	const fresh = anyone();
	assertProblem(await signIn(fresh, await passkeys.signInAssertion(fresh, credential)), 'sign_in_failed');
	assert.equal((await signedIn(w, account)).cookies.has('__Host-tidemark'), true, 'the password still works');
});
