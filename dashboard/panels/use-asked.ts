import { useMemo } from 'react';
import { useLocation } from 'wouter';
// The hook of the same name in `wouter` decodes the query once, which takes the escapes out of filters.
import { useSearch } from 'wouter/use-browser-location';
import { type Asked, readAsked, writeAsked } from '../question-state.ts';
import type { Ask } from './panel.ts';

/** What the address asks, and how to ask something else. */
export function useAsked(): { asked: Asked; ask: Ask; hrefOf(change: Partial<Asked>): string } {
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
