import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, Redirect, useSearch } from 'wouter';
import { PasskeyButton } from '../../account/PasskeyButton.tsx';
import { ProviderButtons, useProviders } from '../../account/ProviderButtons.tsx';
import { useRefusalText } from '../../account/use-refusal-text.ts';
import { passkeys, security } from '../../account-client.ts';
import { ApiError, type Passkey, type SecondFactorMethod } from '../../api-client.ts';
import { AuthLayout } from '../../layout/AuthLayout.tsx';
import { signUp } from '../../operator-client.ts';
import { canUsePasskeys } from '../../passkeys.ts';
import { forgetSession, useSession } from '../../session.tsx';
import { Button } from '../../ui/Button.tsx';
import { Copy } from '../../ui/Copy.tsx';
import { PasswordField, TextField } from '../../ui/Field.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { useForm } from '../../ui/use-form.ts';
import { CodeStep } from './CodeStep.tsx';
import { ProviderProof } from './ProviderProof.tsx';
import { returnUrl } from './return-url.ts';
import styles from './SignInPage.module.css';

type Given = { email: string; password: string };
type Asked = Given & { methods: readonly SecondFactorMethod[] };

export function SignInPage() {
	const { t } = useTranslation();
	const who = useSession();
	const search = useSearch();
	/** Right so far; the account wants a second factor too. */
	const [asked, setAsked] = useState<Asked>();
	const [isLost, setLost] = useState(false);
	const setUp = useQuery({ queryKey: ['set-up'], queryFn: security.needsSetUp, enabled: !who });
	const providers = useProviders();
	if (who) return <Redirect to={returnUrl(search)} replace />;
	if (setUp.data) return <SetUpHint />;
	if (new URLSearchParams(search).get('oidc') === 'proof') return <ProviderProof />;
	if (providers.isPending) return <AuthLayout title={t('signIn.title')} />;
	if (providers.data?.required) return <ProvidersOnly />;
	const open = async (sent: () => Promise<unknown>) => {
		setLost(false);
		await sent();
		setLost((await forgetSession()) === null);
	};
	if (asked) {
		const { methods, ...given } = asked;
		return (
			<CodeStep
				methods={methods}
				isLost={isLost}
				onFactor={(factor) => open(() => security.signIn({ ...given, ...factor }))}
				onBack={() => setAsked(undefined)}
			/>
		);
	}
	return (
		<PasswordStep
			isLost={isLost}
			onPassword={(given) => open(() => security.signIn(given))}
			onPasskey={(passkey) => open(() => passkeys.signIn(passkey))}
			onCodeNeeded={setAsked}
		/>
	);
}

/** Where people cannot sign in with a password. */
function ProvidersOnly() {
	const { t } = useTranslation();
	const search = useSearch();
	const refusal = useRefusalText();
	return (
		<AuthLayout title={t('signIn.title')} text={t('providers.only')}>
			{refusal && <Notice kind="fault">{refusal}</Notice>}
			<ProviderButtons to={returnUrl(search)} />
		</AuthLayout>
	);
}

/** Of a new server: the set-up link is known only to whoever sees its output. */
function SetUpHint() {
	const { t } = useTranslation();
	return (
		<AuthLayout title={t('signIn.setUp.title')} text={t('signIn.setUp.hint')}>
			<p>{t('signIn.setUp.where')}</p>
			<p>{t('signIn.setUp.command')}</p>
			<Copy
				label={t('signIn.forgottenPage.command')}
				text={'tidemark account create --email you@example.com --name "Your name"'}
			/>
		</AuthLayout>
	);
}

function PasswordStep({
	isLost,
	onPassword,
	onPasskey,
	onCodeNeeded,
}: {
	isLost: boolean;
	onPassword(credentials: Given): Promise<void>;
	onPasskey(passkey: Passkey): Promise<void>;
	onCodeNeeded(asked: Asked): void;
}) {
	const { t } = useTranslation();
	const { data: origin } = useQuery({
		queryKey: ['passkey-origin'],
		queryFn: passkeys.origin,
		staleTime: Number.POSITIVE_INFINITY,
	});
	const search = useSearch();
	const isPasswordSet = new URLSearchParams(search).has('password-set');
	const refusal = useRefusalText();
	const { data: { providers } = { providers: [] } } = useProviders();
	const { data: canSignUp } = useQuery({ queryKey: ['sign-up'], queryFn: signUp.isOpen });
	const form = useForm({ email: '', password: '' }, async (values) => {
		try {
			await onPassword(values);
		} catch (error) {
			if (!(error instanceof ApiError) || error.code !== 'code_needed') throw error;
			onCodeNeeded({ ...values, methods: error.methods });
		}
	});
	return (
		<AuthLayout title={t('signIn.title')}>
			{isPasswordSet && <Notice kind="good">{t('signIn.passwordSet')}</Notice>}
			{refusal && <Notice kind="fault">{refusal}</Notice>}
			<form onSubmit={form.submit}>
				<TextField
					label={t('signIn.email')}
					type="email"
					name="email"
					autoComplete="username"
					required
					autoFocus
					value={form.values.email}
					onChange={(event) => form.set({ email: event.target.value })}
				/>
				<PasswordField
					label={t('signIn.password')}
					name="password"
					autoComplete="current-password"
					required
					value={form.values.password}
					onChange={(event) => form.set({ password: event.target.value })}
				/>
				{form.fault && <Notice kind="fault">{form.fault}</Notice>}
				{isLost && <Notice kind="fault">{t('signIn.sessionLost')}</Notice>}
				<Button kind="primary" type="submit" busy={form.isBusy}>
					{t('signIn.submit')}
				</Button>
			</form>
			{canUsePasskeys(origin) && (
				<PasskeyButton
					label={t('signIn.passkey.submit')}
					challenge={passkeys.signInChallenge}
					onSigned={onPasskey}
				/>
			)}
			<p className={styles.aside}>
				<Link href="/forgotten">{t('signIn.forgotten')}</Link>
				{canSignUp && <Link href="/sign-up">{t('operator.join.offer')}</Link>}
			</p>
			{providers.length > 0 && (
				<>
					<p className={styles.or}>{t('providers.or')}</p>
					<ProviderButtons to={returnUrl(search)} />
				</>
			)}
			{isReadByNeighbours() && <p className={styles.plain}>{t('signIn.plainHttp')}</p>}
		</AuthLayout>
	);
}

/** Plain http that leaves the machine. */
function isReadByNeighbours(): boolean {
	const { protocol, hostname } = location;
	return protocol === 'http:' && !/^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}
