/** Queues the emails of reports: one per recipient and report, or a digest of the reports of an account that are due together. */
import { setImmediate } from 'node:timers/promises';
import { type Brand, findBrand } from '../branding/branding.ts';
import type { Clock } from '../lib/clock.ts';
import { type MailQuota, tryToQueue } from '../notify/mail/queue.ts';
import { type Recipient, recipientsOf } from '../notify/mail/recipients.ts';
import type { MailLinks } from '../notify/mail/unsubscribe.ts';
import type { Postgres, Queries } from '../store/postgres.ts';
import { sql, value } from '../store/sql.ts';
import { type Message, reportMail } from './render/report-mail.ts';
import type { Report } from './report.ts';

export type MailingServices = { now: Clock; links: MailLinks; quota: MailQuota };

/** Reports that are sent together. */
export type Digest = { accountId: number; kind: Report['kind']; from: string; zone: string };

/** Reports in one email. Limits the memory that an account with many websites uses. */
const maxInDigest = 300;

/**
 * The emails of one or more reports of an account. Call `render` before the transaction that calls `queue`: then `queue` renders only
 * for recipients that changed meanwhile.
 */
export function createMailing(
	{ now, links, quota }: MailingServices,
	accountId: number,
	reports: readonly Report[],
) {
	const rendered = new Map<string, Message>();
	let brand: Brand | undefined;

	function render({ locale, unsubscribeUrl }: Recipient, selected: readonly Report[]): Message {
		const id = JSON.stringify([locale, unsubscribeUrl, selected.map(({ website }) => website.id)]);
		const message =
			rendered.get(id) ?? reportMail(selected, { locale, baseUrl: links.baseUrl(), unsubscribeUrl, brand });
		rendered.set(id, message);
		return message;
	}

	async function listMails(queries: Queries) {
		brand ??= await findBrand(queries, accountId);
		const found = new Map<string, { recipient: Recipient; selected: Report[] }>();
		for (const report of reports)
			for (const recipient of await recipientsOf(queries, accountId, report.website.id, links)) {
				const entry = found.get(recipient.key) ?? { recipient, selected: [] };
				entry.selected.push(report);
				found.set(recipient.key, entry);
			}
		return [...found.values()];
	}

	const tryTo = (tx: Queries, recipient: Recipient, selected: readonly Report[]) =>
		tryToQueue(tx, now, {
			key: keyOf(accountId, recipient, selected),
			mail: { to: recipient.address, ...render(recipient, selected) },
			by: { accountId, quota },
		});

	return {
		async render(queries: Queries) {
			for (const { recipient, selected } of await listMails(queries)) {
				render(recipient, selected);
				// A digest of hundreds of reports takes a while: let the process answer requests in between.
				await setImmediate();
			}
		},
		async queue(tx: Queries) {
			for (const { recipient, selected } of await listMails(tx)) {
				const results = [await tryTo(tx, recipient, selected)];
				// The first website was reset after its report was sent in another digest.
				if (results[0] === 'duplicate' && selected.length > 1)
					for (const report of selected) results.push(await tryTo(tx, recipient, [report]));
				// Rolls the transaction back. The next run tries again.
				if (results.includes('full')) throw new Error('The outbox is full.');
			}
		},
	};
}

/** A report belongs to at most one digest, unless its website was reset, so the first website identifies the digest. */
function keyOf(accountId: number, { key }: Recipient, [first, ...others]: readonly Report[]): string {
	const type = others.length === 0 ? 'report' : 'digest';
	const suffix = key === 'own' ? '' : `:${key}`;
	return `${type}:${accountId}:${first?.website.id}:${first?.kind}:${first?.from}${suffix}`;
}

/** Late reports, which missed their digest, become another one. */
export async function queueDigest(
	postgres: Postgres,
	services: MailingServices,
	{ accountId, kind, from, zone }: Digest,
): Promise<void> {
	const isOfDigest = sql`awaits_digest AND reports.account_id = ${value(accountId)} AND reports.kind = ${value(kind)}
		AND from_day = ${value(from)}::date AND zone = ${value(zone)}`;
	// Reports that were turned off while the digest waited are not sent.
	await postgres.run(sql`
		UPDATE reports SET awaits_digest = false FROM websites, accounts
		WHERE ${isOfDigest} AND websites.id = reports.website_id AND accounts.id = reports.account_id
			AND NOT (websites.email AND accounts.report_schedule IN (${value(kind)}, 'both'))`);
	for (;;) {
		const rows = await postgres.rows<{ id: number; content: Report }>(sql`
			SELECT id, content FROM reports WHERE ${isOfDigest}
			ORDER BY website_id LIMIT ${value(maxInDigest)}`);
		if (rows.length === 0) return;
		const mailing = createMailing(
			services,
			accountId,
			rows.map(({ content }) => content),
		);
		await mailing.render(postgres);
		const isQueued = await postgres.transaction(async (tx) => {
			const ids = sql`id = ANY(${value(rows.map(({ id }) => id))}::bigint[])`;
			const locked = await tx.rows(
				sql`SELECT 1 FROM reports WHERE ${ids} AND awaits_digest ORDER BY id FOR UPDATE`,
			);
			// Another process sent some of them, or a website was deleted. The next run sends the others.
			if (locked.length < rows.length) return false;
			await tx.run(sql`UPDATE reports SET awaits_digest = false WHERE ${ids}`);
			await mailing.queue(tx);
			return true;
		});
		if (!isQueued) return;
	}
}
