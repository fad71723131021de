import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { z } from 'zod';
import { client } from '../support/client.ts';
import { assertProblem, assertStatus, freshDomain } from '../support/contract.ts';
import { givePassword, goodPassword, signedIn, visitor } from '../support/visitor.ts';
import { world } from '../support/world.ts';

/** Mails stay in the outbox: nothing listens there. */
const settings = {
	TIDEMARK_SMTP_HOST: '127.0.0.1',
	TIDEMARK_SMTP_PORT: '9',
	TIDEMARK_SMTP_TLS: 'none',
	TIDEMARK_MAIL_FROM: 'Tidemark <stats@example.test>',
	TIDEMARK_TRUSTED_PROXIES: '127.0.0.1',
};
let moment = Date.parse('2026-11-15T09:00:00.000Z');
const w = await world({ after }, { settings, now: () => new Date(moment) });
const operator = await w.account({ timezone: 'UTC' });
const day = 86_400_000;

let networks = 0;
/** Each from a network of its own. */
const anyone = () =>
	visitor(() => w.base, { address: `198.51.${Math.floor(++networks / 250)}.${networks % 250}` });
const ask = (email: string, browser = anyone()) => browser('POST', '/session/sign-up', { json: { email } });

type Queued = { recipient: string; content: { subject: string; text: string } };
const mailsTo = (email: string) =>
	w.sql<Queued>(
		"SELECT recipient, content FROM outbox WHERE recipient = $1 AND key LIKE 'sign-up %' ORDER BY id",
		[email],
	);
const tokenIn = (mail: Queued | undefined): string =>
	/https:\/\/stats\.example\.test\/sign-up#token=([\w-]{43})\s/.exec(mail?.content.text ?? '')?.[1] ?? '';

async function linkFor(email: string): Promise<string> {
	assertStatus(await ask(email), 200);
	const token = tokenIn((await mailsTo(email)).at(-1));
	assert.ok(token, 'a link was mailed');
	return token;
}
const use = (token: string, browser = anyone()) =>
	browser('PUT', '/session/sign-up', { json: { token, name: 'Newcomer', password: goodPassword } });
const people = async () => (await w.sql('SELECT 1 FROM people')).length;
const isOpen = async () => (await anyone()('GET', '/session/sign-up')).json;

test('[C-OPER-14] [T149] sign-up is closed until the operator opens it', async () => {
	assert.deepEqual(await isOpen(), { data: { is_open: false } });
	assertProblem(await ask('early@example.test'), 'forbidden');
	assert.deepEqual(await mailsTo('early@example.test'), []);
	await w.operate('signup.set', { mode: 'open', websiteLimit: 2, pageviewLimit: 10_000 });
	assert.deepEqual(await isOpen(), { data: { is_open: true } });
});

test('[C-OPER-15] a mailed link creates a person with a confirmed address and a limited account, once', async () => {
	const email = 'Newcomer@example.test';
	const token = await linkFor(email);
	const looked = await anyone()('POST', '/session/sign-up/link', { json: { token } });
	assert.deepEqual(looked.json, { data: { email } });
	assert.ok(!JSON.stringify(await w.sql('SELECT * FROM sign_up_links')).includes(token));
	assert.ok(!w.log().includes(token) && !w.log().includes(email));
	const browser = anyone();
	const [used, again] = [await use(token, browser), await use(token)];
	assertStatus(used, 200);
	assertProblem(again, 'link_dead');
	const session = z
		.object({ data: z.object({ is_confirmed: z.boolean(), is_operator: z.boolean() }) })
		.parse((await browser('GET', '/session')).json).data;
	assert.deepEqual(session, { is_confirmed: true, is_operator: false });
	const account = z
		.object({ data: z.object({ id: z.int(), limits: z.unknown() }) })
		.parse((await browser('GET', '/account')).json).data;
	assert.deepEqual(account.limits, { websites: 2, pageviews_per_month: 10_000 });
	const made = () => browser('POST', '/websites', { json: { domain: freshDomain(), privacy: 1 } });
	assert.deepEqual([(await made()).status, (await made()).status, (await made()).status], [201, 201, 422]);
	const log = await w.sql('SELECT what FROM changes WHERE owner_id = $1 ORDER BY id LIMIT 1', [account.id]);
	assert.deepEqual(log, [{ what: 'signUp' }]);
	assertProblem(await browser('GET', '/operator/accounts'), 'not_found');
});

