import {
	type LinkedProvidersRecord,
	type OidcProofRecord,
	type OidcRecord,
	type OidcRefusal,
	type OidcStart,
	oidcProofBody,
	startOidcBody,
} from '../../../api/oidc.ts';
import { notFound } from '../../accounts/authorize.ts';
import { endSessions } from '../../accounts/sessions.ts';
import { hasPassword, requireCode, requirePasskey, requireProof } from '../../accounts/sign-in.ts';
import { readSecondFactors } from '../../accounts/two-factor.ts';
import { AppError } from '../../lib/app-error.ts';
import { explainFault } from '../../oidc/client.ts';
import { listLinkedProviders, unlinkIdentity } from '../../oidc/identities.ts';
import { findProvider, isOidcRequired, listProviders, type Provider } from '../../oidc/providers.ts';
import { findProof, type ShownProof } from '../../oidc/requests.ts';
import { beginSignIn, completeProof, finishSignIn } from '../../oidc/sign-in.ts';
import { json } from '../api/route.ts';
import {
	ok,
	openSessionFor,
	type PublicRequest,
	parseBody,
	parseProof,
	passwordOnly,
	replaceSession,
	type SessionRequest,
	type SessionResponse,
	type SessionRoute,
	type SessionServices,
} from './session-route.ts';
import { readPasskey } from './sign-in.ts';

/** Where providers send browsers back to. One address per provider, so that their responses cannot be mixed up. */
const redirectUriOf = ({ mountedAt }: PublicRequest, { name }: Provider) =>
	`${mountedAt}/session/oidc/callback/${name}`;

/** The path of a page of this service to return to. */
function readReturnUrl(to: string | undefined, baseUrl: string): string | null {
	if (to === undefined || !to.startsWith('/') || !URL.canParse(to, baseUrl)) return null;
	// The parser decides what is another host: `//host`, `/\host` and `/./\host` begin with a slash too.
	const { origin, pathname, search, hash } = new URL(to, baseUrl);
	const isPage = origin === new URL(baseUrl).origin && !/^\/(\/|api\/|app\/|sign-in$)/.test(pathname);
	return isPage ? pathname + search + hash : null;
}

async function start(
	call: PublicRequest,
	services: SessionServices,
	{ sessionId, to }: { sessionId: number | null; to: string | undefined },
): Promise<SessionResponse> {
	const provider = await findProvider(services.postgres, call.params.name ?? '');
	if (!provider) throw notFound();
	try {
		const { url, token } = await beginSignIn(services, provider, {
			redirectUri: redirectUriOf(call, provider),
			returnTo: readReturnUrl(to, services.publicAddress.current()),
			sessionId,
		});
		const record: OidcStart = { url };
		return { ...json(200, { data: record }), oidc: token };
	} catch (error) {
		const { detail } = explainFault(error);
		services.log.warn({ provider: provider.name, reason: detail }, 'sign-in with a provider cannot start');
		throw new AppError('unavailable', `${provider.label} cannot be reached. Try again later.`);
	}
}

/** A browser that comes back from a provider always gets a page, and no text of the provider. */
async function finish(call: PublicRequest, services: SessionServices): Promise<SessionResponse> {
	const { postgres, publicAddress } = services;
	const name = call.params.name ?? '';
	const goTo = (path: string): SessionResponse => ({
		...json(303, {}),
		headers: { location: publicAddress.current() + path },
		oidc: null,
	});
	const signInPage = (query: Record<string, string>, returnTo: string | null) =>
		goTo(`/sign-in?${new URLSearchParams({ ...query, ...(returnTo !== null && { to: returnTo }) })}`);
	const outcome = await finishSignIn(services, {
		providerName: name,
		token: call.oidc,
		redirectUri: `${call.mountedAt}/session/oidc/callback/${name}`,
		query: call.query,
		session: call.session,
	});
	switch (outcome.kind) {
		case 'refused':
			return outcome.isLinking
				? goTo(`/account/security?oidc=${outcome.reason satisfies OidcRefusal}`)
				: signInPage({ oidc: outcome.reason }, outcome.returnTo);
		case 'proof':
			return { ...signInPage({ oidc: 'proof' }, null), oidc: outcome.token };
		case 'linked':
			await postgres.transaction((tx) =>
				services.notices.queue(tx, outcome.personId, { kind: 'provider', label: outcome.label }),
			);
			return { ...goTo('/account/security?oidc=linked'), operation: 'linkProvider' };
		case 'signedIn':
			return postgres.transaction(async (tx) => ({
				...goTo(outcome.returnTo ?? '/websites'),
				...(await openSessionFor(tx, services, call, outcome)),
				operation: 'signIn',
			}));
	}
}

async function getProof(call: PublicRequest, { postgres, now }: SessionServices): Promise<ShownProof> {
	const proof = call.oidc === undefined ? undefined : await findProof(postgres, now, call.oidc);
	if (!proof) throw new AppError('link_dead', 'This sign-in took too long. Start again.');
	return proof;
}

