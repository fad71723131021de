/** Webhooks of an account, and their deliveries. */
import { randomBytes, randomUUID } from 'node:crypto';
import type { WebhookEventType } from '../../api/webhooks.ts';
import { AppError, invalid } from '../lib/app-error.ts';
import type { Clock } from '../lib/clock.ts';
import { decrypt, encrypt } from '../lib/encrypt.ts';
import { RefusedAddress, readPublicUrl } from '../lib/safe-fetch.ts';
import type { Queries } from '../store/postgres.ts';
import { type Sql, sql, value } from '../store/sql.ts';
import { type EventBody, maxWaitingOfWebhook } from './queue-events.ts';

/** `key` encrypts URLs and secrets. `allowedHosts`: private hosts that the operator allows as destinations. */
export type WebhookVault = { key: Buffer; allowedHosts: readonly string[] };

export type Webhook = {
	id: number;
	accountId: number;
	name: string;
	urlShown: string;
	events: WebhookEventType[] | null;
	websiteIds: number[] | null;
	enabled: boolean;
	disabledReason: string | null;
	failingSince: Date | null;
	createdAt: Date;
	updatedAt: Date;
};

export type WebhookFields = {
	name: string;
	events: WebhookEventType[] | null;
	websiteIds: number[] | null;
	enabled: boolean;
	/** Undefined: it stays. */
	url?: string | undefined;
};

export const maxWebhooks = 20;

const columns = sql`id, account_id AS "accountId", name, url_shown AS "urlShown", events, website_ids AS "websiteIds", enabled,
	disabled_reason AS "disabledReason", failing_since AS "failingSince", created_at AS "createdAt", updated_at AS "updatedAt"`;

const encryptionContext = (accountId: number) => `webhook of account ${accountId}`;

/** Decrypts the URL or the secret of a webhook. */
export const decryptWebhookSecret = ({ key }: WebhookVault, accountId: number, encrypted: Buffer): string =>
	decrypt(key, encryptionContext(accountId), encrypted);

export function listWebhooks(queries: Queries, accountId: number): Promise<Webhook[]> {
	return queries.rows<Webhook>(
		sql`SELECT ${columns} FROM webhooks WHERE account_id = ${value(accountId)} ORDER BY id`,
	);
}

/** `lock`: for a change in the same transaction. */
export async function findWebhook(
	queries: Queries,
	{ accountId, id }: { accountId: number; id: number },
	lock = sql``,
): Promise<Webhook | undefined> {
	const [webhook] = await queries.rows<Webhook>(sql`
		SELECT ${columns} FROM webhooks WHERE account_id = ${value(accountId)} AND id = ${value(id)} ${lock}`);
	return webhook;
}

/** Of the URL, only the origin is shown: the path is often all that protects a receiver. */
const shownPart = (url: string): string => `${new URL(url).origin}/…`;

function requirePublicUrl(url: string, { allowedHosts }: WebhookVault): void {
	try {
		readPublicUrl(url, allowedHosts);
	} catch (error) {
		if (!(error instanceof RefusedAddress)) throw error;
		throw invalid({ url: [error.message] });
	}
}

/** Runs in the transaction that stores the webhook. The lock serializes the creates of an account. */
export async function createWebhook(
	tx: Queries,
	now: Clock,
	vault: WebhookVault,
	{ accountId, url, ...fields }: WebhookFields & { accountId: number; url: string },
): Promise<{ webhook: Webhook; secret: string }> {
	requirePublicUrl(url, vault);
	await tx.run(sql`SELECT 1 FROM accounts WHERE id = ${value(accountId)} FOR NO KEY UPDATE`);
	const [held] = await tx.rows<{ count: number }>(
		sql`SELECT count(*) AS count FROM webhooks WHERE account_id = ${value(accountId)}`,
	);
	if ((held?.count ?? 0) >= maxWebhooks) {
		const message = `The account has reached its limit of ${maxWebhooks} webhooks.`;
		throw new AppError('limit_reached', message, { errors: { name: [message] } });
	}
	await requireOwnWebsites(tx, accountId, fields.websiteIds ?? []);
	const secret = randomBytes(32).toString('base64url');
	const toStored = (text: string) => encrypt(vault.key, encryptionContext(accountId), text);
	const rows = await tx.rows<Webhook>(sql`
		INSERT INTO webhooks (account_id, name, url, url_shown, secret, events, website_ids, enabled, created_at, updated_at)
		VALUES (${value(accountId)}, ${value(fields.name)}, ${value(toStored(url))}, ${value(shownPart(url))}, ${value(toStored(secret))},
			${value(fields.events)}, ${value(fields.websiteIds)}, ${value(fields.enabled)}, ${value(now())}, ${value(now())})
		RETURNING ${columns}`);
	return { webhook: only(rows), secret };
}

