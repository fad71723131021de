/**
 * Dead letters: events that ClickHouse rejected and groups of the event log that could not be read. They are kept until the operator
 * retries or drops them. A retry appends them to the event log again; the writer then checks that ClickHouse does not have them yet.
 */
import type { EventLog, LoggedEvent } from '../event-log/event-log.ts';
import { decode, decodeGroup, eventsOf } from '../event-log/group-format.ts';
import { AppError } from '../lib/app-error.ts';
import type { Postgres, Queries } from '../store/postgres.ts';
import { type Sql, sql, value } from '../store/sql.ts';

/** Dead letters with these ids, or all. */
export type Chosen = { ids: readonly number[] } | 'all';

export type DeadLetter = {
	id: number;
	/** Null for a group. */
	websiteId: number | null;
	eventId: string | null;
	reason: string;
	bytes: number;
	putAsideAt: Date;
};

const listedAtOnce = 1_000;

/** Oldest first. */
export async function listDeadLetters(postgres: Queries): Promise<DeadLetter[]> {
	return postgres.rows<DeadLetter>(sql`
		SELECT id, website_id AS "websiteId", event_id::text AS "eventId", reason,
			coalesce(octet_length(body), octet_length(line)) AS bytes, put_aside_at AS "putAsideAt"
		FROM dead_letters ORDER BY id LIMIT ${value(listedAtOnce)}`);
}

const isChosen = (chosen: Chosen): Sql =>
	chosen === 'all' ? sql`true` : sql`id = ANY(${value(chosen.ids)}::bigint[])`;

/** Deletes dead letters. Returns how many. */
export async function dropDeadLetters(postgres: Queries, chosen: Chosen): Promise<number> {
	const dropped = await postgres.run(sql`DELETE FROM dead_letters WHERE ${isChosen(chosen)}`);
	if (dropped === 0 && chosen !== 'all') throw notThere();
	return dropped;
}

const notThere = () =>
	new AppError(
		'not_found',
		'There is no dead letter with this id. Run `tidemark dead-letters list` to see all.',
	);

type Letter = { id: number; line: string; body: Buffer | null };

/**
 * Appends dead letters to the event log again. Those that still cannot be read are left. A row is deleted in a transaction that commits
 * after its events are in the log; a writer that moves the same event to dead letters meanwhile waits for that transaction.
 */
export async function retryDeadLetters(
	{ postgres, eventLog }: { postgres: Postgres; eventLog: Pick<EventLog, 'append'> },
	chosen: Chosen,
): Promise<{ events: number; left: number }> {
	const letters = await postgres.rows<Letter>(
		sql`SELECT id, line, body FROM dead_letters WHERE ${isChosen(chosen)} ORDER BY id`,
	);
	if (letters.length === 0 && chosen !== 'all') throw notThere();
	const count = { events: 0, left: 0 };
	for (const letter of letters) {
		const events = readEvents(letter);
		if (!events) {
			count.left++;
			continue;
		}
		await postgres.transaction(async (tx) => {
			const taken = await tx.run(sql`DELETE FROM dead_letters WHERE id = ${value(letter.id)}`);
			if (taken === 0) return;
			await eventLog.append(events);
			count.events += events.length;
		});
	}
	return count;
}

/** Undefined when the letter cannot be read. */
function readEvents({ line, body }: Letter): LoggedEvent[] | undefined {
	const decoded = body ? decodeGroup(body.toString()) : decode(headerOf(line), line);
	if ('unreadable' in decoded) return undefined;
	// They may have been written before, so the writer must look for them in ClickHouse.
	return eventsOf(decoded).map((event) => ({ ...event, mayRepeat: true }));
}

/** The header of a group with this event alone. */
function headerOf(line: string): string {
	// Our own JSON, with the columns of the table `events`.
	const event = JSON.parse(line) as Record<string, unknown>;
	return JSON.stringify({
		w: [event.website_id],
		d: [event.date],
		v: [String(event.visitor_id)],
		i: [String(event.event_id)],
		p: [event.kind === 'pageview' ? 1 : 0],
		drops: [],
	});
}
