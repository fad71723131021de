import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { minuteMs } from '../lib/durations.ts';
import type { Log } from '../lib/log.ts';
import { checkCluster } from './check-cluster.ts';
import { checkClickHouseServer } from './check-server.ts';
import { type ClickHouse, hasTable } from './clickhouse.ts';
import { locks } from './locks.ts';
import type { Postgres, Queries } from './postgres.ts';
import { param, sql, value } from './sql.ts';

/** A numbered SQL file. A released one is never edited, so its hash tells whether a database and a program agree. */
export type Migration = { number: number; name: string; text: string; hash: string };

/** What a database says it has. */
export type Applied = { number: number; name: string; hash: string };

/** Migrations up to this one. */
export type UpTo = { postgres: number; clickhouse: number };

function readMigrations(folder: string): Migration[] {
	const migrations = readdirSync(folder)
		.filter((file) => file.endsWith('.sql'))
		.sort()
		.map((file) => {
			const text = readFileSync(join(folder, file), 'utf8');
			const hash = createHash('sha256').update(text).digest('hex');
			return { number: Number(file.slice(0, 4)), name: file.slice(5, -4), text, hash };
		});
	migrations.forEach(({ number, name }, index) => {
		if (number !== index + 1)
			throw new Error(`Migration ${number} (${name}) should have number ${index + 1}.`);
	});
	return migrations;
}

/**
 * The databases in order, under one lock in PostgreSQL: processes that start together wait for each other, and
 * the second one finds nothing to do. The lock is tied to a connection, so a killed process never keeps it.
 * A command that needs no statistics starts no ClickHouse and leaves it for later.
 */
export async function migrate(options: {
	postgres: Postgres;
	clickhouse: ClickHouse | undefined;
	folder: string;
	log: Log;
	/** A backup is loaded into the schema that it was taken from. */
	upTo?: UpTo;
}): Promise<void> {
	const { postgres, clickhouse, folder, log, upTo } = options;
	const holder = await postgres.dedicatedConnection(() => undefined);
	try {
		await holder.run(sql`SELECT pg_advisory_lock(${value(locks.migrate)}::bigint)`);
		await migratePostgres(postgres, readMigrations(join(folder, 'postgres')).slice(0, upTo?.postgres), log);
		if (!clickhouse) return;
		await checkClickHouseServer(clickhouse, log);
		const { isWhole } = await checkCluster(clickhouse, log);
		const known = readMigrations(join(folder, 'clickhouse')).slice(0, upTo?.clickhouse);
		await migrateClickHouse(clickhouse, known, { log, isWhole });
	} finally {
		await holder.end();
	}
}

/** What a folder or a backup has, or says it had. */
export type AppliedBoth = { postgres: Applied[]; clickhouse: Applied[] };

/** The migrations that both databases have; none where they are new. Nothing is changed. */
export async function readApplied(
	postgres: Postgres,
	clickhouse: ClickHouse | undefined,
): Promise<AppliedBoth> {
	const [table] = await postgres.rows<{ isThere: boolean }>(
		sql`SELECT to_regclass('migrations') IS NOT NULL AS "isThere"`,
	);
	return {
		postgres: table?.isThere ? await appliedTo(postgres) : [],
		clickhouse:
			clickhouse && (await hasTable(clickhouse, 'migrations')) ? await appliedToClickHouse(clickhouse) : [],
	};
}

/** The migrations that are still to come; throws when what is there is newer than this program, or another's. */
export function findPending(
	folder: string,
	applied: AppliedBoth,
	subject: 'database' | 'part of the backup' = 'database',
): { postgres: Migration[]; clickhouse: Migration[] } {
	const known = (name: string) => readMigrations(join(folder, name));
	return {
		postgres: pending('PostgreSQL', known('postgres'), applied.postgres, subject),
		clickhouse: pending('ClickHouse', known('clickhouse'), applied.clickhouse, subject),
	};
}

const appliedTo = (postgres: Queries) =>
	postgres.rows<Applied>(sql`SELECT number, name, hash FROM migrations ORDER BY number`);

const appliedToClickHouse = (clickhouse: ClickHouse) =>
	clickhouse.rows<Applied>(
		sql`SELECT number, any(name) AS name, any(hash) AS hash FROM migrations GROUP BY number ORDER BY number`,
	);

async function migratePostgres(postgres: Postgres, migrations: readonly Migration[], log: Log) {
	await postgres.script(`CREATE TABLE IF NOT EXISTS migrations (
		number integer PRIMARY KEY, name text NOT NULL, hash text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now()
	)`);
	const applied = await appliedTo(postgres);
	const left = pending('PostgreSQL', migrations, applied);
	const level = logStart('PostgreSQL', left, { isNew: applied.length === 0, log });
	for (const migration of left) {
		log[level]({ migration: migration.name, number: migration.number }, 'migrating PostgreSQL');
		await withoutQueue(migration, log, () =>
			postgres.transaction(async (tx) => {
				await tx.script(`SET LOCAL lock_timeout = '${lockWithinMs}ms'`);
				await tx.script(migration.text);
				await record(tx, migration);
			}),
		);
	}
}

