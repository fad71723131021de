/** The limits and defaults of a ClickHouse server, and that the product keeps to them. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { planGroups } from '../../server/derive/seal-plan.ts';
import type { LoggedEvent } from '../../server/event-log/event-log.ts';
import { createPostgresLog } from '../../server/event-log/postgres-log.ts';
import { applyRetention } from '../../server/jobs/apply-retention.ts';
import { eraseWebsites } from '../../server/jobs/erase-websites.ts';
import { createLog } from '../../server/lib/log.ts';
import { countCurrentVisitors } from '../../server/stats/live/live.ts';
import type { DayCountPiece } from '../../server/stats/overview/count-visits.ts';
import { createDayCounts } from '../../server/stats/overview/day-counts.ts';
import { type ClickHouse, createClickHouse, insertSettings } from '../../server/store/clickhouse.ts';
import { refusalOf } from '../../server/store/clickhouse-errors.ts';
import { migrate } from '../../server/store/migrate.ts';
import { join as joinSql, param, type Sql, sql, value } from '../../server/store/sql.ts';
import { noLogRange, openBatch, takeBatch, type WriterServices } from '../../server/write/batch.ts';
import { loadRecentEvents } from '../../server/write/deduplicate.ts';
import { recoverBatches } from '../../server/write/recover.ts';
import { startWriter } from '../../server/write/writer.ts';
import { startClickHouseServer } from '../support/clickhouse-server.ts';
import { embeddedOnly } from '../support/embedded-only.ts';
import { openSealing, sealServices } from '../support/sealing.ts';
import { until } from '../support/service.ts';
import { grants, limits, users } from '../support/strict-clickhouse.ts';
import { patience } from '../support/timeout-factor.ts';

const cleaning: (() => Promise<void>)[] = [];
const later = { after: (work: () => Promise<void>) => void cleaning.unshift(work) };
after(async () => {
	for (const clean of cleaning) await clean();
});
const server = await startClickHouseServer(later);
const stores = await openSealing(later, server.settings);
const { postgres, clickhouse, services } = stores;
const silent = createLog('silent', () => undefined);
const migrations = join(import.meta.dirname, '..', '..', 'migrations');

/** One request past the client: what the server says of it. */
async function post(
	search: Record<string, string>,
	body: string | FormData,
	{ name, password }: { name: string; password: string } = users.main,
): Promise<{ status: number; text: string }> {
	const url = new URL(server.url);
	const authorization = `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`;
	const address = `http://${url.host}/?${new URLSearchParams({ database: 'tidemark', ...search })}`;
	const answer = await fetch(address, { method: 'POST', body, headers: { authorization } });
	return { status: answer.status, text: await answer.text() };
}

function formOf(fields: Record<string, string>): FormData {
	const form = new FormData();
	for (const [name, text] of Object.entries(fields)) form.set(name, text);
	return form;
}

let ids = 1_000_000;
const lineOf = (eventId: string, date = '2026-11-15', websiteId = 900) =>
	JSON.stringify({
		...{ website_id: websiteId, date, visitor_id: '7', time: `${date} 12:00:00.000` },
		...{ event_id: eventId, kind: 'pageview' },
	});
const eventOf = (websiteId: number): LoggedEvent => {
	const eventId = String(2n ** 63n + BigInt(++ids));
	return {
		...{ websiteId, date: '2026-11-15', visitorId: '7', eventId, isPageview: true, mayRepeat: true },
		line: lineOf(eventId, '2026-11-15', websiteId),
	};
};
const countOf = async (of: ClickHouse, isMeant: Sql) => {
	const [row] = await of.rows<{ rows: string; ids: string }>(
		sql`SELECT count() AS rows, uniqExact(event_id) AS ids FROM events WHERE ${isMeant}`,
	);
	return row;
};

