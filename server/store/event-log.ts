/**
 * The event log: what stands between an acknowledged event and its row in ClickHouse.
 *
 * `append` resolves when the events are on disk, and only then is a hit answered. Events that arrive while one commit is
 * under way form the next group: one row, one fsync for all of them. So under load the log takes thousands of events a
 * second with a few dozen commits, and without load an event waits for nobody.
 *
 * `seq` gives the order of commits (the SQL function takes a lock that is held until the commit). A reader that takes
 * everything after the last row it saw therefore misses nothing, whatever number of collectors append.
 *
 * Rows are deleted by `release`, in the transaction in which the writer notes what it did. Until then they are the only
 * copy of an acknowledged event, and whatever dies in between, the next writer finds them.
 *
 * Nothing above this file knows that the log is a table.
 */
import type { Log } from '../lib/log.ts';
import type { Postgres, Queries } from './postgres.ts';
import { type Sql, sql, value } from './sql.ts';

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

type Drop = Pick<DropCount, 'websiteId' | 'date' | 'reason'>;

/** A group as the writer reads it. `lines` are in the order of `events`. */
export type LogRow = { seq: number; appendedAt: Date; header: Header; lines: string };

/** Parallel arrays, short names: a header is written and parsed for every group. */
type Header = {
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

export type EventLog = {
	/** Resolves when the events are durable. */
	append(events: readonly LoggedEvent[]): Promise<void>;
	/** Counted with the next group, or soon without one. Drops are not promised: a kill may lose those of a second. */
	countDrop(drop: Drop, hostname?: string): void;
	/** Rows after `seq`, oldest first, up to about so many events and bytes. */
	read(tx: Queries, after: number, limits: Limits): Promise<LogRow[]>;
	readRange(tx: Queries, first: number, last: number): Promise<LogRow[]>;
	release(tx: Queries, first: number, last: number): Promise<void>;
	/** How far the writer is behind. */
	lag(): Promise<{ rows: number; bytes: number; oldestMs: number }>;
	lastSeq(tx: Queries): Promise<number>;
	close(): Promise<void>;
};

const noLimits: Limits = { rows: 1e9, events: 1e15, bytes: 1e15 };
const maxGroupEvents = 5_000;
const flushDropsEveryMs = 1_000;
/** Of a website and a date, in one group. */
const maxHostnames = 20;

export function createEventLog(
	postgres: Postgres,
	options: { log: Log; maxWaiting: number; maxLogBytes: number },
): EventLog {
	const { log, maxWaiting, maxLogBytes } = options;
	const waiting: { events: readonly LoggedEvent[]; resolve: () => void; reject: (error: unknown) => void }[] =
		[];
	let waitingEvents = 0;
	let drops = new Map<string, DropCount>();
	let isCommitting = false;
	let logBytes = 0;
	let closed = false;

	async function commit() {
		isCommitting = true;
		while (waiting.length > 0) {
			const group: typeof waiting = [];
			let events = 0;
			while (waiting[0] && (group.length === 0 || events + waiting[0].events.length <= maxGroupEvents)) {
				const entry = waiting.shift();
				if (!entry) break;
				group.push(entry);
				events += entry.events.length;
			}
			waitingEvents -= events;
			await write(group);
		}
		isCommitting = false;
	}

	async function write(group: typeof waiting) {
		const counted = drops;
		drops = new Map();
		try {
			const { header, lines } = encode(
				group.flatMap((entry) => entry.events),
				counted.values(),
			);
			await postgres.run(sql`SELECT append_to_event_log(${value(header)}, ${value(lines)})`);
			logBytes += lines.length;
			for (const entry of group) entry.resolve();
		} catch (error) {
			for (const drop of counted.values()) addDrop(drop, drop.count, drop.hostnames);
			for (const entry of group) entry.reject(error);
		}
	}

	function addDrop({ websiteId, date, reason }: Drop, count: number, hostnames?: Map<string, number>) {
		const key = `${websiteId} ${date} ${reason}`;
		const known = drops.get(key);
		if (!known && drops.size >= maxWaiting) return;
		const drop: DropCount = known ?? { websiteId, date, reason, count: 0 };
		drop.count += count;
		if (!known) drops.set(key, drop);
		for (const [hostname, times] of hostnames ?? []) {
			drop.hostnames ??= new Map();
			const before = drop.hostnames.get(hostname);
			// Anybody can name ever new ones.
			if (before !== undefined || drop.hostnames.size < maxHostnames)
				drop.hostnames.set(hostname, (before ?? 0) + times);
		}
	}

	const flushDrops = setInterval(() => {
		if (drops.size === 0 || isCommitting || closed) return;
		write([]).catch((error) => log.warn({ error }, 'drops could not be noted'));
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
			if (waitingEvents + events.length > maxWaiting)
				return Promise.reject(new EventLogFull('Too many events wait for the disk.'));
			if (logBytes > maxLogBytes) return Promise.reject(new EventLogFull('The event log is full.'));
			return new Promise<void>((resolve, reject) => {
				waiting.push({ events, resolve, reject });
				waitingEvents += events.length;
				if (!isCommitting) commit().catch((error) => log.error({ error }, 'the event log failed'));
			});
		},
		countDrop: (drop, hostname) =>
			addDrop(drop, 1, hostname === undefined ? undefined : new Map([[hostname, 1]])),
		read: (tx, after, limits) => readRows(tx, sql`seq > ${value(after)}`, limits),
		readRange: (tx, first, last) =>
			readRows(tx, sql`seq BETWEEN ${value(first)} AND ${value(last)}`, noLimits),
		async release(tx, first, last) {
			await tx.run(sql`DELETE FROM event_log WHERE seq BETWEEN ${value(first)} AND ${value(last)}`);
		},
		lag: () => lagOf(postgres),
		async lastSeq(tx) {
			const [row] = await tx.rows<{ seq: number }>(sql`SELECT last_value AS seq FROM event_log_seq`);
			return row?.seq ?? 0;
		},
		async close() {
			closed = true;
			clearInterval(flushDrops);
			clearInterval(measure);
			while (isCommitting) await new Promise((resolve) => setTimeout(resolve, 5));
			if (drops.size > 0) await write([]);
		},
	};
}

function encode(
	events: readonly LoggedEvent[],
	drops: Iterable<DropCount>,
): { header: string; lines: string } {
	const header: Header = { w: [], d: [], v: [], i: [], p: [], drops: [] };
	const lines: string[] = [];
	for (const event of events) {
		header.w.push(event.websiteId);
		header.d.push(event.date);
		header.v.push(event.visitorId);
		header.i.push(event.eventId);
		header.p.push(event.isPageview ? 1 : 0);
		if (event.mayRepeat) header.c = [...(header.c ?? []), lines.length];
		lines.push(event.line);
	}
	for (const { websiteId, date, reason, count, hostnames } of drops) {
		header.drops.push([websiteId, date, reason, count]);
		for (const [hostname, times] of hostnames ?? []) {
			header.hosts ??= [];
			header.hosts.push([websiteId, date, hostname, times]);
		}
	}
	return { header: JSON.stringify(header), lines: lines.join('\n') };
}

/** A run of whole rows from the oldest on; always at least one, so that a large one is never stuck. */
async function readRows(tx: Queries, where: Sql, limits: Limits): Promise<LogRow[]> {
	const rows = await tx.rows<{ seq: number; appendedAt: Date; header: string; lines: string }>(sql`
		SELECT seq, appended_at AS "appendedAt", header, lines FROM (
			SELECT *, sum(bytes) OVER (ORDER BY seq) - bytes AS before FROM event_log WHERE ${where} ORDER BY seq LIMIT ${value(limits.rows)}
		) run WHERE before < ${value(limits.bytes)} ORDER BY seq`);
	const taken: LogRow[] = [];
	let events = 0;
	for (const row of rows) {
		// Our own writing, a few lines above.
		const header = JSON.parse(row.header) as Header;
		if (taken.length > 0 && events + header.w.length > limits.events) break;
		events += header.w.length;
		taken.push({ ...row, header });
	}
	return taken;
}

export async function lagOf(postgres: Queries): Promise<{ rows: number; bytes: number; oldestMs: number }> {
	const [row] = await postgres.rows<{ rows: number; bytes: number; oldest: number }>(sql`
		SELECT count(*) AS rows, coalesce(sum(bytes), 0)::bigint AS bytes,
			coalesce(extract(epoch FROM clock_timestamp() - min(appended_at)) * 1000, 0)::float8 AS oldest
		FROM event_log`);
	return { rows: row?.rows ?? 0, bytes: row?.bytes ?? 0, oldestMs: row?.oldest ?? 0 };
}
