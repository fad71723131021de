import type { DoctorRecord } from '../../api/doctor.ts';
import {
	type ChangeRecord,
	changeRoleBody,
	type InvitationRecord,
	inviteBody,
	type JoinRecord,
	joinAsNewBody,
	joinBody,
	listChangesQuery,
	type MemberRecord,
	type MembershipRecord,
	type OfferRecord,
	offerBody,
	type PeopleRecord,
	type ReceivedOfferRecord,
	type RoleRecord,
	type ShownInvitation,
} from '../../api/people.ts';
import { createAccountWithoutKey, getAccount, isFirstAccount } from '../accounts/accounts.ts';
import type { Bucket } from '../accounts/attempts.ts';
import { demand } from '../accounts/authorize.ts';
import { type Change, listChanges } from '../accounts/changes.ts';
import type { Session } from '../accounts/sessions.ts';
import { setPassword } from '../accounts/sign-in.ts';
import { hashPassword } from '../lib/passwords.ts';
import { invitationMessage } from '../mail/messages.ts';
import { queueMail } from '../mail/queue.ts';
import {
	acceptInvitation,
	getInvitation,
	type Invitation,
	invite,
	listInvitations,
	withdrawInvitation,
} from '../websites/invitations.ts';
import {
	type Asking,
	changeRole,
	demandScope,
	getPerson,
	listMembers,
	listMemberships,
	listSharedRoles,
	type Member,
	removeMember,
	type Scope,
} from '../websites/members.ts';
import {
	acceptOffer,
	declineOffer,
	listReceivedOffers,
	type Offer,
	offerWebsite,
	readOffer,
	withdrawOffer,
} from '../websites/move.ts';
import { getWebsite } from '../websites/websites.ts';
import { json, toId } from './call.ts';
import { givenIn, pageOf } from './list.ts';
import {
	done,
	read,
	renew,
	type SessionAnswer,
	type SessionCall,
	type SessionRoute,
	type SessionServices,
} from './session-routes.ts';
import { validate } from './validate.ts';

type Call = SessionCall & { session: Session };

const asking = ({ session }: Call): Asking => ({ kind: 'account', accountId: session.accountId });
const idIn = ({ params }: SessionCall): number => toId(params.id);

/** What is written down of a change tells whose it was. */
const noted = (
	answer: SessionAnswer,
	{ ownerId, websiteId, memberId }: Scope & { memberId?: number },
): SessionAnswer => ({
	...answer,
	about: { ownerId, websiteId: websiteId ?? undefined, subjectId: memberId },
});

function toMember({ id, name, email, role, websiteId, createdAt }: Member): MemberRecord {
	const of = websiteId === null ? 'account' : 'website';
	return { id, person: { name, email }, role, of, created_at: createdAt.toISOString() };
}

function toInvitation({ id, role, email, ...invitation }: Invitation): InvitationRecord {
	return {
		id,
		role,
		email,
		invited_by: invitation.invitedBy,
		created_at: invitation.createdAt.toISOString(),
		expires_at: invitation.expiresAt.toISOString(),
	};
}

/** The people of a website, or of the whole account. */
async function listPeople(
	call: Call,
	{ postgres, now }: SessionServices,
	websiteId: number | null,
): Promise<SessionAnswer> {
	const scope = await demandScope(postgres, asking(call), websiteId, 'read');
	const [owner, members, invitations] = await Promise.all([
		getPerson(postgres, scope.ownerId),
		listMembers(postgres, scope),
		listInvitations(postgres, now, scope),
	]);
	const record: PeopleRecord = {
		owner,
		members: members.map(toMember),
		invitations: invitations.map(toInvitation),
	};
	return json(200, { data: record });
}

async function invited(
	call: Call,
	{ postgres, now, publicAddress, attempts, hasMail, quota }: SessionServices,
	websiteId: number | null,
): Promise<SessionAnswer> {
	// Before the body is looked at: whoever may not see the website learns nothing from its fields.
	await demandScope(postgres, asking(call), websiteId, 'change');
	const { role, email } = read(inviteBody, call);
	let isMailed = hasMail && email !== undefined;
	// Nobody sends mail to the world in our name.
	const byAccount = { name: `invitations of ${call.session.accountId}`, free: 20, maxDelaySeconds: 3_600 };
	if (isMailed) await attempts.take([byAccount]);
	const { invitation, token, scope } = await invite(postgres, now, asking(call), { websiteId, role, email });
	const link = `${publicAddress.current()}/join#token=${token}`;
	if (isMailed && email !== undefined) {
		const { locale } = await getAccount(postgres, now, call.session.accountId);
		const message = invitationMessage(locale, { by: invitation.invitedBy, url: link });
		isMailed = await postgres.transaction((tx) =>
			queueMail(tx, now, {
				key: `invitation ${invitation.id}`,
				mail: { to: email, ...message },
				by: { accountId: call.session.accountId, quota },
			}),
		);
	}
	const record: ShownInvitation = { ...toInvitation(invitation), link, mailed: isMailed };
	return noted(json(201, { data: record }), scope);
}

