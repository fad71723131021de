import { useTranslation } from 'react-i18next';
import { changeOf, formatMetric } from '../../../presentation/metrics.ts';
import { type TileMetric, tileMetrics } from '../../../presentation/view-query.ts';
import type { PageAnswer } from '../../api-client.ts';
import { Changed } from '../../stats/Changed.tsx';
import type { PanelProps } from '../../stats/panel.ts';
import { Info } from '../../ui/Info.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { Tooltip } from '../../ui/Tooltip.tsx';
import styles from './SummaryTiles.module.css';

/** Totals of the period. A tile selects the metric of the chart. */
export function SummaryTiles({
	query,
	updateQuery,
	data,
}: Pick<PanelProps, 'query' | 'updateQuery'> & { data: PageAnswer['data'] | undefined }) {
	const { t } = useTranslation();
	return (
		<div className={styles.tiles}>
			{tileMetrics.map((metric) => (
				<Tooltip key={metric} text={t(`statistics.metrics.${metric}.definition`)}>
					{(attributes) => (
						<>
							<button
								type="button"
								className={styles.tile}
								aria-pressed={query.metric === metric}
								onClick={() => updateQuery({ metric })}
								{...attributes}
							>
								<span className={styles.label}>{t(`statistics.metrics.${metric}.label`)}</span>
								<TileNumbers metric={metric} data={data} />
							</button>
							<Info
								className={styles.info}
								label={t('statistics.explain', { what: t(`statistics.metrics.${metric}.label`) })}
								text={t(`statistics.metrics.${metric}.definition`)}
							/>
						</>
					)}
				</Tooltip>
			))}
		</div>
	);
}

function TileNumbers({ metric, data }: { metric: TileMetric; data: PageAnswer['data'] | undefined }) {
	const { t, i18n } = useTranslation();
	const { language } = i18n;
	if (!data)
		return (
			<>
				<strong className={styles.waiting}>
					<Skeleton width={86} height={24} />
				</strong>
				<em>
					<Skeleton width={48} height={12} />
				</em>
			</>
		);
	const [now, then] = [data.totals[metric], data.compared?.totals[metric]];
	const change = changeOf(metric, now, then, language);
	return (
		<>
			<strong>
				{data.totals.fewer_than && now === null
					? t('statistics.few.value')
					: formatMetric(metric, now, language)}
			</strong>
			{change ? <Changed change={change} before={formatMetric(metric, then, language)} /> : <em>&nbsp;</em>}
		</>
	);
}
