import type { FastifyInstance, FastifyRequest } from 'fastify';
import { notFound } from '../../accounts/authorize.ts';
import type { Principal } from '../../accounts/principal.ts';
import { AppError } from '../../lib/app-error.ts';
import type { Log } from '../../lib/log.ts';
import type { ApiCall } from '../../mcp/tools.ts';
import { handleRoute, type Services } from '../api/route.ts';
import { findReadRoute } from '../api/routes.ts';
import type { AuthScheme } from '../auth/auth-scheme.ts';
import { applyLimit } from '../auth/rate-limits.ts';
import { asAppError, describeProblem } from '../request/problem.ts';
import { abortSignalOf } from '../request/read-request.ts';

const mcpPath = '/mcp';

/**
 * The Model Context Protocol over HTTP. Every tool call runs an API route with the caller's key, so it has the same
 * permissions. Only read-only keys are accepted, because an assistant may follow instructions from a page it reads.
 */
export function mountMcp(
	app: FastifyInstance,
	{ auth, services, version, log }: { auth: AuthScheme; services: Services; version: string; log: Log },
): void {
	const callers = new WeakMap<FastifyRequest, ToolCaller>();
	async function createHandler() {
		// Loaded with the first request, because a start should not wait for it.
		const { createMcpHandler } = await import('@modelcontextprotocol/server');
		const { createMcpServer } = await import('../../mcp/serve-tools.ts');
		return createMcpHandler(
			({ authInfo }) => createMcpServer(version, (call) => read(call, callerOf(authInfo), services, auth)),
			// The tools never change, so there is nothing to subscribe to.
			{ maxSubscriptions: 0, onerror: (error) => log.debug({ error }, 'mcp request rejected') },
		);
	}
	let opening: ReturnType<typeof createHandler> | undefined;
	app.addHook('onClose', async () => (await opening?.catch(() => undefined))?.close());

	app.route({
		method: ['POST', 'GET', 'DELETE'],
		url: mcpPath,
		onRequest: async (request, reply) => {
			reply.header('cache-control', 'no-store');
			const principal = (await auth.identify(request))?.principal;
			applyLimit(reply, auth.count(request, principal), services.now().getTime());
			if (!principal) throw auth.authError(request);
			if (!isReadOnly(principal))
				throw new AppError(
					'forbidden',
					'Assistants need a read-only API key. Create one with the access `read` or only the scope `stats`.',
				);
			callers.set(request, { principal, signal: abortSignalOf(reply) });
		},
		handler: async (request, reply) => {
			// The MCP library passes this to the tools. The key itself is not passed on.
			const authInfo = { token: '', clientId: '', scopes: [], extra: { caller: callers.get(request) } };
			// A failed load is tried again at the next request.
			opening ??= createHandler().catch((error: unknown) => {
				opening = undefined;
				throw error;
			});
			const handler = await opening;
			const { status, headers, body } = await handler.fetch(toWebRequest(request), { authInfo });
			reply.code(status).headers(Object.fromEntries(headers));
			return reply.send(body ? Buffer.from(await new Response(body).arrayBuffer()) : undefined);
		},
	});
}

const isReadOnly = (principal: Principal): boolean =>
	principal.kind === 'key' &&
	(principal.access === 'read' || principal.scopes?.every((scope) => scope === 'stats') === true);

type ToolCaller = { principal: Principal; signal: AbortSignal };

function callerOf(authInfo: { extra?: Record<string, unknown> } | undefined): ToolCaller {
	// Set by the handler above.
	const caller = authInfo?.extra?.caller as ToolCaller | undefined;
	if (!caller) throw new Error('The MCP handler was called without a caller.');
	return caller;
}

/** Runs the API route, with the same permissions as a request to the API. */
async function read(
	{ path, query }: ApiCall,
	{ principal, signal }: ToolCaller,
	services: Services,
	auth: AuthScheme,
): Promise<{ status: number; text: string }> {
	const match = findReadRoute(path);
	if (!match) return describeProblem(notFound());
	try {
		const { response } = await handleRoute(
			match.route,
			{
				principal,
				params: match.params,
				query,
				mountedAt: auth.mountedAt(),
				passkeyBrowser: undefined,
				charge: () => undefined,
				body: { bytes: Buffer.alloc(0), contentType: undefined, contentEncoding: undefined },
				header: (name) => (name === 'accept' ? 'application/json' : undefined),
				signal,
			},
			services,
		);
		return response;
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
