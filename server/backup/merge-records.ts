import { giveAccount } from '../accounts/owners.ts';
import type { Clock } from '../lib/clock.ts';
import type { Queries } from '../store/postgres.ts';
import { sql, value } from '../store/sql.ts';
import { announce } from '../websites/announce.ts';
import { listTables } from './contents.ts';
import type { LateEvents } from './merge-rows.ts';
import { copiedTables, copyTable, hasSecondFactor, passwordHashPattern } from './merge-tables.ts';
import type { MergePlan } from './merge-types.ts';

/** Inserts accounts, websites and their records in one transaction, which makes the merge visible. */
export async function insertRecords(
	now: Clock,
	stage: Queries,
	{ origin }: MergePlan,
	late: LateEvents,
): Promise<void> {
	const columnsOf = new Map((await listTables(stage)).map(({ name, columns }) => [name, columns]));
	await stage.script('BEGIN');
	try {
		await insertAccounts(stage, now, origin);
		await stage.run(sql`
			INSERT INTO map_goals (old, new)
			SELECT g.id, nextval(pg_get_serial_sequence('goals', 'id')) FROM incoming_goals g
			JOIN map_websites w ON w.old = g.website_id`);
		await stage.run(sql`
			INSERT INTO map_rules (old, new)
			SELECT r.id, nextval(pg_get_serial_sequence('traffic_rules', 'id')) FROM incoming_traffic_rules r
			JOIN map_websites w ON w.old = r.website_id`);
		await mapGoalsInSegments(stage);
		for (const copied of copiedTables) await stage.run(copyTable(copied, columnsOf.get(copied.table) ?? []));
		await insertMembers(stage);
		await insertFavorites(stage);
		await insertRecipients(stage);
		for (const { websiteId, date, events } of late.values())
			await stage.run(sql`
				INSERT INTO days (website_id, date, last_batch, size)
				VALUES (${value(websiteId)}, ${value(date)}::date, 1, ${value(events)})
				ON CONFLICT (website_id, date) DO UPDATE SET
					last_batch = greatest(days.last_batch, days.sealed_batch) + 1, size = days.size + excluded.size`);
		await stage.run(sql`
			UPDATE accounts SET website_count = (SELECT count(*) FROM websites WHERE account_id = accounts.id)
			WHERE id IN (SELECT new FROM map_accounts)`);
		await stage.run(sql`
			UPDATE merged_websites SET done_at = ${value(now())} WHERE website_id IN (SELECT new FROM map_websites)`);
		for (const { id } of await stage.rows<{ id: number }>(sql`SELECT new AS id FROM map_websites`))
			await announce(stage, id);
		await stage.script('COMMIT');
	} catch (error) {
		await stage.script('ROLLBACK').catch(() => undefined);
		throw error;
	}
}

/**
 * Creates the people and accounts that do not exist here, with their passwords and API keys. Second factors cannot be merged:
 * the secret of an authenticator app is encrypted with the secret of the other installation, and a passkey belongs to its host
 * name. People who need one to sign in get no password either, but a link from the operator.
 */
