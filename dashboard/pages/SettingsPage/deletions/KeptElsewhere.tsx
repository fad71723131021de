import { useTranslation } from 'react-i18next';
import { formatCount } from '../../../../presentation/format.ts';
import type { DeletionPreview } from '../../../deletions-client.ts';
import styles from './Deletions.module.css';
import { useDateText } from './use-days-text.ts';

/** Where the same values may be found after the deletion. */
export function KeptElsewhere({ kept }: { kept: DeletionPreview['kept_elsewhere'] }) {
	const { t, i18n } = useTranslation();
	const dateText = useDateText();
	const counted = (count: number) => ({ count, total: formatCount(count, i18n.language) });
	const { reports, dead_letters, backups } = kept;
	const isEmpty = reports === 0 && dead_letters === 0 && backups.length === 0;
	return (
		<div className={styles.elsewhere}>
			{!isEmpty && (
				<>
					<h3>{t('deletions.elsewhere.title')}</h3>
					<ul>
						{reports > 0 && <li>{t('deletions.elsewhere.reports', counted(reports))}</li>}
						{dead_letters > 0 && <li>{t('deletions.elsewhere.deadLetters', counted(dead_letters))}</li>}
						{backups.map(({ made_at, expires_at }) => (
							<li key={made_at}>
								{t('deletions.elsewhere.backup', {
									made: dateText(made_at),
									expires: dateText(expires_at),
								})}
							</li>
						))}
					</ul>
				</>
			)}
			<p className={styles.text}>{t('deletions.elsewhere.own')}</p>
		</div>
	);
}
