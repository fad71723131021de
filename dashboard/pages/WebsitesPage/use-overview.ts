import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type Overview, type OverviewLine, type Parameters, websites } from '../../api-client.ts';
import { manage } from '../../website-client.ts';
import { filterOf, type ListState, queryOf } from './list-state.ts';

/** Changing a website invalidates all keys that start with `websites`. */
const overviewKey = ['websites', 'overview'];

/** Refreshes while the page is visible; sooner after a failure. */
const everyMs = 30_000;
const soonMs = 8_000;

function useOverviewQuery(query: Parameters, isWanted = true) {
	return useQuery({
		queryKey: [...overviewKey, query],
		queryFn: () => websites.overview(query),
		enabled: isWanted,
		placeholderData: keepPreviousData,
		refetchInterval: ({ state }) =>
			state.status === 'error' || state.errorUpdatedAt > state.dataUpdatedAt ? soonMs : everyMs,
	});
}

/**
 * The page of websites; and beside it what the same time does not tell: today's numbers of all of them, or, where today
 * is the time, those of seven days, of all and of each line that is shown.
 */
export function useOverview(state: ListState) {
	const list = useOverviewQuery(queryOf(state));
	const isToday = state.period === 'today';
	const other = useOverviewQuery({ ...filterOf(state), period: isToday ? '7d' : 'today', per_page: 10 });
	const shown = list.data?.data ?? [];
	const week = useOverviewQuery(
		{ period: '7d', websites: shown.map(({ id }) => id).join(), per_page: 100, compare: 'none' },
		isToday && shown.length > 0,
	);
	const weeks = new Map(week.data?.data.map((line) => [line.id, line]));
	return {
		list,
		lines: shown.map((line): ShownLine => {
			const days = isToday ? weeks.get(line.id) : line;
			return {
				...line,
				today: (isToday ? line.visitors : line.sparkline.at(-1)) ?? null,
				days: days?.visitors ?? null,
				sparkline: days?.sparkline ?? [],
			};
		}),
		totals: list.data && {
			now: list.data.meta.totals.now,
			today: isToday ? list.data.meta.totals : other.data?.meta.totals,
			days: isToday ? other.data?.meta.totals : list.data.meta.totals,
		},
	};
}

/** A row: `days` are the visitors of seven days or of the longer selected period. */
export type ShownLine = OverviewLine & { today: number | null; days: number | null };

/** Swaps a favorite with the next or the previous one of the list. */
export function useMoveFavorite(lines: readonly ShownLine[]) {
	const cache = useQueryClient();
	const ids = lines.flatMap(({ id, favorite }) => (favorite === 1 ? [id] : []));
	const mutation = useMutation({
		mutationFn: ({ id, step }: { id: number; step: 1 | -1 }) => manage.sortFavorites(swapped(ids, id, step)),
		onSettled: () => cache.invalidateQueries({ queryKey: overviewKey }),
	});
	return {
		error: mutation.error,
		move: mutation.mutate,
		canMove: (id: number, step: 1 | -1) => swapped(ids, id, step) !== ids,
	};
}

/** The same array where nothing can be swapped. */
function swapped(ids: readonly number[], id: number, step: 1 | -1): readonly number[] {
	const from = ids.indexOf(id);
	const other = ids[from + step];
	if (from < 0 || other === undefined) return ids;
	return ids.map((each) => (each === id ? other : each === other ? id : each));
}

/** Updates the star optimistically and reverts on failure. Rows keep their order until the next refresh. */
export function useFavorite() {
	const cache = useQueryClient();
	const show = (id: number, favorite: 0 | 1) =>
		cache.setQueriesData<Overview>(
			{ queryKey: overviewKey },
			(known) =>
				known && {
					...known,
					data: known.data.map((line) => (line.id === id ? { ...line, favorite } : line)),
				},
		);
	return useMutation({
		mutationFn: ({ id, favorite }: { id: number; favorite: 0 | 1 }) => websites.favorite(id, favorite),
		onMutate: async ({ id, favorite }) => {
			await cache.cancelQueries({ queryKey: overviewKey });
			show(id, favorite);
		},
		onError: (_, { id, favorite }) => show(id, favorite === 1 ? 0 : 1),
		onSuccess: () => cache.invalidateQueries({ queryKey: overviewKey, refetchType: 'none' }),
		// Requests in flight were canceled when the star changed.
		onSettled: () =>
			cache.refetchQueries({
				queryKey: overviewKey,
				type: 'active',
				predicate: ({ state }) => state.data === undefined,
			}),
	});
}
