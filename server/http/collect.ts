import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { peekWebsiteId } from '../collect/budgets.ts';
import { type CollectServices, keep } from '../collect/keep.ts';
import { parseHit, readWebsiteId } from '../collect/parse-hit.ts';
import type { DropReason } from '../collect/step.ts';
import { AppError } from '../lib/app-error.ts';
import { holderOf, isPrivate } from '../lib/networks.ts';
import type { RateLimiter } from './rate-limits.ts';
import { readForm } from './read-body.ts';

/** sendBeacon and keepalive stop at about this much, so no tracker sends more. */
const maxHitBytes = 65_536;

const pixelFields = { names: new Set(['w', 'u']), lists: new Set<string>() };

/** One transparent point. */
const pixel = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');

/**
 * The door for hits. 202 means that the event is on disk, or that it was dropped on purpose, which a header tells; 503
 * that it may be sent again; 4xx that no repeat will mend it.
 */
export function mountCollect(
	app: FastifyInstance,
	options: {
		path: string;
		services: CollectServices;
		addressOf(request: FastifyRequest): string;
		/** Hits of one network. */
		limiter: RateLimiter;
	},
): void {
	const { path, services, addressOf, limiter } = options;
	const take = async (request: FastifyRequest, body: unknown): Promise<DropReason | undefined> => {
		const id = readWebsiteId(body);
		if (typeof id !== 'number') throw new AppError('bad_request', id.fault);
		services.budgets.check(id);
		const website = await services.websites.find(id);
		if (!website) throw new AppError('not_found', 'There is no such website.');
		const { headers } = request;
		const hit = parseHit(body, { website, address: addressOf(request), headers, now: services.now() });
		if ('fault' in hit) throw new AppError('bad_request', hit.fault);
		const [dropped] = await keep([hit], services);
		return dropped;
	};
	const answer = (reply: FastifyReply, dropped: DropReason | undefined) => {
		if (dropped !== undefined) reply.header('x-tidemark-dropped', dropped);
		return reply.header('cache-control', 'no-store');
	};

	const beforeBody = async (request: FastifyRequest, reply: FastifyReply) => {
		// On every answer, refusals too: a tracker that may not read one takes it for a broken net and sends again.
		reply.header('access-control-allow-origin', '*');
		const address = addressOf(request);
		// A private address is a proxy that is not trusted: all its visitors would be counted as one.
		if (isPrivate(address)) return;
		const { exceeded, resetsInSeconds } = limiter.count(holderOf(address));
		if (!exceeded) return;
		reply.header('retry-after', String(resetsInSeconds));
		throw new AppError('too_many_requests', 'Too many hits from this network; try again later.');
	};
	app.post(path, { bodyLimit: maxHitBytes, onRequest: beforeBody }, async (request, reply) => {
		// By its first bytes: a flood is not worth parsing.
		const peeked = peekWebsiteId(request.body);
		if (peeked !== undefined) services.budgets.check(peeked);
		return answer(reply, await take(request, readJson(request.body)))
			.code(202)
			.send();
	});
	// For browsers without scripts: an image, and the page that shows it is the one that its request names.
	app.get(`${path}.gif`, { onRequest: beforeBody }, async (request, reply) => {
		const { w, u } = readForm(request.url.split('?')[1] ?? '', pixelFields);
		const dropped = await take(request, { w: Number(w), u: u ?? request.headers.referer ?? '' });
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

function readJson(body: unknown): unknown {
	try {
		return JSON.parse(Buffer.isBuffer(body) ? body.toString('utf8') : '');
	} catch {
		throw new AppError('bad_request', 'The hit is not valid JSON.');
	}
}
