/** The event log on NATS by hand, without a writer: its limits, damage to its disk, and servers that are refused. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { readConfig } from '../../server/config.ts';
import { checkNats } from '../../server/event-log/check-nats.ts';
import {
	type EventLog,
	EventLogFull,
	type LoggedEvent,
	type LogRow,
} from '../../server/event-log/event-log.ts';
import { refuseForgottenNats } from '../../server/event-log/forgotten-nats.ts';
import { openJetStreamLog } from '../../server/event-log/jetstream-log.ts';
import { createLog } from '../../server/lib/log.ts';
import { openStores } from '../../server/main.ts';
import { sql } from '../../server/store/sql.ts';
import { startNats } from '../support/nats.ts';
import { createNet } from '../support/net.ts';
import { seededRandom } from '../support/random.ts';

const folder = mkdtempSync(join(tmpdir(), 'tidemark-test-'));
const lines: string[] = [];
const log = createLog('debug', (line) => lines.push(line));
const { postgres, close } = await openStores(
	readConfig({ TIDEMARK_DATA: folder, TIDEMARK_UPGRADE_BACKUP: 'off' }),
	{ log, statistics: false },
);
after(async () => {
	await close();
	rmSync(folder, { recursive: true, force: true });
});

type Nats = { url: string; monitorUrl?: string | undefined; ca?: string | undefined };

/** A log that nothing is known of yet. */
async function openLog(
	t: TestContext,
	nats: Nats,
	options: { partitions?: number; maxLogBytes?: number } = {},
) {
	await postgres.script('DELETE FROM log_positions; DELETE FROM log_gaps');
	const opened = await openJetStreamLog(postgres, {
		...{ log, maxWaiting: 10_000, partitions: 1, maxLogBytes: 64_000_000, ...options },
		nats: { ca: undefined, monitorUrl: undefined, ...nats },
	});
	t.after(() => opened.close());
	return opened;
}

const natsOf = ({ url, servers }: Awaited<ReturnType<typeof startNats>>): Nats => ({
	url,
	monitorUrl: servers[0]?.monitorUrl,
});

let ids = 0;
const event = (bytes = 100): LoggedEvent => ({
	...{ websiteId: 1, date: '2026-11-15', visitorId: '7', eventId: String(++ids), isPageview: true },
	...{ mayRepeat: false, line: JSON.stringify({ t: 'x'.repeat(bytes) }) },
});
const limits = { rows: 10_000, events: 1e9, bytes: 1e9 };
const streamsOf = (eventLog: EventLog) => eventLog.partitions.slice(1);
const idsOf = (rows: readonly LogRow[]) => rows.flatMap(({ header }) => header.i);

async function managerOf(t: TestContext, url: string) {
	const { host, username, password } = new URL(url);
	const connection = await connect({ servers: host, user: username, pass: decodeURIComponent(password) });
	t.after(() => connection.close());
	return jetstreamManager(connection);
}

test('[T76] an event is in the stream that its id says, whatever is in it', async (t) => {
	const nats = await startNats(t);
	const eventLog = await openLog(t, natsOf(nats), { partitions: 3 });
	const events = Array.from({ length: 60 }, () => event());
	// A website is only ever a number, and stands in the body.
	await assert.rejects(eventLog.append([{ ...event(), eventId: '1.>' }]), SyntaxError);
	await Promise.all(events.map((one) => eventLog.append([one])));
	const found = await Promise.all(
		streamsOf(eventLog).map(async (stream) => idsOf(await stream.read(undefined, limits))),
	);
	for (const [index, of] of found.entries())
		assert.deepEqual(
			of.toSorted(),
			events
				.map(({ eventId }) => eventId)
				.filter((id) => Number(id) % 3 === index)
				.toSorted(),
		);
	const manager = await managerOf(t, nats.operatorUrl);
	const subjects: string[] = [];
	for await (const { config } of manager.streams.list()) subjects.push(...(config.subjects ?? []));
	assert.deepEqual(subjects.sort(), ['tidemark.events.1', 'tidemark.events.2', 'tidemark.events.3']);
});

