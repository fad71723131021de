/**
 * The other composition root: `tidemark worker`, a process of the service that takes requests. It is started by `tidemark serve
 * --workers`, shares its port with the others (workers/keep-port.ts), and opens what the service tells it: the databases are the
 * service's, and so are the writer, the jobs and the operator's door.
 */
import type { SendHandle } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import type { Seen } from './collect/watchers.ts';
import { listen } from './http/listen.ts';
import { createMetrics } from './http/metrics.ts';
import { createSharedCounts } from './http/shared-counts.ts';
import { watchProxies } from './http/watch-proxies.ts';
import { AppError } from './lib/app-error.ts';
import { systemClock } from './lib/clock.ts';
import { createLog } from './lib/log.ts';
import { packageFolder, version } from './lib/package.ts';
import { type Undo, undoAll } from './lib/undo.ts';
import type { Base } from './roles/base.ts';
import { openCollect, openEventLog } from './roles/collect.ts';
import { openDoor } from './roles/door.ts';
import { openPublicAddress } from './roles/public-address.ts';
import { openStatistics } from './roles/statistics.ts';
import { describeTelling } from './roles/telling.ts';
import { createClickHouse } from './store/clickhouse.ts';
import { openPostgres } from './store/postgres.ts';
import type { PortHandle } from './workers/keep-port.ts';
import type { FromWorker, ToWorker, WorkerSetup } from './workers/messages.ts';

const tellCountsEveryMs = 100;
const metricsWithinMs = 5_000;

type Worker = {
	hear(message: ToWorker): void;
	stop(): Promise<void>;
};

/** Lives as long as the service that started it. */
export function runWorker(): void {
	if (process.send === undefined) throw new Error('A worker is started by the service, not by hand.');
	// These come to all processes of a terminal or a unit at once; the service tells us when to stop.
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined);
	let worker: Promise<Worker> | undefined;
	const leave = async () => {
		await worker?.then(({ stop }) => stop()).catch(() => undefined);
		process.exit(0);
	};
	// The service is dead. What is under way is finished: its database outlives it.
	process.on('disconnect', leave);
	process.on('message', (message: ToWorker, handle: unknown) => {
		switch (message.say) {
			case 'start': {
				// The service sends the socket of its port with this message.
				worker = openWorker(message.setup, handle as PortHandle);
				worker.catch((error: unknown) => {
					const code = error instanceof Error && 'code' in error ? String(error.code) : undefined;
					tell({ say: 'failed', message: error instanceof Error ? error.message : String(error), code });
					setTimeout(() => process.exit(1), 100);
				});
				break;
			}
			case 'stop':
				void leave();
				break;
			case 'counted':
			case 'watch':
			case 'tell metrics':
			case 'all metrics':
				worker?.then(({ hear }) => hear(message)).catch(() => undefined);
				break;
		}
	});
}

function tell(message: FromWorker, handle?: PortHandle): void {
	// The type wants what Node documents; a bare handle is what it sends on. When the service is gone, 'disconnect' ends us.
	process.send?.(message, handle as SendHandle | undefined, undefined, () => undefined);
}

async function openWorker(setup: WorkerSetup, handle: PortHandle): Promise<Worker> {
	const { config, secret, workers } = setup;
	const log = createLog(config.logLevel);
	const now = systemClock;
	const opened: Undo[] = [];
	const asked = new Map<number, (text: string) => void>();
	let lastId = 0;
	try {
		// What one process has for its requests, shared; each needs some.
		const connections = Math.max(5, Math.ceil(40 / workers));
		const postgres = openPostgres(setup.postgres, { log, connections });
		opened.push(() => postgres.close());
		const clickhouse =
			setup.clickhouse === undefined
				? undefined
				: createClickHouse(setup.clickhouse, {
						...{ log, ca: config.clickhouseCa, cluster: config.clickhouseCluster },
					});
		opened.push(async () => clickhouse?.close());
		let address = '';
		const publicAddress = await openPublicAddress(config, { postgres, listensAt: () => address, opened });
		const base: Base = { config, postgres, secret, now, log, baseUrl: publicAddress.current, opened };

		const metrics = createMetrics();
		metrics.gather(async () => {
			const id = ++lastId;
			const answer = Promise.withResolvers<string>();
			asked.set(id, answer.resolve);
			tell({ say: 'ask for all metrics', id });
			const text = await Promise.race([answer.promise, pause(metricsWithinMs, undefined, { ref: false })]);
			asked.delete(id);
			if (text === undefined)
				throw new AppError('unavailable', 'The figures could not be had in time; try again shortly.');
			return text;
		});
		const counts = createSharedCounts();
		const telling = setInterval(() => {
			const counted = counts.take();
			if (counted.length > 0) tell({ say: 'counted', counts: counted });
		}, tellCountsEveryMs);
		opened.push(async () => clearInterval(telling));
		const eventLog = await openEventLog(base);
		const collect = await openCollect(base, eventLog);
		const stats = clickhouse && config.roles.includes('api') ? openStatistics(base, clickhouse) : undefined;
		const { app } = await openDoor(base, {
			...{ collect, clickhouse, stats, publicAddress, packageFolder, version, metrics, counts },
			...{ telling: describeTelling(base), proxies: watchProxies(config.trustedProxies, log) },
			isShared: setup.isInherited,
			health: {
				postgres: () => postgres.ping(),
				...(clickhouse && { clickhouse: () => clickhouse.ping() }),
				...(config.natsUrl !== undefined && { nats: () => eventLog.ping() }),
			},
		});
		const port = await listen(app, { handle }, log);
		address = setup.address;
		tell({ say: 'ready', port }, handle);

		const show = (seen: Seen) => tell({ say: 'seen', seen });
		let endWatch: (() => void) | undefined;
		return {
			hear(message) {
				switch (message.say) {
					case 'counted':
						counts.hear(message.counts);
						break;
					case 'watch':
						endWatch?.();
						endWatch = message.isOn ? collect.watchers.watch(show) : undefined;
						break;
					case 'tell metrics':
						metrics.own().then(
							(own) => tell({ say: 'my metrics', id: message.id, metrics: own }),
							(error: unknown) => log.error({ error }, 'the figures of a worker could not be read'),
						);
						break;
					case 'all metrics':
						asked.get(message.id)?.(message.text);
						break;
					case 'start':
					case 'stop':
						break;
				}
			},
			stop: () => undoAll(opened),
		};
	} catch (error) {
		await undoAll(opened);
		throw error;
	}
}
