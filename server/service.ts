/**
 * A service on open databases: services of the roles → HTTP server → control socket. Everything that lives longer than a request is
 * created here and in `roles/` and passed on.
 */
import { isIPv6 } from 'node:net';
import { makeSetupToken } from './accounts/setup.ts';
import type { Config, ProcessRole } from './config.ts';
import { controlPath } from './control/call.ts';
import { openControl } from './control/control.ts';
import { listen } from './http/ops/listen.ts';
import { createMetrics } from './http/ops/metrics.ts';
import { checkProxies } from './http/ops/proxy-check.ts';
import { type Cleanup, runCleanups } from './lib/cleanup.ts';
import { type Clock, systemClock } from './lib/clock.ts';
import type { Log } from './lib/log.ts';
import { packageFolder, version } from './lib/package.ts';
import { openCollect, openEventLog } from './roles/collect.ts';
import type { RoleContext } from './roles/context.ts';
import { watchDisk } from './roles/disk.ts';
import { openHttpServer } from './roles/http-server.ts';
import { openJobs } from './roles/jobs.ts';
import { describeNotifications } from './roles/notifications.ts';
import { openPublicAddress } from './roles/public-address.ts';
import { openStatistics } from './roles/statistics.ts';
import type { Dependencies } from './roles/wait-for-dependencies.ts';
import { watchDamage } from './roles/watch-damage.ts';
import { openWorkers, withWorkersTail } from './roles/workers.ts';
import { openWrite } from './roles/write.ts';
import { ownSecret, readServiceSecret, type Stores } from './stores.ts';
import { describeLag } from './write/lag-metrics.ts';

export type Service = {
	/** The public address. */
	baseUrl: string;
	/** Where it listens. */
	address: string;
	/** Set while there is no account; the page creates the first one. */
	setupUrl: string | undefined;
	pids: Stores['pids'];
	postgresConnection: Stores['postgresConnection'];
	clickhouse: Stores['clickhouse'];
	/** Rejects when an error is found after the start that would have prevented it. */
	failed: Promise<never>;
	/** Resolves when all events that are acknowledged now are written. */
	drain(): Promise<void>;
	stop(): Promise<void>;
};

export type ServiceOptions = {
	log: Log;
	now?: Clock;
	/** Aborts a start that waits for a server. */
	signal?: AbortSignal;
	/** File descriptor of an inherited socket to listen on, instead of the address in the settings. */
	socket?: number | undefined;
};

export async function openService(
	config: Config,
	options: ServiceOptions & {
		stores: Stores;
		dependencies: Dependencies;
		/** Cleanups for a stop; they run in reverse order. */
		opened: Cleanup[];
	},
): Promise<Service> {
	const { log, now = systemClock, stores, dependencies, opened } = options;
	const has = (...roles: ProcessRole[]) => roles.some((role) => config.roles.includes(role));
	const { postgres, clickhouse, statisticsReady } = stores;
	const secret = await readServiceSecret(config, postgres);
	let address = '';
	const publicAddress = await openPublicAddress(config, { postgres, listensAt: () => address, opened });
	const context: RoleContext = {
		config,
		postgres,
		secret,
		now,
		log,
		baseUrl: publicAddress.current,
		opened,
	};

	const metrics = createMetrics();
	if (clickhouse)
		metrics.gauge('tidemark_engine_up', '1 while ClickHouse answers within a second.', async () =>
			(await clickhouse.ping()) ? 1 : 0,
		);
	const disk = await watchDisk(config, { log, opened });
	disk?.describe(metrics.gauge);
	if (clickhouse) watchDamage(context, { clickhouse, ready: statisticsReady, metrics });
	const proxies = checkProxies(config.trustedProxies, log);
	const notifications = describeNotifications(context);
	const nats = config.natsUrl === undefined ? undefined : await import('./event-log/jetstream-log.ts');
	const eventLog = await dependencies.until(() => openEventLog(context), {
		part: 'nats',
		isUnreachable: (error) => nats?.isNatsUnreachable(error) ?? false,
	});
	const port = await dependencies.close();
	describeLag(eventLog, postgres, metrics.gauge);
	const collect = has('collect', 'api') ? await openCollect(context, eventLog) : undefined;
	const ready = statisticsReady;
	const writer = clickhouse && has('write') ? openWrite(context, { clickhouse, eventLog, ready }) : undefined;
	const stats = clickhouse && has('api', 'jobs') ? openStatistics(context, clickhouse) : undefined;
	if (clickhouse && stats && has('jobs'))
		openJobs(context, { clickhouse, eventLog, stats, notifications, ready });
	let isStatisticsReady = false;
	const failed = statisticsReady.then(() => {
		isStatisticsReady = true;
		return new Promise<never>(() => undefined);
	});
	failed.catch(() => undefined);
	const addressAt = (actualPort: number) => addressOf(config.host, actualPort);
	const listenAt = options.socket === undefined ? { host: config.host, port } : { fd: options.socket };
	const isInherited = options.socket !== undefined;
	const workers =
		config.workers > 0 && has('collect', 'api')
			? await openWorkers(context, {
					targets: stores.targets,
					at: listenAt,
					isInherited,
					addressAt,
					metrics,
				})
			: undefined;
	const server = workers
		? undefined
		: await openHttpServer(context, {
				collect,
				clickhouse,
				stats,
				notifications,
				proxies,
				publicAddress,
				packageFolder,
				version,
				metrics,
				isShared: isInherited,
				health: {
					postgres: () => postgres.ping(),
					...(clickhouse && { clickhouse: async () => isStatisticsReady && (await clickhouse.ping()) }),
					...(config.natsUrl !== undefined && { nats: () => eventLog.ping() }),
					...(disk && { isDiskFull: disk.isFull }),
				},
			});
	address = addressAt(server ? await listen(server.app, listenAt, log) : (workers?.port ?? 0));

	const control = await openControl(controlPath(config), {
		services: {
			postgres,
			clickhouse,
			now,
			version,
			secret: ownSecret(config),
			readSecret: async () => secret,
			collect: has('collect') ? withWorkersTail(collect, workers) : undefined,
			mail: notifications.mail,
			baseUrl: publicAddress.current,
			doctor: { config, proxies: proxies.seen, lag: eventLog.lag },
		},
		afterOperation: () => server?.api?.identify.forget(),
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
		stop: () => runCleanups(opened),
	};
}

/** The URL of a port on this machine. */
const addressOf = (host: string, port: number): string =>
	`http://${isIPv6(host) ? `[${host}]` : host}:${port}`;
