/**
 * The queue of mails. A mail is sent once: whatever happens between here and the mail server, it never goes out twice, and
 * it is lost only where nobody can know.
 *
 * Before the last line of a mail is given to the server, `handed` is written down. A process that dies before has sent
 * nothing: the mail waits again. One that dies after may have sent it: the mail is `unknown`, which is logged and shown, and
 * not sent again. One run has the queue at a time (jobs hold a lock); of a run that lost its lock without knowing, the claim
 * on its mails is taken away, and then it cannot hand them over any more.
 */
import { randomUUID } from 'node:crypto';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { sideBySide } from '../lib/side-by-side.ts';
import type { Postgres, Queries } from '../store/postgres.ts';
import { sql, value } from '../store/sql.ts';
import type { Mail, Outcome, Smtp } from './smtp.ts';

export type MailServices = { postgres: Postgres; now: Clock; log: Log; smtp: Smtp; signal: AbortSignal };

/** After each refusal; then it is given up, two days after it was due. */
const waitMinutes = [1, 3, 10, 30, 60, 120, 240, 480, 720, 1200];
const minute = 60_000;
const maxWaiting = 100_000;
/** For the operator to look at. */
const keptDays = 30;
const claimedAtOnce = 100;
/** Each on a connection of its own: what takes time is waiting for the server and for the disk. */
const sentAtOnce = 4;

/** Puts a mail into the queue; false when the same was put there before, or the queue is full. */
export async function queueMail(
	tx: Queries,
	now: Clock,
	{ key, mail }: { key: string; mail: Mail },
): Promise<boolean> {
	const { to, ...content } = mail;
	const rows = await tx.rows(sql`
		INSERT INTO mails (key, recipient, content, next_at, created_at)
		SELECT ${value(key)}, ${value(to)}, ${value(JSON.stringify(content))}::jsonb, ${value(now())}, ${value(now())}
		WHERE (SELECT count(*) FROM (SELECT 1 FROM mails WHERE state = 'waiting' LIMIT ${value(maxWaiting)}) AS w) < ${value(maxWaiting)}
		ON CONFLICT (key) DO NOTHING
		RETURNING id`);
	return rows.length > 0;
}

type Claimed = { id: number; recipient: string; content: Omit<Mail, 'to'>; attempts: number };

/** Sends what is due. Whoever calls it holds the lock of the queue. */
export async function sendMails(services: MailServices): Promise<number> {
	const { postgres, now, smtp, signal } = services;
	const claim = randomUUID();
	await takeOver(services);
	let sent = 0;
	let isAway = false;
	// One mail that finds nobody speaks for all: the others are not tried in vain, thousands of them, until the next run.
	while (!signal.aborted && !isAway) {
		const mails = await postgres.rows<Claimed>(sql`
			UPDATE mails SET state = 'sending', claim = ${value(claim)}, attempts = attempts + 1
			WHERE id IN (
				SELECT id FROM mails WHERE state = 'waiting' AND next_at <= ${value(now())} ORDER BY next_at, id LIMIT ${value(claimedAtOnce)}
			)
			RETURNING id, recipient, content, attempts`);
		if (mails.length === 0) break;
		await sideBySide(mails, sentAtOnce, async (mail) => {
			if (signal.aborted || isAway) return;
			const outcome = await sendOne(services, claim, mail);
			if (outcome.kind === 'sent') sent++;
			if (outcome.kind === 'refused' && outcome.isAway) isAway = true;
		});
		// Those that a stop left over.
		await postgres.run(sql`
			UPDATE mails SET state = 'waiting', claim = NULL, attempts = attempts - 1
			WHERE state = 'sending' AND claim = ${value(claim)}`);
	}
	smtp.close();
	await postgres.run(sql`
		DELETE FROM mails WHERE ended_at < ${value(new Date(now().getTime() - keptDays * 1440 * minute))}`);
	return sent;
}

/** What a run that is gone left behind. */
async function takeOver({ postgres, now, log }: MailServices): Promise<void> {
	await postgres.run(sql`UPDATE mails SET state = 'waiting', claim = NULL WHERE state = 'sending'`);
	const lost = await postgres.rows<{ id: number }>(sql`
		UPDATE mails SET state = 'unknown', content = NULL, ended_at = ${value(now())},
			reason = 'The service ended while the mail server had it.'
		WHERE state = 'handed' RETURNING id`);
	for (const { id } of lost)
		log.warn({ mail: id }, 'nobody can tell whether a mail was taken; it is not sent again');
}

async function sendOne(services: MailServices, claim: string, mail: Claimed): Promise<Outcome> {
	const { postgres, now, log, smtp } = services;
	const isOurs = sql`id = ${value(mail.id)} AND claim = ${value(claim)}`;
	const hand = async () => {
		const rows = await postgres.rows(
			sql`UPDATE mails SET state = 'handed' WHERE ${isOurs} AND state = 'sending' RETURNING id`,
		);
		return rows.length > 0;
	};
	const end = (state: 'sent' | 'unknown' | 'failed', reason: string | null) =>
		postgres.run(sql`
			UPDATE mails SET state = ${value(state)}, content = NULL, ended_at = ${value(now())}, reason = ${value(reason)}
			WHERE ${isOurs}`);
	const outcome = await smtp.send({ to: mail.recipient, ...mail.content }, hand);
	switch (outcome.kind) {
		case 'sent':
			await end('sent', null);
			break;
		case 'unknown':
			log.warn(
				{ mail: mail.id, reason: outcome.reason },
				'nobody can tell whether a mail was taken; it is not sent again',
			);
			await end('unknown', outcome.reason);
			break;
		case 'refused': {
			const minutes = waitMinutes[mail.attempts - 1];
			if (outcome.isForGood || minutes === undefined) {
				log.warn({ mail: mail.id, reason: outcome.reason }, 'a mail could not be sent and is given up');
				await end('failed', outcome.reason);
				break;
			}
			await postgres.run(sql`
				UPDATE mails SET state = 'waiting', claim = NULL, reason = ${value(outcome.reason)},
					next_at = ${value(new Date(now().getTime() + minutes * minute))}
				WHERE ${isOurs}`);
		}
	}
	return outcome;
}
