/**
 * What could not be written: events that ClickHouse refused, and groups of the log that nobody could read. They wait until the
 * operator has looked. Sent again, they go the way of every event, and ClickHouse is asked for each before it is written.
 */
import { AppError } from '../lib/app-error.ts';
import type { EventLog, LoggedEvent } from '../store/event-log.ts';
import { decode } from '../store/log-groups.ts';
import type { Postgres, Queries } from '../store/postgres.ts';
import { type Sql, sql, value } from '../store/sql.ts';

/** Those with these ids, or all. */
export type Chosen = { ids: readonly number[] } | 'all';

export type DeadLetter = {
	id: number;
	/** Of an event; a group has none. */
	websiteId: number | null;
	eventId: string | null;
	reason: string;
	bytes: number;
	putAsideAt: Date;
};

const listedAtOnce = 1_000;

/** The oldest first. */
export async function listDeadLetters(postgres: Queries): Promise<DeadLetter[]> {
	return postgres.rows<DeadLetter>(sql`
		SELECT id, website_id AS "websiteId", event_id::text AS "eventId", reason,
			coalesce(octet_length(body), octet_length(line)) AS bytes, put_aside_at AS "putAsideAt"
		FROM dead_letters ORDER BY id LIMIT ${value(listedAtOnce)}`);
}

const isChosen = (chosen: Chosen): Sql =>
	chosen === 'all' ? sql`true` : sql`id = ANY(${value(chosen.ids)}::bigint[])`;

/** How many are gone for good. */
export async function dropDeadLetters(postgres: Queries, chosen: Chosen): Promise<number> {
	const dropped = await postgres.run(sql`DELETE FROM dead_letters WHERE ${isChosen(chosen)}`);
	if (dropped === 0 && chosen !== 'all') throw notThere();
	return dropped;
}

const notThere = () =>
	new AppError(
		'not_found',
		'There is no dead letter with such an id; `tidemark dead-letters list` shows them.',
	);

type Letter = { id: number; line: string; body: Buffer | null };

/**
 * Gives them to the log again. One that still cannot be read stays. The row is gone when its events are in the log and not
 * before; whoever puts the same event aside again meanwhile waits for that.
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
		const events = eventsOf(letter);
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

function eventsOf({ line, body }: Letter): LoggedEvent[] | undefined {
	if (!body) return eventOf(line);
	const text = body.toString();
	const end = text.indexOf('\n');
	const decoded = end < 0 ? decode(text, '') : decode(text.slice(0, end), text.slice(end + 1));
	if ('unreadable' in decoded) return undefined;
	const { header, lines } = decoded;
	return (lines === '' ? [] : lines.split('\n')).map((text, index) => ({
		websiteId: header.w[index] ?? 0,
		date: header.d[index] ?? '',
		visitorId: header.v[index] ?? '0',
		eventId: header.i[index] ?? '0',
		isPageview: header.p[index] === 1,
		mayRepeat: true,
		line: text,
	}));
}

/** A line says of its event what the header of its group said. */
function eventOf(line: string): LoggedEvent[] | undefined {
	// Our own writing: the columns of the table.
	const event = JSON.parse(line) as Record<string, unknown>;
	const header = {
		...{ w: [event.website_id], d: [event.date], v: [String(event.visitor_id)], i: [String(event.event_id)] },
		...{ p: [event.kind === 'pageview' ? 1 : 0], drops: [] },
	};
	return 'unreadable' in decode(JSON.stringify(header), line)
		? undefined
		: [
				{
					...{ websiteId: Number(event.website_id), date: String(event.date), line },
					...{ visitorId: String(event.visitor_id), eventId: String(event.event_id) },
					...{ isPageview: event.kind === 'pageview', mayRepeat: true },
				},
			];
}
