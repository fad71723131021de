import { confirmCodeBody } from '../../../api/session.ts';
import { getPerson } from '../../accounts/people.ts';
import { endSessions } from '../../accounts/sessions.ts';
import { requireProof } from '../../accounts/sign-in.ts';
import { ok, parseBody, parseProof, replaceSession, type SessionRoute } from './session-route.ts';

export const twoFactorRoutes: readonly SessionRoute[] = [
	{
		methods: ['POST'],
		path: '/session/two-factor',
		reach: 'factors',
		operation: 'showSecondFactor',
		handle: async (call, services) => {
			const { personId } = call.session;
			await requireProof(services, personId, parseProof(call));
			const person = await getPerson(services.postgres, personId);
			return ok(await services.twoFactor.begin(person));
		},
	},
	{
		methods: ['PUT'],
		path: '/session/two-factor',
		reach: 'factors',
		operation: 'confirmSecondFactor',
		handle: async (call, services) => {
			const { personId } = call.session;
			const { code } = parseBody(confirmCodeBody, call);
			const tries = { name: `new second factor of ${personId}`, free: 10, maxDelaySeconds: 900 };
			await services.attempts.take([tries]);
			const codes = await services.twoFactor.confirm(personId, code);
			await services.attempts.forget(tries);
			// Sessions that were opened without a code must sign in again.
			const token = await services.postgres.transaction(async (tx) => {
				await endSessions(tx, personId);
				await services.notices.queue(tx, personId, { kind: 'secondFactorOn' });
				return replaceSession(tx, services, call, { ...call.session, hasSecondFactor: true });
			});
			return ok({ recovery_codes: codes }, token);
		},
	},
	{
		methods: ['POST'],
		path: '/session/two-factor/passkeys',
		reach: 'factors',
		operation: 'usePasskeysAsSecondFactor',
		handle: async (call, services) => {
			const { personId } = call.session;
			const proof = parseProof(call);
			await requireProof(services, personId, proof);
			const codes = await services.twoFactor.usePasskeys(personId, services.passkeys.relyingParty().id ?? '');
			// Sessions that were opened with the password alone must sign in again.
			const hasSecondFactor = call.session.hasSecondFactor || 'passkey' in proof;
			const token = await services.postgres.transaction(async (tx) => {
				await endSessions(tx, personId);
				await services.notices.queue(tx, personId, { kind: 'secondFactorOn' });
				return replaceSession(tx, services, call, { ...call.session, hasSecondFactor });
			});
			return ok({ recovery_codes: codes }, token);
		},
	},
	{
		methods: ['POST'],
		path: '/session/recovery-codes',
		reach: 'factors',
		operation: 'renewRecoveryCodes',
		handle: async (call, services) => {
			const { personId } = call.session;
			await requireProof(services, personId, parseProof(call));
			const codes = await services.twoFactor.renewCodes(personId);
			await services.postgres.transaction((tx) =>
				services.notices.queue(tx, personId, { kind: 'recoveryCodes' }),
			);
			return ok({ recovery_codes: codes });
		},
	},
	{
		methods: ['DELETE'],
		path: '/session/two-factor',
		reach: 'factors',
		operation: 'removeSecondFactor',
		handle: async (call, services) => {
			const { personId } = call.session;
			await requireProof(services, personId, parseProof(call));
			await services.twoFactor.remove(personId);
			const token = await services.postgres.transaction(async (tx) => {
				await services.notices.queue(tx, personId, { kind: 'secondFactorOff' });
				return replaceSession(tx, services, call, { ...call.session, hasSecondFactor: false });
			});
			return ok({ removed: true }, token);
		},
	},
];
