/**
 * The composition root: settings → stores → door → listen → stop. Everything that lives longer than a request is
 * made here and handed on; nothing else reads the environment or constructs a client.
 */
import { mkdirSync, readFileSync, realpathSync } from 'node:fs';
import { isIPv6 } from 'node:net';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { hasAccounts } from './accounts/accounts.ts';
import { createAttempts } from './accounts/attempts.ts';
import { createKnownDevices } from './accounts/known-devices.ts';
import { findPublicAddress, makeSetupToken } from './accounts/setup.ts';
import { countSecondFactors, createTwoFactor } from './accounts/two-factor.ts';
import { backUpBeforeUpgrade, measure, type Sizes } from './backup/before-upgrade.ts';
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
import { openPlaces } from './collect/places.ts';
import { createSalts } from './collect/salts.ts';
import { createTrackedWebsites } from './collect/tracked-websites.ts';
import { createWatchers } from './collect/watchers.ts';
import type { Config } from './config.ts';
import { openControl } from './control/control.ts';
import { createOpenDays } from './derive/open-days.ts';
import { eventsAtOnce } from './derive/seal.ts';
import { examineOnce } from './doctor/doctor.ts';
import { checkEngineFolder } from './engine/folder-version.ts';
import { startEngine } from './engine/supervise.ts';
import { createRunningExports } from './export/running.ts';
import { createApp } from './http/app.ts';
import { createIdentify } from './http/identify.ts';
import { createMetrics } from './http/metrics.ts';
import { watchProxies } from './http/watch-proxies.ts';
import { startJobs } from './jobs/schedule.ts';
import { type Clock, systemClock } from './lib/clock.ts';
import { createOutside } from './lib/fetch-outside.ts';
import type { Log } from './lib/log.ts';
import { deriveKey, hasOwnSecret, keepSecret, readOrMakeSecret } from './lib/secrets.ts';
import { socketPath } from './lib/sockets.ts';
import { createSmtp, type SmtpSettings } from './mail/smtp.ts';
import { createStats } from './stats/ask.ts';
import { listCountedGoals } from './stats/goals.ts';
import { createOverviews } from './stats/overview.ts';
import { createLive } from './stats/watch-live.ts';
import { type ClickHouse, createClickHouse } from './store/clickhouse.ts';
import {
	isPostgresRunning,
	type PostgresConnection,
	startEmbeddedPostgres,
} from './store/embedded-postgres.ts';
import { checkEngine } from './store/engine-id.ts';
import { createEventLog } from './store/event-log.ts';
import { FolderInUse, type FolderLock, lockFolder } from './store/folder-lock.ts';
import { type AppliedBoth, findPending, migrate, readApplied } from './store/migrate.ts';
import { checkServer, isAway, openPostgres, type Postgres } from './store/postgres.ts';
import { createSaltFiles, createSaltTables } from './store/salt-store.ts';
import { createUnlocking } from './websites/shares.ts';
import { startWriter } from './write/writer.ts';

/** The package: from the sources it is the folder above, from the compiled program two above. */
const packageFolder = findPackage(dirname(fileURLToPath(import.meta.url)));

function findPackage(folder: string): string {
	for (let here = folder; ; here = dirname(here)) {
		try {
			readFileSync(join(here, 'package.json'));
			return here;
		} catch (cause) {
			if (here === dirname(here))
				throw new Error('The package is not complete: it has no package.json.', { cause });
		}
	}
}

/** Of this program. */
export const version: string = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')).version;

const migrationsFolder = join(packageFolder, 'migrations');

export const controlPath = (config: Config): string => socketPath(config.dataFolder, 'control.sock');

/** Where mail is given to, if the operator has said so. */
export function smtpSettings(config: Config): SmtpSettings | undefined {
	const { smtpHost, smtpPort, smtpTls, smtpUser, smtpPassword, mailFrom } = config;
	if (smtpHost === undefined || mailFrom === undefined) return undefined;
	return {
		...{ host: smtpHost, port: smtpPort, tls: smtpTls, from: mailFrom },
		...{ user: smtpUser, password: smtpPassword },
	};
}

export type Stores = {
	postgres: Postgres;
	clickhouse: ClickHouse | undefined;
	/** Process ids of the engines that we run, for the operator. */
	pids(): { postgres: number | undefined; engine: number | undefined };
	/** How to reach the embedded PostgreSQL, for tests and for the operator's own tools. */
	postgresConnection: PostgresConnection | undefined;
	close(): Promise<void>;
};

/** The secret of this folder; none where the operator keeps it elsewhere. */
export const ownSecret = (config: Config): string | undefined =>
	config.secret === undefined ? readOrMakeSecret(config.dataFolder, 'secret') : undefined;

