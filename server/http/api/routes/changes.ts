import { changesAnswer, changesQuery } from '../../../../api/changes.ts';
import { changeSentence } from '../../../../presentation/change-sentence.ts';
import { gatherFaults } from '../../../lib/app-error.ts';
import { type Amounts, type Changes, findChanges, toFacts } from '../../../stats/answer/changes.ts';
import { parseQuestion } from '../../../stats/question/parse-question.ts';
import { getStatsContext } from '../../../stats/question/stats-context.ts';
import { readParameters } from '../../request/read-parameters.ts';
import { type Cell, wantsCsv } from '../csv.ts';
import { readFilterParams } from '../filter-params.ts';
import { json, type WebsiteRoute } from '../route.ts';
import { csv } from '../stats-csv.ts';
import { toMeta } from '../stats-meta.ts';

const changes: WebsiteRoute['handle'] = async (call, { postgres, stats, now }) => {
	const context = await getStatsContext(postgres, call.principal, call.website);
	const faults = gatherFaults();
	const sent = readParameters(call.query, changesQuery, faults);
	stats.assertCapacity(call.website.id, call.principal);
	const filters = await readFilterParams(postgres, call.website.id, sent, faults);
	if (sent.currency && sent.metric !== 'revenue')
		faults.add({ currency: ['The currency parameter needs metric=revenue.'] });
	const { period, from, to, week_start: weekStart, metric, goal, currency, limit, language } = sent;
	const { question } = parseQuestion(
		context,
		{
			...{ period, from, to, weekStart, goal, filters },
			metrics: [metric],
			series: null,
			comparison: {
				compare: sent.compare,
				compareFrom: sent.compare_from,
				compareTo: sent.compare_to,
				matchWeekdays: sent.match_weekdays === 1,
			},
			breakdowns: [],
		},
		now(),
		faults,
	);
	const found = await findChanges(question, { metric, currency, limit }, (each) => stats.ask(each, call));
	const dates = { from: question.span.from, to: question.span.to };
	if (wantsCsv(call.header('accept')))
		return csv(
			[context.domain, 'changes', metric, dates.from, dates.to],
			['count', 'dimension', 'value', 'current', 'compared', 'difference', 'other'],
			toCells(found),
			(row) => row,
		);
	const { counts, meta, ...data } = found;
	return json(200, {
		data: {
			...data,
			sentence: changeSentence(toFacts(found), language),
			counts: counts.map(({ count, amounts, dimensions }) => ({
				count: namesOfCounts[count] ?? count,
				...(amounts ?? noAmounts),
				dimensions,
			})),
		},
		meta: {
			...dates,
			compared: question.compared && { from: question.compared.from, to: question.compared.to },
			...toMeta(question, meta, now()),
		},
	});
};

/** Counts have the names of their metrics. */
const namesOfCounts: Partial<Record<Changes['counts'][number]['count'], string>> = {
	views: 'pageviews',
	visit_views: 'pageviews',
	converted_visitors: 'unique_conversions',
};

const noAmounts = { current: null, compared: null, difference: null };

/** The total of each count has no dimension; what the rows of a dimension leave of it is `(other)`. */
function toCells({ counts }: Changes): Cell[][] {
	const cells = (amounts: Amounts | null): Cell[] => [
		amounts?.current ?? null,
		amounts?.compared ?? null,
		amounts?.difference ?? null,
	];
	return counts.flatMap(({ count, amounts, dimensions }) => {
		const name = namesOfCounts[count] ?? count;
		return [
			[name, '', '', ...cells(amounts), 0],
			...dimensions.flatMap(({ dimension, rows, rest }): Cell[][] => [
				...(rows ?? []).map((row): Cell[] => [name, dimension, row.value, ...cells(row), 0]),
				...(rest ? [[name, dimension, '(other)', ...cells(rest), 1]] : []),
			]),
		];
	});
}

export const changeRoutes: readonly WebsiteRoute[] = [
	{
		methods: ['GET'],
		path: '/websites/:id/what-changed',
		tag: 'statistics',
		// Small groups of two periods could be told apart, so this is not for the public: shares have `stats.read` only.
		action: 'stats.changes',
		operationId: 'getChanges',
		summary: 'Explain the change in a metric',
		description:
			'Divides the difference between a period and its comparison by each dimension. The parts add up to the difference exactly. A ratio is divided as its numerator and denominator.',
		query: changesQuery,
		response: {
			status: 200,
			schema: changesAnswer,
			description: 'The parts of the difference.',
			csv: 'One row per count, with empty `dimension`, then one per value, and `(other)` for what the rows of a dimension leave.',
		},
		errors: ['not_found', 'validation_failed', 'unavailable'],
		handle: changes,
	},
];
