import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import fastifyCookie from '@fastify/cookie';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { notFound } from '../accounts/authorize.ts';
import type { Config } from '../config.ts';
import type { IngestServices } from '../ingest/ingest.ts';
import { AppError } from '../lib/app-error.ts';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { blockListOf, isPrivate, listHas, rateLimitKey } from '../lib/networks.ts';
import { isExhausted, isUnreachable } from '../store/postgres.ts';
import type { Unlocking } from '../websites/shares.ts';
import { mountApi } from './api/mount-api.ts';
import type { Services } from './api/route.ts';
import { apiKeyAuth } from './auth/api-key-auth.ts';
import type { ApiKeyCache } from './auth/api-key-cache.ts';
import { createRateLimiter, type RateLimiter } from './auth/rate-limits.ts';
import { sessionAuth } from './auth/session-auth.ts';
import { createSessionCookie } from './auth/session-cookie.ts';
import { createShareLinks } from './auth/share-links.ts';
import type { SharedRateLimits } from './auth/shared-rate-limits.ts';
import { createShares } from './auth/shares.ts';
import { mountDashboardApi } from './dashboard-api/mount-dashboard-api.ts';
import type { SessionServices } from './dashboard-api/session-route.ts';
import { mountShareLinks } from './dashboard-api/share-links.ts';
import { mountShares } from './dashboard-api/shares.ts';
import { limitConnections } from './ops/connection-limits.ts';
import { createGracefulShutdown, type GracefulShutdown } from './ops/graceful-shutdown.ts';
import { type Health, mountHealth } from './ops/health.ts';
import { maxConnections } from './ops/listen.ts';
import type { Metrics } from './ops/metrics.ts';
import { createOutageLog } from './ops/outage-log.ts';
import type { ProxyCheck } from './ops/proxy-check.ts';
import { mountApiReference } from './public/api-reference.ts';
import { mountBadge } from './public/badge.ts';
import { mountBrandLogos } from './public/brand-logos.ts';
import { isPageNavigation, mountDashboardFiles, type SendPage } from './public/dashboard-files.ts';
import { mountFastHits } from './public/fast-hits.ts';
import { mountFeeds } from './public/feeds.ts';
import { hitCounter, mountIngest } from './public/ingest.ts';
import { mountMailPages } from './public/mail-pages.ts';
import { mountMcp } from './public/mcp.ts';
import { mountSecurityTxt } from './public/security-txt.ts';
import { mountTracker } from './public/tracker.ts';
import { clientAddress } from './request/client-address.ts';
import { hasValidHost } from './request/host.ts';
import { type AllowedAt, isUnsupportedMethod, methodNotAllowed, recordMethods } from './request/methods.ts';
import { asAppError, describeProblem } from './request/problem.ts';
import { isUploading } from './request/uploads.ts';

export type AppOptions = {
	config: Config;
	now: Clock;
	baseUrl: () => string;
	proxies: ProxyCheck;
	/** For the role `collect`. The folder contains the built tracker. */
	collect?: { services: IngestServices; trackerFolder: string } | undefined;
	/** For the role `api`. */
	api?: ApiParts | undefined;
	/** The service is still waiting for its databases, and answers 503. */
	isWaiting?: boolean;
	leaving?: GracefulShutdown;
	/** Rate limits that are shared with other processes on the same port. */
	counts?: SharedRateLimits;
	health: Omit<Health, 'isStopping'>;
	metrics: Metrics;
	log: Log;
};

export type ApiParts = {
	version: string;
	openapi: string;
	services: Services;
	/** The folder of the built dashboard. */
	dashboardFolder: string;
	identify: ApiKeyCache;
	signIn: Omit<SessionServices, 'warnings' | 'tracking'> & { unlocking: Unlocking };
};

