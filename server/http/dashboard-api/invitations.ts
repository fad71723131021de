import { type JoinRecord, joinAsNewBody, joinBody } from '../../../api/people.ts';
import { createInvitedPerson } from '../../accounts/accounts.ts';
import type { Bucket } from '../../accounts/attempts.ts';
import { requireStrongPassword } from '../../accounts/password-strength.ts';
import { getPerson } from '../../accounts/people.ts';
import { setPassword } from '../../accounts/sign-in.ts';
import { AppError } from '../../lib/app-error.ts';
import { hashPassword } from '../../lib/passwords.ts';
import { queueConfirmation } from '../../notify/mail/confirm-address.ts';
import { refuseIfOidcRequired } from '../../oidc/providers.ts';
import { acceptInvitation, getInvitation } from '../../websites/invitations.ts';
import { json } from '../api/route.ts';
import { confirmationsFrom } from './account.ts';
import {
	audited,
	ok,
	type PublicRequest,
	parseBody,
	passwordOnly,
	replaceSession,
	type SessionResponse,
	type SessionRoute,
	type SessionServices,
} from './session-route.ts';

/** Creates a person who accepts the invitation in the same transaction. */
async function joinWithNewAccount(call: PublicRequest, services: SessionServices): Promise<SessionResponse> {
	const { postgres, now, attempts } = services;
	const { token, password, email, ...person } = parseBody(joinAsNewBody, call);
	await refuseIfOidcRequired(postgres);
	// Hashing is expensive, so the invitation is checked first. The limits keep invitations from being used to test which
	// addresses have an account.
	const invitation = await getInvitation(postgres, now, token);
	const maxDelaySeconds = 900;
	const fromHere: Bucket = { name: `joining from ${call.network}`, free: 20, maxDelaySeconds };
	await attempts.take([{ name: `joining by ${token}`, free: 10, maxDelaySeconds }, fromHere]);
	const mayMail =
		services.hasMail && !invitation.provesAddress && (await mayMailConfirmation(services, call));
	const address = invitation.email ?? email ?? '';
	await requireStrongPassword(password, { name: person.name, email: address });
	const passwordHash = await hashPassword(password);
	const response = await postgres.transaction(async (tx) => {
		const created = await createInvitedPerson(tx, now, {
			...person,
			email: address,
		});
		await setPassword(tx, created.id, passwordHash);
		const scope = await acceptInvitation(tx, now, token, created);
		const session = await replaceSession(tx, services, call, { personId: created.id, ...passwordOnly });
		if (mayMail) await queueConfirmation(tx, now, services, created);
		return {
			...audited(ok({ person_id: created.id }, session), scope),
			author: { personId: created.id, accountId: created.id },
			device: services.knownDevices.make(created.email),
		};
	});
	await attempts.giveBack(fromHere);
	return response;
}

/** Over the limit, joining still works; the confirmation can be requested later. */
async function mayMailConfirmation(
	{ attempts }: SessionServices,
	{ network }: PublicRequest,
): Promise<boolean> {
	try {
		await attempts.take([confirmationsFrom(network)]);
		return true;
	} catch (error) {
		if (error instanceof AppError && error.code === 'too_many_requests') return false;
		throw error;
	}
}

/** Accepting invitations, which only people do. */
export const invitationRoutes: readonly SessionRoute[] = [
	{
		methods: ['POST'],
		path: '/join/look',
		isPublic: true,
		handle: async (call, { postgres, now }) => {
			const { token } = parseBody(joinBody, call);
			const { websiteId, domain, ...invitation } = await getInvitation(postgres, now, token);
			const record: JoinRecord = {
				role: invitation.role,
				invited_by: invitation.invitedBy,
				owner: invitation.ownerName,
				website: websiteId === null ? null : { id: websiteId, domain: domain ?? '' },
				email: invitation.email,
				expires_at: invitation.expiresAt.toISOString(),
			};
			return json(200, { data: record });
		},
	},
	{
		methods: ['POST'],
		path: '/join',
		operation: 'join',
		handle: async (call, { postgres, now }) => {
			const { token } = parseBody(joinBody, call);
			const person = await getPerson(postgres, call.session.personId);
			const scope = await postgres.transaction((tx) => acceptInvitation(tx, now, token, person));
			return audited(ok({ website_id: scope.websiteId }), scope);
		},
	},
	{
		methods: ['POST'],
		path: '/join/account',
		operation: 'join',
		isPublic: true,
		handle: joinWithNewAccount,
	},
];
