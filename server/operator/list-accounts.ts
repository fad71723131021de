/** Accounts as the operator sees them, with their usage. */
import { notFound } from '../accounts/authorize.ts';
import type { Clock } from '../lib/clock.ts';
import type { Queries } from '../store/postgres.ts';
import { join, type Sql, sql, value } from '../store/sql.ts';

export type ListedAccount = {
	id: number;
	name: string;
	ownerId: number;
	ownerName: string;
	email: string;
	confirmedAt: Date | null;
	owners: number;
	createdAt: Date;
	disabledAt: Date | null;
	lastUsedAt: Date | null;
	websiteCount: number;
	pageviews: number;
	websiteLimit: number | null;
	pageviewLimit: number | null;
	hitLimit: number | null;
};

const select = (now: Clock, where: Sql): Sql => sql`
	SELECT a.id, a.name, p.id AS "ownerId", p.name AS "ownerName", p.email, p.confirmed_at AS "confirmedAt",
		(SELECT count(*) FROM account_owners o WHERE o.account_id = a.id) AS owners,
		a.created_at AS "createdAt", a.disabled_at AS "disabledAt",
		greatest(
			(SELECT max(s.last_used_at) FROM sessions s JOIN account_owners o ON o.person_id = s.account_id AND o.account_id = a.id),
			(SELECT max(k.last_used_at) FROM api_keys k WHERE k.account_id = a.id)
		) AS "lastUsedAt",
		a.website_count AS "websiteCount", coalesce(u.pageviews, 0) AS pageviews, a.website_limit AS "websiteLimit",
		a.pageview_limit AS "pageviewLimit", a.hit_limit AS "hitLimit"
	FROM accounts a JOIN account_owners own ON own.account_id = a.id AND own.is_primary JOIN people p ON p.id = own.person_id
	LEFT JOIN account_usage u ON u.account_id = a.id AND u.month = ${value(`${now().toISOString().slice(0, 7)}-01`)}::date
	WHERE ${where}`;

export async function listOperatedAccounts(
	queries: Queries,
	now: Clock,
	filter: { search: string | undefined; state: 'all' | 'active' | 'disabled' },
	page: { skip: number; count: number },
): Promise<{ accounts: ListedAccount[]; total: number }> {
	const where = join(conditionsOf(filter), ' AND ');
	const accounts = await queries.rowsUnprepared<ListedAccount>(
		sql`${select(now, where)} ORDER BY a.id DESC LIMIT ${value(page.count)} OFFSET ${value(page.skip)}`,
	);
	const [row] = await queries.rowsUnprepared<{ count: number }>(sql`
		SELECT count(*) AS count FROM accounts a JOIN account_owners own ON own.account_id = a.id AND own.is_primary
			JOIN people p ON p.id = own.person_id WHERE ${where}`);
	return { accounts, total: row?.count ?? 0 };
}

function conditionsOf({ search = '', state }: Parameters<typeof listOperatedAccounts>[2]): Sql[] {
	const pattern = `%${search.trim().replace(/[\\%_]/g, '\\$&')}%`;
	return [
		sql`true`,
		...(search.trim() === ''
			? []
			: [sql`(a.name ILIKE ${value(pattern)} OR p.email ILIKE ${value(pattern)})`]),
		...(state === 'all' ? [] : [sql`(a.disabled_at IS NULL) = ${value(state === 'active')}`]),
	];
}

export async function getOperatedAccount(queries: Queries, now: Clock, id: number): Promise<ListedAccount> {
	const [account] = await queries.rows<ListedAccount>(select(now, sql`a.id = ${value(id)}`));
	if (!account) throw notFound();
	return account;
}
