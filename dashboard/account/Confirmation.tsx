import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { Notice } from '../ui/Notice.tsx';
import { useForm } from '../ui/use-form.ts';
import styles from './Members.module.css';
import { noProof, ProofFields, toProof } from './ProofFields.tsx';

/** Asks before a change of access. */
export function Confirmation(props: {
	title: ReactNode;
	text: ReactNode;
	action: string;
	/** Whether the password is asked for too. */
	needsProof?: boolean;
	onConfirm(proof: ReturnType<typeof toProof>): Promise<unknown>;
	onClose(): void;
}) {
	const { t } = useTranslation();
	const form = useForm(noProof, (values) => props.onConfirm(toProof(values)));
	return (
		<Dialog
			title={props.title}
			text={props.text}
			isOpen
			onClose={props.onClose}
			closeLabel={t('common.close')}
		>
			<form className={styles.form} onSubmit={form.submit}>
				{props.needsProof && <ProofFields form={form} autoFocus />}
				{form.fault && <Notice kind="fault">{form.fault}</Notice>}
				<div className={styles.actions}>
					<Button kind="danger" type="submit" busy={form.isBusy}>
						{props.action}
					</Button>
					<Button kind="quiet" onClick={props.onClose}>
						{t('common.cancel')}
					</Button>
				</div>
			</form>
		</Dialog>
	);
}
