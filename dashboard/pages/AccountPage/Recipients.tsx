import { useMutation, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { RecipientRecord } from '../../../api/recipients.ts';
import { formatCount } from '../../../presentation/format.ts';
import { NoMail } from '../../account/NoMail.tsx';
import { queries } from '../../queries.ts';
import { Button } from '../../ui/Button.tsx';
import { Section } from '../../ui/Card.tsx';
import { TextField } from '../../ui/Field.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Row, Rows } from '../../ui/Rows.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { Failure } from '../../ui/States.tsx';
import { useFaultText } from '../../ui/use-fault-text.ts';
import { useForm } from '../../ui/use-form.ts';
import { recipients } from '../../website-client.ts';
import styles from './AccountPage.module.css';

const recipientsKey = ['recipients'] as const;
const refresh = () => queries.invalidateQueries({ queryKey: recipientsKey });

/** Whom reports and alerts are mailed to besides the account itself. */
export function Recipients() {
	const { t, i18n } = useTranslation();
	const { data, error, refetch } = useQuery({ queryKey: recipientsKey, queryFn: recipients.list });
	if (!data)
		return error ? (
			<Failure error={error} onTryAgain={() => void refetch()} />
		) : (
			<Section title={t('alerts.recipients.title')}>
				<Skeleton height={60} />
			</Section>
		);
	const { queued, most, refused } = data.mails_today;
	const number = (count: number) => formatCount(count, i18n.language);
	return (
		<Section title={t('alerts.recipients.title')} text={t('alerts.recipients.text')}>
			{data.recipients.length === 0 ? (
				<p className={styles.quiet}>{t('alerts.recipients.none')}</p>
			) : (
				<List entries={data.recipients} />
			)}
			{data.can_mail ? <NewRecipient /> : <NoMail about="recipients" />}
			<p className={styles.quiet}>
				{t('alerts.recipients.quota', { queued: number(queued), most: number(most) })}
				{refused > 0 && ` ${t('alerts.recipients.refused', { count: refused })}`}
			</p>
		</Section>
	);
}

function List({ entries }: { entries: readonly RecipientRecord[] }) {
	const { t } = useTranslation();
	const faultText = useFaultText();
	const remove = useMutation({ mutationFn: recipients.remove, onSettled: refresh });
	const again = useMutation({
		mutationFn: ({ email, website }: RecipientRecord) => recipients.ask(email, website?.id ?? null),
		onSettled: refresh,
	});
	const error = remove.error ?? again.error;
	return (
		<>
			<Rows label={t('alerts.recipients.title')}>
				{entries.map((recipient) => (
					<Row
						key={recipient.id}
						title={recipient.email}
						chip={t(`alerts.recipients.states.${recipient.state}`)}
						lines={[recipient.website?.domain ?? t('alerts.recipients.all')]}
					>
						{recipient.state === 'expired' && (
							<Button
								aria-label={t('alerts.recipients.againOf', { email: recipient.email })}
								onClick={() => again.mutate(recipient)}
							>
								{t('alerts.recipients.again')}
							</Button>
						)}
						<Button
							aria-label={t('alerts.recipients.removeOf', { email: recipient.email })}
							onClick={() => remove.mutate(recipient.id)}
						>
							{t('alerts.recipients.remove')}
						</Button>
					</Row>
				))}
			</Rows>
			{error && <Notice kind="fault">{faultText(error)}</Notice>}
		</>
	);
}

function NewRecipient() {
	const { t } = useTranslation();
	const form = useForm({ email: '' }, async ({ email }) => {
		await recipients.ask(email.trim(), null);
		await refresh();
	});
	return (
		<form className={styles.form} onSubmit={form.submit}>
			<TextField
				label={t('alerts.recipients.email')}
				type="email"
				autoComplete="off"
				required
				maxLength={254}
				fault={form.faultOf('email')}
				value={form.values.email}
				onChange={(event) => form.set({ email: event.target.value })}
			/>
			{form.fault && <Notice kind="fault">{form.fault}</Notice>}
			<div className={styles.actions}>
				<Button type="submit" busy={form.isBusy}>
					{t('alerts.recipients.ask')}
				</Button>
				<span role="status" className={styles.quiet}>
					{form.isSaved && t('alerts.recipients.asked', { email: form.values.email })}
				</span>
			</div>
		</form>
	);
}
