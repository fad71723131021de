/**
 * The event log: what stands between an acknowledged event and its row in ClickHouse.
 *
 * `append` resolves when the events are on disk, and only then is a hit answered. Events that arrive while one commit is
 * under way form the next group: one row, one fsync for all of them. So under load the log takes thousands of events a
 * second with a few dozen commits, and without load an event waits for nobody.
 *
 * It has one partition, a table of PostgreSQL (this file), or several, which are streams of NATS JetStream (jetstream-log.ts).
 * An event is always in the same partition, by its id; each partition has an order, and is written by one writer.
 *
 * In the table, `seq` gives the order of commits (the SQL function takes a lock that is held until the commit). A reader that
 * takes everything after the last row it saw therefore misses nothing, whatever number of collectors append.
 *
 * Rows are given free by `release`, in the transaction in which the writer notes what it did. Until then they are the only
 * copy of an acknowledged event, and whatever dies in between, the next writer finds them.
 *
 * Nothing above this file knows what the log is made of.
 */
import type { Log } from '../lib/log.ts';
import { locks } from './locks.ts';
import { createDrops, createGroups, decode, emptyHeader, encode } from './log-groups.ts';
import type { Postgres, Queries } from './postgres.ts';
import { type Param, type Sql, sql, value } from './sql.ts';

/** What the writer must know of an event without parsing its line. */
export type LoggedEvent = {
	websiteId: number;
	date: string;
	visitorId: string;
	eventId: string;
	isPageview: boolean;
	/** It may have been written days ago: ask ClickHouse before writing it. */
	mayRepeat: boolean;
	/** One line of JSONEachRow, without its line end. */
	line: string;
};

/** `hostnames`: how often each, of those that were dropped for being foreign; the first few. */
export type DropCount = {
	websiteId: number;
	date: string;
	reason: string;
	count: number;
	hostnames?: Map<string, number>;
};

/** Where something stands in the log, and when it came there. */
export type LogPlace = { seq: number; appendedAt: Date };

/** A group as the writer reads it. `lines` are in the order of `events`. */
export type LogRow = LogPlace & {
	header: Header;
	lines: string;
	/** Nobody can read it: it has no events then, and is put aside as it is. */
	unreadable?: { reason: string; body: Buffer };
};

/** Parallel arrays, short names: a header is written and parsed for every group. */
export type Header = {
	/** The form of the group. */
	f?: number;
	w: number[];
	d: string[];
	v: string[];
	i: string[];
	p: (0 | 1)[];
	/** Missing in most groups: the places of events that may repeat. */
	c?: number[];
	drops: [number, string, string, number][];
	/** Missing in most groups: website, date, a foreign hostname, and how often. */
	hosts?: [number, string, string, number][];
};

type Limits = { rows: number; events: number; bytes: number };

/** The log cannot take more: the hit is answered 503 and may be sent again. */
export class EventLogFull extends Error {}

/** A part of the log that one writer reads, in its order. */
export type LogPartition = {
	/** 0 is the table. */
	number: number;
	/** Before anything is read by a new writer. Whether it was made anew: then rows that were taken before are gone. */
	begin(): Promise<{ isAnew: boolean }>;
	/** Rows after `seq`, or after what was released; oldest first, up to about so many events and bytes. */
	read(after: number | undefined, limits: Limits): Promise<LogRow[]>;
	readRange(first: number, last: number): Promise<LogRow[]>;
	/** In the transaction that ends what was done with them. */
	release(tx: Queries, first: number, last: LogPlace): Promise<void>;
	/** After that transaction: they may be taken off the disk. */
	forget(last: LogPlace): Promise<void>;
};

export type Lag = { rows: number; bytes: number; oldestMs: number };

/** Until when something in the log was told to be forgotten. */
type Until = { seq: number; at: Date };

/** What others may ask about what waits. */
export type Waiting = {
	/** The oldest that is not written. */
	oldest(): Promise<LogPlace | undefined>;
	/** Whether it came before that moment. */
	isBefore(place: LogPlace, until: Until): boolean;
};

export type EventLog = Waiting & {
	/** Resolves when the events are durable. */
	append(events: readonly LoggedEvent[]): Promise<void>;
	/** Counted with the next group, or soon without one. Drops are not promised: a kill may lose those of a second. */
	countDrop(drop: Pick<DropCount, 'websiteId' | 'date' | 'reason'>, hostname?: string): void;
	partitions: readonly LogPartition[];
	/** How far the writer is behind. */
	lag(): Promise<Lag>;
	/** Everything that was acknowledged so far: waits until it is written. */
	drained(): Promise<void>;
	/** Whether it takes events; it never throws. */
	ping(): Promise<boolean>;
	close(): Promise<void>;
};

/** The session lock of the writer of a partition, as PostgreSQL numbers it. */
export const writerLock = (partition: Sql | Param): Sql =>
	sql`(${partition}::bigint << 32) | ${value(locks.writer)}::bigint`;

const noLimits: Limits = { rows: 1e9, events: 1e15, bytes: 1e15 };
const flushDropsEveryMs = 1_000;
const lookEveryMs = 50;

