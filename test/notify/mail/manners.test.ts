import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { createLog } from '../../../server/lib/log.ts';
import { queueMail } from '../../../server/notify/mail/queue.ts';
import { recipientsOf } from '../../../server/notify/mail/recipients.ts';
import { unsubscribeUrl } from '../../../server/notify/mail/unsubscribe.ts';
import { openPostgres } from '../../../server/store/postgres.ts';
import { until } from '../../engine/engine.ts';
import { send } from '../../support/client.ts';
import { assertProblem, freshDomain, websiteOf } from '../../support/contract.ts';
import { startMailServer } from '../../support/mail-server.ts';
import { givePassword, signedIn, type Visitor, visitor } from '../../support/visitor.ts';
import { world } from '../../support/world.ts';

const server = await startMailServer({ after });
let moment = new Date('2026-11-15T09:00:00.000Z');
const later = (days: number) => {
	moment = new Date(moment.getTime() + days * 86_400_000);
};
const w = await world(
	{ after },
	{
		now: () => moment,
		settings: {
			TIDEMARK_SMTP_HOST: '127.0.0.1',
			TIDEMARK_SMTP_PORT: String(server.port),
			TIDEMARK_SMTP_TLS: 'none',
			TIDEMARK_MAIL_FROM: 'Tidemark <stats@example.test>',
			TIDEMARK_MAILS_PER_ACCOUNT_A_DAY: '100',
			TIDEMARK_MAILS_A_DAY: '150',
		},
	},
);
const log = createLog('warn', (line) => logged.push(line));
const logged: string[] = [];
const postgres = openPostgres(w.postgresTarget, { log, connections: 3 });
after(() => postgres.close());
const links = { baseUrl: () => w.publicUrl, key: Buffer.alloc(32, 7) };

beforeEach(async () => {
	await w.sql('DELETE FROM outbox');
	await w.sql('DELETE FROM mail_counts');
	await w.sql('DELETE FROM attempts');
	server.forget();
});

async function person(about: Parameters<typeof w.account>[0] = {}) {
	const account = await w.account(about);
	await givePassword(w, account);
	/** Signed in anew each time: days pass here. */
	const browser: Visitor = Object.assign(
		async (...call: Parameters<Visitor>) => (await signedIn(w, account))(...call),
		{ cookies: new Map() },
	);
	return { account, browser };
}

const tokenIn = (text = '', word = 'confirm') =>
	new RegExp(`https://stats\\.example\\.test/${word}/([\\w.-]+)\\s`).exec(text)?.[1] ?? '';

/** Waits for the next mail and gives its text. */
async function nextMail(count: number) {
	await until(() => server.sources().length >= count, 15_000);
	const mail = (await server.mails())[count - 1];
	assert.ok(mail);
	return mail;
}

const stateOf = async (id: number, address: string) => {
	const rows = await w.sql<{ confirmed_at: Date | null; unsubscribed_at: Date | null }>(
		'SELECT confirmed_at, unsubscribed_at FROM report_recipients WHERE account_id = $1 AND address = $2',
		[id, address],
	);
	return rows.map((row) => [row.confirmed_at !== null, row.unsubscribed_at !== null]);
};

