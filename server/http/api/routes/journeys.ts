import type { z } from 'zod';
import { journeysAnswer, journeysQuery } from '../../../../api/journeys.ts';
import { gatherFaults, invalid } from '../../../lib/app-error.ts';
import type { Anchor, Journey } from '../../../stats/answer/journey-paths.ts';
import {
	answerJourney,
	type JourneyAnswer,
	type JourneyCounts,
	type JourneyNode,
} from '../../../stats/answer/journeys.ts';
import { parseQuestion } from '../../../stats/question/parse-question.ts';
import type { Goal } from '../../../stats/question/question.ts';
import { getStatsContext } from '../../../stats/question/stats-context.ts';
import { readParameters } from '../../request/read-parameters.ts';
import { wantsCsv } from '../csv.ts';
import { readFilterParams } from '../filter-params.ts';
import { comparisonOf } from '../period-question.ts';
import { json, type WebsiteRoute } from '../route.ts';
import { csv } from '../stats-csv.ts';
import { toMeta } from '../stats-meta.ts';

const journeys: WebsiteRoute['handle'] = async (call, { postgres, stats, now }) => {
	const { principal, website, signal } = call;
	const context = await getStatsContext(postgres, principal, website);
	const faults = gatherFaults();
	const sent = readParameters(call.query, journeysQuery, faults);
	stats.assertCapacity(website.id, principal);
	const filters = await readFilterParams(postgres, website.id, sent, faults);
	const anchor = faults.attempt(() => readAnchor(sent.start, context.website.goals));
	const { period, from, to, week_start: weekStart } = sent;
	const { question } = parseQuestion(
		context,
		{
			...{ period, from, to, weekStart, filters, comparison: comparisonOf(sent) },
			...{ metrics: [], goal: undefined, series: null, breakdowns: [] },
		},
		now(),
		faults,
	);
	if (!anchor) throw new Error('The anchor is valid but was not read.');
	const { journey, meta } = await stats.runBounded(
		{ principal, websiteId: website.id, signal },
		(engine, ending) => answerJourney(question, toJourney(anchor, sent), engine, ending),
	);
	const { span, compared } = question;
	const data = {
		start: toStart(anchor),
		direction: sent.direction,
		...toData(journey, sent.direction),
	};
	if (wantsCsv(call.header('accept')))
		return csv(
			[website.domain, 'journeys', span.from, span.to],
			['step', 'from_kind', 'from', 'to_kind', 'to', 'visits', 'share', 'compared_visits', 'change'],
			(data.steps ?? []).flatMap(({ step, links }) => links.map((link) => ({ step, ...link }))),
			({ step, from, to, ...counts }) => [
				step,
				from?.kind ?? data.start.kind,
				from ? from.value : (data.start.name ?? data.start.value),
				...[to.kind, to.value, counts.visits, counts.share, counts.compared_visits, counts.change],
			],
		);
	return json(200, {
		data,
		meta: {
			from: span.from,
			to: span.to,
			...(compared && { compared: { from: compared.from, to: compared.to } }),
			...toMeta(question, meta, now()),
		},
	});
};

function readAnchor(start: string, goals: readonly Goal[]): Anchor {
	const [, kind, value = ''] = /^(page|page_group|event|goal):(.*)$/s.exec(start) ?? [];
	if (kind === 'page' || kind === 'page_group' || kind === 'event') return { kind, value };
	if (kind !== 'goal')
		throw invalid({
			start: [
				'The start parameter must be like page:/pricing, page_group:/product/:id, event:Signup or goal:12.',
			],
		});
	const goal = goals.find(({ id }) => String(id) === value);
	if (!goal) throw invalid({ start: [`The website has no goal ${value}.`] });
	return { kind, goal };
}

const toJourney = (anchor: Anchor, sent: z.output<typeof journeysQuery>): Journey => ({
	anchor,
	direction: sent.direction,
	steps: sent.steps,
	isFolded: sent.folded === 1,
	nodes: sent.nodes,
	isGrouped: sent.grouped === 1,
	maxNodes: sent.limit,
	maxPaths: sent.paths,
});

const toStart = (anchor: Anchor): { kind: Anchor['kind']; value: string; name?: string } =>
	anchor.kind === 'goal' ? { kind: 'goal', value: String(anchor.goal.id), name: anchor.goal.name } : anchor;

function toData(journey: JourneyAnswer['journey'], direction: Journey['direction']) {
	if (!journey) return { visits: null, compared_visits: null, change: null, steps: null, paths: null };
	const { anchor, steps, paths } = journey;
	const toNode = (node: JourneyNode) => ({
		kind: node.kind === 'exit' && direction === 'before' ? ('entry' as const) : node.kind,
		value: 'value' in node ? node.value : null,
	});
	const toCounts = ({ visits, compared }: JourneyCounts) => ({
		visits,
		share: anchor.visits === 0 ? null : visits / anchor.visits,
		compared_visits: compared,
		change: compared === null ? null : visits - compared,
	});
	const { share: _, ...start } = toCounts(anchor);
	return {
		...start,
		steps: steps.map(({ nodes, ended, links }, index) => ({
			step: index + 1,
			nodes: nodes.map(({ node, ...counts }) => ({ ...toNode(node), ...toCounts(counts) })),
			ended: toCounts(ended),
			links: links.map(({ from, to, ...counts }) => ({
				from: from && toNode(from),
				to: toNode(to),
				...toCounts(counts),
			})),
		})),
		paths: paths.map(({ nodes, ...counts }) => ({ nodes: nodes.map(toNode), ...toCounts(counts) })),
	};
}

export const journeyRoutes: readonly WebsiteRoute[] = [
	{
		methods: ['GET'],
		path: '/websites/:id/journeys',
		tag: 'statistics',
		action: 'stats.journeys',
		operationId: 'getJourneys',
		summary: 'Get the steps of visits after or before a page, event or goal',
		description:
			'Returns for up to five steps what visits did next or before, how they moved between these steps, and the most frequent whole paths. Counted in visits. Not available for shares.',
		query: journeysQuery,
		response: { status: 200, schema: journeysAnswer, description: 'The steps, links and paths.' },
		errors: ['not_found', 'validation_failed', 'unavailable'],
		handle: journeys,
	},
];
