import type { z } from 'zod';
import type { ErrorCode } from '../../../api/errors.ts';
import type { Attempts } from '../../accounts/attempts.ts';
import {
	type AccountAction,
	actions,
	notFound,
	requirePermission,
	type WebsiteAction,
} from '../../accounts/authorize.ts';
import type { Principal } from '../../accounts/principal.ts';
import type { Proof } from '../../accounts/sign-in.ts';
import type { RunningExports } from '../../export/running.ts';
import type { ImportServices } from '../../import/imports.ts';
import type { IngestServices } from '../../ingest/ingest.ts';
import type { ShareLinkVault } from '../../items/share-links.ts';
import type { Clock } from '../../lib/clock.ts';
import type { AlertVault } from '../../notify/alerts.ts';
import type { AccountNotices } from '../../notify/mail/account-notices.ts';
import type { NotifyServices } from '../../notify/notify.ts';
import type { Stats } from '../../stats/answer/ask.ts';
import type { Live } from '../../stats/live/watch-live.ts';
import type { Overviews } from '../../stats/overview/overview.ts';
import type { ClickHouse } from '../../store/clickhouse.ts';
import type { Postgres } from '../../store/postgres.ts';
import type { WebhookVault } from '../../webhooks/webhooks.ts';
import { getWebsite, type LoadedWebsite } from '../../websites/get-website.ts';
import type { Fields, RawBody } from '../request/read-body.ts';

/** A request without anything of the HTTP framework. */
export type ApiRequest = {
	principal: Principal;
	params: Readonly<Record<string, string>>;
	/** The raw query string, without the question mark. */
	query: string;
	body: RawBody;
	/** The body of an upload route, as a stream. */
	upload?: AsyncIterable<Buffer>;
	header(name: string): string | undefined;
	/** The public URL that the routes are mounted at; links begin with it. */
	mountedAt: string;
	/** The cookie of a browser that was sent a challenge for a passkey. */
	passkeyBrowser: string | undefined;
	/** Counts the request as so many more. It never refuses the request itself. */
	charge(requests: number): void;
	/** Aborted when the client disconnects before the response is complete. */
	signal: AbortSignal;
};

/** A request to a route below `/websites/:id`, with the website that the caller was authorized for. */
export type WebsiteRequest = ApiRequest & { website: LoadedWebsite };

export type ApiResponse = {
	status: number;
	text: string;
	headers: Readonly<Record<string, string>>;
	/** The content type; JSON by default. */
	type?: string;
	/**
	 * What the audit log records beyond the operation: another name for it, the website and its account where the path does not name them,
	 * and the affected person.
	 */
	audited?: {
		what?: string;
		websiteId?: number | undefined;
		ownerId?: number | undefined;
		subjectId?: number | undefined;
	};
	/** The text contains a secret that is shown once, so it is encrypted before it is stored for idempotency. */
	hasSecret?: true;
	/** Sent instead of the text: server-sent events. `end` is called when the client disconnects. */
	stream?: { messages: AsyncIterable<string>; end(): void };
	/** Sent instead of the text: a file of any length. An error closes the connection. `end` is always called. */
	file?: { pieces: AsyncIterable<Uint8Array>; end(): void };
};

export type Services = {
	postgres: Postgres;
	clickhouse: ClickHouse;
	exports: RunningExports;
	now: Clock;
	/** Keys the hash of bodies that were sent with an Idempotency-Key. */
	bodyKey: Buffer;
	/** Throws unless the proof of a session is correct. */
	prove(personId: number, proof: Proof): Promise<void>;
	notices: AccountNotices;
	/** Whether the service has a mail server. */
	canMail: boolean;
	/** The public URL that links begin with. */
	baseUrl(): string;
	/** Clears the API key cache of this process at once, without waiting for the notification from PostgreSQL. */
	forgetKeys(): void;
	/** Limits how often recipients are asked for consent to mail. */
	attempts: Attempts;
	collect: IngestServices;
	stats: Stats;
	live: Live;
	overviews: Overviews;
	alerts: NotifyServices & { vault: AlertVault };
	shareLinks: ShareLinkVault;
	webhooks: WebhookVault;
	imports: ImportServices;
	/** Backups that were made before an upgrade and still exist. */
	listBackups(): { madeAt: Date; expiresAt: Date }[];
};

