/** Group commit, for both kinds of event log: events that arrive during a commit form the next group. Drops are stored with a group. */
import { type DropCount, type DropDetail, EventLogFull, type LoggedEvent } from './event-log.ts';

const maxGroupEvents = 5_000;
/** Per website and date in one group. */
const maxHostnames = 20;

type Entry = {
	events: readonly LoggedEvent[];
	bytes: number;
	resolve: () => void;
	reject: (error: unknown) => void;
};

export type GroupCommit = {
	/** Resolves when the group with these events is on disk. */
	add(events: readonly LoggedEvent[]): Promise<void>;
	pendingEvents(): number;
	/** Resolves when no commit is running. */
	settled(): Promise<void>;
};

/**
 * Writes one group at a time and gathers the next meanwhile. With `withinMs`, events that wait longer are rejected: if their group is
 * being written, it still is; otherwise they are removed. While a group takes longer than that, new events are rejected at once.
 */
export function createGroupCommit(options: {
	write(events: readonly LoggedEvent[]): Promise<void>;
	maxBytes: number;
	withinMs?: number;
}): GroupCommit {
	const { write, maxBytes, withinMs } = options;
	const pending: Entry[] = [];
	let pendingEvents = 0;
	let committing: Promise<void> | undefined;
	/** When the write of the current group started. */
	let startedMs = 0;

	async function commit() {
		while (pending.length > 0) {
			const group: Entry[] = [];
			let events = 0;
			let bytes = 0;
			while (
				pending[0] &&
				(group.length === 0 ||
					(events + pending[0].events.length <= maxGroupEvents && bytes + pending[0].bytes <= maxBytes))
			) {
				const entry = pending.shift();
				if (!entry) break;
				group.push(entry);
				events += entry.events.length;
				bytes += entry.bytes;
			}
			startedMs = performance.now();
			try {
				await write(group.flatMap((entry) => entry.events));
				for (const entry of group) entry.resolve();
			} catch (error) {
				for (const entry of group) entry.reject(error);
			}
			pendingEvents -= events;
		}
		committing = undefined;
	}

	const timedOut = () => new EventLogFull('The event log does not answer.');

	function giveUpLater(entry: Entry, ms: number) {
		const timer = setTimeout(() => {
			const index = pending.indexOf(entry);
			if (index >= 0) {
				pending.splice(index, 1);
				pendingEvents -= entry.events.length;
			}
			entry.reject(timedOut());
		}, ms);
		timer.unref();
		return timer;
	}

	return {
		add: (events) =>
			new Promise<void>((resolve, reject) => {
				if (withinMs !== undefined && committing && performance.now() - startedMs > withinMs)
					throw timedOut();
				const entry: Entry = { events, bytes: bytesOf(events), resolve, reject };
				if (withinMs !== undefined) {
					const timer = giveUpLater(entry, withinMs);
					entry.resolve = () => {
						clearTimeout(timer);
						resolve();
					};
					entry.reject = (error) => {
						clearTimeout(timer);
						reject(error);
					};
				}
				pending.push(entry);
				pendingEvents += events.length;
				committing ??= commit();
			}),
		pendingEvents: () => pendingEvents,
		settled: async () => committing,
	};
}

/** About the size of the events in a group: their lines and, roughly, their header fields. */
const bytesOf = (events: readonly LoggedEvent[]): number =>
	events.reduce((sum, event) => sum + Buffer.byteLength(event.line) + 100, 0);

/** Splits events into parts that each fit into a group of this size. */
export function splitByBytes(events: readonly LoggedEvent[], maxBytes: number): LoggedEvent[][] {
	const parts: LoggedEvent[][] = [];
	let bytes = Number.POSITIVE_INFINITY;
	for (const event of events) {
		const more = bytesOf([event]);
		if (bytes + more > maxBytes || (parts.at(-1)?.length ?? 0) >= maxGroupEvents) {
			parts.push([]);
			bytes = 0;
		}
		parts.at(-1)?.push(event);
		bytes += more;
	}
	return parts;
}

type Drop = Pick<DropCount, 'websiteId' | 'date' | 'reason'>;
type Details = Pick<DropCount, 'hostnames' | 'rules'>;

export type DropCounter = {
	count(drop: Drop, detail?: DropDetail): void;
	/** Takes the counts since the last time, up to about this size. Call `restore` if they could not be stored. */
	take(maxBytes?: number): DropCount[];
	restore(drops: readonly DropCount[]): void;
	size(): number;
};

export function createDropCounter(max: number): DropCounter {
	const drops = new Map<string, DropCount>();

	function add({ websiteId, date, reason }: Drop, count: number, { hostnames, rules }: Details) {
		const key = `${websiteId} ${date} ${reason}`;
		const known = drops.get(key);
		if (!known && drops.size >= max) return;
		const drop: DropCount = known ?? { websiteId, date, reason, count: 0 };
		drop.count += count;
		if (!known) drops.set(key, drop);
		for (const [hostname, times] of hostnames ?? []) {
			drop.hostnames ??= new Map();
			const before = drop.hostnames.get(hostname);
			// Anyone can send any number of hostnames.
			if (before !== undefined || drop.hostnames.size < maxHostnames)
				drop.hostnames.set(hostname, (before ?? 0) + times);
		}
		for (const [ruleId, times] of rules ?? []) {
			drop.rules ??= new Map();
			drop.rules.set(ruleId, (drop.rules.get(ruleId) ?? 0) + times);
		}
	}

	return {
		count: (drop, { hostname, ruleId } = {}) =>
			add(drop, 1, {
				...(hostname !== undefined && { hostnames: new Map([[hostname, 1]]) }),
				...(ruleId !== undefined && { rules: new Map([[ruleId, 1]]) }),
			}),
		take(maxBytes = Number.POSITIVE_INFINITY) {
			const taken: DropCount[] = [];
			let bytes = 0;
			for (const [key, drop] of drops) {
				if (bytes >= maxBytes) break;
				taken.push(drop);
				drops.delete(key);
				bytes += 100 + (drop.hostnames?.size ?? 0) * 300 + (drop.rules?.size ?? 0) * 60;
			}
			return taken;
		},
		restore(taken) {
			for (const drop of taken) add(drop, drop.count, drop);
		},
		size: () => drops.size,
	};
}
