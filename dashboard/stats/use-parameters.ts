import { useLocation } from 'wouter';
// As in use-view-query.ts: keeps the escapes in the query.
import { useSearch } from 'wouter/use-browser-location';
import { formatViewQuery, parseViewQuery, type ViewQuery } from '../../presentation/view-query.ts';

type Changed<N extends string> = Partial<Record<N, string | undefined>>;

/** Query parameters of a panel, in addition to the question. Empty values are removed. */
export function useParameters<N extends string>(names: readonly N[]) {
	const search = useSearch();
	const [path, navigate] = useLocation();
	const sent = new URLSearchParams(search);
	// Object.fromEntries forgets which names there are.
	const values = Object.fromEntries(names.map((name) => [name, sent.get(name) ?? ''])) as Record<N, string>;
	const hrefOf = (changed: Changed<N>, query: Partial<ViewQuery> = {}): string => {
		const kept = new URLSearchParams(search);
		for (const name of names) {
			const value = name in changed ? changed[name] : values[name];
			if (value) kept.set(name, value);
			else kept.delete(name);
		}
		const newSearch = formatViewQuery({ ...parseViewQuery(search), ...query }, kept.toString());
		return newSearch === '' ? path : `${path}?${newSearch}`;
	};
	return {
		values,
		hrefOf,
		set: (changed: Changed<N>, query?: Partial<ViewQuery>, options?: { replace: boolean }) =>
			navigate(hrefOf(changed, query), options),
	};
}
