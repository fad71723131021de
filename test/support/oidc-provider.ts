import assert from 'node:assert/strict';
import { generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Configuration, type JWKS, Provider } from 'oidc-provider';
import { z } from 'zod';
import type { OperationInput } from '../../server/control/operations.ts';
import type { Answer } from './client.ts';
import type { Visitor } from './visitor.ts';
import type { World } from './world.ts';

type Scope = { after(work: () => Promise<void>): void };

/** Someone who has an account at the provider. */
type ProviderUser = { sub: string } & Record<string, unknown>;

export type TestProvider = Awaited<ReturnType<typeof startProvider>>;

const clientId = 'tidemark';
const clientSecret = 'a secret that only the provider and the service know';

const makeKey = () => {
	const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
	return { kid: randomUUID(), alg: 'RS256', use: 'sig', ...privateKey.export({ format: 'jwk' }) };
};

/**
 * A real provider on a loopback port of its own. Whoever comes is `user`, without being asked. `change` sees every answer of the
 * token endpoint before it is sent, so that a test can send what a real provider never would.
 */
export async function startProvider(t: Scope, options: { configuration?: Configuration } = {}) {
	let user: ProviderUser = { sub: 'nobody' };
	let change: ((tokens: Record<string, unknown>) => unknown) | undefined;
	let isDown = false;
	let metadata: Record<string, unknown> | undefined;
	let answerMetadata: ((response: ServerResponse) => void) | undefined;
	const requests: string[] = [];
	let keys: JWKS = { keys: [makeKey()] };
	let redirectUris: string[] = ['https://unset.example/'];
	let handler: (request: IncomingMessage, response: ServerResponse) => void = () => undefined;

	const server: Server = createServer((request, response) => {
		requests.push(`${request.method} ${request.url?.split('?')[0]}`);
		if (isDown) return void response.destroy();
		if (request.url === '/.well-known/openid-configuration') {
			if (answerMetadata) return answerMetadata(response);
			if (metadata) return changed(request, response, (found) => ({ ...found, ...metadata }));
		}
		if (change && request.url === '/token') return changed(request, response, change);
		handler(request, response);
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	t.after(async () => {
		server.closeAllConnections();
		server.close();
	});

	function renew() {
		const provider = new Provider(issuer, {
			clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: redirectUris }],
			jwks: keys,
			cookies: { keys: ['cookies of a test'] },
			claims: {
				email: ['email', 'email_verified'],
				profile: ['name', 'locale', 'zoneinfo'],
				groups: ['groups'],
			},
			scopes: ['openid', 'email', 'profile', 'groups'],
			pkce: { required: () => true },
			features: { devInteractions: { enabled: false } },
			interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
			findAccount: (_ctx, sub) => ({ accountId: sub, claims: async () => ({ ...user, sub }) }),
			async loadExistingGrant(ctx) {
				const grant = new ctx.oidc.provider.Grant({
					accountId: ctx.oidc.session?.accountId ?? '',
					clientId: ctx.oidc.client?.clientId ?? '',
				});
				grant.addOIDCScope('openid email profile groups');
				await grant.save();
				return grant;
			},
			...options.configuration,
		});
		const answer = provider.callback();
		handler = (request, response) => {
			if (!request.url?.startsWith('/interaction/')) return void answer(request, response);
			const result = user.sub === 'refuses' ? { error: 'access_denied' } : { login: { accountId: user.sub } };
			provider
				.interactionFinished(request, response, result)
				.catch((error: Error) => response.destroy(error));
		};
	}
	renew();

	/** Passes the request on to the provider and sends what `replace` makes of its answer. */
	function changed(
		request: IncomingMessage,
		response: ServerResponse,
		replace: (answer: Record<string, unknown>) => unknown,
	) {
		const { end } = response;
		const chunks: Buffer[] = [];
		response.write = (chunk: unknown) => chunks.push(Buffer.from(chunk as string)) > 0;
		response.end = ((chunk?: unknown) => {
			if (chunk) chunks.push(Buffer.from(chunk as string));
			const text = Buffer.concat(chunks).toString();
			const body = response.statusCode === 200 ? JSON.stringify(replace(JSON.parse(text))) : text;
			response.setHeader('content-length', Buffer.byteLength(body));
			return end.call(response, body, 'utf8');
		}) as typeof response.end;
		handler(request, response);
	}

	return {
		issuer,
		clientId,
		clientSecret,
		/** `METHOD /path` of each request that it got. */
		requests,
		setUser(next: ProviderUser) {
			user = next;
		},
		/** Where browsers may return to. */
		setRedirectUris(uris: string[]) {
			redirectUris = uris;
			renew();
		},
		/** What the token endpoint answers instead; undefined: nothing else. */
		setChange(next: typeof change) {
			change = next;
		},
		/** Other values in its metadata, or another answer. */
		setMetadata(next: typeof metadata, answer?: typeof answerMetadata) {
			metadata = next;
			answerMetadata = answer;
		},
		setDown(down: boolean) {
			isDown = down;
			if (down) server.closeAllConnections();
		},
		/** A new key; returns the old one, which its metadata no longer has. */
		rotateKeys() {
			const old = keyOf(keys);
			keys = { keys: [makeKey()] };
			renew();
			return old;
		},
		/** The ID token with other claims, signed with its key or with another one. */
		resign(
			token: unknown,
			claims: Record<string, unknown>,
			key: Record<string, unknown> = keyOf(keys),
		): string {
			assert.ok(typeof token === 'string');
			const [, payload = ''] = token.split('.');
			const head = { alg: 'RS256', typ: 'JWT', kid: key.kid };
			const body = { ...JSON.parse(Buffer.from(payload, 'base64url').toString()), ...claims };
			const unsigned = [head, body]
				.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
				.join('.');
			const signature = sign('sha256', Buffer.from(unsigned), { key: key as never, format: 'jwk' });
			return `${unsigned}.${signature.toString('base64url')}`;
		},
		makeKey,
	};
}