test('groups are split where a message would be too large, and large ones are taken whole', async (t) => {
	const eventLog = await openLog(t, natsOf(await startNats(t, { more: 'max_payload: 128KB' })));
	const events = Array.from({ length: 40 }, () => event(20_000));
	for (let step = 0; step < 3_000; step++)
		eventLog.countDrop(
			{ websiteId: step, date: '2026-11-15', reason: 'hostname' },
			{ hostname: `${step}.example`.repeat(20) },
		);
	await eventLog.append(events);
	const [stream] = streamsOf(eventLog);
	assert.ok(stream);
	const rows = await stream.read(undefined, limits);
	assert.ok(rows.length > 10, `${rows.length} messages`);
	assert.deepEqual(new Set(idsOf(rows)), new Set(events.map(({ eventId }) => eventId)));
	const [first, second] = [await stream.read(undefined, { ...limits, bytes: 1 }), rows[1]];
	assert.deepEqual([first.length, second?.seq], [1, 2], 'one at least');
});

test('[F44] a stream that is full refuses: what was acknowledged stays, and there is room once it is written', async (t) => {
	const nats = await startNats(t);
	const eventLog = await openLog(t, natsOf(nats), { maxLogBytes: 300_000 });
	const acknowledged: string[] = [];
	let refused: unknown;
	while (!refused && acknowledged.length < 1_000) {
		const one = event(5_000);
		await eventLog.append([one]).then(
			() => acknowledged.push(one.eventId),
			(error: unknown) => {
				refused = error;
			},
		);
	}
	assert.ok(refused instanceof EventLogFull && /full/.test(refused.message));
	assert.ok(acknowledged.length > 20);
	const [stream] = streamsOf(eventLog);
	const rows = (await stream?.read(undefined, limits)) ?? [];
	assert.deepEqual(idsOf(rows), acknowledged);
	const last = rows.at(-1);
	assert.ok(last && stream);
	await postgres.transaction((tx) => stream.release(tx, 1, last));
	await stream.forget(last);
	await eventLog.append([event(5_000)]);
	assert.equal((await eventLog.lag()).rows, 1);
	await assert.rejects(
		postgres.transaction((tx) => stream.release(tx, 1, last)),
		/written by another writer/,
	);
});

for (const damage of ['a flipped bit', 'a torn end', 'a block that is gone'] as const) {
	test(`[F38] ${damage} on the disk of NATS: what is missing is told, the rest is read, and new events follow`, async (t) => {
		const random = seededRandom();
		t.diagnostic(`seed ${random.seed}`);
		const nats = await startNats(t);
		const [server] = nats.servers;
		assert.ok(server);
		const eventLog = await openLog(t, natsOf(nats));
		const before: string[] = [];
		for (let step = 0; step < 60; step++) {
			const one = event(2_000);
			await eventLog.append([one]);
			before.push(one.eventId);
		}
		await server.kill();
		const blocks = readdirSync(server.store, { recursive: true, encoding: 'utf8' }).filter((name) =>
			name.endsWith('.blk'),
		);
		const block = join(server.store, blocks[0] ?? '');
		const bytes = readFileSync(block);
		assert.ok(statSync(block).size > 100_000);
		if (damage === 'a flipped bit') {
			const at = 20_000 + random.whole(80_000);
			bytes.writeUInt8((bytes.at(at) ?? 0) ^ 1, at);
			writeFileSync(block, bytes);
		} else if (damage === 'a torn end') writeFileSync(block, bytes.subarray(0, bytes.length - 7_000));
		else rmSync(block);
		await server.start();
		const later = [event(), event()];
		for (const one of later) await eventLog.append([one]);
		const [stream] = streamsOf(eventLog);
		assert.ok(stream);
		let rows: LogRow[] = [];
		for (let tries = 0; tries < 15 && !idsOf(rows).includes(later[1]?.eventId ?? ''); tries++) {
			await new Promise((resolve) => setTimeout(resolve, 1_000));
			rows = await stream.read(undefined, limits);
		}
		const found = idsOf(rows);
		assert.deepEqual(
			later.map(({ eventId }) => found.includes(eventId)),
			[true, true],
		);
		const lost = before.filter((id) => !found.includes(id)).length;
		const gaps = await postgres.rows<{ first: number; last: number }>(
			sql`SELECT first_seq AS first, last_seq AS last FROM log_gaps ORDER BY 1`,
		);
		t.diagnostic(
			`${lost} of ${before.length} lost, gaps ${gaps.map(({ first, last }) => `${first}-${last}`).join(' ')}`,
		);
		assert.ok(lost > 0, 'the damage did some');
		assert.equal(
			gaps.reduce((sum, { first, last }) => sum + last - first + 1, 0),
			lost,
			'what is lost is told, message for message',
		);
		assert.equal(new Set(found).size, found.length, 'none twice');
	});
}