/**
 * A statement that waits for a table lock makes all later statements wait behind it: a query that runs for a minute would delay every
 * hit for that minute. So a migration waits only for a moment, lets the others pass, and tries again.
 */
const lockWithinMs = 300;
const triesEveryMs = 500;
const giveUpAfterMs = 300_000;

async function withoutQueue(migration: Migration, log: Log, work: () => Promise<void>): Promise<void> {
	const began = performance.now();
	for (let hasWaited = false; ; hasWaited = true) {
		try {
			return await work();
		} catch (error) {
			if (!isLocked(error)) throw error;
			if (performance.now() - began > giveUpAfterMs)
				throw new Error(
					`Migration ${migration.number} (${migration.name}) could not lock its tables for ${giveUpAfterMs / minuteMs} minutes ` +
						'because other transactions use them. End the long transactions in PostgreSQL (pg_stat_activity shows them), then start again.',
					{ cause: error },
				);
			if (!hasWaited)
				log.warn({ migration: migration.name }, 'migration waits for a table that another transaction uses');
			await sleep(triesEveryMs);
		}
	}
}

/** lock_not_available: the lock timeout. */
const isLocked = (error: unknown): boolean =>
	error instanceof Error && 'code' in error && error.code === '55P03';

function record(tx: Queries, { number, name, hash }: Migration) {
	return tx.run(
		sql`INSERT INTO migrations (number, name, hash) VALUES (${value(number)}, ${value(name)}, ${value(hash)})`,
	);
}

/** ClickHouse does not roll DDL back: each file is one statement that can be repeated, recorded after it is done. */
async function migrateClickHouse(
	clickhouse: ClickHouse,
	migrations: readonly Migration[],
	{ log, isWhole }: { log: Log /** Of a cluster: all its nodes answer. */; isWhole: boolean },
) {
	const isNew = !(await hasTable(clickhouse, 'migrations'));
	const applied = isNew ? [] : await appliedToClickHouse(clickhouse);
	const left = pending('ClickHouse', migrations, applied);
	// A statement that changes tables waits for every node: a start that changes none needs none of them.
	if (left.length > 0 && !isWhole)
		throw new Error(
			'The tables of the ClickHouse cluster must be changed, and some of its nodes do not answer. ' +
				'Start these nodes, or remove them from remote_servers, then start again. Services that are running go on meanwhile.',
		);
	if (isNew)
		await clickhouse.command(sql`CREATE TABLE IF NOT EXISTS migrations (
		number UInt32, name String, hash String, applied_at DateTime64(3) DEFAULT now64(3)
	) ENGINE = MergeTree ORDER BY number
	SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1`);
	const level = logStart('ClickHouse', left, { isNew, log });
	for (const migration of left) {
		log[level]({ migration: migration.name, number: migration.number }, 'migrating ClickHouse');
		await clickhouse.script(migration.text, rewritesParts(migration) ? { alter_sync: '0' } : {});
		await clickhouse.command(sql`INSERT INTO migrations (number, name, hash) VALUES (
			${param('UInt32', migration.number)}, ${param('String', migration.name)}, ${param('String', migration.hash)}
		)`);
	}
}

/** A new installation logs one line for all its migrations, an upgrade one for each. Returns the level of the single ones. */
function logStart(
	what: string,
	left: readonly Migration[],
	{ isNew, log }: { isNew: boolean; log: Log },
): 'info' | 'debug' {
	if (isNew) log.info({ migrations: left.length }, `migrating ${what}`);
	return isNew ? 'debug' : 'info';
}

/** Existing parts get a changed type in the background, and are converted while they are read until then. */
const rewritesParts = ({ text }: Migration): boolean => /^\s*MODIFY COLUMN /m.test(text);

function pending(
	what: string,
	known: readonly Migration[],
	applied: readonly Applied[],
	subject = 'database',
): Migration[] {
	for (const row of applied) {
		const migration = known[row.number - 1];
		if (!migration) {
			throw new Error(
				`The ${what} ${subject} is newer than this program: it has migration ${row.number} (${row.name}), ` +
					`this program ends at ${known.length}. Start the version of Tidemark that made it, or a later one.`,
			);
		}
		if (migration.hash !== row.hash) {
			throw new Error(
				`Migration ${row.number} (${row.name}) of ${what} is not the one that was applied. ` +
					`This program and the ${subject} come from different versions of Tidemark.`,
			);
		}
	}
	return known.slice(applied.length);
}
