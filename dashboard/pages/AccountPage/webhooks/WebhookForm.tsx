import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ApiError, type WebsiteRecord } from '../../../api-client.ts';
import { Button } from '../../../ui/Button.tsx';
import { CheckList, Choices, TextField } from '../../../ui/Field.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { Skeleton } from '../../../ui/Skeleton.tsx';
import { Failure } from '../../../ui/States.tsx';
import { useForm } from '../../../ui/use-form.ts';
import { type ShownWebhook, type Webhook, type WebhookEvent, webhooks } from '../../../webhooks-client.ts';
import styles from '../AccountPage.module.css';
import { findWebsites } from '../EditKey.tsx';
import { type Chosen, WebsitePicker } from '../KeyFields.tsx';
import { eventNames, webhookEvents } from './event-names.ts';

type Props = {
	/** Undefined: a new one. */
	webhook: Webhook | undefined;
	/** `made`: a new webhook, with its secret. */
	onSaved(made?: ShownWebhook): void;
	onCancel(): void;
};

type Values = {
	name: string;
	url: string;
	about: 'all' | 'some';
	events: readonly WebhookEvent[];
	reach: 'all' | 'some';
	website_ids: Chosen;
};

/** The domains of a limited webhook are loaded first. */
export function WebhookForm(props: Props) {
	const ids = props.webhook?.website_ids ?? [];
	const query = useQuery({ queryKey: ['websites', 'of webhook', ids], queryFn: () => findWebsites(ids) });
	if (query.error) return <Failure error={query.error} onTryAgain={() => void query.refetch()} />;
	if (!query.data) return <Skeleton height={320} />;
	return <WebhookFields {...props} chosen={query.data} />;
}

const toFields = ({ name, url, about, events, reach, website_ids }: Values) => ({
	name,
	url,
	events: about === 'all' ? null : events,
	website_ids: reach === 'all' ? null : website_ids.map(({ id }) => id),
});

function WebhookFields({ webhook, chosen, onSaved, onCancel }: Props & { chosen: readonly WebsiteRecord[] }) {
	const { t } = useTranslation();
	const initial: Values = {
		name: webhook?.name ?? '',
		url: webhook?.url ?? '',
		about: webhook?.events === null ? 'all' : 'some',
		events: webhook?.events ?? [],
		reach: webhook?.website_ids ? 'some' : 'all',
		website_ids: chosen,
	};
	const form = useForm(
		initial,
		async (values) => {
			if (!webhook) return onSaved(await webhooks.create(toFields(values)));
			await webhooks.update(webhook.id, toFields(values));
			onSaved();
		},
		({ about, events, reach, website_ids }) => ({
			events: about === 'some' && events.length === 0 ? t('webhooks.chooseEvent') : undefined,
			website_ids: reach === 'some' && website_ids.length === 0 ? t('account.keys.chooseOne') : undefined,
		}),
	);
	const { values, set, faultOf, error } = form;
	const isFull = error instanceof ApiError && error.code === 'limit_reached';
	const hintOf = (name: WebhookEvent) => {
		const key = eventNames[name];
		return key === 'daySealed' || key === 'goalReached' || key === 'activityRecorded'
			? { hint: t(`webhooks.hints.${key}`) }
			: {};
	};
	return (
		<form className={styles.form} onSubmit={form.submit}>
			<TextField
				label={t('account.keys.name')}
				hint={t('webhooks.nameHint')}
				required
				maxLength={200}
				autoComplete="off"
				fault={isFull ? error.message : faultOf('name')}
				value={values.name}
				onChange={(event) => set({ name: event.target.value })}
			/>
			<TextField
				label={t('webhooks.url')}
				hint={t('webhooks.urlHint')}
				required
				maxLength={2000}
				autoComplete="off"
				autoCapitalize="none"
				spellCheck={false}
				inputMode="url"
				placeholder="https://example.com/hooks/tidemark"
				fault={faultOf('url')}
				value={values.url}
				onChange={(event) => set({ url: event.target.value })}
			/>
			<Choices
				label={t('webhooks.events')}
				value={values.about}
				onChange={(about) => set({ about })}
				options={[
					{ value: 'some', label: t('webhooks.someEvents') },
					{ value: 'all', label: t('webhooks.allEvents'), hint: t('webhooks.allEventsHint') },
				]}
			/>
			{values.about === 'some' && (
				<CheckList
					label={t('webhooks.someEvents')}
					values={values.events}
					fault={faultOf('events')}
					onChange={(events) => set({ events })}
					options={webhookEvents.map((value) => ({
						value,
						label: t(`webhooks.names.${eventNames[value]}`),
						...hintOf(value),
					}))}
				/>
			)}
			<Choices
				label={t('account.keys.websites')}
				value={values.reach}
				fault={faultOf('website_ids')}
				onChange={(reach) => set({ reach })}
				options={[
					{ value: 'all', label: t('account.keys.all'), hint: t('account.keys.allHint') },
					{ value: 'some', label: t('account.keys.some') },
				]}
			/>
			{values.reach === 'some' && (
				<WebsitePicker chosen={values.website_ids} onChange={(website_ids) => set({ website_ids })} />
			)}
			{form.fault && <Notice kind="fault">{form.fault}</Notice>}
			<div className={styles.actions}>
				<Button kind="primary" type="submit" busy={form.isBusy}>
					{webhook ? t('common.save') : t('webhooks.create')}
				</Button>
				<Button kind="quiet" onClick={onCancel}>
					{t('common.cancel')}
				</Button>
			</div>
		</form>
	);
}
