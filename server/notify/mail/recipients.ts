/**
 * Whom the reports and alerts of an account are mailed to: itself, and others who agreed. To agree they press a button behind
 * a link that was mailed to them; until then they get that one mail and no other. Who says no, then or later, is not asked
 * again in the name of this account, also not after it has deleted and named them anew.
 */
import { hash, randomBytes } from 'node:crypto';
import { findMailAddress } from '../../accounts/accounts.ts';
import type { Bucket } from '../../accounts/attempts.ts';
import { unconfirmed } from '../../accounts/confirmation.ts';
import { AppError, invalid } from '../../lib/app-error.ts';
import type { Clock } from '../../lib/clock.ts';
import { keyedHash } from '../../lib/secrets.ts';
import type { Postgres, Queries } from '../../store/postgres.ts';
import { sql, value } from '../../store/sql.ts';
import { nameInMail } from './names.ts';
import { type MailQuota, queueMail } from './queue.ts';
import { confirmationMessage } from './recipient-texts.ts';
import { type MailLinks, type Stopped, unsubscribeHeaders, unsubscribeUrl } from './unsubscribe.ts';

export type Recipient = {
	address: string;
	locale: string;
	unsubscribeUrl: string;
	/** Tells the recipients of an account apart, for the keys of mails: `own`, or the address. */
	key: string;
};

/**
 * The account's own address first, then those who confirmed, for this website or for all. Nobody where the account is
 * disabled or its own address is unconfirmed. Whether the account itself wants what is to be mailed is for the caller to know.
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
	const toRecipient = (address: string, locale: string, key: string, stopped: Stopped): Recipient => ({
		...{ address, locale, key },
		unsubscribeUrl: unsubscribeUrl(links, stopped),
	});
	return [
		toRecipient(own.address, own.locale, 'own', { kind: 'reports', id: accountId }),
		...others.map(({ id, address, locale }) =>
			toRecipient(address, locale, address.toLowerCase(), { kind: 'recipient', id }),
		),
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

/** Those of one website, in the order in which they were named; not those of all websites of the account. */
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

/** What has to be done for a website to have just these recipients. Who is named already stays as they are and is not asked again. */
export function compareRecipients(stored: readonly ListedRecipient[], addresses: readonly string[]) {
	const isSame = (address: string) => (other: string) => other.toLowerCase() === address.toLowerCase();
	return {
		asked: addresses.filter((address) => !stored.some((one) => isSame(address)(one.address))),
		removed: stored.filter(({ address }) => !addresses.some(isSame(address))),
	};
}

/** Makes these the recipients of a website of the account: new ones are asked, the others are removed. */
export async function setRecipients(
	tx: Queries,
	services: Omit<AskServices, 'postgres'>,
	website: { accountId: number; id: number },
	addresses: readonly string[],
): Promise<void> {
	const { accountId, id } = website;
	const { asked, removed } = compareRecipients(await listRecipientsOf(tx, website), addresses);
	for (const recipient of removed) await deleteRecipient(tx, accountId, recipient.id);
	for (const address of asked)
		await askRecipientIn(tx, services, { accountId, websiteId: id, address }, 'recipients');
}

const lifetimeMs = 7 * 86_400_000;
const askAgainAfterMs = 86_400_000;
/** In the name of one account, and ever. */
const maxAsked = 3;
const maxRecipients = 200;

/** What asking somebody counts in: nobody sends mail to the world in our name, and nobody is asked by all accounts at once. */
export const requestBuckets = (accountId: number, address: string): Bucket[] => [
	{ name: `recipients of ${accountId}`, free: 50, maxDelaySeconds: 3_600 },
	{ name: `recipient ${address.toLowerCase()}`, free: 5, maxDelaySeconds: 3_600 },
];

export type AskServices = { postgres: Postgres; now: Clock; links: MailLinks; quota: MailQuota };

/** Names somebody and has them asked, or asked again. That the website is the account's own is for the caller to know. */
export async function askRecipient(
	{ postgres, ...services }: AskServices,
	named: Named,
): Promise<ListedRecipient> {
	return postgres.transaction((tx) => askRecipientIn(tx, services, named, 'email'));
}

type Named = { accountId: number; websiteId: number | null; address: string };

/** `field`: what a refusal is about. */
async function askRecipientIn(
	tx: Queries,
	{ now, links, quota }: Omit<AskServices, 'postgres'>,
	{ accountId, websiteId, address }: Named,
	field: 'email' | 'recipients',
): Promise<ListedRecipient> {
	const token = randomBytes(32).toString('base64url');
	const moment = now();
	// The lock makes those of an account wait for each other, so that no limit is passed by two at once.
	await tx.run(sql`SELECT 1 FROM accounts WHERE id = ${value(accountId)} FOR NO KEY UPDATE`);
	const account = await findMailAddress(tx, accountId);
	// Nobody has strangers mailed whose own address may be a stranger's.
	if (!account) throw unconfirmed();
	if (account.address.toLowerCase() === address.toLowerCase())
		throw invalid({ [field]: ['This is the address of the account, which needs no confirmation.'] });
	await refuseAsking(tx, { accountId, address, moment, key: links.key, field });
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
	if (!recipient) throw invalid({ [field]: ['This address has confirmed already.'] });
	const [held] = await tx.rows<{ count: number }>(
		sql`SELECT count(*) AS count FROM report_recipients WHERE account_id = ${value(accountId)}`,
	);
	if ((held?.count ?? 0) > maxRecipients)
		throw new AppError('limit_reached', `An account may have ${maxRecipients} recipients; delete one first.`);
	const stop = unsubscribeUrl(links, { kind: 'recipient', id: recipient.id });
	const message = confirmationMessage(account.locale, {
		by: nameInMail(account.name),
		domain: recipient.domain,
		url: `${links.baseUrl()}/confirm/${token}`,
		stopUrl: stop,
	});
	const isQueued = await queueMail(tx, now, {
		key: `confirm ${recipient.id} ${moment.toISOString()}`,
		mail: { to: address, ...message, headers: unsubscribeHeaders(stop) },
		by: { accountId, quota },
	});
	if (!isQueued) throw new AppError('limit_reached', 'No more mails can be sent today. Try again tomorrow.');
	return recipient;
}

