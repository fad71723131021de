import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatExact, formatRelative } from '../../../presentation/format.ts';
import { NoMail } from '../../account/NoMail.tsx';
import { type Alert, ApiError, statistics } from '../../api-client.ts';
import { queries } from '../../queries.ts';
import { goalsKey } from '../../stats/goals/goals-key.ts';
import { Button } from '../../ui/Button.tsx';
import { Copy } from '../../ui/Copy.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Choices, SelectField, TextField } from '../../ui/Field.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { Empty, Failure } from '../../ui/States.tsx';
import { useFaultText } from '../../ui/use-fault-text.ts';
import { useForm } from '../../ui/use-form.ts';
import { alerts } from '../../website-client.ts';
import styles from './Goals.module.css';
import { StoredSwitch } from './StoredSwitch.tsx';
import type { TabProps } from './tab.ts';

const alertsKey = (website: number) => ['website', website, 'alerts'] as const;
const refresh = (website: number) => queries.invalidateQueries({ queryKey: alertsKey(website) });
const kinds = ['spike', 'silence', 'goal'] as const;
const channels = ['mail', 'webhook', 'ntfy', 'slack'] as const;

export function Alerts({ website, canEdit }: TabProps) {
	const { t } = useTranslation();
	const { id } = website;
	const query = useQuery({ queryKey: alertsKey(id), queryFn: () => alerts.list(id) });
	const [isAdding, setAdding] = useState(false);
	const [secret, setSecret] = useState<string>();
	const add = (
		<Button kind="primary" onClick={() => setAdding(true)}>
			{t('alerts.add')}
		</Button>
	);
	if (!query.data)
		return query.error ? (
			<Failure error={query.error} onTryAgain={() => void query.refetch()} />
		) : (
			<div className={styles.goals}>
				<Skeleton height={44} />
			</div>
		);
	return (
		<div className={styles.goals}>
			{canEdit && query.data.length > 0 && <div>{add}</div>}
			{query.data.some(({ channel }) => channel === 'mail') && <NoMail about="alerts" />}
			{query.data.length === 0 ? (
				<Empty title={t('alerts.none')}>
					<p>{t('alerts.noneText')}</p>
					{canEdit && add}
				</Empty>
			) : (
				<ul className={styles.list}>
					{query.data.map((alert) => (
						<AlertRow key={alert.id} website={id} alert={alert} canEdit={canEdit} />
					))}
				</ul>
			)}
			{isAdding && <NewAlert website={id} onMade={setSecret} onClose={() => setAdding(false)} />}
			{secret !== undefined && (
				<Dialog
					isOpen
					title={t('alerts.secretTitle')}
					text={t('alerts.secretText')}
					closeLabel={t('common.close')}
					onClose={() => setSecret(undefined)}
				>
					<Copy label={t('alerts.secret')} text={secret} />
					<div className={styles.tools}>
						<Button kind="primary" onClick={() => setSecret(undefined)}>
							{t('alerts.done')}
						</Button>
					</div>
				</Dialog>
			)}
		</div>
	);
}

function AlertRow({ website, alert, canEdit }: { website: number; alert: Alert; canEdit: boolean }) {
	const { t, i18n } = useTranslation();
	const faultText = useFaultText();
	const goals = useGoals(website);
	const test = useMutation({
		mutationFn: () => alerts.test(website, alert.id),
		onSettled: () => refresh(website),
	});
	const [isDeleting, setDeleting] = useState(false);
	const goal = goals.data?.find(({ id }) => id === alert.goal_id)?.name;
	const about = [
		t(`alerts.kinds.${alert.kind}.title`),
		goal,
		alert.hours !== null && t('alerts.hoursOf', { hours: alert.hours }),
	].filter(Boolean);
	const what = `${about.join(' · ')} · ${t(`alerts.channels.${alert.channel}.title`)}`;
	return (
		<li>
			<div>
				<StoredSwitch
					label={t('alerts.enabled', { what })}
					hint={
						<>
							{alert.url && <code>{alert.url}</code>}{' '}
							{alert.last_fired_at && (
								<span title={formatExact(alert.last_fired_at, i18n.language)}>
									{t('alerts.fired', {
										date: formatRelative(alert.last_fired_at, new Date(), i18n.language),
									})}
								</span>
							)}{' '}
							{alert.last_failure && t('alerts.failed', { reason: alert.last_failure })}
						</>
					}
					isOn={alert.enabled}
					isOpen={canEdit}
					store={async (enabled) => {
						await alerts.update(website, alert.id, { enabled });
						await refresh(website);
					}}
				/>
				{test.error && <Notice kind="fault">{faultText(test.error)}</Notice>}
				<span role="status">{test.isSuccess && t('alerts.tested')}</span>
			</div>
			{canEdit && (
				<div className={styles.tools}>
					<Button
						kind="quiet"
						aria-label={t('alerts.testOf', { what })}
						busy={test.isPending}
						onClick={() => test.mutate()}
					>
						{t('alerts.test')}
					</Button>
					<Button kind="quiet" aria-label={t('alerts.deleteOf', { what })} onClick={() => setDeleting(true)}>
						{t('common.delete')}
					</Button>
				</div>
			)}
			{isDeleting && <DeleteAlert website={website} id={alert.id} onClose={() => setDeleting(false)} />}
		</li>
	);
}

