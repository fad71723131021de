import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'wouter';
import type { PublicAddress } from '../../../api/session.ts';
import { NewAccountFields } from '../../account/NewAccountFields.tsx';
import { isTooShort } from '../../account/password-rule.ts';
import { security } from '../../account-client.ts';
import { ApiError } from '../../api-client.ts';
import { LanguageField } from '../../LanguageField.tsx';
import { AuthLayout } from '../../layout/AuthLayout.tsx';
import { useLinkToken } from '../../link-token.ts';
import { forgetSession } from '../../session.tsx';
import { chooseLanguage } from '../../texts/texts.ts';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { TextField } from '../../ui/Field.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { Failure } from '../../ui/States.tsx';
import { useForm } from '../../ui/use-form.ts';
import { ownZone, ZoneField } from '../../ui/ZoneField.tsx';
import styles from './SetUpPage.module.css';

/** Target of the setup link that a new server prints: first account and public URL. */
export function SetUpPage() {
	const { t } = useTranslation();
	const token = useLinkToken();
	const link = useQuery({
		queryKey: ['set-up', token],
		queryFn: () => security.setUpLink(token),
		staleTime: Number.POSITIVE_INFINITY,
	});
	/** URL for signing in, if this browser cannot keep the session. */
	const [elsewhere, setElsewhere] = useState<string>();
	if (elsewhere !== undefined)
		return (
			<AuthLayout title={t('signIn.setUp.doneTitle')} text={t('signIn.setUp.done', { address: elsewhere })}>
				<a href={`${elsewhere}/sign-in`}>{`${elsewhere}/sign-in`}</a>
			</AuthLayout>
		);
	if (link.error instanceof ApiError && link.error.status >= 400 && link.error.status < 429)
		return (
			<AuthLayout title={t('signIn.setUp.deadTitle')} text={t('signIn.setUp.dead')}>
				<div>
					<ButtonLink href="/sign-in">{t('signIn.toSignIn')}</ButtonLink>
				</div>
			</AuthLayout>
		);
	return (
		<AuthLayout title={t('signIn.setUp.title')} text={t('signIn.setUp.text')}>
			{link.data ? (
				<SetUpForm token={token} address={link.data.public_address} onElsewhere={setElsewhere} />
			) : link.error ? (
				<Failure error={link.error} onTryAgain={() => void link.refetch()} />
			) : (
				<Skeleton height={340} />
			)}
		</AuthLayout>
	);
}

function SetUpForm({
	token,
	address,
	onElsewhere,
}: {
	token: string;
	address: PublicAddress;
	onElsewhere(address: string): void;
}) {
	const { t, i18n } = useTranslation();
	const [, navigate] = useLocation();
	/** Everything else has a good default, and the account page changes it later. */
	const [isOpen, setOpen] = useState(false);
	const initial = {
		name: '',
		email: '',
		password: '',
		locale: i18n.language,
		timezone: ownZone(),
		public_address: address.is_set ? address.url : location.origin,
	};
	const form = useForm(
		initial,
		async ({ public_address, ...account }) => {
			const wanted = public_address.trim().replace(/\/+$/, '');
			await security.setUp({ token, ...account, ...(!address.is_set && { public_address: wanted }) });
			if (await forgetSession()) navigate('/websites/new', { replace: true });
			else onElsewhere(wanted);
		},
		({ password, public_address }) => {
			// A fault in a closed part could not be seen.
			if (!isOrigin(public_address)) setOpen(true);
			return {
				password: isTooShort(password) ? t('signIn.tooShort') : undefined,
				public_address: isOrigin(public_address) ? undefined : t('signIn.setUp.addressWrong'),
			};
		},
	);
	const { values, set, faultOf } = form;
	return (
		<form onSubmit={form.submit}>
			<NewAccountFields values={values} set={set} faultOf={faultOf} emailFault={t('signIn.emailWrong')} />
			<details className={styles.more} open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
				<summary>
					{t('signIn.setUp.more')}
					<small>
						{values.timezone} · {values.public_address}
					</small>
				</summary>
				<LanguageField
					value={values.locale}
					fault={faultOf('locale')}
					onChange={(locale) => {
						set({ locale });
						void chooseLanguage(locale);
					}}
				/>
				<ZoneField
					label={t('signIn.setUp.zone')}
					hint={t('signIn.setUp.zoneHint')}
					fault={faultOf('timezone')}
					value={values.timezone}
					onChange={(event) => set({ timezone: event.target.value })}
				/>
				<TextField
					label={t('signIn.setUp.address')}
					hint={t(address.is_set ? 'signIn.setUp.addressFixed' : 'signIn.setUp.addressHint')}
					type="url"
					required
					readOnly={address.is_set}
					fault={faultOf('public_address')}
					value={values.public_address}
					onChange={(event) => set({ public_address: event.target.value })}
				/>
			</details>
			{form.fault && <Notice kind="fault">{form.fault}</Notice>}
			<Button kind="primary" type="submit" busy={form.isBusy}>
				{t('signIn.setUp.submit')}
			</Button>
		</form>
	);
}

const isOrigin = (text: string) =>
	/^https?:\/\/[^\s/?#@]+\/*$/i.test(text.trim()) && URL.canParse(text.trim());
