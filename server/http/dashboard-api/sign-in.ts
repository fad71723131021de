import { passkeyBody } from '../../../api/passkeys.ts';
import { type BrowserRecord, linkBody, setUpBody, signInBody } from '../../../api/session.ts';
import { createAccountWithoutKey, hasAccounts } from '../../accounts/accounts.ts';
import { notFound } from '../../accounts/authorize.ts';
import { requireStrongPassword } from '../../accounts/password-strength.ts';
import type { SignInMethod } from '../../accounts/policy-refusals.ts';
import {
	endSession,
	endSessions,
	type ListedSession,
	listSessions,
	type Session,
} from '../../accounts/sessions.ts';
import { isSetupToken, setPublicAddress, takeSetupToken } from '../../accounts/setup.ts';
import { type SecondFactor, setPassword, signIn } from '../../accounts/sign-in.ts';
import { hashPassword } from '../../lib/passwords.ts';
import { refuseIfOidcRequired } from '../../oidc/providers.ts';
import { json, readId } from '../api/route.ts';
import { toPublicAddress } from './account.ts';
import {
	ok,
	openSessionFor,
	type PublicRequest,
	parseBody,
	passwordOnly,
	replaceSession,
	type SessionResponse,
	type SessionRoute,
	type SessionServices,
} from './session-route.ts';

async function setUp(call: PublicRequest, services: SessionServices): Promise<SessionResponse> {
	const { postgres, now, publicAddress, knownDevices } = services;
	const { token, password, public_address: address, ...account } = parseBody(setUpBody, call);
	// Hashing is expensive, so the link is checked first.
	if (!(await isSetupToken(postgres, token))) throw notFound();
	await requireStrongPassword(password, account);
	const passwordHash = await hashPassword(password);
	const created = await postgres.transaction(async (tx) => {
		await takeSetupToken(tx, token);
		const { id } = await createAccountWithoutKey(tx, now, account);
		await setPassword(tx, id, passwordHash);
		if (address !== undefined) await setPublicAddress(tx, address);
		return { id, token: await replaceSession(tx, services, call, { personId: id, ...passwordOnly }) };
	});
	if (address !== undefined) publicAddress.learn(address);
	return {
		...ok({ account_id: created.id }, created.token),
		author: { personId: created.id, accountId: created.id },
		device: knownDevices.make(account.email),
	};
}

export function readPasskey(call: PublicRequest): Extract<SecondFactor, { passkey: unknown }> | undefined {
	if (!Object.hasOwn(call.body, 'passkey')) return undefined;
	const { passkey: assertion } = parseBody(passkeyBody, call);
	return { passkey: { assertion, browser: call.passkeyBrowser } };
}

export async function signInResponse(
	call: PublicRequest,
	services: SessionServices,
	signedIn: SignInMethod & { personId: number },
): Promise<SessionResponse> {
	const opened = await services.postgres.transaction((tx) => openSessionFor(tx, services, call, signedIn));
	return { ...ok({ person_id: signedIn.personId }), ...opened };
}

const toBrowser = (session: ListedSession, current: Session): BrowserRecord => ({
	id: session.id,
	browser: session.browser,
	os: session.os,
	created_at: session.createdAt.toISOString(),
	last_used_at: session.lastUsedAt.toISOString(),
	current: session.id === current.id,
});

/** Creating the first account, signing in and out, and the list of sessions. */
export const signInRoutes: readonly SessionRoute[] = [
	{
		methods: ['GET'],
		path: '/session/set-up',
		isPublic: true,
		reach: 'always',
		handle: async (_call, { postgres }) => json(200, { data: { is_needed: !(await hasAccounts(postgres)) } }),
	},
	{
		methods: ['POST'],
		path: '/session/set-up/link',
		isPublic: true,
		handle: async (call, { postgres, publicAddress }) => {
			if (!(await isSetupToken(postgres, parseBody(linkBody, call).token))) throw notFound();
			return ok({ public_address: toPublicAddress(publicAddress) });
		},
	},
	{ methods: ['POST'], path: '/session/set-up', operation: 'setUp', isPublic: true, handle: setUp },
	{
		methods: ['POST'],
		path: '/session',
		operation: 'signIn',
		isPublic: true,
		handle: async (call, services) => {
			const { email, password, code } = parseBody(signInBody, call);
			await refuseIfOidcRequired(services.postgres);
			const second = readPasskey(call) ?? (code === undefined ? undefined : { code });
			const device = services.knownDevices.find(email, call.device);
			const { network } = call;
			const signedIn = await signIn(services, { email, password, second, network, device });
			return signInResponse(call, services, { ...signedIn, providerId: null });
		},
	},
	{
		methods: ['DELETE'],
		path: '/session',
		operation: 'signOut',
		reach: 'always',
		isPublic: true,
		handle: async ({ session }, { postgres }) => {
			if (session) await endSession(postgres, session);
			return ok({ signed_out: true }, null);
		},
	},
	{
		methods: ['GET'],
		path: '/session/browsers',
		reach: 'own',
		handle: async ({ session: current }, { postgres, now }) => {
			const sessions = await listSessions(postgres, now, current.personId);
			return json(200, { data: sessions.map((session) => toBrowser(session, current)) });
		},
	},
	{
		methods: ['DELETE'],
		path: '/session/browsers',
		reach: 'own',
		operation: 'endOtherSessions',
		handle: async ({ session }, { postgres }) => {
			await endSessions(postgres, session.personId, session.id);
			return ok({ ended: true });
		},
	},
	{
		methods: ['DELETE'],
		path: '/session/browsers/:id',
		reach: 'own',
		operation: 'endSession',
		handle: async (call, { postgres }) => {
			const { personId, id: currentId } = call.session;
			const id = readId(call);
			if (!(await endSession(postgres, { personId, id }))) throw notFound();
			return ok({ ended: true }, id === currentId ? null : undefined);
		},
	},
];
