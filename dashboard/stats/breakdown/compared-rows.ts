import { canFilterBy, type PanelProps } from '../panel.ts';

/** Rows of public statistics are compared only for periods that are over, without a filter, and not by small places. */
export function canCompareRows(
	{ website, query, tab, page }: Pick<PanelProps, 'website' | 'query' | 'tab' | 'page'>,
	dimension: string,
): boolean {
	if (query.compare === 'none') return false;
	if (!website.isShared) return true;
	const isFiltered =
		query.filters.length > 0 ||
		query.segment !== undefined ||
		query.goal !== undefined ||
		tab.only !== undefined;
	const isRunning = page?.data.series.some(({ unfinished }) => unfinished) ?? true;
	return !isFiltered && !isRunning && canFilterBy(website, dimension);
}
