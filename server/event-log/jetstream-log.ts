/**
 * The event log on NATS JetStream, for more events than one PostgreSQL can take. docs/decisions/0010-jetstream.md has the reasons.
 *
 * Each partition is a stream. The id of an event decides its partition, so a retry goes to the same one. A group of events is one
 * message, and a hit is answered when JetStream has acknowledged it (stream-publisher.ts). Without an acknowledgement within some
 * seconds the hit is answered 503; it may have been stored or not, and both are correct for a hit without a 202.
 *
 * The writer reads a partition with stream-partition.ts; stream-positions.ts stores how far it got.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { JetStreamApiError, type JetStreamManager, jetstream, jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import type { Log } from '../lib/log.ts';
import { unreachableCodes } from '../store/connection-errors.ts';
import type { Postgres } from '../store/postgres.ts';
import { checkNats, openStreams, streamOf, UnusableNats } from './check-nats.ts';
import { type EventLog, EventLogFull, type Lag } from './event-log.ts';
import { createDropCounter, createGroupCommit, type GroupCommit, splitByBytes } from './group-commit.ts';
import { connectNats, type NatsSettings } from './nats.ts';
import { drainedTable, lagOf, pendingInTable, pollUntil, tablePartition } from './postgres-log.ts';
import { createStreamPartition } from './stream-partition.ts';
import {
	type Acknowledged,
	findLostEnds,
	fixPartitions,
	isWrittenUpTo,
	startAtFirstMessages,
	storeAcknowledged,
} from './stream-positions.ts';
import { createPublisher } from './stream-publisher.ts';

export type JetStreamLogOptions = {
	log: Log;
	nats: NatsSettings;
	partitions: number;
	maxWaiting: number;
	maxLogBytes: number;
};

const flushDropsEveryMs = 1_000;
const storeAcknowledgedEveryMs = 1_000;
/** How long a hit waits; a tracker without a response sends it again. */
const answerWithinMs = 10_000;
const leaderWithinMs = 20_000;
const retryEveryMs = 250;
const maxBodyBytes = 512 * 1024;
const stopWithinMs = 3_000;

export async function openJetStreamLog(postgres: Postgres, options: JetStreamLogOptions): Promise<EventLog> {
	const { log, nats, partitions, maxLogBytes } = options;
	const connection = await connectNats(nats, log);
	try {
		const { replicas } = await checkNats(connection, nats.monitorUrl);
		const isFirstStart = await fixPartitions(postgres, partitions);
		const manager = await untilLeader(async () => {
			const opened = await jetstreamManager(connection);
			await openStreams(opened, { partitions, replicas, maxBytes: maxLogBytes });
			return opened;
		});
		if (isFirstStart) await startAtFirstMessages(postgres, manager, partitions);
		await findLostEnds(postgres, manager, log);
		return createLog(postgres, connection, manager, options);
	} catch (error) {
		await connection.close();
		throw error;
	}
}

/** A cluster that has just started or lost a server elects a leader before it answers. */
async function untilLeader<T>(work: () => Promise<T>): Promise<T> {
	const giveUpAt = performance.now() + leaderWithinMs;
	for (;;) {
		try {
			return await work();
		} catch (error) {
			if (performance.now() > giveUpAt || !isLeaderless(error)) throw error;
			await sleep(retryEveryMs);
		}
	}
}

const noLeader = 10_008;

function isLeaderless(error: unknown): boolean {
	if (!(error instanceof Error)) return false;
	if (error instanceof JetStreamApiError && error.code === noLeader) return true;
	return ['TimeoutError', 'NoRespondersError'].includes(error.name) || isLeaderless(error.cause);
}

/** Whether a start may succeed later. A wrong password or an unsuitable server does not count as unreachable. */
export function isNatsUnreachable(error: unknown): boolean {
	if (!(error instanceof Error) || error instanceof UnusableNats) return false;
	if (isLeaderless(error) || ('code' in error && unreachableCodes.has(String(error.code)))) return true;
	return isNatsUnreachable(error.cause);
}

