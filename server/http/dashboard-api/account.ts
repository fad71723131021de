import {
	type AddressRecord,
	changeAccountBody,
	changePersonBody,
	linkBody,
	type PublicAddress,
	type SessionRecord,
	workingAccountBody,
} from '../../../api/session.ts';
import { changeAccount, getAccount } from '../../accounts/accounts.ts';
import { findAddressChange, setAddress, takeAddressChange } from '../../accounts/address-change.ts';
import type { Bucket } from '../../accounts/attempts.ts';
import { requirePermission } from '../../accounts/authorize.ts';
import { takeConfirmation } from '../../accounts/confirmation.ts';
import { holdOwnership, listOwnedAccounts, setWorkingAccount } from '../../accounts/owners.ts';
import { changePerson, getPerson } from '../../accounts/people.ts';
import { refusalsIn } from '../../accounts/policy-refusals.ts';
import type { Session } from '../../accounts/sessions.ts';
import { readSecondFactors } from '../../accounts/two-factor.ts';
import { findBranding } from '../../branding/branding.ts';
import { AppError } from '../../lib/app-error.ts';
import { queueConfirmation } from '../../notify/mail/confirm-address.ts';
import type { Queries } from '../../store/postgres.ts';
import { json } from '../api/route.ts';
import {
	ok,
	parseBody,
	type SessionRequest,
	type SessionResponse,
	type SessionRoute,
	type SessionServices,
} from './session-route.ts';

/** What the policies refuse this session. */
async function describeRefusals(
	postgres: Queries,
	{ refusals, accountId }: Session,
): Promise<SessionRecord['policy']> {
	const [refused] = refusalsIn(refusals, [accountId]);
	const others = refusals.flatMap(({ accountId: id, code }) =>
		id === null || id === accountId ? [] : [{ id, code }],
	);
	const accounts = await Promise.all(
		others.map(async ({ id, code }) => ({ name: (await getAccount(postgres, id)).name, code })),
	);
	return { refused: refused?.code ?? null, accounts };
}

async function getSession({ session }: SessionRequest, services: SessionServices): Promise<SessionResponse> {
	const { postgres, now, publicAddress, tracking, warnings, hasMail } = services;
	const rpId = services.passkeys.relyingParty().id;
	const [person, account, owned, newEmail, factors, branding] = await Promise.all([
		getPerson(postgres, session.personId),
		getAccount(postgres, session.accountId),
		listOwnedAccounts(postgres, session.personId),
		findAddressChange(postgres, now, session.personId),
		readSecondFactors(postgres, { personId: session.personId, rpId }),
		findBranding(postgres, session.accountId),
	]);
	const { id, name, email, locale, weekStart } = person;
	const record: SessionRecord = {
		person: { id, name, email, locale, week_start: weekStart },
		account: {
			id: account.id,
			name: account.name,
			timezone: account.timezone,
			is_primary_owner: account.ownerId === id,
		},
		accounts: owned.map(({ id, name, websiteCount }) => ({ id, name, websites: websiteCount })),
		new_email: newEmail ?? null,
		is_confirmed: person.confirmedAt !== null,
		can_mail: hasMail,
		is_operator: person.isOperator,
		session_id: session.id,
		policy: await describeRefusals(postgres, session),
		two_factor: factors.isRequired,
		passkeys: factors.passkeys,
		second_factor: { app: factors.hasApp, recovery_codes: factors.recoveryCodes },
		public_address: toPublicAddress(publicAddress),
		tracking,
		warnings: warnings(),
		...branding,
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

/** The signed-in person with the confirmation of their email address, and the account that they work in. */
export const accountRoutes: readonly SessionRoute[] = [
	{ methods: ['GET'], path: '/session', reach: 'always', handle: getSession },
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
		path: '/session/person',
		reach: 'own',
		operation: 'changePerson',
		handle: async (call, services) => {
			const { week_start: weekStart, ...fields } = parseBody(changePersonBody, call);
			await changePerson(services.postgres, call.session.personId, { ...fields, weekStart });
			return getSession(call, services);
		},
	},
	{
		methods: ['PUT'],
		path: '/session/account',
		operation: 'changeAccount',
		handle: async (call, services) => {
			requirePermission(call.principal, 'account.change');
			const fields = parseBody(changeAccountBody, call);
			await services.postgres.transaction(async (tx) => {
				await holdOwnership(tx, call.principal);
				await changeAccount(tx, call.principal.accountId, fields);
			});
			return getSession(call, services);
		},
	},
	{
		// Only what the next page shows first, so it is no entry of the activity log.
		methods: ['PUT'],
		path: '/session/working-account',
		reach: 'always',
		handle: async (call, { postgres }) => {
			const { account_id: accountId } = parseBody(workingAccountBody, call);
			await setWorkingAccount(postgres, { accountId, personId: call.session.personId });
			return ok({ account_id: accountId });
		},
	},
	{
		methods: ['POST'],
		path: '/session/confirmation',
		reach: 'own',
		operation: 'askForConfirmation',
		handle: async (call, services) => {
			const { postgres, now, attempts, hasMail } = services;
			const person = await getPerson(postgres, call.session.personId);
			if (person.confirmedAt) return ok({ mailed: false });
			if (!hasMail)
				throw new AppError(
					'unavailable',
					'This service has no mail server. Ask its operator to confirm your email address.',
				);
			await attempts.take([confirmationsFrom(call.network)]);
			await postgres.transaction(async (tx) => {
				if (!(await queueConfirmation(tx, now, services, person)))
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
		reach: 'own',
		operation: 'confirmAddress',
		handle: async (call, services) => {
			const { token } = parseBody(linkBody, call);
			const { personId } = call.session;
			const { postgres, now, notices } = services;
			const newEmail = await postgres.transaction(async (tx) => {
				const email = await takeAddressChange(tx, now, { personId, token });
				if (email === undefined) await takeConfirmation(tx, now, { personId, token });
				else {
					// To the old address.
					await notices.queue(tx, personId, { kind: 'address' });
					await setAddress(tx, now, { personId, email });
				}
				return email;
			});
			return {
				...(await getSession(call, services)),
				...(newEmail !== undefined && { device: services.knownDevices.make(newEmail) }),
			};
		},
	},
];
