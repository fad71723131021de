import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { noProof, ProofFields, toProof } from '../../account/ProofFields.tsx';
import { security } from '../../account-client.ts';
import { askAgain, useAccount } from '../../session.tsx';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { TextField } from '../../ui/Field.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { useForm } from '../../ui/use-form.ts';
import styles from './AccountPage.module.css';

/** The email address, and changing it with a link that is mailed to the new one. */
export function ChangeAddress() {
	const { t } = useTranslation();
	const { person, new_email: pending, can_mail: canMail } = useAccount();
	const [isOpen, setOpen] = useState(false);
	const cancel = useForm({}, async () => {
		await security.cancelAddress();
		await askAgain();
	});
	return (
		<>
			<TextField
				label={<span className="unseen">{t('account.profile.email')}</span>}
				hint={t('account.profile.emailHint')}
				readOnly
				value={person.email}
			/>
			{pending !== null && <Notice>{t('account.address.pending', { email: pending })}</Notice>}
			{cancel.fault && <Notice kind="fault">{cancel.fault}</Notice>}
			{canMail && (
				<div className={styles.actions}>
					<Button onClick={() => setOpen(true)}>{t('account.address.change')}</Button>
					{pending !== null && (
						<Button kind="quiet" busy={cancel.isBusy} onClick={() => void cancel.submit()}>
							{t('account.address.cancel')}
						</Button>
					)}
				</div>
			)}
			{isOpen && <AddressDialog onClose={() => setOpen(false)} />}
		</>
	);
}

function AddressDialog({ onClose }: { onClose(): void }) {
	const { t } = useTranslation();
	const form = useForm({ email: '', ...noProof }, async ({ email, ...proof }) => {
		await security.askForAddress({ email: email.trim(), ...toProof(proof) });
		await askAgain();
		onClose();
	});
	return (
		<Dialog
			title={t('account.address.title')}
			text={t('account.address.text')}
			isOpen
			onClose={onClose}
			closeLabel={t('common.close')}
		>
			<form className={styles.form} onSubmit={form.submit}>
				<TextField
					label={t('account.address.next')}
					type="email"
					autoComplete="email"
					required
					maxLength={254}
					fault={form.faultOf('email')}
					value={form.values.email}
					onChange={(event) => form.set({ email: event.target.value })}
				/>
				<ProofFields form={form} />
				{form.fault && <Notice kind="fault">{form.fault}</Notice>}
				<div className={styles.actions}>
					<Button kind="primary" type="submit" busy={form.isBusy}>
						{t('account.address.submit')}
					</Button>
					<Button kind="quiet" onClick={onClose}>
						{t('common.cancel')}
					</Button>
				</div>
			</form>
		</Dialog>
	);
}
