/** The requests of a board: cards of a website with the same period and filters share one. Pure. */
import type { BoardCard } from '../../../api/boards.ts';
import {
	type BreakdownRequest,
	defaults,
	type MetricName,
	type PageBody,
	type ViewQuery,
	viewBodyOf,
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

/** A card before anything is chosen. */
export const blankCard: BoardCard = {
	website_id: 0,
	view: 'number',
	metric: 'visitors',
	dimension: null,
	funnel_id: null,
	period: null,
	filters: [],
	segment_id: null,
	width: 4,
};

/** What all cards have in common: the period of the board and the reader's first day of the week. */
export type BoardScope = Pick<ViewQuery, 'period' | 'weekStart'>;

/** The statistics page that a card is a part of. */
export const queryOf = (
	{ period, filters, segment_id: segment }: BoardCard,
	scope: BoardScope,
): ViewQuery => ({
	...defaults,
	...scope,
	...(period !== null && { period }),
	filters,
	...(segment !== null && { segment }),
});

/** Identifies the request that answers a card; undefined for cards that the page query does not answer. */
export function questionKey(card: BoardCard, scope: BoardScope): string | undefined {
	if (card.view === 'funnel' || card.view === 'live') return undefined;
	return JSON.stringify([card.website_id, viewBodyOf(queryOf(card, scope), [], [])]);
}

export function questionsOf(
	cards: readonly BoardCard[],
	scope: BoardScope,
): ReadonlyMap<string, BoardQuestion> {
	const questions = new Map<string, BoardQuestion>();
	for (const [key, group] of Map.groupBy(cards, (card) => questionKey(card, scope))) {
		const [first] = group;
		if (key === undefined || !first) continue;
		const metrics = unique(group.map(({ metric }) => metric));
		const body = viewBodyOf(queryOf(first, scope), metrics, breakdownsOf(group));
		questions.set(key, { website: first.website_id, body });
	}
	return questions;
}

/** Each dimension once, with the metrics of all its cards. */
function breakdownsOf(group: readonly BoardCard[]): BreakdownRequest[] {
	const metrics = new Map<string, MetricName[]>();
	for (const { dimension, metric } of group)
		if (dimension !== null) metrics.set(dimension, unique([...(metrics.get(dimension) ?? []), metric]));
	return [...metrics].map(([dimension, names]) => ({ dimension, metrics: names, limit: cardRows }));
}

const unique = <T>(values: readonly T[]): T[] => [...new Set(values)];
