/**
 * A tracker without a response sends its hit again within a minute, with the same event id. The writer recognizes such retries by the
 * event ids of the last five minutes. Minutes are those of `appendedAt`, because a writer that was down for an hour still finds a retry
 * right after its event.
 *
 * The ids are stored with each batch, so a restart keeps them; expired ids are deleted with the next batch. In memory they are grouped
 * by minute and expire together.
 */
import type { LoggedEvent } from '../event-log/event-log.ts';
import type { Queries } from '../store/postgres.ts';
import { param, sql, value } from '../store/sql.ts';
import type { WriterServices } from './batch.ts';
import { createEventKeys, type EventKeys, eventKey, keyOfWords } from './event-keys.ts';

/**
 * How far apart the dates of an event and its retry can be. The retry comes up to 7 days later; each can be dated up to 7 days back and
 * a few minutes ahead; a change of time zone shifts a date by one more day.
 */
const daysBefore = 16;
const daysAfter = 9;

/**
 * A server may send an event with its own id again days later. The visitor id differs then, because the salt does, and so does the date
 * of an event without a `time`. So ClickHouse is searched by website and event id on all possible dates. Events from servers have no
 * screen; filtering on that small column avoids reading the ids of browser events on other dates.
 */
export async function dropAlreadyWritten(
	{ clickhouse, signal }: Pick<WriterServices, 'clickhouse' | 'signal'>,
	events: readonly LoggedEvent[],
): Promise<LoggedEvent[]> {
	const candidates = events.filter((event) => event.mayRepeat);
	if (candidates.length === 0) return [...events];
	const dates = candidates.map((event) => event.date).sort();
	const rows = await clickhouse.rows<{ website_id: number; event_id: string }>(
		sql`SELECT website_id, event_id FROM events
		WHERE website_id IN (SELECT arrayJoin(${param('Array(UInt32)', [...new Set(candidates.map((event) => event.websiteId))])}))
		AND date BETWEEN ${param('Date', dates[0])} - ${param('UInt8', daysBefore)} AND ${param('Date', dates.at(-1))} + ${param('UInt8', daysAfter)}
		AND (screen = '' OR (website_id, date) IN (
			SELECT arrayJoin(arrayZip(${param(
				'Array(UInt32)',
				candidates.map((event) => event.websiteId),
			)},
				${param(
					'Array(Date)',
					candidates.map((event) => event.date),
				)}))
		)) AND event_id IN (SELECT arrayJoin(${param(
			'Array(UInt64)',
			candidates.map((event) => BigInt(event.eventId)),
		)}))`,
		{ as: 'ingest', name: 'repeats', signal: signal() },
	);
	const written = createEventKeys();
	for (const row of rows) written.add(eventKey(row.website_id, row.event_id));
	return events.filter((event) => !event.mayRepeat || !written.has(eventKey(event.websiteId, event.eventId)));
}

const keptMs = 5 * 60_000;
const minuteMs = 60_000;

export type RecentEvents = {
	/** Removes events that repeat a recent event or an earlier one of the list, and remembers the others. */
	dropRepeats(events: readonly LoggedEvent[], appendedUntil: Date): LoggedEvent[];
	store(tx: Queries, batch: number, appendedUntil: Date, events: readonly LoggedEvent[]): Promise<void>;
	count(): number;
	bytes(): number;
};

/** Loads the ids of a partition, and of partition 0, which may have been the event log until now. */
export async function loadRecentEvents(postgres: Queries, partition: number): Promise<RecentEvents> {
	const rows = await postgres.rows<{ appendedUntil: Date; keys: Buffer }>(
		sql`SELECT appended_until AS "appendedUntil", keys FROM recent_events
			WHERE partition IN (0, ${value(partition)}) ORDER BY batch`,
	);
	const recent = createRecentEvents(partition);
	for (const row of rows) recent.know(row.appendedUntil, row.keys);
	return recent;
}

export function createRecentEvents(
	partition: number,
): RecentEvents & { know(appendedUntil: Date, stored: Buffer): void } {
	let minutes: { from: number; until: number; keys: EventKeys }[] = [];

	/** Removes expired minutes and returns the one that this time belongs to. */
	function minuteOf(appendedUntil: Date) {
		const time = appendedUntil.getTime();
		minutes = minutes.filter((minute) => minute.until >= time - keptMs);
		const last = minutes.at(-1);
		// If the clock is set back, start a new minute rather than extending the last one.
		if (last && Math.abs(time - last.from) < minuteMs) {
			last.until = Math.max(last.until, time);
			return last;
		}
		const fresh = { from: time, until: time, keys: createEventKeys() };
		minutes.push(fresh);
		return fresh;
	}

	return {
		know(appendedUntil, stored) {
			const { keys } = minuteOf(appendedUntil);
			for (let offset = 0; offset < stored.length; offset += 12) {
				const website = stored.readUInt32LE(offset);
				keys.add(keyOfWords(website, stored.readUInt32LE(offset + 4), stored.readUInt32LE(offset + 8)));
			}
		},
		dropRepeats(events, appendedUntil) {
			const current = minuteOf(appendedUntil);
			const earlier = minutes.filter((minute) => minute !== current);
			return events.filter((event) => {
				const key = eventKey(event.websiteId, event.eventId);
				return !earlier.some((minute) => minute.keys.has(key)) && current.keys.add(key);
			});
		},
		async store(tx, batch, appendedUntil, events) {
			await tx.run(sql`
				INSERT INTO recent_events (batch, partition, appended_until, keys)
				VALUES (${value(batch)}, ${value(partition)}, ${value(appendedUntil)}, ${value(pack(events))})`);
			await tx.run(sql`
				DELETE FROM recent_events WHERE partition = ${value(partition)}
					AND appended_until < ${value(new Date(appendedUntil.getTime() - keptMs))}`);
		},
		count: () => minutes.reduce((sum, minute) => sum + minute.keys.size(), 0),
		bytes: () => minutes.reduce((sum, minute) => sum + minute.keys.bytes(), 0),
	};
}

/** Twelve bytes per event: the website id and the event id, little-endian. */
function pack(events: readonly LoggedEvent[]): Buffer {
	const bytes = Buffer.allocUnsafe(events.length * 12);
	events.forEach((event, index) => {
		bytes.writeUInt32LE(event.websiteId, index * 12);
		bytes.writeBigUInt64LE(BigInt(event.eventId), index * 12 + 4);
	});
	return bytes;
}
