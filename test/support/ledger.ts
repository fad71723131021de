/**
 * Judges whether an acknowledged event is counted exactly once. Before a request goes out it is written down, and again
 * when its answer comes; afterwards ClickHouse is asked how often each event is there, and every event is sorted:
 *
 * ok         acknowledged and counted once
 * lost       acknowledged and not there
 * duplicate  there twice or more
 * unknown    never answered, or answered 503: 0 and 1 are both right
 * phantom    there, and never sent, refused, or dropped on purpose
 * foreign    there on another website than it was sent to
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClickHouse } from '../../server/store/clickhouse.ts';
import { sql } from '../../server/store/sql.ts';
import type { Random } from './random.ts';

export type LedgerWebsite = { id: number; domain: string };

export type LedgerEntry = {
	websiteId: number;
	/** Decimal digits, as the table gives them. */
	eventId: string;
	sentAt: number;
	answeredAt?: number;
	/** The best answer so far: a 202 is never forgotten. */
	status?: number;
	/** The reason, when the answer said that the hit was dropped. */
	dropped?: string;
};

export type Verdict = {
	sent: number;
	ok: number;
	dropped: number;
	rejected: number;
	/** Of them, `unknownCounted` are there. */
	unknown: number;
	unknownCounted: number;
	counted: number;
	lost: string[];
	duplicate: string[];
	phantom: string[];
	foreign: string[];
};

export type Ledger = ReturnType<typeof createLedger>;

export function createLedger() {
	const entries = new Map<string, LedgerEntry>();
	const answers = new Map<number, number>();
	const keyOf = (websiteId: number, eventId: string) => `${websiteId} ${eventId}`;
	return {
		entries,
		/** How often each status was answered, retries among them. */
		answers,
		/** Before the request. The same event may be sent again. */
		noteSent(websiteId: number, eventId: string): LedgerEntry {
			const key = keyOf(websiteId, eventId);
			const entry = entries.get(key) ?? { websiteId, eventId, sentAt: performance.now() };
			entries.set(key, entry);
			return entry;
		},
		noteAnswer(entry: LedgerEntry, status: number, dropped: string | null) {
			entry.answeredAt = performance.now();
			answers.set(status, (answers.get(status) ?? 0) + 1);
			if (entry.status !== 202) entry.status = status;
			if (dropped !== null) entry.dropped = dropped;
		},
		/** Event ids that were answered 202 and not dropped. */
		acknowledged: () => [...entries.values()].filter((entry) => entry.status === 202 && !entry.dropped),
		async judge(clickhouse: ClickHouse): Promise<Verdict> {
			const rows = await clickhouse.rows<{ website_id: number; event_id: string; times: string }>(
				sql`SELECT website_id, event_id, count() AS times FROM events GROUP BY website_id, event_id`,
				{ as: 'migrate' },
			);
			return sort(
				entries,
				rows.map((row) => ({ websiteId: row.website_id, eventId: row.event_id, times: Number(row.times) })),
			);
		},
	};
}

function sort(
	entries: ReadonlyMap<string, LedgerEntry>,
	rows: readonly { websiteId: number; eventId: string; times: number }[],
): Verdict {
	const verdict: Verdict = {
		...{ sent: entries.size, ok: 0, dropped: 0, rejected: 0, unknown: 0, unknownCounted: 0, counted: 0 },
		...{ lost: [], duplicate: [], phantom: [], foreign: [] },
	};
	const times = new Map(rows.map((row) => [`${row.websiteId} ${row.eventId}`, row.times]));
	const ids = new Set([...entries.values()].map((entry) => entry.eventId));
	for (const row of rows) {
		verdict.counted += row.times;
		const key = `${row.websiteId} ${row.eventId}`;
		if (row.times > 1) verdict.duplicate.push(`${key} is there ${row.times} times`);
		if (!entries.has(key)) (ids.has(row.eventId) ? verdict.foreign : verdict.phantom).push(key);
	}
	for (const [key, { status, dropped }] of entries) {
		const isThere = times.has(key);
		if (dropped !== undefined) {
			verdict.dropped++;
			if (isThere) verdict.phantom.push(`${key} was dropped: ${dropped}`);
		} else if (status === 202) {
			if (isThere) verdict.ok++;
			else verdict.lost.push(key);
		} else if (status === undefined || status >= 500) {
			verdict.unknown++;
			if (isThere) verdict.unknownCounted++;
		} else {
			verdict.rejected++;
			if (isThere) verdict.phantom.push(`${key} was answered ${status}`);
		}
	}
	return verdict;
}

/** What is wrong, in words; nothing when every event is where it belongs. */
export function faultsOf(verdict: Verdict): string[] {
	const { ok, dropped, rejected, unknown, unknownCounted, counted, sent } = verdict;
	const faults = (['lost', 'duplicate', 'phantom', 'foreign'] as const).flatMap((name) =>
		verdict[name].length === 0
			? []
			: [`${verdict[name].length} ${name}: ${verdict[name].slice(0, 5).join('; ')}`],
	);
	if (ok + dropped + rejected + unknown !== sent) faults.push(`${JSON.stringify(verdict)} does not add up`);
	if (ok + unknownCounted !== counted)
		faults.push(`${counted} are counted, ${ok} acknowledged ones and ${unknownCounted} unknown ones`);
	return faults;
}

