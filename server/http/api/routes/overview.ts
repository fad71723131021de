import { overviewAnswer, overviewQuery } from '../../../../api/overview.ts';
import { gatherFaults } from '../../../lib/app-error.ts';
import {
	addUp,
	changeOf,
	type OverviewRow,
	sortRows,
	sumRows,
} from '../../../stats/overview/overview-rows.ts';
import { parseOverview } from '../../../stats/overview/parse-overview.ts';
import type { MetricName } from '../../../stats/question/metrics.ts';
import { findListScope } from '../../../websites/list-websites.ts';
import { readParameters } from '../../request/read-parameters.ts';
import { wantsCsv } from '../csv.ts';
import { readFilterParams } from '../filter-params.ts';
import { paginationOf, sentParameters } from '../pagination.ts';
import { comparisonOf } from '../period-question.ts';
import { type AccountRoute, json } from '../route.ts';
import { changesOf, overviewCsv, pick } from '../stats-csv.ts';

type Valued = Pick<OverviewRow, 'values' | 'comparedValues'>;

/** Each value, and the change in visitors. */
const toNumbers = (row: Valued, metrics: readonly MetricName[]) => ({
	...pick(row.values, metrics),
	change: changeOf(row),
});

const toChanges = ({ values, comparedValues }: Valued, metrics: readonly MetricName[]) =>
	comparedValues && pick(changesOf({ values, compared: comparedValues }), metrics);

function toRecord(row: OverviewRow, metrics: readonly MetricName[]) {
	const { website, now, own, compared, comparedValues } = row;
	const { id, domain, favoritePosition, labels, timezone, privacy, lastDate } = website;
	return {
		id,
		domain,
		favorite: favoritePosition === null ? 0 : 1,
		labels,
		timezone,
		privacy,
		last_date: lastDate,
		now,
		from: own.span.from,
		to: own.span.to,
		...toNumbers(row, metrics),
		compared: compared &&
			comparedValues && { from: compared.span.from, to: compared.span.to, ...pick(comparedValues, metrics) },
		changes: toChanges(row, metrics),
		sparkline: row.sparkline(),
	};
}

const overview: AccountRoute['handle'] = async (call, { postgres, overviews, stats, now }) => {
	const began = performance.now();
	const { principal } = call;
	const faults = gatherFaults();
	const query = readParameters(call.query, overviewQuery, faults);
	const { metrics, page, per_page: perPage } = query;
	const question = parseOverview(
		{
			...{ period: query.period, from: query.from, to: query.to, weekStart: query.week_start },
			...{ metrics, goal: query.goal, sortBy: query.sort_by },
			comparison: comparisonOf(query),
			// Without a segment, nothing of a website is read.
			filters: await readFilterParams(postgres, 0, { filters: query.filters }, faults),
		},
		now(),
		faults,
	);
	const websites = {
		...(await findListScope(postgres, principal)),
		search: query.search,
		favorite: query.favorite === undefined ? undefined : query.favorite === 1,
		labels: query.label,
		only: query.websites,
	};
	const { rows, isCompared, labels, interval, asOf } = await stats.runBounded(
		{ principal, websiteId: 0, signal: call.signal },
		(services, ending) => overviews.read({ ...question, websites }, services, ending),
	);
	const sorted = sortRows(rows, {
		by: query.sort_by,
		descending: query.sort === 'desc',
		favoritesFirst: query.favorites_first === 1,
	});
	if (wantsCsv(call.header('accept'))) return overviewCsv(sorted, { metrics, isCompared });
	const shown = sorted.slice((page - 1) * perPage, page * perPage);
	const { links, meta } = paginationOf({
		url: `${call.mountedAt}/stats`,
		sent: sentParameters(call.query, overviewQuery),
		page,
		perPage,
		count: shown.length,
		total: rows.length,
	});
	const sum = sumRows(rows, { metrics, isCompared });
	return json(200, {
		data: shown.map((row) => toRecord(row, metrics)),
		links,
		meta: {
			...meta,
			totals: {
				...toNumbers(sum, metrics),
				compared: sum.comparedValues && pick(sum.comparedValues, metrics),
				changes: toChanges(sum, metrics),
				now: rows.reduce((all, { now }) => all + now, 0),
				sparkline: addUp(rows.map(({ sparkline }) => sparkline())),
			},
			...(query.goal !== undefined && {
				goal: { name: query.goal, websites: rows.filter(({ hasGoal }) => hasGoal).length },
			}),
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
		action: 'stats.overview',
		operationId: 'getOverview',
		summary: 'Compare all websites',
		description:
			'Returns metrics of each website of the account, with a comparison, filters and a sparkline of visitors.',
		query: overviewQuery,
		response: {
			status: 200,
			schema: overviewAnswer,
			description: 'A page of websites with their statistics.',
			csv: 'All matching websites, regardless of the page, with the comparison and the change in further columns.',
		},
		errors: ['validation_failed', 'unavailable'],
		handle: overview,
	},
];
