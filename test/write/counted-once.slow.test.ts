import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { param, sql } from '../../server/store/sql.ts';
import { send } from '../support/client.ts';
import { assertStatus, freshDomain, websiteOf } from '../support/contract.ts';
import {
	createLedger,
	eventIdOf,
	faultsOf,
	inWords,
	sendHit,
	startLoad,
	userAgentOf,
	wireId,
} from '../support/ledger.ts';
import { seededRandom } from '../support/random.ts';
import { until } from '../support/service.ts';
import { world } from '../support/world.ts';

/** Time that a test can move; it goes on by itself. */
let offsetMs = 0;
const now = () => new Date(Date.now() + offsetMs);
const hourMs = 3_600_000;

const w = await world(
	{ after },
	{ now, settings: { TIDEMARK_TRUSTED_PROXIES: '127.0.0.1', TIDEMARK_MAX_LOG_MB: '16' } },
);
const random = seededRandom();
const ledger = createLedger();
const owner = await w.account();
const website = async (about: Record<string, string> = {}) =>
	websiteOf(await owner.api('POST', '/websites', { form: { domain: freshDomain(), ...about } }), 201);
const [one, two, three] = [await website(), await website(), await website()];

type Found = { event_id: string; visitor_id: string; date: string; late: number; country: string };
const eventsOf = (id: number) =>
	w.clickhouse
		.rows<Found & { website_id: number }>(sql`SELECT * FROM events ORDER BY website_id, time, event_id`, {
			as: 'migrate',
		})
		.then((rows) => rows.filter((row) => row.website_id === id));
const pageviewsThisMonth = async () => {
	const answer = await owner.api('GET', '/account');
	return (answer.json as { data: { usage: { pageviews_this_month: number } } }).data.usage
		.pageviews_this_month;
};
const judged = async () => {
	await w.drain();
	const verdict = await ledger.judge(w.clickhouse);
	assert.deepEqual(faultsOf(verdict), [], `seed ${random.seed}: ${inWords(verdict)}`);
	return verdict;
};

test('hits of many visitors, with retries, drops and refusals: every acknowledged one is counted once', async (t) => {
	t.diagnostic(`seed ${random.seed}`);
	const load = startLoad({ ledger, base: () => w.base, websites: [one, two, three], random });
	// Not for a time: on a busy machine none of the rare ones may have come up by then.
	const seen = () => [...ledger.entries.values()];
	const hasAll = () =>
		ledger.acknowledged().length > 300 &&
		seen().some((entry) => entry.dropped) &&
		seen().some((entry) => entry.status === 400);
	await until(hasAll, 30_000, 'hits of every kind were sent');
	await load.end();
	const verdict = await judged();
	t.diagnostic(inWords(verdict));
	assert.ok(verdict.ok > 100 && verdict.dropped > 0 && verdict.rejected > 0, inWords(verdict));
	const [drops] = await w.sql<{ count: number; reasons: string }>(
		`SELECT sum(count)::int AS count, string_agg(DISTINCT reason, ' ') AS reasons FROM drops`,
	);
	// A hit that was dropped and sent a second time is two drops.
	assert.ok((drops?.count ?? 0) >= verdict.dropped, `${drops?.count} of ${verdict.dropped}`);
	assert.equal(drops?.reasons, 'prefetch');
});

test('the ledger finds each fault: a lost, a doubled, an invented and a misplaced event', async () => {
	const probe = createLedger();
	for (const entry of ledger.acknowledged())
		probe.noteAnswer(probe.noteSent(entry.websiteId, entry.eventId), 202, null);
	const unknown = [...ledger.entries.values()].filter((entry) => entry.status !== 202);
	for (const entry of unknown) probe.noteSent(entry.websiteId, entry.eventId);
	assert.deepEqual(faultsOf(await probe.judge(w.clickhouse)), []);
	const [first, second] = ledger.acknowledged();
	assert.ok(first && second);
	probe.noteAnswer(probe.noteSent(one.id, '77'), 202, null);
	probe.entries.delete(`${first.websiteId} ${first.eventId}`);
	probe.noteSent(4_000_000_000, second.eventId);
	probe.entries.delete(`${second.websiteId} ${second.eventId}`);
	const faults = faultsOf(await probe.judge(w.clickhouse));
	assert.match(
		faults.join(' | '),
		new RegExp(
			`1 lost: ${one.id} 77 \\| 1 phantom: ${first.websiteId} ${first.eventId} \\| 1 foreign: ${second.websiteId} ${second.eventId}`,
		),
	);
});

