/**
 * Publishes groups of events to a NATS stream.
 *
 * A message without an acknowledgement is sent again, with the same bytes and the same `Nats-Msg-Id`, for as long as both JetStream (ten
 * minutes) and the writer (five minutes, by event id) recognize a duplicate.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { JetStreamApiError, type JetStreamClient, type JetStreamManager } from '@nats-io/jetstream';
import type { Log } from '../lib/log.ts';
import type { Postgres } from '../store/postgres.ts';
import { streamOf, subjectOf } from './check-nats.ts';
import { EventLogFull, type LoggedEvent } from './event-log.ts';
import type { DropCounter } from './group-commit.ts';
import { encode } from './group-format.ts';
import { findMessage } from './stream-partition.ts';
import { type Acknowledged, recordLostEnd } from './stream-positions.ts';

const acknowledgeWithinMs = 3_000;
/** Less than the five minutes for which the writer recognizes a duplicate. */
const repeatForMs = 4 * 60_000;
const repeatEveryMs = 250;

/** Returns a function that resolves when its group is acknowledged. */
export function createPublisher(services: {
	postgres: Postgres;
	client: JetStreamClient;
	manager: JetStreamManager;
	log: Log;
	partition: number;
	/** Identifies this process in message ids. */
	sender: string;
	drops: DropCounter;
	maxBytes: number;
	acknowledged: Acknowledged;
	signal: AbortSignal;
}): (events: readonly LoggedEvent[]) => Promise<void> {
	const { postgres, client, manager, log, partition, drops, maxBytes, acknowledged, signal } = services;
	let lastId = 0;
	const nextMessageId = () => `${services.sender}-${partition}-${++lastId}`;

	const hasMessage = async (seq: number, msgID: string): Promise<boolean> =>
		(await findMessage(manager, partition, seq))?.header.get('Nats-Msg-Id') === msgID;

	function noteAcknowledged(seq: number, duplicate: boolean) {
		const last = acknowledged.last.get(partition) ?? 0;
		acknowledged.last.set(partition, seq);
		acknowledged.unsaved.add(partition);
		// The stream reuses numbers, so it lost its end. The events of this group are safe even if recording that fails.
		if (seq <= last && !duplicate)
			recordLostEnd(postgres, log, { partition, first: seq, last }).catch((error: unknown) =>
				log.error({ error, partition }, 'could not record lost messages of a NATS stream'),
			);
	}

	return async (events) => {
		const counted = drops.take(maxBytes / 4);
		if (events.length === 0 && counted.length === 0) return;
		const { header, lines } = encode(events, counted);
		const body = `${header}\n${lines}`;
		let msgID = nextMessageId();
		const giveUpAt = performance.now() + repeatForMs;
		for (let tries = 1; ; tries++) {
			try {
				const { seq, duplicate } = await client.publish(subjectOf(partition), body, {
					msgID,
					timeout: acknowledgeWithinMs,
					expect: { streamName: streamOf(partition) },
				});
				// A killed server may remember the id of a message that it lost. A new id stores it again; if the first copy exists after all,
				// the writer drops the duplicate.
				if (duplicate && !(await hasMessage(seq, msgID))) {
					msgID = nextMessageId();
					continue;
				}
				noteAcknowledged(seq, duplicate);
				return;
			} catch (error) {
				if (isRefused(error)) {
					drops.restore(counted);
					throw new EventLogFull('The event log is full.', { cause: error });
				}
				if (signal.aborted || performance.now() > giveUpAt)
					throw new EventLogFull('The event log does not answer.', { cause: error });
				if (tries === 1) log.warn({ error, partition }, 'NATS did not acknowledge a group; sending it again');
				await sleep(repeatEveryMs, undefined, { signal }).catch(() => undefined);
			}
		}
	};
}

/** The stream is full and stored nothing. Any other error may be temporary. */
const storeFailed = 10_077;
const isRefused = (error: unknown): boolean =>
	error instanceof JetStreamApiError && error.code === storeFailed;
