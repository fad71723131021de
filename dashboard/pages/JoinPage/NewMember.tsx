import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'wouter';
import type { JoinRecord } from '../../../api/people.ts';
import { NewAccountFields } from '../../account/NewAccountFields.tsx';
import { ProviderButtons, useProviders } from '../../account/ProviderButtons.tsx';
import { isTooShort } from '../../account/password-rule.ts';
import { people } from '../../people-client.ts';
import { forgetSession } from '../../session.tsx';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { useForm } from '../../ui/use-form.ts';
import { ownZone } from '../../ui/ZoneField.tsx';
import { forgetInvitation, keepInvitation } from './invitation-token.ts';

/** For who is not signed in: an account of their own, or signing in and coming back. */
export function NewMember({ token, invitation }: { token: string; invitation: JoinRecord }) {
	const { t, i18n } = useTranslation();
	const [, navigate] = useLocation();
	const [isLost, setLost] = useState(false);
	const providers = useProviders();
	const { email: wanted, website } = invitation;
	const form = useForm(
		{ name: '', email: wanted ?? '', password: '' },
		async (values) => {
			await people.joinAsNew({ ...values, token, locale: i18n.language, timezone: ownZone() });
			forgetInvitation();
			if (await forgetSession())
				navigate(website ? `/websites/${website.id}` : '/websites', { replace: true });
			else setLost(true);
		},
		({ password }) => ({ password: isTooShort(password) ? t('signIn.tooShort') : undefined }),
	);
	const signIn = () => {
		keepInvitation(token);
		navigate(`/sign-in?to=${encodeURIComponent('/join')}`);
	};
	if (isLost)
		return (
			<>
				<Notice>{`${t('people.join.lostTitle')}. ${t('people.join.lost')}`}</Notice>
				<div>
					<ButtonLink href="/sign-in">{t('signIn.toSignIn')}</ButtonLink>
				</div>
			</>
		);
	const { values, set, faultOf } = form;
	if (providers.isPending) return <Skeleton height={240} />;
	if (providers.data?.required)
		return (
			<>
				<p>{t('providers.join')}</p>
				<ProviderButtons to="/join" onStart={() => keepInvitation(token)} />
			</>
		);
	return (
		<form onSubmit={form.submit}>
			<NewAccountFields
				values={values}
				set={set}
				faultOf={faultOf}
				emailFault={t('people.join.taken')}
				isEmailFixed={wanted !== null}
			/>
			{form.fault && <Notice kind="fault">{form.fault}</Notice>}
			<Button kind="primary" type="submit" busy={form.isBusy}>
				{t('people.join.create')}
			</Button>
			<Button onClick={signIn}>{t('people.join.haveAccount')}</Button>
		</form>
	);
}
