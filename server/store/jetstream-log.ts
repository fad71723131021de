/**
 * The event log on NATS JetStream, for more events than one PostgreSQL takes. docs/decisions/0010-jetstream.md says why it is as it is.
 *
 * There are as many streams as partitions. An event is in the one that its id says, so a retry of it comes to the same. A group
 * is one message, and a hit is answered when JetStream has acknowledged the messages that its events are in.
 *
 * A message whose acknowledgement did not come is sent again: the same bytes with the same `Nats-Msg-Id`, for as long as both
 * JetStream (ten minutes) and the writer (five, by the ids of events) surely know it again. Hits wait for some seconds of that
 * and are then answered 503; it may have been stored or not, and both is right for a hit without a 202.
 *
 * The writer reads by sequence number, from whoever leads the stream. What it has done stands in PostgreSQL (`log_positions`) and
 * nowhere else: it moves on in the transaction that ends a batch, and only then is the stream purged up to there. A kill in
 * between leaves messages that are behind the position; they are purged and never read.
 *
 * Numbers of a stream have no holes. One that is missing was deleted or damaged: it is noted in `log_gaps`, told, and passed. A
 * stream whose messages at or below the position are younger than what was written last was made anew: it is read from its first.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
	JetStreamApiError,
	type JetStreamClient,
	type JetStreamManager,
	jetstream,
	jetstreamManager,
	type StoredMsg,
} from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { AppError } from '../lib/app-error.ts';
import type { Log } from '../lib/log.ts';
import { awayCodes } from './away.ts';
import { checkNats, openStreams, streamOf, subjectOf, UnusableNats } from './check-nats.ts';
import {
	drainedTable,
	type EventLog,
	EventLogFull,
	type Lag,
	type LoggedEvent,
	type LogPartition,
	type LogPlace,
	type LogRow,
	lagOf,
	tablePartition,
	toRow,
	untilTrue,
	waitingInTable,
} from './event-log.ts';
import { createDrops, createGroups, type Drops, encode, type Groups, splitByBytes } from './log-groups.ts';
import { connectNats, type NatsSettings } from './nats.ts';
import type { Postgres, Queries } from './postgres.ts';
import { sql, value } from './sql.ts';

export type JetStreamLogOptions = {
	log: Log;
	nats: NatsSettings;
	partitions: number;
	maxWaiting: number;
	maxLogBytes: number;
};

const flushDropsEveryMs = 1_000;
const keepAcknowledgedEveryMs = 1_000;
/** For one acknowledgement; then the same is sent again. */
const acknowledgeWithinMs = 3_000;
/** What a hit waits for; a tracker that hears nothing sends it again. */
const answerWithinMs = 10_000;
/** Less than the five minutes for which the writer knows an event again. */
const repeatForMs = 4 * 60_000;
const repeatEveryMs = 250;
const leaderWithinMs = 20_000;
const maxBodyBytes = 512 * 1024;
const readAtOnce = 32;
/** How long a message may be missing that the stream does not say it has deleted. */
const missingForMs = 10_000;
const maxDeleted = 1_000_000;

export async function openJetStreamLog(postgres: Postgres, options: JetStreamLogOptions): Promise<EventLog> {
	const { log, nats, partitions, maxWaiting, maxLogBytes } = options;
	const connection = await connectNats(nats, log);
	try {
		const { replicas } = await checkNats(connection, nats.monitorUrl);
		const areNew = await keepPartitions(postgres, partitions);
		const manager = await patiently(async () => {
			const opened = await jetstreamManager(connection);
			await openStreams(opened, { partitions, replicas, maxBytes: maxLogBytes });
			return opened;
		});
		if (areNew) await beginWhereTheyBegin(postgres, manager, partitions);
		await findLostEnds(postgres, manager, log);
		return createLog(postgres, connection, manager, options, maxWaiting);
	} catch (error) {
		await connection.close();
		throw error;
	}
}

/** A cluster that has just started, or lost a server, chooses who leads before it answers. */
async function patiently<T>(work: () => Promise<T>): Promise<T> {
	const giveUpAt = performance.now() + leaderWithinMs;
	for (;;) {
		try {
			return await work();
		} catch (error) {
			if (performance.now() > giveUpAt || !isLeaderless(error)) throw error;
			await sleep(repeatEveryMs);
		}
	}
}

