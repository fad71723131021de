import type { z } from 'zod';
import type { ErrorCode } from '../../api/errors.ts';
import { type Action, notFound } from '../accounts/authorize.ts';
import type { Principal } from '../accounts/principal.ts';
import type { AlertVault } from '../alerts/alerts.ts';
import type { TellServices } from '../alerts/tell.ts';
import type { CollectServices } from '../collect/keep.ts';
import type { RunningExports } from '../export/running.ts';
import type { ImportServices } from '../import/imports.ts';
import type { Clock } from '../lib/clock.ts';
import type { Stats } from '../stats/ask.ts';
import type { Overviews } from '../stats/overview.ts';
import type { Live } from '../stats/watch-live.ts';
import type { ClickHouse } from '../store/clickhouse.ts';
import type { Postgres } from '../store/postgres.ts';
import type { Fields, RawBody } from './read-body.ts';

/** A request as the routes see it: who, what, and nothing of the framework. */
export type Call = {
	principal: Principal;
	params: Readonly<Record<string, string>>;
	/** The query as it came, without the question mark. */
	query: string;
	body: RawBody;
	/** Where the body is a file: as it comes. */
	upload?: AsyncIterable<Buffer>;
	header(name: string): string | undefined;
	/** Where the list of routes is mounted, as a public address: links begin with it. */
	mountedAt: string;
	/** Aborted when the caller has left before there was an answer. */
	signal: AbortSignal;
};

export type Answer = {
	status: number;
	text: string;
	headers: Readonly<Record<string, string>>;
	/** JSON, unless something else is said. */
	type?: string;
	/** Instead of the text: messages as they come, until there are no more. `end` is called when the caller has left. */
	stream?: { messages: AsyncIterable<string>; end(): void };
	/** Instead of the text: a file of any length. Whatever keeps it from its end breaks the connection. `end` is called in every case. */
	file?: { pieces: AsyncIterable<Uint8Array>; end(): void };
};

export type Services = {
	postgres: Postgres;
	clickhouse: ClickHouse;
	exports: RunningExports;
	now: Clock /** Keys the hash of bodies that came with an Idempotency-Key. */;
	bodyKey: Buffer;
	/** A key has changed: this process must not wait until PostgreSQL tells it. */
	forgetKeys(): void;
	collect: CollectServices;
	stats: Stats;
	live: Live;
	overviews: Overviews;
	alerts: TellServices & { vault: AlertVault };
	imports: ImportServices;
};

/** One row of the list of routes: all that mounting it and describing it takes. */
export type Route = {
	/** The first is the operation's own, the others are aliases. */
	methods: readonly ['GET' | 'POST' | 'PUT' | 'DELETE', ...'PATCH'[]];
	/** As Fastify and people write it: `/websites/:id`. */
	path: string;
	/** Where it stands in the description; else by the first word of the path. */
	tag?: string;
	action: Action;
	operationId: string;
	summary: string;
	about: string;
	query?: z.ZodObject;
	body?: z.ZodObject;
	/** Its body says what a form cannot say. */
	isBodyJson?: true;
	/** Its body is a file of any size and type. */
	isUpload?: true;
	/** `csv`: what it is as text/csv, for those who ask for that. `isStream`: what each server-sent event holds. `files`: types that it has instead of JSON. */
	answer: {
		status: number;
		schema: z.ZodType;
		about: string;
		csv?: string;
		isStream?: true;
		files?: readonly string[];
	};
	/** A GET whose answer bears an ETag: it can be asked whether that has changed. */
	isTagged?: true;
	errors: readonly ErrorCode[];
	handle(call: Call, services: Services): Promise<Answer>;
};

export function json(status: number, body: unknown, headers: Record<string, string> = {}): Answer {
	return { status, text: JSON.stringify(body), headers };
}

/** Ids are written one way only: no sign, no leading zero, nothing that another number could be written as. */
export const readId = (call: Call, name = 'id'): number => toId(call.params[name]);

export function toId(text?: string): number {
	const id = findId(text);
	if (id === undefined) throw notFound();
	return id;
}

export function findId(text = ''): number | undefined {
	const id = /^[1-9]\d{0,15}$/.test(text) ? Number(text) : Number.NaN;
	return Number.isSafeInteger(id) ? id : undefined;
}

/** On update JSON's null says what an empty form value says. */
export function nullAsEmpty(fields: Fields): Fields {
	return Object.fromEntries(
		Object.entries(fields).map(([name, value]) => [name, value === null ? '' : value]),
	);
}
