import { accountOf } from '../accounts/authorize.ts';
import { refusalsIn } from '../accounts/policy-refusals.ts';
import type { PersonPrincipal, Principal } from '../accounts/principal.ts';
import type { Postgres, Queries } from '../store/postgres.ts';
import { join, type Sql, sql, value } from '../store/sql.ts';
import { readSearch } from './domain.ts';
import { columnsFor, isFavoriteOf, type LoadedWebsite } from './get-website.ts';

/** Websites of other accounts that a person is a member of: all websites of some accounts, and single websites. */
type SharedWebsites = { ownerIds: readonly number[]; websiteIds: readonly number[] };

/** The websites that a caller can list. */
export type ListScope = {
	accountId: number;
	/** null: all websites of the account. */
	websiteIds: readonly number[] | null;
	/** A person, whose favorites and roles the list shows. */
	personId?: number | undefined;
	/** Websites of other accounts to include. */
	shared?: SharedWebsites | undefined;
};

export const findListScope = async (postgres: Queries, principal: Principal): Promise<ListScope> => ({
	accountId: accountOf(principal),
	websiteIds: principal.kind === 'key' ? principal.websiteIds : null,
	...(principal.kind === 'person' && {
		personId: principal.personId,
		shared: await findSharedWebsites(postgres, principal),
	}),
});

/** Undefined if nothing is shared with the person. */
async function findSharedWebsites(
	postgres: Queries,
	{ personId, accountId, refusals }: PersonPrincipal,
): Promise<SharedWebsites | undefined> {
	const found = await postgres.rows<{ ownerId: number; websiteId: number | null }>(sql`
		SELECT m.owner_id AS "ownerId", m.website_id AS "websiteId" FROM members m
		JOIN accounts a ON a.id = m.owner_id AND a.disabled_at IS NULL
		LEFT JOIN websites w ON w.id = m.website_id
		WHERE m.member_id = ${value(personId)} AND m.owner_id <> ${value(accountId)}
			AND (m.website_id IS NULL OR w.account_id = m.owner_id)`);
	const rows = found.filter(({ ownerId }) => refusalsIn(refusals, [ownerId]).length === 0);
	if (rows.length === 0) return undefined;
	return {
		ownerIds: rows.flatMap(({ ownerId, websiteId }) => (websiteId === null ? [ownerId] : [])),
		websiteIds: rows.flatMap(({ websiteId }) => (websiteId === null ? [] : [websiteId])),
	};
}

export type WebsiteFilter = ListScope & {
	search: string | undefined;
	favorite: boolean | undefined;
	/** Only websites with one of these labels. */
	labels?: readonly string[] | undefined;
	/** Only these ids, if the other conditions match too. */
	only?: readonly number[] | undefined;
};

export type ListRequest = WebsiteFilter & {
	sortBy: 'id' | 'domain';
	descending: boolean;
	page: number;
	perPage: number;
};

/**
 * One page and the total number, as of one moment. The page is selected in an index before its rows are read. Pages in the
 * second half are selected from the end.
 */
export async function listWebsites(
	postgres: Postgres,
	list: ListRequest,
): Promise<{ websites: LoadedWebsite[]; total: number }> {
	const conditions = conditionsOf(list);
	const where = join(conditions, ' AND ');
	return postgres.snapshot(async (tx) => {
		if (list.page === 1) {
			const websites = await readPage(tx, list, where, { skip: 0, count: list.perPage, fromEnd: false });
			// If the first page is not full, the total is known.
			if (websites.length < list.perPage) return { websites, total: websites.length };
			return { websites, total: await countWebsites(tx, list, conditions) };
		}
		const total = await countWebsites(tx, list, conditions);
		const offset = (list.page - 1) * list.perPage;
		const count = Math.max(0, Math.min(list.perPage, total - offset));
		if (count === 0) return { websites: [], total };
		const fromEnd = offset > total / 2;
		const skip = fromEnd ? total - offset - count : offset;
		return { websites: await readPage(tx, list, where, { skip, count, fromEnd }), total };
	});
}

