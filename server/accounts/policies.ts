/**
 * What an account requires of people who work with its websites: how they sign in, how long their sessions last, and the networks of the
 * dashboard and of API keys. The operator sets a policy of the service, and both hold. Policies never apply to collecting hits, nor to
 * what is open without signing in.
 */
import { invalid } from '../lib/app-error.ts';
import type { Clock } from '../lib/clock.ts';
import { isNetwork } from '../lib/networks.ts';
import type { Queries } from '../store/postgres.ts';
import { type Sql, sql, value } from '../store/sql.ts';
import { forgetKeys } from './keys.ts';
import type { SignInRule } from './policy-refusals.ts';

export type Policy = {
	signIn: SignInRule;
	/** A session ends when it is unused for so long; null: 7 days. */
	idleMinutes: number | null;
	/** A session ends at the latest after so many hours; null: 30 days. */
	sessionHours: number | null;
	/** IP addresses and networks in CIDR notation; null: any. */
	networks: string[] | null;
};

export const noPolicy: Policy = { signIn: 'any', idleMinutes: null, sessionHours: null, networks: null };

export const policyLimits = {
	idleMinutes: { least: 15, most: 7 * 24 * 60 },
	sessionHours: { least: 1, most: 30 * 24 },
	networks: 100,
} as const;

/** `accountId` is null for the policy of the service. */
export async function readPolicy(queries: Queries, accountId: number | null): Promise<Policy> {
	const [policy] = await queries.rows<Policy>(sql`
		SELECT sign_in AS "signIn", idle_minutes AS "idleMinutes", session_hours AS "sessionHours", networks
		FROM sign_in_policies WHERE account_id IS NOT DISTINCT FROM ${value(accountId)}::bigint`);
	return policy ?? noPolicy;
}

/** Takes effect at the next request of every session and key, in every process. */
export async function savePolicy(
	tx: Queries,
	now: Clock,
	accountId: number | null,
	{ signIn, idleMinutes, sessionHours, networks }: Policy,
): Promise<void> {
	const wrong = networks?.find((network) => !isNetwork(network));
	if (wrong !== undefined)
		throw invalid({ networks: [`"${wrong}" is not an IP address or a network such as 10.0.0.0/8.`] });
	await tx.run(sql`
		INSERT INTO sign_in_policies (account_id, sign_in, idle_minutes, session_hours, networks, changed_at)
		VALUES (${value(accountId)}, ${value(signIn)}, ${value(idleMinutes)}, ${value(sessionHours)}, ${value(networks)}::text[],
			${value(now())})
		ON CONFLICT (account_id) DO UPDATE SET sign_in = excluded.sign_in, idle_minutes = excluded.idle_minutes,
			session_hours = excluded.session_hours, networks = excluded.networks, changed_at = excluded.changed_at`);
	await forgetKeys(tx);
}

/**
 * The policies that a person is bound by, as rows `y`: of the service, and of every account that they own or have a role in. `personId`
 * is a column.
 */
export const policiesOf = (personId: Sql): Sql => sql`
	sign_in_policies y WHERE y.account_id IS NULL
		OR EXISTS (SELECT 1 FROM account_owners own WHERE own.account_id = y.account_id AND own.person_id = ${personId})
		OR EXISTS (SELECT 1 FROM members m WHERE m.owner_id = y.account_id AND m.member_id = ${personId})`;

/** Of an account and of the service, each of which must contain the address of a key. */
export const networksOfKeys = (accountId: Sql): Sql => sql`(
	SELECT coalesce(jsonb_agg(y.networks), '[]') FROM sign_in_policies y
	WHERE y.networks IS NOT NULL AND (y.account_id IS NULL OR y.account_id = ${accountId}))`;
