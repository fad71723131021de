import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query';
import {
	type FunnelAnswer,
	type OverviewLine,
	type PageAnswer,
	statistics,
	websites,
} from '../../api-client.ts';
import { type BoardScope, questionKey, questionsOf } from './board-questions.ts';
import type { BoardCard } from './boards-api.ts';

const everyMs = 60_000;
const liveEveryMs = 15_000;

export type CardData = { answer: PageAnswer | undefined; error: Error | null; again(): void };

/** What the cards of a board show. */
export type BoardData = {
	/** The viewer has a share link: nothing leads to the websites. */
	isShared: boolean;
	ofCard(card: BoardCard): CardData | undefined;
	ofFunnel(card: BoardCard, parameters: Record<string, string | undefined>): Promise<FunnelAnswer>;
	lines: ReadonlyMap<number, { domain: string; now: OverviewLine['now'] | undefined }> | undefined;
	linesError: Error | null;
	asOf: string | undefined;
};

/** The statistics of all cards. The server checks access for each website; the board itself grants nothing. */
export function useBoardData(cards: readonly BoardCard[], scope: BoardScope): BoardData {
	const questions = [...questionsOf(cards, scope)];
	const results = useQueries({
		queries: questions.map(([, { website, body }]) => ({
			queryKey: ['stats', website, 'board', body],
			queryFn: ({ signal }: { signal: AbortSignal }) => statistics.page(website, body, signal),
			refetchInterval: everyMs,
		})),
	});
	const byKey = new Map(
		questions.map(([key], index): [string, CardData] => {
			const result = results[index];
			return [
				key,
				{ answer: result?.data, error: result?.error ?? null, again: () => void result?.refetch() },
			];
		}),
	);
	return {
		isShared: false,
		ofFunnel: (card, parameters) => statistics.funnel(card.website_id, card.funnel_id ?? 0, parameters),
		ofCard: (card: BoardCard): CardData | undefined => byKey.get(questionKey(card, scope) ?? ''),
		...useWebsites(cards),
	};
}

/** Domains and current visitors of the websites on the board. A website without a line cannot be read by the viewer. */
function useWebsites(cards: readonly BoardCard[]) {
	const ids = [...new Set(cards.map(({ website_id }) => website_id))].sort((a, b) => a - b);
	const { data, error } = useQuery({
		queryKey: ['websites', 'overview', 'board', ids],
		queryFn: () => websites.overview({ websites: ids.join(), period: 'today', per_page: 100 }),
		enabled: ids.length > 0,
		placeholderData: keepPreviousData,
		refetchInterval: liveEveryMs,
	});
	return {
		lines: data && new Map(data.data.map((line): [number, OverviewLine] => [line.id, line])),
		linesError: error,
		asOf: data?.meta.as_of,
	};
}
