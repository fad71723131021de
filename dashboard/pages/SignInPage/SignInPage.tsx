import { useTranslation } from 'react-i18next';
import { Frame } from '../../Frame.tsx';

export function SignInPage() {
	const { t } = useTranslation();
	return <Frame title={t('signIn.title')}>{null}</Frame>;
}
