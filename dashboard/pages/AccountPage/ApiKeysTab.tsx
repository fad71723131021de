import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatExact, formatMoment, formatRelative } from '../../../presentation/format.ts';
import { noProof, ProofFields, toProof } from '../../account/ProofFields.tsx';
import { keys } from '../../account-client.ts';
import type { Key, ShownKey } from '../../api-client.ts';
import { queries } from '../../queries.ts';
import { Button } from '../../ui/Button.tsx';
import { Section } from '../../ui/Card.tsx';
import { Copy } from '../../ui/Copy.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { MenuItem } from '../../ui/Menu.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Row, RowMenu, Rows } from '../../ui/Rows.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { Empty, Failure } from '../../ui/States.tsx';
import { useForm } from '../../ui/use-form.ts';
import styles from './AccountPage.module.css';
import { EditKey } from './EditKey.tsx';
import { NewKey } from './NewKey.tsx';

const keysKey = ['keys'] as const;

/** An account has at most so many as one page of the list holds. */
const perPage = 100;

export function ApiKeysTab() {
	const { t } = useTranslation();
	const query = useQuery({ queryKey: keysKey, queryFn: () => keys.list({ per_page: perPage }) });
	const [isAdding, setAdding] = useState(false);
	const [shown, setShown] = useState<ShownKey>();
	const [edited, setEdited] = useState<Key>();
	const [pending, setPending] = useState<{ apiKey: Key; what: 'rotate' | 'revoke' }>();
	const show = (made: ShownKey) => {
		setAdding(false);
		setPending(undefined);
		setShown(made);
		void queries.invalidateQueries({ queryKey: keysKey });
	};
	return (
		<Section
			text={
				<>
					{t('account.keys.text')}{' '}
					<a className={styles.link} href="/docs/api/">
						{t('account.keys.reference')}
					</a>
				</>
			}
		>
			{shown && <Shown apiKey={shown} onKept={() => setShown(undefined)} />}
			{query.data ? (
				<Keys
					apiKeys={query.data.data}
					onEdit={setEdited}
					onAsk={(apiKey, what) => setPending({ apiKey, what })}
				/>
			) : query.error ? (
				<Failure error={query.error} onTryAgain={() => void query.refetch()} />
			) : (
				<Skeleton height={60} />
			)}
			<div className={styles.actions}>
				<Button onClick={() => setAdding(true)}>{t('account.keys.add')}</Button>
			</div>
			<Dialog
				title={t('account.keys.add')}
				isOpen={isAdding}
				onClose={() => setAdding(false)}
				closeLabel={t('common.close')}
			>
				<NewKey onMade={show} onCancel={() => setAdding(false)} />
			</Dialog>
			{edited && (
				<Dialog
					title={t('account.keys.edit', { name: edited.name })}
					isOpen
					onClose={() => setEdited(undefined)}
					closeLabel={t('common.close')}
				>
					<EditKey
						apiKey={edited}
						onSaved={() => {
							setEdited(undefined);
							void queries.invalidateQueries({ queryKey: keysKey });
						}}
						onCancel={() => setEdited(undefined)}
					/>
				</Dialog>
			)}
			{pending && (
				<Confirmation
					{...pending}
					onClose={() => setPending(undefined)}
					onRotated={show}
					onRevoked={() => {
						setPending(undefined);
						if (shown?.id === pending.apiKey.id) setShown(undefined);
						void queries.invalidateQueries({ queryKey: keysKey });
					}}
				/>
			)}
		</Section>
	);
}

/** The one moment in which a key can be copied. */
function Shown({ apiKey, onKept }: { apiKey: ShownKey; onKept(): void }) {
	const { t } = useTranslation();
	return (
		<div className={styles.shown} role="status">
			<h2>{t('account.keys.shownTitle', { name: apiKey.name })}</h2>
			<p>{t('account.keys.shown')}</p>
			<Copy label={t('account.keys.shownLabel')} text={apiKey.key} />
			<div className={styles.actions}>
				<Button kind="quiet" onClick={onKept}>
					{t('account.keys.kept')}
				</Button>
			</div>
		</div>
	);
}

