/**
 * Puts a backup into empty databases.
 *
 * The file is read twice: once to its end, before anything is touched, and once to load it. The databases get the schema that
 * the backup was taken from, then its rows, then the migrations of this program, so that a backup of an older version is
 * upgraded exactly as its folder would have been.
 *
 * A restore that is killed is run again. `restore-unfinished` in the folder and a table of that name say so to whoever comes
 * by, and no service starts on what is half there. Until all rows are loaded the next run empties the tables and begins anew;
 * after that it goes on where this one was cut.
 *
 * What was erased stays erased: tombstones are marked as not yet carried out, so that the job takes everything of them off the
 * disk once more. Salts are not in a backup, so visitors of today are new ones.
 */
import { createHash, randomUUID } from 'node:crypto';
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
import { type AppliedBoth, findPending, migrate } from '../store/migrate.ts';
import type { Postgres, Queries } from '../store/postgres.ts';
import { join as joinSql, type Sql, sql, value, word } from '../store/sql.ts';
import { announce } from '../websites/announce.ts';
import { bury } from '../websites/tombstones.ts';
import { listClickHouseTables, listTables } from './contents.ts';
import {
	type BackupHead,
	type EntryHead,
	type Manifest,
	type Passphrase,
	readBackup,
	syncFolder,
} from './file.ts';

type Report = (progress: { done: number; total: number }) => void;

export type Examined = { head: BackupHead; manifest: Manifest; id: string };

/** Reads all of a backup. Throws where it is damaged. */
export async function examineBackup(path: string, passphrase: Passphrase, report: Report): Promise<Examined> {
	let head: BackupHead | undefined;
	let manifest: Manifest | undefined;
	for await (const piece of readBackup(path, passphrase)) {
		if ('head' in piece) head = piece.head;
		if ('manifest' in piece) manifest = piece.manifest;
		report({ done: piece.at, total: piece.of });
	}
	if (!head || !manifest) throw new Error(`${path} has no manifest.`);
	const id = createHash('sha256').update(JSON.stringify({ head, manifest })).digest('hex');
	return { head, manifest, id };
}

export const appliedIn = ({ postgres, clickhouse }: BackupHead): AppliedBoth => ({
	postgres: postgres.migrations,
	clickhouse: clickhouse.migrations,
});

const markerName = 'restore-unfinished';
/** What may lie in a folder that a backup is restored to: the backups of the one before, and its secrets. */
const mayBeThere = new Set(['backups', 'secrets', 'lost+found', markerName]);

/** Says in the folder that a restore has begun. Refuses one that holds something else. */
export async function claimFolder(folder: string, id: string): Promise<void> {
	mkdirSync(folder, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 });
	const marker = join(folder, markerName);
	if (existsSync(marker)) {
		const before = readFileSync(marker, 'utf8').trim();
		// An empty one is from a kill before anything else was made.
		if (before !== '' && before !== id)
			throw new AppError(
				'bad_request',
				`${folder} holds a part of another backup, whose restore was cut short. Restore that one, or choose an empty folder with --data.`,
			);
	} else {
		const others = readdirSync(folder).filter((name) => !mayBeThere.has(name));
		if (others.length > 0)
			throw new AppError(
				'bad_request',
				`${folder} is not empty (${others.slice(0, 3).join(', ')}${others.length > 3 ? ' …' : ''}). A backup is restored into an empty folder: choose another one with --data, or move this one away.`,
			);
	}
	const handle = openSync(marker, 'w', 0o600);
	writeSync(handle, `${id}\n`);
	fsyncSync(handle);
	closeSync(handle);
	await syncFolder(folder);
}

/** No service runs on half a restore. */
export function refuseUnfinishedFolder(folder: string): void {
	if (existsSync(join(folder, markerName))) throw unfinished();
}

const unfinished = () =>
	new AppError(
		'unavailable',
		'A restore was cut short here. Run it again, with the same file: tidemark restore FILE',
	);

type State = 'loading' | 'loaded' | 'done';

async function readState(postgres: Queries): Promise<{ backup: string; state: State } | undefined> {
	const [found] = await postgres.rows<{ isThere: boolean }>(
		sql`SELECT to_regclass('restore_unfinished') IS NOT NULL AS "isThere"`,
	);
	if (!found?.isThere) return undefined;
	const [row] = await postgres.rows<{ backup: string; state: State }>(
		sql`SELECT backup, state FROM restore_unfinished`,
	);
	return row;
}

