/** The writer's own parts, one after the other by hand, on the stores of a service that is stopped. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { EventLog, LoggedEvent, LogPartition } from '../../server/event-log/event-log.ts';
import { createPostgresLog } from '../../server/event-log/postgres-log.ts';
import { createLog } from '../../server/lib/log.ts';
import { openStores } from '../../server/main.ts';
import type { ClickHouse } from '../../server/store/clickhouse.ts';
import type { Postgres } from '../../server/store/postgres.ts';
import { sql, value } from '../../server/store/sql.ts';
import {
	type Batch,
	discardErased,
	finishBatch,
	takeBatch,
	type WriterServices,
} from '../../server/write/batch.ts';
import { loadRecentEvents } from '../../server/write/deduplicate.ts';
import { insertEvents } from '../../server/write/insert.ts';
import { recoverBatches } from '../../server/write/recover.ts';
import { startWriter } from '../../server/write/writer.ts';
import { freshDomain, websiteOf } from '../support/contract.ts';
import { startPostgresServer } from '../support/postgres-server.ts';
import { world } from '../support/world.ts';

const over = Promise.withResolvers<void>();
let restarting: Promise<void>;
// Before the world's own: first the stores are given back.
after(async () => {
	over.resolve();
	await restarting;
});
const w = await world({ after });
const owner = await w.account();
const [one, two] = [
	websiteOf(await owner.api('POST', '/websites', { form: { domain: freshDomain() } }), 201),
	websiteOf(await owner.api('POST', '/websites', { form: { domain: freshDomain() } }), 201),
];

type Parts = WriterServices & { inserts: { token: string; lines: string }[] };
let parts: Parts;

before(async () => {
	const ready = Promise.withResolvers<void>();
	restarting = w.restart(async () => {
		const log = createLog('silent', () => undefined);
		const stores = await openStores(w.config, { log, statistics: true });
		const { postgres, clickhouse } = stores;
		assert.ok(clickhouse);
		const eventLog = createPostgresLog(postgres, { log, maxWaiting: 10_000, maxLogBytes: 1e9 });
		parts = makeParts(postgres, clickhouse, eventLog);
		ready.resolve();
		await over.promise;
		await eventLog.close();
		await stores.close();
	});
	await Promise.race([ready.promise, restarting]);
});
/** Notes what goes out to ClickHouse; everything is the real thing. */
function makeParts(postgres: Postgres, clickhouse: ClickHouse, eventLog: EventLog): Parts {
	const inserts: Parts['inserts'] = [];
	const noted: ClickHouse = {
		...clickhouse,
		insert(options) {
			inserts.push({ token: options.token, lines: String(options.lines) });
			return clickhouse.insert(options);
		},
	};
	return {
		...{
			postgres,
			clickhouse: noted,
			eventLog,
			partition: partitionOf(eventLog),
			inserts,
			now: () => new Date(),
		},
		...{ log: createLog('silent', () => undefined), signal: () => AbortSignal.timeout(30_000) },
	};
}

function partitionOf({ partitions: [partition] }: EventLog): LogPartition {
	assert.ok(partition);
	return partition;
}

let ids = 1_000;
function event(over: Partial<LoggedEvent> & { fields?: object } = {}): LoggedEvent {
	const eventId = over.eventId ?? String(++ids);
	const { websiteId = one.id, date = '2026-11-15', visitorId = '7' } = over;
	const time = `${date} 12:00:00.000`;
	const fields = {
		website_id: websiteId,
		date,
		visitor_id: visitorId,
		time,
		event_id: eventId,
		kind: 'pageview',
	};
	return {
		...{ websiteId, date, visitorId, eventId, isPageview: true, mayRepeat: false },
		line: JSON.stringify({ ...fields, ...over.fields }),
		...over,
	};
}