test('[C-OPER-15] of two uses at once one succeeds; a link expires, and a newer one replaces it', async () => {
	const before = await people();
	const token = await linkFor('twice@example.test');
	const answers = await Promise.all([use(token), use(token)]);
	assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 410]);
	assert.equal(await people(), before + 1);
	const first = await linkFor('late@example.test');
	const second = await linkFor('late@example.test');
	assertProblem(await use(first), 'link_dead');
	moment += 30 * 60_000;
	assertProblem(await use(second), 'link_dead');
	assertProblem(await anyone()('POST', '/session/sign-up/link', { json: { token: second } }), 'link_dead');
	assert.equal(await people(), before + 1);
});

test('[C-OPER-14] [T149] the answer is the same for an address with an account, whose owner gets another mail', async () => {
	const [known, unknown] = await Promise.all([ask(operator.email), ask('unknown@example.test')]);
	assert.equal(known.status, 200);
	assert.equal(known.text, unknown.text);
	const withoutVarying = ({ headers }: typeof known) => Object.keys(headers).sort();
	assert.deepEqual(withoutVarying(known), withoutVarying(unknown));
	const [mail] = await mailsTo(operator.email);
	assert.equal(mail?.content.subject, 'You already have a Tidemark account');
	assert.equal(tokenIn(mail), '');
	assert.match(mail?.content.text ?? '', /https:\/\/stats\.example\.test\/sign-in\s/);
	assert.deepEqual(await w.sql('SELECT 1 FROM sign_up_links WHERE email = $1', [operator.email]), []);
});

test('[T149] the form is no way to flood a mailbox or many', async () => {
	const victim = 'victim@example.test';
	for (let days = 0; days < 2; days++) {
		for (let times = 0; times < 12; times++) {
			await ask(victim);
			moment += day / 24;
		}
		moment += day / 2;
	}
	const mails = (await mailsTo(victim)).length;
	assert.ok(mails >= 3 && mails <= 9, `${mails} mails in three days, three a day`);
	const crowd = anyone();
	const states: number[] = [];
	for (let times = 0; times < 12; times++)
		states.push((await ask(`crowd-${times}@example.test`, crowd)).status);
	assert.ok(states.filter((status) => status === 200).length <= 6, states.join(' '));
	assert.equal(states.at(-1), 429);
	await w.sql('DELETE FROM mail_counts');
	await w.sql('INSERT INTO mail_counts (day, account_id, mails) VALUES ($1, -1, 500)', [
		new Date(moment).toISOString().slice(0, 10),
	]);
	assertStatus(await ask('one-too-many@example.test'), 200);
	assert.deepEqual(await mailsTo('one-too-many@example.test'), []);
	await w.sql('DELETE FROM mail_counts');
});

test('[C-OPER-15] [T149] the policy holds when the link is asked for, and when it is used', async () => {
	const token = await linkFor('outside@elsewhere.test');
	await w.operate('signup.set', { mode: 'domains', domains: ['example.test'] });
	assertProblem(await use(token), 'validation_failed', ['email']);
	for (const email of [
		'a@elsewhere.test',
		'a@sub.example.test',
		'a@notexample.test',
		'example.test@elsewhere.test',
	])
		assertProblem(await ask(email), 'validation_failed', ['email']);
	// The same for someone who has an account there.
	const outside = await w.account({ email: 'known@elsewhere.test' });
	assertProblem(await ask(outside.email), 'validation_failed', ['email']);
	const inside = await linkFor('inside@EXAMPLE.test');
	await w.operate('signup.set', { mode: 'closed' });
	assertProblem(await use(inside), 'forbidden');
	assertProblem(await ask('inside@example.test'), 'forbidden');
	await w.operate('signup.set', { mode: 'open' });
	assertStatus(await use(inside), 200);
});

test('[T149] a link gives nothing that its policy does not, whatever is sent with it', async () => {
	const token = await linkFor('greedy@example.test');
	const browser = anyone();
	const answer = await browser('PUT', '/session/sign-up', {
		json: {
			token,
			name: 'Greedy',
			password: goodPassword,
			email: operator.email,
			website_limit: 1000,
			websiteLimit: 1000,
			is_operator: true,
			isOperator: true,
		},
	});
	assertStatus(answer, 200);
	const [row] = await w.sql(
		`SELECT p.email, p.is_operator, a.website_limit FROM people p JOIN accounts a ON a.id = p.id WHERE p.name = 'Greedy'`,
	);
	assert.deepEqual(row, { email: 'greedy@example.test', is_operator: false, website_limit: 2 });
	const late = await linkFor('taken@example.test');
	const other = await w.account({ email: 'taken@example.test' });
	await givePassword(w, other);
	assertProblem(await use(late), 'validation_failed', ['email']);
	await signedIn(w, other);
	// A key cannot sign anybody up.
	assert.equal((await client(w.base, operator.key)('POST', '/session/sign-up', { json: {} })).status, 404);
});
