import { overviewAnswer, overviewQuery } from '../../../api/overview.ts';
import { demand, notFound } from '../../accounts/authorize.ts';
import { addUp, changeOf, type OverviewRow, sortRows, valuesOf } from '../../stats/overview.ts';
import { findSharedWebsites } from '../../websites/websites.ts';
import { type Answer, type Call, json, type Route, type Services } from '../call.ts';
import { givenIn, pageOf } from '../list.ts';
import { readParameters } from '../read-parameters.ts';

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

async function overview(call: Call, { postgres, overviews, stats }: Services): Promise<Answer> {
	const began = performance.now();
	const { principal } = call;
	demand(principal, 'websites.list');
	if (principal.kind !== 'key' && principal.kind !== 'account') throw notFound();
	const query = readParameters(call.query, overviewQuery);
	const { page, per_page: perPage } = query;
	const filter = {
		accountId: principal.accountId,
		websiteIds: principal.kind === 'key' ? principal.websiteIds : null,
		shared: await findSharedWebsites(postgres, principal),
		search: query.search,
		favorite: query.favorite === undefined ? undefined : query.favorite === 1,
		label: query.label,
		only: query.websites,
	};
	const time = { period: query.period, from: query.from, to: query.to };
	const { rows, sum, labels, interval, asOf } = await stats.within(
		{ principal, websiteId: 0, signal: call.signal },
		({ clickhouse }, ending) => overviews.read(filter, time, clickhouse, ending),
	);
	const sorted = sortRows(rows, {
		by: query.sort_by,
		descending: query.sort === 'desc',
		favoritesFirst: query.favorites_first === 1,
	});
	const records = sorted.slice((page - 1) * perPage, page * perPage).map(toRecord);
	const { links, meta } = pageOf({
		address: `${call.mountedAt}/stats`,
		given: givenIn(call.query, overviewQuery),
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
}

export const overviewRoutes: readonly Route[] = [
	{
		methods: ['GET'],
		path: '/stats',
		tag: 'statistics',
		action: 'websites.list',
		operationId: 'getOverview',
		summary: 'Get the statistics of all websites side by side',
		about:
			'What a time comes to for each website of the account, a page at a time: the same numbers as for each alone, the change against the time before, and a line of visitors.',
		query: overviewQuery,
		answer: { status: 200, schema: overviewAnswer, about: 'A page of websites with their numbers.' },
		errors: ['validation_failed', 'unavailable'],
		handle: overview,
	},
];
