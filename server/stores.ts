/**
 * The stores: what the settings name is opened, what they do not is started, and both are brought up to date. Also what is done to
 * them as a whole: an upgrade that is only planned, and a restore.
 */
import { mkdirSync, realpathSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { hasAccounts } from './accounts/accounts.ts';
import { countSecondFactors } from './accounts/two-factor.ts';
import { backUpBeforeUpgrade, measure, type Sizes } from './backup/before-upgrade.ts';
import { type Merged, type MergeServices, type Merging, mergeArchive } from './backup/merge.ts';
import {
	claimFolder,
	type Erased,
	type Examined,
	endRestore,
	examineBackup,
	readErased,
	refuseForeign,
	refuseUnfinished,
	refuseUnfinishedFolder,
	restoreBackup,
} from './backup/restore.ts';
import type { Config } from './config.ts';
import { checkEngineFolder } from './engine/folder-version.ts';
import { startEngine } from './engine/supervise.ts';
import { systemClock } from './lib/clock.ts';
import type { Log } from './lib/log.ts';
import { packageFolder, version } from './lib/package.ts';
import { hasOwnSecret, keepSecret, readOrMakeSecret } from './lib/secrets.ts';
import { socketPath } from './lib/sockets.ts';
import { type Undo, undoAll } from './lib/undo.ts';
import { explainTrust } from './store/away.ts';
import { type ClickHouse, type ClickHouseTarget, createClickHouse, refusalOf } from './store/clickhouse.ts';
import {
	isPostgresRunning,
	type PostgresConnection,
	startEmbeddedPostgres,
} from './store/embedded-postgres.ts';
import { checkEngine } from './store/engine-id.ts';
import { FolderInUse, type FolderLock, lockFolder } from './store/folder-lock.ts';
import { type AppliedBoth, findPending, migrate, readApplied } from './store/migrate.ts';
import { checkServer, isAway, openPostgres, type Postgres, type PostgresTarget } from './store/postgres.ts';

const migrationsFolder = join(packageFolder, 'migrations');

export type Stores = {
	postgres: Postgres;
	clickhouse: ClickHouse | undefined;
	/** Process ids of the engines that we run, for the operator. */
	pids(): { postgres: number | undefined; engine: number | undefined };
	/** How to reach the embedded PostgreSQL, for tests and for the operator's own tools. */
	postgresConnection: PostgresConnection | undefined;
	/** How another process of this service reaches the same. */
	targets: { postgres: PostgresTarget; clickhouse: ClickHouseTarget | undefined };
	/** Resolves when ClickHouse is up to date; rejects when it is one that cannot be used. */
	statisticsReady: Promise<void>;
	close(): Promise<void>;
};

/** The secret of this folder; none where the operator keeps it elsewhere. */
export const ownSecret = (config: Config): string | undefined =>
	config.secret === undefined ? readOrMakeSecret(config.dataFolder, 'secret') : undefined;

type StoreOptions = { log: Log; statistics: boolean };

/** Opens what the settings name, starts what they do not, and brings both up to date. */
export async function openStores(
	config: Config,
	options: StoreOptions & {
		/** For who can begin without ClickHouse: a server that is away is waited for behind `statisticsReady`, until this is aborted. */
		waitsUntil?: AbortSignal;
	},
): Promise<Stores> {
	let stores = await openAsTheyAre(config, options);
	try {
		const isDue = await isUpgradeDue(config, stores);
		// A backup is of both databases, also when a command needs but one.
		if (isDue && !stores.clickhouse) {
			await stores.close();
			stores = await openEngines(config, { ...options, statistics: true });
		}
		const { postgres, clickhouse } = stores;
		if (isDue && clickhouse && config.upgradeBackup === 'on') {
			const { dataFolder, backupPassphrase: passphrase } = config;
			const secret = ownSecret(config);
			await backUpBeforeUpgrade({
				...{ postgres, clickhouse, now: systemClock, version, secret },
				...{ log: options.log, dataFolder, passphrase },
			});
		}
		const bringUp = async () => {
			await migrate({ postgres, clickhouse, folder: migrationsFolder, log: options.log });
			// An embedded PostgreSQL serves one data folder, whatever ClickHouse that uses.
			if (clickhouse && config.databaseUrl !== undefined) await checkEngine(postgres, clickhouse);
		};
		const { waitsUntil } = options;
		if (waitsUntil === undefined || config.clickhouseUrl === undefined) await bringUp();
		else {
			const { later } = await bringUpWhenThere(bringUp, { postgres, log: options.log, waitsUntil });
			stores.statisticsReady = later;
		}
		return stores;
	} catch (error) {
		await stores.close();
		// PostgreSQL has answered by then.
		throw explainTrust(error, 'ClickHouse');
	}
}

const tryAgainEveryMs = 1_000;

/** Once, and when ClickHouse is away, behind what it gives: PostgreSQL is up to date by then, and hits need no more. */
async function bringUpWhenThere(
	bringUp: () => Promise<void>,
	{ postgres, log, waitsUntil }: { postgres: Postgres; log: Log; waitsUntil: AbortSignal },
): Promise<{ later: Promise<void> }> {
	const isStatisticsAway = async (error: unknown) => refusalOf(error) === 'away' && (await postgres.ping());
	const again = async () => {
		while (!waitsUntil.aborted) {
			await sleep(tryAgainEveryMs, undefined, { signal: waitsUntil }).catch(() => undefined);
			if (waitsUntil.aborted) return;
			try {
				return await bringUp();
			} catch (error) {
				if (waitsUntil.aborted) return;
				if (refusalOf(error) !== 'away' && !isAway(error)) throw explainTrust(error, 'ClickHouse');
			}
		}
	};
	try {
		await bringUp();
		return { later: Promise.resolve() };
	} catch (error) {
		if (!(await isStatisticsAway(error))) throw error;
		log.warn({ error }, 'ClickHouse is away; hits are taken, and what needs it waits');
		return { later: again() };
	}
}

/** The same without bringing them up to date. */
export async function openAsTheyAre(config: Config, options: StoreOptions): Promise<Stores> {
	refuseUnfinishedFolder(config.dataFolder);
	const stores = await openEngines(config, options);
	try {
		await refuseUnfinished(stores.postgres);
		return stores;
	} catch (error) {
		await stores.close();
		throw error;
	}
}

/**
 * Whether this version changes databases of a folder that has some already. Servers are their operator's: they are too large to be
 * copied at a start, and have backups of their own.
 */
async function isUpgradeDue(config: Config, { postgres, clickhouse }: Stores): Promise<boolean> {
	if (config.databaseUrl !== undefined) return false;
	const applied = await readApplied(postgres, clickhouse);
	if (await isNew(postgres, applied)) return false;
	const pending = findPending(migrationsFolder, applied);
	// A command may have made PostgreSQL alone: then ClickHouse is made, and not changed.
	return pending.postgres.length > 0 || (applied.clickhouse.length > 0 && pending.clickhouse.length > 0);
}

/** Nobody has anything here yet; also after a first start that was killed. */
const isNew = async (postgres: Postgres, applied: AppliedBoth): Promise<boolean> =>
	applied.postgres.length === 0 || !(await hasAccounts(postgres));

export type Upgrade = {
	postgres: { number: number; name: string }[];
	clickhouse: { number: number; name: string }[];
	isNew: boolean;
	sizes: Sizes;
};

/** What a start of this version would change. Changes nothing. */
export async function planUpgrade(config: Config, log: Log): Promise<Upgrade> {
	const { postgres, clickhouse, close } = await openAsTheyAre(config, { log, statistics: true });
	try {
		if (!clickhouse) throw new Error('There is no ClickHouse to ask.');
		const applied = await readApplied(postgres, clickhouse);
		const named = ({ number, name }: { number: number; name: string }) => ({ number, name });
		const pending = findPending(migrationsFolder, applied);
		return {
			postgres: pending.postgres.map(named),
			clickhouse: pending.clickhouse.map(named),
			isNew: await isNew(postgres, applied),
			sizes: await measure(postgres, clickhouse, config.dataFolder),
		};
	} finally {
		await close();
	}
}

export type Restored = Examined & {
	/** People whose second factor nobody can check without the secret of the old installation. */
	lockedSecondFactors: number;
};

/** Puts a backup into the folder and the servers that the settings name, which must be empty. */
export async function restore(
	config: Config,
	options: {
		path: string;
		/** A later backup, whose tombstones hold as well. */
		erasedIn?: string | undefined;
		log: Log;
		report(progress: { done: number; total: number }): void;
	},
): Promise<Restored> {
	const { path, log, report } = options;
	const passphrase = config.backupPassphrase;
	const examined = await examineBackup(path, passphrase, report);
	refuseForeign(examined, migrationsFolder);
	const erased: Erased[] =
		options.erasedIn === undefined ? [] : await readErased(options.erasedIn, passphrase, report);
	await claimFolder(config.dataFolder, examined.id);
	const { postgres, clickhouse, close } = await openEngines(config, { log, statistics: true });
	try {
		if (!clickhouse) throw new Error('There is no ClickHouse to restore to.');
		let hasSecret = config.secret !== undefined || hasOwnSecret(config.dataFolder, 'secret');
		await restoreBackup(
			{ postgres, clickhouse, now: systemClock, log, report },
			{
				...{ path, passphrase, examined, erased, migrations: migrationsFolder },
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

/** Makes the websites of another installation part of the one that the settings name. */
export async function mergeInto(
	config: Config,
	options: { log: Log } & Pick<MergeServices, 'report'> & Pick<Merging, 'path' | 'account' | 'isDryRun'>,
): Promise<Merged> {
	const { log, report, ...merging } = options;
	const passphrase = config.backupPassphrase;
	// All of it, before anything is touched.
	const examined = await examineBackup(merging.path, passphrase, report);
	const { postgres, clickhouse, close } = await openStores(config, { log, statistics: true });
	try {
		if (!clickhouse) throw new Error('There is no ClickHouse to merge into.');
		return await mergeArchive(
			{ postgres, clickhouse, now: systemClock, report },
			{ ...merging, passphrase, examined },
		);
	} finally {
		await close();
	}
}

/** The engines, whatever is in them. */
async function openEngines(config: Config, options: StoreOptions): Promise<Stores> {
	const { log } = options;
	const opened: Undo[] = [];
	try {
		mkdirSync(config.dataFolder, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 });
		const engineWanted = options.statistics && config.clickhouseUrl === undefined;
		if (engineWanted) checkEngineFolder(engineFolder(config));
		// The two engines start side by side: together they are most of the time that a start takes. But a PostgreSQL
		// that runs already may be another service's: then first comes whether the folder is free.
		const sideBySide = config.databaseUrl === undefined && !isPostgresRunning(config.dataFolder);
		const [{ embedded, postgres, target: postgresTarget }, early] = await both(
			openLockedPostgres(config, log, opened),
			engineWanted && sideBySide ? startEmbeddedEngine(config, log) : undefined,
		);
		const engine = early ?? (engineWanted ? await startEmbeddedEngine(config, log) : undefined);
		if (engine) opened.push(() => engine.stop());
		const target = engine?.connection ?? config.clickhouseUrl;
		const clickhouse =
			options.statistics && target !== undefined
				? createClickHouse(target, { log, ca: config.clickhouseCa, cluster: config.clickhouseCluster })
				: undefined;
		if (clickhouse) opened.push(() => clickhouse.close());
		return {
			postgres,
			clickhouse,
			postgresConnection: embedded?.connection,
			targets: { postgres: postgresTarget, clickhouse: options.statistics ? target : undefined },
			statisticsReady: Promise.resolve(),
			pids: () => ({ postgres: embedded?.pid(), engine: engine?.pid() }),
			close: () => undoAll(opened),
		};
	} catch (error) {
		await undoAll(opened);
		throw error;
	}
}

/** PostgreSQL, fit for us and with the folder locked; what must be undone is added to `opened`. */
async function openLockedPostgres(config: Config, log: Log, opened: Undo[]) {
	const embedded = config.databaseUrl === undefined ? await startEmbedded(config, log) : undefined;
	const target = embedded?.connection ?? {
		connectionString: config.databaseUrl ?? '',
		ca: config.databaseCa,
	};
	const postgres = openPostgres(target, { log });
	opened.push(() => postgres.close());
	const lock = await lockOf(postgres, config, log).catch((error: unknown) => {
		// Else it would be started again behind the back of whoever has the folder.
		embedded?.leave();
		// Whoever had the folder before us is just leaving and takes the database along.
		if (embedded && isAway(error))
			throw new FolderInUse('The database of this data folder is being closed.', { cause: error });
		throw error;
	});
	// Only whoever has the folder may stop its database: a second start that is refused leaves it running.
	if (embedded) opened.unshift(() => embedded.stop());
	opened.push(() => (embedded ? lock.keepToTheEnd() : lock.release()));
	return { embedded, postgres, target };
}

async function lockOf(postgres: Postgres, config: Config, log: Log): Promise<FolderLock> {
	await checkServer(postgres).catch((error: unknown) => {
		throw explainTrust(error, 'PostgreSQL');
	});
	return lockFolder(postgres, folderName(config), log);
}

/** Waits for both, also when one fails: a start that is given up must not leave the other one running. */
async function both<A, B extends { stop(): Promise<void> }>(
	first: Promise<A>,
	second: Promise<B> | undefined,
) {
	const [one, other] = await Promise.allSettled([first, second]);
	if (one.status === 'fulfilled' && other.status === 'fulfilled') return [one.value, other.value] as const;
	if (other.status === 'fulfilled') await other.value?.stop();
	throw one.status === 'rejected' ? one.reason : other.status === 'rejected' ? other.reason : undefined;
}

function startEmbedded(config: Config, log: Log) {
	const password = readOrMakeSecret(config.dataFolder, 'postgres');
	return startEmbeddedPostgres({ dataFolder: config.dataFolder, password, log });
}

const engineFolder = (config: Config): string => join(config.dataFolder, 'clickhouse');

function startEmbeddedEngine(config: Config, log: Log) {
	const { dataFolder, engineMemoryMb } = config;
	return startEngine({
		folder: engineFolder(config),
		socketPath: socketPath(dataFolder, 'engine.sock'),
		memoryMb: engineMemoryMb,
		stopTimeoutMs: 5_000,
		log,
	});
}

/** A database server may serve several machines, each with a folder of the same name. */
const folderName = (config: Config) => `${hostname()}:${realpathSync(config.dataFolder)}`;
