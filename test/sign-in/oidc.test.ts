import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { generate } from 'otplib';
import { z } from 'zod';
import { assertProblem, freshDomain, websiteOf } from '../support/contract.ts';
import {
	addProvider,
	comesBack,
	signInWith,
	startProvider,
	visitProvider,
} from '../support/oidc-provider.ts';
import { passkeysAt } from '../support/passkeys.ts';
import { givePassword, goodPassword, signedIn, type Visitor, visitor } from '../support/visitor.ts';
import { world } from '../support/world.ts';

let moment = Date.now();
const w = await world(
	{ after },
	{
		now: () => new Date(moment),
		// Nothing listens there: mails wait.
		settings: {
			TIDEMARK_SMTP_HOST: '127.0.0.1',
			TIDEMARK_SMTP_PORT: '1',
			TIDEMARK_SMTP_TLS: 'none',
			TIDEMARK_MAIL_FROM: 'stats@example.test',
		},
	},
);
const mailsTo = async (email: string) =>
	(await w.sql<{ mail: string }>('SELECT outbox::text AS mail FROM outbox'))
		.map(({ mail }) => mail)
		.filter((mail) => mail.includes(email));
const company = await startProvider({ after });
await addProvider(w, company, { name: 'company', label: 'Example Company' });
const passkeys = passkeysAt(w.publicUrl);
const anyone = () => visitor(() => w.base);
const dataOf = (answer: { json: unknown }) =>
	z.object({ data: z.record(z.string(), z.unknown()) }).parse(answer.json).data;
const emailOf = async (browser: Visitor) =>
	z.object({ person: z.object({ email: z.string() }) }).parse(dataOf(await browser('GET', '/session'))).person
		.email;
let people = 0;
/** Someone at the provider, whose address it has verified. */
const newUser = (more: Record<string, unknown> = {}) => {
	const sub = `user-${++people}`;
	const user = { sub, email: `${sub}@example.com`, email_verified: true, name: `User ${people}`, ...more };
	company.setUser(user);
	return user;
};
const newAccount = async (email?: string) => {
	const account = await w.account({ timezone: 'UTC', ...(email !== undefined && { email }) });
	await givePassword(w, account);
	return account;
};
/** Someone who has an account and has linked it. */
const linkedPerson = async (more: Record<string, unknown> = {}) => {
	const user = newUser(more);
	const account = await newAccount(user.email);
	const browser = anyone();
	assert.equal(await signInWith(browser, 'company'), '/sign-in?oidc=proof');
	const proven = await browser('POST', '/session/oidc/proof', { json: { password: goodPassword } });
	assert.equal(proven.status, 200, proven.text);
	return { user, account, browser };
};
const turnOnTwoFactor = async (browser: Visitor) => {
	const { secret } = z
		.object({ secret: z.string() })
		.parse(dataOf(await browser('POST', '/session/two-factor', { json: { password: goodPassword } })));
	const code = () => generate({ secret, epoch: Math.floor(moment / 1000) });
	assert.equal((await browser('PUT', '/session/two-factor', { json: { code: await code() } })).status, 200);
	moment += 60_000;
	return code;
};

test('[C-OIDC-1] the sign-in page learns which providers there are, and nothing secret', async () => {
	const answer = await anyone()('GET', '/session/oidc');
	assert.deepEqual(dataOf(answer), {
		providers: [{ name: 'company', label: 'Example Company' }],
		required: false,
	});
	const rows = await w.sql('SELECT * FROM oidc_providers');
	assert.ok(!JSON.stringify(rows).includes(company.clientSecret), 'the client secret is encrypted');
	assert.ok(!JSON.stringify(await w.operate('oidc.list', {})).includes('clientSecret'));
});

test('[C-OIDC-2] a sign-in begins with state, nonce and PKCE, and a cookie of this browser', async () => {
	newUser();
	const browser = anyone();
	const started = await browser('POST', '/session/oidc/company/start', { json: {} });
	const url = new URL(z.string().parse(dataOf(started).url));
	assert.equal(url.origin, company.issuer);
	const query = Object.fromEntries(url.searchParams);
	assert.equal(query.response_type, 'code');
	assert.equal(query.code_challenge_method, 'S256');
	assert.equal(query.redirect_uri, `${w.publicUrl}/app/api/session/oidc/callback/company`);
	for (const name of ['state', 'nonce', 'code_challenge'])
		assert.match(query[name] ?? '', /^[\w-]{43}$/, name);
	assert.deepEqual(browser.cookies.get('__Host-tidemark-oidc')?.line.split('; ').slice(1).sort(), [
		'HttpOnly',
		'Max-Age=900',
		'Path=/',
		'SameSite=Lax',
		'Secure',
	]);
	assertProblem(await anyone()('POST', '/session/oidc/nobody/start', { json: {} }), 'not_found');
	assert.equal((await anyone()('POST', '/session/oidc/company/start', { json: { to: 1 } })).status, 422);
});