const maxBodyBytes = 1_048_576;
const maxHeaderBytes = 16_384;
const maxHeaders = 60;
/** Of every response. Pages have their own content security policy. */
const commonHeaders = {
	'x-content-type-options': 'nosniff',
	'referrer-policy': 'no-referrer',
	'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
};

/** Builds the HTTP server, which does not listen yet. */
export async function createApp(options: AppOptions): Promise<FastifyInstance> {
	const {
		config,
		log,
		metrics,
		proxies,
		collect,
		api,
		now,
		counts,
		leaving = createGracefulShutdown(),
	} = options;
	const trusted = blockListOf(config.trustedProxies);
	const app: FastifyInstance = Fastify({
		logger: false,
		bodyLimit: maxBodyBytes,
		genReqId: () => randomUUID(),
		// The name of a custom property may be long; only the header size limits it.
		routerOptions: { ignoreTrailingSlash: true, maxParamLength: maxHeaderBytes },
		// No path of the API needs a percent sign, and `%31` must not be another spelling of `1`. Names of custom properties may
		// need one; read-request.ts reads them from the original URL.
		rewriteUrl: (request) => withoutPercent(request.url ?? '/'),
		return503OnClosing: false,
		forceCloseConnections: 'idle',
		// Node's defaults of one minute for headers and five for the body are too generous for slow attacks.
		requestTimeout: 10_000,
		// Longer than the idle timeouts of proxies (nginx 60 s, Traefik 90 s, Caddy 120 s), which would return a 502 if the server
		// closed a connection first.
		keepAliveTimeout: 125_000,
		http: {
			headersTimeout: 5_000,
			connectionsCheckingInterval: 1_000,
			// Checked below, with a JSON error.
			requireHostHeader: false,
			maxHeaderSize: maxHeaderBytes,
		},
		clientErrorHandler: (error, socket) => {
			if (!isUploading(socket, error.code)) answerBrokenRequest(error, socket);
		},
		frameworkErrors: (error, request, reply) => {
			sendProblem(request, reply, asAppError(error) ?? notFound());
		},
	});

	leaving.watch(app);
	const connections = limitConnections(app, {
		// One eighth of all connections: many people may share an address, but no few networks may hold all connections.
		perNetwork: Math.max(32, Math.floor((maxConnections() ?? 8_192) / 8)),
		idleMs: 10_000,
		isExempt: (address) => isPrivate(address) || listHas(trusted, address),
	});
	app.addHook('onRequest', async (request, reply) => {
		reply.headers({ 'x-request-id': request.id, ...commonHeaders });
		proxies.watch(request);
		if (!hasValidHost(request.raw.rawHeaders, request.raw.httpVersion)) {
			throw new AppError('bad_request', 'A request must have exactly one Host header.');
		}
		if (request.raw.rawHeaders.length > 2 * maxHeaders) {
			throw new AppError('headers_too_large', `A request must not have more than ${maxHeaders} headers.`);
		}
	});
	app.addHook('onResponse', async (request, reply) => {
		// The pattern of the route, never the URL, which may contain a key.
		const route = request.routeOptions.url ?? 'none';
		const seconds = reply.elapsedTime / 1000;
		metrics.request({ method: request.method, route, status: reply.statusCode, seconds });
		log.debug(
			{
				requestId: request.id,
				method: request.method,
				route,
				status: reply.statusCode,
				ms: Math.round(reply.elapsedTime),
			},
			'request completed',
		);
	});
	const logOutage = createOutageLog(log);
	app.setErrorHandler((error, request, reply) => {
		const refusal = asAppError(error) ?? asCutOff(error, request);
		if (refusal) return sendProblem(request, reply, refusal);
		const fields = { error, requestId: request.id, route: request.routeOptions.url };
		if (isOutage(error)) logOutage(fields);
		// Work for a client that has disconnected is canceled, which is not a failure.
		else if (request.raw.socket.destroyed) log.debug(fields, 'client disconnected before the response');
		else log.error(fields, 'request failed');
		return sendProblem(request, reply, asProblem(error));
	});
	const allowedAt = recordMethods(app);
	let sendNotFoundPage: SendPage | undefined;
	app.setNotFoundHandler(async (request, reply) => {
		const allowed = isUnsupportedMethod(request.method) ? allowedAt(request.url) : undefined;
		if (allowed) throw methodNotAllowed(reply, allowed);
		if (sendNotFoundPage && isPageNavigation(request)) return sendNotFoundPage(request, reply);
		if (!options.isWaiting) throw notFound();
		// Without this header, trackers would take the response for a network error.
		reply.header('access-control-allow-origin', '*');
		throw new AppError('unavailable', 'The service is waiting for its database. Try again shortly.');
	});

	// Bodies stay bytes until a route reads them and checks their type.
	app.removeAllContentTypeParsers();
	app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));

	const addressOf = clientAddress(trusted);
	const limiterOf = (name: string, limit: number) =>
		createRateLimiter(limit, () => now().getTime(), { share: counts?.connect(name) });
	if (collect) {
		const hits = {
			path: config.collectPath,
			services: collect.services,
			addressOf,
			countHit: hitCounter(limiterOf('hits', config.hitLimit)),
			failures: new WeakMap(),
		};
		mountIngest(app, hits);
		mountFastHits(app, {
			...hits,
			headers: commonHeaders,
			maxHeaders,
			proxies,
			leaving,
			connections,
			metrics,
			log,
		});
		mountTracker(app, { path: config.scriptPath, folder: collect.trackerFolder, log });
	}
	if (api) {
		const parts = { ...options, ...api, addressOf, limiterOf, allowedAt };
		sendNotFoundPage = await mountApiAndDashboard(app, parts);
	}
	mountHealth(app, config.roles, { ...options.health, isStopping: leaving.hasBegun });
	metrics.mount(app, config.metricsToken);
	return app;
}

