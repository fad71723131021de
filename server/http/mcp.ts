import { createMcpHandler } from '@modelcontextprotocol/server';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { notFound } from '../accounts/authorize.ts';
import type { Principal } from '../accounts/principal.ts';
import { AppError } from '../lib/app-error.ts';
import type { Log } from '../lib/log.ts';
import { createMcpServer } from '../mcp/serve-tools.ts';
import type { Asked } from '../mcp/tools.ts';
import { leavingOf } from './api.ts';
import type { Services } from './call.ts';
import type { Door } from './door.ts';
import { asAppError, describeProblem } from './problem.ts';
import { applyLimit } from './rate-limits.ts';
import { findReading } from './routes.ts';

const mcpPath = '/mcp';

/**
 * Assistants: the Model Context Protocol over HTTP. Every question goes to a route of the API as whoever is calling, so
 * there is no second way in. Keys that can change anything are refused: what an assistant is told to do may come from a page it reads.
 */
export function mountMcp(
	app: FastifyInstance,
	{ door, services, version, log }: { door: Door; services: Services; version: string; log: Log },
): void {
	const callers = new WeakMap<FastifyRequest, Caller>();
	const handler = createMcpHandler(
		({ authInfo }) => createMcpServer(version, (asked) => read(asked, callerOf(authInfo), services, door)),
		// Nothing here changes while somebody listens, so nobody needs a connection that stays open.
		{ maxSubscriptions: 0, onerror: (error) => log.debug({ error }, 'an assistant was refused') },
	);
	app.addHook('onClose', () => handler.close());

	app.route({
		method: ['POST', 'GET', 'DELETE'],
		url: mcpPath,
		onRequest: async (request, reply) => {
			reply.header('cache-control', 'no-store');
			const principal = await door.identify(request);
			applyLimit(reply, door.count(request, principal), services.now().getTime());
			if (!principal) throw door.refusal(request);
			if (principal.kind !== 'key' || principal.access !== 'read')
				throw new AppError(
					'forbidden',
					'An assistant needs a key that can only read. Make one with the access `read`.',
				);
			callers.set(request, { principal, signal: leavingOf(reply) });
		},
		handler: async (request, reply) => {
			// What the protocol's library hands on to whoever answers. The key itself stays here.
			const authInfo = { token: '', clientId: '', scopes: [], extra: { caller: callers.get(request) } };
			const { status, headers, body } = await handler.fetch(toWebRequest(request), { authInfo });
			reply.code(status).headers(Object.fromEntries(headers));
			return reply.send(body ? Buffer.from(await new Response(body).arrayBuffer()) : undefined);
		},
	});
}

type Caller = { principal: Principal; signal: AbortSignal };

function callerOf(authInfo: { extra?: Record<string, unknown> } | undefined): Caller {
	// Put there a few lines above.
	const caller = authInfo?.extra?.caller as Caller | undefined;
	if (!caller) throw new Error('An assistant was let in without a key.');
	return caller;
}

/** As if it had been asked at the API: the same route, and with it the same rights. */
async function read(
	{ path, query }: Asked,
	{ principal, signal }: Caller,
	services: Services,
	door: Door,
): Promise<{ status: number; text: string }> {
	const found = findReading(path);
	if (!found) return describeProblem(notFound());
	try {
		return await found.route.handle(
			{
				...{ principal, params: found.params, query, mountedAt: door.mountedAt() },
				body: { bytes: Buffer.alloc(0), contentType: undefined, contentEncoding: undefined },
				header: (name) => (name === 'accept' ? 'application/json' : undefined),
				signal,
			},
			services,
		);
	} catch (error) {
		const refusal = asAppError(error);
		if (!refusal) throw error;
		return describeProblem(refusal);
	}
}

function toWebRequest(request: FastifyRequest): Request {
	const headers = new Headers();
	for (const [name, value] of Object.entries(request.headers))
		if (value !== undefined && name !== 'authorization') headers.set(name, String(value));
	const hasBody = Buffer.isBuffer(request.body) && request.body.length > 0;
	return new Request(`http://localhost${mcpPath}`, {
		method: request.method,
		headers,
		...(hasBody && { body: new Uint8Array(request.body as Buffer) }),
	});
}
