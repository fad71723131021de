/**
 * Finishes batches that a crash left open. The insert may have reached ClickHouse in full, in part (a block that spans two months is two
 * parts), or not at all. Recovery kills the statement so that nothing more can arrive, asks ClickHouse which events it has, and inserts
 * the missing ones under a new batch number. So no token is reused for other bytes, and a lost deduplication log does no harm.
 */
import type { LoggedEvent } from '../event-log/event-log.ts';
import { chunk } from '../lib/chunk.ts';
import { listPiece, param, sql, value } from '../store/sql.ts';
import {
	closeBatch,
	daysOf,
	discardErased,
	finishBatch,
	openBatch,
	type WriterLock,
	type WriterServices,
} from './batch.ts';
import { dropAlreadyWritten, type RecentEvents } from './deduplicate.ts';
import { insertEvents, queryIdOf } from './insert.ts';

export async function recoverBatches(
	services: WriterServices,
	recent: RecentEvents,
	lock: WriterLock,
): Promise<void> {
	const { postgres, clickhouse, partition, log } = services;
	const { isRecreated } = await partition.begin();
	const open = await postgres.rows<{ number: number; first: number; last: number }>(
		sql`SELECT number, first_seq AS first, last_seq AS last FROM batches
		WHERE partition = ${value(partition.number)} ORDER BY number`,
	);
	for (const { number, first, last } of open) {
		const rows = isRecreated ? [] : await partition.readRange(first, last);
		await clickhouse.kill(queryIdOf(number), { signal: services.signal() });
		const newest = rows.at(-1);
		if (!newest) {
			// Either it was not from the log (the demo recognizes its own events by id when it runs again), or the log is gone.
			await closeBatch(postgres, number);
			continue;
		}
		const events = recent.dropRepeats(await discardErased(services, rows), newest.appendedAt);
		const missing = await dropAlreadyWritten(services, await findMissing(services, events));
		log.warn(
			{ batch: number, events: events.length, missing: missing.length },
			'recovering an unfinished batch',
		);
		const newNumber = await postgres.transaction(async (tx) => {
			await lock.checkWithin(tx);
			await closeBatch(tx, number);
			// The sizes of these days already include the events since the batch was taken.
			const days = daysOf(rows).map((day) => ({ ...day, events: 0 }));
			return openBatch(tx, { partition: partition.number, first, last }, days);
		});
		await lock.check();
		if (missing.length > 0) await insertEvents(services, newNumber, missing);
		await finishBatch(services, { number: newNumber, rows }, events, recent);
	}
}

/** Uses the primary key of the table to find the events, then compares event ids. */
async function findMissing(
	{ clickhouse, signal }: WriterServices,
	events: readonly LoggedEvent[],
): Promise<LoggedEvent[]> {
	const written = new Set<string>();
	for (const part of chunk(events, listPiece)) {
		const rows = await clickhouse.rows<{ website_id: number; event_id: string }>(
			sql`SELECT website_id, event_id FROM events
			WHERE (website_id, date, visitor_id) IN (
				SELECT arrayJoin(arrayZip(${param(
					'Array(UInt32)',
					part.map((event) => event.websiteId),
				)},
					${param(
						'Array(Date)',
						part.map((event) => event.date),
					)},
					${param(
						'Array(UInt64)',
						part.map((event) => BigInt(event.visitorId)),
					)}))
			) AND event_id IN (SELECT arrayJoin(${param(
				'Array(UInt64)',
				part.map((event) => BigInt(event.eventId)),
			)}))`,
			{ as: 'ingest', name: 'recover', signal: signal() },
		);
		for (const row of rows) written.add(`${row.website_id} ${row.event_id}`);
	}
	return events.filter((event) => !written.has(`${event.websiteId} ${event.eventId}`));
}