test('[C-OIDC-3] who is linked comes back to the page that they wanted, and is signed in', async () => {
	const { user, account } = await linkedPerson();
	const browser = anyone();
	assert.equal(
		await signInWith(browser, 'company', '/websites/7?period=month#top'),
		'/websites/7?period=month#top',
	);
	assert.equal(await emailOf(browser), user.email);
	assert.equal(browser.cookies.get('__Host-tidemark-oidc'), undefined, 'the cookie has served');
	assert.ok(browser.cookies.get('__Host-tidemark-device'), 'the browser is a known one');
	const log = await browser('GET', '/activity');
	assert.ok(/"signIn"/.test(log.text), log.text);
	await w.operate('account.disable', { email: account.email, disabled: true });
	assert.equal(await signInWith(anyone(), 'company'), '/sign-in?oidc=disabled');
});

test('[C-OIDC-4] an address that has an account is linked once, after its password', async () => {
	const user = newUser();
	await newAccount(user.email.toUpperCase());
	const browser = anyone();
	assert.equal(await signInWith(browser, 'company', '/account'), '/sign-in?oidc=proof');
	assert.equal((await browser('GET', '/session')).status, 401, 'nobody is signed in');
	assert.deepEqual(dataOf(await browser('GET', '/session/oidc/proof')), {
		provider: 'Example Company',
		email: user.email.toUpperCase(),
		needs_password: true,
		needs_code: false,
		can_use_passkey: false,
	});
	for (const json of [{}, { password: 'not the password' }])
		assert.equal((await browser('POST', '/session/oidc/proof', { json })).status, 422);
	assert.equal((await browser('GET', '/session')).status, 401);
	const proven = await browser('POST', '/session/oidc/proof', { json: { password: goodPassword } });
	assert.deepEqual(dataOf(proven), { to: '/account' });
	assert.equal(await emailOf(browser), user.email.toUpperCase());
	assertProblem(
		await browser('POST', '/session/oidc/proof', { json: { password: goodPassword } }),
		'link_dead',
	);
	assertProblem(await anyone()('GET', '/session/oidc/proof'), 'link_dead');
	assert.ok((await mailsTo(user.email.toUpperCase())).some((text) => text.includes('was linked')));
	assert.equal(await signInWith(anyone(), 'company'), '/websites', 'from then on without a password');
});

test('[C-OIDC-4] a proof ends after ten minutes', async () => {
	const user = newUser();
	await newAccount(user.email);
	const browser = anyone();
	await signInWith(browser, 'company');
	moment += 11 * 60_000;
	assertProblem(
		await browser('POST', '/session/oidc/proof', { json: { password: goodPassword } }),
		'link_dead',
	);
});

test('[C-OIDC-5] a second factor is asked for, unless the provider does', async () => {
	const { browser, user } = await linkedPerson();
	const code = await turnOnTwoFactor(browser);
	// Someone else's address: only the provider's verified address, or a mail, confirms it.
	await w.sql('UPDATE people SET confirmed_at = NULL WHERE lower(email) = lower($1)', [user.email]);
	const other = anyone();
	assert.equal(await signInWith(other, 'company'), '/sign-in?oidc=proof');
	assert.deepEqual(dataOf(await other('GET', '/session/oidc/proof')), {
		provider: 'Example Company',
		email: user.email,
		needs_password: false,
		needs_code: true,
		can_use_passkey: false,
	});
	for (const json of [{}, { code: '000000' }, { password: goodPassword }])
		assert.equal((await other('POST', '/session/oidc/proof', { json })).status, 422, JSON.stringify(json));
	const right = await other('POST', '/session/oidc/proof', { json: { code: await code() } });
	assert.equal(right.status, 200, right.text);
	assert.equal(await emailOf(other), user.email);
	assert.deepEqual(
		await w.sql('SELECT 1 FROM people WHERE lower(email) = lower($1) AND confirmed_at IS NOT NULL', [
			user.email,
		]),
		[],
		'[T144] a code confirms no address',
	);
	await w.operate('oidc.update', { name: 'company', hasSecondFactor: true });
	assert.equal(await signInWith(anyone(), 'company'), '/websites');
	await w.operate('oidc.update', { name: 'company', hasSecondFactor: false });
});

