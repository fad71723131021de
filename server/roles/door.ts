import { join } from 'node:path';
import type { CollectServices } from '../collect/keep.ts';
import { type ApiParts, type AppOptions, createApp } from '../http/app.ts';
import { createLeaving } from '../http/leave.ts';
import type { Metrics } from '../http/metrics.ts';
import type { SharedCounts } from '../http/shared-counts.ts';
import type { ProxyWatch } from '../http/watch-proxies.ts';
import type { Stats } from '../stats/ask.ts';
import type { ClickHouse } from '../store/clickhouse.ts';
import { openApi } from './api.ts';
import type { Base } from './base.ts';
import type { PublicAddress } from './public-address.ts';
import type { Telling } from './telling.ts';

/** What answers on the port, not yet listening: in the service itself, or in each of its workers. */
export async function openDoor(
	base: Base,
	of: {
		collect: CollectServices | undefined;
		clickhouse: ClickHouse | undefined;
		stats: Stats | undefined;
		telling: Telling;
		proxies: ProxyWatch;
		publicAddress: PublicAddress;
		packageFolder: string;
		version: string;
		metrics: Metrics;
		health: AppOptions['health'];
		/** Whether others take connections from the same socket, also after this process. */
		isShared: boolean;
		counts?: SharedCounts;
	},
): Promise<{ app: Awaited<ReturnType<typeof createApp>>; api: ApiParts | undefined }> {
	const { config, now, log, opened } = base;
	const { collect, clickhouse, stats, proxies, publicAddress, packageFolder, metrics, health, counts } = of;
	const api =
		clickhouse && stats && collect && config.roles.includes('api')
			? openApi(base, { ...of, clickhouse, stats, collect })
			: undefined;
	const leaving = createLeaving();
	const app = await createApp({
		...{ config, now, baseUrl: publicAddress.current, proxies, metrics, log, api, health, leaving },
		...(counts && { counts }),
		collect:
			collect && config.roles.includes('collect')
				? { services: collect, trackerFolder: join(packageFolder, 'dist', 'tracker') }
				: undefined,
	});
	opened.push(() =>
		leaving.leave(app, {
			isShared: of.isShared,
			drainMs: config.drainSeconds * 1000,
			withinMs: config.stopSeconds * 1000,
		}),
	);
	// Before the door closes, which waits for every answer: a stream has no end of its own.
	opened.push(async () => api?.services.live.close());
	return { app, api };
}
