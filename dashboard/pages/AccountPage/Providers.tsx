import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearch } from 'wouter';
import { formatMoment, formatRelative } from '../../../presentation/format.ts';
import { useRefusalText } from '../../account/use-refusal-text.ts';
import { security } from '../../account-client.ts';
import { ApiError } from '../../api-client.ts';
import { oidc } from '../../oidc-client.ts';
import { useAccount } from '../../session.tsx';
import { Button } from '../../ui/Button.tsx';
import { Section } from '../../ui/Card.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Row, Rows } from '../../ui/Rows.tsx';
import { useForm } from '../../ui/use-form.ts';
import styles from './AccountPage.module.css';
import { ProvePassword } from './ProvePassword.tsx';

/** The identity providers, with when the person linked them. */
export const useLinkedProviders = () => useQuery({ queryKey: ['linked-providers'], queryFn: oidc.linked });

/** The identity providers that the person has linked or can link. Nothing if the operator has added none. */
export function Providers() {
	const { t, i18n } = useTranslation();
	const query = useLinkedProviders();
	const refusal = useRefusalText();
	const isLinked = new URLSearchParams(useSearch()).get('oidc') === 'linked';
	const [chosen, setChosen] = useState<string>();
	const [isOnlyOne, setOnlyOne] = useState(false);
	if (!query.data || query.data.providers.length === 0) return null;
	const { providers, has_password: hasPassword } = query.data;
	return (
		<Section title={t('providers.account.title')} text={t('providers.account.text')}>
			{isLinked && <Notice kind="good">{t('providers.account.done')}</Notice>}
			{refusal && <Notice kind="fault">{refusal}</Notice>}
			{!hasPassword && <NoPassword />}
			<Rows>
				{providers.map(({ name, label, linked_at: linkedAt, last_used_at: usedAt }) => (
					<Row
						key={name}
						title={label}
						lines={[
							linkedAt === null || usedAt === null
								? t('providers.account.none')
								: t('providers.account.linked', {
										made: formatMoment(linkedAt, i18n.language),
										used: formatRelative(usedAt, new Date(), i18n.language),
									}),
						]}
					>
						{hasPassword && chosen !== name && (
							<Button
								aria-label={t(
									linkedAt === null ? 'providers.account.linkLabel' : 'providers.account.unlinkLabel',
									{ provider: label },
								)}
								onClick={() => setChosen(name)}
							>
								{linkedAt === null ? t('providers.account.link') : t('providers.account.unlink')}
							</Button>
						)}
					</Row>
				))}
			</Rows>
			{providers
				.filter(({ name }) => name === chosen)
				.map(({ name, label, linked_at: linkedAt }) => (
					<div key={name} className={styles.shown}>
						<p>
							{linkedAt === null
								? t('account.twoFactor.provePassword')
								: t('providers.account.unlinkText', { provider: label })}
						</p>
						<ProvePassword
							submit={t(linkedAt === null ? 'providers.account.linkLabel' : 'providers.account.unlinkLabel', {
								provider: label,
							})}
							kind={linkedAt === null ? 'primary' : 'danger'}
							onCancel={() => setChosen(undefined)}
							onProof={async (proof) => {
								if (linkedAt === null) {
									location.assign((await oidc.link(name, proof)).url);
									return;
								}
								setOnlyOne(false);
								try {
									await oidc.unlink(name, proof);
								} catch (error) {
									if (!(error instanceof ApiError) || error.code !== 'forbidden') throw error;
									setOnlyOne(true);
									return;
								}
								await query.refetch();
								setChosen(undefined);
							}}
						/>
						{isOnlyOne && <Notice kind="fault">{t('providers.account.onlyOne')}</Notice>}
					</div>
				))}
		</Section>
	);
}

/** Of people who signed up with a provider. */
function NoPassword() {
	const { t } = useTranslation();
	const { person, can_mail: canMail } = useAccount();
	const form = useForm({}, () => security.mailReset(person.email));
	return (
		<form className={styles.form} onSubmit={form.submit}>
			<p>{t('providers.account.noPassword')}</p>
			{form.fault && <Notice kind="fault">{form.fault}</Notice>}
			{form.isSaved ? (
				<Notice kind="good">{t('providers.account.mailed', { email: person.email })}</Notice>
			) : canMail ? (
				<div className={styles.actions}>
					<Button type="submit" busy={form.isBusy}>
						{t('providers.account.setPassword')}
					</Button>
				</div>
			) : (
				<p>{t('providers.account.noMail')}</p>
			)}
		</form>
	);
}
