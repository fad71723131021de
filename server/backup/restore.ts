/**
 * Restores a backup into empty databases.
 *
 * The file is read twice: first completely, before anything is changed, then to load it. The databases get the schema of the
 * backup, then its rows, then the migrations of this program, so that an older backup is upgraded like a folder.
 *
 * A restore that is killed can be run again. Until it is complete, the file `restore-unfinished` and a table of that name
 * prevent a service from starting. While rows are being loaded, the next run truncates the tables and starts over; after
 * that it continues with the next step.
 *
 * Erased data stays erased: all tombstones are marked as pending, so that a job erases their data again. A backup contains no
 * salts, so today's visitors count as new ones.
 */
import { randomUUID } from 'node:crypto';
import {
	closeSync,
	existsSync,
	fsyncSync,
	mkdirSync,
	openSync,
	readdirSync,
	readFileSync,
	rmSync,
	writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { AppError } from '../lib/app-error.ts';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import type { ClickHouse } from '../store/clickhouse.ts';
import { migrate } from '../store/migrate.ts';
import type { Postgres, Queries } from '../store/postgres.ts';
import { identifier, join as joinSql, type Sql, sql, value } from '../store/sql.ts';
import { announce } from '../websites/announce.ts';
import { addTombstone } from '../websites/tombstones.ts';
import { listClickHouseTables, listTables } from './contents.ts';
import { appliedIn, type Examined, plainName, unknownTable } from './examine.ts';
import { type EntryHead, type Manifest, syncFolder } from './file.ts';
import { type BackupSource, countLines, type Report, readBlocks } from './read-blocks.ts';

const markerName = 'restore-unfinished';
/** Allowed in a folder that a backup is restored to: backups and secrets of the previous installation. */
const allowedNames = new Set(['backups', 'secrets', 'lost+found', markerName]);

/** Marks the folder as being restored. Throws if it contains other data. */
export async function claimFolder(folder: string, id: string): Promise<void> {
	mkdirSync(folder, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 });
	const marker = join(folder, markerName);
	if (existsSync(marker)) {
		const before = readFileSync(marker, 'utf8').trim();
		// An empty marker is left by a kill before anything else was written.
		if (before !== '' && before !== id)
			throw new AppError(
				'bad_request',
				`${folder} contains the incomplete restore of another backup. Restore that backup, or choose an empty folder with --data.`,
			);
	} else {
		const others = readdirSync(folder).filter((name) => !allowedNames.has(name));
		if (others.length > 0)
			throw new AppError(
				'bad_request',
				`${folder} is not empty (${others.slice(0, 3).join(', ')}${others.length > 3 ? ' …' : ''}). Choose an empty folder with --data, or move this one away.`,
			);
	}
	const handle = openSync(marker, 'w', 0o600);
	writeSync(handle, `${id}\n`);
	fsyncSync(handle);
	closeSync(handle);
	await syncFolder(folder);
}

/** No service may run on an incomplete restore. */
export function refuseUnfinishedFolder(folder: string): void {
	if (existsSync(join(folder, markerName))) throw unfinished();
}

const unfinished = () =>
	new AppError(
		'unavailable',
		'A restore is incomplete. Run it again with the same file: tidemark restore FILE',
	);

type State = 'loading' | 'loaded' | 'done';

async function readState(postgres: Queries): Promise<{ backup: string; state: State } | undefined> {
	const [table] = await postgres.rows<{ isThere: boolean }>(
		sql`SELECT to_regclass('restore_unfinished') IS NOT NULL AS "isThere"`,
	);
	if (!table?.isThere) return undefined;
	const [row] = await postgres.rows<{ backup: string; state: State }>(
		sql`SELECT backup, state FROM restore_unfinished`,
	);
	return row;
}

/** The same for a database that other machines share. */
export async function refuseUnfinished(postgres: Postgres): Promise<void> {
	const state = await readState(postgres);
	if (state && state.state !== 'done') throw unfinished();
	if (state) await postgres.run(sql`DROP TABLE restore_unfinished`);
}

export type RestoreServices = {
	postgres: Postgres;
	clickhouse: ClickHouse;
	now: Clock;
	log: Log;
	report: Report;
};

export type RestoreOptions = BackupSource & {
	examined: Examined;
	/** Folder with the migrations of this program. */
	migrations: string;
	/** Tombstones of a later backup. */
	erased: readonly Erased[];
	/** Called with the secret that second factors are encrypted with, if the backup has it. */
	keepSecret(secret: string): void;
};

