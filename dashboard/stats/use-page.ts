import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type PageBody, pageBodyOf, type ViewQuery } from '../../presentation/view-query.ts';
import { type PageAnswer, statistics } from '../api-client.ts';
import { visibleBreakdowns } from './breakdowns.ts';
import { shownPanels } from './lazy-panels.ts';

export type ShownPage = {
	answer: PageAnswer | undefined;
	/** The shown answer belongs to the previous question. */
	isOld: boolean;
	error: Error | null;
	isAsking: boolean;
	again(): void;
};

/** The page query. The previous answer stays while a new one loads. */
export function usePage(website: number, query: ViewQuery, isAllowed = true): ShownPage {
	const body = pageBodyOf(query, visibleBreakdowns(query, shownPanels));
	const result = useQuery({
		queryKey: ['stats', website, 'page', body],
		queryFn: async ({ signal }) => ({
			website,
			body,
			answer: await statistics.page(website, body, signal),
		}),
		placeholderData: keepPreviousData,
		refetchInterval: 60_000,
		enabled: isAllowed,
	});
	const isOfThis = result.data?.website === website;
	return {
		answer: isOfThis ? result.data?.answer : undefined,
		isOld: result.isPlaceholderData && result.data !== undefined && !isAlike(result.data.body, body),
		error: result.error,
		isAsking: result.isFetching,
		again: () => void result.refetch(),
	};
}

/** The same except for tables: then everything else shown is already right. */
function isAlike(first: PageBody, second: PageBody): boolean {
	const alike = (body: PageBody) => JSON.stringify({ ...body, breakdowns: [] });
	return alike(first) === alike(second);
}
