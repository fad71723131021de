import { confirmCodeBody, proofBody } from '../../../api/session.ts';
import { getAccount } from '../../accounts/accounts.ts';
import { endSessions } from '../../accounts/sessions.ts';
import { requireProof } from '../../accounts/sign-in.ts';
import { ok, parseBody, replaceSession, type SessionRoute } from './session-route.ts';

export const twoFactorRoutes: readonly SessionRoute[] = [
	{
		methods: ['POST'],
		path: '/session/two-factor',
		operation: 'showSecondFactor',
		handle: async (call, services) => {
			const { accountId } = call.session;
			await requireProof(services, accountId, parseBody(proofBody, call));
			const account = await getAccount(services.postgres, services.now, accountId);
			return ok(await services.twoFactor.begin(account));
		},
	},
	{
		methods: ['PUT'],
		path: '/session/two-factor',
		operation: 'confirmSecondFactor',
		handle: async (call, services) => {
			const { accountId } = call.session;
			const { code } = parseBody(confirmCodeBody, call);
			const tries = { name: `new second factor of ${accountId}`, free: 10, maxDelaySeconds: 900 };
			await services.attempts.take([tries]);
			const codes = await services.twoFactor.confirm(accountId, code);
			await services.attempts.forget(tries);
			// Sessions that were opened without a code must sign in again.
			const token = await services.postgres.transaction(async (tx) => {
				await endSessions(tx, accountId);
				await services.notices.queue(tx, accountId, { kind: 'secondFactorOn' });
				return replaceSession(tx, services, call, accountId);
			});
			return ok({ recovery_codes: codes }, token);
		},
	},
	{
		methods: ['DELETE'],
		path: '/session/two-factor',
		operation: 'removeSecondFactor',
		handle: async (call, services) => {
			const { accountId } = call.session;
			await requireProof(services, accountId, parseBody(proofBody, call));
			await services.twoFactor.remove(accountId);
			const token = await services.postgres.transaction(async (tx) => {
				await services.notices.queue(tx, accountId, { kind: 'secondFactorOff' });
				return replaceSession(tx, services, call, accountId);
			});
			return ok({ removed: true }, token);
		},
	},
];