/** Replaces the fields of a webhook, which the caller has locked. Enabling it, or a new URL, forgets earlier failures. */
export async function updateWebhook(
	tx: Queries,
	now: Clock,
	vault: WebhookVault,
	before: Webhook,
	fields: WebhookFields,
): Promise<Webhook> {
	const url = fields.url === before.urlShown ? undefined : fields.url;
	if (url !== undefined) requirePublicUrl(url, vault);
	const added = fields.websiteIds?.filter((id) => !before.websiteIds?.includes(id)) ?? [];
	await requireOwnWebsites(tx, before.accountId, added);
	const starts = (fields.enabled && !before.enabled) || url !== undefined;
	const rows = await tx.rows<Webhook>(sql`
		UPDATE webhooks SET name = ${value(fields.name)}, events = ${value(fields.events)}, website_ids = ${value(fields.websiteIds)},
			enabled = ${value(fields.enabled)}, updated_at = ${value(now())}
			${url === undefined ? sql`` : sql`, url_shown = ${value(shownPart(url))}, url = ${value(encrypt(vault.key, encryptionContext(before.accountId), url))}`}
			${starts ? sql`, failing_since = NULL, retry_at = NULL` : sql``}
			${fields.enabled ? sql`, disabled_reason = NULL` : sql``}
		WHERE id = ${value(before.id)} RETURNING ${columns}`);
	if (before.enabled && !fields.enabled) await failWaiting(tx, now, before.id);
	return only(rows);
}

/** The calls that wait can be replayed once the webhook is enabled again. */
export async function failWaiting(tx: Queries, now: Clock, id: number): Promise<void> {
	await tx.run(sql`
		UPDATE outbox SET state = 'failed', claim = NULL, ended_at = ${value(now())}, reason = ${value(disabledText)}
		WHERE webhook_id = ${value(id)} AND state = 'waiting'`);
}

export const disabledText = 'The webhook was disabled.';

async function requireOwnWebsites(queries: Queries, accountId: number, ids: readonly number[]) {
	if (ids.length === 0) return;
	const owned = await queries.rows<{ id: number }>(sql`
		SELECT id FROM websites WHERE account_id = ${value(accountId)} AND id = ANY(${value(ids)}::bigint[])`);
	const missing = ids.filter((id) => !owned.some((website) => website.id === id));
	if (missing.length > 0)
		throw invalid({ website_ids: [`The account has no website ${missing.join(', ')}.`] });
}

/** Replaces the secret. Calls that already wait are signed with the new one. */
export async function rotateWebhookSecret(
	tx: Queries,
	now: Clock,
	vault: WebhookVault,
	{ id, accountId }: Webhook,
): Promise<{ webhook: Webhook; secret: string }> {
	const secret = randomBytes(32).toString('base64url');
	const rows = await tx.rows<Webhook>(sql`
		UPDATE webhooks SET secret = ${value(encrypt(vault.key, encryptionContext(accountId), secret))}, updated_at = ${value(now())}
		WHERE id = ${value(id)} RETURNING ${columns}`);
	return { webhook: only(rows), secret };
}

/** Deletes a webhook and its deliveries. */
export async function deleteWebhook(tx: Queries, { id }: Webhook): Promise<void> {
	await tx.run(sql`DELETE FROM webhooks WHERE id = ${value(id)}`);
}

