import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type PageAnswer, statistics } from '../api-client.ts';
import { type Asked, type PageBody, pageBodyOf } from '../question-state.ts';
import { askedBreakdowns } from './breakdowns.ts';
import { shownPanels } from './drawings.ts';

export type ShownPage = {
	answer: PageAnswer | undefined;
	/** The answer is to the question before, about other visits or another time. */
	isOld: boolean;
	error: Error | null;
	isAsking: boolean;
	again(): void;
};

/** The one question of the page. While a new one is answered the old answer stays. */
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

/** The same but for the tables: then what is shown of the others is right already. */
function isAlike(one: PageBody, other: PageBody): boolean {
	const alike = (body: PageBody) => JSON.stringify({ ...body, breakdowns: [] });
	return alike(one) === alike(other);
}