const countOf = async (events: readonly LoggedEvent[]) => {
	const rows = await parts.clickhouse.rows<{ website_id: number; event_id: string }>(
		sql`SELECT website_id, event_id FROM events`,
		{ as: 'migrate' },
	);
	const keys = rows.map((row) => `${row.website_id} ${row.event_id}`);
	return events.map(
		({ websiteId, eventId }) => keys.filter((key) => key === `${websiteId} ${eventId}`).length,
	);
};
const take = async (): Promise<Batch> => {
	const batch = await takeBatch(parts);
	assert.ok(batch);
	return batch;
};
const insert = async (batch: Batch) =>
	insertEvents(parts, batch.number, await discardErased(parts, batch.rows));
/** Nobody else writes here. */
const unquestioned = { check: async () => undefined, checkWithin: async () => undefined };
const recover = async () => recoverBatches(parts, await loadRecentEvents(parts.postgres, 0), unquestioned);
const move = async () => {
	const batch = await take();
	const recent = await loadRecentEvents(parts.postgres, 0);
	const lines = recent.dropRepeats(await discardErased(parts, batch.rows), new Date());
	await insertEvents(parts, batch.number, lines);
	await finishBatch(parts, batch, lines, recent);
};
const rest = () =>
	parts.postgres.rows(
		sql`SELECT (SELECT count(*) FROM event_log) AS log, (SELECT count(*) FROM batches) AS batches`,
	);

test('[F19] the end of a batch does not wait for the disk, and what the same connection does next does', async () => {
	const { postgres, partition } = parts;
	const asked = sql`SELECT pg_backend_pid() AS pid, current_setting('synchronous_commit') AS waits`;
	const before = await postgres.transaction((tx) => tx.rows<{ pid: number; waits: string }>(asked));
	assert.equal(before[0]?.waits, 'on');
	const within = await postgres.transaction(async (tx) => {
		await partition.release(tx, 0, { seq: 0, appendedAt: new Date() });
		return tx.rows<{ pid: number; waits: string }>(asked);
	});
	assert.equal(within[0]?.waits, 'off');
	const next = await Promise.all(
		Array.from({ length: 20 }, () => postgres.rows<{ pid: number; waits: string }>(asked)),
	);
	const same = next.flat().filter(({ pid }) => pid === within[0]?.pid);
	assert.ok(same.length > 0);
	assert.deepEqual([...new Set(next.flat().map(({ waits }) => waits))], ['on']);
});

test('events that arrive during a commit share the next one: many appends, few rows', async () => {
	const events = Array.from({ length: 500 }, () => event());
	await Promise.all(events.map((one) => parts.eventLog.append([one])));
	const [log] = await parts.postgres.rows<{ rows: number }>(sql`SELECT count(*) AS rows FROM event_log`);
	assert.ok(log && log.rows <= 5, `${log?.rows} rows`);
	await move();
	assert.deepEqual(new Set(await countOf(events)), new Set([1]));
	assert.deepEqual(await rest(), [{ log: 0, batches: 0 }]);
});

test('a batch marks its days, numbers rise, and its log rows stay until it is finished', async () => {
	const [a, b] = [event({ date: '2026-11-01' }), event({ websiteId: two.id, date: '2026-11-02' })];
	await parts.eventLog.append([a, b]);
	const batch = await take();
	assert.deepEqual(await rest(), [{ log: 1, batches: 1 }]);
	const days = await parts.postgres.rows(
		sql`SELECT website_id AS w, date::text, last_batch AS b FROM days WHERE date < '2026-11-10' ORDER BY 1`,
	);
	assert.deepEqual(days, [
		{ w: one.id, date: '2026-11-01', b: batch.number },
		{ w: two.id, date: '2026-11-02', b: batch.number },
	]);
	await insert(batch);
	assert.deepEqual(await rest(), [{ log: 1, batches: 1 }], 'the log is the only copy until the end is noted');
	await recover();
	assert.deepEqual(await countOf([a, b]), [1, 1]);
	assert.deepEqual(await rest(), [{ log: 0, batches: 0 }]);
});

test('[F03] a writer that ended before its insert: recovery writes the batch', async () => {
	const some = [event(), event()];
	await parts.eventLog.append(some);
	await take();
	await recover();
	assert.deepEqual(await countOf(some), [1, 1]);
	assert.deepEqual(await rest(), [{ log: 0, batches: 0 }]);
});

