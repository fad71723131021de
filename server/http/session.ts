import type { FastifyInstance, FastifyRequest } from 'fastify';
import { noteChange } from '../accounts/changes.ts';
import { describeAgent } from '../collect/describe-device.ts';
import { contentTypeOf } from './api.ts';
import { applyLimit, type RateLimiter } from './rate-limits.ts';
import { readJsonBody } from './read-body.ts';
import { checkOrigin, notSignedIn, type SessionCookie, sameOriginHeaders } from './session-door.ts';
import type { SessionRoute, SessionServices } from './session-routes.ts';

export type SessionOptions = {
	routes: readonly SessionRoute[];
	services: SessionServices;
	cookie: SessionCookie;
	limits: { session: RateLimiter; share: RateLimiter; address: RateLimiter };
	addressOf(request: FastifyRequest): string;
	/** As the collector sees it; `addressOf` tells networks alone. */
	fullAddressOf(request: FastifyRequest): string;
};

const maxBodyBytes = 16_384;

/** What people do and programs do not: signing in and out and what belongs to it, members, offers. */
export function mountSession(app: FastifyInstance, options: SessionOptions): void {
	const { services, cookie, limits, addressOf, fullAddressOf } = options;

	app.addHook('onRequest', async (request, reply) => {
		reply.headers({ ...sameOriginHeaders, 'cache-control': 'no-store' });
		checkOrigin(request, services.publicAddress.current());
		delete request.raw.headers['content-type'];
	});

	/** Every page asks who is signed in, also those for everybody; whoever brings no cookie tries nothing with it. */
	function count(request: FastifyRequest, accountId: number | undefined, address: string) {
		if (accountId !== undefined) return ['session', limits.session.count(String(accountId))] as const;
		return request.method === 'GET' && !cookie.isSent(request)
			? (['share', limits.share.count(address)] as const)
			: (['address', limits.address.count(address)] as const);
	}

	const mount = (route: SessionRoute) =>
		app.route({
			method: route.method,
			url: route.path,
			bodyLimit: maxBodyBytes,
			handler: async (request, reply) => {
				const session = await cookie.read(request, services.postgres, services.now);
				const address = addressOf(request);
				applyLimit(reply, count(request, session?.accountId, address), services.now().getTime());
				const { browser, os } = describeAgent(request.headers['user-agent'] ?? '');
				const call = {
					body: readSentBody(request),
					// Fastify types parameters by route; ours are texts.
					params: request.params as Record<string, string>,
					query: request.url.split('?')[1] ?? '',
					network: address,
					address: fullAddressOf(request),
					browser,
					os,
					device: cookie.readDevice(request),
				};
				const {
					token,
					device,
					accountId = session?.accountId,
					about,
					what = route.what,
					...answer
				} = await handle(route, session);
				if (what !== undefined && accountId !== undefined)
					await noteChange(services.postgres, services.now, {
						by: { kind: 'account', accountId },
						what,
						...about,
					});
				if (device !== undefined) cookie.setDevice(reply, device);
				if (token === null) cookie.clear(reply);
				else if (token !== undefined) cookie.set(reply, token);
				return reply.code(answer.status).type('application/json').send(answer.text);

				async function handle(of: SessionRoute, found: typeof session) {
					if (of.needs === 'nothing') return of.handle({ ...call, session: found }, services);
					if (!found) throw notSignedIn();
					return of.handle({ ...call, session: found }, services);
				}
			},
		});
	for (const route of options.routes) mount(route);
}

export function readSentBody(request: FastifyRequest): Record<string, unknown> {
	if (!Buffer.isBuffer(request.body) || request.body.length === 0) return {};
	return readJsonBody({
		bytes: request.body,
		contentType: contentTypeOf(request),
		contentEncoding: request.headers['content-encoding'],
	});
}
