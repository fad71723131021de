import { addUpMetrics, type Metrics } from '../http/ops/metrics.ts';
import { answerUnavailable } from '../http/ops/unavailable.ts';
import type { IngestServices } from '../ingest/ingest.ts';
import type { Stores } from '../stores.ts';
import type { ListenAt } from '../workers/shared-port.ts';
import { startWorkers, type Workers } from '../workers/supervise.ts';
import type { RoleContext } from './context.ts';

/** Starts processes that answer requests on the port and with the databases of this one. */
export async function openWorkers(
	{ config, secret, log, opened }: RoleContext,
	options: {
		targets: Stores['targets'];
		at: ListenAt;
		isInherited: boolean;
		addressAt(port: number): string;
		metrics: Metrics;
	},
): Promise<Workers> {
	const { targets, at, isInherited, addressAt, metrics } = options;
	const workers = await startWorkers({
		setup: (port) => ({
			config: { ...config, roles: config.roles.filter((role) => role === 'collect' || role === 'api') },
			secret,
			...targets,
			workers: config.workers,
			address: addressAt(port),
			isInherited,
		}),
		at,
		unavailable: answerUnavailable,
		allMetrics: () => metrics.text(),
		// Longer than the shutdown of a worker may take.
		stopWithinMs: (config.drainSeconds + config.stopSeconds) * 1000 + 5_000,
		log,
	});
	opened.push(() => workers.stop());
	metrics.gauge('tidemark_workers', 'Workers that are ready.', workers.count);
	metrics.gather(async () => addUpMetrics([await metrics.own(), ...(await workers.metrics())]));
	return workers;
}

/** The live tail comes from the processes that ingest: this one, or its workers. */
export const withWorkersTail = (
	collect: IngestServices | undefined,
	workers: Workers | undefined,
): IngestServices | undefined =>
	collect && workers
		? { ...collect, liveTail: { ...collect.liveTail, subscribe: workers.subscribe } }
		: collect;
