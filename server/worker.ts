/**
 * The composition root of `tidemark worker`, a process that answers requests. `tidemark serve --workers` starts it and sends it the
 * settings; the databases, the writer, the jobs and the control socket belong to the service. Workers share one port
 * (workers/shared-port.ts).
 */
import type { SendHandle } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { createSharedRateLimits } from './http/auth/shared-rate-limits.ts';
import { listen } from './http/ops/listen.ts';
import { createMetrics } from './http/ops/metrics.ts';
import { checkProxies } from './http/ops/proxy-check.ts';
import type { TailEntry } from './ingest/live-tail.ts';
import { AppError } from './lib/app-error.ts';
import { type Cleanup, runCleanups } from './lib/cleanup.ts';
import { systemClock } from './lib/clock.ts';
import { createLog } from './lib/log.ts';
import { packageFolder, version } from './lib/package.ts';
import { openCollect, openEventLog } from './roles/collect.ts';
import type { RoleContext } from './roles/context.ts';
import { watchDisk } from './roles/disk.ts';
import { openHttpServer } from './roles/http-server.ts';
import { describeNotifications } from './roles/notifications.ts';
import { openPublicAddress } from './roles/public-address.ts';
import { openStatistics } from './roles/statistics.ts';
import { createClickHouse } from './store/clickhouse.ts';
import { serverOptions } from './store/clickhouse-clients.ts';
import { openPostgres } from './store/postgres.ts';
import type { FromWorker, ToWorker, WorkerSetup } from './workers/messages.ts';
import type { PortHandle } from './workers/shared-port.ts';

const sendCountsEveryMs = 100;
const metricsWithinMs = 5_000;

type Worker = {
	receive(message: ToWorker): void;
	stop(): Promise<void>;
};

/** Runs until the service tells it to stop, or ends. */
export function runWorker(): void {
	if (process.send === undefined)
		throw new Error('`tidemark worker` cannot be run directly. Use `tidemark serve --workers`.');
	// A terminal or systemd sends these to all processes at once; the service tells workers when to stop.
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined);
	let worker: Promise<Worker> | undefined;
	const exit = async () => {
		await worker?.then(({ stop }) => stop()).catch(() => undefined);
		process.exit(0);
	};
	// The service exited. Finish current requests; its database outlives it.
	process.on('disconnect', exit);
	process.on('message', (message: ToWorker, handle: unknown) => {
		switch (message.type) {
			case 'start': {
				// The handle is the shared socket.
				worker = openWorker(message.setup, handle as PortHandle);
				worker.catch((error: unknown) => {
					const code = error instanceof Error && 'code' in error ? String(error.code) : undefined;
					const text = error instanceof Error ? error.message : String(error);
					send({ type: 'failed', message: text, code });
					setTimeout(() => process.exit(1), 100);
				});
				break;
			}
			case 'stop':
				void exit();
				break;
			case 'rate-counts':
			case 'tail':
			case 'get-metrics':
			case 'service-metrics':
				worker?.then(({ receive }) => receive(message)).catch(() => undefined);
				break;
		}
	});
}

function send(message: FromWorker, handle?: PortHandle): void {
	// Node can send a bare handle, which its types do not allow. If the service is gone, 'disconnect' ends this process.
	process.send?.(message, handle as SendHandle | undefined, undefined, () => undefined);
}

async function openWorker(setup: WorkerSetup, handle: PortHandle): Promise<Worker> {
	const { config, secret, workers } = setup;
	const log = createLog(config.logLevel, undefined, config.logFormat);
	const now = systemClock;
	const opened: Cleanup[] = [];
	const pendingMetrics = new Map<number, (text: string) => void>();
	let lastId = 0;
	try {
		// Workers share the number of connections that one process would have.
		const connections = Math.max(5, Math.ceil(40 / workers));
		const postgres = openPostgres(setup.postgres, { log, connections });
		opened.push(() => postgres.close());
		const clickhouse =
			setup.clickhouse === undefined
				? undefined
				: createClickHouse(setup.clickhouse, { log, ...serverOptions(config) });
		opened.push(async () => clickhouse?.close());
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
		metrics.gather(async () => {
			const id = ++lastId;
			const answer = Promise.withResolvers<string>();
			pendingMetrics.set(id, answer.resolve);
			send({ type: 'get-service-metrics', id });
			const text = await Promise.race([answer.promise, pause(metricsWithinMs, undefined, { ref: false })]);
			pendingMetrics.delete(id);
			if (text === undefined)
				throw new AppError('unavailable', 'The metrics were not ready in time; try again shortly.');
			return text;
		});
		const counts = createSharedRateLimits();
		const sendCounts = setInterval(() => {
			const counted = counts.take();
			if (counted.length > 0) send({ type: 'rate-counts', counts: counted });
		}, sendCountsEveryMs);
		opened.push(async () => clearInterval(sendCounts));
		// The service logs the state of the disk.
		const disk = await watchDisk(config, { log: createLog('silent'), opened });
		const eventLog = await openEventLog(context);
		const collect = await openCollect(context, eventLog);
		const stats =
			clickhouse && config.roles.includes('api') ? openStatistics(context, clickhouse) : undefined;
		const { app } = await openHttpServer(context, {
			collect,
			clickhouse,
			stats,
			publicAddress,
			packageFolder,
			version,
			metrics,
			counts,
			notifications: describeNotifications(context),
			proxies: checkProxies(config.trustedProxies, log),
			isShared: setup.isInherited,
			health: {
				postgres: () => postgres.ping(),
				...(clickhouse && { clickhouse: () => clickhouse.ping() }),
				...(config.natsUrl !== undefined && { nats: () => eventLog.ping() }),
				...(disk && { isDiskFull: disk.isFull }),
			},
		});
		const port = await listen(app, { handle }, log);
		address = setup.address;
		send({ type: 'ready', port }, handle);

		const sendEntry = (entry: TailEntry) => send({ type: 'tail-entry', entry });
		let unsubscribe: (() => void) | undefined;
		return {
			receive(message) {
				switch (message.type) {
					case 'rate-counts':
						counts.add(message.counts);
						break;
					case 'tail':
						unsubscribe?.();
						unsubscribe = message.isOn ? collect.liveTail.subscribe(sendEntry) : undefined;
						break;
					case 'get-metrics':
						metrics.own().then(
							(own) => send({ type: 'metrics', id: message.id, metrics: own }),
							(error: unknown) => log.error({ error }, 'could not read the metrics of a worker'),
						);
						break;
					case 'service-metrics':
						pendingMetrics.get(message.id)?.(message.text);
						break;
					case 'start':
					case 'stop':
						break;
				}
			},
			stop: () => runCleanups(opened),
		};
	} catch (error) {
		await runCleanups(opened);
		throw error;
	}
}
