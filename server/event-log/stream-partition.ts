/**
 * A NATS stream as a partition of the event log, read by sequence number from the leader of the stream.
 *
 * The position in PostgreSQL (`log_positions`) is the only record of what was written. It advances in the transaction that finishes a
 * batch, and the stream is purged after it. A crash in between leaves messages behind the position; they are purged and never read.
 *
 * Sequence numbers have no gaps. A missing message was deleted or damaged; it is recorded in `log_gaps`, logged, and skipped. A stream
 * whose message at the position is newer than the one that was written was recreated, and is read from its first message.
 */
import { JetStreamApiError, type JetStreamManager, type StoredMsg } from '@nats-io/jetstream';
import type { Log } from '../lib/log.ts';
import type { Postgres } from '../store/postgres.ts';
import { streamOf } from './check-nats.ts';
import type { Lag, LogPartition, LogPosition, LogRow } from './event-log.ts';
import { decodeGroup, toRow } from './group-format.ts';
import { advancePosition, readPosition, recordGap, resetPosition } from './stream-positions.ts';

const readAtOnce = 32;
/** How long a message may be missing without the stream listing it as deleted, or a stream may end before the position. */
const missingForMs = 10_000;
const maxDeleted = 1_000_000;

type StreamServices = { postgres: Postgres; manager: JetStreamManager; log: Log; partition: number };

export type StreamPartition = LogPartition & {
	lastSeq(): Promise<number>;
	pending(): Promise<{ lag: Lag; oldest: LogPosition | undefined }>;
};

export function createStreamPartition(services: StreamServices): StreamPartition {
	const { postgres, manager, log, partition } = services;
	const name = streamOf(partition);
	const messages = createMessageReader(services);
	/** Since when the stream ends before the position. */
	let behindSinceMs: number | undefined;

	const stateOf = async () => (await manager.streams.info(name)).state;

	/** Where to continue. A recreated stream starts over, without the messages of it that were written. */
	async function begin(
		first: number,
		last: number,
	): Promise<{ seq: number; skipUntil: Date; isRecreated: boolean }> {
		const done = await readPosition(postgres, partition);
		const unchanged = { seq: done.seq, skipUntil: new Date(0), isRecreated: false };
		if (last >= done.seq && (first > done.seq || done.seq === 0)) {
			behindSinceMs = undefined;
			return unchanged;
		}
		if (last >= done.seq) {
			const message = await findMessage(manager, partition, done.seq);
			if (message === undefined || message.time <= done.appendedAt) {
				// A crash after the end of a batch left it.
				await forget(done);
				return unchanged;
			}
		} else {
			// A server that does not know yet that it is no longer the leader may report an old end.
			behindSinceMs ??= performance.now();
			if (performance.now() - behindSinceMs < missingForMs)
				throw new Error(`The stream ${name} ends at ${last}, before the last written message ${done.seq}.`);
		}
		behindSinceMs = undefined;
		log.error(
			{ partition, written: done.seq, first, last },
			'NATS stream was recreated or lost its last messages; reading it from its first message',
		);
		const seq = Math.max(first - 1, 0);
		await resetPosition(postgres, partition, { from: done.seq, to: seq });
		return { seq, skipUntil: done.appendedAt, isRecreated: true };
	}

	async function forget({ seq, appendedAt }: LogPosition) {
		try {
			// If the stream has lost its end, other messages may have this number or lower ones and not be written yet. Purge only if it
			// still has this very message; otherwise a later purge removes it.
			const message = await findMessage(manager, partition, seq);
			if (message?.time.getTime() !== appendedAt.getTime()) return;
			await manager.streams.purge(name, { seq: seq + 1 });
		} catch (error) {
			log.warn(
				{ error, partition },
				'could not purge written messages from NATS; retrying with the next batch',
			);
		}
	}

	return {
		number: partition,
		async begin() {
			const { first_seq: first, last_seq: last } = await stateOf();
			return begin(first, last);
		},
		async read(after, limits) {
			const { first_seq: first, last_seq: last } = await stateOf();
			const start = after === undefined ? await begin(first, last) : undefined;
			const from = (after ?? start?.seq ?? 0) + 1;
			messages.forgetMissingBefore(from);
			if (from < first && first <= last)
				await recordGap(postgres, log, { partition, first: from, last: first - 1 });
			const rows: LogRow[] = [];
			let [events, bytes] = [0, 0];
			for await (const row of messages.read(Math.max(from, first), last)) {
				if (row === 'incomplete') break;
				if (start && row.appendedAt <= start.skipUntil) continue;
				const isOver =
					rows.length >= limits.rows || bytes >= limits.bytes || events + row.header.w.length > limits.events;
				if (rows.length > 0 && isOver) break;
				rows.push(row);
				events += row.header.w.length;
				bytes += row.lines.length;
			}
			return rows;
		},
		async readRange(first, last) {
			const rows: LogRow[] = [];
			for await (const row of messages.read(first, last)) {
				if (row === 'incomplete')
					throw new Error(`Partition ${partition} does not have all messages from ${first} to ${last} yet.`);
				rows.push(row);
			}
			return rows;
		},
		release: (tx, first, last) => advancePosition(tx, partition, first, last),
		forget,
		lastSeq: async () => (await stateOf()).last_seq,
		async pending() {
			const [state, done] = await Promise.all([stateOf(), readPosition(postgres, partition)]);
			if (state.messages === 0 || state.last_seq === done.seq)
				return { lag: { rows: 0, bytes: 0, oldestMs: 0 }, oldest: undefined };
			const oldest = { seq: state.first_seq, appendedAt: new Date(state.first_ts) };
			const oldestMs = Math.max(0, Date.now() - oldest.appendedAt.getTime());
			return { lag: { rows: state.messages, bytes: state.bytes, oldestMs }, oldest };
		},
	};
}

