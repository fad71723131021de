/**
 * A session is a signed-in browser. Its cookie holds 256 random bits. The database stores only their SHA-256, which cannot be
 * used to sign in. Every request looks the session up, so ending it takes effect at once in every process.
 */
import type { Clock } from '../lib/clock.ts';
import type { Queries } from '../store/postgres.ts';
import { sql, value } from '../store/sql.ts';
import { digestOf, makeToken } from './keys.ts';
import { policiesOf } from './policies.ts';
import { type AppliedPolicy, findRefusals, type Refusal, type SignInMethod } from './policy-refusals.ts';
import type { PersonPrincipal } from './principal.ts';

export type Session = SignInMethod & {
	id: number;
	personId: number;
	/** The account that the person works in. */
	accountId: number;
	/** Of the service, and of all accounts that the person works with. */
	policies: AppliedPolicy[];
	/** The policies that this session does not meet at the address of the request. */
	refusals: Refusal[];
	browser: string;
	os: string;
	createdAt: Date;
	lastUsedAt: Date;
};

const day = 86_400_000;
/** A session ends when it is unused for `idleMs`, and at the latest after `longestMs`. Policies can make both shorter. */
const idleMs = 7 * day;
const longestMs = 30 * day;
const noteUseEveryMs = 60_000;

export const longestSessionSeconds = longestMs / 1000;

/** `account_id` is the id of a person (migration 0042). */
const columns = sql`s.id, s.account_id AS "personId", s.browser, s.os, s.created_at AS "createdAt", s.last_used_at AS "lastUsedAt"`;

/** The condition for sessions that have not ended whatever the policies are. */
const isRecent = (moment: Date) =>
	sql`s.expires_at > ${value(moment)} AND s.last_used_at > ${value(new Date(moment.getTime() - idleMs))}`;

/** The condition for sessions that have not ended. The shortest lifetime of all policies holds, also one that was set later. */
const isOpen = (moment: Date) => sql`${isRecent(moment)} AND NOT EXISTS (
	SELECT 1 FROM (SELECT y.idle_minutes, y.session_hours FROM ${policiesOf(sql`s.account_id`)}) AS lifetime
	WHERE s.last_used_at <= ${value(moment)}::timestamptz - make_interval(mins => idle_minutes)
		OR s.created_at <= ${value(moment)}::timestamptz - make_interval(hours => session_hours))`;

/** Returns the value of the cookie, which is not stored. */
export async function openSession(
	tx: Queries,
	now: Clock,
	session: SignInMethod & { personId: number; browser: string; os: string },
): Promise<string> {
	const token = makeToken();
	const moment = now();
	await tx.run(sql`DELETE FROM sessions s WHERE NOT (${isRecent(moment)})`);
	await tx.run(sql`
		INSERT INTO sessions (digest, account_id, browser, os, created_at, last_used_at, expires_at, second_factor, provider_id)
		VALUES (${value(digestOf(token))}, ${value(session.personId)}, ${value(session.browser)}, ${value(session.os)}, ${value(moment)},
			${value(moment)}, ${value(new Date(moment.getTime() + longestMs))}, ${value(session.hasSecondFactor)}, ${value(session.providerId)})`);
	return token;
}

/**
 * The session of a cookie, unless it has ended or all accounts of the person are disabled. It works in the account that the page names,
 * if the person owns it; otherwise in the one that they last chose, or in their first one.
 */
export async function findSession(
	postgres: Queries,
	now: Clock,
	{
		token,
		wantedAccountId,
		address,
	}: { token: string; wantedAccountId: number | undefined; address: string },
): Promise<Session | undefined> {
	const moment = now();
	const [session] = await postgres.rows<Omit<Session, 'refusals'>>(sql`
		SELECT ${columns}, w.account_id AS "accountId", s.provider_id AS "providerId",
			coalesce(s.second_factor, p.totp_secret IS NOT NULL OR p.passkey_second_factor) AS "hasSecondFactor",
			(
				SELECT coalesce(
					jsonb_agg(jsonb_build_object('accountId', y.account_id, 'signIn', y.sign_in, 'networks', y.networks)), '[]')
				FROM ${policiesOf(sql`p.id`)}
			) AS policies
		FROM sessions s JOIN people p ON p.id = s.account_id
		CROSS JOIN LATERAL (
			SELECT o.account_id FROM account_owners o JOIN accounts a ON a.id = o.account_id AND a.disabled_at IS NULL
			WHERE o.person_id = p.id
			ORDER BY coalesce(o.account_id = ${value(wantedAccountId ?? null)}::bigint, false) DESC,
				coalesce(o.account_id = p.working_account_id, false) DESC, o.is_primary DESC, o.account_id
			LIMIT 1
		) w
		WHERE s.digest = ${value(digestOf(token))} AND ${isOpen(moment)}`);
	if (!session) return undefined;
	if (moment.getTime() - session.lastUsedAt.getTime() > noteUseEveryMs)
		await postgres.run(
			sql`UPDATE sessions SET last_used_at = ${value(moment)} WHERE id = ${value(session.id)}`,
		);
	return { ...session, refusals: findRefusals(session.policies, { ...session, address }) };
}

export const principalOf = ({ personId, accountId, refusals }: Session): PersonPrincipal => ({
	kind: 'person',
	personId,
	accountId,
	refusals,
});

/** The session now counts as opened with a second factor. */
export async function confirmSecondFactor(tx: Queries, id: number): Promise<void> {
	await tx.run(sql`UPDATE sessions SET second_factor = true WHERE id = ${value(id)}`);
}

export type ListedSession = Pick<Session, 'id' | 'personId' | 'browser' | 'os' | 'createdAt' | 'lastUsedAt'>;

export function listSessions(postgres: Queries, now: Clock, personId: number): Promise<ListedSession[]> {
	return postgres.rows<ListedSession>(sql`
		SELECT ${columns} FROM sessions s WHERE s.account_id = ${value(personId)} AND ${isOpen(now())}
		ORDER BY s.last_used_at DESC, s.id DESC`);
}

/** Returns false if the person has no session with this id. */
export async function endSession(
	postgres: Queries,
	{ personId, id }: { personId: number; id: number },
): Promise<boolean> {
	const ended = await postgres.run(
		sql`DELETE FROM sessions WHERE account_id = ${value(personId)} AND id = ${value(id)}`,
	);
	return ended > 0;
}

/** Ends all sessions of a person, or all except one. */
export async function endSessions(postgres: Queries, personId: number, except = 0): Promise<void> {
	await postgres.run(
		sql`DELETE FROM sessions WHERE account_id = ${value(personId)} AND id <> ${value(except)}`,
	);
}