const noLeader = 10_008;

function isLeaderless(error: unknown): boolean {
	if (!(error instanceof Error)) return false;
	if (error instanceof JetStreamApiError && error.code === noLeader) return true;
	return ['TimeoutError', 'NoRespondersError'].includes(error.name) || isLeaderless(error.cause);
}

/** A start that fails of this may succeed later. A password that is wrong, or a server that promises too little, is not away. */
export function isNatsAway(error: unknown): boolean {
	if (!(error instanceof Error) || error instanceof UnusableNats) return false;
	if (isLeaderless(error) || ('code' in error && awayCodes.has(String(error.code)))) return true;
	return isNatsAway(error.cause);
}

/** Their number decides where an event is: it is that of the first start, for ever. Whether this is that start. */
async function keepPartitions(postgres: Postgres, partitions: number): Promise<boolean> {
	const kept = await postgres.transaction(async (tx) => {
		await tx.run(sql`LOCK TABLE log_positions`);
		const [row] = await tx.rows<{ count: number }>(sql`SELECT count(*) AS count FROM log_positions`);
		if (row && row.count > 0) return { count: row.count, areNew: false };
		await tx.run(sql`
			INSERT INTO log_positions (partition, seq, appended_at)
			SELECT partition, 0, '-infinity' FROM generate_series(1, ${value(partitions)}::integer) AS partition`);
		return { count: partitions, areNew: true };
	});
	if (kept.count !== partitions)
		throw new Error(
			`NATS_PARTITIONS is ${partitions}, and the event log was made with ${kept.count}: an event must stay in its partition. Set NATS_PARTITIONS=${kept.count}.`,
		);
	return kept.areNew;
}

/** After a restore the streams may be older than what is known of them: what is no longer there is no gap. */
async function beginWhereTheyBegin(postgres: Postgres, manager: JetStreamManager, partitions: number) {
	for (let partition = 1; partition <= partitions; partition++) {
		const { first_seq: first } = (await manager.streams.info(streamOf(partition))).state;
		await postgres.run(sql`
			UPDATE log_positions SET seq = ${value(Math.max(first - 1, 0))}
			WHERE partition = ${value(partition)} AND seq = 0`);
	}
}

/** Streams that end before what was acknowledged: damage that NATS has cut off, so that there is no hole to be seen. */
async function findLostEnds(postgres: Postgres, manager: JetStreamManager, log: Log) {
	const known = await postgres.rows<{ partition: number; acknowledged: number }>(
		sql`SELECT partition, acknowledged FROM log_positions`,
	);
	for (const { partition, acknowledged } of known) {
		const { last_seq: last } = (await manager.streams.info(streamOf(partition))).state;
		if (last < acknowledged)
			await noteLostEnd(postgres, log, { partition, first: last + 1, last: acknowledged });
	}
}

type Gap = { partition: number; first: number; last: number };

/** Told once, also when several collectors see it. */
async function noteLostEnd(postgres: Postgres, log: Log, { partition, first, last }: Gap) {
	log.error(
		{ partition, first, last },
		'a stream of the event log has lost its end: its disk was damaged, or it was made anew',
	);
	await postgres.run(sql`
		INSERT INTO log_gaps (partition, first_seq, last_seq)
		SELECT ${value(partition)}, ${value(first)}, ${value(last)} WHERE NOT EXISTS (
			SELECT 1 FROM log_gaps WHERE partition = ${value(partition)} AND first_seq <= ${value(last)}
				AND last_seq >= ${value(first)} AND found_at > now() - interval '1 hour'
		) ON CONFLICT DO NOTHING`);
	await postgres.run(
		sql`UPDATE log_positions SET acknowledged = ${value(first - 1)} WHERE partition = ${value(partition)}`,
	);
}

/** Whether there are events in NATS that nobody would read without it. */
export async function refuseForgottenNats(postgres: Queries): Promise<void> {
	const rows = await postgres.rows(sql`SELECT 1 FROM log_positions LIMIT 1`);
	if (rows.length > 0)
		throw new AppError(
			'precondition_failed',
			'The event log of this installation is in NATS, and acknowledged events may wait there. Set NATS_URL again; docs/operations.md says how to go back to the log in PostgreSQL.',
		);
}

