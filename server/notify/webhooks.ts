/** Sends alerts to webhooks, ntfy topics and Slack. A call is retried until the response is 2xx. */
import { createHmac } from 'node:crypto';
import { minuteMs } from '../lib/durations.ts';
import { RefusedAddress, type SafeFetch } from '../lib/safe-fetch.ts';
import { sql, value } from '../store/sql.ts';
import { type AlertVault, type Channel, decryptAlertSecret } from './alerts.ts';
import type { Content } from './notify.ts';
import { type OutboxServices, type Outcome, sendDue } from './outbox.ts';

export type WebhookServices = OutboxServices & { vault: AlertVault; outside: SafeFetch };

type QueuedCall = { id: number; attempts: number; alertId: number; content: Content };

type Destination = {
	websiteId: number;
	channel: Exclude<Channel, 'mail'>;
	url: Buffer;
	secret: Buffer | null;
};

export const sendWebhooks = (services: WebhookServices): Promise<number> =>
	sendDue<QueuedCall>(services, {
		kind: 'webhook',
		retryMinutes: [1, 3, 10, 30, 60, 120, 240, 480, 720],
		// Much longer than a call can take.
		leaseMs: minuteMs,
		batchSize: 10,
		concurrency: 10,
		send: (call) => post(services, call),
	});

async function post(
	{ postgres, now, vault, outside }: WebhookServices,
	{ alertId, content }: QueuedCall,
): Promise<Outcome> {
	const refused = (reason: string, isPermanent: boolean): Outcome => ({
		kind: 'refused',
		isPermanent,
		isUnreachable: false,
		reason,
	});
	const [alert] = await postgres.rows<Destination>(sql`
		SELECT website_id AS "websiteId", channel, url, secret FROM alerts WHERE id = ${value(alertId)}`);
	if (!alert) return refused('The alert was deleted.', true);
	try {
		const secret = alert.secret && decryptAlertSecret(vault, alert.websiteId, alert.secret);
		const url = decryptAlertSecret(vault, alert.websiteId, alert.url);
		const status = await outside.post(url, requestFor(alert.channel, content, secret, now()));
		if (status >= 200 && status < 300) return { kind: 'sent' };
		// 410 Gone: the receiver wants no more calls.
		return refused(`It was answered with ${status}.`, status === 410);
	} catch (error) {
		return refused(error instanceof Error ? error.message : String(error), error instanceof RefusedAddress);
	}
}

type WebhookRequest = { headers: Record<string, string>; body: string };

const json = { 'content-type': 'application/json' };

function requestFor(
	channel: Destination['channel'],
	{ body, title, text, url }: Content,
	secret: string | null,
	moment: Date,
): WebhookRequest {
	switch (channel) {
		case 'webhook': {
			const bodyText = JSON.stringify(body);
			const seconds = Math.floor(moment.getTime() / 1000);
			return {
				headers: {
					...json,
					'tidemark-delivery': body.id,
					...(secret !== null && { 'tidemark-signature': signatureOf(secret, seconds, bodyText) }),
				},
				body: bodyText,
			};
		}
		case 'ntfy':
			// Headers are ASCII. ntfy decodes RFC 2047 encoded words.
			return {
				headers: { title: encodedWord(title), click: url, 'content-type': 'text/plain; charset=utf-8' },
				body: text,
			};
		case 'slack':
			return {
				headers: json,
				body: JSON.stringify({ text: `*${escapeSlack(title)}*\n${escapeSlack(text)}\n<${url}>` }),
			};
	}
}

/** The time is signed too, so that receivers can reject replays. */
export const signatureOf = (secret: string, seconds: number, body: string): string =>
	`t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`;

const encodedWord = (text: string): string =>
	/^[\x20-\x7e]*$/.test(text) ? text : `=?UTF-8?B?${Buffer.from(text).toString('base64')}?=`;

/** Escapes Slack's control characters. */
const escapeSlack = (text: string): string =>
	text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
