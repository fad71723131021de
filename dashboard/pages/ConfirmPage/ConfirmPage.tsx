import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'wouter';
import { security } from '../../account-client.ts';
import { keptToken } from '../../kept-token.ts';
import { AuthLayout } from '../../layout/AuthLayout.tsx';
import { setSession, useSession } from '../../session.tsx';
import { Button } from '../../ui/Button.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { useForm } from '../../ui/use-form.ts';

const kept = keptToken('tidemark-confirmation');

/** Target of the link in a confirmation email. Requires a session. */
export function ConfirmPage() {
	const { t } = useTranslation();
	const [, navigate] = useLocation();
	const who = useSession();
	const [token] = useState(kept.read);
	const form = useForm({}, async () => {
		if (!who) {
			kept.keep(token);
			navigate(`/sign-in?to=${encodeURIComponent('/confirm-address')}`);
			return;
		}
		const confirmed = await security.confirmAddress(token);
		kept.forget();
		setSession(confirmed);
		navigate('/websites', { replace: true });
	});
	return (
		<AuthLayout
			title={t('signIn.confirm.title')}
			text={
				!who
					? t('signIn.confirm.signedOut')
					: who.new_email === null
						? t('signIn.confirm.text', { email: who.person.email })
						: t('signIn.confirm.newAddress', { email: who.new_email })
			}
		>
			<form onSubmit={form.submit}>
				{form.fault && <Notice kind="fault">{form.fault}</Notice>}
				<Button kind="primary" type="submit" busy={form.isBusy}>
					{who ? t('signIn.confirm.submit') : t('signIn.submit')}
				</Button>
			</form>
		</AuthLayout>
	);
}
