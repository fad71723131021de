/**
 * The owners of an account. All owners have the same permissions, except that only the primary owner, whose email address the account
 * has, can make another owner the primary one, and that nobody can remove the primary owner. So an account never loses its last owner.
 * Everyone owns at least one account: who loses the only one gets an empty account of their own.
 */
import { AppError } from '../lib/app-error.ts';
import type { Clock } from '../lib/clock.ts';
import type { Postgres, Queries } from '../store/postgres.ts';
import { sql, value } from '../store/sql.ts';
import { insertAccount } from './accounts.ts';
import { notFound, requirePermission } from './authorize.ts';
import { getPerson } from './people.ts';
import type { PersonPrincipal, Principal } from './principal.ts';

export type Owner = { personId: number; name: string; email: string; isPrimary: boolean; createdAt: Date };

/** The primary owner first. */
export function listOwners(queries: Queries, accountId: number): Promise<Owner[]> {
	return queries.rows<Owner>(sql`
		SELECT o.person_id AS "personId", p.name, p.email, o.is_primary AS "isPrimary", o.created_at AS "createdAt"
		FROM account_owners o JOIN people p ON p.id = o.person_id
		WHERE o.account_id = ${value(accountId)} ORDER BY o.is_primary DESC, lower(p.name), o.person_id`);
}

export type OwnedAccount = { id: number; name: string; isPrimary: boolean; websiteCount: number };

/** The accounts that a person can work in, in the order in which a new session chooses one. */
export function listOwnedAccounts(queries: Queries, personId: number): Promise<OwnedAccount[]> {
	return queries.rows<OwnedAccount>(sql`
		SELECT a.id, a.name, o.is_primary AS "isPrimary", a.website_count AS "websiteCount"
		FROM account_owners o JOIN accounts a ON a.id = o.account_id AND a.disabled_at IS NULL
		WHERE o.person_id = ${value(personId)} ORDER BY o.is_primary DESC, a.id`);
}

export async function isOwner(
	queries: Queries,
	{ accountId, personId }: { accountId: number; personId: number },
): Promise<boolean> {
	const rows = await queries.rows(sql`
		SELECT 1 FROM account_owners WHERE account_id = ${value(accountId)} AND person_id = ${value(personId)}`);
	return rows.length > 0;
}

/**
 * In a transaction that changes an account: refuses a person who is no longer its owner, and keeps an owner from being removed
 * until the end of the transaction.
 */
export async function holdOwnership(tx: Queries, principal: Principal): Promise<void> {
	if (principal.kind !== 'person') return;
	// First the account, as wherever owners change: the other order could deadlock.
	await lockAccount(tx, principal.accountId);
	const [owner] = await tx.rows(sql`
		SELECT 1 FROM account_owners
		WHERE account_id = ${value(principal.accountId)} AND person_id = ${value(principal.personId)} FOR KEY SHARE`);
	if (!owner) throw notFound();
}

/** Adds an owner, who is no longer a member of the account then. */
export async function addOwner(
	tx: Queries,
	now: Clock,
	{ accountId, personId }: { accountId: number; personId: number },
): Promise<void> {
	await tx.run(sql`
		INSERT INTO account_owners (account_id, person_id, is_primary, created_at)
		VALUES (${value(accountId)}, ${value(personId)}, false, ${value(now())}) ON CONFLICT DO NOTHING`);
	await tx.run(
		sql`DELETE FROM members WHERE owner_id = ${value(accountId)} AND member_id = ${value(personId)}`,
	);
	await tx.run(sql`UPDATE people SET working_account_id = ${value(accountId)} WHERE id = ${value(personId)}`);
}

/** Removes an owner of the account that the principal works in. Owners can also remove themselves. */
export async function removeOwner(
	postgres: Postgres,
	now: Clock,
	principal: PersonPrincipal,
	personId: number,
): Promise<void> {
	const { accountId } = principal;
	await postgres.transaction(async (tx) => {
		await lockAccount(tx, accountId);
		requirePermission(principal, 'owners.change');
		await holdOwnership(tx, principal);
		const owner = (await listOwners(tx, accountId)).find((candidate) => candidate.personId === personId);
		if (!owner) throw notFound();
		if (owner.isPrimary)
			throw new AppError(
				'forbidden',
				'The primary owner cannot be removed. Make another owner the primary owner first.',
			);
		await takeOwnership(tx, now, { accountId, personId });
	});
}

