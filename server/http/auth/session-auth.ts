import type { FastifyRequest } from 'fastify';
import { requirePermission } from '../../accounts/authorize.ts';
import type { Principal } from '../../accounts/principal.ts';
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
import type { Shares } from './shares.ts';

export type SessionLimits = {
	/** Per account. */
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
	baseUrl(): string;
	addressOf(request: FastifyRequest): string;
};

export const notSignedIn = () => new AppError('unauthenticated', 'Sign in first.');

const passwordNeeded = () => new AppError('password_needed', 'These statistics are protected by a password.');

/** Session cookies, from the pages of this service only. Public statistics need no session. */
export function sessionAuth(options: SessionAuthOptions): AuthScheme {
	const { postgres, now, cookie, limits, shares, baseUrl, addressOf } = options;
	const prefix = '/app/api';
	const routeOf = (request: FastifyRequest) => request.routeOptions.config.route;
	/** Requests for statistics that need their password. */
	const locked = new WeakSet<FastifyRequest>();

	async function accountOf(request: FastifyRequest): Promise<Principal | undefined> {
		const session = await cookie.read(request, postgres, now);
		return session && { kind: 'account', accountId: session.accountId };
	}

	/** An account without a role on the website, or no account, may still see public statistics. */
	async function identifyForStats(
		request: FastifyRequest,
		account: Principal | undefined,
	): Promise<Caller | undefined> {
		const id = toId(paramsOf(request).id);
		const website = account && (await findWebsite(postgres, account, 'stats.read', id));
		if (website) return { principal: account, website };
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
		if (account) return { principal: account };
		// An expired session is asked to sign in again; without one, the website does not exist.
		return cookie.isSent(request) ? undefined : { principal: { kind: 'nobody' } };
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
			switch (routeOf(request)?.action) {
				case 'stats.read':
					return identifyForStats(request, account);
				case 'definitions.read':
					return { principal: account ?? { kind: 'nobody' } };
				default:
					return account && { principal: account };
			}
		},
		authError: (request) => (locked.has(request) ? passwordNeeded() : notSignedIn()),
		count: (request, principal) => {
			if (principal?.kind === 'account')
				return ['session', limits.session.count(String(principal.accountId))];
			const address = addressOf(request);
			return principal?.kind === 'share' || routeOf(request)?.action === 'definitions.read'
				? ['share', limits.share.count(address)]
				: ['address', limits.address.count(address)];
		},
		peek: (request) => ['address', limits.address.peek(addressOf(request))],
	};
}
