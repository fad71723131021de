/**
 * A person changes their email address with a link that is mailed to the new one, while signed in. Until then the old address stays.
 * The response never reveals whether someone else has the new address.
 */
import { AppError } from '../lib/app-error.ts';
import type { Clock } from '../lib/clock.ts';
import type { Queries } from '../store/postgres.ts';
import { sql, value } from '../store/sql.ts';
import { digestOf, makeToken } from './keys.ts';

const lifetimeMs = 86_400_000;

/** A new link replaces the previous one. */
export async function makeAddressChange(
	tx: Queries,
	now: Clock,
	{ personId, email }: { personId: number; email: string },
): Promise<string> {
	const token = makeToken();
	const moment = now();
	await tx.run(sql`
		INSERT INTO address_changes (person_id, email, digest, created_at, expires_at)
		VALUES (${value(personId)}, ${value(email)}, ${value(digestOf(token))}, ${value(moment)},
			${value(new Date(moment.getTime() + lifetimeMs))})
		ON CONFLICT (person_id) DO UPDATE SET
			email = excluded.email, digest = excluded.digest, created_at = excluded.created_at, expires_at = excluded.expires_at`);
	return token;
}

/** The address that a person has asked for and not confirmed yet. */
export async function findAddressChange(
	queries: Queries,
	now: Clock,
	personId: number,
): Promise<string | undefined> {
	const [change] = await queries.rows<{ email: string }>(sql`
		SELECT email FROM address_changes WHERE person_id = ${value(personId)} AND expires_at > ${value(now())}`);
	return change?.email;
}

export async function cancelAddressChange(queries: Queries, personId: number): Promise<void> {
	await queries.run(sql`DELETE FROM address_changes WHERE person_id = ${value(personId)}`);
}

/** The new address, if the token is that of a change of this person. The token works once. */
export async function takeAddressChange(
	tx: Queries,
	now: Clock,
	{ personId, token }: { personId: number; token: string },
): Promise<string | undefined> {
	const [change] = await tx.rows<{ email: string }>(sql`
		DELETE FROM address_changes
		WHERE person_id = ${value(personId)} AND digest = ${value(digestOf(token))} AND expires_at > ${value(now())}
		RETURNING email`);
	return change?.email;
}

/** Gives a person a proven address. Links that were mailed to the old one stop working. */
export async function setAddress(
	tx: Queries,
	now: Clock,
	{ personId, email }: { personId: number; email: string },
): Promise<void> {
	const changed = await tx
		.run(sql`
		UPDATE people SET email = ${value(email)}, confirmed_at = ${value(now())}
		WHERE id = ${value(personId)} AND NOT EXISTS (
			SELECT 1 FROM people other WHERE lower(other.email) = lower(${value(email)}) AND other.id <> ${value(personId)})`)
		// Two people confirm the same address at once.
		.catch((error: unknown) => {
			if (error instanceof Error && 'constraint' in error && /_by_email$/.test(String(error.constraint)))
				return 0;
			throw error;
		});
	if (changed === 0) throw new AppError('forbidden', 'Someone else on this service uses this email address.');
	await tx.run(sql`DELETE FROM one_time_links WHERE account_id = ${value(personId)}`);
	await tx.run(sql`DELETE FROM address_confirmations WHERE account_id = ${value(personId)}`);
	await cancelAddressChange(tx, personId);
}
