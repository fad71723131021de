import { useTranslation } from 'react-i18next';
import { Frame } from '../../Frame.tsx';

export function WebsitesPage() {
	const { t } = useTranslation();
	return (
		<Frame title={t('websites.title')} crumbs={<h1>{t('websites.title')}</h1>}>
			{null}
		</Frame>
	);
}
