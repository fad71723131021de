import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatDate, formatMoment } from '../../../../presentation/format.ts';
import { RelativeTime } from '../../../RelativeTime.tsx';
import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { Row, Rows } from '../../../ui/Rows.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { Failure } from '../../../ui/States.tsx';
import { useForm } from '../../../ui/use-form.ts';
import { type Delivery, type Webhook, webhooks } from '../../../webhooks-client.ts';
import styles from '../AccountPage.module.css';
import { eventNames } from './event-names.ts';

const firstCount = 10;
const maxCount = 100;
const refreshMs = 5_000;

/** The calls of a webhook, with what became of them. */
export function Deliveries({ webhook, onClose }: { webhook: Webhook; onClose(): void }) {
	const { t } = useTranslation();
	const [count, setCount] = useState(firstCount);
	const query = useQuery({
		queryKey: ['webhooks', webhook.id, 'deliveries', count],
		queryFn: () => webhooks.deliveries(webhook.id, count),
		placeholderData: keepPreviousData,
		refetchInterval: refreshMs,
	});
	const deliveries = query.data?.data ?? [];
	return (
		<Dialog
			title={t('webhooks.deliveriesOf', { name: webhook.name })}
			text={t('webhooks.deliveriesText')}
			isOpen
			onClose={onClose}
			closeLabel={t('common.close')}
		>
			{query.error && !query.data && <Failure error={query.error} onTryAgain={() => void query.refetch()} />}
			{query.isPending && <Skeleton height={120} />}
			{query.data && deliveries.length === 0 && <p className={styles.quiet}>{t('webhooks.noDeliveries')}</p>}
			{deliveries.length > 0 && (
				<Rows>
					{deliveries.map((delivery) => (
						<DeliveryRow
							key={delivery.id}
							webhook={webhook}
							delivery={delivery}
							onSent={() => void query.refetch()}
						/>
					))}
				</Rows>
			)}
			{count < maxCount && (query.data?.meta.total ?? 0) > count && (
				<div className={styles.actions}>
					<Button onClick={() => setCount(maxCount)}>{t('webhooks.more')}</Button>
				</div>
			)}
		</Dialog>
	);
}

function DeliveryRow({
	webhook,
	delivery,
	onSent,
}: {
	webhook: Webhook;
	delivery: Delivery;
	onSent(): void;
}) {
	const { t, i18n } = useTranslation();
	const form = useForm({}, async () => {
		await webhooks.replay(webhook.id, delivery.id);
		onSent();
	});
	const event = t(`webhooks.names.${eventNames[delivery.type]}`);
	const { created_at: created, domain, date, attempts, status, reason, state } = delivery;
	const about = [domain, date && formatDate(date, i18n.language)].filter(Boolean);
	const time = formatMoment(created, i18n.language, { dateStyle: 'medium', timeStyle: 'short' });
	const result = reason ?? (status === null ? undefined : `HTTP ${status}`);
	return (
		<Row
			title={event}
			chip={t(`webhooks.${state}`)}
			isChipWarning={state === 'failed'}
			lines={[
				...(about.length > 0 ? [about.join(' · ')] : []),
				<span key="made">
					<RelativeTime iso={created} /> · {t('webhooks.attempts', { count: attempts })}
					{result !== undefined && ` · ${result}`}
				</span>,
				...(form.fault
					? [
							<Notice key="fault" kind="fault">
								{form.fault}
							</Notice>,
						]
					: []),
			]}
		>
			{webhook.enabled && state !== 'waiting' && (
				<Button
					kind="quiet"
					busy={form.isBusy}
					aria-label={t('webhooks.againLabel', { event, time })}
					onClick={() => void form.submit()}
				>
					{t('webhooks.again')}
				</Button>
			)}
		</Row>
	);
}
