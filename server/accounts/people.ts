/**
 * A person signs in. Password, second factor, sessions and preferences belong to the person; websites, API keys and limits belong to
 * accounts, which people own.
 */
import { z } from 'zod';
import { AppError, invalid } from '../lib/app-error.ts';
import type { Clock } from '../lib/clock.ts';
import type { WeekStart } from '../lib/local-dates.ts';
import { findTimezone } from '../lib/timezones.ts';
import type { Queries } from '../store/postgres.ts';
import { identifier, type Sql, sql, value } from '../store/sql.ts';

export type Person = {
	id: number;
	name: string;
	email: string;
	locale: string;
	weekStart: WeekStart;
	createdAt: Date;
	/** When a mailed link or the operator confirmed the email address; null while unconfirmed. */
	confirmedAt: Date | null;
	/** May see the health checks of the service. */
	isOperator: boolean;
};

export type NewPerson = {
	name: string;
	email: string;
	locale?: string | undefined;
	/** For the websites of the account that is created with the person. */
	timezone?: string | undefined;
};

const columns = sql`p.id, p.name, p.email, p.locale, p.week_start AS "weekStart", p.created_at AS "createdAt",
	p.confirmed_at AS "confirmedAt", p.is_operator AS "isOperator"`;

const email = z.email();

export const isEmailAddress = (text: string): boolean => text.length <= 254 && email.safeParse(text).success;

export function checkFields(fields: Partial<NewPerson>) {
	const errors: Record<string, string[]> = {};
	if (fields.name !== undefined && (fields.name.trim() === '' || fields.name.length > 200))
		errors.name = ['The name must have 1 to 200 characters.'];
	if (fields.email !== undefined && !isEmailAddress(fields.email)) {
		errors.email = [`"${fields.email}" is not an email address.`];
	}
	if (fields.locale !== undefined && !isLocale(fields.locale)) {
		errors.locale = [`"${fields.locale}" is not a language such as en or de-AT.`];
	}
	if (fields.timezone !== undefined && findTimezone(fields.timezone) === undefined) {
		errors.timezone = [`"${fields.timezone}" is not a time zone such as Europe/Berlin.`];
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

/** Inserts a person with the id of the account that was created for them. */
export async function insertPerson(
	tx: Queries,
	now: Clock,
	{
		id,
		person,
		isConfirmed,
		isOperator,
	}: { id: number; person: NewPerson; isConfirmed: boolean; isOperator: Sql },
): Promise<Person> {
	checkFields(person);
	const [created] = await tx.rows<Person>(sql`
		INSERT INTO people AS p (id, name, email, locale, created_at, confirmed_at, is_operator)
		VALUES (${value(id)}, ${value(person.name.trim())}, ${value(person.email)}, ${value(person.locale ?? 'en')},
			${value(now())}, ${value(isConfirmed ? now() : null)}, ${isOperator})
		ON CONFLICT (lower(email)) DO NOTHING
		RETURNING ${columns}`);
	if (!created)
		throw invalid({ email: [`There is already an account with the email address ${person.email}.`] });
	return created;
}

export async function getPerson(queries: Queries, id: number): Promise<Person> {
	const [person] = await queries.rows<Person>(sql`SELECT ${columns} FROM people p WHERE p.id = ${value(id)}`);
	if (!person) throw new AppError('not_found', 'There is no such person.');
	return person;
}

export async function findPersonByEmail(queries: Queries, address: string): Promise<Person | undefined> {
	const [person] = await queries.rows<Person>(
		sql`SELECT ${columns} FROM people p WHERE lower(p.email) = lower(${value(address)})`,
	);
	return person;
}

export async function getPersonByEmail(queries: Queries, address: string): Promise<Person> {
	const person = await findPersonByEmail(queries, address);
	if (!person)
		throw new AppError(
			'not_found',
			`There is no account ${address}. Run \`tidemark account list\` to see all accounts.`,
		);
	return person;
}

/** For actions that must not reach someone who signed up with another person's address. */
export async function getConfirmedPersonByEmail(queries: Queries, address: string): Promise<Person> {
	const person = await getPersonByEmail(queries, address);
	if (!person.confirmedAt) throw unconfirmedAccount(person.email);
	return person;
}

export const unconfirmedAccount = (address: string) =>
	new AppError(
		'address_unconfirmed',
		`The address of ${address} is unconfirmed, so the account may belong to someone else. If you know the account, run \`tidemark account confirm ${address}\` first.`,
	);

/** Changes the fields that people can edit themselves. */
export async function changePerson(
	queries: Queries,
	id: number,
	fields: { name: string; locale: string; weekStart?: WeekStart | undefined },
): Promise<void> {
	checkFields(fields);
	await queries.run(sql`
		UPDATE people SET name = ${value(fields.name.trim())}, locale = ${value(fields.locale)},
			week_start = coalesce(${value(fields.weekStart ?? null)}, week_start)
		WHERE id = ${value(id)}`);
}

export async function setOperator(queries: Queries, id: number, isOperator: boolean): Promise<void> {
	await queries.run(sql`UPDATE people SET is_operator = ${value(isOperator)} WHERE id = ${value(id)}`);
}

/** The condition that a person can sign in: they own an account that is not disabled. */
export const canSignIn = (personId: Sql): Sql => sql`EXISTS (
	SELECT 1 FROM account_owners o JOIN accounts a ON a.id = o.account_id AND a.disabled_at IS NULL
	WHERE o.person_id = ${personId})`;

export const isAbleToSignIn = async (queries: Queries, personId: number): Promise<boolean> =>
	(
		await queries.rows(
			sql`SELECT 1 FROM people p WHERE p.id = ${value(personId)} AND ${canSignIn(sql`p.id`)}`,
		)
	).length > 0;

/** A column of the primary owner of an account. */
export const primaryOwner = (accountId: Sql, column: 'email' | 'locale' | 'confirmed_at'): Sql => sql`(
	SELECT owner.${identifier(column)} FROM account_owners own JOIN people owner ON owner.id = own.person_id
	WHERE own.account_id = ${accountId} AND own.is_primary)`;

export type MailAddress = { personId: number; address: string; name: string; locale: string };

/** The recipient of mail to a person. Undefined while their address is unconfirmed or they cannot sign in. */
export async function findPersonalMailAddress(
	queries: Queries,
	personId: number,
): Promise<MailAddress | undefined> {
	const [mailAddress] = await queries.rows<MailAddress>(sql`
		SELECT id AS "personId", email AS address, name, locale FROM people p
		WHERE id = ${value(personId)} AND confirmed_at IS NOT NULL AND ${canSignIn(sql`p.id`)}`);
	return mailAddress;
}

/** The recipient of mail about an account: its primary owner. Undefined while their address is unconfirmed or the account is disabled. */
export async function findMailAddress(queries: Queries, accountId: number): Promise<MailAddress | undefined> {
	const [mailAddress] = await queries.rows<MailAddress>(sql`
		SELECT p.id AS "personId", p.email AS address, p.name, p.locale
		FROM account_owners o JOIN people p ON p.id = o.person_id JOIN accounts a ON a.id = o.account_id
		WHERE o.account_id = ${value(accountId)} AND o.is_primary AND p.confirmed_at IS NOT NULL AND a.disabled_at IS NULL`);
	return mailAddress;
}