/** Takes an account from an owner who is not the primary one. */
export async function takeOwnership(
	tx: Queries,
	now: Clock,
	{ accountId, personId }: { accountId: number; personId: number },
): Promise<void> {
	// Who loses two accounts at once must still get one.
	await lockPeople(tx, [personId]);
	// They may have become the primary owner meanwhile.
	const removed = await tx.run(sql`
		DELETE FROM account_owners
		WHERE account_id = ${value(accountId)} AND person_id = ${value(personId)} AND NOT is_primary`);
	if (removed === 0) return;
	// Nothing that they began may give them the account or a website of it later.
	await tx.run(sql`
		DELETE FROM invitations WHERE owner_id = ${value(accountId)} AND invited_by = ${value(personId)}`);
	await tx.run(sql`
		DELETE FROM offers USING websites
		WHERE websites.id = offers.website_id AND websites.account_id = ${value(accountId)} AND offered_by = ${value(personId)}`);
	await giveAccount(tx, now, personId);
}

/** Removes all other owners of the accounts that a person is the primary owner of. */
export async function removeOtherOwners(tx: Queries, now: Clock, personId: number): Promise<void> {
	const others = sql`NOT is_primary
		AND account_id IN (SELECT account_id FROM account_owners WHERE person_id = ${value(personId)} AND is_primary)`;
	const found = await tx.rows<{ id: number }>(
		sql`SELECT person_id AS id FROM account_owners WHERE ${others}`,
	);
	await lockPeople(
		tx,
		found.map(({ id }) => id),
	);
	const removed = await tx.rows<{ id: number }>(sql`
		DELETE FROM account_owners WHERE ${others} RETURNING person_id AS id`);
	for (const { id } of removed) await giveAccount(tx, now, id);
}

/** Gives a person without an account an empty one, which cannot create websites until the operator raises its limit. */
export async function giveAccount(tx: Queries, now: Clock, personId: number): Promise<void> {
	const owned = await tx.rows(sql`SELECT 1 FROM account_owners WHERE person_id = ${value(personId)} LIMIT 1`);
	if (owned.length > 0) return;
	const { name, locale } = await getPerson(tx, personId);
	const accountId = await insertAccount(tx, now, { name, locale, websiteLimit: 0 });
	await tx.run(sql`
		INSERT INTO account_owners (account_id, person_id, is_primary, created_at)
		VALUES (${value(accountId)}, ${value(personId)}, true, ${value(now())})`);
}

/** Makes another owner the primary one. Only the primary owner can do this. */
export async function makePrimaryOwner(
	postgres: Postgres,
	principal: PersonPrincipal,
	personId: number,
): Promise<void> {
	const { accountId } = principal;
	await postgres.transaction(async (tx) => {
		await lockAccount(tx, accountId);
		requirePermission(principal, 'owners.change');
		await holdOwnership(tx, principal);
		const owners = await listOwners(tx, accountId);
		const next = owners.find((owner) => owner.personId === personId);
		if (!next) throw notFound();
		if (!owners.some((owner) => owner.isPrimary && owner.personId === principal.personId))
			throw new AppError('forbidden', 'Only the primary owner can do this.');
		await setPrimaryOwner(tx, accountId, next.personId);
	});
}

/** For the operator: makes a person the primary owner of an account, also if they did not own it. */
export async function appointPrimaryOwner(
	tx: Queries,
	now: Clock,
	{ accountId, personId }: { accountId: number; personId: number },
): Promise<void> {
	await lockAccount(tx, accountId);
	await addOwner(tx, now, { accountId, personId });
	await setPrimaryOwner(tx, accountId, personId);
}

/** Mail about the account goes to the address of its primary owner, so it must be confirmed. */
async function setPrimaryOwner(tx: Queries, accountId: number, personId: number): Promise<void> {
	if ((await getPerson(tx, personId)).confirmedAt === null)
		throw new AppError(
			'address_unconfirmed',
			'The email address of the primary owner must be confirmed first.',
		);
	await tx.run(sql`
		UPDATE account_owners SET is_primary = false WHERE account_id = ${value(accountId)} AND is_primary`);
	await tx.run(sql`
		UPDATE account_owners SET is_primary = true
		WHERE account_id = ${value(accountId)} AND person_id = ${value(personId)}`);
}

const lockPeople = (tx: Queries, ids: readonly number[]) =>
	tx.run(sql`SELECT 1 FROM people WHERE id = ANY(${value(ids)}::bigint[]) ORDER BY id FOR NO KEY UPDATE`);

/** Serializes changes of the owners of an account. */
const lockAccount = (tx: Queries, accountId: number) =>
	tx.run(sql`SELECT 1 FROM accounts WHERE id = ${value(accountId)} FOR NO KEY UPDATE`);

/** Remembers the account that a person works in. */
export async function setWorkingAccount(
	queries: Queries,
	{ accountId, personId }: { accountId: number; personId: number },
): Promise<void> {
	const changed = await queries.run(sql`
		UPDATE people SET working_account_id = ${value(accountId)} WHERE id = ${value(personId)} AND EXISTS (
			SELECT 1 FROM account_owners o JOIN accounts a ON a.id = o.account_id AND a.disabled_at IS NULL
			WHERE o.account_id = ${value(accountId)} AND o.person_id = people.id)`);
	if (changed === 0) throw notFound();
}