export type Delivery = {
	id: number;
	eventId: string;
	type: EventBody['type'];
	/** The website that the event is about. */
	domain: string | null;
	/** Of `day.sealed`. */
	date: string | null;
	state: 'waiting' | 'delivered' | 'failed';
	attempts: number;
	status: number | null;
	reason: string | null;
	nextAt: Date;
	createdAt: Date;
	endedAt: Date | null;
};

const deliveryColumns = sql`id, content->>'id' AS "eventId", content->>'type' AS type,
	content#>>'{data,website,domain}' AS domain, content#>>'{data,date}' AS date,
	CASE WHEN state IN ('waiting', 'sending') THEN 'waiting' WHEN state = 'sent' THEN 'delivered' ELSE 'failed' END AS state,
	attempts, status, reason, next_at AS "nextAt", created_at AS "createdAt", ended_at AS "endedAt"`;

/** Deliveries whose content was left out of a backup cannot be shown. */
const ofWebhook = (id: number): Sql => sql`webhook_id = ${value(id)} AND content IS NOT NULL`;

/** The deliveries of the last 30 days, newest first. */
export async function listDeliveries(
	queries: Queries,
	id: number,
	page: { skip: number; count: number },
): Promise<{ deliveries: Delivery[]; total: number }> {
	const deliveries = await queries.rows<Delivery>(sql`
		SELECT ${deliveryColumns} FROM outbox WHERE ${ofWebhook(id)}
		ORDER BY id DESC LIMIT ${value(page.count)} OFFSET ${value(page.skip)}`);
	const [row] = await queries.rows<{ count: number }>(
		sql`SELECT count(*) AS count FROM outbox WHERE ${ofWebhook(id)}`,
	);
	return { deliveries, total: row?.count ?? 0 };
}

/** Queues the body of a delivery once more, with the same event id. Undefined: there is no such delivery. */
export async function replayDelivery(
	tx: Queries,
	now: Clock,
	{ id, enabled }: Webhook,
	deliveryId: number,
): Promise<Delivery | undefined> {
	if (!enabled) throw disabled();
	const [waiting] = await tx.rows<{ count: number }>(
		sql`SELECT count(*) AS count FROM outbox WHERE webhook_id = ${value(id)} AND state = 'waiting'`,
	);
	if ((waiting?.count ?? 0) >= maxWaitingOfWebhook)
		throw new AppError('too_many_requests', 'Too many calls of this webhook are waiting.', {
			retryAfterSeconds: 3_600,
		});
	const [delivery] = await tx.rows<Delivery>(sql`
		INSERT INTO outbox (kind, key, webhook_id, content, next_at, created_at)
		SELECT 'event', webhook_id || ' ' || (content->>'id') || ' ' || ${value(randomUUID())}::text, webhook_id, content,
			${value(now())}::timestamptz, ${value(now())}::timestamptz
		FROM outbox WHERE ${ofWebhook(id)} AND id = ${value(deliveryId)}
		RETURNING ${deliveryColumns}`);
	return delivery;
}

const disabled = () => invalid({ enabled: ['The webhook is disabled. Enable it first.'] });

/** Queues a test call, at most once a minute. */
export async function queueTestCall(tx: Queries, now: Clock, webhook: Webhook): Promise<void> {
	if (!webhook.enabled) throw disabled();
	const at = now();
	const content: EventBody = {
		id: randomUUID(),
		type: 'test',
		created_at: at.toISOString(),
		account_id: webhook.accountId,
		data: { webhook: { id: webhook.id, name: webhook.name } },
	};
	const key = `${webhook.id} test ${at.toISOString().slice(0, 16)}`;
	const queued = await tx.run(sql`
		INSERT INTO outbox (kind, key, webhook_id, content, next_at, created_at)
		VALUES ('event', ${value(key)}, ${value(webhook.id)}, ${value(JSON.stringify(content))}::jsonb, ${value(at)}, ${value(at)})
		ON CONFLICT (kind, key) DO NOTHING`);
	if (queued === 0)
		throw new AppError('too_many_requests', 'A test was sent less than a minute ago.', {
			retryAfterSeconds: 60,
		});
}

function only<T>(rows: readonly T[]): T {
	const [row] = rows;
	if (row === undefined) throw new Error('The statement returned no row.');
	return row;
}