/** Reads messages in order, skips those that are lost, and remembers since when a message has been missing. */
function createMessageReader({ postgres, manager, log, partition }: StreamServices) {
	const missingSince = new Map<number, number>();

	/**
	 * Stops before a message that is missing but may still arrive, because a server that just became the leader may not have the last
	 * ones yet.
	 */
	async function readChunk(
		first: number,
		last: number,
	): Promise<{ found: StoredMsg[]; isComplete: boolean }> {
		const seqs = Array.from({ length: last - first + 1 }, (_, index) => first + index);
		const messages = await Promise.all(seqs.map((seq) => findMessage(manager, partition, seq)));
		const absent = seqs.filter((_, index) => messages[index] === undefined);
		const deleted = absent.length === 0 ? new Set<number>() : await readDeleted(first);
		const nowMs = performance.now();
		for (const seq of absent) if (!missingSince.has(seq)) missingSince.set(seq, nowMs);
		const isLost = (seq: number) =>
			deleted.has(seq) || nowMs - (missingSince.get(seq) ?? nowMs) >= missingForMs;
		const stop = absent.find((seq) => !isLost(seq)) ?? last + 1;
		for (const gap of rangesOf(absent.filter((seq) => seq < stop)))
			await recordGap(postgres, log, { partition, ...gap });
		const found = messages.slice(0, stop - first).filter((message) => message !== undefined);
		return { found, isComplete: stop > last };
	}

	/** The messages from `first` on that the stream reports as deleted. */
	async function readDeleted(first: number): Promise<Set<number>> {
		const { state } = await manager.streams.info(streamOf(partition), { deleted_details: true });
		const deleted = new Set(state.deleted);
		for (let seq = first; seq < state.first_seq; seq++) {
			deleted.add(seq);
			if (deleted.size > maxDeleted) break;
		}
		return deleted;
	}

	return {
		/** Ends with 'incomplete' before a message that is missing and may still arrive. */
		async *read(first: number, last: number): AsyncGenerator<LogRow | 'incomplete'> {
			for (let next = first; next <= last; next += readAtOnce) {
				const { found, isComplete } = await readChunk(next, Math.min(next + readAtOnce - 1, last));
				for (const message of found) yield rowOf(message);
				if (!isComplete) return yield 'incomplete';
			}
		},
		forgetMissingBefore(seq: number) {
			for (const missing of missingSince.keys()) if (missing < seq) missingSince.delete(missing);
		},
	};
}

const rowOf = (message: StoredMsg): LogRow =>
	toRow({ seq: message.seq, appendedAt: message.time }, decodeGroup(message.string()), () =>
		Buffer.from(message.data),
	);

/** Ascending numbers as ranges without gaps. */
function rangesOf(seqs: readonly number[]): { first: number; last: number }[] {
	const ranges: { first: number; last: number }[] = [];
	for (const seq of seqs) {
		const range = ranges.at(-1);
		if (range && range.last === seq - 1) range.last = seq;
		else ranges.push({ first: seq, last: seq });
	}
	return ranges;
}

export async function findMessage(
	manager: JetStreamManager,
	partition: number,
	seq: number,
): Promise<StoredMsg | undefined> {
	try {
		return (await manager.streams.getMessage(streamOf(partition), { seq })) ?? undefined;
	} catch (error) {
		// With any such error the message cannot be read.
		if (error instanceof JetStreamApiError && error.status < 500) return undefined;
		throw error;
	}
}
