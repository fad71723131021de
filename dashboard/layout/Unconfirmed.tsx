import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { session } from '../api-client.ts';
import { Button } from '../ui/Button.tsx';
import { Notice } from '../ui/Notice.tsx';
import { useForm } from '../ui/use-form.ts';
import styles from './AppLayout.module.css';

/** Says that the email address of the account is not confirmed, and sends the link once more. */
export function Unconfirmed({ email, canMail }: { email: string; canMail: boolean }) {
	const { t } = useTranslation();
	const [isSent, setSent] = useState(false);
	const form = useForm({}, async () => {
		await session.mailConfirmation();
		setSent(true);
	});
	if (!canMail) return <Notice>{t('warnings.unconfirmed.noMail', { email })}</Notice>;
	return (
		<Notice>
			<form className={styles.unconfirmed} onSubmit={form.submit}>
				<span>
					{isSent ? t('warnings.unconfirmed.sent', { email }) : t('warnings.unconfirmed.text', { email })}
					{form.fault && ` ${form.fault}`}
				</span>
				{!isSent && (
					<Button type="submit" busy={form.isBusy}>
						{t('warnings.unconfirmed.again')}
					</Button>
				)}
			</form>
		</Notice>
	);
}
