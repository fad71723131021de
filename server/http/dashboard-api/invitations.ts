import {
	type InvitationRecord,
	inviteBody,
	type JoinRecord,
	joinAsNewBody,
	joinBody,
	type ShownInvitation,
} from '../../../api/people.ts';
import { createInvitedPerson } from '../../accounts/accounts.ts';
import type { Bucket } from '../../accounts/attempts.ts';
import { getPerson } from '../../accounts/people.ts';
import { requireProof, setPassword } from '../../accounts/sign-in.ts';
import { findBrand } from '../../branding/branding.ts';
import { AppError, invalid } from '../../lib/app-error.ts';
import { hashPassword } from '../../lib/passwords.ts';
import { queueConfirmation } from '../../notify/mail/confirm-address.ts';
import { invitationMessage } from '../../notify/mail/messages.ts';
import { senderName } from '../../notify/mail/names.ts';
import { queueMail } from '../../notify/mail/queue.ts';
import { refuseIfOidcRequired } from '../../oidc/providers.ts';
import {
	acceptInvitation,
	getInvitation,
	type Invitation,
	invite,
	withdrawInvitation,
} from '../../websites/invitations.ts';
import { requireScope } from '../../websites/members.ts';
import { json, readId } from '../api/route.ts';
import { confirmationsFrom } from './account.ts';
import {
	audited,
	ok,
	type PublicRequest,
	parseBody,
	parseProof,
	replaceSession,
	type SessionRequest,
	type SessionResponse,
	type SessionRoute,
	type SessionServices,
} from './session-route.ts';

export const toInvitation = ({ id, role, email, ...invitation }: Invitation): InvitationRecord => ({
	id,
	role,
	email,
	invited_by: invitation.invitedBy,
	created_at: invitation.createdAt.toISOString(),
	expires_at: invitation.expiresAt.toISOString(),
});

async function createInvitation(
	call: SessionRequest,
	services: SessionServices,
	websiteId: number | null,
): Promise<SessionResponse> {
	const { postgres, now, publicAddress, attempts, hasMail, quota } = services;
	const { principal } = call;
	const { personId, accountId } = principal;
	// Before validation, so that its errors do not reveal that the website exists.
	await requireScope(postgres, principal, websiteId, 'change');
	const { role, email } = parseBody(inviteBody, call);
	if (role === 'owner') await provePerson(services, call, { websiteId, email });
	const { locale, confirmedAt } = await getPerson(postgres, personId);
	let isMailed = hasMail && email !== undefined && confirmedAt !== null;
	// Invitations must not become a way to send mail to strangers.
	if (isMailed)
		await attempts.take([{ name: `invitations of ${personId}`, free: 20, maxDelaySeconds: 3_600 }]);
	const { invitation, token, mailedToken, scope } = await invite(postgres, now, principal, {
		websiteId,
		role,
		email,
		isMailed,
	});
	const toLink = (secret: string) => `${publicAddress.current()}/join#token=${secret}`;
	if (mailedToken !== undefined && email !== undefined) {
		const brand = await findBrand(postgres, scope.ownerId);
		const message = invitationMessage(locale, {
			by: invitation.invitedBy,
			url: toLink(mailedToken),
			brandName: brand?.name,
		});
		isMailed = await postgres.transaction((tx) =>
			queueMail(tx, now, {
				key: `invitation ${invitation.id}`,
				mail: { to: email, ...message, senderName: senderName(brand?.name) },
				by: { accountId, quota },
			}),
		);
	}
	const record: ShownInvitation = { ...toInvitation(invitation), link: toLink(token), mailed: isMailed };
	return audited(json(201, { data: record }), scope);
}

/** An invitation of an owner is for one address, and the inviter must prove who they are. */
async function provePerson(
	services: SessionServices,
	call: SessionRequest,
	{ websiteId, email }: { websiteId: number | null; email: string | undefined },
): Promise<void> {
	if (websiteId !== null)
		throw invalid({
			role: ['Owners can only be invited to a whole account. Choose viewer, editor or admin.'],
		});
	if (email === undefined) throw invalid({ email: ['Enter the email address of the new owner.'] });
	await requireProof(services, call.session.personId, parseProof(call));
}

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
	const passwordHash = await hashPassword(password);
	const response = await postgres.transaction(async (tx) => {
		const created = await createInvitedPerson(tx, now, {
			...person,
			email: invitation.email ?? email ?? '',
		});
		await setPassword(tx, created.id, passwordHash);
		const scope = await acceptInvitation(tx, now, token, created);
		const session = await replaceSession(tx, services, call, created.id);
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

/** Inviting people to an account or a website, and accepting invitations. */
export const invitationRoutes: readonly SessionRoute[] = [
	{
		methods: ['POST'],
		path: '/people/invitations',
		operation: 'invite',
		handle: (call, services) => createInvitation(call, services, null),
	},
	{
		methods: ['POST'],
		path: '/websites/:id/people/invitations',
		operation: 'invite',
		handle: async (call, services) => createInvitation(call, services, readId(call)),
	},
	{
		methods: ['DELETE'],
		path: '/invitations/:id',
		operation: 'withdrawInvitation',
		handle: async (call, { postgres }) =>
			audited(ok({ withdrawn: true }), await withdrawInvitation(postgres, call.principal, readId(call))),
	},
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