/** Without a session: a new account, that is a member from its first moment. */
async function joinAsNew(
	call: SessionCall & { session: Session | undefined },
	services: SessionServices,
): Promise<SessionAnswer> {
	const { postgres, now, attempts } = services;
	const { token, password, email, ...account } = read(joinAsNewBody, call);
	// Nobody without an invitation makes us hash anything, and one does not serve to ask for many addresses.
	const invitation = await getInvitation(postgres, now, token);
	const tries: Bucket = { name: `joining by ${token}`, free: 10, maxDelaySeconds: 900 };
	await attempts.take([tries]);
	const passwordHash = await hashPassword(password);
	return postgres.transaction(async (tx) => {
		const created = await createAccountWithoutKey(tx, now, {
			...account,
			email: invitation.email ?? email ?? '',
		});
		await setPassword(tx, created.id, passwordHash);
		const scope = await acceptInvitation(tx, now, token, created);
		const session = await renew(tx, services, call, created.id);
		return { ...noted(done({ account_id: created.id }, session), scope), accountId: created.id };
	});
}

const toOffer = (offer: Offer): OfferRecord => ({
	website_id: offer.websiteId,
	domain: offer.domain,
	email: offer.email,
	offered_at: offer.offeredAt.toISOString(),
});

function toChange(change: Change): ChangeRecord {
	const { id, at, what, accountId, keyId, websiteId } = change;
	return {
		id,
		at: at.toISOString(),
		what,
		by:
			accountId === null
				? null
				: { account_id: accountId, name: change.accountName, email: change.accountEmail },
		key: keyId === null ? null : { id: keyId, name: change.keyName },
		website: websiteId === null ? null : { id: websiteId, domain: change.domain },
		subject: change.subjectId === null ? null : { account_id: change.subjectId, name: change.subjectName },
	};
}

async function history(
	call: Call,
	{ postgres, publicAddress }: SessionServices,
	of: { ownerId: number; websiteId?: number },
): Promise<SessionAnswer> {
	const given = givenIn(call.query, listChangesQuery);
	const { page, per_page: perPage } = validate(listChangesQuery, given);
	const { changes, total } = await listChanges(postgres, of, { skip: (page - 1) * perPage, count: perPage });
	const path = of.websiteId === undefined ? '/changes' : `/websites/${of.websiteId}/changes`;
	return json(200, {
		data: changes.map(toChange),
		...pageOf({
			address: `${publicAddress.current()}/app/api${path}`,
			given,
			page,
			perPage,
			count: changes.length,
			total,
		}),
	});
}