test('[F38] a stream that lost its end while nobody ran is told at the next start', async (t) => {
	const nats = await startNats(t);
	const eventLog = await openLog(t, natsOf(nats));
	for (let step = 0; step < 10; step++) await eventLog.append([event()]);
	await eventLog.close();
	const manager = await managerOf(t, nats.operatorUrl);
	await manager.streams.delete('tidemark-1');
	const again = await openJetStreamLog(postgres, {
		...{ log, maxWaiting: 10_000, partitions: 1, maxLogBytes: 64_000_000 },
		nats: { ca: undefined, monitorUrl: undefined, ...natsOf(nats) },
	});
	t.after(() => again.close());
	assert.deepEqual(await postgres.rows(sql`SELECT first_seq AS first, last_seq AS last FROM log_gaps`), [
		{ first: 1, last: 10 },
	]);
});

test('numbers that a stream gives again are not purged with those that were written', async (t) => {
	const nats = await startNats(t);
	const eventLog = await openLog(t, natsOf(nats));
	const [stream] = streamsOf(eventLog);
	assert.ok(stream);
	for (let step = 0; step < 10; step++) await eventLog.append([event()]);
	const rows = await stream.read(undefined, limits);
	const last = rows.at(-1);
	assert.ok(last && rows.length === 10);
	// The batch is in memory when the stream begins again.
	const manager = await managerOf(t, nats.operatorUrl);
	const { config } = await manager.streams.info('tidemark-1');
	await manager.streams.delete('tidemark-1');
	await manager.streams.add(config);
	const later: string[] = [];
	const append = async (count: number) => {
		for (let step = 0; step < count; step++) {
			const one = event();
			await eventLog.append([one]);
			later.push(one.eventId);
		}
	};
	await append(5);
	await postgres.transaction((tx) => stream.release(tx, 1, last));
	// The number of the last one is not given again yet, and then it is.
	await stream.forget(last);
	await append(10);
	await stream.forget(last);
	assert.deepEqual(idsOf(await stream.read(undefined, limits)), later);
});

test('a message whose name a server knows and that it does not have is given again', async (t) => {
	const nats = await startNats(t);
	const net = await createNet(t, Number(new URL(nats.url).port));
	const url = nats.url.replace(/@127\.0\.0\.1:\d+/, `@127.0.0.1:${net.port}`);
	const eventLog = await openLog(t, { ...natsOf(nats), url });
	const manager = await managerOf(t, nats.operatorUrl);
	net.lose('back');
	const one = event();
	const appended = eventLog.append([one]);
	const lastSeq = async () => (await manager.streams.info('tidemark-1')).state.last_seq;
	while ((await lastSeq()) === 0) await sleep(20);
	await manager.streams.deleteMessage('tidemark-1', 1);
	net.heal();
	await appended;
	const [stream] = streamsOf(eventLog);
	assert.deepEqual(idsOf((await stream?.read(undefined, limits)) ?? []), [one.eventId]);
});

test('a cluster holds three copies: one server is killed, and then the leader of a stream', async (t) => {
	const nats = await startNats(t, { servers: 3 });
	const eventLog = await openLog(t, { url: nats.url }, { partitions: 2 });
	const manager = await managerOf(t, nats.operatorUrl.replace(/@.*/, `@127.0.0.1:${nats.servers[0]?.port}`));
	const { config, cluster } = await manager.streams.info('tidemark-1');
	assert.deepEqual([config.num_replicas, cluster?.replicas?.length], [3, 2]);
	const acknowledged: string[] = [];
	const send = async () => {
		const one = event();
		await eventLog.append([one]).then(
			() => acknowledged.push(one.eventId),
			() => undefined,
		);
	};
	for (let step = 0; step < 20; step++) await send();
	// Not the one that the operator is connected to.
	const leader = nats.servers.findIndex((_, number) => cluster?.leader === `test-${number}`);
	const victim = nats.servers[leader > 0 ? leader : 1];
	await victim?.kill();
	for (let step = 0; step < 20; step++) await send();
	await victim?.start();
	for (let step = 0; step < 20; step++) await send();
	assert.ok(acknowledged.length > 40, `${acknowledged.length}`);
	const rows = await Promise.all(streamsOf(eventLog).map((stream) => stream.read(undefined, limits)));
	const found = rows.flatMap(idsOf);
	assert.deepEqual(
		acknowledged.filter((id) => !found.includes(id)),
		[],
	);
	assert.equal(new Set(found).size, found.length, 'none twice');
});

