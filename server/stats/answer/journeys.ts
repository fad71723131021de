/**
 * Journeys: the steps that visits take after an anchor, or took before it.
 *
 * A visit that the filter selects is part of it if any of its events meets the anchor; the first such event is its anchor, in both
 * directions. Its steps are its page views (or all its events) after the anchor in the order of time, or before it in the reverse
 * order. Equal nodes one after the other are one step unless they are not folded. A visit without a k-th step ends there: it takes
 * part in the steps before k, in an exit at k, and in no later step. So of every step, the visits of its nodes, its exits and
 * those that ended earlier add up to the visits with the anchor.
 */
import type { Question } from '../question/question.ts';
import { findOpenDays, readDaysOf, type StatsServices } from './answer.ts';
import { visitsFrom } from './build.ts';
import { buildPaths, type Journey, type PathRow } from './journey-paths.ts';
import { plan } from './plan.ts';
import { compareBytes } from './rank.ts';
import { importedIn, type StatsAnswer } from './shape.ts';

/** `exit`: the visit ends here, or with the direction `before` begins. `other`: every node that is not listed by itself. */
export type JourneyNode =
	| { kind: 'page' | 'page_group' | 'event'; value: string }
	| { kind: 'other' | 'exit' };

/** `compared` is null without a comparison, and where it is no longer available. */
export type JourneyCounts = { visits: number; compared: number | null };

export type JourneyStep = {
	nodes: (JourneyCounts & { node: JourneyNode })[];
	/** Visits that ended before this step. */
	ended: JourneyCounts;
	/** From the nodes of the step before, or from the anchor, which is null. */
	links: (JourneyCounts & { from: JourneyNode | null; to: JourneyNode })[];
};

export type JourneyAnswer = {
	/** Null when part of the period is no longer available. */
	journey: {
		anchor: JourneyCounts;
		steps: JourneyStep[];
		/** The most frequent whole paths. One that is shorter than the steps ends with an exit. */
		paths: (JourneyCounts & { nodes: JourneyNode[] })[];
	} | null;
	meta: StatsAnswer['meta'];
};

/** Uses only the website, spans and filter of the question. */
export async function answerJourney(
	{ website, span, compared, filter }: Question,
	journey: Journey,
	services: StatsServices,
	signal: AbortSignal,
): Promise<JourneyAnswer> {
	const began = performance.now();
	const asOf = services.now();
	const question: Question = {
		website,
		span,
		filter,
		compared,
		buckets: null,
		comparedBuckets: null,
		metrics: ['visits'],
		goal: null,
		// So that the plan never uses totals.
		onlyConverted: true,
		breakdowns: [],
	};
	const planned = plan(question, await readDaysOf(services.postgres, question));
	const { totals: isGone, compared: isComparedGone } = planned.unavailable;
	const isCompared = compared !== null && !isComparedGone;
	const parts = isGone ? [] : planned.parts.filter((part) => isCompared || !part.isCompared);
	const open = await findOpenDays(question, { ...planned, parts }, services);
	const { rows, readRows } =
		parts.length === 0
			? { rows: [], readRows: 0 }
			: await services.clickhouse.ask<PathRow>(
					buildPaths(question, journey, parts, ({ source }, columns) =>
						visitsFrom(question, source, open, columns),
					),
					{ name: 'journey', signal },
				);
	const oldest = Math.min(asOf.getTime(), ...[...open.values()].map(({ at }) => at.getTime()));
	return {
		journey: isGone ? null : toJourney(rows, journey, isCompared),
		meta: {
			asOf: new Date(oldest),
			answeredFrom: [...new Set(parts.map(({ source }) => source.from))],
			rowsRead: readRows,
			ms: performance.now() - began,
			availableFrom: planned.availableFrom,
			imported: importedIn(planned, span),
		},
	};
}

function toJourney(
	rows: readonly PathRow[],
	{ steps }: Journey,
	isCompared: boolean,
): JourneyAnswer['journey'] {
	const countsOf = (some: readonly PathRow[]): JourneyCounts => ({
		visits: sum(some.map(({ visits }) => visits)),
		compared: isCompared ? sum(some.map(({ compared }) => compared)) : null,
	});
	const linksOf = (step: number) => rows.filter((row) => row.step === step);
	const exitsBefore = (step: number) =>
		rows.filter((row) => row.step > 0 && row.step < step && row.to_node === '');
	return {
		anchor: countsOf(linksOf(1)),
		steps: Array.from({ length: steps }, (_, index): JourneyStep => {
			const links = linksOf(index + 1);
			const nodes = [...Map.groupBy(links, ({ to_node }) => to_node)].map(([text, some]) => ({
				text,
				counts: countsOf(some),
			}));
			return {
				nodes: nodes
					.toSorted(
						(a, b) =>
							lastOf(a.text) - lastOf(b.text) ||
							b.counts.visits - a.counts.visits ||
							Number(b.counts.compared) - Number(a.counts.compared) ||
							compareBytes(a.text, b.text),
					)
					.map(({ text, counts }) => ({ node: toNode(text), ...counts })),
				ended: countsOf(exitsBefore(index + 1)),
				links: links.map((row) => ({
					from: index === 0 ? null : toNode(row.from_node),
					to: toNode(row.to_node),
					...countsOf([row]),
				})),
			};
		}),
		paths: linksOf(0).map((row) => ({
			nodes: [
				...row.path.map(toNode),
				...(row.path.length < steps ? [{ kind: 'exit' } satisfies JourneyNode] : []),
			],
			...countsOf([row]),
		})),
	};
}

/** `(other)` comes after all other nodes, and an exit last. */
const lastOf = (text: string): number => ['o', ''].indexOf(text);

function toNode(text: string): JourneyNode {
	switch (text[0]) {
		case 'p':
			return { kind: 'page', value: text.slice(1) };
		case 'g':
			return { kind: 'page_group', value: text.slice(1) };
		case 'e':
			return { kind: 'event', value: text.slice(1) };
		case 'o':
			return { kind: 'other' };
		default:
			return { kind: 'exit' };
	}
}

const sum = (counts: readonly string[]): number => counts.reduce((total, count) => total + Number(count), 0);
