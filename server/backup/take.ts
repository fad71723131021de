/**
 * Takes a backup of a service that runs, at one point of time.
 *
 * The point is a snapshot of PostgreSQL: everything that was acknowledged before it is in there, in a table or in the event log.
 * For the moment in which it is taken the writer is held between two batches and the jobs that delete wait, and the tables of
 * ClickHouse are cloned, which links their files and takes milliseconds. So an event is in the log or in the clone, never in
 * both; collection goes on all the while. Then the writer goes on, and snapshot and clones are read at leisure: first
 * PostgreSQL, because an open snapshot keeps dead rows from being taken away.
 *
 * Without a service nothing moves: what a kill has left, open batches among it, is backed up as it is, and finished by the
 * first start after a restore, as it would have been here.
 *
 * Rows of a seal that began after the point may be in a clone: no row of `days` names their generation.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { writerLock } from '../event-log/postgres-log.ts';
import { AppError } from '../lib/app-error.ts';
import type { Clock } from '../lib/clock.ts';
import { asTableReader, type ClickHouse } from '../store/clickhouse.ts';
import { locks, namedLock } from '../store/locks.ts';
import { readApplied } from '../store/migrate.ts';
import type { Postgres, Queries } from '../store/postgres.ts';
import { identifier, join, param, sql, value } from '../store/sql.ts';
import { clonePrefix, linesOf, listClickHouseTables, listTables, type Table } from './contents.ts';
import type { Piece } from './file.ts';

export type BackupServices = {
	postgres: Postgres;
	clickhouse: ClickHouse;
	now: Clock;
	/** Of this program. */
	version: string;
	/** What second factors are sealed with, where it was made here. Goes into an encrypted file alone. */
	secret?: string | undefined;
	signal: AbortSignal;
	report(progress: { done: number; total: number }): void;
};

const pieceBytes = 1024 * 1024;
const holdWithinMs = 30_000;
/** Those of jobs/schedule.ts that delete what a snapshot may still name. */
const deletingJobs = [
	'delete dead generations',
	'delete hidden events',
	'erase websites',
	'apply retention',
] as const;
export type DeletingJob = (typeof deletingJobs)[number];

type Held = Queries & { end(): Promise<void> };

export async function* takeBackup(services: BackupServices): AsyncGenerator<Piece> {
	const { postgres, clickhouse } = services;
	const turn = await postgres.dedicatedConnection(() => undefined);
	try {
		const [lock] = await turn.rows<{ taken: boolean }>(
			sql`SELECT pg_try_advisory_lock(${value(locks.backup)}::bigint) AS taken`,
		);
		if (!lock?.taken)
			throw new AppError('unavailable', 'Another backup is being made. Wait until it is done.');
		await dropClones(clickhouse);
		const snapshot = await postgres.dedicatedConnection(() => undefined);
		try {
			yield* readPoint(services, snapshot);
		} finally {
			await snapshot.end().catch(() => undefined);
			// Whatever went wrong before is what the caller hears; a job drops what is left.
			await dropClones(clickhouse).catch(() => undefined);
		}
	} finally {
		await turn.end().catch(() => undefined);
	}
}

/** Clones that a killed backup has left would keep what is erased on the disk. */
export async function dropLeftClones(postgres: Postgres, clickhouse: ClickHouse): Promise<void> {
	const turn = await postgres.dedicatedConnection(() => undefined);
	try {
		const [lock] = await turn.rows<{ taken: boolean }>(
			sql`SELECT pg_try_advisory_lock(${value(locks.backup)}::bigint) AS taken`,
		);
		if (lock?.taken) await dropClones(clickhouse);
	} finally {
		await turn.end().catch(() => undefined);
	}
}

async function dropClones(clickhouse: ClickHouse): Promise<void> {
	const left = await clickhouse.rows<{ name: string }>(
		sql`SELECT name FROM system.tables WHERE database = currentDatabase()
			AND startsWith(name, ${param('String', clonePrefix)})`,
		asTableReader(clickhouse),
	);
	for (const { name } of left) await clickhouse.command(sql`DROP TABLE IF EXISTS ${identifier(name)} SYNC`);
}

