import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatDate } from '../../../presentation/format.ts';
import { axisOf, formatAxis, formatMetric } from '../../../presentation/metrics.ts';
import type { TileMetric } from '../../../presentation/view-query.ts';
import type { Note, PageAnswer, Point } from '../../api-client.ts';
import { lazyPage } from '../../lazy-page.ts';
import type { PanelProps } from '../../stats/panel.ts';
import { Button } from '../../ui/Button.tsx';
import { LineChart } from '../../ui/LineChart.tsx';
import type { NoteToWrite } from './NoteDialog.tsx';
import { datesOf, pointWords, shortWords } from './point-words.ts';
import styles from './Timeline.module.css';

const NoteDialog = lazyPage(async () => (await import('./NoteDialog.tsx')).NoteDialog);

/** Chart of one metric with its comparison and notes. */
export function Timeline({
	website,
	query,
	updateQuery,
	page,
	notes,
}: Pick<PanelProps, 'website' | 'query' | 'updateQuery'> & { page: PageAnswer; notes: readonly Note[] }) {
	const { t } = useTranslation();
	const [writing, setWriting] = useState<NoteToWrite>();
	const { metric } = query;
	const { data, meta } = page;
	const { series } = data;
	const words = useWords(page, metric);
	const numberOf = (point: Point | undefined) => point?.[metric] ?? null;
	const values = series.map(numberOf);
	const compared = data.compared?.series.map(numberOf);
	const most = Math.max(...[...values, ...(compared ?? [])].map((value) => value ?? 0));
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
	const zoom = (first: number, last: number) => {
		const from = datesOf(series, first, meta).from;
		const to = datesOf(series, last, meta).to;
		if (from === meta.from && to === meta.to) return;
		updateQuery({ period: 'custom', from, to, interval: undefined });
	};
	return (
		<>
			<LineChart
				label={t('statistics.chart.label', { metric: words.metric })}
				help={t('statistics.chart.help')}
				values={values}
				compared={compared}
				unfinished={unfinished === -1 ? undefined : unfinished}
				ticks={axisOf(metric, most)}
				tickText={words.axis}
				pointText={words.short}
				describe={words.sentence}
				marks={marks}
				tip={(index) => <Tip words={words} index={index} notes={notesOf(index)} />}
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
						{meta.from !== meta.to && (
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
			<SpokenTable page={page} metric={metric} words={words} />
			{writing && (
				<Suspense fallback={null}>
					<NoteDialog website={website.id} writing={writing} onClose={() => setWriting(undefined)} />
				</Suspense>
			)}
		</>
	);
}

type Words = ReturnType<typeof useWords>;

/** Texts of the points in the current language. */
function useWords({ data, meta }: PageAnswer, metric: TileMetric) {
	const { t, i18n } = useTranslation();
	const { language } = i18n;
	const { series, compared } = data;
	const say = {
		hour: (parts: { date: string; from: string; to: string }) => t('statistics.chart.hour', parts),
		minute: (parts: { date: string; time: string }) => t('statistics.chart.at', parts),
		week: (parts: { from: string; to: string }) => t('statistics.chart.week', parts),
	};
	const value = (point: Point | undefined) =>
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
	return {
		metric: t(`statistics.metrics.${metric}.label`),
		time,
		comparedTime,
		isSoFar,
		value: (index: number) => value(series[index]),
		comparedValue: (index: number) => value(compared?.series[index]),
		soFar: t('statistics.chart.soFar'),
		axis: (number: number) => formatAxis(metric, number, language),
		short: (index: number) => shortWords(series[index]?.time ?? '', meta, language),
		sentence(index: number) {
			const now = `${time(index)}: ${value(series[index])}${isSoFar(index) ? ` ${t('statistics.chart.soFar')}` : ''}`;
			const then = comparedTime(index);
			return then === undefined ? now : `${now}; ${then}: ${value(compared?.series[index])}`;
		},
	};
}

function Tip({ words, index, notes }: { words: Words; index: number; notes: readonly Note[] }) {
	const then = words.comparedTime(index, 'short');
	return (
		<div className={styles.tip}>
			<p className={styles.when}>{words.time(index)}</p>
			<p>
				<span>
					<i />
					{words.metric}
					{words.isSoFar(index) && <small> {words.soFar}</small>}
				</span>
				<b>{words.value(index)}</b>
			</p>
			{then !== undefined && (
				<p className={styles.then}>
					<span>
						<i />
						{then}
					</span>
					<b>{words.comparedValue(index)}</b>
				</p>
			)}
			{notes.map((note) => (
				<p key={note.id} className={styles.note}>
					<span>◆ {note.text}</span>
				</p>
			))}
		</div>
	);
}

/** The chart as a table for screen readers. */
function SpokenTable({ page, metric, words }: { page: PageAnswer; metric: TileMetric; words: Words }) {
	const { t, i18n } = useTranslation();
	const { data, meta } = page;
	return (
		<div className="unseen">
			<table>
				<caption>
					{t('statistics.chart.table', {
						metric: t(`statistics.metrics.${metric}.label`),
						from: formatDate(meta.from, i18n.language),
						to: formatDate(meta.to, i18n.language),
					})}
				</caption>
				<thead>
					<tr>
						<th scope="col">{t('statistics.chart.time')}</th>
						<th scope="col">{words.metric}</th>
						{data.compared && (
							<>
								<th scope="col">{t('statistics.chart.comparedTime')}</th>
								<th scope="col">{t('statistics.chart.compared')}</th>
							</>
						)}
					</tr>
				</thead>
				<tbody>
					{data.series.map((point, index) => (
						<tr key={point.time}>
							<th scope="row">{words.time(index)}</th>
							<td>
								{words.value(index)}
								{words.isSoFar(index) && ` ${words.soFar}`}
							</td>
							{data.compared && (
								<>
									<td>{words.comparedTime(index)}</td>
									<td>{words.comparedValue(index)}</td>
								</>
							)}
						</tr>
					))}
				</tbody>
			</table>
		</div>
	);
}
