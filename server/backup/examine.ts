/** Reads a backup and checks whether this program can use it, before anything is changed. */
import { createHash } from 'node:crypto';
import { AppError } from '../lib/app-error.ts';
import type { ClickHouse } from '../store/clickhouse.ts';
import { type AppliedBoth, findPending, readApplied } from '../store/migrate.ts';
import type { Postgres } from '../store/postgres.ts';
import { identifier } from '../store/sql.ts';
import { type BackupHead, type Manifest, type Passphrase, readBackup } from './file.ts';
import type { Report } from './read-blocks.ts';

export type Examined = { head: BackupHead; manifest: Manifest; id: string };

/** Reads the whole backup. Throws if it is damaged. */
export async function examineBackup(path: string, passphrase: Passphrase, report: Report): Promise<Examined> {
	let head: BackupHead | undefined;
	let manifest: Manifest | undefined;
	for await (const piece of readBackup(path, passphrase)) {
		if ('head' in piece) head = piece.head;
		if ('manifest' in piece) manifest = piece.manifest;
		report({ done: piece.position, total: piece.fileBytes });
	}
	if (!head || !manifest) throw new Error(`${path} has no manifest.`);
	const id = createHash('sha256').update(JSON.stringify({ head, manifest })).digest('hex');
	return { head, manifest, id };
}

export const appliedIn = ({ postgres, clickhouse }: BackupHead): AppliedBoth => ({
	postgres: postgres.migrations,
	clickhouse: clickhouse.migrations,
});

/** Throws if the backup comes from a newer version or from another program. */
export function refuseForeign({ head }: Examined, migrations: string): void {
	findPending(migrations, appliedIn(head), 'part of the backup');
}

/** Throws if the backup comes from another version, whose sealed data may have a different meaning. */
export async function refuseOtherSchema(postgres: Postgres, clickhouse: ClickHouse, { head }: Examined) {
	const ours = await readApplied(postgres, clickhouse);
	const theirs = appliedIn(head);
	const nameOf = ({ number, hash }: { number: number; hash: string }) => `${number} ${hash}`;
	for (const which of ['postgres', 'clickhouse'] as const)
		if (String(ours[which].map(nameOf)) !== String(theirs[which].map(nameOf)))
			throw new AppError(
				'bad_request',
				`The archive was written by another version of Tidemark (${head.version}). Upgrade both installations to the same version and create the archive again.`,
			);
}

export const unknownTable = (table: string) =>
	new AppError(
		'bad_request',
		`The backup has rows of the table ${JSON.stringify(table)}, which is not in its schema.`,
	);

/** Throws unless the name is a plain SQL identifier. */
export function plainName(name: string): string {
	identifier(name);
	return name;
}
