import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { sealDays, sealSteps } from '../../server/derive/seal.ts';
import type { SealDay } from '../../server/derive/seal-types.ts';
import { eraseWebsites } from '../../server/jobs/erase-websites.ts';
import { createLog } from '../../server/lib/log.ts';
import { locks } from '../../server/store/locks.ts';
import { openPostgres } from '../../server/store/postgres.ts';
import { param, sql, value } from '../../server/store/sql.ts';
import { assertStatus, freshDomain, websiteOf } from '../support/contract.ts';
import { createLedger, eventIdOf, sendHit } from '../support/ledger.ts';
import { seededRandom } from '../support/random.ts';
import { sealServices } from '../support/sealing.ts';
import { until } from '../support/service.ts';
import { world } from '../support/world.ts';

const w = await world({ after });
const random = seededRandom();
const owner = await w.account();
const website = async (domain = freshDomain()) =>
	websiteOf(await owner.api('POST', '/websites', { form: { domain } }), 201);
const log = createLog('silent', () => undefined);
const connection = w.postgresConnection;
assert.ok(connection);
const postgres = openPostgres(connection, { log, connections: 2 });
after(() => postgres.close());
const services = (now = () => new Date()) => sealServices({ postgres, clickhouse: w.clickhouse, now, log });
const erase = (now?: () => Date) => eraseWebsites(services(now));
/** Rows of a website in each table that is derived from events. */
const derivedOf = async (id: number) => {
	const counted: Record<string, number> = {};
	for (const [name, table] of Object.entries({
		...{ visits: sql`visits`, totals: sql`totals`, open_visits: sql`open_visits` },
	})) {
		const rows = await w.clickhouse.rows<{ website_id: number }>(sql`SELECT website_id FROM ${table}`, {
			as: 'migrate',
		});
		counted[name] = rows.filter(({ website_id }) => website_id === id).length;
	}
	return counted;
};
const nothing = { visits: 0, totals: 0, open_visits: 0 };
async function sealAll(id: number, steps = sealSteps) {
	const days = await w.sql<SealDay>(
		'SELECT website_id::int AS "websiteId", date::text AS date FROM days WHERE website_id = $1',
		[id],
	);
	const { days: sealed, failures } = await sealDays(services(), days, 'whole', { steps });
	assert.deepEqual(failures, []);
	return sealed.length;
}
/** As a question over an open day does. */
async function openAll(id: number) {
	await w.clickhouse.command(
		sql`INSERT INTO open_visits (website_id, date, generation, visitor_id, start)
			SELECT ${param('UInt32', id)}, today(), ${param('UInt64', BigInt(Date.now()) << 22n)}, 1, now64(3)`,
		{ as: 'ingest' },
	);
}
const idsOf = async (id: number) => {
	const rows = await w.clickhouse.rows<{ website_id: number; event_id: string }>(
		sql`SELECT website_id, event_id FROM events`,
		{ as: 'migrate' },
	);
	return rows.filter((row) => row.website_id === id).map((row) => row.event_id);
};
/** But for its tombstone, and the list of who changed what, which names no more of a website than its id. */
const leftOf = async (id: number) => {
	const tables = await w.sql<{ table: string }>(`
		SELECT c.table_name AS table FROM information_schema.columns c JOIN information_schema.tables USING (table_name)
		WHERE c.column_name = 'website_id' AND table_type = 'BASE TABLE' AND c.table_schema = 'public' ORDER BY 1`);
	const found: string[] = [];
	for (const { table } of tables)
		for (const row of await w.sql(`SELECT * FROM ${table} WHERE website_id = $1`, [id]))
			found.push(`${table} ${JSON.stringify(row)}`);
	assert.ok(found.some((row) => row.startsWith('changes ') && row.includes('deleteWebsite')));
	return found.filter((row) => !/^(changes|tombstones) /.test(row));
};

/** The writer takes no batch meanwhile: what comes stays in the log. */
async function whileNoneIsTaken(work: () => Promise<void>) {
	const holder = await postgres.dedicatedConnection(() => undefined);
	try {
		await holder.run(sql`SELECT pg_advisory_lock(${value(locks.batches)}::bigint)`);
		await work();
	} finally {
		await holder.end();
	}
}

