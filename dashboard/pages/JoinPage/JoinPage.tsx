import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'wouter';
import { ApiError, session, workIn } from '../../api-client.ts';
import { AuthLayout } from '../../layout/AuthLayout.tsx';
import { people } from '../../people-client.ts';
import { queries } from '../../queries.ts';
import { askAgain, forgetSession, useSession } from '../../session.tsx';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { Failure } from '../../ui/States.tsx';
import { useForm } from '../../ui/use-form.ts';
import { forgetInvitation, readInvitation } from './invitation-token.ts';
import { NewMember } from './NewMember.tsx';

/** Target of an invitation link: accept while signed in, otherwise create an account or sign in first. */
export function JoinPage() {
	const { t } = useTranslation();
	const who = useSession();
	const [token, setToken] = useState(readInvitation);
	useEffect(() => {
		// A second link opened in the same tab changes only the fragment.
		const look = () => setToken(readInvitation());
		addEventListener('hashchange', look);
		return () => removeEventListener('hashchange', look);
	}, []);
	const invitation = useQuery({
		queryKey: ['invitation', token],
		queryFn: () => people.invitation(token),
		staleTime: Number.POSITIVE_INFINITY,
	});
	if (isDead(invitation.error))
		return (
			<AuthLayout title={t('people.join.deadTitle')} text={t('people.join.dead')}>
				{who && (
					<div>
						<ButtonLink href="/websites">{t('people.join.toWebsites')}</ButtonLink>
					</div>
				)}
			</AuthLayout>
		);
	if (!invitation.data)
		return (
			<AuthLayout title={t('people.join.title')}>
				{invitation.error ? (
					<Failure error={invitation.error} onTryAgain={() => void invitation.refetch()} />
				) : (
					<Skeleton height={240} />
				)}
			</AuthLayout>
		);
	const { data } = invitation;
	const wanted = data.email;
	if (who && wanted !== null && wanted.toLowerCase() !== who.person.email.toLowerCase())
		return <ForAnother wanted={wanted} email={who.person.email} />;
	const what = data.website?.domain ?? t('people.join.all', { owner: data.owner });
	return (
		<AuthLayout
			title={t('people.join.title')}
			text={
				<>
					{t('people.join.text', { name: data.invited_by, what })}
					<br />
					{t('people.join.role', {
						role: t(`people.roles.${data.role}`),
						text: t(`people.join.roleTexts.${data.role}`),
					})}
				</>
			}
		>
			{who ? (
				<Accept token={token} email={who.person.email} />
			) : (
				<NewMember key={token} token={token} invitation={data} />
			)}
		</AuthLayout>
	);
}

/** 422: what is no token cannot be an invitation either. */
const isDead = (error: unknown) =>
	error instanceof ApiError && (error.code === 'link_dead' || error.code === 'validation_failed');

function Accept({ token, email }: { token: string; email: string }) {
	const { t } = useTranslation();
	const [, navigate] = useLocation();
	const form = useForm({}, async () => {
		const { website_id: website } = await people.join(token);
		forgetInvitation();
		// A new owner works in that account from now on.
		workIn(undefined);
		await askAgain();
		await queries.invalidateQueries();
		navigate(website === null ? '/websites' : `/websites/${website}`, { replace: true });
	});
	const isOwn = form.error instanceof ApiError && form.error.code === 'validation_failed';
	return (
		<form onSubmit={form.submit}>
			<p>{t('people.join.as', { email })}</p>
			{form.fault && <Notice kind="fault">{isOwn ? t('people.join.own') : form.fault}</Notice>}
			<Button kind="primary" type="submit" busy={form.isBusy}>
				{t('people.join.accept')}
			</Button>
		</form>
	);
}

function ForAnother({ wanted, email }: { wanted: string; email: string }) {
	const { t } = useTranslation();
	const form = useForm({}, async () => {
		await session.signOut();
		await forgetSession();
	});
	return (
		<AuthLayout title={t('people.join.otherTitle')} text={t('people.join.other', { wanted, email })}>
			<form onSubmit={form.submit}>
				{form.fault && <Notice kind="fault">{form.fault}</Notice>}
				<Button kind="primary" type="submit" busy={form.isBusy}>
					{t('people.join.signOut')}
				</Button>
			</form>
		</AuthLayout>
	);
}
