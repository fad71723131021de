import type { FastifyRequest } from 'fastify';
import { AppError } from '../lib/app-error.ts';
import type { Door } from './door.ts';
import type { Identify } from './identify.ts';
import type { RateLimiter } from './rate-limits.ts';

export type KeyDoorOptions = {
	identify: Identify;
	/** Requests of a key, and requests of an address that came without a valid one. */
	limits: { key: RateLimiter; address: RateLimiter };
	baseUrl(): string;
	openapi: string;
	addressOf(request: FastifyRequest): string;
};

/** For programs: a Bearer key and nothing else, from any origin. */
export function keyDoor(options: KeyDoorOptions): Door {
	const { identify, limits, baseUrl, openapi, addressOf } = options;
	const prefix = '/api/v1';
	return {
		prefix,
		mountedAt: () => baseUrl() + prefix,
		headers: {
			'access-control-allow-origin': '*',
			'access-control-expose-headers':
				'ETag, Location, Retry-After, RateLimit, RateLimit-Policy, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Idempotency-Replayed, X-Request-Id, X-Total-Count, Content-Disposition',
		},
		optionsHeaders: (methods) => ({
			'access-control-allow-methods': methods,
			'access-control-allow-headers':
				'Authorization, Content-Type, Accept, If-Match, If-None-Match, Idempotency-Key',
			'access-control-max-age': '600',
		}),
		vary: 'Authorization, Accept',
		openapi,
		check: () => undefined,
		identify: (request) => identify.byHeader(authorizationOf(request)),
		refusal: () =>
			new AppError('unauthenticated', 'A valid API key is needed: Authorization: Bearer API_KEY.'),
		count: (request, principal) =>
			principal?.kind === 'key'
				? ['key', limits.key.count(String(principal.keyId))]
				: ['address', limits.address.count(addressOf(request))],
		look: (request) => ['address', limits.address.look(addressOf(request))],
	};
}

/** Two Authorization lines are not one key: Node would silently take the first. */
function authorizationOf(request: FastifyRequest): string | undefined {
	const lines = request.raw.rawHeaders.filter(
		(name, index) => index % 2 === 0 && name.toLowerCase() === 'authorization',
	);
	return lines.length === 1 ? request.headers.authorization : undefined;
}
