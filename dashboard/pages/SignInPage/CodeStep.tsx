import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../api-client.ts';
import { AuthLayout } from '../../layout/AuthLayout.tsx';
import { Button } from '../../ui/Button.tsx';
import { TextField } from '../../ui/Field.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { useForm } from '../../ui/use-form.ts';
import styles from './SignInPage.module.css';

/** The second step of who has a second factor: the code of an app, or one that was kept for the day without it. */
export function CodeStep({
	isLost,
	onCode,
	onBack,
}: {
	isLost: boolean;
	onCode(code: string): Promise<void>;
	onBack(): void;
}) {
	const { t } = useTranslation();
	const [isRecovery, setRecovery] = useState(false);
	const form = useForm({ code: '' }, ({ code }) => onCode(code.trim()));
	const isWrong = form.error instanceof ApiError && form.error.code === 'code_needed';
	const wrong = isRecovery ? t('signIn.code.recoveryWrong') : t('signIn.code.wrong');
	return (
		<AuthLayout
			title={t('signIn.code.title')}
			text={isRecovery ? t('signIn.code.recoveryText') : t('signIn.code.text')}
		>
			<form onSubmit={form.submit}>
				<TextField
					key={String(isRecovery)}
					label={isRecovery ? t('signIn.code.recoveryLabel') : t('signIn.code.label')}
					name="code"
					required
					autoFocus
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
				<Button kind="primary" type="submit" busy={form.isBusy}>
					{t('signIn.submit')}
				</Button>
			</form>
			<p className={styles.aside}>
				<button
					type="button"
					onClick={() => {
						form.reset();
						setRecovery(!isRecovery);
					}}
				>
					{isRecovery ? t('signIn.code.useApp') : t('signIn.code.useRecovery')}
				</button>
				<button type="button" onClick={onBack}>
					{t('common.back')}
				</button>
			</p>
		</AuthLayout>
	);
}
