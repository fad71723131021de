import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, test } from 'node:test';
import { createOpenDays } from '../../server/derive/open-days.ts';
import { pendingInTable } from '../../server/event-log/postgres-log.ts';
import { createLog } from '../../server/lib/log.ts';
import { createSafeFetch } from '../../server/lib/safe-fetch.ts';
import { deriveKey, readOrMakeSecret } from '../../server/lib/secrets.ts';
import { alertsIn } from '../../server/notify/alerts.ts';
import { createAlertWatch } from '../../server/notify/watch-alerts.ts';
import { sendWebhooks } from '../../server/notify/webhooks.ts';
import { answer } from '../../server/stats/answer/answer.ts';
import { createResultCache } from '../../server/stats/answer/result-cache.ts';
import { openPostgres, type Postgres } from '../../server/store/postgres.ts';
import { until } from '../engine/engine.ts';
import { send } from '../support/client.ts';
import { assertProblem, freshDomain, type Website, websiteOf } from '../support/contract.ts';
import { startHookServer } from '../support/hook-server.ts';
import { startMailServer } from '../support/mail-server.ts';
import { storeEvents } from '../support/stored-events.ts';
import { type TestAccount, world } from '../support/world.ts';

const hooks = await startHookServer({ after });
const mails = await startMailServer({ after });
/** A Sunday. The jobs of the service read the same clock. */
let moment = new Date('2026-11-15T09:30:00.000Z');
const now = () => moment;
const later = (minutes: number) => {
	moment = new Date(moment.getTime() + minutes * 60_000);
};
const w = await world(
	{ after },
	{
		now,
		settings: {
			TIDEMARK_WEBHOOK_ALLOWED_HOSTS: hooks.host,
			TIDEMARK_SMTP_HOST: '127.0.0.1',
			TIDEMARK_SMTP_PORT: String(mails.port),
			TIDEMARK_SMTP_TLS: 'none',
			TIDEMARK_MAIL_FROM: 'Tidemark <stats@example.test>',
		},
	},
);
const owner = await w.account({ locale: 'en', timezone: 'UTC' });
const lines: string[] = [];
const log = createLog('warn', (line) => lines.push(line));
let postgres = openPostgres(w.postgresTarget, { log, connections: 4 });
after(() => postgres.close());
const secret = readOrMakeSecret(w.config.dataFolder, 'secret');
const vault = { key: deriveKey(secret, 'secrets of alerts'), allowedHosts: [hooks.host], now };
const services = (of: Postgres = postgres) => ({
	...{ postgres: of, eventLog: pendingInTable(of), clickhouse: w.clickhouse, now, log, vault },
	links: { baseUrl: () => w.publicUrl, key: deriveKey(secret, 'links in mails') },
	quota: { perAccount: 1_000, inAll: 1_000, log },
	hasMail: true,
	outside: createSafeFetch(vault),
	signal: new AbortController().signal,
});
/** `aheadMs`: no two clocks agree. */
const watch = (of?: Postgres, aheadMs = 0) =>
	createAlertWatch()({ ...services(of), now: () => new Date(moment.getTime() + aheadMs) });
const deliver = () => sendWebhooks(services());

type Alert = { id: number; secret?: string; url: string | null } & Record<string, unknown>;
async function newWebsite(form: Record<string, string> = {}): Promise<Website> {
	return websiteOf(
		await owner.api('POST', '/websites', { form: { domain: freshDomain(), timezone: 'UTC', ...form } }),
		201,
	);
}
async function newAlert(
	website: Website,
	about: Record<string, unknown>,
	as: TestAccount = owner,
): Promise<Alert> {
	const answer = await as.api('POST', `/websites/${website.id}/alerts`, { json: about });
	assert.equal(answer.status, 201, answer.text);
	return (answer.json as { data: Alert }).data;
}
const readAlert = async ({ id }: Website, alert: Alert) =>
	((await owner.api('GET', `/websites/${id}/alerts/${alert.id}`)).json as { data: Alert }).data;

