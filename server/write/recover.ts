/**
 * A batch that was taken and not finished: its insert may have reached ClickHouse, or half of it (a block that spans two
 * months is two parts), or nothing. First its statement is ended, so that nothing more can arrive; then ClickHouse is asked
 * which of its events are there; what is missing is inserted under a new number. So no token is ever used for other bytes,
 * and a lost de-duplication log does no harm.
 */
import { param, sql, value } from '../store/sql.ts';
import {
	closeBatch,
	daysOf,
	finishBatch,
	keepLive,
	type Line,
	numberBatch,
	type WriterLock,
	type WriterServices,
} from './batch.ts';
import { insertLines, queryIdOf } from './insert.ts';
import { dropWritten, type RecentEvents } from './retries.ts';

export async function recoverBatches(
	services: WriterServices,
	recent: RecentEvents,
	lock: WriterLock,
): Promise<void> {
	const { postgres, clickhouse, partition, log } = services;
	const { isAnew } = await partition.begin();
	const open = await postgres.rows<{ number: number; first: number; last: number }>(
		sql`SELECT number, first_seq AS first, last_seq AS last FROM batches
		WHERE partition = ${value(partition.number)} ORDER BY number`,
	);
	for (const { number, first, last } of open) {
		const rows = isAnew ? [] : await partition.readRange(first, last);
		await clickhouse.kill(queryIdOf(number), { signal: services.signal() });
		const newest = rows.at(-1);
		if (!newest) {
			// Not from the log: the demo's, which knows its own events by their ids when it is run again; or of a log that is gone.
			await closeBatch(postgres, number);
			continue;
		}
		const lines = recent.dropRepeats(await keepLive(services, rows), newest.appendedAt);
		const missing = await dropWritten(services, await findMissing(services, lines));
		log.warn(
			{ batch: number, events: lines.length, missing: missing.length },
			'finishing a batch that was cut short',
		);
		const renamed = await postgres.transaction(async (tx) => {
			await lock.checkWithin(tx);
			await closeBatch(tx, number);
			// They were added to the size of their days when the batch was taken.
			const days = daysOf(rows).map((day) => ({ ...day, events: 0 }));
			return numberBatch(tx, { partition: partition.number, first, last }, days);
		});
		await lock.check();
		if (missing.length > 0) await insertLines(services, renamed, missing);
		await finishBatch(services, { number: renamed, rows }, lines, recent);
	}
}

const askAtOnce = 5_000;

/** The key of the table leads to each event; its own id says that it is the one. */
async function findMissing({ clickhouse, signal }: WriterServices, lines: readonly Line[]): Promise<Line[]> {
	const found = new Set<string>();
	for (let at = 0; at < lines.length; at += askAtOnce) {
		const some = lines.slice(at, at + askAtOnce);
		const rows = await clickhouse.rows<{ website_id: number; event_id: string }>(
			sql`SELECT website_id, event_id FROM events
			WHERE (website_id, date, visitor_id) IN (
				SELECT arrayJoin(arrayZip(${param(
					'Array(UInt32)',
					some.map((line) => line.websiteId),
				)},
					${param(
						'Array(Date)',
						some.map((line) => line.date),
					)},
					${param(
						'Array(UInt64)',
						some.map((line) => BigInt(line.visitorId)),
					)}))
			) AND event_id IN (SELECT arrayJoin(${param(
				'Array(UInt64)',
				some.map((line) => BigInt(line.eventId)),
			)}))`,
			{ as: 'ingest', name: 'recover', signal: signal() },
		);
		for (const row of rows) found.add(`${row.website_id} ${row.event_id}`);
	}
	return lines.filter((line) => !found.has(`${line.websiteId} ${line.eventId}`));
}
