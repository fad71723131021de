import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { after, type TestContext, test } from 'node:test';
import { listClickHouseTables } from '../../server/backup/contents.ts';
import { createLog } from '../../server/lib/log.ts';
import { clusterQuestions } from '../../server/store/check-cluster.ts';
import { createClickHouse } from '../../server/store/clickhouse.ts';
import {
	clusterSettings,
	killHere,
	killOnCluster,
	spreadAnew,
	stillRunning,
	toCluster,
} from '../../server/store/cluster-sql.ts';
import { param, render, sql } from '../../server/store/sql.ts';
import { clusterFor, withoutOnCluster, withoutReplicas } from '../support/cluster.ts';
import { goldenSql } from '../support/golden-sql.ts';

// One node with the spread tables of a cluster. What needs a second node, or a replica that lives, is not tested here.
const cluster = await clusterFor({ after }, { filters: { halves_local: 'shardNum() = 1 + half' } });

const migrations = globSync('migrations/clickhouse/*.sql')
	.sort()
	.map((file) => readFileSync(file, 'utf8'));

const run = async (statement: string) => {
	for (const form of toCluster(statement, 'one'))
		await cluster.control(withoutReplicas(form, { tokens: 100 }));
};
for (const migration of migrations) await run(migration);

const line = (id: number, of: Record<string, unknown> = {}) =>
	JSON.stringify({
		website_id: 1,
		date: '2026-11-15',
		visitor_id: '7',
		event_id: String(id),
		kind: 'pageview',
		...of,
	});
const insert = (token: string, ids: readonly number[]) =>
	cluster.clickhouse.insert({ table: 'events', lines: ids.map((id) => line(id)).join('\n'), token });
const count = async () => Number(await cluster.control('SELECT count() FROM events'));

test('the engine reads every form of every migration, and every statement of the checks', async () => {
	const quoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
	const read = (text: string) => cluster.control(`SELECT length(formatQuery(${quoted(text)})) > 0`);
	const statements = [
		...migrations.flatMap((migration) => toCluster(migration, 'one')),
		...spreadAnew('one', [{ websiteId: 1, from: '2026-11-15' }]),
		...[killHere, killOnCluster('one'), render(stillRunning('one', 'batch-1')).query],
		...Object.values(clusterQuestions('one')).map((question) => render(question).query),
		...['ALTER TABLE events DELETE WHERE website_id = 1', 'TRUNCATE TABLE events SYNC'].flatMap((statement) =>
			toCluster(statement, 'one'),
		),
	];
	for (const statement of statements) assert.equal(await read(statement), '1\n', statement);
	await assert.rejects(
		read('CREATE TABLE x ON CLUSTER'),
		/SYNTAX_ERROR/,
		'a statement that is wrong is told apart',
	);
});

test('replicated tables are made as the migrations define them', async () => {
	const { control } = cluster;
	await control('CREATE DATABASE replicated');
	await control('USE replicated');
	// A replica that does not live takes no change.
	const definitions = migrations.filter((migration) => !/^ALTER/m.test(migration));
	for (const definition of definitions)
		for (const form of toCluster(definition, 'one')) await control(withoutOnCluster(form));
	await control('USE tidemark');
	assert.equal(
		await control('SELECT table, zookeeper_path, replica_name FROM system.replicas ORDER BY table'),
		['events', 'totals_imported', 'totals', 'visits']
			.map((table) => `${table}_local\t/clickhouse/tables/01/replicated/${table}_local\ta\n`)
			.join(''),
	);
	const definition = await control('SHOW CREATE TABLE replicated.events_local');
	assert.match(
		definition,
		/replicated_deduplication_window = 10000, replicated_deduplication_window_seconds = 604800/,
	);
});

test('migrations can be repeated, and both tables have the same columns', async () => {
	for (const migration of migrations) await run(migration);
	const columnsOf = (table: string) =>
		cluster.control(
			`SELECT name, type FROM system.columns WHERE database = 'tidemark' AND table = '${table}' ORDER BY position`,
		);
	for (const table of ['events', 'visits', 'totals']) {
		assert.notEqual(await columnsOf(table), '');
		assert.equal(await columnsOf(table), await columnsOf(`${table}_local`));
	}
	assert.equal(await columnsOf('open_visits'), await columnsOf('visits'));
});

test('ClickHouse runs every golden statement over spread tables', async () => {
	for (const { name, statements } of goldenSql())
		for (const statement of statements)
			assert.deepEqual((await cluster.clickhouse.ask(statement)).rows, [], name);
});

test('an insert through the spread table is counted once by its token', async () => {
	// By the spread table, and by the one on this node: on a cluster the client must not take it for a fault.
	assert.deepEqual(await insert('batch 1', [1, 2, 3]), { writtenRows: 6 });
	await insert('batch 1', [1, 2, 3]);
	assert.equal(await count(), 3);
	await insert('batch 2', [1, 2, 3]);
	assert.equal(await count(), 6, 'the token names the rows, and not what is in them');
});