const minuteMs = 60_000;
const weekMs = 7 * 24 * 60 * minuteMs;
let ids = 1;
/** So many visitors, a minute apart, up to `endMs`. */
function visits(count: number, endMs: number, more: Record<string, string> = {}) {
	return Array.from({ length: count }, (_, index) => {
		const time = new Date(endMs - (index + 1) * minuteMs).toISOString();
		return {
			...{ date: time.slice(0, 10), time: time.replace('T', ' ').slice(0, -1) },
			...{
				visitor_id: String(ids++),
				event_id: String(ids),
				kind: 'pageview' as const,
				name: 'pageview',
				...more,
			},
		};
	});
}
/** Four weeks in which so many came in the hour before now. */
const usually = (count: number) =>
	[1, 2, 3, 4].flatMap((week) => visits(count, moment.getTime() - week * weekMs));

const bodyOf = (path: string, index = 0) => JSON.parse(hooks.at(path)[index]?.body ?? 'null');

test('[C-ALERT-3] a spike is told once in twelve hours, and what is usual is not told', async () => {
	const [busy, calm, young] = [await newWebsite(), await newWebsite(), await newWebsite()];
	for (const [name, website] of Object.entries({ busy, calm, young }))
		await newAlert(website, { kind: 'spike', channel: 'webhook', url: hooks.url(`/spike/${name}`) });
	// The hour of one odd week does not change what is usual.
	await storeEvents(w, busy.id, [
		...usually(5),
		...visits(50, moment.getTime() - 2 * weekMs),
		...visits(16, moment.getTime()),
	]);
	await storeEvents(w, calm.id, [...usually(5), ...visits(15, moment.getTime())]);
	await storeEvents(w, young.id, visits(50, moment.getTime()));
	await watch();
	await watch();
	await deliver();
	await until(() => hooks.at('/spike/busy').length === 1, 10_000);
	const { id, created_at, url, text, ...body } = bodyOf('/spike/busy');
	assert.match(id, /^[\da-f-]{36}$/);
	assert.equal(created_at, moment.toISOString());
	assert.equal(url, `${w.publicUrl}/websites/${busy.id}`);
	assert.match(text, new RegExp(`^${busy.domain} had 16 visitors in the last hour\\..* is 5\\.$`));
	assert.equal(body.type, 'spike');
	assert.deepEqual([body.visitors, body.usual, body.website], [16, 5, { id: busy.id, domain: busy.domain }]);
	assert.deepEqual([hooks.at('/spike/calm').length, hooks.at('/spike/young').length], [0, 0]);
	later(60);
	await storeEvents(w, busy.id, visits(40, moment.getTime()));
	await watch();
	await deliver();
	assert.equal(hooks.at('/spike/busy').length, 1, 'not again within twelve hours');
	later(12 * 60);
	await storeEvents(w, busy.id, visits(40, moment.getTime()));
	await watch();
	await deliver();
	await until(() => hooks.at('/spike/busy').length === 2, 10_000);
});

test('[C-ALERT-3] a spike says what it comes from, and does not wait for that', async () => {
	const rise = async (name: string) => {
		const website = await newWebsite();
		await newAlert(website, { kind: 'spike', channel: 'webhook', url: hooks.url(`/why/${name}`) });
		await storeEvents(w, website.id, [
			...usually(5),
			...visits(4, moment.getTime(), { source: 'Google' }),
			...visits(30, moment.getTime(), { source: 'ChatGPT', path: '/pricing' }),
		]);
	};
	const openDays = createOpenDays(services());
	const results = createResultCache();
	await rise('told');
	try {
		await createAlertWatch({ explainForMs: 60_000 })({
			...services(),
			ask: (question, _, signal) => answer(question, { ...services(), openDays, results }, { signal }),
		});
	} finally {
		results.close();
		await openDays.close();
	}
	await rise('slow');
	await createAlertWatch({ explainForMs: 50 })({ ...services(), ask: () => new Promise(() => {}) });
	await deliver();
	await until(() => hooks.at('/why/told').length + hooks.at('/why/slow').length === 2, 10_000);
	const { text, change } = bodyOf('/why/told');
	assert.match(
		text,
		/ Compared with the same hour a week ago: Visitors rose by 29 \(\+580%\), mostly on \/pricing \(\+30\), especially from ChatGPT \(\+30\)\.$/,
	);
	assert.equal(change.cause.value, '/pricing');
	const other = bodyOf('/why/slow');
	assert.match(other.text, /34 visitors in the last hour\. The usual number .* is 5\.$/);
	assert.equal('change' in other, false);
});

