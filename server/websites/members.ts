/**
 * Members of websites. A member has a role on one website, or on all current and future websites of an account. Every request
 * looks up the role, so changes take effect at once.
 */
import type { InvitedRole, MemberRole } from '../../api/people.ts';
import { accountOf, notFound, requirePermission } from '../accounts/authorize.ts';
import { scopesMissingFor } from '../accounts/key-limits.ts';
import { holdOwnership } from '../accounts/owners.ts';
import { primaryOwner } from '../accounts/people.ts';
import type { Principal } from '../accounts/principal.ts';
import { AppError } from '../lib/app-error.ts';
import type { Clock } from '../lib/clock.ts';
import type { Postgres, Queries } from '../store/postgres.ts';
import { type Sql, sql, value } from '../store/sql.ts';
import { getWebsite } from './get-website.ts';

/** How a person is named to others. */
export type Contact = { name: string; email: string };

/** One website of an account, or all of them. `ownerId` is the account. */
export type Scope = { ownerId: number; websiteId: number | null };

export type Member = Contact & {
	id: number;
	role: MemberRole;
	websiteId: number | null;
	createdAt: Date;
};

/** `memberId`: the person. */
export type ChangedMember = Member & Scope & { memberId: number };

/** Checks that the principal may read or change the members of a website, or with null of its account. */
export async function requireScope(
	postgres: Queries,
	principal: Principal,
	websiteId: number | null,
	want: 'read' | 'change',
): Promise<Scope> {
	if (websiteId === null) {
		requirePermission(principal, `people.${want}`);
		if (want === 'change') await holdOwnership(postgres, principal);
		return { ownerId: accountOf(principal), websiteId };
	}
	const { accountId } = await getWebsite(postgres, principal, `members.${want}`, websiteId);
	return { ownerId: accountId, websiteId };
}

/** Refuses a key that cannot do itself what the role allows. Only people add owners. */
export function requireRoleToGive(principal: Principal, role: InvitedRole): void {
	if (role === 'owner') requirePermission(principal, 'owners.change');
	if (role === 'owner' || principal.kind !== 'key') return;
	const missing = scopesMissingFor(role, principal);
	if (missing.length > 0)
		throw new AppError(
			'forbidden',
			`This API key also needs the scope ${missing.join(' and ')} to give someone the role ${role}.`,
		);
}

/** For a website, this includes members of the whole account. */
export function listMembers(postgres: Queries, { ownerId, websiteId }: Scope): Promise<Member[]> {
	return postgres.rows<Member>(sql`
		SELECT m.id, a.name, a.email, m.role, m.website_id AS "websiteId", m.created_at AS "createdAt"
		FROM members m JOIN people a ON a.id = m.member_id
		WHERE m.owner_id = ${value(ownerId)}
			AND (m.website_id IS NULL ${websiteId === null ? sql`` : sql`OR m.website_id = ${value(websiteId)}`})
		ORDER BY lower(a.name), m.id`);
}

/**
 * Adds a member. If the person already has a role, the higher one is kept. A role from a group of a provider still ends with the
 * group, unless the invited one is at least as high.
 */
export async function addMember(
	tx: Queries,
	now: Clock,
	member: Scope & { memberId: number; role: MemberRole },
): Promise<void> {
	await tx.run(sql`
		INSERT INTO members AS m (owner_id, website_id, member_id, role, created_at)
		VALUES (${value(member.ownerId)}, ${value(member.websiteId)}, ${value(member.memberId)}, ${value(member.role)}, ${value(now())})
		ON CONFLICT (owner_id, website_id, member_id) DO UPDATE SET role = CASE
			WHEN ${rankOf(sql`excluded.role`)} > ${rankOf(sql`m.role`)} THEN excluded.role ELSE m.role END,
			oidc_provider_id = CASE
				WHEN ${rankOf(sql`excluded.role`)} >= ${rankOf(sql`m.role`)} THEN NULL ELSE m.oidc_provider_id END`);
}

