import type { FastifyInstance, FastifyRequest } from 'fastify';
import { notFound } from '../../accounts/authorize.ts';
import { AppError } from '../../lib/app-error.ts';
import type { Clock } from '../../lib/clock.ts';
import { openFeed } from '../../reports/feeds.ts';
import { reportFeed } from '../../reports/render/report-feed.ts';
import type { Postgres } from '../../store/postgres.ts';
import { etagOf, matchesIfNoneMatch } from '../api/etag.ts';
import { applyLimit, type RateLimiter } from '../auth/rate-limits.ts';
import { paramsOf } from '../request/read-request.ts';

/** Reports change once a week at most. */
const cacheSeconds = 3_600;

/** The Atom feed of a website's reports. Its URL contains a secret token, because feed readers send no cookie. */
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
		if (limits.address.peek(address).exceeded)
			throw new AppError('too_many_requests', 'Too many requests. Try again later.');
		const [, token = ''] = /^(.*)\.atom$/s.exec(paramsOf(request).name ?? '') ?? [];
		const feed = await openFeed(postgres, token);
		if (!feed) {
			// Limits how fast tokens can be guessed.
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
			brandName: feed.brand?.name,
		});
		const etag = etagOf(body);
		reply.headers({
			etag,
			'cache-control': `private, max-age=${cacheSeconds}`,
			'x-robots-tag': 'noindex',
			'cross-origin-resource-policy': 'same-origin',
		});
		if (matchesIfNoneMatch(request.headers['if-none-match'], etag)) return reply.code(304).send();
		return reply.type('application/atom+xml; charset=utf-8').send(body);
	});
}