/** Opens what the settings name, starts what they do not, and brings both up to date. */
export async function openStores(
	config: Config,
	options: { log: Log; statistics: boolean },
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
		await migrate({ postgres, clickhouse, folder: migrationsFolder, log: options.log });
		// An embedded PostgreSQL serves one data folder, whatever ClickHouse that uses.
		if (clickhouse && config.databaseUrl !== undefined) await checkEngine(postgres, clickhouse);
		return stores;
	} catch (error) {
		await stores.close();
		throw error;
	}
}

/** The same without bringing them up to date. */
export async function openAsTheyAre(
	config: Config,
	options: { log: Log; statistics: boolean },
): Promise<Stores> {
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

/** The engines, whatever is in them. */
async function openEngines(config: Config, options: { log: Log; statistics: boolean }): Promise<Stores> {
	const { log } = options;
	const opened: Undo[] = [];
	try {
		mkdirSync(config.dataFolder, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 });
		const engineWanted = options.statistics && config.clickhouseUrl === undefined;
		if (engineWanted) checkEngineFolder(engineFolder(config));
		// The two engines start side by side: together they are most of the time that a start takes. But a PostgreSQL
		// that runs already may be another service's: then first comes whether the folder is free.
		const sideBySide = config.databaseUrl === undefined && !isPostgresRunning(config.dataFolder);
		const [{ embedded, postgres }, early] = await both(
			openLockedPostgres(config, log, opened),
			engineWanted && sideBySide ? startEmbeddedEngine(config, log) : undefined,
		);
		const engine = early ?? (engineWanted ? await startEmbeddedEngine(config, log) : undefined);
		if (engine) opened.push(() => engine.stop());
		const target = engine?.connection ?? config.clickhouseUrl;
		const clickhouse =
			options.statistics && target !== undefined ? createClickHouse(target, { log }) : undefined;
		if (clickhouse) opened.push(() => clickhouse.close());
		return {
			postgres,
			clickhouse,
			postgresConnection: embedded?.connection,
			pids: () => ({ postgres: embedded?.pid(), engine: engine?.pid() }),
			close: () => undoAll(opened),
		};
	} catch (error) {
		await undoAll(opened);
		throw error;
	}
}

/** Takes back one thing that was opened. They are listed in the order they were done. */
type Undo = () => Promise<void>;

async function undoAll(opened: Undo[]): Promise<void> {
	for (const undo of opened.splice(0).reverse()) await undo();
}

/** PostgreSQL, fit for us and with the folder locked; what must be undone is added to `opened`. */
async function openLockedPostgres(config: Config, log: Log, opened: Undo[]) {
	const embedded = config.databaseUrl === undefined ? await startEmbedded(config, log) : undefined;
	const target = embedded?.connection ?? { connectionString: config.databaseUrl ?? '' };
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
	return { embedded, postgres };
}

