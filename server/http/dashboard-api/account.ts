import {
	type AddressRecord,
	changeAccountBody,
	linkBody,
	type PublicAddress,
	type SessionRecord,
} from '../../../api/session.ts';
import { changeAccount, getAccount } from '../../accounts/accounts.ts';
import type { Bucket } from '../../accounts/attempts.ts';
import { takeConfirmation } from '../../accounts/confirmation.ts';
import { hasTwoFactor } from '../../accounts/sign-in.ts';
import { AppError } from '../../lib/app-error.ts';
import { queueConfirmation } from '../../notify/mail/confirm-address.ts';
import { json } from '../api/route.ts';
import {
	ok,
	parseBody,
	type SessionRequest,
	type SessionResponse,
	type SessionRoute,
	type SessionServices,
} from './session-route.ts';

async function getSession({ session }: SessionRequest, services: SessionServices): Promise<SessionResponse> {
	const { postgres, now, publicAddress, tracking, warnings, hasMail } = services;
	const account = await getAccount(postgres, now, session.accountId);
	const { id, name, email, locale, timezone, weekStart } = account;
	const record: SessionRecord = {
		account: { id, name, email, locale, timezone, week_start: weekStart },
		is_confirmed: account.confirmedAt !== null,
		can_mail: hasMail,
		is_operator: account.isOperator,
		session_id: session.id,
		two_factor: await hasTwoFactor(postgres, id),
		public_address: toPublicAddress(publicAddress),
		tracking,
		warnings: warnings(),
	};
	return json(200, { data: record });
}

export const toPublicAddress = ({ current, isSet }: SessionServices['publicAddress']): PublicAddress => ({
	url: current(),
	is_set: isSet(),
});

/** Anyone can enter any address, so few confirmation mails are sent per network. */
export const confirmationsFrom = (network: string): Bucket => ({
	name: `confirmations from ${network}`,
	free: 10,
	maxDelaySeconds: 3_600,
});

/** The signed-in account and the confirmation of its email address. */
export const accountRoutes: readonly SessionRoute[] = [
	{ methods: ['GET'], path: '/session', handle: getSession },
	{
		methods: ['GET'],
		path: '/session/address',
		handle: async ({ address, network }) => {
			const record: AddressRecord = { address, network };
			return json(200, { data: record });
		},
	},
	{
		methods: ['PUT'],
		path: '/session/account',
		operation: 'changeAccount',
		handle: async (call, services) => {
			const { week_start: weekStart, ...fields } = parseBody(changeAccountBody, call);
			await changeAccount(services.postgres, call.session.accountId, { ...fields, weekStart });
			return getSession(call, services);
		},
	},
	{
		methods: ['POST'],
		path: '/session/confirmation',
		operation: 'askForConfirmation',
		handle: async (call, services) => {
			const { postgres, now, attempts, hasMail } = services;
			const account = await getAccount(postgres, now, call.session.accountId);
			if (account.confirmedAt) return ok({ mailed: false });
			if (!hasMail)
				throw new AppError(
					'unavailable',
					'This service has no mail server. Ask its operator to confirm your email address.',
				);
			await attempts.take([confirmationsFrom(call.network)]);
			await postgres.transaction(async (tx) => {
				if (!(await queueConfirmation(tx, now, services, account)))
					throw new AppError('too_many_requests', 'No more mails can be sent to this address for now.', {
						retryAfterSeconds: 86_400,
					});
			});
			return ok({ mailed: true });
		},
	},
	{
		methods: ['PUT'],
		path: '/session/confirmation',
		operation: 'confirmAddress',
		handle: async (call, services) => {
			const { token } = parseBody(linkBody, call);
			const { accountId } = call.session;
			await services.postgres.transaction((tx) => takeConfirmation(tx, services.now, { accountId, token }));
			return getSession(call, services);
		},
	},
];