const keyOf = ({ keys }: JWKS) => keys[0] as Record<string, unknown>;

/** Adds the provider to a service, as the operator does, and lets browsers return to the service. */
export async function addProvider(
	w: World,
	provider: TestProvider,
	fields: { name: string } & Partial<OperationInput<'oidc.add'>>,
) {
	provider.setRedirectUris([
		`${w.config.baseUrl ?? w.publicUrl}/app/api/session/oidc/callback/${fields.name}`,
	]);
	return w.operate('oidc.add', {
		issuer: provider.issuer,
		clientId,
		secret: clientSecret,
		allowedDomains: [],
		groupsClaim: 'groups',
		admits: 'invited',
		hasSecondFactor: false,
		...fields,
	});
}

/** The request with which a browser comes back to the service. */
export const comesBack = (browser: Visitor, url: URL): Promise<Answer> =>
	browser('GET', url.pathname.replace('/app/api', '') + url.search, {
		headers: { 'sec-fetch-site': 'cross-site' },
	});

/** Where the browser is sent after a whole sign-in with a provider, without the public address of the service. */
export async function signInWith(browser: Visitor, name: string, to?: string): Promise<string> {
	const started = await browser('POST', `/session/oidc/${name}/start`, { json: { to } });
	assert.equal(started.status, 200, started.text);
	const { url } = z.object({ data: z.object({ url: z.string() }) }).parse(started.json).data;
	const answer = await comesBack(browser, await visitProvider(url));
	assert.equal(answer.status, 303, answer.text);
	return (answer.headers.location ?? '').replace('https://stats.example.test', '');
}

/** What a browser does at the provider: it follows its redirects, with its cookies, up to the address that it returns to. */
export async function visitProvider(start: string, issuer = new URL(start).origin): Promise<URL> {
	const cookies = new Map<string, string>();
	let url = new URL(start);
	for (let step = 0; step < 10; step++) {
		if (url.origin !== issuer) return url;
		const response = await fetch(url, {
			redirect: 'manual',
			headers: { cookie: [...cookies].map(([name, text]) => `${name}=${text}`).join('; ') },
		});
		for (const line of response.headers.getSetCookie()) {
			const [, name = '', text = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
			cookies.set(name, text);
		}
		const location = response.headers.get('location');
		assert.ok(location, `${url.pathname} answered ${response.status}: ${await response.text()}`);
		url = new URL(location, url);
	}
	throw new Error('The provider redirects for ever.');
}
