import type { FastifyRequest } from 'fastify';
import type { Principal } from '../accounts/principal.ts';
import type { AppError } from '../lib/app-error.ts';
import type { Policy, RateLimit } from './rate-limits.ts';

/** How callers come in: where the list of routes is mounted, and how it is settled who is calling. */
export type Door = {
	/** `/api/v1` */
	prefix: string;
	/** `https://stats.example.org/api/v1` */
	mountedAt(): string;
	/** What every answer bears. */
	headers: Readonly<Record<string, string>>;
	/** What the answer to OPTIONS bears beside `Allow`. */
	optionsHeaders(methods: string): Record<string, string>;
	/** Which header fields an answer depends on. */
	vary: string;
	/** The description of the list, where it is given to everybody. */
	openapi?: string;
	/** Refuses what is not even looked at. */
	check(request: FastifyRequest): void;
	/** Who is calling, or undefined for who may not come in. */
	identify(request: FastifyRequest): Promise<Principal | undefined>;
	refusal(request: FastifyRequest): AppError;
	/** Counts a request, for who is calling or for the address of who may not come in. */
	count(request: FastifyRequest, principal: Principal | undefined): readonly [Policy, RateLimit];
	/** What is left for an address, without counting. */
	look(request: FastifyRequest): readonly [Policy, RateLimit];
};