test('[T33] the same hit a hundred times is counted once, the same id on two websites twice', async () => {
	const eventId = eventIdOf(random);
	await Promise.all(Array.from({ length: 100 }, () => sendHit(ledger, w.base, one, eventId)));
	await sendHit(ledger, w.base, two, eventId);
	await judged();
	const rows = [...(await eventsOf(one.id)), ...(await eventsOf(two.id))];
	assert.equal(rows.filter((row) => row.event_id === eventId).length, 2);
});

test('a retry is counted once although its event was written before, and although the service restarted between', async () => {
	const [early, late] = [eventIdOf(random), eventIdOf(random)];
	const before = await pageviewsThisMonth();
	assert.equal(await sendHit(ledger, w.base, one, early), 202);
	await w.drain();
	assert.equal(await sendHit(ledger, w.base, one, early), 202);
	assert.equal(await sendHit(ledger, w.base, one, late), 202);
	await w.drain();
	await w.restart();
	assert.equal(await sendHit(ledger, w.base, one, late), 202);
	await judged();
	assert.equal(await pageviewsThisMonth(), before + 2, 'page views of the account count each once too');
});

test('[C-EVT-11] a server sends an event again days later, when its salt is gone: it is counted once, and the answer says that it is late', async () => {
	const event = { ip: '198.51.100.7', user_agent: userAgentOf(1) };
	const time = new Date(now().getTime() - 2 * hourMs).toISOString();
	const body = { ...event, id: wireId('161'), time };
	const path = `/websites/${three.id}/events`;
	const url = `https://${three.domain}/a`;
	for (const id of [0xa1, 0xa2]) ledger.noteAnswer(ledger.noteSent(three.id, String(id)), 202, null);
	const first = await owner.api('POST', path, { json: { ...body, url } });
	assert.deepEqual([first.status, first.json], [202, { data: { accepted: 1, late: 0, dropped: [] } }]);
	await w.drain();
	const before = (await eventsOf(three.id)).length;
	offsetMs += 4 * 24 * hourMs;
	const other = { ...body, url, id: wireId('162') };
	const again = await owner.api('POST', path, { json: { events: [{ ...body, url }, other, other] } });
	assert.deepEqual(again.json, { data: { accepted: 3, late: 3, dropped: [] } });
	await w.drain();
	const rows = await eventsOf(three.id);
	assert.equal(rows.length, before + 1, 'only the one that is new');
	const [added] = rows.filter((row) => row.late === 1);
	const [known] = rows.filter((row) => row.visitor_id !== added?.visitor_id && row.date === added?.date);
	assert.ok(added && known, 'it stands on its own day, as late, and is nobody of that day');
	assert.equal(added.date, time.slice(0, 10));
});

test('[C-EVT-6][F53] a server event without a time that is sent again minutes, days and seven days later counts once', async () => {
	const shop = await website();
	const order = {
		name: 'order',
		url: `https://${shop.domain}/thanks`,
		id: 'order-4711',
		revenue: { amount: '49.90', currency: 'EUR' },
	};
	const sendAgain = async (json: object) => {
		const answer = await owner.api('POST', `/websites/${shop.id}/events`, { json });
		assert.deepEqual(answer.json, { data: { accepted: 1, late: 0, dropped: [] } });
		await w.drain();
	};
	// Dated seven days back, so that the last retry is two weeks away from it.
	const first = { ...order, time: new Date(now().getTime() - 7 * 24 * hourMs + 60_000).toISOString() };
	await sendAgain(first);
	for (const later of [hourMs / 10, hourMs, 24 * hourMs, 5 * 24 * hourMs, 22 * hourMs]) {
		offsetMs += later;
		await sendAgain(order);
	}
	const rows = await eventsOf(shop.id);
	assert.equal(rows.length, 1);
	for (const { event_id } of rows) ledger.noteAnswer(ledger.noteSent(shop.id, event_id), 202, null);
	await judged();
});

test('[C-EVT-6][F53] ids are texts: other letter case, a leading zero or fewer digits are other events', async () => {
	const shop = await website();
	const ids = [
		'AB12',
		'ab12',
		'0AB12',
		'00ab12',
		'000000000000AB12',
		'000000000000ab12',
		'0',
		'0000000000000000',
	];
	const events = [...ids, ...ids].map((id) => ({ url: `https://${shop.domain}/`, id }));
	assertStatus(await owner.api('POST', `/websites/${shop.id}/events`, { json: { events } }), 202);
	await w.drain();
	const rows = await eventsOf(shop.id);
	assert.equal(rows.length, ids.length);
	for (const { event_id } of rows) ledger.noteAnswer(ledger.noteSent(shop.id, event_id), 202, null);
	await judged();
});

