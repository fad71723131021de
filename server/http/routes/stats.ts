import { z } from 'zod';
import {
	breakdownAnswer,
	breakdownQuery,
	pageAnswer,
	pageBody,
	pageBreakdown,
	statsAnswer,
	statsQuery,
} from '../../../api/stats.ts';
import { notFound } from '../../accounts/authorize.ts';
import { gatherFaults, invalid } from '../../lib/app-error.ts';
import { type Asked, getAskedWebsite } from '../../stats/asked-website.ts';
import { type Dimension, dimensionNames, findDimension, writeDimension } from '../../stats/dimensions.ts';
import type { MetricName } from '../../stats/metrics.ts';
import type { Interval, Question } from '../../stats/question.ts';
import type { Answer as Found, Point } from '../../stats/shape.ts';
import { type SentBreakdown, type SentQuestion, toQuestion } from '../../stats/to-question.ts';
import { type Answer, type Call, json, type Route, readId, type Services } from '../call.ts';
import { wantsCsv } from '../csv.ts';
import { givenIn, pageOf } from '../list.ts';
import { readJsonBody } from '../read-body.ts';
import { readMembers, readParameters } from '../read-parameters.ts';
import { sentFilters } from '../sent-filters.ts';
import { breakdownCsv, nameOf, pageCsv, pick, type Row, shownValue, summaryCsv } from '../stats-csv.ts';
import { toMeta } from '../stats-meta.ts';

/** What all of the questions have in common, as it was sent. */
type SentAlike = Pick<
	z.output<typeof statsQuery>,
	'period' | 'from' | 'to' | 'metrics' | 'goal' | 'segment'
> & { filters?: unknown };

async function ask(
	call: Call,
	{ postgres, stats, now }: Services,
	asked: Asked,
	sent: SentAlike & Pick<SentQuestion, 'series' | 'breakdowns'>,
): Promise<{ question: Question; interval: Interval; found: Found }> {
	stats.admit(asked.website.id, call.principal);
	const filters = await sentFilters(postgres, asked.website.id, sent);
	const { period, from, to, metrics, goal, series, breakdowns } = sent;
	const { question, interval } = toQuestion(
		asked,
		{ period, from, to, metrics, goal, series, breakdowns, filters },
		now(),
	);
	return { question, interval, found: await stats.ask(question, call) };
}

const seriesOf = (
	sent: Pick<
		z.output<typeof statsQuery>,
		'interval' | 'compare' | 'compare_from' | 'compare_to' | 'match_weekdays'
	>,
): SentQuestion['series'] => ({
	interval: sent.interval,
	compare: sent.compare,
	compareFrom: sent.compare_from,
	compareTo: sent.compare_to,
	matchWeekdays: sent.match_weekdays === 1,
});

const toPoints = (series: readonly Point[] | null, names: readonly MetricName[]) =>
	(series ?? []).map(({ time, isUnfinished, values }) => ({
		time,
		...pick(values, names),
		...(isUnfinished && { unfinished: true }),
	}));

const toCompared = ({ compared: span }: Question, { compared }: Found, names: readonly MetricName[]) =>
	span &&
	compared && {
		from: span.from,
		to: span.to,
		totals: pick(compared.totals, names),
		series: toPoints(compared.series, names),
	};

const toRows = (
	question: Question,
	dimension: Dimension,
	rows: readonly Row[],
	names: readonly MetricName[],
) =>
	rows.map((row) => ({
		value: shownValue(row),
		...(dimension.name === 'goal' && { name: nameOf(question, row) }),
		...pick(row.values, names),
		...(row.isOther && { other: true }),
	}));

async function summary(call: Call, services: Services): Promise<Answer> {
	const asked = await getAskedWebsite(services.postgres, call.principal, readId(call));
	const sent = readParameters(call.query, statsQuery);
	const { metrics } = sent;
	const { question, interval, found } = await ask(call, services, asked, {
		...sent,
		series: seriesOf(sent),
		breakdowns: [],
	});
	const { from, to } = question.span;
	if (wantsCsv(call.header('accept'))) return summaryCsv([asked.domain, from, to], found, metrics);
	return json(200, {
		data: {
			totals: pick(found.totals, metrics),
			series: toPoints(found.series, metrics),
			compared: toCompared(question, found, metrics),
		},
		meta: { from, to, interval, ...toMeta(question, found.meta, services.now()) },
	});
}

/** Somebody who is not known to us is not given all there is. */
const maxCsvRows = ({ principal }: Call): number => (principal.kind === 'share' ? 1_000 : 100_000);

