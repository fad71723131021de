import { useMemo } from 'react';
import { useLocation } from 'wouter';
// The hook of `wouter` decodes the query once, which would remove the escapes in filters.
import { useSearch } from 'wouter/use-browser-location';
import { type Asked, readAsked, writeAsked } from '../../presentation/question-state.ts';
import type { Ask } from './panel.ts';

/** The question in the URL, and how to change it. */
export function useQuestion(): { asked: Asked; ask: Ask; hrefOf(change: Partial<Asked>): string } {
	const search = useSearch();
	const [path, navigate] = useLocation();
	return useMemo(() => {
		const asked = readAsked(search);
		const hrefOf = (change: Partial<Asked>) => {
			const query = writeAsked({ ...asked, ...change }, search);
			return query === '' ? path : `${path}?${query}`;
		};
		return { asked, hrefOf, ask: (change) => navigate(hrefOf(change)) };
	}, [search, path, navigate]);
}
