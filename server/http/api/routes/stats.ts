import { z } from 'zod';
import {
	breakdownAnswer,
	breakdownQuery,
	queryStatsAnswer,
	queryStatsBody,
	queryStatsBreakdown,
	statsAnswer,
	statsQuery,
} from '../../../../api/stats.ts';
import { notFound } from '../../../accounts/authorize.ts';
import { AppError, type Faults, gatherFaults, invalid } from '../../../lib/app-error.ts';
import { findCityCountries } from '../../../stats/answer/city-countries.ts';
import type { StatsAnswer } from '../../../stats/answer/shape.ts';
import {
	type Dimension,
	dimensionNames,
	findDimension,
	writeDimension,
} from '../../../stats/question/dimensions.ts';
import type { MetricName } from '../../../stats/question/metrics.ts';
import {
	parseQuestion,
	type RawBreakdown,
	type RawQuestion,
} from '../../../stats/question/parse-question.ts';
import type { Interval, Question } from '../../../stats/question/question.ts';
import { getStatsContext, type StatsContext } from '../../../stats/question/stats-context.ts';
import { readJsonBody } from '../../request/read-body.ts';
import { readMembers, readParameters } from '../../request/read-parameters.ts';
import { wantsCsv } from '../csv.ts';
import { readFilterParams } from '../filter-params.ts';
import { paginationOf, sentParameters } from '../pagination.ts';
import { comparisonOf } from '../period-question.ts';
import { type ApiRequest, json, type Services, type WebsiteRoute } from '../route.ts';
import { breakdownCsv, queryCsv, summaryCsv } from '../stats-csv.ts';
import { toCompared, toPoints, toRows, toTotals, whyNull } from '../stats-json.ts';
import { toMeta } from '../stats-meta.ts';

/** The parameters that all statistics requests share. */
type CommonParameters = Pick<
	z.output<typeof statsQuery>,
	'period' | 'from' | 'to' | 'week_start' | 'metrics' | 'goal' | 'segment'
> & { filters?: readonly unknown[] | undefined };

async function ask(
	call: ApiRequest,
	{ postgres, stats, now }: Services,
	context: StatsContext,
	sent: CommonParameters & Pick<RawQuestion, 'series' | 'comparison' | 'breakdowns'>,
	faults: Faults,
): Promise<{ question: Question; interval: Interval; answer: StatsAnswer }> {
	stats.assertCapacity(context.website.id, call.principal);
	const filters = await readFilterParams(postgres, context.website.id, sent, faults);
	const { period, from, to, week_start: weekStart, metrics, goal, series, comparison, breakdowns } = sent;
	const { question, interval } = parseQuestion(
		context,
		{
			...{ period, from, to, weekStart, metrics, goal, series, breakdowns, filters },
			...(comparison && { comparison }),
		},
		now(),
		faults,
	);
	return { question, interval, answer: await stats.ask(question, call) };
}

const noCountries: ReadonlyMap<string, string> = new Map();

/** The countries of the cities in an answer. Public statistics have cities without them. */
async function countriesOf(
	{ principal, website, signal }: Parameters<WebsiteRoute['handle']>[0],
	{ stats }: Services,
	question: Question,
	{ breakdowns }: StatsAnswer,
): Promise<ReadonlyMap<string, string>> {
	const cities = breakdowns.flatMap(({ dimension, rows }) =>
		dimension === 'city'
			? rows.flatMap(({ value, isOther }) => (isOther || value === '' ? [] : [value]))
			: [],
	);
	const isPublic = principal.kind === 'share' || principal.kind === 'nobody';
	if (cities.length === 0 || isPublic) return noCountries;
	try {
		return await stats.runBounded({ principal, websiteId: website.id, signal }, (engine, ending) =>
			findCityCountries(question, cities, engine, ending),
		);
	} catch (error) {
		// A busy engine costs the countries, not the numbers.
		if (signal.aborted || !(error instanceof AppError)) throw error;
		return noCountries;
	}
}

