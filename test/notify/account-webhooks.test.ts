import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, test } from 'node:test';
import { sealDays } from '../../server/derive/seal.ts';
import { pendingInTable } from '../../server/event-log/postgres-log.ts';
import { createLog } from '../../server/lib/log.ts';
import { createSafeFetch } from '../../server/lib/safe-fetch.ts';
import { deriveKey, readOrMakeSecret } from '../../server/lib/secrets.ts';
import { sendEvents } from '../../server/notify/send-events.ts';
import { createAlertWatch } from '../../server/notify/watch-alerts.ts';
import { watchGoalsReached } from '../../server/notify/watch-goals.ts';
import { openPostgres, type Postgres } from '../../server/store/postgres.ts';
import { maxWaitingOfWebhook } from '../../server/webhooks/queue-events.ts';
import { until } from '../engine/engine.ts';
import { client } from '../support/client.ts';
import { assertProblem, freshDomain, type Website, websiteOf } from '../support/contract.ts';
import { startHookServer } from '../support/hook-server.ts';
import { startMailServer } from '../support/mail-server.ts';
import { sealServices } from '../support/sealing.ts';
import { storeEvents } from '../support/stored-events.ts';
import { givePassword, signedIn } from '../support/visitor.ts';
import { type TestAccount, world } from '../support/world.ts';

const hooks = await startHookServer({ after });
const mails = await startMailServer({ after });
let moment = new Date('2026-11-15T09:31:00.000Z');
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
const log = createLog('debug', (line) => lines.push(line));
const postgres = openPostgres(w.postgresTarget, { log, connections: 4 });
after(() => postgres.close());
const secret = readOrMakeSecret(w.config.dataFolder, 'secret');
const webhooks = { key: deriveKey(secret, 'secrets of webhooks'), allowedHosts: [hooks.host] };
const services = {
	...{ postgres, eventLog: pendingInTable(postgres), clickhouse: w.clickhouse, now, log, webhooks },
	links: { baseUrl: () => w.publicUrl, key: deriveKey(secret, 'links in mails') },
	quota: { perAccount: 1_000, inAll: 1_000, log },
	hasMail: true,
	outside: createSafeFetch(webhooks),
	signal: new AbortController().signal,
};
const deliver = (of: Postgres = postgres) => sendEvents({ ...services, postgres: of });

type Hook = { id: number; secret: string; url: string; enabled: boolean } & Record<string, unknown>;
async function newHook(path: string, about: Record<string, unknown> = {}, as: TestAccount = owner) {
	const answer = await as.api('POST', '/webhooks', {
		json: { name: path, url: hooks.url(path), ...about },
	});
	assert.equal(answer.status, 201, answer.text);
	return (answer.json as { data: Hook }).data;
}
const newWebsite = async (as: TestAccount = owner): Promise<Website> =>
	websiteOf(await as.api('POST', '/websites', { form: { domain: freshDomain(), timezone: 'UTC' } }), 201);
type Sent = {
	id: string;
	type: string;
	created_at: string;
	account_id: number;
	data: Record<string, unknown>;
};
const sentTo = (path: string): Sent[] => hooks.at(path).map(({ body }) => JSON.parse(body));
/** Waits until so many calls came, and makes sure that no more follow. */
async function assertSent(path: string, count: number): Promise<Sent[]> {
	await until(async () => (await deliver()) >= 0 && hooks.at(path).length >= count, 10_000);
	await deliver();
	assert.equal(hooks.at(path).length, count, path);
	return sentTo(path);
}
type Delivery = { id: number; event_id: string; state: string } & Record<string, unknown>;
const deliveriesOf = async ({ id }: Hook) =>
	((await owner.api('GET', `/webhooks/${id}/deliveries`)).json as { data: Delivery[] }).data;
const readHook = async ({ id }: Hook) =>
	((await owner.api('GET', `/webhooks/${id}`)).json as { data: Hook }).data;