test('[F47] the stand-in refuses what a server refuses, with its codes', async () => {
	const long = `[${'1,'.repeat(limits.http_max_field_value_size / 2)}1]`;
	const query = 'SELECT length({p0:Array(UInt8)})';
	const cases: [what: string, answer: { status: number; text: string }, status: number, says: RegExp][] = [
		[
			'a long field',
			await post({}, formOf({ query, param_p0: long })),
			500,
			/Code: 1000.*Field value too long/,
		],
		[
			'many fields',
			await post(
				{},
				formOf({
					query: 'SELECT 1',
					...Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`param_q${n}`, '1'])),
				}),
			),
			...([500, /Code: 1000.*Too many form fields/] as const),
		],
		[
			'a long statement',
			await post({}, `SELECT 1 ${' '.repeat(limits.max_query_size)}`),
			400,
			/^Code: 62\..*Max query size exceeded/,
		],
		[
			'an unknown setting',
			await post({ engine_pipe: '1' }, 'SELECT 1'),
			404,
			/^Code: 115\..*\(UNKNOWN_SETTING\)/,
		],
		[
			'a setting of a user with readonly = 1',
			await post({ max_threads: '1' }, 'SELECT 1', users.locked),
			500,
			/^Code: 164\..*\(READONLY\)/,
		],
		[
			'a write of a user with readonly = 2',
			await post({ max_threads: '1' }, 'TRUNCATE TABLE events', users.reader),
			500,
			/^Code: 164\..*\(READONLY\)/,
		],
		[
			'a table that was not granted',
			await post({}, 'SELECT * FROM system.users'),
			403,
			/^Code: 497\..*SELECT ON system\.users/,
		],
		['another password', await post({}, 'SELECT 1', { name: 'tidemark', password: '' }), 403, /^Code: 516\./],
		[
			'101 partitions',
			await post(
				{ query: 'INSERT INTO events FORMAT JSONEachRow', async_insert: '0' },
				Array.from({ length: 101 }, (_, n) =>
					lineOf('1', `${2000 + Math.floor(n / 12)}-${String(1 + (n % 12)).padStart(2, '0')}-01`),
				).join('\n'),
			),
			...([500, /^Code: 252\..*max_partitions_per_insert_block/] as const),
		],
	];
	for (const [what, answer, status, says] of cases) {
		assert.match(answer.text, says, what);
		assert.equal(answer.status, status, what);
	}
	assert.deepEqual(await post({ max_threads: '1' }, 'SELECT 1', users.reader), { status: 200, text: '1\n' });
});

test('[F47] a statement that does not fit into a field is refused as a filter with too many values', async () => {
	const condition = sql`number != ${param('UInt64', 1)}`;
	const statementOf = (conditions: number) =>
		sql`SELECT count() AS count FROM numbers(10) WHERE ${joinSql(Array(conditions).fill(condition), ' AND ')}`;
	await assert.rejects(clickhouse.ask(statementOf(6_000)), (error) => refusalOf(error) === 'size');
	assert.deepEqual((await clickhouse.ask(statementOf(100))).rows, [{ count: '9' }]);
});

test('[F47] an insert is deduplicated only where asynchronous inserts are switched off, which every insert of ours does', async () => {
	const isOf = (id: number) => sql`website_id = 900 AND event_id = ${param('UInt64', id)}`;
	for (const [id, settings] of [
		[1, { async_insert: '0' }],
		[2, {}],
	] as const) {
		const search = {
			query: 'INSERT INTO events FORMAT JSONEachRow',
			insert_deduplication_token: `t${id}`,
			...settings,
		};
		for (const _ of [1, 2]) assert.equal((await post(search, lineOf(String(id)))).status, 200);
	}
	assert.equal((await countOf(clickhouse, isOf(1)))?.rows, '1');
	assert.equal((await countOf(clickhouse, isOf(2)))?.rows, '2');
	for (const _ of [1, 2]) await clickhouse.insert({ table: 'events', lines: lineOf('3'), token: 't3' });
	assert.equal((await countOf(clickhouse, isOf(3)))?.rows, '1');
	const sent = server.strict.seen.findLast(({ statement }) => statement.startsWith('INSERT'));
	for (const [name, wanted] of Object.entries(insertSettings))
		assert.equal(sent?.settings[name], String(wanted), name);
});

async function withWriter(of: ClickHouse, work: (parts: WriterServices) => Promise<void>) {
	const eventLog = createPostgresLog(postgres, { log: silent, maxWaiting: 10_000, maxLogBytes: 1e9 });
	const [partition] = eventLog.partitions;
	assert.ok(partition);
	const parts = { ...services, ...{ clickhouse: of, eventLog, partition, log: silent } };
	await work({ ...parts, signal: () => AbortSignal.timeout(30_000) });
	await eventLog.close();
}
const unquestioned = { check: async () => undefined, checkWithin: async () => undefined };

