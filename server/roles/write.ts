import type { EventLog } from '../event-log/event-log.ts';
import type { ClickHouse } from '../store/clickhouse.ts';
import { startWriter, type Writer } from '../write/writer.ts';
import type { RoleContext } from './context.ts';
import { startLater } from './start-later.ts';

/** Moves events from the event log into ClickHouse. Of several processes, one does it at a time. */
export function openWrite(
	{ postgres, now, log, opened }: RoleContext,
	{ clickhouse, eventLog, ready }: { clickhouse: ClickHouse; eventLog: EventLog; ready: Promise<void> },
): Pick<Writer, 'drain'> {
	const writer = startLater(ready, () => startWriter({ postgres, clickhouse, eventLog, now, log }));
	opened.push(() => writer.stop());
	return { drain: async () => (await writer.started)?.drain() };
}