/** A batch that is taken meanwhile is on its way until the engine goes on. */
async function whileFrozen(work: () => Promise<void>) {
	const engine = w.pids().engine;
	assert.ok(engine);
	process.kill(engine, 'SIGSTOP');
	try {
		await work();
	} finally {
		process.kill(engine, 'SIGCONT');
	}
}

test('[F40] a website is deleted with events on their way: none of them is written, on it or on its successor', async () => {
	const ledger = createLedger();
	const [doomed, other] = [await website(), await website()];
	assert.equal(await sendHit(ledger, w.base, doomed, eventIdOf(random)), 202);
	const dropped = { headers: { 'sec-purpose': 'prefetch' } };
	await sendHit(ledger, w.base, doomed, eventIdOf(random), dropped);
	await w.drain();
	await w.sql(`INSERT INTO dead_letters VALUES ($1, 1, 'a line', 'a reason')`, [doomed.id]);
	assert.equal((await idsOf(doomed.id)).length, 1);
	assert.equal(await sealAll(doomed.id), 1);
	await openAll(doomed.id);
	const derived = await derivedOf(doomed.id);
	assert.ok(derived.visits === 1 && derived.open_visits === 1 && (derived.totals ?? 0) > 20);
	const kept = eventIdOf(random);
	let successor = doomed;
	await whileNoneIsTaken(async () => {
		for (let step = 0; step < 20; step++)
			assert.equal(await sendHit(ledger, w.base, doomed, eventIdOf(random)), 202);
		await sendHit(ledger, w.base, doomed, eventIdOf(random), dropped);
		assertStatus(await owner.api('DELETE', `/websites/${doomed.id}`), 200);
		successor = await website(doomed.domain);
		assert.notEqual(successor.id, doomed.id);
		assert.equal(await sendHit(ledger, w.base, other, kept), 202);
		assert.equal(await sendHit(ledger, w.base, successor, kept), 202);
		assert.equal(await erase(), 0, 'not while something of it may still come');
	});
	await w.drain();
	assert.equal((await idsOf(doomed.id)).length, 1, 'only what was written before');
	assert.deepEqual([await idsOf(other.id), await idsOf(successor.id)], [[kept], [kept]]);
	assert.equal(await erase(), 1);
	assert.deepEqual(await idsOf(doomed.id), []);
	assert.deepEqual(await derivedOf(doomed.id), nothing);
	assert.deepEqual([await idsOf(other.id), await idsOf(successor.id)], [[kept], [kept]]);
	assert.deepEqual(await leftOf(doomed.id), [], 'nothing of it is left but its tombstone and who deleted it');
	assert.equal(await erase(), 0, 'once is enough');
});

test('a deleted website is unknown at once', async () => {
	const ledger = createLedger();
	const doomed = await website();
	assert.equal(await sendHit(ledger, w.base, doomed, eventIdOf(random)), 202);
	assertStatus(await owner.api('DELETE', `/websites/${doomed.id}`), 200);
	assert.equal(await sendHit(ledger, w.base, doomed, eventIdOf(random)), 404);
});

test('[F40] a batch that was taken before its website was emptied is written, and erased with the rest', async () => {
	const ledger = createLedger();
	await w.drain();
	await erase();
	const some = await website();
	const later = eventIdOf(random);
	await whileFrozen(async () => {
		for (let step = 0; step < 10; step++)
			assert.equal(await sendHit(ledger, w.base, some, eventIdOf(random)), 202);
		const isTaken = async () => (await w.sql('SELECT 1 FROM batches')).length > 0;
		await until(isTaken, 20_000, 'the writer has taken them');
		assertStatus(await owner.api('POST', `/websites/${some.id}/reset`), 200);
		assert.equal(await erase(), 0, 'not while the batch is on its way');
		assert.equal(await sendHit(ledger, w.base, some, later), 202);
	});
	await w.drain();
	assert.ok((await idsOf(some.id)).length > 1);
	assert.equal(await erase(), 1);
	assert.deepEqual(await idsOf(some.id), [later]);
});

