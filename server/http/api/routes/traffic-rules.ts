import { singleRecord } from '../../../../api/envelopes.ts';
import {
	createTrafficRuleBody,
	deletedTrafficRule,
	listTrafficRulesQuery,
	previewTrafficRuleBody,
	trafficRulePreview,
	trafficRuleRecord,
	updateTrafficRuleBody,
} from '../../../../api/traffic-rules.ts';
import { filterOfRule } from '../../../items/rule-filter.ts';
import { readCondition, trafficRules } from '../../../items/traffic-rules.ts';
import { parseQuestion } from '../../../stats/question/parse-question.ts';
import { getStatsContext } from '../../../stats/question/stats-context.ts';
import { knownFields } from '../../request/read-body.ts';
import { json, type WebsiteRoute } from '../route.ts';
import { bodyErrors, bodyParser, noConditions, routesOf } from './items.ts';

const metrics = ['visits', 'visitors', 'pageviews'] as const;

const preview: WebsiteRoute['handle'] = async (call, { postgres, stats, now, collect }) => {
	const { principal, website } = call;
	const parse = bodyParser(call, knownFields(previewTrafficRuleBody));
	const condition = parse(previewTrafficRuleBody.transform(readCondition));
	const filter = filterOfRule(condition);
	stats.assertCapacity(website.id, principal);
	const { question } = parseQuestion(
		await getStatsContext(postgres, principal, website),
		{
			period: '30d',
			from: undefined,
			to: undefined,
			series: null,
			metrics,
			filters: [],
			goal: undefined,
			breakdowns: [],
		},
		now(),
	);
	const { from, to } = question.span;
	const missing = condition.kind === 'operator' && !collect.hasOperators() ? 'operator_database' : null;
	if ('reason' in filter)
		return json(200, { data: { matches: null, reason: filter.reason, missing, from, to } });
	const { totals } = await stats.ask({ ...question, filter }, call);
	const [visits, visitors, pageviews] = metrics.map((name) => totals[name] ?? null);
	const matches =
		visits === null || visitors === null || pageviews === null ? null : { visits, visitors, pageviews };
	return json(200, { data: { matches, reason: matches ? null : 'not_available', missing, from, to } });
};

export const trafficRuleRoutes: readonly WebsiteRoute[] = [
	{
		methods: ['POST'],
		path: '/websites/:id/traffic-rules/preview',
		action: 'website.addresses',
		operationId: 'previewTrafficRule',
		summary: 'Preview a traffic rule',
		description:
			'Counts the visits of the last 30 days, with today, that a rule would have matched. Nothing is stored or changed.',
		body: previewTrafficRuleBody,
		response: { status: 200, schema: singleRecord(trafficRulePreview), description: 'The numbers.' },
		errors: [...bodyErrors, 'unavailable'],
		handle: preview,
	},
	...routesOf({
		names: trafficRules,
		collection: () => trafficRules,
		// Rules may name addresses of the people who work on the website.
		readAction: 'website.addresses',
		description: 'A traffic rule drops new hits by a value. Past traffic stays counted.',
		query: listTrafficRulesQuery,
		conditions: noConditions,
		newBody: createTrafficRuleBody,
		changedBody: updateTrafficRuleBody,
		record: trafficRuleRecord,
		deleted: deletedTrafficRule,
	}),
];
