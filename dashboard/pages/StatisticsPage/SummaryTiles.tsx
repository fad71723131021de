import { useTranslation } from 'react-i18next';
import type { PageAnswer } from '../../api-client.ts';
import { Changed } from '../../panels/Changed.tsx';
import { changeOf, formatMetric } from '../../panels/metrics.ts';
import type { PanelProps } from '../../panels/panel.ts';
import { type TileMetric, tileMetrics } from '../../question-state.ts';
import { Hint } from '../../ui/Hint.tsx';
import { Info } from '../../ui/Info.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import styles from './SummaryTiles.module.css';

/** The sums of the period. Each says what it means, and chooses what the chart shows. */
export function SummaryTiles({
	asked,
	ask,
	data,
}: Pick<PanelProps, 'asked' | 'ask'> & { data: PageAnswer['data'] | undefined }) {
	const { t } = useTranslation();
	return (
		<div className={styles.tiles}>
			{tileMetrics.map((metric) => (
				<Hint key={metric} text={t(`statistics.metrics.${metric}.definition`)}>
					{(given) => (
						<>
							<button
								type="button"
								className={styles.tile}
								aria-pressed={asked.metric === metric}
								onClick={() => ask({ metric })}
								{...given}
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
				</Hint>
			))}
		</div>
	);
}

function TileNumbers({ metric, data }: { metric: TileMetric; data: PageAnswer['data'] | undefined }) {
	const { i18n } = useTranslation();
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
			<strong>{formatMetric(metric, now, language)}</strong>
			{change ? <Changed change={change} before={formatMetric(metric, then, language)} /> : <em>&nbsp;</em>}
		</>
	);
}
