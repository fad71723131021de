import type { FastifyRequest } from 'fastify';
import type { Principal } from '../../accounts/principal.ts';
import type { AppError } from '../../lib/app-error.ts';
import type { LoadedWebsite } from '../../websites/get-website.ts';
import type { Policy, RateLimit } from './rate-limits.ts';

export type Caller = {
	principal: Principal;
	/** The website of the path, if identifying the caller has already loaded it and authorized the route's action on it. */
	website?: LoadedWebsite;
};

/** A way to authenticate: where the API is mounted for it, and how callers are identified. */
export type AuthScheme = {
	/** `/api/v1` */
	prefix: string;
	/** `https://stats.example.org/api/v1` */
	mountedAt(): string;
	/** Sent with every response. */
	headers: Readonly<Record<string, string>>;
	/** Sent with responses to OPTIONS, in addition to `Allow`. */
	optionsHeaders(methods: string): Record<string, string>;
	/** The value of the Vary header. */
	vary: string;
	/** The OpenAPI document, where it is published. */
	openapi?: string;
	/** Throws for requests that are rejected before the caller is identified. */
	check(request: FastifyRequest): void;
	/** The caller, or undefined if authentication fails. */
	identify(request: FastifyRequest): Promise<Caller | undefined>;
	/** The cookie of a browser that was sent a challenge for a passkey. */
	passkeyBrowser?(request: FastifyRequest): string | undefined;
	authError(request: FastifyRequest): AppError;
	/** Counts a request against the limit of the caller, or of the address if authentication failed. `times`: as so many. */
	count(
		request: FastifyRequest,
		principal: Principal | undefined,
		times?: number,
	): readonly [Policy, RateLimit];
	/** The limit of the address, without counting. */
	peek(request: FastifyRequest): readonly [Policy, RateLimit];
};
