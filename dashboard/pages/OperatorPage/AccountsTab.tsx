import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useSearchParams } from 'wouter';
import { formatCount, formatRelative } from '../../../presentation/format.ts';
import { type OperatedAccount, operator } from '../../operator-client.ts';
import { Button } from '../../ui/Button.tsx';
import { Section } from '../../ui/Card.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { SelectField, TextField } from '../../ui/Field.tsx';
import { MenuItem, MenuLink } from '../../ui/Menu.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Pagination } from '../../ui/Pagination.tsx';
import { Row, RowMenu, Rows } from '../../ui/Rows.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { Failure } from '../../ui/States.tsx';
import { useFaultText } from '../../ui/use-fault-text.ts';
import { LimitsForm, ProofForm } from './AccountForms.tsx';
import { NewAccount } from './NewAccount.tsx';
import styles from './OperatorPage.module.css';

const perPage = 25;
const states = ['all', 'active', 'disabled'] as const;

type Open = { account: OperatedAccount; form: 'limits' | 'disable' | 'delete' };

export function AccountsTab() {
	const { t } = useTranslation();
	const client = useQueryClient();
	const [path] = useLocation();
	const [search, setSearch] = useSearchParams();
	const [isCreating, setCreating] = useState(false);
	const [open, setOpen] = useState<Open>();
	const [error, setError] = useState<unknown>();
	const faultText = useFaultText();
	const page = Math.max(1, Number.parseInt(search.get('page') ?? '1', 10) || 1);
	const [typed, wanted] = [search.get('search') ?? '', search.get('state') ?? 'all'];
	const state = states.find((name) => name === wanted) ?? 'all';
	const query = useQuery({
		queryKey: ['operator', 'accounts', typed, state, page],
		queryFn: () => operator.accounts({ search: typed || undefined, state, per_page: perPage, page }),
		placeholderData: keepPreviousData,
	});
	const filter = (changed: Record<string, string>) =>
		setSearch(
			Object.entries({ search: typed, state, ...changed }).filter(
				([name, value]) => value !== '' && !(name === 'state' && value === 'all'),
			),
			{ replace: true },
		);
	const refresh = () => client.invalidateQueries({ queryKey: ['operator'] });
	const done = () => {
		setOpen(undefined);
		return refresh();
	};
	const enable = async ({ id }: OperatedAccount) => {
		setError(undefined);
		try {
			await operator.enable(id);
			await refresh();
		} catch (refusal) {
			setError(refusal);
		}
	};
	const { data } = query;
	const first = (page - 1) * perPage;
	return (
		<Section text={t('operator.accounts.text')}>
			<div className={styles.tools}>
				<TextField
					label={t('operator.accounts.search')}
					placeholder={t('operator.accounts.searchHint')}
					type="search"
					value={typed}
					onChange={(event) => filter({ search: event.target.value })}
				/>
				<SelectField
					label={t('operator.accounts.state')}
					value={state}
					options={states.map((value) => ({ value, label: t(`operator.accounts.states.${value}`) }))}
					onChange={(event) => filter({ state: event.target.value })}
				/>
				<Button onClick={() => setCreating(true)}>{t('operator.accounts.create')}</Button>
			</div>
			{error !== undefined && <Notice kind="fault">{faultText(error)}</Notice>}
			{!data &&
				(query.error ? (
					<Failure error={query.error} onTryAgain={() => void query.refetch()} />
				) : (
					<Skeleton height={300} />
				))}
			{data?.meta.total === 0 && <p className={styles.quiet}>{t('operator.accounts.none')}</p>}
			{data && data.meta.total > 0 && (
				<Rows label={t('operator.accounts.list')}>
					{data.data.map((account) => (
						<AccountRow
							key={account.id}
							account={account}
							onOpen={(form) => setOpen({ account, form })}
							onEnable={() => void enable(account)}
						/>
					))}
				</Rows>
			)}
			{data && data.meta.total > perPage && (
				<footer className={styles.pages}>
					<span>
						{t('common.pageOf', { from: first + 1, to: first + data.data.length, total: data.meta.total })}
					</span>
					<Pagination
						label={t('operator.accounts.pages')}
						current={page}
						last={data.meta.last_page}
						addressOf={(to) => addressOf(path, search, to)}
						nameOf={(to) => t('operator.accounts.page', { page: to })}
						previous={t('common.previous')}
						next={t('common.next')}
					/>
				</footer>
			)}
			<Dialog
				title={t('operator.accounts.create')}
				isOpen={isCreating}
				onClose={() => setCreating(false)}
				closeLabel={t('common.close')}
			>
				<NewAccount onMade={() => void refresh()} onClose={() => setCreating(false)} />
			</Dialog>
			<AccountDialog open={open} onClose={() => setOpen(undefined)} onDone={done} />
		</Section>
	);
}

