import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type Asked, type PageBody, pageBodyOf } from '../../presentation/question-state.ts';
import { type PageAnswer, statistics } from '../api-client.ts';
import { askedBreakdowns } from './breakdowns.ts';
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
export function usePage(website: number, asked: Asked, isAllowed = true): ShownPage {
	const body = pageBodyOf(asked, askedBreakdowns(asked, shownPanels));
	const found = useQuery({
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
	const isOfThis = found.data?.website === website;
	return {
		answer: isOfThis ? found.data?.answer : undefined,
		isOld: found.isPlaceholderData && found.data !== undefined && !isAlike(found.data.body, body),
		error: found.error,
		isAsking: found.isFetching,
		again: () => void found.refetch(),
	};
}

/** The same except for tables: then everything else shown is already right. */
function isAlike(first: PageBody, second: PageBody): boolean {
	const alike = (body: PageBody) => JSON.stringify({ ...body, breakdowns: [] });
	return alike(first) === alike(second);
}