async function mountApiAndDashboard(
	app: FastifyInstance,
	options: AppOptions &
		ApiParts & {
			addressOf(request: FastifyRequest): string;
			limiterOf(name: string, limit: number): RateLimiter;
			allowedAt: AllowedAt;
		},
): Promise<SendPage> {
	const { config, services, baseUrl, proxies, addressOf, limiterOf, allowedAt } = options;
	const networkOf = (request: FastifyRequest) => rateLimitKey(addressOf(request));
	const byKey = apiKeyAuth({
		identify: options.identify,
		limits: {
			key: limiterOf('key', config.rateLimit),
			address: limiterOf('no key', config.authFailureLimit),
		},
		baseUrl,
		openapi: options.openapi,
		addressOf: networkOf,
		fullAddressOf: addressOf,
	});
	await app.register(async (api) => mountApi(api, services, byKey, allowedAt), { prefix: byKey.prefix });
	const signedIn = {
		cookie: createSessionCookie(baseUrl, addressOf),
		limits: {
			session: limiterOf('session', config.rateLimit),
			share: limiterOf('share', config.rateLimit),
			address: limiterOf('no session', config.authFailureLimit),
		},
		addressOf: networkOf,
		fullAddressOf: addressOf,
	};
	const shares = createShares({ ...options.signIn, isOn: config.publicStats === 'on', baseUrl });
	const shareLinks = createShareLinks({ ...options.signIn, isOn: shares.isOn, baseUrl });
	const bySession = sessionAuth({ ...services, ...signedIn, shares, links: shareLinks, baseUrl });
	await app.register(
		async (dashboard) => {
			await dashboard.register(fastifyCookie);
			await dashboard.register(async (api) => mountApi(api, services, bySession, allowedAt));
			await dashboard.register(async (api) =>
				mountShares(api, { ...services, ...signedIn, shares, baseUrl }),
			);
			await dashboard.register(async (api) =>
				mountShareLinks(api, { services, now: services.now, ...signedIn, links: shareLinks, baseUrl }),
			);
			await dashboard.register(async (api) => mountBadge(api, { ...services, ...signedIn, shares }));
			const sessionServices = {
				...options.signIn,
				tracking: { script: config.scriptPath, collect: config.collectPath },
				warnings: proxies.warnings,
			};
			await dashboard.register(async (api) =>
				mountDashboardApi(api, { ...signedIn, services: sessionServices, mountedAt: bySession.mountedAt }),
			);
		},
		{ prefix: bySession.prefix },
	);
	mountSecurityTxt(app, { contact: config.securityContact, baseUrl, now: services.now });
	mountBrandLogos(app, { ...services, ...signedIn });
	mountFeeds(app, { ...services, ...signedIn, baseUrl });
	const sendNotFoundPage = mountDashboardFiles(app, {
		folder: options.dashboardFolder,
		baseUrl,
		shares,
		links: shareLinks,
		needsAttribution: services.collect.needsAttribution,
		log: options.log,
	});
	// Mail services send the one-click requests of many people from few addresses.
	const { postgres, now, links } = options.signIn;
	mountMailPages(app, {
		postgres,
		now,
		links,
		addressOf: networkOf,
		limiter: limiterOf('mail pages', config.rateLimit),
	});
	mountMcp(app, { auth: byKey, services, version: options.version, log: options.log });
	await mountApiReference(app, options.openapi);
	return sendNotFoundPage;
}

