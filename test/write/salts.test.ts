import assert from 'node:assert/strict';
import {
	closeSync,
	mkdtempSync,
	openSync,
	readdirSync,
	readFileSync,
	readSync,
	rmSync,
	statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { readConfig } from '../../server/config.ts';
import { callControl, controlPath } from '../../server/control/call.ts';
import { createSalts } from '../../server/ingest/lookups/salts.ts';
import { createLog } from '../../server/lib/log.ts';
import { type Service, startService } from '../../server/main.ts';
import { openPostgres } from '../../server/store/postgres.ts';
import { createSaltFiles, createSaltTables } from '../../server/store/salt-store.ts';
import { sql } from '../../server/store/sql.ts';
import { startClickHouseServer } from '../support/clickhouse-server.ts';
import { client } from '../support/client.ts';
import { freshDomain, websiteOf } from '../support/contract.ts';
import { createLedger, eventIdOf, faultsOf, sendHit, userAgentOf, wireId } from '../support/ledger.ts';
import { oneSecret } from '../support/one-secret.ts';
import { startPostgresServer } from '../support/postgres-server.ts';
import { seededRandom } from '../support/random.ts';

const log = createLog('silent', () => undefined);

function folderOf(t: { after(work: () => void): void }): string {
	const folder = mkdtempSync(join(tmpdir(), 'tidemark-test-'));
	t.after(() => rmSync(folder, { recursive: true, force: true }));
	return folder;
}

/** When a salt of this zone and date must be gone: two hours after the date has ended there. */
const ends: [zone: string, date: string, spentAt: string][] = [
	['UTC', '2026-11-15', '2026-11-16T02:00:00Z'],
	['Europe/Berlin', '2026-10-25', '2026-10-26T01:00:00Z'],
	['America/New_York', '2026-11-01', '2026-11-02T07:00:00Z'],
	['Asia/Kathmandu', '2026-11-15', '2026-11-15T20:15:00Z'],
	['Pacific/Kiritimati', '2026-11-15', '2026-11-15T12:00:00Z'],
	['America/Santiago', '2026-09-05', '2026-09-06T06:00:00Z'],
	['Australia/Lord_Howe', '2026-10-04', '2026-10-04T15:00:00Z'],
];

test('[T50] a salt lives until two hours after its date has ended in its zone, and not a moment longer', async (t) => {
	const folder = folderOf(t);
	for (const [zone, date, spentAt] of ends) {
		const end = Date.parse(spentAt);
		let moment = end - 20 * 3_600_000;
		const salts = createSalts(createSaltFiles(folder), () => new Date(moment), log);
		const salt = await salts.get(zone, date);
		assert.equal(salt?.length, 32, zone);
		const copy = Buffer.from(salt);
		const [name = ''] = readdirSync(folder);
		assert.equal(statSync(join(folder, name)).mode & 0o777, 0o600);
		assert.deepEqual(readFileSync(join(folder, name)), copy);

		moment = end - 1;
		assert.deepEqual(await salts.get(zone, date), copy);
		assert.equal(await salts.destroySpent(), 0);
		assert.deepEqual(readdirSync(folder), [name]);

		moment = end;
		assert.equal(await salts.get(zone, date), undefined, `${zone}: it is not used although it is there`);
		// Whoever had the file open, or finds its bytes on the disk, finds something else.
		const handle = openSync(join(folder, name), 'r');
		assert.equal(await salts.destroySpent(), 1);
		const rest = Buffer.alloc(32);
		readSync(handle, rest, 0, 32, 0);
		closeSync(handle);
		assert.notDeepEqual(rest, copy, `${zone}: the bytes are overwritten`);
		assert.deepEqual(readdirSync(folder), []);
		assert.deepEqual(salt, Buffer.alloc(32), `${zone}: and gone from memory`);

		assert.equal(await salts.get(zone, date), undefined, `${zone}: it is never made again`);
		assert.deepEqual(readdirSync(folder), []);
		salts.close();
	}
});

test('[T50] a salt is made at most a day ahead, and for every zone and date another one', async (t) => {
	const now = () => new Date('2026-11-15T12:00:00Z');
	const salts = createSalts(createSaltFiles(folderOf(t)), now, log);
	t.after(() => salts.close());
	const made = [
		await salts.get('UTC', '2026-11-15'),
		await salts.get('UTC', '2026-11-16'),
		await salts.get('Europe/Berlin', '2026-11-15'),
	];
	assert.equal(new Set(made.map((salt) => salt?.toString('hex'))).size, 3);
	assert.ok(!made.includes(undefined));
	assert.equal(await salts.get('UTC', '2026-11-17'), undefined);
	assert.equal(await salts.get('UTC', '2026-11-13'), undefined);
});

test('collectors that ask at once get one salt, from files and from a server, and a spent table is dropped', async (t) => {
	const server = await startPostgresServer();
	const pools = [1, 2, 3, 4].map(() =>
		openPostgres({ connectionString: server.url }, { log, connections: 8 }),
	);
	t.after(async () => {
		await Promise.all(pools.map((pool) => pool.close()));
		await server.stop();
	});
	const folder = folderOf(t);
	let moment = Date.parse('2026-11-15T12:00:00Z');
	for (const stores of [pools.map(createSaltTables), pools.map(() => createSaltFiles(folder))]) {
		moment = Date.parse('2026-11-15T12:00:00Z');
		const collectors = stores.map((store) => createSalts(store, () => new Date(moment), log));
		const zones = ['UTC', 'Europe/Berlin', 'Asia/Tokyo', 'America/Lima', 'Asia/Kathmandu', 'Europe/Paris'];
		const given = await Promise.all(
			collectors.flatMap((salts) =>
				zones.map(async (zone) => `${zone} ${(await salts.get(zone, '2026-11-15'))?.toString('hex')}`),
			),
		);
		assert.equal(new Set(given).size, zones.length, 'one salt a zone');
		moment = Date.parse('2026-11-16T12:00:00Z');
		for (const salts of collectors) await salts.destroySpent();
		for (const salts of collectors) assert.equal(await salts.get('UTC', '2026-11-15'), undefined);
		for (const salts of collectors) salts.close();
	}
	assert.deepEqual(readdirSync(folder), []);
	const left = await pools[0]?.rows(sql`SELECT relname FROM pg_class WHERE relname LIKE 'salts%'`);
	assert.deepEqual(left, []);
});

test("[F32] midnight in the website's zone with two collectors, one of them behind: a visitor is one visitor a day", async (t) => {
	const random = seededRandom();
	t.diagnostic(`seed ${random.seed}`);
	const server = await startPostgresServer();
	t.after(() => server.stop());
	// 15 November ends in New York at 05:00 UTC. The second collector's clock is four seconds late.
	const midnight = Date.parse('2026-11-16T05:00:00Z');
	let moment = midnight - 10_000;
	const services: Service[] = [];
	t.after(async () => {
		await Promise.all(services.map((service) => service.stop()));
	});
	const clickhouse = await startClickHouseServer(t);
	let config = readConfig({});
	for (const behindMs of [0, 4_000]) {
		config = readConfig({
			...{ TIDEMARK_DATA: folderOf(t), TIDEMARK_PORT: '0' },
			...{ DATABASE_URL: server.url, CLICKHOUSE_URL: clickhouse.url, TIDEMARK_SECRET: oneSecret },
		});
		services.push(await startService(config, { log, now: () => new Date(moment - behindMs) }));
	}
	const made = await callControl(
		controlPath(config),
		'account.create',
		{ name: 'A', email: 'a@example.test' },
		() => undefined,
	);
	assert.ok(made);
	const [first, second] = services;
	assert.ok(first && second);
	const form = { domain: freshDomain(), timezone: 'America/New_York' };
	const website = websiteOf(
		await client(first.address, made.result.secret)('POST', '/websites', { form }),
		201,
	);

	const ledger = createLedger();
	const wanted = new Set<string>();
	const pageOf = new Map<number, string>();
	const dateAt = (time: number) => (time < midnight ? '2026-11-15' : '2026-11-16');
	for (let step = 0; step < 60; step++) {
		moment = midnight - 10_000 + step * 500;
		const isSecond = random.next() < 0.5;
		const time = isSecond ? moment - 4_000 : moment;
		const visitor = random.whole(6);
		const headers = { 'user-agent': userAgentOf(visitor) };
		const eventId = eventIdOf(random);
		const address: string = (isSecond ? second : first).address;
		assert.equal(await sendHit(ledger, address, website, eventId, { headers }), 202);
		wanted.add(`${dateAt(time)} ${visitor}`);
		if (time < midnight) pageOf.set(visitor, eventId);
	}
	// An hour later they close the pages that they opened before midnight: their reading time belongs to that day.
	moment = midnight + 3_600_000;
	for (const [visitor, page] of pageOf) {
		const members = { k: 'e', o: wireId(page), e: 3_000, d: 3_605_000 + 4_000 };
		const headers = { 'user-agent': userAgentOf(visitor) };
		assert.equal(
			await sendHit(ledger, second.address, website, eventIdOf(random), { headers, members }),
			202,
		);
	}
	await first.drain();
	assert.ok(first.clickhouse);
	assert.deepEqual(faultsOf(await ledger.judge(first.clickhouse)), [], `seed ${random.seed}`);
	const rows = await first.clickhouse.rows<{ date: string; visitor_id: string }>(
		sql`SELECT DISTINCT date, visitor_id FROM events`,
		{ as: 'migrate' },
	);
	assert.equal(rows.length, wanted.size, 'as many as there were');
	assert.equal(
		new Set(rows.map((row) => row.visitor_id)).size,
		wanted.size,
		'and nobody is known from the day before',
	);
});

test('[T50] two hours after midnight the salt is destroyed by the running service itself', async (t) => {
	t.mock.timers.enable({ apis: ['setInterval'] });
	const folder = folderOf(t);
	let moment = Date.parse('2026-11-15T12:00:00Z');
	const salts = createSalts(createSaltFiles(folder), () => new Date(moment), log);
	t.after(() => salts.close());
	await salts.get('UTC', '2026-11-15');
	assert.equal(readdirSync(folder).length, 1);
	moment = Date.parse('2026-11-16T02:00:00Z');
	t.mock.timers.tick(60_000);
	for (let step = 0; step < 200 && readdirSync(folder).length > 0; step++)
		await new Promise((resolve) => setTimeout(resolve, 10));
	assert.deepEqual(readdirSync(folder), []);
});
