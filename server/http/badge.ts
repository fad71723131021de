/**
 * A picture with the number of visitors, for the pages of public websites. Everybody who opens such a page asks for it, so
 * the number is kept for a minute, and asked for once however many wait. Whether the website is still public is looked up
 * each time. As in all that is shown to everybody, fewer than three visitors are not told apart.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { badgeQuery } from '../../api/badge.ts';
import { notFound } from '../accounts/authorize.ts';
import type { Clock } from '../lib/clock.ts';
import type { Stats } from '../stats/ask.ts';
import { getAskedWebsite } from '../stats/asked-website.ts';
import { toQuestion } from '../stats/to-question.ts';
import type { Postgres } from '../store/postgres.ts';
import { drawBadge } from './badge-picture.ts';
import { toId } from './call.ts';
import { applyLimit, type RateLimiter } from './rate-limits.ts';
import { readParameters } from './read-parameters.ts';
import type { Shares } from './shares.ts';

const keptSeconds = 60;
/** More are not kept; the oldest goes. */
const maxKept = 10_000;

type Period = 'today' | '7d' | '30d' | 'all';
type Kept = { count: Promise<number>; untilMs: number };

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
	const kept = new Map<string, Kept>();

	async function ask(websiteId: number, period: Period): Promise<number> {
		const principal = { kind: 'share', websiteId } as const;
		const asked = await getAskedWebsite(postgres, principal, websiteId);
		stats.admit(websiteId, principal);
		const { question } = toQuestion(
			asked,
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
		// Many wait for the one answer: that one of them leaves does not end it. It has the five seconds of a share.
		const { totals } = await stats.ask(question, { principal, signal: new AbortController().signal });
		return Number(totals.visitors ?? 0);
	}

	function countOf(websiteId: number, period: Period): Promise<number> {
		const key = `${websiteId} ${period}`;
		const known = kept.get(key);
		if (known && known.untilMs > now().getTime()) return known.count;
		kept.delete(key);
		const [oldest] = kept.keys();
		if (kept.size >= maxKept && oldest !== undefined) kept.delete(oldest);
		const count = ask(websiteId, period);
		kept.set(key, { count, untilMs: now().getTime() + keptSeconds * 1000 });
		count.catch(() => kept.delete(key));
		return count;
	}

	app.get('/websites/:id/badge.svg', async (request, reply) => {
		applyLimit(reply, ['share', limits.share.count(addressOf(request))], now().getTime());
		// Fastify types parameters by route; ours are texts.
		const id = toId((request.params as Record<string, string>).id);
		const found = await shares.find(request, id);
		if (!found || found.shared.passwordHash !== null) throw notFound();
		const query = request.url.slice(request.url.indexOf('?') + 1 || request.url.length);
		const { period, theme, look } = readParameters(query, badgeQuery);
		const count = await countOf(id, period);
		reply.headers({
			'cache-control': `public, max-age=${keptSeconds}`,
			// It stands in pages of others, and is the same for everybody.
			'cross-origin-resource-policy': 'cross-origin',
		});
		return reply.type('image/svg+xml; charset=utf-8').send(drawBadge({ count, period, theme, look }));
	});
}
