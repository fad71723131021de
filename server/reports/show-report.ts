/** Shows a report in the terminal: the stored one, or one that is created now and not stored. */
import { primaryOwner } from '../accounts/people.ts';
import { createOpenDays } from '../derive/open-days.ts';
import { AppError } from '../lib/app-error.ts';
import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { answer } from '../stats/answer/answer.ts';
import { createResultCache } from '../stats/answer/result-cache.ts';
import type { ClickHouse } from '../store/clickhouse.ts';
import type { Postgres } from '../store/postgres.ts';
import { sql, value } from '../store/sql.ts';
import { dateOf, toZones, zonesColumn } from '../websites/zones.ts';
import { makeReport } from './make-report.ts';
import { periodAround, periodBefore, type ReportKind } from './periods.ts';
import { reportTerminal } from './render/report-terminal.ts';
import type { Report } from './report.ts';

type ShowServices = { postgres: Postgres; clickhouse: ClickHouse; now: Clock; log: Log };
type ReportRequest = {
	websiteId: number;
	kind: ReportKind;
	/** A day of the period. Default: the last complete period. */
	day?: string | undefined;
	width: number;
	isColored: boolean;
};

export async function showReport(
	services: ShowServices,
	{ websiteId, kind, day, width, isColored }: ReportRequest,
): Promise<{ report: Report; text: string }> {
	const { postgres, now } = services;
	const [website] = await postgres.rows<{
		accountId: number;
		locale: string;
		zones: { from: string; zone: string }[];
	}>(sql`
		SELECT account_id AS "accountId", ${zonesColumn} AS zones,
			${primaryOwner(sql`websites.account_id`, 'locale')} AS locale
		FROM websites WHERE id = ${value(websiteId)}`);
	if (!website) throw new AppError('not_found', `There is no website ${websiteId}.`);
	const { accountId, zones, locale } = website;
	const { date: today } = dateOf(toZones(zones), now().getTime());
	if (day !== undefined && day > today)
		throw new AppError(
			'validation_failed',
			`${day} is in the future. In the time zone of the website, today is ${today}.`,
		);
	const period = day === undefined ? periodBefore(kind, today) : periodAround(kind, day);
	const [stored] = await postgres.rows<{ content: Report }>(sql`
		SELECT content FROM reports WHERE account_id = ${value(accountId)} AND website_id = ${value(websiteId)}
			AND kind = ${value(kind)} AND from_day = ${value(period.from)}::date`);
	const report = stored?.content ?? (await makeNow(services, { id: websiteId, accountId }, period));
	return { report, text: reportTerminal(report, { locale, width, isColored }) };
}

async function makeNow(
	services: ShowServices,
	website: { id: number; accountId: number },
	period: ReturnType<typeof periodAround>,
): Promise<Report> {
	const openDays = createOpenDays(services);
	const results = createResultCache();
	try {
		const ask = (question: Parameters<typeof answer>[0]) =>
			answer(question, { ...services, openDays, results });
		return await makeReport({ ...services, ask }, website, period);
	} finally {
		results.close();
		await openDays.close();
	}
}