test('[F04] a writer that ended between its insert and the end: recovery writes nothing twice', async () => {
	const some = [event(), event({ websiteId: two.id })];
	await parts.eventLog.append(some);
	await insert(await take());
	const before = parts.inserts.length;
	await recover();
	assert.deepEqual(await countOf(some), [1, 1]);
	assert.equal(parts.inserts.length, before, 'nothing was missing, nothing was sent');
});

test('a batch over the end of a month of which one half is missing: recovery writes that half', async () => {
	const [october, november] = [event({ date: '2026-10-31' }), event({ date: '2026-11-01' })];
	await parts.eventLog.append([october, november]);
	await insert(await take());
	await parts.clickhouse.command(sql`ALTER TABLE events DELETE WHERE date = '2026-10-31'`, {
		settings: { mutations_sync: '2' },
	});
	assert.deepEqual(await countOf([october, november]), [0, 1]);
	await recover();
	assert.deepEqual(await countOf([october, november]), [1, 1]);
	assert.equal(parts.inserts.at(-1)?.lines, october.line);
});

test('a recovered batch whose every row is missing is written although its token is known to ClickHouse', async () => {
	const some = [event({ date: '2026-08-31' }), event({ date: '2026-08-30' })];
	await parts.eventLog.append(some);
	await insert(await take());
	await parts.clickhouse.command(sql`ALTER TABLE events DELETE WHERE date < '2026-09-01'`, {
		settings: { mutations_sync: '2' },
	});
	await recover();
	assert.deepEqual(await countOf(some), [1, 1]);
});

test('a token is never used for other bytes', () => {
	const bytes = new Map<string, string>();
	for (const { token, lines } of parts.inserts) {
		assert.equal(bytes.get(token) ?? lines, lines, `token ${token}`);
		bytes.set(token, lines);
	}
	assert.ok(bytes.size >= 5);
});

test('an event that a server repeats in a batch that is cut short is not written again under its new visitor', async () => {
	const first = event({ mayRepeat: true, visitorId: '11' });
	await parts.eventLog.append([first]);
	await move();
	const again = event({ mayRepeat: true, visitorId: '12', eventId: first.eventId });
	// Days later: the ids of minutes know nothing of it any more.
	await parts.postgres.run(sql`DELETE FROM recent_events`);
	await parts.eventLog.append([again]);
	await take();
	await recover();
	assert.deepEqual(await countOf([first]), [1]);
});

const poison = {
	'no JSON': 'this is not JSON',
	'half a line': '{"website_id": 1, "date": "2026-11-15", "na',
	'a date that is none': { date: 'yesterday' },
	'a kind that does not exist': { kind: 'telepathy' },
	'a number that is a text': { website_id: 'many' },
	'a list for a text': { path: ['a', 'b'] },
	'half a pair of surrogates': '{"website_id":1,"path":"\\ud800"}',
	'money beyond its column': { revenue: '9'.repeat(40) },
	'a map that is a text': { properties: 'x' },
	'null for a text': { path: null },
	'an empty line': '{',
};

test('[F14] a line that ClickHouse cannot parse moves to dead letters with its reason, and all others are written', async (t) => {
	for (const [what, how] of Object.entries(poison)) {
		const good = Array.from({ length: 9 }, () => event());
		const bad = typeof how === 'string' ? event({ line: how }) : event({ fields: how });
		await parts.eventLog.append([...good.slice(0, 4), bad, ...good.slice(4)]);
		await move();
		assert.deepEqual(await countOf(good), Array(9).fill(1), what);
		const [aside] = await parts.postgres.rows<{ line: string; reason: string }>(
			sql`DELETE FROM dead_letters RETURNING line, reason`,
		);
		const [there] = await countOf([bad]);
		t.diagnostic(`${what}: ${aside ? aside.reason.slice(0, 90) : `taken (${there})`}`);
		assert.ok(aside?.line === bad.line || there === 1, `${what} is neither here nor there`);
	}
});

