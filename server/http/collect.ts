import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type CollectServices, keep } from '../collect/keep.ts';
import { parseHit, readWebsiteId } from '../collect/parse-hit.ts';
import type { DropReason } from '../collect/step.ts';
import { AppError } from '../lib/app-error.ts';
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
	options: { path: string; services: CollectServices; addressOf(request: FastifyRequest): string },
): void {
	const { path, services, addressOf } = options;
	const take = async (request: FastifyRequest, body: unknown): Promise<DropReason | undefined> => {
		const id = readWebsiteId(body);
		if (typeof id !== 'number') throw new AppError('bad_request', id.fault);
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

	// On every answer, refusals too: a tracker that may not read one takes it for a broken net and sends again.
	const openToAll = async (_request: FastifyRequest, reply: FastifyReply) => {
		reply.header('access-control-allow-origin', '*');
	};
	app.post(path, { bodyLimit: maxHitBytes, onRequest: openToAll }, async (request, reply) => {
		return answer(reply, await take(request, readJson(request.body)))
			.code(202)
			.send();
	});
	// For browsers without scripts: an image, and the page that shows it is the one that its request names.
	app.get(`${path}.gif`, async (request, reply) => {
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
