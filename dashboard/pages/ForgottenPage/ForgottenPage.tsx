import { useTranslation } from 'react-i18next';
import { Entrance } from '../../Entrance.tsx';
import { ButtonLink } from '../../ui/Button.tsx';
import { Copy } from '../../ui/Copy.tsx';

/** How to get a link that sets a password. A mailed one (issue 7) is asked for here, above what the operator does. */
export function ForgottenPage() {
	const { t } = useTranslation();
	return (
		<Entrance title={t('signIn.forgottenPage.title')} text={t('signIn.forgottenPage.text')}>
			<p>{t('signIn.forgottenPage.commandText')}</p>
			<Copy label={t('signIn.forgottenPage.command')} text="tidemark account reset you@example.com" />
			<p>{t('signIn.forgottenPage.notOperator')}</p>
			<div>
				<ButtonLink href="/sign-in">{t('signIn.toSignIn')}</ButtonLink>
			</div>
		</Entrance>
	);
}