function createLog(
	postgres: Postgres,
	connection: NatsConnection,
	manager: JetStreamManager,
	options: JetStreamLogOptions,
	maxWaiting: number,
): EventLog {
	const { log, partitions } = options;
	const numbers = Array.from({ length: partitions }, (_, index) => index + 1);
	// Of what a message may have: drops come on top, and what stands around the body.
	const maxBytes = Math.min(maxBodyBytes, Math.floor((connection.info?.max_payload ?? maxBodyBytes) / 2));
	const drops = createDrops(maxWaiting);
	const leaving = new AbortController();
	const client = jetstream(connection);
	const sender = randomBytes(12).toString('base64url');
	/** The last number of each partition, and which of them PostgreSQL does not know yet. */
	const acknowledged: Acknowledged = { last: new Map(), fresh: new Set() };
	const groups = new Map<number, Groups>(
		numbers.map((partition) => [
			partition,
			createGroups({
				write: publisher({
					...{ postgres, client, manager, log, partition, sender, drops, maxBytes, acknowledged },
					signal: leaving.signal,
				}),
				maxBytes,
				withinMs: answerWithinMs,
			}),
		]),
	);
	const groupsOf = (partition: number): Groups => {
		const found = groups.get(partition);
		if (!found) throw new Error(`There is no partition ${partition}.`);
		return found;
	};

	const flushDrops = setInterval(() => {
		if (drops.size() === 0 || leaving.signal.aborted) return;
		groupsOf(1)
			.add([])
			.catch((error) => log.warn({ error }, 'drops could not be noted'));
	}, flushDropsEveryMs);
	flushDrops.unref();

	const keepAcknowledged = setInterval(() => {
		storeAcknowledged(postgres, acknowledged).catch((error) =>
			log.warn({ error }, 'what NATS acknowledged last could not be noted'),
		);
	}, keepAcknowledgedEveryMs);
	keepAcknowledged.unref();

	const streams = numbers.map((partition) => streamPartition({ postgres, manager, log, partition }));
	const table = tablePartition(postgres);
	const states = () => Promise.all(streams.map((stream) => stream.waiting()));

	return {
		async append(events) {
			if (leaving.signal.aborted) throw new EventLogFull('The service is stopping.');
			const waiting = numbers.reduce((sum, partition) => sum + groupsOf(partition).waitingEvents(), 0);
			if (waiting + events.length > maxWaiting) throw new EventLogFull('Too many events wait for NATS.');
			const parts = Map.groupBy(events, ({ eventId }) => partitionOf(eventId, partitions));
			await Promise.all(
				[...parts].flatMap(([partition, some]) =>
					splitByBytes(some, maxBytes).map((part) => groupsOf(partition).add(part)),
				),
			);
		},
		countDrop: drops.count,
		// What was left in the table when NATS was set is written too.
		partitions: [table, ...streams],
		async oldest() {
			const waiting = await states();
			const inTable = await waitingInTable(postgres).oldest();
			const places = [...waiting.map(({ oldest }) => oldest), inTable].filter((place) => place !== undefined);
			return places.sort((a, b) => a.appendedAt.getTime() - b.appendedAt.getTime())[0];
		},
		// Numbers of several streams have no common order; their clock is the best there is.
		isBefore: (place, until) => place.appendedAt < until.at,
		async lag(): Promise<Lag> {
			const all = [await lagOf(postgres), ...(await states()).map(({ lag }) => lag)];
			return {
				rows: all.reduce((sum, { rows }) => sum + rows, 0),
				bytes: all.reduce((sum, { bytes }) => sum + bytes, 0),
				oldestMs: Math.max(...all.map(({ oldestMs }) => oldestMs)),
			};
		},
		async drained() {
			const targets = await Promise.all(streams.map((stream) => stream.lastSeq()));
			await drainedTable(postgres);
			await untilTrue(async () => {
				const positions = await postgres.rows<{ partition: number; seq: number }>(
					sql`SELECT partition, seq FROM log_positions`,
				);
				return positions.every(({ partition, seq }) => seq >= (targets[partition - 1] ?? 0));
			});
		},
		async ping() {
			if (connection.isClosed()) return false;
			return Promise.race([
				manager.streams.info(streamOf(1)).then(
					() => true,
					() => false,
				),
				sleep(2_000, false, { ref: false }),
			]);
		},
		async close() {
			clearInterval(flushDrops);
			clearInterval(keepAcknowledged);
			// What is under way may end; what NATS does not answer is given up.
			const give = setTimeout(() => leaving.abort(), 3_000);
			if (drops.size() > 0)
				await groupsOf(1)
					.add([])
					.catch(() => undefined);
			await Promise.all(numbers.map((partition) => groupsOf(partition).settled()));
			clearTimeout(give);
			leaving.abort();
			await storeAcknowledged(postgres, acknowledged).catch(() => undefined);
			await connection.close();
		},
	};
}

