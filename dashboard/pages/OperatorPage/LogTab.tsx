import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link, useLocation, useSearchParams } from 'wouter';
import { useOperationName } from '../../account/use-operation-name.ts';
import { addressOf } from '../../api-client.ts';
import { type OperatorEntryRecord, operator } from '../../operator-client.ts';
import { RelativeTime } from '../../RelativeTime.tsx';
import { Section } from '../../ui/Card.tsx';
import { Pagination } from '../../ui/Pagination.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { Failure } from '../../ui/States.tsx';
import styles from './OperatorPage.module.css';

const perPage = 25;

/** What operators did. The account and the page number are in the URL. */
export function LogTab() {
	const { t } = useTranslation();
	const [path] = useLocation();
	const [search] = useSearchParams();
	const page = Math.max(1, Number.parseInt(search.get('page') ?? '1', 10) || 1);
	const account = Number.parseInt(search.get('account') ?? '', 10) || undefined;
	const query = useQuery({
		queryKey: ['operator', 'activity', account, page],
		queryFn: () => operator.activity({ account_id: account, per_page: perPage, page }),
		placeholderData: keepPreviousData,
	});
	const { data } = query;
	const first = (page - 1) * perPage;
	const accountName = data?.data.find((entry) => entry.account?.id === account)?.account?.name;
	const pathOf = (to: number) => {
		const parameters = new URLSearchParams({
			...(account !== undefined && { account: String(account) }),
			...(to > 1 && { page: String(to) }),
		});
		return parameters.size === 0 ? path : `${path}?${parameters}`;
	};
	return (
		<Section text={t('operator.activity.text')}>
			<div className={styles.actions}>
				<a href={addressOf('/operator/activity/export', { account_id: account })} download>
					{t('operator.activity.download')}
				</a>
				{account !== undefined && (
					<>
						<span>{t('operator.activity.about', { name: accountName ?? account })}</span>
						<Link href={path}>{t('operator.activity.all')}</Link>
					</>
				)}
			</div>
			{!data &&
				(query.error ? (
					<Failure error={query.error} onTryAgain={() => void query.refetch()} />
				) : (
					<Skeleton height={perPage * 20} />
				))}
			{data?.meta.total === 0 && <p className={styles.quiet}>{t('operator.activity.none')}</p>}
			{data && data.meta.total > 0 && (
				<ol className={styles.entries} aria-label={t('operator.tabs.activity')} aria-busy={query.isFetching}>
					{data.data.map((entry) => (
						<Entry key={entry.id} entry={entry} />
					))}
				</ol>
			)}
			{data && data.meta.total > perPage && (
				<footer className={styles.pages}>
					<span>
						{t('common.pageOf', { from: first + 1, to: first + data.data.length, total: data.meta.total })}
					</span>
					<Pagination
						label={t('operator.activity.pages')}
						current={page}
						last={data.meta.last_page}
						addressOf={pathOf}
						nameOf={(to) => t('operator.accounts.page', { page: to })}
						previous={t('common.previous')}
						next={t('common.next')}
					/>
				</footer>
			)}
		</Section>
	);
}

function Entry({ entry }: { entry: OperatorEntryRecord }) {
	const { t } = useTranslation();
	const nameOf = useOperationName();
	const { by, account, person, website } = entry;
	const named = ({ id, name }: { id: number; name: string | null }) =>
		`${id} (${name ?? t('operator.activity.gone')})`;
	const about = [
		...(account ? [t('operator.activity.account', { name: named(account) })] : []),
		...(person ? [t('operator.activity.person', { name: named(person) })] : []),
		...(website
			? [t('operator.activity.website', { name: named({ id: website.id, name: website.domain }) })]
			: []),
	];
	const who =
		by.kind === 'command_line'
			? t('operator.activity.commandLine')
			: by.kind === 'person'
				? (by.name ?? t('operator.activity.gone'))
				: t('operator.activity.key', { name: by.name ?? t('operator.activity.gone') });
	return (
		<li>
			<div>
				<b>{nameOf(entry.what)}</b>
				{about.length > 0 && <small>{about.join(' · ')}</small>}
				<small>{who}</small>
			</div>
			<RelativeTime iso={entry.at} />
		</li>
	);
}
