/**
 * The writer moves events from the log into ClickHouse, about one insert a second, each event exactly once.
 *
 * 1. In one transaction it takes the next run of log rows, names it by a batch number and marks the days it touches.
 * 2. It inserts the run as one block whose de-duplication token and query id are that number.
 * 3. In one transaction it adds up what it learnt (drops, usage, ids for retries), deletes the log rows and the batch.
 *
 * A kill between any two of these leaves a batch behind; recover.ts finishes it at the next start. There is one writer: it
 * holds a session lock in PostgreSQL and asks for it before every insert. It keeps no state that a restart would miss.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Queries } from '../store/postgres.ts';
import { sql, value } from '../store/sql.ts';
import { finishBatch, keepLive, takeBatch, type WriterServices } from './batch.ts';
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

export function startWriter(given: Omit<WriterServices, 'signal'>): Writer {
	const stopping = new AbortController();
	const cutting = new AbortController();
	const services: WriterServices = {
		...given,
		signal: () => AbortSignal.any([cutting.signal, AbortSignal.timeout(statementWithinMs)]),
	};
	const { eventLog, postgres, log } = services;
	const pause = (ms: number) => sleep(ms, undefined, { signal: stopping.signal }).catch(() => undefined);

	async function run() {
		let failures = 0;
		while (!stopping.signal.aborted) {
			try {
				await lead();
				failures = 0;
			} catch (error) {
				const delayMs = retryDelaysMs[Math.min(failures++, retryDelaysMs.length - 1)] ?? 0;
				log.warn({ error, delayMs }, 'the writer could not go on and tries again');
				await pause(delayMs);
			}
		}
	}

	/** Holds the lock for as long as it lasts and moves events. */
	async function lead() {
		let isLost = false;
		const leader = await postgres.hold(() => {
			isLost = true;
		});
		try {
			while (!(await tryLock(leader))) {
				if (stopping.signal.aborted) return;
				await pause(500);
			}
			const checkLock = async () => {
				if (isLost) throw new Error('The lock of the writer was lost.');
				await leader.rows(sql`SELECT 1`);
			};
			const recent = await loadRecentEvents(postgres);
			await recoverBatches(services, recent, checkLock);
			while (!stopping.signal.aborted) {
				const began = performance.now();
				const isFull = await moveOnce(services, recent, checkLock);
				if (!isFull) await pause(Math.max(20, everyMs - (performance.now() - began)));
			}
		} finally {
			await leader.end().catch(() => undefined);
		}
	}

	const running = run();
	return {
		async drain() {
			const target = await eventLog.lastSeq(postgres);
			for (;;) {
				const [row] = await postgres.rows<{ open: number }>(
					sql`SELECT count(*) AS open FROM event_log WHERE seq <= ${value(target)}`,
				);
				if ((row?.open ?? 0) === 0) return;
				await sleep(50);
			}
		},
		async stop() {
			stopping.abort();
			const cut = setTimeout(() => cutting.abort(), stopWithinMs);
			await running;
			clearTimeout(cut);
		},
	};
}

async function tryLock(leader: Queries): Promise<boolean> {
	const [row] = await leader.rows<{ taken: boolean }>(sql`SELECT pg_try_advisory_lock(7461004) AS taken`);
	return row?.taken === true;
}

/** Moves one batch; true when there may be more at once. */
async function moveOnce(
	services: WriterServices,
	recent: RecentEvents,
	checkLock: () => Promise<void>,
): Promise<boolean> {
	const batch = await takeBatch(services);
	if (!batch) return false;
	const live = await keepLive(services.postgres, batch.rows);
	const lines = await dropWritten(services, recent.dropRepeats(live));
	await checkLock();
	if (lines.length > 0) await insertLines(services, batch.number, lines);
	await finishBatch(services, batch, lines, recent);
	return batch.isFull;
}
