/**
 * Alerts on their way to addresses on the net. A delivery is tried until it is taken (2xx), and never again after that; before
 * each try it is put off, so that one whose sender dies is tried once more a little later, with the same id. Who gets an id
 * twice can tell.
 */
import { createHmac } from 'node:crypto';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { RefusedAddress, type SafeFetch } from '../lib/safe-fetch.ts';
import type { Postgres } from '../store/postgres.ts';
import { sql, value } from '../store/sql.ts';
import { type AlertVault, type Channel, decryptAlertSecret } from './alerts.ts';
import type { Content } from './notify.ts';

export type DeliverServices = {
	postgres: Postgres;
	now: Clock;
	log: Log;
	signal: AbortSignal;
	vault: AlertVault;
	outside: SafeFetch;
};

const minute = 60_000;
/** After each failure; then it is given up. */
const waitMinutes = [1, 3, 10, 30, 60, 120, 240, 480, 720];
/** A sender that has not come back by then never will. */
const leaseMs = minute;
const atOnce = 10;
const keptDays = 30;

type Due = {
	id: string;
	alertId: number;
	websiteId: number;
	channel: Exclude<Channel, 'mail'>;
	url: Buffer;
	secret: Buffer | null;
	content: Content;
	attempts: number;
};

/** Sends what is due; says how many were taken. */
export async function deliverAlerts(services: DeliverServices): Promise<number> {
	const { postgres, now, signal } = services;
	let sent = 0;
	while (!signal.aborted) {
		const moment = now();
		const due = await postgres.rows<Due>(sql`
			UPDATE alert_deliveries d SET attempts = d.attempts + 1, next_at = ${value(new Date(moment.getTime() + leaseMs))}
			FROM alerts l
			WHERE l.id = d.alert_id AND d.id IN (
				SELECT id FROM alert_deliveries WHERE state = 'waiting' AND next_at <= ${value(moment)}
				ORDER BY next_at LIMIT ${value(atOnce)} FOR UPDATE SKIP LOCKED
			)
			RETURNING d.id, d.alert_id AS "alertId", l.website_id AS "websiteId", l.channel, l.url, l.secret, d.content, d.attempts`);
		if (due.length === 0) break;
		const outcomes = await Promise.all(due.map((delivery) => deliver(services, delivery)));
		sent += outcomes.filter((isTaken) => isTaken).length;
	}
	const kept = new Date(now().getTime() - keptDays * 1440 * minute);
	await postgres.run(sql`DELETE FROM alert_deliveries WHERE ended_at < ${value(kept)}`);
	return sent;
}

async function deliver({ postgres, now, log, vault, outside }: DeliverServices, due: Due): Promise<boolean> {
	const { id, alertId, websiteId, attempts } = due;
	const isIt = sql`id = ${value(id)} AND state = 'waiting'`;
	const end = (state: 'sent' | 'failed', reason: string | null) =>
		postgres.run(sql`
			UPDATE alert_deliveries SET state = ${value(state)}, reason = ${value(reason)}, ended_at = ${value(now())} WHERE ${isIt}`);
	const { reason, isForGood } = await post();
	if (reason === null) {
		await end('sent', null);
		return true;
	}
	const minutes = waitMinutes[attempts - 1];
	if (isForGood || minutes === undefined) {
		log.warn({ alert: alertId, delivery: id, reason }, 'an alert could not be delivered and is given up');
		await end('failed', reason);
		return false;
	}
	await postgres.run(sql`
		UPDATE alert_deliveries SET reason = ${value(reason)}, next_at = ${value(new Date(now().getTime() + minutes * minute))}
		WHERE ${isIt}`);
	return false;

	async function post(): Promise<{ reason: string | null; isForGood: boolean }> {
		try {
			const secret = due.secret && decryptAlertSecret(vault, websiteId, due.secret);
			const message = messageFor(due, secret, now());
			const status = await outside.post(decryptAlertSecret(vault, websiteId, due.url), message);
			const isTaken = status >= 200 && status < 300;
			// 410 is how a receiver says that it wants no more.
			return { reason: isTaken ? null : `It was answered with ${status}.`, isForGood: status === 410 };
		} catch (error) {
			const text = error instanceof Error ? error.message : String(error);
			return { reason: text, isForGood: error instanceof RefusedAddress };
		}
	}
}

type Message = { headers: Record<string, string>; body: string };

const json = { 'content-type': 'application/json' };

function messageFor({ channel, content }: Due, secret: string | null, moment: Date): Message {
	const { body, title, text, url } = content;
	switch (channel) {
		case 'webhook': {
			const written = JSON.stringify(body);
			const seconds = Math.floor(moment.getTime() / 1000);
			return {
				headers: {
					...json,
					'tidemark-delivery': body.id,
					...(secret !== null && { 'tidemark-signature': signatureOf(secret, seconds, written) }),
				},
				body: written,
			};
		}
		case 'ntfy':
			// Header fields are ASCII; ntfy reads encoded words.
			return {
				headers: { title: encodedWord(title), click: url, 'content-type': 'text/plain; charset=utf-8' },
				body: text,
			};
		case 'slack':
			return {
				headers: json,
				body: JSON.stringify({ text: `*${forSlack(title)}*\n${forSlack(text)}\n<${url}>` }),
			};
	}
}

/** The time is signed too, so that a receiver can refuse what is old. */
const signatureOf = (secret: string, seconds: number, body: string): string =>
	`t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`;

const encodedWord = (text: string): string =>
	/^[\x20-\x7e]*$/.test(text) ? text : `=?UTF-8?B?${Buffer.from(text).toString('base64')}?=`;

/** Slack's own signs; what people wrote is text there. */
const forSlack = (text: string): string =>
	text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
