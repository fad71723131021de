import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { recordAudit } from '../../accounts/audit-log.ts';
import { type Action, actions, authorize, isForOperators, notFound } from '../../accounts/authorize.ts';
import type { Principal } from '../../accounts/principal.ts';
import { findWebsite } from '../../websites/get-website.ts';
import type { AuthScheme, Caller } from '../auth/auth-scheme.ts';
import { applyLimit, type Policy, type RateLimit, rateLimitHeaders } from '../auth/rate-limits.ts';
import { type AllowedAt, isUnsupportedMethod, methodNotAllowed } from '../request/methods.ts';
import {
	abortSignalOf,
	headerOf,
	ignoreContentType,
	paramsOf,
	queryOf,
	rawBodyOf,
} from '../request/read-request.ts';
import { chunksOf, skipBodyParsing } from '../request/uploads.ts';
import { type ApiResponse, type ApiRoute, handleRoute, type Services } from './route.ts';
import { allowedMethods, routes } from './routes.ts';
import { sendResponse } from './send-response.ts';

declare module 'fastify' {
	// biome-ignore lint/style/useConsistentTypeDefinitions: only an interface can be extended
	interface FastifyContextConfig {
		/** The API route that Fastify matched. */
		route?: ApiRoute;
	}
}

/**
 * Mounts the API for one auth scheme: API keys or sessions. The caller is identified before path, method and body are looked
 * at.
 */
export function mountApi(
	app: FastifyInstance,
	services: Services,
	auth: AuthScheme,
	allowedElsewhere: AllowedAt,
): void {
	const callers = new WeakMap<FastifyRequest, Caller>();

	const limit = (reply: FastifyReply, counted: readonly [Policy, RateLimit]) =>
		applyLimit(reply, counted, services.now().getTime());

	app.addHook('onRequest', async (request, reply) => {
		reply.headers(auth.headers);
		ignoreContentType(request);
		if (request.method === 'OPTIONS') {
			limit(reply, auth.peek(request));
			return answerOptions(request, reply, auth);
		}
		if (isOpenApiDocument(request)) {
			limit(reply, auth.peek(request));
			return;
		}
		auth.check(request);
		const caller = await auth.identify(request);
		limit(reply, auth.count(request, caller?.principal));
		if (!caller) throw auth.authError(request);
		callers.set(request, caller);
	});

	/** With current data: a key may have lost the website, and the website may have a new owner. */
	const stillAuthorized = async (request: FastifyRequest, { action }: ApiRoute, { kind }: Principal) => {
		const current = await auth.identify(request);
		if (current?.principal.kind !== kind) return false;
		if (current.website) return true;
		if (actions[action].on !== 'website') return authorize(current.principal, action) === 'allowed';
		const id = Number(paramsOf(request).id);
		return (await findWebsite(services.postgres, current.principal, action, id)) !== undefined;
	};

	app.setNotFoundHandler(async (request, reply) => {
		const allowed =
			allowedAt(request, auth) ??
			// The session mount has more routes than the API.
			(isUnsupportedMethod(request.method) ? allowedElsewhere(request.url) : undefined);
		// The method is supported and still no route matched: the path is too long or malformed.
		if (!allowed || allowed.includes(request.method)) throw notFound();
		throw methodNotAllowed(reply, allowed);
	});

	const mount = (on: FastifyInstance, route: ApiRoute) =>
		on.route({
			method: [...route.methods],
			url: route.path,
			config: { route },
			handler: async (request, reply) => {
				const { principal, website: authorized } = callers.get(request) ?? { principal: { kind: 'nobody' } };
				// The rest of a rejected file is not read.
				if (route.isUpload) reply.header('connection', 'close');
				const { response, website } = await handleRoute(
					route,
					{
						principal,
						params: paramsOf(request),
						query: queryOf(request),
						body: rawBodyOf(request),
						...(route.isUpload && { upload: chunksOf(request) }),
						header: (name) => headerOf(request, name),
						mountedAt: auth.mountedAt(),
						passkeyBrowser: auth.passkeyBrowser?.(request),
						charge(requests) {
							const [policy, state] = auth.count(request, principal, requests);
							reply.headers(
								rateLimitHeaders(policy, { ...state, exceeded: false }, services.now().getTime()),
							);
						},
						signal: abortSignalOf(reply),
					},
					services,
					// The body may arrive seconds later, so permission is asked again.
					request.method === 'GET' || request.method === 'HEAD' ? authorized : undefined,
				);
				if (website && actions[route.action].changes) services.collect.websites.forget(website.id);
				if (isNewChange(route, response))
					await recordAudit(services.postgres, services.now, {
						by: principal,
						what: route.operationId,
						websiteId: website?.id ?? createdWebsiteId(response),
						// A member may change another account's website.
						ownerId: website?.accountId,
						...response.audited,
					});
				reply.header('vary', auth.vary);
				return sendResponse(request, reply, response, () => stillAuthorized(request, route, principal));
			},
		});
	for (const route of routes) if (!route.isUpload) mount(app, route);
	void app.register(async (uploads) => {
		skipBodyParsing(uploads);
		for (const route of routes) if (route.isUpload) mount(uploads, route);
	});

	const { openapi } = auth;
	if (openapi !== undefined)
		app.get('/openapi.json', async (_request, reply) => {
			reply.header('cache-control', 'public, max-age=300');
			return reply.type('application/json').send(openapi);
		});
}

/** Events sent by a server are data, not changes. What operators do is recorded in the transaction of the change. */
const isAudited = (action: Action): boolean =>
	actions[action].changes && action !== 'website.collect' && !isForOperators(action);

/** A replayed response was recorded the first time. */
const isNewChange = ({ action, isAuditedByItself }: ApiRoute, { headers }: ApiResponse): boolean =>
	isAudited(action) && !isAuditedByItself && !('idempotency-replayed' in headers);

/** Only the Location header has the id of a new website. */
const createdWebsiteId = ({ headers }: ApiResponse): number | undefined =>
	Number(/\/websites\/(\d+)$/.exec(headers.location ?? '')?.[1]) || undefined;

const isOpenApiDocument = (request: FastifyRequest): boolean =>
	(request.method === 'GET' || request.method === 'HEAD') &&
	request.routeOptions.url?.endsWith('/openapi.json') === true;

function allowedAt({ url }: FastifyRequest, { prefix, openapi }: AuthScheme): string[] | undefined {
	const path = (url.split('?', 1)[0] ?? '').slice(prefix.length);
	return openapi !== undefined && /^\/openapi\.json\/?$/.test(path)
		? ['GET', 'HEAD', 'OPTIONS']
		: allowedMethods(path);
}

function answerOptions(request: FastifyRequest, reply: FastifyReply, auth: AuthScheme) {
	const allowed = allowedAt(request, auth);
	if (!allowed) throw notFound();
	const methods = allowed.join(', ');
	return reply
		.code(204)
		.headers({ allow: methods, ...auth.optionsHeaders(methods) })
		.send();
}
