import { funnelStatsAnswer, funnelStatsQuery } from '../../../api/funnel-stats.ts';
import { funnels } from '../../items/funnels.ts';
import { getItem } from '../../items/items.ts';
import { getAskedWebsite } from '../../stats/asked-website.ts';
import { refuseForShares } from '../../stats/few.ts';
import { answerFunnel, type FunnelAnswer, toSteps } from '../../stats/funnel.ts';
import { toQuestion } from '../../stats/to-question.ts';
import { type Answer, type Call, json, type Route, readId, type Services } from '../call.ts';
import { readParameters } from '../read-parameters.ts';
import { sentFilters } from '../sent-filters.ts';
import { toMeta } from '../stats-meta.ts';

async function funnelStats(call: Call, { postgres, stats, now }: Services): Promise<Answer> {
	const { principal, signal } = call;
	const websiteId = readId(call);
	const place = { postgres, now, principal, websiteId };
	const funnel = await getItem(place, funnels, 'stats.read', readId(call, 'item_id'));
	const asked = await getAskedWebsite(postgres, principal, websiteId);
	const { period, from, to, ...sent } = readParameters(call.query, funnelStatsQuery);
	stats.admit(websiteId, principal);
	const filters = await sentFilters(postgres, websiteId, sent);
	const { question } = toQuestion(
		asked,
		{ period, from, to, filters, metrics: [], goal: undefined, series: null, breakdowns: [] },
		now(),
	);
	if (principal.kind === 'share') refuseForShares(question);
	const steps = toSteps(funnel.steps, asked.website.goals);
	const { steps: found, meta } = await stats.within({ principal, websiteId, signal }, (services, ending) =>
		answerFunnel(question, steps, services, ending),
	);
	return json(200, {
		data: {
			id: funnel.id,
			name: funnel.name,
			steps: steps.map(({ name }, index) => ({ step: index + 1, name, ...numbersOf(found, index) })),
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
	};
}

export const funnelStatsRoutes: readonly Route[] = [
	{
		methods: ['GET'],
		path: '/websites/:id/funnels/:item_id/stats',
		tag: 'statistics',
		action: 'stats.read',
		operationId: 'getFunnelStats',
		summary: 'Get how far visits come along a funnel',
		about:
			'For each step how many visits reached it: those with events that meet it and all steps before it, one after the other.',
		query: funnelStatsQuery,
		answer: { status: 200, schema: funnelStatsAnswer, about: 'The steps.' },
		errors: ['not_found', 'validation_failed', 'unavailable'],
		handle: funnelStats,
	},
];
