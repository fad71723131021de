/**
 * How many requests a caller may make in a minute. Counted in windows that begin with a caller's first request.
 * The table is bounded: whoever comes with ever new names pushes out those that have not asked for longest, so one
 * that is blocked and goes on asking stays blocked. Processes that share a port count together: shared-counts.ts.
 */
import type { FastifyReply } from 'fastify';
import { AppError } from '../lib/app-error.ts';
import type { Share } from './shared-counts.ts';

export type RateLimit = { limit: number; remaining: number; resetsInSeconds: number; exceeded: boolean };

export type RateLimiter = { count(caller: string): RateLimit; look(caller: string): RateLimit };

const windowMs = 60_000;

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
	const describe = (window: { used: number; endsAt: number }): RateLimit => ({
		limit,
		remaining: Math.max(0, limit - window.used),
		resetsInSeconds: Math.max(1, Math.ceil((window.endsAt - now()) / 1000)),
		exceeded: window.used > limit,
	});
	const add = (caller: string, times: number) => {
		const window = windowOf(caller);
		window.used += times;
		// A map keeps the order of insertion: the first one is who has not asked for longest.
		windows.delete(caller);
		windows.set(caller, window);
		if (windows.size > maxCallers) windows.delete(windows.keys().next().value ?? caller);
		return window;
	};
	const tell = share?.(add);
	return {
		count(caller) {
			tell?.(caller);
			return describe(add(caller, 1));
		},
		look: (caller) => describe(windowOf(caller)),
	};
}

/** The names of the policies in the `RateLimit` fields. */
export type Policy = 'key' | 'session' | 'share' | 'address';

/** Says on the answer how much is left, and refuses whoever has had more than that. */
export function applyLimit(
	reply: Pick<FastifyReply, 'headers'>,
	[policy, state]: readonly [Policy, RateLimit],
	nowMs: number,
): void {
	reply.headers(rateLimitHeaders(policy, state, nowMs));
	if (state.exceeded) throw new AppError('too_many_requests', 'Too many requests; try again later.');
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
