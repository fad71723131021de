import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'wouter';
import { isTooShort } from '../../account/password-rule.ts';
import { security } from '../../account-client.ts';
import { ApiError } from '../../api-client.ts';
import { AuthLayout } from '../../layout/AuthLayout.tsx';
import { useLinkToken } from '../../link-token.ts';
import { forgetSession } from '../../session.tsx';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { PasswordField, Switch, TextField } from '../../ui/Field.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { Failure } from '../../ui/States.tsx';
import { useForm } from '../../ui/use-form.ts';

/** Target of a reset or invitation link: sets the password of its account. */
export function SetPasswordPage() {
	const { t } = useTranslation();
	const token = useLinkToken();
	const link = useQuery({
		queryKey: ['link', token],
		queryFn: () => security.link(token),
		staleTime: Number.POSITIVE_INFINITY,
	});
	if (isDead(link.error)) return <DeadLink />;
	return (
		<AuthLayout
			title={t('signIn.setPassword.title')}
			text={link.data ? t(`signIn.setPassword.${link.data.purpose}`) : <Skeleton width="80%" />}
		>
			{link.data ? (
				<PasswordForm token={token} {...link.data} />
			) : link.error ? (
				<Failure error={link.error} onTryAgain={() => void link.refetch()} />
			) : (
				<Skeleton height={190} />
			)}
		</AuthLayout>
	);
}

/** 422: a malformed token is an invalid link. */
const isDead = (error: unknown) =>
	error instanceof ApiError && (error.code === 'link_dead' || error.code === 'validation_failed');

function PasswordForm({
	token,
	email,
	purpose,
}: {
	token: string;
	email: string;
	purpose: 'reset' | 'invitation';
}) {
	const { t } = useTranslation();
	const [, navigate] = useLocation();
	const form = useForm(
		{ password: '', revoke_keys: false },
		async ({ password, revoke_keys }) => {
			await security.setPasswordByLink({ token, password, revoke_keys });
			navigate(await whereAfter(email, password), { replace: true });
		},
		({ password }) => ({ password: isTooShort(password) ? t('signIn.tooShort') : undefined }),
	);
	if (form.error instanceof ApiError && form.error.code === 'link_dead')
		return <Notice kind="fault">{form.fault}</Notice>;
	return (
		<form onSubmit={form.submit}>
			<TextField label={t('signIn.email')} type="email" autoComplete="username" readOnly value={email} />
			<PasswordField
				label={t('signIn.setPassword.label')}
				hint={t('signIn.minimum')}
				autoComplete="new-password"
				required
				autoFocus
				fault={form.faultOf('password')}
				value={form.values.password}
				onChange={(event) => form.set({ password: event.target.value })}
			/>
			{purpose === 'reset' && (
				<Switch
					label={t('signIn.setPassword.revokeKeys')}
					hint={t('signIn.setPassword.revokeKeysHint')}
					checked={form.values.revoke_keys}
					onChange={(revoke_keys) => form.set({ revoke_keys })}
				/>
			)}
			{form.fault && <Notice kind="fault">{form.fault}</Notice>}
			<Button kind="primary" type="submit" busy={form.isBusy}>
				{t('signIn.setPassword.submit')}
			</Button>
		</form>
	);
}

/** Signs in directly, unless a two-factor code is needed or the browser keeps no session. */
async function whereAfter(email: string, password: string): Promise<string> {
	try {
		await security.signIn({ email, password });
	} catch (error) {
		if (!(error instanceof ApiError)) throw error;
	}
	return (await forgetSession()) ? '/websites' : '/sign-in?password-set';
}

function DeadLink() {
	const { t } = useTranslation();
	return (
		<AuthLayout title={t('signIn.deadLink.title')} text={t('signIn.deadLink.text')}>
			<div>
				<ButtonLink href="/forgotten">{t('signIn.deadLink.again')}</ButtonLink>
			</div>
		</AuthLayout>
	);
}
