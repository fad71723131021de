import type { FastifyReply, FastifyRequest } from 'fastify';
import { findSession, longestSessionSeconds, type Session } from '../../accounts/sessions.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Postgres } from '../../store/postgres.ts';

export type SessionCookie = {
	isSent(request: FastifyRequest): boolean;
	read(request: FastifyRequest, postgres: Postgres, now: Clock): Promise<Session | undefined>;
	set(reply: FastifyReply, token: string): void;
	clear(reply: FastifyReply): void;
	/** Identifies a known browser, also after sign-out. */
	readDevice(request: FastifyRequest): string | undefined;
	setDevice(reply: FastifyReply, device: string): void;
};

const deviceSeconds = 180 * 86_400;

/** The `__Host-` prefix requires TLS, so the name is different on plain HTTP. */
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
