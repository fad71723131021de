/**
 * An SVG with the number of visitors of a public website. Every visitor of a page loads it, so the number is cached for a
 * minute and concurrent requests share one query. Whether the website is still public is checked each time. As in all public
 * statistics, fewer than three visitors are not shown exactly.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { badgeQuery } from '../../../api/badge.ts';
import { notFound, requirePermission } from '../../accounts/authorize.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Stats } from '../../stats/answer/ask.ts';
import { parseQuestion } from '../../stats/question/parse-question.ts';
import { getStatsContext } from '../../stats/question/stats-context.ts';
import type { Postgres } from '../../store/postgres.ts';
import type { Shared } from '../../websites/shares.ts';
import { toId } from '../api/route.ts';
import { applyLimit, type RateLimiter } from '../auth/rate-limits.ts';
import type { Shares } from '../auth/shares.ts';
import { readParameters } from '../request/read-parameters.ts';
import { paramsOf, queryOf } from '../request/read-request.ts';
import { drawBadge } from './badge-svg.ts';

const cacheSeconds = 60;
const maxCached = 10_000;

type Period = 'today' | '7d' | '30d' | 'all';
type CachedCount = { count: Promise<number>; untilMs: number };

export function mountBadge(
	app: FastifyInstance,
	options: {
		postgres: Postgres;
		stats: Stats;
		now: Clock;
		shares: Shares;
		limits: { share: RateLimiter };
		addressOf(request: FastifyRequest): string;
	},
): void {
	const { postgres, stats, now, shares, limits, addressOf } = options;
	const cache = new Map<string, CachedCount>();

	async function ask(website: Shared, period: Period): Promise<number> {
		const principal = { kind: 'share', websiteId: website.id } as const;
		requirePermission(principal, 'stats.read', website);
		const context = await getStatsContext(postgres, principal, website);
		stats.assertCapacity(website.id, principal);
		const { question } = parseQuestion(
			context,
			{
				period,
				from: undefined,
				to: undefined,
				series: null,
				metrics: ['visitors'],
				filters: [],
				goal: undefined,
				breakdowns: [],
			},
			now(),
		);
		// Several requests may wait for this query, so a disconnect does not cancel it. It has the time limit of a share.
		const { totals } = await stats.ask(question, { principal, signal: new AbortController().signal });
		return Number(totals.visitors ?? 0);
	}

	function countOf(website: Shared, period: Period): Promise<number> {
		const key = `${website.id} ${period}`;
		const known = cache.get(key);
		if (known && known.untilMs > now().getTime()) return known.count;
		cache.delete(key);
		const [oldest] = cache.keys();
		if (cache.size >= maxCached && oldest !== undefined) cache.delete(oldest);
		const count = ask(website, period);
		cache.set(key, { count, untilMs: now().getTime() + cacheSeconds * 1000 });
		count.catch(() => cache.delete(key));
		return count;
	}

	app.get('/websites/:id/badge.svg', async (request, reply) => {
		applyLimit(reply, ['share', limits.share.count(addressOf(request))], now().getTime());
		const share = await shares.find(request, toId(paramsOf(request).id));
		if (!share || share.shared.passwordHash !== null) throw notFound();
		const { period, theme, look } = readParameters(queryOf(request), badgeQuery);
		const count = await countOf(share.shared, period);
		reply.headers({
			'cache-control': `public, max-age=${cacheSeconds}`,
			// It is embedded in other websites and the same for everyone.
			'cross-origin-resource-policy': 'cross-origin',
		});
		return reply.type('image/svg+xml; charset=utf-8').send(drawBadge({ count, period, theme, look }));
	});
}
