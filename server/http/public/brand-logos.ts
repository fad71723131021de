import type { FastifyInstance, FastifyRequest } from 'fastify';
import { notFound } from '../../accounts/authorize.ts';
import { findLogo, logoTypes } from '../../branding/branding.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Postgres } from '../../store/postgres.ts';
import { applyLimit, type RateLimiter } from '../auth/rate-limits.ts';
import { paramsOf } from '../request/read-request.ts';

/** The logos of accounts. Somebody else chose the bytes, so a browser must never take them for anything but an image. */
export function mountBrandLogos(
	app: FastifyInstance,
	options: {
		postgres: Postgres;
		now: Clock;
		limits: { share: RateLimiter };
		addressOf(request: FastifyRequest): string;
	},
): void {
	const { postgres, now, limits, addressOf } = options;
	app.get('/brands/:name', async (request, reply) => {
		applyLimit(reply, ['share', limits.share.count(addressOf(request))], now().getTime());
		const [, digest = '', type] = /^([0-9a-f]{64})\.(png|jpeg)$/.exec(paramsOf(request).name ?? '') ?? [];
		const logo = await findLogo(postgres, digest);
		if (!logo || logo.type !== type) throw notFound();
		reply.headers({
			// The name contains a hash of the content.
			'cache-control': 'public, max-age=31536000, immutable',
			'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
			'cross-origin-resource-policy': 'same-origin',
			'x-content-type-options': 'nosniff',
		});
		return reply.type(logoTypes[logo.type]).send(logo.content);
	});
}
