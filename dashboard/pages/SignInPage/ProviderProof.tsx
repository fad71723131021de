import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'wouter';
import { PasskeyButton } from '../../account/PasskeyButton.tsx';
import { passkeys } from '../../account-client.ts';
import { ApiError } from '../../api-client.ts';
import { AuthLayout } from '../../layout/AuthLayout.tsx';
import { type OidcProof, oidc } from '../../oidc-client.ts';
import { canUsePasskeys } from '../../passkeys.ts';
import { forgetSession } from '../../session.tsx';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { PasswordField, TextField } from '../../ui/Field.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { useForm } from '../../ui/use-form.ts';
import styles from './SignInPage.module.css';

/** A provider has confirmed who it is. What is missing: the password, to link the provider once, or the second factor. */
export function ProviderProof() {
	const { t } = useTranslation();
	const [, navigate] = useLocation();
	const [isLost, setLost] = useState(false);
	const { data, error } = useQuery({ queryKey: ['oidc-proof'], queryFn: oidc.proof, gcTime: 0 });
	const { data: origin } = useQuery({
		queryKey: ['passkey-origin'],
		queryFn: passkeys.origin,
		staleTime: Number.POSITIVE_INFINITY,
	});
	const prove = async (proof: OidcProof) => {
		const { to } = await oidc.prove(proof);
		if (await forgetSession()) navigate(to, { replace: true });
		else setLost(true);
	};
	const form = useForm({ password: '', code: '' }, ({ password, code }) => {
		const typed = code.replaceAll(/\s/g, '');
		return prove({ ...(data?.needs_password && { password }), ...(typed !== '' && { code: typed }) });
	});
	const isOver = [error, form.error].some((fault) => fault instanceof ApiError && fault.code === 'link_dead');
	if (isOver)
		return (
			<AuthLayout title={t('signIn.title')} text={t('providers.refusals.expired')}>
				<div>
					<ButtonLink href="/sign-in">{t('signIn.toSignIn')}</ButtonLink>
				</div>
			</AuthLayout>
		);
	if (!data)
		return (
			<AuthLayout title={t('signIn.title')}>
				<Skeleton height={180} />
			</AuthLayout>
		);
	const { provider, email, needs_password: needsPassword, needs_code: needsCode } = data;
	const isTaken = form.error instanceof ApiError && form.error.code === 'forbidden';
	return (
		<AuthLayout
			title={needsPassword ? t('providers.proof.title') : t('signIn.code.title')}
			text={needsPassword ? t('providers.proof.link', { provider, email }) : t('providers.proof.code')}
		>
			<form onSubmit={form.submit}>
				{/* So that whatever keeps passwords knows whose this is. */}
				<input hidden readOnly type="text" autoComplete="username" value={email} />
				{needsPassword && (
					<PasswordField
						label={t('signIn.password')}
						name="password"
						autoComplete="current-password"
						required
						autoFocus
						fault={form.faultOf('password') && t('account.password.wrong')}
						value={form.values.password}
						onChange={(event) => form.set({ password: event.target.value })}
					/>
				)}
				{needsCode && (
					<TextField
						label={t('account.proof.code')}
						hint={t('account.proof.codeHint')}
						name="code"
						autoComplete="one-time-code"
						autoCapitalize="none"
						spellCheck={false}
						required
						autoFocus={!needsPassword}
						fault={form.faultOf('code') && t('signIn.code.wrong')}
						value={form.values.code}
						onChange={(event) => form.set({ code: event.target.value })}
					/>
				)}
				{form.fault && (
					<Notice kind="fault">{isTaken ? t('providers.proof.taken', { provider }) : form.fault}</Notice>
				)}
				{isLost && <Notice kind="fault">{t('signIn.sessionLost')}</Notice>}
				<Button kind="primary" type="submit" busy={form.isBusy}>
					{needsPassword ? t('providers.proof.submit') : t('providers.proof.submitCode')}
				</Button>
			</form>
			{data.can_use_passkey && canUsePasskeys(origin) && (
				<PasskeyButton
					label={t('account.proof.passkey')}
					challenge={passkeys.signInChallenge}
					onSigned={(passkey) => prove({ passkey })}
				/>
			)}
			{needsPassword && <p className={styles.quiet}>{t('providers.proof.forgotten')}</p>}
			<p className={styles.aside}>
				<Link href="/forgotten">{t('signIn.forgotten')}</Link>
				<Link href="/sign-in">{t('signIn.toSignIn')}</Link>
			</p>
		</AuthLayout>
	);
}