/** The same for a database that is shared with other machines. */
export async function refuseUnfinished(postgres: Postgres): Promise<void> {
	const found = await readState(postgres);
	if (found && found.state !== 'done') throw unfinished();
	if (found) await postgres.run(sql`DROP TABLE restore_unfinished`);
}

export type RestoreServices = {
	postgres: Postgres;
	clickhouse: ClickHouse;
	now: Clock;
	log: Log;
	report: Report;
};

export type Restoring = {
	path: string;
	passphrase: Passphrase;
	examined: Examined;
	/** Of this program. */
	migrations: string;
	/** What was erased since, by a later backup. */
	erased: readonly Erased[];
	/** Called with the secret that second factors are sealed with, if the backup has it. */
	keepSecret(secret: string): void;
};

export async function restoreBackup(services: RestoreServices, restoring: Restoring): Promise<void> {
	const { postgres, clickhouse, now, log } = services;
	const { examined, migrations } = restoring;
	const known = await readState(postgres);
	if (known && known.backup !== examined.id)
		throw new AppError(
			'bad_request',
			'The databases hold a part of another backup, whose restore was cut short. Restore that one, or use empty databases.',
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
		await load(services, restoring);
		await setState(postgres, 'loaded');
	}
	if (known?.state !== 'done') {
		await migrate({ postgres, clickhouse, folder: migrations, log });
		await buryAgain(postgres, now, restoring.erased);
		await findDeadGenerations(postgres, clickhouse, now);
		await setState(postgres, 'done');
	}
}

/** The databases are whole; what said otherwise goes. */
export async function endRestore(postgres: Postgres, folder: string): Promise<void> {
	rmSync(join(folder, markerName), { force: true });
	// Were it there again after a power cut, and the table not, nobody would know any more what to do.
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
			'The PostgreSQL database is not empty. A backup is restored into an empty one: name another by DATABASE_URL.',
		);
	if ((await listClickHouseTables(clickhouse)).length > 0)
		throw new AppError(
			'bad_request',
			'The ClickHouse database is not empty. A backup is restored into an empty one: name another by CLICKHOUSE_URL.',
		);
}

async function load(
	{ postgres, clickhouse, report }: RestoreServices,
	{ path, passphrase, examined, keepSecret }: Restoring,
): Promise<void> {
	const tables = await listTables(postgres);
	const clickhouseTables = await listClickHouseTables(clickhouse);
	for (const { name } of clickhouseTables) await clickhouse.command(sql`TRUNCATE TABLE ${word(name)} SYNC`);
	// A token of an earlier try must not make ClickHouse believe that it has these rows.
	const run = randomUUID();
	let block = 0;

	async function insertIntoClickHouse({ table, columns }: EntryHead, lines: Buffer) {
		if (!clickhouseTables.some(({ name }) => name === table)) throw unknownTable(table);
		const sent = countLines(lines);
		const { writtenRows } = await clickhouse.insert({
			...{ table, columns: columns.map(plainName), lines },
			token: `restore ${run} ${block++}`,
		});
		if (writtenRows !== sent)
			throw new Error(
				`ClickHouse wrote ${writtenRows} rows of ${sent} into ${table}. Run the restore again.`,
			);
	}

	async function insertIntoPostgres(tx: Queries, { table, columns }: EntryHead, lines: Buffer) {
		if (!tables.some(({ name }) => name === table)) throw unknownTable(table);
		const names = joinSql(columns.map(word), ', ');
		const rows = `[${lines.toString('utf8').trimEnd().replaceAll('\n', ',')}]`;
		await tx.run(sql`
			INSERT INTO ${word(table)} (${names}) OVERRIDING SYSTEM VALUE
			SELECT ${names} FROM json_populate_recordset(NULL::${word(table)}, ${value(rows)}::json)`);
	}

	// All of PostgreSQL at once: it comes first in the file, and its sequences are the last of it.
	const tx = await postgres.hold(() => undefined);
	try {
		await tx.script('BEGIN');
		// What stays out of a backup refers to what is in it, and is empty as well.
		await tx.run(
			sql`TRUNCATE ${joinSql(
				tables.map(({ name }) => word(name)),
				', ',
			)} CASCADE`,
		);
		let entry: EntryHead | undefined;
		let lines = gatherLines(0);
		const put = async (some: Buffer | undefined) => {
			if (!entry || !some || some.length === 0) return;
			if (entry.kind === 'clickhouse') await insertIntoClickHouse(entry, some);
			else if (entry.kind === 'postgres') await insertIntoPostgres(tx, entry, some);
			else if (entry.kind === 'sequences') await setSequences(tx, some);
			else keepSecret(String(JSON.parse(some.toString('utf8'))));
		};
		for await (const piece of readBackup(path, passphrase)) {
			report({ done: piece.at, total: piece.of });
			if ('begin' in piece) {
				entry = piece.begin;
				lines = gatherLines(entry.kind === 'clickhouse' ? 8 * 1024 * 1024 : 1024 * 1024);
			} else if ('rows' in piece) await put(lines.add(piece.rows));
			else if ('end' in piece) {
				await put(lines.end());
				if (entry?.kind === 'sequences') await tx.script('COMMIT');
			}
		}
	} finally {
		await tx.end().catch(() => undefined);
	}
	await compareCounts(postgres, clickhouse, examined.manifest);
}

