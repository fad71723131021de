/**
 * Roles from the groups of a provider. They are set at every sign-in. Only roles that a provider gave are changed or removed: a
 * role that a person has from an invitation stays.
 */
import { recordAudit } from '../accounts/audit-log.ts';
import { addOwner, isOwner, takeOwnership } from '../accounts/owners.ts';
import { AppError, invalid } from '../lib/app-error.ts';
import type { Clock } from '../lib/clock.ts';
import type { Queries } from '../store/postgres.ts';
import { sql, value } from '../store/sql.ts';
import { withdrawInvitationsOf } from '../websites/members.ts';

export const groupRoles = ['viewer', 'editor', 'admin', 'owner'] as const;
export type GroupRole = (typeof groupRoles)[number];

export type GroupMapping = {
	group: string;
	accountId: number | null;
	websiteId: number | null;
	role: GroupRole;
};

export function listMappings(queries: Queries, providerId: number): Promise<GroupMapping[]> {
	return queries.rows<GroupMapping>(sql`
		SELECT group_name AS "group", account_id AS "accountId", website_id AS "websiteId", role FROM oidc_group_roles
		WHERE provider_id = ${value(providerId)} ORDER BY group_name, account_id, website_id`);
}

/** Replaces the role that the group had there. */
export async function mapGroup(tx: Queries, providerId: number, mapping: GroupMapping): Promise<void> {
	const { group, accountId, websiteId, role } = mapping;
	if (group === '' || group.length > 200)
		throw invalid({ group: ['The group must have 1 to 200 characters.'] });
	if (role === 'owner' && websiteId !== null)
		throw invalid({ role: ['A website has no owners of its own. Choose viewer, editor or admin.'] });
	if (
		websiteId !== null &&
		(await tx.rows(sql`SELECT 1 FROM websites WHERE id = ${value(websiteId)}`)).length === 0
	)
		throw new AppError('not_found', `There is no website ${websiteId}.`);
	await tx.run(sql`
		INSERT INTO oidc_group_roles (provider_id, group_name, account_id, website_id, role)
		VALUES (${value(providerId)}, ${value(group)}, ${value(accountId)}, ${value(websiteId)}, ${value(role)})
		ON CONFLICT (provider_id, group_name, account_id, website_id) DO UPDATE SET role = excluded.role`);
}

/** Returns how many roles the group had. */
export const unmapGroup = (tx: Queries, providerId: number, group: string): Promise<number> =>
	tx.run(sql`
		DELETE FROM oidc_group_roles WHERE provider_id = ${value(providerId)} AND group_name = ${value(group)}`);

export async function hasMappedGroup(
	queries: Queries,
	{ providerId, groups }: { providerId: number; groups: readonly string[] },
): Promise<boolean> {
	const mapped = await queries.rows(sql`
		SELECT 1 FROM oidc_group_roles WHERE provider_id = ${value(providerId)} AND group_name = ANY(${value(groups)}::text[])
		LIMIT 1`);
	return mapped.length > 0;
}

/** Roles from groups appear in the activity log of the account that they are about. */
const recordRole = (
	tx: Queries,
	now: Clock,
	accountId: number,
	personId: number,
	websiteId?: number | null,
) =>
	recordAudit(tx, now, {
		by: { kind: 'person', personId, accountId },
		what: 'changeRoleByGroup',
		ownerId: accountId,
		websiteId: websiteId ?? undefined,
	});

type GivenRole = { accountId: number; websiteId: number | null; role: GroupRole };
type HeldRole = GivenRole & { id: number; providerId: number | null };

