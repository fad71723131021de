/** The event log on NATS JetStream, with the service around it: where events are, how they are read, and what is refused at start. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { sql } from '../../server/store/sql.ts';
import { freshDomain, websiteOf } from '../support/contract.ts';
import { createLedger, eventIdOf, faultsOf, sendHit } from '../support/ledger.ts';
import { startNats } from '../support/nats.ts';
import { seededRandom } from '../support/random.ts';
import { until } from '../support/service.ts';
import { world } from '../support/world.ts';

const nats = await startNats({ after });
const w = await world({ after }, { settings: nats.settings });
const random = seededRandom();
const owner = await w.account();
const website = async () =>
	websiteOf(await owner.api('POST', '/websites', { form: { domain: freshDomain() } }), 201);
const operator = await connectAs(nats.operatorUrl);
const manager = await jetstreamManager(operator);
after(() => operator.close());

async function connectAs(url: string) {
	const { host, username, password } = new URL(url);
	return connect({ servers: host, user: username, pass: decodeURIComponent(password) });
}

const streams = [1, 2, 3, 4];
const states = () =>
	Promise.all(streams.map(async (partition) => (await manager.streams.info(`tidemark-${partition}`)).state));

test('events are spread over the streams by their ids, are written once, and are gone from NATS then', async () => {
	const ledger = createLedger();
	const some = await website();
	const ids = Array.from({ length: 200 }, () => eventIdOf(random));
	const answers = await Promise.all(ids.map((id) => sendHit(ledger, w.base, some, id)));
	assert.deepEqual(new Set(answers), new Set([202]));
	await w.drain();
	assert.deepEqual(faultsOf(await ledger.judge(w.clickhouse)), []);
	const after = await states();
	assert.ok(
		after.every(({ last_seq }) => last_seq > 0),
		'each stream had some',
	);
	assert.equal(
		after.reduce((sum, { messages }) => sum + messages, 0),
		0,
	);
	const positions = await w.sql<{ partition: number; seq: string }>(
		'SELECT partition, seq FROM log_positions ORDER BY partition',
	);
	assert.deepEqual(
		positions.map(({ seq }) => Number(seq)),
		after.map(({ last_seq }) => last_seq),
	);
	assert.deepEqual(await w.sql('SELECT * FROM event_log'), [], 'nothing in the table');
});

test('what was in the table when NATS was set is written too', async () => {
	const some = await website();
	const line = JSON.stringify({
		...{ website_id: some.id, date: '2026-11-15', visitor_id: '7', time: '2026-11-15 12:00:00.000' },
		...{ event_id: '4711', kind: 'pageview' },
	});
	const header = JSON.stringify({
		w: [some.id],
		d: ['2026-11-15'],
		v: ['7'],
		i: ['4711'],
		p: [1],
		drops: [],
	});
	await w.sql('SELECT append_to_event_log($1, $2)', [header, line]);
	await w.drain();
	const rows = await w.clickhouse.rows<{ website_id: number; event_id: string }>(
		sql`SELECT website_id, event_id FROM events WHERE event_id = 4711`,
		{ as: 'migrate' },
	);
	assert.deepEqual(rows, [{ website_id: some.id, event_id: '4711' }]);
});

test('[F14] unreadable messages move to dead letters with a reason, and the others are written', async () => {
	const ledger = createLedger();
	const some = await website();
	const client = jetstream(operator);
	const bodies = {
		'garbage \u0000 in it': /not JSON/,
		'{"f":2,"w":[]}\n': /version is 2/,
		'{"f":1,"w":[1],"d":["2026-99-99"],"v":["1"],"i":["1"],"p":[1],"drops":[]}\n{}': /list d/,
		'{"f":1,"w":[1,2],"d":["2026-01-01"],"v":["1"],"i":["1"],"p":[1],"drops":[]}\n{}': /list w/,
		'{"f":1,"w":[],"d":[],"v":[],"i":[],"p":[],"drops":[[1,"2026-01-01","a\\u0000b",1]]}\n': /counts/,
	};
	for (const body of Object.keys(bodies)) {
		await client.publish('tidemark.events.1', body);
		for (let step = 0; step < 8; step++) await sendHit(ledger, w.base, some, eventIdOf(random));
	}
	// A field that a newer release adds does not make a group unreadable.
	await client.publish(
		'tidemark.events.2',
		'{"f":1,"w":[],"d":[],"v":[],"i":[],"p":[],"drops":[],"news":{"a":1}}\n',
	);
	await w.drain();
	const { lost, duplicate } = await ledger.judge(w.clickhouse);
	assert.deepEqual([lost, duplicate], [[], []]);
	const letters = await w.sql<{ reason: string; body: Buffer }>(
		'DELETE FROM dead_letters RETURNING reason, body',
	);
	assert.deepEqual(letters.map(({ body }) => body.toString()).sort(), Object.keys(bodies).sort());
	for (const { reason, body } of letters)
		assert.match(reason, bodies[body.toString() as keyof typeof bodies]);
});

test('dead letters are listed, written again, each event once, and forgotten', async () => {
	const some = await website();
	const [first, second] = [eventIdOf(random), eventIdOf(random)];
	const lineOf = (eventId: string) =>
		JSON.stringify({
			...{ website_id: some.id, date: '2026-11-15', visitor_id: '7', time: '2026-11-15 12:00:00.000' },
			...{ event_id: eventId, kind: 'pageview' },
		});
	const header = (form: number) =>
		JSON.stringify({ f: form, w: [some.id], d: ['2026-11-15'], v: ['7'], i: [second], p: [1], drops: [] });
	await w.sql(`INSERT INTO dead_letters (website_id, event_id, line, reason) VALUES ($1, $2, $3, 'odd')`, [
		...[some.id, first, lineOf(first)],
	]);
	await w.sql(`INSERT INTO dead_letters (line, reason, body) VALUES ('', 'old', $1), ('', 'new', $2)`, [
		Buffer.from(`${header(1)}\n${lineOf(second)}`),
		Buffer.from(`${header(2)}\n${lineOf(second)}`),
	]);
	const letters = await w.operate('letter.list', {});
	assert.deepEqual(
		letters.map(({ websiteId, eventId, reason }) => [websiteId, eventId, reason]),
		[
			[some.id, first, 'odd'],
			[null, null, 'old'],
			[null, null, 'new'],
		],
	);
	assert.deepEqual(await w.operate('letter.retry', {}), { events: 2, left: 1 });
	await w.drain();
	// Written before: a second time it is not.
	await w.sql(`INSERT INTO dead_letters (website_id, event_id, line, reason) VALUES ($1, $2, $3, 'odd')`, [
		...[some.id, first, lineOf(first)],
	]);
	assert.deepEqual(await w.operate('letter.retry', {}), { events: 1, left: 1 });
	await w.drain();
	const rows = await w.clickhouse.rows<{ id: string; website_id: number }>(
		sql`SELECT toString(event_id) AS id, website_id FROM events`,
		{ as: 'migrate' },
	);
	const found = rows.filter(({ website_id }) => website_id === some.id).map(({ id }) => id);
	assert.deepEqual(found.sort(), [first, second].sort());
	const ids = (await w.operate('letter.list', {})).map(({ id }) => id);
	assert.deepEqual(await w.operate('letter.drop', { ids }), { dropped: 1 });
	await assert.rejects(w.operate('letter.drop', { ids }), /There is no dead letter/);
	assert.deepEqual(await w.operate('letter.list', {}), []);
});

test('[F43] a collector that is newer than the writer: what it adds is left alone, a new form waits for the upgrade', async () => {
	const some = await website();
	const [added, changed] = [eventIdOf(random), eventIdOf(random)];
	const bodyOf = (eventId: string, form: number) => {
		const lists = { w: [some.id], d: ['2026-11-15'], v: ['7'], i: [eventId], p: [1], drops: [] };
		const row = {
			...{ website_id: some.id, date: '2026-11-15', visitor_id: '7', time: '2026-11-15 12:00:00.000' },
			...{ event_id: eventId, kind: 'pageview', column_of_the_next_version: 'x' },
		};
		return `${JSON.stringify({ f: form, ...lists, q: ['new'] })}\n${JSON.stringify(row)}`;
	};
	const client = jetstream(operator);
	const publish = (eventId: string, form: number) =>
		client.publish(`tidemark.events.${Number(BigInt(eventId) % 4n) + 1}`, bodyOf(eventId, form));
	await publish(added, 1);
	await publish(changed, 2);
	await w.drain();
	const written = async () => {
		const rows = await w.clickhouse.rows<{ id: string; website_id: number }>(
			sql`SELECT toString(event_id) AS id, website_id FROM events`,
			{ as: 'migrate' },
		);
		return rows.filter(({ website_id }) => website_id === some.id).map(({ id }) => id);
	};
	assert.deepEqual(await written(), [added]);
	// The group as it came: nothing of it is lost for whoever can read it.
	const [letter] = await w.operate('letter.list', {});
	assert.match(letter?.reason ?? '', /version is 2/);
	assert.deepEqual(await w.operate('letter.retry', {}), { events: 0, left: 1 });
	const [kept] = await w.sql<{ body: Buffer }>('SELECT body FROM dead_letters');
	assert.equal(kept?.body.toString(), bodyOf(changed, 2));
	// An upgrade that reads it, played by a group of the form that this version reads.
	await w.sql('UPDATE dead_letters SET body = $1', [Buffer.from(bodyOf(changed, 1))]);
	assert.deepEqual(await w.operate('letter.retry', {}), { events: 1, left: 0 });
	await w.drain();
	assert.deepEqual((await written()).sort(), [added, changed].sort());
	assert.deepEqual(await w.operate('letter.list', {}), []);
});

test('messages that somebody deleted are told, and the others flow', async () => {
	const ledger = createLedger();
	const some = await website();
	await w.restart(async () => {
		const client = jetstream(operator);
		const empty = '{"f":1,"w":[],"d":[],"v":[],"i":[],"p":[],"drops":[]}\n';
		const seqs: number[] = [];
		for (let step = 0; step < 5; step++) seqs.push((await client.publish('tidemark.events.3', empty)).seq);
		for (const at of [1, 2]) await manager.streams.deleteMessage('tidemark-3', seqs[at] ?? 0);
	});
	for (let step = 0; step < 20; step++) await sendHit(ledger, w.base, some, eventIdOf(random));
	await w.drain();
	assert.deepEqual((await ledger.judge(w.clickhouse)).lost, []);
	const gaps = await w.sql<{ partition: number; messages: number }>(
		'SELECT partition, (last_seq - first_seq + 1)::int AS messages FROM log_gaps',
	);
	assert.deepEqual(gaps, [{ partition: 3, messages: 2 }]);
	assert.match(w.log(), /messages are missing in NATS/);
});

test('a stream that was made anew is read from its first message', async () => {
	const ledger = createLedger();
	const some = await website();
	const before = await states();
	await w.restart(async () => {
		for (const partition of streams) await manager.streams.delete(`tidemark-${partition}`);
	});
	// More of them than the stream had before: numbers alone would not tell.
	for (let step = 0; step < 2 * Math.max(...before.map(({ last_seq }) => last_seq)); step++)
		await Promise.all(streams.map(() => sendHit(ledger, w.base, some, eventIdOf(random))));
	await w.drain();
	assert.deepEqual((await ledger.judge(w.clickhouse)).lost, []);
});

test('a service tells how its log is', async () => {
	const ready = await fetch(`${w.base}/health/ready`);
	// Its own answer, just asked for.
	const { status, nats: log } = (await ready.json()) as { status: string; nats: string };
	assert.deepEqual([status, log], ['ready', 'up']);
	const { findings } = await w.operate('doctor', {});
	const about = findings.filter(({ check }) => check === 'event_log').map(({ what }) => what);
	assert.match(about.join(' '), /[0-9]+ messages of the event log are missing/);
	await until(async () => (await states()).every(({ messages }) => messages === 0), 5_000, 'all is written');
});
