import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { useSession } from '../session.tsx';
import { Notice } from '../ui/Notice.tsx';

/** Says that the server sends no mail, next to each feature that needs it. Nothing where mail is set up. */
export function NoMail({ about }: { about: 'reports' | 'alerts' | 'invitations' | 'recipients' }) {
	const { t } = useTranslation();
	const who = useSession();
	if (!who || who.can_mail) return null;
	return (
		<Notice>
			{t('alerts.noMail.title')} {t(`alerts.noMail.effects.${about}`)}{' '}
			{t(who.is_operator ? 'alerts.noMail.operator' : 'alerts.noMail.other')}{' '}
			{who.is_operator && <Link href="/doctor">{t('common.health')}</Link>}
		</Notice>
	);
}