async function insertAccounts(stage: Queries, now: Clock, origin: string): Promise<void> {
	await stage.run(sql`
		UPDATE map_accounts SET new = nextval(pg_get_serial_sequence('accounts', 'id')) WHERE is_new`);
	// A person has the id of the account that was created with them, or one that no account will have.
	await stage.run(sql`
		UPDATE map_people SET new = coalesce(
			(SELECT m.new FROM map_accounts m WHERE m.old = map_people.old AND m.is_new),
			nextval(pg_get_serial_sequence('accounts', 'id')))
		WHERE is_new`);
	await stage.run(sql`
		INSERT INTO people (id, name, email, locale, week_start, created_at, confirmed_at, password_hash)
		SELECT m.new, i.name, i.email, i.locale, i.week_start, i.created_at, i.confirmed_at,
			CASE WHEN NOT ${hasSecondFactor} AND i.password_hash ~ ${value(passwordHashPattern)} THEN i.password_hash END
		FROM incoming_people i JOIN map_people m ON m.old = i.id WHERE m.is_new ORDER BY i.id`);
	await stage.run(sql`
		INSERT INTO accounts (id, name, locale, timezone, created_at, disabled_at, website_limit, pageview_limit,
			hit_limit, report_schedule, report_digest, reports_since)
		OVERRIDING SYSTEM VALUE
		SELECT m.new, i.name, i.locale, i.timezone, i.created_at, i.disabled_at, i.website_limit, i.pageview_limit,
			i.hit_limit, i.report_schedule, i.report_digest, i.reports_since
		FROM incoming_accounts i JOIN map_accounts m ON m.old = i.id WHERE m.is_new ORDER BY i.id`);
	await stage.run(sql`
		INSERT INTO account_owners (account_id, person_id, is_primary, created_at)
		SELECT m.new, p.new, i.is_primary, i.created_at FROM incoming_account_owners i
		JOIN map_accounts m ON m.old = i.account_id AND m.is_new JOIN map_people p ON p.old = i.person_id
		WHERE i.is_primary OR i.oidc_provider_id IS NULL`);
	// Owners of accounts that exist here already are not merged; they get an account of their own.
	const people = await stage.rows<{ id: number }>(sql`
		SELECT new AS id FROM map_people WHERE is_new ORDER BY new`);
	for (const { id } of people) await giveAccount(stage, now, id);
	await stage.run(sql`
		INSERT INTO merged_people (origin, origin_id, person_id)
		SELECT ${value(origin)}::uuid, old, new FROM map_people WHERE new IS NOT NULL ON CONFLICT DO NOTHING`);
	await stage.run(sql`DELETE FROM setup_links`);
	await stage.run(sql`
		INSERT INTO api_keys (account_id, name, digest, restricted_digest, ending, access, scopes, expires_at, networks,
			expiry_warned_days, website_ids, created_at, last_used_at)
		SELECT m.new, k.name, k.digest, k.restricted_digest, k.ending, k.access, k.scopes, k.expires_at, k.networks,
			k.expiry_warned_days,
			CASE WHEN k.website_ids IS NOT NULL THEN ARRAY(SELECT w.new FROM map_websites w WHERE w.old = ANY(k.website_ids)) END,
			k.created_at, k.last_used_at
		FROM incoming_api_keys k JOIN map_accounts m ON m.old = k.account_id WHERE m.is_new
		ON CONFLICT (digest) DO NOTHING`);
	// Once per account of the archive, even if more of its websites are merged later.
	await stage.run(sql`
		INSERT INTO account_usage (account_id, month, pageviews)
		SELECT m.new, u.month, sum(u.pageviews) FROM incoming_account_usage u JOIN map_accounts m ON m.old = u.account_id
		WHERE NOT EXISTS (SELECT 1 FROM merged_accounts WHERE origin = ${value(origin)}::uuid AND origin_id = u.account_id)
		GROUP BY m.new, u.month
		ON CONFLICT (account_id, month) DO UPDATE SET pageviews = account_usage.pageviews + excluded.pageviews`);
	await stage.run(sql`
		INSERT INTO merged_accounts (origin, origin_id, account_id, is_same_person)
		SELECT ${value(origin)}::uuid, m.old, m.new, EXISTS (
			SELECT 1 FROM incoming_account_owners i JOIN map_people p ON p.old = i.person_id
			JOIN account_owners o ON o.account_id = m.new AND o.person_id = p.new AND o.is_primary
			WHERE i.account_id = m.old AND i.is_primary)
		FROM map_accounts m ON CONFLICT DO NOTHING`);
}

