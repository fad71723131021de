/**
 * Sends the events that wait for the webhooks of accounts.
 *
 * Webhooks take turns, so that one with many events does not delay the others. A failed call pauses its webhook for as long as it has been
 * failing, between one minute and six hours; then one call is tried. After three days, or at a response of 410, the webhook is
 * disabled and the owners get an email.
 */
import { dayMs, hourMs, minuteMs } from '../lib/durations.ts';
import { RefusedAddress, type SafeFetch } from '../lib/safe-fetch.ts';
import type { Queries } from '../store/postgres.ts';
import { sql, value } from '../store/sql.ts';
import type { EventBody } from '../webhooks/queue-events.ts';
import { decryptWebhookSecret, disabledText, failWaiting, type WebhookVault } from '../webhooks/webhooks.ts';
import { queueDisabledWebhookMails } from './mail/disabled-webhook.ts';
import type { NotifyServices } from './notify.ts';
import { type OutboxServices, type Outcome, sendDue } from './outbox.ts';
import { signatureOf } from './webhooks.ts';

export type EventServices = OutboxServices &
	Pick<NotifyServices, 'links' | 'hasMail'> & { webhooks: WebhookVault; outside: SafeFetch };

type QueuedEvent = { id: number; attempts: number; webhookId: number; content: EventBody };

type Destination = { accountId: number; url: Buffer; secret: Buffer };

const batchSize = 20;
const callsAtOnce = 5;
const minPauseMs = minuteMs;
const maxPauseMs = 6 * hourMs;
const disabledAfterMs = 3 * dayMs;

export const sendEvents = (services: EventServices): Promise<number> =>
	sendDue<QueuedEvent>(services, {
		kind: 'event',
		retryMinutes: [1, 3, 10, 30, 60, 120, 240, 480, 720],
		// Much longer than a call can take.
		leaseMs: minuteMs,
		batchSize,
		concurrency: batchSize,
		keepsContent: true,
		next: () => sql`
			SELECT due.id FROM webhooks w JOIN accounts a ON a.id = w.account_id AND a.disabled_at IS NULL
			CROSS JOIN LATERAL (
				SELECT o.id, row_number() OVER (ORDER BY o.next_at, o.id) AS place FROM outbox o
				WHERE o.webhook_id = w.id AND o.state = 'waiting' AND o.next_at <= ${value(services.now())}
				ORDER BY o.next_at, o.id LIMIT CASE WHEN w.failing_since IS NULL THEN ${value(callsAtOnce)}::integer ELSE 1 END
			) AS due
			WHERE w.enabled AND (w.retry_at IS NULL OR w.retry_at <= ${value(services.now())})
			ORDER BY due.place, w.called_at NULLS FIRST, w.id LIMIT ${value(batchSize)}`,
		send: (event) => post(services, event),
	});

async function post(services: EventServices, { webhookId, content }: QueuedEvent): Promise<Outcome> {
	const { postgres, now, webhooks: vault, outside } = services;
	const [webhook] = await postgres.rows<Destination>(sql`
		SELECT account_id AS "accountId", url, secret FROM webhooks WHERE id = ${value(webhookId)} AND enabled`);
	if (!webhook) return refusal(disabledText, true);
	const outcome = await call(webhook, content, { vault, outside, now });
	const at = now();
	if (outcome.kind === 'sent') {
		await postgres.run(sql`
			UPDATE webhooks SET called_at = ${value(at)}, failing_since = NULL, retry_at = NULL WHERE id = ${value(webhookId)}`);
		return outcome;
	}
	const isDisabled = await postgres.transaction((tx) => recordFailure(tx, services, webhookId, outcome));
	return isDisabled ? { ...outcome, isPermanent: true } : outcome;
}

type Refusal = Extract<Outcome, { kind: 'refused' }>;

const refusal = (reason: string, isPermanent: boolean, status?: number): Refusal => ({
	kind: 'refused',
	isPermanent,
	isUnreachable: false,
	reason,
	...(status !== undefined && { status }),
});

async function call(
	{ accountId, url, secret }: Destination,
	content: EventBody,
	{ vault, outside, now }: Pick<EventServices, 'outside' | 'now'> & { vault: WebhookVault },
): Promise<Extract<Outcome, { kind: 'sent' }> | Refusal> {
	try {
		const body = JSON.stringify(content);
		const seconds = Math.floor(now().getTime() / 1000);
		const status = await outside.post(decryptWebhookSecret(vault, accountId, url), {
			headers: {
				'content-type': 'application/json',
				'tidemark-delivery': content.id,
				'tidemark-signature': signatureOf(decryptWebhookSecret(vault, accountId, secret), seconds, body),
			},
			body,
		});
		if (status >= 200 && status < 300) return { kind: 'sent', status };
		return refusal(`It was answered with ${status}.`, status === 410, status);
	} catch (error) {
		return refusal(error instanceof Error ? error.message : String(error), error instanceof RefusedAddress);
	}
}

/** Pauses the webhook, or disables it. True if it is disabled. */
async function recordFailure(
	tx: Queries,
	{ now, links, hasMail }: EventServices,
	id: number,
	{ status }: Refusal,
): Promise<boolean> {
	const [webhook] = await tx.rows<{
		accountId: number;
		name: string;
		enabled: boolean;
		failingSince: Date | null;
	}>(sql`
		SELECT account_id AS "accountId", name, enabled, failing_since AS "failingSince" FROM webhooks
		WHERE id = ${value(id)} FOR NO KEY UPDATE`);
	if (!webhook?.enabled) return true;
	const at = now();
	const failingSince = webhook.failingSince ?? at;
	const failingMs = at.getTime() - failingSince.getTime();
	const pauseMs = Math.min(maxPauseMs, Math.max(minPauseMs, failingMs));
	const reason =
		status === 410
			? 'The receiver answered with 410.'
			: failingMs >= disabledAfterMs
				? 'Calls failed for three days.'
				: null;
	await tx.run(sql`
		UPDATE webhooks SET called_at = ${value(at)}, failing_since = ${value(failingSince)},
			retry_at = ${value(new Date(at.getTime() + pauseMs))}, enabled = ${value(reason === null)}, disabled_reason = ${value(reason)}
		WHERE id = ${value(id)}`);
	if (reason === null) return false;
	await failWaiting(tx, now, id);
	if (hasMail)
		await queueDisabledWebhookMails(tx, now, {
			webhook: { id, accountId: webhook.accountId },
			baseUrl: links.baseUrl(),
		});
	return true;
}
