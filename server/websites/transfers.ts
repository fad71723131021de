/**
 * Transfers a website to another account. The owner offers it and the receiver accepts, or the operator transfers it directly.
 * Its id, settings, statistics and goals stay. Members, invitations, API keys for it, share links, the favorite, the labels and the
 * password of shared statistics are removed, because they belong to the former owner.
 */

import { recordAudit } from '../accounts/audit-log.ts';
import { notFound } from '../accounts/authorize.ts';
import { forgetKeys } from '../accounts/keys.ts';
import { holdOwnership } from '../accounts/owners.ts';
import type { PersonPrincipal, Principal } from '../accounts/principal.ts';
import { AppError, invalid } from '../lib/app-error.ts';
import type { Clock } from '../lib/clock.ts';
import type { Postgres, Queries } from '../store/postgres.ts';
import { sql, value } from '../store/sql.ts';
import { queueEvents } from '../webhooks/queue-events.ts';
import { announce } from './announce.ts';
import { getWebsite } from './get-website.ts';
import type { Contact } from './members.ts';
import { domainTaken } from './websites.ts';

export type Transfer = { websiteId: number; domain: string; email: string; offeredAt: Date };

export type ReceivedTransfer = {
	websiteId: number;
	domain: string;
	fromName: string;
	fromEmail: string;
	offeredAt: Date;
};

/**
 * The response does not reveal whether the address has an account. Only the person who has the address now can accept, and
 * only after the address is confirmed. The website goes to the account that they work in.
 */
export async function offerTransfer(
	postgres: Postgres,
	now: Clock,
	principal: Principal,
	{ id, email }: { id: number; email: string },
): Promise<Transfer> {
	return postgres.transaction(async (tx) => {
		await getWebsite(tx, principal, 'website.move', id, sql`FOR NO KEY UPDATE`);
		const [receiver] = await tx.rows<{ id: number }>(
			sql`SELECT id FROM people WHERE lower(email) = lower(${value(email)})`,
		);
		const offeredBy = principal.kind === 'person' ? principal.personId : null;
		if (receiver && receiver.id === offeredBy) throw invalid({ email: ['You already own this website.'] });
		const offered = now();
		await tx.run(sql`
			INSERT INTO offers (website_id, email, receiver_id, offered_by, key_id, offered_at)
			VALUES (${value(id)}, ${value(email)}, ${value(receiver?.id ?? null)}, ${value(offeredBy)},
				${value(principal.kind === 'key' ? principal.keyId : null)}, ${value(offered)})
			ON CONFLICT (website_id) DO UPDATE SET email = excluded.email, receiver_id = excluded.receiver_id,
				offered_by = excluded.offered_by, key_id = excluded.key_id, offered_at = excluded.offered_at`);
		const offer = await findOffer(tx, id);
		if (!offer) throw notFound();
		return offer;
	});
}

async function findOffer(queries: Queries, id: number): Promise<Transfer | undefined> {
	const [offer] = await queries.rows<Transfer>(sql`
		SELECT f.website_id AS "websiteId", w.domain, f.email, f.offered_at AS "offeredAt"
		FROM offers f JOIN websites w ON w.id = f.website_id WHERE f.website_id = ${value(id)}`);
	return offer;
}

/** The pending offer of a website, if there is one. */
export async function readTransfer(
	postgres: Queries,
	principal: Principal,
	id: number,
): Promise<Transfer | undefined> {
	await getWebsite(postgres, principal, 'offer.read', id);
	return findOffer(postgres, id);
}

export async function withdrawTransfer(postgres: Queries, principal: Principal, id: number): Promise<void> {
	await getWebsite(postgres, principal, 'website.move', id);
	if ((await postgres.run(sql`DELETE FROM offers WHERE website_id = ${value(id)}`)) === 0) throw notFound();
}

/**
 * Offers to a person with a confirmed address, by someone who still owns the website, or by a key that could still offer
 * it. An unconfirmed address may belong to someone else. Other offers without an author are from the primary owner of an earlier version, who has the id of the account.
 */
