/**
 * Live pictures for those who look once and for those who stay. However many watch a website, it is asked about by one
 * poll for each audience, and by none when nobody watches. Who watches is told when something has changed; who reads too
 * slowly is told the latest only, so nothing piles up.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { notFound } from '../accounts/authorize.ts';
import type { Principal } from '../accounts/principal.ts';
import { AppError } from '../lib/app-error.ts';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { createSingleFlight } from '../lib/single-flight.ts';
import { type ClickHouse, refusalOf } from '../store/clickhouse.ts';
import type { Queries } from '../store/postgres.ts';
import { sql, value } from '../store/sql.ts';
import { type AskedRow, askedColumns, toAskedWebsite } from './asked-website.ts';
import { type Audience, type LivePicture, readLive } from './live.ts';

export type Live = {
	/** That the principal may look at this website is for the caller to know. */
	look(websiteId: number, by: { principal: Principal; signal: AbortSignal }): Promise<LivePicture>;
	/** Throws `too_many_requests` when the account, or the public of a website, has too many already. */
	watch(websiteId: number, principal: Principal): Watch;
	/** Ends all that are watched. */
	close(): Promise<void>;
};

export type Watch = {
	/**
	 * A new picture; 'nothing' when there was none for so long; 'over' when there will be none. One is waited for at a time.
	 */
	next(withinMs: number): Promise<LivePicture | 'nothing' | 'over'>;
	end(): void;
};

type Watcher = { wake(): void };

type Poll = {
	latest: LivePicture | undefined;
	/** What was told, to be compared. */
	told: string;
	/** Counts the pictures. */
	version: number;
	watchers: Set<Watcher>;
	ending: AbortController;
	running: Promise<void>;
};

/** The public's picture is a new one every five minutes; what came late to its last step may change it. */
const everyMs: Record<Audience, number> = { people: 2_000, public: 30_000 };
/** A website that is slow to be counted is counted less often: a tenth of the time at most. */
const timesAsLong = 10;
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
	const flights = createSingleFlight<LivePicture>();
	const watches = new Map<string, number>();
	let isClosed = false;

	/** Undefined when there is no such website any more. */
	async function read(
		websiteId: number,
		audience: Audience,
		signal: AbortSignal,
	): Promise<LivePicture | undefined> {
		const [row] = await postgres.rows<AskedRow>(
			sql`SELECT ${askedColumns} FROM websites WHERE id = ${value(websiteId)}`,
		);
		return row && readLive(clickhouse, toAskedWebsite(websiteId, row, []), { audience, now: now(), signal });
	}

	function startPoll(websiteId: number, audience: Audience): Poll {
		const key = keyOf(websiteId, audience);
		const poll: Poll = {
			latest: undefined,
			told: '',
			version: 0,
			watchers: new Set(),
			ending: new AbortController(),
			running: Promise.resolve(),
		};
		const { signal } = poll.ending;

		async function run() {
			while (!signal.aborted) {
				const began = performance.now();
				try {
					const picture = await read(websiteId, audience, signal);
					if (!picture) break;
					tell(poll, picture);
				} catch (error) {
					// The next one may be lucky; who watches keeps what is known.
					if (!signal.aborted) log.warn({ error, websiteId }, 'a live picture could not be read');
				}
				const restMs = Math.max(everyMs[audience], timesAsLong * (performance.now() - began));
				await sleep(restMs, undefined, { signal, ref: false }).catch(() => undefined);
			}
			if (polls.get(key) === poll) polls.delete(key);
			poll.ending.abort();
			for (const watcher of poll.watchers) watcher.wake();
		}

		polls.set(key, poll);
		poll.running = run();
		return poll;
	}

	function leave(poll: Poll, watcher: Watcher, key: string) {
		poll.watchers.delete(watcher);
		if (poll.watchers.size > 0) return;
		poll.ending.abort();
		// Who comes next begins anew, and not with one that ends.
		if (polls.get(key) === poll) polls.delete(key);
	}

	return {
		async look(websiteId, { principal, signal }) {
			const audience = audienceOf(principal);
			try {
				return await flights.share(
					keyOf(websiteId, audience),
					signal,
					async (allLeft) => {
						const picture = await read(websiteId, audience, allLeft);
						if (!picture) throw notFound();
						return picture;
					},
					() => new AppError('unavailable', 'Whoever asked has left.'),
				);
			} catch (error) {
				if (refusalOf(error) === undefined) throw error;
				throw new AppError('unavailable', 'The statistics engine has too much to do for the moment.');
			}
		},

		watch(websiteId, principal) {
			if (isClosed) throw new AppError('unavailable', 'The service is being stopped.');
			const audience = audienceOf(principal);
			const key = keyOf(websiteId, audience);
			const holder = holderOf(principal, websiteId);
			const held = watches.get(holder) ?? 0;
			if (held >= maxWatches)
				throw new AppError(
					'too_many_requests',
					`At most ${maxWatches} streams can be open at a time; close one of them first.`,
					{ retryAfterSeconds: 30 },
				);
			watches.set(holder, held + 1);
			const poll = polls.get(key) ?? startPoll(websiteId, audience);
			const watcher: Watcher = { wake: () => undefined };
			poll.watchers.add(watcher);
			let seen = 0;
			let isOver = false;
			return {
				async next(withinMs) {
					const isNews = () => poll.version > seen || isOver || poll.ending.signal.aborted;
					if (!isNews()) await wakeOrWait(watcher, withinMs);
					if (isOver || poll.ending.signal.aborted) return 'over';
					if (poll.version === seen || !poll.latest) return 'nothing';
					seen = poll.version;
					return poll.latest;
				},
				end() {
					if (isOver) return;
					isOver = true;
					const left = (watches.get(holder) ?? 1) - 1;
					if (left > 0) watches.set(holder, left);
					else watches.delete(holder);
					leave(poll, watcher, key);
					watcher.wake();
				},
			};
		},

		async close() {
			isClosed = true;
			const running = [...polls.values()];
			for (const poll of running) poll.ending.abort();
			await Promise.all(running.map((poll) => poll.running));
		},
	};
}

function tell(poll: Poll, picture: LivePicture) {
	const { asOf: _, ...shown } = picture;
	const text = JSON.stringify(shown);
	if (text === poll.told) return;
	poll.told = text;
	poll.latest = picture;
	poll.version += 1;
	for (const watcher of poll.watchers) watcher.wake();
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

const keyOf = (websiteId: number, audience: Audience): string => `${websiteId} ${audience}`;

const audienceOf = ({ kind }: Principal): Audience =>
	kind === 'account' || kind === 'key' ? 'people' : 'public';

const holderOf = (principal: Principal, websiteId: number): string =>
	principal.kind === 'account' || principal.kind === 'key'
		? `account ${principal.accountId}`
		: `public of ${websiteId}`;
