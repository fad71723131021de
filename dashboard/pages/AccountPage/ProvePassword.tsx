import { useTranslation } from 'react-i18next';
import { noProof, ProofFields, toProof } from '../../account/ProofFields.tsx';
import { Button, type ButtonKind } from '../../ui/Button.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { useForm } from '../../ui/use-form.ts';
import styles from './AccountPage.module.css';

/** For what a session must not do by itself: the password and, where two-factor sign-in is on, a code. */
export function ProvePassword({
	submit,
	kind = 'primary',
	onProof,
	onCancel,
}: {
	submit: string;
	kind?: ButtonKind;
	onProof(proof: ReturnType<typeof toProof>): Promise<unknown>;
	onCancel(): void;
}) {
	const { t } = useTranslation();
	const form = useForm(noProof, (values) => onProof(toProof(values)));
	return (
		<form className={styles.form} onSubmit={form.submit}>
			<ProofFields form={form} autoFocus />
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
