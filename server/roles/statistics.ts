import { createOpenDays } from '../derive/open-days.ts';
import { createStats, type Stats } from '../stats/ask.ts';
import type { ClickHouse } from '../store/clickhouse.ts';
import type { Base } from './base.ts';

/** Answers: api gives them to people, jobs put them into reports. */
export function openStatistics({ config, postgres, now, log, opened }: Base, clickhouse: ClickHouse): Stats {
	const openDays = createOpenDays({ postgres, clickhouse, now, log });
	opened.push(() => openDays.close());
	const engineMemoryMb = config.clickhouseUrl === undefined ? config.engineMemoryMb : undefined;
	return createStats({ postgres, clickhouse, openDays, now, engineMemoryMb });
}
