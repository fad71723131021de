import type { LoggedEvent } from '../event-log/event-log.ts';
import type { Log } from '../lib/log.ts';
import type { Postgres } from '../store/postgres.ts';
import { sql, value } from '../store/sql.ts';
import type { WriterServices } from './batch.ts';

/**
 * Inserts events as one block with a deduplication token. ClickHouse ignores a repeat of the same insert, and a token is never reused
 * for other bytes. When ClickHouse cannot parse a line, the block is halved until the line is found and moved to dead letters.
 */
export async function insertEvents(
	services: Pick<WriterServices, 'clickhouse' | 'postgres' | 'log' | 'signal'>,
	batch: number,
	events: readonly LoggedEvent[],
	token = `${batch}`,
): Promise<void> {
	try {
		const { writtenRows } = await services.clickhouse.insert({
			table: 'events',
			lines: events.map(({ line }) => line).join('\n'),
			token,
			// The same id for all blocks of a batch, so that recovery can kill whichever is running.
			queryId: queryIdOf(batch),
			signal: services.signal(),
		});
		if (writtenRows !== events.length) {
			throw new Error(`ClickHouse wrote ${writtenRows} rows of ${events.length} in batch ${token}.`);
		}
	} catch (error) {
		if (!isUnreadable(error)) throw error;
		if (events.length === 1) return moveToDeadLetters(services, events[0], error);
		const half = Math.ceil(events.length / 2);
		await insertEvents(services, batch, events.slice(0, half), `${token}.0`);
		await insertEvents(services, batch, events.slice(half), `${token}.1`);
	}
}

export const queryIdOf = (batch: number): string => `batch-${batch}`;

/** ClickHouse errors for input that it cannot parse. Nothing is written then. */
const unreadable = new Set([
	'ARGUMENT_OUT_OF_BOUND',
	'CANNOT_CONVERT_TYPE',
	'CANNOT_INSERT_NULL_IN_ORDINARY_COLUMN',
	'CANNOT_PARSE_BOOL',
	'CANNOT_PARSE_DATE',
	'CANNOT_PARSE_DATETIME',
	'CANNOT_PARSE_ESCAPE_SEQUENCE',
	'CANNOT_PARSE_INPUT_ASSERTION_FAILED',
	'CANNOT_PARSE_NUMBER',
	'CANNOT_PARSE_QUOTED_STRING',
	'CANNOT_PARSE_TEXT',
	'CANNOT_READ_ALL_DATA',
	'CANNOT_READ_ARRAY_FROM_TEXT',
	'DECIMAL_OVERFLOW',
	'INCORRECT_DATA',
	'TOO_LARGE_STRING_SIZE',
	'TYPE_MISMATCH',
	'UNKNOWN_ELEMENT_OF_ENUM',
	'VALUE_IS_OUT_OF_RANGE_OF_DATA_TYPE',
]);

function isUnreadable(error: unknown): boolean {
	return error instanceof Error && 'type' in error && unreadable.has(String(error.type));
}

async function moveToDeadLetters(
	{ postgres, log }: { postgres: Postgres; log: Log },
	event: LoggedEvent | undefined,
	error: unknown,
) {
	if (!event) return;
	log.error({ websiteId: event.websiteId }, 'event rejected by ClickHouse moved to dead letters');
	const reason = error instanceof Error ? error.message.slice(0, 500) : String(error);
	await postgres.run(sql`
		INSERT INTO dead_letters (website_id, event_id, line, reason) VALUES (
			${value(event.websiteId)}, ${value(event.eventId)}, ${value(event.line)}, ${value(reason)})
		ON CONFLICT (website_id, event_id) DO NOTHING`);
}