const summary: WebsiteRoute['handle'] = async (call, services) => {
	const context = await getStatsContext(services.postgres, call.principal, call.website);
	const faults = gatherFaults();
	const sent = readParameters(call.query, statsQuery, faults);
	const { metrics } = sent;
	const { question, interval, answer } = await ask(
		call,
		services,
		context,
		{ ...sent, series: { interval: sent.interval }, comparison: comparisonOf(sent), breakdowns: [] },
		faults,
	);
	const { from, to } = question.span;
	if (wantsCsv(call.header('accept'))) return summaryCsv([context.domain, from, to], answer, metrics);
	return json(200, {
		data: {
			totals: toTotals(answer, metrics),
			series: toPoints(answer.series, metrics),
			compared: toCompared(question, answer, metrics),
		},
		meta: { from, to, interval, ...toMeta(question, answer.meta, services.now()) },
	});
};

/** Public statistics cannot be downloaded completely. */
const maxCsvRows = ({ principal }: ApiRequest): number => (principal.kind === 'share' ? 1_000 : 100_000);

const breakdown: WebsiteRoute['handle'] = async (call, services) => {
	const context = await getStatsContext(services.postgres, call.principal, call.website);
	const faults = gatherFaults();
	const dimension = readDimension(call.params.dimension ?? '', faults);
	const sent = readParameters(call.query, breakdownQuery, faults);
	const by = sent.by === undefined ? undefined : faults.attempt(() => readSecond(sent.by ?? '', ''));
	const { metrics, page, per_page: perPage } = sent;
	const isCsv = wantsCsv(call.header('accept'));
	const { question, answer } = await ask(
		call,
		services,
		context,
		{
			...sent,
			// Validated with the breakdown, because breakdowns by goal support more metrics.
			metrics: [],
			series: null,
			comparison: comparisonOf(sent),
			breakdowns: [
				{
					...{ dimension, by, metrics },
					isCompared: true,
					sortBy: sent.sort_by,
					descending: sent.sort === 'desc',
					search: sent.search,
					offset: isCsv ? 0 : (page - 1) * perPage,
					limit: isCsv ? maxCsvRows(call) : perPage,
					prefix: '',
				},
			],
		},
		faults,
	);
	const { rows, total, ...answered } = answer.breakdowns[0] ?? { rows: [], total: 0 };
	const { from, to } = question.span;
	if (isCsv)
		return breakdownCsv([context.domain, ...[dimension, ...(by ? [by] : [])].map(writeDimension), from, to], {
			question,
			dimension,
			metrics,
			rows,
			total,
		});
	const { links, meta } = paginationOf({
		url: `${call.mountedAt}/websites/${call.website.id}/stats/${pathOf(dimension)}`,
		sent: sentParameters(call.query, breakdownQuery),
		page,
		perPage,
		count: rows.length,
		total,
	});
	return json(200, {
		data: toRows(question, dimension, rows, metrics, await countriesOf(call, services, question, answer)),
		links,
		meta: {
			...meta,
			period: { from, to },
			...(question.compared && {
				compared: { from: question.compared.from, to: question.compared.to },
			}),
			...toMeta(question, answer.meta, services.now()),
			...whyNull(answered),
		},
	});
};

/** The dimension in the path. For an unknown one an error is added, and `page` only stands in until that is thrown. */
function readDimension(name: string, faults: Faults): Dimension {
	// app.ts replaces percent signs by `~`, so such a path does not exist.
	const dimension = findDimension(name);
	if (!dimension && (name === '' || name.includes('~'))) throw notFound();
	if (!dimension) faults.add({ dimension: [noSuchDimension] });
	return dimension ?? { name: 'page' };
}

function readSecond(name: string, prefix: string): Dimension {
	const dimension = findDimension(name);
	if (!dimension) throw invalid({ [`${prefix}by`]: [noSuchDimension] });
	return dimension;
}

const noSuchDimension = `Unknown dimension. Allowed: ${dimensionNames.join(', ')} and property:NAME.`;

const pathOf = (dimension: Dimension): string =>
	dimension.name === 'property' ? `property:${encodeURIComponent(dimension.property)}` : dimension.name;

/** Breakdowns are validated one by one, so that errors name the breakdown. */
const queryFields = queryStatsBody.extend({
	breakdowns: z
		.array(z.unknown(), { error: 'The breakdowns field must be a list.' })
		.max(20, 'A page has at most 20 breakdowns.')
		.default([]),
});