export const unknownTable = (table: string) =>
	new AppError(
		'bad_request',
		`The backup has rows of ${JSON.stringify(table)}, which its schema does not have.`,
	);

export function plainName(name: string): string {
	word(name);
	return name;
}

/** Whole lines, once there are enough of them. */
export function gatherLines(enough: number) {
	let waiting: Buffer[] = [];
	let bytes = 0;
	return {
		add(some: Buffer): Buffer | undefined {
			waiting.push(some);
			bytes += some.length;
			const last = some.lastIndexOf(10);
			if (bytes < enough || last === -1) return undefined;
			const all = Buffer.concat(waiting);
			const end = all.lastIndexOf(10) + 1;
			waiting = [all.subarray(end)];
			bytes = all.length - end;
			return all.subarray(0, end);
		},
		end: () => Buffer.concat(waiting),
	};
}

export function countLines(bytes: Buffer): number {
	let lines = 0;
	for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, at + 1)) lines++;
	return lines;
}

async function setSequences(tx: Queries, lines: Buffer): Promise<void> {
	for (const line of lines.toString('utf8').trimEnd().split('\n')) {
		// Our own writing, in take.ts; the name is looked at by the database, as a value.
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
		const [found] =
			kind === 'postgres'
				? await postgres.rows<{ rows: number }>(sql`SELECT count(*) AS rows FROM ${word(table)}`)
				: await clickhouse.rows<{ rows: string }>(sql`SELECT count() AS rows FROM ${word(table)}`, {
						as: 'migrate',
					});
		if (Number(found?.rows) !== rows)
			throw new Error(`${table} has ${found?.rows} rows instead of ${rows}. Run the restore again.`);
	}
}

/** A website that was erased, or emptied, as a tombstone of a backup says. */
export type Erased = { websiteId: number; isReset: boolean; createdAt: string };

export async function readErased(path: string, passphrase: Passphrase, report: Report): Promise<Erased[]> {
	const erased: Erased[] = [];
	let lines: ReturnType<typeof gatherLines> | undefined;
	for await (const piece of readBackup(path, passphrase)) {
		report({ done: piece.at, total: piece.of });
		if ('begin' in piece)
			lines = piece.begin.name === 'postgres/tombstones' ? gatherLines(Number.POSITIVE_INFINITY) : undefined;
		else if ('rows' in piece) lines?.add(piece.rows);
		else if ('end' in piece && lines) {
			for (const line of lines.end().toString('utf8').trimEnd().split('\n').filter(Boolean)) {
				// A row of the table, as take.ts writes it.
				const row = JSON.parse(line) as { website_id: number; is_reset: boolean; created_at: string };
				erased.push({ websiteId: row.website_id, isReset: row.is_reset, createdAt: row.created_at });
			}
		}
	}
	return erased;
}

/** Everything that was ever erased is erased once more, and what a later backup knows of in addition. */
async function buryAgain(postgres: Postgres, now: Clock, erased: readonly Erased[]): Promise<void> {
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
			await bury(tx, now, websiteId, { isReset });
			await announce(tx, websiteId);
		}
	});
}

/** Rows of seals that were under way: nobody reads them, and a job takes them away. */
export async function findDeadGenerations(
	postgres: Postgres,
	clickhouse: ClickHouse,
	now: Clock,
	isOf: Sql = sql`1`,
): Promise<void> {
	for (const table of [sql`visits`, sql`totals`]) {
		const found = clickhouse.stream<{ website_id: number; date: string; generation: string }>(
			sql`SELECT DISTINCT website_id, date, generation FROM ${table} WHERE ${isOf}`,
			{ as: 'migrate', name: 'restore' },
		);
		for await (const rows of found) {
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

/** Throws when the backup comes from a newer version, or from another program. */
export function refuseForeign({ head }: Examined, migrations: string): void {
	findPending(migrations, appliedIn(head), 'part of the backup');
}