export function createEventLog(
	postgres: Postgres,
	options: { log: Log; maxWaiting: number; maxLogBytes: number },
): EventLog {
	const { log, maxWaiting, maxLogBytes } = options;
	const drops = createDrops(maxWaiting);
	let logBytes = 0;
	let closed = false;

	const groups = createGroups({ write, maxBytes: Number.POSITIVE_INFINITY });

	async function write(events: readonly LoggedEvent[]) {
		const counted = drops.take();
		if (events.length === 0 && counted.length === 0) return;
		try {
			const { header, lines } = encode(events, counted);
			await postgres.run(sql`SELECT append_to_event_log(${value(header)}, ${value(lines)})`);
			logBytes += lines.length;
		} catch (error) {
			drops.giveBack(counted);
			throw error;
		}
	}

	const flushDrops = setInterval(() => {
		if (drops.size() === 0 || closed) return;
		groups.add([]).catch((error) => log.warn({ error }, 'drops could not be noted'));
	}, flushDropsEveryMs);
	flushDrops.unref();

	const measure = setInterval(() => {
		lagOf(postgres).then(
			({ bytes }) => {
				logBytes = bytes;
			},
			() => undefined,
		);
	}, 1_000);
	measure.unref();

	return {
		append(events) {
			if (closed) return Promise.reject(new EventLogFull('The service is stopping.'));
			if (groups.waitingEvents() + events.length > maxWaiting)
				return Promise.reject(new EventLogFull('Too many events wait for the disk.'));
			if (logBytes > maxLogBytes) return Promise.reject(new EventLogFull('The event log is full.'));
			return groups.add(events);
		},
		countDrop: drops.count,
		partitions: [tablePartition(postgres)],
		...waitingInTable(postgres),
		lag: () => lagOf(postgres),
		drained: () => drainedTable(postgres),
		ping: () => postgres.ping(),
		async close() {
			closed = true;
			clearInterval(flushDrops);
			clearInterval(measure);
			await groups.settled();
			// PostgreSQL may be away just now; nobody was promised these.
			if (drops.size() > 0) await write([]).catch((error) => log.warn({ error }, 'drops could not be noted'));
		},
	};
}

export const waitingInTable = (postgres: Queries): Waiting => ({
	async oldest() {
		const [row] = await postgres.rows<LogPlace>(
			sql`SELECT seq, appended_at AS "appendedAt" FROM event_log ORDER BY seq LIMIT 1`,
		);
		return row;
	},
	isBefore: (place, until) => place.seq <= until.seq,
});

export const tablePartition = (postgres: Queries): LogPartition => ({
	number: 0,
	begin: async () => ({ isAnew: false }),
	read: (after = 0, limits) => readRows(postgres, sql`seq > ${value(after)}`, limits),
	readRange: (first, last) =>
		readRows(postgres, sql`seq BETWEEN ${value(first)} AND ${value(last)}`, noLimits),
	async release(tx, first, { seq }) {
		// Hits wait for the disk behind every commit that does. What this transaction says can be said again: when a power cut
		// takes it back, the rows and their batch are there and the events are found in ClickHouse, as if it had not come so far.
		await tx.run(sql`SET LOCAL synchronous_commit = off`);
		await tx.run(sql`DELETE FROM event_log WHERE seq BETWEEN ${value(first)} AND ${value(seq)}`);
	},
	forget: async () => undefined,
});

export async function drainedTable(postgres: Queries): Promise<void> {
	const [target] = await postgres.rows<{ seq: number }>(sql`SELECT last_value AS seq FROM event_log_seq`);
	await untilTrue(async () => {
		const open = await postgres.rows(
			sql`SELECT 1 FROM event_log WHERE seq <= ${value(target?.seq ?? 0)} LIMIT 1`,
		);
		return open.length === 0;
	});
}

export async function untilTrue(isSo: () => Promise<boolean>): Promise<void> {
	while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
}

/** A run of whole rows from the oldest on; always at least one, so that a large one is never stuck. */
async function readRows(postgres: Queries, where: Sql, limits: Limits): Promise<LogRow[]> {
	const rows = await postgres.rows<{ seq: number; appendedAt: Date; header: string; lines: string }>(sql`
		SELECT seq, appended_at AS "appendedAt", header, lines FROM (
			SELECT *, sum(bytes) OVER (ORDER BY seq) - bytes AS before FROM event_log WHERE ${where} ORDER BY seq LIMIT ${value(limits.rows)}
		) run WHERE before < ${value(limits.bytes)} ORDER BY seq`);
	const taken: LogRow[] = [];
	let events = 0;
	for (const { seq, appendedAt, header, lines } of rows) {
		const row = toRow({ seq, appendedAt }, header, lines);
		if (taken.length > 0 && events + row.header.w.length > limits.events) break;
		events += row.header.w.length;
		taken.push(row);
	}
	return taken;
}

export function toRow(
	place: LogPlace,
	header: string,
	lines: string,
	body = Buffer.from(`${header}\n${lines}`),
): LogRow {
	const decoded = decode(header, lines);
	if (!('unreadable' in decoded)) return { ...place, ...decoded };
	return {
		...place,
		header: emptyHeader(),
		lines: '',
		unreadable: { reason: decoded.unreadable, body },
	};
}

/** Events; it reads every header. */
export async function countWaiting(postgres: Queries): Promise<number> {
	const [row] = await postgres.rows<{ events: number }>(
		sql`SELECT coalesce(sum(json_array_length(header::json -> 'w')), 0)::bigint AS events FROM event_log`,
	);
	return row?.events ?? 0;
}

export async function lagOf(postgres: Queries): Promise<Lag> {
	const [row] = await postgres.rows<{ rows: number; bytes: number; oldest: number }>(sql`
		SELECT count(*) AS rows, coalesce(sum(bytes), 0)::bigint AS bytes,
			coalesce(extract(epoch FROM clock_timestamp() - min(appended_at)) * 1000, 0)::float8 AS oldest
		FROM event_log`);
	return { rows: row?.rows ?? 0, bytes: row?.bytes ?? 0, oldestMs: row?.oldest ?? 0 };
}
