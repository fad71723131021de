import type { FastifyRequest } from 'fastify';
import { AppError } from '../../lib/app-error.ts';
import type { ApiKeyCache } from './api-key-cache.ts';
import type { AuthScheme } from './auth-scheme.ts';
import type { RateLimiter } from './rate-limits.ts';

export type ApiKeyAuthOptions = {
	identify: ApiKeyCache;
	/** Per key, and per address for requests without a valid key. */
	limits: { key: RateLimiter; address: RateLimiter };
	baseUrl(): string;
	openapi: string;
	/** The network of the client, for rate limits. */
	addressOf(request: FastifyRequest): string;
	fullAddressOf(request: FastifyRequest): string;
};

/** API keys in the Authorization header, from any origin. */
export function apiKeyAuth(options: ApiKeyAuthOptions): AuthScheme {
	const { identify, limits, baseUrl, openapi, addressOf, fullAddressOf } = options;
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
		async identify(request) {
			const isCollecting = request.routeOptions.config.route?.action === 'website.collect';
			const principal = await identify.byHeader(authorizationOf(request), {
				address: fullAddressOf(request),
				isCollecting,
			});
			return principal && { principal };
		},
		authError: () => new AppError('unauthenticated', 'Send a valid API key: Authorization: Bearer API_KEY.'),
		count: (request, principal, times) => {
			if (principal?.kind === 'key') return ['key', limits.key.count(String(principal.keyId), times)];
			if (principal?.kind === 'operatorKey')
				return ['key', limits.key.count(`operator ${principal.keyId}`, times)];
			return ['address', limits.address.count(addressOf(request))];
		},
		peek: (request) => ['address', limits.address.peek(addressOf(request))],
	};
}

/** Undefined when the header is repeated, where Node would silently take the first. */
function authorizationOf(request: FastifyRequest): string | undefined {
	const lines = request.raw.rawHeaders.filter(
		(name, index) => index % 2 === 0 && name.toLowerCase() === 'authorization',
	);
	return lines.length === 1 ? request.headers.authorization : undefined;
}