function AccountDialog({
	open,
	onClose,
	onDone,
}: {
	open: Open | undefined;
	onClose(): void;
	onDone(): Promise<void>;
}) {
	const { t } = useTranslation();
	if (!open) return null;
	const { account, form } = open;
	const { id, name } = account;
	if (form === 'limits')
		return (
			<Dialog
				title={`${t('operator.accounts.limits')}: ${name}`}
				isOpen
				onClose={onClose}
				closeLabel={t('common.close')}
			>
				<LimitsForm account={account} onDone={onDone} onCancel={onClose} />
			</Dialog>
		);
	return (
		<Dialog
			title={t(`operator.accounts.${form}Title`, { name })}
			text={t(`operator.accounts.${form}Text`)}
			isOpen
			onClose={onClose}
			closeLabel={t('common.close')}
		>
			<ProofForm
				action={t(`operator.accounts.${form}`)}
				work={async (proof) => {
					await (form === 'disable' ? operator.disable(id, proof) : operator.deleteAccount(id, proof));
					await onDone();
				}}
				onCancel={onClose}
			/>
		</Dialog>
	);
}

function addressOf(path: string, search: URLSearchParams, page: number): string {
	const parameters = new URLSearchParams(search);
	parameters.delete('page');
	if (page > 1) parameters.set('page', String(page));
	return parameters.size === 0 ? path : `${path}?${parameters}`;
}

function AccountRow({
	account,
	onOpen,
	onEnable,
}: {
	account: OperatedAccount;
	onOpen(form: Open['form']): void;
	onEnable(): void;
}) {
	const { t, i18n } = useTranslation();
	const { id, name, owner, usage, limits } = account;
	const count = (value: number) => formatCount(value, i18n.language);
	const usedOf = (used: number, limit: number | null) =>
		limit === null ? count(used) : t('operator.accounts.usedOf', { used: count(used), limit: count(limit) });
	const when = (iso: string) => formatRelative(iso, new Date(), i18n.language);
	const isDisabled = account.disabled_at !== null;
	const used =
		account.last_used_at === null
			? t('operator.accounts.unused')
			: t('operator.accounts.used', { date: when(account.last_used_at) });
	return (
		<Row
			title={name}
			chip={
				isDisabled
					? t('operator.accounts.disabled')
					: owner.is_confirmed
						? undefined
						: t('operator.accounts.unconfirmed')
			}
			isChipWarning
			lines={[
				account.owners > 1
					? `${owner.email} · ${t('operator.accounts.owners', { count: account.owners })}`
					: owner.email,
				t('operator.accounts.usage', {
					websites: usedOf(usage.websites, limits.websites),
					pageviews: usedOf(usage.pageviews_this_month, limits.pageviews_per_month),
				}),
				`${t('operator.accounts.created', { date: when(account.created_at) })} · ${used}`,
			]}
		>
			<RowMenu label={t('operator.accounts.actions', { name })}>
				<MenuItem onSelect={() => onOpen('limits')}>{t('operator.accounts.limits')}</MenuItem>
				<MenuLink href={`/operator/activity?account=${id}`}>{t('operator.tabs.activity')}</MenuLink>
				{isDisabled ? (
					<MenuItem onSelect={onEnable}>{t('operator.accounts.enable')}</MenuItem>
				) : (
					<MenuItem onSelect={() => onOpen('disable')}>{t('operator.accounts.disable')}</MenuItem>
				)}
				<MenuItem onSelect={() => onOpen('delete')}>{t('operator.accounts.delete')}</MenuItem>
			</RowMenu>
		</Row>
	);
}