test('[C-OIDC-5][T153] a passkey of the person stands for the code, and unlinking a provider ends other sessions', async () => {
	const stranger = await linkedPerson();
	const theirs = await passkeys.add(stranger.browser);
	const { browser, user } = await linkedPerson();
	const own = await passkeys.add(browser);
	const proof = { password: goodPassword };
	assert.equal((await browser('POST', '/session/two-factor/passkeys', { json: proof })).status, 200);
	const other = anyone();
	assert.equal(await signInWith(other, 'company'), '/sign-in?oidc=proof');
	assert.equal(dataOf(await other('GET', '/session/oidc/proof')).can_use_passkey, true);
	const prove = async (credential: typeof own.credential) =>
		other('POST', '/session/oidc/proof', {
			json: { passkey: await passkeys.signInAssertion(other, credential) },
		});
	assertProblem(await prove(theirs.credential), 'validation_failed', ['passkey']);
	assert.equal((await other('GET', '/session')).status, 401);
	assert.equal((await prove(own.credential)).status, 200);
	assert.equal(await emailOf(other), user.email);

	const assertion = await passkeys.proofAssertion(browser, own.credential);
	const unlinked = await browser('DELETE', '/session/oidc/company/link', { json: { passkey: assertion } });
	assert.equal(unlinked.status, 200, unlinked.text);
	assert.equal((await other('GET', '/session')).status, 401, 'a session that the provider opened');
	assert.equal((await browser('GET', '/session')).status, 200);
	assert.ok((await mailsTo(user.email)).some((text) => text.includes('was unlinked')));
});

test('[C-OIDC-6] people without an account come in if they were invited, are in a mapped group, or everyone may', async () => {
	const owner = await newAccount();
	const browser = await signedIn(w, owner);
	const user = newUser({ groups: ['staff'], locale: 'de', zoneinfo: 'Europe/Berlin' });
	assert.equal(await signInWith(anyone(), 'company'), '/sign-in?oidc=unknown');
	const invited = newUser();
	const made = await browser('POST', '/people/invitations', {
		json: { role: 'viewer', email: invited.email.toUpperCase() },
	});
	assert.equal(made.status, 201, made.text);
	const guest = anyone();
	assert.equal(await signInWith(guest, 'company', '/join'), '/join');
	const token = z.string().parse(dataOf(made).link).split('token=')[1];
	assert.equal((await guest('POST', '/join', { json: { token } })).status, 200);
	await w.operate('oidc.update', { name: 'company', admits: 'groups' });
	company.setUser(user);
	assert.equal(await signInWith(anyone(), 'company'), '/sign-in?oidc=unknown', 'nothing maps the group');
	await w.operate('oidc.map', {
		name: 'company',
		group: 'staff',
		role: 'viewer',
		account: owner.email,
		websiteId: null,
	});
	const member = anyone();
	assert.equal(await signInWith(member, 'company'), '/websites');
	const {
		person,
		account,
		is_confirmed: isConfirmed,
	} = z
		.object({
			person: z.object({ name: z.string(), locale: z.string() }),
			account: z.object({ timezone: z.string() }),
			is_confirmed: z.boolean(),
		})
		.parse(dataOf(await member('GET', '/session')));
	assert.deepEqual([person, account.timezone], [{ name: user.name, locale: 'de' }, 'Europe/Berlin']);
	assert.equal(isConfirmed, true);
	newUser();
	assert.equal(await signInWith(anyone(), 'company'), '/sign-in?oidc=unknown');
	await w.operate('oidc.update', { name: 'company', admits: 'everyone', allowedDomains: ['example.com'] });
	assert.equal(await signInWith(anyone(), 'company'), '/websites');
	newUser({ email: 'someone@example.com.evil.example' });
	assert.equal(await signInWith(anyone(), 'company'), '/sign-in?oidc=domain');
	newUser({ email: 'someone@sub.example.com' });
	assert.equal(
		await signInWith(anyone(), 'company'),
		'/sign-in?oidc=domain',
		'a subdomain is another domain',
	);
	await w.operate('oidc.update', { name: 'company', allowedDomains: [] });
	newUser({ email: 'someone@intranet' });
	assert.equal(
		await signInWith(anyone(), 'company'),
		'/sign-in?oidc=unverified',
		'an address that an account cannot have',
	);
	await w.operate('oidc.update', { name: 'company', admits: 'invited' });
	await w.operate('oidc.unmap', { name: 'company', group: 'staff' });
});

