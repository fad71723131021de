/**
 * Limits requests per caller and minute, in windows that begin with a caller's first request. The table is bounded: new
 * callers evict the least recently seen, so a blocked caller that keeps sending stays blocked. Processes that share a port
 * share their counts (shared-rate-limits.ts).
 */
import type { FastifyReply } from 'fastify';
import { AppError } from '../../lib/app-error.ts';
import { widerNetworkOf } from '../../lib/networks.ts';
import type { Share } from './shared-rate-limits.ts';

export type RateLimit = { limit: number; remaining: number; resetsInSeconds: number; exceeded: boolean };

/** `times`: how many requests it counts as. */
export type RateLimiter = {
	count(caller: string, times?: number): RateLimit;
	peek(caller: string): RateLimit;
};

const windowMs = 60_000;
/** The limit of an IPv6 /48 relative to a /64, because the owner of a /48 can use a new /64 for every request. */
const widerNetworkFactor = 32;

export function createRateLimiter(
	limit: number,
	now: () => number,
	{ maxCallers = 100_000, share }: { maxCallers?: number; share?: Share | undefined } = {},
): RateLimiter {
	const windows = new Map<string, { used: number; endsAt: number }>();

	const windowOf = (caller: string) => {
		const known = windows.get(caller);
		const moment = now();
		const isCurrent = known && known.endsAt > moment && known.endsAt <= moment + windowMs;
		return isCurrent ? known : { used: 0, endsAt: moment + windowMs };
	};
	const describe = (caller: string): RateLimit => {
		const own = windowOf(caller);
		const wider = widerNetworkOf(caller);
		const widerWindow = wider === undefined ? undefined : windowOf(wider);
		const isWiderFull = widerWindow !== undefined && widerWindow.used > limit * widerNetworkFactor;
		const { used, endsAt } = isWiderFull ? widerWindow : own;
		return {
			limit,
			remaining: Math.max(0, limit - used),
			resetsInSeconds: Math.max(1, Math.ceil((endsAt - now()) / 1000)),
			exceeded: used > limit,
		};
	};
	const addTo = (caller: string, times: number) => {
		const window = windowOf(caller);
		window.used += times;
		// A Map keeps insertion order, so the first entry is the least recently seen.
		windows.delete(caller);
		windows.set(caller, window);
		if (windows.size > maxCallers) windows.delete(windows.keys().next().value ?? caller);
	};
	const add = (caller: string, times: number) => {
		const wider = widerNetworkOf(caller);
		if (wider !== undefined) addTo(wider, times);
		addTo(caller, times);
	};
	const publish = share?.(add);
	return {
		count(caller, times = 1) {
			for (let time = 0; time < times; time++) publish?.(caller);
			add(caller, times);
			return describe(caller);
		},
		peek: describe,
	};
}

/** The policy names in the `RateLimit` headers. */
export type Policy = 'key' | 'session' | 'share' | 'address';

/** Sets the rate limit headers, and throws when the limit is exceeded. */
export function applyLimit(
	reply: Pick<FastifyReply, 'headers'>,
	[policy, state]: readonly [Policy, RateLimit],
	nowMs: number,
): void {
	reply.headers(rateLimitHeaders(policy, state, nowMs));
	if (state.exceeded) throw new AppError('too_many_requests', 'Too many requests. Try again later.');
}

export function rateLimitHeaders(policy: Policy, state: RateLimit, nowMs: number): Record<string, string> {
	const headers: Record<string, string> = {
		'x-ratelimit-limit': String(state.limit),
		'x-ratelimit-remaining': String(state.remaining),
		'ratelimit-policy': `"${policy}";q=${state.limit};w=${windowMs / 1000}`,
		ratelimit: `"${policy}";r=${state.remaining};t=${state.resetsInSeconds}`,
	};
	if (state.exceeded) {
		headers['retry-after'] = String(state.resetsInSeconds);
		headers['x-ratelimit-reset'] = String(Math.ceil(nowMs / 1000) + state.resetsInSeconds);
	}
	return headers;
}
