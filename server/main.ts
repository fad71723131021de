/**
 * The start of a process: settings → stores → `service.ts`, and what commands need of a stopped installation. Nothing else reads the
 * environment or creates a client.
 */
import type { Config } from './config.ts';
import { tryToListen } from './http/ops/listen.ts';
import { type Cleanup, runCleanups } from './lib/cleanup.ts';
import type { Log } from './lib/log.ts';
import { createDependencies, type Dependencies } from './roles/wait-for-dependencies.ts';
import { warnInsecureConnections } from './roles/warn-insecure-connections.ts';
import type { Service, ServiceOptions } from './service.ts';
import { refusalOf } from './store/clickhouse-errors.ts';
import { isExhausted, isUnreachable } from './store/postgres.ts';
import { openStores, type Stores } from './stores.ts';

export { mergeInto, repairFrom, restore } from './maintenance.ts';
export { smtpSettings } from './roles/notifications.ts';
export type { Service } from './service.ts';
export {
	countPending,
	hasStatistics,
	openStores,
	openToRead,
	openWithoutMigrating,
	ownSecret,
	planUpgrade,
	readServiceSecret,
	type Stores,
	type Upgrade,
} from './stores.ts';

export async function startService(config: Config, options: ServiceOptions): Promise<Service> {
	const { log } = options;
	const opened: Cleanup[] = [];
	try {
		if (options.socket === undefined) await tryToListen(config);
		warnInsecureConnections(config, log);
		const dependencies = createDependencies(config, options);
		opened.push(async () => void (await dependencies.close()));
		const stores = await openStoresWhenReachable(config, { log, dependencies, opened });
		const { openService } = await import('./service.ts');
		return await openService(config, { ...options, stores, dependencies, opened });
	} catch (error) {
		// A start that fails must not leave databases running.
		await runCleanups(opened);
		throw error;
	}
}

/** Waits for an external PostgreSQL. Waiting would not help an embedded one, so it is only tried a few times. */
async function openStoresWhenReachable(
	config: Config,
	{ log, dependencies, opened }: { log: Log; dependencies: Dependencies; opened: Cleanup[] },
): Promise<Stores> {
	const stopping = new AbortController();
	const statistics = config.roles.some((role) => role !== 'collect');
	// Loading the service takes as long as the embedded databases need to start, so it happens meanwhile. Its errors are thrown
	// by the import in `startService`.
	const whileStarting = () => void import('./service.ts').catch(() => undefined);
	const open = () => openStores(config, { log, statistics, waitsUntil: stopping.signal, whileStarting });
	const openStoresOnce = config.databaseUrl === undefined ? () => openWithRetries(open, log) : open;
	const stores = await dependencies.until(openStoresOnce, {
		part: 'postgres',
		isUnreachable: (error) =>
			config.databaseUrl !== undefined && (isUnreachable(error) || isExhausted(error)),
	});
	opened.push(() => stores.close());
	opened.push(async () => stopping.abort());
	return stores;
}

const maxOpenTries = 3;

/** An embedded database that exits while starting may have been killed by the system, and usually starts the next time. */
async function openWithRetries(open: () => Promise<Stores>, log: Log): Promise<Stores> {
	for (let tries = 1; ; tries++) {
		try {
			return await open();
		} catch (error) {
			if (tries === maxOpenTries || !(isUnreachable(error) || refusalOf(error) === 'away')) throw error;
			log.warn({ error }, 'database exited while starting; retrying');
		}
	}
}
