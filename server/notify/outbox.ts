/**
 * The outbox holds emails, the webhook calls of alerts, and events for the webhooks of accounts until they are sent. A message is
 * inserted in the transaction that makes it due, under a key that is never used twice. Each kind has a job that calls `sendDue` under
 * its lock.
 *
 * A run claims messages before it sends them. If it dies, the next run takes them over after `leaseMs`: a webhook call is repeated with
 * the same id, so receivers can recognize it. A mail must not arrive twice, so its sender calls `markHanded` before the mail server can
 * accept it. If the run dies after that, the mail becomes `unknown` and is not sent again. A run that lost its claim cannot mark a mail.
 */
import { randomUUID } from 'node:crypto';
import type { Clock } from '../lib/clock.ts';
import { dayMs, minuteMs } from '../lib/durations.ts';
import { forEachConcurrent } from '../lib/for-each-concurrent.ts';
import type { Log } from '../lib/log.ts';
import type { Postgres, Queries } from '../store/postgres.ts';
import { type Sql, sql, value } from '../store/sql.ts';

export type OutboxServices = { postgres: Postgres; now: Clock; log: Log; signal: AbortSignal };

/**
 * refused: the message was not accepted. It is retried unless the refusal is permanent. If the server is unreachable, the run ends.
 * unknown: the message may have been accepted.
 */
export type Outcome =
	/** `status`: of the HTTP response. */
	| { kind: 'sent'; status?: number }
	| { kind: 'refused'; isPermanent: boolean; isUnreachable: boolean; reason: string; status?: number }
	| { kind: 'unknown'; reason: string };

type Claimed = { id: number; attempts: number };

/** `Row`: the columns id, attempts, recipient, alertId, webhookId and content, as the sender's kind has them. */
export type Sender<Row extends Claimed> = {
	kind: 'mail' | 'webhook' | 'event';
	/** A SELECT of the ids to claim next, up to the size of the batch; by default those that have been due for longest. */
	next?(): Sql;
	/** The content stays when the message is sent or given up, so that it can be sent again. */
	keepsContent?: true;
	/** The delay after each failed attempt. After the last one, the message is given up. */
	retryMinutes: readonly number[];
	leaseMs: number;
	batchSize: number;
	concurrency: number;
	send(row: Row, markHanded: () => Promise<boolean>): Promise<Outcome>;
};

type Message = { key: string; content: unknown } & (
	| { kind: 'mail'; recipient: string }
	| { kind: 'webhook'; alertId: number }
);

const maxWaitingMails = 100_000;
/** Emails have quotas by account. A webhook that fails must not delay or displace the calls of other accounts. */
const maxWaitingOfAlert = 100;
export const keptMs = 30 * dayMs;

/** `duplicate`: the key was used before. `full`: too many emails, or too many calls of the alert, are waiting. */
export async function enqueue(
	tx: Queries,
	now: Clock,
	{ kind, key, content, ...target }: Message,
): Promise<'queued' | 'duplicate' | 'full'> {
	const [recipient, alertId] = 'recipient' in target ? [target.recipient, null] : [null, target.alertId];
	const [scope, max] =
		alertId === null
			? [sql`kind = ${value(kind)}`, maxWaitingMails]
			: [sql`alert_id = ${value(alertId)}`, maxWaitingOfAlert];
	const inserted = await tx.run(sql`
		INSERT INTO outbox (kind, key, recipient, alert_id, content, next_at, created_at)
		SELECT ${value(kind)}, ${value(key)}, ${value(recipient)}, ${value(alertId)}::bigint, ${value(JSON.stringify(content))}::jsonb,
			${value(now())}, ${value(now())}
		WHERE (SELECT count(*) FROM (
			SELECT 1 FROM outbox WHERE ${scope} AND state = 'waiting' LIMIT ${value(max)}
		) AS w) < ${value(max)}
		ON CONFLICT (kind, key) DO NOTHING`);
	if (inserted > 0) return 'queued';
	const found = await tx.rows(sql`SELECT 1 FROM outbox WHERE kind = ${value(kind)} AND key = ${value(key)}`);
	return found.length > 0 ? 'duplicate' : 'full';
}