test('[C-RECIP-8] a key names the recipients of a website in its settings: new ones are asked, others removed', async () => {
	const { account, browser } = await person();
	const { id } = websiteOf(await account.api('POST', '/websites', { form: { domain: freshDomain() } }), 201);
	const path = `/websites/${id}/settings`;
	const recipientsIn = (answer: { json: unknown }) =>
		(answer.json as { data: { recipients: unknown } }).data.recipients;
	const put = (call: Parameters<typeof account.api>[2], api = account.api) => api('PUT', path, call);
	const asked = (...addresses: string[]) => addresses.map((email) => ({ email, state: 'asked' }));
	const two = await put({
		form: 'recipients=ann@example.test,ben@example.test&recipients[]=ANN@example.test',
	});
	assert.equal(two.status, 200, two.text);
	assert.deepEqual(recipientsIn(two), asked('ann@example.test', 'ben@example.test'));
	const mail = await nextMail(2);
	const { address = '' } = mail.to?.[0] ?? {};
	assert.equal((await send(w.base, 'POST', `/confirm/${tokenIn(mail.text)}`)).status, 200);
	const read = await account.api('GET', path);
	assert.match(JSON.stringify(recipientsIn(read)), new RegExp(`"${address}","state":"confirmed"`));
	// What was read is sent back and changes nothing; nobody is asked twice.
	const { data } = read.json as { data: Record<string, unknown> };
	assert.equal((await put({ json: data })).text, read.text);
	assert.equal((await put({ json: { labels: ['a'] } })).status, 200);
	assert.equal((await put({ json: { ...data, recipients: null } })).text, read.text);
	assert.equal(server.sources().length, 2);
	// Whoever is signed in sees the same list.
	const listed = await browser('GET', '/reports/recipients');
	assert.match(listed.text, /ann@example\.test.*ben@example\.test|ben@example\.test.*ann@example\.test/);
	const bad = await put({ json: { recipients: ['no address'], labels: {}, hostnames: 'a b' } });
	assertProblem(bad, 'validation_failed', ['recipients', 'labels', 'hostnames']);
	assertProblem(await put({ json: { recipients: [account.email], labels: ['b'] } }), 'validation_failed', [
		'recipients',
	]);
	assert.equal((await account.api('GET', path)).text, read.text, 'one bad field and nothing is applied');
	const one = await put({ json: { recipients: [address] } });
	assert.deepEqual(recipientsIn(one), [{ email: address, state: 'confirmed' }]);
	const recipients = await recipientsOf(postgres, account.id, id, links);
	assert.deepEqual(
		recipients.map((each) => each.address),
		[account.email, address],
	);
	// Removing and naming somebody anew is no way to ask them again.
	assertProblem(
		await put({ form: { recipients: 'ann@example.test\nben@example.test' } }),
		'too_many_requests',
	);
	assert.deepEqual(recipientsIn(await put({ form: { recipients: '' } })), []);
	const reader = (await w.key(account, { access: 'read' })).key;
	const readOnly = (method: string, call = {}) =>
		send(w.base, method, `/api/v1${path}`, { key: reader, ...call });
	assert.deepEqual(recipientsIn(await readOnly('GET')), []);
	assertProblem(await readOnly('PUT', { form: { recipients: 'x@example.test' } }), 'forbidden');
});

test('[C-RECIP-8] members neither see nor change the recipients of a website', async () => {
	const { account } = await person();
	const { account: admin, browser } = await person();
	const { id } = websiteOf(await account.api('POST', '/websites', { form: { domain: freshDomain() } }), 201);
	const path = `/websites/${id}/settings`;
	await account.api('PUT', path, { form: { recipients: 'cleo@example.test' } });
	await w.sql(
		`INSERT INTO members (owner_id, website_id, member_id, role, created_at) VALUES ($1, $2, $3, 'admin', now())`,
		[account.id, id, admin.id],
	);
	const read = await browser('GET', path);
	assert.equal((read.json as { data: { recipients: unknown } }).data.recipients, null);
	const { data } = read.json as { data: Record<string, unknown> };
	assert.equal((await browser('PUT', path, { json: data })).status, 200);
	for (const recipients of [[], ['dora@example.test']])
		assertProblem(await browser('PUT', path, { json: { recipients } }), 'forbidden');
	assert.match((await account.api('GET', path)).text, /cleo@example\.test/);
});

