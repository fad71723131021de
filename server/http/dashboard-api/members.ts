import type { MembershipRecord, RoleRecord } from '../../../api/people.ts';
import { requirePermission } from '../../accounts/authorize.ts';
import { makePrimaryOwner, removeOwner } from '../../accounts/owners.ts';
import { requireProof } from '../../accounts/sign-in.ts';
import { listMemberships, listSharedRoles } from '../../websites/members.ts';
import { json, readId } from '../api/route.ts';
import { ok, parseProof, type SessionRoute } from './session-route.ts';

/** The owners of the account that a person works in, and the roles of the person on other accounts. */
export const memberRoutes: readonly SessionRoute[] = [
	{
		methods: ['PUT'],
		path: '/owners/:id/primary',
		operation: 'makePrimaryOwner',
		handle: async (call, services) => {
			const { personId } = call.session;
			const id = readId(call);
			requirePermission(call.principal, 'owners.change');
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
			requirePermission(call.principal, 'owners.change');
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
