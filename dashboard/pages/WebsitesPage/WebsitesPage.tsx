import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatCount, formatTimeOfDay } from '../../../presentation/format.ts';
import { ReceivedTransfers } from '../../account/ReceivedTransfers.tsx';
import { useSharedRoles } from '../../account/use-shared-roles.ts';
import type { Overview, OverviewLine } from '../../api-client.ts';
import { AppLayout } from '../../layout/AppLayout.tsx';
import { lazyPage } from '../../lazy-page.ts';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Pagination } from '../../ui/Pagination.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { Empty, Failure } from '../../ui/States.tsx';
import { useFaultText } from '../../ui/use-fault-text.ts';
import { ExportCsv } from './ExportCsv.tsx';
import { addressOfState, type ListState, pageSizes, useListState } from './list-state.ts';
import { Tools } from './Tools.tsx';
import { Totals } from './Totals.tsx';
import { useFavorite, useMoveFavorite, useOverview } from './use-overview.ts';
import { WebsiteLine } from './WebsiteLine.tsx';
import styles from './WebsitesPage.module.css';

const ChangeWebsites = lazyPage(
	async () => (await import('../../templates/ChangeWebsites.tsx')).ChangeWebsites,
);

/** List of all websites. */
export function WebsitesPage() {
	const { t } = useTranslation();
	const textOf = useFaultText();
	const { state, change } = useListState();
	const { list, lines, totals } = useOverview(state);
	const favorite = useFavorite();
	const order = useMoveFavorite(lines);
	const roles = useSharedRoles();
	const { data, error } = list;
	const isFiltered = state.search.trim() !== '' || state.label !== '';
	const hasNone = data?.meta.total === 0 && !isFiltered && !list.isPlaceholderData;
	return (
		<AppLayout
			title={t('websites.title')}
			crumbs={<h1 className={styles.title}>{t('websites.title')}</h1>}
			links={[{ href: '/boards', label: t('common.boards') }]}
		>
			<ReceivedTransfers />
			{hasNone ? (
				<FirstWebsite />
			) : (
				<>
					<Tools state={state} onChange={change} labels={data?.meta.labels ?? []} total={data?.meta.total} />
					{!data && error ? (
						<Failure error={error} onTryAgain={() => void list.refetch()} />
					) : (
						<>
							<Totals totals={totals} period={state.period} compare={state.compare} />
							{(favorite.error ?? order.error) && (
								<Notice kind="fault">{textOf(favorite.error ?? order.error)}</Notice>
							)}
							<Card>
								{data && lines.length === 0 ? (
									<NothingFound state={state} onShowAll={() => change({ search: '', label: '' })} />
								) : (
									<>
										<Columns period={state.period} />
										<ul className={styles.list} aria-busy={!data || list.isPlaceholderData}>
											{data
												? lines.map((line) => (
														<WebsiteLine
															key={line.id}
															line={line}
															period={state.period}
															compare={state.compare}
															shared={roles.get(line.id)}
															onFavorite={(wanted) => favorite.mutate({ id: line.id, favorite: wanted })}
															canMove={(step) => order.canMove(line.id, step)}
															onMove={(step) => order.move({ id: line.id, step })}
														/>
													))
												: [1, 2, 3, 4, 5, 6, 7, 8].map((line) => <LineToCome key={line} />)}
										</ul>
									</>
								)}
							</Card>
							<Foot
								state={state}
								meta={data?.meta}
								lines={lines}
								isOld={error !== null}
								onPerPage={(perPage) => change({ perPage })}
							/>
						</>
					)}
				</>
			)}
		</AppLayout>
	);
}

/** Column headers; each cell repeats its header for screen readers. */
function Columns({ period }: { period: ListState['period'] }) {
	const { t } = useTranslation();
	return (
		<div className={styles.columns} aria-hidden="true">
			<span />
			<span>{t('websites.columns.website')}</span>
			<span>{t('websites.columns.now')}</span>
			<span />
			<span className={styles.number}>{t('websites.columns.today')}</span>
			<span className={styles.number}>{t(`websites.columns.${period === '30d' ? 'days30' : 'days7'}`)}</span>
			<span className={styles.number}>{t('websites.columns.change')}</span>
		</div>
	);
}

function LineToCome() {
	return (
		<li className={styles.toCome}>
			<Skeleton width={16} />
			<Skeleton width="60%" />
			<Skeleton height={26} />
			<Skeleton width={48} />
		</li>
	);
}

function FirstWebsite() {
	const { t } = useTranslation();
	return (
		<div className={styles.first}>
			<h2>{t('websites.first.title')}</h2>
			<p>{t('websites.first.text')}</p>
			<ol>
				{(['one', 'two', 'three'] as const).map((step) => (
					<li key={step}>{t(`websites.first.${step}`)}</li>
				))}
			</ol>
			<ButtonLink kind="primary" href="/websites/new">
				{t('websites.add')}
			</ButtonLink>
		</div>
	);
}

function NothingFound({ state, onShowAll }: { state: ListState; onShowAll(): void }) {
	const { t } = useTranslation();
	const isPast = state.search.trim() === '' && state.label === '';
	return (
		<Empty title={<h2>{t('websites.nothing.title')}</h2>}>
			<p>
				{isPast
					? t('websites.nothing.past')
					: [
							state.search.trim() !== '' && t('websites.nothing.search', { search: state.search.trim() }),
							state.label !== '' && t('websites.nothing.label', { label: state.label }),
						]
							.filter(Boolean)
							.join(' ')}
			</p>
			<Button onClick={onShowAll}>{t('websites.nothing.all')}</Button>
		</Empty>
	);
}

function Foot({
	state,
	meta,
	lines,
	isOld,
	onPerPage,
}: {
	state: ListState;
	meta: Overview['meta'] | undefined;
	lines: readonly OverviewLine[];
	/** The last refresh failed. */
	isOld: boolean;
	onPerPage(perPage: number): void;
}) {
	const { t, i18n } = useTranslation();
	const [isChanging, setChanging] = useState(false);
	if (!meta) return <div className={styles.foot} />;
	const count = (value: number) => formatCount(value, i18n.language);
	return (
		<footer className={styles.foot}>
			<span role="status">
				{meta.from !== null &&
					meta.to !== null &&
					t('common.pageOf', { from: count(meta.from), to: count(meta.to), total: count(meta.total) })}
			</span>
			<Pagination
				label={t('websites.pages')}
				current={meta.current_page}
				last={meta.last_page}
				addressOf={(page) => addressOfState({ ...state, page })}
				nameOf={(page) => t('websites.page', { page })}
				previous={t('common.previous')}
				next={t('common.next')}
			/>
			{meta.total > pageSizes[0] && (
				<label className={styles.perPage}>
					{t('websites.perPage')}
					<select value={state.perPage} onChange={(event) => onPerPage(Number(event.target.value))}>
						{pageSizes.map((size) => (
							<option key={size} value={size}>
								{size}
							</option>
						))}
					</select>
				</label>
			)}
			{lines.length > 1 && (
				<Button kind="quiet" onClick={() => setChanging(true)}>
					{t('templates.bulk.open')}
				</Button>
			)}
			{isChanging && (
				<Suspense>
					<ChangeWebsites lines={lines} onClose={() => setChanging(false)} />
				</Suspense>
			)}
			<ExportCsv state={state} />
			<span className={styles.asOf} data-old={isOld || undefined}>
				{t(isOld ? 'websites.notRefreshed' : 'common.asOf', {
					time: formatTimeOfDay(meta.as_of, i18n.language),
				})}
			</span>
		</footer>
	);
}
