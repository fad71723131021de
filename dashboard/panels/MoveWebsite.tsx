import { useMutation, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { offers } from '../api-client.ts';
import { formatMoment } from '../format.ts';
import { queries } from '../queries.ts';
import { Button } from '../ui/Button.tsx';
import { Section } from '../ui/Card.tsx';
import { TextField } from '../ui/Field.tsx';
import { Notice } from '../ui/Notice.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { Failure } from '../ui/States.tsx';
import { useFaultText } from '../ui/use-fault-text.ts';
import { useForm } from '../ui/use-form.ts';
import styles from './People.module.css';

/** For the owner of a website: offers it to another account, or takes the offer back. */
export function MoveWebsite({ websiteId }: { websiteId: number }) {
	const { t, i18n } = useTranslation();
	const faultText = useFaultText();
	const key = ['website', websiteId, 'offer'];
	const asked = useQuery({ queryKey: key, queryFn: () => offers.get(websiteId) });
	const refresh = () => queries.invalidateQueries({ queryKey: key });
	const withdraw = useMutation({ mutationFn: () => offers.withdraw(websiteId), onSettled: refresh });
	const form = useForm({ email: '' }, async ({ email }) => {
		await offers.make(websiteId, email.trim());
		await refresh();
	});
	return (
		<Section title={t('people.move.title')} text={t('people.move.text')}>
			{asked.data === undefined &&
				(asked.error ? (
					<Failure error={asked.error} onTryAgain={() => void asked.refetch()} />
				) : (
					<Skeleton height={60} />
				))}
			{asked.data && (
				<>
					<Notice>
						{t('people.move.offered', {
							email: asked.data.email,
							date: formatMoment(asked.data.offered_at, i18n.language, { dateStyle: 'medium' }),
						})}
					</Notice>
					{withdraw.error && <Notice kind="fault">{faultText(withdraw.error)}</Notice>}
					<div className={styles.actions}>
						<Button busy={withdraw.isPending} onClick={() => withdraw.mutate()}>
							{t('people.move.withdraw')}
						</Button>
					</div>
				</>
			)}
			{asked.data === null && (
				<form className={styles.form} onSubmit={form.submit}>
					<TextField
						label={t('people.move.email')}
						hint={t('people.move.emailHint')}
						type="email"
						required
						maxLength={254}
						autoComplete="off"
						fault={form.faultOf('email')}
						value={form.values.email}
						onChange={(event) => form.set({ email: event.target.value })}
					/>
					{form.fault && <Notice kind="fault">{form.fault}</Notice>}
					<div className={styles.actions}>
						<Button kind="danger" type="submit" busy={form.isBusy}>
							{t('people.move.offer')}
						</Button>
					</div>
				</form>
			)}
		</Section>
	);
}
