import { useTranslation } from 'react-i18next';
import { useLocation } from 'wouter';
import { useSession } from '../session.tsx';
import { ButtonLink } from '../ui/Button.tsx';
import { Empty } from '../ui/States.tsx';
import { AppLayout } from './AppLayout.tsx';

/** What does not exist, and what must look as if it did not. */
export function NotFound() {
	const { t } = useTranslation();
	const who = useSession();
	const [path] = useLocation();
	return (
		<AppLayout title={t('common.notFound.title')}>
			<Empty title={<h1>{t('common.notFound.title')}</h1>}>
				<p>{t('common.notFound.text')}</p>
				{who ? (
					<ButtonLink href="/websites">{t('common.notFound.home')}</ButtonLink>
				) : (
					<ButtonLink href={`/sign-in?to=${encodeURIComponent(path)}`}>
						{t('common.notFound.signIn')}
					</ButtonLink>
				)}
			</Empty>
		</AppLayout>
	);
}