/** Gives the person the highest role of their groups on each account and website, and takes away what no group gives any longer. */
export async function applyGroupRoles(
	tx: Queries,
	now: Clock,
	{ providerId, personId, groups }: { providerId: number; personId: number; groups: readonly string[] },
): Promise<void> {
	// Two sign-ins of a person at once.
	await tx.run(sql`SELECT 1 FROM people WHERE id = ${value(personId)} FOR NO KEY UPDATE`);
	const given = await tx.rows<GivenRole>(sql`
		SELECT DISTINCT ON (owner_id, website_id) owner_id AS "accountId", website_id AS "websiteId", role FROM (
			SELECT coalesce(r.account_id, w.account_id) AS owner_id, r.website_id, r.role
			FROM oidc_group_roles r LEFT JOIN websites w ON w.id = r.website_id
			WHERE r.provider_id = ${value(providerId)} AND r.group_name = ANY(${value(groups)}::text[])
		) g ORDER BY owner_id, website_id, array_position(ARRAY['owner', 'admin', 'editor', 'viewer'], role)`);
	await applyOwners(tx, now, {
		providerId,
		personId,
		accountIds: given.filter(({ role }) => role === 'owner').map(({ accountId }) => accountId),
	});
	await applyMembers(tx, now, { providerId, personId, given: given.filter(({ role }) => role !== 'owner') });
}

async function applyOwners(
	tx: Queries,
	now: Clock,
	{
		providerId,
		personId,
		accountIds,
	}: { providerId: number; personId: number; accountIds: readonly number[] },
): Promise<void> {
	for (const accountId of accountIds) {
		if (await isOwner(tx, { accountId, personId })) continue;
		await addOwner(tx, now, { accountId, personId });
		await tx.run(sql`
			UPDATE account_owners SET oidc_provider_id = ${value(providerId)}
			WHERE account_id = ${value(accountId)} AND person_id = ${value(personId)}`);
		await recordRole(tx, now, accountId, personId);
	}
	// Whoever became the primary owner since then stays: an account never loses its last owner.
	const ended = await tx.rows<{ accountId: number }>(sql`
		SELECT account_id AS "accountId" FROM account_owners
		WHERE person_id = ${value(personId)} AND oidc_provider_id = ${value(providerId)} AND NOT is_primary
			AND account_id <> ALL(${value(accountIds)}::bigint[])`);
	for (const { accountId } of ended) {
		await takeOwnership(tx, now, { accountId, personId });
		await recordRole(tx, now, accountId, personId);
	}
}

async function applyMembers(
	tx: Queries,
	now: Clock,
	{ providerId, personId, given }: { providerId: number; personId: number; given: readonly GivenRole[] },
): Promise<void> {
	const held = await tx.rows<HeldRole>(sql`
		SELECT id, owner_id AS "accountId", website_id AS "websiteId", role, oidc_provider_id AS "providerId" FROM members
		WHERE member_id = ${value(personId)} FOR UPDATE`);
	const isSame = (a: GivenRole, b: GivenRole) => a.accountId === b.accountId && a.websiteId === b.websiteId;
	for (const role of given) {
		const current = held.find((other) => isSame(other, role));
		if (current) {
			if (current.providerId !== providerId || current.role === role.role) continue;
			await tx.run(sql`UPDATE members SET role = ${value(role.role)} WHERE id = ${value(current.id)}`);
			await recordRole(tx, now, role.accountId, personId, role.websiteId);
			if (role.role !== 'admin')
				await withdrawInvitationsOf(tx, { ownerId: role.accountId, memberId: personId });
		} else if (!(await isOwner(tx, { accountId: role.accountId, personId }))) {
			await tx.run(sql`
				INSERT INTO members (owner_id, website_id, member_id, role, created_at, oidc_provider_id)
				VALUES (${value(role.accountId)}, ${value(role.websiteId)}, ${value(personId)}, ${value(role.role)}, ${value(now())},
					${value(providerId)})`);
			await recordRole(tx, now, role.accountId, personId, role.websiteId);
		}
	}
	for (const role of held) {
		if (role.providerId !== providerId || given.some((other) => isSame(other, role))) continue;
		await tx.run(sql`DELETE FROM members WHERE id = ${value(role.id)}`);
		await recordRole(tx, now, role.accountId, personId, role.websiteId);
		await withdrawInvitationsOf(tx, { ownerId: role.accountId, memberId: personId });
	}
}
