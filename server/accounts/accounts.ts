import { z } from 'zod';
import { AppError, invalid } from '../lib/app-error.ts';
import type { Clock } from '../lib/clock.ts';
import type { WeekStart } from '../lib/local-dates.ts';
import { findTimezone } from '../lib/timezones.ts';
import type { Postgres, Queries } from '../store/postgres.ts';
import { type Sql, sql, value } from '../store/sql.ts';
import { createKey, forgetKeys } from './keys.ts';
import { endSessions } from './sessions.ts';

export type Account = {
	id: number;
	name: string;
	email: string;
	locale: string;
	timezone: string;
	weekStart: WeekStart;
	createdAt: Date;
	disabledAt: Date | null;
	/** When a mailed link or the operator confirmed the email address; null while unconfirmed. */
	confirmedAt: Date | null;
	/** May see the health checks of the service. */
	isOperator: boolean;
	websiteCount: number;
	websiteLimit: number | null;
	pageviewLimit: number | null;
	/** Hits per second for each website; null is the default of the service. */
	hitLimit: number | null;
};

export type NewAccount = {
	name: string;
	email: string;
	locale?: string | undefined;
	timezone?: string | undefined;
};

const columns = sql`id, name, email, locale, timezone, week_start AS "weekStart", created_at AS "createdAt", disabled_at AS "disabledAt",
	confirmed_at AS "confirmedAt", is_operator AS "isOperator",
	website_count AS "websiteCount", website_limit AS "websiteLimit", pageview_limit AS "pageviewLimit",
	hit_limit AS "hitLimit"`;

const email = z.email();

function check(account: Partial<NewAccount>) {
	const errors: Record<string, string[]> = {};
	if (account.name !== undefined && (account.name.trim() === '' || account.name.length > 200))
		errors.name = ['The name must have 1 to 200 characters.'];
	if (
		account.email !== undefined &&
		(!email.safeParse(account.email).success || account.email.length > 254)
	) {
		errors.email = [`"${account.email}" is not an email address.`];
	}
	if (account.locale !== undefined && !isLocale(account.locale)) {
		errors.locale = [`"${account.locale}" is not a language such as en or de-AT.`];
	}
	if (account.timezone !== undefined && findTimezone(account.timezone) === undefined) {
		errors.timezone = [`"${account.timezone}" is not a time zone such as Europe/Berlin.`];
	}
	if (Object.keys(errors).length > 0) throw invalid(errors);
}

function isLocale(locale: string): boolean {
	try {
		return Intl.getCanonicalLocales(locale).length === 1;
	} catch {
		return false;
	}
}

/** Creates an account and its first API key, which has full access and is shown once. Runs in the caller's transaction. */
export async function createAccount(
	tx: Queries,
	now: Clock,
	account: NewAccount,
): Promise<{ account: Account; secret: string }> {
	const created = await createAccountWithoutKey(tx, now, account);
	const { secret } = await createKey(tx, now, {
		accountId: created.id,
		name: 'First key',
		access: 'full',
		websiteIds: null,
	});
	return { account: created, secret };
}

/**
 * Accounts created with the setup link or on the command line are trusted by the operator, so their email address counts as
 * confirmed. The first account of an installation is the operator's.
 */
export const createAccountWithoutKey = (tx: Queries, now: Clock, account: NewAccount): Promise<Account> =>
	insertAccount(
		tx,
		account,
		sql`confirmed_at, is_operator`,
		sql`${value(now())}, NOT EXISTS (SELECT 1 FROM accounts)`,
		now,
	);

/** An invited account is unconfirmed and cannot create websites until the operator raises its limit. */
export const createInvitedAccount = (tx: Queries, now: Clock, account: NewAccount): Promise<Account> =>
	insertAccount(tx, account, sql`website_limit`, sql`0`, now);

async function insertAccount(
	tx: Queries,
	account: NewAccount,
	names: Sql,
	values: Sql,
	now: Clock,
): Promise<Account> {
	check(account);
	const [created] = await tx.rows<Account>(sql`
			INSERT INTO accounts (name, email, locale, timezone, created_at, ${names})
			VALUES (${value(account.name.trim())}, ${value(account.email)}, ${value(account.locale ?? 'en')},
				${value(account.timezone ?? 'UTC')}, ${value(now())}, ${values})
			ON CONFLICT (lower(email)) DO NOTHING
			RETURNING ${columns}`);
	if (!created)
		throw invalid({ email: [`There is already an account with the email address ${account.email}.`] });
	await tx.run(sql`DELETE FROM setup_links`);
	return created;
}