test('[F15] one bad row of 5,000 over two months: the good ones are written once, the bad one is kept', async (t) => {
	const good = Array.from({ length: 4_999 }, (_, index) =>
		event({ date: index % 2 === 0 ? '2026-10-30' : '2026-11-03', visitorId: String(index) }),
	);
	const bad = event({ fields: { kind: 'telepathy' } });
	await parts.eventLog.append([...good.slice(0, 1_234), bad]);
	await parts.eventLog.append(good.slice(1_234));
	const before = parts.inserts.length;
	const began = performance.now();
	await move();
	t.diagnostic(`${parts.inserts.length - before} inserts, ${Math.round(performance.now() - began)} ms`);
	const [found] = await parts.clickhouse.rows<{ rows: string; ids: string }>(
		sql`SELECT count() AS rows, uniqExact(event_id) AS ids FROM events WHERE date IN ('2026-10-30', '2026-11-03')`,
		{ as: 'migrate' },
	);
	assert.deepEqual(found, { rows: '4999', ids: '4999' });
	const letters = await parts.postgres.rows<{ line: string }>(sql`DELETE FROM dead_letters RETURNING line`);
	assert.deepEqual(letters, [{ line: bad.line }]);
	assert.deepEqual(await rest(), [{ log: 0, batches: 0 }]);
});

test('a writer that was away catches up at least three times as fast as events arrived', async (t) => {
	const [clients, perGroup, seconds] = [4, 20, 3];
	const began = performance.now();
	let arrived = 0;
	while (performance.now() - began < seconds * 1_000) {
		await Promise.all(
			Array.from({ length: clients }, () =>
				parts.eventLog.append(Array.from({ length: perGroup }, () => event({ date: '2026-11-20' }))),
			),
		);
		arrived += clients * perGroup;
		// About as many as one box is asked to take.
		await sleep(10);
	}
	const arrivedMs = performance.now() - began;
	const started = performance.now();
	const writer = startWriter(parts);
	await Promise.race([writer.drain(), sleep(20_000)]);
	const movedMs = performance.now() - started;
	await writer.stop();
	t.diagnostic(
		`${arrived} events in ${Math.round(arrivedMs)} ms, written in ${Math.round(movedMs)} ms: ${(arrivedMs / movedMs).toFixed(1)} times as fast`,
	);
	const [found] = await parts.clickhouse.rows<{ rows: string }>(
		sql`SELECT count() AS rows FROM events WHERE date = '2026-11-20'`,
		{ as: 'migrate' },
	);
	assert.equal(found?.rows, String(arrived));
	assert.ok(arrivedMs / movedMs >= 3, `${(arrivedMs / movedMs).toFixed(1)} times`);
});

test('[F39] two writers by mistake, and the one that leads loses its lock again and again: each event once', async () => {
	const before = parts.inserts.length;
	const writers = [startWriter(parts), startWriter(parts)];
	const some: LoggedEvent[] = [];
	for (let round = 0; round < 12; round++) {
		const group = Array.from({ length: 30 }, () => event({ date: '2026-11-21', visitorId: String(round) }));
		some.push(...group);
		await parts.eventLog.append(group);
		await sleep(round * 30);
		const ended = await parts.postgres.rows<{ ended: boolean }>(
			sql`SELECT pg_terminate_backend(pid) AS ended FROM pg_locks WHERE locktype = 'advisory' AND objid = 7461004`,
		);
		assert.ok(ended.length <= 1, 'one leads');
	}
	await Promise.race([writers[0]?.drain(), sleep(20_000)]);
	for (const writer of writers) await writer.stop();
	assert.deepEqual(new Set(await countOf(some)), new Set([1]));
	assert.ok(parts.inserts.length > before);
});

