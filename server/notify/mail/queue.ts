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
import type { Clock } from '../../lib/clock.ts';
import { forEachConcurrent } from '../../lib/for-each-concurrent.ts';
import type { Log } from '../../lib/log.ts';
import type { Postgres, Queries } from '../../store/postgres.ts';
import { sql, value } from '../../store/sql.ts';
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

/** How many mails a day go out in the name of one account, and in all. */
export type MailQuota = { perAccount: number; inAll: number; log: Log };

/** In whose name a mail goes. Mail that the service sends of its own accord, such as a link for a forgotten password, has none. */
export type MailAuthor = { accountId: number; quota: MailQuota };

type ToQueue = { key: string; mail: Mail; by?: MailAuthor | undefined };

/** Puts a mail into the queue; false when the same was put there before, the queue is full, or it is one too many for today. */
export const queueMail = async (tx: Queries, now: Clock, mail: ToQueue): Promise<boolean> =>
	(await tryToQueue(tx, now, mail)) === 'queued';

/**
 * The same, and why not. What is counted is held until the commit, so that two at once are counted one by one: queue last in a
 * transaction.
 */
export async function tryToQueue(
	tx: Queries,
	now: Clock,
	{ key, mail, by }: ToQueue,
): Promise<'queued' | 'there' | 'full' | 'too many'> {
	const { to, ...content } = mail;
	const rows = await tx.rows<{ id: number }>(sql`
		INSERT INTO mails (key, recipient, content, next_at, created_at)
		SELECT ${value(key)}, ${value(to)}, ${value(JSON.stringify(content))}::jsonb, ${value(now())}, ${value(now())}
		WHERE (SELECT count(*) FROM (SELECT 1 FROM mails WHERE state = 'waiting' LIMIT ${value(maxWaiting)}) AS w) < ${value(maxWaiting)}
		ON CONFLICT (key) DO NOTHING
		RETURNING id`);
	const [queued] = rows;
	if (!queued) {
		const there = await tx.rows(sql`SELECT 1 FROM mails WHERE key = ${value(key)}`);
		return there.length > 0 ? 'there' : 'full';
	}
	if (!by || (await countMail(tx, now, by))) return 'queued';
	await tx.run(sql`DELETE FROM mails WHERE id = ${value(queued.id)}`);
	return 'too many';
}

/** Counts a mail for its account and for the service, or says that one of them has had all of today's. */
async function countMail(tx: Queries, now: Clock, { accountId, quota }: MailAuthor): Promise<boolean> {
	const day = now().toISOString().slice(0, 10);
	const take = (holder: number, most: number) =>
		tx.run(sql`
			INSERT INTO mail_counts AS c (day, account_id, mails)
			SELECT ${value(day)}::date, ${value(holder)}, 1 WHERE ${value(most)}::integer > 0
			ON CONFLICT (day, account_id) DO UPDATE SET mails = c.mails + 1 WHERE c.mails < ${value(most)}::integer`);
	// Everybody in the same order, so that nobody waits for somebody who waits for them.
	if ((await take(accountId, quota.perAccount)) === 0) return refuse(accountId);
	if ((await take(everybody, quota.inAll)) > 0) return true;
	await tx.run(sql`
		UPDATE mail_counts SET mails = mails - 1 WHERE day = ${value(day)}::date AND account_id = ${value(accountId)}`);
	await refuse(accountId);
	return refuse(everybody);

	async function refuse(holder: number): Promise<false> {
		const [row] = await tx.rows<{ refused: number }>(sql`
			INSERT INTO mail_counts AS c (day, account_id, refused) VALUES (${value(day)}::date, ${value(holder)}, 1)
			ON CONFLICT (day, account_id) DO UPDATE SET refused = c.refused + 1
			RETURNING refused`);
		// Once a day: a thousand too many are one piece of news.
		if (row?.refused === 1)
			quota.log.warn(
				holder === everybody ? {} : { accountId: holder },
				holder === everybody
					? 'TIDEMARK_MAILS_A_DAY is reached: no more mails are queued today'
					: 'TIDEMARK_MAILS_PER_ACCOUNT_A_DAY is reached: no more mails of this account are queued today',
			);
		return false;
	}
}

/** Those of all accounts together. */
const everybody = 0;

/** What went out today in the name of an account, and how many were one too many, for it or for the service. */
export async function mailsToday(
	queries: Queries,
	now: Clock,
	accountId: number,
): Promise<{ mails: number; refused: number }> {
	const [row] = await queries.rows<{ mails: number; refused: number }>(sql`
		SELECT mails, refused FROM mail_counts
		WHERE day = ${value(now().toISOString().slice(0, 10))}::date AND account_id = ${value(accountId)}`);
	return row ?? { mails: 0, refused: 0 };
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
		await forEachConcurrent(mails, sentAtOnce, async (mail) => {
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
	const kept = new Date(now().getTime() - keptDays * 1440 * minute);
	await postgres.run(sql`DELETE FROM mails WHERE ended_at < ${value(kept)}`);
	await postgres.run(
		sql`DELETE FROM mail_counts WHERE day < ${value(kept.toISOString().slice(0, 10))}::date`,
	);
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
