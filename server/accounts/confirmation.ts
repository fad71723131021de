/**
 * An email address is unconfirmed until a link that was mailed to it, or the operator, confirms it. An unconfirmed account
 * gets no transfers, reports or alerts, because they are meant for the owner of the address. The link works only while signed
 * in to the account, so the owner of an address cannot confirm an account that a stranger created with it.
 */
import { AppError } from '../lib/app-error.ts';
import type { Clock } from '../lib/clock.ts';
import type { Queries } from '../store/postgres.ts';
import { sql, value } from '../store/sql.ts';
import { digestOf, forgetKeys, makeToken } from './keys.ts';
import { removeOtherOwners } from './owners.ts';
import { removeSecondFactors } from './two-factor.ts';

const lifetimeMs = 7 * 86_400_000;

export const unconfirmed = () =>
	new AppError('address_unconfirmed', 'Confirm the email address of your account first.');

/** A new link replaces the previous one. */
export async function makeConfirmation(tx: Queries, now: Clock, personId: number): Promise<string> {
	const token = makeToken();
	const moment = now();
	await tx.run(sql`
		INSERT INTO address_confirmations (account_id, digest, created_at, expires_at)
		VALUES (${value(personId)}, ${value(digestOf(token))}, ${value(moment)}, ${value(new Date(moment.getTime() + lifetimeMs))})
		ON CONFLICT (account_id) DO UPDATE SET
			digest = excluded.digest, created_at = excluded.created_at, expires_at = excluded.expires_at`);
	return token;
}

/** Confirms the address of the signed-in account with the token from the mail, once. */
export async function takeConfirmation(
	tx: Queries,
	now: Clock,
	{ personId, token }: { personId: number; token: string },
): Promise<void> {
	const taken = await tx.run(sql`
		DELETE FROM address_confirmations
		WHERE account_id = ${value(personId)} AND digest = ${value(digestOf(token))} AND expires_at > ${value(now())}`);
	if (taken === 0)
		throw new AppError(
			'link_dead',
			'This link was used, has expired, was replaced, or is for another account.',
		);
	await confirmAddress(tx, now, personId);
}

/** Returns whether the address was unconfirmed before. */
export async function confirmAddress(tx: Queries, now: Clock, personId: number): Promise<boolean> {
	await tx.run(sql`DELETE FROM address_confirmations WHERE account_id = ${value(personId)}`);
	const confirmed = await tx.run(sql`
		UPDATE people SET confirmed_at = ${value(now())} WHERE id = ${value(personId)} AND confirmed_at IS NULL`);
	return confirmed > 0;
}

/**
 * The owner of the address takes over an account that someone else may have created with it. Everything that could give that
 * person access is removed: passkeys, the second factor, linked identity providers with the roles that they gave, and in the accounts
 * that the person is the primary owner of keys, other owners, members, invitations, share links, feeds and recipients of reports.
 */
export async function revokeEarlierAccess(tx: Queries, now: Clock, personId: number): Promise<void> {
	const id = value(personId);
	const own = sql`(SELECT account_id FROM account_owners WHERE person_id = ${id} AND is_primary)`;
	await removeSecondFactors(tx, personId);
	await tx.run(sql`DELETE FROM members WHERE member_id = ${id} AND oidc_provider_id IS NOT NULL`);
	await tx.run(sql`
		DELETE FROM account_owners WHERE person_id = ${id} AND oidc_provider_id IS NOT NULL AND NOT is_primary`);
	await tx.run(sql`DELETE FROM oidc_identities WHERE person_id = ${id}`);
	await tx.run(sql`
		DELETE FROM share_links WHERE board_id IN (SELECT id FROM boards WHERE account_id = ${id} OR owner_id IN ${own})
			OR website_id IN (SELECT id FROM websites WHERE account_id IN ${own})`);
	await removeOtherOwners(tx, now, personId);
	await tx.run(sql`DELETE FROM api_keys WHERE account_id IN ${own}`);
	await tx.run(sql`DELETE FROM members WHERE owner_id IN ${own}`);
	await tx.run(sql`DELETE FROM invitations WHERE owner_id IN ${own} OR invited_by = ${id}`);
	await tx.run(sql`
		DELETE FROM offers WHERE website_id IN (SELECT id FROM websites WHERE account_id IN ${own})`);
	await tx.run(sql`DELETE FROM feeds WHERE account_id IN ${own}`);
	await tx.run(sql`DELETE FROM report_recipients WHERE account_id IN ${own}`);
	await forgetKeys(tx);
}