test('[C-ALERT-4] a silence is told once, and that it is over; not where it is usual, nor where we did not run', async () => {
	const [shop, blog] = [await newWebsite(), await newWebsite()];
	const alert = await newAlert(shop, {
		kind: 'silence',
		hours: 3,
		channel: 'webhook',
		url: hooks.url('/silence/shop'),
	});
	await newAlert(blog, { kind: 'silence', hours: 3, channel: 'webhook', url: hooks.url('/silence/blog') });
	await storeEvents(w, shop.id, usually(3));
	await storeEvents(w, blog.id, visits(3, moment.getTime() - 3 * weekMs));
	const last = moment.getTime() - 4 * 60 * minuteMs;
	await storeEvents(w, shop.id, visits(1, last));
	await w.sql('DELETE FROM watching');
	await watch();
	assert.equal((await readAlert(shop, alert)).last_fired_at, null, 'nobody watched before');
	await w.sql('UPDATE watching SET since = $1', [new Date(moment.getTime() - 4 * 60 * minuteMs)]);
	await watch();
	await watch();
	await deliver();
	await until(() => hooks.at('/silence/shop').length === 1, 10_000);
	const { type, hours, since } = bodyOf('/silence/shop');
	assert.deepEqual([type, hours, Date.parse(since)], ['silence', 3, last - minuteMs]);
	assert.equal(hooks.at('/silence/blog').length, 0);
	later(5);
	await storeEvents(w, shop.id, visits(1, moment.getTime()));
	await watch();
	await watch();
	await deliver();
	await until(() => hooks.at('/silence/shop').length === 2, 10_000);
	assert.deepEqual([bodyOf('/silence/shop', 1).type, bodyOf('/silence/shop', 1).since], ['back', since]);
	await w.sql('DELETE FROM alerts WHERE website_id = ANY($1)', [[shop.id, blog.id]]);
});

test('[C-ALERT-5][C-GOAL-5] a goal is told when it is first reached, whatever it is called', async () => {
	const website = await newWebsite();
	const goal = async (json: Record<string, unknown>) =>
		((await owner.api('POST', `/websites/${website.id}/goals`, { json })).json as { data: { id: number } })
			.data.id;
	const thanks = await goal({ name: '<b>Thanks</b> & bye', kind: 'page', pattern: '/thanks*' });
	const sale = await goal({
		name: 'Sale',
		kind: 'event',
		pattern: 'sale',
		property: { name: 'plan', value: 'gold' },
	});
	const large = await goal({
		name: 'Large sale',
		kind: 'event',
		pattern: 'sale',
		property: { name: 'amount', value: 100, test: 'at_least' },
	});
	await storeEvents(w, website.id, visits(1, moment.getTime(), { path: '/thanks/before' }));
	later(1);
	await newAlert(website, {
		kind: 'goal',
		goal_id: thanks,
		channel: 'slack',
		url: hooks.url('/goal/thanks'),
	});
	await newAlert(website, { kind: 'goal', goal_id: sale, channel: 'ntfy', url: hooks.url('/goal/sale') });
	await newAlert(website, { kind: 'goal', goal_id: large, channel: 'ntfy', url: hooks.url('/goal/large') });
	await watch();
	later(3);
	await storeEvents(w, website.id, [
		...visits(1, moment.getTime(), { path: '/thank' }),
		{
			...visits(1, moment.getTime())[0],
			date: '2026-11-15',
			kind: 'custom',
			name: 'sale',
			properties: { plan: 'free', amount: '99.99' },
		},
	]);
	await watch();
	await deliver();
	assert.deepEqual(
		['thanks', 'sale', 'large'].map((name) => hooks.at(`/goal/${name}`).length),
		[0, 0, 0],
	);
	const [event] = visits(1, moment.getTime());
	assert.ok(event);
	await storeEvents(w, website.id, [
		...visits(2, moment.getTime(), { path: '/thanks/you' }),
		{ ...event, kind: 'custom', name: 'sale', properties: { plan: 'gold', amount: '100.0' } },
	]);
	await watch();
	await watch();
	await deliver();
	const reached = () => ['thanks', 'sale', 'large'].every((name) => hooks.at(`/goal/${name}`).length === 1);
	await until(reached, 10_000);
	assert.match(bodyOf('/goal/thanks').text, /&lt;b&gt;Thanks&lt;\/b&gt; &amp; bye/);
	const [push] = hooks.at('/goal/sale');
	assert.match(push?.body ?? '', /The goal “Sale” was reached on .* for the first time\./);
	assert.equal(
		Buffer.from(String(push?.headers.title).slice('=?UTF-8?B?'.length, -2), 'base64').toString(),
		'Goal “Sale” reached',
	);
	later(1);
	await storeEvents(w, website.id, visits(2, moment.getTime(), { path: '/thanks/again' }));
	await watch();
	await deliver();
	assert.equal(hooks.at('/goal/thanks').length, 1, 'once');
});

