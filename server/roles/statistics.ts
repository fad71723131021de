import { createOpenDays } from '../derive/open-days.ts';
import { createStats, type Stats } from '../stats/answer/ask.ts';
import { createResultCache } from '../stats/answer/result-cache.ts';
import type { ClickHouse } from '../store/clickhouse.ts';
import { websitesChannel } from '../websites/announce.ts';
import type { RoleContext } from './context.ts';

/** Statistics, for the API and for reports. */
export function openStatistics(
	{ config, postgres, now, log, opened }: RoleContext,
	clickhouse: ClickHouse,
): Stats {
	const openDays = createOpenDays({ postgres, clickhouse, now, log });
	opened.push(() => openDays.close());
	const listener = postgres.listen(websitesChannel, (id) => results.forget(Number(id)));
	opened.push(() => listener.close());
	const results = createResultCache({ connectedSince: listener.connectedSince });
	const engineMemoryMb = config.clickhouseUrl === undefined ? config.engineMemoryMb : undefined;
	return createStats({ postgres, clickhouse, openDays, results, now, engineMemoryMb });
}