test('[T43] [T79] [C-RECIP-1] [C-RECIP-2] who is named gets one mail, and reports once they pressed its button; the link is good once', async () => {
	const { account, browser } = await person({
		name: 'Eve\r\nBcc: x@example.test\r\n\r\n<b>hi</b>',
		locale: 'de',
	});
	const asked = await browser('POST', '/reports/recipients', {
		json: { email: 'ann@example.test' },
		headers: { host: 'evil.example', 'x-forwarded-host': 'evil.example' },
	});
	assert.equal(asked.status, 201, asked.text);
	const mail = await nextMail(1);
	assert.deepEqual(mail.to, [{ name: '', address: 'ann@example.test' }]);
	assert.equal(mail.subject, 'Abo von Website-Berichten bestätigen');
	assert.match(mail.text ?? '', /^"Eve Bcc x example test b hi b" möchte dir/);
	const [source = ''] = server.sources();
	const headers = source
		.slice(0, source.search(/\r?\n\r?\n/))
		.replace(/\r?\n[ \t]+/g, ' ')
		.split(/\r?\n/)
		.map((line) => line.split(':')[0]?.toLowerCase());
	assert.deepEqual(
		headers.toSorted(),
		[
			...[
				'content-transfer-encoding',
				'content-type',
				'date',
				'from',
				'list-unsubscribe',
				'list-unsubscribe-post',
			],
			...['message-id', 'mime-version', 'subject', 'to'],
		],
		'exactly the headers that we wrote',
	);
	assert.doesNotMatch(source, /evil/);
	const token = tokenIn(mail.text);
	assert.equal(token.length, 43, mail.text);
	const stored = JSON.stringify(
		await w.sql(`SELECT encode(digest, 'escape') AS d, r.* FROM report_recipients r`),
	);
	assert.ok(!stored.includes(token), 'the database holds a digest');
	const addresses = async () =>
		(await recipientsOf(postgres, account.id, 1, links)).map(({ address }) => address);
	assert.deepEqual(await addresses(), [account.email], 'nothing is mailed to who has not agreed');
	const page = await send(w.base, 'GET', `/confirm/${token}`);
	assert.equal(page.status, 200);
	assert.match(page.text, /<html lang="de">.*<button>Abonnieren<\/button>/s);
	assert.match(page.text, /<p>&quot;Eve Bcc x example test b hi b&quot; möchte dir/);
	assert.match(page.headers['content-security-policy'] ?? '', /^default-src 'none'; style-src 'sha256-/);
	assert.deepEqual(await stateOf(account.id, 'ann@example.test'), [[false, false]], 'a look changes nothing');
	const presses = await Promise.all([1, 2].map(() => send(w.base, 'POST', `/confirm/${token}`)));
	assert.deepEqual(presses.map(({ status }) => status).toSorted(), [200, 410]);
	assert.equal((await send(w.base, 'GET', `/confirm/${token}`)).status, 410);
	assert.equal((await send(w.base, 'POST', `/confirm/${token}`)).status, 410);
	assert.deepEqual(await addresses(), [account.email, 'ann@example.test']);
	const list = await browser('GET', '/reports/recipients');
	assert.match(list.text, /"email":"ann@example.test","website":null,"state":"confirmed"/);
});

test('[T43] [C-RECIP-3] an address is asked again after a day, three times in all, and never more by deleting it', async () => {
	const { browser } = await person();
	const ask = () => browser('POST', '/reports/recipients', { json: { email: 'bob@example.test' } });
	const first = await ask();
	assert.equal(first.status, 201, first.text);
	assertProblem(await ask(), 'too_many_requests');
	later(8);
	assert.equal(
		(await send(w.base, 'POST', `/confirm/${tokenIn((await nextMail(1)).text)}`)).status,
		410,
		'after seven days',
	);
	assert.match((await browser('GET', '/reports/recipients')).text, /"state":"expired"/);
	assert.equal((await ask()).status, 201);
	later(2);
	const listed = JSON.parse((await browser('GET', '/reports/recipients')).text).data.recipients;
	assert.equal((await browser('DELETE', `/reports/recipients/${listed[0].id}`)).status, 200);
	assert.equal((await ask()).status, 201);
	later(2);
	assertProblem(await ask(), 'validation_failed');
	await nextMail(3);
});

test('[T43] [C-RECIP-4] one press stops the mails, without a sign-in, and for good; a look does not', async () => {
	const { account, browser } = await person();
	await browser('POST', '/reports/recipients', { json: { email: 'cora@example.test' } });
	const mail = await nextMail(1);
	await send(w.base, 'POST', `/confirm/${tokenIn(mail.text)}`);
	const stop = mail.headers.find(({ key }) => key === 'list-unsubscribe')?.value ?? '';
	assert.equal(
		mail.headers.find(({ key }) => key === 'list-unsubscribe-post')?.value,
		'List-Unsubscribe=One-Click',
	);
	const path = new URL(stop.slice(1, -1)).pathname;
	const page = await send(w.base, 'GET', path);
	assert.match(page.text, /cora@example\.test.*<form method="post"><button>Unsubscribe/s);
	assert.deepEqual(await stateOf(account.id, 'cora@example.test'), [[true, false]]);
	for (let time = 0; time < 2; time++) {
		const pressed = await send(w.base, 'POST', path, { form: { 'List-Unsubscribe': 'One-Click' } });
		assert.equal(pressed.status, 200, pressed.text);
	}
	assert.deepEqual(await stateOf(account.id, 'cora@example.test'), [[true, true]]);
	assert.equal((await recipientsOf(postgres, account.id, 1, links)).length, 1);
	later(9);
	assertProblem(
		await browser('POST', '/reports/recipients', { json: { email: 'Cora@Example.test' } }),
		'validation_failed',
	);
	const listed = JSON.parse((await browser('GET', '/reports/recipients')).text).data.recipients;
	await browser('DELETE', `/reports/recipients/${listed[0].id}`);
	assertProblem(
		await browser('POST', '/reports/recipients', { json: { email: 'cora@example.test' } }),
		'validation_failed',
	);
	const [, id = ''] = /unsubscribe\/r(\d+)\./.exec(path) ?? [];
	for (const forged of [
		path.replace(/r\d+/, `r${Number(id) + 1}`),
		path.replace(/r(\d+)/, 'o$1'),
		`${path.slice(0, -1)}${path.endsWith('A') ? 'B' : 'A'}`,
		new URL(unsubscribeUrl(links, { kind: 'recipient', id: Number(id) })).pathname,
	])
		assert.equal((await send(w.base, 'POST', forged)).status, 404, forged);
});

test('[C-RECIP-5] the own address stops its reports the same way', async () => {
	const { account, browser } = await person();
	await browser('POST', '/reports/recipients', { json: { email: 'dan@example.test' } });
	// The key of the service is its own: a link of its making is all there is to learn from.
	const key = await import('../../../server/lib/secrets.ts').then(({ deriveKey, readOrMakeSecret }) =>
		deriveKey(readOrMakeSecret(w.config.dataFolder, 'secret'), 'links in mails'),
	);
	const url = unsubscribeUrl({ ...links, key }, { kind: 'reports', id: account.id, personId: account.id });
	assert.equal((await send(w.base, 'GET', new URL(url).pathname)).status, 200);
	const schedule = () =>
		w.sql<{ report_schedule: string }>('SELECT report_schedule FROM accounts WHERE id = $1', [account.id]);
	assert.notEqual((await schedule())[0]?.report_schedule, 'none');
	assert.equal((await send(w.base, 'POST', new URL(url).pathname)).status, 200);
	assert.equal((await schedule())[0]?.report_schedule, 'none');
});

test('[C-RECIP-9] links in old mails to an owner end when the account has another primary owner', async () => {
	const { account } = await person();
	const { account: next } = await person();
	const website = websiteOf(await account.api('POST', '/websites', { form: { domain: freshDomain() } }), 201);
	const alert = await account.api('POST', `/websites/${website.id}/alerts`, {
		json: { name: 'Spike', kind: 'spike', channel: 'mail' },
	});
	assert.equal(alert.status, 201, alert.text);
	const alertId = (alert.json as { data: { id: number } }).data.id;
	const key = await import('../../../server/lib/secrets.ts').then(({ deriveKey, readOrMakeSecret }) =>
		deriveKey(readOrMakeSecret(w.config.dataFolder, 'secret'), 'links in mails'),
	);
	const pathOf = (kind: 'reports' | 'alert', personId: number | undefined) =>
		new URL(
			unsubscribeUrl({ ...links, key }, { kind, id: kind === 'reports' ? account.id : alertId, personId }),
		).pathname;
	const state = async () => {
		const [row] = await w.sql<{ schedule: string; enabled: boolean }>(
			'SELECT report_schedule AS schedule, (SELECT enabled FROM alerts WHERE id = $2) AS enabled FROM accounts WHERE id = $1',
			[account.id, alertId],
		);
		return row;
	};
	const before = await state();
	assert.equal(before?.enabled, true);
	assert.notEqual(before.schedule, 'none');
	// A link of an earlier version names nobody.
	const old = [
		pathOf('reports', account.id),
		pathOf('alert', account.id),
		pathOf('reports', undefined),
		pathOf('alert', undefined),
	];
	for (const path of old) assert.ok((await send(w.base, 'GET', path)).text.includes(account.email), path);
	await w.sql('UPDATE account_owners SET is_primary = false WHERE account_id = $1', [account.id]);
	await w.sql(
		'INSERT INTO account_owners (account_id, person_id, is_primary, created_at) VALUES ($1, $2, true, now())',
		[account.id, next.id],
	);
	for (const path of old) {
		assert.equal((await send(w.base, 'GET', path)).text.includes(next.email), false, path);
		assert.equal((await send(w.base, 'POST', path)).status, 200);
	}
	assert.deepEqual(await state(), before);
	for (const kind of ['reports', 'alert'] as const)
		assert.equal((await send(w.base, 'POST', pathOf(kind, next.id))).status, 200);
	assert.deepEqual(await state(), { schedule: 'none', enabled: false });
});

test('[C-RECIP-6] recipients are their own account’s, of its own websites; a disabled account mails nobody', async () => {
	const { account, browser } = await person();
	const other = await person();
	const website = websiteOf(await account.api('POST', '/websites', { form: { domain: freshDomain() } }), 201);
	const theirs = websiteOf(
		await other.account.api('POST', '/websites', { form: { domain: freshDomain() } }),
		201,
	);
	const ask = (json: Record<string, unknown>) => browser('POST', '/reports/recipients', { json });
	assertProblem(await ask({ email: 'e@example.test', website_id: theirs.id }), 'not_found');
	assertProblem(await ask({ email: account.email }), 'validation_failed');
	assertProblem(await ask({ email: 'not an address' }), 'validation_failed');
	assert.equal((await ask({ email: 'e@example.test', website_id: website.id })).status, 201);
	await send(w.base, 'POST', `/confirm/${tokenIn((await nextMail(1)).text)}`);
	const of = async (id: number) => (await recipientsOf(postgres, account.id, id, links)).length;
	assert.deepEqual([await of(website.id), await of(theirs.id)], [2, 1]);
	const [row] = await w.sql<{ id: string }>('SELECT id FROM report_recipients WHERE account_id = $1', [
		account.id,
	]);
	assertProblem(await other.browser('DELETE', `/reports/recipients/${row?.id}`), 'not_found');
	assertProblem(await visitor(() => w.base)('GET', '/reports/recipients'), 'unauthenticated');
	await w.operate('account.disable', { email: account.email, disabled: true });
	assert.equal(await of(website.id), 0);
});

test('[T43] [C-RECIP-7] a thousand mails in a minute meet the quota of the account, and all accounts that of the service', async () => {
	logged.length = 0;
	const { account, browser } = await person();
	const quota = { perAccount: 100, inAll: 150, log };
	/** So many, in several transactions at once. */
	async function queue(accountId: number, count: number, first = 0): Promise<number> {
		const groups = Array.from({ length: Math.ceil(count / 50) }, (_, n) => n * 50);
		const taken = await Promise.all(
			groups.map((from) =>
				postgres.transaction(async (tx) => {
					let queued = 0;
					for (let n = from; n < Math.min(from + 50, count); n++)
						if (
							await queueMail(tx, () => moment, {
								key: `report ${accountId} ${first + n}`,
								mail: { to: 'x@example.test', subject: 'A report', text: 'x' },
								by: { accountId, quota },
							})
						)
							queued++;
					return queued;
				}),
			),
		);
		return taken.reduce((sum, queued) => sum + queued, 0);
	}
	assert.equal(await queue(account.id, 1_000), 100);
	const list = await browser('GET', '/reports/recipients');
	assert.match(list.text, /"mails_today":\{"queued":100,"most":100,"refused":900\}/);
	const asked = await browser('POST', '/reports/recipients', { json: { email: 'f@example.test' } });
	assertProblem(asked, 'limit_reached');
	const other = await w.account();
	assert.equal(await queue(other.id, 100), 50);
	const [count] = await w.sql<{ count: string }>(`SELECT count(*) FROM outbox WHERE key LIKE 'report %'`);
	assert.equal(Number(count?.count), 150);
	assert.equal(logged.length, 3, 'said once for each account and once for the service');
	assert.equal(await queue(account.id, 1), 0, 'what was queued before is not queued again');
	later(1);
	assert.equal(await queue(other.id, 1, 1_000), 1, 'tomorrow is another day');
	const reset = await visitor(() => w.base)('POST', '/session/forgotten', { json: { email: account.email } });
	assert.equal(reset.status, 200, 'forgotten passwords are not counted');
});
