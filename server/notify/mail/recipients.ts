/**
 * Recipients of the reports and alerts of an account: its own address, and others who gave consent. They consent with a button behind
 * a link that is emailed to them, and get no other email before. Someone who declines or unsubscribes is not asked again for this
 * account, even if the recipient is deleted and added again.
 */
import { hash, randomBytes } from 'node:crypto';
import type { Bucket } from '../../accounts/attempts.ts';
import { unconfirmed } from '../../accounts/confirmation.ts';
import { findMailAddress } from '../../accounts/people.ts';
import { findBrand } from '../../branding/branding.ts';
import { AppError, invalid } from '../../lib/app-error.ts';
import type { Clock } from '../../lib/clock.ts';
import { keyedHash } from '../../lib/secrets.ts';
import type { Postgres, Queries } from '../../store/postgres.ts';
import { type Sql, sql, value } from '../../store/sql.ts';
import { nameInMail, senderName } from './names.ts';
import { type MailQuota, queueMail } from './queue.ts';
import { confirmationMessage } from './recipient-texts.ts';
import { type MailLinks, type Stopped, unsubscribeHeaders, unsubscribeUrl } from './unsubscribe.ts';

export type Recipient = {
	address: string;
	locale: string;
	unsubscribeUrl: string;
	/** Identifies the recipient within the account: `own`, or the address in lower case. */
	key: string;
	/** The primary owner, if the address is theirs. */
	personId?: number;
};

/**
 * The account's own address first, then confirmed recipients of this website or of all websites. Empty if the account is disabled or its
 * own address is unconfirmed. The caller checks whether the account wants the email.
 */
export async function recipientsOf(
	tx: Queries,
	accountId: number,
	websiteId: number,
	links: MailLinks,
): Promise<readonly Recipient[]> {
	const own = await findMailAddress(tx, accountId);
	if (!own) return [];
	const others = await tx.rows<{ id: number; address: string; locale: string }>(sql`
		SELECT DISTINCT ON (lower(address)) id, address, locale FROM report_recipients
		WHERE account_id = ${value(accountId)} AND (website_id IS NULL OR website_id = ${value(websiteId)})
			AND confirmed_at IS NOT NULL AND unsubscribed_at IS NULL AND lower(address) <> lower(${value(own.address)})
		ORDER BY lower(address), id`);
	const { personId, address, locale } = own;
	return [
		{
			address,
			locale,
			key: 'own',
			personId,
			unsubscribeUrl: unsubscribeUrl(links, { kind: 'reports', id: accountId, personId }),
		},
		...others.map((other) => ({
			address: other.address,
			locale: other.locale,
			key: other.address.toLowerCase(),
			unsubscribeUrl: unsubscribeUrl(links, { kind: 'recipient', id: other.id }),
		})),
	];
}

export type ListedRecipient = {
	id: number;
	address: string;
	websiteId: number | null;
	domain: string | null;
	createdAt: Date;
	expiresAt: Date;
	confirmedAt: Date | null;
	unsubscribedAt: Date | null;
};

const columns = sql`r.id, r.address, r.website_id AS "websiteId",
	(SELECT domain FROM websites WHERE id = r.website_id) AS domain, r.created_at AS "createdAt",
	r.expires_at AS "expiresAt", r.confirmed_at AS "confirmedAt", r.unsubscribed_at AS "unsubscribedAt"`;

export function listRecipients(queries: Queries, accountId: number): Promise<ListedRecipient[]> {
	return queries.rows<ListedRecipient>(
		sql`SELECT ${columns} FROM report_recipients r WHERE r.account_id = ${value(accountId)} ORDER BY r.id DESC`,
	);
}

/** Recipients of one website, in the order in which they were added, without those of all websites. */
export function listRecipientsOf(
	queries: Queries,
	{ accountId, id }: { accountId: number; id: number },
): Promise<ListedRecipient[]> {
	return queries.rows<ListedRecipient>(sql`
		SELECT ${columns} FROM report_recipients r
		WHERE r.account_id = ${value(accountId)} AND r.website_id = ${value(id)} ORDER BY r.id`);
}

