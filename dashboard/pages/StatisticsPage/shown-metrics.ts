import type { Value } from '../../../presentation/metrics.ts';
import { type TileMetric, tilesOf, type ViewQuery } from '../../../presentation/view-query.ts';
import type { PageAnswer } from '../../api-client.ts';

const metricsOfViews: readonly TileMetric[] = ['pageviews', 'views_per_visit', 'bounce_rate'];

/**
 * Metrics without a meaning under the current filter. One that matches only events leaves no page views to count, and a visit
 * with an event is no bounce: 0 would look like a result.
 */
export function meaninglessMetrics(
	{ filters, segment }: Pick<ViewQuery, 'filters' | 'segment'>,
	data: PageAnswer['data'] | undefined,
): ReadonlySet<TileMetric> {
	const isFiltered = filters.length > 0 || segment !== undefined;
	const isWithoutViews = data?.totals.pageviews === 0 && (data.totals.visits ?? 0) > 0;
	return new Set(isFiltered && isWithoutViews ? metricsOfViews : []);
}

/** The tiles that the chart can show. */
export function drawnMetrics(query: ViewQuery, data: PageAnswer['data'] | undefined): TileMetric[] {
	const meaningless = meaninglessMetrics(query, data);
	return tilesOf(query).filter((metric) => !meaningless.has(metric));
}

/** The currency of the chart, because currencies are never added: the one with the largest sum. */
export function mainCurrency({ totals, compared }: PageAnswer['data']): string | undefined {
	const sums = Object.entries(totals.revenue ?? compared?.totals.revenue ?? {});
	return sums.toSorted(([, a], [, b]) => b - a)[0]?.[0];
}

/** A value as a number of the chart; null is a gap. */
export function numberOf(value: Value, currency: string | undefined): number | null {
	if (value === null || value === undefined) return null;
	if (typeof value === 'number') return value;
	return currency === undefined ? 0 : (value[currency] ?? 0);
}
