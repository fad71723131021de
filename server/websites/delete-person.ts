/** Deleting one's own sign-in, with the accounts that nobody else owns. */
import { deleteAccount, deletePeople } from '../accounts/accounts.ts';
import { recordAudit } from '../accounts/audit-log.ts';
import { AppError } from '../lib/app-error.ts';
import type { Clock } from '../lib/clock.ts';
import type { Queries } from '../store/postgres.ts';
import { sql, value } from '../store/sql.ts';
import { addTombstonesOf } from './tombstones.ts';

export type Deletion = {
	/** Accounts that are deleted with their websites. */
	accounts: { id: number; name: string; websites: string[] }[];
	/** Accounts with other owners, one of whom must become the primary owner first. */
	blockedBy: { id: number; name: string }[];
};

/** What deleting the sign-in of a person deletes, and what prevents it. */
export async function planDeletion(queries: Queries, personId: number): Promise<Deletion> {
	const owned = await queries.rows<{ id: number; name: string; others: number; websites: string[] }>(sql`
		SELECT a.id, a.name, (SELECT count(*) - 1 FROM account_owners WHERE account_id = a.id) AS others,
			ARRAY(SELECT coalesce(domain_unicode, domain) FROM websites WHERE account_id = a.id ORDER BY domain) AS websites
		FROM account_owners o JOIN accounts a ON a.id = o.account_id
		WHERE o.person_id = ${value(personId)} AND o.is_primary ORDER BY a.id`);
	return {
		accounts: owned
			.filter(({ others }) => others === 0)
			.map(({ id, name, websites }) => ({ id, name, websites })),
		blockedBy: owned.filter(({ others }) => others > 0).map(({ id, name }) => ({ id, name })),
	};
}

/**
 * Deletes a person with the accounts that only they own, which they must have agreed to, and schedules the statistics of those
 * accounts for deletion.
 */
export async function deletePerson(
	tx: Queries,
	now: Clock,
	{ personId, accountIds }: { personId: number; accountIds: readonly number[] },
): Promise<void> {
	// An owner who is added meanwhile waits, and then finds no account.
	await tx.run(sql`
		SELECT 1 FROM accounts WHERE id IN (SELECT account_id FROM account_owners WHERE person_id = ${value(personId)})
		ORDER BY id FOR UPDATE`);
	const { accounts, blockedBy } = await planDeletion(tx, personId);
	const [blocking] = blockedBy;
	if (blocking)
		throw new AppError(
			'forbidden',
			`${blocking.name} has other owners. Make one of them the primary owner first.`,
		);
	if (accounts.some(({ id }) => !accountIds.includes(id)))
		throw new AppError(
			'precondition_failed',
			'You are the only owner of another account now. Look again at what would be deleted.',
		);
	for (const { id } of accounts) {
		await addTombstonesOf(tx, now, id);
		await deleteAccount(tx, id);
	}
	for (const { accountId } of await tx.rows<{ accountId: number }>(sql`
		SELECT account_id AS "accountId" FROM account_owners WHERE person_id = ${value(personId)}`))
		await recordAudit(tx, now, { by: { kind: 'person', personId, accountId }, what: 'leave' });
	await deletePeople(tx, [personId]);
}
