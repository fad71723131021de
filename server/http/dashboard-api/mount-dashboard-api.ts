import type { FastifyInstance, FastifyRequest } from 'fastify';
import { recordAudit } from '../../accounts/audit-log.ts';
import { principalOf, type Session } from '../../accounts/sessions.ts';
import { describeAgent } from '../../ingest/steps/describe-device.ts';
import { applyLimit } from '../auth/rate-limits.ts';
import { checkOrigin, sameOriginHeaders } from '../auth/same-origin.ts';
import { notSignedIn, type SessionLimits } from '../auth/session-auth.ts';
import type { SessionCookie } from '../auth/session-cookie.ts';
import { type Fields, readJsonBody } from '../request/read-body.ts';
import { ignoreContentType, paramsOf, queryOf, rawBodyOf } from '../request/read-request.ts';
import { requirePolicy } from './require-policy.ts';
import { dashboardRoutes } from './routes.ts';
import type { PublicRequest, SessionRoute, SessionServices } from './session-route.ts';

export type DashboardApiOptions = {
	services: SessionServices;
	/** The public URL that the routes are mounted at. */
	mountedAt(): string;
	cookie: SessionCookie;
	limits: SessionLimits;
	/** The network of the client, for rate limits. */
	addressOf(request: FastifyRequest): string;
	fullAddressOf(request: FastifyRequest): string;
};

export const maxBodyBytes = 16_384;

/** The routes that only people use: signing in, their account, members, reports. */
export function mountDashboardApi(app: FastifyInstance, options: DashboardApiOptions): void {
	const { services, cookie, limits, addressOf } = options;
	const { postgres, now } = services;

	requireSameOrigin(app, services.publicAddress.current);

	/** Every page reads the session, public pages too, so a GET without a cookie is not counted as a failed attempt. */
	function count(request: FastifyRequest, session: Session | undefined, address: string) {
		if (session) return ['session', limits.session.count(String(session.personId))] as const;
		return request.method === 'GET' && !cookie.isSent(request)
			? (['share', limits.share.count(address)] as const)
			: (['address', limits.address.count(address)] as const);
	}

	function readRequest(request: FastifyRequest, session: Session | undefined): PublicRequest {
		const { browser, os } = describeAgent(request.headers['user-agent'] ?? '');
		return {
			body: readSentBody(request),
			params: paramsOf(request),
			query: queryOf(request),
			mountedAt: options.mountedAt(),
			session,
			network: addressOf(request),
			address: options.fullAddressOf(request),
			browser,
			os,
			device: cookie.readDevice(request),
			passkeyBrowser: cookie.readPasskeyBrowser(request),
			oidc: cookie.readOidc(request),
		};
	}

	async function handle(route: SessionRoute, request: PublicRequest) {
		const { session } = request;
		if (!route.isPublic && !session) throw notSignedIn();
		await requirePolicy(route, request, services);
		if (route.isPublic) return route.handle(request, services);
		if (!session) throw notSignedIn();
		return route.handle({ ...request, session, principal: principalOf(session) }, services);
	}

	for (const route of dashboardRoutes)
		app.route({
			method: [...route.methods],
			url: route.path,
			bodyLimit: maxBodyBytes,
			handler: async (request, reply) => {
				const session = await cookie.read(request, postgres, now);
				applyLimit(reply, count(request, session, addressOf(request)), now().getTime());
				const response = await handle(route, readRequest(request, session));
				const {
					token,
					device,
					passkeyBrowser,
					oidc,
					author = session,
					operation = route.operation,
				} = response;
				if (operation !== undefined && author)
					await recordAudit(postgres, now, {
						by: { kind: 'person', personId: author.personId, accountId: author.accountId },
						what: operation,
						...response.audited,
					});
				if (device !== undefined) cookie.setDevice(reply, device);
				if (passkeyBrowser !== undefined) cookie.setPasskeyBrowser(reply, passkeyBrowser);
				if (oidc !== undefined) cookie.setOidc(reply, oidc);
				if (token === null) cookie.clear(reply);
				else if (token !== undefined) cookie.set(reply, token);
				return reply
					.code(response.status)
					.headers(response.headers)
					.type('application/json')
					.send(response.text);
			},
		});
}

export function requireSameOrigin(app: FastifyInstance, baseUrl: () => string): void {
	app.addHook('onRequest', async (request, reply) => {
		reply.headers({ ...sameOriginHeaders, 'cache-control': 'no-store' });
		checkOrigin(request, baseUrl());
		ignoreContentType(request);
	});
}

/** Reads the JSON body; no body is an empty object. */
export function readSentBody(request: FastifyRequest): Fields {
	const body = rawBodyOf(request);
	return body.bytes.length === 0 ? {} : readJsonBody(body);
}
