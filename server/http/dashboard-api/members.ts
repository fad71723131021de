import {
	changeRoleBody,
	type MemberRecord,
	type MembershipRecord,
	type PeopleRecord,
	type RoleRecord,
} from '../../../api/people.ts';
import { listInvitations } from '../../websites/invitations.ts';
import {
	changeRole,
	getPerson,
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

/** The members and invitations of a website, or with null of the whole account. */
async function listPeople(
	{ principal }: SessionRequest,
	{ postgres, now }: SessionServices,
	websiteId: number | null,
): Promise<SessionResponse> {
	const scope = await requireScope(postgres, principal, websiteId, 'read');
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

/** Members of an account or a website, and the roles of the caller on other accounts. */
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
			const hasLeft = member.memberId === call.session.accountId;
			return { ...audited(ok({ removed: true }), member), ...(hasLeft && { operation: 'leave' }) };
		},
	},
	{
		methods: ['GET'],
		path: '/memberships',
		handle: async ({ session }, { postgres }) => {
			const memberships = await listMemberships(postgres, session.accountId);
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
			const roles = await listSharedRoles(postgres, session.accountId);
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
