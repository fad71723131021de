import type { Log } from '../lib/log.ts';
import type { ClickHouse } from '../store/clickhouse.ts';
import type { Postgres } from '../store/postgres.ts';
import { sql, value } from '../store/sql.ts';
import type { Line } from './batch.ts';

/**
 * One block, one token. The token names these very bytes: a repeat of the same insert is dropped by ClickHouse, and a
 * token is never used for anything else. When ClickHouse cannot read a line, the block is halved until the line is found;
 * it is put aside with its reason, and the others flow.
 */
export async function insertLines(
	services: { clickhouse: ClickHouse; postgres: Postgres; log: Log },
	token: string,
	lines: readonly Line[],
): Promise<void> {
	try {
		const { writtenRows } = await services.clickhouse.insert({
			table: 'events',
			lines: lines.map((line) => line.text).join('\n'),
			token,
			queryId: queryIdOf(token),
		});
		if (writtenRows !== lines.length) {
			throw new Error(`ClickHouse wrote ${writtenRows} rows of ${lines.length} in batch ${token}.`);
		}
	} catch (error) {
		if (!isUnreadable(error)) throw error;
		if (lines.length === 1) return putAside(services, lines[0], error);
		const half = Math.ceil(lines.length / 2);
		await insertLines(services, `${token}.0`, lines.slice(0, half));
		await insertLines(services, `${token}.1`, lines.slice(half));
	}
}

export const queryIdOf = (token: string): string => `batch-${token}`;

/** ClickHouse's numbers for input that it cannot make a row of. Nothing was written then. */
const unreadable = new Set([
	'6',
	'26',
	'27',
	'38',
	'41',
	'53',
	'69',
	'70',
	'72',
	'117',
	'130',
	'131',
	'321',
	'349',
	'676',
]);

function isUnreadable(error: unknown): boolean {
	return error instanceof Error && 'code' in error && unreadable.has(String(error.code));
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