const isFor = (personId: number, moment: Date) => sql`f.receiver_id = ${value(personId)}
	AND EXISTS (SELECT 1 FROM people WHERE id = f.receiver_id AND confirmed_at IS NOT NULL)
	AND CASE WHEN f.key_id IS NULL THEN EXISTS (
		SELECT 1 FROM websites offered JOIN account_owners o ON o.account_id = offered.account_id
		WHERE offered.id = f.website_id AND o.person_id = coalesce(f.offered_by, offered.account_id))
	ELSE EXISTS (
		SELECT 1 FROM websites offered JOIN api_keys k ON k.account_id = offered.account_id
		WHERE offered.id = f.website_id AND k.id = f.key_id AND k.access = 'full' AND k.scopes IS NULL
			AND k.website_ids IS NULL AND (k.expires_at IS NULL OR k.expires_at > ${value(moment)})) END`;

/** Websites that others have offered to a person. */
export function listReceivedTransfers(
	postgres: Queries,
	now: Clock,
	personId: number,
): Promise<ReceivedTransfer[]> {
	return postgres.rows<ReceivedTransfer>(sql`
		SELECT f.website_id AS "websiteId", w.domain, o.name AS "fromName", p.email AS "fromEmail",
			f.offered_at AS "offeredAt"
		FROM offers f JOIN websites w ON w.id = f.website_id JOIN accounts o ON o.id = w.account_id
		JOIN account_owners own ON own.account_id = o.id AND own.is_primary JOIN people p ON p.id = own.person_id
		WHERE ${isFor(personId, now())} AND o.disabled_at IS NULL ORDER BY f.offered_at DESC, f.website_id`);
}

export async function declineTransfer(
	postgres: Queries,
	now: Clock,
	principal: PersonPrincipal,
	id: number,
): Promise<void> {
	const declined = await postgres.run(sql`
		DELETE FROM offers f WHERE f.website_id = ${value(id)} AND ${isFor(principal.personId, now())}`);
	if (declined === 0) throw notFound();
}

export async function acceptTransfer(
	postgres: Postgres,
	now: Clock,
	principal: PersonPrincipal,
	id: number,
): Promise<Transferred> {
	return postgres.transaction(async (tx) => {
		const locked = await lockAccounts(tx, id, principal.accountId);
		await holdOwnership(tx, principal);
		const [offer] = await tx.rows(sql`
			SELECT 1 FROM offers f WHERE f.website_id = ${value(id)} AND ${isFor(principal.personId, now())} FOR UPDATE`);
		if (!offer || !locked) throw notFound();
		const moved = await move(tx, now, id, principal.accountId);
		await noteMove(tx, now, moved, principal);
		return moved;
	});
}

/** Transfers a website for the operator, without an offer. */
export async function transferWebsite(
	tx: Queries,
	now: Clock,
	id: number,
	receiver: { id: number; email: string },
): Promise<Transferred & { from: Contact; to: string }> {
	const from = await lockAccounts(tx, id, receiver.id);
	if (!from) throw new AppError('not_found', `There is no website ${id}.`);
	const moved = await move(tx, now, id, receiver.id);
	await noteMove(tx, now, moved, { kind: 'operator' });
	return { ...moved, from, to: receiver.email };
}

export type Transferred = { id: number; domain: string; formerOwnerId: number; ownerId: number };

/** Locks both accounts before the website, in the same order as create and delete. Returns the owner, if the website exists. */
async function lockAccounts(tx: Queries, id: number, receiverId: number): Promise<Contact | undefined> {
	await tx.rows(sql`
		SELECT id FROM accounts
		WHERE id = ${value(receiverId)} OR id = (SELECT account_id FROM websites WHERE id = ${value(id)})
		ORDER BY id FOR NO KEY UPDATE`);
	const [owner] = await tx.rows<Contact>(sql`
		SELECT a.name, p.email FROM accounts a JOIN account_owners o ON o.account_id = a.id AND o.is_primary
		JOIN people p ON p.id = o.person_id
		WHERE a.id = (SELECT account_id FROM websites WHERE id = ${value(id)})`);
	return owner;
}