const partitionOf = (eventId: string, partitions: number): number =>
	Number(BigInt(eventId) % BigInt(partitions)) + 1;

type Acknowledged = { last: Map<number, number>; fresh: Set<number> };

async function storeAcknowledged(postgres: Postgres, { last, fresh }: Acknowledged): Promise<void> {
	const partitions = [...fresh];
	if (partitions.length === 0) return;
	fresh.clear();
	const seqs = partitions.map((partition) => last.get(partition) ?? 0);
	await postgres.run(sql`
		UPDATE log_positions p SET acknowledged = greatest(p.acknowledged, given.seq)
		FROM unnest(${value(partitions)}::integer[], ${value(seqs)}::bigint[]) AS given (partition, seq)
		WHERE p.partition = given.partition`);
}

/** Gives a group to its stream, and returns when it is acknowledged. */
function publisher(of: {
	postgres: Postgres;
	acknowledged: Acknowledged;
	client: JetStreamClient;
	manager: JetStreamManager;
	log: Log;
	partition: number;
	sender: string;
	drops: Drops;
	maxBytes: number;
	signal: AbortSignal;
}): (events: readonly LoggedEvent[]) => Promise<void> {
	const { postgres, client, manager, log, partition, sender, drops, maxBytes, acknowledged, signal } = of;
	let groups = 0;
	const has = async (seq: number, msgID: string): Promise<boolean> =>
		(await findMessage(manager, partition, seq))?.header.get('Nats-Msg-Id') === msgID;
	return async (events) => {
		const counted = drops.take(maxBytes / 4);
		if (events.length === 0 && counted.length === 0) return;
		const { header, lines } = encode(events, counted);
		const body = `${header}\n${lines}`;
		// Not a new one for the same group: the old one may be there.
		let msgID = `${sender}-${partition}-${++groups}`;
		const giveUpAt = performance.now() + repeatForMs;
		for (let tries = 1; ; tries++) {
			try {
				const { seq, duplicate } = await client.publish(subjectOf(partition), body, {
					msgID,
					timeout: acknowledgeWithinMs,
					expect: { streamName: streamOf(partition) },
				});
				// Servers that were killed may know the name of a message and not have it any more. By another name it is taken; should
				// it be there after all, or be written already, the writer knows its events again.
				if (duplicate && !(await has(seq, msgID))) {
					msgID = `${sender}-${partition}-${++groups}`;
					continue;
				}
				const last = acknowledged.last.get(partition) ?? 0;
				acknowledged.last.set(partition, seq);
				acknowledged.fresh.add(partition);
				// It gives numbers again that it gave before. The events of this group are safe whatever comes of the note.
				if (seq <= last && !duplicate)
					noteLostEnd(postgres, log, { partition, first: seq, last }).catch((error: unknown) =>
						log.error({ error, partition }, 'the lost end of a stream could not be noted'),
					);
				return;
			} catch (error) {
				if (isRefused(error)) {
					drops.giveBack(counted);
					throw new EventLogFull('The event log is full.', { cause: error });
				}
				if (signal.aborted || performance.now() > giveUpAt)
					throw new EventLogFull('The event log does not answer.', { cause: error });
				if (tries === 1)
					log.warn({ error, partition }, 'NATS did not acknowledge a group, which is sent again');
				await sleep(repeatEveryMs, undefined, { signal }).catch(() => undefined);
			}
		}
	};
}

/** It has no room: this is certain, and nothing of it was stored. Anything else may be over in a moment. */
const storeFailed = 10_077;
const isRefused = (error: unknown): boolean =>
	error instanceof JetStreamApiError && error.code === storeFailed;

