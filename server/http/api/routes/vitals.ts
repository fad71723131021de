import { propertiesAnswer, propertiesQuery, vitalsAnswer, vitalsQuery } from '../../../../api/vitals.ts';
import { listPropertyNames } from '../../../stats/answer/property-names.ts';
import { minVisitorsShown } from '../../../stats/answer/public-thresholds.ts';
import { refuseVisitFilters } from '../../../stats/answer/raw-events.ts';
import { answerSharedVitals, answerVitals, type Vital } from '../../../stats/answer/vitals.ts';
import { refuseForShares } from '../../../stats/question/shared-questions.ts';
import { wantsCsv } from '../csv.ts';
import { readPeriodQuestion } from '../period-question.ts';
import { json, type WebsiteRoute } from '../route.ts';
import { csv } from '../stats-csv.ts';
import { toMeta } from '../stats-meta.ts';

const vitals: WebsiteRoute['handle'] = async (call, services) => {
	const { principal, website, signal } = call;
	const { question, filters } = await readPeriodQuestion(call, services, vitalsQuery);
	refuseVisitFilters(filters, question);
	const isShare = principal.kind === 'share';
	if (isShare) refuseForShares(question);
	const answer = await services.stats.runBounded(
		{ principal, websiteId: website.id, signal },
		(engine, ending) => (isShare ? answerSharedVitals : answerVitals)(question, engine, ending),
	);
	const rows = answer.vitals.map(({ isFew, ...vital }) => ({
		...vital,
		...sharesOf(vital),
		...(isFew && { fewer_than: minVisitorsShown }),
	}));
	const dates = { from: question.span.from, to: question.span.to };
	if (wantsCsv(call.header('accept')))
		return csv(
			[website.domain, 'vitals', dates.from, dates.to],
			['vital', 'page', 'samples', 'p75', 'good', 'needs_improvement', 'poor'],
			rows.flatMap(({ pages, ...vital }) => [
				[vital.name, '', vital.samples, vital.p75, vital.good, vital.needs_improvement, vital.poor],
				...pages.map(({ page, samples, p75 }) => [vital.name, page, samples, p75, null, null, null]),
			]),
			(row) => row,
		);
	return json(200, { data: rows, meta: { ...dates, ...toMeta(question, answer.meta, services.now()) } });
};

/** Without samples the shares are null. */
function sharesOf({ samples, good, poor }: Vital) {
	const share = (part: number) => (samples === 0 ? null : part / samples);
	return { good: share(good), needs_improvement: share(samples - good - poor), poor: share(poor) };
}

const properties: WebsiteRoute['handle'] = async (call, services) => {
	const { principal, website, signal } = call;
	const { question } = await readPeriodQuestion(call, services, propertiesQuery);
	const answer = await services.stats.runBounded(
		{ principal, websiteId: website.id, signal },
		(engine, ending) =>
			listPropertyNames(question, principal.kind === 'share' ? 'public' : 'people', engine, ending),
	);
	return json(200, {
		data: answer.names,
		meta: {
			from: question.span.from,
			to: question.span.to,
			...toMeta(question, answer.meta, services.now()),
		},
	});
};

const common = {
	methods: ['GET'],
	tag: 'statistics',
	errors: ['not_found', 'validation_failed', 'unavailable'],
} as const satisfies Partial<WebsiteRoute>;

export const vitalsRoutes: readonly WebsiteRoute[] = [
	{
		...common,
		path: '/websites/:id/vitals',
		action: 'stats.vitals',
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
		action: 'stats.properties',
		operationId: 'listProperties',
		summary: 'List property names',
		description:
			'Returns the properties of events and page views in a period: at most 100, the most frequent first.',
		query: propertiesQuery,
		response: { status: 200, schema: propertiesAnswer, description: 'The names.' },
		handle: properties,
	},
];
