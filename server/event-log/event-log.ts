/**
 * The event log stores acknowledged events until the writer has inserted them into ClickHouse.
 *
 * `append` resolves when the events are on disk, and only then is a hit answered. Events that arrive during a commit form the next
 * group: one row and one fsync for all of them. So the log takes thousands of events per second with a few dozen commits, and without
 * load an event is committed at once.
 *
 * The log is a PostgreSQL table with one partition (postgres-log.ts) or several NATS JetStream streams (jetstream-log.ts). The id of an
 * event decides its partition. Each partition is ordered and has one writer.
 *
 * In the table, `seq` follows the order of commits, because the SQL function holds a lock until the commit. A reader that takes all rows
 * after the last one it saw therefore misses nothing, even with several collectors.
 *
 * `release` frees rows in the transaction in which the writer finishes a batch. Until then they are the only copy of their events, and
 * after a crash the next writer finds them.
 *
 * Code outside this folder does not depend on how the log is stored.
 */
import type { Queries } from '../store/postgres.ts';

/** An event with the fields that the writer needs without parsing its line. */
export type LoggedEvent = {
	websiteId: number;
	date: string;
	visitorId: string;
	eventId: string;
	isPageview: boolean;
	/** It may have been written days ago, so look for it in ClickHouse first. */
	mayRepeat: boolean;
	/** The event as JSONEachRow, without a line break. */
	line: string;
};

/** What else is counted of a dropped hit: its hostname if it is foreign, or the traffic rule that dropped it. */
export type DropDetail = { hostname?: string; ruleId?: number };

/** `hostnames` counts the first few hostnames of hits that were dropped as foreign, `rules` the hits that each rule dropped. */
export type DropCount = {
	websiteId: number;
	date: string;
	reason: string;
	count: number;
	hostnames?: Map<string, number>;
	rules?: Map<number, number>;
};

/** A position in the log, and when it was appended. */
export type LogPosition = { seq: number; appendedAt: Date };

/** A group as the writer reads it. */
export type LogRow = LogPosition & {
	header: Header;
	lines: string;
	/** Set when the group cannot be read. It has no events then, and its body goes to the dead letters. */
	unreadable?: { reason: string; body: Buffer };
};

/** Parallel arrays with short names, because every group has a header. One element per line. */
export type Header = {
	/** Format version. */
	f?: number;
	/** Websites, dates, visitor ids, event ids, and whether it is a page view. */
	w: number[];
	d: string[];
	v: string[];
	i: string[];
	p: (0 | 1)[];
	/** The indexes of events that may repeat; missing in most groups. */
	c?: number[];
	/** Website, date, reason and count. */
	drops: [number, string, string, number][];
	/** Website, date, foreign hostname and count; missing in most groups. */
	hosts?: [number, string, string, number][];
	/** Website, date, rule and count; missing in most groups. */
	rules?: [number, string, number, number][];
};

export type ReadLimits = { rows: number; events: number; bytes: number };

/** The log is full or not available. The hit is answered 503 and may be sent again. */
export class EventLogFull extends Error {}

/** An ordered part of the log that one writer reads. */
export type LogPartition = {
	/** 0 is the PostgreSQL table. */
	number: number;
	/** A new writer calls it before it reads. In a recreated partition, rows that were taken before no longer exist. */
	begin(): Promise<{ isRecreated: boolean }>;
	/** Reads rows after `after`, or after the released ones; oldest first, at least one, up to the limits. */
	read(after: number | undefined, limits: ReadLimits): Promise<LogRow[]>;
	readRange(first: number, last: number): Promise<LogRow[]>;
	/** Marks rows as written, in the transaction that finishes their batch. */
	release(tx: Queries, first: number, last: LogPosition): Promise<void>;
	/** Deletes rows up to this one after that transaction. */
	forget(last: LogPosition): Promise<void>;
};

export type Lag = { rows: number; bytes: number; oldestMs: number };

/** Events of a website up to this position are erased. */
type ErasedUntil = { seq: number; at: Date };

/** Events that are not written yet. */
export type PendingEvents = {
	/** The oldest one. */
	oldest(): Promise<LogPosition | undefined>;
	isBefore(position: LogPosition, until: ErasedUntil): boolean;
};

export type EventLog = PendingEvents & {
	/** Resolves when the events are on disk. */
	append(events: readonly LoggedEvent[]): Promise<void>;
	/** Stored with the next group, or within a second. A crash may lose them. */
	countDrop(drop: Pick<DropCount, 'websiteId' | 'date' | 'reason'>, detail?: DropDetail): void;
	partitions: readonly LogPartition[];
	/** How far the writer is behind. */
	lag(): Promise<Lag>;
	/** Resolves when all events that are acknowledged now are written. */
	drained(): Promise<void>;
	/** Whether the log accepts events. Never throws. */
	ping(): Promise<boolean>;
	close(): Promise<void>;
};
