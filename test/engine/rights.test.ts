import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Role } from '../../server/store/clickhouse-clients.ts';
import { sql } from '../../server/store/sql.ts';
import { ask, basic, engineFor, raw } from './engine.ts';

/** ADDRESS and FILE are put in: a server that counts its visitors and a file with a secret. */
const reachingOut = [
	"SELECT * FROM url('ADDRESS', 'LineAsString')",
	"SELECT * FROM `url`('ADDRESS', 'LineAsString')",
	"SELECT * FROM file('FILE', 'LineAsString')",
	"SELECT file('FILE')",
	"SELECT * FROM remote('127.0.0.1:1', system.one)",
	"SELECT * FROM remoteSecure('127.0.0.1:1', system.one)",
	"SELECT * FROM cluster('x', system.one)",
	"SELECT * FROM s3('ADDRESS/x', 'CSV')",
	"SELECT * FROM gcs('ADDRESS/x', 'CSV')",
	"SELECT * FROM hdfs('hdfs://127.0.0.1:1/x', 'CSV')",
	"SELECT * FROM azureBlobStorage('ADDRESS', 'a', 'b', 'c', 'd', 'CSV')",
	"SELECT * FROM postgresql('127.0.0.1:1', 'a', 'b', 'c', 'd')",
	"SELECT * FROM mysql('127.0.0.1:1', 'a', 'b', 'c', 'd')",
	"SELECT * FROM mongodb('127.0.0.1:1', 'a', 'b', 'c', 'd', 'e String')",
	"SELECT * FROM redis('127.0.0.1:1', 'k', 'k String')",
	"SELECT * FROM sqlite('FILE', 't')",
	"SELECT * FROM odbc('DSN=x', 'a', 'b')",
	"SELECT * FROM jdbc('x', 'a', 'b')",
	"SELECT * FROM executable('cat FILE', TSV, 'a String')",
	"SELECT * FROM deltaLake('ADDRESS')",
	"SELECT * FROM icebergLocal('FILE')",
	"SELECT * FROM filesystem('/')",
	"SELECT * FROM merge('system', '.*')",
	"SELECT * FROM dictionary('x')",
	"SELECT * FROM 'FILE'",
	'SELECT * FROM `FILE`',
	"SELECT (SELECT line FROM file('FILE', 'LineAsString', 'line String') LIMIT 1)",
	"SELECT 1 WHERE 1 IN (SELECT 1 FROM url('ADDRESS', 'LineAsString', 'line String'))",
	"WITH a AS (SELECT * FROM url('ADDRESS', 'LineAsString')) SELECT * FROM a",
	"SELECT 1 UNION ALL SELECT 1 FROM url('ADDRESS', 'LineAsString', 'a String')",
	"SELECT 1 AS a FROM system.one JOIN url('ADDRESS', 'LineAsString', 'a String') AS u ON 1 = 1",
	"SELECT dictGet('x', 'y', 1)",
	"SELECT aiGenerate('x', 'hello')",
	"SELECT catboostEvaluate('FILE', 1)",
	"SELECT 1 INTO OUTFILE 'FILE.out'",
	"SELECT 1 /* */ INTO/**/OUTFILE 'FILE.out' FORMAT CSV",
	'SELECT * FROM mergeTreeIndex(tidemark, t)',
	"DESCRIBE TABLE url('ADDRESS', 'LineAsString')",
];

