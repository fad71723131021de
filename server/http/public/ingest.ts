import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type IngestServices, ingestHit } from '../../ingest/ingest.ts';
import type { DropReason } from '../../ingest/steps/step.ts';
import { AppError } from '../../lib/app-error.ts';
import { isPrivate, rateLimitKey } from '../../lib/networks.ts';
import type { RateLimiter } from '../auth/rate-limits.ts';
import { readForm } from '../request/read-body.ts';
import { queryOf } from '../request/read-request.ts';

/** The limit of sendBeacon and keepalive requests, so no tracker sends more. */
export const maxHitBytes = 65_536;

const pixelFields = { names: new Set(['w', 'u']), lists: new Set<string>() };

/** A transparent GIF of one pixel. */
const pixel = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');

export type IngestOptions = {
	path: string;
	services: IngestServices;
	addressOf(request: Pick<IncomingMessage, 'headers' | 'socket'>): string;
	/** Counts a hit of this address; throws if its network is over the limit. */
	countHit(address: string): void;
	/** Hits that failed before they reached Fastify (fast-hits.ts). */
	failures: WeakMap<IncomingMessage, { error: unknown }>;
};

/** Limits hits per network. */
export const hitCounter =
	(limiter: RateLimiter) =>
	(address: string): void => {
		// A private address is an untrusted proxy, where all visitors would share one limit.
		if (isPrivate(address)) return;
		const { exceeded, resetsInSeconds } = limiter.count(rateLimitKey(address));
		if (exceeded)
			throw new AppError('too_many_requests', 'Too many hits from this network. Try again later.', {
				retryAfterSeconds: resetsInSeconds,
			});
	};

/**
 * Receives hits from trackers. 202: the event is on disk, or was dropped on purpose, with the reason in a header. 503: send
 * it again. 4xx: sending it again will not help.
 */
export function mountIngest(app: FastifyInstance, options: IngestOptions): void {
	const { path, services, addressOf, countHit, failures } = options;
	const senderOf = (request: FastifyRequest) => ({ address: addressOf(request), headers: request.headers });
	const answer = (reply: FastifyReply, dropped: DropReason | undefined) => {
		if (dropped !== undefined) reply.header('x-tidemark-dropped', dropped);
		return reply.header('cache-control', 'no-store');
	};

	const beforeBody = async (request: FastifyRequest, reply: FastifyReply) => {
		// Also on errors: without it, trackers would take them for network errors and send again.
		reply.header('access-control-allow-origin', '*');
		const failure = failures.get(request.raw);
		if (failure) throw failure.error;
		countHit(addressOf(request));
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
