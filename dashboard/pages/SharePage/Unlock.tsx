import { useTranslation } from 'react-i18next';
import { ApiError } from '../../api-client.ts';
import { AuthLayout } from '../../layout/AuthLayout.tsx';
import { Button } from '../../ui/Button.tsx';
import { TextField } from '../../ui/Field.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { useForm } from '../../ui/use-form.ts';

/** Password form. Reveals nothing about the website. */
export function Unlock({
	unlock,
	onGone,
}: {
	unlock(password: string): Promise<void>;
	/** It is no longer shared with a password. */
	onGone(): Promise<unknown>;
}) {
	const { t } = useTranslation();
	const form = useForm({ password: '' }, async ({ password }) => {
		try {
			await unlock(password);
		} catch (error) {
			// The visibility has changed meanwhile.
			if (error instanceof ApiError && error.status === 404) await onGone();
			else throw error;
		}
	});
	const isWrong = form.error instanceof ApiError && form.error.code === 'validation_failed';
	return (
		<AuthLayout title={t('signIn.unlock.title')} text={t('signIn.unlock.text')}>
			<form onSubmit={(event) => void form.submit(event)}>
				{form.fault && <Notice kind="fault">{form.fault}</Notice>}
				<TextField
					label={t('signIn.unlock.password')}
					type="password"
					autoComplete="off"
					autoFocus
					required
					value={form.values.password}
					fault={isWrong ? t('signIn.unlock.wrong') : undefined}
					onChange={(event) => form.set({ password: event.target.value })}
				/>
				<Button kind="primary" type="submit" busy={form.isBusy}>
					{t('signIn.unlock.open')}
				</Button>
			</form>
		</AuthLayout>
	);
}