export function stateOf(
	{ expiresAt, confirmedAt, unsubscribedAt }: ListedRecipient,
	moment: Date,
): 'asked' | 'expired' | 'confirmed' | 'unsubscribed' {
	if (unsubscribedAt) return 'unsubscribed';
	if (confirmedAt) return 'confirmed';
	return expiresAt > moment ? 'asked' : 'expired';
}

/** Compares the recipients of a website with a new list. */
export function compareRecipients(stored: readonly ListedRecipient[], addresses: readonly string[]) {
	const isSame = (address: string) => (other: string) => other.toLowerCase() === address.toLowerCase();
	return {
		added: addresses.filter((address) => !stored.some((recipient) => isSame(address)(recipient.address))),
		removed: stored.filter(({ address }) => !addresses.some(isSame(address))),
	};
}

/** Replaces the recipients of a website. New ones are asked for consent. */
export async function setRecipients(
	tx: Queries,
	services: Omit<AskServices, 'postgres'>,
	website: { accountId: number; id: number },
	addresses: readonly string[],
): Promise<void> {
	const { accountId, id } = website;
	const { added, removed } = compareRecipients(await listRecipientsOf(tx, website), addresses);
	for (const recipient of removed) await deleteRecipient(tx, accountId, recipient.id);
	for (const address of added)
		await askRecipientIn(tx, services, { accountId, websiteId: id, address }, 'recipients');
}

const lifetimeMs = 7 * 86_400_000;
const askAgainAfterMs = 86_400_000;
/** Requests of one account to one address. */
const maxAsked = 3;
const maxRecipients = 200;

/** Limits the requests of an account, and those to an address. */
export const requestBuckets = (accountId: number, address: string): Bucket[] => [
	{ name: `recipients of ${accountId}`, free: 50, maxDelaySeconds: 3_600 },
	{ name: `recipient ${address.toLowerCase()}`, free: 5, maxDelaySeconds: 3_600 },
];

export type AskServices = { postgres: Postgres; now: Clock; links: MailLinks; quota: MailQuota };

/**
 * Adds a recipient and asks for consent, or asks again. Runs in a transaction. The caller checks that the website belongs to the
 * account.
 */
export const askRecipient = (
	tx: Queries,
	services: Omit<AskServices, 'postgres'>,
	request: NewRecipient,
): Promise<ListedRecipient> => askRecipientIn(tx, services, request, 'email');

type NewRecipient = { accountId: number; websiteId: number | null; address: string };

/** `field`: the field that validation errors name. */
async function askRecipientIn(
	tx: Queries,
	{ now, links, quota }: Omit<AskServices, 'postgres'>,
	{ accountId, websiteId, address }: NewRecipient,
	field: 'email' | 'recipients',
): Promise<ListedRecipient> {
	const token = randomBytes(32).toString('base64url');
	const moment = now();
	// Serializes the requests of an account, so that they cannot exceed a limit together.
	await tx.run(sql`SELECT 1 FROM accounts WHERE id = ${value(accountId)} FOR NO KEY UPDATE`);
	const account = await findMailAddress(tx, accountId);
	if (!account) throw unconfirmed();
	if (account.address.toLowerCase() === address.toLowerCase())
		throw invalid({
			[field]: ['This is the address of the account itself. It already gets reports and alerts.'],
		});
	await countRequest(tx, { accountId, address, moment, key: links.key, field });
	const [recipient] = await tx.rows<ListedRecipient>(sql`
		WITH r AS (
			INSERT INTO report_recipients AS r (account_id, website_id, address, locale, digest, expires_at, created_at)
			VALUES (${value(accountId)}, ${value(websiteId)}, ${value(address)}, ${value(account.locale)},
				${value(tokenDigest(token))}, ${value(new Date(moment.getTime() + lifetimeMs))}, ${value(moment)})
			ON CONFLICT (account_id, coalesce(website_id, 0), lower(address)) DO UPDATE
				SET digest = excluded.digest, expires_at = excluded.expires_at, locale = excluded.locale
				WHERE r.confirmed_at IS NULL
			RETURNING *
		)
		SELECT ${columns} FROM r`);
	if (!recipient) throw invalid({ [field]: ['This address is already confirmed.'] });
	const [counted] = await tx.rows<{ count: number }>(
		sql`SELECT count(*) AS count FROM report_recipients WHERE account_id = ${value(accountId)}`,
	);
	if ((counted?.count ?? 0) > maxRecipients)
		throw new AppError(
			'limit_reached',
			`An account can have at most ${maxRecipients} recipients. Delete one first.`,
		);
	const stopUrl = unsubscribeUrl(links, { kind: 'recipient', id: recipient.id });
	const message = confirmationMessage(account.locale, {
		by: nameInMail(account.name),
		domain: recipient.domain,
		url: `${links.baseUrl()}/confirm/${token}`,
		stopUrl,
	});
	const brand = await findBrand(tx, accountId);
	const isQueued = await queueMail(tx, now, {
		key: `confirm ${recipient.id} ${moment.toISOString()}`,
		mail: {
			to: address,
			...message,
			headers: unsubscribeHeaders(stopUrl),
			senderName: senderName(brand?.name),
		},
		by: { accountId, quota },
	});
	if (!isQueued)
		throw new AppError('limit_reached', 'The daily limit of emails is reached. Try again tomorrow.');
	return recipient;
}

