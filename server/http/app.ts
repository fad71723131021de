import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import { isIP } from 'node:net';
import fastifyCookie from '@fastify/cookie';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { notFound } from '../accounts/authorize.ts';
import type { CollectServices } from '../collect/keep.ts';
import type { Config } from '../config.ts';
import { AppError } from '../lib/app-error.ts';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { blockListOf, holderOf, listHas, plainAddress } from '../lib/networks.ts';
import { isAway, isExhausted } from '../store/postgres.ts';
import type { Unlocking } from '../websites/shares.ts';
import { mountApi } from './api.ts';
import { mountApiPage } from './api-page.ts';
import { mountBadge } from './badge.ts';
import type { Services } from './call.ts';
import { mountCollect } from './collect.ts';
import { mountDashboard } from './dashboard.ts';
import { feedRoutes, mountFeeds } from './feeds.ts';
import { type Health, mountHealth } from './health.ts';
import type { Identify } from './identify.ts';
import { keyDoor } from './key-door.ts';
import { createLeaving, type Leaving } from './leave.ts';
import { mountMailPages } from './mail-pages.ts';
import { mountMcp } from './mcp.ts';
import type { Metrics } from './metrics.ts';
import { createOutageLog } from './outages.ts';
import { peopleRoutes } from './people-routes.ts';
import { asAppError, describeProblem } from './problem.ts';
import { createRateLimiter, type RateLimiter } from './rate-limits.ts';
import { recipientRoutes } from './recipient-routes.ts';
import { reportRoutes } from './report-routes.ts';
import { mountSession } from './session.ts';
import { createSessionCookie, sessionDoor } from './session-door.ts';
import { type SessionServices, sessionRoutes } from './session-routes.ts';
import type { SharedCounts } from './shared-counts.ts';
import { createShares, mountShares } from './shares.ts';
import { mountTracker } from './tracker.ts';
import { isUploading } from './uploads.ts';
import type { ProxyWatch } from './watch-proxies.ts';

export type AppOptions = {
	config: Config;
	now: Clock;
	baseUrl: () => string;
	proxies: ProxyWatch;
	/** Where hits are taken; the tracker was built into this folder. */
	collect?: { services: CollectServices; trackerFolder: string } | undefined;
	/** Where people and programs are answered. */
	api?: ApiParts | undefined;
	/** Neither yet: the databases are waited for, and whoever comes is told to come again. */
	isWaiting?: boolean;
	/** How it will be left; it says `stopping` from then on. */
	leaving?: Leaving;
	/** Limits that are counted together with other processes on the same port. */
	counts?: SharedCounts;
	health: Omit<Health, 'isStopping'>;
	metrics: Metrics;
	log: Log;
};

export type ApiParts = {
	version: string;
	openapi: string;
	services: Services;
	/** Where the built pages lie. */
	dashboardFolder: string;
	identify: Identify;
	signIn: Omit<SessionServices, 'warnings' | 'tracking'> & { unlocking: Unlocking };
};

const maxBodyBytes = 1_048_576;
const maxHeaderBytes = 16_384;
const maxHeaders = 60;

