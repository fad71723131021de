import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatExact, formatMoment, formatRelative } from '../../../presentation/format.ts';
import { noProof, ProofFields, toProof } from '../../account/ProofFields.tsx';
import { type Key, keys, type ShownKey } from '../../api-client.ts';
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
import { NewKey } from './NewKey.tsx';

const keysKey = ['keys'] as const;

/** An account has at most so many as one page of the list holds. */
const perPage = 100;

export function ApiKeysTab() {
	const { t } = useTranslation();
	const query = useQuery({ queryKey: keysKey, queryFn: () => keys.list({ per_page: perPage }) });
	const [isAdding, setAdding] = useState(false);
	const [shown, setShown] = useState<ShownKey>();
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
				<Keys apiKeys={query.data.data} onAsk={(apiKey, what) => setPending({ apiKey, what })} />
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
	onAsk,
}: {
	apiKeys: readonly Key[];
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
	const about = (key: Key) => [
		t(`account.keys.${key.access}`),
		key.website_ids === null
			? t('account.keys.all')
			: t('account.keys.chosen', { count: key.website_ids.length }),
		`… ${key.ending}`,
	];
	return (
		<Rows>
			{apiKeys.map((key) => (
				<Row
					key={key.id}
					title={key.name}
					lines={[
						about(key).join(' · '),
						<span
							key="used"
							title={key.last_used_at === null ? undefined : formatExact(key.last_used_at, i18n.language)}
						>
							{[
								t('account.keys.made', { date: moment(key.created_at) }),
								key.last_used_at === null
									? t('account.keys.neverUsed')
									: t('account.keys.used', {
											date: formatRelative(key.last_used_at, new Date(), i18n.language),
										}),
							].join(', ')}
						</span>,
					]}
				>
					<RowMenu label={t('account.keys.actions', { name: key.name })}>
						<MenuItem onSelect={() => onAsk(key, 'rotate')}>{t('account.keys.rotate')}</MenuItem>
						<MenuItem onSelect={() => onAsk(key, 'revoke')}>{t('account.keys.revoke')}</MenuItem>
					</RowMenu>
				</Row>
			))}
		</Rows>
	);
}

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
