import { getConfirmedAccountOf } from '../accounts/accounts.ts';
import { primaryOwner } from '../accounts/people.ts';
import { AppError } from '../lib/app-error.ts';
import { findTimezone } from '../lib/timezones.ts';
import type { Queries } from '../store/postgres.ts';
import { sql, value } from '../store/sql.ts';
import { readDomain } from '../websites/domain.ts';
import type { MergeOptions, MergePlan, PlannedWebsite } from './merge-types.ts';

/**
 * Decides which website goes to which account. Fills `map_accounts` (owner of the websites) and `map_people` (the same
 * person) with the accounts that exist here.
 */
export async function makePlan(
	stage: Queries,
	{ account, examined }: Pick<MergeOptions, 'account' | 'examined'>,
): Promise<MergePlan> {
	const [theirs] = await stage.rows<{ id: string }>(sql`SELECT id FROM incoming_instance`);
	const [ours] = await stage.rows<{ id: string }>(sql`SELECT id FROM instance`);
	if (!theirs) throw new AppError('bad_request', 'The archive does not name its installation.');
	if (theirs.id === ours?.id)
		throw new AppError(
			'bad_request',
			`The archive is of this installation, as of ${examined.head.madeAt}. To restore it, use \`tidemark restore\`.`,
		);
	await stage.script(`
		CREATE TEMPORARY TABLE map_people (old bigint PRIMARY KEY, new bigint, is_new boolean NOT NULL);
		CREATE TEMPORARY TABLE map_accounts (old bigint PRIMARY KEY, new bigint, is_new boolean NOT NULL);
		CREATE TEMPORARY TABLE map_websites (old bigint PRIMARY KEY, new bigint NOT NULL);
		CREATE TEMPORARY TABLE map_goals (old bigint PRIMARY KEY, new bigint NOT NULL);
		CREATE TEMPORARY TABLE map_rules (old bigint PRIMARY KEY, new bigint NOT NULL);
		CREATE TEMPORARY TABLE map_imports (old bigint PRIMARY KEY, new bigint NOT NULL);`);
	// People and accounts merged earlier keep their mapping, even if an email address has changed since.
	await stage.run(sql`
		INSERT INTO map_people (old, new, is_new)
		SELECT i.id, coalesce(m.person_id, p.id), m.person_id IS NULL AND p.id IS NULL FROM incoming_people i
		LEFT JOIN merged_people m ON m.origin = ${value(theirs.id)}::uuid AND m.origin_id = i.id
		LEFT JOIN people p ON lower(p.email) = lower(i.email)`);
	const target = account === undefined ? undefined : (await getConfirmedAccountOf(stage, account)).id;
	await stage.run(sql`
		INSERT INTO map_accounts (old, new, is_new)
		SELECT old, new, new IS NULL FROM (
			SELECT i.account_id AS old, coalesce(${value(target ?? null)}::bigint, m.account_id, (
				SELECT min(account_id) FROM account_owners o WHERE o.person_id = p.new AND o.is_primary
			)) AS new
			FROM incoming_account_owners i JOIN map_people p ON p.old = i.person_id
			LEFT JOIN merged_accounts m ON m.origin = ${value(theirs.id)}::uuid AND m.origin_id = i.account_id AND m.is_same_person
			WHERE i.is_primary
		) mapped`);
	// With a target account, nobody is created.
	if (target !== undefined) await stage.run(sql`UPDATE map_people SET is_new = false`);
	const planned = await stage.rows<PlannedWebsite & { isDone: boolean }>(sql`
		SELECT w.id AS "oldId", w.domain, coalesce(m.origin, ${value(theirs.id)}::uuid)::text AS origin,
			coalesce(m.origin_id, w.id) AS "originId", coalesce(${primaryOwner(sql`map_accounts.new`, 'email')}, i.email) AS account,
			EXISTS (
				SELECT 1 FROM merged_websites b JOIN websites h ON h.id = b.website_id WHERE b.done_at IS NOT NULL
					AND b.origin = coalesce(m.origin, ${value(theirs.id)}::uuid) AND b.origin_id = coalesce(m.origin_id, w.id)
			) OR coalesce(m.origin = ${value(ours?.id ?? null)}::uuid, false) AS "isDone"
		FROM incoming_websites w
		JOIN incoming_account_owners own ON own.account_id = w.account_id AND own.is_primary
		JOIN incoming_people i ON i.id = own.person_id
		JOIN map_accounts ON map_accounts.old = w.account_id
		LEFT JOIN incoming_merged_websites m ON m.website_id = w.id AND m.done_at IS NOT NULL
		ORDER BY w.id`);
	const websites = planned.filter(({ isDone }) => !isDone);
	await refuseFaults(stage, websites);
	const owners = await stage.rows<{ email: string }>(sql`
		SELECT i.email FROM map_accounts m JOIN incoming_account_owners o ON o.account_id = m.old AND o.is_primary
		JOIN incoming_people i ON i.id = o.person_id WHERE m.is_new ORDER BY m.old`);
	return {
		websites,
		known: planned.length - websites.length,
		newAccounts: owners.map(({ email }) => email),
		origin: theirs.id,
	};
}

