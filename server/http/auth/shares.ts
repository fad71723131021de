import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Attempts, Bucket } from '../../accounts/attempts.ts';
import { notFound } from '../../accounts/authorize.ts';
import { invalid } from '../../lib/app-error.ts';
import { withSharePasswordSlot } from '../../lib/passwords.ts';
import type { Postgres } from '../../store/postgres.ts';
import {
	findEmbedOrigins,
	findShared,
	isIndexable,
	lockOf,
	type Shared,
	type Unlocking,
	unlockedSeconds,
} from '../../websites/shares.ts';

export type SharesOptions = {
	postgres: Postgres;
	attempts: Attempts;
	unlocking: Unlocking;
	/** Whether the operator allows public pages. */
	isOn: boolean;
	baseUrl(): string;
};

/** Public statistics, with or without a password. */
export type Shares = {
	/** Whether the operator allows public pages. */
	isOn: boolean;
	/** Undefined when the website is private or does not exist. */
	find(request: FastifyRequest, id: number): Promise<{ shared: Shared; isOpen: boolean } | undefined>;
	unlock(reply: FastifyReply, shared: Shared, attempt: { password: string; network: string }): Promise<void>;
	/** Whether search engines may index its page. */
	isIndexable(id: number): Promise<boolean>;
	/** The origins that may embed its page in a frame. */
	embedOrigins(id: number): Promise<string[]>;
};

export function createShares(options: SharesOptions): Shares {
	const { postgres, attempts, unlocking, isOn, baseUrl } = options;
	const isSecure = () => baseUrl().startsWith('https:');
	// The `__Host-` prefix does not allow a path.
	const name = () => (isSecure() ? '__Secure-tidemark-share' : 'tidemark-share');
	return {
		isOn,
		async find(request, id) {
			const shared = isOn ? await findShared(postgres, id) : undefined;
			if (!shared) return undefined;
			const isOpen =
				shared.passwordHash === null || unlocking.isUnlocked(lockOf(shared), request.cookies[name()]);
			return { shared, isOpen };
		},
		isIndexable: async (id) => isOn && isIndexable(postgres, id),
		embedOrigins: async (id) => (isOn ? findEmbedOrigins(postgres, id) : []),
		async unlock(reply, shared, { password, network }) {
			if (shared.passwordHash === null) throw notFound();
			const { passwordHash } = shared;
			await checkSharePassword(attempts, `website ${shared.id}`, { password, passwordHash, network });
			reply.setCookie(name(), unlocking.make(lockOf(shared)), {
				path: `/app/api/websites/${shared.id}`,
				httpOnly: true,
				secure: isSecure(),
				sameSite: 'lax',
				maxAge: unlockedSeconds,
			});
		},
	};
}

/** Throws if the password is wrong. The limits delay attempts; browsers that have unlocked it before are not affected. */
export async function checkSharePassword(
	attempts: Attempts,
	holder: string,
	{ password, passwordHash, network }: { password: string; passwordHash: string; network: string },
): Promise<void> {
	const here: Bucket = { name: `${holder} from ${network}`, free: 10, maxDelaySeconds: 60 };
	const everywhere: Bucket = { name: holder, free: 20, maxDelaySeconds: 60 };
	await attempts.check([here, everywhere]);
	const isCorrect = await withSharePasswordSlot(holder, async (slot) => {
		await attempts.take([here, everywhere]);
		return slot.matches(password, passwordHash);
	});
	if (!isCorrect) throw invalid({ password: ['This password is not correct.'] });
	await attempts.forget(here);
	await attempts.giveBack(everywhere);
}
