import { overviewAnswer, overviewQuery } from '../../../../api/overview.ts';
import { accountOf } from '../../../accounts/authorize.ts';
import { gatherFaults } from '../../../lib/app-error.ts';
import {
	addUp,
	changeOf,
	type OverviewRow,
	resolveInUtc,
	sortRows,
	valuesOf,
} from '../../../stats/overview/overview.ts';
import { findSharedWebsites } from '../../../websites/list-websites.ts';
import { readParameters } from '../../request/read-parameters.ts';
import { paginationOf, sentParameters } from '../pagination.ts';
import { type AccountRoute, json } from '../route.ts';

function toRecord({ website, now, span, sparkline, ...line }: OverviewRow) {
	const { id, domain, favorite, labels, timezone, privacy, lastDate } = website;
	return {
		id,
		domain,
		favorite: favorite ? 1 : 0,
		labels,
		timezone,
		privacy,
		last_date: lastDate,
		now,
		from: span.from,
		to: span.to,
		...valuesOf(line.count),
		change: changeOf(line),
		sparkline: sparkline(),
	};
}

const overview: AccountRoute['handle'] = async (call, { postgres, overviews, stats, now }) => {
	const began = performance.now();
	const { principal } = call;
	const faults = gatherFaults();
	const query = readParameters(call.query, overviewQuery, faults);
	const time = { period: query.period, from: query.from, to: query.to, weekStart: query.week_start };
	faults.last(() => resolveInUtc(time, now()));
	const { page, per_page: perPage } = query;
	const filter = {
		accountId: accountOf(principal),
		websiteIds: principal.kind === 'key' ? principal.websiteIds : null,
		shared: await findSharedWebsites(postgres, principal),
		search: query.search,
		favorite: query.favorite === undefined ? undefined : query.favorite === 1,
		labels: query.label,
		only: query.websites,
	};
	const { rows, sum, labels, interval, asOf } = await stats.runBounded(
		{ principal, websiteId: 0, signal: call.signal },
		({ clickhouse }, ending) => overviews.read(filter, time, clickhouse, ending),
	);
	const sorted = sortRows(rows, {
		by: query.sort_by,
		descending: query.sort === 'desc',
		favoritesFirst: query.favorites_first === 1,
	});
	const records = sorted.slice((page - 1) * perPage, page * perPage).map(toRecord);
	const { links, meta } = paginationOf({
		url: `${call.mountedAt}/stats`,
		sent: sentParameters(call.query, overviewQuery),
		page,
		perPage,
		count: records.length,
		total: rows.length,
	});
	return json(200, {
		data: records,
		links,
		meta: {
			...meta,
			totals: {
				...valuesOf(sum.count),
				change: changeOf(sum),
				now: rows.reduce((all, { now }) => all + now, 0),
				sparkline: addUp(rows.map(({ sparkline }) => sparkline())),
			},
			labels,
			interval,
			as_of: asOf.toISOString(),
			ms: Math.round(performance.now() - began),
		},
	});
};

export const overviewRoutes: readonly AccountRoute[] = [
	{
		methods: ['GET'],
		path: '/stats',
		tag: 'statistics',
		action: 'websites.list',
		operationId: 'getOverview',
		summary: 'Compare all websites',
		description:
			'Returns the metrics of each website of the account, with the change from the previous period and a sparkline of visitors.',
		query: overviewQuery,
		response: {
			status: 200,
			schema: overviewAnswer,
			description: 'A page of websites with their statistics.',
		},
		errors: ['validation_failed', 'unavailable'],
		handle: overview,
	},
];
