/**
 * Live statistics, once or as a stream. However many clients watch a website, one poll per audience queries the engine, and none
 * when nobody watches. Watchers are notified of changes; a slow reader gets the latest snapshot only, so nothing queues up.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { notFound } from '../../accounts/authorize.ts';
import type { Principal } from '../../accounts/principal.ts';
import { AppError } from '../../lib/app-error.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import { createSingleFlight } from '../../lib/single-flight.ts';
import type { ClickHouse } from '../../store/clickhouse.ts';
import { refusalOf } from '../../store/clickhouse-errors.ts';
import type { Queries } from '../../store/postgres.ts';
import { sql, value } from '../../store/sql.ts';
import { type StatsContextRow, statsContextColumns, toStatsWebsite } from '../question/stats-context.ts';
import { type LiveFeed, readFeed } from './feed.ts';
import { type Audience, type LiveSnapshot, readLive } from './live.ts';

export type Live = {
	/** One snapshot. The caller checks that the principal may read the website. */
	snapshot(websiteId: number, by: { principal: Principal; signal: AbortSignal }): Promise<LiveSnapshot>;
	/** For members. The caller checks the permission. */
	feed(websiteId: number, signal: AbortSignal): Promise<LiveFeed>;
	/** Throws `too_many_requests` when the account, or the public of a website, has too many streams already. */
	watch(websiteId: number, principal: Principal): Watch;
	/** Ends all watches. */
	close(): Promise<void>;
};

export type Watch = {
	/**
	 * The next snapshot; 'nothing' when there was no change for so long; 'over' when there will be none. One call at a time.
	 */
	next(withinMs: number): Promise<LiveSnapshot | 'nothing' | 'over'>;
	end(): void;
};

/** Reads a snapshot; undefined when the website no longer exists. */
type ReadSnapshot = (
	websiteId: number,
	audience: Audience,
	signal: AbortSignal,
) => Promise<LiveSnapshot | undefined>;

/** The public's snapshot changes every five minutes, but late events may still change its last step. */
const everyMs: Record<Audience, number> = { people: 2_000, public: 30_000 };
/** A poll takes at most a tenth of the time: slow websites are polled less often. */
const pauseFactor = 10;
const maxWatches = 50;

export function createLive({
	postgres,
	clickhouse,
	now,
	log,
}: {
	postgres: Queries;
	clickhouse: ClickHouse;
	now: Clock;
	log: Log;
}): Live {
	const polls = new Map<string, Poll>();
	const flights = createSingleFlight<LiveSnapshot>();
	const feedFlights = createSingleFlight<LiveFeed>();
	const streams = createStreamLimit();
	let isClosed = false;

	const findWebsite = async (websiteId: number) => {
		const [row] = await postgres.rows<StatsContextRow>(
			sql`SELECT ${statsContextColumns} FROM websites WHERE id = ${value(websiteId)}`,
		);
		return row && toStatsWebsite(websiteId, row, []);
	};
	const read: ReadSnapshot = async (websiteId, audience, signal) => {
		const website = await findWebsite(websiteId);
		return website && readLive(clickhouse, website, { audience, now: now(), signal });
	};

	function pollFor(websiteId: number, audience: Audience): Poll {
		const key = keyOf(websiteId, audience);
		const running = polls.get(key);
		if (running) return running;
		const poll: Poll = startPoll(websiteId, audience, {
			read,
			log,
			// A later watcher starts a new poll instead of joining one that is ending.
			onEnd: () => polls.get(key) === poll && polls.delete(key),
		});
		polls.set(key, poll);
		return poll;
	}

	return {
		async snapshot(websiteId, { principal, signal }) {
			const audience = audienceOf(principal);
			return flights
				.share(
					keyOf(websiteId, audience),
					signal,
					async (allLeft) => {
						const snapshot = await read(websiteId, audience, allLeft);
						if (!snapshot) throw notFound();
						return snapshot;
					},
					clientLeft,
				)
				.catch(explainRefusal);
		},

		async feed(websiteId, signal) {
			return feedFlights
				.share(
					String(websiteId),
					signal,
					async (allLeft) => {
						const website = await findWebsite(websiteId);
						if (!website) throw notFound();
						return readFeed(clickhouse, website, { now: now(), signal: allLeft });
					},
					clientLeft,
				)
				.catch(explainRefusal);
		},

		watch(websiteId, principal) {
			if (isClosed) throw new AppError('unavailable', 'The service is being stopped.');
			const release = streams.take(holderOf(principal, websiteId));
			const watch = pollFor(websiteId, audienceOf(principal)).join();
			return {
				next: watch.next,
				end() {
					release();
					watch.end();
				},
			};
		},

		async close() {
			isClosed = true;
			await Promise.all([...polls.values()].map((poll) => poll.stop()));
		},
	};
}

