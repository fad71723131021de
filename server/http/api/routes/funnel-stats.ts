import { funnelStatsAnswer, funnelStatsQuery } from '../../../../api/funnel-stats.ts';
import { funnels } from '../../../items/funnels.ts';
import { getItem } from '../../../items/items.ts';
import {
	answerFunnel,
	answerSharedFunnel,
	type FunnelAnswer,
	toSteps,
} from '../../../stats/answer/funnel.ts';
import { minVisitorsShown } from '../../../stats/answer/public-thresholds.ts';
import { refuseForShares } from '../../../stats/question/shared-questions.ts';
import { readPeriodQuestion } from '../period-question.ts';
import { json, readId, type WebsiteRoute } from '../route.ts';
import { toMeta } from '../stats-meta.ts';

const funnelStats: WebsiteRoute['handle'] = async (call, services) => {
	const { principal, website, signal } = call;
	const funnel = await getItem(services.postgres, funnels, website.id, readId(call, 'item_id'));
	const { question } = await readPeriodQuestion(call, services, funnelStatsQuery);
	const isShare = principal.kind === 'share';
	if (isShare) refuseForShares(question);
	const steps = toSteps(funnel.steps, question.website.goals);
	const { steps: counts, meta } = await services.stats.runBounded(
		{ principal, websiteId: website.id, signal },
		(engine, ending) => (isShare ? answerSharedFunnel : answerFunnel)(question, steps, engine, ending),
	);
	return json(200, {
		data: {
			id: funnel.id,
			name: funnel.name,
			steps: steps.map(({ name }, index) => ({ step: index + 1, name, ...numbersOf(counts, index) })),
		},
		meta: {
			from: question.span.from,
			to: question.span.to,
			...toMeta(question, meta, services.now()),
		},
	});
};

function numbersOf(steps: FunnelAnswer['steps'], index: number) {
	const [first, before, here] = [steps?.[0], steps?.[index - 1], steps?.[index]];
	const share = (part: number, whole: number) => (whole === 0 ? null : part / whole);
	return {
		visits: here?.visits ?? null,
		visitors: here?.visitors ?? null,
		drop_off: before && here ? share(before.visits - here.visits, before.visits) : null,
		conversion_rate: first && here ? share(here.visits, first.visits) : null,
		...(here === null && { fewer_than: minVisitorsShown }),
	};
}

export const funnelStatsRoutes: readonly WebsiteRoute[] = [
	{
		methods: ['GET'],
		path: '/websites/:id/funnels/:item_id/stats',
		tag: 'statistics',
		action: 'stats.conversions',
		operationId: 'getFunnelStats',
		summary: 'Get the conversion of a funnel',
		description:
			'Returns how many visits reached each step. A visit reaches a step if its events match that step and all previous steps, in order.',
		query: funnelStatsQuery,
		response: { status: 200, schema: funnelStatsAnswer, description: 'The steps.' },
		errors: ['not_found', 'validation_failed', 'unavailable'],
		handle: funnelStats,
	},
];
