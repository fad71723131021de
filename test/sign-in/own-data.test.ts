import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { z } from 'zod';
import { until } from '../engine/engine.ts';
import { assertProblem, assertStatus, freshDomain, websiteOf } from '../support/contract.ts';
import { startMailServer } from '../support/mail-server.ts';
import { givePassword, goodPassword, signedIn, type Visitor, visitor } from '../support/visitor.ts';
import { type TestAccount, world } from '../support/world.ts';

let moment = Date.parse('2026-11-19T09:00:00.000Z');
const server = await startMailServer({ after });
const w = await world(
	{ after },
	{
		now: () => new Date(moment),
		settings: {
			TIDEMARK_SMTP_HOST: '127.0.0.1',
			TIDEMARK_SMTP_PORT: String(server.port),
			TIDEMARK_SMTP_TLS: 'none',
			TIDEMARK_MAIL_FROM: 'Tidemark <stats@example.test>',
		},
	},
);

type Person = TestAccount & { browser: Visitor };
async function person(about: Parameters<typeof w.account>[0] = {}): Promise<Person> {
	const account = await w.account({ timezone: 'UTC', ...about });
	await givePassword(w, account);
	return { ...account, browser: await signedIn(w, account) };
}

const proof = { password: goodPassword };
let addresses = 0;
const freshAddress = () => `New-${++addresses}@example.test`;
const mailsTo = async (address: string) =>
	(await server.mails()).filter(({ to }) => to?.some((recipient) => recipient.address === address));

/** Asks for a new address, and returns the token of the mail that arrives there. */
async function ask(who: Person, email: string): Promise<string> {
	const before = (await mailsTo(email)).length;
	assertStatus(await who.browser('POST', '/session/address', { json: { email, ...proof } }), 200);
	await until(async () => (await mailsTo(email)).length > before, 15_000);
	const text = (await mailsTo(email)).at(-1)?.text ?? '';
	const [, token = ''] =
		/https:\/\/stats\.example\.test\/confirm-address#token=([\w-]{43})\s/.exec(text) ?? [];
	assert.ok(token, text);
	return token;
}
const confirm = (who: Person, token: string) =>
	who.browser('PUT', '/session/confirmation', { json: { token } });
const sessionOf = async (who: Person) =>
	z
		.object({
			data: z.object({
				person: z.object({ email: z.string() }),
				new_email: z.string().nullable(),
				is_confirmed: z.boolean(),
			}),
		})
		.parse((await who.browser('GET', '/session')).json).data;
const signIn = (email: string) =>
	visitor(() => w.base)('POST', '/session', { json: { email, password: goodPassword } });

test('[C-OWN-14][T124] a new address is proven by a link in a mail to it, with proof of the person, and the old one gets a notice', async () => {
	const who = await person({ locale: 'de' });
	const email = freshAddress();
	assertProblem(await who.browser('POST', '/session/address', { json: { email } }), 'validation_failed', [
		'password',
	]);
	assertProblem(
		await who.browser('POST', '/session/address', { json: { email: 'no address', ...proof } }),
		'validation_failed',
		['email'],
	);
	const token = await ask(who, email);
	assert.deepEqual(await sessionOf(who), {
		person: { email: who.email },
		new_email: email,
		is_confirmed: true,
	});
	assert.equal((await signIn(email)).status, 401, 'nothing has changed yet');
	const stranger = await person();
	assertProblem(await confirm(stranger, token), 'link_dead');
	assertStatus(await confirm(who, token), 200);
	assert.deepEqual(await sessionOf(who), { person: { email }, new_email: null, is_confirmed: true });
	assertProblem(await confirm(who, token), 'link_dead');
	assert.equal((await signIn(who.email)).status, 401);
	assert.equal((await signIn(email.toLowerCase())).status, 200);
	await until(async () => (await mailsTo(who.email)).length > 0, 15_000);
	const [notice] = await mailsTo(who.email);
	assert.equal(notice?.subject, 'Die E-Mail-Adresse deines Tidemark-Kontos wurde geändert');
	assert.ok(!notice?.text?.includes(token));
	assert.match((await who.api('GET', '/account')).text, new RegExp(`"email":"${email}"`));
});