/** Sends the due messages of a kind and returns how many were accepted. */
export async function sendDue<Row extends Claimed>(
	services: OutboxServices,
	sender: Sender<Row>,
): Promise<number> {
	const { postgres, now, signal } = services;
	const { kind, batchSize, concurrency, leaseMs } = sender;
	const claim = randomUUID();
	await takeOver(services, kind);
	let sent = 0;
	let isUnreachable = false;
	while (!signal.aborted && !isUnreachable) {
		const rows = await postgres.rows<Row>(sql`
			UPDATE outbox SET state = 'sending', claim = ${value(claim)}, attempts = attempts + 1,
				next_at = ${value(new Date(now().getTime() + leaseMs))}
			WHERE state = 'waiting' AND id IN (${
				sender.next?.() ??
				sql`SELECT id FROM outbox WHERE kind = ${value(kind)} AND state = 'waiting' AND next_at <= ${value(now())}
				ORDER BY next_at, id LIMIT ${value(batchSize)} FOR UPDATE SKIP LOCKED`
			})
			RETURNING id, attempts, recipient, alert_id AS "alertId", webhook_id AS "webhookId", content`);
		if (rows.length === 0) break;
		await forEachConcurrent(rows, concurrency, async (row) => {
			if (signal.aborted || isUnreachable) return;
			const outcome = await sendClaimed(services, sender, claim, row);
			if (outcome.kind === 'sent') sent++;
			// The other messages would fail too. They wait for the next run.
			if (outcome.kind === 'refused' && outcome.isUnreachable) isUnreachable = true;
		});
		// Claimed, but not tried.
		await postgres.run(sql`
			UPDATE outbox SET state = 'waiting', claim = NULL, attempts = attempts - 1, next_at = ${value(now())}
			WHERE kind = ${value(kind)} AND state = 'sending' AND claim = ${value(claim)}`);
	}
	await postgres.run(sql`
		DELETE FROM outbox WHERE kind = ${value(kind)} AND ended_at < ${value(new Date(now().getTime() - keptMs))}`);
	return sent;
}

/** Takes over the messages of a run that died. */
async function takeOver({ postgres, now, log }: OutboxServices, kind: string): Promise<void> {
	const expired = sql`kind = ${value(kind)} AND next_at <= ${value(now())}`;
	await postgres.run(
		sql`UPDATE outbox SET state = 'waiting', claim = NULL WHERE state = 'sending' AND ${expired}`,
	);
	const lost = await postgres.rows<{ id: number }>(sql`
		UPDATE outbox SET state = 'unknown', content = NULL, ended_at = ${value(now())},
			reason = 'Tidemark stopped before the mail server confirmed it.'
		WHERE state = 'handed' AND ${expired} RETURNING id`);
	for (const { id } of lost) log.warn({ [kind]: id }, unknownText);
}

const unknownText = 'message may have been accepted; not sending it again';

async function sendClaimed<Row extends Claimed>(
	{ postgres, now, log }: OutboxServices,
	{ kind, retryMinutes, keepsContent, send }: Sender<Row>,
	claim: string,
	row: Row,
): Promise<Outcome> {
	const { id, attempts } = row;
	const isClaimed = sql`id = ${value(id)} AND claim = ${value(claim)}`;
	const markHanded = async () =>
		(await postgres.run(sql`UPDATE outbox SET state = 'handed' WHERE ${isClaimed} AND state = 'sending'`)) >
		0;
	const outcome = await send(row, markHanded);
	const status = sql`status = ${value('status' in outcome ? outcome.status : null)}::smallint`;
	const end = (state: 'sent' | 'unknown' | 'failed', reason: string | null) =>
		postgres.run(sql`
			UPDATE outbox SET state = ${value(state)}, ended_at = ${value(now())}, reason = ${value(reason)}, ${status}
				${keepsContent ? sql`` : sql`, content = NULL`}
			WHERE ${isClaimed}`);
	if (outcome.kind === 'sent') {
		await end('sent', null);
		return outcome;
	}
	const { reason } = outcome;
	const minutes = retryMinutes[attempts - 1];
	if (outcome.kind === 'unknown') {
		log.warn({ [kind]: id, reason }, unknownText);
		await end('unknown', reason);
	} else if (outcome.isPermanent || minutes === undefined) {
		log.warn({ [kind]: id, reason }, 'message could not be sent; giving up');
		await end('failed', reason);
	} else
		await postgres.run(sql`
			UPDATE outbox SET state = 'waiting', claim = NULL, reason = ${value(reason)}, ${status},
				next_at = ${value(new Date(now().getTime() + minutes * minuteMs))}
			WHERE ${isClaimed} AND state IN ('sending', 'handed')`);
	return outcome;
}
