import { useQueries } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { formatTimeOfDay } from '../../../presentation/format.ts';
import type { FunnelAnswer, PageAnswer } from '../../api-client.ts';
import { AppLayout } from '../../layout/AppLayout.tsx';
import { Attribution } from '../../layout/Attribution.tsx';
import { type OpenBoard, sharedLink } from '../../share-links-client.ts';
import { BoardGrid } from '../BoardsPage/BoardGrid.tsx';
import styles from '../BoardsPage/BoardPage.module.css';
import type { BoardCard } from '../BoardsPage/boards-api.ts';
import type { BoardData } from '../BoardsPage/use-board-data.ts';

const everyMs = 60_000;

/** The cards of a shared board. Each is answered by its place on the board. */
export function BoardLinkPage({ board }: { board: OpenBoard['board'] }) {
	const { t, i18n } = useTranslation();
	const data = useSharedBoard(board);
	return (
		<AppLayout title={board.name} crumbs={<h1>{board.name}</h1>}>
			<div className={styles.head}>
				<p>{t(`statistics.periods.${board.period}`)}</p>
			</div>
			<BoardGrid cards={board.cards.map(({ card }) => card)} scope={{ period: board.period }} data={data} />
			<footer className={styles.foot}>
				<span>{t('boards.zones')}</span>
				<Attribution />
				{data.asOf && (
					<time dateTime={data.asOf}>
						{t('common.asOf', { time: formatTimeOfDay(data.asOf, i18n.language) })}
					</time>
				)}
			</footer>
		</AppLayout>
	);
}

function useSharedBoard({ cards, websites }: OpenBoard['board']): BoardData {
	const results = useQueries({
		queries: cards.map(({ index, card }) => ({
			queryKey: ['shared-card', index, card],
			queryFn: () => sharedLink.card(index),
			refetchInterval: everyMs,
		})),
	});
	const resultOf = (card: BoardCard) => results[cards.findIndex((each) => each.card === card)];
	const now = (id: number) => {
		const live = cards.find(({ card }) => card.view === 'live' && card.website_id === id);
		// The card's own answer, which its view tells apart.
		const answer = live && (resultOf(live.card)?.data as { data: { visitors: number } } | undefined);
		return answer?.data.visitors;
	};
	const answers = results.flatMap(({ data }) => (data && 'meta' in data ? [data as PageAnswer] : []));
	return {
		isShared: true,
		ofCard: (card) => {
			const result = resultOf(card);
			return {
				answer: result?.data as PageAnswer | undefined,
				error: result?.error ?? null,
				again: () => void result?.refetch(),
			};
		},
		ofFunnel: async (card) =>
			(await sharedLink.card(cards.find((each) => each.card === card)?.index ?? -1)) as FunnelAnswer,
		lines: new Map(websites.map(({ id, domain }) => [id, { domain, now: now(id) }])),
		linesError: null,
		asOf: answers[0]?.meta.as_of,
	};
}