export async function restoreBackup(services: RestoreServices, options: RestoreOptions): Promise<void> {
	const { postgres, clickhouse, now, log } = services;
	const { examined, migrations } = options;
	const known = await readState(postgres);
	if (known && known.backup !== examined.id)
		throw new AppError(
			'bad_request',
			'The databases contain the incomplete restore of another backup. Restore that backup, or use empty databases.',
		);
	if (!known) await refuseFilled(postgres, clickhouse);
	await postgres.script(
		`CREATE TABLE IF NOT EXISTS restore_unfinished (backup text PRIMARY KEY, state text NOT NULL)`,
	);
	await postgres.run(sql`
		INSERT INTO restore_unfinished (backup, state) VALUES (${value(examined.id)}, 'loading') ON CONFLICT DO NOTHING`);
	if (known === undefined || known.state === 'loading') {
		const applied = appliedIn(examined.head);
		const upTo = { postgres: applied.postgres.length, clickhouse: applied.clickhouse.length };
		await migrate({ postgres, clickhouse, folder: migrations, log, upTo });
		await load(services, options);
		await setState(postgres, 'loaded');
	}
	if (known?.state !== 'done') {
		await migrate({ postgres, clickhouse, folder: migrations, log });
		await eraseAgain(postgres, now, options.erased);
		await findDeadGenerations(postgres, clickhouse, now);
		await setState(postgres, 'done');
	}
}

/** Removes the markers of an incomplete restore. */
export async function endRestore(postgres: Postgres, folder: string): Promise<void> {
	rmSync(join(folder, markerName), { force: true });
	// The file must be gone for good before the table: otherwise, after a power failure, the restore could not be continued.
	await syncFolder(folder);
	await postgres.run(sql`DROP TABLE IF EXISTS restore_unfinished`);
}

const setState = (postgres: Postgres, state: State) =>
	postgres.run(sql`UPDATE restore_unfinished SET state = ${value(state)}`);

async function refuseFilled(postgres: Postgres, clickhouse: ClickHouse): Promise<void> {
	const tables = await postgres.rows(
		sql`SELECT 1 FROM pg_tables WHERE schemaname = current_schema() LIMIT 1`,
	);
	if (tables.length > 0)
		throw new AppError(
			'bad_request',
			'The PostgreSQL database is not empty. Set DATABASE_URL to an empty one.',
		);
	if ((await listClickHouseTables(clickhouse)).length > 0)
		throw new AppError(
			'bad_request',
			'The ClickHouse database is not empty. Set CLICKHOUSE_URL to an empty one.',
		);
}

async function load(
	{ postgres, clickhouse, report }: RestoreServices,
	{ examined, keepSecret, ...source }: RestoreOptions,
): Promise<void> {
	const tables = await listTables(postgres);
	const clickhouseTables = await listClickHouseTables(clickhouse);
	for (const { name } of clickhouseTables)
		await clickhouse.command(sql`TRUNCATE TABLE ${identifier(name)} SYNC`);
	// With the token of an earlier attempt, ClickHouse would deduplicate these rows.
	const run = randomUUID();
	let block = 0;

	async function insertIntoClickHouse({ table, columns }: EntryHead, lines: Buffer) {
		if (!clickhouseTables.some(({ name }) => name === table)) throw unknownTable(table);
		const sent = countLines(lines);
		const { writtenRows } = await clickhouse.insert({
			table,
			columns: columns.map(plainName),
			lines,
			token: `restore ${run} ${block++}`,
		});
		if (writtenRows !== sent)
			throw new Error(
				`ClickHouse wrote ${writtenRows} rows of ${sent} into ${table}. Run the restore again.`,
			);
	}

	async function insertIntoPostgres(tx: Queries, { table, columns }: EntryHead, lines: Buffer) {
		if (!tables.some(({ name }) => name === table)) throw unknownTable(table);
		const names = joinSql(columns.map(identifier), ', ');
		const rows = `[${lines.toString('utf8').trimEnd().replaceAll('\n', ',')}]`;
		await tx.run(sql`
			INSERT INTO ${identifier(table)} (${names}) OVERRIDING SYSTEM VALUE
			SELECT ${names} FROM json_populate_recordset(NULL::${identifier(table)}, ${value(rows)}::json)`);
	}

	// One transaction for PostgreSQL: it comes first in the file, and its sequences are its last entry.
	const tx = await postgres.dedicatedConnection(() => undefined);
	try {
		await tx.script('BEGIN');
		// The backup has the people of its accounts: the trigger of migration 0042 must not create them.
		await tx.run(sql`SELECT set_config('tidemark.loading', 'on', true)`);
		// CASCADE, because tables outside the backup refer to those in it.
		await tx.run(
			sql`TRUNCATE ${joinSql(
				tables.map(({ name }) => identifier(name)),
				', ',
			)} CASCADE`,
		);
		const blockBytes = ({ kind }: EntryHead) => (kind === 'clickhouse' ? 8 : 1) * 1024 * 1024;
		for await (const { entry, lines, isLast } of readBlocks(source, report, blockBytes)) {
			if (lines.length > 0) {
				if (entry.kind === 'clickhouse') await insertIntoClickHouse(entry, lines);
				else if (entry.kind === 'postgres') await insertIntoPostgres(tx, entry, lines);
				else if (entry.kind === 'sequences') await setSequences(tx, lines);
				else keepSecret(String(JSON.parse(lines.toString('utf8'))));
			}
			if (isLast && entry.kind === 'sequences') await tx.script('COMMIT');
		}
	} finally {
		await tx.end().catch(() => undefined);
	}
	await compareCounts(postgres, clickhouse, examined.manifest);
}