test('[C-ALERT-6] of two who watch at once one tells it, and one who dies at any step loses nothing', async () => {
	const website = await newWebsite();
	// Five are told by those who die, the others by those who watch at once.
	const all = Array.from({ length: 8 }, (_, n) => n);
	for (const n of all)
		await newAlert(website, { kind: 'spike', channel: 'webhook', url: hooks.url(`/once/${n}`) });
	await storeEvents(w, website.id, [...usually(5), ...visits(20, moment.getTime())]);
	const told = async () =>
		(
			await w.sql<{ count: string }>(
				'SELECT count(*) FROM outbox d JOIN alerts a ON a.id = d.alert_id WHERE a.website_id = $1',
				[website.id],
			)
		)[0]?.count;
	// Dies before the nth statement of its transactions, or right after a commit.
	for (let step = 1; step <= 6; step++) await assert.rejects(watch(dyingAt(step)), /killed/);
	await Promise.all([0, 1, 2].map((aheadMs) => watch(postgres, aheadMs)));
	await postgres.close();
	await w.restart();
	postgres = openPostgres(w.postgresTarget, { log, connections: 4 });
	await watch();
	assert.equal(Number(await told()), all.length);
	// Also what was told by whose clock is ahead.
	later(1);
	await Promise.all([deliver(), deliver()]);
	await until(() => all.every((n) => hooks.at(`/once/${n}`).length === 1), 10_000);
});

/** A database whose user dies before the nth statement within a transaction; what was begun is taken back. */
function dyingAt(step: number): Postgres {
	let left = step;
	const die = () => {
		left--;
		if (left === 0) throw new Error('killed');
	};
	return {
		...postgres,
		transaction: async (work) => {
			const result = await postgres.transaction((tx) =>
				work({
					...tx,
					run: async (query) => {
						die();
						return tx.run(query);
					},
				}),
			);
			die();
			return result;
		},
	};
}

test('[C-ALERT-7] a webhook is signed, tried again until it is taken, and not after that', async () => {
	const website = await newWebsite();
	const alert = await newAlert(website, {
		kind: 'spike',
		channel: 'webhook',
		url: hooks.url('/signed?key=1'),
	});
	assert.match(alert.secret ?? '', /^[\w-]{43}$/);
	assert.equal(alert.url, `http://${hooks.host}/…`);
	const shown = await owner.api('GET', `/websites/${website.id}/alerts`);
	assert.doesNotMatch(shown.text, /signed|"secret"/);
	const stored = JSON.stringify(
		await w.sql(
			`SELECT encode(url, 'escape') AS u, encode(secret, 'escape') AS s FROM alerts WHERE id = $1`,
			[alert.id],
		),
	);
	assert.ok(!stored.includes('signed') && !stored.includes(alert.secret ?? '-'), 'sealed at rest');
	hooks.answer(() => 500);
	const tested = await owner.api('POST', `/websites/${website.id}/alerts/${alert.id}/test`);
	assert.equal(tested.status, 200, tested.text);
	assertProblem(
		await owner.api('POST', `/websites/${website.id}/alerts/${alert.id}/test`),
		'too_many_requests',
	);
	const came = () => hooks.at('/signed?key=1');
	await until(async () => (await deliver()) >= 0 && came().length === 1, 10_000);
	await until(async () => (await readAlert(website, alert)).last_failure !== null, 10_000);
	assert.equal((await readAlert(website, alert)).last_failure, 'It was answered with 500.');
	await deliver();
	assert.equal(came().length, 1, 'not before its time');
	// The run that sent it dies.
	await w.sql(
		"UPDATE outbox SET state = 'sending', claim = gen_random_uuid(), next_at = $2 WHERE alert_id = $1",
		[alert.id, new Date(moment.getTime() + minuteMs)],
	);
	await deliver();
	assert.equal(came().length, 1, 'not while the run may be alive');
	hooks.answer(() => 204);
	later(2);
	await until(async () => (await deliver()) >= 0 && came().length === 2, 10_000);
	await until(async () => (await readAlert(website, alert)).last_failure === null, 10_000);
	later(24 * 60);
	await deliver();
	assert.equal(came().length, 2, 'taken once, never sent again');
	const [first, second] = came();
	assert.equal(first?.headers['tidemark-delivery'], second?.headers['tidemark-delivery']);
	assert.equal(JSON.parse(second?.body ?? '{}').id, second?.headers['tidemark-delivery']);
	const [, seconds = '', signature] =
		/^t=(\d+),v1=([\da-f]{64})$/.exec(String(second?.headers['tidemark-signature'])) ?? [];
	assert.equal(
		signature,
		createHmac('sha256', alert.secret ?? '')
			.update(`${seconds}.${second?.body}`)
			.digest('hex'),
	);
	hooks.answer(() => 200);
});