test('[C-OWN-14] a link ends after a day, when another is asked for, and when it is canceled', async () => {
	const who = await person();
	const [first, second] = [await ask(who, freshAddress()), await ask(who, freshAddress())];
	assertProblem(await confirm(who, first), 'link_dead');
	moment += 86_400_000;
	assertProblem(await confirm(who, second), 'link_dead');
	assert.equal((await sessionOf(who)).new_email, null);
	const third = await ask(who, freshAddress());
	assertStatus(await who.browser('DELETE', '/session/address'), 200);
	assertProblem(await confirm(who, third), 'link_dead');
	assert.equal((await sessionOf(who)).person.email, who.email);
});

test('[C-OWN-14][T124] an address of someone else is refused only to who reads its mail, and reset links of the old address end', async () => {
	const [who, other] = [await person(), await person()];
	const taken = await ask(who, other.email);
	assertProblem(await confirm(who, taken), 'forbidden');
	assert.equal((await sessionOf(who)).person.email, who.email);
	assertStatus(
		await visitor(() => w.base)('POST', '/session/forgotten', { json: { email: who.email } }),
		200,
	);
	await until(async () => (await mailsTo(who.email)).length > 0, 15_000);
	const [, reset] = /#token=([\w-]{43})/.exec((await mailsTo(who.email)).at(-1)?.text ?? '') ?? [];
	assertStatus(await confirm(who, await ask(who, freshAddress())), 200);
	assertProblem(
		await visitor(() => w.base)('POST', '/session/link', { json: { token: reset } }),
		'link_dead',
	);
});

test('[T124] one person cannot have mails sent to strangers without end', async () => {
	const who = await person();
	const answers: number[] = [];
	for (let count = 0; count < 8; count++) {
		const json = { email: freshAddress(), ...proof };
		answers.push((await who.browser('POST', '/session/address', { json })).status);
	}
	assert.deepEqual([answers[0], answers.at(-1)], [200, 429]);
});

test('[C-OWN-15] people download what is stored about them, without secrets', async () => {
	const who = await person({ name: 'Åsa' });
	const domain = freshDomain();
	assertStatus(await who.browser('POST', '/websites', { json: { domain } }), 201);
	// What the keys of an account do is not the person's.
	await who.api('POST', '/websites', { form: { domain: freshDomain() } });
	const answer = await who.browser('GET', '/session/data');
	assert.equal(answer.headers['content-disposition'], 'attachment; filename="tidemark-personal-data.json"');
	const data = z
		.object({
			person: z.tuple([z.object({ name: z.string(), email: z.string(), two_factor: z.boolean() })]),
			accounts: z.tuple([z.object({ id: z.int(), websites: z.array(z.string()) })]),
			sessions: z.tuple([z.object({ browser: z.string() })]),
			activity: z.array(z.object({ what: z.string() })),
		})
		.parse(answer.json);
	assert.deepEqual(
		[data.person[0].name, data.person[0].email, data.person[0].two_factor, data.accounts[0].websites[0]],
		['Åsa', who.email, false, domain],
	);
	assert.equal(data.activity.filter(({ what }) => what === 'createWebsite').length, 1);
	const rows = await w.sql<{ password_hash: string; digest: string }>(
		`SELECT password_hash, encode(digest, 'hex') AS digest FROM people JOIN sessions ON account_id = people.id WHERE people.id = $1`,
		[who.id],
	);
	for (const secret of rows.flatMap((row) => Object.values(row))) assert.ok(!answer.text.includes(secret));
	for (const word of ['digest', 'secret', 'argon2']) assert.ok(!answer.text.includes(word), word);
});

const planSchema = z.object({
	data: z.object({
		accounts: z.array(z.object({ id: z.int(), websites: z.array(z.string()) })),
		blocked_by: z.array(z.object({ id: z.int() })),
	}),
});

