/** The requests of a board: cards of a website with the same period and filters share one. Pure. */
import type { BoardCard } from '../../../api/boards.ts';
import {
	type BreakdownRequest,
	filterOf,
	type MetricName,
	type PageBody,
	type Period,
} from '../../../presentation/view-query.ts';

export type BoardQuestion = { website: number; body: PageBody };

/** The views and widths of `api/boards.ts`, whose schemas are not part of the dashboard. */
export const boardViews = [
	'number',
	'chart',
	'breakdown',
	'funnel',
	'live',
] as const satisfies readonly BoardCard['view'][];
export const cardWidths = [3, 4, 6, 8, 12] as const satisfies readonly BoardCard['width'][];
/** Their names in the texts. */
export const widthNames = { 3: 'quarter', 4: 'third', 6: 'half', 8: 'twoThirds', 12: 'full' } as const;

/** Rows of a breakdown card. */
const cardRows = 6;

export const periodOf = (card: BoardCard, boardPeriod: Period): Period => card.period ?? boardPeriod;

/** Identifies the request that answers a card; undefined for cards that the page query does not answer. */
export function questionKey(card: BoardCard, boardPeriod: Period): string | undefined {
	if (card.view === 'funnel' || card.view === 'live') return undefined;
	return JSON.stringify([card.website_id, periodOf(card, boardPeriod), card.filters, card.segment_id]);
}

export function questionsOf(
	cards: readonly BoardCard[],
	boardPeriod: Period,
): ReadonlyMap<string, BoardQuestion> {
	const groups = Map.groupBy(cards, (card) => questionKey(card, boardPeriod));
	const questions = new Map<string, BoardQuestion>();
	for (const [key, group] of groups) {
		const [first] = group;
		if (key !== undefined && first)
			questions.set(key, { website: first.website_id, body: bodyOf(first, group, boardPeriod) });
	}
	return questions;
}

function bodyOf(first: BoardCard, group: readonly BoardCard[], boardPeriod: Period): PageBody {
	const filters = filterOf(first.filters);
	return {
		period: periodOf(first, boardPeriod),
		compare: 'previous',
		metrics: unique(group.map(({ metric }) => metric)),
		...(filters && { filters }),
		...(first.segment_id !== null && { segment: first.segment_id }),
		breakdowns: breakdownsOf(group),
	};
}

/** Each dimension once, with the metrics of all its cards. */
function breakdownsOf(group: readonly BoardCard[]): BreakdownRequest[] {
	const metrics = new Map<string, MetricName[]>();
	for (const { dimension, metric } of group)
		if (dimension !== null) metrics.set(dimension, unique([...(metrics.get(dimension) ?? []), metric]));
	return [...metrics].map(([dimension, names]) => ({ dimension, metrics: names, limit: cardRows }));
}

const unique = <T>(values: readonly T[]): T[] => [...new Set(values)];