test('[F47] 9,500 events of a server in one batch are written, found again, and recovered', async () => {
	const website = await stores.website();
	const isOurs = sql`website_id = ${param('UInt32', website)}`;
	const events = Array.from({ length: 9_500 }, () => eventOf(website));
	await withWriter(clickhouse, async (parts) => {
		const drain = async () => {
			const writer = startWriter(parts);
			const late = sleep(30_000 * patience, 'late', { ref: false });
			const end = await Promise.race([parts.eventLog.drained(), late]);
			await writer.stop();
			assert.notEqual(end, 'late', 'the writer writes');
		};
		await parts.eventLog.append(events);
		await drain();
		assert.deepEqual(await countOf(clickhouse, isOurs), { rows: '9500', ids: '9500' });
		// Days later: the ids of minutes know nothing of them any more.
		await postgres.run(sql`DELETE FROM recent_events`);
		await parts.eventLog.append(events);
		await takeBatch(parts);
		await recoverBatches(parts, await loadRecentEvents(postgres, 0), unquestioned);
		assert.deepEqual(await countOf(clickhouse, isOurs), { rows: '9500', ids: '9500' });
	});
});

test('[F47] 18,000 websites are asked about at once', async () => {
	const now = new Date('2026-11-15T12:00:30Z');
	const date = '2026-11-15';
	const first = 3_000_000;
	await clickhouse.insert({ table: 'events', lines: lineOf('9', date, first), token: 'many websites' });
	const numbers = Array.from({ length: 18_000 }, (_, index) => first + index);
	const ask = <Row>(query: Sql) => clickhouse.rows<Row>(query);
	const zones = [{ since: Number.NEGATIVE_INFINITY, from: '0001-01-01', zone: 'UTC' }];
	const here = await countCurrentVisitors(
		ask,
		numbers.map((id) => ({ id, zones, resetAt: null })),
		now,
	);
	assert.deepEqual([...here], [[first, 1]]);
	const pieces = (sinceMs: (index: number) => number | null): DayCountPiece[] =>
		numbers.map((websiteId, index) => ({
			...{ website: { id: websiteId, zones: [] }, date, size: 1, stamp: null },
			timing: { startMs: null, endMs: now.getTime() + index },
			visits: { from: 'events', sinceMs: sinceMs(index) },
		}));
	// Some of them were emptied today, each at its own instant.
	const dayCounts = createDayCounts({ names: ['visitors', 'views'] });
	const open = pieces((index) => (index > 0 && index < 10 ? index : null));
	const counted = await dayCounts.pieces(ask, open);
	const views = open.map((piece) => counted.get(piece)?.views ?? 0);
	assert.deepEqual([counted.size, views[0], views.reduce((sum, each) => sum + each, 0)], [18_000, 1, 1]);
	const sealed = pieces(() => null).map(
		(piece): DayCountPiece => ({ ...piece, visits: { from: 'visits', generation: 10n ** 12n } }),
	);
	assert.equal((await dayCounts.pieces(ask, sealed)).size, 18_000);
});

test('[F47] a thousand websites are erased, and keep their events for a time, by one statement each', async () => {
	const [erased, emptied, kept] = [await stores.website(), await stores.website(), await stores.website()];
	const dayOf = (websiteId: number, eventId: string, date: string) => lineOf(eventId, date, websiteId);
	await clickhouse.insert({
		table: 'events',
		lines: [
			...[
				dayOf(erased, '21', '2026-11-01'),
				dayOf(emptied, '22', '2026-11-01'),
				dayOf(emptied, '23', '2026-11-20'),
			],
			...[dayOf(kept, '24', '2026-01-01'), dayOf(kept, '25', '2026-11-01')],
		].join('\n'),
		token: 'erase many',
	});
	// Of most there is nothing any more.
	await postgres.run(sql`
		INSERT INTO tombstones (website_id, is_reset, until_seq, until_batch, until_generation, created_at)
		SELECT 5000000 + n, n % 2 = 0, 0, 0, 5, ${value('2026-11-10T00:00:00Z')}::timestamptz FROM generate_series(1, 998) AS n
		UNION ALL SELECT ${value(erased)}::bigint, false, 0, 0, 5, ${value('2026-11-10T00:00:00Z')}::timestamptz
		UNION ALL SELECT ${value(emptied)}::bigint, true, 0, 0, 5, ${value('2026-11-10T00:00:00Z')}::timestamptz`);
	await postgres.run(sql`
		WITH made AS (
			INSERT INTO websites (account_id, domain, privacy, email, exclude_bots, timezone, created_at, updated_at)
			SELECT account_id, 'kept-' || n || '.example', privacy, email, exclude_bots, timezone, created_at, updated_at
			FROM websites, generate_series(1, 999) AS n WHERE id = ${value(kept)} RETURNING id
		)
		INSERT INTO website_zones SELECT id, '0001-01-01', 'UTC' FROM made`);
	await postgres.run(sql`
		UPDATE websites SET retention_months = 1, raw_from = '2026-06-01'
		WHERE id = ${value(kept)} OR domain LIKE 'kept-%'`);
	await postgres.run(sql`
		INSERT INTO days (website_id, date, last_batch, size) SELECT id, '2026-01-01', 1, 1 FROM websites WHERE raw_from IS NOT NULL`);
	const jobs = sealServices(services);
	assert.equal(await eraseWebsites(jobs), 1_000);
	await applyRetention(jobs);
	const left = await clickhouse.rows<{ event_id: string }>(
		sql`SELECT event_id FROM events WHERE event_id BETWEEN 21 AND 25 ORDER BY event_id`,
	);
	assert.deepEqual(
		left.map((row) => row.event_id),
		['23', '25'],
	);
});