const remove = ({ id }: Hook, as: TestAccount = owner) => as.api('DELETE', `/webhooks/${id}`);

test('[C-HOOK-1][T192] a secret is shown once and a URL never, neither in lists, the activity log nor logs', async () => {
	const hook = await newHook('/secret-path', { events: ['website.created'] });
	assert.match(hook.secret, /^[\w-]{43}$/);
	assert.equal(hook.url, `http://${hooks.host}/…`);
	const rotated = await owner.api('POST', `/webhooks/${hook.id}/rotate`);
	const { secret: next } = (rotated.json as { data: Hook }).data;
	assert.notEqual(next, hook.secret);
	await newWebsite();
	const [sent] = await assertSent('/secret-path', 1);
	const texts = [
		(await owner.api('GET', '/webhooks')).text,
		(await owner.api('GET', `/webhooks/${hook.id}`)).text,
		(await owner.api('PUT', `/webhooks/${hook.id}`, { json: { name: 'x' } })).text,
		(await owner.api('GET', `/webhooks/${hook.id}/deliveries`)).text,
		JSON.stringify(sent),
		JSON.stringify(await w.sql('SELECT * FROM changes')),
		JSON.stringify(await w.sql('SELECT * FROM outbox')),
		JSON.stringify(
			await w.sql(`SELECT *, encode(url, 'escape') AS u, encode(secret, 'escape') AS s FROM webhooks`),
		),
		w.log(),
		lines.join(''),
	];
	for (const text of texts)
		for (const hidden of [hook.secret, next, '/secret-path?']) assert.ok(!text.includes(hidden), text);
	assert.doesNotMatch(texts.slice(1, 4).join(), /:\/\/[^"]*secret-path|"secret"/);
	assertProblem(
		await owner.api('POST', '/webhooks', {
			json: { name: '', url: 'ftp://x', events: ['day.ended'], website_ids: [] },
		}),
		'validation_failed',
	);
	const { json } = await owner.api('POST', '/webhooks', {
		json: { name: 'x', url: 'https://a.example', website_ids: [1e9] },
	});
	assert.deepEqual(Object.keys((json as { errors: object }).errors), ['website_ids']);
	await remove(hook);
	assertProblem(await owner.api('GET', `/webhooks/${hook.id}`), 'not_found');
	assertProblem(await owner.api('GET', `/webhooks/${hook.id}/deliveries`), 'not_found');
});

test('[C-HOOK-1] an account has at most 20 webhooks', async () => {
	const agency = await w.account();
	for (let n = 0; n < 20; n++) await newHook('/many', {}, agency);
	assertProblem(
		await agency.api('POST', '/webhooks', { json: { name: 'x', url: hooks.url('/many') } }),
		'limit_reached',
	);
});

test('[C-HOOK-2][T194] keys that are read-only, limited or scoped neither see nor create webhooks; owners in the dashboard do', async () => {
	const website = await newWebsite();
	const hook = await newHook('/keys', { events: ['day.sealed'] });
	for (const rights of [
		{ access: 'read' as const },
		{ websites: [website.id] },
		{ scopes: ['manage'] as const },
		{ scopes: ['stats', 'events', 'manage', 'export'] as const },
	]) {
		const api = client(w.base, (await w.key(owner, rights)).key);
		for (const [method, path] of [
			['GET', '/webhooks'],
			['POST', '/webhooks'],
			['PUT', `/webhooks/${hook.id}`],
			['POST', `/webhooks/${hook.id}/rotate`],
			['POST', `/webhooks/${hook.id}/test`],
			['GET', `/webhooks/${hook.id}/deliveries`],
		] as const) {
			const json = { name: 'x', url: hooks.url('/keys') };
			assertProblem(await api(method, path, method === 'GET' ? {} : { json }), 'forbidden');
		}
	}
	const member = await w.account();
	await w.sql(`INSERT INTO members (owner_id, member_id, role, created_at) VALUES ($1, $2, 'admin', now())`, [
		owner.id,
		member.id,
	]);
	for (const [account, status] of [
		[owner, 200],
		[member, 404],
	] as const) {
		await givePassword(w, account);
		const browser = await signedIn(w, account);
		assert.equal((await browser('GET', `/webhooks/${hook.id}`)).status, status);
	}
	await remove(hook);
});

test('[C-HOOK-3][T190] a call is signed over its time and body, and repeated with the same id until it is accepted', async () => {
	const hook = await newHook('/signed', { events: ['website.created'] });
	hooks.answer((path) => (path === '/signed' ? 500 : 200));
	const website = await newWebsite();
	await assertSent('/signed', 1);
	await until(async () => (await deliveriesOf(hook))[0]?.reason !== null, 10_000);
	const [failed] = await deliveriesOf(hook);
	assert.deepEqual(
		[failed?.state, failed?.attempts, failed?.status, failed?.reason, failed?.ended_at],
		['waiting', 1, 500, 'It was answered with 500.', null],
	);
	hooks.answer(() => 204);
	later(2);
	const [first, second] = await assertSent('/signed', 2);
	assert.deepEqual(first, second);
	assert.deepEqual(first?.data, { website: { id: website.id, domain: website.domain } });
	assert.equal(first?.account_id, owner.id);
	const call = hooks.at('/signed')[1];
	assert.equal(call?.headers['tidemark-delivery'], first?.id);
	const [, seconds = '', signature] =
		/^t=(\d+),v1=([\da-f]{64})$/.exec(String(call?.headers['tidemark-signature'])) ?? [];
	assert.equal(Number(seconds), Math.floor(moment.getTime() / 1000));
	const signatureOf = (text: string) => createHmac('sha256', hook.secret).update(text).digest('hex');
	assert.equal(signature, signatureOf(`${seconds}.${call?.body}`));
	await until(async () => (await deliveriesOf(hook))[0]?.state === 'delivered', 10_000);
	assert.equal((await readHook(hook)).failing_since, null);
	await remove(hook);
	hooks.answer(() => 200);
});

test('[C-HOOK-4][T194] websites that are created, deleted and transferred are told once, to their own account only', async () => {
	const other = await w.account({ timezone: 'UTC' });
	const kept = await newWebsite();
	const all = await newHook('/life', {
		events: ['website.created', 'website.deleted', 'website.transferred'],
	});
	const limited = await newHook('/life/limited', { website_ids: [kept.id] });
	const foreign = await newHook('/life/foreign', {}, other);
	const website = await newWebsite();
	const moved = await newWebsite();
	await owner.api('DELETE', `/websites/${website.id}`);
	await w.operate('account.confirm', { email: other.email });
	await w.operate('website.move', { id: moved.id, email: other.email });
	const sent = await assertSent('/life', 4);
	assert.deepEqual(
		sent
			.map(({ type, data: { website, direction } }) => JSON.stringify({ type, website, direction }))
			.toSorted(),
		[
			{ type: 'website.created', website: { id: website.id, domain: website.domain } },
			{ type: 'website.created', website: { id: moved.id, domain: moved.domain } },
			{ type: 'website.deleted', website: { id: website.id, domain: website.domain } },
			{ type: 'website.transferred', website: { id: moved.id, domain: moved.domain }, direction: 'out' },
		]
			.map((event) => JSON.stringify(event))
			.toSorted(),
	);
	assert.equal(new Set(sent.map(({ id }) => id)).size, 4);
	const isTransfer = ({ type }: Sent) => type === 'website.transferred';
	await until(async () => (await deliver()) >= 0 && sentTo('/life/foreign').some(isTransfer), 10_000);
	const atOther = sentTo('/life/foreign').filter(({ type }) => type.startsWith('website.'));
	assert.deepEqual(
		atOther.map(({ type, data, account_id }) => [type, data.direction, account_id]),
		[['website.transferred', 'in', other.id]],
	);
	assert.ok(!JSON.stringify(atOther).includes(`"account_id":${owner.id}`));
	assert.deepEqual(hooks.at('/life/limited'), [], 'nothing of other websites');
	await owner.api('DELETE', `/websites/${kept.id}`);
	await until(async () => (await deliver()) >= 0 && hooks.at('/life/limited').length >= 1, 10_000);
	assert.ok(sentTo('/life/limited').some(({ type }) => type === 'website.deleted'));
	for (const hook of [all, limited]) await remove(hook);
	await remove(foreign, other);
});

test('[C-HOOK-5] a sealed day is told with its totals, and again when it is sealed again', async () => {
	const website = await newWebsite();
	const hook = await newHook('/sealed', { events: ['day.sealed'], website_ids: [website.id] });
	const date = '2026-11-13';
	await storeEvents(w, website.id, [{ date }, { date }, { date: '2026-11-15' }]);
	const seal = (of: string) =>
		sealDays(sealServices(services), [{ websiteId: website.id, date: of }], 'whole');
	await seal(date);
	// A rebuild derives the current day too, which is not over.
	await seal('2026-11-15');
	const [first] = await assertSent('/sealed', 1);
	const { generation, ...data } = first?.data ?? {};
	assert.ok(Number(generation) > 0);
	assert.deepEqual(data, {
		website: { id: website.id, domain: website.domain },
		date,
		resealed: false,
		totals: { visitors: 2, visits: 2, views: 2 },
	});
	await storeEvents(w, website.id, [{ date, visitor_id: '77', event_id: '77' }]);
	await seal(date);
	const [, second] = await assertSent('/sealed', 2);
	assert.equal(second?.data.resealed, true);
	assert.deepEqual(second?.data.totals, { visitors: 3, visits: 3, views: 3 });
	await remove(hook);
});

test('[C-HOOK-6] a reached goal is told once per window of five minutes, with a count and no visitor', async () => {
	const website = await newWebsite();
	const goal = await owner.api('POST', `/websites/${website.id}/goals`, {
		json: { name: 'Thanks', kind: 'page', pattern: '/thanks' },
	});
	const { id } = (goal.json as { data: { id: number } }).data;
	await owner.api('POST', `/websites/${website.id}/goals`, {
		json: { name: 'Never', kind: 'page', pattern: '/never' },
	});
	const hook = await newHook('/goals', { events: ['goal.reached'] });
	const from = new Date('2026-11-15T10:00:00.000Z');
	moment = new Date('2026-11-15T10:03:00.000Z');
	// The jobs of the service may have counted the windows before, but none after this one.
	await w.sql('DELETE FROM watching');
	await w.sql('INSERT INTO watching (since, last_at, goals_until) VALUES ($1, $1, $1)', [from]);
	const at = (minutes: number) => ({
		date: '2026-11-15',
		path: '/thanks',
		time: new Date(from.getTime() + minutes * 60_000).toISOString().replace('T', ' ').slice(0, -1),
	});
	await storeEvents(w, website.id, [at(-1), at(0), at(1), { ...at(2), path: '/' }, at(4), at(5)]);
	await watchGoalsReached(services);
	later(5);
	await Promise.all([watchGoalsReached(services), watchGoalsReached(services)]);
	await watchGoalsReached(services);
	const [sent] = await assertSent('/goals', 1);
	assert.deepEqual(sent?.data, {
		website: { id: website.id, domain: website.domain },
		goal: { id, name: 'Thanks' },
		from: '2026-11-15T10:00:00.000Z',
		to: '2026-11-15T10:05:00.000Z',
		count: 3,
	});
	later(5);
	await watchGoalsReached(services);
	const [, second] = await assertSent('/goals', 2);
	assert.deepEqual([second?.data.from, second?.data.count], ['2026-11-15T10:05:00.000Z', 1]);
	await remove(hook);
});

test('[C-HOOK-7] an alert that fires is told, whatever its channel', async () => {
	const website = await newWebsite();
	const goal = await owner.api('POST', `/websites/${website.id}/goals`, {
		json: { name: 'Thanks', kind: 'page', pattern: '/thanks' },
	});
	const { id } = (goal.json as { data: { id: number } }).data;
	const hook = await newHook('/alert', { events: ['alert.fired'] });
	const alert = await owner.api('POST', `/websites/${website.id}/alerts`, {
		json: { kind: 'goal', channel: 'mail', goal_id: id },
	});
	const alertId = (alert.json as { data: { id: number } }).data.id;
	await storeEvents(w, website.id, [
		{ date: '2026-11-15', path: '/thanks', time: moment.toISOString().replace('T', ' ').slice(0, -1) },
	]);
	const watch = createAlertWatch();
	const alertServices = { ...services, vault: { ...webhooks, now } };
	await Promise.all([watch(alertServices), watch(alertServices)]);
	const [sent] = await assertSent('/alert', 1);
	assert.deepEqual(sent?.data, {
		website: { id: website.id, domain: website.domain },
		alert: { id: alertId, type: 'goal', goal: { id, name: 'Thanks' } },
	});
	await remove(hook);
});

test('[C-HOOK-8][T192] the activity log is told with names and without addresses', async () => {
	const website = await newWebsite();
	await givePassword(w, owner);
	const hook = await newHook('/activity', { events: ['activity.recorded'] });
	await owner.api('PUT', `/websites/${website.id}`, { json: { exclude_bots: 1 } });
	const browser = await signedIn(w, owner);
	await browser('PUT', `/websites/${website.id}/settings`, { json: { labels: ['blog'] } });
	await until(async () => (await deliver()) >= 0 && hooks.at('/activity').length >= 3, 10_000);
	const sent = sentTo('/activity');
	const of = (what: string) => sent.find(({ data }) => data.what === what)?.data;
	const shown = { id: website.id, domain: website.domain };
	const kindOf = (data: Sent['data'] | undefined) => (data?.by as { kind?: string } | undefined)?.kind;
	const updated = of('updateWebsite');
	assert.deepEqual(updated?.website, shown);
	assert.equal(kindOf(updated), 'key');
	assert.deepEqual(of('changeSettings')?.website ?? of('updateSettings')?.website, shown);
	assert.ok(sent.some(({ data }) => kindOf(data) === 'person'));
	assert.deepEqual(of('createWebhook')?.website, null);
	for (const { data } of sent) assert.deepEqual(Object.keys(data).toSorted(), ['by', 'website', 'what']);
	assert.ok(!JSON.stringify(sent).includes(owner.email));
	assert.doesNotMatch(JSON.stringify(sent), /127\.0\.0\.1|@/);
	await remove(hook);
});

test('[C-HOOK-9] a delivery is sent again with its body and id, as a delivery of its own', async () => {
	const hook = await newHook('/again', { events: ['website.created'] });
	await newWebsite();
	const [sent] = await assertSent('/again', 1);
	await until(async () => (await deliveriesOf(hook))[0]?.state === 'delivered', 10_000);
	const [delivery] = await deliveriesOf(hook);
	assert.deepEqual(
		[delivery?.event_id, delivery?.type, delivery?.status],
		[sent?.id, 'website.created', 200],
	);
	assert.match(String(delivery?.domain), /\.example$/);
	assert.equal(delivery?.date, null);
	const replay = await owner.api('POST', `/webhooks/${hook.id}/deliveries/${delivery?.id}/replay`);
	assert.equal(replay.status, 200, replay.text);
	const [, again] = await assertSent('/again', 2);
	assert.deepEqual(again, sent);
	assert.equal((await deliveriesOf(hook)).length, 2);
	const stranger = await w.account();
	assertProblem(
		await stranger.api('POST', `/webhooks/${hook.id}/deliveries/${delivery?.id}/replay`),
		'not_found',
	);
	const another = await newHook('/another');
	assertProblem(
		await owner.api('POST', `/webhooks/${another.id}/deliveries/${delivery?.id}/replay`),
		'not_found',
	);
	assert.equal((await owner.api('POST', `/webhooks/${hook.id}/test`)).status, 200);
	assertProblem(await owner.api('POST', `/webhooks/${hook.id}/test`), 'too_many_requests');
	assert.equal((await assertSent('/again', 3))[2]?.type, 'test');
	await owner.api('PUT', `/webhooks/${hook.id}`, { json: { enabled: false } });
	assertProblem(await owner.api('POST', `/webhooks/${hook.id}/test`), 'validation_failed');
	for (const made of [hook, another]) await remove(made);
});

test('[C-HOOK-10][T193] a webhook that fails is paused, delays no other, and is disabled after three days with an email', async () => {
	await w.sql('UPDATE people SET confirmed_at = now() WHERE id = $1', [owner.id]);
	const [failing, working] = [
		await newHook('/failing', { events: ['website.created'] }),
		await newHook('/working', { events: ['website.created'] }),
	];
	hooks.answer((path) => (path === '/failing' ? 503 : 200));
	for (let n = 0; n < 8; n++) await newWebsite();
	await assertSent('/working', 8);
	const before = hooks.at('/failing').length;
	assert.ok(before <= 5, 'not each of its events');
	assert.ok((await readHook(failing)).failing_since);
	later(10);
	await deliver();
	await until(() => hooks.at('/failing').length === before + 1, 10_000);
	await deliver();
	assert.equal(hooks.at('/failing').length, before + 1, 'one try, then the next pause');
	mails.forget();
	later(3 * 24 * 60);
	await until(async () => (await deliver()) >= 0 && !(await readHook(failing)).enabled, 10_000);
	assert.equal((await readHook(failing)).disabled_reason, 'Calls failed for three days.');
	assert.ok((await deliveriesOf(failing)).every(({ state }) => state === 'failed'));
	const find = async () =>
		(await mails.mails()).find(({ subject }) => subject === 'A Tidemark webhook was disabled');
	await until(async () => (await find()) !== undefined, 15_000);
	const mail = await find();
	assert.equal(mail?.to?.[0]?.address, owner.email);
	hooks.answer(() => 200);
	await newWebsite();
	await assertSent('/working', 9);
	const [lost] = await deliveriesOf(failing);
	await owner.api('PATCH', `/webhooks/${failing.id}`, { json: { enabled: true } });
	const count = hooks.at('/failing').length;
	await owner.api('POST', `/webhooks/${failing.id}/deliveries/${lost?.id}/replay`);
	await assertSent('/failing', count + 1);
	hooks.answer((path) => (path === '/failing' ? 410 : 200));
	await newWebsite();
	await until(async () => (await deliver()) >= 0 && !(await readHook(failing)).enabled, 10_000);
	assert.equal((await readHook(failing)).disabled_reason, 'The receiver answered with 410.');
	for (const made of [failing, working]) await remove(made);
	hooks.answer(() => 200);
});

test('[C-HOOK-10][T193] events beyond the limit of one webhook are not queued, and others get theirs', async () => {
	const [full, other] = [
		await newHook('/full', { events: ['website.created'] }),
		await newHook('/not-full', { events: ['website.created'] }),
	];
	await w.sql(
		`INSERT INTO outbox (kind, key, webhook_id, content, next_at, created_at)
		SELECT 'event', 'full ' || n, $1, '{"id": "x", "type": "test"}', '2100-01-01', now() FROM generate_series(1, $2) AS n`,
		[full.id, maxWaitingOfWebhook],
	);
	await newWebsite();
	await assertSent('/not-full', 1);
	const [row] = await w.sql<{ count: string }>('SELECT count(*) FROM outbox WHERE webhook_id = $1', [
		full.id,
	]);
	assert.equal(Number(row?.count), maxWaitingOfWebhook);
	const [waiting] = await deliveriesOf(full);
	assertProblem(
		await owner.api('POST', `/webhooks/${full.id}/deliveries/${waiting?.id}/replay`),
		'too_many_requests',
	);
	for (const made of [full, other]) await remove(made);
});

test('[C-HOOK-11][T191] a private address is refused when it is stored or changed, and again when it is used; nothing is followed', async () => {
	const inside = [
		'http://127.0.0.1/',
		'http://169.254.169.254/latest',
		'http://[::1]/',
		'https://u:p@example.com/',
	];
	const hook = await newHook('/inside', { events: ['website.created'] });
	for (const url of inside) {
		assertProblem(await owner.api('POST', '/webhooks', { json: { name: 'x', url } }), 'validation_failed');
		assertProblem(await owner.api('PUT', `/webhooks/${hook.id}`, { json: { url } }), 'validation_failed');
	}
	// What is shown may be sent back.
	assert.equal((await owner.api('PUT', `/webhooks/${hook.id}`, { json: { url: hook.url } })).status, 200);
	hooks.answer((path) => (path === '/inside' ? 302 : 200));
	await newWebsite();
	await assertSent('/inside', 1);
	await until(async () => (await deliveriesOf(hook))[0]?.status === 302, 10_000);
	hooks.answer(() => 200);
	later(5);
	// The name leads inside by now.
	const rebound = createSafeFetch({ allowedHosts: [], resolve: async () => ['10.0.0.1'] });
	const moved = await owner.api('PUT', `/webhooks/${hook.id}`, {
		json: { url: 'http://hooks.example.com/x' },
	});
	assert.equal(moved.status, 200, moved.text);
	await w.sql('UPDATE outbox SET next_at = $2 WHERE webhook_id = $1', [hook.id, moment]);
	await until(
		async () =>
			(await sendEvents({ ...services, outside: rebound })) >= 0 &&
			(await deliveriesOf(hook))[0]?.state === 'failed',
		10_000,
	);
	assert.match(String((await deliveriesOf(hook))[0]?.reason), /not a host of the open net|address/);
	assert.equal(hooks.at('/inside').length, 1);
	await remove(hook);
});

test('[C-HOOK-3][F73][F74] an event is queued with what makes it true or not at all, and a run that dies repeats its call with the same id', async () => {
	const hook = await newHook('/dies', { events: ['website.created'] });
	const domain = freshDomain();
	await w.sql(`
		CREATE FUNCTION refuse_events() RETURNS trigger LANGUAGE plpgsql AS $$
		BEGIN IF NEW.kind = 'event' THEN RAISE EXCEPTION 'killed'; END IF; RETURN NEW; END $$`);
	await w.sql(
		'CREATE TRIGGER refuse_events BEFORE INSERT ON outbox FOR EACH ROW EXECUTE FUNCTION refuse_events()',
	);
	assert.equal((await owner.api('POST', '/websites', { form: { domain } })).status, 500);
	await w.sql('DROP TRIGGER refuse_events ON outbox');
	assert.deepEqual(await w.sql('SELECT 1 FROM websites WHERE domain = $1', [domain]), []);
	websiteOf(await owner.api('POST', '/websites', { form: { domain } }), 201);
	await assertSent('/dies', 1);
	await until(async () => (await deliveriesOf(hook))[0]?.state === 'delivered', 10_000);
	// The run died after its call and before it was recorded.
	await w.sql(
		"UPDATE outbox SET state = 'sending', ended_at = NULL, claim = gen_random_uuid(), next_at = $2 WHERE webhook_id = $1",
		[hook.id, new Date(moment.getTime() + 60_000)],
	);
	await deliver();
	assert.equal(hooks.at('/dies').length, 1, 'not while the run may be alive');
	later(2);
	const [first, second] = await assertSent('/dies', 2);
	assert.equal(first?.id, second?.id);
	assert.equal((await deliveriesOf(hook)).length, 1);
	await remove(hook);
});
