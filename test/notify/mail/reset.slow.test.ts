import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { generate } from 'otplib';
import { z } from 'zod';
import { createLog } from '../../../server/lib/log.ts';
import { recipientsOf } from '../../../server/notify/mail/recipients.ts';
import type { MailLinks } from '../../../server/notify/mail/unsubscribe.ts';
import { openPostgres } from '../../../server/store/postgres.ts';
import { until } from '../../engine/engine.ts';
import { client } from '../../support/client.ts';
import { assertProblem } from '../../support/contract.ts';
import { startMailServer } from '../../support/mail-server.ts';
import { startServiceProcess, tidemark } from '../../support/service.ts';
import { givePassword, goodPassword, signedIn, type Visitor, visitor } from '../../support/visitor.ts';
import { world } from '../../support/world.ts';

const server = await startMailServer({ after }, { user: 'tide', password: 'mark' });
const settings = {
	TIDEMARK_SMTP_HOST: '127.0.0.1',
	TIDEMARK_SMTP_PORT: String(server.port),
	TIDEMARK_SMTP_TLS: 'none',
	TIDEMARK_SMTP_USER: 'tide',
	TIDEMARK_SMTP_PASSWORD: 'mark',
	TIDEMARK_MAIL_FROM: 'Tidemark <stats@example.test>',
};
const w = await world({ after }, { settings });
const anyone = visitor(() => w.base);
const ask = (email: string, headers = {}) =>
	anyone('POST', '/session/forgotten', { json: { email }, headers });

test('[C-SIGN-14] [T79] a forgotten password is mended by a link in a mail, which begins with the public address', async () => {
	const account = await w.account({ locale: 'de-AT' });
	assert.deepEqual((await anyone('GET', '/session/forgotten')).json, { data: { can_mail: true } });
	const answer = await ask(account.email, { host: 'evil.example' });
	assert.deepEqual(answer.json, { data: { can_mail: true } });
	await until(() => server.sources().length === 1, 15_000);
	const [mail] = await server.mails();
	assert.deepEqual(mail?.to, [{ name: '', address: account.email }]);
	assert.equal(mail?.subject, 'Tidemark-Passwort zurücksetzen');
	const [, token = ''] =
		/https:\/\/stats\.example\.test\/password#token=([\w-]{43})\s/.exec(mail?.text ?? '') ?? [];
	assert.ok(token, mail?.text);
	assert.doesNotMatch(server.sources().join(), /evil/);
	const outbox = () => w.sql<{ content: unknown; state: string }>('SELECT content, state FROM outbox');
	// The server has the mail before the service knows that it was accepted.
	await until(async () => (await outbox()).every(({ state }) => state === 'sent'), 15_000);
	assert.deepEqual(await outbox(), [{ content: null, state: 'sent' }], 'the link is not kept');
	const set = await anyone('PUT', '/session/link', { json: { token, password: goodPassword } });
	assert.equal(set.status, 200, set.text);
	await signedIn(w, account);
	// In another browser than the one that used the link: its owner is told.
	await until(() => server.sources().length === 2, 15_000);
	assert.equal((await server.mails())[1]?.subject, 'Neue Anmeldung in deinem Tidemark-Konto');
	assertProblem(
		await anyone('PUT', '/session/link', { json: { token, password: goodPassword } }),
		'link_dead',
	);
});