test('[F47] days of more than a hundred months are sealed by several statements', async () => {
	const website = await stores.website();
	const days = Array.from({ length: 130 }, (_, n) => ({
		websiteId: website,
		date: `${2010 + Math.floor(n / 12)}-${String(1 + (n % 12)).padStart(2, '0')}-03`,
	}));
	const batch = await postgres.transaction((tx) =>
		openBatch(
			tx,
			noLogRange,
			days.map((day) => ({ ...day, events: 1 })),
		),
	);
	await stores.close(batch);
	const groups = await planGroups(services, days);
	assert.deepEqual(
		groups.map((group) => new Set(group.days.map(({ date }) => date.slice(0, 7))).size),
		[limits.max_partitions_per_insert_block, 30],
	);
});

test('[T105] on a server statistics are asked by a user that can change nothing and reach nothing', async () => {
	const { seen } = server.strict;
	await clickhouse.rows(sql`SELECT count() FROM visits`);
	assert.equal(seen.at(-1)?.user, users.reader.name);
	for await (const _ of clickhouse.file(sql`SELECT 1 AS a`, 'CSV'));
	assert.equal(seen.at(-1)?.user, users.reader.name);
	const refused = (work: Promise<unknown>, type: string) => assert.rejects(work, { type });
	await refused(clickhouse.command(sql`TRUNCATE TABLE events`, { as: 'stats' }), 'READONLY');
	await refused(
		clickhouse.command(sql`INSERT INTO events (website_id) VALUES (1)`, { as: 'export' }),
		'READONLY',
	);
	await refused(clickhouse.rows(sql`SELECT * FROM url('http://127.0.0.1/', 'CSV')`), 'ACCESS_DENIED');
	await refused(clickhouse.rows(sql`SELECT * FROM system.users`), 'ACCESS_DENIED');
	await clickhouse.command(sql`DROP TABLE IF EXISTS nothing`);
	assert.equal(seen.at(-1)?.user, users.main.name);
});

test('[T106] on a server a question ends when whoever asked has left, because its user is read-only', async () => {
	const leaving = new AbortController();
	const slow = clickhouse.rows(sql`SELECT count() FROM numbers(100000000000) WHERE sipHash64(number) = 1`, {
		...{ name: 'a slow question', signal: leaving.signal },
	});
	const running = async () => {
		const rows = await clickhouse.rows(
			sql`SELECT query_id FROM system.processes WHERE log_comment = 'a slow question'`,
		);
		return rows.length;
	};
	await until(async () => (await running()) > 0, 15_000, 'the question runs');
	leaving.abort();
	await assert.rejects(slow);
	await until(async () => (await running()) === 0, 15_000, 'the question has ended');
});

