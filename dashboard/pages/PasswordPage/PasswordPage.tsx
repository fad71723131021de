import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'wouter';
import { ApiError, session } from '../../api-client.ts';
import { Entrance } from '../../Entrance.tsx';
import { useLinkToken } from '../../link-token.ts';
import { isTooShort } from '../../password-rule.ts';
import { forgetSession } from '../../session.tsx';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { PasswordField, TextField } from '../../ui/Field.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { Failure } from '../../ui/States.tsx';
import { useForm } from '../../ui/use-form.ts';

/** Behind a link of the operator or of an invitation: a password for the account that it names. */
export function PasswordPage() {
	const { t } = useTranslation();
	const token = useLinkToken();
	const link = useQuery({
		queryKey: ['link', token],
		queryFn: () => session.link(token),
		staleTime: Number.POSITIVE_INFINITY,
	});
	if (isDead(link.error)) return <DeadLink />;
	return (
		<Entrance
			title={t('signIn.setPassword.title')}
			text={link.data ? t(`signIn.setPassword.${link.data.purpose}`) : <Skeleton width="80%" />}
		>
			{link.data ? (
				<PasswordForm token={token} email={link.data.email} />
			) : link.error ? (
				<Failure error={link.error} onTryAgain={() => void link.refetch()} />
			) : (
				<Skeleton height={190} />
			)}
		</Entrance>
	);
}

/** 422: what is no token cannot be a link either. */
const isDead = (error: unknown) =>
	error instanceof ApiError && (error.code === 'link_dead' || error.code === 'validation_failed');

function PasswordForm({ token, email }: { token: string; email: string }) {
	const { t } = useTranslation();
	const [, navigate] = useLocation();
	const form = useForm(
		{ password: '' },
		async ({ password }) => {
			await session.setPasswordByLink({ token, password });
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
			{form.fault && <Notice kind="fault">{form.fault}</Notice>}
			<Button kind="primary" type="submit" busy={form.isBusy}>
				{t('signIn.setPassword.submit')}
			</Button>
		</form>
	);
}

/** Signed in at once, unless the account wants a code as well or the browser keeps no session. */
async function whereAfter(email: string, password: string): Promise<string> {
	try {
		await session.signIn({ email, password });
	} catch (error) {
		if (!(error instanceof ApiError)) throw error;
	}
	return (await forgetSession()) ? '/websites' : '/sign-in?password-set';
}

function DeadLink() {
	const { t } = useTranslation();
	return (
		<Entrance title={t('signIn.deadLink.title')} text={t('signIn.deadLink.text')}>
			<div>
				<ButtonLink href="/forgotten">{t('signIn.deadLink.again')}</ButtonLink>
			</div>
		</Entrance>
	);
}