function createLog(
	postgres: Postgres,
	connection: NatsConnection,
	manager: JetStreamManager,
	options: JetStreamLogOptions,
): EventLog {
	const { log, partitions, maxWaiting } = options;
	const numbers = Array.from({ length: partitions }, (_, index) => index + 1);
	// Half of what a message may have, because drop counts and the message header are added.
	const maxBytes = Math.min(maxBodyBytes, Math.floor((connection.info?.max_payload ?? maxBodyBytes) / 2));
	const drops = createDropCounter(maxWaiting);
	const stopping = new AbortController();
	const client = jetstream(connection);
	const sender = randomBytes(12).toString('base64url');
	const acknowledged: Acknowledged = { last: new Map(), unsaved: new Set() };
	const groups = new Map<number, GroupCommit>(
		numbers.map((partition) => [
			partition,
			createGroupCommit({
				write: createPublisher({
					postgres,
					client,
					manager,
					log,
					partition,
					sender,
					drops,
					maxBytes,
					acknowledged,
					signal: stopping.signal,
				}),
				maxBytes,
				withinMs: answerWithinMs,
			}),
		]),
	);
	const groupsOf = (partition: number): GroupCommit => {
		const group = groups.get(partition);
		if (!group) throw new Error(`There is no partition ${partition}.`);
		return group;
	};

	const flushDrops = setInterval(() => {
		if (drops.size() === 0 || stopping.signal.aborted) return;
		groupsOf(1)
			.add([])
			.catch((error) => log.warn({ error }, 'could not store drop counts'));
	}, flushDropsEveryMs);
	flushDrops.unref();

	const storeAcknowledgedTimer = setInterval(() => {
		storeAcknowledged(postgres, acknowledged).catch((error) =>
			log.warn({ error }, 'could not store the last acknowledged message numbers'),
		);
	}, storeAcknowledgedEveryMs);
	storeAcknowledgedTimer.unref();

	const streams = numbers.map((partition) => createStreamPartition({ postgres, manager, log, partition }));
	const table = tablePartition(postgres);
	const pendingInStreams = () => Promise.all(streams.map((stream) => stream.pending()));

	return {
		async append(events) {
			if (stopping.signal.aborted) throw new EventLogFull('The service is stopping.');
			const pending = numbers.reduce((sum, partition) => sum + groupsOf(partition).pendingEvents(), 0);
			if (pending + events.length > maxWaiting) throw new EventLogFull('Too many events wait for NATS.');
			const parts = Map.groupBy(events, ({ eventId }) => partitionOf(eventId, partitions));
			await Promise.all(
				[...parts].flatMap(([partition, ofPartition]) =>
					splitByBytes(ofPartition, maxBytes).map((part) => groupsOf(partition).add(part)),
				),
			);
		},
		countDrop: drops.count,
		// The table may still have events from before NATS was configured.
		partitions: [table, ...streams],
		async oldest() {
			const inStreams = await pendingInStreams();
			const inTable = await pendingInTable(postgres).oldest();
			const positions = [...inStreams.map(({ oldest }) => oldest), inTable].filter(
				(position) => position !== undefined,
			);
			return positions.sort((a, b) => a.appendedAt.getTime() - b.appendedAt.getTime())[0];
		},
		// Sequence numbers of different streams are not comparable, so the time decides.
		isBefore: (position, until) => position.appendedAt < until.at,
		async lag(): Promise<Lag> {
			const all = [await lagOf(postgres), ...(await pendingInStreams()).map(({ lag }) => lag)];
			return {
				rows: all.reduce((sum, { rows }) => sum + rows, 0),
				bytes: all.reduce((sum, { bytes }) => sum + bytes, 0),
				oldestMs: Math.max(...all.map(({ oldestMs }) => oldestMs)),
			};
		},
		async drained() {
			const targets = await Promise.all(streams.map((stream) => stream.lastSeq()));
			await drainedTable(postgres);
			await pollUntil(() => isWrittenUpTo(postgres, targets));
		},
		async ping() {
			if (connection.isClosed()) return false;
			return Promise.race([
				manager.streams.info(streamOf(1)).then(
					() => true,
					() => false,
				),
				sleep(1_000, false, { ref: false }),
			]);
		},
		async close() {
			clearInterval(flushDrops);
			clearInterval(storeAcknowledgedTimer);
			// Waits for pending groups, and gives up those that NATS does not acknowledge.
			const giveUp = setTimeout(() => stopping.abort(), stopWithinMs);
			if (drops.size() > 0)
				await groupsOf(1)
					.add([])
					.catch(() => undefined);
			await Promise.all(numbers.map((partition) => groupsOf(partition).settled()));
			clearTimeout(giveUp);
			stopping.abort();
			await storeAcknowledged(postgres, acknowledged).catch(() => undefined);
			await connection.close();
		},
	};
}

const partitionOf = (eventId: string, partitions: number): number =>
	Number(BigInt(eventId) % BigInt(partitions)) + 1;
