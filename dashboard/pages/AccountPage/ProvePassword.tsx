import { useTranslation } from 'react-i18next';
import { Button, type ButtonKind } from '../../ui/Button.tsx';
import { PasswordField } from '../../ui/Field.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { useForm } from '../../ui/use-form.ts';
import styles from './AccountPage.module.css';

/** For what a browser that was left open must not do by itself. */
export function ProvePassword({
	submit,
	kind = 'primary',
	onPassword,
	onCancel,
}: {
	submit: string;
	kind?: ButtonKind;
	onPassword(password: string): Promise<unknown>;
	onCancel(): void;
}) {
	const { t } = useTranslation();
	const form = useForm({ password: '' }, ({ password }) => onPassword(password));
	return (
		<form className={styles.form} onSubmit={form.submit}>
			<PasswordField
				label={t('account.password.current')}
				autoComplete="current-password"
				required
				autoFocus
				fault={form.faultOf('password') && t('account.password.wrong')}
				value={form.values.password}
				onChange={(event) => form.set({ password: event.target.value })}
			/>
			{form.fault && <Notice kind="fault">{form.fault}</Notice>}
			<div className={styles.actions}>
				<Button kind={kind} type="submit" busy={form.isBusy}>
					{submit}
				</Button>
				<Button kind="quiet" onClick={onCancel}>
					{t('common.cancel')}
				</Button>
			</div>
		</form>
	);
}
