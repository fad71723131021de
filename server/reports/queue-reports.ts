/** The mails of reports: one for each recipient and report, or one for all reports of an account that are due together. */
import type { Clock } from '../lib/clock.ts';
import { queueMail } from '../mail/queue.ts';
import { type Recipient, recipientsOf } from '../mail/recipients.ts';
import type { Postgres, Queries } from '../store/postgres.ts';
import { sql, value } from '../store/sql.ts';
import { reportMail } from './plain-mail.ts';
import type { Report } from './report.ts';

export type MailingServices = { now: Clock; baseUrl(): string };

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
	for (const recipient of await recipientsOf(tx, accountId, report.website.id))
		await queueFor(tx, services, recipient, key, [report]);
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
			for (const [recipient, wanted] of await recipientsOfAll(tx, accountId, reports)) {
				if (await queueFor(tx, services, recipient, key, wanted)) continue;
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
	accountId: number,
	reports: readonly Report[],
): Promise<(readonly [Recipient, Report[]])[]> {
	const found = new Map<string, readonly [Recipient, Report[]]>();
	for (const report of reports)
		for (const recipient of await recipientsOf(tx, accountId, report.website.id)) {
			const one = found.get(recipient.key) ?? ([recipient, []] as const);
			one[1].push(report);
			found.set(recipient.key, one);
		}
	return [...found.values()];
}

/** False when it was queued before. */
async function queueFor(
	tx: Queries,
	{ now, baseUrl }: MailingServices,
	{ address, locale, unsubscribeUrl, key: of }: Recipient,
	key: string,
	reports: readonly Report[],
): Promise<boolean> {
	const own = of === 'account' ? key : `${key}:${of}`;
	const mail = { to: address, ...reportMail(reports, { locale, baseUrl: baseUrl(), unsubscribeUrl }) };
	if (await queueMail(tx, now, { key: own, mail })) return true;
	const there = await tx.rows(sql`SELECT 1 FROM mails WHERE key = ${value(own)}`);
	// What the transaction has written is taken back: it is made again when there is room.
	if (there.length === 0) throw new Error('The queue of mails is full.');
	return false;
}
