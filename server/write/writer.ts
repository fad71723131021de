/**
 * The writer moves events from the log into ClickHouse, about one insert a second, each event exactly once.
 *
 * 1. In one transaction it takes the next run of log rows, names it by a batch number and marks the days it touches.
 * 2. It inserts the run as one block whose de-duplication token and query id are that number.
 * 3. In one transaction it adds up what it learnt (drops, usage, ids for retries), deletes the log rows and the batch.
 *
 * When more than one batch waits, the next is taken and the last one finished while ClickHouse writes one. Only one is
 * ever being written.
 *
 * A kill between any two of these leaves batches behind; recover.ts finishes it at the next start. Each partition of the log
 * has one writer, in whichever process got its session lock in PostgreSQL; it asks for it before every insert. It keeps no
 * state that a restart would miss.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type LogPartition, writerLock } from '../store/event-log.ts';
import { locks } from '../store/locks.ts';
import type { Queries } from '../store/postgres.ts';
import { sql, value } from '../store/sql.ts';
import {
	type Batch,
	finishBatch,
	keepLive,
	type Line,
	takeBatch,
	type WriterLock,
	type WriterServices,
} from './batch.ts';
import { insertLines } from './insert.ts';
import { recoverBatches } from './recover.ts';
import { dropWritten, loadRecentEvents, type RecentEvents } from './retries.ts';

export type Writer = {
	/** Resolves when everything that was in the log when it was called has been written. */
	drain(): Promise<void>;
	stop(): Promise<void>;
};

const everyMs = 1_000;
const retryDelaysMs = [100, 250, 500, 1_000, 2_000, 5_000];

/** Longer than any insert on a healthy engine: what takes longer is frozen, and recovery finds out what it did. */
const statementWithinMs = 60_000;
/** How long a stop lets an insert finish. What it cuts is finished by the next start. */
const stopWithinMs = 3_000;

export function startWriter(given: Omit<WriterServices, 'signal' | 'partition'>): Writer {
	const stopping = new AbortController();
	const cutting = new AbortController();
	const signal = () => AbortSignal.any([cutting.signal, AbortSignal.timeout(statementWithinMs)]);
	const { eventLog, postgres, log } = given;
	const pause = (ms: number) => sleep(ms, undefined, { signal: stopping.signal }).catch(() => undefined);

	async function run(partition: LogPartition) {
		let failures = 0;
		while (!stopping.signal.aborted) {
			try {
				await lead({ ...given, partition, signal });
				failures = 0;
			} catch (error) {
				const delayMs = retryDelaysMs[Math.min(failures++, retryDelaysMs.length - 1)] ?? 0;
				log.warn(
					{ error, delayMs, partition: partition.number },
					'the writer could not go on and tries again',
				);
				await pause(delayMs);
			}
		}
	}

	/** Holds the lock for as long as it lasts and moves events. */
	async function lead(services: WriterServices) {
		const { number } = services.partition;
		let isLost = false;
		const leader = await postgres.hold(() => {
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
			await recoverBatches(services, recent, lock);
			while (!stopping.signal.aborted) {
				const began = performance.now();
				await moveWaiting(services, recent, lock, stopping.signal);
				await pause(Math.max(20, everyMs - (performance.now() - began)));
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
	// What a leader before us is just taking is taken when this returns, or never: else recovery would not see it.
	await leader.rows(sql`SELECT pg_advisory_xact_lock(${value(locks.batches)}::bigint)`);
	return {
		async check() {
			if (isLost()) throw new Error('The lock of the writer was lost.');
			await leader.rows(sql`SELECT 1`);
		},
		async checkWithin(tx) {
			await tx.rows(sql`SELECT pg_advisory_xact_lock_shared(${value(locks.batches)}::bigint)`);
			const [held] = await tx.rows(sql`
				SELECT 1 FROM pg_locks
				WHERE locktype = 'advisory' AND classid = ${value(partition)} AND objid = ${value(locks.writer)}::bigint AND granted AND pid = ${value(row.pid)}`);
			if (!held) throw new Error('The lock of the writer was lost.');
		},
	};
}

type Taken = Batch & { isFull: boolean; lines: Line[] };

/** Moves batches until one is not full. Each goes through the three steps; up to three are on their way. */
async function moveWaiting(
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
			inserted && finishBatch(services, inserted, inserted.lines, recent),
		]);
	}
}

/** As Promise.all, but it waits for the others when one fails: nothing goes on once the lock is given back. */
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
	const live = await keepLive(services, batch.rows);
	return { ...batch, lines: recent.dropRepeats(live, newest.appendedAt) };
}

async function insert(services: WriterServices, taken: Taken, lock: WriterLock): Promise<Taken> {
	// Not when it was taken: an event that it asks ClickHouse for may stand in the batch before.
	const lines = await dropWritten(services, taken.lines);
	await lock.check();
	if (lines.length > 0) await insertLines(services, taken.number, lines);
	return { ...taken, lines };
}