test('[T50][T93] the zone moves back by 26 hours: no hit is dropped in the long day, and no visitor is known for longer than a day', async () => {
	const far = await website({ timezone: 'Pacific/Kiritimati' });
	const headers = { 'user-agent': userAgentOf(5), 'x-forwarded-for': '203.0.113.5' };
	assertStatus(await owner.api('PUT', `/websites/${far.id}`, { form: { timezone: 'Etc/GMT+12' } }), 200);
	const sent: string[] = [];
	for (let hour = 0; hour < 80; hour++) {
		const eventId = eventIdOf(random);
		sent.push(eventId);
		assert.equal(await sendHit(ledger, w.base, far, eventId, { headers }), 202);
		offsetMs += hourMs;
	}
	await judged();
	const rows = await w.clickhouse.rows<{ visitor_id: string; hours: number }>(
		sql`SELECT visitor_id, dateDiff('hour', min(time), max(time)) AS hours FROM events
			WHERE website_id = ${param('UInt32', far.id)} GROUP BY visitor_id`,
		{ as: 'migrate' },
	);
	assert.equal((await eventsOf(far.id)).length, sent.length, 'every hit is counted');
	assert.ok(Math.max(...rows.map((row) => row.hours)) <= 24, JSON.stringify(rows));
});

test('without an address and a browser there is no visitor', async () => {
	const url = `https://${three.domain}/nobody`;
	ledger.noteAnswer(ledger.noteSent(three.id, String(0xabc)), 202, null);
	assertStatus(
		await owner.api('POST', `/websites/${three.id}/events`, { json: { url, id: wireId('2748') } }),
		202,
	);
	await w.drain();
	const row = (await eventsOf(three.id)).find((event) => event.event_id === String(0xabc));
	assert.equal(row?.visitor_id, '0');
});

test('[T32] a body cannot say whose address, browser, country or time it is', async () => {
	const [plain, lying] = [eventIdOf(random), eventIdOf(random)];
	const headers = { 'user-agent': userAgentOf(9), 'x-forwarded-for': '203.0.113.9' };
	const lies = {
		...{ ip: '198.51.100.1', address: '198.51.100.1', 'x-forwarded-for': '198.51.100.1', ua: 'Lynx' },
		...{
			user_agent: 'Lynx',
			country: 'NZ',
			time: '2020-01-01T00:00:00Z',
			ts: 1,
			date: '2020-01-01',
			late: 1,
		},
		...{ visitor_id: '7', visitor: '7', website_id: two.id },
	};
	assert.equal(await sendHit(ledger, w.base, one, plain, { headers }), 202);
	assert.equal(await sendHit(ledger, w.base, one, lying, { headers, members: lies }), 202);
	await w.drain();
	const rows = (await eventsOf(one.id)).filter((row) => [plain, lying].includes(row.event_id));
	const told = rows.map(({ event_id, time, ...rest }: Found & { time?: string }) => {
		assert.ok(Math.abs(Date.parse(`${time?.replace(' ', 'T')}Z`) - now().getTime()) < 60_000, `${time}`);
		return rest;
	});
	assert.equal(told.length, 2);
	assert.deepEqual(told[0], told[1]);
});

test('an IPv6 address is whole for exclusions: one address of a network can be left out', async () => {
	const some = await website({ exclude_ips: '2001:db8::7' });
	const from = (address: string) =>
		sendHit(ledger, w.base, some, eventIdOf(random), { headers: { 'x-forwarded-for': address } });
	assert.equal(await from('2001:db8::7'), 202);
	assert.equal(await from('2001:db8::8'), 202);
	await judged();
	assert.equal((await eventsOf(some.id)).length, 1);
});

test('a visitor is the same all day on one website, another one on another website and on another day', async () => {
	const headers = { 'user-agent': userAgentOf(3), 'x-forwarded-for': '203.0.113.3' };
	const visitorOf = async (site: typeof one, over: Record<string, string> = {}) => {
		const eventId = eventIdOf(random);
		assert.equal(await sendHit(ledger, w.base, site, eventId, { headers: { ...headers, ...over } }), 202);
		await w.drain();
		return (await eventsOf(site.id)).find((row) => row.event_id === eventId)?.visitor_id;
	};
	const visitor = await visitorOf(one);
	assert.equal(await visitorOf(one), visitor);
	const others = [
		await visitorOf(two),
		await visitorOf(one, { 'x-forwarded-for': '203.0.113.4' }),
		await visitorOf(one, { 'user-agent': userAgentOf(4) }),
	];
	await w.restart();
	assert.equal(await visitorOf(one), visitor, 'after a restart too');
	offsetMs += 24 * hourMs;
	others.push(await visitorOf(one));
	assert.equal(new Set([visitor, ...others]).size, 5);
});

