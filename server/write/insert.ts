import type { Log } from '../lib/log.ts';
import type { Postgres } from '../store/postgres.ts';
import { sql, value } from '../store/sql.ts';
import type { Line, WriterServices } from './batch.ts';

/**
 * One block, one token. The token names these very bytes: a repeat of the same insert is dropped by ClickHouse, and a
 * token is never used for anything else. When ClickHouse cannot read a line, the block is halved until the line is found;
 * it is put aside with its reason, and the others flow.
 */
export async function insertLines(
	services: Pick<WriterServices, 'clickhouse' | 'postgres' | 'log' | 'signal'>,
	batch: number,
	lines: readonly Line[],
	token = `${batch}`,
): Promise<void> {
	try {
		const { writtenRows } = await services.clickhouse.insert({
			table: 'events',
			lines: lines.map((line) => line.text).join('\n'),
			token,
			// One name for all pieces of a batch, so that recovery can end whichever is running.
			queryId: queryIdOf(batch),
			signal: services.signal(),
		});
		if (writtenRows !== lines.length) {
			throw new Error(`ClickHouse wrote ${writtenRows} rows of ${lines.length} in batch ${token}.`);
		}
	} catch (error) {
		if (!isUnreadable(error)) throw error;
		if (lines.length === 1) return putAside(services, lines[0], error);
		const half = Math.ceil(lines.length / 2);
		await insertLines(services, batch, lines.slice(0, half), `${token}.0`);
		await insertLines(services, batch, lines.slice(half), `${token}.1`);
	}
}

export const queryIdOf = (batch: number): string => `batch-${batch}`;

/** ClickHouse's words for input that it cannot make a row of. Nothing was written then. */
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

async function putAside(
	{ postgres, log }: { postgres: Postgres; log: Log },
	line: Line | undefined,
	error: unknown,
) {
	if (!line) return;
	log.error({ websiteId: line.websiteId }, 'an event could not be written and was put aside');
	const reason = error instanceof Error ? error.message.slice(0, 500) : String(error);
	await postgres.run(sql`
		INSERT INTO dead_letters (website_id, event_id, line, reason) VALUES (
			${value(line.websiteId)}, ${value(line.eventId)}, ${value(line.text)}, ${value(reason)})
		ON CONFLICT (website_id, event_id) DO NOTHING`);
}
