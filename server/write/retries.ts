/**
 * A tracker that got no answer sends its hit again, with the same event id, within a minute. Whether the first one was
 * written is known by the ids of the last five minutes of log time: minutes of the log, not of the clock, because a writer
 * that was away for an hour finds a retry right behind its event all the same.
 *
 * The ids are stored with each batch, so that a restart forgets none; what is too old goes with the next batch. In memory
 * they are kept by the minute, and a minute is forgotten as a whole.
 */
import type { Queries } from '../store/postgres.ts';
import { param, sql, value } from '../store/sql.ts';
import type { Line, WriterServices } from './batch.ts';
import { createEventKeys, type EventKeys, eventKey, keyOfWords } from './event-keys.ts';

/**
 * An event that a server sends with its own id and time may be sent again days later. Its visitor id is then another one,
 * because the salt is; so it is looked for by its website, day and id.
 */
export async function dropWritten(
	{ clickhouse, signal }: Pick<WriterServices, 'clickhouse' | 'signal'>,
	lines: readonly Line[],
): Promise<Line[]> {
	const asked = lines.filter((line) => line.mayRepeat);
	if (asked.length === 0) return [...lines];
	const rows = await clickhouse.rows<{ website_id: number; event_id: string }>(
		sql`SELECT website_id, event_id FROM events
		WHERE (website_id, date) IN (
			SELECT arrayJoin(arrayZip(${param(
				'Array(UInt32)',
				asked.map((line) => line.websiteId),
			)},
				${param(
					'Array(Date)',
					asked.map((line) => line.date),
				)}))
		) AND event_id IN (SELECT arrayJoin(${param(
			'Array(UInt64)',
			asked.map((line) => BigInt(line.eventId)),
		)}))`,
		{ as: 'ingest', name: 'repeats', signal: signal() },
	);
	const written = createEventKeys();
	for (const row of rows) written.add(eventKey(row.website_id, row.event_id));
	return lines.filter((line) => !line.mayRepeat || !written.has(eventKey(line.websiteId, line.eventId)));
}

const keptMs = 5 * 60_000;
const minuteMs = 60_000;

export type RecentEvents = {
	/** The lines that repeat neither a recent event nor an earlier line among them. They are recent from now on. */
	dropRepeats(lines: readonly Line[], appendedUntil: Date): Line[];
	store(tx: Queries, batch: number, appendedUntil: Date, lines: readonly Line[]): Promise<void>;
	count(): number;
	bytes(): number;
};

/** Of a partition; and of the table, which may have been the log until a moment ago. */
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

	/** Forgets what is too old at this time of the log and gives the minute that it belongs to. */
	function minuteOf(appendedUntil: Date) {
		const time = appendedUntil.getTime();
		minutes = minutes.filter((minute) => minute.until >= time - keptMs);
		const last = minutes.at(-1);
		// A clock that was set back must not keep one minute open until it has caught up.
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
			for (let at = 0; at < stored.length; at += 12) {
				keys.add(
					keyOfWords(stored.readUInt32LE(at), stored.readUInt32LE(at + 4), stored.readUInt32LE(at + 8)),
				);
			}
		},
		dropRepeats(lines, appendedUntil) {
			const current = minuteOf(appendedUntil);
			const earlier = minutes.filter((minute) => minute !== current);
			return lines.filter((line) => {
				const key = eventKey(line.websiteId, line.eventId);
				return !earlier.some((minute) => minute.keys.has(key)) && current.keys.add(key);
			});
		},
		async store(tx, batch, appendedUntil, lines) {
			await tx.run(sql`
				INSERT INTO recent_events (batch, partition, appended_until, keys)
				VALUES (${value(batch)}, ${value(partition)}, ${value(appendedUntil)}, ${value(pack(lines))})`);
			await tx.run(sql`
				DELETE FROM recent_events WHERE partition = ${value(partition)}
					AND appended_until < ${value(new Date(appendedUntil.getTime() - keptMs))}`);
		},
		count: () => minutes.reduce((sum, minute) => sum + minute.keys.size(), 0),
		bytes: () => minutes.reduce((sum, minute) => sum + minute.keys.bytes(), 0),
	};
}

/** Twelve bytes an event: its website and its id, the lower half first. */
function pack(lines: readonly Line[]): Buffer {
	const bytes = Buffer.allocUnsafe(lines.length * 12);
	lines.forEach((line, index) => {
		bytes.writeUInt32LE(line.websiteId, index * 12);
		bytes.writeBigUInt64LE(BigInt(line.eventId), index * 12 + 4);
	});
	return bytes;
}
