import { randomUUID } from 'node:crypto';
import { notFound } from '../accounts/authorize.ts';
import { unconfirmed } from '../accounts/confirmation.ts';
import { primaryOwner } from '../accounts/people.ts';
import { findBrand } from '../branding/branding.ts';
import { AppError } from '../lib/app-error.ts';
import type { Clock } from '../lib/clock.ts';
import type { Queries } from '../store/postgres.ts';
import { sql, value } from '../store/sql.ts';
import { type AlertEvent, renderAlert, stopText } from './alert-texts.ts';
import type { Channel } from './alerts.ts';
import { senderName } from './mail/names.ts';
import { type MailQuota, queueMail } from './mail/queue.ts';
import { recipientsOf } from './mail/recipients.ts';
import { type MailLinks, unsubscribeHeaders, unsubscribeUrl } from './mail/unsubscribe.ts';
import { enqueue } from './outbox.ts';

/** `hasMail`: whether mail can be sent. */
export type NotifyServices = { now: Clock; links: MailLinks; quota: MailQuota; hasMail: boolean };

/** An alert with what its notifications need. */
export type NotifiedAlert = {
	id: number;
	channel: Channel;
	websiteId: number;
	/** In Unicode. */
	domain: string;
	zone: string;
	accountId: number;
	locale: string;
};

/** The stored content of a webhook call. `body` is the JSON that webhooks get; ntfy and Slack get the other fields. */
export type Content = {
	body: Record<string, unknown> & { id: string };
	title: string;
	text: string;
	url: string;
};

/**
 * Queues the emails or the webhook call of an event, in the transaction that detected it. False if it was queued before, or if no email
 * could be queued.
 */
export async function queueNotification(
	tx: Queries,
	{ now, links, quota, hasMail }: NotifyServices,
	alert: NotifiedAlert,
	event: AlertEvent,
	key: string,
): Promise<boolean> {
	const link = `${links.baseUrl()}/websites/${alert.websiteId}`;
	if (alert.channel === 'mail') {
		// Without a mail server, nothing is queued: the news would be old when one is configured.
		if (!hasMail) return true;
		let isAnyQueued = false;
		const recipients = await recipientsOf(tx, alert.accountId, alert.websiteId, links);
		const brand = await findBrand(tx, alert.accountId);
		for (const { address, locale, key: recipientKey, personId, unsubscribeUrl: recipientUrl } of recipients) {
			const isOwner = personId !== undefined;
			if (event.type === 'test' && !isOwner) continue;
			const { title, text } = renderAlert(event, { ...alert, locale });
			const url = isOwner ? unsubscribeUrl(links, { kind: 'alert', id: alert.id, personId }) : recipientUrl;
			const isQueued = await queueMail(tx, now, {
				key: `alert:${key}:${recipientKey}`,
				mail: {
					to: address,
					subject: title,
					text: `${text}\n\n${link}\n\n${stopText(locale)}\n${url}\n`,
					headers: unsubscribeHeaders(url),
					senderName: senderName(brand?.name),
				},
				by: { accountId: alert.accountId, quota },
			});
			isAnyQueued ||= isQueued;
		}
		return isAnyQueued;
	}
	const id = randomUUID();
	const { type, ...details } = event;
	const { title, text } = renderAlert(event, alert);
	const content: Content = {
		body: {
			id,
			type,
			created_at: now().toISOString(),
			alert_id: alert.id,
			website: { id: alert.websiteId, domain: alert.domain },
			...details,
			text,
			url: link,
		},
		title,
		text,
		url: link,
	};
	return (await enqueue(tx, now, { kind: 'webhook', key, alertId: alert.id, content })) === 'queued';
}

export const notifiedColumns = sql`l.id, l.channel, l.website_id AS "websiteId",
	coalesce(websites.domain_unicode, websites.domain) AS domain, websites.timezone AS zone, a.id AS "accountId", ${primaryOwner(sql`a.id`, 'locale')} AS locale`;

/** Sends a test notification, at most once a minute. The caller checks permissions. */
export async function sendTestNotification(
	tx: Queries,
	services: NotifyServices,
	{ websiteId, id }: { websiteId: number; id: number },
): Promise<void> {
	const [alert] = await tx.rows<NotifiedAlert & { isConfirmed: boolean }>(sql`
		SELECT ${notifiedColumns}, ${primaryOwner(sql`a.id`, 'confirmed_at')} IS NOT NULL AS "isConfirmed"
		FROM alerts l JOIN websites ON websites.id = l.website_id JOIN accounts a ON a.id = websites.account_id
		WHERE l.id = ${value(id)} AND l.website_id = ${value(websiteId)}`);
	if (!alert) throw notFound();
	if (alert.channel === 'mail' && !services.hasMail)
		throw new AppError('unavailable', 'No mail server is configured, so emails cannot be sent.');
	if (alert.channel === 'mail' && !alert.isConfirmed) throw unconfirmed();
	const minute = services.now().toISOString().slice(0, 16);
	if (!(await queueNotification(tx, services, alert, { type: 'test' }, `${alert.id} test ${minute}`)))
		throw new AppError(
			'too_many_requests',
			'A test was sent less than a minute ago, or the daily limit of emails is reached.',
			{ retryAfterSeconds: 60 },
		);
}
