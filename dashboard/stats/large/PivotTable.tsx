import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { Filter } from '../../../presentation/filter-chips.ts';
import { formatDate } from '../../../presentation/format.ts';
import { formatMetric, isCount } from '../../../presentation/metrics.ts';
import type { MetricName } from '../../../presentation/view-query.ts';
import { type Parameters, type Row, statistics } from '../../api-client.ts';
import { Mark } from '../../marks/Mark.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { Empty, Failure } from '../../ui/States.tsx';
import styles from '../LargePanel.module.css';
import { useNames } from '../use-names.ts';

const columnsShown = 8;
const perRequest = 100;

type Props = {
	websiteId: number;
	title: string;
	dimension: string;
	second: string;
	metric: MetricName;
	rows: readonly Row[];
	/** The parameters of the page with more filters. */
	parametersWith(filters: readonly Filter[]): Parameters;
};

/** One metric by two dimensions: the values of the second are columns, those with most first. */
export function PivotTable({ websiteId, title, dimension, second, metric, rows, parametersWith }: Props) {
	const { t, i18n } = useTranslation();
	const names = useNames();
	const sort = { metrics: metric, sort_by: metric, sort: 'desc' };
	const found = useQuery({
		queryKey: ['large', websiteId, second, 'columns', sort, parametersWith([])],
		queryFn: ({ signal }) =>
			statistics.breakdown(websiteId, second, { ...parametersWith([]), ...sort, per_page: 10 }, signal),
	});
	const columns = found.data?.data.filter(({ other }) => !other).slice(0, columnsShown) ?? [];
	const values = rows.filter(({ other }) => !other).map(({ value }) => value);
	const parameters = {
		...parametersWith([
			{ test: 'is', dimension, values },
			{ test: 'is', dimension: second, values: columns.map(({ value }) => value) },
		]),
		...sort,
		by: second,
		per_page: perRequest,
	};
	const requests = Math.ceil((values.length * columns.length) / perRequest);
	const pairs = useQuery({
		queryKey: ['large', websiteId, dimension, 'pairs', parameters],
		queryFn: ({ signal }) =>
			Promise.all(
				Array.from({ length: requests }, (_, index) =>
					statistics.breakdown(websiteId, dimension, { ...parameters, page: index + 1 }, signal),
				),
			),
		enabled: requests > 0,
	});
	const error = found.error ?? pairs.error;
	if (error) return <Failure error={error} onTryAgain={() => void (found.error ? found : pairs).refetch()} />;
	if (found.data && requests === 0) return <Empty title={t('lazyPanels.large.empty')} />;
	if (!pairs.data) return <Skeleton height={420} />;
	const from = pairs.data[0]?.meta.available_from;
	if (from) return <Empty title={t('panels.availableFrom', { date: formatDate(from, i18n.language) })} />;
	const byPair = new Map(
		pairs.data.flatMap(({ data }) => data.map((pair) => [`${pair.value}\0${pair.by}`, pair[metric]])),
	);
	/** A pair that does not occur was counted 0 times, and has no rate or average. */
	const numberOf = (value: string, by: string) =>
		byPair.get(`${value}\0${by}`) ?? (isCount(metric) ? 0 : null);
	return (
		// biome-ignore lint/a11y/noNoninteractiveTabindex: a section that scrolls sideways must be reachable by keyboard
		<section className={styles.scroll} tabIndex={0} aria-label={title}>
			<table className={styles.table}>
				<caption>{t(`statistics.metrics.${metric}.label`)}</caption>
				<thead>
					<tr>
						<th scope="col">{names.dimension(dimension)}</th>
						<th scope="col">{t('lazyPanels.large.all')}</th>
						{columns.map((column) => (
							<th key={column.value} scope="col">
								{names.row(second, column)}
							</th>
						))}
					</tr>
				</thead>
				<tbody>
					{rows.map((row) => (
						<tr key={`${row.value} ${row.other}`}>
							<th scope="row">
								{!row.other && <Mark dimension={dimension} value={row.value} country={row.country} />}
								{row.other ? t('statistics.values.other') : names.row(dimension, row)}
							</th>
							<td>{formatMetric(metric, row[metric], i18n.language)}</td>
							{columns.map(({ value }) => (
								<td key={value}>
									{row.other ? '' : formatMetric(metric, numberOf(row.value, value), i18n.language)}
								</td>
							))}
						</tr>
					))}
				</tbody>
			</table>
		</section>
	);
}
