/** What was made, and what an account wants to be made. */
import { AppError } from '../lib/app-error.ts';
import type { Clock } from '../lib/clock.ts';
import type { Queries } from '../store/postgres.ts';
import { sql, value } from '../store/sql.ts';
import type { Report } from './report.ts';

export type Schedule = { schedule: 'none' | 'week' | 'month' | 'both'; digest: boolean };

export async function getSchedule(queries: Queries, accountId: number): Promise<Schedule> {
	const [row] = await queries.rows<Schedule>(sql`
		SELECT report_schedule AS schedule, report_digest AS digest FROM accounts WHERE id = ${value(accountId)}`);
	if (!row) throw new AppError('not_found', 'There is no such account.');
	return row;
}

/** Applies to reports that become due from now on. */
export async function changeSchedule(
	queries: Queries,
	now: Clock,
	accountId: number,
	{ schedule, digest }: { schedule?: Schedule['schedule'] | undefined; digest?: boolean | undefined },
): Promise<void> {
	await queries.run(sql`
		UPDATE accounts SET
			reports_since = CASE WHEN ${value(schedule ?? null)}::text <> report_schedule THEN ${value(now())} ELSE reports_since END,
			report_schedule = coalesce(${value(schedule ?? null)}, report_schedule),
			report_digest = coalesce(${value(digest ?? null)}::boolean, report_digest)
		WHERE id = ${value(accountId)}`);
}

export type StoredReport = { id: number; content: Report };

/** Reports of the current owner, newest first. The caller checks permissions. */
export async function listReports(
	queries: Queries,
	website: { id: number; accountId: number },
	page: { skip: number; count: number },
): Promise<{ reports: StoredReport[]; total: number }> {
	const where = isMadeFor(website);
	const [reports, [counted]] = await Promise.all([
		queries.rows<StoredReport>(sql`
			SELECT id, content FROM reports WHERE ${where} ORDER BY from_day DESC, id DESC
			LIMIT ${value(page.count)} OFFSET ${value(page.skip)}`),
		queries.rows<{ total: number }>(sql`SELECT count(*) AS total FROM reports WHERE ${where}`),
	]);
	return { reports, total: counted?.total ?? 0 };
}

export async function getReport(
	queries: Queries,
	website: { id: number; accountId: number },
	id: number,
): Promise<StoredReport> {
	const [report] = await queries.rows<StoredReport>(
		sql`SELECT id, content FROM reports WHERE ${isMadeFor(website)} AND id = ${value(id)}`,
	);
	if (!report) throw new AppError('not_found', 'There is nothing here.');
	return report;
}

const isMadeFor = ({ id, accountId }: { id: number; accountId: number }) =>
	sql`website_id = ${value(id)} AND account_id = ${value(accountId)}`;
