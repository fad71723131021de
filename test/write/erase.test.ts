import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { eraseWebsites } from '../../server/jobs/erase-websites.ts';
import { createLog } from '../../server/lib/log.ts';
import { openPostgres } from '../../server/store/postgres.ts';
import { sql } from '../../server/store/sql.ts';
import { assertStatus, freshDomain, websiteOf } from '../support/contract.ts';
import { createLedger, eventIdOf, sendHit } from '../support/ledger.ts';
import { seededRandom } from '../support/random.ts';
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
const erase = () => eraseWebsites({ postgres, clickhouse: w.clickhouse, now: () => new Date(), log });
const idsOf = async (id: number) => {
	const rows = await w.clickhouse.rows<{ website_id: number; event_id: string }>(
		sql`SELECT website_id, event_id FROM events`,
		{ as: 'migrate' },
	);
	return rows.filter((row) => row.website_id === id).map((row) => row.event_id);
};
const rowsOf = async (id: number) => {
	const tables = await w.sql<{ table: string }>(`
		SELECT c.table_name AS table FROM information_schema.columns c JOIN information_schema.tables USING (table_name)
		WHERE c.column_name = 'website_id' AND table_type = 'BASE TABLE' AND c.table_schema = 'public' ORDER BY 1`);
	const found: string[] = [];
	for (const { table } of tables)
		for (const row of await w.sql(`SELECT * FROM ${table} WHERE website_id = $1`, [id]))
			found.push(`${table} ${JSON.stringify(row)}`);
	return found;
};

/** Holds the writer back, as an engine that is frozen does, so that events are on their way. */
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
	const kept = eventIdOf(random);
	let successor = doomed;
	await whileFrozen(async () => {
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
	assert.deepEqual([await idsOf(other.id), await idsOf(successor.id)], [[kept], [kept]]);
	const left = (await rowsOf(doomed.id)).filter((row) => !row.startsWith('tombstones '));
	assert.deepEqual(left, [], 'nothing of it is left but its tombstone');
	assert.equal(await erase(), 0, 'once is enough');
});

test('a deleted website is unknown at once', async () => {
	const ledger = createLedger();
	const doomed = await website();
	assert.equal(await sendHit(ledger, w.base, doomed, eventIdOf(random)), 202);
	assertStatus(await owner.api('DELETE', `/websites/${doomed.id}`), 200);
	assert.equal(await sendHit(ledger, w.base, doomed, eventIdOf(random)), 404);
});

test('a reset forgets what came before, on its way or written, and counts what comes after', async () => {
	const ledger = createLedger();
	const some = await website();
	assert.equal(await sendHit(ledger, w.base, some, eventIdOf(random)), 202);
	await w.drain();
	const later = eventIdOf(random);
	await whileFrozen(async () => {
		for (let step = 0; step < 10; step++) await sendHit(ledger, w.base, some, eventIdOf(random));
		assertStatus(await owner.api('POST', `/websites/${some.id}/reset`), 200);
		assert.equal(await sendHit(ledger, w.base, some, later), 202);
	});
	const time = new Date(Date.now() - 3_600_000).toISOString();
	const url = `https://${some.domain}/`;
	const early = await owner.api('POST', `/websites/${some.id}/events`, { json: { url, time, id: 'e1' } });
	assert.deepEqual(early.json, { data: { accepted: 0, dropped: [{ index: 0, reason: 'erased' }] } });
	await w.drain();
	assert.equal((await idsOf(some.id)).length, 2);
	assert.equal(await erase(), 2, 'this one and the website of the test before');
	assert.deepEqual(await idsOf(some.id), [later]);
});
