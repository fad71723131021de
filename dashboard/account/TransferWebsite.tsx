import { useMutation, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { formatMoment } from '../../presentation/format.ts';
import { offers } from '../people-client.ts';
import { queries } from '../queries.ts';
import { Button } from '../ui/Button.tsx';
import { Section } from '../ui/Card.tsx';
import { TextField } from '../ui/Field.tsx';
import { Notice } from '../ui/Notice.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { Failure } from '../ui/States.tsx';
import { useFaultText } from '../ui/use-fault-text.ts';
import { useForm } from '../ui/use-form.ts';
import styles from './Members.module.css';
import { noProof, ProofFields, toProof } from './ProofFields.tsx';

/** For the owner of a website: offers it to another account, or takes the offer back. */
export function TransferWebsite({ websiteId }: { websiteId: number }) {
	const { t, i18n } = useTranslation();
	const faultText = useFaultText();
	const key = ['website', websiteId, 'offer'];
	const query = useQuery({ queryKey: key, queryFn: () => offers.get(websiteId) });
	const refresh = () => queries.invalidateQueries({ queryKey: key });
	const withdraw = useMutation({ mutationFn: () => offers.withdraw(websiteId), onSettled: refresh });
	const form = useForm({ ...noProof, email: '' }, async ({ email, ...proof }) => {
		await offers.make(websiteId, { ...toProof(proof), email: email.trim() });
		form.reset();
		await refresh();
	});
	return (
		<Section title={t('people.transfer.title')} text={t('people.transfer.text')}>
			{query.data === undefined &&
				(query.error ? (
					<Failure error={query.error} onTryAgain={() => void query.refetch()} />
				) : (
					<Skeleton height={60} />
				))}
			{query.data && (
				<>
					<Notice>
						{t('people.transfer.offered', {
							email: query.data.email,
							date: formatMoment(query.data.offered_at, i18n.language, { dateStyle: 'medium' }),
						})}
					</Notice>
					{withdraw.error && <Notice kind="fault">{faultText(withdraw.error)}</Notice>}
					<div className={styles.actions}>
						<Button busy={withdraw.isPending} onClick={() => withdraw.mutate()}>
							{t('people.transfer.withdraw')}
						</Button>
					</div>
				</>
			)}
			{query.data === null && (
				<form className={styles.form} onSubmit={form.submit}>
					<TextField
						label={t('people.transfer.email')}
						hint={t('people.transfer.emailHint')}
						type="email"
						required
						maxLength={254}
						autoComplete="off"
						fault={form.faultOf('email')}
						value={form.values.email}
						onChange={(event) => form.set({ email: event.target.value })}
					/>
					<ProofFields form={form} />
					{form.fault && <Notice kind="fault">{form.fault}</Notice>}
					<div className={styles.actions}>
						<Button kind="danger" type="submit" busy={form.isBusy}>
							{t('people.transfer.offer')}
						</Button>
					</div>
				</form>
			)}
		</Section>
	);
}
