import { createOpenDays } from '../derive/open-days.ts';
import { createStats, type Stats } from '../stats/answer/ask.ts';
import { createResultCache } from '../stats/answer/result-cache.ts';
import type { ClickHouse } from '../store/clickhouse.ts';
import type { RoleContext } from './context.ts';

/** Statistics, for the API and for reports. */
export function openStatistics(
	{ config, postgres, now, log, opened }: RoleContext,
	clickhouse: ClickHouse,
): Stats {
	const openDays = createOpenDays({ postgres, clickhouse, now, log });
	opened.push(() => openDays.close());
	const results = createResultCache();
	opened.push(async () => results.close());
	const engineMemoryMb = config.clickhouseUrl === undefined ? config.engineMemoryMb : undefined;
	return createStats({ postgres, clickhouse, openDays, results, now, engineMemoryMb });
}
