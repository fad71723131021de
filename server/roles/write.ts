import type { ClickHouse } from '../store/clickhouse.ts';
import type { EventLog } from '../store/event-log.ts';
import { startWriter, type Writer } from '../write/writer.ts';
import type { Base } from './base.ts';
import { startLater } from './start-later.ts';

/** Moves events from the log into ClickHouse. Of several processes one does it, the others stand by. */
export function openWrite(
	{ postgres, now, log, opened }: Base,
	{ clickhouse, eventLog, ready }: { clickhouse: ClickHouse; eventLog: EventLog; ready: Promise<void> },
): Pick<Writer, 'drain'> {
	const writer = startLater(ready, () => startWriter({ postgres, clickhouse, eventLog, now, log }));
	opened.push(() => writer.stop());
	return { drain: async () => (await writer.started)?.drain() };
}
