/** The conversation with a provider: OpenID Connect with the authorization code flow and PKCE. */
import * as oidc from 'openid-client';
import { isEmailAddress } from '../accounts/people.ts';
import type { Clock } from '../lib/clock.ts';
import {
	createProviderFetch,
	RefusedProvider,
	readProviderUrl,
	UnreachableProvider,
} from './provider-fetch.ts';
import { clientSecretOf, type Provider } from './providers.ts';

/** What is kept between sending a browser to the provider and its return. */
export type Handshake = { state: string; nonce: string; codeVerifier: string };

/** What the provider says about who signed in. */
export type Claims = {
	issuer: string;
	subject: string;
	/** Only if the provider has verified it. */
	email: string | undefined;
	name: string | undefined;
	locale: string | undefined;
	timezone: string | undefined;
	groups: string[];
};

export type OidcClient = {
	/** Where to send the browser. */
	begin(provider: Provider, redirectUri: string): Promise<Handshake & { url: string }>;
	/** Exchanges the code of the response, and checks everything that it leads to. */
	finish(provider: Provider, response: Handshake & { redirectUri: string; query: string }): Promise<Claims>;
	/** Reads the metadata and the keys of a provider. */
	examine(provider: Provider): Promise<{ issuer: string; keys: number; authorizationEndpoint: string }>;
};

const metadataMs = 10 * 60_000;
/** After a failure, so that sign-in attempts do not become as many requests to a provider that is down. */
const failureMs = 5_000;
/** How far the clocks of the provider and of this machine may differ. */
const toleranceSeconds = 60;
const maxGroups = 1_000;

class ProviderFault extends Error {}

/** Why a conversation with a provider failed. The detail is for the log, and contains no text of the provider's choice. */
export function explainFault(error: unknown): {
	reason: 'denied' | 'unavailable' | 'invalid';
	detail: string;
} {
	if (error instanceof oidc.AuthorizationResponseError)
		return { reason: 'denied', detail: `the provider refused: ${errorCode(error.error)}` };
	if (error instanceof oidc.ResponseBodyError)
		return {
			reason: error.status >= 500 ? 'unavailable' : 'invalid',
			detail: `the provider answered ${error.status}: ${errorCode(error.error)}`,
		};
	for (let cause = error; cause instanceof Error; cause = cause.cause) {
		if (cause instanceof UnreachableProvider) return { reason: 'unavailable', detail: cause.message };
		if (cause instanceof RefusedProvider) return { reason: 'invalid', detail: cause.message };
	}
	const isStatus = error instanceof oidc.ClientError && error.code === 'OAUTH_RESPONSE_IS_NOT_CONFORM';
	const messages = [error, error instanceof Error ? error.cause : undefined].flatMap((cause) =>
		cause instanceof Error ? cause.message : [],
	);
	return { reason: isStatus ? 'unavailable' : 'invalid', detail: messages.join(': ') };
}

const errorCode = (text: string): string => (/^[a-z_]{1,40}$/.test(text) ? text : 'unknown error');

