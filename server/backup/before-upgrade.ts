/** The backup that is made by itself before a new version changes the databases of a folder. */
import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { AppError } from '../lib/app-error.ts';
import type { Clock } from '../lib/clock.ts';
import { readDisk } from '../lib/disk.ts';
import { dayMs } from '../lib/durations.ts';
import type { Log } from '../lib/log.ts';
import type { ClickHouse } from '../store/clickhouse.ts';
import type { Queries } from '../store/postgres.ts';
import { sql } from '../store/sql.ts';
import { createBackupFile, type Passphrase } from './file.ts';
import { type BackupServices, takeBackup } from './take.ts';

const keptFiles = 3;
const keptDays = 7;
const mb = 1_000_000;

export type Sizes = {
	postgresBytes: number;
	clickhouseBytes: number;
	backupBytes: number;
	freeBytes: number;
};

/** About how large a backup will be, and how much room there is: rows as text, compressed, are about as large as in the tables. */
export async function measure(postgres: Queries, clickhouse: ClickHouse, folder: string): Promise<Sizes> {
	const [records] = await postgres.rows<{ bytes: number }>(
		sql`SELECT pg_database_size(current_database())::bigint AS bytes`,
	);
	const [parts] = await clickhouse.rows<{ bytes: string }>(
		sql`SELECT sum(bytes_on_disk) AS bytes FROM system.parts WHERE database = currentDatabase() AND active`,
		{ as: 'migrate' },
	);
	const [postgresBytes, clickhouseBytes] = [records?.bytes ?? 0, Number(parts?.bytes ?? 0)];
	// The data folder of a service whose databases are servers is created at its first start.
	let existing = resolve(folder);
	while (!existsSync(existing)) existing = dirname(existing);
	const { free: freeBytes } = await readDisk(existing);
	return {
		...{ postgresBytes, clickhouseBytes, freeBytes },
		backupBytes: Math.ceil(postgresBytes / 2 + clickhouseBytes * 1.5),
	};
}

/** Gives the path of the backup. One that an earlier try has made stays: what came after may be half migrated. */
export async function backUpBeforeUpgrade(
	services: Omit<BackupServices, 'report' | 'signal'> & {
		log: Log;
		dataFolder: string;
		passphrase: Passphrase;
	},
): Promise<string> {
	const { postgres, clickhouse, version, log, dataFolder, passphrase, secret } = services;
	const folder = join(dataFolder, 'backups');
	mkdirSync(folder, { recursive: true, mode: 0o700 });
	const path = join(folder, `before-${version}.tidemark`);
	if (existsSync(path)) return path;
	const { backupBytes, freeBytes } = await measure(postgres, clickhouse, folder);
	if (freeBytes < backupBytes + 64 * mb)
		throw new AppError(
			'unavailable',
			`This version changes the databases, and there is no room for the backup that is made before: ${Math.ceil(backupBytes / mb)} MB are needed below ${folder}, ${Math.floor(freeBytes / mb)} MB are free. ` +
				'Make room, or make a backup elsewhere with the version before and start with TIDEMARK_UPGRADE_BACKUP=off.',
		);
	log.info({ path }, 'making a backup before the databases are changed');
	const file = await createBackupFile(path, passphrase);
	try {
		const pieces = takeBackup({
			...services,
			secret: passphrase === undefined ? undefined : secret,
			report: () => undefined,
			signal: new AbortController().signal,
		});
		for await (const piece of pieces) await file.take(piece);
		const { bytes } = await file.finish();
		log.info({ path, bytes }, 'the backup is made');
	} catch (error) {
		await file.discard();
		throw error;
	}
	removeOld(folder);
	return path;
}

function removeOld(folder: string): void {
	for (const { path } of listBackups(folder).slice(keptFiles)) rmSync(path);
}

/** Deletes upgrade backups once they are too old, so that nothing erased stays in them for longer. Gives how many. */
export function expireUpgradeBackups(dataFolder: string, now: Clock): number {
	const folder = join(dataFolder, 'backups');
	if (!existsSync(folder)) return 0;
	const expired = listBackups(folder).filter(({ madeAt }) => madeAt < now().getTime() - keptDays * dayMs);
	for (const { path } of expired) rmSync(path);
	return expired.length;
}

/** When the backups were made that exist, and when they are deleted at the latest; newest first. */
export function listUpgradeBackups(dataFolder: string): { madeAt: Date; expiresAt: Date }[] {
	const folder = join(dataFolder, 'backups');
	if (!existsSync(folder)) return [];
	return listBackups(folder).map(({ madeAt }) => ({
		madeAt: new Date(madeAt),
		expiresAt: new Date(madeAt + keptDays * dayMs),
	}));
}

/** Newest first. */
const listBackups = (folder: string): { path: string; madeAt: number }[] =>
	readdirSync(folder)
		.filter((name) => /^before-.+\.tidemark$/.test(name))
		.map((name) => ({ path: join(folder, name), madeAt: statSync(join(folder, name)).mtimeMs }))
		.sort((a, b) => b.madeAt - a.madeAt);
