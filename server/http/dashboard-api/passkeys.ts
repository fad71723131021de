import {
	addPasskeyBody,
	type PasskeyRecord,
	type PasskeysRecord,
	passkeyBody,
	renamePasskeyBody,
} from '../../../api/passkeys.ts';
import { notFound } from '../../accounts/authorize.ts';
import {
	addPasskey,
	listPasskeys,
	type Passkey,
	removePasskey,
	renamePasskey,
	type Started,
} from '../../accounts/passkeys.ts';
import { getPerson } from '../../accounts/people.ts';
import { confirmSecondFactor } from '../../accounts/sessions.ts';
import { requireProof, signInWithPasskey } from '../../accounts/sign-in.ts';
import { readSecondFactors } from '../../accounts/two-factor.ts';
import { refuseIfOidcRequired } from '../../oidc/providers.ts';
import { json, readId } from '../api/route.ts';
import {
	ok,
	parseBody,
	parseProof,
	replaceSession,
	type SessionResponse,
	type SessionRoute,
} from './session-route.ts';
import { signInResponse } from './sign-in.ts';

const toRecord = (passkey: Passkey, rpId: string | undefined): PasskeyRecord => ({
	id: passkey.id,
	name: passkey.name,
	created_at: passkey.createdAt.toISOString(),
	last_used_at: passkey.lastUsedAt?.toISOString() ?? null,
	is_synced: passkey.isBackedUp,
	old_host: passkey.rpId === rpId ? null : passkey.rpId,
});

const started = ({ options, browser }: Started): SessionResponse => ({
	...json(200, { data: options }),
	passkeyBrowser: browser,
});

/** Signing in with a passkey, and the passkeys of the signed-in person. */
export const passkeyRoutes: readonly SessionRoute[] = [
	{
		methods: ['GET'],
		path: '/session/passkey',
		isPublic: true,
		reach: 'always',
		handle: async (_call, { passkeys }) =>
			json(200, { data: { origin: passkeys.relyingParty().origin ?? null } }),
	},
	{
		methods: ['POST'],
		path: '/session/passkey/challenge',
		isPublic: true,
		handle: async (call, { passkeys }) => started(await passkeys.startSignIn(call.passkeyBrowser)),
	},
	{
		methods: ['POST'],
		path: '/session/passkey',
		operation: 'signInWithPasskey',
		isPublic: true,
		handle: async (call, services) => {
			await refuseIfOidcRequired(services.postgres);
			const { passkey: assertion } = parseBody(passkeyBody, call);
			const sent = { assertion, browser: call.passkeyBrowser };
			const personId = await signInWithPasskey(services, { sent, network: call.network });
			return signInResponse(call, services, { personId, hasSecondFactor: true, providerId: null });
		},
	},
	{
		methods: ['GET'],
		path: '/session/passkeys',
		reach: 'factors',
		handle: async ({ session }, { postgres, passkeys }) => {
			const party = passkeys.relyingParty();
			const own = await listPasskeys(postgres, session.personId);
			const record: PasskeysRecord = {
				unavailable: party.unavailable ?? null,
				origin: party.origin ?? null,
				passkeys: own.map((passkey) => toRecord(passkey, party.id)),
			};
			return json(200, { data: record });
		},
	},
	{
		methods: ['POST'],
		path: '/session/passkeys/challenge',
		reach: 'own',
		handle: async (call, { passkeys }) =>
			started(await passkeys.startProof(call.passkeyBrowser, call.session.personId)),
	},
	{
		methods: ['POST'],
		path: '/session/passkeys/options',
		reach: 'factors',
		handle: async (call, services) => {
			const { personId } = call.session;
			await requireProof(services, personId, parseProof(call));
			const person = await getPerson(services.postgres, personId);
			return started(await services.passkeys.startRegistration(call.passkeyBrowser, person));
		},
	},
	{
		// The options were sent only with a proof, and only their challenge is accepted here.
		methods: ['POST'],
		path: '/session/passkeys',
		reach: 'factors',
		operation: 'addPasskey',
		handle: async (call, services) => {
			const { personId } = call.session;
			const { name, passkey: attestation } = parseBody(addPasskeyBody, call);
			const { passkeyBrowser: browser } = call;
			const created = await services.passkeys.verifyNew(personId, { attestation, browser });
			const passkey = await services.postgres.transaction(async (tx) => {
				await services.notices.queue(tx, personId, { kind: 'passkeyAdded' });
				// The browser has just verified its user.
				await confirmSecondFactor(tx, call.session.id);
				return addPasskey(tx, services.now, { ...created, name });
			});
			return json(201, { data: toRecord(passkey, services.passkeys.relyingParty().id) });
		},
	},
	{
		methods: ['PATCH'],
		path: '/session/passkeys/:id',
		reach: 'factors',
		operation: 'renamePasskey',
		handle: async (call, { postgres, passkeys }) => {
			const { name } = parseBody(renamePasskeyBody, call);
			const { personId } = call.session;
			const passkey = await renamePasskey(postgres, { personId, id: readId(call), name });
			if (!passkey) throw notFound();
			return json(200, { data: toRecord(passkey, passkeys.relyingParty().id) });
		},
	},
	{
		methods: ['DELETE'],
		path: '/session/passkeys/:id',
		reach: 'factors',
		operation: 'removePasskey',
		handle: async (call, services) => {
			const { personId } = call.session;
			const id = readId(call);
			await requireProof(services, personId, parseProof(call));
			const token = await services.postgres.transaction(async (tx) => {
				if (!(await removePasskey(tx, { personId, id, rpId: services.passkeys.relyingParty().id })))
					throw notFound();
				await services.notices.queue(tx, personId, { kind: 'passkeyRemoved' });
				const left = await readSecondFactors(tx, { personId, rpId: services.passkeys.relyingParty().id });
				const hasSecondFactor = call.session.hasSecondFactor && (left.isRequired || left.passkeys > 0);
				return replaceSession(tx, services, call, { ...call.session, hasSecondFactor });
			});
			return ok({ removed: true }, token);
		},
	},
];