const clientLeft = () => new AppError('unavailable', 'The client closed the request.');

function explainRefusal(error: unknown): never {
	if (refusalOf(error) === undefined) throw error;
	throw new AppError('unavailable', 'The statistics engine is busy. Try again in a few seconds.');
}

type Watcher = { wake(): void };
type Poll = { join(): Watch; stop(): Promise<void> };

/** Reads snapshots until the last watcher leaves or the website is gone. */
function startPoll(
	websiteId: number,
	audience: Audience,
	{ read, log, onEnd }: { read: ReadSnapshot; log: Log; onEnd(): void },
): Poll {
	let latest: LiveSnapshot | undefined;
	/** The latest snapshot as text, for comparison. */
	let published = '';
	/** Counts the snapshots. */
	let version = 0;
	const watchers = new Set<Watcher>();
	const ending = new AbortController();
	const { signal } = ending;

	const wakeAll = () => {
		for (const watcher of watchers) watcher.wake();
	};

	function end() {
		ending.abort();
		onEnd();
	}

	function publish(snapshot: LiveSnapshot) {
		const { asOf: _, ...shown } = snapshot;
		const text = JSON.stringify(shown);
		if (text === published) return;
		published = text;
		latest = snapshot;
		version += 1;
		wakeAll();
	}

	async function run() {
		while (!signal.aborted) {
			const began = performance.now();
			try {
				const snapshot = await read(websiteId, audience, signal);
				if (!snapshot) break;
				publish(snapshot);
			} catch (error) {
				// The next one may succeed; watchers keep the latest snapshot.
				if (!signal.aborted) log.warn({ error, websiteId }, 'could not read live statistics');
			}
			const pauseMs = Math.max(everyMs[audience], pauseFactor * (performance.now() - began));
			await sleep(pauseMs, undefined, { signal, ref: false }).catch(() => undefined);
		}
		end();
		wakeAll();
	}

	const running = run();
	return {
		join() {
			const watcher: Watcher = { wake: () => undefined };
			watchers.add(watcher);
			let seen = 0;
			let isOver = false;
			return {
				async next(withinMs) {
					if (version === seen && !isOver && !signal.aborted) await wakeOrWait(watcher, withinMs);
					if (isOver || signal.aborted) return 'over';
					if (version === seen || !latest) return 'nothing';
					seen = version;
					return latest;
				},
				end() {
					isOver = true;
					watchers.delete(watcher);
					if (watchers.size === 0) end();
					watcher.wake();
				},
			};
		},
		stop() {
			ending.abort();
			return running;
		},
	};
}

function wakeOrWait(watcher: Watcher, withinMs: number): Promise<void> {
	return new Promise((resolve) => {
		const timer = setTimeout(resolve, withinMs);
		watcher.wake = () => {
			clearTimeout(timer);
			resolve();
		};
	});
}

/** Counts open streams by holder. */
function createStreamLimit() {
	const open = new Map<string, number>();
	return {
		/** Returns the function that releases the stream; calling it again does nothing. */
		take(holder: string): () => void {
			const count = open.get(holder) ?? 0;
			if (count >= maxWatches)
				throw new AppError(
					'too_many_requests',
					`At most ${maxWatches} streams can be open at a time; close one of them first.`,
					{ retryAfterSeconds: 30 },
				);
			open.set(holder, count + 1);
			let isReleased = false;
			return () => {
				if (isReleased) return;
				isReleased = true;
				const left = (open.get(holder) ?? 1) - 1;
				if (left > 0) open.set(holder, left);
				else open.delete(holder);
			};
		},
	};
}

const keyOf = (websiteId: number, audience: Audience): string => `${websiteId} ${audience}`;

const audienceOf = (principal: Principal): Audience => ('accountId' in principal ? 'people' : 'public');

const holderOf = (principal: Principal, websiteId: number): string =>
	'accountId' in principal ? `account ${principal.accountId}` : `public of ${websiteId}`;