/** The condition of a SELECT over `websites`. */
export const matchesFilter = (filter: WebsiteFilter): Sql => join(conditionsOf(filter), ' AND ');

/** The ids of websites with one of these labels, oldest first. */
export async function findIdsByLabels(
	postgres: Queries,
	principal: Principal,
	labels: readonly string[],
	limit: number,
): Promise<number[]> {
	const scope = await findListScope(postgres, principal);
	const matches = matchesFilter({ ...scope, search: undefined, favorite: undefined, labels });
	const rows = await postgres.rowsUnprepared<{ id: number }>(
		sql`SELECT id FROM websites WHERE ${matches} ORDER BY id LIMIT ${value(limit)}`,
	);
	return rows.map(({ id }) => id);
}

/** If there is only one condition, it selects all websites of the account. */
function conditionsOf(list: WebsiteFilter): Sql[] {
	const { shared } = list;
	const isOwn = sql`account_id = ${value(list.accountId)}`;
	const conditions = [
		shared
			? sql`(${isOwn} OR account_id = ANY(${value(shared.ownerIds)}) OR id = ANY(${value(shared.websiteIds)}))`
			: isOwn,
	];
	if (list.websiteIds) conditions.push(sql`id = ANY(${value(list.websiteIds)})`);
	if (list.favorite !== undefined) {
		const favorite = list.personId === undefined ? sql`favorite` : isFavoriteOf(list.personId);
		conditions.push(list.favorite ? favorite : sql`NOT ${favorite}`);
	}
	if (list.search !== undefined) conditions.push(matches(list.search));
	if (list.only) conditions.push(sql`id = ANY(${value(list.only)})`);
	if (list.labels) conditions.push(sql`labels && ${value(list.labels)}::text[]`);
	return conditions;
}

async function readPage(
	tx: Queries,
	list: ListRequest,
	where: Sql,
	cut: { skip: number; count: number; fromEnd: boolean },
): Promise<LoadedWebsite[]> {
	const order = orderBy(list, list.descending !== cut.fromEnd);
	const { accountId, personId } = list;
	const columns = columnsFor(
		personId === undefined ? { kind: 'account', accountId } : { kind: 'person', personId, accountId },
	);
	const websites = await tx.rowsUnprepared<LoadedWebsite>(sql`
		WITH page AS (
			SELECT id AS page_id FROM websites WHERE ${where} ${order} LIMIT ${value(cut.count)} OFFSET ${value(cut.skip)}
		)
		SELECT ${columns} FROM websites JOIN page ON page_id = id ${order}`);
	return cut.fromEnd ? websites.reverse() : websites;
}

async function countWebsites(tx: Queries, list: ListRequest, conditions: readonly Sql[]): Promise<number> {
	const [row] = await tx.rowsUnprepared<{ count: number }>(
		conditions.length > 1 || list.shared
			? sql`SELECT count(*) AS count FROM websites WHERE ${join(conditions, ' AND ')}`
			: sql`SELECT website_count AS count FROM accounts WHERE id = ${value(list.accountId)}`,
	);
	return row?.count ?? 0;
}

/** A domain is unique within an account, so only a list of several accounts needs a tie-breaker. */
function orderBy({ sortBy, shared }: ListRequest, descending: boolean): Sql {
	if (sortBy === 'id') return descending ? sql`ORDER BY id DESC` : sql`ORDER BY id`;
	if (shared) return descending ? sql`ORDER BY domain DESC, id DESC` : sql`ORDER BY domain, id`;
	return descending ? sql`ORDER BY domain DESC` : sql`ORDER BY domain`;
}

function matches(search: string): Sql {
	const { ascii, unicode } = readSearch(search);
	// No domain contains control characters, and PostgreSQL rejects NUL.
	if (/\p{Cc}/u.test(unicode)) return sql`false`;
	const pattern = (text: string) => value(`%${text.replace(/[\\%_]/g, '\\$&')}%`);
	return sql`(domain LIKE ${pattern(ascii)} OR domain_unicode LIKE ${pattern(unicode)})`;
}
