/** An account owns websites, API keys and limits. One or more people own the account; one of them is its primary owner. */
import { AppError } from '../lib/app-error.ts';
import type { Clock } from '../lib/clock.ts';
import type { Queries } from '../store/postgres.ts';
import { type Sql, sql, value } from '../store/sql.ts';
import { unlimited } from './key-limits.ts';
import { createKey, forgetKeys } from './keys.ts';
import { checkFields, insertPerson, type NewPerson, type Person, unconfirmedAccount } from './people.ts';

export type Account = {
	id: number;
	name: string;
	/** The primary owner; `email`, `locale`, `confirmedAt` and `isOperator` are theirs. */
	ownerId: number;
	email: string;
	locale: string;
	confirmedAt: Date | null;
	isOperator: boolean;
	/** How many people own the account. */
	owners: number;
	timezone: string;
	createdAt: Date;
	disabledAt: Date | null;
	websiteCount: number;
	websiteLimit: number | null;
	pageviewLimit: number | null;
	/** Hits per second for each website; null is the default of the service. */
	hitLimit: number | null;
};

const selectAccounts = sql`
	SELECT accounts.id, accounts.name, p.id AS "ownerId", p.email, p.confirmed_at AS "confirmedAt", p.is_operator AS "isOperator",
		(SELECT count(*) FROM account_owners o WHERE o.account_id = accounts.id) AS owners,
		p.locale, accounts.timezone, accounts.created_at AS "createdAt", accounts.disabled_at AS "disabledAt",
		website_count AS "websiteCount", website_limit AS "websiteLimit", pageview_limit AS "pageviewLimit",
		hit_limit AS "hitLimit"
	FROM accounts JOIN account_owners own ON own.account_id = accounts.id AND own.is_primary JOIN people p ON p.id = own.person_id`;

/** Creates a person with an account and its first API key, which has full access and is shown once. Runs in the caller's transaction. */
export async function createAccount(
	tx: Queries,
	now: Clock,
	person: NewPerson,
): Promise<{ account: Account; secret: string }> {
	const { id } = await createAccountWithoutKey(tx, now, person);
	const { secret } = await createKey(tx, now, {
		accountId: id,
		name: 'First key',
		...unlimited,
	});
	return { account: await getAccount(tx, id), secret };
}

/**
 * Accounts created with the setup link or on the command line are trusted by the operator, so their owner's email address counts as
 * confirmed. The first person of an installation is its operator.
 */
export const createAccountWithoutKey = (tx: Queries, now: Clock, person: NewPerson): Promise<Person> =>
	createPerson(tx, now, {
		person,
		websiteLimit: null,
		isConfirmed: true,
		isOperator: sql`NOT EXISTS (SELECT 1 FROM people)`,
	});

/** An invited person is unconfirmed. Their own account cannot create websites until the operator raises its limit. */
export const createInvitedPerson = (tx: Queries, now: Clock, person: NewPerson): Promise<Person> =>
	createPerson(tx, now, { person, websiteLimit: 0, isConfirmed: false, isOperator: sql`false` });

/** Someone whose address a provider has verified. Otherwise like an invited person. */
export const createConfirmedPerson = (tx: Queries, now: Clock, person: NewPerson): Promise<Person> =>
	createPerson(tx, now, { person, websiteLimit: 0, isConfirmed: true, isOperator: sql`false` });

/** Someone who signed up with a link that was mailed to their address. The limits are those of the sign-up policy. */
export async function createSignedUpPerson(
	tx: Queries,
	now: Clock,
	person: NewPerson,
	{ websiteLimit, pageviewLimit }: Pick<Account, 'websiteLimit' | 'pageviewLimit'>,
): Promise<Person> {
	const status = { websiteLimit, isConfirmed: true, isOperator: sql`false` };
	const created = await createPerson(tx, now, { person, ...status });
	await setLimits(tx, created.id, { pageviews: pageviewLimit });
	return created;
}

/** Creates a person and their own account, which have the same id. */
async function createPerson(
	tx: Queries,
	now: Clock,
	{
		person,
		websiteLimit,
		...status
	}: { person: NewPerson; websiteLimit: number | null; isConfirmed: boolean; isOperator: Sql },
): Promise<Person> {
	checkFields(person);
	const id = await insertAccount(tx, now, { ...person, websiteLimit });
	const created = await insertPerson(tx, now, { id, person, ...status });
	await tx.run(sql`
		INSERT INTO account_owners (account_id, person_id, is_primary, created_at)
		VALUES (${value(id)}, ${value(id)}, true, ${value(now())})`);
	await tx.run(sql`DELETE FROM setup_links`);
	return created;
}

/** An account without owners; the caller adds the first one in the same transaction. Only earlier versions read `locale`. */
export async function insertAccount(
	tx: Queries,
	now: Clock,
	account: Pick<NewPerson, 'name' | 'locale' | 'timezone'> & { websiteLimit: number | null },
): Promise<number> {
	const [created] = await tx.rows<{ id: number }>(sql`
		INSERT INTO accounts (name, locale, timezone, created_at, website_limit)
		VALUES (${value(account.name.trim())}, ${value(account.locale ?? 'en')}, ${value(account.timezone ?? 'UTC')},
			${value(now())}, ${value(account.websiteLimit)})
		RETURNING id`);
	if (!created) throw new Error('The account was not inserted.');
	return created.id;
}

/** Changes what the owners of an account can edit. */
export async function changeAccount(
	queries: Queries,
	id: number,
	fields: { name: string; timezone: string },
): Promise<void> {
	checkFields(fields);
	await queries.run(sql`
		UPDATE accounts SET name = ${value(fields.name.trim())}, timezone = ${value(fields.timezone)}
		WHERE id = ${value(id)}`);
}

