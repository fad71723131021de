import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { queries } from '../../../queries.ts';
import { Button } from '../../../ui/Button.tsx';
import { Section } from '../../../ui/Card.tsx';
import { Copy } from '../../../ui/Copy.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { MenuItem } from '../../../ui/Menu.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { Row, RowMenu, Rows } from '../../../ui/Rows.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { Empty, Failure } from '../../../ui/States.tsx';
import { useFaultText } from '../../../ui/use-fault-text.ts';
import { useForm } from '../../../ui/use-form.ts';
import { type ShownWebhook, type Webhook, webhooks } from '../../../webhooks-client.ts';
import styles from '../AccountPage.module.css';
import { Deliveries } from './Deliveries.tsx';
import { eventNames } from './event-names.ts';
import { WebhookForm } from './WebhookForm.tsx';

const webhooksKey = ['webhooks'] as const;
const refresh = () => void queries.invalidateQueries({ queryKey: webhooksKey });

type Pending = { webhook: Webhook; what: 'rotate' | 'delete' };

export function WebhooksTab() {
	const { t } = useTranslation();
	const query = useQuery({ queryKey: webhooksKey, queryFn: webhooks.list });
	const [edited, setEdited] = useState<Webhook | 'new'>();
	const [listed, setListed] = useState<Webhook>();
	const [pending, setPending] = useState<Pending>();
	const [shown, setShown] = useState<ShownWebhook>();
	const { message, run } = useAction();
	const show = (made: ShownWebhook) => {
		setShown(made);
		setPending(undefined);
		refresh();
	};
	return (
		<Section text={t('webhooks.text')}>
			{shown && <Shown webhook={shown} onKept={() => setShown(undefined)} />}
			{message && <Notice kind={message.kind}>{message.text}</Notice>}
			{query.data ? (
				query.data.data.length === 0 ? (
					<Empty title={t('webhooks.none')}>
						<p>{t('webhooks.noneText')}</p>
					</Empty>
				) : (
					<Rows>
						{query.data.data.map((webhook) => (
							<WebhookRow key={webhook.id} webhook={webhook}>
								<MenuItem onSelect={() => setListed(webhook)}>{t('webhooks.deliveries')}</MenuItem>
								<MenuItem onSelect={() => setEdited(webhook)}>{t('common.edit')}</MenuItem>
								{webhook.enabled && (
									<MenuItem
										onSelect={() =>
											run(() => webhooks.test(webhook.id), t('webhooks.testSent', { name: webhook.name }))
										}
									>
										{t('webhooks.sendTest')}
									</MenuItem>
								)}
								<MenuItem
									onSelect={() => run(() => webhooks.update(webhook.id, { enabled: !webhook.enabled }))}
								>
									{webhook.enabled ? t('webhooks.disable') : t('webhooks.enable')}
								</MenuItem>
								<MenuItem onSelect={() => setPending({ webhook, what: 'rotate' })}>
									{t('webhooks.rotate')}
								</MenuItem>
								<MenuItem onSelect={() => setPending({ webhook, what: 'delete' })}>
									{t('common.delete')}
								</MenuItem>
							</WebhookRow>
						))}
					</Rows>
				)
			) : query.error ? (
				<Failure error={query.error} onTryAgain={() => void query.refetch()} />
			) : (
				<Skeleton height={60} />
			)}
			<div className={styles.actions}>
				<Button onClick={() => setEdited('new')}>{t('webhooks.add')}</Button>
			</div>
			{edited && (
				<Dialog
					title={edited === 'new' ? t('webhooks.add') : t('webhooks.edit', { name: edited.name })}
					isOpen
					onClose={() => setEdited(undefined)}
					closeLabel={t('common.close')}
				>
					<WebhookForm
						webhook={edited === 'new' ? undefined : edited}
						onSaved={(made) => {
							setEdited(undefined);
							if (made) show(made);
							else refresh();
						}}
						onCancel={() => setEdited(undefined)}
					/>
				</Dialog>
			)}
			{listed && <Deliveries webhook={listed} onClose={() => setListed(undefined)} />}
			{pending && (
				<Confirmation
					{...pending}
					onClose={() => setPending(undefined)}
					onRotated={show}
					onDeleted={() => {
						setPending(undefined);
						if (shown?.id === pending.webhook.id) setShown(undefined);
						refresh();
					}}
				/>
			)}
		</Section>
	);
}

