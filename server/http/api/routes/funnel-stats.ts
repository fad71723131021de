import { funnelStatsAnswer, funnelStatsQuery } from '../../../../api/funnel-stats.ts';
import { funnels } from '../../../items/funnels.ts';
import { getItem } from '../../../items/items.ts';
import { gatherFaults } from '../../../lib/app-error.ts';
import {
	answerFunnel,
	answerSharedFunnel,
	type FunnelAnswer,
	toSteps,
} from '../../../stats/answer/funnel.ts';
import { minVisitorsShown } from '../../../stats/answer/public-thresholds.ts';
import { parseQuestion } from '../../../stats/question/parse-question.ts';
import { refuseForShares } from '../../../stats/question/shared-questions.ts';
import { getStatsContext } from '../../../stats/question/stats-context.ts';
import { readParameters } from '../../request/read-parameters.ts';
import { readFilterParams } from '../filter-params.ts';
import {
	type ApiResponse,
	json,
	readId,
	type Services,
	type WebsiteRequest,
	type WebsiteRoute,
} from '../route.ts';
import { toMeta } from '../stats-meta.ts';

async function funnelStats(call: WebsiteRequest, { postgres, stats, now }: Services): Promise<ApiResponse> {
	const { principal, signal } = call;
	const websiteId = call.website.id;
	const funnel = await getItem(postgres, funnels, websiteId, readId(call, 'item_id'));
	const context = await getStatsContext(postgres, call.website);
	const faults = gatherFaults();
	const { period, from, to, ...sent } = readParameters(call.query, funnelStatsQuery, faults);
	stats.assertCapacity(websiteId, principal);
	const filters = await readFilterParams(postgres, websiteId, sent, faults);
	const { question } = parseQuestion(
		context,
		{ period, from, to, filters, metrics: [], goal: undefined, series: null, breakdowns: [] },
		now(),
		faults,
	);
	const isShare = principal.kind === 'share';
	if (isShare) refuseForShares(question);
	const steps = toSteps(funnel.steps, context.website.goals);
	const { steps: counts, meta } = await stats.runBounded(
		{ principal, websiteId, signal },
		(services, ending) => (isShare ? answerSharedFunnel : answerFunnel)(question, steps, services, ending),
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
			...toMeta(question, meta, now()),
		},
	});
}

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
		action: 'stats.read',
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