async function breakdown(call: Call, services: Services): Promise<Answer> {
	const id = readId(call);
	const asked = await getAskedWebsite(services.postgres, call.principal, id);
	const dimension = findDimension(call.params.dimension ?? '');
	if (!dimension) throw notFound();
	const sent = readParameters(call.query, breakdownQuery);
	const { metrics, page, per_page: perPage } = sent;
	const isCsv = wantsCsv(call.header('accept'));
	const { question, found } = await ask(call, services, asked, {
		...sent,
		// Those of the rows are judged with the breakdown: by goal, more can be asked.
		metrics: [],
		series: null,
		breakdowns: [
			{
				dimension,
				metrics,
				sortBy: sent.sort_by,
				descending: sent.sort === 'desc',
				search: sent.search,
				offset: isCsv ? 0 : (page - 1) * perPage,
				limit: isCsv ? maxCsvRows(call) : perPage,
				prefix: '',
			},
		],
	});
	const { rows, total } = found.breakdowns[0] ?? { rows: [], total: 0 };
	const { from, to } = question.span;
	if (isCsv)
		return breakdownCsv([asked.domain, writeDimension(dimension), from, to], {
			question,
			dimension,
			metrics,
			rows,
			total,
		});
	const { links, meta } = pageOf({
		address: `${call.mountedAt}/websites/${id}/stats/${addressOf(dimension)}`,
		given: givenIn(call.query, breakdownQuery),
		page,
		perPage,
		count: rows.length,
		total,
	});
	return json(200, {
		data: toRows(question, dimension, rows, metrics),
		links,
		meta: { ...meta, period: { from, to }, ...toMeta(question, found.meta, services.now()) },
	});
}

const addressOf = (dimension: Dimension): string =>
	dimension.name === 'property' ? `property:${encodeURIComponent(dimension.property)}` : dimension.name;

/** Each breakdown is read for itself, so that a fault names the one it is in. */
const pageFields = pageBody.extend({
	breakdowns: z
		.array(z.unknown(), { error: 'The breakdowns field must be a list.' })
		.max(20, 'A page has at most 20 breakdowns.')
		.default([]),
});

async function page(call: Call, services: Services): Promise<Answer> {
	const asked = await getAskedWebsite(services.postgres, call.principal, readId(call));
	const sent = readMembers(call.body.bytes.length === 0 ? {} : readJsonBody(call.body), pageFields);
	const faults = gatherFaults();
	const breakdowns = sent.breakdowns.flatMap(
		(one, index) => faults.attempt(() => readBreakdown(one, index, sent.metrics)) ?? [],
	);
	faults.end();
	const { question, interval, found } = await ask(call, services, asked, {
		...sent,
		series: seriesOf(sent),
		breakdowns,
	});
	const { from, to } = question.span;
	if (wantsCsv(call.header('accept')))
		return pageCsv([asked.domain, 'page', from, to], {
			question,
			found,
			metrics: sent.metrics,
			breakdowns,
		});
	return json(200, {
		data: {
			totals: pick(found.totals, sent.metrics),
			series: toPoints(found.series, sent.metrics),
			compared: toCompared(question, found, sent.metrics),
			breakdowns: found.breakdowns.map(({ dimension, rows, total, isUnavailable }, index) => {
				const part = breakdowns[index];
				return {
					dimension,
					rows: isUnavailable || !part ? null : toRows(question, part.dimension, rows, part.metrics),
					total: isUnavailable ? null : total,
				};
			}),
		},
		meta: { from, to, interval, ...toMeta(question, found.meta, services.now()) },
	});
}

function readBreakdown(sent: unknown, index: number, standard: readonly MetricName[]): SentBreakdown {
	const prefix = `breakdowns.${index}.`;
	const read = readMembers(sent, pageBreakdown, prefix);
	const dimension = findDimension(read.dimension);
	if (!dimension)
		throw invalid({
			[`${prefix}dimension`]: [
				`There is no such dimension; there are ${dimensionNames.join(', ')} and property:NAME.`,
			],
		});
	return {
		dimension,
		metrics: read.metrics ?? standard,
		sortBy: read.sort_by,
		descending: read.sort === 'desc',
		search: read.search,
		offset: 0,
		limit: read.limit,
		prefix,
	};
}

/** Where they stand in the description. */
const tag = 'statistics';

export const statsRoutes: readonly Route[] = [
	{
		methods: ['GET'],
		path: '/websites/:id/stats',
		tag,
		action: 'stats.read',
		operationId: 'getStats',
		summary: 'Get the statistics of a website',
		about: 'What a time comes to, as a whole and as a series, and beside it what it is compared with.',
		query: statsQuery,
		answer: {
			status: 200,
			schema: statsAnswer,
			about: 'The numbers.',
			csv: 'The whole, then the series: a row a point, what is compared in further columns.',
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
		summary: 'Break the statistics of a website down',
		about: 'The same numbers by page, source, country or any other dimension, a page of rows at a time.',
		query: breakdownQuery,
		answer: {
			status: 200,
			schema: breakdownAnswer,
			about: 'A page of rows.',
			csv: 'All rows, up to 100,000, whatever page was asked for. X-Total-Count says how many there are.',
		},
		errors: ['not_found', 'validation_failed', 'unavailable'],
		handle: breakdown,
	},
	{
		methods: ['POST'],
		path: '/websites/:id/stats/page',
		tag,
		action: 'stats.read',
		operationId: 'getStatsPage',
		summary: 'Get all that a page of statistics shows',
		about:
			'One question with many parts, answered from one state of the data. It reads only: a key that may only read may ask it.',
		body: pageBody,
		isBodyJson: true,
		answer: {
			status: 200,
			schema: pageAnswer,
			about: 'All parts of the page.',
			csv: 'All parts in one table; `part` says which one a row is of.',
		},
		errors: [
			'bad_request',
			'not_found',
			'body_too_large',
			'unsupported_media_type',
			'validation_failed',
			'unavailable',
		],
		handle: page,
	},
];
