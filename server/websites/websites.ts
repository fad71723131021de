import type { FieldErrors } from '../../api/errors.ts';
import { updateWebsiteBody } from '../../api/websites.ts';
import {
	type Action,
	accountOf,
	authorize,
	notFound,
	type Role,
	requirePermission,
	roleOf,
	type Stake,
} from '../accounts/authorize.ts';
import type { Principal } from '../accounts/principal.ts';
import { AppError, invalid } from '../lib/app-error.ts';
import type { Clock } from '../lib/clock.ts';
import { withSharePasswordSlot } from '../lib/passwords.ts';
import type { Postgres, Queries } from '../store/postgres.ts';
import { join, type Sql, sql, value } from '../store/sql.ts';
import { announce } from './announce.ts';
import { readSearch } from './domain.ts';
import type { NewWebsite, WebsiteChange, WebsiteRename } from './fields.ts';
import { addTombstone } from './tombstones.ts';
import { changeZone, setFirstZone } from './zones.ts';

export type Website = {
	id: number;
	accountId: number;
	domain: string;
	domainUnicode: string | null;
	privacy: 0 | 1 | 2;
	passwordHash: string | null;
	email: boolean;
	excludeBots: boolean;
	excludeParams: string | null;
	excludeIps: string | null;
	favorite: boolean;
	timezone: string;
	createdAt: Date;
	updatedAt: Date;
};

export const websiteColumns = sql`id, account_id AS "accountId", domain, domain_unicode AS "domainUnicode", privacy,
	password_hash AS "passwordHash", email, exclude_bots AS "excludeBots", exclude_params AS "excludeParams",
	exclude_ips AS "excludeIps", favorite, timezone, created_at AS "createdAt", updated_at AS "updatedAt"`;

/** Whether a record is still the one that the caller read. */
export type IsExpected = (website: LoadedWebsite) => boolean;

/** A website, with the role that the account of the principal has on it. */
export type LoadedWebsite = Website & Stake;

async function loadWebsite(
	postgres: Queries,
	principal: Principal,
	id: number,
	lock: Sql = sql``,
): Promise<LoadedWebsite | undefined> {
	const role = principal.kind === 'account' ? memberRole(principal.accountId) : sql`NULL`;
	const [website] = await postgres.rows<LoadedWebsite>(
		sql`SELECT ${websiteColumns}, ${role} AS "memberRole" FROM websites WHERE id = ${value(id)} ${lock}`,
	);
	return website;
}

/** The website. Throws if it does not exist or the principal lacks the permission. */
export async function getWebsite(
	postgres: Queries,
	principal: Principal,
	action: Action,
	id: number,
	lock?: Sql,
): Promise<LoadedWebsite> {
	const website = await loadWebsite(postgres, principal, id, lock);
	if (!website) throw notFound();
	requirePermission(principal, action, website);
	return website;
}

/** Like `getWebsite`, but returns undefined instead of throwing. */
export async function findWebsite(
	postgres: Queries,
	principal: Principal,
	action: Action,
	id: number,
): Promise<LoadedWebsite | undefined> {
	const website = await loadWebsite(postgres, principal, id);
	return website && authorize(principal, action, website) === 'allowed' ? website : undefined;
}

/** A website and the role that an account has on it; undefined if it has none. */
export async function findWebsiteWithRole(
	postgres: Queries,
	accountId: number,
	id: number,
): Promise<(Website & { role: Role }) | undefined> {
	const website = await loadWebsite(postgres, { kind: 'account', accountId }, id);
	const role = website && roleOf(accountId, website);
	return website && role ? { ...website, role } : undefined;
}

/** The best role that an account was given on a website, on that one or on all of its owner's. */
const memberRole = (accountId: number) => sql`(
	SELECT role FROM members
	WHERE member_id = ${value(accountId)} AND owner_id = websites.account_id
		AND (members.website_id = websites.id OR members.website_id IS NULL)
	ORDER BY array_position(ARRAY['admin', 'editor', 'viewer'], role) LIMIT 1
)`;

/** Hashing is slow on purpose: it is done before a transaction begins, and for nothing that will be refused. */
export async function hashNewPassword(accountId: number, fields: NewWebsite): Promise<string | null> {
	if (fields.privacy === 2 && fields.password === undefined) throw passwordNeeded();
	return fields.password === undefined ? null : hashSharePassword(accountId, fields.password);
}

