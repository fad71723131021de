/**
 * Creates due reports: at 07:00 in the time zone of the website, once its days are sealed, and three hours later in any case. One
 * statement finds them, with a row per time zone and kind. A report is stored under a unique key, in one transaction with its emails. So
 * it is created and sent once, with any number of processes and after any crash. Only recent failures are kept in memory.
 */

import type { PendingEvents } from '../event-log/event-log.ts';
import { AppError } from '../lib/app-error.ts';
import type { Clock } from '../lib/clock.ts';
import { hourMs, minuteMs } from '../lib/durations.ts';
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
	/** Without it, reports are created but not emailed. */
	hasMail: boolean;
	links: MailLinks;
	quota: MailQuota;
};

/** Days are sealed two hours after they end. Events that are older than that may belong to them. */
const settledBeforeMs = 5 * hourMs;
/** A digest waits this long for missing reports. */
const digestWithinMs = 4 * hourMs;
const batchSize = 500;
const concurrency = 2;
const retryAfterMs = 5 * minuteMs;
/** After this many failures in a row, ClickHouse is probably unavailable, and the run ends. */
const maxFailures = 5;
const retentionMonths = 13;

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
		const nowMs = now().getTime();
		const due = findDue(await readZones(postgres), nowMs);
		const listing = await toListing(services.eventLog, due, nowMs);
		for (const [key, retryMs] of failing) if (retryMs <= nowMs) failing.delete(key);
		let made = 0;
		let failures = 0;
		while (!signal.aborted && due.length > 0) {
			const websites = await listDue(postgres, listing, [...failing.keys()]);
			await forEachConcurrent(websites, concurrency, async (website) => {
				if (signal.aborted || failures >= maxFailures) return;
				try {
					if (await makeAndQueue(services, website)) made++;
					failures = 0;
				} catch (error) {
					failing.set(keyOf(website), nowMs + retryAfterMs);
					// Deleted or transferred meanwhile.
					if (error instanceof AppError && error.code === 'not_found') return;
					failures++;
					log.error({ error, website: website.websiteId }, 'report could not be created; retrying later');
				}
			});
			if (websites.length < batchSize || failures >= maxFailures) break;
		}
		if (!signal.aborted)
			for (const digest of await listDigests(services, listing))
				await queueDigest(postgres, services, digest);
		await deleteOld(postgres, now());
		return made;
	};
}

async function readZones(postgres: Queries): Promise<string[]> {
	const rows = await postgres.rows<{ zone: string }>(sql`SELECT DISTINCT zone FROM website_zones`);
	return rows.map(({ zone }) => zone);
}

/** Due reports as a table expression. */
async function toListing(eventLog: PendingEvents, due: readonly Due[], nowMs: number): Promise<Sql> {
	const oldest = await eventLog.oldest();
	const since = oldest?.appendedAt.getTime() ?? Number.POSITIVE_INFINITY;
	const texts = (pick: (report: Due) => string) => value(due.map(pick));
	return sql`unnest(
		${texts(({ zone }) => zone)}::text[], ${texts(({ period }) => period.kind)}::text[],
		${texts(({ period }) => period.from)}::date[], ${texts(({ period }) => period.to)}::date[],
		${texts(({ day }) => day)}::date[], ${value(due.map(({ atMs }) => new Date(atMs)))}::timestamptz[],
		${value(due.map(({ atMs }) => nowMs >= atMs + sealWithinMs))}::boolean[],
		${value(due.map(({ atMs }) => since >= atMs - settledBeforeMs))}::boolean[]
	) AS due (zone, kind, from_day, to_day, day, due_at, must, is_settled)`;
}

/** Reports that are due and do not exist, including those that wait for a seal. */
const notMade = (listing: Sql): Sql => sql`
	SELECT websites.id, websites.account_id, accounts.report_digest, due.*
	FROM ${listing}
		-- The time zone on the day of the report.
		JOIN website_zones z ON z.zone = due.zone AND z.from_date <= due.day AND NOT EXISTS (
			SELECT 1 FROM website_zones later WHERE later.website_id = z.website_id
				AND later.from_date > z.from_date AND later.from_date <= due.day)
		JOIN websites ON websites.id = z.website_id AND websites.email
		JOIN accounts ON accounts.id = websites.account_id AND accounts.disabled_at IS NULL
			AND accounts.report_schedule IN (due.kind, 'both') AND accounts.reports_since <= due.due_at
	WHERE NOT EXISTS (
			SELECT 1 FROM reports r WHERE r.account_id = websites.account_id AND r.website_id = websites.id
				AND r.kind = due.kind AND r.from_day = due.from_day)
		-- The website had data by then.
		AND EXISTS (SELECT 1 FROM days WHERE days.website_id = websites.id AND days.date <= due.to_day)`;

const listDue = (postgres: Queries, listing: Sql, excluded: readonly string[]): Promise<DueWebsite[]> =>
	postgres.rowsUnprepared<DueWebsite>(sql`
		SELECT id AS "websiteId", account_id AS "accountId", report_digest AS "wantsDigest", zone, kind, from_day::text AS from
		FROM (${notMade(listing)}) AS open
		WHERE (must OR is_settled AND NOT EXISTS (
				SELECT 1 FROM days WHERE days.website_id = open.id AND days.date BETWEEN from_day AND to_day
					AND last_batch > sealed_batch))
			AND id || ' ' || kind || ' ' || from_day <> ALL (${value(excluded)}::text[])
		ORDER BY due_at, id LIMIT ${value(batchSize)}`);

async function makeAndQueue(services: ReportServices, website: DueWebsite): Promise<boolean> {
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

/** Undefined if the report exists already or is no longer wanted. */
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

/** Digests that are complete, or have waited long enough. */
const listDigests = ({ postgres, now }: ReportServices, listing: Sql): Promise<Digest[]> =>
	postgres.rowsUnprepared<Digest>(sql`
		WITH open AS MATERIALIZED (${notMade(listing)})
		SELECT account_id AS "accountId", kind, from_day::text AS from, zone FROM reports
		WHERE awaits_digest
		GROUP BY account_id, kind, from_day, zone
		HAVING min(made_at) < ${value(new Date(now().getTime() - digestWithinMs))} OR NOT EXISTS (
			SELECT 1 FROM open WHERE open.account_id = reports.account_id AND open.kind = reports.kind
				AND open.from_day = reports.from_day AND open.zone = reports.zone)`);

const deleteOld = (postgres: Queries, now: Date): Promise<number> =>
	postgres.run(sql`
		DELETE FROM reports WHERE made_at < ${value(now)}::timestamptz - make_interval(months => ${value(retentionMonths)})`);