async function lockOf(postgres: Postgres, config: Config, log: Log): Promise<FolderLock> {
	await checkServer(postgres);
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

export type Service = {
	/** Where it is reached: the public address. */
	baseUrl: string;
	/** Where it listens. */
	address: string;
	/** Set while there is no account: who opens it makes the first one. */
	setupUrl: string | undefined;
	pids: Stores['pids'];
	postgresConnection: Stores['postgresConnection'];
	clickhouse: Stores['clickhouse'];
	/** Resolves when everything that was acknowledged before is written. */
	drain(): Promise<void>;
	stop(): Promise<void>;
};

export async function startService(config: Config, options: { log: Log; now?: Clock }): Promise<Service> {
	const { log, now = systemClock } = options;
	const stores = await openStores(config, { log, statistics: true });
	const opened: Undo[] = [() => stores.close()];
	try {
		const { postgres, clickhouse } = stores;
		if (!clickhouse) throw new Error('There is no ClickHouse to ask.');
		const secret = config.secret ?? readOrMakeSecret(config.dataFolder, 'secret');
		const metrics = createMetrics();
		metrics.gauge('tidemark_engine_up', '1 while the statistics engine runs.', () =>
			stores.pids().engine ? 1 : 0,
		);
		const identify = createIdentify(postgres, now, log);
		opened.push(() => identify.close());
		const websites = createTrackedWebsites(postgres);
		opened.push(() => websites.close());
		const saltStore =
			config.databaseUrl === undefined
				? createSaltFiles(join(config.dataFolder, 'salts'))
				: createSaltTables(postgres);
		const salts = createSalts(saltStore, now, log);
		opened.push(async () => salts.close());
		// Those that came to their end while nobody ran.
		await salts.destroySpent();
		const eventLog = createEventLog(postgres, {
			log,
			maxWaiting: 50_000,
			maxLogBytes: config.maxLogMb * 1_000_000,
		});
		opened.push(() => eventLog.close());
		const places = await openPlaces(config.geoFile);
		const writer = startWriter({ postgres, clickhouse, eventLog, now, log });
		opened.push(() => writer.stop());
		const mail = smtpSettings(config);
		const smtp = mail && createSmtp(mail);
		opened.push(async () => smtp?.close());
		const collect = { websites, salts, eventLog, lists: { places }, watchers: createWatchers(), now };
		const openDays = createOpenDays({ postgres, clickhouse, now, log });
		opened.push(() => openDays.close());
		const live = createLive({ postgres, clickhouse, now, log });
		const proxies = watchProxies(config.trustedProxies, log);
		const doctor = { config, proxies: proxies.seen };
		const leaving = new AbortController();
		opened.push(async () => leaving.abort());
		let stored = await findPublicAddress(postgres);
		let address = '';
		const baseUrl = () => config.baseUrl ?? stored ?? address;
		const links = { baseUrl, key: deriveKey(secret, 'links in mails') };
		const quota = { perAccount: config.mailsPerAccountADay, inAll: config.mailsADay, log };
		const vault = {
			...{ key: deriveKey(secret, 'secrets of alerts'), allowedHosts: config.webhookAllowedHosts, now },
		};
		const alerts = { now, links, quota, vault, hasMail: mail !== undefined };
		const stats = createStats({
			postgres,
			clickhouse,
			openDays,
			now,
			engineMemoryMb: config.clickhouseUrl === undefined ? config.engineMemoryMb : undefined,
		});
		const jobs = startJobs({
			...{ postgres, clickhouse, now, log, atOnce: { events: eventsAtOnce }, smtp },
			reports: { stats, links, quota },
			alerts: { ...alerts, outside: createOutside(vault) },
			goalsOf: (websiteIds) => listCountedGoals(postgres, websiteIds),
		});
		opened.push(() => jobs.stop());
		const app = await createApp({
			config,
			baseUrl,
			version,
			openapi: readFileSync(join(packageFolder, 'api', 'openapi.json'), 'utf8'),
			services: {
				postgres,
				clickhouse,
				exports: createRunningExports(),
				now,
				bodyKey: deriveKey(secret, 'idempotent bodies'),
				forgetKeys: () => identify.forget(),
				collect,
				stats,
				live,
				overviews: createOverviews({ postgres, now }),
				alerts,
			},
			trackerFolder: join(packageFolder, 'dist', 'tracker'),
			dashboardFolder: join(packageFolder, 'dist', 'pages'),
			identify,
			proxies,
			signIn: {
				postgres,
				now,
				attempts: createAttempts(postgres, now, deriveKey(secret, 'names of attempts')),
				twoFactor: createTwoFactor(postgres, now, deriveKey(secret, 'secrets of second factors')),
				...{ hasMail: mail !== undefined, links, quota },
				examine: examineOnce(() => ({
					...{ postgres, clickhouse, now, log, mail, signal: leaving.signal },
					...{ config, version, proxies: proxies.seen() },
					atOnce: { events: eventsAtOnce },
					goalsOf: (websiteIds) => listCountedGoals(postgres, websiteIds),
				})),
				knownDevices: createKnownDevices(deriveKey(secret, 'known devices')),
				unlocking: createUnlocking(deriveKey(secret, 'unlocked websites'), now),
				publicAddress: {
					current: baseUrl,
					isSet: () => (config.baseUrl ?? stored) !== undefined,
					learn: (url) => {
						stored = url;
					},
				},
			},
			health: {
				postgres: () => postgres.ping(),
				clickhouse: async () => (await clickhouse?.ping()) ?? false,
			},
			metrics,
			log,
		});
		opened.push(() => closeWithin(app, config.stopSeconds * 1000));
		// Before the door closes, which waits for every answer: a stream has no end of its own.
		opened.push(() => live.close());
		await app.listen({ host: config.host, port: config.port });
		address = `http://${isIPv6(config.host) ? `[${config.host}]` : config.host}:${portOf(app.server.address())}`;
		const control = await openControl(controlPath(config), {
			services: {
				postgres,
				clickhouse,
				collect,
				mail,
				baseUrl,
				now,
				doctor,
				version,
				secret: ownSecret(config),
			},
			afterOperation: () => identify.forget(),
			metrics: () => metrics.text(),
			log,
		});
		opened.push(() => control.close());
		const token = await makeSetupToken(postgres, now);
		return {
			baseUrl: baseUrl(),
			address,
			setupUrl: token === undefined ? undefined : `${baseUrl()}/set-up#token=${token}`,
			pids: stores.pids,
			postgresConnection: stores.postgresConnection,
			clickhouse,
			drain: () => writer.drain(),
			stop: () => undoAll(opened),
		};
	} catch (error) {
		// A port that is taken must not leave two engines running, nor a process that never ends.
		await undoAll(opened);
		throw error;
	}
}

function portOf(address: ReturnType<import('node:http').Server['address']>): number {
	return typeof address === 'object' && address !== null ? address.port : 0;
}

/** Takes no new requests, lets those under way finish, and cuts what takes too long. */
async function closeWithin(app: Awaited<ReturnType<typeof createApp>>, ms: number) {
	const cut = setTimeout(() => app.server.closeAllConnections(), ms);
	await app.close();
	clearTimeout(cut);
}
