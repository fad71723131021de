import type { EventLog } from '../store/event-log.ts';
import type { Queries } from '../store/postgres.ts';
import { sql } from '../store/sql.ts';

type Gauge = (name: string, help: string, read: () => Promise<number>) => void;

/** How far the writer is behind, for whoever watches from outside. What cannot be asked is not a number. */
export function tellLag(eventLog: EventLog, postgres: Queries, gauge: Gauge): void {
	const read = (of: () => Promise<number>) => () => of().catch(() => Number.NaN);
	gauge(
		'tidemark_event_log_bytes',
		'Bytes of acknowledged events that are not yet written.',
		read(async () => (await eventLog.lag()).bytes),
	);
	gauge(
		'tidemark_event_log_oldest_seconds',
		'For how long the oldest acknowledged event waits to be written.',
		read(async () => (await eventLog.lag()).oldestMs / 1000),
	);
	gauge(
		'tidemark_event_log_missing_messages',
		'Messages that were missing in the streams of NATS.',
		read(() => countMissing(postgres)),
	);
	gauge(
		'tidemark_dead_letters',
		'Events and groups of events that could not be written and were put aside.',
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
