import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Action, actions, notFound } from '../accounts/authorize.ts';
import { findOwner, noteChange } from '../accounts/changes.ts';
import type { Principal } from '../accounts/principal.ts';
import { AppError } from '../lib/app-error.ts';
import { hasRights } from '../websites/websites.ts';
import type { Answer, Route, Services } from './call.ts';
import type { Door } from './door.ts';
import { isKnown } from './etag.ts';
import { applyLimit, type Policy, type RateLimit } from './rate-limits.ts';
import { allowedMethods, routes } from './routes.ts';
import { leaveBodies, piecesOf } from './uploads.ts';

/**
 * The list of routes behind a door: for programs with a key, and for people who are signed in. Who is calling is settled
 * before path, method and body are looked at.
 */
export function mountApi(app: FastifyInstance, services: Services, door: Door): void {
	const principals = new WeakMap<FastifyRequest, Principal>();

	const limit = (reply: FastifyReply, counted: readonly [Policy, RateLimit]) =>
		applyLimit(reply, counted, services.now().getTime());

	app.addHook('onRequest', async (request, reply) => {
		reply.headers(door.headers);
		// The routes judge the type, after the id and the rights; the framework would refuse an odd one before them.
		delete request.raw.headers['content-type'];
		if (request.method === 'OPTIONS') {
			limit(reply, door.look(request));
			return answerOptions(request, reply, door);
		}
		if (isOpenForAll(request)) {
			limit(reply, door.look(request));
			return;
		}
		door.check(request);
		const principal = await door.identify(request);
		limit(reply, door.count(request, principal));
		if (!principal) throw door.refusal(request);
		principals.set(request, principal);
	});

	/** A member changes what is another's; a key only what is its account's own. */
	const ownerOf = async ({ action }: Route, principal: Principal, websiteId: number | undefined) =>
		isWrittenDown(action) && principal.kind === 'account' && Number.isSafeInteger(websiteId)
			? findOwner(services.postgres, websiteId ?? 0)
			: undefined;

	const mayStill = async ({ action }: Route, principal: Principal, websiteId: number | undefined) =>
		principal.kind !== 'account' ||
		websiteId === undefined ||
		(await hasRights(services.postgres, principal, action, websiteId));

	app.setNotFoundHandler(async (request, reply) => {
		const allowed = allowedAt(request, door);
		// A method we answer to, and still no route: the path is too long or too odd to be one of ours.
		if (!allowed || allowed.includes(request.method)) throw notFound();
		reply.header('allow', allowed.join(', '));
		throw new AppError('method_not_allowed', `This address answers to ${allowed.join(', ')}.`);
	});

	const mount = (on: FastifyInstance, route: Route) =>
		on.route({
			method: [...route.methods],
			url: route.path,
			handler: async (request, reply) => {
				const principal = principals.get(request) ?? { kind: 'nobody' };
				const websiteId = Number(paramsOf(request).id) || undefined;
				const ownerId = await ownerOf(route, principal, websiteId);
				// What is left of a file that is refused is not read.
				if (route.isUpload) reply.header('connection', 'close');
				const answer = await route.handle(
					{
						principal,
						params: paramsOf(request),
						query: queryOf(request),
						body: {
							bytes: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
							contentType: contentTypeOf(request),
							contentEncoding: request.headers['content-encoding'],
						},
						...(route.isUpload && { upload: piecesOf(request) }),
						header: (name) => headerOf(request, name),
						mountedAt: door.mountedAt(),
						signal: leavingOf(reply),
					},
					services,
				);
				if (actions[route.action].changes) services.collect.websites.forget(Number(paramsOf(request).id));
				if (isNoted(route, answer))
					await noteChange(services.postgres, services.now, {
						by: principal,
						what: route.operationId,
						websiteId: websiteId ?? createdIn(answer),
						ownerId,
					});
				// A stream may outlive what opened it: a key, a session, a role, a public website.
				const isStillKnown = async () =>
					(await door.identify(request))?.kind === principal.kind &&
					(await mayStill(route, principal, websiteId));
				reply.header('vary', door.vary);
				return send(request, reply, answer, isStillKnown);
			},
		});
	for (const route of routes) if (!route.isUpload) mount(app, route);
	void app.register(async (files) => {
		leaveBodies(files);
		for (const route of routes) if (route.isUpload) mount(files, route);
	});

	const { openapi } = door;
	if (openapi !== undefined)
		app.get('/openapi.json', async (_request, reply) => {
			reply.header('cache-control', 'public, max-age=300');
			return reply.type('application/json').send(openapi);
		});
}

/** Events that a server sends are what is counted, not changes. */
const isWrittenDown = (action: Action): boolean => actions[action].changes && action !== 'website.collect';

/** An answer that is given again was noted before. */
const isNoted = ({ action }: Route, { headers }: Answer): boolean =>
	isWrittenDown(action) && !('idempotency-replayed' in headers);

/** A website that is new has its id in its address alone. */
const createdIn = ({ headers }: Answer): number | undefined =>
	Number(/\/websites\/(\d+)$/.exec(headers.location ?? '')?.[1]) || undefined;

const isOpenForAll = (request: FastifyRequest): boolean =>
	(request.method === 'GET' || request.method === 'HEAD') &&
	request.routeOptions.url?.endsWith('/openapi.json') === true;

export function contentTypeOf({ raw }: FastifyRequest): string | undefined {
	const at = raw.rawHeaders.findIndex(
		(name, index) => index % 2 === 0 && name.toLowerCase() === 'content-type',
	);
	return at < 0 ? undefined : raw.rawHeaders[at + 1];
}