const tokenDigest = (token: string): Buffer => hash('sha256', token, 'buffer');

const addressDigest = (key: Buffer, accountId: number, address: string): Buffer =>
	keyedHash(key, `address ${accountId} ${address.toLowerCase()}`);

/** Counts a request to an address, or throws if it is not allowed. */
async function countRequest(
	tx: Queries,
	{
		accountId,
		address,
		moment,
		key,
		field,
	}: { accountId: number; address: string; moment: Date; key: Buffer; field: 'email' | 'recipients' },
): Promise<void> {
	const digest = addressDigest(key, accountId, address);
	const [earlier] = await tx.rows<{ asked: number; askedAt: Date; refusedAt: Date | null }>(sql`
		SELECT asked, asked_at AS "askedAt", refused_at AS "refusedAt" FROM asked_addresses
		WHERE account_id = ${value(accountId)} AND digest = ${value(digest)}`);
	if (earlier?.refusedAt)
		throw invalid({ [field]: ['This recipient declined emails from your account and cannot be added.'] });
	if (earlier && earlier.asked >= maxAsked)
		throw invalid({
			[field]: [`This address was asked ${maxAsked} times without confirming and cannot be asked again.`],
		});
	const waitMs = earlier ? earlier.askedAt.getTime() + askAgainAfterMs - moment.getTime() : 0;
	if (waitMs > 0)
		throw new AppError(
			'too_many_requests',
			'This address was asked less than a day ago. Try again tomorrow.',
			{
				retryAfterSeconds: Math.ceil(waitMs / 1000),
			},
		);
	await tx.run(sql`
		INSERT INTO asked_addresses AS a (account_id, digest, asked, asked_at)
		VALUES (${value(accountId)}, ${value(digest)}, 1, ${value(moment)})
		ON CONFLICT (account_id, digest) DO UPDATE SET asked = a.asked + 1, asked_at = excluded.asked_at`);
}

export async function deleteRecipient(queries: Queries, accountId: number, id: number): Promise<void> {
	const deleted = await queries.run(
		sql`DELETE FROM report_recipients WHERE id = ${value(id)} AND account_id = ${value(accountId)}`,
	);
	if (deleted === 0) throw new AppError('not_found', 'There is nothing here.');
}

/** A request for consent. `domain`: null for all websites. */
export type RecipientRequest = { address: string; by: string; domain: string | null; locale: string };

/** The request behind a confirmation link. Does not use the link up. */
export async function findRecipientRequest(
	queries: Queries,
	now: Clock,
	token: string,
): Promise<RecipientRequest | undefined> {
	const [request] = await queries.rows<RecipientRequest>(sql`
		SELECT r.address, a.name AS by, (SELECT domain FROM websites WHERE id = r.website_id) AS domain, r.locale
		FROM report_recipients r JOIN accounts a ON a.id = r.account_id AND a.disabled_at IS NULL
		WHERE r.digest = ${value(tokenDigest(token))} AND r.expires_at > ${value(now())}`);
	return request && { ...request, by: nameInMail(request.by) };
}