/** Changes the fields that people can edit themselves. */
export async function changeAccount(
	postgres: Queries,
	id: number,
	fields: { name: string; locale: string; timezone: string; weekStart?: WeekStart | undefined },
): Promise<void> {
	check(fields);
	await postgres.run(sql`
		UPDATE accounts SET name = ${value(fields.name.trim())}, locale = ${value(fields.locale)},
			timezone = ${value(fields.timezone)}, week_start = coalesce(${value(fields.weekStart ?? null)}, week_start)
		WHERE id = ${value(id)}`);
}

export function listAccounts(postgres: Queries): Promise<Account[]> {
	return postgres.rows<Account>(sql`SELECT ${columns} FROM accounts ORDER BY id`);
}

export async function hasAccounts(postgres: Queries): Promise<boolean> {
	return (await postgres.rows(sql`SELECT 1 FROM accounts LIMIT 1`)).length > 0;
}

export async function setOperator(queries: Queries, id: number, isOperator: boolean): Promise<void> {
	await queries.run(sql`UPDATE accounts SET is_operator = ${value(isOperator)} WHERE id = ${value(id)}`);
}

export async function findAccountByEmail(postgres: Queries, address: string): Promise<Account | undefined> {
	const [account] = await postgres.rows<Account>(
		sql`SELECT ${columns} FROM accounts WHERE lower(email) = lower(${value(address)})`,
	);
	return account;
}

export type MailAddress = { address: string; name: string; locale: string };

/** The recipient of mail about an account. Undefined while its address is unconfirmed or the account is disabled. */
export async function findMailAddress(queries: Queries, accountId: number): Promise<MailAddress | undefined> {
	const [mailAddress] = await queries.rows<MailAddress>(sql`
		SELECT email AS address, name, locale FROM accounts
		WHERE id = ${value(accountId)} AND confirmed_at IS NOT NULL AND disabled_at IS NULL`);
	return mailAddress;
}

export async function getAccountByEmail(postgres: Queries, address: string): Promise<Account> {
	const account = await findAccountByEmail(postgres, address);
	if (!account)
		throw new AppError(
			'not_found',
			`There is no account ${address}. Run \`tidemark account list\` to see all accounts.`,
		);
	return account;
}

/** For actions that must not reach an account that was created with another person's address. */
export async function getConfirmedAccountByEmail(postgres: Queries, address: string): Promise<Account> {
	const account = await getAccountByEmail(postgres, address);
	if (!account.confirmedAt)
		throw new AppError(
			'address_unconfirmed',
			`The address of ${account.email} is unconfirmed, so the account may belong to someone else. If you know the account, run \`tidemark account confirm ${account.email}\` first.`,
		);
	return account;
}

export async function setDisabled(
	postgres: Postgres,
	now: Clock,
	id: number,
	disabled: boolean,
): Promise<void> {
	await postgres.transaction(async (tx) => {
		await tx.run(
			sql`UPDATE accounts SET disabled_at = ${value(disabled ? now() : null)} WHERE id = ${value(id)}`,
		);
		if (disabled) await endSessions(tx, id);
		await forgetKeys(tx);
	});
}

/** Deletes the account with its keys, websites and their records. The caller adds the tombstones of the statistics. */
export async function deleteAccount(tx: Queries, id: number): Promise<void> {
	await tx.run(sql`DELETE FROM accounts WHERE id = ${value(id)}`);
	await forgetKeys(tx);
}

export type Limits = {
	websites?: number | null | undefined;
	pageviews?: number | null | undefined;
	hits?: number | null | undefined;
};

export async function setLimits(postgres: Queries, id: number, limits: Limits): Promise<Account> {
	const [account] = await postgres.rows<Account>(sql`
		UPDATE accounts SET
			website_limit = CASE WHEN ${value(limits.websites !== undefined)} THEN ${value(limits.websites ?? null)}::integer ELSE website_limit END,
			pageview_limit = CASE WHEN ${value(limits.pageviews !== undefined)} THEN ${value(limits.pageviews ?? null)}::bigint ELSE pageview_limit END,
			hit_limit = CASE WHEN ${value(limits.hits !== undefined)} THEN ${value(limits.hits ?? null)}::integer ELSE hit_limit END
		WHERE id = ${value(id)} RETURNING ${columns}`);
	if (!account) throw new AppError('not_found', `There is no account ${id}.`);
	return account;
}

/** The account with its usage in the current month. */
export async function getAccount(
	postgres: Queries,
	now: Clock,
	id: number,
): Promise<Account & { pageviewsThisMonth: number }> {
	const month = `${now().toISOString().slice(0, 7)}-01`;
	const [account] = await postgres.rows<Account & { pageviewsThisMonth: number }>(sql`
		SELECT ${columns}, coalesce((
			SELECT pageviews FROM account_usage WHERE account_id = accounts.id AND month = ${value(month)}::date
		), 0) AS "pageviewsThisMonth"
		FROM accounts WHERE id = ${value(id)}`);
	if (!account) throw new AppError('not_found', 'There is no such account.');
	return account;
}
