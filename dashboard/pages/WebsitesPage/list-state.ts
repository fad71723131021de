import { useCallback } from 'react';
import { useLocation, useSearch } from 'wouter';
import type { Parameters } from '../../api-client.ts';

export const periods = ['today', '7d', '30d'] as const;
export const sorts = ['visitors', 'change', 'domain', 'newest'] as const;
export const comparisons = ['previous', 'year'] as const;
export const pageSizes = [25, 50, 100] as const;

export type ListPeriod = (typeof periods)[number];
export type ListSort = (typeof sorts)[number];
export type ListComparison = (typeof comparisons)[number];

/** State of the list, stored in the URL. */
export type ListState = {
	search: string;
	label: string;
	period: ListPeriod;
	compare: ListComparison;
	sort: ListSort;
	perPage: number;
	page: number;
};

const standard: ListState = {
	search: '',
	label: '',
	period: '7d',
	compare: 'previous',
	sort: 'visitors',
	perPage: 25,
	page: 1,
};

/** Missing and invalid parameters fall back to defaults. */
function readState(search: string): ListState {
	const params = new URLSearchParams(search);
	const oneOf = <V extends string | number>(name: string, values: readonly V[], otherwise: V): V =>
		values.find((value) => String(value) === params.get(name)) ?? otherwise;
	const page = Number(params.get('page'));
	return {
		search: params.get('search') ?? '',
		label: params.get('label') ?? '',
		period: oneOf('period', periods, standard.period),
		compare: oneOf('compare', comparisons, standard.compare),
		sort: oneOf('sort', sorts, standard.sort),
		perPage: oneOf('per_page', pageSizes, standard.perPage),
		page: Number.isSafeInteger(page) && page > 0 ? page : 1,
	};
}

export function addressOfState(state: ListState): string {
	const said = new URLSearchParams();
	const say = (name: string, value: string | number, usual: string | number) => {
		if (value !== usual) said.set(name, String(value));
	};
	say('search', state.search, standard.search);
	say('label', state.label, standard.label);
	say('period', state.period, standard.period);
	say('compare', state.compare, standard.compare);
	say('sort', state.sort, standard.sort);
	say('per_page', state.perPage, standard.perPage);
	say('page', state.page, standard.page);
	return said.size > 0 ? `/websites?${said}` : '/websites';
}

/** Changing which websites are shown returns to the first page. */
export function useListState() {
	const state = readState(useSearch());
	const [, navigate] = useLocation();
	const change = useCallback(
		(changed: Partial<ListState>, how: { replace?: boolean } = {}) =>
			navigate(addressOfState({ ...readState(location.search), page: 1, ...changed }), how),
		[navigate],
	);
	return { state, change };
}

const orders: Record<ListSort, { sort_by: string; sort: 'asc' | 'desc' }> = {
	visitors: { sort_by: 'visitors', sort: 'desc' },
	change: { sort_by: 'change', sort: 'desc' },
	domain: { sort_by: 'domain', sort: 'asc' },
	newest: { sort_by: 'id', sort: 'desc' },
};

/** Parameters of the API request. */
export const filterOf = ({ search, label, compare }: ListState): Parameters => ({
	search: search.trim() || undefined,
	label: label || undefined,
	compare: compare === standard.compare ? undefined : compare,
});

export const queryOf = (state: ListState): Parameters => ({
	...filterOf(state),
	...orders[state.sort],
	favorites_first: 1,
	period: state.period,
	per_page: state.perPage,
	page: state.page,
});