/** The HTTP door, built and not yet listening. */
export async function createApp(options: AppOptions): Promise<FastifyInstance> {
	const { config, log, metrics, proxies, collect, api, now, counts, leaving = createLeaving() } = options;
	const trusted = blockListOf(config.trustedProxies);
	const app: FastifyInstance = Fastify({
		logger: false,
		bodyLimit: maxBodyBytes,
		genReqId: () => randomUUID(),
		// The name of a property may be long; what bounds it is the size of all headers.
		routerOptions: { ignoreTrailingSlash: true, maxParamLength: maxHeaderBytes },
		// No path of the API needs a percent sign, so one that has it is none of ours: `%31` is not another `1`. Names of
		// properties may need one; api.ts reads them from the address as it came.
		rewriteUrl: (request) => withoutPercent(request.url ?? '/'),
		trustProxy: (address) => listHas(trusted, address),
		return503OnClosing: false,
		forceCloseConnections: 'idle',
		// Node waits a minute for headers and five for a body, which is wide open for whoever sends slowly.
		requestTimeout: 10_000,
		// Longer than proxies keep a connection that is idle (nginx 60 s, Traefik 90, Caddy 120): a request on one that is being
		// closed here is a 502 there.
		keepAliveTimeout: 125_000,
		http: {
			headersTimeout: 5_000,
			connectionsCheckingInterval: 1_000,
			// Asked for below, with our own answer.
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
	app.addHook('onRequest', async (request, reply) => {
		reply.headers({
			'x-request-id': request.id,
			'x-content-type-options': 'nosniff',
			'referrer-policy': 'no-referrer',
			'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
		});
		proxies.watch(request);
		// RFC 9112, 3.2. Nothing here believes the field, but whoever stands in front may have taken another one.
		const hosts = request.raw.headersDistinct.host?.length ?? 0;
		if (hosts > 1 || (hosts === 0 && request.raw.httpVersion !== '1.0')) {
			throw new AppError('bad_request', 'A request must have one Host field.');
		}
		if (request.raw.rawHeaders.length > 2 * maxHeaders) {
			throw new AppError(
				'headers_too_large',
				`A request must not have more than ${maxHeaders} header fields.`,
			);
		}
	});
	app.addHook('onResponse', async (request, reply) => {
		// The pattern of the route, never the address that was asked for: people put keys into addresses.
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
			'answered',
		);
	});
	const tellOutage = createOutageLog(log);
	app.setErrorHandler((error, request, reply) => {
		const refusal = asAppError(error) ?? asCutOff(error, request);
		if (refusal) return sendProblem(request, reply, refusal);
		const about = { error, requestId: request.id, route: request.routeOptions.url };
		if (isOutage(error)) tellOutage(about);
		else log.error(about, 'a request failed');
		return sendProblem(request, reply, asProblem(error));
	});
	app.setNotFoundHandler(async (_request, reply) => {
		if (!options.isWaiting) throw notFound();
		// A tracker that may not read a refusal takes it for a broken net.
		reply.header('access-control-allow-origin', '*');
		throw new AppError('unavailable', 'The service waits for its database; try again shortly.');
	});

	// Every body is bytes until a route reads it: the type is the caller's word and is judged there.
	app.removeAllContentTypeParsers();
	app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));

	const addressOf = (request: FastifyRequest) =>
		plainAddress(isIP(request.ip) ? request.ip : (request.socket.remoteAddress ?? 'unknown'));
	const limiterOf = (name: string, limit: number) =>
		createRateLimiter(limit, () => now().getTime(), { share: counts?.of(name) });
	if (collect) {
		mountCollect(app, {
			path: config.collectPath,
			services: collect.services,
			addressOf,
			limiter: limiterOf('hits', config.hitLimit),
		});
		mountTracker(app, { path: config.scriptPath, folder: collect.trackerFolder });
	}
	if (api) await mountPeopleAndPrograms(app, { ...options, ...api, addressOf, limiterOf });
	mountHealth(app, config.roles, { ...options.health, isStopping: leaving.hasBegun });
	metrics.mount(app, config.metricsToken);
	return app;
}

