import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { until } from '../engine/engine.ts';
import { assertProblem } from '../support/contract.ts';
import { startMailServer } from '../support/mail-server.ts';
import { startServiceProcess, tidemark } from '../support/service.ts';
import { givePassword, goodPassword, signedIn, visitor } from '../support/visitor.ts';
import { world } from '../support/world.ts';

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
	assert.equal(mail?.subject, 'Ein neues Passwort für Tidemark');
	const [, token = ''] =
		/https:\/\/stats\.example\.test\/password#token=([\w-]{43})\s/.exec(mail?.text ?? '') ?? [];
	assert.ok(token, mail?.text);
	assert.doesNotMatch(server.sources().join(), /evil/);
	const stored = await w.sql<{ content: unknown; state: string }>('SELECT content, state FROM mails');
	assert.deepEqual(stored, [{ content: null, state: 'sent' }], 'the link is not kept');
	const set = await anyone('PUT', '/session/link', { json: { token, password: goodPassword } });
	assert.equal(set.status, 200, set.text);
	await signedIn(w, account);
	assertProblem(
		await anyone('PUT', '/session/link', { json: { token, password: goodPassword } }),
		'link_dead',
	);
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
		/^Eve Bcc: x@example\.test <b>hi<\/b> invites you .*https:\/\/stats\.example\.test\/join#token=[\w-]{43}/s,
	);
	const open = await browser('POST', '/people/invitations', { json: { role: 'viewer' } });
	assert.match(open.text, /"mailed":false/);
});

test('the operator tries the mail server, and is told what it said', async (t) => {
	server.forget();
	const service = await startServiceProcess(t, { settings });
	const good = await tidemark(['mail', 'test', '--to', 'op@example.test', '--data', service.folder]);
	assert.equal(good.code, 0, good.stderr);
	assert.match(
		good.stdout,
		/^127\.0\.0\.1:\d+ took a mail from Tidemark <stats@example\.test> to op@example\.test\./,
	);
	assert.equal(server.sources().length, 1);
	const bad = await tidemark(['mail', 'test', '--to', 'x\r\nBcc: y@example.test', '--data', service.folder]);
	assert.equal(bad.code, 1);
	assert.equal(server.sources().length, 1);
});
