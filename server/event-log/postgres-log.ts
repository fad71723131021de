/** The event log as a PostgreSQL table, with one partition. */
import type { Log } from '../lib/log.ts';
import { locks } from '../store/locks.ts';
import type { Postgres, Queries } from '../store/postgres.ts';
import { type Param, type Sql, sql, value } from '../store/sql.ts';
import {
	type EventLog,
	EventLogFull,
	type Lag,
	type LoggedEvent,
	type LogPartition,
	type LogPosition,
	type LogRow,
	type PendingEvents,
	type ReadLimits,
} from './event-log.ts';
import { createDropCounter, createGroupCommit } from './group-commit.ts';
import { decode, encode, toRow } from './group-format.ts';

/** The key of the session lock that the writer of a partition holds. */
export const writerLock = (partition: Sql | Param): Sql =>
	sql`(${partition}::bigint << 32) | ${value(locks.writer)}::bigint`;

const noLimits: ReadLimits = { rows: 1e9, events: 1e15, bytes: 1e15 };
const flushDropsEveryMs = 1_000;
const pollEveryMs = 50;

export function createPostgresLog(
	postgres: Postgres,
	options: { log: Log; maxWaiting: number; maxLogBytes: number },
): EventLog {
	const { log, maxWaiting, maxLogBytes } = options;
	const drops = createDropCounter(maxWaiting);
	let logBytes = 0;
	let closed = false;

	const groups = createGroupCommit({ write, maxBytes: Number.POSITIVE_INFINITY });

	async function write(events: readonly LoggedEvent[]) {
		const counted = drops.take();
		if (events.length === 0 && counted.length === 0) return;
		try {
			const { header, lines } = encode(events, counted);
			await postgres.run(sql`SELECT append_to_event_log(${value(header)}, ${value(lines)})`);
			logBytes += lines.length;
		} catch (error) {
			drops.restore(counted);
			throw error;
		}
	}

	const flushDrops = setInterval(() => {
		if (drops.size() === 0 || closed) return;
		groups.add([]).catch((error) => log.warn({ error }, 'could not store drop counts'));
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
			if (groups.pendingEvents() + events.length > maxWaiting)
				return Promise.reject(new EventLogFull('Too many events wait for the disk.'));
			if (logBytes > maxLogBytes) return Promise.reject(new EventLogFull('The event log is full.'));
			return groups.add(events);
		},
		countDrop: drops.count,
		partitions: [tablePartition(postgres)],
		...pendingInTable(postgres),
		lag: () => lagOf(postgres),
		drained: () => drainedTable(postgres),
		ping: () => postgres.ping(),
		async close() {
			closed = true;
			clearInterval(flushDrops);
			clearInterval(measure);
			await groups.settled();
			// PostgreSQL may be unreachable; losing drop counts is acceptable.
			if (drops.size() > 0)
				await write([]).catch((error) => log.warn({ error }, 'could not store drop counts'));
		},
	};
}

export const pendingInTable = (postgres: Queries): PendingEvents => ({
	async oldest() {
		const [row] = await postgres.rows<LogPosition>(
			sql`SELECT seq, appended_at AS "appendedAt" FROM event_log ORDER BY seq LIMIT 1`,
		);
		return row;
	},
	isBefore: (position, until) => position.seq <= until.seq,
});

export const tablePartition = (postgres: Queries): LogPartition => ({
	number: 0,
	begin: async () => ({ isRecreated: false }),
	read: (after = 0, limits) => readRows(postgres, sql`seq > ${value(after)}`, limits),
	readRange: (first, last) =>
		readRows(postgres, sql`seq BETWEEN ${value(first)} AND ${value(last)}`, noLimits),
	async release(tx, first, { seq }) {
		// A synchronous commit would delay the commits of hits. Losing this transaction in a power cut is safe: the rows and their batch are
		// still there, and recovery finds the events in ClickHouse.
		await tx.run(sql`SET LOCAL synchronous_commit = off`);
		await tx.run(sql`DELETE FROM event_log WHERE seq BETWEEN ${value(first)} AND ${value(seq)}`);
	},
	forget: async () => undefined,
});

export async function drainedTable(postgres: Queries): Promise<void> {
	const [target] = await postgres.rows<{ seq: number }>(sql`SELECT last_value AS seq FROM event_log_seq`);
	await pollUntil(async () => {
		const open = await postgres.rows(
			sql`SELECT 1 FROM event_log WHERE seq <= ${value(target?.seq ?? 0)} LIMIT 1`,
		);
		return open.length === 0;
	});
}

export async function pollUntil(isDone: () => Promise<boolean>): Promise<void> {
	while (!(await isDone())) await new Promise((resolve) => setTimeout(resolve, pollEveryMs));
}

/** Reads rows from the oldest on. Always at least one, so that a large row is not stuck. */
async function readRows(postgres: Queries, where: Sql, limits: ReadLimits): Promise<LogRow[]> {
	const rows = await postgres.rows<{ seq: number; appendedAt: Date; header: string; lines: string }>(sql`
		SELECT seq, appended_at AS "appendedAt", header, lines FROM (
			SELECT *, sum(bytes) OVER (ORDER BY seq) - bytes AS before FROM event_log WHERE ${where} ORDER BY seq LIMIT ${value(limits.rows)}
		) r WHERE before < ${value(limits.bytes)} ORDER BY seq`);
	const taken: LogRow[] = [];
	let events = 0;
	for (const { seq, appendedAt, header, lines } of rows) {
		const row = toRow({ seq, appendedAt }, decode(header, lines), () => Buffer.from(`${header}\n${lines}`));
		if (taken.length > 0 && events + row.header.w.length > limits.events) break;
		events += row.header.w.length;
		taken.push(row);
	}
	return taken;
}

/** The number of events that are not written yet. Reads every header. */
export async function countPendingEvents(postgres: Queries): Promise<number> {
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
