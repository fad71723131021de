/**
 * A fair queue in front of the event log. One commit takes up to 5,000 events; as long as no more are in progress, all events go
 * straight to the next commit. Beyond that each website has its own queue, and the queues take turns (deficit round robin): a website
 * that sends too much fills its own queue and is refused there, while a website with one event gets the next turn.
 *
 * A turn is counted in events, not requests, because a server may send a thousand events in one request.
 */
import { type EventLog, EventLogFull, type LoggedEvent } from './event-log.ts';

/** The queue of one website is full; others have room. */
export class WebsiteQueueFull extends Error {}

type Entry = { events: readonly LoggedEvent[]; resolve: () => void; reject: (error: unknown) => void };
/** Removed when it has no entries. `credit` is the number of events left in its turn. */
type WebsiteQueue = { entries: Entry[]; events: number; credit: number };

export type FairQueueLimits = {
	/** Events that the log is committing: as many as it commits at once. */
	inProgress: number;
	perTurn: number;
	perWebsite: number;
	/** In all queues. As many again are reserved for websites without a queue. */
	pending: number;
};

const defaultLimits: FairQueueLimits = {
	inProgress: 5_000,
	perTurn: 100,
	perWebsite: 5_000,
	pending: 25_000,
};

/** Returns the same log. Each append must have events of one website. */
export function withFairQueue(eventLog: EventLog, limits: FairQueueLimits = defaultLimits): EventLog {
	/** In the order of their turns. */
	const queues = new Map<number, WebsiteQueue>();
	let inProgress = 0;
	let pending = 0;

	function commit({ events, resolve, reject }: Entry) {
		inProgress += events.length;
		const finish = (settle: () => void) => {
			inProgress -= events.length;
			settle();
			takeTurns();
		};
		eventLog.append(events).then(
			() => finish(resolve),
			(error) => finish(() => reject(error)),
		);
	}

	function takeTurns() {
		while (inProgress < limits.inProgress) {
			const [first] = queues;
			const entry = first?.[1].entries[0];
			if (!first || !entry) return;
			const [websiteId, queue] = first;
			const count = entry.events.length;
			if (count > queue.credit) {
				// Its turn is over; the credit it has left counts in the next one.
				queue.credit += limits.perTurn;
				queues.delete(websiteId);
				queues.set(websiteId, queue);
				continue;
			}
			queue.entries.shift();
			queue.credit -= count;
			queue.events -= count;
			pending -= count;
			if (queue.entries.length === 0) queues.delete(websiteId);
			commit(entry);
		}
	}

	return {
		...eventLog,
		append(events) {
			if (queues.size === 0 && inProgress < limits.inProgress)
				return new Promise((resolve, reject) => commit({ events, resolve, reject }));
			const websiteId = events[0]?.websiteId ?? 0;
			const known = queues.get(websiteId);
			const queue: WebsiteQueue = known ?? { entries: [], events: 0, credit: limits.perTurn };
			if (known && queue.events + events.length > limits.perWebsite)
				return Promise.reject(new WebsiteQueueFull('Too many events of this website wait for the disk.'));
			if (pending + events.length > (known ? limits.pending : 2 * limits.pending))
				return Promise.reject(new EventLogFull('Too many events wait for the disk.'));
			return new Promise((resolve, reject) => {
				queue.entries.push({ events, resolve, reject });
				queue.events += events.length;
				pending += events.length;
				if (!known) queues.set(websiteId, queue);
			});
		},
	};
}
