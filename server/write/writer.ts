/**
 * The writer moves events from the event log into ClickHouse, about one insert per second, each event exactly once.
 *
 * 1. One transaction takes the next rows of the log as a numbered batch and marks the days of its events as changed.
 * 2. The batch is inserted as one block; its number is the deduplication token and the query id.
 * 3. One transaction stores drops, usage and event ids, and deletes the rows and the batch.
 *
 * While one batch is being inserted, the next is taken and the previous one finished. There is never more than one insert at a time.
 *
 * A crash between these steps leaves open batches; recover.ts finishes them at the next start. Each partition of the log has one writer,
 * in the process that holds its session lock in PostgreSQL, and the lock is checked before every insert.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { LoggedEvent, LogPartition } from '../event-log/event-log.ts';
import { writerLock } from '../event-log/postgres-log.ts';
import { locks } from '../store/locks.ts';
import type { Queries } from '../store/postgres.ts';
import { sql, value } from '../store/sql.ts';
import {
	type Batch,
	discardErased,
	finishBatch,
	takeBatch,
	type WriterLock,
	type WriterServices,
} from './batch.ts';
import { dropAlreadyWritten, loadRecentEvents, type RecentEvents } from './deduplicate.ts';
import { insertEvents } from './insert.ts';
import { recoverBatches } from './recover.ts';

export type Writer = {
	/** Resolves when all events that are in the log now are written. */
	drain(): Promise<void>;
	stop(): Promise<void>;
};

const everyMs = 1_000;
const retryDelaysMs = [100, 250, 500, 1_000, 2_000, 5_000];

/** Longer than any insert on a healthy ClickHouse. Recovery finds out what an aborted insert has written. */
const statementWithinMs = 60_000;
/** How long a stop waits for a running insert. The next start recovers an aborted one. */
const stopWithinMs = 3_000;

export function startWriter(services: Omit<WriterServices, 'signal' | 'partition'>): Writer {
	const stopping = new AbortController();
	const cutting = new AbortController();
	const signal = () => AbortSignal.any([cutting.signal, AbortSignal.timeout(statementWithinMs)]);
	const { eventLog, postgres, log } = services;
	const pause = (ms: number) => sleep(ms, undefined, { signal: stopping.signal }).catch(() => undefined);

	async function run(partition: LogPartition) {
		let failures = 0;
		while (!stopping.signal.aborted) {
			try {
				await lead({ ...services, partition, signal });
				failures = 0;
			} catch (error) {
				const delayMs = retryDelaysMs[Math.min(failures++, retryDelaysMs.length - 1)] ?? 0;
				log.warn({ error, delayMs, partition: partition.number }, 'writer failed; retrying');
				await pause(delayMs);
			}
		}
	}

	/** Waits for the lock, then moves events until it is lost or the service stops. */
	async function lead(leading: WriterServices) {
		const { number } = leading.partition;
		let isLost = false;
		const leader = await postgres.dedicatedConnection(() => {
			isLost = true;
		});
		try {
			let lock = await tryLock(leader, number, () => isLost);
			while (!lock) {
				if (stopping.signal.aborted) return;
				await pause(500);
				lock = await tryLock(leader, number, () => isLost);
			}
			const recent = await loadRecentEvents(postgres, number);
			await recoverBatches(leading, recent, lock);
			while (!stopping.signal.aborted) {
				const startedAt = performance.now();
				await movePending(leading, recent, lock, stopping.signal);
				await pause(Math.max(20, everyMs - (performance.now() - startedAt)));
			}
		} finally {
			await leader.end().catch(() => undefined);
		}
	}

	const running = eventLog.partitions.map(run);
	return {
		drain: () => eventLog.drained(),
		async stop() {
			stopping.abort();
			const cut = setTimeout(() => cutting.abort(), stopWithinMs);
			await Promise.all(running);
			clearTimeout(cut);
		},
	};
}

async function tryLock(
	leader: Queries,
	partition: number,
	isLost: () => boolean,
): Promise<WriterLock | undefined> {
	const [row] = await leader.rows<{ taken: boolean; pid: number }>(
		sql`SELECT pg_try_advisory_lock(${writerLock(value(partition))}) AS taken, pg_backend_pid() AS pid`,
	);
	if (!row?.taken) return undefined;
	// Waits for a batch that the previous writer is taking, so that recovery sees it.
	await leader.rows(sql`SELECT pg_advisory_xact_lock(${value(locks.batches)}::bigint)`);
	return {
		async check() {
			if (isLost()) throw new Error('The writer lock was lost.');
			await leader.rows(sql`SELECT 1`);
		},
		async checkWithin(tx) {
			await tx.rows(sql`SELECT pg_advisory_xact_lock_shared(${value(locks.batches)}::bigint)`);
			const [held] = await tx.rows(sql`
				SELECT 1 FROM pg_locks
				WHERE locktype = 'advisory' AND classid = ${value(partition)} AND objid = ${value(locks.writer)}::bigint AND granted AND pid = ${value(row.pid)}`);
			if (!held) throw new Error('The writer lock was lost.');
		},
	};
}

type Taken = Batch & { isFull: boolean; events: LoggedEvent[] };

/** Moves batches until one is not full. Up to three are in progress, each in another of the three steps. */
async function movePending(
	services: WriterServices,
	recent: RecentEvents,
	lock: WriterLock,
	stopping: AbortSignal,
): Promise<void> {
	let taken = await take(services, recent, lock);
	let inserted: Taken | undefined;
	while (taken || inserted) {
		[taken, inserted] = await allEnded([
			taken?.isFull && !stopping.aborted ? take(services, recent, lock, taken.rows.at(-1)?.seq) : undefined,
			taken && insert(services, taken, lock),
			inserted && finishBatch(services, inserted, inserted.events, recent),
		]);
	}
}

/** Like Promise.all, but when one fails it waits for the others, so that nothing runs after the lock is released. */
async function allEnded<T extends readonly unknown[] | []>(work: T) {
	await Promise.allSettled(work);
	return Promise.all(work);
}

async function take(
	services: WriterServices,
	recent: RecentEvents,
	lock: WriterLock,
	after?: number,
): Promise<Taken | undefined> {
	const batch = await takeBatch(services, { after, lock });
	const newest = batch?.rows.at(-1);
	if (!batch || !newest) return undefined;
	const events = await discardErased(services, batch.rows);
	return { ...batch, events: recent.dropRepeats(events, newest.appendedAt) };
}

async function insert(services: WriterServices, taken: Taken, lock: WriterLock): Promise<Taken> {
	// Only now, because the event may be in the previous batch.
	const events = await dropAlreadyWritten(services, taken.events);
	await lock.check();
	if (events.length > 0) await insertEvents(services, taken.number, events);
	return { ...taken, events };
}
