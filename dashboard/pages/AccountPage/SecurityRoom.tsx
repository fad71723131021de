import { useTranslation } from 'react-i18next';
import { session } from '../../api-client.ts';
import { isTooShort } from '../../password-rule.ts';
import { queries } from '../../queries.ts';
import { askAgain, useAccount } from '../../session.tsx';
import { Button } from '../../ui/Button.tsx';
import { Section } from '../../ui/Card.tsx';
import { PasswordField } from '../../ui/Field.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { useForm } from '../../ui/use-form.ts';
import styles from './AccountPage.module.css';
import { Browsers, browsersKey } from './Browsers.tsx';
import { TwoFactor } from './TwoFactor.tsx';

export function SecurityRoom() {
	const { t } = useTranslation();
	return (
		<>
			<Section title={t('account.password.title')} text={t('account.password.text')}>
				<PasswordForm />
			</Section>
			<Section title={t('account.twoFactor.title')} text={t('account.twoFactor.text')}>
				<TwoFactor />
			</Section>
			<Section title={t('account.sessions.title')} text={t('account.sessions.text')}>
				<Browsers />
			</Section>
		</>
	);
}

function PasswordForm() {
	const { t } = useTranslation();
	const { account } = useAccount();
	const form = useForm(
		{ password: '', new_password: '' },
		async (values) => {
			await session.changePassword(values);
			form.set({ password: '', new_password: '' });
			await Promise.all([askAgain(), queries.invalidateQueries({ queryKey: browsersKey })]);
		},
		({ new_password }) => ({ new_password: isTooShort(new_password) ? t('signIn.tooShort') : undefined }),
	);
	return (
		<form className={styles.form} onSubmit={form.submit}>
			{/* So that whatever keeps passwords knows whose this is. */}
			<input hidden readOnly type="text" autoComplete="username" value={account.email} />
			<PasswordField
				label={t('account.password.current')}
				autoComplete="current-password"
				required
				fault={form.faultOf('password') && t('account.password.wrong')}
				value={form.values.password}
				onChange={(event) => form.set({ password: event.target.value })}
			/>
			<PasswordField
				label={t('account.password.next')}
				hint={t('signIn.minimum')}
				autoComplete="new-password"
				required
				fault={form.faultOf('new_password')}
				value={form.values.new_password}
				onChange={(event) => form.set({ new_password: event.target.value })}
			/>
			{form.fault && <Notice kind="fault">{form.fault}</Notice>}
			{form.isSaved && <Notice kind="good">{t('account.password.done')}</Notice>}
			<div className={styles.actions}>
				<Button type="submit" busy={form.isBusy}>
					{t('account.password.submit')}
				</Button>
			</div>
		</form>
	);
}