test('[T108] the failing webhook of one alert fills only its own share of the outbox', async () => {
	const website = await newWebsite();
	const alerts = [];
	for (const path of ['/full', '/other'])
		alerts.push(await newAlert(website, { kind: 'spike', channel: 'webhook', url: hooks.url(path) }));
	const [full, other] = alerts;
	assert.ok(full && other);
	await w.sql(
		`INSERT INTO outbox (kind, key, alert_id, content, next_at, created_at)
		SELECT 'webhook', 'failing ' || n, $1, '{}', 'infinity', now() FROM generate_series(1, 100) AS n`,
		[full.id],
	);
	const sendTest = (alert: Alert) => owner.api('POST', `/websites/${website.id}/alerts/${alert.id}/test`);
	assertProblem(await sendTest(full), 'too_many_requests');
	assert.equal((await sendTest(other)).status, 200);
	await w.sql('DELETE FROM alerts WHERE id = $1', [full.id]);
});

test('[T36] [C-ALERT-2] an address inside is refused when it is stored, and again when it is used', async () => {
	const website = await newWebsite();
	for (const url of [
		'http://127.0.0.1/',
		'http://169.254.169.254/latest',
		'http://[::1]/',
		'https://user:pass@example.com/',
		'ftp://example.com/',
		'https://example.com:8443/',
	])
		assertProblem(
			await owner.api('POST', `/websites/${website.id}/alerts`, {
				json: { kind: 'spike', channel: 'webhook', url },
			}),
			'validation_failed',
		);
	// As if the name had led elsewhere then, or the operator had allowed it.
	const alert = await newAlert(website, {
		kind: 'spike',
		channel: 'webhook',
		url: 'https://example.com/hook',
	});
	const tx = postgres;
	const rules = await alertsIn({ ...vault, allowedHosts: ['127.0.0.1:1'] }).createSchema(tx, website.id);
	const { url } = rules.parse({ kind: 'spike', channel: 'webhook', url: 'http://127.0.0.1:1/' });
	await w.sql('UPDATE alerts SET url = $2 WHERE id = $1', [alert.id, url]);
	await owner.api('POST', `/websites/${website.id}/alerts/${alert.id}/test`);
	await until(
		async () => (await deliver()) >= 0 && (await readAlert(website, alert)).last_failure !== null,
		10_000,
	);
	assert.match(String((await readAlert(website, alert)).last_failure), /not allowed/);
	const [row] = await w.sql<{ state: string; attempts: number }>(
		'SELECT state, attempts FROM outbox WHERE alert_id = $1',
		[alert.id],
	);
	assert.deepEqual([row?.state, row?.attempts], ['failed', 1]);
});