const tokenDigest = (token: string): Buffer => hash('sha256', token, 'buffer');

const addressDigest = (key: Buffer, accountId: number, address: string): Buffer =>
	keyedHash(key, `address ${accountId} ${address.toLowerCase()}`);

/** Counts that an address is asked, or refuses it. */
async function refuseAsking(
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
	const [asked] = await tx.rows<{ asked: number; askedAt: Date; refusedAt: Date | null }>(sql`
		SELECT asked, asked_at AS "askedAt", refused_at AS "refusedAt" FROM asked_addresses
		WHERE account_id = ${value(accountId)} AND digest = ${value(digest)}`);
	if (asked?.refusedAt)
		throw invalid({ [field]: ['This address does not want mail from you and is not asked again.'] });
	if (asked && asked.asked >= maxAsked)
		throw invalid({ [field]: [`This address was asked ${maxAsked} times and is not asked again.`] });
	const waitMs = asked ? asked.askedAt.getTime() + askAgainAfterMs - moment.getTime() : 0;
	if (waitMs > 0)
		throw new AppError('too_many_requests', 'This address was asked less than a day ago; give it time.', {
			retryAfterSeconds: Math.ceil(waitMs / 1000),
		});
	await tx.run(sql`
		INSERT INTO asked_addresses AS a (account_id, digest, asked, asked_at)
		VALUES (${value(accountId)}, ${value(digest)}, 1, ${value(moment)})
		ON CONFLICT (account_id, digest) DO UPDATE SET asked = a.asked + 1, asked_at = excluded.asked_at`);
}

export async function deleteRecipient(queries: Queries, accountId: number, id: number): Promise<void> {
	const gone = await queries.run(
		sql`DELETE FROM report_recipients WHERE id = ${value(id)} AND account_id = ${value(accountId)}`,
	);
	if (gone === 0) throw new AppError('not_found', 'There is nothing here.');
}

/** What somebody is asked: by whom, about which website (null: all), in which language. */
export type RecipientRequest = { address: string; by: string; domain: string | null; locale: string };

/** What a link that confirms is about, without using it. */
export async function findRecipientRequest(
	queries: Queries,
	now: Clock,
	token: string,
): Promise<RecipientRequest | undefined> {
	const [asked] = await queries.rows<RecipientRequest>(sql`
		SELECT r.address, a.name AS by, (SELECT domain FROM websites WHERE id = r.website_id) AS domain, r.locale
		FROM report_recipients r JOIN accounts a ON a.id = r.account_id AND a.disabled_at IS NULL
		WHERE r.digest = ${value(tokenDigest(token))} AND r.expires_at > ${value(now())}`);
	return asked && { ...asked, by: nameInMail(asked.by) };
}

/** Uses it: of two at once, one does. */
export async function confirmRecipient(queries: Queries, now: Clock, token: string): Promise<boolean> {
	const confirmed = await queries.run(sql`
		UPDATE report_recipients SET confirmed_at = ${value(now())}, digest = NULL
		WHERE digest = ${value(tokenDigest(token))} AND expires_at > ${value(now())} AND unsubscribed_at IS NULL`);
	return confirmed > 0;
}

/** In which language to speak to whoever opened a link that stops mail, and whom it is about; undefined when all that is gone. */
export async function findStopped(
	queries: Queries,
	{ kind, id }: Stopped,
): Promise<{ locale: string; address: string } | undefined> {
	const query =
		kind === 'recipient'
			? sql`SELECT locale, address FROM report_recipients WHERE id = ${value(id)}`
			: kind === 'reports'
				? sql`SELECT locale, email AS address FROM accounts WHERE id = ${value(id)}`
				: sql`SELECT a.locale, a.email AS address
					FROM alerts l JOIN websites w ON w.id = l.website_id JOIN accounts a ON a.id = w.account_id
					WHERE l.id = ${value(id)}`;
	const [found] = await queries.rows<{ locale: string; address: string }>(query);
	return found;
}

/** Stops it. Doing it again changes nothing. */
export async function unsubscribe(
	{ postgres, now, links }: Pick<AskServices, 'postgres' | 'now' | 'links'>,
	{ kind, id }: Stopped,
): Promise<void> {
	switch (kind) {
		case 'reports':
			await postgres.run(sql`UPDATE accounts SET report_schedule = 'none' WHERE id = ${value(id)}`);
			return;
		case 'alert':
			await postgres.run(sql`UPDATE alerts SET enabled = false, updated_at = greatest(${value(now())}, updated_at + interval '1 millisecond')
				WHERE id = ${value(id)} AND enabled AND channel = 'mail'`);
			return;
		case 'recipient':
			await postgres.transaction(async (tx) => {
				const [recipient] = await tx.rows<{ accountId: number; address: string }>(sql`
					SELECT account_id AS "accountId", address FROM report_recipients WHERE id = ${value(id)} FOR UPDATE`);
				if (!recipient) return;
				const { accountId, address } = recipient;
				// All that this account would send there: who says no to one of its websites does not mean the others.
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