async function prove(call: PublicRequest, services: SessionServices): Promise<SessionResponse> {
	const { password = '', code } = parseBody(oidcProofBody, call);
	const proof = await getProof(call, services);
	const { personId, providerId } = proof;
	const isLinked = proof.address === null;
	const second = readPasskey(call);
	if (second) await requirePasskey(services, personId, second.passkey);
	else if (isLinked) await requireCode(services, personId, code);
	else await requireProof(services, personId, { password, code });
	const { isRequired } = await readSecondFactors(services.postgres, { personId, rpId: undefined });
	const provider = (await listProviders(services.postgres)).find(({ id }) => id === providerId);
	const hasSecondFactor = second !== undefined || isRequired || provider?.hasSecondFactor === true;
	return services.postgres.transaction(async (tx) => {
		if (!(await completeProof(tx, services.now, { ...proof, token: call.oidc ?? '' })))
			throw new AppError(
				'forbidden',
				`This ${proof.label} account is linked to someone else, or you have linked a different one. Unlink that one first.`,
			);
		if (!isLinked) await services.notices.queue(tx, personId, { kind: 'provider', label: proof.label });
		return {
			...ok({ to: proof.returnTo ?? '/websites' }),
			...(await openSessionFor(tx, services, call, { personId, hasSecondFactor, providerId })),
			operation: isLinked ? 'signIn' : 'linkProvider',
			oidc: null,
		};
	});
}

/** Ends all other sessions, because one of them may have been opened with the provider. */
async function unlink(call: SessionRequest, services: SessionServices): Promise<SessionResponse> {
	const { postgres, now } = services;
	const { personId } = call.session;
	await requireProof(services, personId, parseProof(call));
	const provider = await findProvider(postgres, call.params.name ?? '');
	if (!provider) throw notFound();
	const token = await postgres.transaction(async (tx) => {
		if (!(await unlinkIdentity(tx, now, { providerId: provider.id, personId }))) throw notFound();
		await services.notices.queue(tx, personId, { kind: 'providerRemoved', label: provider.label });
		await endSessions(tx, personId);
		const { session } = call;
		const method = session.providerId === provider.id ? passwordOnly : session;
		return replaceSession(tx, services, call, { ...method, personId });
	});
	return ok({ unlinked: true }, token);
}

/** Signing in with OpenID Connect, and the providers that a person has linked. */
export const oidcRoutes: readonly SessionRoute[] = [
	{
		methods: ['GET'],
		path: '/session/oidc',
		isPublic: true,
		reach: 'always',
		handle: async (_call, { postgres }) => {
			const [providers, required] = await Promise.all([listProviders(postgres), isOidcRequired(postgres)]);
			const record: OidcRecord = {
				providers: providers.map(({ name, label }) => ({ name, label })),
				required,
			};
			return json(200, { data: record });
		},
	},
	{
		methods: ['POST'],
		path: '/session/oidc/:name/start',
		isPublic: true,
		handle: (call, services) =>
			start(call, services, { to: parseBody(startOidcBody, call).to, sessionId: null }),
	},
	{ methods: ['GET'], path: '/session/oidc/callback/:name', isPublic: true, handle: finish },
	{
		methods: ['GET'],
		path: '/session/oidc/proof',
		isPublic: true,
		handle: async (call, services) => {
			const { label, email, address, personId } = await getProof(call, services);
			const rpId = services.passkeys.relyingParty().id;
			const factors = await readSecondFactors(services.postgres, { personId, rpId });
			const record: OidcProofRecord = {
				provider: label,
				email,
				needs_password: address !== null,
				needs_code: factors.isRequired,
				can_use_passkey: factors.passkeys > 0,
			};
			return json(200, { data: record });
		},
	},
	{ methods: ['POST'], path: '/session/oidc/proof', isPublic: true, handle: prove },
	{
		methods: ['GET'],
		path: '/session/oidc/linked',
		reach: 'providers',
		handle: async ({ session: { personId } }, { postgres }) => {
			const providers = await listLinkedProviders(postgres, personId);
			const record: LinkedProvidersRecord = {
				has_password: await hasPassword(postgres, personId),
				providers: providers.map(({ name, label, linkedAt, lastUsedAt }) => ({
					name,
					label,
					linked_at: linkedAt?.toISOString() ?? null,
					last_used_at: lastUsedAt?.toISOString() ?? null,
				})),
			};
			return json(200, { data: record });
		},
	},
	{
		methods: ['POST'],
		path: '/session/oidc/:name/link',
		reach: 'providers',
		handle: async (call, services) => {
			await requireProof(services, call.session.personId, parseProof(call));
			return start(call, services, { to: undefined, sessionId: call.session.id });
		},
	},
	{ methods: ['DELETE'], path: '/session/oidc/:name/link', operation: 'unlinkProvider', handle: unlink },
];
