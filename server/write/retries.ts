/**
 * A tracker that got no answer sends its hit again, with the same event id, within a minute. Whether the first one was
 * written is known by the ids of the last five minutes of log time: minutes of the log, not of the clock, because a writer
 * that was away for an hour finds a retry right behind its event all the same.
 *
 * The ids are stored with each batch, so that a restart forgets none; what is too old goes with the next batch.
 */
import type { Queries } from '../store/postgres.ts';
import { param, sql, value } from '../store/sql.ts';
import type { Line, WriterServices } from './batch.ts';

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
	const written = new Set(rows.map((row) => keyOf(row.website_id, row.event_id)));
	return lines.filter((line) => !line.mayRepeat || !written.has(keyOf(line.websiteId, line.eventId)));
}

const keptMs = 5 * 60_000;

export type RecentEvents = {
	/** The lines that are not repeats of a recent event or of an earlier line among them. */
	dropRepeats(lines: readonly Line[]): Line[];
	store(tx: Queries, batch: number, appendedUntil: Date, lines: readonly Line[]): Promise<void>;
	remember(batch: number, appendedUntil: Date, lines: readonly Line[]): void;
};

const keyOf = (websiteId: number, eventId: string) => `${websiteId} ${eventId}`;

export async function loadRecentEvents(postgres: Queries): Promise<RecentEvents> {
	/** Oldest first, so that forgetting takes from the front. */
	const batches: { appendedUntil: number; keys: string[] }[] = [];
	const known = new Set<string>();
	const add = (appendedUntil: number, keys: string[]) => {
		batches.push({ appendedUntil, keys });
		for (const key of keys) known.add(key);
	};
	const rows = await postgres.rows<{ appendedUntil: Date; keys: Buffer }>(
		sql`SELECT appended_until AS "appendedUntil", keys FROM recent_events ORDER BY batch`,
	);
	for (const row of rows) add(row.appendedUntil.getTime(), unpack(row.keys));

	return {
		dropRepeats(lines) {
			const fresh = new Set<string>();
			return lines.filter((line) => {
				const key = keyOf(line.websiteId, line.eventId);
				if (known.has(key) || fresh.has(key)) return false;
				fresh.add(key);
				return true;
			});
		},
		async store(tx, batch, appendedUntil, lines) {
			await tx.run(sql`
				INSERT INTO recent_events (batch, appended_until, keys)
				VALUES (${value(batch)}, ${value(appendedUntil)}, ${value(pack(lines))})`);
			await tx.run(
				sql`DELETE FROM recent_events WHERE appended_until < ${value(new Date(appendedUntil.getTime() - keptMs))}`,
			);
		},
		remember(_batch, appendedUntil, lines) {
			add(
				appendedUntil.getTime(),
				lines.map((line) => keyOf(line.websiteId, line.eventId)),
			);
			const oldest = appendedUntil.getTime() - keptMs;
			while (batches[0] && batches[0].appendedUntil < oldest) {
				for (const key of batches.shift()?.keys ?? []) known.delete(key);
			}
		},
	};
}

function pack(lines: readonly Line[]): Buffer {
	const bytes = Buffer.alloc(lines.length * 12);
	lines.forEach((line, index) => {
		bytes.writeUInt32LE(line.websiteId, index * 12);
		bytes.writeBigUInt64LE(BigInt(line.eventId), index * 12 + 4);
	});
	return bytes;
}

function unpack(bytes: Buffer): string[] {
	const keys: string[] = [];
	for (let at = 0; at < bytes.length; at += 12) {
		keys.push(keyOf(bytes.readUInt32LE(at), String(bytes.readBigUInt64LE(at + 4))));
	}
	return keys;
}