/** `key` decrypts the client secrets. */
export function createOidcClient(now: Clock, key: Buffer): OidcClient {
	type Discovered = { metadata: Promise<oidc.ServerMetadata>; until: number };
	/** By issuer; the operator chooses how many there are. */
	const discovered = new Map<string, Discovered>();

	function discover(issuer: string): Promise<oidc.ServerMetadata> {
		const known = discovered.get(issuer);
		const moment = now().getTime();
		if (known && known.until > moment && known.until <= moment + metadataMs) return known.metadata;
		const entry: Discovered = { metadata: discoverNow(issuer), until: moment + metadataMs };
		discovered.set(issuer, entry);
		entry.metadata.catch(() => {
			entry.until = now().getTime() + failureMs;
		});
		return entry.metadata;
	}

	/** Its keys are read at every sign-in, so a revoked key ends at once and a new one is known at once. */
	async function configure(provider: Provider): Promise<oidc.Configuration> {
		const metadata = await discover(provider.issuer);
		const secret = clientSecretOf(key, provider);
		const configuration = new oidc.Configuration(
			metadata,
			provider.clientId,
			{
				[oidc.clockSkew]: Math.round((now().getTime() - Date.now()) / 1000),
				[oidc.clockTolerance]: toleranceSeconds,
			},
			authenticationOf(metadata, secret),
		);
		configuration[oidc.customFetch] = createProviderFetch(provider.issuer);
		configuration.timeout = 10;
		if (metadata.issuer.startsWith('http:')) oidc.allowInsecureRequests(configuration);
		// Otherwise the signature of an ID token is not verified, because it came over TLS.
		oidc.enableNonRepudiationChecks(configuration);
		return configuration;
	}

	return {
		async begin(provider, redirectUri) {
			const configuration = await configure(provider);
			const handshake = {
				state: oidc.randomState(),
				nonce: oidc.randomNonce(),
				codeVerifier: oidc.randomPKCECodeVerifier(),
			};
			const { scopes_supported: known } = configuration.serverMetadata();
			const url = oidc.buildAuthorizationUrl(configuration, {
				redirect_uri: redirectUri,
				scope: ['openid', 'email', 'profile', ...(known?.includes('groups') ? ['groups'] : [])].join(' '),
				state: handshake.state,
				nonce: handshake.nonce,
				code_challenge: await oidc.calculatePKCECodeChallenge(handshake.codeVerifier),
				code_challenge_method: 'S256',
			});
			return { ...handshake, url: readProviderUrl(url.href).href };
		},
		async finish(provider, { redirectUri, query, state, nonce, codeVerifier }) {
			const configuration = await configure(provider);
			const tokens = await oidc.authorizationCodeGrant(configuration, new URL(`${redirectUri}?${query}`), {
				expectedState: state,
				expectedNonce: nonce,
				pkceCodeVerifier: codeVerifier,
				idTokenExpected: true,
			});
			const claims = tokens.claims();
			if (!claims) throw new ProviderFault('the provider sent no ID token');
			// The library checks the end of a token, but not its beginning.
			if (claims.iat > now().getTime() / 1000 + toleranceSeconds)
				throw new ProviderFault('the ID token was issued in the future');
			const all = { ...claims };
			const isComplete = [claims.email, claims.email_verified, claims[provider.groupsClaim]].every(
				(claim) => claim !== undefined,
			);
			if (!isComplete && configuration.serverMetadata().userinfo_endpoint !== undefined) {
				const { email, email_verified, ...more } = await oidc.fetchUserInfo(
					configuration,
					tokens.access_token,
					claims.sub,
				);
				// What is verified is the address that stands beside it.
				const isSame = all.email === email && all.email_verified === undefined;
				if (all.email === undefined || isSame) Object.assign(all, { email, email_verified });
				return toClaims({ ...more, ...all }, provider.groupsClaim);
			}
			return toClaims(all, provider.groupsClaim);
		},
		async examine(provider) {
			discovered.delete(provider.issuer);
			const { issuer, jwks_uri: keysUrl, authorization_endpoint: endpoint } = await discover(provider.issuer);
			if (keysUrl === undefined || endpoint === undefined)
				throw new ProviderFault('the metadata names no jwks_uri or no authorization_endpoint');
			clientSecretOf(key, provider);
			const response = await createProviderFetch(provider.issuer)(keysUrl, {
				method: 'GET',
				headers: { accept: 'application/json' },
				body: null,
				redirect: 'manual',
			});
			const read: unknown = await response.json();
			const keys =
				typeof read === 'object' && read && 'keys' in read && Array.isArray(read.keys) ? read.keys : [];
			return { issuer, keys: keys.length, authorizationEndpoint: readProviderUrl(endpoint).href };
		},
	};
}

async function discoverNow(issuer: string): Promise<oidc.ServerMetadata> {
	const url = readProviderUrl(issuer);
	const configuration = await oidc.discovery(url, 'discovery', undefined, oidc.None(), {
		[oidc.customFetch]: createProviderFetch(issuer),
		timeout: 10,
		// The library refuses plain HTTP; provider-fetch.ts allows it for this machine only.
		execute: url.protocol === 'http:' ? [oidc.allowInsecureRequests] : [],
	});
	const metadata = configuration.serverMetadata();
	// The library accepts the issuer of any tenant from some multi-tenant endpoints.
	if (new URL(metadata.issuer).href !== url.href)
		throw new ProviderFault(`the metadata is that of the issuer ${metadata.issuer}`);
	return metadata;
}

function authenticationOf(metadata: oidc.ServerMetadata, secret: string | undefined): oidc.ClientAuth {
	if (secret === undefined) return oidc.None();
	const { token_endpoint_auth_methods_supported: methods = ['client_secret_basic'] } = metadata;
	return methods.includes('client_secret_basic')
		? oidc.ClientSecretBasic(secret)
		: oidc.ClientSecretPost(secret);
}

function toClaims(claims: oidc.IDToken & Record<string, unknown>, groupsClaim: string): Claims {
	const address = textOf(claims.email, 254);
	// Nobody can have another one here, such as one without a domain.
	const email = address !== undefined && isEmailAddress(address) ? address : undefined;
	// Some providers send the text.
	const isVerified = claims.email_verified === true || claims.email_verified === 'true';
	const groups = claims[groupsClaim];
	const list = Array.isArray(groups) ? groups : [groups];
	return {
		issuer: claims.iss,
		subject: claims.sub,
		email: isVerified ? email : undefined,
		name: textOf(claims.name, 200) ?? textOf(claims.preferred_username, 200),
		locale: textOf(claims.locale, 40),
		timezone: textOf(claims.zoneinfo, 60),
		groups: list.flatMap((group) => textOf(group, 200) ?? []).slice(0, maxGroups),
	};
}

const textOf = (claim: unknown, longest: number): string | undefined =>
	typeof claim === 'string' && claim.trim() !== '' && claim.length <= longest ? claim : undefined;
