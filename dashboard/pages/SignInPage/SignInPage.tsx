import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, Redirect, useSearch } from 'wouter';
import { ApiError, session } from '../../api-client.ts';
import { AuthLayout } from '../../layout/AuthLayout.tsx';
import { forgetSession, useSession } from '../../session.tsx';
import { Button } from '../../ui/Button.tsx';
import { Copy } from '../../ui/Copy.tsx';
import { PasswordField, TextField } from '../../ui/Field.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { useForm } from '../../ui/use-form.ts';
import { CodeStep } from './CodeStep.tsx';
import { returnUrl } from './return-url.ts';
import styles from './SignInPage.module.css';

export type Given = { email: string; password: string };

export function SignInPage() {
	const who = useSession();
	const search = useSearch();
	/** Right so far; the account wants a code too. */
	const [credentials, setCredentials] = useState<Given>();
	const [isLost, setLost] = useState(false);
	const setUp = useQuery({ queryKey: ['set-up'], queryFn: session.needsSetUp, enabled: !who });
	if (who) return <Redirect to={returnUrl(search)} replace />;
	if (setUp.data) return <SetUpHint />;
	const signIn = async (sent: Given & { code?: string }) => {
		setLost(false);
		await session.signIn(sent);
		setLost((await forgetSession()) === null);
	};
	if (credentials)
		return (
			<CodeStep
				isLost={isLost}
				onCode={(code) => signIn({ ...credentials, code })}
				onBack={() => setCredentials(undefined)}
			/>
		);
	return <PasswordStep isLost={isLost} onPassword={signIn} onCodeNeeded={setCredentials} />;
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
	onCodeNeeded,
}: {
	isLost: boolean;
	onPassword(credentials: Given): Promise<void>;
	onCodeNeeded(credentials: Given): void;
}) {
	const { t } = useTranslation();
	const isPasswordSet = new URLSearchParams(useSearch()).has('password-set');
	const form = useForm({ email: '', password: '' }, async (values) => {
		try {
			await onPassword(values);
		} catch (error) {
			if (!(error instanceof ApiError) || error.code !== 'code_needed') throw error;
			onCodeNeeded(values);
		}
	});
	return (
		<AuthLayout title={t('signIn.title')}>
			{isPasswordSet && <Notice kind="good">{t('signIn.passwordSet')}</Notice>}
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
			<p className={styles.aside}>
				<Link href="/forgotten">{t('signIn.forgotten')}</Link>
			</p>
			{isReadByNeighbours() && <p className={styles.plain}>{t('signIn.plainHttp')}</p>}
		</AuthLayout>
	);
}

/** Plain http that leaves the machine. */
function isReadByNeighbours(): boolean {
	const { protocol, hostname } = location;
	return protocol === 'http:' && !/^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}
