import type { EventLog } from '../event-log/event-log.ts';
import type { Queries } from '../store/postgres.ts';
import { sql } from '../store/sql.ts';

type Gauge = (name: string, help: string, read: () => Promise<number>) => void;

/** Metrics of how far the writer is behind. A value that cannot be read is NaN. */
export function describeLag(eventLog: EventLog, postgres: Queries, gauge: Gauge): void {
	const read = (measure: () => Promise<number>) => () => measure().catch(() => Number.NaN);
	gauge(
		'tidemark_event_log_bytes',
		'Bytes of acknowledged events that are not yet written.',
		read(async () => (await eventLog.lag()).bytes),
	);
	gauge(
		'tidemark_event_log_oldest_seconds',
		'Age of the oldest acknowledged event that is not yet written.',
		read(async () => (await eventLog.lag()).oldestMs / 1000),
	);
	gauge(
		'tidemark_event_log_missing_messages',
		'Messages that were missing in the NATS streams.',
		read(() => countMissing(postgres)),
	);
	gauge(
		'tidemark_dead_letters',
		'Events and groups of events that could not be written.',
		read(async () => {
			const [row] = await postgres.rows<{ count: number }>(sql`SELECT count(*) AS count FROM dead_letters`);
			return row?.count ?? 0;
		}),
	);
}

async function countMissing(postgres: Queries): Promise<number> {
	const [row] = await postgres.rows<{ missing: number }>(
		sql`SELECT coalesce(sum(last_seq - first_seq + 1), 0)::bigint AS missing FROM log_gaps`,
	);
	return row?.missing ?? 0;
}
