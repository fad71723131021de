import {
	changeRoleBody,
	type MemberRecord,
	type MembershipRecord,
	type OwnerRecord,
	type PeopleRecord,
	type RoleRecord,
} from '../../../api/people.ts';
import { requirePermission } from '../../accounts/authorize.ts';
import { listOwners, makePrimaryOwner, type Owner, removeOwner } from '../../accounts/owners.ts';
import { requireProof } from '../../accounts/sign-in.ts';
import { listInvitations } from '../../websites/invitations.ts';
import {
	changeRole,
	listMembers,
	listMemberships,
	listSharedRoles,
	type Member,
	removeMember,
	requireScope,
} from '../../websites/members.ts';
import { json, readId } from '../api/route.ts';
import { toInvitation } from './invitations.ts';
import {
	audited,
	ok,
	parseBody,
	parseProof,
	type SessionRequest,
	type SessionResponse,
	type SessionRoute,
	type SessionServices,
} from './session-route.ts';

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

/** The owners, members and invitations of a website, or with null of the whole account. */
async function listPeople(
	{ principal }: SessionRequest,
	{ postgres, now }: SessionServices,
	websiteId: number | null,
): Promise<SessionResponse> {
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

/** Owners and members of an account or a website, and the roles of the caller on other accounts. */
export const memberRoutes: readonly SessionRoute[] = [
	{
		methods: ['GET'],
		path: '/people',
		handle: (call, services) => listPeople(call, services, null),
	},
	{
		methods: ['GET'],
		path: '/websites/:id/people',
		handle: async (call, services) => listPeople(call, services, readId(call)),
	},
	{
		methods: ['PUT'],
		path: '/members/:id',
		operation: 'changeRole',
		handle: async (call, { postgres }) => {
			const { role } = parseBody(changeRoleBody, call);
			return audited(ok({ role }), await changeRole(postgres, call.principal, readId(call), role));
		},
	},
	{
		methods: ['DELETE'],
		path: '/members/:id',
		operation: 'removeMember',
		handle: async (call, { postgres }) => {
			const member = await removeMember(postgres, call.principal, readId(call));
			const hasLeft = member.memberId === call.session.personId;
			return { ...audited(ok({ removed: true }), member), ...(hasLeft && { operation: 'leave' }) };
		},
	},
	{
		methods: ['PUT'],
		path: '/owners/:id/primary',
		operation: 'makePrimaryOwner',
		handle: async (call, services) => {
			const { personId } = call.session;
			const id = readId(call);
			requirePermission(call.principal, 'people.change');
			await requireProof(services, personId, parseProof(call));
			await makePrimaryOwner(services.postgres, call.principal, id);
			return { ...ok({ is_primary: true }), audited: { subjectId: id } };
		},
	},
	{
		methods: ['DELETE'],
		path: '/owners/:id',
		operation: 'removeOwner',
		handle: async (call, services) => {
			const { personId } = call.session;
			const id = readId(call);
			requirePermission(call.principal, 'people.change');
			// A stolen session must not lock the other owners out.
			if (id !== personId) await requireProof(services, personId, parseProof(call));
			await removeOwner(services.postgres, services.now, call.principal, id);
			return {
				...ok({ removed: true }),
				audited: { subjectId: id },
				...(id === personId && { operation: 'leave' }),
			};
		},
	},
	{
		methods: ['GET'],
		path: '/memberships',
		handle: async ({ session }, { postgres }) => {
			const memberships = await listMemberships(postgres, session.personId);
			const records = memberships.map(
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
		methods: ['GET'],
		path: '/roles',
		handle: async ({ session }, { postgres }) => {
			const roles = await listSharedRoles(postgres, session.personId);
			const records = roles.map(
				({ websiteId, role, ownerName: name, ownerEmail: email }): RoleRecord => ({
					website_id: websiteId,
					role,
					owner: { name, email },
				}),
			);
			return json(200, { data: records });
		},
	},
];
