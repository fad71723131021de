import { useTranslation } from 'react-i18next';
import { formatRate, noValue } from '../../../presentation/format.ts';
import styles from './Change.module.css';

/** Change from the previous period. */
export function Change({
	change,
	isShownEmpty = false,
}: {
	change: number | null | undefined;
	isShownEmpty?: boolean;
}) {
	const { t, i18n } = useTranslation();
	if (change === undefined) return null;
	if (change === null) return isShownEmpty ? <span className={styles.none}>{noValue}</span> : null;
	const rate = formatRate(Math.abs(change), i18n.language);
	const isSame = Math.abs(change) < 0.0005;
	const way = isSame ? 'same' : change > 0 ? 'up' : 'down';
	return (
		<span className={`${styles.change} ${styles[way]}`}>
			<span aria-hidden="true">{isSame ? '=' : `${change > 0 ? '▲' : '▼'} ${rate}`}</span>
			<span className="unseen">{t(`websites.change.${way}`, { rate })}</span>
		</span>
	);
}