const hashSharePassword = (accountId: number, password: string): Promise<string> =>
	withSharePasswordSlot(`account ${accountId}`, (turn) => turn.hash(password));

/** Creates a website inside the caller's transaction: an idempotent create stores its answer in the same one. */
export async function createWebsite(
	tx: Queries,
	now: Clock,
	accountId: number,
	fields: NewWebsite & { passwordHash: string | null },
): Promise<Website> {
	// The lock makes creates of one account wait for each other, so that a limit cannot be passed by two at once.
	const [account] = await tx.rows<{ count: number; limit: number | null; timezone: string }>(sql`
		SELECT website_count AS count, website_limit AS "limit", timezone FROM accounts
		WHERE id = ${value(accountId)} FOR NO KEY UPDATE`);
	if (!account) throw notFound();
	const created = now();
	const [website] = await tx.rows<Website>(sql`
		INSERT INTO websites (account_id, domain, domain_unicode, privacy, password_hash, email, exclude_bots,
			exclude_params, exclude_ips, timezone, created_at, updated_at)
		VALUES (${value(accountId)}, ${value(fields.domain.domain)}, ${value(fields.domain.unicode)}, ${value(fields.privacy ?? 0)},
			${value(fields.passwordHash)}, ${value(fields.email === 1)}, ${value(fields.exclude_bots !== 0)},
			${value(fields.exclude_params ?? null)}, ${value(fields.exclude_ips ?? null)},
			${value(fields.timezone ?? account.timezone)}, ${value(created)}, ${value(created)})
		ON CONFLICT (account_id, domain) DO NOTHING
		RETURNING ${websiteColumns}`);
	if (!website) throw await domainTaken(tx, accountId, fields.domain.domain);
	if (account.limit !== null && account.count >= account.limit) {
		throw new AppError('limit_reached', `The account may have ${account.limit} websites and has them.`, {
			errors: { domain: [`The account may have ${account.limit} websites and has them.`] },
		});
	}
	await tx.run(sql`UPDATE accounts SET website_count = website_count + 1 WHERE id = ${value(accountId)}`);
	await setFirstZone(tx, website.id, website.timezone);
	await announce(tx, website.id);
	return website;
}

const passwordFault = { password: ['Privacy mode 2 needs a password.'] };
const passwordNeeded = () => invalid(passwordFault);

/** Whether fields of which others are faulty would leave a website in mode 2 without a password. */
export function missingPassword(
	sent: Readonly<Record<string, unknown>>,
	stored: Website | undefined,
): FieldErrors {
	const privacy = updateWebsiteBody.shape.privacy.safeParse(sent.privacy).data ?? stored?.privacy;
	const isMissing = sent.password === '' || (sent.password === undefined && !stored?.passwordHash);
	return privacy === 2 && isMissing ? passwordFault : {};
}

export async function domainTaken(tx: Queries, accountId: number, domain: string): Promise<AppError> {
	const [existing] = await tx.rows<{ id: number }>(sql`
		SELECT id FROM websites WHERE account_id = ${value(accountId)} AND domain = ${value(domain)}`);
	const message = `The account already has a website ${domain}.`;
	return new AppError('domain_taken', message, {
		errors: { domain: [message] },
		members: existing ? { website_id: existing.id } : {},
	});
}

/** Changes what is named and nothing else. The row is locked, so changes of different fields never undo each other. */
export async function updateWebsite(
	postgres: Postgres,
	now: Clock,
	principal: Principal,
	loaded: LoadedWebsite,
	change: { fields: WebsiteChange; isExpected: IsExpected },
): Promise<LoadedWebsite> {
	const { fields, isExpected } = change;
	// Hashing is slow, so the permission is checked first.
	if (fields.password !== undefined) requirePermission(principal, 'website.administer', loaded);
	const newHash = fields.password ? await hashSharePassword(accountOf(principal), fields.password) : null;
	return postgres.transaction(async (tx) => {
		const website = await getWebsite(tx, principal, 'website.update', loaded.id, sql`FOR NO KEY UPDATE`);
		if (!isExpected(website)) throw stale();
		const wanted: Website = {
			...website,
			privacy: fields.privacy ?? website.privacy,
			passwordHash: fields.password === undefined ? website.passwordHash : newHash,
			email: fields.email === undefined ? website.email : fields.email === 1,
			excludeBots: fields.exclude_bots === undefined ? website.excludeBots : fields.exclude_bots === 1,
			excludeParams: fields.exclude_params === undefined ? website.excludeParams : fields.exclude_params,
			excludeIps: fields.exclude_ips === undefined ? website.excludeIps : fields.exclude_ips,
			favorite: fields.favorite === undefined ? website.favorite : fields.favorite === 1,
			timezone: fields.timezone ?? website.timezone,
		};
		if (wanted.privacy !== website.privacy || fields.password !== undefined)
			requirePermission(principal, 'website.administer', website);
		if (wanted.privacy === 2 && wanted.passwordHash === null) throw passwordNeeded();
		return store(tx, now, website, wanted);
	});
}