/** Filters contain goal ids at any depth: ["is", "goal", ["3"]]. */
async function mapGoalsInSegments(stage: Queries): Promise<void> {
	const goals = new Map(
		(await stage.rows<{ old: number; new: number }>(sql`SELECT old, new FROM map_goals`)).map((row) => [
			String(row.old),
			row.new,
		]),
	);
	const segments = await stage.rows<{ id: number; filters: unknown }>(sql`
		SELECT id, filters FROM incoming_segments s JOIN map_websites w ON w.old = s.website_id`);
	const mapped = (part: unknown): unknown => {
		if (!Array.isArray(part)) return part;
		const [test, dimension, values] = part;
		if (dimension !== 'goal' || !Array.isArray(values)) return part.map(mapped);
		return [test, dimension, values.map((goal) => String(goals.get(String(goal)) ?? goal)), ...part.slice(3)];
	};
	for (const { id, filters } of segments)
		await stage.run(sql`
			UPDATE incoming_segments SET filters = ${value(JSON.stringify(mapped(filters)))}::jsonb WHERE id = ${value(id)}`);
}

/** Roles from groups stay behind, as providers do. For an owner who already had an account here, a role on all websites becomes a role on each merged website. */
async function insertMembers(stage: Queries): Promise<void> {
	await stage.run(sql`
		INSERT INTO members (owner_id, website_id, member_id, role, created_at)
		SELECT o.new, w.new, p.new, i.role, i.created_at
		FROM incoming_members i
		JOIN map_accounts o ON o.old = i.owner_id
		JOIN map_people p ON p.old = i.member_id AND p.new IS NOT NULL
			AND NOT EXISTS (SELECT 1 FROM account_owners own WHERE own.account_id = o.new AND own.person_id = p.new)
		JOIN incoming_websites theirs ON theirs.account_id = i.owner_id AND (i.website_id IS NULL OR theirs.id = i.website_id)
		JOIN map_websites w ON w.old = theirs.id
		WHERE (i.website_id IS NOT NULL OR NOT o.is_new) AND i.oidc_provider_id IS NULL
		UNION ALL
		SELECT o.new, NULL, p.new, i.role, i.created_at
		FROM incoming_members i
		JOIN map_accounts o ON o.old = i.owner_id AND o.is_new
		JOIN map_people p ON p.old = i.member_id AND p.new IS NOT NULL
		WHERE i.website_id IS NULL AND i.oidc_provider_id IS NULL
		ON CONFLICT DO NOTHING`);
}

/** Favorites of people who have favorites here already come after those. */
async function insertFavorites(stage: Queries): Promise<void> {
	await stage.run(sql`
		INSERT INTO favorites (person_id, website_id, position)
		SELECT p.new, w.new, i.position + coalesce((SELECT max(position) FROM favorites WHERE person_id = p.new), 0)
		FROM incoming_favorites i JOIN map_people p ON p.old = i.person_id AND p.new IS NOT NULL
		JOIN map_websites w ON w.old = i.website_id
		ON CONFLICT DO NOTHING`);
}

/** As with members, for confirmed recipients of reports. */
async function insertRecipients(stage: Queries): Promise<void> {
	await stage.run(sql`
		INSERT INTO report_recipients (account_id, website_id, address, locale, expires_at, confirmed_at, created_at)
		SELECT o.new, w.new, i.address, i.locale, i.expires_at, i.confirmed_at, i.created_at
		FROM incoming_report_recipients i
		JOIN map_accounts o ON o.old = i.account_id
		JOIN incoming_websites theirs ON theirs.account_id = i.account_id AND (i.website_id IS NULL OR theirs.id = i.website_id)
		JOIN map_websites w ON w.old = theirs.id
		WHERE i.confirmed_at IS NOT NULL AND i.unsubscribed_at IS NULL AND (i.website_id IS NOT NULL OR NOT o.is_new)
		UNION ALL
		SELECT o.new, NULL, i.address, i.locale, i.expires_at, i.confirmed_at, i.created_at
		FROM incoming_report_recipients i JOIN map_accounts o ON o.old = i.account_id AND o.is_new
		WHERE i.confirmed_at IS NOT NULL AND i.unsubscribed_at IS NULL AND i.website_id IS NULL
		ON CONFLICT DO NOTHING`);
}