function Keys({
	apiKeys,
	onEdit,
	onAsk,
}: {
	apiKeys: readonly Key[];
	onEdit(key: Key): void;
	onAsk(key: Key, what: 'rotate' | 'revoke'): void;
}) {
	const { t, i18n } = useTranslation();
	if (apiKeys.length === 0)
		return (
			<Empty title={t('account.keys.none')}>
				<p>{t('account.keys.noneText')}</p>
			</Empty>
		);
	const moment = (iso: string) => formatMoment(iso, i18n.language, { dateStyle: 'medium' });
	const now = new Date();
	const relative = (iso: string) => formatRelative(iso, now, i18n.language);
	const isPast = (iso: string) => new Date(iso) <= now;
	/** What the owner should look at: an expiry within a week, or a key that seems to be forgotten. */
	const hintOf = ({ expires_at: end, last_used_at, created_at }: Key) => {
		if (end !== null && isPast(end)) return t('account.keys.expired', { date: relative(end) });
		if (end !== null && isWithin(7, now, new Date(end)))
			return t('account.keys.expiresSoon', { date: relative(end) });
		const isUnused = !isWithin(90, new Date(last_used_at ?? created_at), now);
		return isUnused ? t('account.keys.unused') : undefined;
	};
	const about = (key: Key) => [
		key.scopes?.map((scope) => t(`account.keys.scopes.${scope}`)).join(', ') ??
			t(`account.keys.${key.access}`),
		key.website_ids === null
			? t('account.keys.all')
			: t('account.keys.chosen', { count: key.website_ids.length }),
		`… ${key.ending}`,
	];
	const dates = ({ created_at, last_used_at, expires_at }: Key) => [
		t('account.keys.made', { date: moment(created_at) }),
		last_used_at === null
			? t('account.keys.neverUsed')
			: t('account.keys.used', { date: relative(last_used_at) }),
		...(expires_at === null || isPast(expires_at)
			? []
			: [t('account.keys.expires', { date: moment(expires_at) })]),
	];
	return (
		<Rows>
			{apiKeys.map((key) => (
				<Row
					key={key.id}
					title={key.name}
					chip={hintOf(key)}
					isChipWarning
					lines={[
						about(key).join(' · '),
						<span
							key="used"
							title={key.last_used_at === null ? undefined : formatExact(key.last_used_at, i18n.language)}
						>
							{dates(key).join(', ')}
						</span>,
						...(key.networks ? [<Networks key="networks" networks={key.networks} />] : []),
					]}
				>
					<RowMenu label={t('account.keys.actions', { name: key.name })}>
						<MenuItem onSelect={() => onEdit(key)}>{t('common.edit')}</MenuItem>
						<MenuItem onSelect={() => onAsk(key, 'rotate')}>{t('account.keys.rotate')}</MenuItem>
						<MenuItem onSelect={() => onAsk(key, 'revoke')}>{t('account.keys.revoke')}</MenuItem>
					</RowMenu>
				</Row>
			))}
		</Rows>
	);
}

const shownNetworks = 4;

function Networks({ networks }: { networks: readonly string[] }) {
	const { t } = useTranslation();
	const more = networks.length - shownNetworks;
	const shown = [...networks.slice(0, shownNetworks), ...(more > 0 ? [`+${more}`] : [])].join(', ');
	return (
		<span title={more > 0 ? networks.join(', ') : undefined}>
			{t('account.keys.onlyFrom', { networks: shown })}
		</span>
	);
}

const isWithin = (days: number, from: Date, to: Date) => to.getTime() - from.getTime() <= days * 86_400_000;

function Confirmation({
	apiKey,
	what,
	onClose,
	onRotated,
	onRevoked,
}: {
	apiKey: Key;
	what: 'rotate' | 'revoke';
	onClose(): void;
	onRotated(made: ShownKey): void;
	onRevoked(): void;
}) {
	const { t } = useTranslation();
	const form = useForm(noProof, async (proof) => {
		if (what === 'rotate') return onRotated(await keys.rotate(apiKey.id, toProof(proof)));
		await keys.revoke(apiKey.id);
		onRevoked();
	});
	return (
		<Dialog
			title={t(`account.keys.${what}Title`, { name: apiKey.name })}
			text={t(`account.keys.${what}Text`)}
			isOpen
			onClose={onClose}
			closeLabel={t('common.close')}
		>
			<form className={styles.form} onSubmit={form.submit}>
				{what === 'rotate' && <ProofFields form={form} />}
				{form.fault && <Notice kind="fault">{form.fault}</Notice>}
				<div className={styles.actions}>
					<Button kind={what === 'revoke' ? 'danger' : 'primary'} type="submit" busy={form.isBusy}>
						{t(`account.keys.${what}`)}
					</Button>
					<Button kind="quiet" onClick={onClose}>
						{t('common.cancel')}
					</Button>
				</div>
			</form>
		</Dialog>
	);
}