export function listAccounts(queries: Queries): Promise<Account[]> {
	return queries.rows<Account>(sql`${selectAccounts} ORDER BY accounts.id`);
}

export async function hasAccounts(queries: Queries): Promise<boolean> {
	return (await queries.rows(sql`SELECT 1 FROM accounts LIMIT 1`)).length > 0;
}

export async function getAccount(queries: Queries, id: number): Promise<Account> {
	const [account] = await queries.rows<Account>(sql`${selectAccounts} WHERE accounts.id = ${value(id)}`);
	if (!account) throw new AppError('not_found', 'There is no such account.');
	return account;
}

/** Finds an account by its id or by the email address of its primary owner. */
export async function getAccountOf(queries: Queries, idOrEmail: string): Promise<Account> {
	const condition = /^\d{1,15}$/.test(idOrEmail)
		? sql`accounts.id = ${value(Number(idOrEmail))}`
		: sql`lower(p.email) = lower(${value(idOrEmail)})`;
	const [account, ...others] = await queries.rows<Account>(
		sql`${selectAccounts} WHERE ${condition} ORDER BY accounts.id`,
	);
	if (!account)
		throw new AppError(
			'not_found',
			`There is no account ${idOrEmail}. Run \`tidemark account list\` to see all accounts.`,
		);
	if (others.length > 0)
		throw new AppError(
			'bad_request',
			`${idOrEmail} is the primary owner of several accounts: ${[account, ...others].map(({ id, name }) => `${id} (${name})`).join(', ')}. Use the id of one of them.`,
		);
	return account;
}

/** For actions that must not reach someone who signed up with another person's address. */
export async function getConfirmedAccountOf(queries: Queries, idOrEmail: string): Promise<Account> {
	const account = await getAccountOf(queries, idOrEmail);
	if (!account.confirmedAt) throw unconfirmedAccount(account.email);
	return account;
}

export async function setDisabled(tx: Queries, now: Clock, id: number, disabled: boolean): Promise<void> {
	await tx.run(
		sql`UPDATE accounts SET disabled_at = ${value(disabled ? now() : null)} WHERE id = ${value(id)}`,
	);
	// Owners of other accounts stay signed in.
	await tx.run(sql`
		DELETE FROM sessions WHERE account_id IN (SELECT person_id FROM account_owners WHERE account_id = ${value(id)})
			AND NOT EXISTS (
				SELECT 1 FROM account_owners o JOIN accounts a ON a.id = o.account_id AND a.disabled_at IS NULL
				WHERE o.person_id = sessions.account_id)`);
	await forgetKeys(tx);
}

/**
 * Deletes the account with its keys, websites and their records, and its owners who own no other account. The caller adds the
 * tombstones of the statistics.
 */
export async function deleteAccount(tx: Queries, id: number): Promise<void> {
	// Who loses two accounts at once must not stay without one.
	await tx.run(sql`
		SELECT 1 FROM people WHERE id IN (SELECT person_id FROM account_owners WHERE account_id = ${value(id)})
		ORDER BY id FOR NO KEY UPDATE`);
	const people = await tx.rows<{ id: number }>(sql`
		SELECT id FROM people WHERE id IN (SELECT person_id FROM account_owners WHERE account_id = ${value(id)})
			AND NOT EXISTS (SELECT 1 FROM account_owners WHERE person_id = people.id AND account_id <> ${value(id)})`);
	await deletePeople(
		tx,
		people.map(({ id: personId }) => personId),
	);
	await tx.run(sql`DELETE FROM accounts WHERE id = ${value(id)}`);
	await forgetKeys(tx);
}

/** Also where earlier versions read credentials (migration 0042): the account of a person may have another owner now. */
export async function deletePeople(tx: Queries, ids: readonly number[]): Promise<void> {
	await tx.run(sql`
		UPDATE accounts SET email = NULL, password_hash = NULL, totp_secret = NULL, totp_pending = NULL, confirmed_at = NULL,
			is_operator = false
		WHERE id = ANY(${value(ids)}::bigint[])`);
	await tx.run(sql`DELETE FROM people WHERE id = ANY(${value(ids)}::bigint[])`);
}

export type Limits = {
	websites?: number | null | undefined;
	pageviews?: number | null | undefined;
	hits?: number | null | undefined;
};

export async function setLimits(queries: Queries, id: number, limits: Limits): Promise<Account> {
	await queries.run(sql`
		UPDATE accounts SET
			website_limit = CASE WHEN ${value(limits.websites !== undefined)} THEN ${value(limits.websites ?? null)}::integer ELSE website_limit END,
			pageview_limit = CASE WHEN ${value(limits.pageviews !== undefined)} THEN ${value(limits.pageviews ?? null)}::bigint ELSE pageview_limit END,
			hit_limit = CASE WHEN ${value(limits.hits !== undefined)} THEN ${value(limits.hits ?? null)}::integer ELSE hit_limit END
		WHERE id = ${value(id)}`);
	return getAccount(queries, id);
}

/** The page views of an account in the current month, in UTC. */
export async function pageviewsThisMonth(queries: Queries, now: Clock, id: number): Promise<number> {
	const month = `${now().toISOString().slice(0, 7)}-01`;
	const [usage] = await queries.rows<{ pageviews: number }>(sql`
		SELECT pageviews FROM account_usage WHERE account_id = ${value(id)} AND month = ${value(month)}::date`);
	return usage?.pageviews ?? 0;
}
