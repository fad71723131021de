/** A backup is of one point of time in both databases, however long it takes. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createBackupFile, type Piece } from '../../server/backup/file.ts';
import { type BackupServices, dropLeftClones, takeBackup } from '../../server/backup/take.ts';
import { readConfig } from '../../server/config.ts';
import { createLog } from '../../server/lib/log.ts';
import { openStores, restore } from '../../server/main.ts';
import type { ClickHouse } from '../../server/store/clickhouse.ts';
import { openPostgres } from '../../server/store/postgres.ts';
import { sql } from '../../server/store/sql.ts';
import { freshDomain, type Website, websiteOf } from '../support/contract.ts';
import { createLedger, faultsOf, startLoad } from '../support/ledger.ts';
import { seededRandom } from '../support/random.ts';
import { temporaryFolder, until } from '../support/service.ts';
import { patience } from '../support/timeout-factor.ts';
import { world } from '../support/world.ts';

const random = seededRandom();
const w = await world({ after });
const log = createLog('silent', () => undefined);
const postgres = openPostgres(w.postgresTarget, { log, connections: 4 });
after(() => postgres.close());
const owner = await w.account();
const websites: Website[] = [];
for (let count = 0; count < 3; count++)
	websites.push(websiteOf(await owner.api('POST', '/websites', { form: { domain: freshDomain() } }), 201));

/** A ClickHouse that takes its time before it clones a table. */
const slow = (ms: number, before: () => void): ClickHouse => ({
	...w.clickhouse,
	async command(query, options) {
		if (query.strings.some((text) => text.includes('CLONE AS'))) {
			before();
			await sleep(ms);
		}
		return w.clickhouse.command(query, options);
	},
});

const services = (clickhouse: ClickHouse): BackupServices => ({
	...{ postgres, clickhouse, now: () => new Date(), version: '0.0.0' },
	signal: new AbortController().signal,
	report: () => undefined,
});

const clones = async () =>
	(
		await w.clickhouse.rows<{ name: string }>(
			sql`SELECT name FROM system.tables WHERE database = currentDatabase() AND name LIKE 'backup%'`,
			{ as: 'migrate' },
		)
	).length;

test('[F30] an event is in the log or in its table, never in both, and hits are taken while ClickHouse is cloned', async (t) => {
	t.diagnostic(`seed ${random.seed}`);
	const ledger = createLedger();
	const load = startLoad({ ledger, base: () => w.base, websites, random, clients: 4, pauseMs: 5 });
	const anyEvent = sql`SELECT 1 FROM events LIMIT 1`;
	const isWritten = async () => (await w.clickhouse.rows(anyEvent, { as: 'migrate' })).length > 0;
	await until(isWritten, 60_000, 'the first ones are in their table');
	await sleep(500);
	const answered = new Set(ledger.acknowledged().map(({ websiteId, eventId }) => `${websiteId} ${eventId}`));
	let atFirstClone = 0;
	const logged: string[] = [];
	const written: string[] = [];
	/** Of events whose batch was finished before the point. */
	const finished = new Set<string>();
	let entry = '';
	let columns: string[] = [];
	const texts = new Map<string, Buffer[]>();
	const clickhouse = slow(1_200, () => {
		atFirstClone ||= ledger.acknowledged().length;
	});
	for await (const piece of takeBackup(services(clickhouse))) {
		if (piece instanceof Uint8Array) texts.get(entry)?.push(Buffer.from(piece));
		else if ('begin' in piece) {
			entry = piece.begin.name;
			if (piece.begin.table === 'events') columns = piece.begin.columns;
			texts.set(entry, []);
		}
	}
	const during = ledger.acknowledged().length - atFirstClone;
	await load.end();
	for (const [name, pieces] of texts) {
		const lines = Buffer.concat(pieces).toString('utf8').split('\n').filter(Boolean);
		if (name === 'postgres/event_log')
			for (const line of lines) {
				const { w: ids, i } = JSON.parse(JSON.parse(line).header);
				for (const [index, id] of ids.entries()) logged.push(`${id} ${i[index]}`);
			}
		if (name === 'postgres/recent_events')
			for (const line of lines) {
				const keys = Buffer.from(JSON.parse(line).keys.slice(2), 'hex');
				for (let offset = 0; offset < keys.length; offset += 12)
					finished.add(`${keys.readUInt32LE(offset)} ${keys.readBigUInt64LE(offset + 4)}`);
			}
		if (name.startsWith('clickhouse/events/'))
			for (const line of lines) {
				const cells = line.split('\t');
				written.push(`${cells[columns.indexOf('website_id')]} ${cells[columns.indexOf('event_id')]}`);
			}
	}
	const inLog = new Set(logged);
	t.diagnostic(
		`${answered.size} answered before; ${inLog.size} in the log, ${written.length} in the table; ${during} answered meanwhile`,
	);
	// A finished batch releases its rows and stores its ids in one transaction: what is in the log then is another copy, sent by a
	// tracker that tries again, and the writer drops it.
	assert.deepEqual(
		written.filter((event) => inLog.has(event) && !finished.has(event)),
		[],
		'in both',
	);
	assert.ok(
		written.every((event) => finished.has(event)),
		'the ids of all written events are in the backup',
	);
	const all = new Set([...written, ...logged]);
	assert.deepEqual(
		[...answered].filter((event) => !all.has(event)),
		[],
		'in neither',
	);
	assert.ok(inLog.size > 0 && written.length > 0, 'there is something in both places');
	assert.ok(during > 20, `${during} were answered while the tables were cloned`);
	assert.equal(await clones(), 0, 'nothing is left of it');
	await w.drain();
	assert.deepEqual(faultsOf(await ledger.judge(w.clickhouse)), [], 'the service itself has lost nothing');
});