const useGoals = (website: number) =>
	useQuery({ queryKey: goalsKey(website), queryFn: () => statistics.goals(website) });

type Values = {
	kind: (typeof kinds)[number];
	channel: (typeof channels)[number];
	goal_id: string;
	hours: string;
	url: string;
};

function NewAlert({
	website,
	onMade,
	onClose,
}: {
	website: number;
	onMade(secret: string | undefined): void;
	onClose(): void;
}) {
	const { t } = useTranslation();
	const goals = useGoals(website);
	const first = String(goals.data?.[0]?.id ?? '');
	const initial: Values = { kind: 'spike', channel: 'mail', goal_id: '', hours: '6', url: '' };
	const form = useForm(
		initial,
		async ({ kind, channel, goal_id, hours, url }) => {
			const made = await alerts.create(website, {
				...{ kind, channel },
				...(kind === 'goal' && { goal_id: Number(goal_id || first) }),
				...(kind === 'silence' && { hours }),
				...(channel !== 'mail' && { url }),
			});
			await refresh(website);
			onClose();
			onMade(made.secret);
		},
		({ channel, url }) => ({
			url: channel !== 'mail' && !URL.canParse(url) ? t('alerts.urlNeeded') : undefined,
		}),
	);
	const { values, set } = form;
	const isFull = form.error instanceof ApiError && form.error.code === 'limit_reached';
	return (
		<Dialog isOpen title={t('alerts.add')} closeLabel={t('common.close')} onClose={onClose}>
			<form className={styles.form} onSubmit={(event) => void form.submit(event)}>
				<Choices
					label={t('alerts.kind')}
					value={values.kind}
					options={kinds.map((kind) => ({
						value: kind,
						label: t(`alerts.kinds.${kind}.title`),
						hint: t(`alerts.kinds.${kind}.text`),
					}))}
					onChange={(kind) => set({ kind })}
				/>
				{values.kind === 'silence' && (
					<TextField
						label={t('alerts.hours')}
						type="number"
						min={1}
						max={72}
						required
						fault={form.faultOf('hours')}
						value={values.hours}
						onChange={(event) => set({ hours: event.target.value })}
					/>
				)}
				{values.kind === 'goal' &&
					(goals.data?.length ? (
						<SelectField
							label={t('alerts.goal')}
							fault={form.faultOf('goal_id')}
							value={values.goal_id || first}
							options={goals.data.map(({ id, name }) => ({ value: String(id), label: name }))}
							onChange={(event) => set({ goal_id: event.target.value })}
						/>
					) : (
						<Notice>{t('alerts.noGoals')}</Notice>
					))}
				<Choices
					label={t('alerts.channel')}
					value={values.channel}
					options={channels.map((channel) => ({
						value: channel,
						label: t(`alerts.channels.${channel}.title`),
						hint: t(`alerts.channels.${channel}.text`),
					}))}
					onChange={(channel) => set({ channel })}
				/>
				{values.channel === 'mail' && <NoMail about="alerts" />}
				{values.channel !== 'mail' && (
					<TextField
						label={t('alerts.url')}
						hint={t('alerts.urlHint')}
						inputMode="url"
						autoComplete="off"
						autoCapitalize="none"
						spellCheck={false}
						maxLength={2_000}
						fault={form.faultOf('url')}
						value={values.url}
						onChange={(event) => set({ url: event.target.value })}
					/>
				)}
				{(form.fault || isFull) && <Notice kind="fault">{isFull ? t('alerts.limit') : form.fault}</Notice>}
				<div className={styles.tools}>
					<Button kind="primary" type="submit" busy={form.isBusy}>
						{t('common.save')}
					</Button>
					<Button kind="quiet" onClick={onClose}>
						{t('common.cancel')}
					</Button>
				</div>
			</form>
		</Dialog>
	);
}

function DeleteAlert({ website, id, onClose }: { website: number; id: number; onClose(): void }) {
	const { t } = useTranslation();
	const form = useForm({}, async () => {
		await alerts.delete(website, id);
		await refresh(website);
		onClose();
	});
	return (
		<Dialog
			isOpen
			title={t('alerts.deleteTitle')}
			text={t('alerts.deleteText')}
			closeLabel={t('common.close')}
			onClose={onClose}
		>
			{form.fault && <Notice kind="fault">{form.fault}</Notice>}
			<div className={styles.tools}>
				<Button kind="danger" busy={form.isBusy} onClick={() => void form.submit()}>
					{t('common.delete')}
				</Button>
				<Button kind="quiet" onClick={onClose}>
					{t('common.cancel')}
				</Button>
			</div>
		</Dialog>
	);
}
