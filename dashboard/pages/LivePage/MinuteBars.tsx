import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatCount, formatMoment } from '../../../presentation/format.ts';
import type { Live } from '../../api-client.ts';
import { ChartTooltip, tooltipSide } from '../../ui/ChartTooltip.tsx';
import styles from './MinuteBars.module.css';

/** The last 30 minutes as bars. The last bar is unfinished unless steps are reported when they end. */
export function MinuteBars({ live: { data, meta } }: { live: Live }) {
	const { t, i18n } = useTranslation();
	const language = i18n.language;
	const [pointed, setPointed] = useState<number>();
	const most = Math.max(...data.minutes.map(({ visitors }) => visitors), 1);
	const timeOf = (time: string) =>
		formatMoment(time, language, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
	const isRunning = (index: number) => meta.step_minutes === 1 && index === data.minutes.length - 1;
	const minutesAgo = (minutes: number) => new Intl.RelativeTimeFormat(language).format(-minutes, 'minute');
	const shown = pointed === undefined ? undefined : data.minutes[pointed];
	return (
		<figure className={styles.figure} onMouseLeave={() => setPointed(undefined)}>
			<div className={styles.bars} aria-hidden="true">
				{data.minutes.map(({ time, visitors }, index) => (
					// biome-ignore lint/a11y/noStaticElementInteractions: the table below says the same to who cannot point
					<span
						key={time}
						className={isRunning(index) ? styles.running : styles.bar}
						data-pointed={index === pointed || undefined}
						onMouseEnter={() => setPointed(index)}
						onTouchStart={() => setPointed(index)}
					>
						<i style={{ height: `${(visitors / most) * 100}%` }} />
					</span>
				))}
			</div>
			{shown && pointed !== undefined && (
				<ChartTooltip {...tooltipSide((pointed + 0.5) / data.minutes.length)}>
					<small>{timeOf(shown.time)}</small>
					<span>
						{t('live.visitors')} <b>{formatCount(shown.visitors, language)}</b>
					</span>
					<span>
						{t('live.pageviews')} <b>{formatCount(shown.pageviews, language)}</b>
					</span>
				</ChartTooltip>
			)}
			<div className={styles.axis} aria-hidden="true">
				<span>{minutesAgo(30)}</span>
				<span>{minutesAgo(15)}</span>
				<span>{t('live.now')}</span>
			</div>
			<div className="unseen">
				<table>
					<caption>{t('live.lastHalfHour')}</caption>
					<thead>
						<tr>
							<th scope="col">{t('live.time')}</th>
							<th scope="col">{t('live.visitors')}</th>
							<th scope="col">{t('live.pageviews')}</th>
						</tr>
					</thead>
					<tbody>
						{data.minutes.map(({ time, visitors, pageviews }) => (
							<tr key={time}>
								<th scope="row">{timeOf(time)}</th>
								<td>{formatCount(visitors, language)}</td>
								<td>{formatCount(pageviews, language)}</td>
							</tr>
						))}
					</tbody>
				</table>
			</div>
		</figure>
	);
}