/** Members, invitations, moved websites and who changed what: for people who are signed in, not for keys. */
export const peopleRoutes: readonly SessionRoute[] = [
	{
		method: 'GET',
		path: '/people',
		needs: 'session',
		handle: (call, services) => listPeople(call, services, null),
	},
	{
		method: 'POST',
		path: '/people/invitations',
		what: 'invite',
		needs: 'session',
		handle: (call, services) => invited(call, services, null),
	},
	{
		method: 'GET',
		path: '/websites/:id/people',
		needs: 'session',
		handle: (call, services) => listPeople(call, services, idIn(call)),
	},
	{
		method: 'POST',
		path: '/websites/:id/people/invitations',
		what: 'invite',
		needs: 'session',
		handle: (call, services) => invited(call, services, idIn(call)),
	},
	{
		method: 'DELETE',
		path: '/invitations/:id',
		what: 'withdrawInvitation',
		needs: 'session',
		handle: async (call, { postgres }) =>
			noted(done({ withdrawn: true }), await withdrawInvitation(postgres, asking(call), idIn(call))),
	},
	{
		method: 'PUT',
		path: '/members/:id',
		what: 'changeRole',
		needs: 'session',
		handle: async (call, { postgres }) => {
			const { role } = read(changeRoleBody, call);
			return noted(done({ role }), await changeRole(postgres, asking(call), idIn(call), role));
		},
	},
	{
		method: 'DELETE',
		path: '/members/:id',
		what: 'removeMember',
		needs: 'session',
		handle: async (call, { postgres }) => {
			const member = await removeMember(postgres, asking(call), idIn(call));
			const hasLeft = member.memberId === call.session.accountId;
			return { ...noted(done({ removed: true }), member), ...(hasLeft && { what: 'leave' }) };
		},
	},
	{
		method: 'GET',
		path: '/memberships',
		needs: 'session',
		handle: async ({ session }, { postgres }) => {
			const found = await listMemberships(postgres, session.accountId);
			const records = found.map(
				({ id, role, ownerName: name, ownerEmail: email, websiteId, domain }): MembershipRecord => ({
					id,
					owner: { name, email },
					website: websiteId === null ? null : { id: websiteId, domain: domain ?? '' },
					role,
				}),
			);
			return json(200, { data: records });
		},
	},
	{
		method: 'GET',
		path: '/roles',
		needs: 'session',
		handle: async ({ session }, { postgres }) => {
			const found = await listSharedRoles(postgres, session.accountId);
			const records = found.map(
				({ websiteId, role, ownerName: name, ownerEmail: email }): RoleRecord => ({
					website_id: websiteId,
					role,
					owner: { name, email },
				}),
			);
			return json(200, { data: records });
		},
	},
	{
		method: 'POST',
		path: '/join/look',
		needs: 'nothing',
		handle: async (call, { postgres, now }) => {
			const { websiteId, domain, ...found } = await getInvitation(postgres, now, read(joinBody, call).token);
			const record: JoinRecord = {
				role: found.role,
				invited_by: found.invitedBy,
				owner: found.ownerName,
				website: websiteId === null ? null : { id: websiteId, domain: domain ?? '' },
				email: found.email,
				has_account: found.hasAccount,
				expires_at: found.expiresAt.toISOString(),
			};
			return json(200, { data: record });
		},
	},
	{
		method: 'POST',
		path: '/join',
		what: 'join',
		needs: 'session',
		handle: async (call, { postgres, now }) => {
			const { token } = read(joinBody, call);
			const account = await getAccount(postgres, now, call.session.accountId);
			const scope = await postgres.transaction((tx) => acceptInvitation(tx, now, token, account));
			return noted(done({ website_id: scope.websiteId }), scope);
		},
	},
	{ method: 'POST', path: '/join/account', what: 'join', needs: 'nothing', handle: joinAsNew },
	{
		method: 'GET',
		path: '/websites/:id/offer',
		needs: 'session',
		handle: async (call, { postgres }) => {
			const offer = await readOffer(postgres, asking(call), idIn(call));
			return json(200, { data: offer ? toOffer(offer) : null });
		},
	},
	{
		method: 'PUT',
		path: '/websites/:id/offer',
		what: 'offerWebsite',
		needs: 'session',
		handle: async (call, { postgres, now }) => {
			const id = idIn(call);
			await getWebsite(postgres, asking(call), 'website.move', id);
			const { email } = read(offerBody, call);
			const offer = await offerWebsite(postgres, now, asking(call), { id, email });
			return { ...json(200, { data: toOffer(offer) }), about: { websiteId: id } };
		},
	},
	{
		method: 'DELETE',
		path: '/websites/:id/offer',
		what: 'withdrawOffer',
		needs: 'session',
		handle: async (call, { postgres }) => {
			const id = idIn(call);
			await withdrawOffer(postgres, asking(call), id);
			return { ...done({ withdrawn: true }), about: { websiteId: id } };
		},
	},
	{
		method: 'GET',
		path: '/offers',
		needs: 'session',
		handle: async ({ session }, { postgres }) => {
			const found = await listReceivedOffers(postgres, session.accountId);
			const records = found.map(
				({ websiteId, domain, fromName: name, fromEmail: email, offeredAt }): ReceivedOfferRecord => ({
					website_id: websiteId,
					domain,
					from: { name, email },
					offered_at: offeredAt.toISOString(),
				}),
			);
			return json(200, { data: records });
		},
	},
	{
		// It writes down what it did itself, for both who it concerns.
		method: 'POST',
		path: '/offers/:id/accept',
		needs: 'session',
		handle: async (call, { postgres, now }) => {
			const { id, domain } = await acceptOffer(postgres, now, asking(call), idIn(call));
			return done({ website_id: id, domain });
		},
	},
	{
		method: 'DELETE',
		path: '/offers/:id',
		what: 'declineOffer',
		needs: 'session',
		handle: async (call, { postgres }) => {
			await declineOffer(postgres, asking(call), idIn(call));
			return done({ declined: true });
		},
	},
	{
		method: 'GET',
		path: '/doctor',
		needs: 'session',
		handle: async ({ session: { accountId } }, { postgres, now, examine }) => {
			const isFirst = await isFirstAccount(postgres, accountId);
			demand({ kind: 'account', accountId, isFirst }, 'service.examine');
			const record: DoctorRecord = { examined_at: now().toISOString(), findings: await examine() };
			return json(200, { data: record });
		},
	},
	{
		method: 'GET',
		path: '/changes',
		needs: 'session',
		handle: (call, services) => {
			demand(asking(call), 'account.history');
			return history(call, services, { ownerId: call.session.accountId });
		},
	},
	{
		method: 'GET',
		path: '/websites/:id/changes',
		needs: 'session',
		handle: async (call, services) => {
			const id = idIn(call);
			const { accountId } = await getWebsite(services.postgres, asking(call), 'website.history', id);
			return history(call, services, { ownerId: accountId, websiteId: id });
		},
	},
];
