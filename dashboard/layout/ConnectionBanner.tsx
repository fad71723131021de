import { useTranslation } from 'react-i18next';
import { formatClock } from '../../presentation/format.ts';
import { useConnectionLostAt } from '../connection.ts';
import styles from './AppLayout.module.css';

/** Above the last data, until the service can be reached again. */
export function ConnectionBanner() {
	const { t, i18n } = useTranslation();
	const lostAt = useConnectionLostAt();
	if (!lostAt) return null;
	return (
		<p className={styles.lost} role="status" data-print="no">
			{t('common.connectionLost', { time: formatClock(lostAt.toISOString(), i18n.language) })}
		</p>
	);
}
