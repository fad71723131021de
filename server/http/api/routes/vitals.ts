import { propertiesAnswer, propertiesQuery, vitalsAnswer, vitalsQuery } from '../../../../api/vitals.ts';
import { gatherFaults } from '../../../lib/app-error.ts';
import { listPropertyNames } from '../../../stats/answer/property-names.ts';
import { minVisitorsShown } from '../../../stats/answer/public-thresholds.ts';
import { refuseVisitFilters } from '../../../stats/answer/raw-events.ts';
import { answerSharedVitals, answerVitals, type Vital } from '../../../stats/answer/vitals.ts';
import { parseQuestion } from '../../../stats/question/parse-question.ts';
import { refuseForShares } from '../../../stats/question/shared-questions.ts';
import { getStatsContext } from '../../../stats/question/stats-context.ts';
import { readParameters } from '../../request/read-parameters.ts';
import { wantsCsv } from '../csv.ts';
import { readFilterParams } from '../filter-params.ts';
import { type ApiResponse, json, type Services, type WebsiteRequest, type WebsiteRoute } from '../route.ts';
import { csv } from '../stats-csv.ts';
import { toMeta } from '../stats-meta.ts';

/** Neither metrics nor breakdowns. */
const noCounts = { metrics: [], goal: undefined, series: null, breakdowns: [] };

async function vitals(call: WebsiteRequest, { postgres, stats, now }: Services): Promise<ApiResponse> {
	const { principal, signal } = call;
	const websiteId = call.website.id;
	const context = await getStatsContext(postgres, call.website);
	const faults = gatherFaults();
	const { period, from, to, ...sent } = readParameters(call.query, vitalsQuery, faults);
	stats.assertCapacity(websiteId, principal);
	const filters = await readFilterParams(postgres, websiteId, sent, faults);
	const { question } = parseQuestion(context, { ...noCounts, period, from, to, filters }, now(), faults);
	refuseVisitFilters(filters, question);
	const isShare = principal.kind === 'share';
	if (isShare) refuseForShares(question);
	const answer = await stats.runBounded({ principal, websiteId, signal }, (services, ending) =>
		(isShare ? answerSharedVitals : answerVitals)(question, services, ending),
	);
	const rows = answer.vitals.map(({ isFew, ...vital }) => ({
		...vital,
		...sharesOf(vital),
		...(isFew && { fewer_than: minVisitorsShown }),
	}));
	const dates = { from: question.span.from, to: question.span.to };
	if (wantsCsv(call.header('accept')))
		return csv(
			[context.domain, 'vitals', dates.from, dates.to],
			['vital', 'page', 'samples', 'p75', 'good', 'needs_improvement', 'poor'],
			rows.flatMap(({ pages, ...vital }) => [
				[vital.name, '', vital.samples, vital.p75, vital.good, vital.needs_improvement, vital.poor],
				...pages.map(({ page, samples, p75 }) => [vital.name, page, samples, p75, null, null, null]),
			]),
			(row) => row,
		);
	return json(200, { data: rows, meta: { ...dates, ...toMeta(question, answer.meta, now()) } });
}

/** Without samples the shares are null. */
function sharesOf({ samples, good, poor }: Vital) {
	const share = (part: number) => (samples === 0 ? null : part / samples);
	return { good: share(good), needs_improvement: share(samples - good - poor), poor: share(poor) };
}

async function properties(call: WebsiteRequest, { postgres, stats, now }: Services): Promise<ApiResponse> {
	const { principal, signal } = call;
	const websiteId = call.website.id;
	const context = await getStatsContext(postgres, call.website);
	const faults = gatherFaults();
	const { period, from, to } = readParameters(call.query, propertiesQuery, faults);
	stats.assertCapacity(websiteId, principal);
	const { question } = parseQuestion(context, { ...noCounts, period, from, to, filters: [] }, now(), faults);
	const answer = await stats.runBounded({ principal, websiteId, signal }, (services, ending) =>
		listPropertyNames(question, principal.kind === 'share' ? 'public' : 'people', services, ending),
	);
	return json(200, {
		data: answer.names,
		meta: { from: question.span.from, to: question.span.to, ...toMeta(question, answer.meta, now()) },
	});
}

const common = {
	methods: ['GET'],
	tag: 'statistics',
	action: 'stats.read',
	errors: ['not_found', 'validation_failed', 'unavailable'],
} as const satisfies Partial<WebsiteRoute>;

export const vitalsRoutes: readonly WebsiteRoute[] = [
	{
		...common,
		path: '/websites/:id/vitals',
		operationId: 'getVitals',
		summary: 'Get web vitals',
		description:
			'Returns page performance as measured by visitors’ browsers. Filters can use page, hostname, country, device, browser and os.',
		query: vitalsQuery,
		response: {
			status: 200,
			schema: vitalsAnswer,
			description: 'The vitals.',
			csv: 'One row per vital with an empty `page`, and one per page.',
		},
		handle: vitals,
	},
	{
		...common,
		path: '/websites/:id/properties',
		operationId: 'listProperties',
		summary: 'List property names',
		description:
			'Returns the properties of events and page views in a period: at most 100, the most frequent first.',
		query: propertiesQuery,
		response: { status: 200, schema: propertiesAnswer, description: 'The names.' },
		handle: properties,
	},
];
