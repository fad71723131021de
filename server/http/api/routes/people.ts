import { singleRecord } from '../../../../api/envelopes.ts';
import { anyProofBody } from '../../../../api/passkeys.ts';
import {
	changeRoleBody,
	deletedInvitation,
	deletedMember,
	type InvitationRecord,
	inviteBody,
	type MemberRecord,
	memberRecord,
	type OwnerRecord,
	type PeopleRecord,
	peopleRecord,
	type ShownInvitation,
	shownInvitation,
} from '../../../../api/people.ts';
import type { Bucket } from '../../../accounts/attempts.ts';
import { accountOf } from '../../../accounts/authorize.ts';
import { listOwners, type Owner } from '../../../accounts/owners.ts';
import { findMailAddress, getPerson } from '../../../accounts/people.ts';
import type { Principal } from '../../../accounts/principal.ts';
import { findBrand } from '../../../branding/branding.ts';
import { invalid } from '../../../lib/app-error.ts';
import { invitationMessage } from '../../../notify/mail/messages.ts';
import { senderName } from '../../../notify/mail/names.ts';
import { queueMail } from '../../../notify/mail/queue.ts';
import {
	type Invitation,
	invite,
	listInvitations,
	withdrawInvitation,
} from '../../../websites/invitations.ts';
import {
	changeRole,
	listMembers,
	type Member,
	removeMember,
	requireRoleToGive,
	requireScope,
	type Scope,
} from '../../../websites/members.ts';
import { knownFields, readFields } from '../../request/read-body.ts';
import { readProof } from '../../request/read-proof.ts';
import { validate } from '../../request/validate.ts';
import { createOnce } from '../idempotency.ts';
import {
	type AccountRoute,
	type ApiRequest,
	type ApiResponse,
	type ApiRoute,
	json,
	nullAsEmpty,
	readId,
	type Services,
} from '../route.ts';
import { bodyErrors } from './items.ts';

const toMember = ({ id, name, email, role, websiteId, createdAt }: Member): MemberRecord => ({
	id,
	person: { name, email },
	role,
	of: websiteId === null ? 'account' : 'website',
	created_at: createdAt.toISOString(),
});

const toOwner = ({ personId, name, email, isPrimary, createdAt }: Owner): OwnerRecord => ({
	id: personId,
	person: { name, email },
	is_primary: isPrimary,
	created_at: createdAt.toISOString(),
});

const toInvitation = ({ id, role, email, ...invitation }: Invitation): InvitationRecord => ({
	id,
	role,
	email,
	invited_by: invitation.invitedBy,
	created_at: invitation.createdAt.toISOString(),
	expires_at: invitation.expiresAt.toISOString(),
});

/** Adds the account, the website and the affected person to the audit log. */
const audited = (
	response: ApiResponse,
	{ ownerId, websiteId }: Scope,
	more: ApiResponse['audited'] = {},
): ApiResponse => ({ ...response, audited: { ownerId, websiteId: websiteId ?? undefined, ...more } });

/** The owners, members and invitations of a website, or with null of the whole account. */
async function listPeople(
	{ principal }: ApiRequest,
	{ postgres, now }: Services,
	websiteId: number | null,
): Promise<ApiResponse> {
	const scope = await requireScope(postgres, principal, websiteId, 'read');
	const [owners, members, invitations] = await Promise.all([
		listOwners(postgres, scope.ownerId),
		listMembers(postgres, scope),
		listInvitations(postgres, now, scope),
	]);
	const record: PeopleRecord = {
		owners: owners.map(toOwner),
		members: members.map(toMember),
		invitations: invitations.map(toInvitation),
	};
	return json(200, { data: record });
}

const inviteFields = knownFields(inviteBody);
const provenFields = knownFields(inviteBody.extend(anyProofBody.shape));
const roleFields = knownFields(changeRoleBody);