function withoutPercent(url: string): string {
	if (!url.startsWith('/api/') && !url.startsWith('/app/api/')) return url;
	const mark = url.indexOf('?');
	const path = mark < 0 ? url : url.slice(0, mark);
	return path.includes('%') ? path.replaceAll('%', '~') + url.slice(path.length) : url;
}

function sendProblem(request: FastifyRequest, reply: FastifyReply, error: AppError) {
	const { status, text, headers } = describeProblem(error);
	const type = request.headers.accept?.toLowerCase().includes('application/problem+json')
		? 'application/problem+json'
		: 'application/json';
	// The rest of a body that is too large is not read, so the connection cannot be reused.
	if (error.code === 'body_too_large') reply.header('connection', 'close');
	return reply
		.code(status)
		.headers({ 'cache-control': 'no-store', ...headers })
		.type(type)
		.send(text);
}

/** The client disconnected while it sent the body. A reset database connection has the same error code, but is an outage. */
const asCutOff = (error: unknown, request: FastifyRequest): AppError | undefined =>
	error === request.raw.errored ? new AppError('bad_request', 'The request body is incomplete.') : undefined;

const isOutage = (error: unknown): boolean => isUnreachable(error) || isExhausted(error);

function asProblem(error: unknown): AppError {
	return isOutage(error)
		? new AppError('unavailable', 'The service cannot reach its database. Try again shortly.')
		: new AppError('internal_error', 'Internal error. Try again later.');
}

/** Answers what is not a valid HTTP request: too large, too slow, malformed. */
function answerBrokenRequest(
	error: Error & { code?: string },
	socket: NodeJS.WritableStream & {
		destroyed?: boolean;
		destroy?(): void;
		writable: boolean;
		bytesRead?: number;
	},
) {
	// Browsers open connections in advance. A response on an unused one would be taken for the response to the next request;
	// without one, the browser opens a new connection.
	const isUnused = socket.bytesRead === 0;
	if (socket.destroyed || !socket.writable || error.code === 'ECONNRESET' || isUnused) {
		socket.destroy?.();
		return;
	}
	const refusal =
		error.code === 'HPE_HEADER_OVERFLOW'
			? new AppError('headers_too_large', 'The headers are too large.')
			: new AppError('bad_request', 'The request is malformed or was sent too slowly.');
	const { status, text } = describeProblem(refusal);
	const isLate = error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
	socket.end(
		`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\nConnection: close\r\n\r\n${text}`,
		// The rest is not read, or a hit could be both rejected and counted.
		() => isLate && socket.destroy?.(),
	);
}
