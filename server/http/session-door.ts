/**
 * The door of the dashboard: a session cookie, same origin, JSON. A browser sends cookies with whatever any page makes it
 * send, so before anything is changed the browser's own word is asked for where the request comes from: `Sec-Fetch-Site`,
 * or `Origin` where that is not sent (browsers leave it out on plain HTTP). Without either nothing is changed.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Principal } from '../accounts/principal.ts';
import { findSession, longestSessionSeconds, type Session } from '../accounts/sessions.ts';
import { AppError } from '../lib/app-error.ts';
import type { Clock } from '../lib/clock.ts';
import type { Postgres } from '../store/postgres.ts';
import { hasRights } from '../websites/websites.ts';
import { contentTypeOf } from './api.ts';
import { toId } from './call.ts';
import type { Door } from './door.ts';
import type { RateLimiter } from './rate-limits.ts';
import { findRoute } from './routes.ts';
import type { Shares } from './shares.ts';

export type SessionDoorOptions = {
	postgres: Postgres;
	now: Clock;
	cookie: SessionCookie;
	/** Requests of an account, for statistics that are shared, and of an address that came with nothing. */
	limits: { session: RateLimiter; share: RateLimiter; address: RateLimiter };
	shares: Shares;
	baseUrl(): string;
	addressOf(request: FastifyRequest): string;
};

/** What answers to browsers bear: no other origin reads them. */
export const sameOriginHeaders = { 'cross-origin-resource-policy': 'same-origin', vary: 'Cookie, Accept' };

export const notSignedIn = () => new AppError('unauthenticated', 'Sign in first.');

const passwordNeeded = () =>
	new AppError('password_needed', 'These statistics are shown to whoever knows their password.');

export function sessionDoor(options: SessionDoorOptions): Door {
	const { postgres, now, cookie, limits, shares, baseUrl, addressOf } = options;
	const prefix = '/app/api';
	const routeOf = (request: FastifyRequest) =>
		findRoute(request.method, (request.routeOptions.url ?? '').slice(prefix.length));
	const actionOf = (request: FastifyRequest) => routeOf(request)?.action;
	/** Requests for statistics that their password would open. */
	const locked = new WeakSet<FastifyRequest>();

	async function accountOf(request: FastifyRequest): Promise<Principal | undefined> {
		const session = await cookie.read(request, postgres, now);
		return session && { kind: 'account', accountId: session.accountId };
	}

	/** Whoever has no rights of their own on a website may be shown its statistics. */
	async function askForShare(
		request: FastifyRequest,
		account: Principal | undefined,
	): Promise<Principal | undefined> {
		// Fastify types parameters by route; ours are texts.
		const id = toId((request.params as Record<string, string>).id);
		if (account && (await hasRights(postgres, account, 'stats.read', id))) return account;
		const found = await shares.find(request, id);
		if (found?.isOpen) return { kind: 'share', websiteId: id };
		if (found) locked.add(request);
		if (account || found) return found ? undefined : account;
		// Whose session is over should sign in again; nobody is told that there is nothing.
		return cookie.isSent(request) ? undefined : { kind: 'nobody' };
	}

	return {
		prefix,
		mountedAt: () => baseUrl() + prefix,
		headers: sameOriginHeaders,
		optionsHeaders: () => ({}),
		vary: sameOriginHeaders.vary,
		check: (request) => checkOrigin(request, baseUrl(), routeOf(request)?.isUpload ? fileType : jsonType),
		async identify(request) {
			const account = await accountOf(request);
			switch (actionOf(request)) {
				case 'stats.read':
					return askForShare(request, account);
				case 'definitions.read':
					return account ?? { kind: 'nobody' };
				default:
					return account;
			}
		},
		refusal: (request) => (locked.has(request) ? passwordNeeded() : notSignedIn()),
		count: (request, principal) => {
			if (principal?.kind === 'account')
				return ['session', limits.session.count(String(principal.accountId))];
			const address = addressOf(request);
			return principal?.kind === 'share' || actionOf(request) === 'definitions.read'
				? ['share', limits.share.count(address)]
				: ['address', limits.address.count(address)];
		},
		look: (request) => ['address', limits.address.look(addressOf(request))],
	};
}

// Neither is a type that a page of another origin may send without asking first.
const jsonType = 'application/json';
const fileType = 'application/octet-stream';

/** A change comes from our own pages, as JSON or as a file where one is taken, or not at all. */
export function checkOrigin(
	request: FastifyRequest,
	baseUrl: string,
	accepted: typeof jsonType | typeof fileType = jsonType,
): void {
	if (request.method === 'GET' || request.method === 'HEAD') return;
	if (!isSameOrigin(request, baseUrl))
		throw new AppError('forbidden', 'Changes are taken from the pages of this service alone.');
	const type = contentTypeOf(request);
	const { 'content-length': length = '0', 'transfer-encoding': encoding } = request.headers;
	const hasBody = length !== '0' || encoding !== undefined;
	if (type === undefined ? hasBody : type.split(';', 1)[0]?.trim().toLowerCase() !== accepted)
		throw new AppError('unsupported_media_type', `A body must be ${accepted}.`);
}

function isSameOrigin({ headers }: FastifyRequest, baseUrl: string): boolean {
	const site = headers['sec-fetch-site'];
	if (site !== undefined) return site === 'same-origin';
	const { origin } = headers;
	if (origin === undefined || !URL.canParse(origin)) return false;
	// A page cannot choose what its browser sends as Host. People reach a box by several names, of which one is set.
	return origin === baseUrl || new URL(origin).host === headers.host;
}

export type SessionCookie = {
	isSent(request: FastifyRequest): boolean;
	read(request: FastifyRequest, postgres: Postgres, now: Clock): Promise<Session | undefined>;
	set(reply: FastifyReply, token: string): void;
	clear(reply: FastifyReply): void;
	/** What the browser is known by, also when nobody is signed in. */
	readDevice(request: FastifyRequest): string | undefined;
	setDevice(reply: FastifyReply, device: string): void;
};

const deviceSeconds = 180 * 86_400;

/** `__Host-`: set by this very host over TLS, for all of it. Plain HTTP cannot have that. */
export function createSessionCookie(baseUrl: () => string): SessionCookie {
	const isSecure = () => baseUrl().startsWith('https:');
	const name = () => (isSecure() ? '__Host-tidemark' : 'tidemark');
	const attributes = () => ({ path: '/', httpOnly: true, secure: isSecure(), sameSite: 'lax' as const });
	return {
		isSent: (request) => request.cookies[name()] !== undefined,
		async read(request, postgres, now) {
			const token = request.cookies[name()];
			return token === undefined ? undefined : findSession(postgres, now, token);
		},
		set: (reply, token) =>
			void reply.setCookie(name(), token, { ...attributes(), maxAge: longestSessionSeconds }),
		clear: (reply) => void reply.clearCookie(name(), attributes()),
		readDevice: (request) => request.cookies[`${name()}-device`],
		setDevice: (reply, device) =>
			void reply.setCookie(`${name()}-device`, device, { ...attributes(), maxAge: deviceSeconds }),
	};
}