async function* readPoint(services: BackupServices, snapshot: Held): AsyncGenerator<Piece> {
	const { postgres, clickhouse, now, version, secret } = services;
	const applied = await readApplied(postgres, clickhouse);
	if (applied.postgres.length === 0)
		throw new AppError('not_found', 'There is nothing to back up: nothing was ever kept here.');
	const [server] = await postgres.rows<{ version: string }>(
		sql`SELECT current_setting('server_version') AS version`,
	);
	const [engine] = await clickhouse.rows<{ version: string }>(sql`SELECT version() AS version`);
	const { tables, clones, madeAt } = await holdStill(postgres, async () => {
		await snapshot.script('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
		// The first statement is what takes the snapshot.
		const listed = await listTables(snapshot);
		return { tables: listed, madeAt: now(), clones: await clone(clickhouse) };
	});
	yield {
		head: {
			madeAt: madeAt.toISOString(),
			version,
			postgres: { version: server?.version ?? '', migrations: applied.postgres },
			clickhouse: { version: engine?.version ?? '', migrations: applied.clickhouse },
		},
	};
	const reported = await progressOf(services, snapshot, clones);
	for (const table of tables) {
		yield {
			begin: { name: `postgres/${table.name}`, kind: 'postgres', table: table.name, columns: table.columns },
		};
		for await (const { lines, rows } of readTable(snapshot, table)) {
			yield Buffer.from(lines);
			reported.add(rows);
		}
		yield { end: true };
	}
	// Later than the snapshot, and so never behind it: a number that was given out is not given out again.
	yield* readSequences(snapshot);
	await snapshot.script('COMMIT');
	if (secret !== undefined) {
		yield { begin: { name: 'secret', kind: 'secret', table: '', columns: [] } };
		yield Buffer.from(`${JSON.stringify(secret)}\n`);
		yield { end: true };
	}
	for (const table of clones) yield* readClone(services, table, reported.add);
	reported.end();
}

/**
 * Runs `work` while both databases are at one point: no batch is open, unless there is no writer at all. Every process that takes
 * a batch needs this lock; `batches` itself is locked against writes that bypass the log.
 */
async function holdStill<T>(postgres: Postgres, work: () => Promise<T>): Promise<T> {
	const holder = await postgres.dedicatedConnection(() => undefined);
	try {
		for (const job of deletingJobs) await holder.rows(sql`SELECT pg_advisory_lock(${namedLock('job', job)})`);
		const giveUpAt = performance.now() + holdWithinMs;
		let isAtRest = await tryWriterLock(holder);
		if (!isAtRest) await holder.rows(sql`SELECT pg_advisory_lock(${value(locks.batches)}::bigint)`);
		for (;;) {
			await holder.script('BEGIN; LOCK TABLE batches IN SHARE MODE');
			const [batches] = await holder.rows<{ open: number }>(sql`SELECT count(*) AS open FROM batches`);
			if (isAtRest || batches?.open === 0) break;
			await holder.script('COMMIT');
			if (performance.now() > giveUpAt)
				throw new AppError(
					'unavailable',
					'The writer does not come to an end with its batch; is ClickHouse away? Try again when /health/ready says that all is well.',
				);
			await sleep(20);
			isAtRest = await tryWriterLock(holder);
		}
		return await work();
	} finally {
		// All its locks go with the connection.
		await holder.end().catch(() => undefined);
	}
}

/** With this lock, no process writes or starts to write. */
async function tryWriterLock(holder: Queries): Promise<boolean> {
	// Before an upgrade it may not be there yet.
	const [table] = await holder.rows<{ isThere: boolean }>(
		sql`SELECT to_regclass('log_positions') IS NOT NULL AS "isThere"`,
	);
	const streams = table?.isThere
		? await holder.rows<{ partition: number }>(sql`SELECT partition FROM log_positions`)
		: [];
	const attempts = await holder.rows<{ partition: number; taken: boolean }>(sql`
		SELECT partition, pg_try_advisory_lock(${writerLock(sql`partition`)}) AS taken
		FROM unnest(${value([0, ...streams.map(({ partition }) => partition)])}::integer[]) AS p (partition)`);
	if (attempts.every(({ taken }) => taken)) return true;
	// Some have a writer: the others must be free to get one.
	for (const { partition, taken } of attempts)
		if (taken) await holder.rows(sql`SELECT pg_advisory_unlock(${writerLock(value(partition))})`);
	return false;
}

async function clone(clickhouse: ClickHouse): Promise<Table[]> {
	const tables = await listClickHouseTables(clickhouse);
	for (const { name } of tables)
		await clickhouse.command(
			sql`CREATE TABLE ${identifier(clonePrefix + name)} CLONE AS ${identifier(name)}`,
			{
				name: 'backup',
			},
		);
	return tables;
}

type Partition = { partition: string; rows: number };

async function listPartitions(clickhouse: ClickHouse, table: string): Promise<Partition[]> {
	const rows = await clickhouse.rows<{ partition: string; rows: string }>(
		sql`SELECT partition_id AS partition, sum(rows) AS rows FROM system.parts
			WHERE database = currentDatabase() AND table = ${param('String', clonePrefix + table)} AND active
			GROUP BY partition_id ORDER BY partition_id`,
		{ as: 'migrate' },
	);
	return rows.map((row) => ({ partition: row.partition, rows: Number(row.rows) }));
}

/** Of rows; those of PostgreSQL are what its statistics say. */
async function progressOf(
	{ clickhouse, report, signal }: BackupServices,
	snapshot: Queries,
	clones: readonly Table[],
) {
	const [known] = await snapshot.rows<{ rows: number }>(sql`
		SELECT coalesce(sum(greatest(reltuples, 0)), 0)::bigint AS rows FROM pg_class
		WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r'`);
	let total = known?.rows ?? 0;
	for (const { name } of clones) for (const { rows } of await listPartitions(clickhouse, name)) total += rows;
	let done = 0;
	return {
		add(rows: number) {
			signal.throwIfAborted();
			done += rows;
			report({ done: Math.min(done, total), total });
		},
		end: () => report({ done: total, total }),
	};
}

/** Some rows at a time, fewer where they are long. */
async function* readTable(snapshot: Queries, table: Table): AsyncGenerator<{ lines: string; rows: number }> {
	const cursor = sql`DECLARE backup NO SCROLL CURSOR FOR ${linesOf(table)}`;
	await snapshot.rowsUnprepared(cursor);
	for (let some = 4; ; ) {
		const rows = await snapshot.rowsUnprepared<{ line: string }>(fetchNext(some));
		if (rows.length === 0) break;
		const lines = `${rows.map(({ line }) => line).join('\n')}\n`;
		yield { lines, rows: rows.length };
		const fitting = Math.floor((rows.length * pieceBytes) / lines.length);
		some = Math.max(1, Math.min(some * 2, fitting, 10_000));
	}
	await snapshot.script('CLOSE backup');
}

/** FETCH takes no parameter. */
const fetchNext = (rows: number) => ({ strings: [`FETCH ${Math.floor(rows)} FROM backup`], values: [] });

async function* readSequences(snapshot: Queries): AsyncGenerator<Piece> {
	yield { begin: { name: 'sequences', kind: 'sequences', table: '', columns: [] } };
	const sequences = await snapshot.rows<{ name: string; last: number | null }>(sql`
		SELECT sequencename::text AS name, last_value AS last FROM pg_sequences WHERE schemaname = current_schema()
		ORDER BY sequencename`);
	for (const sequence of sequences) yield Buffer.from(`${JSON.stringify(sequence)}\n`);
	yield { end: true };
}

/** By partition: a statement of ClickHouse's may take an hour at most. */
async function* readClone(
	{ clickhouse, signal }: BackupServices,
	{ name, columns }: Table,
	add: (rows: number) => void,
): AsyncGenerator<Piece> {
	for (const { partition, rows } of await listPartitions(clickhouse, name)) {
		yield { begin: { name: `clickhouse/${name}/${partition}`, kind: 'clickhouse', table: name, columns } };
		let read = 0;
		let waiting: Buffer[] = [];
		let bytes = 0;
		const query = sql`SELECT ${join(columns.map(identifier), ', ')} FROM ${identifier(clonePrefix + name)}
			WHERE _partition_id = ${param('String', partition)}`;
		for await (const piece of clickhouse.lines(query, { as: 'migrate', name: 'backup', signal })) {
			waiting.push(piece);
			bytes += piece.length;
			if (bytes < pieceBytes) continue;
			const some = Buffer.concat(waiting);
			const lines = countLines(some);
			waiting = [];
			bytes = 0;
			read += lines;
			yield some;
			add(lines);
		}
		const last = Buffer.concat(waiting);
		read += countLines(last);
		if (last.length > 0) yield last;
		// A server tells of a failure in the midst of an answer by words among its lines.
		if (read !== rows)
			throw new Error(`ClickHouse gave ${read} rows of ${rows} of ${name} (${partition}). Try again.`);
		yield { end: true };
		add(0);
	}
}

function countLines(bytes: Buffer): number {
	let lines = 0;
	for (let index = bytes.indexOf(10); index !== -1; index = bytes.indexOf(10, index + 1)) lines++;
	return lines;
}
