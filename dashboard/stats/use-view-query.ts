import { useMemo } from 'react';
import { useLocation } from 'wouter';
// The hook of `wouter` decodes the query once, which would remove the escapes in filters.
import { useSearch } from 'wouter/use-browser-location';
import { formatViewQuery, parseViewQuery, type ViewQuery } from '../../presentation/view-query.ts';
import type { UpdateQuery } from './panel.ts';

/** The question in the URL, and how to change it. */
export function useViewQuery(): {
	query: ViewQuery;
	updateQuery: UpdateQuery;
	hrefOf(change: Partial<ViewQuery>): string;
} {
	const search = useSearch();
	const [path, navigate] = useLocation();
	return useMemo(() => {
		const query = parseViewQuery(search);
		const hrefOf = (change: Partial<ViewQuery>) => {
			const changed = formatViewQuery({ ...query, ...change }, search);
			return changed === '' ? path : `${path}?${changed}`;
		};
		return { query, hrefOf, updateQuery: (change) => navigate(hrefOf(change)) };
	}, [search, path, navigate]);
}