test('[F49] a server that is too old, read-only or fixes what counting once depends on is refused with how to mend it', async () => {
	const { options } = server.strict;
	const start = (of: ClickHouse) => migrate({ postgres, clickhouse: of, folder: migrations, log: silent });
	await start(clickhouse);
	for (const [change, says] of [
		[{ version: '25.7.1.1' }, /is version 25\.7\.1\.1; Tidemark needs 25\.8 or later/],
		[{ fixed: ['async_insert', 'insert_deduplicate'] }, /may not change async_insert, insert_deduplicate/],
		[{ profile: { deduplicate_insert: 'disable' } }, /deduplicate_insert is disabled/],
		[
			{ profile: { http_max_field_value_size: '4096' } },
			/http_max_field_value_size is 4096.*Set it to 131072/,
		],
	] as const) {
		Object.assign(options, change);
		await assert.rejects(start(clickhouse), says);
		for (const name of Object.keys(change)) Reflect.deleteProperty(options, name);
	}
	const url = new URL(server.url);
	url.username = users.locked.name;
	url.password = users.locked.password;
	const locked = createClickHouse(url.href, { log: silent });
	const writing = createClickHouse(server.url, { log: silent, reader: users.main });
	await assert.rejects(start(locked), /The user of CLICKHOUSE_URL is read-only/);
	await assert.rejects(start(writing), /CLICKHOUSE_READ_USER has readonly = 0\. Set readonly = 2/);
	await locked.close();
	await writing.close();
});

test('[F48] a node of a cluster is down and another is upgraded: a start needs neither, and recovery ends inserts and writes', async (t) => {
	const node = (host: string, shard: string, replica: string) => ({
		host,
		shard,
		replica,
		version: '26.7.2.1',
	});
	const nodes: { host: string; shard: string; replica: string; version: string; isDown?: boolean }[] = [
		...[node('a1', '1', 'a'), node('b1', '1', 'b'), node('c1', '1', 'c')],
	];
	const cluster = await startClickHouseServer(t, { cluster: { name: 'c', nodes } });
	const lines: string[] = [];
	const log = createLog('debug', (line) => lines.push(line));
	const spread = createClickHouse(cluster.url, { log, cluster: 'c', reader: users.reader });
	t.after(() => spread.close());
	const start = () => migrate({ postgres, clickhouse: spread, folder: migrations, log });
	if (nodes[2]) nodes[2].isDown = true;
	await assert.rejects(start(), /must be changed, and some of its nodes do not answer/);
	if (nodes[2]) nodes[2].isDown = false;
	lines.length = 0;
	await start();
	assert.doesNotMatch(lines.join(''), /do not answer|different versions/);

	if (nodes[2]) nodes[2].isDown = true;
	if (nodes[1]) nodes[1].version = '26.8.1.1';
	await start();
	assert.match(lines.join(''), /some nodes of the ClickHouse cluster do not answer/);
	assert.match(lines.join(''), /run different versions/);

	const website = await stores.website();
	await withWriter(spread, async (parts) => {
		await parts.eventLog.append([eventOf(website), eventOf(website)]);
		await takeBatch(parts);
		await recoverBatches(parts, await loadRecentEvents(postgres, 0), unquestioned);
	});
	assert.deepEqual(await countOf(spread, sql`website_id = ${param('UInt32', website)}`), {
		rows: '2',
		ids: '2',
	});
	const kills = cluster.strict.seen.filter(({ statement }) => statement.startsWith('KILL'));
	assert.deepEqual(
		kills.map(({ settings }) => settings.distributed_ddl_task_timeout),
		[undefined, '0'],
	);
});

test('[T105] the grants in the documentation are those that the stand-in has', () => {
	const text = readFileSync(join(migrations, '..', 'docs', 'settings.md'), 'utf8');
	const granted = [...text.matchAll(/^GRANT (?:ON CLUSTER tidemark )?(.+) ON (\S+) TO (\w+);$/gm)].map(
		([, rights = '', on = '', user = '']) => ({ rights, on, user }),
	);
	const of = (user: string) =>
		granted.filter((grant) => grant.user === user).map(({ rights, on }) => `${rights} ON ${on}`);
	const system = grants.system.map((table) => `SELECT ON system.${table}`);
	assert.deepEqual(of('tidemark_read'), ['SELECT ON tidemark.*', ...system]);
	assert.deepEqual(of('tidemark'), [
		...[`${grants.tables.join(', ')} ON tidemark.*`, ...system, `${grants.global.join(', ')} ON *.*`],
		...grants.systemOfCluster.map((table) => `SELECT ON system.${table}`),
	]);
});

test('the documentation lists the tests that a strict run leaves out, with the reason', () => {
	const text = readFileSync(join(migrations, '..', 'docs', 'settings.md'), 'utf8');
	for (const { files, reason } of embeddedOnly)
		assert.ok(text.includes(`| \`${files}\` | ${reason} |`), files);
});
