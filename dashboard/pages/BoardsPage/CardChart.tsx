import { useTranslation } from 'react-i18next';
import { formatDate } from '../../../presentation/format.ts';
import { axisOf, formatAxis, formatMetric } from '../../../presentation/metrics.ts';
import type { MetricName } from '../../../presentation/view-query.ts';
import type { PageAnswer, Point } from '../../api-client.ts';
import { LineChart } from '../../ui/LineChart.tsx';
import { shortWords } from '../StatisticsPage/point-words.ts';
import styles from './CardChart.module.css';

/** The chart of a card: one metric and its previous period. */
export function CardChart({ metric, answer: { data, meta } }: { metric: MetricName; answer: PageAnswer }) {
	const { t, i18n } = useTranslation();
	const { language } = i18n;
	const numberOf = (point: Point | undefined) => {
		const value = point?.[metric];
		return typeof value === 'number' ? value : null;
	};
	const values = data.series.map(numberOf);
	const before = data.compared?.series.map(numberOf);
	// A period before the first data is a line on zero.
	const compared = before?.some((value) => value !== null && value > 0) ? before : undefined;
	const most = Math.max(...[...values, ...(compared ?? [])].map((value) => value ?? 0));
	const unfinished = data.series.findIndex((point) => point.unfinished);
	const label = t(`statistics.metrics.${metric}.label`);
	const timeOf = (index: number) => shortWords(data.series[index]?.time ?? '', meta, language);
	const textOf = (point: Point | undefined) => formatMetric(metric, point?.[metric], language);
	return (
		<>
			<LineChart
				label={t('statistics.chart.label', { metric: label })}
				help={t('boards.chartHelp')}
				height={190}
				values={values}
				compared={compared}
				unfinished={unfinished === -1 ? undefined : unfinished}
				ticks={axisOf(metric, most)}
				tickText={(value) => formatAxis(metric, value, language)}
				pointText={timeOf}
				describe={(index) => `${timeOf(index)}: ${textOf(data.series[index])}`}
				marks={noMarks}
				tip={(index) => (
					<p className={styles.tip}>
						{timeOf(index)} <b>{textOf(data.series[index])}</b>
						{compared && <span>{textOf(data.compared?.series[index])}</span>}
					</p>
				)}
				actions={() => null}
				onSelect={() => {}}
			/>
			{/* A table ignores the height of what is unseen. */}
			<div className="unseen">
				<table>
					<caption>
						{t('statistics.chart.table', {
							metric: label,
							from: formatDate(meta.from, language),
							to: formatDate(meta.to, language),
						})}
					</caption>
					<tbody>
						{data.series.map((point, index) => (
							<tr key={point.time}>
								<th scope="row">{timeOf(index)}</th>
								<td>{textOf(point)}</td>
							</tr>
						))}
					</tbody>
				</table>
			</div>
		</>
	);
}

const noMarks: ReadonlySet<number> = new Set();
