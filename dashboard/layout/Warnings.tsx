import { useTranslation } from 'react-i18next';
import type { SessionRecord } from '../api-client.ts';
import { Notice } from '../ui/Notice.tsx';
import styles from './AppLayout.module.css';
import { Unconfirmed } from './Unconfirmed.tsx';

/** What the person should do about their address or the service. */
export function Warnings({ who }: { who: SessionRecord }) {
	const { t } = useTranslation();
	const isElsewhere = who.public_address.is_set && who.public_address.url !== location.origin;
	const untrusted = who.warnings.find(({ code }) => code === 'untrusted_proxy');
	return (
		<div className={styles.warnings}>
			{!who.is_confirmed && <Unconfirmed email={who.person.email} canMail={who.can_mail} />}
			{isElsewhere && (
				<Notice>
					{t('warnings.otherAddress', { here: location.origin, address: who.public_address.url })}
				</Notice>
			)}
			{untrusted && (
				<Notice>
					{untrusted.proxy === null
						? t('warnings.proxyPerhaps')
						: t('warnings.proxyWarning', { proxy: untrusted.proxy })}
				</Notice>
			)}
		</div>
	);
}