/** Another domain under the rules of create; id and statistics stay. */
export async function renameWebsite(
	postgres: Postgres,
	now: Clock,
	principal: Principal,
	{ id, accountId }: Website,
	change: { fields: WebsiteRename; isExpected: IsExpected },
): Promise<LoadedWebsite> {
	const { domain, unicode } = change.fields.domain;
	return postgres
		.transaction(async (tx) => {
			const website = await getWebsite(tx, principal, 'website.rename', id, sql`FOR UPDATE`);
			if (!change.isExpected(website)) throw stale();
			const [other] = await tx.rows(sql`
			SELECT id FROM websites
			WHERE account_id = ${value(website.accountId)} AND domain = ${value(domain)} AND id <> ${value(id)}`);
			if (other) throw await domainTaken(tx, website.accountId, domain);
			return store(tx, now, website, { ...website, domain, domainUnicode: unicode });
		})
		.catch(async (error: unknown) => {
			// Another transaction has taken the domain since the SELECT.
			const isTaken =
				error instanceof Error && 'constraint' in error && error.constraint === 'websites_by_domain';
			throw isTaken ? await domainTaken(postgres, accountId, domain) : error;
		});
}

/** Writes the record if it changed at all; `updated_at` moves with every change, even two within a millisecond. */
async function store(
	tx: Queries,
	now: Clock,
	before: LoadedWebsite,
	wanted: Website,
): Promise<LoadedWebsite> {
	// Object.keys forgets that the names are those of the type.
	const changed = (Object.keys(wanted) as (keyof Website)[]).some((name) => wanted[name] !== before[name]);
	if (!changed) return before;
	const updatedAt = new Date(Math.max(now().getTime(), before.updatedAt.getTime() + 1));
	const [website] = await tx.rows<Website>(sql`
		UPDATE websites SET domain = ${value(wanted.domain)}, domain_unicode = ${value(wanted.domainUnicode)},
			privacy = ${value(wanted.privacy)}, password_hash = ${value(wanted.passwordHash)}, email = ${value(wanted.email)},
			exclude_bots = ${value(wanted.excludeBots)}, exclude_params = ${value(wanted.excludeParams)},
			exclude_ips = ${value(wanted.excludeIps)}, favorite = ${value(wanted.favorite)},
			timezone = ${value(wanted.timezone)}, updated_at = ${value(updatedAt)}
		WHERE id = ${value(before.id)} RETURNING ${websiteColumns}`);
	if (!website) throw notFound();
	if (wanted.timezone !== before.timezone)
		await changeZone(tx, website.id, wanted.timezone, updatedAt.getTime());
	await announce(tx, website.id);
	return { ...website, memberRole: before.memberRole };
}

const stale = () => new AppError('precondition_failed', 'The website has changed since it was read.');

export async function deleteWebsite(
	postgres: Postgres,
	now: Clock,
	principal: Principal,
	id: number,
	isExpected: IsExpected,
): Promise<void> {
	await postgres.transaction(async (tx) => {
		// The account first, as in create: the other order could wait for a create of the same domain that waits for us.
		await tx.run(sql`
			SELECT 1 FROM accounts WHERE id = (SELECT account_id FROM websites WHERE id = ${value(id)}) FOR NO KEY UPDATE`);
		const website = await getWebsite(tx, principal, 'website.delete', id, sql`FOR UPDATE`);
		if (!isExpected(website)) throw stale();
		await tx.run(sql`DELETE FROM websites WHERE id = ${value(id)}`);
		await addTombstone(tx, now, id, { isReset: false });
		await announce(tx, id);
		await tx.run(
			sql`UPDATE accounts SET website_count = website_count - 1 WHERE id = ${value(website.accountId)}`,
		);
	});
}

