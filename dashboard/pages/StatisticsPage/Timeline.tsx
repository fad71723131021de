import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { axisOf } from '../../../presentation/metrics.ts';
import { chartMetrics, type TileMetric } from '../../../presentation/view-query.ts';
import type { Note, PageAnswer, Point } from '../../api-client.ts';
import { lazyPageWithTexts } from '../../lazy-page.ts';
import type { PanelProps } from '../../stats/panel.ts';
import { Button } from '../../ui/Button.tsx';
import { LineChart } from '../../ui/LineChart.tsx';
import { ChartTable } from './ChartTable.tsx';
import { ChartTip } from './ChartTip.tsx';
import type { NoteToWrite } from './NoteDialog.tsx';
import { usePointTexts } from './point-texts.ts';
import { datesOf } from './point-words.ts';
import { drawnMetrics, mainCurrency, numberOf } from './shown-metrics.ts';
import styles from './Timeline.module.css';
import { useWholeDay } from './use-whole-day.ts';

const NoteDialog = lazyPageWithTexts(async () => (await import('./NoteDialog.tsx')).NoteDialog);

/** Chart of one or two metrics with a comparison and notes. */
export function Timeline({
	website,
	query,
	updateQuery,
	page: answer,
	notes,
}: Pick<PanelProps, 'website' | 'query' | 'updateQuery'> & { page: PageAnswer; notes: readonly Note[] }) {
	const { t } = useTranslation();
	const [writing, setWriting] = useState<NoteToWrite>();
	const tiles = drawnMetrics(query, answer.data);
	const { first, second } = chartMetrics(query, tiles);
	const page = useWholeDay({ website, query }, answer, tiles);
	const { data, meta } = page;
	const { series } = data;
	const texts = usePointTexts(page);
	const currency = mainCurrency(data);
	const valuesOf = (points: readonly Point[], metric: TileMetric) =>
		points.map((point) => numberOf(point[metric], currency));
	const values = valuesOf(series, first);
	const compared = data.compared ? valuesOf(data.compared.series, first) : undefined;
	const ticks = axisOf(first, mostOf([...values, ...(compared ?? [])]));
	const secondValues = second && valuesOf(series, second);
	const unfinished = series.findIndex((point) => point.unfinished);
	const notesOf = (index: number) => {
		const { from, to } = datesOf(series, index, meta);
		return notes.filter(({ date }) => from <= date && date <= to);
	};
	// A note is shown at the first hour of its day.
	const carries = (index: number) =>
		index === 0 || series[index]?.time.slice(0, 10) !== series[index - 1]?.time.slice(0, 10);
	const marks = new Set(
		series.map((_, index) => index).filter((index) => carries(index) && notesOf(index).length > 0),
	);
	const canZoom = meta.from !== meta.to;
	const zoom = (from: number, last: number) => {
		const dates = { from: datesOf(series, from, meta).from, to: datesOf(series, last, meta).to };
		if (dates.from === meta.from && dates.to === meta.to) return;
		updateQuery({ period: 'custom', ...dates, interval: undefined });
	};
	const hint = website.canEdit
		? t(canZoom ? 'statistics.chart.hint' : 'statistics.chart.hintNote')
		: canZoom
			? t('statistics.chart.hintZoom')
			: undefined;
	return (
		<>
			<LineChart
				label={t('statistics.chart.label', { metric: texts.labelOf(first) })}
				help={t('statistics.chart.help')}
				values={values}
				compared={compared}
				unfinished={unfinished === -1 ? undefined : unfinished}
				ticks={ticks}
				tickText={texts.axis(first)}
				second={
					second &&
					secondValues && {
						values: secondValues,
						ticks: axisOf(second, mostOf(secondValues), ticks),
						tickText: texts.axis(second),
					}
				}
				pointText={texts.short}
				describe={(index) => texts.sentence(index, first, second)}
				marks={marks}
				tip={(index, isPinned) => (
					<ChartTip
						{...{ texts, index, tiles, first, second }}
						notes={notesOf(index)}
						hint={isPinned ? undefined : hint}
					/>
				)}
				actions={(index, close) => (
					<div className={styles.actions}>
						{website.canEdit &&
							notesOf(index).map((note) => (
								<Button
									key={note.id}
									kind="quiet"
									aria-label={t('statistics.chart.editNote', { text: note.text })}
									onClick={() => setWriting({ note, date: note.date })}
								>
									{t('common.edit')}
								</Button>
							))}
						{website.canEdit && (
							<Button
								kind="quiet"
								onClick={() => {
									close();
									setWriting({ date: datesOf(series, index, meta).from });
								}}
							>
								{t('statistics.chart.addNote')}
							</Button>
						)}
						{canZoom && (
							<Button kind="quiet" onClick={() => zoom(index, index)}>
								{meta.interval === 'month'
									? t('statistics.chart.zoomMonth')
									: meta.interval === 'week'
										? t('statistics.chart.zoomWeek')
										: t('statistics.chart.zoom')}
							</Button>
						)}
					</div>
				)}
				onSelect={zoom}
			/>
			<ChartTable page={page} first={first} second={second} texts={texts} />
			{writing && (
				<Suspense fallback={null}>
					<NoteDialog website={website.id} writing={writing} onClose={() => setWriting(undefined)} />
				</Suspense>
			)}
		</>
	);
}

const mostOf = (values: readonly (number | null)[]): number =>
	Math.max(0, ...values.map((value) => value ?? 0));