/** Uses the link up. True for the first caller only. */
export async function confirmRecipient(queries: Queries, now: Clock, token: string): Promise<boolean> {
	const confirmed = await queries.run(sql`
		UPDATE report_recipients SET confirmed_at = ${value(now())}, digest = NULL
		WHERE digest = ${value(tokenDigest(token))} AND expires_at > ${value(now())} AND unsubscribed_at IS NULL`);
	return confirmed > 0;
}

/** The condition that the primary owner of an account is still the person who got the email. */
const isStillOf = (accountId: Sql, personId: number | undefined): Sql => sql`EXISTS (
	SELECT 1 FROM account_owners WHERE account_id = ${accountId} AND is_primary
		AND person_id = coalesce(${value(personId ?? null)}::bigint, account_id))`;

/** The address behind an unsubscribe link, and its language. Undefined if it was deleted, or the account has another primary owner. */
export async function findStopped(
	queries: Queries,
	stopped: Stopped,
): Promise<{ locale: string; address: string } | undefined> {
	const { kind, id } = stopped;
	const query =
		kind === 'recipient'
			? sql`SELECT locale, address FROM report_recipients WHERE id = ${value(id)}`
			: kind === 'reports'
				? sql`SELECT p.locale, p.email AS address
						FROM account_owners o JOIN people p ON p.id = o.person_id
						WHERE o.account_id = ${value(id)} AND o.is_primary AND ${isStillOf(sql`o.account_id`, stopped.personId)}`
				: sql`SELECT p.locale, p.email AS address
					FROM alerts l JOIN websites w ON w.id = l.website_id
					JOIN account_owners o ON o.account_id = w.account_id AND o.is_primary JOIN people p ON p.id = o.person_id
					WHERE l.id = ${value(id)} AND ${isStillOf(sql`w.account_id`, stopped.personId)}`;
	const [found] = await queries.rows<{ locale: string; address: string }>(query);
	return found;
}

/** Idempotent. */
export async function unsubscribe(
	{ postgres, now, links }: Pick<AskServices, 'postgres' | 'now' | 'links'>,
	stopped: Stopped,
): Promise<void> {
	const { id } = stopped;
	switch (stopped.kind) {
		case 'reports':
			await postgres.run(sql`UPDATE accounts SET report_schedule = 'none'
				WHERE id = ${value(id)} AND ${isStillOf(sql`accounts.id`, stopped.personId)}`);
			return;
		case 'alert':
			await postgres.run(sql`UPDATE alerts SET enabled = false, updated_at = greatest(${value(now())}, updated_at + interval '1 millisecond')
				WHERE id = ${value(id)} AND enabled AND channel = 'mail' AND EXISTS (
					SELECT 1 FROM websites w WHERE w.id = website_id AND ${isStillOf(sql`w.account_id`, stopped.personId)})`);
			return;
		case 'recipient':
			await postgres.transaction(async (tx) => {
				const [recipient] = await tx.rows<{ accountId: number; address: string }>(sql`
					SELECT account_id AS "accountId", address FROM report_recipients WHERE id = ${value(id)} FOR UPDATE`);
				if (!recipient) return;
				const { accountId, address } = recipient;
				// For all websites of the account.
				await tx.run(sql`
					UPDATE report_recipients SET unsubscribed_at = ${value(now())}, digest = NULL
					WHERE account_id = ${value(accountId)} AND lower(address) = lower(${value(address)}) AND unsubscribed_at IS NULL`);
				await tx.run(sql`
					INSERT INTO asked_addresses (account_id, digest, asked, asked_at, refused_at)
					VALUES (${value(accountId)}, ${value(addressDigest(links.key, accountId, address))}, 0, ${value(now())}, ${value(now())})
					ON CONFLICT (account_id, digest) DO UPDATE SET refused_at = excluded.refused_at`);
			});
	}
}
