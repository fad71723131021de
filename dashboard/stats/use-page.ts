import { keepPreviousData, useQuery } from '@tanstack/react-query';
import {
	goalRevenueBodyOf,
	type PageBody,
	pageBodyOf,
	type ViewQuery,
} from '../../presentation/view-query.ts';
import { type PageAnswer, statistics } from '../api-client.ts';
import { visibleBreakdowns } from './breakdowns.ts';
import { panelsFor } from './lazy-panels.ts';
import type { ShownWebsite } from './panel.ts';

export type ShownPage = {
	answer: PageAnswer | undefined;
	/** The shown answer belongs to the previous question. */
	isOld: boolean;
	error: Error | null;
	isAsking: boolean;
	again(): void;
};

export const pageKeyOf = (website: number, body: PageBody) => ['stats', website, 'page', body] as const;

/** The page query. The previous answer stays while a new one loads. */
export function usePage(
	{ id: website, link }: Pick<ShownWebsite, 'id' | 'link'>,
	query: ViewQuery,
	isAllowed = true,
): ShownPage {
	const body = pageBodyOf(query, visibleBreakdowns(query, panelsFor({ ...(link && { link }) })));
	const result = useQuery({
		queryKey: pageKeyOf(website, body),
		queryFn: async ({ signal }) => ({
			website,
			body,
			answer: await askPage(website, query, body, signal),
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

async function askPage(website: number, query: ViewQuery, body: PageBody, signal: AbortSignal) {
	const revenueBody = goalRevenueBodyOf(query);
	const [answer, revenue] = await Promise.all([
		statistics.page(website, body, signal),
		revenueBody && statistics.page(website, revenueBody, signal),
	]);
	return revenue ? withRevenue(answer, revenue) : answer;
}

/** Revenue of the selected goal, which has a request of its own, as one more metric of the page. */
function withRevenue(answer: PageAnswer, { data: other }: PageAnswer): PageAnswer {
	const { totals, series, compared } = answer.data;
	const pointsOf = (points: typeof series, others: typeof series | undefined) =>
		points.map((point, index) => ({ ...point, revenue: others?.[index]?.revenue }));
	return {
		...answer,
		data: {
			...answer.data,
			totals: { ...totals, revenue: other.totals.revenue },
			series: pointsOf(series, other.series),
			compared: compared && {
				...compared,
				totals: { ...compared.totals, revenue: other.compared?.totals.revenue },
				series: pointsOf(compared.series, other.compared?.series),
			},
		},
	};
}

/** The same except for tables: then everything else shown is already right. */
export function isAlike(first: PageBody, second: PageBody): boolean {
	const alike = (body: PageBody) => JSON.stringify({ ...body, breakdowns: [] });
	return alike(first) === alike(second);
}
