import { join } from 'node:path';
import { type ApiParts, type AppOptions, createApp } from '../http/app.ts';
import type { SharedRateLimits } from '../http/auth/shared-rate-limits.ts';
import { createGracefulShutdown } from '../http/ops/graceful-shutdown.ts';
import type { Metrics } from '../http/ops/metrics.ts';
import type { ProxyCheck } from '../http/ops/proxy-check.ts';
import type { IngestServices } from '../ingest/ingest.ts';
import type { Stats } from '../stats/answer/ask.ts';
import type { ClickHouse } from '../store/clickhouse.ts';
import { openApi } from './api.ts';
import type { RoleContext } from './context.ts';
import type { Notifications } from './notifications.ts';
import type { PublicAddress } from './public-address.ts';

/** Builds the HTTP server of the service, or of a worker, without listening yet. */
export async function openHttpServer(
	context: RoleContext,
	services: {
		collect: IngestServices | undefined;
		clickhouse: ClickHouse | undefined;
		stats: Stats | undefined;
		notifications: Notifications;
		proxies: ProxyCheck;
		publicAddress: PublicAddress;
		packageFolder: string;
		version: string;
		metrics: Metrics;
		health: AppOptions['health'];
		/** Whether other processes accept connections from the same socket. */
		isShared: boolean;
		counts?: SharedRateLimits;
	},
): Promise<{ app: Awaited<ReturnType<typeof createApp>>; api: ApiParts | undefined }> {
	const { config, now, log, opened } = context;
	const { collect, clickhouse, stats, proxies, publicAddress, packageFolder, metrics, health, counts } =
		services;
	const api =
		clickhouse && stats && collect && config.roles.includes('api')
			? openApi(context, { ...services, clickhouse, stats, collect })
			: undefined;
	const leaving = createGracefulShutdown();
	const app = await createApp({
		config,
		now,
		baseUrl: publicAddress.current,
		proxies,
		metrics,
		log,
		api,
		health,
		leaving,
		...(counts && { counts }),
		collect:
			collect && config.roles.includes('collect')
				? { services: collect, trackerFolder: join(packageFolder, 'dist', 'tracker') }
				: undefined,
	});
	opened.push(() =>
		leaving.shutDown(app, {
			isShared: services.isShared,
			drainMs: config.drainSeconds * 1000,
			withinMs: config.stopSeconds * 1000,
		}),
	);
	// Runs before the shutdown of the server, which waits for every response; a live stream never ends by itself.
	opened.push(async () => api?.services.live.close());
	// Nor should it wait for an import upload, which the client can repeat.
	opened.push(async () => api?.services.imports.reader.close());
	return { app, api };
}
