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

export const websiteColumns = sql`id, account_id AS "accountId", domain, domain_unicode AS "domainUnicode", privacy,
	password_hash AS "passwordHash", email, exclude_bots AS "excludeBots", exclude_params AS "excludeParams",
	exclude_ips AS "excludeIps", favorite, timezone, created_at AS "createdAt", updated_at AS "updatedAt"`;

/** A website, with the role that the account of the principal has on it. */
export type LoadedWebsite = Website & Stake;

async function loadWebsite(
	postgres: Queries,
	principal: Principal,
	id: number,
	lock: Sql = sql``,
): Promise<LoadedWebsite | undefined> {
	const role = principal.kind === 'account' ? memberRole(principal.accountId) : sql`NULL`;
	const [website] = await postgres.rows<LoadedWebsite>(
		sql`SELECT ${websiteColumns}, ${role} AS "memberRole" FROM websites WHERE id = ${value(id)} ${lock}`,
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

/** The highest role of a member on a website, from a membership of the website or of the owner's account. */
export const memberRole = (accountId: number) => sql`(
	SELECT role FROM members
	WHERE member_id = ${value(accountId)} AND owner_id = websites.account_id
		AND (members.website_id = websites.id OR members.website_id IS NULL)
	ORDER BY array_position(ARRAY['admin', 'editor', 'viewer'], role) LIMIT 1
)`;
