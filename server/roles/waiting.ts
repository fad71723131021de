import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../config.ts';
import { createApp } from '../http/app.ts';
import type { Part } from '../http/health.ts';
import { listen } from '../http/listen.ts';
import { createMetrics } from '../http/metrics.ts';
import { watchProxies } from '../http/watch-proxies.ts';
import { type Clock, systemClock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';

type Needed = { part: Part; isAway(error: unknown): boolean };

/** A start that waits for servers which are away, behind a door that says so. */
export type Waiting = {
	/** Tries again and again while what it needs is away. */
	until<T>(open: () => Promise<T>, needed: Needed): Promise<T>;
	/** Gives the port up, and says which it was. */
	close(): Promise<number>;
};

type WaitingOptions = { log: Log; now?: Clock; signal?: AbortSignal; socket?: number | undefined };

const tryAgainEveryMs = 1_000;
const names: Record<Part, string> = { postgres: 'PostgreSQL', clickhouse: 'ClickHouse', nats: 'NATS' };

export function createWaiting(
	config: Config,
	{ log, now = systemClock, signal, socket }: WaitingOptions,
): Waiting {
	const hasStatistics = config.roles.some((role) => role !== 'collect');
	let { port } = config;
	let door: Awaited<ReturnType<typeof createApp>> | undefined;
	let waitsFor: Part | undefined;

	async function say() {
		door = await createApp({
			...{ config, now, log, isWaiting: true, metrics: createMetrics() },
			...{ baseUrl: () => '', proxies: watchProxies(config.trustedProxies, log) },
			health: {
				waitsFor: () => waitsFor ?? 'postgres',
				postgres: async () => waitsFor !== 'postgres',
				...(hasStatistics && { clickhouse: async () => false }),
				...(config.natsUrl !== undefined && { nats: async () => false }),
			},
		});
		port = await listen(door, { host: config.host, port }, log);
	}

	return {
		async until(open, { part, isAway }) {
			for (;;) {
				try {
					return await open();
				} catch (error) {
					if (!isAway(error)) throw error;
					if (waitsFor !== part) log.warn({ error }, `${names[part]} is away; waiting for it`);
					waitsFor = part;
					// A socket that is not ours cannot be listened on twice; whoever connects to it waits meanwhile.
					if (!door && socket === undefined) await say();
					await sleep(tryAgainEveryMs, undefined, signal && { signal });
				}
			}
		},
		async close() {
			const open = door;
			door = undefined;
			await open?.close();
			return port;
		},
	};
}
