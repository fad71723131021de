import { useTranslation } from 'react-i18next';
import { type Change, changesOf, formatAxis, formatMetric } from '../../../presentation/metrics.ts';
import type { TileMetric } from '../../../presentation/view-query.ts';
import type { PageAnswer, Point } from '../../api-client.ts';
import { pointWords, shortWords } from './point-words.ts';

export type PointTexts = ReturnType<typeof usePointTexts>;

/** Texts of the points of the chart in the current language. */
export function usePointTexts({ data, meta }: PageAnswer) {
	const { t, i18n } = useTranslation();
	const { language } = i18n;
	const { series, compared } = data;
	const say = {
		hour: (parts: { date: string; from: string; to: string }) => t('statistics.chart.hour', parts),
		minute: (parts: { date: string; time: string }) => t('statistics.chart.at', parts),
		week: (parts: { from: string; to: string }) => t('statistics.chart.week', parts),
	};
	const valueIn = (point: Point | undefined, metric: TileMetric) =>
		point?.fewer_than && point[metric] === null
			? t('statistics.few.value')
			: formatMetric(metric, point?.[metric], language);
	const time = (index: number) => pointWords(series, index, meta, language, 'long', say);
	const comparedTime = (index: number, style: 'long' | 'short' = 'long') => {
		if (!compared?.series[index]) return undefined;
		const span = { interval: meta.interval, from: compared.from, to: compared.to };
		return pointWords(compared.series, index, span, language, style, say);
	};
	const isSoFar = (index: number) => series[index]?.unfinished === true;
	const value = (index: number, metric: TileMetric) => valueIn(series[index], metric);
	const comparedValue = (index: number, metric: TileMetric) => valueIn(compared?.series[index], metric);
	return {
		labelOf: (metric: TileMetric) => t(`statistics.metrics.${metric}.label`),
		time,
		comparedTime,
		isSoFar,
		value,
		comparedValue,
		changes: (index: number, metric: TileMetric): { change: Change; before: string }[] =>
			changesOf(metric, series[index]?.[metric], compared?.series[index]?.[metric], language),
		soFar: t('statistics.chart.soFar'),
		axis: (metric: TileMetric) => (number: number) => formatAxis(metric, number, language),
		short: (index: number) => shortWords(series[index]?.time ?? '', meta, language),
		sentence(index: number, metric: TileMetric, second: TileMetric | undefined) {
			const now = `${time(index)}: ${value(index, metric)}${isSoFar(index) ? ` ${t('statistics.chart.soFar')}` : ''}`;
			const then = comparedTime(index);
			const parts = [now];
			if (then !== undefined) parts.push(`${then}: ${comparedValue(index, metric)}`);
			if (second) parts.push(`${t(`statistics.metrics.${second}.label`)}: ${value(index, second)}`);
			return parts.join('; ');
		},
	};
}
