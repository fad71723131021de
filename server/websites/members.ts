/**
 * Members of websites. A member has a role on one website, or on all current and future websites of an account. Every request
 * looks up the role, so changes take effect at once.
 */
import type { MemberRole } from '../../api/people.ts';
import { notFound, requirePermission } from '../accounts/authorize.ts';
import { holdOwnership } from '../accounts/owners.ts';
import { primaryOwner } from '../accounts/people.ts';
import type { PersonPrincipal } from '../accounts/principal.ts';
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

type MemberRow = Scope & { id: number; memberId: number; role: MemberRole };

/** Checks that the principal may read or change the members of a website, or with null of its account. */
export async function requireScope(
	postgres: Queries,
	principal: PersonPrincipal,
	websiteId: number | null,
	want: 'read' | 'change',
): Promise<Scope> {
	if (websiteId === null) {
		requirePermission(principal, `people.${want}`);
		if (want === 'change') await holdOwnership(postgres, principal);
		return { ownerId: principal.accountId, websiteId };
	}
	const { accountId } = await getWebsite(postgres, principal, `members.${want}`, websiteId);
	return { ownerId: accountId, websiteId };
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
	principal: PersonPrincipal,
	id: number,
	own: 'allowed' | 'not',
): Promise<MemberRow> {
	const [member] = await tx.rows<MemberRow>(sql`
		SELECT id, owner_id AS "ownerId", website_id AS "websiteId", member_id AS "memberId", role
		FROM members WHERE id = ${value(id)} FOR UPDATE`);
	if (!member) throw notFound();
	if (own === 'allowed' && member.memberId === principal.personId) return member;
	const { ownerId } = await requireScope(tx, principal, member.websiteId, 'change');
	if (ownerId !== member.ownerId) throw notFound();
	return member;
}

export async function changeRole(
	postgres: Postgres,
	principal: PersonPrincipal,
	id: number,
	role: MemberRole,
): Promise<MemberRow> {
	return postgres.transaction(async (tx) => {
		const member = await getMember(tx, principal, id, 'not');
		await tx.run(sql`UPDATE members SET role = ${value(role)} WHERE id = ${value(id)}`);
		if (role !== 'admin') await withdrawInvitationsOf(tx, member);
		return member;
	});
}

/** Removes a member. Members can also remove themselves. */
export async function removeMember(
	postgres: Postgres,
	principal: PersonPrincipal,
	id: number,
): Promise<MemberRow> {
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
	{ ownerId, memberId }: Pick<MemberRow, 'ownerId' | 'memberId'>,
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
