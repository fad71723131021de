/**
 * What every event log does before and after its disk: events that arrive while one group is on its way form the next, drops are
 * counted until a group takes them along, and a group is a header and lines.
 */
import type { DropCount, Header, LoggedEvent } from './event-log.ts';
import { EventLogFull } from './event-log.ts';

const maxGroupEvents = 5_000;
/** Of a website and a date, in one group. */
const maxHostnames = 20;

type Entry = {
	events: readonly LoggedEvent[];
	bytes: number;
	resolve: () => void;
	reject: (error: unknown) => void;
};

export type Groups = {
	/** Resolves when the group that these events are in is durable. */
	add(events: readonly LoggedEvent[]): Promise<void>;
	waitingEvents(): number;
	/** Resolves when nothing is on its way. */
	settled(): Promise<void>;
};

/**
 * One group after the other: while `write` is at work with one, the next is gathered. With `withinMs`, whoever has waited for longer is
 * told that the log takes none: a group that is on its way stays on its way, one that is not never goes. Whoever comes while one is
 * on its way for that long is told at once.
 */
export function createGroups(options: {
	write(events: readonly LoggedEvent[]): Promise<void>;
	maxBytes: number;
	withinMs?: number;
}): Groups {
	const { write, maxBytes, withinMs } = options;
	const waiting: Entry[] = [];
	let waitingEvents = 0;
	let committing: Promise<void> | undefined;
	/** When the group that is on its way was given to the disk. */
	let beganMs = 0;

	async function commit() {
		while (waiting.length > 0) {
			const group: Entry[] = [];
			let events = 0;
			let bytes = 0;
			while (
				waiting[0] &&
				(group.length === 0 ||
					(events + waiting[0].events.length <= maxGroupEvents && bytes + waiting[0].bytes <= maxBytes))
			) {
				const entry = waiting.shift();
				if (!entry) break;
				group.push(entry);
				events += entry.events.length;
				bytes += entry.bytes;
			}
			beganMs = performance.now();
			try {
				await write(group.flatMap((entry) => entry.events));
				for (const entry of group) entry.resolve();
			} catch (error) {
				for (const entry of group) entry.reject(error);
			}
			waitingEvents -= events;
		}
		committing = undefined;
	}

	const silent = () => new EventLogFull('The event log does not answer.');

	function giveUpLater(entry: Entry, ms: number) {
		const timer = setTimeout(() => {
			const at = waiting.indexOf(entry);
			if (at >= 0) {
				waiting.splice(at, 1);
				waitingEvents -= entry.events.length;
			}
			entry.reject(silent());
		}, ms);
		timer.unref();
		return timer;
	}

	return {
		add: (events) =>
			new Promise<void>((resolve, reject) => {
				if (withinMs !== undefined && committing && performance.now() - beganMs > withinMs) throw silent();
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
				waiting.push(entry);
				waitingEvents += events.length;
				committing ??= commit();
			}),
		waitingEvents: () => waitingEvents,
		settled: async () => committing,
	};
}

/** At most as many as a line has characters above 0x7f are more bytes than this; nearly none has any. What its header takes is added. */
const bytesOf = (events: readonly LoggedEvent[]): number =>
	events.reduce((sum, event) => sum + Buffer.byteLength(event.line) + 100, 0);

/** Parts that each fit into a group of so many bytes. */
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

export type Drops = {
	count(drop: Drop, hostname?: string): void;
	/** Those since the last time, as many as are about so many bytes; `giveBack` when they could not be noted. */
	take(maxBytes?: number): DropCount[];
	giveBack(drops: readonly DropCount[]): void;
	size(): number;
};

export function createDrops(max: number): Drops {
	const drops = new Map<string, DropCount>();

	function add({ websiteId, date, reason }: Drop, count: number, hostnames?: ReadonlyMap<string, number>) {
		const key = `${websiteId} ${date} ${reason}`;
		const known = drops.get(key);
		if (!known && drops.size >= max) return;
		const drop: DropCount = known ?? { websiteId, date, reason, count: 0 };
		drop.count += count;
		if (!known) drops.set(key, drop);
		for (const [hostname, times] of hostnames ?? []) {
			drop.hostnames ??= new Map();
			const before = drop.hostnames.get(hostname);
			// Anybody can name ever new ones.
			if (before !== undefined || drop.hostnames.size < maxHostnames)
				drop.hostnames.set(hostname, (before ?? 0) + times);
		}
	}

	return {
		count: (drop, hostname) => add(drop, 1, hostname === undefined ? undefined : new Map([[hostname, 1]])),
		take(maxBytes = Number.POSITIVE_INFINITY) {
			const taken: DropCount[] = [];
			let bytes = 0;
			for (const [key, drop] of drops) {
				if (bytes >= maxBytes) break;
				taken.push(drop);
				drops.delete(key);
				bytes += 100 + (drop.hostnames?.size ?? 0) * 300;
			}
			return taken;
		},
		giveBack(some) {
			for (const drop of some) add(drop, drop.count, drop.hostnames);
		},
		size: () => drops.size,
	};
}

