import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/Button.tsx';
import { TextField } from '../../ui/Field.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { useForm } from '../../ui/use-form.ts';
import styles from './SettingsPage.module.css';

/** Confirms a deletion, in a dialog. An irreversible one is confirmed by typing the domain. */
export function ConfirmForm(props: {
	/** Undefined: nothing has to be typed. */
	domain: string | undefined;
	/** The labels of the buttons. */
	action: string;
	cancel: string;
	work(): Promise<unknown>;
	onCancel(): void;
}) {
	const { t } = useTranslation();
	const { domain, action, cancel, work, onCancel } = props;
	const form = useForm({ domain: '' }, work, ({ domain: typed }) => ({
		domain:
			domain === undefined || typed.trim().toLowerCase() === domain
				? undefined
				: t('settings.typed.wrong', { domain }),
	}));
	return (
		<form className={styles.typed} onSubmit={(event) => void form.submit(event)}>
			{domain !== undefined && (
				<TextField
					label={t('settings.typed.label', { domain })}
					value={form.values.domain}
					fault={form.faultOf('domain')}
					autoComplete="off"
					autoCapitalize="none"
					spellCheck={false}
					onChange={(event) => form.set({ domain: event.target.value })}
				/>
			)}
			{form.fault && <Notice kind="fault">{form.fault}</Notice>}
			<div className={styles.done}>
				<Button kind="danger" type="submit" busy={form.isBusy}>
					{action}
				</Button>
				<Button kind="quiet" onClick={onCancel}>
					{cancel}
				</Button>
			</div>
		</form>
	);
}