async function move(tx: Queries, now: Clock, id: number, receiverId: number): Promise<Transferred> {
	const [website] = await tx.rows<{ domain: string; shown: string; accountId: number }>(sql`
		SELECT domain, coalesce(domain_unicode, domain) AS shown, account_id AS "accountId" FROM websites WHERE id = ${value(id)} FOR UPDATE`);
	if (!website) throw notFound();
	const { domain, accountId } = website;
	if (accountId === receiverId) throw invalid({ email: [`${domain} already belongs to this account.`] });
	const [taken] = await tx.rows(sql`
		SELECT 1 FROM websites WHERE account_id = ${value(receiverId)} AND domain = ${value(domain)}`);
	if (taken) throw await domainTaken(tx, receiverId, domain);
	const [receiver] = await tx.rows<{ count: number; limit: number | null }>(sql`
		SELECT website_count AS count, website_limit AS "limit" FROM accounts WHERE id = ${value(receiverId)}`);
	if (receiver && receiver.limit !== null && receiver.count >= receiver.limit)
		throw new AppError('limit_reached', `The account has reached its limit of ${receiver.limit} websites.`);
	await tx.run(sql`
		UPDATE websites SET account_id = ${value(receiverId)}, favorite = false, labels = '{}',
			password_hash = NULL, privacy = CASE WHEN privacy = 2 THEN 1 ELSE privacy END,
			updated_at = greatest(${value(now())}::timestamptz, updated_at + interval '1 millisecond')
		WHERE id = ${value(id)}`);
	await tx.run(sql`
		UPDATE accounts SET website_count = website_count + CASE WHEN id = ${value(receiverId)} THEN 1 ELSE -1 END
		WHERE id IN (${value(receiverId)}, ${value(accountId)})`);
	await tx.run(sql`DELETE FROM offers WHERE website_id = ${value(id)}`);
	await tx.run(sql`DELETE FROM members WHERE website_id = ${value(id)}`);
	await tx.run(sql`DELETE FROM invitations WHERE website_id = ${value(id)}`);
	await tx.run(sql`DELETE FROM favorites WHERE website_id = ${value(id)}`);
	await tx.run(sql`DELETE FROM share_links WHERE website_id = ${value(id)}`);
	await tx.run(sql`DELETE FROM oidc_group_roles WHERE website_id = ${value(id)}`);
	// The former owner's recipients and webhooks must not get data any longer.
	await tx.run(sql`DELETE FROM report_recipients WHERE website_id = ${value(id)}`);
	await tx.run(sql`DELETE FROM alerts WHERE website_id = ${value(id)}`);
	await tx.run(sql`
		UPDATE api_keys SET website_ids = array_remove(website_ids, ${value(id)}::bigint)
		WHERE account_id = ${value(accountId)} AND website_ids @> ARRAY[${value(id)}::bigint]`);
	await forgetKeys(tx);
	await announce(tx, id);
	// Neither account learns which the other one is.
	const data = { website: { id, domain: website.shown } };
	await queueEvents(tx, now, [
		{ type: 'website.transferred', accountId, websiteId: id, data: { ...data, direction: 'out' } },
		{ type: 'website.transferred', accountId: receiverId, websiteId: id, data: { ...data, direction: 'in' } },
	]);
	return { id, domain, formerOwnerId: accountId, ownerId: receiverId };
}

/** Records the transfer in the activity log of both accounts. */
async function noteMove(
	tx: Queries,
	now: Clock,
	{ id, formerOwnerId, ownerId }: Transferred,
	by: PersonPrincipal | { kind: 'operator' },
): Promise<void> {
	for (const concerned of [formerOwnerId, ownerId])
		await recordAudit(tx, now, { by, what: 'moveWebsite', websiteId: id, ownerId: concerned });
}