/** An invitation of an owner is for one address, and the inviter must prove who they are. */
async function readInvitation(call: ApiRequest, { prove }: Services, websiteId: number | null) {
	const { principal, body, passkeyBrowser } = call;
	const values = validate(inviteBody, nullAsEmpty(readFields(body, inviteFields)));
	requireRoleToGive(principal, values.role);
	if (values.role !== 'owner' || principal.kind !== 'person') return values;
	if (websiteId !== null)
		throw invalid({
			role: ['Owners can only be invited to a whole account. Choose viewer, editor or admin.'],
		});
	if (values.email === undefined) throw invalid({ email: ['Enter the email address of the new owner.'] });
	await prove(principal.personId, readProof(readFields(body, provenFields), passkeyBrowser));
	return values;
}

type Sender = { locale: string; bucket: Bucket };

/** Who a mailed invitation is from, if their address is confirmed. Keys share one limit: more keys must not send more mail. */
async function findSender({ postgres }: Services, principal: Principal): Promise<Sender | undefined> {
	const limits = { free: 20, maxDelaySeconds: 3_600 };
	if (principal.kind === 'person') {
		const { locale, confirmedAt } = await getPerson(postgres, principal.personId);
		return confirmedAt === null
			? undefined
			: { locale, bucket: { name: `invitations of ${principal.personId}`, ...limits } };
	}
	const accountId = accountOf(principal);
	const own = await findMailAddress(postgres, accountId);
	return own && { locale: own.locale, bucket: { name: `invitations by keys of ${accountId}`, ...limits } };
}

function createInvitation(
	call: ApiRequest,
	services: Services,
	websiteId: number | null,
): Promise<ApiResponse> {
	const { now, attempts, alerts, shareLinks } = services;
	const { principal } = call;
	const toLink = (token: string) => `${shareLinks.baseUrl()}/join#token=${token}`;
	const path = websiteId === null ? '/people/invitations' : `/websites/${websiteId}/people/invitations`;
	return createOnce(
		call,
		services,
		{ path: `${path}\n` },
		{
			async prepare() {
				const { role, email } = await readInvitation(call, services, websiteId);
				const sender =
					alerts.hasMail && email !== undefined ? await findSender(services, principal) : undefined;
				// Invitations must not become a way to send mail to strangers.
				if (sender) await attempts.take([sender.bucket]);
				return { role, email, sender };
			},
			async run(tx, { role, email, sender }) {
				const { invitation, token, mailedToken, scope } = await invite(tx, now, principal, {
					websiteId,
					role,
					email,
					isMailed: sender !== undefined,
				});
				let isMailed = false;
				if (mailedToken !== undefined && email !== undefined && sender) {
					const brand = await findBrand(tx, scope.ownerId);
					const message = invitationMessage(sender.locale, {
						by: invitation.invitedBy,
						url: toLink(mailedToken),
						brandName: brand?.name,
					});
					isMailed = await queueMail(tx, now, {
						key: `invitation ${invitation.id}`,
						mail: { to: email, ...message, senderName: senderName(brand?.name) },
						by: { accountId: accountOf(principal), quota: alerts.quota },
					});
				}
				const record: ShownInvitation = {
					...toInvitation(invitation),
					link: toLink(token),
					mailed: isMailed,
				};
				const location = `${call.mountedAt}/invitations/${invitation.id}`;
				const response = json(201, { data: record }, { 'cache-control': 'no-store', location });
				return audited({ ...response, hasSecret: true }, scope, { what: 'invite' });
			},
		},
	);
}

const invitationErrors = [...bodyErrors, 'idempotency_conflict', 'limit_reached'] as const;
const invitationText =
	'Creates a link that gives one person a role, and mails another one to `email` if the service has a mail server. The link is shown only once and works for seven days, once, and only while the inviter can still invite. A key needs the scopes that the role includes, and cannot invite owners.';

const update: AccountRoute['handle'] = async (call, { postgres }) => {
	const { role } = validate(changeRoleBody, nullAsEmpty(readFields(call.body, roleFields)));
	const member = await changeRole(postgres, call.principal, readId(call, 'member_id'), role);
	return audited(json(200, { data: toMember(member) }), member, { subjectId: member.memberId });
};

