import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { addFilter } from '../../presentation/filter-chips.ts';
import { formatCount, formatDate, formatWeekday } from '../../presentation/format.ts';
import { parametersOf, type ViewQuery } from '../../presentation/view-query.ts';
import { statistics } from '../api-client.ts';
import { ChartTooltip, tooltipSide } from '../ui/ChartTooltip.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { Failure } from '../ui/States.tsx';
import styles from './HoursPanel.module.css';
import { heatColor } from './heat-color.ts';
import { countWeek, piecesOf, type Week } from './hours.ts';
import type { PanelProps } from './panel.ts';

/** Periods short enough to request by the hour without knowing their dates. */
const shortPeriods: readonly ViewQuery['period'][] = [
	'today',
	'yesterday',
	'24h',
	'7d',
	'28d',
	'30d',
	'last_week',
	'month',
	'last_month',
];

export function HoursPanel({ website, query, updateQuery, page }: PanelProps) {
	const { t, i18n } = useTranslation();
	const meta = page?.meta;
	const isShort = shortPeriods.includes(query.period);
	const dates = query.period === 'custom' ? { from: query.from, to: query.to } : meta;
	const cut = isShort || !dates?.from || !dates.to ? undefined : piecesOf(dates.from, dates.to);
	const scope = parametersOf(query);
	const result = useQuery({
		queryKey: ['hours', website.id, scope, cut],
		enabled: isShort || cut !== undefined,
		queryFn: async ({ signal }) => {
			const pieces = cut ? cut.pieces.map((piece) => ({ period: 'custom', ...piece })) : [{}];
			const answers = [];
			// Sequential, because the other panels send requests at the same time.
			for (const piece of pieces)
				answers.push(
					await statistics.summary(
						website.id,
						{ ...scope, ...piece, interval: 'hour', metrics: 'visits' },
						signal,
					),
				);
			return {
				week: countWeek(answers.flatMap(({ data }) => data.series)),
				availableFrom: answers.find(({ meta: { available_from } }) => available_from !== null)?.meta
					.available_from,
			};
		},
	});
	if (result.error) return <Failure error={result.error} onTryAgain={() => void result.refetch()} />;
	if (!result.data) return <Skeleton height={310} />;
	const { week, availableFrom } = result.data;
	return (
		<>
			<WeekTable
				week={week}
				firstDay={query.weekStart === 'sunday' ? 6 : 0}
				onPick={(weekday, hour) =>
					updateQuery({
						filters: [
							{ test: 'is', dimension: 'weekday', values: [String(weekday + 1)] } as const,
							...(hour === undefined
								? []
								: [{ test: 'is', dimension: 'hour', values: [String(hour)] } as const]),
						].reduce(addFilter, [...query.filters]),
					})
				}
			/>
			{cut?.isCut && <p className={styles.note}>{t('panels.hours.lastYear')}</p>}
			{availableFrom && (
				<p className={styles.note}>
					{t('panels.availableFrom', { date: formatDate(availableFrom, i18n.language) })}
				</p>
			)}
		</>
	);
}

/** The heat map is a table, so screen readers read its numbers. */
function WeekTable({
	week,
	firstDay,
	onPick,
}: {
	week: Week;
	/** 0 is Monday. */
	firstDay: number;
	onPick(weekday: number, hour?: number): void;
}) {
	const { t, i18n } = useTranslation();
	const language = i18n.language;
	const [pointed, setPointed] = useState<{ weekday: number; hour: number }>();
	const days = week.map((_, row) => (row + firstDay) % 7);
	const most = Math.max(...week.flat(), 1);
	const hourName = (hour: number) => `${String(hour).padStart(2, '0')}:00`;
	const shown = pointed && week[pointed.weekday]?.[pointed.hour];
	return (
		<figure className={styles.figure} onMouseLeave={() => setPointed(undefined)}>
			<table className={styles.week}>
				<caption className="unseen">{t('panels.hours.caption')}</caption>
				<thead>
					<tr>
						<td />
						{week[0]?.map((_, hour) => (
							// biome-ignore lint/suspicious/noArrayIndexKey: the index is the hour
							<th key={hour} scope="col">
								<span className="unseen">{hourName(hour)}</span>
								{hour % 6 === 0 && <i aria-hidden="true">{hour}</i>}
							</th>
						))}
					</tr>
				</thead>
				<tbody>
					{days.map((weekday) => (
						<tr key={weekday}>
							<th scope="row">
								<button
									type="button"
									onClick={() => onPick(weekday)}
									title={t('panels.hours.only', { day: formatWeekday(weekday + 1, language) })}
								>
									{formatWeekday(weekday + 1, language, 'short')}
								</button>
							</th>
							{week[weekday]?.map((visits, hour) => (
								// biome-ignore lint/a11y/useKeyWithClickEvents: the same filters can be set by keyboard, cell by cell would be 168 stops
								<td
									// biome-ignore lint/suspicious/noArrayIndexKey: the index is the hour
									key={hour}
									style={{ '--wash': heatColor(visits, most) }}
									onMouseEnter={() => setPointed({ weekday, hour })}
									onClick={() => onPick(weekday, hour)}
								>
									<span className="unseen">{formatCount(visits, language)}</span>
								</td>
							))}
						</tr>
					))}
				</tbody>
			</table>
			{pointed && shown !== undefined && (
				<ChartTooltip
					{...tooltipSide((pointed.hour + 0.5) / 24, 'var(--day)')}
					top={`calc(4px + var(--row) * ${days.indexOf(pointed.weekday)})`}
				>
					<small>
						{formatWeekday(pointed.weekday + 1, language)}, {hourName(pointed.hour)}–
						{hourName((pointed.hour + 1) % 24)}
					</small>
					<span>
						{t('panels.visits')} <b>{formatCount(shown, language)}</b>
					</span>
				</ChartTooltip>
			)}
		</figure>
	);
}