function headerOf(request: FastifyRequest, name: string): string | undefined {
	const header = request.headers[name];
	return Array.isArray(header) ? header.join(', ') : header;
}

/** Aborted when the connection closes before all of the answer is out. */
export function leavingOf({ raw }: FastifyReply): AbortSignal {
	const leaving = new AbortController();
	raw.once('close', () => {
		if (!raw.writableFinished) leaving.abort();
	});
	return leaving.signal;
}

// Fastify types parameters by route; ours are texts.
function paramsOf(request: FastifyRequest): Record<string, string> {
	const params = request.params as Record<string, string>;
	const { dimension } = params;
	return dimension === undefined ? params : { ...params, dimension: readWord(request, dimension) };
}

/**
 * The router never sees a percent sign (see app.ts), but the name behind `property:` is somebody else's and may hold any
 * character: this one word is read from the address as it came. What is no UTF-8, and NUL, is in no name.
 */
function readWord({ originalUrl }: FastifyRequest, routed: string): string {
	const word = /([^/]*)\/?$/.exec(originalUrl.split('?', 1)[0] ?? '')?.[1] ?? '';
	if (!/^property(?::|%3a)/i.test(word)) return routed;
	try {
		const name = /^[\x21-\x7e]*$/.test(word) ? decodeURIComponent(word) : '';
		return name.includes('\0') ? '' : name;
	} catch {
		return '';
	}
}

const queryOf = (request: FastifyRequest): string => {
	const mark = request.url.indexOf('?');
	return mark < 0 ? '' : request.url.slice(mark + 1);
};

/** The methods of the path below the mount, as the list of routes writes it. */
function allowedAt({ url }: FastifyRequest, { prefix, openapi }: Door): string[] | undefined {
	const path = (url.split('?', 1)[0] ?? '').slice(prefix.length);
	return openapi !== undefined && /^\/openapi\.json\/?$/.test(path)
		? ['GET', 'HEAD', 'OPTIONS']
		: allowedMethods(path);
}

function answerOptions(request: FastifyRequest, reply: FastifyReply, door: Door) {
	const allowed = allowedAt(request, door);
	if (!allowed) throw notFound();
	const methods = allowed.join(', ');
	return reply
		.code(204)
		.headers({ allow: methods, ...door.optionsHeaders(methods) })
		.send();
}

function send(
	request: FastifyRequest,
	reply: FastifyReply,
	answer: Answer,
	isStillKnown: () => Promise<boolean>,
) {
	reply.headers({ 'cache-control': 'private, no-cache', ...answer.headers });
	const { etag } = answer.headers;
	const isRead = request.method === 'GET' || request.method === 'HEAD';
	if (isRead && etag !== undefined && isKnown(headerOf(request, 'if-none-match'), etag))
		return reply.code(304).send();
	reply.code(answer.status).type(answer.type ?? 'application/json');
	const { stream, file } = answer;
	if (file) return sendFile(request, reply, file, isStillKnown);
	if (!stream) return reply.send(answer.text);
	if (reply.raw.closed) stream.end();
	else reply.raw.once('close', () => stream.end());
	return request.method === 'HEAD'
		? reply.send()
		: reply.send(Readable.from(messagesWhile(stream.messages, isStillKnown)));
}

/** Who takes nothing of a file for so long has gone, and nobody has told us. */
const stalledMs = 60_000;
/** So often it is asked whether they may still have it. */
const askAgainMs = 10_000;

function sendFile(
	request: FastifyRequest,
	reply: FastifyReply,
	file: NonNullable<Answer['file']>,
	isStillKnown: () => Promise<boolean>,
) {
	if (reply.raw.closed || request.method === 'HEAD') {
		file.end();
		return reply.send();
	}
	const { raw } = reply;
	raw.once('close', () => file.end());
	// Not as a stream, which would ask for pieces ahead: each is there until the next one is asked for.
	reply.hijack();
	raw.writeHead(reply.statusCode, reply.getHeaders() as OutgoingHttpHeaders);
	writePieces(file, raw, isStillKnown).then(
		() => raw.end(),
		// An end without an error would look like the end of the file.
		() => raw.destroy(),
	);
	return reply;
}

async function writePieces(
	{ pieces, end }: NonNullable<Answer['file']>,
	raw: ServerResponse,
	isStillKnown: () => Promise<boolean>,
): Promise<void> {
	let askedAt = performance.now();
	for await (const piece of pieces) {
		if (performance.now() - askedAt > askAgainMs) {
			if (!(await isStillKnown())) throw new AppError('forbidden', 'The right to this file has gone.');
			askedAt = performance.now();
		}
		const stalled = setTimeout(() => raw.destroy(), stalledMs);
		try {
			await write(raw, piece);
		} finally {
			clearTimeout(stalled);
		}
	}
	// Before its last byte is out: whoever has that may begin the next one.
	end();
}

/** Resolves when nobody needs the bytes any more. */
function write(raw: ServerResponse, bytes: Uint8Array): Promise<void> {
	return new Promise((resolve, reject) => {
		const leave = () => reject(new Error('Whoever reads has left.'));
		if (raw.closed) return leave();
		raw.once('close', leave);
		raw.write(bytes, (error) => {
			raw.off('close', leave);
			if (error) reject(error);
			else resolve();
		});
	});
}

async function* messagesWhile(
	messages: AsyncIterable<string>,
	isStillKnown: () => Promise<boolean>,
): AsyncGenerator<string> {
	for await (const message of messages) {
		if (!(await isStillKnown())) return;
		yield message;
	}
}
