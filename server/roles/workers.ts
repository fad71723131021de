import type { CollectServices } from '../collect/keep.ts';
import { addUpMetrics, type Metrics } from '../http/metrics.ts';
import { answerUnavailable } from '../http/unavailable.ts';
import type { Stores } from '../stores.ts';
import type { ListenAt } from '../workers/keep-port.ts';
import { startWorkers, type Workers } from '../workers/supervise.ts';
import type { Base } from './base.ts';

/** Processes that take the requests of this one, on its port and its databases. */
export async function openWorkers(
	{ config, secret, log, opened }: Base,
	of: {
		targets: Stores['targets'];
		at: ListenAt;
		isInherited: boolean;
		addressAt(port: number): string;
		metrics: Metrics;
	},
): Promise<Workers> {
	const { targets, at, isInherited, addressAt, metrics } = of;
	const workers = await startWorkers({
		setup: (port) => ({
			config: { ...config, roles: config.roles.filter((role) => role === 'collect' || role === 'api') },
			...{ secret, ...targets, workers: config.workers, address: addressAt(port), isInherited },
		}),
		...{ at, unavailable: answerUnavailable, allMetrics: () => metrics.text() },
		// Longer than each of them takes by itself.
		stopWithinMs: (config.drainSeconds + config.stopSeconds) * 1000 + 5_000,
		log,
	});
	opened.push(() => workers.stop());
	metrics.gauge('tidemark_workers', 'Workers that are ready.', workers.count);
	metrics.gather(async () => addUpMetrics([await metrics.own(), ...(await workers.metrics())]));
	return workers;
}

/** What is collected is seen where it is collected: in this process, or in its workers. */
export const watched = (
	collect: CollectServices | undefined,
	workers: Workers | undefined,
): CollectServices | undefined =>
	collect && workers ? { ...collect, watchers: { ...collect.watchers, watch: workers.watch } } : collect;
