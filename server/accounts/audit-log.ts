import type { Clock } from '../lib/clock.ts';
import type { Queries } from '../store/postgres.ts';
import { type Sql, sql, value } from '../store/sql.ts';
import { insertCalls, isSubscribed } from '../webhooks/queue-events.ts';
import type { Principal } from './principal.ts';

/** The caller of a request, or the operator on the command line. */
type Author = Principal | { kind: 'operator' };

/** Records who changed what. Only ids and the name of the operation are stored. Webhooks that follow the activity log get it. */
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
	const inserted = sql`
		INSERT INTO changes (at, account_id, key_id, what, website_id, owner_id, subject_id)
		VALUES (${value(now())}, ${value(authorId ?? null)}, ${value(by.kind === 'key' ? by.keyId : null)}, ${value(what)},
			${value(websiteId ?? null)}, ${value(ownerId)}, ${value(change.subjectId ?? null)})`;
	if (!(await isSubscribed(postgres, ownerId, activityRecorded))) {
		await postgres.run(inserted);
		return;
	}
	const calls = insertCalls(now, [
		{
			type: activityRecorded,
			accountId: ownerId,
			websiteId: websiteId ?? null,
			data: await describeChange(postgres, change, ownerId),
		},
	]);
	// One statement: there may be no transaction, and a change that is recorded must be sent.
	await postgres.run(sql`WITH recorded AS (${inserted}) ${calls}`);
}

const activityRecorded = 'activity.recorded';

/** Names, but no addresses: the receiver may be anyone. */
async function describeChange(
	postgres: Queries,
	{ by, what, websiteId }: { by: Author; what: string; websiteId?: number | undefined },
	ownerId: number,
): Promise<Record<string, unknown>> {
	const [names] = await postgres.rows<{
		person: string | null;
		key: string | null;
		domain: string | null;
	}>(sql`
		SELECT (SELECT name FROM people WHERE id = ${value(by.kind === 'person' ? by.personId : null)}::bigint) AS person,
			(SELECT name FROM api_keys WHERE id = ${value(by.kind === 'key' ? by.keyId : null)}::bigint) AS key,
			(SELECT coalesce(domain_unicode, domain) FROM websites
				WHERE id = ${value(websiteId ?? null)}::bigint AND account_id = ${value(ownerId)}) AS domain`);
	return {
		what,
		by: authorOf(by, { person: names?.person ?? null, key: names?.key ?? null }),
		website: websiteId === undefined ? null : { id: websiteId, domain: names?.domain ?? null },
	};
}

function authorOf(by: Author, names: { person: string | null; key: string | null }) {
	if (by.kind === 'person') return { kind: 'person', id: by.personId, name: names.person };
	if (by.kind === 'key') return { kind: 'key', id: by.keyId, name: names.key };
	return { kind: by.kind };
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
