/**
 * What operators did, on the page, with an operator key or on the command line. An entry is written in the transaction of the change.
 * Owners of the account that it was done to see it in their activity log too. Only ids and the name of the change are stored.
 */
import { recordAudit } from '../accounts/audit-log.ts';
import { notFound } from '../accounts/authorize.ts';
import type { Principal } from '../accounts/principal.ts';
import type { Clock } from '../lib/clock.ts';
import type { Queries } from '../store/postgres.ts';
import { join, type Sql, sql, value } from '../store/sql.ts';

export type OperatorAuthor =
	| { kind: 'person'; personId: number }
	| { kind: 'operatorKey'; keyId: number }
	| { kind: 'commandLine' };

export type OperatorAction = {
	by: OperatorAuthor;
	what: string;
	accountId?: number | undefined;
	/** The person it was done to. */
	subjectId?: number | undefined;
	websiteId?: number | undefined;
	/** The owners of the account do not see it: they did not know the account before, or it is gone. */
	isHiddenFromOwners?: boolean;
};

export async function recordOperatorAction(tx: Queries, now: Clock, action: OperatorAction): Promise<void> {
	const { by, what, accountId, subjectId, websiteId, isHiddenFromOwners } = action;
	await tx.run(sql`
		INSERT INTO operator_log (at, person_id, key_id, what, account_id, subject_id, website_id)
		VALUES (${value(now())}, ${value(by.kind === 'person' ? by.personId : null)},
			${value(by.kind === 'operatorKey' ? by.keyId : null)}, ${value(what)}, ${value(accountId ?? null)},
			${value(subjectId ?? null)}, ${value(websiteId ?? null)})`);
	if (accountId === undefined || isHiddenFromOwners) return;
	await recordAudit(tx, now, { by: { kind: 'operator' }, what, ownerId: accountId, subjectId, websiteId });
}

/**
 * In the transaction of a change: the author, if they are still an operator. Keeps them from losing that until the end of the
 * transaction.
 */
export async function holdOperator(tx: Queries, principal: Principal): Promise<OperatorAuthor> {
	if (principal.kind === 'person') {
		const { personId } = principal;
		const rows = await tx.rows(
			sql`SELECT 1 FROM people WHERE id = ${value(personId)} AND is_operator FOR SHARE`,
		);
		if (rows.length > 0) return { kind: 'person', personId };
	}
	if (principal.kind === 'operatorKey') {
		const { keyId } = principal;
		const rows = await tx.rows(sql`
			SELECT 1 FROM operator_keys WHERE id = ${value(keyId)} AND access = 'full' AND revoked_at IS NULL FOR SHARE`);
		if (rows.length > 0) return { kind: 'operatorKey', keyId };
	}
	throw notFound();
}

export type OperatorEntry = {
	id: number;
	at: Date;
	what: string;
	personId: number | null;
	/** Names are null when the person, account or website was deleted. */
	personName: string | null;
	keyId: number | null;
	keyName: string | null;
	accountId: number | null;
	accountName: string | null;
	subjectId: number | null;
	subjectName: string | null;
	websiteId: number | null;
	domain: string | null;
};

export type LogScope = { accountId?: number | undefined; from?: Date | undefined; before?: Date | undefined };

const selectEntries = (conditions: readonly Sql[], order: Sql): Sql => sql`
	SELECT l.id, l.at, l.what, l.person_id AS "personId", p.name AS "personName", l.key_id AS "keyId", k.name AS "keyName",
		l.account_id AS "accountId", a.name AS "accountName", l.subject_id AS "subjectId", s.name AS "subjectName",
		l.website_id AS "websiteId", w.domain
	FROM operator_log l
	LEFT JOIN people p ON p.id = l.person_id
	LEFT JOIN operator_keys k ON k.id = l.key_id
	LEFT JOIN accounts a ON a.id = l.account_id
	LEFT JOIN people s ON s.id = l.subject_id
	LEFT JOIN websites w ON w.id = l.website_id
	WHERE ${join(conditions, ' AND ')} ${order}`;

const conditionsOf = ({ accountId, from, before }: LogScope): Sql[] => [
	sql`true`,
	...(accountId === undefined ? [] : [sql`l.account_id = ${value(accountId)}`]),
	...(from ? [sql`l.at >= ${value(from)}`] : []),
	...(before ? [sql`l.at < ${value(before)}`] : []),
];

/** Newest first. */
export async function listOperatorLog(
	queries: Queries,
	scope: LogScope,
	page: { skip: number; count: number },
): Promise<{ entries: OperatorEntry[]; total: number }> {
	const conditions = conditionsOf(scope);
	const entries = await queries.rowsUnprepared<OperatorEntry>(
		selectEntries(conditions, sql`ORDER BY l.id DESC LIMIT ${value(page.count)} OFFSET ${value(page.skip)}`),
	);
	const [row] = await queries.rowsUnprepared<{ count: number }>(
		sql`SELECT count(*) AS count FROM operator_log l WHERE ${join(conditions, ' AND ')}`,
	);
	return { entries, total: row?.count ?? 0 };
}

/** Up to so many entries after an id, oldest first. */
export const readOperatorLog = (
	queries: Queries,
	scope: LogScope,
	{ afterId, count }: { afterId: number; count: number },
): Promise<OperatorEntry[]> =>
	queries.rowsUnprepared<OperatorEntry>(
		selectEntries(
			[...conditionsOf(scope), sql`l.id > ${value(afterId)}`],
			sql`ORDER BY l.id LIMIT ${value(count)}`,
		),
	);