test('drops are counted by website, reason and the day of the website', async () => {
	const far = await website({ timezone: 'Pacific/Kiritimati', exclude_ips: '203.0.113.200' });
	const hit = (headers: Record<string, string>, members = {}) =>
		sendHit(ledger, w.base, far, eventIdOf(random), { headers, members });
	assert.equal(await hit({ 'x-forwarded-for': '203.0.113.200' }), 202);
	assert.equal(await hit({ 'x-forwarded-for': '203.0.113.200' }), 202);
	assert.equal(await hit({ 'sec-purpose': 'prefetch' }), 202);
	assert.equal(await hit({}, { u: 'https://elsewhere.example/' }), 202);
	assert.equal(await hit({ 'sec-gpc': '1' }), 202);
	const date = new Date(now().getTime() + 14 * hourMs).toISOString().slice(0, 10);
	await until(
		async () => (await w.sql(`SELECT 1 FROM drops WHERE website_id = $1`, [far.id])).length === 4,
		5_000,
		'the drops are noted without any event',
	);
	assert.deepEqual(
		await w.sql(`SELECT date::text, reason, count::int FROM drops WHERE website_id = $1 ORDER BY reason`, [
			far.id,
		]),
		[
			{ date, reason: 'excluded_address', count: 2 },
			{ date, reason: 'foreign_hostname', count: 1 },
			{ date, reason: 'prefetch', count: 1 },
			{ date, reason: 'privacy_signal', count: 1 },
		],
	);
	await judged();
});

test('what no retry can mend is 4xx: not JSON, no website, an unknown one, 65 KiB', async () => {
	const post = (body: string) => send(w.base, 'POST', '/tm', { body });
	for (const [body, status] of [
		['', 400],
		['{"w":', 400],
		['null', 400],
		['[]', 400],
		['"1"', 400],
		['{}', 400],
		['{"w":0}', 400],
		['{"w":-1}', 400],
		['{"w":1.5}', 400],
		['{"w":"x"}', 400],
		['{"w":99999}', 404],
		[`{"w":${one.id},"p":"${'x'.repeat(65 * 1024)}"}`, 413],
	] as const) {
		const answer = await post(body);
		assert.deepEqual([body.slice(0, 12), answer.status], [body.slice(0, 12), status]);
		assert.equal((answer.json as { status: number }).status, status);
	}
	await judged();
});

test('ClickHouse is away: hits are answered as before, and written when it is back', async () => {
	const engine = w.pids().engine;
	assert.ok(engine);
	process.kill(engine, 'SIGSTOP');
	const ids = Array.from({ length: 40 }, () => eventIdOf(random));
	const statuses = await Promise.all(ids.map((id) => sendHit(ledger, w.base, one, id)));
	process.kill(engine, 'SIGCONT');
	assert.deepEqual(new Set(statuses), new Set([202]));
	await judged();
});

test('[F44] the log is full: 503 with a reason and Retry-After, nothing acknowledged is lost, and it goes on when there is room', async (t) => {
	const engine = w.pids().engine;
	assert.ok(engine);
	process.kill(engine, 'SIGSTOP');
	const u = `https://${one.domain}/`;
	const p = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`p${index}`, 'long '.repeat(100)]));
	let full: Response | undefined;
	try {
		for (let step = 0; step < 200 && !full; step++) {
			const sent = Array.from({ length: 20 }, async () => {
				const eventId = eventIdOf(random);
				const entry = ledger.noteSent(one.id, eventId);
				const body = JSON.stringify({ w: one.id, i: wireId(eventId), u, p });
				const response = await fetch(`${w.base}/tm`, {
					method: 'POST',
					body,
					headers: { 'user-agent': userAgentOf(1) },
				});
				ledger.noteAnswer(entry, response.status, response.headers.get('x-tidemark-dropped'));
				return response;
			});
			full = (await Promise.all(sent)).find((response) => response.status !== 202);
		}
	} finally {
		process.kill(engine, 'SIGCONT');
	}
	assert.equal(full?.status, 503);
	assert.equal(full.headers.get('retry-after'), '2');
	assert.equal(full.headers.get('access-control-allow-origin'), '*');
	assert.match(await full.text(), /The event log is full/);
	await until(
		async () => (await sendHit(ledger, w.base, one, eventIdOf(random))) === 202,
		20_000,
		'it goes on',
	);
	t.diagnostic(inWords(await judged()));
});
