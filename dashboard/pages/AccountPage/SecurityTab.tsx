import { useTranslation } from 'react-i18next';
import { noProof, ProofFields, toProof } from '../../account/ProofFields.tsx';
import { isTooShort } from '../../account/password-rule.ts';
import { security } from '../../account-client.ts';
import { queries } from '../../queries.ts';
import { askAgain, useAccount } from '../../session.tsx';
import { Button } from '../../ui/Button.tsx';
import { Section } from '../../ui/Card.tsx';
import { PasswordField } from '../../ui/Field.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { useForm } from '../../ui/use-form.ts';
import styles from './AccountPage.module.css';
import { Browsers, browsersKey } from './Browsers.tsx';
import { OwnData } from './OwnData.tsx';
import { Passkeys } from './Passkeys.tsx';
import { Providers, useLinkedProviders } from './Providers.tsx';
import { TwoFactor } from './TwoFactor.tsx';

export function SecurityTab() {
	const { t } = useTranslation();
	const { data } = useLinkedProviders();
	// Of people who signed up with a provider, the list of providers says how to get one.
	const hasPassword = data?.has_password !== false || data.providers.length === 0;
	return (
		<>
			{hasPassword && (
				<Section title={t('account.password.title')} text={t('account.password.text')}>
					<PasswordForm />
				</Section>
			)}
			<Section title={t('account.passkeys.title')} text={t('account.passkeys.text')}>
				<Passkeys />
			</Section>
			<Section title={t('account.twoFactor.title')} text={t('account.twoFactor.text')}>
				<TwoFactor />
			</Section>
			<Providers />
			<Section title={t('account.sessions.title')} text={t('account.sessions.text')}>
				<Browsers />
			</Section>
			<Section title={t('account.ownData.title')} text={t('account.ownData.text')}>
				<OwnData />
			</Section>
		</>
	);
}

function PasswordForm() {
	const { t } = useTranslation();
	const { person } = useAccount();
	const form = useForm(
		{ ...noProof, new_password: '' },
		async ({ new_password, ...proof }) => {
			await security.changePassword({ ...toProof(proof), new_password });
			form.set({ ...noProof, new_password: '' });
			await Promise.all([askAgain(), queries.invalidateQueries({ queryKey: browsersKey })]);
		},
		({ new_password }) => ({ new_password: isTooShort(new_password) ? t('signIn.tooShort') : undefined }),
	);
	return (
		<form className={styles.form} onSubmit={form.submit}>
			{/* So that whatever keeps passwords knows whose this is. */}
			<input hidden readOnly type="text" autoComplete="username" value={person.email} />
			<ProofFields form={form} />
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
