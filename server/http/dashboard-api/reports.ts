import {
	changeReportSettingsBody,
	listReportsQuery,
	type ReportNumber,
	type ReportRecord,
	type ReportSettings,
	type WholeReport,
} from '../../../api/reports.ts';
import { requirePermission } from '../../accounts/authorize.ts';
import type { Compared } from '../../reports/report.ts';
import {
	changeSchedule,
	getReport,
	getSchedule,
	listReports,
	type StoredReport,
} from '../../reports/report-store.ts';
import { getWebsite } from '../../websites/get-website.ts';
import { paginate } from '../api/pagination.ts';
import { json, readId } from '../api/route.ts';
import { parseBody, type SessionResponse, type SessionRoute, type SessionServices } from './session-route.ts';

const toNumber = ({ now, before, yearAgo }: Compared): ReportNumber => ({ now, before, year_ago: yearAgo });

const toRecord = ({ id, content }: StoredReport): ReportRecord => ({
	id,
	kind: content.kind,
	from: content.from,
	to: content.to,
	provisional: content.isProvisional,
	made_at: content.madeAt,
	visitors: toNumber(content.totals.visitors),
});

function toWholeReport(report: StoredReport): WholeReport {
	const { website, before, totals, series, pages, sources, countries, goals, revenue, risen, fallen } =
		report.content;
	return {
		...toRecord(report),
		website: { id: website.id, domain: website.name, timezone: website.timezone },
		before,
		totals: {
			visitors: toNumber(totals.visitors),
			visits: toNumber(totals.visits),
			pageviews: toNumber(totals.pageviews),
			bounce_rate: toNumber(totals.bounce_rate),
			visit_duration: toNumber(totals.visit_duration),
		},
		series,
		pages,
		sources,
		countries,
		revenue: revenue?.now ?? null,
		goals: goals.map(({ name, conversions, rate, before }) => ({ name, conversions, rate, before })),
		changed: [...risen, ...(fallen ?? [])],
	};
}

async function settingsOf(
	{ postgres, hasMail }: SessionServices,
	accountId: number,
): Promise<SessionResponse> {
	const record: ReportSettings = { ...(await getSchedule(postgres, accountId)), can_mail: hasMail };
	return json(200, { data: record });
}

/** The report schedule of an account, and the reports of a website. */
export const reportRoutes: readonly SessionRoute[] = [
	{
		methods: ['GET'],
		path: '/reports/settings',
		handle: async ({ session: { accountId } }, services) => settingsOf(services, accountId),
	},
	{
		methods: ['PATCH'],
		path: '/reports/settings',
		operation: 'changeReportSettings',
		handle: async (call, services) => {
			const { accountId } = call.principal;
			requirePermission(call.principal, 'people.change');
			const { postgres, now } = services;
			await changeSchedule(postgres, now, accountId, parseBody(changeReportSettingsBody, call));
			return settingsOf(services, accountId);
		},
	},
	{
		methods: ['GET'],
		path: '/websites/:id/reports',
		handle: async (call, { postgres }) => {
			const website = await getWebsite(postgres, call.principal, 'stats.read', readId(call));
			return paginate(
				call,
				`/websites/${website.id}/reports`,
				listReportsQuery,
				async ({ page, per_page: perPage }) => {
					const range = { skip: (page - 1) * perPage, count: perPage };
					const { reports, total } = await listReports(postgres, website, range);
					return { records: reports.map(toRecord), total };
				},
			);
		},
	},
	{
		methods: ['GET'],
		path: '/websites/:id/reports/:report_id',
		handle: async (call, { postgres }) => {
			const website = await getWebsite(postgres, call.principal, 'stats.read', readId(call));
			const report = await getReport(postgres, website, readId(call, 'report_id'));
			return json(200, { data: toWholeReport(report) });
		},
	},
];
