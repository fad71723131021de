import { randomUUID } from 'node:crypto';
import { notFound } from '../accounts/authorize.ts';
import { unconfirmed } from '../accounts/confirmation.ts';
import { AppError } from '../lib/app-error.ts';
import type { Clock } from '../lib/clock.ts';
import type { Queries } from '../store/postgres.ts';
import { sql, value } from '../store/sql.ts';
import { type AlertEvent, renderAlert, stopText } from './alert-texts.ts';
import type { Channel } from './alerts.ts';
import { type MailQuota, queueMail } from './mail/queue.ts';
import { recipientsOf } from './mail/recipients.ts';
import { type MailLinks, unsubscribeHeaders, unsubscribeUrl } from './mail/unsubscribe.ts';
import { enqueue } from './outbox.ts';

/** `hasMail`: whether mail can be sent. */
export type NotifyServices = { now: Clock; links: MailLinks; quota: MailQuota; hasMail: boolean };

/** What is to be known of an alert to tell something by it. */
export type NotifiedAlert = {
	id: number;
	channel: Channel;
	websiteId: number;
	/** As people read it. */
	domain: string;
	zone: string;
	accountId: number;
	locale: string;
};

/** What a delivery tells, as it is stored. `body` is what webhooks get. */
export type Content = {
	body: Record<string, unknown> & { id: string };
	title: string;
	text: string;
	url: string;
};

/**
 * Writes down what is to be told, in the transaction in which it became so: as mails, or as a delivery. False when the same was
 * told before, or no mail could be queued.
 */
export async function queueNotification(
	tx: Queries,
	{ now, links, quota, hasMail }: NotifyServices,
	alert: NotifiedAlert,
	happening: AlertEvent,
	key: string,
): Promise<boolean> {
	const link = `${links.baseUrl()}/websites/${alert.websiteId}`;
	if (alert.channel === 'mail') {
		// What waits for a mail server that comes some day would be old news then.
		if (!hasMail) return true;
		let isTold = false;
		const recipients = await recipientsOf(tx, alert.accountId, alert.websiteId, links);
		for (const { address, locale, key: who, unsubscribeUrl: stop } of recipients) {
			// A test is for whoever owns the website, not for everybody who agreed to alerts.
			if (happening.type === 'test' && who !== 'own') continue;
			const { title, text } = renderAlert(happening, { ...alert, locale });
			const url = who === 'own' ? unsubscribeUrl(links, { kind: 'alert', id: alert.id }) : stop;
			const isQueued = await queueMail(tx, now, {
				key: `alert:${key}:${who}`,
				mail: {
					to: address,
					subject: title,
					text: `${text}\n\n${link}\n\n${stopText(locale)}\n${url}\n`,
					headers: unsubscribeHeaders(url),
				},
				by: { accountId: alert.accountId, quota },
			});
			isTold ||= isQueued;
		}
		return isTold;
	}
	const id = randomUUID();
	const { type, ...about } = happening;
	const { title, text } = renderAlert(happening, alert);
	const content: Content = {
		body: {
			...{ id, type, created_at: now().toISOString(), alert_id: alert.id },
			website: { id: alert.websiteId, domain: alert.domain },
			...{ ...about, text, url: link },
		},
		...{ title, text, url: link },
	};
	return (await enqueue(tx, now, { kind: 'webhook', key, alertId: alert.id, content })) === 'queued';
}

export const notifiedColumns = sql`l.id, l.channel, l.website_id AS "websiteId",
	coalesce(websites.domain_unicode, websites.domain) AS domain, websites.timezone AS zone, a.id AS "accountId", a.locale`;

/** Sends a test by an alert. Once a minute. That the website may be changed is for the caller to know. */
export async function sendTestNotification(
	tx: Queries,
	services: NotifyServices,
	of: { websiteId: number; id: number },
): Promise<void> {
	const [alert] = await tx.rows<NotifiedAlert & { isConfirmed: boolean }>(sql`
		SELECT ${notifiedColumns}, a.confirmed_at IS NOT NULL AS "isConfirmed"
		FROM alerts l JOIN websites ON websites.id = l.website_id JOIN accounts a ON a.id = websites.account_id
		WHERE l.id = ${value(of.id)} AND l.website_id = ${value(of.websiteId)}`);
	if (!alert) throw notFound();
	if (alert.channel === 'mail' && !services.hasMail)
		throw new AppError('unavailable', 'This service has no mail server, so nothing can be mailed.');
	if (alert.channel === 'mail' && !alert.isConfirmed) throw unconfirmed();
	const minute = services.now().toISOString().slice(0, 16);
	if (!(await queueNotification(tx, services, alert, { type: 'test' }, `${alert.id} test ${minute}`)))
		throw new AppError(
			'too_many_requests',
			'A test was sent a moment ago, or no more mails can be sent today.',
			{
				retryAfterSeconds: 60,
			},
		);
}
