/**
 * The rate limit of a website, a token bucket. A viral website or an attack must not slow down the other websites, so hits over the limit
 * are refused while that is cheap: before parsing and without a database query.
 *
 * Unused tokens are kept for a burst. Refused hits take no tokens, so a website at ten times its limit still gets its limit.
 *
 * Each process counts for itself, so N collectors let N times as many hits through. A shared count would need a round trip per hit, and
 * the limit only protects the process.
 */
import type { EventLog } from '../event-log/event-log.ts';
import { AppError } from '../lib/app-error.ts';
import type { Clock } from '../lib/clock.ts';
import { dateOf } from '../websites/zones.ts';
import type { TrackedWebsite } from './hit.ts';

export type WebsiteRateLimits = {
	/** Refuses a hit if its website is known to be over the limit. Takes no token. */
	check(websiteId: number): void;
	/** Takes tokens, or refuses all hits. A list may take more tokens than are left; the balance is negative then. */
	take(website: TrackedWebsite, hits: number): void;
	/** Refuses hits that had tokens but found the queue full. */
	refuse(website: TrackedWebsite, hits: number): never;
};

type Bucket = { website: TrackedWebsite; tokens: number; refilledAt: number };

/** Seconds of unused tokens that are kept. */
const burstSeconds = 10;
const maxKept = 200_000;

export function createWebsiteRateLimits(options: {
	/** For websites whose account has no limit. */
	hitsPerSecond: number;
	eventLog: Pick<EventLog, 'countDrop'>;
	now: Clock;
	/** A monotonic clock in milliseconds. */
	monotonicMs: () => number;
}): WebsiteRateLimits {
	const { eventLog, now, monotonicMs } = options;
	const buckets = new Map<number, Bucket>();
	const rateOf = ({ hitLimit }: TrackedWebsite) => hitLimit ?? options.hitsPerSecond;

	function refill(bucket: Bucket) {
		const rate = rateOf(bucket.website);
		const elapsedMs = monotonicMs() - bucket.refilledAt;
		bucket.tokens = Math.min(rate * burstSeconds, bucket.tokens + (elapsedMs / 1000) * rate);
		bucket.refilledAt += elapsedMs;
	}

	function refuse(website: TrackedWebsite, hits: number, seconds = 1): never {
		const { date } = dateOf(website.zones, now().getTime());
		for (let n = 0; n < hits; n++) eventLog.countDrop({ websiteId: website.id, date, reason: 'over_budget' });
		throw new AppError('too_many_requests', 'This website is over its rate limit; try again later.', {
			retryAfterSeconds: Math.max(1, Math.ceil(seconds)),
		});
	}

	function refuseIfEmpty({ website, tokens }: Bucket, hits: number) {
		if (tokens < 1) refuse(website, hits, (1 - tokens) / rateOf(website));
	}

	return {
		check(websiteId) {
			const bucket = buckets.get(websiteId);
			if (!bucket) return;
			refill(bucket);
			refuseIfEmpty(bucket, 1);
		},
		take(website, hits) {
			let bucket = buckets.get(website.id);
			if (!bucket) {
				// Removes the oldest bucket; a Map keeps insertion order. Its website starts over with a full one.
				if (buckets.size >= maxKept) buckets.delete(buckets.keys().next().value ?? website.id);
				bucket = { website, tokens: rateOf(website) * burstSeconds, refilledAt: monotonicMs() };
				buckets.set(website.id, bucket);
			}
			// Its settings may have changed.
			bucket.website = website;
			refill(bucket);
			refuseIfEmpty(bucket, hits);
			bucket.tokens -= hits;
		},
		refuse: (website, hits) => refuse(website, hits),
	};
}

const head = /^\s*\{\s*"w"\s*:\s*([1-9]\d{0,14})\s*[,}]/;
const headBytes = 64;

/**
 * Reads the website id from the first bytes of a hit, where the tracker puts it; undefined when it is elsewhere. JSON can repeat a
 * field, so the parsed id may differ and must be checked too.
 */
export function peekWebsiteId(body: unknown): number | undefined {
	if (!Buffer.isBuffer(body)) return undefined;
	const websiteId = head.exec(body.toString('latin1', 0, headBytes))?.[1];
	return websiteId === undefined ? undefined : Number(websiteId);
}
