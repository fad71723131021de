/** Operations on a whole, stopped installation: restore, merge and repair. */
import { countSecondFactors } from './accounts/two-factor.ts';
import { type Examined, examineBackup, refuseForeign } from './backup/examine.ts';
import { type Merged, mergeArchive } from './backup/merge.ts';
import type { MergeOptions, MergeServices } from './backup/merge-types.ts';
import { type Repaired, repair } from './backup/repair.ts';
import type { RepairServices } from './backup/repair-stage.ts';
import { claimFolder, type Erased, endRestore, readErased, restoreBackup } from './backup/restore.ts';
import type { Config } from './config.ts';
import { systemClock } from './lib/clock.ts';
import { refuseForeignFolder } from './lib/folder-owner.ts';
import type { Log } from './lib/log.ts';
import { hasOwnSecret, keepSecret } from './lib/secrets.ts';
import { migrationsFolder, openEngines, openStores } from './stores.ts';

export type Restored = Examined & {
	/** Accounts whose second factor cannot be verified without the secret of the old installation. */
	lockedSecondFactors: number;
};

/** Restores a backup into the configured folder and servers, which must be empty. */
export async function restore(
	config: Config,
	options: {
		path: string;
		/** A later backup, whose tombstones apply too. */
		erasedIn?: string | undefined;
		log: Log;
		report(progress: { done: number; total: number }): void;
	},
): Promise<Restored> {
	const { path, log, report } = options;
	refuseForeignFolder(config.dataFolder);
	const passphrase = config.backupPassphrase;
	const examined = await examineBackup(path, passphrase, report);
	refuseForeign(examined, migrationsFolder);
	const erased: Erased[] =
		options.erasedIn === undefined ? [] : await readErased({ path: options.erasedIn, passphrase }, report);
	await claimFolder(config.dataFolder, examined.id);
	const { postgres, clickhouse, close } = await openEngines(config, { log, statistics: true });
	try {
		if (!clickhouse) throw new Error('There is no ClickHouse to restore to.');
		let hasSecret = config.secret !== undefined || hasOwnSecret(config.dataFolder, 'secret');
		await restoreBackup(
			{ postgres, clickhouse, now: systemClock, log, report },
			{
				path,
				passphrase,
				examined,
				erased,
				migrations: migrationsFolder,
				keepSecret(secret) {
					if (config.secret === undefined) keepSecret(config.dataFolder, 'secret', secret);
					hasSecret = true;
				},
			},
		);
		const lockedSecondFactors = hasSecret ? 0 : await countSecondFactors(postgres);
		await endRestore(postgres, config.dataFolder);
		return { ...examined, lockedSecondFactors };
	} finally {
		await close();
	}
}

/** Merges the websites of another installation into the configured one. */
export async function mergeInto(
	config: Config,
	options: { log: Log } & Pick<MergeServices, 'report'> & Pick<MergeOptions, 'path' | 'account' | 'isDryRun'>,
): Promise<Merged> {
	const { log, report, ...mergeOptions } = options;
	const passphrase = config.backupPassphrase;
	// Read the whole file before anything is changed.
	const examined = await examineBackup(mergeOptions.path, passphrase, report);
	const { postgres, clickhouse, close } = await openStores(config, { log, statistics: true });
	try {
		if (!clickhouse) throw new Error('There is no ClickHouse to merge into.');
		return await mergeArchive(
			{ postgres, clickhouse, now: systemClock, report },
			{ ...mergeOptions, passphrase, examined },
		);
	} finally {
		await close();
	}
}

/** Restores the data of damaged ClickHouse parts from a backup; without one, accepts the loss. */
export async function repairFrom(
	config: Config,
	{ path, log, report }: { path: string | undefined; log: Log; report: RepairServices['report'] },
): Promise<Repaired> {
	const passphrase = config.backupPassphrase;
	// Read the whole file before anything is changed.
	const examined = path === undefined ? undefined : await examineBackup(path, passphrase, report);
	const { postgres, clickhouse, close } = await openStores(config, { log, statistics: true });
	try {
		if (!clickhouse) throw new Error('There is no ClickHouse to repair.');
		return await repair(
			{ postgres, clickhouse, report },
			path === undefined || examined === undefined ? undefined : { path, passphrase, examined },
		);
	} finally {
		await close();
	}
}
