/**
 * Turns at the event log. One commit takes up to 5,000 events; while no more than that are under way, everybody's events
 * are in the next one and nobody waits for anybody. Beyond it each website waits in a lane of its own, and lanes take
 * turns: whoever sends most fills their own lane and is refused there, and a website that sends one event has the next turn.
 *
 * A turn is a number of events and not of requests, because a server may send a thousand in one.
 */
import { type EventLog, EventLogFull, type LoggedEvent } from '../store/event-log.ts';

/** So much of one website waits that more of it is refused; others have room. */
export class LaneFull extends Error {}

type Entry = { events: readonly LoggedEvent[]; resolve: () => void; reject: (error: unknown) => void };
/** `entries` is never empty: a lane without is none. `credit`: events that its turn has left. */
type Lane = { entries: Entry[]; events: number; credit: number };

export type LaneLimits = {
	/** Events that the log has and has not committed: as many as it commits at once. */
	underWay: number;
	perTurn: number;
	perLane: number;
	/** In all lanes. As much again is kept for websites that have nothing waiting. */
	waiting: number;
};

const standard: LaneLimits = { underWay: 5_000, perTurn: 100, perLane: 5_000, waiting: 25_000 };

/** The same log; each append is of one website. */
export function withLanes(eventLog: EventLog, limits: LaneLimits = standard): EventLog {
	/** Those with something waiting, in the order of their turns. */
	const lanes = new Map<number, Lane>();
	let underWay = 0;
	let waiting = 0;

	function handOver({ events, resolve, reject }: Entry) {
		underWay += events.length;
		const ended = (settle: () => void) => {
			underWay -= events.length;
			settle();
			takeTurns();
		};
		eventLog.append(events).then(
			() => ended(resolve),
			(error) => ended(() => reject(error)),
		);
	}

	function takeTurns() {
		while (underWay < limits.underWay) {
			const [first] = lanes;
			const entry = first?.[1].entries[0];
			if (!first || !entry) return;
			const [websiteId, lane] = first;
			const count = entry.events.length;
			if (count > lane.credit) {
				// Its turn is over; what it has left counts in the next one.
				lane.credit += limits.perTurn;
				lanes.delete(websiteId);
				lanes.set(websiteId, lane);
				continue;
			}
			lane.entries.shift();
			lane.credit -= count;
			lane.events -= count;
			waiting -= count;
			if (lane.entries.length === 0) lanes.delete(websiteId);
			handOver(entry);
		}
	}

	return {
		...eventLog,
		append(events) {
			if (lanes.size === 0 && underWay < limits.underWay)
				return new Promise((resolve, reject) => handOver({ events, resolve, reject }));
			const websiteId = events[0]?.websiteId ?? 0;
			const known = lanes.get(websiteId);
			const lane: Lane = known ?? { entries: [], events: 0, credit: limits.perTurn };
			if (known && lane.events + events.length > limits.perLane)
				return Promise.reject(new LaneFull('Too many events of this website wait for the disk.'));
			if (waiting + events.length > (known ? limits.waiting : 2 * limits.waiting))
				return Promise.reject(new EventLogFull('Too many events wait for the disk.'));
			return new Promise((resolve, reject) => {
				lane.entries.push({ events, resolve, reject });
				lane.events += events.length;
				waiting += events.length;
				if (!known) lanes.set(websiteId, lane);
			});
		},
	};
}
