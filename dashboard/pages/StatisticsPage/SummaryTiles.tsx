import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { changesOf, formatMetric } from '../../../presentation/metrics.ts';
import { chartMetrics, type TileMetric, tilesOf } from '../../../presentation/view-query.ts';
import type { PageAnswer } from '../../api-client.ts';
import { Changed } from '../../stats/Changed.tsx';
import { changes as ChangesDialog } from '../../stats/lazy-panels.ts';
import type { PanelProps } from '../../stats/panel.ts';
import { Info } from '../../ui/Info.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { Tooltip } from '../../ui/Tooltip.tsx';
import styles from './SummaryTiles.module.css';
import { drawnMetrics, meaninglessMetrics } from './shown-metrics.ts';

/** Totals of the period. A tile selects the metric of the chart. */
export function SummaryTiles({
	query,
	updateQuery,
	data,
	website,
	hrefOf,
}: Pick<PanelProps, 'query' | 'updateQuery'> &
	Partial<Pick<PanelProps, 'website' | 'hrefOf'>> & { data: PageAnswer['data'] | undefined }) {
	const { t, i18n } = useTranslation();
	const [explained, setExplained] = useState<TileMetric>();
	const tiles = tilesOf(query);
	const meaningless = meaninglessMetrics(query, data);
	const { first, second } = chartMetrics(query, drawnMetrics(query, data));
	const definitionOf = (metric: TileMetric) =>
		meaningless.has(metric) ? t('statistics.noMeaning') : t(`statistics.metrics.${metric}.definition`);
	// Not for the public: parts of two periods could tell small groups apart.
	const canExplain = (metric: TileMetric) =>
		website?.isShared === false &&
		// That of a goal is the revenue of other visits.
		metric !== 'revenue' &&
		!meaningless.has(metric) &&
		changesOf(metric, data?.totals[metric], data?.compared?.totals[metric], i18n.language).length > 0;
	return (
		<div className={`${styles.tiles} ${tiles.length === 4 ? styles.four : ''}`}>
			{tiles.map((metric) => (
				<Tooltip key={metric} text={definitionOf(metric)}>
					{(attributes) => (
						<>
							<button
								type="button"
								className={`${styles.tile} ${metric === second ? styles.second : ''}`}
								aria-pressed={metric === first}
								aria-disabled={meaningless.has(metric) || undefined}
								onClick={() => meaningless.has(metric) || updateQuery({ metric })}
								{...attributes}
							>
								<span className={styles.label}>{t(`statistics.metrics.${metric}.label`)}</span>
								<TileNumbers metric={metric} data={data} isMeaningless={meaningless.has(metric)} />
							</button>
							{canExplain(metric) && (
								<button
									type="button"
									className={styles.explain}
									aria-label={t('statistics.changed', { what: t(`statistics.metrics.${metric}.label`) })}
									onClick={() => setExplained(metric)}
								/>
							)}
							<Info
								className={styles.info}
								label={t('statistics.explain', { what: t(`statistics.metrics.${metric}.label`) })}
								text={definitionOf(metric)}
							/>
						</>
					)}
				</Tooltip>
			))}
			{explained && website && hrefOf && (
				<Suspense fallback={null}>
					<ChangesDialog
						{...{ website, query, hrefOf }}
						metric={explained}
						onClose={() => setExplained(undefined)}
					/>
				</Suspense>
			)}
		</div>
	);
}

function TileNumbers({
	metric,
	data,
	isMeaningless,
}: {
	metric: TileMetric;
	data: PageAnswer['data'] | undefined;
	isMeaningless: boolean;
}) {
	const { t, i18n } = useTranslation();
	const { language } = i18n;
	// The previous answer is shown while a goal's loads; it has no such metric.
	if (!data || data.totals[metric] === undefined)
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
	const [now, then] = isMeaningless ? [null, null] : [data.totals[metric], data.compared?.totals[metric]];
	const [main, ...others] = partsOf(metric, now, language);
	const changes = changesOf(metric, now, then, language);
	return (
		<>
			<strong>
				{data.totals.fewer_than && now === null && !isMeaningless ? t('statistics.few.value') : main}
				{others.map((other) => (
					<small key={other}> + {other}</small>
				))}
			</strong>
			<span className={styles.changes}>
				{changes.length === 0 && <em>&nbsp;</em>}
				{changes.map(({ change, before }) => (
					<span key={before} className={styles.change}>
						<Changed change={change} before={before} />{' '}
						{change.direction !== 'same' && (
							<small aria-hidden="true">{t('statistics.change.vs', { before })}</small>
						)}
					</span>
				))}
			</span>
		</>
	);
}

/** One text, or one for each currency, largest first. */
function partsOf(
	metric: TileMetric,
	value: PageAnswer['data']['totals'][TileMetric],
	language: string,
): string[] {
	if (typeof value !== 'object' || value === null || Object.keys(value).length < 2)
		return [formatMetric(metric, value, language)];
	return Object.entries(value)
		.toSorted(([, a], [, b]) => b - a)
		.map(([currency, amount]) => formatMetric(metric, { [currency]: amount }, language));
}