const queryStats: WebsiteRoute['handle'] = async (call, services) => {
	const context = await getStatsContext(services.postgres, call.principal, call.website);
	const body = call.body.bytes.length === 0 ? {} : readJsonBody(call.body);
	const faults = gatherFaults();
	const sent = readMembers(body, queryFields, { faults });
	const breakdowns = sent.breakdowns.flatMap(
		(breakdown, index) => faults.attempt(() => readBreakdown(breakdown, index, sent.metrics, faults)) ?? [],
	);
	const filters = sent.filters === undefined ? [] : [sent.filters];
	const { question, interval, answer } = await ask(
		call,
		services,
		context,
		{ ...sent, filters, series: { interval: sent.interval }, comparison: comparisonOf(sent), breakdowns },
		faults,
	);
	const { from, to } = question.span;
	if (wantsCsv(call.header('accept')))
		return queryCsv([context.domain, 'page', from, to], {
			question,
			answer,
			metrics: sent.metrics,
			breakdowns,
		});
	const countries = await countriesOf(call, services, question, answer);
	return json(200, {
		data: {
			totals: toTotals(answer, sent.metrics),
			series: toPoints(answer.series, sent.metrics),
			compared: toCompared(question, answer, sent.metrics),
			breakdowns: answer.breakdowns.map(
				({ dimension, by, rows, total, isUnavailable, ...answered }, index) => {
					const part = breakdowns[index];
					return {
						dimension,
						...(by !== undefined && { by }),
						rows:
							isUnavailable || !part ? null : toRows(question, part.dimension, rows, part.metrics, countries),
						total: isUnavailable ? null : total,
						...whyNull(answered),
					};
				},
			),
		},
		meta: { from, to, interval, ...toMeta(question, answer.meta, services.now()) },
	});
};

function readBreakdown(
	sent: unknown,
	index: number,
	defaultMetrics: readonly MetricName[],
	faults: Faults,
): RawBreakdown {
	const prefix = `breakdowns.${index}.`;
	const read = readMembers(sent, queryStatsBreakdown, { prefix, faults });
	const dimension = findDimension(read.dimension);
	if (!dimension) throw invalid({ [`${prefix}dimension`]: [noSuchDimension] });
	return {
		dimension,
		by: read.by === undefined ? undefined : readSecond(read.by, prefix),
		metrics: read.metrics ?? defaultMetrics,
		isCompared: read.compare_rows,
		sortBy: read.sort_by,
		descending: read.sort === 'desc',
		search: read.search,
		offset: 0,
		limit: read.limit,
		prefix,
	};
}

const tag = 'statistics';

export const statsRoutes: readonly WebsiteRoute[] = [
	{
		methods: ['GET'],
		path: '/websites/:id/stats',
		tag,
		action: 'stats.read',
		operationId: 'getStats',
		summary: 'Get the statistics of a website',
		description: 'Totals and a time series for a period, with an optional comparison.',
		query: statsQuery,
		response: {
			status: 200,
			schema: statsAnswer,
			description: 'The statistics.',
			csv: 'The totals, then one row per point in time, with the comparison in further columns.',
		},
		errors: ['not_found', 'validation_failed', 'unavailable'],
		handle: summary,
	},
	{
		methods: ['GET'],
		path: '/websites/:id/stats/:dimension',
		tag,
		action: 'stats.read',
		operationId: 'getBreakdown',
		summary: 'Get a breakdown of a website',
		description:
			'Returns metrics by page, source, country or any other dimension, or by two of them, with pagination and an optional comparison.',
		query: breakdownQuery,
		response: {
			status: 200,
			schema: breakdownAnswer,
			description: 'A page of rows.',
			csv: 'All rows up to 100,000, regardless of the page, with the comparison and the change in further columns. X-Total-Count has the total number.',
		},
		errors: ['not_found', 'validation_failed', 'unavailable'],
		handle: breakdown,
	},
	{
		methods: ['POST'],
		path: '/websites/:id/stats/query',
		tag,
		action: 'stats.read',
		operationId: 'queryStats',
		summary: 'Query the statistics of a website',
		description:
			'Totals, a time series and up to 20 breakdowns in one response, all from the same state of the data. This request changes nothing: read-only keys can send it.',
		body: queryStatsBody,
		isBodyJson: true,
		response: {
			status: 200,
			schema: queryStatsAnswer,
			description: 'The results of all parts.',
			csv: 'All parts in one table, with the comparison and the change of rows in further columns. The column `part` names the part of each row.',
		},
		errors: [
			'bad_request',
			'not_found',
			'body_too_large',
			'unsupported_media_type',
			'validation_failed',
			'unavailable',
		],
		handle: queryStats,
	},
];