test('[T88] the owner is told of a new browser, of keys, and of changes of password and second factor', async () => {
	server.forget();
	const account = await w.account();
	await givePassword(w, account);
	const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
	const browser = await signedIn(w, account, { agent, isNew: true });
	const credentials = { email: account.email, password: goodPassword };
	assert.equal((await browser('POST', '/session', { json: credentials })).status, 200, 'a known browser');
	const proof = { password: goodPassword };
	const key = await browser('POST', '/keys', { json: { name: 'https://evil.example/', ...proof } });
	const { id, ending } = z
		.object({ data: z.object({ id: z.int(), ending: z.string() }) })
		.parse(key.json).data;
	await account.api('POST', `/keys/${id}/rotate`);
	const shown = await browser('POST', '/session/two-factor', { json: proof });
	const { secret } = z.object({ data: z.object({ secret: z.string() }) }).parse(shown.json).data;
	const on = await browser('PUT', '/session/two-factor', { json: { code: await generate({ secret }) } });
	const [code, other] = z.object({ data: z.object({ recovery_codes: z.array(z.string()) }) }).parse(on.json)
		.data.recovery_codes;
	const off = await browser('DELETE', '/session/two-factor', { json: { ...proof, code } });
	assert.equal(off.status, 200, off.text);
	const next = { password: goodPassword, new_password: 'the moon pulls the sea' };
	assert.equal((await browser('PUT', '/session/password', { json: next })).status, 200);
	await givePassword(w, account);
	const expected = [
		'New sign-in to your Tidemark account',
		'New API key in your Tidemark account',
		'New API key in your Tidemark account',
		'Two-factor sign-in was turned on',
		'Two-factor sign-in was turned off',
		'Your Tidemark password was changed',
		'Your Tidemark password was changed',
	];
	await until(() => server.sources().length === expected.length, 30_000);
	const mails = await server.mails();
	assert.deepEqual(mails.map(({ subject }) => subject).sort(), expected.sort());
	for (const { to, text = '', html } of mails) {
		assert.deepEqual(to, [{ name: '', address: account.email }]);
		assert.equal(html, undefined);
		// One link, which opens a page that asks to sign in.
		assert.deepEqual(text.match(/\w+:\/\/\S+/g), ['https://stats.example.test/account/security']);
		for (const hidden of [secret, String(other), '127.0.0.1', 'evil', account.email])
			assert.ok(!text.includes(hidden), hidden);
	}
	const texts = mails.map(({ text }) => text).join('\n');
	assert.match(texts, /with Firefox on Linux/);
	assert.match(texts, new RegExp(`ending in ${ending}`));
});

test('[T88] it is told in the language of the account, never to an unconfirmed address, and not without end', async () => {
	server.forget();
	const [german, unconfirmed, busy] = [
		await w.account({ locale: 'de-AT' }),
		await w.account(),
		await w.account(),
	];
	await w.sql('UPDATE people SET confirmed_at = NULL WHERE id = $1', [unconfirmed.id]);
	for (const account of [unconfirmed, german])
		assert.equal((await account.api('POST', '/keys', { json: { name: 'x' } })).status, 201);
	for (let n = 0; n < 30; n++)
		assert.equal((await busy.api('POST', '/keys', { json: { name: 'x' } })).status, 201);
	const queued = await w.sql('SELECT recipient FROM outbox WHERE recipient = ANY($1)', [
		[german.email, unconfirmed.email, busy.email],
	]);
	const count = (email: string) => queued.filter(({ recipient }) => recipient === email).length;
	assert.deepEqual([count(german.email), count(unconfirmed.email)], [1, 0]);
	assert.ok(count(busy.email) > 0 && count(busy.email) < 25, `${count(busy.email)} mails`);
	await until(() => server.sources().length === queued.length, 30_000);
	const mails = await server.mails();
	const mail = mails.find(({ to }) => to?.[0]?.address === german.email);
	assert.equal(mail?.subject, 'Neuer API-Schlüssel in deinem Tidemark-Konto');
});

test('[C-SIGN-14] nobody learns whether there is an account, and nobody is flooded', async () => {
	server.forget();
	const account = await w.account();
	const [known, unknown] = [await ask(account.email), await ask('nobody@example.test')];
	assert.equal(known.text, unknown.text);
	assert.equal(known.status, unknown.status);
	const disabled = await w.account();
	await w.operate('account.disable', { email: disabled.email, disabled: true });
	const later = visitor(() => w.base);
	for (let asked = 0; asked < 10; asked++)
		await later('POST', '/session/forgotten', { json: { email: disabled.email } });
	assertProblem(await ask(account.email), 'too_many_requests');
	await until(() => server.sources().length === 1, 15_000);
	assert.deepEqual((await server.mails())[0]?.to?.[0]?.address, account.email);
});

test('[T43] an invitation that names an address is mailed there, in plain words, whatever the inviter is called', async () => {
	server.forget();
	const account = await w.account({ name: 'Eve\r\nBcc: x@example.test\r\n\r\n<b>hi</b>' });
	await givePassword(w, account);
	const browser = await signedIn(w, account);
	const made = await browser('POST', '/people/invitations', {
		json: { role: 'viewer', email: 'guest@example.test' },
	});
	assert.equal(made.status, 201, made.text);
	assert.match(made.text, /"mailed":true/);
	await until(() => server.sources().length === 1, 15_000);
	const [mail] = await server.mails();
	assert.deepEqual(mail?.to, [{ name: '', address: 'guest@example.test' }]);
	assert.deepEqual([mail?.bcc, mail?.cc, mail?.html], [undefined, undefined, undefined]);
	assert.match(
		mail?.text ?? '',
		/^"Eve Bcc x example test b hi b" invited you .*https:\/\/stats\.example\.test\/join#token=[\w-]{43}/s,
	);
	const open = await browser('POST', '/people/invitations', { json: { role: 'viewer' } });
	assert.match(open.text, /"mailed":false/);
});

