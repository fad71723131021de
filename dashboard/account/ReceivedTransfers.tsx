import { useMutation, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { ReceivedOfferRecord } from '../../api/people.ts';
import { ApiError } from '../api-client.ts';
import { offers } from '../people-client.ts';
import { queries } from '../queries.ts';
import { Button } from '../ui/Button.tsx';
import { Notice } from '../ui/Notice.tsx';
import { useFaultText } from '../ui/use-fault-text.ts';
import styles from './Members.module.css';

/** Websites that others would give to the account. Nothing where there are none. */
export function ReceivedTransfers() {
	const { t } = useTranslation();
	const query = useQuery({ queryKey: ['offers'], queryFn: offers.received });
	const faultOf = useRefusal();
	// Another answer is there before the list is: the whole of what is known may have changed.
	const onSettled = () => queries.invalidateQueries();
	const accept = useMutation({
		mutationFn: (offer: ReceivedOfferRecord) => offers.accept(offer.website_id),
		onSettled,
	});
	const decline = useMutation({
		mutationFn: (offer: ReceivedOfferRecord) => offers.decline(offer.website_id),
		onSettled,
	});
	const isAccepted = accept.isSuccess && accept.variables;
	if (!isAccepted && (query.data ?? []).length === 0) return null;
	return (
		<div className={styles.offers}>
			{isAccepted && (
				<Notice kind="good">
					{t('people.receivedTransfers.accepted', { domain: accept.variables.domain })}
				</Notice>
			)}
			{query.data?.map((offer) => (
				<Notice key={offer.website_id} kind="good">
					<div className={styles.offer}>
						<p>{t('people.receivedTransfers.text', { ...offer.from, domain: offer.domain })}</p>
						<div className={styles.actions}>
							<Button
								kind="primary"
								busy={accept.isPending}
								aria-label={t('people.receivedTransfers.acceptLabel', { domain: offer.domain })}
								onClick={() => accept.mutate(offer)}
							>
								{t('people.receivedTransfers.accept')}
							</Button>
							<Button
								busy={decline.isPending}
								aria-label={t('people.receivedTransfers.declineLabel', { domain: offer.domain })}
								onClick={() => decline.mutate(offer)}
							>
								{t('people.receivedTransfers.decline')}
							</Button>
						</div>
					</div>
				</Notice>
			))}
			{accept.error && <Notice kind="fault">{faultOf(accept.error, accept.variables?.domain)}</Notice>}
			{decline.error && <Notice kind="fault">{faultOf(decline.error, decline.variables?.domain)}</Notice>}
		</div>
	);
}

function useRefusal() {
	const { t } = useTranslation();
	const textOf = useFaultText();
	return (error: unknown, domain = '') => {
		const code = error instanceof ApiError ? error.code : undefined;
		if (code === 'limit_reached') return t('people.receivedTransfers.limit');
		if (code === 'domain_taken') return t('people.receivedTransfers.taken', { domain });
		return textOf(error);
	};
}