async function findMessage(
	manager: JetStreamManager,
	partition: number,
	seq: number,
): Promise<StoredMsg | undefined> {
	try {
		return (await manager.streams.getMessage(streamOf(partition), { seq })) ?? undefined;
	} catch (error) {
		// Whatever else it says of a message, it could not be read.
		if (error instanceof JetStreamApiError && error.status < 500) return undefined;
		throw error;
	}
}

type StreamServices = {
	postgres: Postgres;
	manager: JetStreamManager;
	log: Log;
	partition: number;
};

type StreamPartition = LogPartition & {
	lastSeq(): Promise<number>;
	waiting(): Promise<{ lag: Lag; oldest: LogPlace | undefined }>;
};

function streamPartition({ postgres, manager, log, partition }: StreamServices): StreamPartition {
	const name = streamOf(partition);
	/** Messages that are missing and should be there, and since when. */
	const missing = new Map<number, number>();
	/** Since when the stream ends before what was written. */
	let behindSinceMs: number | undefined;

	const stateOf = async () => (await manager.streams.info(name)).state;

	async function position(): Promise<LogPlace> {
		const [row] = await postgres.rows<{ seq: number; ms: number }>(sql`
			SELECT seq, greatest(extract(epoch FROM appended_at) * 1000, 0)::float8 AS ms FROM log_positions
			WHERE partition = ${value(partition)}`);
		if (!row) throw new Error(`The event log has no partition ${partition}.`);
		return { seq: row.seq, appendedAt: new Date(row.ms) };
	}

	const find = (seq: number) => findMessage(manager, partition, seq);

	/** Where to go on; a stream that was made anew begins again, without what of it was written. */
	async function begin(
		first: number,
		last: number,
	): Promise<{ seq: number; skipUntil: Date; isAnew: boolean }> {
		const done = await position();
		const asBefore = { seq: done.seq, skipUntil: new Date(0), isAnew: false };
		if (last >= done.seq && (first > done.seq || done.seq === 0)) {
			behindSinceMs = undefined;
			return asBefore;
		}
		if (last >= done.seq) {
			const at = await find(done.seq);
			if (at === undefined || at.time <= done.appendedAt) {
				// Left by a kill between a batch's end and this.
				await forget(done);
				return asBefore;
			}
		} else {
			// A server that has not noticed that another leads may say so for a moment.
			behindSinceMs ??= performance.now();
			if (performance.now() - behindSinceMs < missingForMs)
				throw new Error(`The stream ${name} ends at ${last}, and ${done.seq} of it were written.`);
		}
		behindSinceMs = undefined;
		log.error(
			{ partition, written: done.seq, first, last },
			'a stream of the event log was made anew or has lost its end; it is read from its first message',
		);
		const seq = Math.max(first - 1, 0);
		await postgres.run(
			sql`UPDATE log_positions SET seq = ${value(seq)} WHERE partition = ${value(partition)} AND seq = ${value(done.seq)}`,
		);
		return { seq, skipUntil: done.appendedAt, isAnew: true };
	}

	async function forget({ seq, appendedAt }: LogPlace) {
		try {
			// A stream that lost its end meanwhile has, or will have, others under these numbers, which nobody has written. Only who
			// still has this very message has no others below it; else what is left goes with the next that was written.
			const message = await find(seq);
			if (message?.time.getTime() !== appendedAt.getTime()) return;
			await manager.streams.purge(name, { seq: seq + 1 });
		} catch (error) {
			log.warn(
				{ error, partition },
				'what was written could not be taken off NATS; it will be with the next',
			);
		}
	}

	async function passGap(first: number, last: number) {
		const isNew = await postgres.run(sql`
			INSERT INTO log_gaps (partition, first_seq, last_seq)
			VALUES (${value(partition)}, ${value(first)}, ${value(last)}) ON CONFLICT DO NOTHING`);
		if (isNew === 0) return;
		log.error(
			{ partition, first, last },
			'messages of the event log are missing in NATS: they were deleted or damaged, and are passed',
		);
	}

	/**
	 * Some messages in their order, without those that are gone for good. Stops before one that is missing and may yet come: a
	 * server that just became the leader may not know the last ones.
	 */
	async function readSome(first: number, last: number): Promise<{ messages: StoredMsg[]; isWhole: boolean }> {
		const seqs = Array.from({ length: last - first + 1 }, (_, index) => first + index);
		const found = await Promise.all(seqs.map(find));
		const absent = seqs.filter((_, index) => found[index] === undefined);
		const deleted = absent.length === 0 ? new Set<number>() : await deletedIn(first);
		const nowMs = performance.now();
		for (const seq of absent) if (!missing.has(seq)) missing.set(seq, nowMs);
		const isGone = (seq: number) => deleted.has(seq) || nowMs - (missing.get(seq) ?? nowMs) >= missingForMs;
		const stop = absent.find((seq) => !isGone(seq)) ?? last + 1;
		for (const { from, to } of runsOf(absent.filter((seq) => seq < stop))) await passGap(from, to);
		const messages = found.slice(0, stop - first).filter((message) => message !== undefined);
		return { messages, isWhole: stop > last };
	}

	/** What the stream itself says that it does not have. */
	async function deletedIn(first: number): Promise<Set<number>> {
		const { state } = await manager.streams.info(name, { deleted_details: true });
		const deleted = new Set(state.deleted);
		for (let seq = first; seq < state.first_seq; seq++) {
			deleted.add(seq);
			if (deleted.size > maxDeleted) break;
		}
		return deleted;
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
			for (const seq of missing.keys()) if (seq < from) missing.delete(seq);
			if (from < first && first <= last) await passGap(from, first - 1);
			const taken: LogRow[] = [];
			let [events, bytes] = [0, 0];
			for (let next = Math.max(from, first); next <= last; next += readAtOnce) {
				const { messages, isWhole } = await readSome(next, Math.min(next + readAtOnce - 1, last));
				for (const message of messages) {
					const row = rowOf(message);
					if (start && row.appendedAt <= start.skipUntil) continue;
					const isOver =
						taken.length >= limits.rows ||
						bytes >= limits.bytes ||
						events + row.header.w.length > limits.events;
					if (taken.length > 0 && isOver) return taken;
					taken.push(row);
					events += row.header.w.length;
					bytes += row.lines.length;
				}
				if (!isWhole) break;
			}
			return taken;
		},
		async readRange(first, last) {
			const rows: LogRow[] = [];
			for (let next = first; next <= last; next += readAtOnce) {
				const { messages, isWhole } = await readSome(next, Math.min(next + readAtOnce - 1, last));
				if (!isWhole) throw new Error(`Partition ${partition} does not have all of ${first} to ${last} yet.`);
				rows.push(...messages.map(rowOf));
			}
			return rows;
		},
		async release(tx, first, last) {
			const moved = await tx.run(sql`
				UPDATE log_positions SET seq = ${value(last.seq)}, appended_at = ${value(last.appendedAt)}
				WHERE partition = ${value(partition)} AND seq < ${value(first)}`);
			if (moved === 0)
				throw new Error(`Message ${first} of partition ${partition} was written by another writer.`);
		},
		forget,
		lastSeq: async () => (await stateOf()).last_seq,
		async waiting() {
			const [{ first_seq, last_seq, first_ts, bytes, messages }, done] = await Promise.all([
				stateOf(),
				position(),
			]);
			if (messages === 0 || last_seq === done.seq)
				return { lag: { rows: 0, bytes: 0, oldestMs: 0 }, oldest: undefined };
			const oldest = { seq: first_seq, appendedAt: new Date(first_ts) };
			const oldestMs = Math.max(0, Date.now() - oldest.appendedAt.getTime());
			return { lag: { rows: messages, bytes, oldestMs }, oldest };
		},
	};
}

function rowOf(message: StoredMsg): LogRow {
	const body = message.string();
	const end = body.indexOf('\n');
	const [header, lines] = end < 0 ? [body, ''] : [body.slice(0, end), body.slice(end + 1)];
	return toRow({ seq: message.seq, appendedAt: message.time }, header, lines, Buffer.from(message.data));
}

/** Numbers in order, as runs without holes. */
function runsOf(seqs: readonly number[]): { from: number; to: number }[] {
	const runs: { from: number; to: number }[] = [];
	for (const seq of seqs) {
		const last = runs.at(-1);
		if (last && last.to === seq - 1) last.to = seq;
		else runs.push({ from: seq, to: seq });
	}
	return runs;
}