test('one backup at a time; what a killed one has left is dropped', async () => {
	const first = takeBackup(services(w.clickhouse));
	await first.next();
	assert.ok((await clones()) > 0);
	await assert.rejects(takeBackup(services(w.clickhouse)).next(), /Another backup is being made/);
	await dropLeftClones(postgres, w.clickhouse);
	assert.ok((await clones()) > 0, 'those of a backup that is being made stay');
	const load = startLoad({
		ledger: createLedger(),
		base: () => w.base,
		websites,
		random,
		clients: 1,
		pauseMs: 5,
	});
	await sleep(200);
	await load.end();
	const inTime = await Promise.race([
		w.drain().then(() => true),
		sleep(20_000 * patience, false, { ref: false }),
	]);
	assert.ok(inTime, 'the writer goes on meanwhile');
	await first.return(undefined);
	assert.equal(await clones(), 0);
	await w.clickhouse.command(sql`CREATE TABLE backup_events CLONE AS events`);
	await dropLeftClones(postgres, w.clickhouse);
	assert.equal(await clones(), 0);
});

test('[T55] after a restore tombstones are carried out again, numbers go on, and rows of unfinished seals are marked as dead', async (t) => {
	const place = temporaryFolder(t);
	const path = join(place, 'b.tidemark');
	await w.sql(
		`INSERT INTO tombstones (website_id, until_seq, is_reset, created_at, erased_at) VALUES (4711, 0, false, now(), now())`,
	);
	await w.sql("SELECT setval('generations', 70)");
	await w.clickhouse.command(
		sql`INSERT INTO totals (website_id, date, generation, dimension) VALUES (1, '2026-10-01', 69, '')`,
		{ as: 'ingest' },
	);
	const file = await createBackupFile(path, undefined);
	const pieces: AsyncGenerator<Piece> = takeBackup(services(w.clickhouse));
	for await (const piece of pieces) await file.take(piece);
	await file.finish();
	const config = readConfig({ TIDEMARK_DATA: join(place, 'data') });
	await restore(config, { path, log, report: () => undefined });
	const stores = await openStores(config, { log, statistics: true });
	try {
		const rows = (query: typeof dead) => stores.postgres.rows(query);
		const dead = sql`SELECT website_id, date::text AS date, generation FROM dead_generations`;
		assert.deepEqual(await rows(dead), [{ website_id: 1, date: '2026-10-01', generation: 69 }]);
		assert.deepEqual(await rows(sql`SELECT erased_at FROM tombstones WHERE website_id = 4711`), [
			{ erased_at: null },
		]);
		assert.deepEqual(await rows(sql`SELECT nextval('generations') AS next`), [{ next: 71 }]);
		assert.deepEqual(await rows(sql`SELECT max(id) AS last FROM websites`), [{ last: websites.at(-1)?.id }]);
		assert.deepEqual(await rows(sql`SELECT nextval('websites_id_seq') AS next`), [
			{ next: (websites.at(-1)?.id ?? 0) + 1 },
		]);
	} finally {
		await stores.close();
	}
});
