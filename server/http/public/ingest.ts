import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type IngestServices, ingestHit } from '../../ingest/ingest.ts';
import type { DropReason } from '../../ingest/steps/step.ts';
import { AppError } from '../../lib/app-error.ts';
import { isPrivate, rateLimitKey } from '../../lib/networks.ts';
import type { RateLimiter } from '../auth/rate-limits.ts';
import { readForm } from '../request/read-body.ts';
import { queryOf } from '../request/read-request.ts';

/** The limit of sendBeacon and keepalive requests, so no tracker sends more. */
const maxHitBytes = 65_536;

const pixelFields = { names: new Set(['w', 'u']), lists: new Set<string>() };

/** A transparent GIF of one pixel. */
const pixel = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');

/**
 * Receives hits from trackers. 202: the event is on disk, or was dropped on purpose, with the reason in a header. 503: send
 * it again. 4xx: sending it again will not help.
 */
export function mountIngest(
	app: FastifyInstance,
	options: {
		path: string;
		services: IngestServices;
		addressOf(request: FastifyRequest): string;
		/** Limits hits per network. */
		limiter: RateLimiter;
	},
): void {
	const { path, services, addressOf, limiter } = options;
	const senderOf = (request: FastifyRequest) => ({ address: addressOf(request), headers: request.headers });
	const answer = (reply: FastifyReply, dropped: DropReason | undefined) => {
		if (dropped !== undefined) reply.header('x-tidemark-dropped', dropped);
		return reply.header('cache-control', 'no-store');
	};

	const beforeBody = async (request: FastifyRequest, reply: FastifyReply) => {
		// Also on errors: without it, trackers would take them for network errors and send again.
		reply.header('access-control-allow-origin', '*');
		const address = addressOf(request);
		// A private address is an untrusted proxy, where all visitors would share one limit.
		if (isPrivate(address)) return;
		const { exceeded, resetsInSeconds } = limiter.count(rateLimitKey(address));
		if (!exceeded) return;
		reply.header('retry-after', String(resetsInSeconds));
		throw new AppError('too_many_requests', 'Too many hits from this network. Try again later.');
	};
	app.post(path, { bodyLimit: maxHitBytes, onRequest: beforeBody }, async (request, reply) => {
		const dropped = await ingestHit({ json: request.body, ...senderOf(request) }, services);
		return answer(reply, dropped).code(202).send();
	});
	// For browsers without JavaScript: an image. The Referer names the page unless the URL does.
	app.get(`${path}.gif`, { onRequest: beforeBody }, async (request, reply) => {
		const { w, u } = readForm(queryOf(request), pixelFields);
		const fields = { w: Number(w), u: u ?? request.headers.referer ?? '' };
		const dropped = await ingestHit({ fields, ...senderOf(request) }, services);
		return answer(reply, dropped).type('image/gif').send(pixel);
	});
	app.options(path, async (_request, reply) =>
		reply
			.code(204)
			.headers({
				'access-control-allow-origin': '*',
				'access-control-allow-methods': 'POST',
				'access-control-allow-headers': 'Content-Type',
				'access-control-max-age': '86400',
			})
			.send(),
	);
}
