import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { killOnCluster, spreadAnew, toCluster } from './cluster-sql.ts';

const cases: readonly [what: string, statement: string, forms: readonly string[]][] = [
	[
		'a read, an insert and a stop stay as they are',
		'SELECT count() FROM events',
		['SELECT count() FROM events'],
	],
	['an insert', 'INSERT INTO visits SELECT * FROM events', ['INSERT INTO visits SELECT * FROM events']],
	[
		'a table is replicated within its shard, and one that holds nothing stands before it',
		'-- Why.\nCREATE TABLE IF NOT EXISTS events\n(\n\twebsite_id UInt32\n)\nENGINE = MergeTree\nORDER BY website_id\n' +
			'SETTINGS non_replicated_deduplication_window = 10000, fsync_after_insert = 1',
		[
			"CREATE TABLE IF NOT EXISTS events_local ON CLUSTER 'c' (\n\twebsite_id UInt32\n)\n" +
				"ENGINE = ReplicatedMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}')\nORDER BY website_id\n" +
				'SETTINGS replicated_deduplication_window = 10000, replicated_deduplication_window_seconds = 604800, fsync_after_insert = 1',
			"CREATE TABLE IF NOT EXISTS events ON CLUSTER 'c' AS events_local\n" +
				"ENGINE = Distributed('c', currentDatabase(), 'events_local', cityHash64(website_id, 0))",
		],
	],
	[
		'what has no visitor is spread by website',
		'CREATE TABLE IF NOT EXISTS totals (website_id UInt32) ENGINE = MergeTree ORDER BY website_id',
		[
			"CREATE TABLE IF NOT EXISTS totals_local ON CLUSTER 'c' (website_id UInt32) " +
				"ENGINE = ReplicatedMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}') ORDER BY website_id",
			"CREATE TABLE IF NOT EXISTS totals ON CLUSTER 'c' AS totals_local\n" +
				"ENGINE = Distributed('c', currentDatabase(), 'totals_local', cityHash64(website_id))",
		],
	],
	[
		'runs of open days are on each node by themselves',
		'CREATE TABLE IF NOT EXISTS open_visits AS visits\nENGINE = MergeTree\nPARTITION BY generation',
		[
			"CREATE TABLE IF NOT EXISTS open_visits ON CLUSTER 'c' AS visits_local\nENGINE = MergeTree\nPARTITION BY generation",
		],
	],
	[
		'they are dropped where they were found',
		'ALTER TABLE open_visits DROP PARTITION {p0:UInt64}',
		['ALTER TABLE open_visits DROP PARTITION {p0:UInt64}'],
	],
	[
		'and erased everywhere',
		'ALTER TABLE open_visits DELETE WHERE website_id = {p0:UInt32}',
		["ALTER TABLE open_visits ON CLUSTER 'c' DELETE WHERE website_id = {p0:UInt32}"],
	],
	[
		'what is read at each start is on every node',
		'CREATE TABLE IF NOT EXISTS engine (id UUID) ENGINE = MergeTree ORDER BY id',
		[
			"CREATE TABLE IF NOT EXISTS engine ON CLUSTER 'c' (id UUID) " +
				"ENGINE = ReplicatedMergeTree('/clickhouse/tables/{database}/{table}', '{shard}-{replica}') ORDER BY id",
		],
	],
	[
		'a column is added to both',
		'ALTER TABLE visits ADD COLUMN IF NOT EXISTS is_only UInt8',
		[
			"ALTER TABLE visits_local ON CLUSTER 'c' ADD COLUMN IF NOT EXISTS is_only UInt8",
			"ALTER TABLE visits ON CLUSTER 'c' ADD COLUMN IF NOT EXISTS is_only UInt8",
		],
	],
	[
		'rows are deleted where they are',
		'\n\t\tALTER TABLE totals DELETE\nWHERE generation = 1',
		["ALTER TABLE totals_local ON CLUSTER 'c' DELETE\nWHERE generation = 1"],
	],
	[
		'a setting is changed where rows are',
		'ALTER TABLE events MODIFY SETTING min_bytes_for_wide_part = 0',
		["ALTER TABLE events_local ON CLUSTER 'c' MODIFY SETTING min_bytes_for_wide_part = 0"],
	],
	['a table is emptied', 'TRUNCATE TABLE events SYNC', ["TRUNCATE TABLE events_local ON CLUSTER 'c' SYNC"]],
	['a table is merged', 'OPTIMIZE TABLE events FINAL', ["OPTIMIZE TABLE events_local ON CLUSTER 'c' FINAL"]],
	[
		'what stands before it goes first',
		'DROP TABLE IF EXISTS events SYNC',
		[
			"DROP TABLE IF EXISTS events ON CLUSTER 'c' SYNC",
			"DROP TABLE IF EXISTS events_local ON CLUSTER 'c' SYNC",
		],
	],
];

for (const [what, statement, forms] of cases)
	test(`on a cluster: ${what}`, () => assert.deepEqual(toCluster(statement, 'c'), forms));

test('a statement that a cluster has no form of is refused, and not run on one node', () => {
	for (const statement of [
		'CREATE TABLE backup_events CLONE AS events',
		'RENAME TABLE a TO b',
		'CREATE VIEW v AS SELECT 1',
		'DROP TABLE events',
	])
		assert.throws(() => toCluster(statement, 'c'), /A cluster cannot be told to/, statement);
	assert.throws(
		() => toCluster('CREATE TABLE IF NOT EXISTS x (a UInt8) ENGINE = Memory', 'c'),
		/is a MergeTree/,
	);
});

test('every migration has a form, and none stays on one node', () => {
	for (const file of globSync('migrations/clickhouse/*.sql').sort()) {
		const forms = toCluster(readFileSync(file, 'utf8'), 'c');
		for (const form of forms) assert.match(form, / ON CLUSTER 'c' /, file);
		assert.equal(forms.join().includes('non_replicated_deduplication_window'), false, file);
	}
});

test('a large website is spread by visitor from its date on', () => {
	const [events = '', visits = '', ...more] = spreadAnew('c', [
		{ websiteId: 40, from: '2026-11-17' },
		{ websiteId: 12, from: '2026-12-01' },
	]);
	assert.equal(
		events,
		"CREATE OR REPLACE TABLE events ON CLUSTER 'c' AS events_local\n" +
			"ENGINE = Distributed('c', currentDatabase(), 'events_local', cityHash64(website_id, if(date >= transform(website_id, " +
			"[toUInt32(12), toUInt32(40)], [toDate('2026-12-01'), toDate('2026-11-17')], toDate('2149-06-06')), visitor_id, 0)))",
	);
	assert.ok(visits.startsWith('CREATE OR REPLACE TABLE visits '));
	assert.deepEqual(more, []);
	assert.throws(() => spreadAnew('c', [{ websiteId: 1, from: "2026-01-01'" }]), /is not a date/);
	assert.throws(() => spreadAnew('c', [{ websiteId: 1.5, from: '2026-01-01' }]), /not the id of a website/);
});

test('a statement is ended wherever parts of it run', () => {
	assert.match(killOnCluster('c'), /ON CLUSTER 'c' WHERE query_id = .* OR initial_query_id = .* ASYNC$/);
	assert.throws(() => killOnCluster("c' OR 1"), /no name of a cluster/);
});