/** Runs something that a menu starts, and says how it ended. */
function useAction() {
	const [message, setMessage] = useState<{ kind: 'good' | 'fault'; text: string }>();
	const textOf = useFaultText();
	const run = async (work: () => Promise<unknown>, done?: string) => {
		setMessage(undefined);
		try {
			await work();
			if (done !== undefined) setMessage({ kind: 'good', text: done });
			refresh();
		} catch (error) {
			setMessage({ kind: 'fault', text: textOf(error) });
		}
	};
	return { message, run: (work: () => Promise<unknown>, done?: string) => void run(work, done) };
}

function WebhookRow({ webhook, children }: { webhook: Webhook; children: ReactNode }) {
	const { t } = useTranslation();
	const { events, website_ids: websiteIds, enabled } = webhook;
	const about = [
		webhook.url,
		events?.map((name) => t(`webhooks.names.${eventNames[name]}`)).join(', ') ?? t('webhooks.allEvents'),
		websiteIds === null ? t('account.keys.all') : t('account.keys.chosen', { count: websiteIds.length }),
	];
	return (
		<Row
			title={webhook.name}
			chip={
				enabled
					? webhook.failing_since === null
						? undefined
						: t('webhooks.failing')
					: t('webhooks.disabled')
			}
			isChipWarning
			lines={[about.join(' · '), ...(webhook.disabled_reason === null ? [] : [t('webhooks.stopped')])]}
		>
			<RowMenu label={t('account.keys.actions', { name: webhook.name })}>{children}</RowMenu>
		</Row>
	);
}

/** The one moment in which a secret can be copied. */
function Shown({ webhook, onKept }: { webhook: ShownWebhook; onKept(): void }) {
	const { t } = useTranslation();
	return (
		<div className={styles.shown} role="status">
			<h2>{t('webhooks.shownTitle', { name: webhook.name })}</h2>
			<p>{t('webhooks.shown')}</p>
			<Copy label={t('webhooks.shownLabel')} text={webhook.secret} />
			<div className={styles.actions}>
				<Button kind="quiet" onClick={onKept}>
					{t('webhooks.kept')}
				</Button>
			</div>
		</div>
	);
}

function Confirmation({
	webhook,
	what,
	onClose,
	onRotated,
	onDeleted,
}: Pending & { onClose(): void; onRotated(made: ShownWebhook): void; onDeleted(): void }) {
	const { t } = useTranslation();
	const form = useForm({}, async () => {
		if (what === 'rotate') return onRotated(await webhooks.rotate(webhook.id));
		await webhooks.delete(webhook.id);
		onDeleted();
	});
	return (
		<Dialog
			title={t(`webhooks.${what}Title`, { name: webhook.name })}
			text={t(`webhooks.${what}Text`)}
			isOpen
			onClose={onClose}
			closeLabel={t('common.close')}
		>
			<form className={styles.form} onSubmit={form.submit}>
				{form.fault && <Notice kind="fault">{form.fault}</Notice>}
				<div className={styles.actions}>
					<Button kind={what === 'delete' ? 'danger' : 'primary'} type="submit" busy={form.isBusy}>
						{what === 'delete' ? t('common.delete') : t('webhooks.rotate')}
					</Button>
					<Button kind="quiet" onClick={onClose}>
						{t('common.cancel')}
					</Button>
				</div>
			</form>
		</Dialog>
	);
}
