import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type ShareRecord, unlockBody } from '../../../api/session.ts';
import { notFound } from '../../accounts/authorize.ts';
import { principalOf } from '../../accounts/sessions.ts';
import { findBranding } from '../../branding/branding.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Postgres } from '../../store/postgres.ts';
import { findWebsite, getWebsite } from '../../websites/get-website.ts';
import { toId } from '../api/route.ts';
import { applyLimit } from '../auth/rate-limits.ts';
import { notSignedIn, type SessionLimits } from '../auth/session-auth.ts';
import type { SessionCookie } from '../auth/session-cookie.ts';
import type { Shares } from '../auth/shares.ts';
import { paramsOf } from '../request/read-request.ts';
import { validate } from '../request/validate.ts';
import { maxBodyBytes, readSentBody, requireSameOrigin } from './mount-dashboard-api.ts';

/**
 * Whether the statistics of a website are public, and unlocking them with their password. No session routes: which rate limit
 * applies depends on the website.
 */
export function mountShares(
	app: FastifyInstance,
	options: {
		shares: Shares;
		postgres: Postgres;
		cookie: SessionCookie;
		limits: SessionLimits;
		now: Clock;
		baseUrl(): string;
		addressOf(request: FastifyRequest): string;
	},
): void {
	const { shares, postgres, cookie, limits, now, baseUrl, addressOf } = options;

	requireSameOrigin(app, baseUrl);
	const count = (reply: FastifyReply, policy: keyof SessionLimits, caller: string) =>
		applyLimit(reply, [policy, limits[policy].count(caller)], now().getTime());
	const idOf = (request: FastifyRequest) => toId(paramsOf(request).id);

	const get = async (request: FastifyRequest, hasExpiredSession = false) => {
		const share = await shares.find(request, idOf(request));
		if (share) return share;
		// An expired session is asked to sign in again; without one, the website does not exist.
		throw hasExpiredSession ? notSignedIn() : notFound();
	};
	const describe = async ({
		shared: { id, accountId, domain, timezone },
		isOpen,
	}: Awaited<ReturnType<typeof get>>): Promise<ShareRecord> =>
		isOpen
			? { id, access: 'open', domain, timezone, ...(await findBranding(postgres, accountId)) }
			: { id, access: 'password' };

	app.get('/websites/:id/share', async (request, reply) => {
		const session = await cookie.read(request, postgres, now);
		if (!session) {
			const address = addressOf(request);
			if (limits.address.peek(address).exceeded) count(reply, 'address', address);
			const share = await get(request, cookie.isSent(request)).catch((error: unknown) => {
				count(reply, 'address', address);
				throw error;
			});
			// An open page polls, and many people may watch it from one address.
			count(reply, share.isOpen ? 'share' : 'address', address);
			return { data: await describe(share) };
		}
		count(reply, 'session', String(session.personId));
		const person = principalOf(session);
		const own = await findWebsite(postgres, person, 'stats.read', idOf(request));
		const role = own?.role;
		if (!role) {
			const share = await shares.find(request, idOf(request));
			// Says why, if a policy refuses the session.
			if (!share) await getWebsite(postgres, person, 'stats.read', idOf(request));
			return { data: await describe(share ?? (await get(request))) };
		}
		const { id, accountId: ownerId, domain, timezone } = own;
		const data: ShareRecord = {
			id,
			access: 'open',
			domain,
			timezone,
			role,
			public_pages: shares.isOn,
			...(await findBranding(postgres, ownerId)),
		};
		return { data };
	});
	app.post('/websites/:id/unlock', { bodyLimit: maxBodyBytes }, async (request, reply) => {
		count(reply, 'address', addressOf(request));
		const { shared } = await get(request);
		const { password } = validate(unlockBody, readSentBody(request));
		await shares.unlock(reply, shared, { password, network: addressOf(request) });
		return { data: await describe({ shared, isOpen: true }) };
	});
}