const remove: AccountRoute['handle'] = async ({ principal, ...call }, { postgres }) => {
	const id = readId(call, 'member_id');
	const member = await removeMember(postgres, principal, id);
	const hasLeft = principal.kind === 'person' && member.memberId === principal.personId;
	return audited(json(200, { data: { id, object: 'member', deleted: true } }), member, {
		subjectId: member.memberId,
		...(hasLeft && { what: 'leave' }),
	});
};

/** Owners, members and invitations of an account or a website, and its activity log. */
export const peopleRoutes: readonly ApiRoute[] = [
	{
		methods: ['GET'],
		path: '/people',
		tag: 'people',
		action: 'people.read',
		operationId: 'listPeople',
		summary: 'List the people of the account',
		description:
			'Returns the owners of the account, the members with a role on all of its websites, and the open invitations to all of them.',
		response: { status: 200, schema: singleRecord(peopleRecord), description: 'The people.' },
		errors: [],
		handle: (call, services) => listPeople(call, services, null),
	},
	{
		methods: ['GET'],
		path: '/websites/:id/people',
		tag: 'people',
		action: 'members.read',
		operationId: 'listPeopleOfWebsite',
		summary: 'List the people of a website',
		description:
			'Returns the owners of its account, the members with a role on the website, and the open invitations to it.',
		response: { status: 200, schema: singleRecord(peopleRecord), description: 'The people.' },
		errors: ['not_found'],
		handle: (call, services) => listPeople(call, services, call.website.id),
	},
	{
		methods: ['POST'],
		path: '/people/invitations',
		tag: 'people',
		action: 'people.change',
		operationId: 'invite',
		summary: 'Invite someone to the account',
		description: `${invitationText} The role is for all current and future websites.`,
		body: inviteBody,
		response: { status: 201, schema: singleRecord(shownInvitation), description: 'The invitation.' },
		errors: invitationErrors,
		handle: (call, services) => createInvitation(call, services, null),
	},
	{
		methods: ['POST'],
		path: '/websites/:id/people/invitations',
		tag: 'people',
		action: 'members.change',
		operationId: 'inviteToWebsite',
		summary: 'Invite someone to a website',
		description: invitationText,
		body: inviteBody,
		response: { status: 201, schema: singleRecord(shownInvitation), description: 'The invitation.' },
		errors: invitationErrors,
		handle: (call, services) => createInvitation(call, services, call.website.id),
	},
	{
		methods: ['DELETE'],
		path: '/invitations/:invitation_id',
		tag: 'people',
		action: 'member.change',
		operationId: 'withdrawInvitation',
		summary: 'Withdraw an invitation',
		description: 'The links of the invitation stop working immediately.',
		response: { status: 200, schema: singleRecord(deletedInvitation), description: 'It was withdrawn.' },
		errors: ['not_found'],
		handle: async (call, { postgres }) => {
			const id = readId(call, 'invitation_id');
			const scope = await withdrawInvitation(postgres, call.principal, id);
			return audited(json(200, { data: { id, object: 'invitation', deleted: true } }), scope);
		},
	},
	{
		methods: ['PUT', 'PATCH'],
		path: '/members/:member_id',
		tag: 'people',
		action: 'member.change',
		operationId: 'changeRole',
		summary: 'Change the role of a member',
		description: 'Takes effect from the next request on. A key needs the scopes that the new role includes.',
		body: changeRoleBody,
		response: { status: 200, schema: singleRecord(memberRecord), description: 'The member.' },
		errors: bodyErrors,
		handle: update,
	},
	{
		methods: ['DELETE'],
		path: '/members/:member_id',
		tag: 'people',
		action: 'member.change',
		operationId: 'removeMember',
		summary: 'Remove a member',
		description: 'Their access ends immediately, and so do the invitations that they sent.',
		response: { status: 200, schema: singleRecord(deletedMember), description: 'They were removed.' },
		errors: ['not_found'],
		handle: remove,
	},
];
