import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { boardBody } from '../../../api/boards.ts';
import { unlockBody } from '../../../api/session.ts';
import type { SharedLinkRecord } from '../../../api/share-links.ts';
import { notFound } from '../../accounts/authorize.ts';
import { findBranding } from '../../branding/branding.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Services } from '../api/route.ts';
import { applyLimit } from '../auth/rate-limits.ts';
import { passwordNeeded, type SessionLimits } from '../auth/session-auth.ts';
import type { ShareLinks } from '../auth/share-links.ts';
import { abortSignalOf, paramsOf } from '../request/read-request.ts';
import { validate } from '../request/validate.ts';
import { answerCard, shownCards } from './board-cards.ts';
import { maxBodyBytes, readSentBody, requireSameOrigin } from './mount-dashboard-api.ts';

/** What the page of a share link calls besides the API: opening the link, and unlocking it with its password. */
export function mountShareLinks(
	app: FastifyInstance,
	options: {
		services: Services;
		links: ShareLinks;
		limits: SessionLimits;
		now: Clock;
		baseUrl(): string;
		addressOf(request: FastifyRequest): string;
	},
): void {
	const { services, links, limits, now, baseUrl, addressOf } = options;
	requireSameOrigin(app, baseUrl);
	const count = (request: FastifyRequest, reply: FastifyReply, policy: 'share' | 'address') =>
		applyLimit(reply, [policy, limits[policy].count(addressOf(request))], now().getTime());

	/** A token that does not exist counts as a failed attempt. */
	async function get(request: FastifyRequest, reply: FastifyReply) {
		const peeked = limits.address.peek(addressOf(request));
		if (peeked.exceeded) count(request, reply, 'address');
		const found = await links.find(request, links.tokenOf(request) ?? '');
		if (found) return found;
		count(request, reply, 'address');
		throw notFound();
	}

	const describe = async ({ link, isOpen }: Awaited<ReturnType<typeof get>>): Promise<SharedLinkRecord> => {
		if (!isOpen) return { access: 'password' };
		if (link.kind === 'board') {
			const { cards, websites } = await shownCards(services.postgres, link);
			// A board that shows websites of several accounts has the brand of none.
			const [accountId, ...others] = new Set(websites.map((website) => website.accountId));
			return {
				access: 'open',
				board: {
					name: link.board.name,
					period: boardBody.shape.period.parse(link.board.period),
					cards,
					websites: websites.map(({ id, domain }) => ({ id, domain })),
				},
				...(accountId !== undefined &&
					others.length === 0 &&
					(await findBranding(services.postgres, accountId))),
			};
		}
		const { id, domain, timezone } = link.website;
		const { filter, panels, from, to, lastDays } = link.limits;
		return {
			access: 'open',
			website: { id, domain, timezone },
			// Stored in canonical form.
			filters: filter as unknown[] | null,
			panels: panels && [...panels],
			from,
			to,
			last_days: lastDays,
			...(await findBranding(services.postgres, link.website.accountId)),
		};
	};

	app.get('/share-link', async (request, reply) => {
		const found = await get(request, reply);
		count(request, reply, 'share');
		return { data: await describe(found) };
	});
	/** When the page is opened. A link with a password is used once it is unlocked. */
	app.post('/share-link', { bodyLimit: maxBodyBytes }, async (request, reply) => {
		const found = await get(request, reply);
		count(request, reply, 'share');
		if (found.isOpen) await links.count(found.link);
		return { data: await describe(found) };
	});
	app.post('/share-link/unlock', { bodyLimit: maxBodyBytes }, async (request, reply) => {
		count(request, reply, 'address');
		const { link } = await get(request, reply);
		const { password } = validate(unlockBody, readSentBody(request));
		await links.unlock(reply, link, { password, network: addressOf(request) });
		await links.count(link);
		return { data: await describe({ link, isOpen: true }) };
	});
	/** The answer of one card of a shared board. */
	app.get('/share-link/cards/:index', async (request, reply) => {
		const { link, isOpen } = await get(request, reply);
		count(request, reply, 'share');
		if (!isOpen) throw passwordNeeded();
		const { index = '' } = paramsOf(request);
		if (link.kind !== 'board' || !/^\d{1,2}$/.test(index)) throw notFound();
		const { status, text } = await answerCard(link, Number(index), services, abortSignalOf(reply));
		return reply.code(status).type('application/json').send(text);
	});
}
