import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type ShareRecord, unlockBody } from '../../api/session.ts';
import type { Attempts, Bucket } from '../accounts/attempts.ts';
import { notFound } from '../accounts/authorize.ts';
import { invalid } from '../lib/app-error.ts';
import type { Clock } from '../lib/clock.ts';
import { isPassword } from '../lib/passwords.ts';
import type { Postgres } from '../store/postgres.ts';
import {
	findEmbedOrigins,
	findShared,
	isIndexable,
	type Shared,
	type Unlocking,
	unlockedSeconds,
} from '../websites/shares.ts';
import { findWebsiteWithRole } from '../websites/websites.ts';
import { toId } from './call.ts';
import { applyLimit, type RateLimiter } from './rate-limits.ts';
import { readSentBody } from './session.ts';
import { checkOrigin, notSignedIn, type SessionCookie, sameOriginHeaders } from './session-door.ts';
import { validate } from './validate.ts';

export type SharesOptions = {
	postgres: Postgres;
	now: Clock;
	attempts: Attempts;
	unlocking: Unlocking;
	/** Whether there are public pages at all. */
	isOn: boolean;
	baseUrl(): string;
};

/** The statistics of a website as somebody without rights of their own finds them. */
export type Shares = {
	/** Whether there are public pages at all. */
	isOn: boolean;
	/** Undefined for what is private or does not exist. */
	find(request: FastifyRequest, id: number): Promise<{ shared: Shared; isOpen: boolean } | undefined>;
	unlock(reply: FastifyReply, shared: Shared, given: { password: string; network: string }): Promise<void>;
	/** Whether search engines may list its page. */
	isIndexable(id: number): Promise<boolean>;
	/** The origins that may show its page in a frame. */
	embedOrigins(id: number): Promise<string[]>;
};

export function createShares(options: SharesOptions): Shares {
	const { postgres, attempts, unlocking, isOn, baseUrl } = options;
	const isSecure = () => baseUrl().startsWith('https:');
	// A cookie of one path cannot be `__Host-`.
	const name = () => (isSecure() ? '__Secure-tidemark-share' : 'tidemark-share');
	return {
		isOn,
		async find(request, id) {
			const shared = isOn ? await findShared(postgres, id) : undefined;
			if (!shared) return undefined;
			const isOpen = shared.passwordHash === null || unlocking.isUnlocked(shared, request.cookies[name()]);
			return { shared, isOpen };
		},
		isIndexable: async (id) => isOn && isIndexable(postgres, id),
		embedOrigins: async (id) => (isOn ? findEmbedOrigins(postgres, id) : []),
		async unlock(reply, shared, { password, network }) {
			if (shared.passwordHash === null) throw notFound();
			// Both slow down; neither keeps out who has unlocked it before.
			const here: Bucket = { name: `website ${shared.id} from ${network}`, free: 10, maxDelaySeconds: 60 };
			const everywhere: Bucket = { name: `website ${shared.id}`, free: 20, maxDelaySeconds: 60 };
			await attempts.take([here, everywhere]);
			if (!(await isPassword(password, shared.passwordHash)))
				throw invalid({ password: ['This is not the password of these statistics.'] });
			await attempts.forget(here);
			await attempts.giveBack(everywhere);
			reply.setCookie(name(), unlocking.make(shared), {
				path: `/app/api/websites/${shared.id}`,
				httpOnly: true,
				secure: isSecure(),
				sameSite: 'lax',
				maxAge: unlockedSeconds,
			});
		},
	};
}

/** What a page of shared statistics asks before anything else. */
export function mountShares(
	app: FastifyInstance,
	options: {
		shares: Shares;
		postgres: Postgres;
		cookie: SessionCookie;
		limits: { session: RateLimiter; share: RateLimiter; address: RateLimiter };
		now: Clock;
		baseUrl(): string;
		addressOf(request: FastifyRequest): string;
	},
): void {
	const { shares, postgres, cookie, limits, now, baseUrl, addressOf } = options;

	app.addHook('onRequest', async (request, reply) => {
		reply.headers({ ...sameOriginHeaders, 'cache-control': 'no-store' });
		checkOrigin(request, baseUrl());
		delete request.raw.headers['content-type'];
	});
	const count = (reply: FastifyReply, policy: 'session' | 'share' | 'address', holder: string) =>
		applyLimit(reply, [policy, limits[policy].count(holder)], now().getTime());
	// Fastify types parameters by route; ours are texts.
	const idOf = (request: FastifyRequest) => toId((request.params as Record<string, string>).id);

	const get = async (request: FastifyRequest, isSessionOver = false) => {
		const found = await shares.find(request, idOf(request));
		if (found) return found;
		// Whose session is over should sign in again; nobody is told that there is nothing.
		throw isSessionOver ? notSignedIn() : notFound();
	};
	const describe = ({
		shared: { id, domain, timezone },
		isOpen,
	}: Awaited<ReturnType<typeof get>>): ShareRecord =>
		isOpen ? { id, access: 'open', domain, timezone } : { id, access: 'password' };

	app.get('/websites/:id/share', async (request, reply) => {
		const session = await cookie.read(request, postgres, now);
		if (!session) {
			const address = addressOf(request);
			if (limits.address.look(address).exceeded) count(reply, 'address', address);
			const found = await get(request, cookie.isSent(request)).catch((error: unknown) => {
				count(reply, 'address', address);
				throw error;
			});
			// A page that is open asks again and again; many may look at it from one address.
			count(reply, found.isOpen ? 'share' : 'address', address);
			return { data: describe(found) };
		}
		count(reply, 'session', String(session.accountId));
		const own = await findWebsiteWithRole(postgres, session.accountId, idOf(request));
		if (!own) return { data: describe(await get(request)) };
		const { id, domain, timezone, role } = own;
		const data: ShareRecord = { id, access: 'open', domain, timezone, role, public_pages: shares.isOn };
		return { data };
	});
	app.post('/websites/:id/unlock', { bodyLimit: 16_384 }, async (request, reply) => {
		count(reply, 'address', addressOf(request));
		const { shared } = await get(request);
		const { password } = validate(unlockBody, readSentBody(request));
		await shares.unlock(reply, shared, { password, network: addressOf(request) });
		return { data: describe({ shared, isOpen: true }) };
	});
}