/** Of the form of a group. Members may be added to it: who does not know them leaves them alone. One that changes what is there is a new form. */
const form = 1;

export function encode(
	events: readonly LoggedEvent[],
	drops: Iterable<DropCount>,
): { header: string; lines: string } {
	const header: Header = { f: form, w: [], d: [], v: [], i: [], p: [], drops: [] };
	const lines: string[] = [];
	for (const event of events) {
		header.w.push(event.websiteId);
		header.d.push(event.date);
		header.v.push(event.visitorId);
		header.i.push(event.eventId);
		header.p.push(event.isPageview ? 1 : 0);
		if (event.mayRepeat) header.c = [...(header.c ?? []), lines.length];
		lines.push(event.line);
	}
	for (const { websiteId, date, reason, count, hostnames } of drops) {
		header.drops.push([websiteId, date, reason, count]);
		for (const [hostname, times] of hostnames ?? []) {
			header.hosts ??= [];
			header.hosts.push([websiteId, date, hostname, times]);
		}
	}
	return { header: JSON.stringify(header), lines: lines.join('\n') };
}

export type Decoded = { header: Header; lines: string } | { unreadable: string };

/** A group as it stands in the log. Whatever is wrong with it, one that cannot be read holds up no other. */
export function decode(headerText: string, lines: string): Decoded {
	let header: unknown;
	try {
		header = JSON.parse(headerText);
	} catch {
		return { unreadable: 'Its header is no JSON.' };
	}
	if (typeof header !== 'object' || header === null) return { unreadable: 'Its header is no object.' };
	const given: Record<string, unknown> = { ...header };
	// The first groups had no number.
	const { f = form } = given;
	if (f !== form)
		return { unreadable: `It is of form ${JSON.stringify(f)}, and this version reads ${form}.` };
	const count = lines === '' ? 0 : lines.split('\n').length;
	for (const [name, isOne] of Object.entries(lists)) {
		const list = given[name];
		if (!Array.isArray(list) || list.length !== count || !list.every(isOne))
			return { unreadable: `The list ${name} of its header is not as it must be.` };
	}
	if (!isListOf(given.drops, isCount) || !isListOf(given.hosts ?? [], isCount))
		return { unreadable: 'Its counts are not as they must be.' };
	if (!isListOf(given.c ?? [], (at) => isWhole(at, count)))
		return { unreadable: 'Its places are not numbers.' };
	// Each member was looked at.
	return { header: given as Header, lines };
}

const isWhole = (one: unknown, below: number): boolean =>
	typeof one === 'number' && Number.isInteger(one) && one >= 0 && one < below;
const isId = (one: unknown): boolean => isWhole(one, 2 ** 32);
const isDate = (one: unknown): boolean =>
	typeof one === 'string' &&
	/^\d{4}-\d\d-\d\d$/.test(one) &&
	new Date(one).toJSON()?.startsWith(one) === true;
const isUInt64 = (one: unknown): boolean =>
	typeof one === 'string' && /^\d{1,20}$/.test(one) && (one.length < 20 || BigInt(one) < 2n ** 64n);
const isListOf = (list: unknown, isOne: (one: unknown) => boolean): boolean =>
	Array.isArray(list) && list.every(isOne);
/** PostgreSQL keeps no text with a zero in it. */
const isCount = (one: unknown): boolean =>
	Array.isArray(one) &&
	isId(one[0]) &&
	isDate(one[1]) &&
	typeof one[2] === 'string' &&
	!one[2].includes('\0') &&
	isWhole(one[3], Number.MAX_SAFE_INTEGER);

/** The parallel lists of a header: each has as many members as there are lines. */
const lists: Record<string, (one: unknown) => boolean> = {
	w: isId,
	d: isDate,
	v: isUInt64,
	i: isUInt64,
	p: (one) => one === 0 || one === 1,
};

export const emptyHeader = (): Header => ({ f: form, w: [], d: [], v: [], i: [], p: [], drops: [] });
