/**
 * The composition root: settings → stores → what the roles of this process need → door → stop. Everything that lives longer
 * than a request is made here and below `roles/`, and handed on; nothing else reads the environment or constructs a client.
 */
import { isIPv6 } from 'node:net';
import { makeSetupToken } from './accounts/setup.ts';
import type { Config, ProcessRole } from './config.ts';
import { controlPath } from './control/call.ts';
import { openControl } from './control/control.ts';
import { listen } from './http/listen.ts';
import { createMetrics } from './http/metrics.ts';
import { watchProxies } from './http/watch-proxies.ts';
import { type Clock, systemClock } from './lib/clock.ts';
import type { Log } from './lib/log.ts';
import { packageFolder, version } from './lib/package.ts';
import { readOrMakeSecret } from './lib/secrets.ts';
import { type Undo, undoAll } from './lib/undo.ts';
import type { Base } from './roles/base.ts';
import { openCollect, openEventLog } from './roles/collect.ts';
import { openDoor } from './roles/door.ts';
import { openJobs } from './roles/jobs.ts';
import { openPublicAddress } from './roles/public-address.ts';
import { openStatistics } from './roles/statistics.ts';
import { describeTelling } from './roles/telling.ts';
import { createWaiting, type Waiting } from './roles/waiting.ts';
import { warnOfNets } from './roles/warn-of-nets.ts';
import { openWorkers, watched } from './roles/workers.ts';
import { openWrite } from './roles/write.ts';
import { isNatsAway } from './store/jetstream-log.ts';
import { isAway, isExhausted } from './store/postgres.ts';
import { checkSecret } from './store/secret-fingerprint.ts';
import { openStores, ownSecret, type Stores } from './stores.ts';
import { tellLag } from './write/tell-lag.ts';

export { smtpSettings } from './roles/telling.ts';
export {
	mergeInto,
	openAsTheyAre,
	openStores,
	ownSecret,
	planUpgrade,
	restore,
	type Stores,
	type Upgrade,
} from './stores.ts';

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
	/** Rejects when something turns out later that would have refused the start. */
	failed: Promise<never>;
	/** Resolves when everything that was acknowledged before is written. */
	drain(): Promise<void>;
	stop(): Promise<void>;
};

type ServiceOptions = {
	log: Log;
	now?: Clock;
	/** Ends a start that waits for a server. */
	signal?: AbortSignal;
	/** Listens on this one, instead of where the settings say. */
	socket?: number | undefined;
};

export async function startService(config: Config, options: ServiceOptions): Promise<Service> {
	const { log, now = systemClock } = options;
	const has = (...roles: ProcessRole[]) => roles.some((role) => config.roles.includes(role));
	const opened: Undo[] = [];
	try {
		warnOfNets(config, log);
		const waiting = createWaiting(config, options);
		opened.push(async () => void (await waiting.close()));
		const stores = await openStoresWhenThere(config, { log, waiting, opened });
		const { postgres, clickhouse, statisticsReady } = stores;
		const secret = config.secret ?? readOrMakeSecret(config.dataFolder, 'secret');
		if (config.databaseUrl !== undefined) await checkSecret(postgres, secret);
		let address = '';
		const publicAddress = await openPublicAddress(config, { postgres, listensAt: () => address, opened });
		const base: Base = { config, postgres, secret, now, log, baseUrl: publicAddress.current, opened };

		const metrics = createMetrics();
		metrics.gauge('tidemark_engine_up', '1 while the statistics engine runs.', () =>
			stores.pids().engine ? 1 : 0,
		);
		const proxies = watchProxies(config.trustedProxies, log);
		const telling = describeTelling(base);
		const eventLog = await waiting.until(() => openEventLog(base), { part: 'nats', isAway: isNatsAway });
		const port = await waiting.close();
		tellLag(eventLog, postgres, metrics.gauge);
		const collect = has('collect', 'api') ? await openCollect(base, eventLog) : undefined;
		const ofClickHouse = clickhouse && { clickhouse, ready: statisticsReady };
		const writer = ofClickHouse && has('write') ? openWrite(base, { ...ofClickHouse, eventLog }) : undefined;
		const stats =
			ofClickHouse && has('api', 'jobs') ? openStatistics(base, ofClickHouse.clickhouse) : undefined;
		if (ofClickHouse && stats && has('jobs')) openJobs(base, { ...ofClickHouse, eventLog, stats, telling });
		let isStatisticsReady = false;
		const failed = statisticsReady.then(() => {
			isStatisticsReady = true;
			return new Promise<never>(() => undefined);
		});
		failed.catch(() => undefined);
		const addressAt = (taken: number) => addressOf(config.host, taken);
		const at = options.socket === undefined ? { host: config.host, port } : { fd: options.socket };
		const isInherited = options.socket !== undefined;
		const workers =
			config.workers > 0 && has('collect', 'api')
				? await openWorkers(base, { targets: stores.targets, at, isInherited, addressAt, metrics })
				: undefined;
		const door = workers
			? undefined
			: await openDoor(base, {
					...{ collect, clickhouse, stats, telling, proxies, publicAddress, packageFolder, version, metrics },
					isShared: isInherited,
					health: {
						postgres: () => postgres.ping(),
						...(clickhouse && { clickhouse: async () => isStatisticsReady && (await clickhouse.ping()) }),
						...(config.natsUrl !== undefined && { nats: () => eventLog.ping() }),
					},
				});
		address = addressAt(door ? await listen(door.app, at, log) : (workers?.port ?? 0));

		const control = await openControl(controlPath(config), {
			services: {
				...{ postgres, clickhouse, now, version, secret: ownSecret(config) },
				...{ collect: has('collect') ? watched(collect, workers) : undefined, mail: telling.mail },
				...{ baseUrl: publicAddress.current, doctor: { config, proxies: proxies.seen, lag: eventLog.lag } },
			},
			afterOperation: () => door?.api?.identify.forget(),
			metrics: () => metrics.text(),
			log,
		});
		opened.push(() => control.close());
		const token = has('api') ? await makeSetupToken(postgres, now) : undefined;
		return {
			baseUrl: publicAddress.current(),
			address,
			setupUrl: token === undefined ? undefined : `${publicAddress.current()}/set-up#token=${token}`,
			pids: stores.pids,
			postgresConnection: stores.postgresConnection,
			clickhouse,
			failed,
			drain: async () => writer?.drain(),
			stop: () => undoAll(opened),
		};
	} catch (error) {
		// A port that is taken must not leave two engines running, nor a process that never ends.
		await undoAll(opened);
		throw error;
	}
}

/** An embedded PostgreSQL is our own: if it does not start, waiting would not mend it. */
async function openStoresWhenThere(
	config: Config,
	{ log, waiting, opened }: { log: Log; waiting: Waiting; opened: Undo[] },
): Promise<Stores> {
	const stopping = new AbortController();
	const statistics = config.roles.some((role) => role !== 'collect');
	const stores = await waiting.until(
		() => openStores(config, { log, statistics, waitsUntil: stopping.signal }),
		{
			part: 'postgres',
			isAway: (error) => config.databaseUrl !== undefined && (isAway(error) || isExhausted(error)),
		},
	);
	opened.push(() => stores.close());
	opened.push(async () => stopping.abort());
	return stores;
}

/** Where somebody on this machine reaches a port. */
const addressOf = (host: string, port: number): string =>
	`http://${isIPv6(host) ? `[${host}]` : host}:${port}`;
