import type { FastifyRequest } from 'fastify';
import { authorize, isForOperators, isOfStatistics, requirePermission } from '../../accounts/authorize.ts';
import { getPerson } from '../../accounts/people.ts';
import type { PersonPrincipal } from '../../accounts/principal.ts';
import { principalOf as principalOfSession } from '../../accounts/sessions.ts';
import { AppError } from '../../lib/app-error.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Postgres } from '../../store/postgres.ts';
import { findWebsite } from '../../websites/get-website.ts';
import { toId } from '../api/route.ts';
import { paramsOf } from '../request/read-request.ts';
import type { AuthScheme, Caller } from './auth-scheme.ts';
import type { RateLimiter } from './rate-limits.ts';
import { checkOrigin, fileType, jsonType, sameOriginHeaders } from './same-origin.ts';
import type { SessionCookie } from './session-cookie.ts';
import { principalOf, type ShareLinks } from './share-links.ts';
import type { Shares } from './shares.ts';

export type SessionLimits = {
	/** Per person. */
	session: RateLimiter;
	/** Per address, for public statistics. */
	share: RateLimiter;
	/** Per address, for all other requests without a session. */
	address: RateLimiter;
};

export type SessionAuthOptions = {
	postgres: Postgres;
	now: Clock;
	cookie: SessionCookie;
	limits: SessionLimits;
	shares: Shares;
	links: ShareLinks;
	baseUrl(): string;
	addressOf(request: FastifyRequest): string;
};

export const notSignedIn = () => new AppError('unauthenticated', 'Sign in first.');

export const passwordNeeded = () =>
	new AppError('password_needed', 'These statistics are protected by a password.');

/** Session cookies, from the pages of this service only. Public statistics need no session. */
export function sessionAuth(options: SessionAuthOptions): AuthScheme {
	const { postgres, now, cookie, limits, shares, links, baseUrl, addressOf } = options;
	const prefix = '/app/api';
	const routeOf = (request: FastifyRequest) => request.routeOptions.config.route;
	/** Requests for statistics that need their password. */
	const locked = new WeakSet<FastifyRequest>();

	async function personOf(request: FastifyRequest): Promise<PersonPrincipal | undefined> {
		const session = await cookie.read(request, postgres, now);
		return session && principalOfSession(session);
	}

	/** A person without a role on the website, or nobody, may still see public statistics. */
	async function identifyForStats(
		request: FastifyRequest,
		person: PersonPrincipal | undefined,
	): Promise<Caller | undefined> {
		const id = toId(paramsOf(request).id);
		const website = person && (await findWebsite(postgres, person, 'stats.read', id));
		if (website) return { principal: person, website };
		const share = await shares.find(request, id);
		if (share?.isOpen) {
			const principal = { kind: 'share', websiteId: id } as const;
			requirePermission(principal, 'stats.read', share.shared);
			return { principal, website: share.shared };
		}
		if (share) {
			locked.add(request);
			return undefined;
		}
		if (person) return { principal: person };
		// An expired session is asked to sign in again; without one, the website does not exist.
		return cookie.isSent(request) ? undefined : { principal: { kind: 'nobody' } };
	}

	/** A request with a share link acts for the link alone, also in a browser that is signed in. */
	async function identifyForLink(request: FastifyRequest, token: string): Promise<Caller | undefined> {
		const found = await links.find(request, token);
		if (!found) return { principal: { kind: 'nobody' } };
		if (!found.isOpen) {
			locked.add(request);
			return undefined;
		}
		// A board answers the questions of its cards only (dashboard-api/board-cards.ts).
		if (found.link.kind === 'board') return { principal: { kind: 'nobody' } };
		const { website } = found.link;
		const principal = principalOf(found.link);
		const action = routeOf(request)?.action;
		const isAllowed =
			action !== undefined &&
			String(website.id) === paramsOf(request).id &&
			authorize(principal, action, website) === 'allowed';
		return isAllowed ? { principal, website } : { principal };
	}

	return {
		prefix,
		mountedAt: () => baseUrl() + prefix,
		headers: sameOriginHeaders,
		optionsHeaders: () => ({}),
		vary: sameOriginHeaders.vary,
		check: (request) => checkOrigin(request, baseUrl(), routeOf(request)?.isUpload ? fileType : jsonType),
		async identify(request) {
			const token = links.tokenOf(request);
			if (token !== undefined) return identifyForLink(request, token);
			const person = await personOf(request);
			const action = routeOf(request)?.action;
			if (isOfStatistics(action)) return identifyForStats(request, person);
			if (person && isForOperators(action)) {
				const { isOperator } = await getPerson(postgres, person.personId);
				return { principal: { ...person, isOperator } };
			}
			if (action === 'definitions.read') return { principal: person ?? { kind: 'nobody' } };
			return person && { principal: person };
		},
		passkeyBrowser: cookie.readPasskeyBrowser,
		authError: (request) => (locked.has(request) ? passwordNeeded() : notSignedIn()),
		count: (request, principal, times) => {
			if (principal?.kind === 'person')
				return ['session', limits.session.count(String(principal.personId), times)];
			const address = addressOf(request);
			return principal?.kind === 'share' || routeOf(request)?.action === 'definitions.read'
				? ['share', limits.share.count(address)]
				: ['address', limits.address.count(address)];
		},
		peek: (request) => ['address', limits.address.peek(addressOf(request))],
	};
}