/** Throws with everything that prevents the merge. */
async function refuseFaults(stage: Queries, websites: readonly PlannedWebsite[]): Promise<void> {
	const errors: Record<string, string[]> = {};
	const fault = (name: string, text: string) => {
		errors[name] = [...(errors[name] ?? []), text];
	};
	const ids = websites.map(({ oldId }) => oldId);
	const taken = await stage.rows<{ domain: string; email: string }>(sql`
		SELECT w.domain, ${primaryOwner(sql`m.new`, 'email')} AS email FROM incoming_websites w
		JOIN map_accounts m ON m.old = w.account_id
		WHERE w.id = ANY(${value(ids)}::bigint[]) AND EXISTS (
			SELECT 1 FROM websites o WHERE o.account_id = m.new AND o.domain = w.domain
		) ORDER BY w.id`);
	for (const { domain, email } of taken)
		fault(
			domain,
			`${email} already has a website with this domain. Rename one of them, or choose another account with --account.`,
		);
	// Websites and roles must not go to someone who merely entered the address.
	const unconfirmed = await stage.rows<{ email: string }>(sql`
		SELECT p.email FROM incoming_people i JOIN people p ON lower(p.email) = lower(i.email)
		WHERE p.confirmed_at IS NULL ORDER BY p.id`);
	for (const { email } of unconfirmed)
		fault(
			email,
			`This account exists with an unconfirmed address. If it is the same person, run \`tidemark account confirm ${email}\`; otherwise delete the account.`,
		);
	const names = Map.groupBy(websites, ({ account, domain }) => `${account.toLowerCase()} ${domain}`);
	for (const [first, ...others] of names.values())
		if (first && others.length > 0)
			fault(
				first.domain,
				`The archive has ${others.length + 1} websites with this domain for ${first.account}.`,
			);
	for (const { domain } of websites) {
		const read = readDomain(domain);
		if (!('domain' in read) || read.domain !== domain) fault(domain, 'This is not a domain.');
	}
	const zones = await stage.rows<{ domain: string; zone: string }>(sql`
		SELECT w.domain, z.zone FROM incoming_websites w
		CROSS JOIN LATERAL (
			SELECT zone FROM incoming_website_zones WHERE website_id = w.id UNION SELECT w.timezone
		) z WHERE w.id = ANY(${value(ids)}::bigint[])`);
	for (const { domain, zone } of zones)
		if (findTimezone(zone) !== zone) fault(domain, `"${zone}" is not a time zone.`);
	const unzoned = await stage.rows<{ domain: string }>(sql`
		SELECT domain FROM incoming_websites w WHERE id = ANY(${value(ids)}::bigint[])
			AND NOT EXISTS (SELECT 1 FROM incoming_website_zones WHERE website_id = w.id AND from_date = '0001-01-01')`);
	for (const { domain } of unzoned) fault(domain, 'The website has no time zone for its first days.');
	const people = await stage.rows<{ email: string; timezone: string }>(sql`
		SELECT p.email, i.timezone FROM incoming_accounts i JOIN map_accounts m ON m.old = i.id
		JOIN incoming_account_owners o ON o.account_id = i.id AND o.is_primary JOIN incoming_people p ON p.id = o.person_id
		WHERE m.is_new`);
	for (const { email, timezone } of people)
		if (!/^[^\s@]+@[^\s@]+$/.test(email) || email.length > 254 || findTimezone(timezone) === undefined)
			fault(email, 'The email address or the time zone of this account is invalid.');
	if (Object.keys(errors).length > 0)
		throw new AppError('validation_failed', 'Nothing was merged.', { errors });
}