test('a server that would lose something is refused, and told how to mend it', async (t) => {
	const refusing = async (nats: Nats, why: RegExp) => assert.rejects(openLog(t, nats), why);
	const lazy = await startNats(t, { jetstream: 'sync_interval: 10s' });
	await refusing(natsOf(lazy), /acknowledges messages before they are on disk.*sync_interval: always/);
	const off = await startNats(t, { servers: 1 });
	await refusing({ url: off.url }, /NATS_MONITOR_URL=/);
	await refusing({ ...natsOf(off), monitorUrl: natsOf(lazy).monitorUrl }, /of another server/);
	await refusing(
		{ ...natsOf(off), monitorUrl: 'http://127.0.0.1:1' },
		/NATS_MONITOR_URL is not its monitoring port/,
	);
	await openLog(t, natsOf(off));
	await assert.rejects(refuseForgottenNats(postgres), /Set NATS_URL again/);
	const again = openJetStreamLog(postgres, {
		...{ log, maxWaiting: 10, partitions: 2, maxLogBytes: 1e6 },
		nats: { ca: undefined, monitorUrl: undefined, ...natsOf(off) },
	});
	await assert.rejects(
		again,
		/NATS_PARTITIONS is 2, and the event log was made with 1.*Set NATS_PARTITIONS=1/,
	);
	const manager = await managerOf(t, off.operatorUrl);
	await manager.streams.update('tidemark-1', { max_age: 3_600_000_000_000 });
	await refusing(natsOf(off), /tidemark-1.*max_age is 3600000000000 and must be 0.*nats stream edit/);
});

test('versions that can lose a stream, and servers without JetStream, are refused', async () => {
	const server = (info: object) =>
		// A server of such a version cannot be had; what it says of itself is all that is looked at.
		checkNats(
			{ info: { jetstream: true, cluster: 'c', ...info } } as unknown as Parameters<typeof checkNats>[0],
			undefined,
		);
	for (const version of ['2.9.10', '2.10.22', '1.99.99', 'dev'])
		await assert.rejects(server({ version }), /Upgrade nats-server/, version);
	for (const version of ['2.10.23', '2.11.0-beta', '3.0.0', '2.10.100'])
		assert.deepEqual(await server({ version }), { replicas: 3 }, version);
	await assert.rejects(server({ version: '2.10.27', jetstream: undefined }), /JetStream is off/);
});

test('[T61] without its password NATS lets nobody in, and no secret is in a message or a log line', async (t) => {
	const nats = await startNats(t);
	const { host } = new URL(nats.url);
	lines.length = 0;
	for (const url of [
		`nats://${host}`,
		`nats://tidemark:hunter2-of-nats@${host}`,
		`nats://token-of-nats@${host}`,
	])
		await assert.rejects(openLog(t, { ...natsOf(nats), url }), (error: Error) => {
			assert.match(error.message, /NATS cannot be reached: .*Authorization/i);
			assert.doesNotMatch(String(error.stack), /hunter2-of-nats|token-of-nats/);
			return true;
		});
	assert.doesNotMatch(lines.join(''), /hunter2-of-nats|token-of-nats/);
});

test('[T62] a certificate that nobody has signed is refused; with its authority the log is opened', async (t) => {
	const certificates = mkdtempSync(join(tmpdir(), 'tidemark-test-'));
	t.after(() => rmSync(certificates, { recursive: true, force: true }));
	const [key, cert] = [join(certificates, 'key.pem'), join(certificates, 'cert.pem')];
	execFileSync(
		'openssl',
		[
			...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'],
			...['-keyout', key, '-out', cert, '-days', '2', '-subj', '/CN=localhost'],
			...['-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'],
		],
		{ stdio: 'ignore' },
	);
	const nats = await startNats(t, { more: `tls { cert_file: "${cert}", key_file: "${key}" }` });
	const url = nats.url.replace('nats://', 'tls://').replace('127.0.0.1', 'localhost');
	await assert.rejects(openLog(t, { ...natsOf(nats), url }), /NATS cannot be reached.*self.signed/i);
	const eventLog = await openLog(t, { ...natsOf(nats), url, ca: readFileSync(cert, 'utf8') });
	await eventLog.append([event()]);
	const plain = await startNats(t);
	const downgraded = plain.url.replace('nats://', 'tls://');
	await assert.rejects(openLog(t, { ...natsOf(plain), url: downgraded }), /not encrypted|tls/i);
});