test('a reset forgets what came before, on its way or written, and counts what comes after', async () => {
	const ledger = createLedger();
	const some = await website();
	assert.equal(await sendHit(ledger, w.base, some, eventIdOf(random)), 202);
	await w.drain();
	assert.equal(await sealAll(some.id), 1);
	await openAll(some.id);
	const later = eventIdOf(random);
	await whileNoneIsTaken(async () => {
		for (let step = 0; step < 10; step++) await sendHit(ledger, w.base, some, eventIdOf(random));
		assertStatus(await owner.api('POST', `/websites/${some.id}/reset`), 200);
		assert.equal(await sendHit(ledger, w.base, some, later), 202);
	});
	const time = new Date(Date.now() - 3_600_000).toISOString();
	const url = `https://${some.domain}/`;
	const early = await owner.api('POST', `/websites/${some.id}/events`, { json: { url, time, id: 'e1' } });
	assert.deepEqual(early.json, { data: { accepted: 0, late: 0, dropped: [{ index: 0, reason: 'erased' }] } });
	await w.drain();
	assert.equal((await idsOf(some.id)).length, 2);
	const before = await derivedOf(some.id);
	assert.equal(await sealAll(some.id), 1);
	await openAll(some.id);
	assert.equal(await erase(), 1);
	assert.deepEqual(await idsOf(some.id), [later]);
	// What came later was derived as often, and stays.
	assert.deepEqual(await derivedOf(some.id), before);
	const [day] = await w.sql<{ generation: number }>(
		'SELECT generation::int FROM days WHERE website_id = $1',
		[some.id],
	);
	const found = await w.clickhouse.rows<{ website_id: number; generation: string; views: number }>(
		sql`SELECT website_id, generation, views FROM visits`,
		{ as: 'migrate' },
	);
	assert.deepEqual(
		found.filter(({ website_id }) => website_id === some.id),
		[{ website_id: some.id, generation: String(day?.generation), views: 1 }],
	);
});

test('a website is not erased while a seal of it may still write', async () => {
	const ledger = createLedger();
	await erase();
	const doomed = await website();
	assert.equal(await sendHit(ledger, w.base, doomed, eventIdOf(random)), 202);
	await w.drain();
	// It was killed, or is slow: nobody can tell.
	await sealAll(doomed.id, sealSteps.slice(0, 1));
	assertStatus(await owner.api('DELETE', `/websites/${doomed.id}`), 200);
	assert.equal(await erase(), 0);
	assert.equal((await derivedOf(doomed.id)).visits, 1);
	const later = () => new Date(Date.now() + 16 * 60_000);
	assert.equal(await erase(later), 1);
	assert.deepEqual(await derivedOf(doomed.id), nothing);
	assert.deepEqual(await leftOf(doomed.id), []);
});

test('[T102] a damaged part that ClickHouse set aside is deleted with the website that it may hold', async () => {
	const ledger = createLedger();
	const doomed = await website();
	const eventId = eventIdOf(random);
	assert.equal(await sendHit(ledger, w.base, doomed, eventId), 202);
	await w.drain();
	// An id is stored as it is, in eight bytes.
	const marker = Buffer.alloc(8);
	marker.writeBigUInt64LE(BigInt((await idsOf(doomed.id))[0] ?? 0));
	const setAside = () =>
		readdirSync(join(w.config.dataFolder, 'clickhouse'), { recursive: true, encoding: 'utf8' })
			.filter((name) => name.includes('/detached/'))
			.map((name) => join(w.config.dataFolder, 'clickhouse', name))
			.filter((path) => statSync(path).isFile());
	const holding = () => setAside().filter((path) => readFileSync(path).includes(marker));
	for (const { partition } of await w.clickhouse.rows<{ partition: string }>(
		sql`SELECT DISTINCT partition FROM system.parts WHERE database = currentDatabase() AND table = 'events' AND active`,
		{ as: 'migrate' },
	))
		await w.clickhouse.command(
			sql`ALTER TABLE events DETACH PARTITION ${param('UInt32', Number(partition))}`,
		);
	assert.ok(holding().length > 0);
	assertStatus(await owner.api('DELETE', `/websites/${doomed.id}`), 200);
	assert.equal(await erase(), 1);
	assert.deepEqual(setAside(), []);
	const noted = await w.sql<{ table_name: string }>('SELECT table_name FROM damaged_parts');
	assert.ok(
		noted.length > 0 && noted.every(({ table_name }) => table_name === 'events'),
		'the damage is still known',
	);
	await w.sql('DELETE FROM damaged_parts');
});
