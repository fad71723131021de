import { useTranslation } from 'react-i18next';
import type { Change } from '../../presentation/metrics.ts';
import styles from './Changed.module.css';

/** Change from the comparison period, with a text for screen readers. */
export function Changed({ change, before }: { change: Change; before: string }) {
	const { t } = useTranslation();
	const { direction, isGood, by } = change;
	const text =
		by.kind === 'points'
			? t('statistics.change.points', { count: by.text === '1' ? 1 : 2, by: by.text })
			: t(`statistics.change.${by.kind}`, { by: by.text });
	if (direction === 'same')
		return (
			<em>
				<span aria-hidden="true">{t('statistics.change.same')}</span>
				<span className="unseen">{t('statistics.change.sameAs', { before })}</span>
			</em>
		);
	return (
		<em className={isGood ? styles.good : styles.bad}>
			<span aria-hidden="true">
				{direction === 'up' ? '▲' : '▼'} {text}
			</span>
			<span className="unseen">{t(`statistics.change.${direction}`, { by: text, before })}</span>
		</em>
	);
}