for (const when of ['before', 'while'] as const) {
	test(`[F39] a writer loses its lock ${when} it takes a batch: no batch is left to nobody`, async () => {
		const held = Promise.withResolvers<void>();
		const hold = async () => {
			held.resolve();
			await sleep(1_500);
		};
		const some = [event({ date: '2026-11-24' })];
		const isSeen = async () => ((await rest())[0] as { log: number }).log > 0;
		const postgres: Postgres = {
			...parts.postgres,
			async transaction(work) {
				if (when === 'before' && (await isSeen())) await hold();
				return parts.postgres.transaction(work);
			},
		};
		const eventLog: EventLog = {
			...parts.eventLog,
			partitions: [
				{
					...parts.partition,
					async read(...of) {
						const rows = await parts.partition.read(...of);
						if (when === 'while' && rows.length > 0) await hold();
						return rows;
					},
				},
			],
		};
		const first = startWriter({ ...parts, postgres, eventLog });
		await parts.eventLog.append(some);
		await held.promise;
		await parts.postgres.rows(
			sql`SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND objid = 7461004`,
		);
		const second = startWriter(parts);
		// There is always something to take, also when the first goes on.
		for (let step = 0; step < 50; step++) {
			some.push(event({ date: '2026-11-24' }));
			await parts.eventLog.append(some.slice(-1));
			await sleep(40);
		}
		await Promise.race([second.drain(), sleep(20_000)]);
		const left = await rest();
		await Promise.all([first.stop(), second.stop()]);
		assert.deepEqual(left, [{ log: 0, batches: 0 }]);
		assert.deepEqual(new Set(await countOf(some)), new Set([1]));
	});
}

/** Rows of one event each, in one commit: thousands of them make full batches. */
async function fill(events: readonly LoggedEvent[]) {
	const headers = events.map(({ websiteId, date, visitorId, eventId, mayRepeat }) =>
		JSON.stringify({
			...{ w: [websiteId], d: [date], v: [visitorId], i: [eventId], p: [1], drops: [] },
			...(mayRepeat && { c: [0] }),
		}),
	);
	await parts.postgres.rows(sql`
		SELECT append_to_event_log(header, line) FROM unnest(${value(headers)}::text[],
			${value(events.map(({ line }) => line))}::text[]) WITH ORDINALITY AS row (header, line, n) ORDER BY n`);
}

const pageviews = async () => {
	const [row] = await parts.postgres.rows<{ n: number }>(
		sql`SELECT coalesce(sum(pageviews), 0)::bigint AS n FROM account_usage`,
	);
	return row?.n ?? 0;
};

const nextNumber = async () => {
	const [row] = await parts.postgres.rows<{ n: number }>(
		sql`SELECT nextval(pg_get_serial_sequence('batches', 'number')) AS n`,
	);
	return row?.n ?? 0;
};

test('full batches one after the other, and inserts that fail before and after they were done: each event once', async () => {
	const some = Array.from({ length: 9_000 }, () => event({ date: '2026-11-22' }));
	const retries = some.slice(3_900, 4_000);
	await fill([...some.slice(0, 4_000), ...retries, ...some.slice(4_000), ...retries]);
	const before = await pageviews();
	const numbered = await nextNumber();
	let [calls, atOnce, most] = [0, 0, 0];
	const failing: ClickHouse = {
		...parts.clickhouse,
		async insert(options) {
			calls++;
			most = Math.max(most, ++atOnce);
			try {
				if (calls === 2) throw new Error('It did not arrive.');
				const done = await parts.clickhouse.insert(options);
				if (calls === 5) throw new Error('The answer did not arrive.');
				return done;
			} finally {
				atOnce--;
			}
		},
	};
	const writer = startWriter({ ...parts, clickhouse: failing });
	await Promise.race([writer.drain(), sleep(30_000)]);
	await writer.stop();
	const [found] = await parts.clickhouse.rows<{ rows: string; ids: string }>(
		sql`SELECT count() AS rows, uniqExact(event_id) AS ids FROM events WHERE date = '2026-11-22'`,
		{ as: 'migrate' },
	);
	assert.deepEqual(found, { rows: '9000', ids: '9000' });
	assert.deepEqual([most, await pageviews()], [1, before + 9_000]);
	assert.equal(calls, 6, 'the fifth had arrived and is not sent again');
	assert.equal(
		(await nextNumber()) - numbered - 1,
		9,
		'five batches, two of them and their next ones recovered',
	);
	assert.deepEqual(await rest(), [{ log: 0, batches: 0 }]);
});