const invitationOf = async (browser: Visitor, json: { role: string; email?: string }) => {
	const made = await browser('POST', '/people/invitations', { json });
	assert.equal(made.status, 201, made.text);
	const { link, mailed }: { link: string; mailed: boolean } = JSON.parse(made.text).data;
	return { token: link.split('#token=')[1] ?? '', mailed };
};
const joinAs = async (token: string, email?: string) => {
	const browser = visitor(() => w.base);
	const json = { token, name: 'New', password: goodPassword, ...(email !== undefined && { email }) };
	const answer = await browser('POST', '/join/account', { json });
	assert.equal(answer.status, 200, answer.text);
	return browser;
};
const isConfirmed = async (browser: Visitor): Promise<boolean> =>
	JSON.parse((await browser('GET', '/session')).text).data.is_confirmed;
const mailsTo = async (email: string) =>
	(await server.mails()).filter(({ to }) => to?.[0]?.address === email).map(({ text = '' }) => text);
const arrived = (email: string, count: number) =>
	until(async () => (await mailsTo(email)).length === count, 15_000);
/** The token of the newest link of this kind that was mailed to somebody. */
const mailedToken = async (email: string, page: string): Promise<string> => {
	const link = new RegExp(String.raw`example\.test/${page}#token=([\w-]{43})`);
	const found = (await mailsTo(email)).flatMap((text) => link.exec(text)?.[1] ?? []);
	assert.ok(found.length > 0, `a mail with a link to ${page}`);
	return found.at(-1) ?? '';
};

test('[T81] [C-CONFIRM-1] an invited address is unconfirmed until somebody who is signed in opens the mailed link', async () => {
	server.forget();
	const inviter = await w.account();
	await givePassword(w, inviter);
	const { token } = await invitationOf(await signedIn(w, inviter), { role: 'viewer' });
	const browser = await joinAs(token, 'stranger@example.test');
	assert.equal(await isConfirmed(browser), false);
	await arrived('stranger@example.test', 1);
	const confirmation = await mailedToken('stranger@example.test', 'confirm-address');
	// Whoever reads the mail and is not signed in to this account confirms nothing, and the link sets no password.
	const other = await signedIn(w, inviter);
	const json = { token: confirmation };
	assertProblem(await anyone('PUT', '/session/confirmation', { json }), 'unauthenticated');
	assertProblem(await other('PUT', '/session/confirmation', { json }), 'link_dead');
	assertProblem(
		await anyone('PUT', '/session/link', { json: { ...json, password: goodPassword } }),
		'link_dead',
	);
	assert.equal(await isConfirmed(browser), false);
	assert.equal((await browser('PUT', '/session/confirmation', { json })).status, 200);
	assert.equal(await isConfirmed(browser), true);
	assertProblem(await browser('PUT', '/session/confirmation', { json }), 'link_dead');
	const stored = JSON.stringify(await w.sql('SELECT * FROM address_confirmations'));
	assert.equal(stored, '[]');
});

test('[T81] [C-CONFIRM-2] an unconfirmed account has nobody mailed, and gets a few confirmation mails and no others', async () => {
	server.forget();
	const inviter = await w.account();
	await givePassword(w, inviter);
	const { token } = await invitationOf(await signedIn(w, inviter), { role: 'viewer' });
	const email = 'quiet@example.test';
	const browser = await joinAs(token, email);
	assert.equal((await invitationOf(browser, { role: 'viewer', email: 'third@example.test' })).mailed, false);
	const recipient = await browser('POST', '/reports/recipients', { json: { email: 'third@example.test' } });
	assertProblem(recipient, 'address_unconfirmed');
	await w.operate('account.limit', { email, websites: 1 });
	const website = await browser('POST', '/websites', { json: { domain: 'quiet.example' } });
	const { id } = JSON.parse(website.text).data;
	const alert = await browser('POST', `/websites/${id}/alerts`, { json: { kind: 'spike', channel: 'mail' } });
	assert.equal(alert.status, 201, alert.text);
	const tested = await browser('POST', `/websites/${id}/alerts/${JSON.parse(alert.text).data.id}/test`);
	assertProblem(tested, 'address_unconfirmed');
	const links: MailLinks = { baseUrl: () => w.publicUrl, key: Buffer.alloc(32) };
	const [account] = await w.sql<{ id: number }>('SELECT id::int FROM people WHERE email = $1', [email]);
	const postgres = openPostgres(w.postgresTarget, { log: createLog('silent', () => undefined) });
	try {
		assert.deepEqual(await recipientsOf(postgres, account?.id ?? 0, id, links), []);
		const statuses: number[] = [];
		for (let asked = 0; asked < 5; asked++)
			statuses.push((await browser('POST', '/session/confirmation')).status);
		assert.deepEqual(statuses, [200, 200, 200, 200, 429], 'five in all, with the first one');
		await w.operate('account.confirm', { email });
		assert.equal(await isConfirmed(browser), true);
		assert.deepEqual(
			(await recipientsOf(postgres, account?.id ?? 0, id, links)).map(({ address }) => address),
			[email],
		);
	} finally {
		await postgres.close();
	}
	await arrived(email, 5);
	assert.deepEqual(await mailsTo('third@example.test'), []);
});

