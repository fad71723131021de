import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { FeedRecord, ShownFeed } from '../../api/feeds.ts';
import { notFound } from '../accounts/authorize.ts';
import type { Principal } from '../accounts/principal.ts';
import type { Session } from '../accounts/sessions.ts';
import { AppError } from '../lib/app-error.ts';
import type { Clock } from '../lib/clock.ts';
import { findFeed, makeFeed, openFeed, removeFeed } from '../reports/feeds.ts';
import { reportFeed } from '../reports/report-feed.ts';
import type { Postgres } from '../store/postgres.ts';
import { json, toId } from './call.ts';
import { etagOf, isKnown } from './etag.ts';
import { applyLimit, type RateLimiter } from './rate-limits.ts';
import { done, type SessionRoute } from './session-routes.ts';

/** Reports come once a week. */
const keptSeconds = 3_600;

/** For readers of feeds: no cookie, no session; the address is the key. */
export function mountFeeds(
	app: FastifyInstance,
	options: {
		postgres: Postgres;
		now: Clock;
		limits: { share: RateLimiter; address: RateLimiter };
		baseUrl(): string;
		addressOf(request: FastifyRequest): string;
	},
): void {
	const { postgres, now, limits, baseUrl, addressOf } = options;
	app.get('/feeds/:name', async (request, reply) => {
		const address = addressOf(request);
		applyLimit(reply, ['share', limits.share.count(address)], now().getTime());
		if (limits.address.look(address).exceeded)
			throw new AppError('too_many_requests', 'Too many requests; try again later.');
		// Fastify types parameters by route; ours are texts.
		const [, token = ''] = /^(.*)\.atom$/s.exec((request.params as Record<string, string>).name ?? '') ?? [];
		const feed = await openFeed(postgres, token);
		if (!feed) {
			// Whoever guesses does so slowly.
			limits.address.count(address);
			throw notFound();
		}
		const body = reportFeed(feed.reports, {
			website: feed.website,
			feedId: `${baseUrl()}/websites/${feed.website.id}#reports`,
			feedUrl: `${baseUrl()}/feeds/${token}.atom`,
			baseUrl: baseUrl(),
			locale: feed.locale,
			since: feed.createdAt.toISOString(),
		});
		const etag = etagOf(body);
		reply.headers({
			etag,
			'cache-control': `private, max-age=${keptSeconds}`,
			'x-robots-tag': 'noindex',
			'cross-origin-resource-policy': 'same-origin',
		});
		if (isKnown(request.headers['if-none-match'], etag)) return reply.code(304).send();
		return reply.type('application/atom+xml; charset=utf-8').send(body);
	});
}

const asking = ({ accountId }: Session): Principal => ({ kind: 'account', accountId });

/** The address of a website's feed: looked for, made or renewed, removed, by its owner. */
export const feedRoutes: readonly SessionRoute[] = [
	{
		method: 'GET',
		path: '/websites/:id/feed',
		needs: 'session',
		handle: async ({ session, params }, { postgres }) => {
			const feed = await findFeed(postgres, asking(session), toId(params.id));
			const record: FeedRecord | null = feed ? { created_at: feed.createdAt.toISOString() } : null;
			return json(200, { data: record });
		},
	},
	{
		method: 'POST',
		path: '/websites/:id/feed',
		what: 'makeFeed',
		needs: 'session',
		handle: async ({ session, params }, { postgres, now, publicAddress }) => {
			const id = toId(params.id);
			const { token, createdAt } = await makeFeed(postgres, now, asking(session), id);
			const url = `${publicAddress.current()}/feeds/${token}.atom`;
			const record: ShownFeed = { url, created_at: createdAt.toISOString() };
			return { ...json(201, { data: record }), about: { websiteId: id } };
		},
	},
	{
		method: 'DELETE',
		path: '/websites/:id/feed',
		what: 'removeFeed',
		needs: 'session',
		handle: async ({ session, params }, { postgres }) => {
			const id = toId(params.id);
			await removeFeed(postgres, asking(session), id);
			return { ...done({ removed: true }), about: { websiteId: id } };
		},
	},
];