/** What others have shared with an account: all that some own, and some one by one. */
export type SharedWebsites = { ownerIds: readonly number[]; websiteIds: readonly number[] };

/** Undefined where nothing is shared. Keys are for their account's own websites: they do not ask. */
export async function findSharedWebsites(
	postgres: Queries,
	principal: Principal,
): Promise<SharedWebsites | undefined> {
	if (principal.kind !== 'account') return undefined;
	const rows = await postgres.rows<{ ownerId: number; websiteId: number | null }>(sql`
		SELECT m.owner_id AS "ownerId", m.website_id AS "websiteId" FROM members m
		LEFT JOIN websites w ON w.id = m.website_id
		WHERE m.member_id = ${value(principal.accountId)}
			AND (m.website_id IS NULL OR w.account_id = m.owner_id)`);
	if (rows.length === 0) return undefined;
	return {
		ownerIds: rows.flatMap(({ ownerId, websiteId }) => (websiteId === null ? [ownerId] : [])),
		websiteIds: rows.flatMap(({ websiteId }) => (websiteId === null ? [] : [websiteId])),
	};
}

/** Which websites of an account are meant. */
export type WebsiteFilter = {
	accountId: number;
	/** null: all of the account. */
	websiteIds: readonly number[] | null;
	/** Others' websites that belong in the same list. */
	shared?: SharedWebsites | undefined;
	search: string | undefined;
	favorite: boolean | undefined;
	/** Those with one of these labels. */
	labels?: readonly string[] | undefined;
	/** Of those above, only these. */
	only?: readonly number[] | undefined;
};

export type ListRequest = WebsiteFilter & {
	sortBy: 'id' | 'domain';
	descending: boolean;
	page: number;
	perPage: number;
};

/**
 * One page and how many there are in all, of one moment. A page is cut in an index and only its own rows are read;
 * pages of the far half are counted from the other end.
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
			// A first page that is not full is all there is: nothing needs to be counted.
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

/** For a WHERE over `websites`: all that are meant. */
export const isMeant = (filter: WebsiteFilter): Sql => join(conditionsOf(filter), ' AND ');

/** The first alone is for all websites of the account. */
function conditionsOf(list: WebsiteFilter): Sql[] {
	const { shared } = list;
	const isOwn = sql`account_id = ${value(list.accountId)}`;
	const conditions = [
		shared
			? sql`(${isOwn} OR account_id = ANY(${value(shared.ownerIds)}) OR id = ANY(${value(shared.websiteIds)}))`
			: isOwn,
	];
	if (list.websiteIds) conditions.push(sql`id = ANY(${value(list.websiteIds)})`);
	if (list.favorite !== undefined) conditions.push(list.favorite ? sql`favorite` : sql`NOT favorite`);
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
	const role = list.shared ? memberRole(list.accountId) : sql`NULL`;
	const websites = await tx.rowsUnprepared<LoadedWebsite>(sql`
		WITH page AS (
			SELECT id AS page_id FROM websites WHERE ${where} ${order} LIMIT ${value(cut.count)} OFFSET ${value(cut.skip)}
		)
		SELECT ${websiteColumns}, ${role} AS "memberRole" FROM websites JOIN page ON page_id = id ${order}`);
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

/** A domain is unique in its account, and an id everywhere: only a list of several accounts needs a tie-breaker. */
function orderBy({ sortBy, shared }: ListRequest, descending: boolean): Sql {
	if (sortBy === 'id') return descending ? sql`ORDER BY id DESC` : sql`ORDER BY id`;
	if (shared) return descending ? sql`ORDER BY domain DESC, id DESC` : sql`ORDER BY domain, id`;
	return descending ? sql`ORDER BY domain DESC` : sql`ORDER BY domain`;
}

function matches(search: string): Sql {
	const { ascii, unicode } = readSearch(search);
	// No domain has one, and PostgreSQL would not even take a NUL.
	if (/\p{Cc}/u.test(unicode)) return sql`false`;
	const pattern = (text: string) => value(`%${text.replace(/[\\%_]/g, '\\$&')}%`);
	return sql`(domain LIKE ${pattern(ascii)} OR domain_unicode LIKE ${pattern(unicode)})`;
}