test('rows are deleted from where they lie, also after the tables were spread anew', async () => {
	for (const definition of spreadAnew('one', [{ websiteId: 1, from: '2026-11-15' }]))
		await cluster.control(withoutOnCluster(definition));
	const present = await count();
	await insert('batch 3', [4]);
	assert.equal(await count(), present + 1);
	await run('ALTER TABLE events DELETE WHERE website_id = 1 AND event_id = 4 SETTINGS mutations_sync = 2');
	assert.equal(await count(), present);
	await run('TRUNCATE TABLE events SYNC');
	assert.equal(await count(), 0);
});

test('a large website lies on both shards from its date on, each visitor on one, and all others on one', async () => {
	const [definition = ''] = spreadAnew('two', [{ websiteId: 1, from: '2026-11-16' }]);
	const key = /'events_local', (.*)\)$/s.exec(definition)?.[1];
	const lying = (website: number, date: string) =>
		cluster.control(`SELECT uniqExact(key % 2), max(shards) FROM (
			SELECT ${key} AS key, uniqExact(key % 2) OVER (PARTITION BY visitor_id) AS shards FROM (
				SELECT toUInt32(${website}) AS website_id, toDate('${date}') AS date, toUInt64(number % 500) AS visitor_id FROM numbers(2000)))`);
	assert.equal(await lying(1, '2026-11-15'), '1\t1\n');
	assert.equal(await lying(1, '2026-11-16'), '2\t1\n');
	assert.equal(await lying(2, '2026-11-16'), '1\t1\n');
});

test('what lies on two shards is counted once, by an insert and by a subquery too', async () => {
	const { control } = cluster;
	await control(
		'CREATE TABLE halves_local (website_id UInt32, half UInt8, visitor_id UInt64) ENGINE = MergeTree ORDER BY half',
	);
	await control(
		"CREATE TABLE halves AS halves_local ENGINE = Distributed('two', tidemark, halves_local, website_id)",
	);
	await control('INSERT INTO halves_local SELECT 1, number % 2, intDiv(number, 2) FROM numbers(10)');
	assert.equal(await control('SELECT count(), uniqExact(visitor_id) FROM halves'), '10\t5\n');
	assert.equal(
		await control(
			'SELECT count() FROM halves WHERE visitor_id IN (SELECT visitor_id FROM halves WHERE half = 1)',
		),
		'10\n',
	);
	await control(
		'CREATE TABLE counted_local (website_id UInt32, visitors UInt64) ENGINE = MergeTree ORDER BY website_id',
	);
	await control(
		"CREATE TABLE counted AS counted_local ENGINE = Distributed('two', tidemark, counted_local, website_id)",
	);
	await control(
		'INSERT INTO counted SELECT website_id, uniqExact(visitor_id) FROM halves GROUP BY website_id',
	);
	assert.equal(await control('SELECT * FROM counted_local'), '1\t5\n');
});

test('the client sends every statement in the form of a cluster, with its settings', async (t) => {
	const { url, seen } = await farEnd(t);
	const clickhouse = createClickHouse(url, { log: createLog('silent'), cluster: 'c' });
	t.after(() => clickhouse.close());
	await clickhouse.script('ALTER TABLE visits ADD COLUMN IF NOT EXISTS a UInt8');
	await clickhouse.command(sql`ALTER TABLE totals DELETE WHERE generation = ${param('UInt64', 7)}`, {
		settings: { mutations_sync: '2' },
	});
	// The far end says that it wrote each row twice.
	assert.deepEqual(await clickhouse.insert({ table: 'events', lines: '{}', token: 'batch 9' }), {
		writtenRows: 1,
	});
	await clickhouse.rows(sql`SELECT 1`);
	await clickhouse.kill('batch-9');
	assert.deepEqual(
		seen.map(({ text }) => text.split('\n')[0]?.trim()),
		[
			"ALTER TABLE visits_local ON CLUSTER 'c' ADD COLUMN IF NOT EXISTS a UInt8",
			"ALTER TABLE visits ON CLUSTER 'c' ADD COLUMN IF NOT EXISTS a UInt8",
			"ALTER TABLE totals_local ON CLUSTER 'c' DELETE WHERE generation = {p0:UInt64}",
			'INSERT INTO events FORMAT JSONEachRow',
			'SELECT 1',
			killHere,
			killOnCluster('c'),
			'SELECT count() AS count FROM clusterAllReplicas({p0:String}, system.processes)',
		],
	);
	for (const { settings, text } of seen.slice(0, 5))
		for (const [name, value] of Object.entries(clusterSettings))
			assert.equal(settings.get(name), String(value), `${name} of ${text}`);
	assert.equal(seen[2]?.settings.get('mutations_sync'), '2');
	assert.equal(seen[3]?.settings.get('insert_deduplication_token'), 'batch 9');
});

test('a backup of one node would hold one shard, and is refused', async () => {
	await assert.rejects(listClickHouseTables({ ...cluster.clickhouse, cluster: 'one' }), /ON CLUSTER/);
});

/** A server that has nothing to say. */
async function farEnd(t: TestContext) {
	const seen: { text: string; settings: URLSearchParams }[] = [];
	const server = createServer(async (request, response) => {
		const settings = new URL(request.url ?? '', 'http://far').searchParams;
		const body = await text(request);
		seen.push({ text: settings.get('query') ?? body, settings });
		response.setHeader('x-clickhouse-summary', '{"written_rows":"2"}').end();
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	t.after(() => server.close());
	const address = server.address();
	return { url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/t`, seen };
}
