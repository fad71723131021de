import { useTranslation } from 'react-i18next';
import { formatCount, formatDate, formatRate } from '../../../presentation/format.ts';
import type { FunnelAnswer } from '../../api-client.ts';
import styles from './FunnelsPanel.module.css';

/** The bars are a table, so screen readers read its numbers. */
export function FunnelSteps({ answer: { data, meta } }: { answer: FunnelAnswer }) {
	const { t, i18n } = useTranslation();
	const language = i18n.language;
	const first = data.steps[0]?.visits ?? 0;
	return (
		<>
			<table className={styles.steps}>
				<caption className="unseen">{t('lazyPanels.funnels.caption', { name: data.name })}</caption>
				<thead>
					<tr>
						<th scope="col">{t('lazyPanels.funnels.step')}</th>
						<th scope="col">{t('lazyPanels.funnels.lost')}</th>
						<th scope="col">{t('panels.visits')}</th>
						<th scope="col">{t('lazyPanels.funnels.rate')}</th>
					</tr>
				</thead>
				<tbody>
					{data.steps.map(({ step, name, visits, drop_off, conversion_rate, fewer_than }) => (
						<tr key={step} style={{ '--share': first === 0 ? 0 : (visits ?? 0) / first }}>
							<th scope="row" title={name}>
								<span>
									<i>{step}</i> {name}
								</span>
							</th>
							<td className={styles.lost}>{drop_off === null ? '' : `−${formatRate(drop_off, language)}`}</td>
							<td>
								<b>{fewer_than ? t('statistics.few.value') : formatCount(visits, language)}</b>
							</td>
							<td>{formatRate(conversion_rate, language)}</td>
						</tr>
					))}
				</tbody>
			</table>
			{meta.available_from && (
				<p className={styles.note}>
					{t('panels.availableFrom', { date: formatDate(meta.available_from, language) })}
				</p>
			)}
		</>
	);
}
