import { type Action, authorize, notFound, requirePermission, type Stake } from '../accounts/authorize.ts';
import type { Principal } from '../accounts/principal.ts';
import type { Queries } from '../store/postgres.ts';
import { type Sql, sql, value } from '../store/sql.ts';

export type Website = {
	id: number;
	accountId: number;
	domain: string;
	domainUnicode: string | null;
	privacy: 0 | 1 | 2;
	passwordHash: string | null;
	email: boolean;
	excludeBots: boolean;
	excludeParams: string | null;
	excludeIps: string | null;
	favorite: boolean;
	timezone: string;
	createdAt: Date;
	updatedAt: Date;
};

const websiteColumns = sql`id, account_id AS "accountId", domain, domain_unicode AS "domainUnicode", privacy,
	password_hash AS "passwordHash", email, exclude_bots AS "excludeBots", exclude_params AS "excludeParams",
	exclude_ips AS "excludeIps", timezone, created_at AS "createdAt", updated_at AS "updatedAt"`;

/** The columns of a website as a principal sees it. People have favorites of their own. */
export const columnsFor = (principal: Principal): Sql =>
	principal.kind === 'person'
		? sql`${websiteColumns}, ${isFavoriteOf(principal.personId)} AS favorite, ${roleOn(principal.personId)} AS role`
		: sql`${websiteColumns}, favorite, NULL AS role`;

/** A condition on `websites`. */
export const isFavoriteOf = (personId: number): Sql =>
	sql`EXISTS (SELECT 1 FROM favorites WHERE favorites.website_id = websites.id AND favorites.person_id = ${value(personId)})`;

/** A website, with the role of the calling person on it. */
export type LoadedWebsite = Website & Stake;

async function loadWebsite(
	postgres: Queries,
	principal: Principal,
	id: number,
	lock: Sql = sql``,
): Promise<LoadedWebsite | undefined> {
	const [website] = await postgres.rows<LoadedWebsite>(
		sql`SELECT ${columnsFor(principal)} FROM websites WHERE id = ${value(id)} ${lock}`,
	);
	return website;
}

/** The website. Throws if it does not exist or the principal lacks the permission. */
export async function getWebsite(
	postgres: Queries,
	principal: Principal,
	action: Action,
	id: number,
	lock?: Sql,
): Promise<LoadedWebsite> {
	const website = await loadWebsite(postgres, principal, id, lock);
	if (!website) throw notFound();
	requirePermission(principal, action, website);
	return website;
}

/** Like `getWebsite`, but returns undefined instead of throwing. */
export async function findWebsite(
	postgres: Queries,
	principal: Principal,
	action: Action,
	id: number,
): Promise<LoadedWebsite | undefined> {
	const website = await loadWebsite(postgres, principal, id);
	return website && authorize(principal, action, website) === 'allowed' ? website : undefined;
}

/** The role of a person on a website: as an owner of its account, or the highest one as a member. */
const roleOn = (personId: number): Sql => sql`CASE
	WHEN EXISTS (
		SELECT 1 FROM account_owners o JOIN accounts a ON a.id = o.account_id AND a.disabled_at IS NULL
		WHERE o.person_id = ${value(personId)} AND o.account_id = websites.account_id
	) THEN 'owner'
	ELSE (
		SELECT m.role FROM members m JOIN accounts a ON a.id = m.owner_id AND a.disabled_at IS NULL
		WHERE m.member_id = ${value(personId)} AND m.owner_id = websites.account_id
			AND (m.website_id = websites.id OR m.website_id IS NULL)
		ORDER BY array_position(ARRAY['admin', 'editor', 'viewer'], m.role) LIMIT 1
	) END`;
