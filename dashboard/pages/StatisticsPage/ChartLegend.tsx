import { Plus, X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { chartMetrics } from '../../../presentation/view-query.ts';
import type { PageAnswer } from '../../api-client.ts';
import type { PanelProps } from '../../stats/panel.ts';
import { Menu, MenuItem, MenuTitle } from '../../ui/Menu.tsx';
import styles from './ChartLegend.module.css';
import { drawnMetrics } from './shown-metrics.ts';

/** What the lines of the chart are, and the choice of a second metric. */
export function ChartLegend({
	query,
	updateQuery,
	data,
}: Pick<PanelProps, 'query' | 'updateQuery'> & { data: PageAnswer['data'] }) {
	const { t } = useTranslation();
	const tiles = drawnMetrics(query, data);
	const { first, second } = chartMetrics(query, tiles);
	const labelOf = (metric: (typeof tiles)[number]) => t(`statistics.metrics.${metric}.label`);
	return (
		<ul className={styles.legend}>
			<li>
				<i className={styles.first} />
				{labelOf(first)}
			</li>
			{data.compared && (
				<li>
					<i className={styles.then} />
					{t(`statistics.compare.${query.compare}`)}
				</li>
			)}
			<li>
				{second ? (
					<>
						<i className={styles.second} />
						{t('statistics.chart.secondAxis', { metric: labelOf(second) })}
						<button
							type="button"
							className={styles.remove}
							aria-label={t('statistics.chart.removeSecond', { metric: labelOf(second) })}
							onClick={() => updateQuery({ second: undefined })}
						>
							<X />
						</button>
					</>
				) : (
					<Menu
						className={styles.add}
						button={
							<>
								<Plus />
								<span>{t('statistics.chart.addSecond')}</span>
							</>
						}
					>
						<MenuTitle>{t('statistics.chart.addSecond')}</MenuTitle>
						{tiles
							.filter((metric) => metric !== first)
							.map((metric) => (
								<MenuItem key={metric} onSelect={() => updateQuery({ second: metric })}>
									{labelOf(metric)}
								</MenuItem>
							))}
					</Menu>
				)}
			</li>
		</ul>
	);
}
