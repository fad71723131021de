import {
	changeReportSettingsBody,
	listReportsQuery,
	type ReportNumber,
	type ReportRecord,
	type ReportSettings,
	type WholeReport,
} from '../../api/reports.ts';
import { demand } from '../accounts/authorize.ts';
import {
	changeSchedule,
	getReport,
	getSchedule,
	listReports,
	type MadeReport,
} from '../reports/made-reports.ts';
import type { Compared } from '../reports/report.ts';
import { getWebsite } from '../websites/websites.ts';
import { json, toId } from './call.ts';
import { givenIn, pageOf } from './list.ts';
import { read, type SessionAnswer, type SessionRoute, type SessionServices } from './session-routes.ts';
import { validate } from './validate.ts';

const toNumber = ({ now, before, yearAgo }: Compared): ReportNumber => ({ now, before, year_ago: yearAgo });

const toRecord = ({ id, content }: MadeReport): ReportRecord => ({
	id,
	kind: content.kind,
	from: content.from,
	to: content.to,
	provisional: content.isProvisional,
	made_at: content.madeAt,
	visitors: toNumber(content.totals.visitors),
});

function toWhole(made: MadeReport): WholeReport {
	const { website, before, totals, series, pages, sources, countries, goals, risen } = made.content;
	return {
		...toRecord(made),
		website: { id: website.id, domain: website.name, timezone: website.timezone },
		before,
		totals: {
			visitors: toNumber(totals.visitors),
			visits: toNumber(totals.visits),
			pageviews: toNumber(totals.pageviews),
			bounce_rate: toNumber(totals.bounce_rate),
			visit_duration: toNumber(totals.visit_duration),
		},
		...{ series, pages, sources, countries, goals, risen },
	};
}

async function settingsOf({ postgres, hasMail }: SessionServices, accountId: number): Promise<SessionAnswer> {
	const record: ReportSettings = { ...(await getSchedule(postgres, accountId)), can_mail: hasMail };
	return json(200, { data: record });
}

/** When an account gets reports, and those that were made. */
export const reportRoutes: readonly SessionRoute[] = [
	{
		method: 'GET',
		path: '/reports/settings',
		needs: 'session',
		handle: async ({ session: { accountId } }, services) => settingsOf(services, accountId),
	},
	{
		method: 'PATCH',
		path: '/reports/settings',
		what: 'changeReportSettings',
		needs: 'session',
		handle: async (call, services) => {
			const { accountId } = call.session;
			demand({ kind: 'account', accountId }, 'people.change');
			const { postgres, now } = services;
			await changeSchedule(postgres, now, accountId, read(changeReportSettingsBody, call));
			return settingsOf(services, accountId);
		},
	},
	{
		method: 'GET',
		path: '/websites/:id/reports',
		needs: 'session',
		handle: async ({ session: { accountId }, params, query }, { postgres, publicAddress }) => {
			const website = await getWebsite(
				postgres,
				{ kind: 'account', accountId },
				'stats.read',
				toId(params.id),
			);
			const given = givenIn(query, listReportsQuery);
			const { page, per_page: perPage } = validate(listReportsQuery, given);
			const { reports, total } = await listReports(postgres, website, {
				skip: (page - 1) * perPage,
				count: perPage,
			});
			return json(200, {
				data: reports.map(toRecord),
				...pageOf({
					address: `${publicAddress.current()}/app/api/websites/${website.id}/reports`,
					...{ given, page, perPage, count: reports.length, total },
				}),
			});
		},
	},
	{
		method: 'GET',
		path: '/websites/:id/reports/:report_id',
		needs: 'session',
		handle: async ({ session: { accountId }, params }, { postgres }) => {
			const website = await getWebsite(
				postgres,
				{ kind: 'account', accountId },
				'stats.read',
				toId(params.id),
			);
			return json(200, { data: toWhole(await getReport(postgres, website, toId(params.report_id))) });
		},
	},
];
