import type { FastifyReply, FastifyRequest } from 'fastify';
import { findSession, longestSessionSeconds, type Session } from '../../accounts/sessions.ts';
import { AppError } from '../../lib/app-error.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Postgres } from '../../store/postgres.ts';
import { findId } from '../api/route.ts';
import { headerOf } from '../request/read-request.ts';

export type SessionCookie = {
	isSent(request: FastifyRequest): boolean;
	read(request: FastifyRequest, postgres: Postgres, now: Clock): Promise<Session | undefined>;
	set(reply: FastifyReply, token: string): void;
	clear(reply: FastifyReply): void;
	/** Identifies a known browser, also after sign-out. */
	readDevice(request: FastifyRequest): string | undefined;
	setDevice(reply: FastifyReply, device: string): void;
	/** Identifies the browser that was sent a challenge for a passkey, for a few minutes. */
	readPasskeyBrowser(request: FastifyRequest): string | undefined;
	setPasskeyBrowser(reply: FastifyReply, browser: string): void;
	/** Binds a sign-in with a provider to the browser that began it. */
	readOidc(request: FastifyRequest): string | undefined;
	setOidc(reply: FastifyReply, token: string | null): void;
};

/** The account that a page works in, so that another window cannot change what its requests apply to. */
const accountHeader = 'tidemark-account';

const deviceSeconds = 180 * 86_400;
const passkeySeconds = 600;
/** PostgreSQL decides how long it can be used. */
const oidcSeconds = 900;

/** The `__Host-` prefix requires TLS, so the name is different on plain HTTP. */
export function createSessionCookie(
	baseUrl: () => string,
	/** Compared with the networks of policies. */
	fullAddressOf: (request: FastifyRequest) => string,
): SessionCookie {
	const isSecure = () => baseUrl().startsWith('https:');
	const name = () => (isSecure() ? '__Host-tidemark' : 'tidemark');
	// Lax: a browser that comes back from a provider brings the cookies along.
	const attributes = () => ({ path: '/', httpOnly: true, secure: isSecure(), sameSite: 'lax' as const });
	return {
		isSent: (request) => request.cookies[name()] !== undefined,
		async read(request, postgres, now) {
			const token = request.cookies[name()];
			// A request with a share link acts for the link alone.
			if (token === undefined || request.headers['x-share-link'] !== undefined) return undefined;
			const wanted = findId(headerOf(request, accountHeader));
			const session = await findSession(postgres, now, {
				token,
				wantedAccountId: wanted,
				address: fullAddressOf(request),
			});
			// The page shows an account that the person no longer owns.
			if (session && wanted !== undefined && session.accountId !== wanted)
				throw new AppError(
					'account_changed',
					'You can no longer work in this account. Reload the page to continue in another account.',
				);
			return session;
		},
		set: (reply, token) =>
			void reply.setCookie(name(), token, { ...attributes(), maxAge: longestSessionSeconds }),
		clear: (reply) => void reply.clearCookie(name(), attributes()),
		readDevice: (request) => request.cookies[`${name()}-device`],
		setDevice: (reply, device) =>
			void reply.setCookie(`${name()}-device`, device, { ...attributes(), maxAge: deviceSeconds }),
		readPasskeyBrowser: (request) => request.cookies[`${name()}-passkey`],
		setPasskeyBrowser: (reply, browser) =>
			void reply.setCookie(`${name()}-passkey`, browser, {
				...attributes(),
				sameSite: 'strict',
				maxAge: passkeySeconds,
			}),
		readOidc: (request) => request.cookies[`${name()}-oidc`],
		setOidc: (reply, token) =>
			void (token === null
				? reply.clearCookie(`${name()}-oidc`, attributes())
				: reply.setCookie(`${name()}-oidc`, token, { ...attributes(), maxAge: oidcSeconds })),
	};
}