async function setSequences(tx: Queries, lines: Buffer): Promise<void> {
	for (const line of lines.toString('utf8').trimEnd().split('\n')) {
		// Written by take.ts; the database gets the name as a parameter.
		const { name, last } = JSON.parse(line) as { name: string; last: number | null };
		if (last !== null)
			await tx.run(sql`SELECT setval(${value(plainName(name))}::regclass, ${value(last)}::bigint)`);
	}
}

async function compareCounts(
	postgres: Postgres,
	clickhouse: ClickHouse,
	{ entries }: Manifest,
): Promise<void> {
	const expected = new Map<string, number>();
	for (const { kind, table, rows } of entries)
		if (kind === 'postgres' || kind === 'clickhouse')
			expected.set(`${kind} ${table}`, (expected.get(`${kind} ${table}`) ?? 0) + rows);
	for (const [key, rows] of expected) {
		const [kind, table = ''] = key.split(' ');
		const [row] =
			kind === 'postgres'
				? await postgres.rows<{ rows: number }>(sql`SELECT count(*) AS rows FROM ${identifier(table)}`)
				: await clickhouse.rows<{ rows: string }>(sql`SELECT count() AS rows FROM ${identifier(table)}`, {
						as: 'migrate',
					});
		if (Number(row?.rows) !== rows)
			throw new Error(`${table} has ${row?.rows} rows instead of ${rows}. Run the restore again.`);
	}
}

/** A website that was deleted or reset, from a tombstone in a backup. */
export type Erased = { websiteId: number; isReset: boolean; createdAt: string };

export async function readErased(source: BackupSource, report: Report): Promise<Erased[]> {
	const erased: Erased[] = [];
	const blocks = readBlocks(source, report, ({ name }) =>
		name === 'postgres/tombstones' ? Number.POSITIVE_INFINITY : 'skip',
	);
	for await (const { lines } of blocks)
		for (const line of lines.toString('utf8').split('\n').filter(Boolean)) {
			// Written by take.ts.
			const row = JSON.parse(line) as { website_id: number; is_reset: boolean; created_at: string };
			erased.push({ websiteId: row.website_id, isReset: row.is_reset, createdAt: row.created_at });
		}
	return erased;
}

/** Schedules everything that was ever erased to be erased again, including what a later backup lists. */
async function eraseAgain(postgres: Postgres, now: Clock, erased: readonly Erased[]): Promise<void> {
	await postgres.transaction(async (tx) => {
		await tx.run(sql`UPDATE tombstones SET erased_at = NULL`);
		for (const { websiteId, isReset, createdAt } of erased) {
			const known = await tx.rows(sql`
				SELECT 1 FROM tombstones
				WHERE website_id = ${value(websiteId)} AND created_at >= ${value(createdAt)}::timestamptz
					AND is_reset = ${value(isReset)}`);
			if (known.length > 0) continue;
			if (!isReset)
				await tx.run(sql`
					WITH gone AS (DELETE FROM websites WHERE id = ${value(websiteId)} RETURNING account_id)
					UPDATE accounts SET website_count = website_count - 1 WHERE id IN (SELECT account_id FROM gone)`);
			await addTombstone(tx, now, websiteId, { isReset });
			await announce(tx, websiteId);
		}
	});
}

/** Finds the rows of unfinished seals, which no query reads, for the job that deletes them. */
export async function findDeadGenerations(
	postgres: Postgres,
	clickhouse: ClickHouse,
	now: Clock,
	isOf: Sql = sql`1`,
): Promise<void> {
	for (const table of [sql`visits`, sql`totals`]) {
		const stream = clickhouse.stream<{ website_id: number; date: string; generation: string }>(
			sql`SELECT DISTINCT website_id, date, generation FROM ${table} WHERE ${isOf}`,
			{ as: 'migrate', name: 'restore' },
		);
		for await (const rows of stream) {
			await postgres.run(sql`
				INSERT INTO dead_generations (website_id, date, generation, died_at)
				SELECT website_id, date, generation, ${value(now())}
				FROM unnest(${value(rows.map((row) => row.website_id))}::bigint[],
					${value(rows.map((row) => row.date))}::date[],
					${value(rows.map((row) => row.generation))}::bigint[]) AS found (website_id, date, generation)
				WHERE NOT EXISTS (
					SELECT 1 FROM days WHERE days.website_id = found.website_id AND days.date = found.date
						AND found.generation IN (days.generation, days.provisional_generation)
				)
				ON CONFLICT DO NOTHING`);
		}
	}
}
