import type { Clock } from '../lib/clock.ts';
import type { Queries } from '../store/postgres.ts';
import { type Sql, sql, value } from '../store/sql.ts';
import type { Principal } from './principal.ts';

/** The caller of a request, or the operator on the command line. */
type Author = Principal | { kind: 'operator' };

/** Records who changed what. Only ids and the name of the operation are stored. */
export async function recordAudit(
	postgres: Queries,
	now: Clock,
	change: {
		by: Author;
		what: string;
		websiteId?: number | undefined;
		/** The owner of the website; by default the author. */
		ownerId?: number | undefined;
		/** The person it was done to. */
		subjectId?: number | undefined;
	},
): Promise<void> {
	const { by, what, websiteId } = change;
	const accountId = 'accountId' in by ? by.accountId : undefined;
	const ownerId = change.ownerId ?? accountId;
	if (ownerId === undefined) return;
	// Who made the change: a person, or the account of a key. Both have ids of the same sequence (migration 0042).
	const authorId = by.kind === 'person' ? by.personId : accountId;
	await postgres.run(sql`
		INSERT INTO changes (at, account_id, key_id, what, website_id, owner_id, subject_id)
		VALUES (${value(now())}, ${value(authorId ?? null)}, ${value(by.kind === 'key' ? by.keyId : null)}, ${value(what)},
			${value(websiteId ?? null)}, ${value(ownerId)}, ${value(change.subjectId ?? null)})`);
}

export type AuditEntry = {
	id: number;
	at: Date;
	what: string;
	authorId: number | null;
	/** Names are null when the person, account, key or website was deleted. */
	authorName: string | null;
	authorEmail: string | null;
	keyId: number | null;
	keyName: string | null;
	websiteId: number | null;
	domain: string | null;
	subjectId: number | null;
	subjectName: string | null;
};

export type AuditScope = {
	ownerId: number;
	websiteId?: number | undefined;
	from?: Date | undefined;
	before?: Date | undefined;
};

const isInScope = ({
	ownerId,
	websiteId,
	from,
	before,
}: AuditScope): Sql => sql`c.owner_id = ${value(ownerId)}
	${websiteId === undefined ? sql`` : sql`AND c.website_id = ${value(websiteId)}`}
	${from ? sql`AND c.at >= ${value(from)}` : sql``} ${before ? sql`AND c.at < ${value(before)}` : sql``}`;

/** Names of a deleted person, account, key or website are null. */
const selectEntries = (where: Sql): Sql => sql`
	SELECT c.id, c.at, c.what, c.account_id AS "authorId", coalesce(p.name, a.name) AS "authorName", p.email AS "authorEmail",
		c.key_id AS "keyId", k.name AS "keyName", c.website_id AS "websiteId", w.domain,
		c.subject_id AS "subjectId", s.name AS "subjectName"
	FROM changes c
	LEFT JOIN people p ON p.id = c.account_id AND c.key_id IS NULL
	LEFT JOIN accounts a ON a.id = c.account_id AND c.key_id IS NOT NULL
	LEFT JOIN people s ON s.id = c.subject_id
	LEFT JOIN api_keys k ON k.id = c.key_id
	LEFT JOIN websites w ON w.id = c.website_id AND w.account_id = c.owner_id
	WHERE ${where}`;

/** The changes of an account or of one of its websites, newest first. */
export async function listAudit(
	postgres: Queries,
	scope: AuditScope,
	page: { skip: number; count: number },
): Promise<{ changes: AuditEntry[]; total: number }> {
	const changes = await postgres.rowsUnprepared<AuditEntry>(
		sql`${selectEntries(isInScope(scope))} ORDER BY c.id DESC LIMIT ${value(page.count)} OFFSET ${value(page.skip)}`,
	);
	const [row] = await postgres.rowsUnprepared<{ count: number }>(
		sql`SELECT count(*) AS count FROM changes c WHERE ${isInScope(scope)}`,
	);
	return { changes, total: row?.count ?? 0 };
}

/** Up to so many changes after an id, oldest first. */
export const readAudit = (
	postgres: Queries,
	scope: AuditScope,
	{ afterId, count }: { afterId: number; count: number },
): Promise<AuditEntry[]> =>
	postgres.rowsUnprepared<AuditEntry>(
		sql`${selectEntries(sql`${isInScope(scope)} AND c.id > ${value(afterId)}`)} ORDER BY c.id LIMIT ${value(count)}`,
	);
