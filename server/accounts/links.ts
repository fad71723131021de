import { randomBytes } from 'node:crypto';
import { AppError } from '../lib/app-error.ts';
import type { Clock } from '../lib/clock.ts';
import type { Queries } from '../store/postgres.ts';
import { sql, value } from '../store/sql.ts';
import { digestOf } from './keys.ts';

/** What a link is for, and how long it is good. */
const lifetimesMs = { reset: 30 * 60_000, invitation: 7 * 86_400_000 };

type Purpose = keyof typeof lifetimesMs;

/**
 * A link by which an account gets a password. A new one of its kind takes the place of the one before. `isMailed`: nobody sees it
 * but who reads the mail to the account's address.
 */
export async function makeLink(
	tx: Queries,
	now: Clock,
	link: { accountId: number; purpose: Purpose; isMailed?: boolean },
): Promise<string> {
	const token = randomBytes(32).toString('base64url');
	const moment = now();
	await tx.run(sql`
		DELETE FROM one_time_links
		WHERE (account_id = ${value(link.accountId)} AND purpose = ${value(link.purpose)}) OR expires_at <= ${value(moment)}`);
	await tx.run(sql`
		INSERT INTO one_time_links (digest, purpose, account_id, is_mailed, created_at, expires_at)
		VALUES (${value(digestOf(token))}, ${value(link.purpose)}, ${value(link.accountId)}, ${value(link.isMailed ?? false)}, ${value(moment)},
			${value(new Date(moment.getTime() + lifetimesMs[link.purpose]))})`);
	return token;
}

const deadLink = () =>
	new AppError('link_dead', 'This link was used, has expired, or another one has taken its place.');

/** Whom a link is for, without using it. */
export async function getLink(
	postgres: Queries,
	now: Clock,
	token: string,
): Promise<{ purpose: Purpose; email: string }> {
	const [link] = await postgres.rows<{ purpose: Purpose; email: string }>(sql`
		SELECT l.purpose, a.email FROM one_time_links l JOIN accounts a ON a.id = l.account_id AND a.disabled_at IS NULL
		WHERE l.digest = ${value(digestOf(token))} AND l.expires_at > ${value(now())}`);
	if (!link) throw deadLink();
	return link;
}

/** Takes the link and all others of its account: of two who use one at once, one succeeds. */
export async function takeLink(
	tx: Queries,
	now: Clock,
	token: string,
): Promise<{ accountId: number; isMailed: boolean }> {
	const [link] = await tx.rows<{ accountId: number; isMailed: boolean }>(sql`
		DELETE FROM one_time_links USING accounts
		WHERE digest = ${value(digestOf(token))} AND expires_at > ${value(now())}
			AND accounts.id = account_id AND accounts.disabled_at IS NULL
		RETURNING account_id AS "accountId", is_mailed AS "isMailed"`);
	if (!link) throw deadLink();
	await tx.run(sql`DELETE FROM one_time_links WHERE account_id = ${value(link.accountId)}`);
	return link;
}
