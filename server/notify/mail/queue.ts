/** Queues emails in the outbox, within the daily quotas, and sends them. */
import { findLogo, logoTypes } from '../../branding/branding.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import type { Queries } from '../../store/postgres.ts';
import { sql, value } from '../../store/sql.ts';
import { enqueue, keptMs, type OutboxServices, sendDue } from '../outbox.ts';
import type { Mail, Smtp } from './smtp.ts';

/** Emails per day, for each account and for all accounts together. */
export type MailQuota = { perAccount: number; inAll: number; log: Log };

/** The account that counts for the quota. Emails that Tidemark sends by itself, such as password resets, have none. */
export type MailAuthor = { accountId: number; quota: MailQuota };

/** `logo`: the digest of the image that `cid:logo` shows. It is read when the email is sent. */
type QueuedContent = Omit<Mail, 'images'> & { logo?: string | undefined };

type ToQueue = { key: string; mail: QueuedContent; by?: MailAuthor | undefined };

/** Whether the email was queued: see `tryToQueue`. */
export const queueMail = async (tx: Queries, now: Clock, mail: ToQueue): Promise<boolean> =>
	(await tryToQueue(tx, now, mail)) === 'queued';

/** The counts of the quota stay locked until the commit, so call this last in a transaction. */
export async function tryToQueue(
	tx: Queries,
	now: Clock,
	{ key, mail: { to, ...content }, by }: ToQueue,
): Promise<'queued' | 'duplicate' | 'full' | 'over quota'> {
	const result = await enqueue(tx, now, { kind: 'mail', key, recipient: to, content });
	if (result !== 'queued' || !by || (await countMail(tx, now, by))) return result;
	await tx.run(sql`DELETE FROM outbox WHERE kind = 'mail' AND key = ${value(key)}`);
	return 'over quota';
}

/** Counts an email for its account and for all accounts. False if one of the quotas is used up. */
async function countMail(tx: Queries, now: Clock, { accountId, quota }: MailAuthor): Promise<boolean> {
	const day = now().toISOString().slice(0, 10);
	const take = (holder: number, limit: number) =>
		tx.run(sql`
			INSERT INTO mail_counts AS c (day, account_id, mails)
			SELECT ${value(day)}::date, ${value(holder)}, 1 WHERE ${value(limit)}::integer > 0
			ON CONFLICT (day, account_id) DO UPDATE SET mails = c.mails + 1 WHERE c.mails < ${value(limit)}::integer`);
	// Always in this order, to avoid deadlocks.
	if ((await take(accountId, quota.perAccount)) === 0) return refuse(accountId);
	if ((await take(allAccounts, quota.inAll)) > 0) return true;
	await tx.run(sql`
		UPDATE mail_counts SET mails = mails - 1 WHERE day = ${value(day)}::date AND account_id = ${value(accountId)}`);
	await refuse(accountId);
	return refuse(allAccounts);

	async function refuse(holder: number): Promise<false> {
		const [row] = await tx.rows<{ refused: number }>(sql`
			INSERT INTO mail_counts AS c (day, account_id, refused) VALUES (${value(day)}::date, ${value(holder)}, 1)
			ON CONFLICT (day, account_id) DO UPDATE SET refused = c.refused + 1
			RETURNING refused`);
		// Log it once a day.
		if (row?.refused === 1)
			quota.log.warn(
				holder === allAccounts ? {} : { accountId: holder },
				holder === allAccounts
					? 'TIDEMARK_MAILS_A_DAY is reached: no more emails are queued today'
					: 'TIDEMARK_MAILS_PER_ACCOUNT_A_DAY is reached: no more emails of this account are queued today',
			);
		return false;
	}
}

/** The `account_id` in `mail_counts` that stands for all accounts. */
const allAccounts = 0;

/** Emails of an account that were queued or refused today. */
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

type QueuedMail = { id: number; attempts: number; recipient: string; content: Omit<QueuedContent, 'to'> };

/** The caller holds the lock of the job, so messages of a run that died are taken over at once. */
export async function sendMails({ smtp, ...services }: OutboxServices & { smtp: Smtp }): Promise<number> {
	const sent = await sendDue<QueuedMail>(services, {
		kind: 'mail',
		// Two days in total.
		retryMinutes: [1, 3, 10, 30, 60, 120, 240, 480, 720, 1200],
		leaseMs: 0,
		batchSize: 100,
		// Each on its own connection.
		concurrency: 4,
		send: async ({ recipient, content: { logo, ...content } }, markHanded) => {
			const image = logo === undefined ? undefined : await findLogo(services.postgres, logo);
			const images = image && [{ cid: 'logo', type: logoTypes[image.type], content: image.content }];
			return smtp.send({ to: recipient, ...content, images }, markHanded);
		},
	});
	smtp.close();
	const oldest = new Date(services.now().getTime() - keptMs).toISOString().slice(0, 10);
	await services.postgres.run(sql`DELETE FROM mail_counts WHERE day < ${value(oldest)}::date`);
	return sent;
}
