import { useTranslation } from 'react-i18next';
import { noProof, ProofFields, toProof } from '../../account/ProofFields.tsx';
import { keys } from '../../account-client.ts';
import { ApiError, type ShownKey } from '../../api-client.ts';
import { Button } from '../../ui/Button.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { useForm } from '../../ui/use-form.ts';
import styles from './AccountPage.module.css';
import { KeyFields, newKeyValues, toFields, useKeyCheck } from './KeyFields.tsx';

const initial = { ...noProof, ...newKeyValues };

export function NewKey({ onMade, onCancel }: { onMade(made: ShownKey): void; onCancel(): void }) {
	const { t } = useTranslation();
	const form = useForm(
		initial,
		async (values) => onMade(await keys.create({ ...toProof(values), ...toFields(values, new Date()) })),
		useKeyCheck(),
	);
	const isFull = form.error instanceof ApiError && form.error.code === 'limit_reached';
	return (
		<form className={styles.form} onSubmit={form.submit}>
			<KeyFields form={form} nameFault={isFull ? t('account.keys.limit') : undefined} />
			<ProofFields form={form} />
			{form.fault && <Notice kind="fault">{form.fault}</Notice>}
			<div className={styles.actions}>
				<Button kind="primary" type="submit" busy={form.isBusy}>
					{t('account.keys.create')}
				</Button>
				<Button kind="quiet" onClick={onCancel}>
					{t('common.cancel')}
				</Button>
			</div>
		</form>
	);
}