test('[C-OWN-16] people delete their sign-in with the accounts that only they own, and with proof', async () => {
	const who = await person();
	const website = websiteOf(await who.api('POST', '/websites', { form: { domain: freshDomain() } }), 201);
	const plan = planSchema.parse((await who.browser('GET', '/session/deletion')).json).data;
	assert.deepEqual(plan, { accounts: [{ id: who.id, websites: [website.domain] }], blocked_by: [] });
	assertProblem(
		await who.browser('DELETE', '/session/person', { json: { account_ids: [who.id] } }),
		'validation_failed',
		['password'],
	);
	// They agreed to another list of accounts than there is now.
	assertProblem(
		await who.browser('DELETE', '/session/person', { json: { ...proof, account_ids: [] } }),
		'precondition_failed',
	);
	assertStatus(
		await who.browser('DELETE', '/session/person', { json: { ...proof, account_ids: [who.id] } }),
		200,
	);
	assertProblem(await who.browser('GET', '/session'), 'unauthenticated');
	assert.equal((await signIn(who.email)).status, 401);
	assert.equal((await who.api('GET', '/account')).status, 401, 'its keys');
	const left = async (table: string, column: string) =>
		(await w.sql(`SELECT 1 FROM ${table} WHERE ${column} = $1`, [who.id])).length;
	assert.deepEqual(
		[await left('people', 'id'), await left('accounts', 'id'), await left('websites', 'account_id')],
		[0, 0, 0],
	);
	const erased = await w.sql('SELECT 1 FROM tombstones WHERE website_id = $1', [website.id]);
	assert.equal(erased.length, 1, 'the statistics are deleted too');
});

test('[C-OWN-16] an account with other owners needs another primary owner first, and stays', async () => {
	const founder = await person();
	const other = await person();
	const made = await founder.browser('POST', '/people/invitations', {
		json: { role: 'owner', email: other.email, ...proof },
	});
	const [, token] =
		/#token=([\w-]{43})/.exec(
			z.object({ data: z.object({ link: z.string() }) }).parse(made.json).data.link,
		) ?? [];
	assertStatus(await other.browser('POST', '/join', { json: { token } }), 200);
	const website = websiteOf(await founder.api('POST', '/websites', { form: { domain: freshDomain() } }), 201);
	const plan = planSchema.parse((await founder.browser('GET', '/session/deletion')).json).data;
	assert.deepEqual(plan, { accounts: [], blocked_by: [{ id: founder.id }] });
	assertProblem(
		await founder.browser('DELETE', '/session/person', { json: { ...proof, account_ids: [] } }),
		'forbidden',
	);
	assertStatus(await founder.browser('PUT', `/owners/${other.id}/primary`, { json: proof }), 200);
	// As if an earlier version had created the account.
	await w.sql('UPDATE accounts SET email = $2 WHERE id = $1', [founder.id, founder.email]);
	assertStatus(
		await founder.browser('DELETE', '/session/person', { json: { ...proof, account_ids: [] } }),
		200,
	);
	assertStatus(await other.browser('GET', `/websites/${website.id}`), 200);
	assertStatus(await founder.api('GET', `/websites/${website.id}`), 200);
	const entries = z
		.object({
			data: z.array(z.object({ what: z.string(), by: z.object({ name: z.string().nullable() }).nullable() })),
		})
		.parse(
			(await other.browser('GET', '/activity', { headers: { 'tidemark-account': String(founder.id) } })).json,
		).data;
	assert.equal(entries[0]?.what, 'leave');
	const left = await w.sql(
		'SELECT 1 FROM accounts WHERE id = $1 AND (email IS NOT NULL OR password_hash IS NOT NULL)',
		[founder.id],
	);
	assert.deepEqual(left, [], 'no credentials stay where earlier versions read them');
});

test('[C-OWN-16] nothing of a person stays in an account that they handed over when the operator deletes them', async () => {
	const founder = await person();
	const other = await person();
	await w.operate('account.owner', { account: founder.email, email: other.email });
	assertStatus(await founder.browser('DELETE', `/owners/${founder.id}`), 200);
	// As if an earlier version had created the account.
	await w.sql(
		`UPDATE accounts SET email = p.email, password_hash = p.password_hash FROM people p
		WHERE p.id = accounts.id AND accounts.id = $1`,
		[founder.id],
	);
	await w.operate('account.delete', { email: founder.email });
	assert.deepEqual(
		await w.sql('SELECT email, password_hash AS hash FROM accounts WHERE id = $1', [founder.id]),
		[{ email: null, hash: null }],
	);
});
