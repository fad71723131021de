import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'wouter';
import { NewAccountFields } from '../../account/NewAccountFields.tsx';
import { isTooShort } from '../../account/password-rule.ts';
import { ApiError } from '../../api-client.ts';
import { AuthLayout } from '../../layout/AuthLayout.tsx';
import { useLinkToken } from '../../link-token.ts';
import { signUp } from '../../operator-client.ts';
import { forgetSession } from '../../session.tsx';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { TextField } from '../../ui/Field.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { Failure } from '../../ui/States.tsx';
import { useForm } from '../../ui/use-form.ts';
import { ownZone } from '../../ui/ZoneField.tsx';
import styles from '../SignInPage/SignInPage.module.css';

/** Asks for a link by email. With the token of the link: creates the account. */
export function SignUpPage() {
	const token = useLinkToken();
	return token === '' ? <AskForLink /> : <UseLink token={token} />;
}

function AskForLink() {
	const { t, i18n } = useTranslation();
	const query = useQuery({ queryKey: ['sign-up'], queryFn: signUp.isOpen });
	const form = useForm({ email: '' }, ({ email }) => signUp.ask({ email, locale: i18n.language }));
	if (query.error)
		return (
			<AuthLayout title={t('operator.join.title')}>
				<Failure error={query.error} onTryAgain={() => void query.refetch()} />
			</AuthLayout>
		);
	if (query.data === undefined)
		return (
			<AuthLayout title={t('operator.join.title')}>
				<Skeleton height={120} />
			</AuthLayout>
		);
	if (!query.data) return <Refusal text={t('operator.join.closed')} />;
	return (
		<AuthLayout title={t('operator.join.title')} text={t('operator.join.text')}>
			<form onSubmit={(event) => void form.submit(event)}>
				<TextField
					label={t('signIn.email')}
					type="email"
					autoComplete="username"
					required
					maxLength={254}
					autoFocus
					value={form.values.email}
					fault={form.faultOf('email') && t('operator.join.domain')}
					onChange={(event) => form.set({ email: event.target.value })}
				/>
				{form.fault && <Notice kind="fault">{form.fault}</Notice>}
				{form.isSaved && <Notice kind="good">{t('operator.join.mailed')}</Notice>}
				<Button kind="primary" type="submit" busy={form.isBusy}>
					{t('operator.join.submit')}
				</Button>
			</form>
			<p className={styles.aside}>
				<Link href="/sign-in">{t('operator.join.haveAccount')}</Link>
			</p>
		</AuthLayout>
	);
}

function UseLink({ token }: { token: string }) {
	const { t } = useTranslation();
	const link = useQuery({
		queryKey: ['sign-up', token],
		queryFn: () => signUp.link(token),
		staleTime: Number.POSITIVE_INFINITY,
	});
	if (link.data) return <CreateAccount token={token} email={link.data.email} />;
	if (isDead(link.error)) return <Refusal text={t('signIn.errors.link_dead')} canAsk />;
	if (isRefused(link.error)) return <Refusal text={t('operator.join.closed')} />;
	return (
		<AuthLayout title={t('operator.join.title')}>
			{link.error ? (
				<Failure error={link.error} onTryAgain={() => void link.refetch()} />
			) : (
				<Skeleton height={240} />
			)}
		</AuthLayout>
	);
}

const isDead = (error: unknown) => error instanceof ApiError && error.code === 'link_dead';
const isRefused = (error: unknown) =>
	error instanceof ApiError && (error.code === 'forbidden' || error.code === 'validation_failed');

function CreateAccount({ token, email }: { token: string; email: string }) {
	const { t, i18n } = useTranslation();
	const [, navigate] = useLocation();
	const [isLost, setLost] = useState(false);
	const form = useForm(
		{ name: '', email, password: '' },
		async ({ name, password }) => {
			await signUp.create({ token, name, password, locale: i18n.language, timezone: ownZone() });
			if (await forgetSession()) navigate('/websites', { replace: true });
			else setLost(true);
		},
		({ password }) => ({ password: isTooShort(password) ? t('signIn.tooShort') : undefined }),
	);
	if (isLost) return <Refusal text={t('people.join.lost')} />;
	if (isDead(form.error)) return <Refusal text={t('signIn.errors.link_dead')} canAsk />;
	return (
		<AuthLayout title={t('operator.join.title')} text={t('operator.join.createText')}>
			<form onSubmit={(event) => void form.submit(event)}>
				<NewAccountFields
					values={form.values}
					set={form.set}
					faultOf={form.faultOf}
					emailFault={t('people.join.taken')}
					isEmailFixed
				/>
				{form.fault && <Notice kind="fault">{form.fault}</Notice>}
				<Button kind="primary" type="submit" busy={form.isBusy}>
					{t('operator.join.create')}
				</Button>
			</form>
		</AuthLayout>
	);
}

function Refusal({ text, canAsk = false }: { text: string; canAsk?: boolean }) {
	const { t } = useTranslation();
	return (
		<AuthLayout title={t('operator.join.title')} text={text}>
			<div>
				{canAsk ? (
					// Loads the page again, so that it forgets the token.
					<Button onClick={() => location.assign('/sign-up?again')}>{t('operator.join.again')}</Button>
				) : (
					<ButtonLink href="/sign-in">{t('signIn.toSignIn')}</ButtonLink>
				)}
			</div>
		</AuthLayout>
	);
}
