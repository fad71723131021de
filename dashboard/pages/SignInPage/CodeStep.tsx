import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { PasskeyButton } from '../../account/PasskeyButton.tsx';
import { passkeys } from '../../account-client.ts';
import { ApiError, type Passkey, type SecondFactorMethod } from '../../api-client.ts';
import { AuthLayout } from '../../layout/AuthLayout.tsx';
import { canUsePasskeys } from '../../passkeys.ts';
import { Button } from '../../ui/Button.tsx';
import { TextField } from '../../ui/Field.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { useForm } from '../../ui/use-form.ts';
import styles from './SignInPage.module.css';

/** The second step of who has a second factor: the code of an app, a passkey, or a recovery code. */
export function CodeStep({
	methods,
	isLost,
	onFactor,
	onBack,
}: {
	methods: readonly SecondFactorMethod[];
	isLost: boolean;
	onFactor(factor: { code: string } | { passkey: Passkey }): Promise<void>;
	onBack(): void;
}) {
	const { t } = useTranslation();
	const hasApp = methods.includes('app');
	const canUsePasskey = methods.includes('passkey') && canUsePasskeys(location.origin);
	const [isRecovery, setRecovery] = useState(!hasApp);
	const form = useForm({ code: '' }, ({ code }) => onFactor({ code: code.trim() }));
	const isWrong = form.error instanceof ApiError && form.error.code === 'code_needed';
	const wrong = isRecovery ? t('signIn.code.recoveryWrong') : t('signIn.code.wrong');
	const passkeyButton = canUsePasskey && (
		<PasskeyButton
			label={t('signIn.passkey.use')}
			kind={hasApp ? 'plain' : 'primary'}
			autoFocus={!hasApp}
			challenge={passkeys.signInChallenge}
			onSigned={(passkey) => onFactor({ passkey })}
		/>
	);
	const text = isRecovery ? t('signIn.code.recoveryText') : t('signIn.code.text');
	return (
		<AuthLayout
			title={t('signIn.code.title')}
			text={!hasApp && canUsePasskey ? t('signIn.passkey.text') : text}
		>
			{!hasApp && passkeyButton}
			<form onSubmit={form.submit}>
				<TextField
					key={String(isRecovery)}
					label={isRecovery ? t('signIn.code.recoveryLabel') : t('signIn.code.label')}
					name="code"
					required
					autoFocus={hasApp || !canUsePasskey}
					spellCheck={false}
					autoCapitalize="none"
					{...(isRecovery
						? { autoComplete: 'off' }
						: { autoComplete: 'one-time-code', inputMode: 'numeric' as const })}
					fault={isWrong ? wrong : form.faultOf('code')}
					value={form.values.code}
					onChange={(event) => form.set({ code: event.target.value })}
				/>
				{form.fault && !isWrong && <Notice kind="fault">{form.fault}</Notice>}
				{isLost && <Notice kind="fault">{t('signIn.sessionLost')}</Notice>}
				<Button kind={hasApp || !canUsePasskey ? 'primary' : 'plain'} type="submit" busy={form.isBusy}>
					{t('signIn.submit')}
				</Button>
			</form>
			{hasApp && passkeyButton}
			<p className={styles.aside}>
				{hasApp && (
					<button
						type="button"
						onClick={() => {
							form.reset();
							setRecovery(!isRecovery);
						}}
					>
						{isRecovery ? t('signIn.code.useApp') : t('signIn.code.useRecovery')}
					</button>
				)}
				<button type="button" onClick={onBack}>
					{t('common.back')}
				</button>
			</p>
		</AuthLayout>
	);
}
