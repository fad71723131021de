/**
 * Reports are made when they are due: at 07:00 on the clock of their website, once its days are sealed, and three hours later
 * in any case. Which are due is asked of PostgreSQL with a row for each zone and kind, not for each website; what was made is
 * a row with a key of its own, and is written in one transaction with its mails. So however many processes try, and wherever
 * one of them is killed, a report is made and mailed once. Nothing is remembered here but what failed a moment ago.
 *
 * They are made a few at a time, and only as much is held in memory.
 */

import type { PendingEvents } from '../event-log/event-log.ts';
import { AppError } from '../lib/app-error.ts';
import type { Clock } from '../lib/clock.ts';
import { forEachConcurrent } from '../lib/for-each-concurrent.ts';
import type { Log } from '../lib/log.ts';
import type { MailQuota } from '../notify/mail/queue.ts';
import type { MailLinks } from '../notify/mail/unsubscribe.ts';
import type { Stats } from '../stats/answer/ask.ts';
import type { Postgres, Queries } from '../store/postgres.ts';
import { type Sql, sql, value } from '../store/sql.ts';
import { makeReport } from './make-report.ts';
import { type Due, findDue, periodAround, type ReportKind, sealWithinMs } from './periods.ts';
import { createMailing, type Digest, queueDigest } from './queue-reports.ts';
import type { Report } from './report.ts';

export type ReportServices = {
	postgres: Postgres;
	eventLog: PendingEvents;
	stats: Stats;
	now: Clock;
	log: Log;
	signal: AbortSignal;
	/** Without it they are made, and can be read, and nothing is mailed. */
	hasMail: boolean;
	links: MailLinks;
	quota: MailQuota;
};

const hourMs = 3_600_000;
/** Days are sealed two hours after they are over: what was collected by then may be about them. */
const sealHoursBeforeMs = 5 * hourMs;
/** A digest waits so long for the last of its reports. */
const digestWithinMs = 4 * hourMs;
const listed = 500;
const atOnce = 2;
const againAfterMs = 5 * 60_000;
/** After so many failures in a row the engine is to blame, not a website. */
const maxFailures = 5;
const keptMonths = 13;

type DueWebsite = {
	websiteId: number;
	accountId: number;
	wantsDigest: boolean;
	zone: string;
	kind: ReportKind;
	from: string;
};
const keyOf = ({ websiteId, kind, from }: DueWebsite): string => `${websiteId} ${kind} ${from}`;

export function createReportJob() {
	const failing = new Map<string, number>();

	return async (services: ReportServices): Promise<number> => {
		const { postgres, now, log, signal } = services;
		const at = now().getTime();
		const due = findDue(await readZones(postgres), at);
		const listing = await toListing(services.eventLog, due, at);
		for (const [key, againMs] of failing) if (againMs <= at) failing.delete(key);
		let made = 0;
		let failures = 0;
		while (!signal.aborted && due.length > 0) {
			const websites = await listDue(postgres, listing, [...failing.keys()]);
			await forEachConcurrent(websites, atOnce, async (website) => {
				if (signal.aborted || failures >= maxFailures) return;
				try {
					if (await makeOne(services, website)) made++;
					failures = 0;
				} catch (error) {
					failing.set(keyOf(website), at + againAfterMs);
					// Deleted or given away since we looked.
					if (error instanceof AppError && error.code === 'not_found') return;
					failures++;
					log.error(
						{ error, website: website.websiteId },
						'a report could not be made and will be tried again',
					);
				}
			});
			if (websites.length < listed || failures >= maxFailures) break;
		}
		if (!signal.aborted)
			for (const digest of await listDigests(services, listing))
				await queueDigest(postgres, services, digest);
		await forget(postgres, now());
		return made;
	};
}

async function readZones(postgres: Queries): Promise<string[]> {
	const rows = await postgres.rows<{ zone: string }>(sql`SELECT DISTINCT zone FROM website_zones`);
	return rows.map(({ zone }) => zone);
}

/** What is due, as rows of a statement. */
async function toListing(eventLog: PendingEvents, due: readonly Due[], now: number): Promise<Sql> {
	// What was collected and is in no day yet.
	const oldest = await eventLog.oldest();
	const since = oldest?.appendedAt.getTime() ?? Number.POSITIVE_INFINITY;
	const texts = (of: (one: Due) => string) => value(due.map(of));
	return sql`unnest(
		${texts(({ zone }) => zone)}::text[], ${texts(({ period }) => period.kind)}::text[],
		${texts(({ period }) => period.from)}::date[], ${texts(({ period }) => period.to)}::date[],
		${texts(({ day }) => day)}::date[], ${value(due.map(({ atMs }) => new Date(atMs)))}::timestamptz[],
		${value(due.map(({ atMs }) => now >= atMs + sealWithinMs))}::boolean[],
		${value(due.map(({ atMs }) => since >= atMs - sealHoursBeforeMs))}::boolean[]
	) AS due (zone, kind, from_day, to_day, day, due_at, must, is_settled)`;
}