const rankOf = (role: Sql) => sql`array_position(ARRAY['viewer', 'editor', 'admin'], ${role})`;

/** The member, if the principal may change it. Throws `not_found` otherwise. */
async function getMember(
	tx: Queries,
	principal: Principal,
	id: number,
	own: 'allowed' | 'not',
): Promise<ChangedMember> {
	const [member] = await tx.rows<ChangedMember>(sql`
		SELECT m.id, m.owner_id AS "ownerId", m.website_id AS "websiteId", m.member_id AS "memberId", m.role,
			p.name, p.email, m.created_at AS "createdAt"
		FROM members m JOIN people p ON p.id = m.member_id WHERE m.id = ${value(id)} FOR UPDATE OF m`);
	if (!member) throw notFound();
	if (own === 'allowed' && principal.kind === 'person' && member.memberId === principal.personId)
		return member;
	const { ownerId } = await requireScope(tx, principal, member.websiteId, 'change');
	if (ownerId !== member.ownerId) throw notFound();
	return member;
}

export async function changeRole(
	postgres: Postgres,
	principal: Principal,
	id: number,
	role: MemberRole,
): Promise<ChangedMember> {
	return postgres.transaction(async (tx) => {
		const member = await getMember(tx, principal, id, 'not');
		requireRoleToGive(principal, role);
		await tx.run(sql`UPDATE members SET role = ${value(role)} WHERE id = ${value(id)}`);
		if (role !== 'admin') await withdrawInvitationsOf(tx, member);
		return { ...member, role };
	});
}

/** Removes a member. Members can also remove themselves. */
export async function removeMember(
	postgres: Postgres,
	principal: Principal,
	id: number,
): Promise<ChangedMember> {
	return postgres.transaction(async (tx) => {
		const member = await getMember(tx, principal, id, 'allowed');
		await tx.run(sql`DELETE FROM members WHERE id = ${value(id)}`);
		await withdrawInvitationsOf(tx, member);
		return member;
	});
}

/** Invitations of a former admin must not work any longer. */
export async function withdrawInvitationsOf(
	tx: Queries,
	{ ownerId, memberId }: Pick<ChangedMember, 'ownerId' | 'memberId'>,
): Promise<void> {
	await tx.run(sql`
		DELETE FROM invitations WHERE owner_id = ${value(ownerId)} AND invited_by = ${value(memberId)}`);
}

export type Membership = {
	id: number;
	role: MemberRole;
	ownerName: string;
	ownerEmail: string;
	websiteId: number | null;
	domain: string | null;
};

/** The memberships of a person. */
export function listMemberships(postgres: Queries, personId: number): Promise<Membership[]> {
	return postgres.rows<Membership>(sql`
		SELECT m.id, m.role, o.name AS "ownerName", ${primaryOwner(sql`o.id`, 'email')} AS "ownerEmail", m.website_id AS "websiteId", w.domain
		FROM members m JOIN accounts o ON o.id = m.owner_id LEFT JOIN websites w ON w.id = m.website_id
		WHERE m.member_id = ${value(personId)} ORDER BY lower(o.name), m.website_id IS NOT NULL, w.domain`);
}

export type SharedRole = { websiteId: number; role: MemberRole; ownerName: string; ownerEmail: string };

/** All websites of other accounts that a person may see, with the highest role on each. */
export function listSharedRoles(postgres: Queries, personId: number): Promise<SharedRole[]> {
	return postgres.rows<SharedRole>(sql`
		SELECT DISTINCT ON (w.id) w.id AS "websiteId", m.role, o.name AS "ownerName", ${primaryOwner(sql`o.id`, 'email')} AS "ownerEmail"
		FROM members m
		JOIN accounts o ON o.id = m.owner_id AND o.disabled_at IS NULL
		JOIN websites w ON w.account_id = m.owner_id AND (m.website_id IS NULL OR m.website_id = w.id)
		WHERE m.member_id = ${value(personId)} ORDER BY w.id, ${rankOf(sql`m.role`)} DESC`);
}