const notARead = [
	'CREATE TABLE u (a UInt8) ENGINE = Memory',
	'CREATE TEMPORARY TABLE u (a UInt8)',
	'CREATE DATABASE d',
	'CREATE FUNCTION f AS x -> x',
	'CREATE USER u',
	'CREATE VIEW v AS SELECT 1',
	'DROP TABLE t',
	'TRUNCATE TABLE t',
	'RENAME TABLE t TO u',
	'EXCHANGE TABLES t AND u',
	'ALTER TABLE t DELETE WHERE 1',
	'ALTER TABLE t ADD COLUMN b UInt8',
	'DELETE FROM t WHERE 1',
	'UPDATE t SET a = 1 WHERE 1',
	'OPTIMIZE TABLE t FINAL',
	'INSERT INTO t VALUES (1)',
	'INSERT INTO t SELECT 1',
	'INSERT INTO t FORMAT JSONEachRow',
	'SYSTEM SHUTDOWN',
	'SYSTEM FLUSH LOGS',
	'SYSTEM STOP MERGES',
	'SET max_memory_usage = 0',
	'SET readonly = 0',
	'USE system',
	'KILL QUERY WHERE 1',
	'KILL MUTATION WHERE 1',
	'GRANT ALL ON *.* TO default',
	"BACKUP TABLE t TO File('FILE.backup')",
	"RESTORE TABLE t FROM File('FILE')",
	'DETACH TABLE t',
	'ATTACH TABLE t',
	'EXPLAIN SELECT 1',
	'SHOW TABLES',
	'BEGIN TRANSACTION',
	'EXECUTE AS default SELECT 1',
	'SELECT 1 SETTINGS max_memory_usage = 0',
	'SELECT * FROM (SELECT 1 SETTINGS max_execution_time = 0)',
	'SELECT * FROM system.server_settings',
	'SELECT * FROM system.users',
	'SELECT * FROM information_schema.tables',
	'SELECT 1 IN system.users',
	'SELECT * FROM default.t',
	'SELECT 1; DROP TABLE t',
	'SELECT $$heredoc$$',
	'SELECT ‘typographic’',
	'graph = 1 SELECT 1',
	'',
];

const notAnInsert = [
	"INSERT INTO FUNCTION file('FILE.out') SELECT 1",
	"INSERT INTO TABLE FUNCTION url('ADDRESS') SELECT 1",
	"INSERT INTO t SELECT length(line) FROM url('ADDRESS', 'LineAsString', 'line String')",
	"INSERT INTO t SELECT length(file('FILE'))",
	"INSERT INTO t VALUES (length(file('FILE')))",
	"INSERT INTO t FROM INFILE 'FILE' FORMAT CSV",
	'INSERT INTO system.one SELECT 1',
	'INSERT INTO t SETTINGS max_memory_usage = 0 SELECT 1',
	'CREATE TABLE u (a UInt8) ENGINE = Memory',
	'ALTER TABLE t DELETE WHERE 1',
	'DROP TABLE t',
	'TRUNCATE TABLE t',
	'OPTIMIZE TABLE t',
	'SYSTEM FLUSH LOGS',
	'SET insert_deduplicate = 0',
];

const notAMigration = [
	"CREATE TABLE u (a String) ENGINE = URL('ADDRESS', 'LineAsString')",
	"CREATE TABLE u (a String) ENGINE = File('LineAsString', 'FILE')",
	"CREATE TABLE u (a String) ENGINE = S3('ADDRESS/x', 'CSV')",
	"CREATE TABLE u (a String) ENGINE = Distributed('a', 'b', 'c')",
	"CREATE TABLE u (a String) ENGINE = Merge('system', '.*')",
	"CREATE TABLE u (a String) ENGINE = Executable('cat', 'TSV')",
	"CREATE TABLE u AS url('ADDRESS', 'LineAsString')",
	"CREATE TABLE u (a String DEFAULT file('FILE')) ENGINE = MergeTree ORDER BY a",
	"CREATE TABLE u (a UInt8) ENGINE = MergeTree ORDER BY a SETTINGS disk = disk(type = 'web', endpoint = 'ADDRESS')",
	"CREATE TABLE u (a UInt8) ENGINE = MergeTree ORDER BY a SETTINGS storage_policy = 'x'",
	"CREATE TABLE u ENGINE = MergeTree ORDER BY tuple() AS SELECT * FROM url('ADDRESS', 'LineAsString')",
	"CREATE VIEW v AS SELECT * FROM file('FILE', 'LineAsString')",
	'CREATE MATERIALIZED VIEW v REFRESH EVERY 1 SECOND TO t AS SELECT 1 AS a',
	"CREATE DICTIONARY d (a UInt64) PRIMARY KEY a SOURCE(HTTP(url 'ADDRESS' format 'CSV')) LAYOUT(FLAT()) LIFETIME(1)",
	"CREATE DATABASE d ENGINE = PostgreSQL('127.0.0.1:1', 'a', 'b', 'c')",
	'CREATE NAMED COLLECTION c AS a = 1',
	'CREATE USER u',
	'DROP DATABASE tidemark',
	"ALTER TABLE t FETCH PARTITION 1 FROM '/x'",
	"ALTER TABLE t MODIFY SETTING storage_policy = 'x'",
	'ALTER TABLE t FREEZE',
	"ATTACH TABLE u FROM 'FILE' (a UInt8) ENGINE = MergeTree ORDER BY a",
	"BACKUP TABLE t TO File('FILE.backup')",
	'SYSTEM SHUTDOWN',
	'SET max_threads = 1',
	'USE system',
];