test('[C-OIDC-7] groups give roles at each sign-in, and take only what they gave', async () => {
	const owner = await newAccount();
	const ownerBrowser = await signedIn(w, owner);
	const [one, two] = [
		websiteOf(await owner.api('POST', '/websites', { form: { domain: freshDomain() } }), 201),
		websiteOf(await owner.api('POST', '/websites', { form: { domain: freshDomain() } }), 201),
	];
	const { user, browser } = await linkedPerson({ groups: [] });
	const invitation = await ownerBrowser('POST', `/websites/${two.id}/people/invitations`, {
		json: { role: 'viewer', email: user.email },
	});
	const token = z.string().parse(dataOf(invitation).link).split('token=')[1];
	assert.equal((await browser('POST', '/join', { json: { token } })).status, 200);
	const map = (group: string, role: 'viewer' | 'editor' | 'admin' | 'owner', websiteId: number | null) =>
		w.operate('oidc.map', {
			name: 'company',
			group,
			role,
			websiteId,
			account: websiteId === null ? owner.email : null,
		});
	await map('readers', 'viewer', one.id);
	await map('writers', 'editor', one.id);
	await map('writers', 'editor', two.id);
	await map('owners', 'owner', null);
	const rolesWith = async (groups: unknown) => {
		company.setUser({ ...user, groups });
		const next = anyone();
		assert.equal(await signInWith(next, 'company'), '/websites');
		const roles = z
			.array(z.object({ website_id: z.number(), role: z.string() }))
			.parse(z.object({ data: z.unknown() }).parse((await next('GET', '/roles')).json).data);
		const owned = await w.sql<{ id: string }>(
			'SELECT 1 FROM account_owners o JOIN people p ON p.id = o.person_id WHERE p.email = $1 AND account_id = $2',
			[user.email, owner.id],
		);
		return {
			...Object.fromEntries(roles.map(({ website_id: id, role }) => [id === one.id ? 'one' : 'two', role])),
			...(owned.length > 0 && { owns: true }),
		};
	};
	assert.deepEqual(await rolesWith(['readers', 'strangers']), { one: 'viewer', two: 'viewer' });
	assert.deepEqual(
		await rolesWith(['readers', 'writers']),
		{ one: 'editor', two: 'viewer' },
		'the invitation stays',
	);
	assert.deepEqual(await rolesWith('readers'), { one: 'viewer', two: 'viewer' }, 'a single group as a text');
	assert.deepEqual(await rolesWith(undefined), { two: 'viewer' });
	assert.equal((await rolesWith(['owners'])).owns, true);
	assert.deepEqual(await rolesWith([{ name: 'owners' }, 7]), {}, 'as owners they were no longer members');
	assert.deepEqual(await rolesWith(['readers']), { one: 'viewer' });
	assert.equal(
		(await browser('DELETE', '/session/oidc/company/link', { json: { password: goodPassword } })).status,
		200,
	);
	assert.deepEqual(dataOf({ json: { data: { roles: (await browser('GET', '/roles')).json } } }).roles, {
		data: [],
	});
});

test('[C-OIDC-8] linking and unlinking from the account need the password', async () => {
	const account = await newAccount();
	const browser = await signedIn(w, account);
	const user = newUser({ email: 'another-address@example.org' });
	const linked = async () =>
		z
			.object({
				has_password: z.boolean(),
				providers: z.array(z.object({ name: z.string(), linked_at: z.string().nullable() })),
			})
			.parse(dataOf(await browser('GET', '/session/oidc/linked')));
	assert.deepEqual(await linked(), { has_password: true, providers: [{ name: 'company', linked_at: null }] });
	assert.equal(
		(await browser('POST', '/session/oidc/company/link', { json: { password: 'wrong' } })).status,
		422,
	);
	const begun = await browser('POST', '/session/oidc/company/link', { json: { password: goodPassword } });
	const back = await visitProvider(z.string().parse(dataOf(begun).url));
	assert.equal(
		(await comesBack(browser, back)).headers.location,
		`${w.publicUrl}/account/security?oidc=linked`,
	);
	assert.ok((await linked()).providers[0]?.linked_at);
	assert.ok((await mailsTo(account.email)).some((text) => text.includes('Example Company was linked')));
	const elsewhere = anyone();
	assert.equal(await signInWith(elsewhere, 'company'), '/websites');
	assert.equal(await emailOf(elsewhere), account.email, 'the address at the provider may be another one');

	const second = await newAccount();
	const secondBrowser = await signedIn(w, second);
	const again = await secondBrowser('POST', '/session/oidc/company/link', {
		json: { password: goodPassword },
	});
	const taken = await comesBack(secondBrowser, await visitProvider(z.string().parse(dataOf(again).url)));
	assert.equal(taken.headers.location, `${w.publicUrl}/account/security?oidc=taken`);

	company.setUser(user);
	assert.equal(
		(await browser('DELETE', '/session/oidc/company/link', { json: { password: 'wrong' } })).status,
		422,
	);
	assert.equal(
		(await browser('DELETE', '/session/oidc/company/link', { json: { password: goodPassword } })).status,
		200,
	);
	assert.equal(
		(await browser('DELETE', '/session/oidc/company/link', { json: { password: goodPassword } })).status,
		404,
	);
	assert.equal(await signInWith(anyone(), 'company'), '/sign-in?oidc=unknown');
});

