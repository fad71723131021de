import { useQuery } from '@tanstack/react-query';
import type { Value } from '../../../presentation/metrics.ts';
import { type MetricName, parametersOf } from '../../../presentation/view-query.ts';
import { type Row, statistics } from '../../api-client.ts';
import { canFilterBy, type PanelProps } from '../panel.ts';

/**
 * The metric of these rows in the comparison period; undefined if there is none. While a period is running, its comparison is
 * cut at the same time of day. A breakdown only knows whole dates, so it has no comparison then.
 */
export function useComparedRows(
	{ website, query, tab, page }: Pick<PanelProps, 'website' | 'query' | 'tab' | 'page'>,
	options: { dimension: string; metric: MetricName; rows: readonly Row[] },
): ((value: string) => Value) | undefined {
	const { dimension, metric, rows } = options;
	const compared = page?.data.compared;
	const isRunning = page?.data.series.some(({ unfinished }) => unfinished) ?? true;
	const areDates = /^\d{4}-\d\d-\d\d$/.test(compared?.from ?? '') && query.period !== '24h';
	const values = rows.filter(({ other }) => !other).map(({ value }) => value);
	const parameters = {
		...parametersOf(query, [...(tab.only ? [tab.only] : []), { test: 'is', dimension, values }]),
		...(query.goal !== undefined && dimension !== 'goal' && { goal: query.goal }),
		period: 'custom',
		from: compared?.from,
		to: compared?.to,
		metrics: metric,
		per_page: 100,
	};
	const result = useQuery({
		queryKey: ['large', website.id, dimension, 'compared', parameters],
		queryFn: ({ signal }) => statistics.breakdown(website.id, dimension, parameters, signal),
		enabled: areDates && !isRunning && values.length > 0 && canFilterBy(website, dimension),
	});
	if (!result.data || result.data.meta.available_from || result.data.meta.fewer_than) return undefined;
	const { data, meta } = result.data;
	const before = new Map(data.map((row) => [row.value, row[metric]]));
	// Visits of these rows may have more values than fit on a page, so a missing one is 0 only if this is the last page.
	return (value) => (before.has(value) ? before.get(value) : meta.last_page === 1 ? 0 : undefined);
}
