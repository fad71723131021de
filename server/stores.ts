/** Opens the databases: connects to configured servers, starts embedded databases, and migrates both. */
import { existsSync, mkdirSync, realpathSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { hasAccounts } from './accounts/accounts.ts';
import { backUpBeforeUpgrade, measure, type Sizes } from './backup/before-upgrade.ts';
import { refuseUnfinished, refuseUnfinishedFolder } from './backup/restore.ts';
import { type Config, hasOwnDatabase } from './config.ts';
import { checkEngineFolder } from './engine/folder-version.ts';
import { startEngine } from './engine/supervise.ts';
import { AppError } from './lib/app-error.ts';
import { type Cleanup, runCleanups } from './lib/cleanup.ts';
import { systemClock } from './lib/clock.ts';
import { fullBelowBytes, readDisk } from './lib/disk.ts';
import { refuseForeignFolder } from './lib/folder-owner.ts';
import type { Log } from './lib/log.ts';
import { packageFolder, version } from './lib/package.ts';
import { hasOwnSecret, readOrMakeSecret } from './lib/secrets.ts';
import { socketPath } from './lib/sockets.ts';
import { type ClickHouse, type ClickHouseTarget, createClickHouse } from './store/clickhouse.ts';
import { serverOptions } from './store/clickhouse-clients.ts';
import { refusalOf } from './store/clickhouse-errors.ts';
import { explainTlsError } from './store/connection-errors.ts';
import {
	isPostgresRunning,
	type PostgresConnection,
	startEmbeddedPostgres,
} from './store/embedded-postgres.ts';
import { FolderInUse, type FolderLock, lockFolder } from './store/folder-lock.ts';
import { type AppliedBoth, findPending, migrate, readApplied } from './store/migrate.ts';
import {
	checkServer,
	isUnreachable,
	openPostgres,
	type Postgres,
	type PostgresTarget,
} from './store/postgres.ts';
import { assertSameClickHouse } from './store/same-clickhouse.ts';
import { checkSecret } from './store/secret-fingerprint.ts';

export const migrationsFolder = join(packageFolder, 'migrations');

export type Stores = {
	postgres: Postgres;
	clickhouse: ClickHouse | undefined;
	/** Process ids of the embedded databases. */
	pids(): { postgres: number | undefined; engine: number | undefined };
	/** Connection of the embedded PostgreSQL, for tests and tools. */
	postgresConnection: PostgresConnection | undefined;
	/** How worker processes connect to the same databases. */
	targets: { postgres: PostgresTarget; clickhouse: ClickHouseTarget | undefined };
	/** Resolves once ClickHouse is migrated; rejects if it cannot be used. */
	statisticsReady: Promise<void>;
	close(): Promise<void>;
};

/** The secret in the data folder; undefined if TIDEMARK_SECRET is set, and before the first start. */
export const ownSecret = (config: Config): string | undefined =>
	config.secret === undefined && hasOwnSecret(config.dataFolder, 'secret')
		? readOrMakeSecret(config.dataFolder, 'secret')
		: undefined;

/** The secret that all others are derived from; made at the first start. Refuses one that is not that of the database. */
export async function readServiceSecret(config: Config, postgres: Postgres): Promise<string> {
	const secret = config.secret ?? readOrMakeSecret(config.dataFolder, 'secret');
	if (config.databaseUrl !== undefined) await checkSecret(postgres, secret);
	return secret;
}

type StoreOptions = {
	log: Log;
	statistics: boolean;
	/** Called once the processes of the embedded databases are started, before they are ready. */
	whileStarting?: () => void;
};
type EngineOptions = StoreOptions & {
	/** Create and migrate nothing. */
	isReadOnly?: boolean;
};

export async function openStores(
	config: Config,
	options: StoreOptions & {
		/** For callers that can start without ClickHouse: `statisticsReady` waits for an unreachable server until this is aborted. */
		waitsUntil?: AbortSignal;
	},
): Promise<Stores> {
	let stores = await openWithoutMigrating(config, options);
	try {
		const isDue = await isUpgradeDue(config, stores);
		// A backup needs both databases, even if the command needs only one.
		if (isDue && !stores.clickhouse) {
			await stores.close();
			stores = await openEngines(config, { ...options, statistics: true });
		}
		const { postgres, clickhouse } = stores;
		if (isDue && clickhouse && config.upgradeBackup === 'on') {
			const { dataFolder, backupPassphrase: passphrase } = config;
			const secret = ownSecret(config);
			await backUpBeforeUpgrade({
				postgres,
				clickhouse,
				now: systemClock,
				version,
				secret,
				log: options.log,
				dataFolder,
				passphrase,
			});
		}
		const migrateAll = async () => {
			await migrate({ postgres, clickhouse, folder: migrationsFolder, log: options.log });
			// Several data folders can share a PostgreSQL server, but not an embedded PostgreSQL.
			if (clickhouse && config.databaseUrl !== undefined) await assertSameClickHouse(postgres, clickhouse);
		};
		const { waitsUntil } = options;
		if (waitsUntil === undefined || config.clickhouseUrl === undefined) await migrateAll();
		else {
			const { later } = await migrateWhenReachable(migrateAll, { postgres, log: options.log, waitsUntil });
			stores.statisticsReady = later;
		}
		options.log.debug('databases are migrated');
		return stores;
	} catch (error) {
		await stores.close();
		throw error;
	}
}

const retryMs = 1_000;

/** Migrates now. If only ClickHouse is unreachable, `later` retries: PostgreSQL is migrated by then, and hits need only that. */
async function migrateWhenReachable(
	migrateAll: () => Promise<void>,
	{ postgres, log, waitsUntil }: { postgres: Postgres; log: Log; waitsUntil: AbortSignal },
): Promise<{ later: Promise<void> }> {
	const isClickHouseAway = async (error: unknown) => refusalOf(error) === 'away' && (await postgres.ping());
	const retry = async () => {
		while (!waitsUntil.aborted) {
			await sleep(retryMs, undefined, { signal: waitsUntil }).catch(() => undefined);
			if (waitsUntil.aborted) return;
			try {
				return await migrateAll();
			} catch (error) {
				if (waitsUntil.aborted) return;
				if (refusalOf(error) !== 'away' && !isUnreachable(error)) throw error;
			}
		}
	};
	try {
		await migrateAll();
		return { later: Promise.resolve() };
	} catch (error) {
		if (!(await isClickHouseAway(error))) throw error;
		log.warn({ error }, 'ClickHouse is unreachable; accepting hits and retrying');
		return { later: retry() };
	}
}

/**
 * For commands that only read a stopped folder: nothing is created or migrated, although the databases write files of their
 * own while they run. Throws for databases of another version unless the caller can read any.
 */
export async function openToRead(
	config: Config,
	options: StoreOptions & { ofAnyVersion: boolean },
): Promise<Stores> {
	refuseForeignFolder(config.dataFolder);
	refuseMissing(config, options);
	const stores = await openWithoutMigrating(config, { ...options, isReadOnly: true });
	try {
		const pending = options.ofAnyVersion ? 0 : await countPending(stores);
		if (pending > 0)
			throw new AppError(
				'unavailable',
				`The databases in ${config.dataFolder} are of an older version: ${pending} ${pending === 1 ? 'migration is' : 'migrations are'} pending. ` +
					`This command does not migrate them. Run: tidemark upgrade --data ${config.dataFolder}`,
			);
		return stores;
	} catch (error) {
		await stores.close();
		throw error;
	}
}

/** Whether there is a ClickHouse: a server, or the folder of an embedded engine. */
export const hasStatistics = (config: Config): boolean =>
	config.roles.some((role) => role !== 'collect') &&
	(config.clickhouseUrl !== undefined || existsSync(engineFolder(config)));

function refuseMissing(config: Config, { statistics }: Pick<StoreOptions, 'statistics'>): void {
	const { dataFolder } = config;
	if (config.databaseUrl === undefined && !existsSync(join(dataFolder, 'postgres', 'PG_VERSION')))
		throw new AppError(
			'unavailable',
			`There is no Tidemark data in ${dataFolder}. Choose another folder with --data, or start the service first: tidemark serve --data ${dataFolder}`,
		);
	if (statistics && !hasStatistics(config))
		throw new AppError(
			'unavailable',
			`There are no statistics in ${dataFolder} yet. Start the service first: tidemark serve --data ${dataFolder}`,
		);
}

/** Number of migrations that a start of this version would apply. */
export async function countPending({ postgres, clickhouse }: Stores): Promise<number> {
	const pending = findPending(migrationsFolder, await readApplied(postgres, clickhouse));
	return pending.postgres.length + (clickhouse ? pending.clickhouse.length : 0);
}

export async function openWithoutMigrating(config: Config, options: EngineOptions): Promise<Stores> {
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
 * Whether this version would migrate existing embedded databases. Servers are excluded: they may be too large to back up at a
 * start, and their operators have backups of their own.
 */
async function isUpgradeDue(config: Config, { postgres, clickhouse }: Stores): Promise<boolean> {
	if (config.databaseUrl !== undefined) return false;
	const applied = await readApplied(postgres, clickhouse);
	if (await isNew(postgres, applied)) return false;
	const pending = findPending(migrationsFolder, applied);
	// A command may have created only PostgreSQL; then ClickHouse is created, not migrated.
	return pending.postgres.length > 0 || (applied.clickhouse.length > 0 && pending.clickhouse.length > 0);
}

/** Without accounts there is no data yet, for example after a first start that was killed. */
const isNew = async (postgres: Postgres, applied: AppliedBoth): Promise<boolean> =>
	applied.postgres.length === 0 || !(await hasAccounts(postgres));

export type Upgrade = {
	postgres: { number: number; name: string }[];
	clickhouse: { number: number; name: string }[];
	isNew: boolean;
	sizes: Sizes;
};

/** What a start of this version would migrate. Changes nothing. */
export async function planUpgrade(config: Config, log: Log): Promise<Upgrade> {
	refuseMissing(config, { statistics: false });
	const { postgres, clickhouse, close } = await openWithoutMigrating(config, {
		log,
		statistics: true,
		isReadOnly: hasStatistics(config),
	});
	try {
		if (!clickhouse) throw new Error('There is no ClickHouse.');
		const applied = await readApplied(postgres, clickhouse);
		const summary = ({ number, name }: { number: number; name: string }) => ({ number, name });
		const pending = findPending(migrationsFolder, applied);
		return {
			postgres: pending.postgres.map(summary),
			clickhouse: pending.clickhouse.map(summary),
			isNew: await isNew(postgres, applied),
			sizes: await measure(postgres, clickhouse, config.dataFolder),
		};
	} finally {
		await close();
	}
}

/** Opens or starts the databases without looking at their contents. */
export async function openEngines(config: Config, options: EngineOptions): Promise<Stores> {
	const { log } = options;
	refuseForeignFolder(config.dataFolder);
	const opened: Cleanup[] = [];
	try {
		const { isReadOnly = false } = options;
		if (!isReadOnly)
			mkdirSync(config.dataFolder, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 });
		if (hasOwnDatabase(config) && existsSync(config.dataFolder)) await refuseFullDisk(config.dataFolder);
		const engineWanted = options.statistics && config.clickhouseUrl === undefined;
		if (engineWanted) checkEngineFolder(engineFolder(config), { isReadOnly });
		// Both databases start concurrently to save time. A PostgreSQL that is already running may belong to another service,
		// so then the folder lock comes first.
		const isConcurrent = config.databaseUrl === undefined && !isPostgresRunning(config.dataFolder);
		const starting = both(
			openLockedPostgres(config, log, opened),
			engineWanted && isConcurrent ? startEmbeddedEngine(config, log) : undefined,
		);
		options.whileStarting?.();
		const [{ embedded, postgres, target: postgresTarget }, early] = await starting;
		const engine = early ?? (engineWanted ? await startEmbeddedEngine(config, log) : undefined);
		if (engine) opened.push(() => engine.stop());
		const target = engine?.connection ?? config.clickhouseUrl;
		const clickhouse =
			options.statistics && target !== undefined
				? createClickHouse(target, { log, ...serverOptions(config) })
				: undefined;
		if (clickhouse) opened.push(() => clickhouse.close());
		return {
			postgres,
			clickhouse,
			postgresConnection: embedded?.connection,
			targets: { postgres: postgresTarget, clickhouse: options.statistics ? target : undefined },
			statisticsReady: Promise.resolve(),
			pids: () => ({ postgres: embedded?.pid(), engine: engine?.pid() }),
			close: () => runCleanups(opened),
		};
	} catch (error) {
		await runCleanups(opened);
		throw error;
	}
}

/** Embedded databases do not start on a full disk, and cannot log the reason there. */
async function refuseFullDisk(dataFolder: string): Promise<void> {
	const { free, state } = await readDisk(dataFolder);
	if (state === 'full')
		throw new Error(
			`The disk of ${dataFolder} is full: ${Math.floor(free / 1e6)} MB are free, and the databases need ${fullBelowBytes / 1e6} MB to start. ` +
				'Free some space, then start again.',
		);
}

/** Opens PostgreSQL, checks its version and locks the folder. Adds cleanups to `opened`. */
async function openLockedPostgres(config: Config, log: Log, opened: Cleanup[]) {
	const embedded = config.databaseUrl === undefined ? await startEmbedded(config, log) : undefined;
	const target = embedded?.connection ?? {
		connectionString: config.databaseUrl ?? '',
		ca: config.databaseCa,
	};
	const postgres = openPostgres(target, { log });
	opened.push(() => postgres.close());
	const lock = await lockOf(postgres, config, log).catch((error: unknown) => {
		// Otherwise this process would restart a database that another process owns.
		embedded?.leave();
		// The previous owner of the folder is stopping its database.
		if (embedded && isUnreachable(error))
			throw new FolderInUse('The database of this data folder is being stopped.', { cause: error });
		throw error;
	});
	// Only the owner of the folder may stop its database, so this comes after the lock.
	if (embedded) opened.unshift(() => embedded.stop());
	opened.push(() => (embedded ? lock.keepToTheEnd() : lock.release()));
	return { embedded, postgres, target };
}

async function lockOf(postgres: Postgres, config: Config, log: Log): Promise<FolderLock> {
	await checkServer(postgres).catch((error: unknown) => {
		throw explainTlsError(error, 'PostgreSQL');
	});
	return lockFolder(postgres, folderName(config), log);
}

/** Waits for both even if one fails, so that a failed start leaves neither running. */
async function both<A, B extends { stop(): Promise<void> }>(
	first: Promise<A>,
	second: Promise<B> | undefined,
) {
	const [a, b] = await Promise.allSettled([first, second]);
	if (a.status === 'fulfilled' && b.status === 'fulfilled') return [a.value, b.value] as const;
	if (b.status === 'fulfilled') await b.value?.stop();
	throw a.status === 'rejected' ? a.reason : b.status === 'rejected' ? b.reason : undefined;
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

/** With the host name, because machines that share a database server may use the same path. */
const folderName = ({ dataFolder }: Config) =>
	`${hostname()}:${existsSync(dataFolder) ? realpathSync(dataFolder) : dataFolder}`;