test('[C-OIDC-9] where a provider is required, a password signs nobody in, and the operator can undo it', async () => {
	const { account, browser } = await linkedPerson();
	const owner = await newAccount();
	const ownerBrowser = await signedIn(w, owner);
	const invitation = await ownerBrowser('POST', '/people/invitations', { json: { role: 'viewer' } });
	const token = z.string().parse(dataOf(invitation).link).split('token=')[1];
	await w.operate('oidc.require', { required: true });
	assert.equal(dataOf(await anyone()('GET', '/session/oidc')).required, true);
	const refused = await anyone()('POST', '/session', {
		json: { email: account.email, password: goodPassword },
	});
	assertProblem(refused, 'forbidden');
	const joined = await anyone()('POST', '/join/account', {
		json: { token, name: 'A', email: 'new@example.com', password: goodPassword },
	});
	assertProblem(joined, 'forbidden');
	assert.equal((await browser('GET', '/session')).status, 200, 'who is signed in stays so');
	assert.equal((await owner.api('GET', '/websites')).status, 200, 'keys work');
	assert.equal(await signInWith(anyone(), 'company'), '/websites');
	assertProblem(
		await browser('DELETE', '/session/oidc/company/link', { json: { password: goodPassword } }),
		'forbidden',
	);
	await assert.rejects(w.operate('oidc.remove', { name: 'company' }), /only provider/);
	await w.operate('oidc.require', { required: false });
	await signedIn(w, account);
});

test('a provider that is removed signs its people out, and takes its roles along', async () => {
	const other = await startProvider({ after });
	await addProvider(w, other, { name: 'other', admits: 'everyone' });
	const owner = await newAccount();
	await w.operate('oidc.map', {
		name: 'other',
		group: 'all',
		role: 'admin',
		account: owner.email,
		websiteId: null,
	});
	await w.operate('oidc.map', {
		name: 'other',
		group: 'all',
		role: 'owner',
		account: owner.email,
		websiteId: null,
	});
	other.setUser({ sub: 'x', email: 'x@example.net', email_verified: true, groups: ['all'] });
	const browser = anyone();
	assert.equal(await signInWith(browser, 'other'), '/websites');
	const owners = () => w.sql('SELECT person_id FROM account_owners WHERE account_id = $1', [owner.id]);
	assert.equal((await owners()).length, 2);
	await w.operate('oidc.remove', { name: 'other' });
	assert.equal((await browser('GET', '/session')).status, 401);
	assert.equal((await owners()).length, 1);
	assert.equal((await w.sql('SELECT 1 FROM oidc_identities WHERE subject = $1', ['x'])).length, 0);
});

test('[C-OIDC-4] when a provider has moved to another issuer, its people link it again', async () => {
	const [before, moved] = [await startProvider({ after }), await startProvider({ after })];
	await addProvider(w, before, { name: 'moving', label: 'Moving' });
	const user = { sub: 'mover', email: 'mover@example.net', email_verified: true };
	const account = await newAccount(user.email);
	const link = async () => {
		const browser = anyone();
		assert.equal(await signInWith(browser, 'moving'), '/sign-in?oidc=proof');
		return browser('POST', '/session/oidc/proof', { json: { password: goodPassword } });
	};
	before.setUser(user);
	assert.equal((await link()).status, 200);
	moved.setRedirectUris([`${w.publicUrl}/app/api/session/oidc/callback/moving`]);
	moved.setUser(user);
	await w.operate('oidc.update', { name: 'moving', issuer: moved.issuer });
	const again = await link();
	assert.equal(again.status, 200, again.text);
	assert.deepEqual(await w.sql('SELECT issuer FROM oidc_identities WHERE person_id = $1', [account.id]), [
		{ issuer: moved.issuer },
	]);
	await w.operate('oidc.remove', { name: 'moving' });
});
