import { useQuery } from '@tanstack/react-query';
import type { MemberRole } from '../../api/people.ts';
import { people } from '../people-client.ts';

/** Those that can be given. */
export const memberRoles = ['viewer', 'editor', 'admin'] as const satisfies readonly MemberRole[];

export type SharedRole = { role: MemberRole; ownerName: string };

/** The role on every website of others that is shared with the account; all else in its lists is its own. */
export function useSharedRoles(): ReadonlyMap<number, SharedRole> {
	const query = useQuery({ queryKey: ['roles'], queryFn: people.roles, staleTime: 60_000 });
	return new Map(
		(query.data ?? []).map(({ website_id: id, role, owner }) => [id, { role, ownerName: owner.name }]),
	);
}