/** The interface, the pages, and what mails and feeds point to. */
async function mountPeopleAndPrograms(
	app: FastifyInstance,
	options: AppOptions &
		ApiParts & {
			addressOf(request: FastifyRequest): string;
			limiterOf(name: string, limit: number): RateLimiter;
		},
): Promise<void> {
	const { config, services, baseUrl, proxies, addressOf, limiterOf } = options;
	const holder = (request: FastifyRequest) => holderOf(addressOf(request));
	const byKey = keyDoor({
		identify: options.identify,
		limits: {
			key: limiterOf('key', config.rateLimit),
			address: limiterOf('no key', config.authFailureLimit),
		},
		baseUrl,
		openapi: options.openapi,
		addressOf: holder,
	});
	await app.register(async (api) => mountApi(api, services, byKey), { prefix: byKey.prefix });
	const signedIn = {
		cookie: createSessionCookie(baseUrl),
		limits: {
			session: limiterOf('session', config.rateLimit),
			share: limiterOf('share', config.rateLimit),
			address: limiterOf('no session', config.authFailureLimit),
		},
		addressOf: holder,
		fullAddressOf: addressOf,
	};
	const shares = createShares({ ...options.signIn, isOn: config.publicStats === 'on', baseUrl });
	const bySession = sessionDoor({ ...services, ...signedIn, shares, baseUrl });
	await app.register(
		async (people) => {
			await people.register(fastifyCookie);
			await people.register(async (api) => mountApi(api, services, bySession));
			await people.register(async (api) => mountShares(api, { ...services, ...signedIn, shares, baseUrl }));
			await people.register(async (api) => mountBadge(api, { ...services, ...signedIn, shares }));
			const about = {
				...options.signIn,
				tracking: { script: config.scriptPath, collect: config.collectPath },
				warnings: proxies.warnings,
			};
			const forPeople = { services: about, ...signedIn };
			await people.register(async (api) => mountSession(api, { routes: sessionRoutes, ...forPeople }), {
				prefix: '/session',
			});
			await people.register(async (api) => mountSession(api, { routes: peopleRoutes, ...forPeople }));
			await people.register(async (api) => mountSession(api, { routes: recipientRoutes, ...forPeople }));
			await people.register(async (api) => mountSession(api, { routes: feedRoutes, ...forPeople }));
			await people.register(async (api) => mountSession(api, { routes: reportRoutes, ...forPeople }));
		},
		{ prefix: bySession.prefix },
	);
	mountFeeds(app, { ...services, ...signedIn, baseUrl });
	mountDashboard(app, {
		folder: options.dashboardFolder,
		baseUrl,
		shares,
	});
	// One-click requests of many people come from the few addresses of their mail service.
	const { postgres, now, links } = options.signIn;
	mountMailPages(app, {
		...{ postgres, now, links, addressOf: holder },
		limiter: limiterOf('mail pages', config.rateLimit),
	});
	mountMcp(app, { door: byKey, services, version: options.version, log: options.log });
	await mountApiPage(app, options.openapi);
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
	// The rest of a body that is too large is not read: the connection ends with the answer.
	if (error.code === 'body_too_large') reply.header('connection', 'close');
	return reply
		.code(status)
		.headers({ 'cache-control': 'no-store', ...headers })
		.type(type)
		.send(text);
}

/** Its sender left in the middle of the body. A database's connection that is reset says the same, and is an outage. */
const asCutOff = (error: unknown, request: FastifyRequest): AppError | undefined =>
	error === request.raw.errored ? new AppError('bad_request', 'The request is not whole.') : undefined;

const isOutage = (error: unknown): boolean => isAway(error) || isExhausted(error);

function asProblem(error: unknown): AppError {
	return isOutage(error)
		? new AppError('unavailable', 'The service cannot reach its database for the moment; try again shortly.')
		: new AppError('internal_error', 'Something went wrong on our side.');
}

/** What never became a request: too large, too slow, not HTTP. */
function answerBrokenRequest(
	error: Error & { code?: string },
	socket: NodeJS.WritableStream & {
		destroyed?: boolean;
		destroy?(): void;
		writable: boolean;
		bytesRead?: number;
	},
) {
	// Browsers open connections ahead of need. One that is closed with a word has its next request answered by that word,
	// before it was even sent; one that is closed without is replaced.
	const isUnused = socket.bytesRead === 0;
	if (socket.destroyed || !socket.writable || error.code === 'ECONNRESET' || isUnused) {
		socket.destroy?.();
		return;
	}
	const refusal =
		error.code === 'HPE_HEADER_OVERFLOW'
			? new AppError('headers_too_large', 'The header fields are too large.')
			: new AppError('bad_request', 'The request is not well formed or came too slowly.');
	const { status, text } = describeProblem(refusal);
	const isLate = error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
	socket.end(
		`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\nConnection: close\r\n\r\n${text}`,
		// What comes late is not read any more: else a hit would be refused and counted.
		() => isLate && socket.destroy?.(),
	);
}
