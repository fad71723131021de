/**
 * Queues events for the webhooks of an account, in the transaction that makes them true. Every webhook that wants an event gets
 * a message in the outbox, with the same event id. An account without webhooks costs one indexed lookup.
 */
import { randomUUID } from 'node:crypto';
import type { WebhookEventType } from '../../api/webhooks.ts';
import type { Clock } from '../lib/clock.ts';
import type { Queries } from '../store/postgres.ts';
import { type Sql, sql, value } from '../store/sql.ts';

export type AccountEvent = {
	type: WebhookEventType;
	accountId: number;
	/** What `website_ids` of a webhook limits. Events without a website go only to webhooks without a limit. */
	websiteId: number | null;
	data: Readonly<Record<string, unknown>>;
};

/** The stored content of a call, which is its body. */
export type EventBody = {
	id: string;
	type: WebhookEventType | 'test';
	created_at: string;
	account_id: number;
	data: Readonly<Record<string, unknown>>;
};

/** More are dropped: a webhook that fails for days must not fill the outbox. */
export const maxWaitingOfWebhook = 10_000;

const wants = (type: Sql): Sql => sql`w.enabled AND (w.events IS NULL OR ${type} = ANY (w.events))`;

/** Whether an account has a webhook for an event. */
export async function isSubscribed(
	queries: Queries,
	accountId: number,
	type: WebhookEventType,
): Promise<boolean> {
	const rows = await queries.rows(sql`
		SELECT 1 FROM webhooks w WHERE w.account_id = ${value(accountId)} AND ${wants(sql`${value(type)}`)} LIMIT 1`);
	return rows.length > 0;
}

export type SubscribedWebsite = { id: number; accountId: number; domain: string; timezone: string };

/** Websites with a webhook for an event; all of them, or some. */
export const listSubscribedWebsites = (
	queries: Queries,
	type: WebhookEventType,
	websiteIds?: readonly number[],
): Promise<SubscribedWebsite[]> =>
	queries.rows<SubscribedWebsite>(sql`
		SELECT websites.id, websites.account_id AS "accountId",
			coalesce(websites.domain_unicode, websites.domain) AS domain, websites.timezone
		FROM websites JOIN accounts a ON a.id = websites.account_id AND a.disabled_at IS NULL
		WHERE websites.account_id IN (SELECT w.account_id FROM webhooks w WHERE ${wants(sql`${value(type)}`)})
			${websiteIds ? sql`AND websites.id = ANY(${value(websiteIds)}::bigint[])` : sql``}
			AND EXISTS (SELECT 1 FROM webhooks w WHERE w.account_id = websites.account_id AND ${wants(sql`${value(type)}`)}
				AND (w.website_ids IS NULL OR websites.id = ANY (w.website_ids)))
		ORDER BY websites.id`);

export async function queueEvents(tx: Queries, now: Clock, events: readonly AccountEvent[]): Promise<void> {
	if (events.length > 0) await tx.run(insertCalls(now, events));
}

/** The INSERT, for a caller that needs it as part of its own statement. */
export function insertCalls(now: Clock, events: readonly AccountEvent[]): Sql {
	const at = now();
	const rows = events.map(({ type, accountId, websiteId, data }) => {
		const content: EventBody = {
			id: randomUUID(),
			type,
			created_at: at.toISOString(),
			account_id: accountId,
			data,
		};
		return { account_id: accountId, website_id: websiteId, type, content };
	});
	const accounts = [...new Set(events.map(({ accountId }) => accountId))];
	return sql`
		INSERT INTO outbox (kind, key, webhook_id, content, next_at, created_at)
		WITH subscribed AS MATERIALIZED (
			SELECT w.id, w.account_id, w.events, w.website_ids, w.enabled,
				(SELECT count(*) FROM outbox o WHERE o.webhook_id = w.id AND o.state = 'waiting') AS waiting
			FROM webhooks w JOIN accounts a ON a.id = w.account_id AND a.disabled_at IS NULL
			WHERE w.enabled AND w.account_id = ANY(${value(accounts)}::bigint[])
		)
		SELECT 'event', id || ' ' || (content->>'id'), id, content, ${value(at)}::timestamptz, ${value(at)}::timestamptz FROM (
			SELECT w.id, e.content, w.waiting + row_number() OVER (PARTITION BY w.id ORDER BY e.content->>'created_at') AS place
			FROM json_to_recordset(${value(JSON.stringify(rows))}::json)
				AS e (account_id bigint, website_id bigint, type text, content jsonb)
			JOIN subscribed w ON w.account_id = e.account_id AND ${wants(sql`e.type`)}
				AND (w.website_ids IS NULL OR e.website_id = ANY (w.website_ids))
		) AS due WHERE place <= ${value(maxWaitingOfWebhook)}`;
}
