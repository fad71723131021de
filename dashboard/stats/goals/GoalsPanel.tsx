import { useQuery } from '@tanstack/react-query';
import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { addFilter, hasValue, removeValue } from '../../../presentation/filter-chips.ts';
import { formatMetric } from '../../../presentation/metrics.ts';
import { rowParametersOf } from '../../../presentation/view-query.ts';
import { statistics } from '../../api-client.ts';
import { lazyPageWithTexts } from '../../lazy-page.ts';
import { BarTable } from '../../ui/BarTable.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { Empty, Failure } from '../../ui/States.tsx';
import { MoreLink } from '../MoreLink.tsx';
import type { PanelProps } from '../panel.ts';

const NoConversions = lazyPageWithTexts(async () => (await import('./NoConversions.tsx')).NoConversions);

const shownRows = 6;
const shown = ['conversions', 'conversion_rate', 'revenue'] as const;
/** Revenue is below the name: sums in several currencies are longer than a column. */
const columns = ['conversions', 'conversion_rate'] as const;

/** What was reached, how often, by which part of the visits, and what it brought. */
export function GoalsPanel({ website, query, hrefOf }: PanelProps) {
	const { t, i18n } = useTranslation();
	const scope = rowParametersOf(query);
	const result = useQuery({
		queryKey: ['goals', website.id, 'counted', scope],
		queryFn: ({ signal }) =>
			statistics.breakdown(website.id, 'goal', { ...scope, metrics: shown.join(','), per_page: 10 }, signal),
		placeholderData: (before) => before,
	});
	if (result.error) return <Failure error={result.error} onTryAgain={() => void result.refetch()} />;
	if (!result.data) return <Skeleton height={200} />;
	const rows = result.data.data.slice(0, shownRows);
	if (rows.length === 0 && result.data.meta.fewer_than) return <Empty title={t('statistics.few.rows')} />;
	if (rows.length === 0 && website.canEdit && query.filters.length === 0)
		return (
			<Suspense fallback={<Skeleton height={200} />}>
				<NoConversions website={website} />
			</Suspense>
		);
	if (rows.length === 0)
		return (
			<Empty title={query.filters.length > 0 ? t('statistics.empty.filtered') : t('panels.goals.nothing')} />
		);
	const most = Math.max(...rows.map(({ conversions }) => conversions ?? 0), 1);
	return (
		<>
			<BarTable
				caption={t('panels.goals.caption')}
				nameLabel={t('statistics.dimensions.goal')}
				isHeadShown
				isStacked
				columns={columns.map((name) => ({
					key: name,
					label: name === 'conversion_rate' ? t('panels.goals.rate') : t(`statistics.metrics.${name}.label`),
					title: t(`statistics.metrics.${name}.definition`),
					width: name === 'conversion_rate' ? 64 : 92,
				}))}
				rows={rows.map((row) => {
					const name = row.other ? t('statistics.values.other') : (row.name ?? row.value);
					const isOn = hasValue(query.filters, 'goal', row.value);
					return {
						key: row.value,
						name,
						title: name,
						note: Object.keys(row.revenue ?? {}).length > 0 && (
							<>
								<span className="unseen">{t('statistics.metrics.revenue.label')} </span>
								{formatMetric('revenue', row.revenue, i18n.language)}
							</>
						),
						share: (row.conversions ?? 0) / most,
						cells: columns.map((metric) => formatMetric(metric, row[metric], i18n.language)),
						isOn,
						isQuiet: row.other === true,
						label: t(isOn ? 'statistics.filter.rowOn' : 'statistics.filter.row', { value: name }),
						href: row.other
							? undefined
							: hrefOf({
									filters: isOn
										? removeValue(query.filters, 'goal', row.value)
										: addFilter(query.filters, { test: 'is', dimension: 'goal', values: [row.value] }),
								}),
					};
				})}
			/>
			{result.data.meta.total > shownRows && (
				<MoreLink href={hrefOf({ large: 'goals' })}>{t('statistics.all.goals')}</MoreLink>
			)}
		</>
	);
}
