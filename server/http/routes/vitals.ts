import { propertiesAnswer, propertiesQuery, vitalsAnswer, vitalsQuery } from '../../../api/vitals.ts';
import { getAskedWebsite } from '../../stats/asked-website.ts';
import { listPropertyNames } from '../../stats/property-names.ts';
import { refuseVisitFilters } from '../../stats/raw-events.ts';
import { toQuestion } from '../../stats/to-question.ts';
import { answerVitals, type Vital } from '../../stats/vitals.ts';
import { type Answer, type Call, json, type Route, readId, type Services } from '../call.ts';
import { wantsCsv } from '../csv.ts';
import { readParameters } from '../read-parameters.ts';
import { sentFilters } from '../sent-filters.ts';
import { csv } from '../stats-csv.ts';
import { toMeta } from '../stats-meta.ts';

/** What is neither counted nor broken down. */
const noCounts = { metrics: [], goal: undefined, series: null, breakdowns: [] };

const audienceOf = ({ principal }: Call) => (principal.kind === 'share' ? 'public' : 'people');

async function vitals(call: Call, { postgres, stats, now }: Services): Promise<Answer> {
	const { principal, signal } = call;
	const websiteId = readId(call);
	const asked = await getAskedWebsite(postgres, principal, websiteId);
	const { period, from, to, ...sent } = readParameters(call.query, vitalsQuery);
	stats.admit(websiteId, principal);
	const filters = await sentFilters(postgres, websiteId, sent);
	const { question } = toQuestion(asked, { ...noCounts, period, from, to, filters }, now());
	refuseVisitFilters(filters, question);
	const found = await stats.within({ principal, websiteId, signal }, (services, ending) =>
		answerVitals(question, audienceOf(call), services, ending),
	);
	const rows = found.vitals.map((vital) => ({ ...vital, ...sharesOf(vital) }));
	const dates = { from: question.span.from, to: question.span.to };
	if (wantsCsv(call.header('accept')))
		return csv(
			[asked.domain, 'vitals', dates.from, dates.to],
			['vital', 'page', 'samples', 'p75', 'good', 'needs_improvement', 'poor'],
			rows.flatMap(({ pages, ...vital }) => [
				[vital.name, '', vital.samples, vital.p75, vital.good, vital.needs_improvement, vital.poor],
				...pages.map(({ page, samples, p75 }) => [vital.name, page, samples, p75, null, null, null]),
			]),
			(row) => row,
		);
	return json(200, { data: rows, meta: { ...dates, ...toMeta(question, found.meta, now()) } });
}

/** A share of nothing is null. */
function sharesOf({ samples, good, poor }: Vital) {
	const share = (part: number) => (samples === 0 ? null : part / samples);
	return { good: share(good), needs_improvement: share(samples - good - poor), poor: share(poor) };
}

async function properties(call: Call, { postgres, stats, now }: Services): Promise<Answer> {
	const { principal, signal } = call;
	const websiteId = readId(call);
	const asked = await getAskedWebsite(postgres, principal, websiteId);
	const { period, from, to } = readParameters(call.query, propertiesQuery);
	stats.admit(websiteId, principal);
	const { question } = toQuestion(asked, { ...noCounts, period, from, to, filters: [] }, now());
	const found = await stats.within({ principal, websiteId, signal }, (services, ending) =>
		listPropertyNames(question, audienceOf(call), services, ending),
	);
	return json(200, {
		data: found.names,
		meta: { from: question.span.from, to: question.span.to, ...toMeta(question, found.meta, now()) },
	});
}

const alike = {
	methods: ['GET'],
	tag: 'statistics',
	action: 'stats.read',
	errors: ['not_found', 'validation_failed', 'unavailable'],
} as const satisfies Partial<Route>;

export const vitalsRoutes: readonly Route[] = [
	{
		...alike,
		path: '/websites/:id/vitals',
		operationId: 'getVitals',
		summary: 'Get the web vitals of a website',
		about:
			'How fast its pages are for those who read them, of page views whose tracker sends it. Filters may test what an event has itself: page, hostname, country, device, browser and os.',
		query: vitalsQuery,
		answer: {
			status: 200,
			schema: vitalsAnswer,
			about: 'The vitals.',
			csv: 'A row for each vital as a whole, with an empty `page`, and one for each of its pages.',
		},
		handle: vitals,
	},
	{
		...alike,
		path: '/websites/:id/properties',
		operationId: 'listProperties',
		summary: 'List the names of properties',
		about:
			'Which properties the events and page views of a time carried: at most 100, the most frequent first.',
		query: propertiesQuery,
		answer: { status: 200, schema: propertiesAnswer, about: 'The names.' },
		handle: properties,
	},
];