/** What mounting a route takes. `ApiRoute` adds its documentation, `SessionRoute` what only the dashboard needs. */
export type Route<Request = ApiRequest, RouteServices = Services, Response = ApiResponse> = {
	/** The first is the operation's own, the others are aliases. */
	methods: readonly ['GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', ...'PATCH'[]];
	/** In Fastify's notation: `/websites/:id`. */
	path: string;
	handle(request: Request, services: RouteServices): Promise<Response>;
};

/** A route of the public API, which is mounted for API keys and for sessions. */
export type ApiRoute = AccountRoute | WebsiteRoute;

export type AccountRoute = Route & RouteDescription & { action: AccountAction };

export type WebsiteRoute = Route<WebsiteRequest> & RouteDescription & { action: WebsiteAction };

type RouteDescription = {
	/** The tag in the OpenAPI document; by default `openapi.ts` derives it from the path. */
	tag?: string;
	operationId: string;
	summary: string;
	description: string;
	query?: z.ZodObject;
	body?: z.ZodObject;
	/** The body is too complex for a form. */
	isBodyJson?: true;
	/** The body is a file of any size and type. */
	isUpload?: true;
	response: {
		status: number;
		/** With `isStream`, the schema of each server-sent event. */
		schema: z.ZodType;
		description: string;
		/** Describes the table that `Accept: text/csv` returns. */
		csv?: string;
		isStream?: true;
		/** Content types that are sent instead of JSON. */
		files?: readonly string[];
		/** The response has an ETag although the route is not a GET. */
		hasTag?: true;
	};
	/** It records its changes itself: one for each website. */
	isAuditedByItself?: true;
	/** A GET whose response has an ETag, so it supports `If-None-Match`. */
	isTagged?: true;
	errors: readonly ErrorCode[];
};

const isWebsiteRoute = (route: ApiRoute): route is WebsiteRoute => actions[route.action].on === 'website';

/**
 * Runs a route after checking once that the caller may do what it does. A change of a website or its items checks again in its
 * own transaction, with the row locked.
 */
export async function handleRoute(
	route: ApiRoute,
	request: ApiRequest,
	services: Services,
	authorized?: LoadedWebsite,
): Promise<{ response: ApiResponse; website?: LoadedWebsite }> {
	const { principal } = request;
	if (!isWebsiteRoute(route)) {
		requirePermission(principal, route.action);
		return { response: await route.handle(request, services) };
	}
	const website =
		authorized ?? (await getWebsite(services.postgres, principal, route.action, readId(request)));
	return { response: await route.handle({ ...request, website }, services), website };
}

export function json(status: number, body: unknown, headers: Record<string, string> = {}): ApiResponse {
	return { status, text: JSON.stringify(body), headers };
}

export const readId = ({ params }: Pick<ApiRequest, 'params'>, name = 'id'): number => toId(params[name]);

export function toId(text?: string): number {
	const id = findId(text);
	if (id === undefined) throw notFound();
	return id;
}

/** Every id has one spelling: no sign, no leading zero, no number beyond what is exact. */
export function findId(text = ''): number | undefined {
	const id = /^[1-9]\d{0,15}$/.test(text) ? Number(text) : Number.NaN;
	return Number.isSafeInteger(id) ? id : undefined;
}

/** In an update, null in JSON means the same as an empty value in a form. */
export function nullAsEmpty(fields: Fields): Fields {
	return Object.fromEntries(
		Object.entries(fields).map(([name, value]) => [name, value === null ? '' : value]),
	);
}