export const inWords = (verdict: Verdict): string =>
	`${verdict.sent} sent: ${verdict.ok} ok, ${verdict.dropped} dropped, ${verdict.rejected} rejected, ` +
	`${verdict.unknown} unknown (${verdict.unknownCounted} of them counted), ${verdict.lost.length} lost, ` +
	`${verdict.duplicate.length} duplicate, ${verdict.phantom.length} phantom, ${verdict.foreign.length} foreign`;

export type HitOptions = {
	headers?: Record<string, string>;
	members?: Record<string, unknown>;
	timeoutMs?: number;
};

/** 64 bits from the seed, never 0. */
export const eventIdOf = (random: Random): string =>
	((BigInt(random.whole(2 ** 32)) << 32n) | BigInt(random.whole(2 ** 32) || 1)).toString();

/** An event id as the tracker writes it. */
export const wireId = (eventId: string): string => BigInt(eventId).toString(16).padStart(16, '0');

/** One hit as a tracker sends it; undefined when no answer came. */
export async function sendHit(
	ledger: Ledger,
	base: string,
	website: LedgerWebsite,
	eventId: string,
	options: HitOptions = {},
): Promise<number | undefined> {
	const entry = ledger.noteSent(website.id, eventId);
	try {
		const response = await fetch(`${base}/tm`, {
			method: 'POST',
			headers: { 'content-type': 'text/plain', 'user-agent': userAgentOf(0), ...options.headers },
			body: JSON.stringify({
				w: website.id,
				i: wireId(eventId),
				u: `https://${website.domain}/`,
				...options.members,
			}),
			signal: AbortSignal.timeout(options.timeoutMs ?? 30_000),
		});
		await response.arrayBuffer();
		ledger.noteAnswer(entry, response.status, response.headers.get('x-tidemark-dropped'));
		return response.status;
	} catch (error) {
		// fetch says TypeError when the connection is gone; anything else is a finding.
		if (error instanceof TypeError || (error instanceof Error && error.name === 'TimeoutError'))
			return undefined;
		throw error;
	}
}

/** A browser of its own for every visitor. */
export const userAgentOf = (visitor: number): string =>
	`Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/14${visitor % 10}.0.${visitor}.0 Safari/537.36`;

export type Load = {
	/** Lets the last requests end. Events that nobody answered are sent once more, if `retry` says where. */
	end(): Promise<void>;
};

export type LoadOptions = {
	ledger: Ledger;
	/** Where the service is now; undefined while it is away. */
	base: () => string | undefined;
	websites: readonly LedgerWebsite[];
	random: Random;
	clients?: number;
	/** Between two hits of one client. */
	pauseMs?: number;
	/** Taken by every client before its next hit, so that a bound on the number of events is kept. */
	maxEvents?: number;
};

/**
 * Trackers at work: several websites and visitors; an event without an answer is sent again with the same id, some are sent
 * twice although they were answered, some are dropped or refused on purpose.
 */
export function startLoad(options: LoadOptions): Load {
	const { ledger, base, websites, random, clients = 8, pauseMs = 2, maxEvents = 200_000 } = options;
	let over = false;
	let sent = 0;
	const unanswered: { website: LedgerWebsite; eventId: string; options: HitOptions; since: number }[] = [];

	async function client() {
		while (!over && sent < maxEvents) {
			const at = base();
			if (at === undefined) {
				await sleep(20);
				continue;
			}
			const again = unanswered.length > 0 && random.next() < 0.5 ? unanswered.shift() : undefined;
			const hit = again ?? {
				website: random.pick(websites),
				eventId: eventIdOf(random),
				options: chooseHit(random),
				since: performance.now(),
			};
			if (!again) sent++;
			// A tracker says how long ago it was, so that a retry keeps its moment.
			const a = Math.round(performance.now() - hit.since);
			const sending = { ...hit.options, members: { ...hit.options.members, ...(again && { a }) } };
			const status = await sendHit(ledger, at, hit.website, hit.eventId, sending);
			if (status === undefined || status >= 500) unanswered.push(hit);
			else if (random.next() < 0.03) await sendHit(ledger, at, hit.website, hit.eventId, sending);
			await sleep(status === undefined ? 20 : pauseMs);
		}
	}

	const working = Array.from({ length: clients }, client);
	return {
		async end() {
			over = true;
			await Promise.all(working);
			const at = base();
			// A minute at most, as a tracker does; what is then still without an answer stays unknown.
			if (at !== undefined)
				for (const hit of unanswered.splice(0, 2_000))
					await sendHit(ledger, at, hit.website, hit.eventId, hit.options);
		},
	};
}

function chooseHit(random: Random): HitOptions {
	const headers: Record<string, string> = { 'user-agent': userAgentOf(random.whole(50)) };
	const chance = random.next();
	if (chance < 0.02) return { headers: { ...headers, 'sec-purpose': 'prefetch' } };
	if (chance < 0.04) return { headers, members: { n: 'x'.repeat(200) } };
	if (chance < 0.3) return { headers, members: { n: 'signup', p: { plan: `plan ${random.whole(5)}` } } };
	return { headers, members: { t: `Page ${random.whole(100)}` } };
}
