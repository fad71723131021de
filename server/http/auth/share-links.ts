import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Attempts } from '../../accounts/attempts.ts';
import { notFound } from '../../accounts/authorize.ts';
import type { SharePrincipal } from '../../accounts/principal.ts';
import { findBoardEmbedOrigins, findBoardLink, type OpenedBoard } from '../../items/board-links.ts';
import { countUse, findLinkEmbedOrigins, findShareLink, type OpenedLink } from '../../items/share-links.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Postgres } from '../../store/postgres.ts';
import { type Unlocking, unlockedSeconds } from '../../websites/shares.ts';
import { headerOf } from '../request/read-request.ts';
import { checkSharePassword } from './shares.ts';

/** The page of a link sends its token in this header, because URLs are logged by proxies. */
const shareLinkHeader = 'x-share-link';

export type AnyLink = OpenedLink | OpenedBoard;

export type ShareLinks = {
	/** The token that the request was sent with. Such a request never acts for a session. */
	tokenOf(request: FastifyRequest): string | undefined;
	/** Undefined when the link does not exist or no longer works. */
	find(request: FastifyRequest, token: string): Promise<{ link: AnyLink; isOpen: boolean } | undefined>;
	unlock(reply: FastifyReply, link: AnyLink, attempt: { password: string; network: string }): Promise<void>;
	/** Counts an opening of the page. */
	count(link: AnyLink): Promise<void>;
	/** The origins that may embed the page of a link in a frame. */
	embedOrigins(token: string): Promise<string[]>;
};

export const principalOf = ({ website, limits }: OpenedLink): SharePrincipal => ({
	kind: 'share',
	websiteId: website.id,
	limits,
});

export function createShareLinks(options: {
	postgres: Postgres;
	now: Clock;
	attempts: Attempts;
	unlocking: Unlocking;
	/** Whether the operator allows public pages. */
	isOn: boolean;
	baseUrl(): string;
}): ShareLinks {
	const { postgres, now, attempts, unlocking, isOn, baseUrl } = options;
	const isSecure = () => baseUrl().startsWith('https:');
	/** By link: someone may have the links of several clients open. */
	const cookieOf = ({ id }: AnyLink) => `${isSecure() ? '__Secure-' : ''}tidemark-link-${id}`;
	const lockOf = ({ id, passwordHash }: AnyLink) => ({ kind: 'link' as const, id, passwordHash });
	const findLink = async (token: string): Promise<AnyLink | undefined> =>
		isOn
			? ((await findShareLink(postgres, now, token)) ?? (await findBoardLink(postgres, now, token)))
			: undefined;
	return {
		tokenOf: (request) => headerOf(request, shareLinkHeader),
		async find(request, token) {
			const link = await findLink(token);
			if (!link) return undefined;
			const isOpen =
				link.passwordHash === null || unlocking.isUnlocked(lockOf(link), request.cookies[cookieOf(link)]);
			return { link, isOpen };
		},
		async unlock(reply, link, { password, network }) {
			const { passwordHash } = link;
			if (passwordHash === null) throw notFound();
			await checkSharePassword(attempts, `share link ${link.id}`, { password, passwordHash, network });
			reply.setCookie(cookieOf(link), unlocking.make(lockOf(link)), {
				path: '/app/api',
				httpOnly: true,
				secure: isSecure(),
				sameSite: 'lax',
				maxAge: unlockedSeconds,
			});
		},
		count: (link) => countUse(postgres, now, link),
		async embedOrigins(token) {
			const link = await findLink(token);
			if (!link) return [];
			return link.kind === 'website'
				? findLinkEmbedOrigins(postgres, link)
				: findBoardEmbedOrigins(postgres, link);
		},
	};
}
