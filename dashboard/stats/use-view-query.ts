import { useMemo } from 'react';
import { useLocation } from 'wouter';
// The hook of `wouter` decodes the query once, which would remove the escapes in filters.
import { useSearch } from 'wouter/use-browser-location';
import { formatViewQuery, goalOf, parseViewQuery, type ViewQuery } from '../../presentation/view-query.ts';
import { useSession } from '../session.tsx';
import type { UpdateQuery } from './panel.ts';

/** The question in the URL, and how to change it. */
export function useViewQuery(): {
	query: ViewQuery;
	updateQuery: UpdateQuery;
	hrefOf(change: Partial<ViewQuery>): string;
} {
	const search = useSearch();
	const [path, navigate] = useLocation();
	const weekStart = useSession()?.person.week_start;
	return useMemo(() => {
		const state = parseViewQuery(search);
		const hrefOf = (change: Partial<ViewQuery>) => {
			const changed = formatViewQuery({ ...state, ...change }, search);
			return changed === '' ? path : `${path}?${changed}`;
		};
		// Panels show conversions of the selected goal, also if it is selected as a filter.
		const query = { ...state, goal: goalOf(state), weekStart };
		return { query, hrefOf, updateQuery: (change) => navigate(hrefOf(change)) };
	}, [search, path, navigate, weekStart]);
}
