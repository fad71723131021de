import { AppError } from '../lib/app-error.ts';
import type { Clock } from '../lib/clock.ts';
import type { Queries } from '../store/postgres.ts';
import { sql, value } from '../store/sql.ts';
import { digestOf, makeToken } from './keys.ts';
import { canSignIn } from './people.ts';

/** How long links are valid, by purpose. */
const lifetimesMs = { reset: 30 * 60_000, invitation: 7 * 86_400_000 };

type Purpose = keyof typeof lifetimesMs;

/**
 * Creates a link that sets the password of a person, and revokes the previous link with the same purpose. `isMailed`: the
 * link is sent only to the person's email address.
 */
export async function makeLink(
	tx: Queries,
	now: Clock,
	link: { personId: number; purpose: Purpose; isMailed?: boolean },
): Promise<string> {
	const token = makeToken();
	const moment = now();
	await tx.run(sql`
		DELETE FROM one_time_links
		WHERE (account_id = ${value(link.personId)} AND purpose = ${value(link.purpose)}) OR expires_at <= ${value(moment)}`);
	await tx.run(sql`
		INSERT INTO one_time_links (digest, purpose, account_id, is_mailed, created_at, expires_at)
		VALUES (${value(digestOf(token))}, ${value(link.purpose)}, ${value(link.personId)}, ${value(link.isMailed ?? false)}, ${value(moment)},
			${value(new Date(moment.getTime() + lifetimesMs[link.purpose]))})`);
	return token;
}

const deadLink = () =>
	new AppError('link_dead', 'This link was used, has expired, or was replaced by a newer one.');

/** Whose password a link sets, without using the link. */
export async function getLink(
	postgres: Queries,
	now: Clock,
	token: string,
): Promise<{ purpose: Purpose; email: string; name: string }> {
	const [link] = await postgres.rows<{ purpose: Purpose; email: string; name: string }>(sql`
		SELECT l.purpose, p.email, p.name FROM one_time_links l JOIN people p ON p.id = l.account_id AND ${canSignIn(sql`p.id`)}
		WHERE l.digest = ${value(digestOf(token))} AND l.expires_at > ${value(now())}`);
	if (!link) throw deadLink();
	return link;
}

/** Uses the link and revokes all other links of the person. Of two concurrent uses, one succeeds. */
export async function takeLink(
	tx: Queries,
	now: Clock,
	token: string,
): Promise<{ personId: number; isMailed: boolean }> {
	const [link] = await tx.rows<{ personId: number; isMailed: boolean }>(sql`
		DELETE FROM one_time_links
		WHERE digest = ${value(digestOf(token))} AND expires_at > ${value(now())} AND ${canSignIn(sql`one_time_links.account_id`)}
		RETURNING account_id AS "personId", is_mailed AS "isMailed"`);
	if (!link) throw deadLink();
	await tx.run(sql`DELETE FROM one_time_links WHERE account_id = ${value(link.personId)}`);
	return link;
}