test('[T81] [C-CONFIRM-3] the mailed link of an invitation proves its address, and the link that was shown does not', async () => {
	server.forget();
	const inviter = await w.account();
	await givePassword(w, inviter);
	const browser = await signedIn(w, inviter);
	const shown = await invitationOf(browser, { role: 'viewer', email: 'shown@example.test' });
	assert.equal(await isConfirmed(await joinAs(shown.token)), false);
	await arrived('shown@example.test', 2);
	assertProblem(
		await anyone('POST', '/join/look', { json: { token: await mailedToken('shown@example.test', 'join') } }),
		'link_dead',
	);
	const mailed = await invitationOf(browser, { role: 'viewer', email: 'proven@example.test' });
	await arrived('proven@example.test', 1);
	const proof = await mailedToken('proven@example.test', 'join');
	assert.notEqual(proof, mailed.token, 'the inviter does not know it');
	assert.equal(await isConfirmed(await joinAs(proof)), true);
	assertProblem(await anyone('POST', '/join/look', { json: { token: mailed.token } }), 'link_dead');
	assert.deepEqual(await w.sql("SELECT 1 FROM outbox WHERE recipient = 'proven@example.test' OFFSET 1"), []);
});

test('[T81] [C-CONFIRM-4] a mailed reset lets the owner of an address take over an account that a stranger created', async () => {
	await w.sql('DELETE FROM attempts');
	server.forget();
	const inviter = await w.account();
	await givePassword(w, inviter);
	const { token } = await invitationOf(await signedIn(w, inviter), { role: 'viewer' });
	const email = 'owner-of-the-address@example.test';
	const stranger = await joinAs(token, email);
	const key = await w.key({ id: 0, email, key: '', api: inviter.api });
	const { token: back } = await invitationOf(stranger, { role: 'admin' });
	const accomplice = await joinAs(back, 'accomplice@example.test');
	const other = await invitationOf(stranger, { role: 'admin' });
	assert.equal((await ask(email)).status, 200);
	await arrived(email, 2);
	const json = { token: await mailedToken(email, 'password'), password: 'another tide, and mine' };
	assert.equal((await anyone('PUT', '/session/link', { json })).status, 200);
	const [account] = await w.sql('SELECT confirmed_at IS NOT NULL AS confirmed FROM people WHERE email = $1', [
		email,
	]);
	assert.deepEqual(account, { confirmed: true });
	assert.equal((await stranger('GET', '/session')).status, 401);
	assert.equal(
		(await client(w.base, key.key)('GET', '/account')).status,
		401,
		'the key that the stranger made',
	);
	assert.deepEqual(JSON.parse((await accomplice('GET', '/memberships')).text).data, []);
	assertProblem(await anyone('POST', '/join/look', { json: { token: other.token } }), 'link_dead');
	// The notice about the new password, so that it is not in the way of what comes next.
	await arrived(email, 3);
	await arrived('accomplice@example.test', 1);
});

test('the operator tries the mail server, and is told what it said', async (t) => {
	server.forget();
	const service = await startServiceProcess(t, { settings });
	const good = await tidemark(['mail', 'test', '--to', 'op@example.test', '--data', service.folder]);
	assert.equal(good.code, 0, good.stderr);
	assert.match(
		good.stdout,
		/^127\.0\.0\.1:\d+ accepted a mail from Tidemark <stats@example\.test> to op@example\.test\./,
	);
	assert.equal(server.sources().length, 1);
	const bad = await tidemark(['mail', 'test', '--to', 'x\r\nBcc: y@example.test', '--data', service.folder]);
	assert.equal(bad.code, 1);
	assert.equal(server.sources().length, 1);
});
