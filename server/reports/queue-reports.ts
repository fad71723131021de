/** The mails of reports: one for each recipient and report, or one for all reports of an account that are due together. */
import type { Clock } from '../lib/clock.ts';
import { type MailQuota, tryToQueue } from '../notify/mail/queue.ts';
import { type Recipient, recipientsOf } from '../notify/mail/recipients.ts';
import type { MailLinks } from '../notify/mail/unsubscribe.ts';
import type { Postgres, Queries } from '../store/postgres.ts';
import { sql, value } from '../store/sql.ts';
import { reportMail } from './render/report-mail.ts';
import type { Report } from './report.ts';

export type MailingServices = { now: Clock; links: MailLinks; quota: MailQuota };

/** What is mailed together. */
export type Digest = { accountId: number; kind: Report['kind']; from: string; zone: string };

/** In one mail. Memory holds as many at a time, whatever an account has. */
const maxInDigest = 300;

/** In the transaction that wrote the report down. */
export async function queueReport(
	tx: Queries,
	services: MailingServices,
	accountId: number,
	report: Report,
): Promise<void> {
	const key = `report:${accountId}:${report.website.id}:${report.kind}:${report.from}`;
	for (const recipient of await recipientsOf(tx, accountId, report.website.id, services.links))
		await queueFor(tx, services, { recipient, accountId, key }, [report]);
}

/** What waits for it becomes one mail; what came too late for that, one mail each. */
export async function queueDigest(
	postgres: Postgres,
	services: MailingServices,
	{ accountId, kind, from, zone }: Digest,
): Promise<void> {
	const isOfIt = sql`awaits_digest AND account_id = ${value(accountId)} AND kind = ${value(kind)}
		AND from_day = ${value(from)}::date AND zone = ${value(zone)}`;
	await postgres.transaction(async (tx) => {
		for (let part = 1; ; part++) {
			const rows = await tx.rows<{ id: number; content: Report }>(sql`
				SELECT id, content FROM reports WHERE ${isOfIt} ORDER BY id LIMIT ${value(maxInDigest)} FOR UPDATE`);
			if (rows.length === 0) return;
			const key = `digest:${accountId}:${kind}:${from}:${zone}${part > 1 ? `:${part}` : ''}`;
			const reports = rows.map(({ content }) => content);
			for (const [recipient, wanted] of await recipientsOfAll(tx, services, accountId, reports)) {
				if (await queueFor(tx, services, { recipient, accountId, key }, wanted)) continue;
				for (const report of wanted) await queueReport(tx, services, accountId, report);
			}
			await tx.run(sql`
				UPDATE reports SET awaits_digest = false WHERE id = ANY(${value(rows.map(({ id }) => id))}::bigint[])`);
		}
	});
}

/** Who gets which of them. */
async function recipientsOfAll(
	tx: Queries,
	{ links }: MailingServices,
	accountId: number,
	reports: readonly Report[],
): Promise<(readonly [Recipient, Report[]])[]> {
	const found = new Map<string, readonly [Recipient, Report[]]>();
	for (const report of reports)
		for (const recipient of await recipientsOf(tx, accountId, report.website.id, links)) {
			const one = found.get(recipient.key) ?? ([recipient, []] as const);
			one[1].push(report);
			found.set(recipient.key, one);
		}
	return [...found.values()];
}

/** False when it was queued before. */
async function queueFor(
	tx: Queries,
	{ now, links, quota }: MailingServices,
	{ recipient, accountId, key }: { recipient: Recipient; accountId: number; key: string },
	reports: readonly Report[],
): Promise<boolean> {
	const { address: to, locale, unsubscribeUrl } = recipient;
	const mail = { to, ...reportMail(reports, { locale, baseUrl: links.baseUrl(), unsubscribeUrl }) };
	const queued = await tryToQueue(tx, now, {
		key: recipient.key === 'own' ? key : `${key}:${recipient.key}`,
		mail,
		by: { accountId, quota },
	});
	// What the transaction has written is taken back: the report is made again when there is room.
	if (queued === 'full') throw new Error('The queue of mails is full.');
	return queued !== 'duplicate';
}
