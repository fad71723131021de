import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { operator } from '../../operator-client.ts';
import { Button } from '../../ui/Button.tsx';
import { Copy } from '../../ui/Copy.tsx';
import { TextField } from '../../ui/Field.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { useForm } from '../../ui/use-form.ts';
import { ownZone } from '../../ui/ZoneField.tsx';
import { isLimit, toLimit } from './limits.ts';
import styles from './OperatorPage.module.css';

/** The form, and then the link for the new owner. */
export function NewAccount({ onMade, onClose }: { onMade(): void; onClose(): void }) {
	const { t, i18n } = useTranslation();
	const [made, setMade] = useState<{ email: string; link: string }>();
	const form = useForm(
		{ name: '', email: '', website_limit: '' },
		async ({ name, email, website_limit }) => {
			const created = await operator.createAccount({
				name,
				email,
				website_limit: toLimit(website_limit),
				locale: i18n.language,
				timezone: ownZone(),
			});
			setMade({ email, link: created.invitation_link });
			onMade();
		},
		(values) => ({
			website_limit: isLimit(values.website_limit) ? undefined : t('operator.accounts.wrong'),
		}),
	);
	if (made)
		return (
			<div className={styles.form}>
				<p>{t('operator.accounts.linkText', { email: made.email })}</p>
				<Copy label={t('operator.accounts.link')} text={made.link} />
				<div className={styles.actions}>
					<Button kind="primary" onClick={onClose}>
						{t('common.close')}
					</Button>
				</div>
			</div>
		);
	return (
		<form className={styles.form} onSubmit={(event) => void form.submit(event)}>
			<p className={styles.quiet}>{t('operator.accounts.createText')}</p>
			<TextField
				label={t('account.keys.name')}
				required
				maxLength={200}
				autoComplete="off"
				value={form.values.name}
				fault={form.faultOf('name')}
				onChange={(event) => form.set({ name: event.target.value })}
			/>
			<TextField
				label={t('signIn.email')}
				type="email"
				required
				maxLength={254}
				autoComplete="off"
				value={form.values.email}
				fault={form.faultOf('email') && t('operator.accounts.taken')}
				onChange={(event) => form.set({ email: event.target.value })}
			/>
			<TextField
				label={t('operator.accounts.websiteLimit')}
				hint={t('operator.accounts.noLimit')}
				inputMode="numeric"
				value={form.values.website_limit}
				fault={form.faultOf('website_limit')}
				onChange={(event) => form.set({ website_limit: event.target.value })}
			/>
			{form.fault && <Notice kind="fault">{form.fault}</Notice>}
			<div className={styles.actions}>
				<Button kind="primary" type="submit" busy={form.isBusy}>
					{t('operator.accounts.create')}
				</Button>
				<Button kind="quiet" onClick={onClose}>
					{t('common.cancel')}
				</Button>
			</div>
		</form>
	);
}
