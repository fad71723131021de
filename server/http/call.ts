import type { z } from 'zod';
import type { ErrorCode } from '../../api/errors.ts';
import type { Action } from '../accounts/authorize.ts';
import type { Principal } from '../accounts/principal.ts';
import type { Clock } from '../lib/clock.ts';
import type { Postgres } from '../store/postgres.ts';
import type { RawBody } from './read-body.ts';

/** A request as the routes see it: who, what, and nothing of the framework. */
export type Call = {
	principal: Principal;
	params: Readonly<Record<string, string>>;
	/** The query as it came, without the question mark. */
	query: string;
	body: RawBody;
	header(name: string): string | undefined;
	/** Where the list of routes is mounted, as a public address: links begin with it. */
	mountedAt: string;
};

export type Answer = { status: number; text: string; headers: Readonly<Record<string, string>> };

export type Services = {
	postgres: Postgres;
	now: Clock /** Keys the hash of bodies that came with an Idempotency-Key. */;
	bodyKey: Buffer;
};

/** One row of the list of routes: all that mounting it and describing it takes. */
export type Route = {
	/** The first is the operation's own, the others are aliases. */
	methods: readonly ['GET' | 'POST' | 'PUT' | 'DELETE', ...'PATCH'[]];
	/** As Fastify and people write it: `/websites/:id`. */
	path: string;
	action: Action;
	operationId: string;
	summary: string;
	about: string;
	query?: z.ZodObject;
	body?: z.ZodObject;
	answer: { status: number; schema: z.ZodType; about: string };
	errors: readonly ErrorCode[];
	handle(call: Call, services: Services): Promise<Answer>;
};

export function json(status: number, body: unknown, headers: Record<string, string> = {}): Answer {
	return { status, text: JSON.stringify(body), headers };
}
