import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import type { Email } from 'postal-mime';
import { createLog } from '../../server/lib/log.ts';
import { createMailing } from '../../server/reports/queue-reports.ts';
import { openPostgres } from '../../server/store/postgres.ts';
import { until } from '../engine/engine.ts';
import { freshDomain, websiteOf } from '../support/contract.ts';
import { makePng } from '../support/images.ts';
import { startMailServer } from '../support/mail-server.ts';
import { sampleReport } from '../support/reports.ts';
import { givePassword, signedIn } from '../support/visitor.ts';
import { type TestAccount, world } from '../support/world.ts';

const server = await startMailServer({ after });
const now = () => new Date();
const w = await world(
	{ after },
	{
		settings: {
			TIDEMARK_SMTP_HOST: '127.0.0.1',
			TIDEMARK_SMTP_PORT: String(server.port),
			TIDEMARK_SMTP_TLS: 'none',
			TIDEMARK_MAIL_FROM: 'Tidemark <stats@example.test>',
		},
	},
);
const log = createLog('warn', () => undefined);
const postgres = openPostgres(w.postgresTarget, { log, connections: 2 });
after(() => postgres.close());
const services = {
	now,
	links: { baseUrl: () => w.publicUrl, key: Buffer.alloc(32, 7) },
	quota: { perAccount: 1_000, inAll: 1_000, log },
};

beforeEach(() => server.forget());

async function mails(count: number): Promise<Email[]> {
	await until(() => server.sources().length >= count, 20_000);
	return server.mails();
}
const partsOf = ({ html = '', text = '', subject = '' }: Email) => `${subject}\n${html}\n${text}`;

const image = makePng({ width: 240, height: 60 });
async function branded(name: string, fields: object = {}): Promise<TestAccount> {
	const account = await w.account();
	const set = await account.api('PUT', '/account/branding', { json: { name, accent: '#7f4fc9', ...fields } });
	assert.equal(set.status, 200, set.text);
	const logo = await account.api('PUT', '/account/branding/logo', { body: image });
	assert.equal(logo.status, 200, logo.text);
	return account;
}

const addWebsite = async (account: TestAccount) =>
	websiteOf(await account.api('POST', '/websites', { form: { domain: freshDomain(), email: '1' } }), 201);

async function sendReport(account: TestAccount): Promise<Email> {
	const { id, domain } = await addWebsite(account);
	const mailing = createMailing(services, account.id, [
		sampleReport({ website: { id, domain, name: domain } }),
	]);
	await postgres.transaction((tx) => mailing.queue(tx));
	const [mail] = await mails(1);
	assert.ok(mail);
	return mail;
}

test('[C-LABEL-6] a report has the name, the logo and the color of its account, and loads nothing', async () => {
	const mail = await sendReport(await branded('Acme Analytics'));
	assert.deepEqual(mail.from, { address: 'stats@example.test', name: 'Acme Analytics' });
	const [logo] = mail.attachments;
	assert.deepEqual(
		[mail.attachments.length, logo?.contentId, logo?.mimeType, logo?.disposition],
		[1, '<logo>', 'image/png', 'inline'],
	);
	// The type says that it may be a text.
	assert.deepEqual(Buffer.from(logo?.content as ArrayBuffer), image);
	const { html = '', text = '' } = mail;
	assert.deepEqual(html.match(/<img [^>]*>/g)?.length, 1);
	assert.match(html, /<img src="cid:logo" alt="Acme Analytics" width="144" height="36"/);
	assert.ok(html.includes('background-color:#7f4fc9'), 'the button has the accent');
	assert.ok(!html.includes('#0a7f78'), 'no shade of the service is left');
	assert.match(text, /Acme Analytics\nPowered by Tidemark\n+$/);
	assert.ok(html.includes('Powered by Tidemark'));
	const loaded = html.match(/\b(?:src|srcset|background|poster)="[^"]*"|url\([^)]*\)|<link|@import/g);
	assert.deepEqual(loaded, ['src="cid:logo"']);
});

test('[C-LABEL-7] without "powered by", no part of a report names Tidemark', async () => {
	const mail = await sendReport(await branded('Acme', { powered_by: false }));
	assert.doesNotMatch(partsOf(mail), /Tidemark/);
});

test('[C-LABEL-6] [T263] a report of another account has its own brand, or none', async () => {
	await branded('Acme');
	const mail = await sendReport(await w.account());
	assert.deepEqual(mail.from, { address: 'stats@example.test', name: 'Tidemark' });
	assert.deepEqual(mail.attachments, []);
	assert.doesNotMatch(partsOf(mail), /Acme|#7f4fc9/);
});

test('[C-LABEL-6] invitations, alerts and requests for consent come from the account', async () => {
	const account = await branded('Acme');
	await givePassword(w, account);
	const person = await signedIn(w, account);
	const { id } = await addWebsite(account);
	server.forget();
	const invited = await person('POST', `/websites/${id}/people/invitations`, {
		json: { role: 'viewer', email: 'client@example.test' },
	});
	assert.equal(invited.status, 201, invited.text);
	const asked = await person('POST', '/reports/recipients', { json: { email: 'other@example.test' } });
	assert.equal(asked.status, 201, asked.text);
	const alert = await account.api('POST', `/websites/${id}/alerts`, {
		json: { kind: 'spike', channel: 'mail' },
	});
	assert.equal(alert.status, 201, alert.text);
	const { data } = alert.json as { data: { id: number } };
	assert.equal((await account.api('POST', `/websites/${id}/alerts/${data.id}/test`)).status, 200);
	for (const mail of await mails(3)) {
		assert.deepEqual(mail.from, { address: 'stats@example.test', name: 'Acme' }, mail.subject);
		assert.doesNotMatch(partsOf(mail), /Tidemark/);
	}
	const invitation = (await mails(3)).find(({ to }) => to?.[0]?.address === 'client@example.test');
	assert.match(invitation?.text ?? '', /invited you to view website statistics on "Acme"\./);
});

test('[T262] security notices come from the service, whatever the brand of the account', async () => {
	const account = await branded('Acme Security', { powered_by: false });
	await givePassword(w, account);
	server.forget();
	await signedIn(w, account, { isNew: true });
	const [mail] = await mails(1);
	assert.equal(mail?.subject, 'New sign-in to your Tidemark account');
	assert.deepEqual(mail?.from, { address: 'stats@example.test', name: 'Tidemark' });
	assert.deepEqual(mail?.attachments, []);
	assert.doesNotMatch(partsOf(mail as Email), /Acme/);
});

test('[T261][T262] a name in a mail is one line without a link or an address', async () => {
	const account = await branded('Bank <security@bank.example> www.bank.example "x"');
	const mail = await sendReport(account);
	assert.deepEqual(mail.from?.address, 'stats@example.test');
	assert.ok(mail.html?.includes('alt="Bank &lt;security@bank.example&gt; www.bank.example &quot;x&quot;"'));
	assert.equal(mail.from?.name, 'Bank security bank example www bank exa…');
});