const lists: readonly { as: Role; statements: readonly string[] }[] = [
	{ as: 'stats', statements: [...reachingOut, ...notARead] },
	{ as: 'ingest', statements: [...reachingOut, ...notAnInsert] },
	{ as: 'migrate', statements: [...reachingOut, ...notAMigration] },
];

test("[T25] what is outside of a user's rights is refused before the engine runs it", async (t) => {
	const { clickhouse, dataFolder, engine } = await engineFor(t);
	let visits = 0;
	const server = createServer((_, response) => {
		visits += 1;
		response.end('1\n');
	}).listen(0, '127.0.0.1');
	await once(server, 'listening');
	t.after(() => server.close());
	const bound = server.address();
	const address = `http://127.0.0.1:${typeof bound === 'object' ? bound?.port : ''}`;
	const file = join(dataFolder, 'secret.csv');
	writeFileSync(file, '42\n');
	await clickhouse.script('CREATE TABLE t (a UInt8) ENGINE = MergeTree ORDER BY a');
	await clickhouse.command(sql`INSERT INTO t VALUES (1), (2)`);

	for (const { as, statements } of lists) {
		for (const statement of statements) {
			await t.test(`[T25] ${as}: ${statement}`, async () => {
				const body = statement.replace('ADDRESS', address).replace(/\bFILE\b/, file);
				const { status, headers, text } = await ask(engine.connection.socketPath, {
					body,
					authorization: basic(as, engine.connection.passwords[as]),
				});
				// By the door: an engine that met the statement would say something else (unknown table, cannot connect …).
				assert.match(
					text,
					/^Code: (497|62|48)\. DB::Exception: .*\((ACCESS_DENIED|SYNTAX_ERROR|NOT_IMPLEMENTED)\)\n$/s,
				);
				assert.equal(headers['x-clickhouse-exception-code'], /\d+/.exec(text)?.[0]);
				assert.ok(status && status >= 400, `status ${status}`);
			});
		}
	}

	assert.equal(visits, 0, 'nobody reached the server');
	assert.ok(!existsSync(`${file}.out`) && !existsSync(`${file}.backup`), 'nobody wrote a file');
	assert.deepEqual(await clickhouse.rows(sql`SELECT name FROM system.tables WHERE database = 'tidemark'`), [
		{ name: 't' },
	]);
	assert.deepEqual(await clickhouse.rows(sql`SELECT a FROM t ORDER BY a`), [{ a: 1 }, { a: 2 }]);
});

test('[T25] a refusal is a ClickHouseError of the client', async (t) => {
	const { clickhouse } = await engineFor(t);
	await assert.rejects(clickhouse.rows(sql`SELECT * FROM url('http://127.0.0.1:1')`), {
		code: '497',
		type: 'ACCESS_DENIED',
	});
	await assert.rejects(clickhouse.command(sql`DROP TABLE t`, { as: 'stats' }), {
		code: '497',
		type: 'ACCESS_DENIED',
	});
});

