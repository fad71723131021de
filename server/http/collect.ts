import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type CollectServices, keep } from '../collect/keep.ts';
import { parseHit } from '../collect/parse-hit.ts';
import type { DropReason } from '../collect/step.ts';
import { AppError } from '../lib/app-error.ts';

/** sendBeacon and keepalive stop at about this much, so no tracker sends more. */
const maxHitBytes = 65_536;

/**
 * The door for hits. 202 means that the event is on disk, or that it was dropped on purpose, which a header tells; 503
 * that it may be sent again; 4xx that no repeat will mend it.
 */
export function mountCollect(
	app: FastifyInstance,
	options: { path: string; services: CollectServices; addressOf(request: FastifyRequest): string },
): void {
	const { path, services, addressOf } = options;
	app.post(path, { bodyLimit: maxHitBytes }, async (request, reply) => {
		reply.header('access-control-allow-origin', '*');
		const body = readJson(request.body);
		const website = await services.websites.find(websiteIdOf(body));
		if (!website) throw new AppError('not_found', 'There is no such website.');
		const hit = parseHit(body, {
			website,
			address: addressOf(request),
			headers: request.headers,
			now: services.now(),
		});
		if ('fault' in hit) throw new AppError('bad_request', hit.fault);
		const [dropped] = await keep([hit], services);
		return answer(reply, dropped);
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

function answer(reply: FastifyReply, dropped: DropReason | undefined) {
	if (dropped !== undefined) reply.header('x-tidemark-dropped', dropped);
	return reply.code(202).header('cache-control', 'no-store').send();
}

function readJson(body: unknown): unknown {
	try {
		return JSON.parse(Buffer.isBuffer(body) ? body.toString('utf8') : '');
	} catch {
		throw new AppError('bad_request', 'The hit is not valid JSON.');
	}
}

function websiteIdOf(body: unknown): number {
	const id = typeof body === 'object' && body !== null && 'w' in body ? Number(body.w) : Number.NaN;
	if (!Number.isSafeInteger(id) || id < 1) throw new AppError('bad_request', 'The hit names no website.');
	return id;
}