test('[T43] [T79] [C-ALERT-8] mails go to the owner and to who agreed, and one press stops them', async () => {
	const agency = await w.account({ locale: 'de' });
	const website = websiteOf(
		await agency.api('POST', '/websites', { form: { domain: freshDomain(), timezone: 'UTC' } }),
		201,
	);
	const alert = await newAlert(website, { kind: 'spike', channel: 'mail' }, agency);
	for (const [address, confirmed] of [
		['ann@example.test', true],
		['bob@example.test', false],
	] as const)
		await w.sql(
			`INSERT INTO report_recipients (account_id, address, locale, expires_at, created_at, confirmed_at)
			VALUES ($1, $2, 'en', now(), now(), CASE WHEN $3 THEN now() END)`,
			[agency.id, address, confirmed],
		);
	await storeEvents(w, website.id, [...usually(5), ...visits(20, moment.getTime())]);
	mails.forget();
	await watch();
	await watch();
	await until(() => mails.sources().length >= 2, 15_000);
	const sent = await mails.mails();
	assert.deepEqual(
		sent.map(({ to }) => to?.[0]?.address).toSorted(),
		[agency.email, 'ann@example.test'].toSorted(),
	);
	const own = sent.find(({ to }) => to?.[0]?.address === agency.email);
	assert.equal(own?.subject, `Besucheranstieg auf ${website.domain}`);
	const stop = (mail = own) =>
		new URL(mail?.headers.find(({ key }) => key === 'list-unsubscribe')?.value.slice(1, -1) ?? '').pathname;
	assert.match(own?.text ?? '', new RegExp(`${w.publicUrl}/websites/${website.id}`));
	assert.equal(
		(await send(w.base, 'POST', stop(), { form: { 'List-Unsubscribe': 'One-Click' } })).status,
		200,
	);
	assert.equal(
		((await agency.api('GET', `/websites/${website.id}/alerts/${alert.id}`)).json as { data: Alert }).data
			.enabled,
		false,
	);
});

test('[C-ALERT-1] what does not fit is named, all at once; an alert goes with its goal, its website and its owner', async () => {
	const website = await newWebsite();
	const post = (json: Record<string, unknown>) =>
		owner.api('POST', `/websites/${website.id}/alerts`, { json });
	const faults = async (json: Record<string, unknown>) => {
		const answer = await post(json);
		assertProblem(answer, 'validation_failed');
		return Object.keys((answer.json as { errors: Record<string, string[]> }).errors).toSorted();
	};
	assert.deepEqual(await faults({}), ['channel', 'kind']);
	assert.deepEqual(await faults({ kind: 'goal', channel: 'slack' }), ['goal_id', 'url']);
	assert.deepEqual(
		await faults({ kind: 'spike', channel: 'mail', hours: 3, goal_id: 1, url: 'https://a.example/' }),
		['goal_id', 'hours', 'url'],
	);
	assert.deepEqual(await faults({ kind: 'silence', channel: 'mail', hours: 73 }), ['hours']);
	assert.deepEqual(await faults({ kind: 'x', channel: 'slack', hours: 73 }), ['hours', 'kind', 'url']);
	assert.deepEqual(await faults({ kind: 'goal', channel: 'x', enabled: 'y' }), [
		'channel',
		'enabled',
		'goal_id',
	]);
	assert.deepEqual(await faults({ kind: 'goal', channel: 'mail', goal_id: 999_999_999 }), ['goal_id']);
	const made = await newAlert(website, { kind: 'silence', channel: 'mail' });
	assert.deepEqual([made.hours, made.enabled, made.url], [6, true, null]);
	const path = `/websites/${website.id}/alerts/${made.id}`;
	const changed = await owner.api('PATCH', path, { json: { hours: 12, enabled: false } });
	assert.match(changed.text, /"hours":12.*"enabled":false/);
	assertProblem(await owner.api('PATCH', path, { json: { url: 'https://a.example/' } }), 'validation_failed');
	const goal = await owner.api('POST', `/websites/${website.id}/goals`, {
		json: { name: 'Thanks', kind: 'page', pattern: '/thanks' },
	});
	const { id: goalId } = (goal.json as { data: { id: number } }).data;
	const ofGoal = await newAlert(website, { kind: 'goal', channel: 'mail', goal_id: goalId });
	await owner.api('DELETE', `/websites/${website.id}/goals/${goalId}`);
	assertProblem(await owner.api('GET', `/websites/${website.id}/alerts/${ofGoal.id}`), 'not_found');
	for (let n = 1; n < 20; n++) await newAlert(website, { kind: 'spike', channel: 'mail' });
	assertProblem(await post({ kind: 'spike', channel: 'mail' }), 'limit_reached');
	const receiver = await w.account();
	await w.operate('website.move', { id: website.id, email: receiver.email });
	const left = await receiver.api('GET', `/websites/${website.id}/alerts`);
	assert.match(left.text, /"data":\[\]/, left.text);
});