/** A row for each report that is due and not made, also one that waits for a seal. */
const notMade = (listing: Sql): Sql => sql`
	SELECT websites.id, websites.account_id, accounts.report_digest, due.*
	FROM ${listing}
		-- The zone that holds on the day itself.
		JOIN website_zones z ON z.zone = due.zone AND z.from_date <= due.day AND NOT EXISTS (
			SELECT 1 FROM website_zones later WHERE later.website_id = z.website_id
				AND later.from_date > z.from_date AND later.from_date <= due.day)
		JOIN websites ON websites.id = z.website_id AND websites.email
		JOIN accounts ON accounts.id = websites.account_id AND accounts.disabled_at IS NULL
			AND accounts.report_schedule IN (due.kind, 'both') AND accounts.reports_since <= due.due_at
	WHERE NOT EXISTS (
			SELECT 1 FROM reports r WHERE r.account_id = websites.account_id AND r.website_id = websites.id
				AND r.kind = due.kind AND r.from_day = due.from_day)
		-- Of what was never measured there is nothing to tell.
		AND EXISTS (SELECT 1 FROM days WHERE days.website_id = websites.id AND days.date <= due.to_day)`;

const listDue = (postgres: Queries, listing: Sql, except: readonly string[]): Promise<DueWebsite[]> =>
	postgres.rowsUnprepared<DueWebsite>(sql`
		SELECT id AS "websiteId", account_id AS "accountId", report_digest AS "wantsDigest", zone, kind, from_day::text AS from
		FROM (${notMade(listing)}) AS open
		WHERE (must OR is_settled AND NOT EXISTS (
				SELECT 1 FROM days WHERE days.website_id = open.id AND days.date BETWEEN from_day AND to_day
					AND last_batch > sealed_batch))
			AND id || ' ' || kind || ' ' || from_day <> ALL (${value(except)}::text[])
		ORDER BY due_at, id LIMIT ${value(listed)}`);

async function makeOne(services: ReportServices, website: DueWebsite): Promise<boolean> {
	const { postgres, stats, now, signal } = services;
	const { accountId, websiteId, wantsDigest, kind, from } = website;
	const report = await makeReport(
		{
			postgres,
			now,
			ask: (question) =>
				stats.ask(question, { principal: { kind: 'account', accountId }, signal, isBackground: true }),
		},
		{ id: websiteId, accountId },
		periodAround(kind, from),
	);
	const mailing = createMailing(services, accountId, [report]);
	if (services.hasMail && !wantsDigest) await mailing.render(postgres);
	return postgres.transaction(async (tx) => {
		const written = await writeReport(tx, services, website, report);
		if (written && !written.awaitsDigest && services.hasMail) await mailing.queue(tx);
		return written !== undefined;
	});
}

/** Undefined when it was there already, or is wanted no more. */
async function writeReport(
	tx: Queries,
	{ hasMail }: ReportServices,
	{ websiteId, accountId, zone, kind }: DueWebsite,
	report: Report,
): Promise<{ awaitsDigest: boolean } | undefined> {
	const [row] = await tx.rows<{ awaitsDigest: boolean }>(sql`
		INSERT INTO reports (account_id, website_id, kind, from_day, to_day, zone, is_provisional, content, awaits_digest, made_at)
		SELECT accounts.id, websites.id, ${value(kind)}, ${value(report.from)}::date, ${value(report.to)}::date, ${value(zone)},
			${value(report.isProvisional)}, ${value(JSON.stringify(report))}::jsonb,
			accounts.report_digest AND ${value(hasMail)}, ${value(report.madeAt)}
		FROM websites JOIN accounts ON accounts.id = websites.account_id
		WHERE websites.id = ${value(websiteId)} AND accounts.id = ${value(accountId)} AND websites.email
			AND accounts.disabled_at IS NULL AND accounts.report_schedule IN (${value(kind)}, 'both')
		ON CONFLICT (account_id, website_id, kind, from_day) DO NOTHING
		RETURNING awaits_digest AS "awaitsDigest"`);
	return row;
}

/** Those of which nothing is missing any more, or that have waited long enough for it. */
const listDigests = ({ postgres, now }: ReportServices, listing: Sql): Promise<Digest[]> =>
	postgres.rowsUnprepared<Digest>(sql`
		WITH open AS MATERIALIZED (${notMade(listing)})
		SELECT account_id AS "accountId", kind, from_day::text AS from, zone FROM reports
		WHERE awaits_digest
		GROUP BY account_id, kind, from_day, zone
		HAVING min(made_at) < ${value(new Date(now().getTime() - digestWithinMs))} OR NOT EXISTS (
			SELECT 1 FROM open WHERE open.account_id = reports.account_id AND open.kind = reports.kind
				AND open.from_day = reports.from_day AND open.zone = reports.zone)`);

const forget = (postgres: Queries, now: Date): Promise<number> =>
	postgres.run(sql`
		DELETE FROM reports WHERE made_at < ${value(now)}::timestamptz - make_interval(months => ${value(keptMonths)})`);
