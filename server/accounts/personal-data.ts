/** What the service stores about a person, for the person: to keep before they delete their sign-in, or to see what there is. */
import type { Queries } from '../store/postgres.ts';
import { type Sql, sql, value } from '../store/sql.ts';

/** The sections of the file, and the query of each. Secrets are left out: they give access and tell nothing. */
const sections = {
	person: (id: Sql) => sql`
		SELECT id, name, email, locale, week_start, created_at, confirmed_at, is_operator, totp_secret IS NOT NULL OR passkey_second_factor AS two_factor,
			password_hash IS NOT NULL AS has_password
		FROM people WHERE id = ${id}`,
	address_change: (id: Sql) => sql`
		SELECT email, created_at, expires_at FROM address_changes WHERE person_id = ${id}`,
	accounts: (id: Sql) => sql`
		SELECT a.id, a.name, o.is_primary, o.created_at AS owner_since,
			ARRAY(SELECT domain FROM websites WHERE account_id = a.id ORDER BY id) AS websites
		FROM account_owners o JOIN accounts a ON a.id = o.account_id WHERE o.person_id = ${id} ORDER BY a.id`,
	memberships: (id: Sql) => sql`
		SELECT a.name AS account, w.domain AS website, m.role, m.created_at AS since
		FROM members m JOIN accounts a ON a.id = m.owner_id LEFT JOIN websites w ON w.id = m.website_id
		WHERE m.member_id = ${id} ORDER BY m.id`,
	sessions: (id: Sql) => sql`
		SELECT browser, os, created_at, last_used_at, expires_at FROM sessions WHERE account_id = ${id} ORDER BY id`,
	passkeys: (id: Sql) => sql`
		SELECT name, rp_id AS host, is_backed_up AS is_synced, created_at, last_used_at FROM passkeys WHERE person_id = ${id} ORDER BY id`,
	identity_providers: (id: Sql) => sql`
		SELECT p.label AS provider, i.issuer, i.subject, i.created_at AS linked_at, i.last_used_at
		FROM oidc_identities i JOIN oidc_providers p ON p.id = i.provider_id WHERE i.person_id = ${id} ORDER BY i.id`,
	favorites: (id: Sql) => sql`
		SELECT w.domain FROM favorites f JOIN websites w ON w.id = f.website_id WHERE f.person_id = ${id} ORDER BY f.position`,
	boards: (id: Sql) => sql`
		SELECT name, period, cards, created_at, updated_at FROM boards WHERE account_id = ${id} ORDER BY id`,
	invitations: (id: Sql) => sql`
		SELECT role, email, created_at, expires_at FROM invitations WHERE invited_by = ${id} ORDER BY id`,
	activity: (id: Sql) => sql`
		SELECT at, what, website_id FROM changes WHERE account_id = ${id} AND key_id IS NULL ORDER BY id DESC LIMIT 10000`,
};

export async function readPersonalData(
	queries: Queries,
	personId: number,
): Promise<Record<keyof typeof sections, unknown[]>> {
	const data: Record<string, unknown[]> = {};
	for (const [name, query] of Object.entries(sections))
		data[name] = await queries.rowsUnprepared<Record<string, unknown>>(query(sql`${value(personId)}`));
	return data as Record<keyof typeof sections, unknown[]>;
}
