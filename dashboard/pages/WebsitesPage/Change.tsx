import { useTranslation } from 'react-i18next';
import { formatRate, noValue } from '../../../presentation/format.ts';
import styles from './Change.module.css';
import type { ListComparison } from './list-state.ts';

/** Change from the previous period or year. */
export function Change({
	change,
	compare,
	isShownEmpty = false,
}: {
	change: number | null | undefined;
	compare: ListComparison;
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
			<span className="unseen">
				{t(`websites.change.${way}${compare === 'year' ? 'Year' : ''}`, { rate })}
			</span>
		</span>
	);
}
