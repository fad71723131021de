import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../config.ts';
import type { createApp } from '../http/app.ts';
import type { Part } from '../http/ops/health.ts';
import { listen } from '../http/ops/listen.ts';
import { type Clock, systemClock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';

type Dependency = { part: Part; isUnreachable(error: unknown): boolean };

/** Waits at start for unreachable servers. Meanwhile a small HTTP server answers health checks. */
export type Dependencies = {
	/** Retries `open` while the dependency is unreachable. */
	until<T>(open: () => Promise<T>, dependency: Dependency): Promise<T>;
	/** Frees the port and returns its number. */
	close(): Promise<number>;
};

type WaitingOptions = { log: Log; now?: Clock; signal?: AbortSignal; socket?: number | undefined };

const retryEveryMs = 1_000;
const names: Record<Part, string> = {
	postgres: 'PostgreSQL',
	clickhouse: 'ClickHouse',
	nats: 'NATS',
	disk: 'the disk',
};

export function createDependencies(
	config: Config,
	{ log, now = systemClock, signal, socket }: WaitingOptions,
): Dependencies {
	const hasStatistics = config.roles.some((role) => role !== 'collect');
	let { port } = config;
	let server: Awaited<ReturnType<typeof createApp>> | undefined;
	let waitsFor: Part | undefined;

	async function startServer() {
		// Loaded only here: most starts wait for nothing.
		const [{ createApp }, { createMetrics }, { checkProxies }] = await Promise.all([
			import('../http/app.ts'),
			import('../http/ops/metrics.ts'),
			import('../http/ops/proxy-check.ts'),
		]);
		server = await createApp({
			config,
			now,
			log,
			isWaiting: true,
			metrics: createMetrics(),
			baseUrl: () => '',
			proxies: checkProxies(config.trustedProxies, log),
			health: {
				waitsFor: () => waitsFor ?? 'postgres',
				postgres: async () => waitsFor !== 'postgres',
				...(hasStatistics && { clickhouse: async () => false }),
				...(config.natsUrl !== undefined && { nats: async () => false }),
			},
		});
		port = await listen(server, { host: config.host, port }, log);
	}

	return {
		async until(open, { part, isUnreachable }) {
			for (;;) {
				try {
					return await open();
				} catch (error) {
					if (!isUnreachable(error)) throw error;
					if (waitsFor !== part) log.warn({ error }, `${names[part]} is unreachable; waiting for it`);
					waitsFor = part;
					// An inherited socket cannot be listened on twice; connections wait in its queue.
					if (!server && socket === undefined) await startServer();
					await sleep(retryEveryMs, undefined, signal && { signal });
				}
			}
		},
		async close() {
			const closing = server;
			server = undefined;
			await closing?.close();
			return port;
		},
	};
}