const allowed: readonly { as: Role; statement: string }[] = [
	{ as: 'stats', statement: 'SELECT 1' },
	{
		as: 'stats',
		statement:
			'SELECT count(), countIf(a > 1), uniqExactIf(a, a = 1), sumMap(map(a, 1)), quantileTDigestIf(0.5)(a, a > 0) FROM t',
	},
	{
		as: 'stats',
		statement:
			'WITH x AS (SELECT a FROM t) SELECT a, row_number() OVER (ORDER BY a) AS n FROM x ORDER BY a WITH FILL FROM 1 TO 5',
	},
	{
		as: 'stats',
		statement: 'SELECT groupArray((a, toString(a))) AS p, arrayMap(x -> x.1 + 1, p) FROM tidemark.t',
	},
	{
		as: 'stats',
		statement: 'SELECT finalizeAggregation(uniqExactState(a)), (SELECT max(a) FROM t) AS top FROM t',
	},
	{ as: 'stats', statement: 'SELECT 1 UNION ALL SELECT 2' },
	{ as: 'stats', statement: 'SELECT \'INTO\', "a", `a` FROM t -- SETTINGS and a comment;\n' },
	{ as: 'stats', statement: 'SELECT number FROM numbers(3) ARRAY JOIN [1, 2] AS b' },
	{
		as: 'stats',
		statement:
			"SELECT a IN (SELECT a FROM t), toStartOfInterval(now(), INTERVAL 15 MINUTE), domain('x') FROM t AS big LEFT JOIN t AS small USING (a)",
	},
	{ as: 'stats', statement: 'SELECT query_id, user FROM system.processes' },
	{ as: 'ingest', statement: 'INSERT INTO t SELECT a FROM t WHERE 0' },
	{ as: 'ingest', statement: 'INSERT INTO t (a) VALUES (3)' },
	{ as: 'ingest', statement: 'SELECT a FROM t' },
	{
		as: 'migrate',
		statement:
			"CREATE TABLE IF NOT EXISTS w (a UInt8 CODEC(Delta, ZSTD(1)), b LowCardinality(String), INDEX i b TYPE bloom_filter GRANULARITY 1) ENGINE = MergeTree PARTITION BY a ORDER BY (a, b) TTL toDate('2100-01-01') + toIntervalDay(a) SETTINGS index_granularity = 1024, fsync_after_insert = 1",
	},
	{ as: 'migrate', statement: 'CREATE OR REPLACE VIEW v AS SELECT a FROM t' },
	{ as: 'migrate', statement: 'ALTER TABLE t DELETE WHERE a = 3' },
	{ as: 'migrate', statement: 'ALTER TABLE w ADD COLUMN IF NOT EXISTS c UInt8 DEFAULT a' },
	{ as: 'migrate', statement: 'RENAME TABLE w TO x' },
	{ as: 'migrate', statement: 'TRUNCATE TABLE x' },
	{ as: 'migrate', statement: 'OPTIMIZE TABLE t FINAL' },
	{ as: 'migrate', statement: 'DROP TABLE IF EXISTS x' },
	{ as: 'migrate', statement: 'SHOW TABLES' },
	{ as: 'migrate', statement: 'DESCRIBE TABLE t' },
];

test("[T25] what is within a user's rights runs", async (t) => {
	const { clickhouse } = await engineFor(t);
	await clickhouse.script('CREATE TABLE t (a UInt8) ENGINE = MergeTree ORDER BY a');
	for (const { as, statement } of allowed) {
		await t.test(`[T25] ${as}: ${statement}`, () => clickhouse.command(raw(statement), { as }));
	}
});

test('[T61] whoever has no password is refused', async (t) => {
	const { engine } = await engineFor(t);
	const { socketPath, passwords } = engine.connection;
	const strangers = [
		undefined,
		'',
		'Basic',
		basic('stats', ''),
		basic('default', ''),
		basic('stats', 'wrong'),
		basic('stats', passwords.ingest),
		basic('stats', `${passwords.stats}x`),
		basic('STATS', passwords.stats),
		`Bearer ${passwords.stats}`,
	];
	for (const authorization of strangers) {
		for (const path of ['/', '/ping', `/?user=stats&password=${passwords.stats}`]) {
			const answer = await ask(socketPath, {
				path,
				body: 'SELECT 1',
				...(authorization !== undefined && { authorization }),
			});
			assert.equal(answer.status, 403, `${authorization} at ${path}`);
			assert.match(answer.text, /^Code: 516\. .*\(AUTHENTICATION_FAILED\)\n$/);
		}
	}
	const known = await ask(socketPath, { body: 'SELECT 1', authorization: basic('stats', passwords.stats) });
	assert.deepEqual({ status: known.status, text: known.text }, { status: 200, text: '1\n' });
	assert.equal(
		statSync(socketPath).mode & 0o777,
		0o600,
		'and nobody else on the machine can open the socket',
	);
});