test('a server repeats an event in the next batch, an hour later by the log: it is looked for when the first is written', async () => {
	const first = event({ mayRepeat: true, date: '2026-11-23', visitorId: '21' });
	const others = Array.from({ length: 1_999 }, () => event({ date: '2026-11-23' }));
	await fill([first, ...others]);
	await parts.postgres.run(sql`UPDATE event_log SET appended_at = appended_at - interval '1 hour'`);
	await fill([event({ mayRepeat: true, date: '2026-11-23', visitorId: '22', eventId: first.eventId })]);
	const slow: ClickHouse = {
		...parts.clickhouse,
		async insert(options) {
			await sleep(300);
			return parts.clickhouse.insert(options);
		},
	};
	const writer = startWriter({ ...parts, clickhouse: slow });
	await Promise.race([writer.drain(), sleep(20_000)]);
	await writer.stop();
	assert.deepEqual(await countOf([first]), [1]);
});

test('a batch that another writer has finished is not added up again', async () => {
	await parts.eventLog.append([event(), event()]);
	const batch = await take();
	const recent = await loadRecentEvents(parts.postgres, 0);
	const lines = recent.dropRepeats(await discardErased(parts, batch.rows), new Date());
	const before = await pageviews();
	await recover();
	await assert.rejects(finishBatch(parts, batch, lines, recent), /was finished by another writer/);
	assert.equal(await pageviews(), before + 2);
});

/** Four connections append; a reader follows by number. What it misses was committed behind its back. */
async function follow(migration: string): Promise<{ appended: number; missed: number }> {
	const server = await startPostgresServer({ fsync: 'off' });
	const connect = async () => {
		const client = new pg.Client({ connectionString: server.url });
		await client.connect();
		return client;
	};
	const [reader, ...writers] = await Promise.all(Array.from({ length: 5 }, connect));
	assert.ok(reader);
	try {
		await reader.query(migration);
		let isOver = false;
		let appended = 0;
		const writing = writers.map(async (client) => {
			for (let step = 0; step < 400; step++) {
				await client.query('BEGIN');
				await client.query(`SELECT append_to_event_log('{}', '')`);
				// A larger row, a slower disk: some commits take longer than others.
				if (step % 3 === 0) await client.query('SELECT pg_sleep(0.001)');
				await client.query('COMMIT');
				appended++;
			}
		});
		const seen = new Set<number>();
		const reading = (async () => {
			for (let last = 0; ; ) {
				const isLast = isOver;
				const { rows } = await reader.query<{ seq: number }>(
					'SELECT seq FROM event_log WHERE seq > $1 ORDER BY seq',
					[last],
				);
				for (const { seq } of rows) seen.add(seq);
				last = rows.at(-1)?.seq ?? last;
				if (isLast && rows.length === 0) return;
			}
		})();
		await Promise.all(writing);
		isOver = true;
		await reading;
		return { appended, missed: appended - seen.size };
	} finally {
		await Promise.all([reader, ...writers].map((client) => client.end()));
		await server.stop();
	}
}

test('sequence order is commit order: a reader of four appenders misses nothing, and would without the lock', async (t) => {
	const folder = join(import.meta.dirname, '..', '..', 'migrations', 'postgres');
	const migration = readFileSync(join(folder, '0004_event_log.sql'), 'utf8');
	const locked = await follow(migration);
	const free = await follow(migration.replace(/PERFORM pg_advisory_xact_lock.*;/, ''));
	t.diagnostic(`with the lock ${locked.missed} of ${locked.appended} missed, without ${free.missed}`);
	assert.equal(locked.missed, 0);
	assert.ok(free.missed > 0, 'the control must miss some');
});
