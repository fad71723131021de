import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { security } from '../../account-client.ts';
import { AuthLayout } from '../../layout/AuthLayout.tsx';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { Copy } from '../../ui/Copy.tsx';
import { TextField } from '../../ui/Field.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { useForm } from '../../ui/use-form.ts';

/** Requests a reset link by email, or explains how the operator creates one. */
export function ForgotPasswordPage() {
	const { t } = useTranslation();
	const query = useQuery({ queryKey: ['can mail'], queryFn: security.canMail });
	if (query.isPending) return <AuthLayout title={t('signIn.forgottenPage.title')}>{null}</AuthLayout>;
	if (query.data?.can_mail) return <ByMail />;
	return (
		<AuthLayout title={t('signIn.forgottenPage.title')} text={t('signIn.forgottenPage.text')}>
			<p>{t('signIn.forgottenPage.commandText')}</p>
			<Copy label={t('signIn.forgottenPage.command')} text="tidemark account reset you@example.com" />
			<p>{t('signIn.forgottenPage.notOperator')}</p>
			<div>
				<ButtonLink href="/sign-in">{t('signIn.toSignIn')}</ButtonLink>
			</div>
		</AuthLayout>
	);
}

function ByMail() {
	const { t } = useTranslation();
	const form = useForm({ email: '' }, ({ email }) => security.mailReset(email));
	return (
		<AuthLayout title={t('signIn.forgottenPage.title')} text={t('signIn.forgottenPage.mailText')}>
			<form onSubmit={(event) => void form.submit(event)}>
				<TextField
					label={t('signIn.email')}
					type="email"
					autoComplete="username"
					required
					value={form.values.email}
					fault={form.faultOf('email')}
					onChange={(event) => form.set({ email: event.target.value })}
				/>
				{form.fault && <Notice kind="fault">{form.fault}</Notice>}
				{form.isSaved && <Notice kind="good">{t('signIn.forgottenPage.mailed')}</Notice>}
				<Button kind="primary" type="submit" busy={form.isBusy}>
					{t('signIn.forgottenPage.mailSubmit')}
				</Button>
			</form>
			<div>
				<ButtonLink href="/sign-in">{t('signIn.toSignIn')}</ButtonLink>
			</div>
		</AuthLayout>
	);
}
