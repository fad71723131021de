import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { NoMail } from '../../account/NoMail.tsx';
import { SwitchSection } from '../../layout/settings/FormSection.tsx';
import styles from './SettingsPage.module.css';
import type { TabProps } from './tab.ts';

export function Reports({ website, canEdit, update }: TabProps) {
	const { t } = useTranslation();
	return (
		<SwitchSection
			title={t('settings.email.title')}
			label={t('settings.email.label')}
			hint={t('settings.email.hint')}
			isOn={website.email === 1}
			isOpen={canEdit}
			store={(isOn) => update({ email: isOn ? 1 : 0 })}
			before={<NoMail about="reports" />}
		>
			<p className={styles.text}>
				<Link className={styles.link} href={`/websites/${website.id}/reports`}>
					{t('reports.all')}
				</Link>
			</p>
		</SwitchSection>
	);
}
