import { useQuery } from '@tanstack/react-query';
import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { formatDate, formatTimeOfDay } from '../../../presentation/format.ts';
import { readId, type ViewQuery } from '../../../presentation/view-query.ts';
import { type Note, type PageAnswer, statistics } from '../../api-client.ts';
import { useConnectionLostAt } from '../../connection.ts';
import { AppLayout } from '../../layout/AppLayout.tsx';
import { Attribution } from '../../layout/Attribution.tsx';
import { lazyPageWithTexts } from '../../lazy-page.ts';
import type { PageProps } from '../../routes.tsx';
import { useSession } from '../../session.tsx';
import { BreakdownPanel } from '../../stats/BreakdownPanel.tsx';
import { panelsFor, vitals as VitalsPanel } from '../../stats/lazy-panels.ts';
import { type PanelProps, type ShownWebsite, showsPanel, type UpdateQuery } from '../../stats/panel.ts';
import { type ShownPage, usePage } from '../../stats/use-page.ts';
import { useViewQuery } from '../../stats/use-view-query.ts';
import { toShown } from '../../stats/use-website.ts';
import { ErrorBoundary } from '../../ui/ErrorBoundary.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { Failure } from '../../ui/States.tsx';
import { useFaultText } from '../../ui/use-fault-text.ts';
import { WhenVisible } from '../../ui/WhenVisible.tsx';
import { ShareGate } from '../SharePage/ShareGate.tsx';
import { ChartLegend } from './ChartLegend.tsx';
import { CompareMenu } from './CompareMenu.tsx';
import { FilterBar } from './FilterBar.tsx';
import { IntervalMenu } from './IntervalMenu.tsx';
import { LargeTab } from './LargeTab.tsx';
import { PeriodPicker } from './PeriodPicker.tsx';
import { Pin } from './Pin.tsx';
import { SignalsLine } from './SignalsLine.tsx';
import { StatisticsKeys } from './StatisticsKeys.tsx';
import styles from './StatisticsPage.module.css';
import { SummaryTiles } from './SummaryTiles.tsx';
import { dateIn } from './shift-period.ts';
import { Timeline } from './Timeline.tsx';
import { LiveCount, WebsiteName } from './WebsiteMenu.tsx';

const NothingShown = lazyPageWithTexts(async () => (await import('./NothingShown.tsx')).NothingShown);

/** `/websites/:id`: the statistics page. */
export function StatisticsPage({ params }: PageProps) {
	const who = useSession();
	const { query } = useViewQuery();
	// The URL holds the whole question, so statistics load while access is checked.
	const id = readId(params.id);
	usePage({ id: id ?? 0 }, query, who !== undefined && id !== undefined);
	return (
		<ShareGate id={params.id} whileAsking={<Waiting />}>
			{(open) => <Statistics website={toShown(open)} />}
		</ShareGate>
	);
}

export function Statistics({ website }: { website: ShownWebsite }) {
	const { t } = useTranslation();
	const { query, updateQuery, hrefOf } = useViewQuery();
	const page = usePage(website, query);
	const notes = useNotes(website, query);
	return (
		<AppLayout
			title={website.domain}
			crumbs={
				<>
					<WebsiteName website={website} />
					{showsPanel(website, 'live') && <LiveCount website={website} />}
				</>
			}
			links={[
				...(website.isShared
					? []
					: [{ href: `/websites/${website.id}/journeys`, label: t('statistics.journeys') }]),
				...(website.canEdit
					? [
							{ href: `/websites/${website.id}/settings/sharing`, label: t('statistics.share') },
							{ href: `/websites/${website.id}/settings`, label: t('statistics.settings') },
						]
					: []),
			]}
		>
			<Shown {...{ website, query, updateQuery, hrefOf }} page={page.answer} status={page} notes={notes} />
		</AppLayout>
	);
}

type Props = Omit<PanelProps, 'tab' | 'breakdown'>;

function Shown({ status, notes, ...props }: Props & { status: ShownPage; notes: readonly Note[] }) {
	const { website, query, updateQuery, page } = props;
	const isLost = useConnectionLostAt() !== undefined;
	const textOf = useFaultText();
	const today = dateIn(website.timezone, page?.meta.as_of ?? Date.now());
	return (
		<>
			<div className={styles.toolbar}>
				<FilterBar website={website} query={query} updateQuery={updateQuery} />
				<div className={styles.time}>
					<PeriodPicker query={query} updateQuery={updateQuery} meta={page?.meta} today={today} />
					<CompareMenu query={query} updateQuery={updateQuery} today={today} />
				</div>
			</div>
			{status.error && page && !isLost && (
				<div className={styles.fault}>
					<Notice kind="fault">{textOf(status.error)}</Notice>
				</div>
			)}
			{status.error && !page ? (
				<section className={styles.card}>
					<Failure error={status.error} onTryAgain={status.again} />
				</section>
			) : (
				<div className={status.isOld ? styles.old : styles.fresh} aria-busy={status.isOld || !page}>
					<Chart {...props} notes={notes} />
					<div className={styles.panels}>
						{panelsFor(website).map((panel) => (
							<BreakdownPanel key={panel.id} panel={panel} {...props} />
						))}
					</div>
					{showsPanel(website, 'vitals') && (
						<WhenVisible>
							<ErrorBoundary resetKey="vitals">
								<Suspense fallback={null}>
									<VitalsPanel {...props} />
								</Suspense>
							</ErrorBoundary>
						</WhenVisible>
					)}
				</div>
			)}
			<SignalsLine website={website} query={query} />
			{page && <Foot page={page} website={website} status={status} query={query} updateQuery={updateQuery} />}
			<LargeTab {...props} />
		</>
	);
}

/** Metric tiles and the chart of the selected one. */
function Chart({ notes, ...props }: Props & { notes: readonly Note[] }) {
	const { t, i18n } = useTranslation();
	const { website, query, updateQuery, page } = props;
	const isEmpty = page !== undefined && isNothing(page);
	const from = page?.meta.available_from;
	const imported = page?.meta.imported;
	return (
		<section className={styles.card} aria-label={t('statistics.titleOf', { domain: website.domain })}>
			<SummaryTiles {...props} data={page?.data} />
			<div className={styles.interval}>
				{page && !isEmpty && (
					<>
						<ChartLegend query={query} updateQuery={updateQuery} data={page.data} />
						<IntervalMenu updateQuery={updateQuery} meta={page.meta} isShared={website.isShared} />
					</>
				)}
			</div>
			<div className={styles.chart}>
				{!page ? (
					<Skeleton height={264} />
				) : isEmpty ? (
					<Suspense fallback={<Skeleton height={264} />}>
						<NothingShown website={website} query={query} />
					</Suspense>
				) : (
					<Timeline website={website} query={query} updateQuery={updateQuery} page={page} notes={notes} />
				)}
			</div>
			{imported && (
				<p className={styles.available}>
					{t('statistics.chart.imported', {
						source: imported.source.split('+').map(nameOfSource).join(', '),
						from: formatDate(imported.from, i18n.language),
						to: formatDate(imported.to, i18n.language),
					})}
				</p>
			)}
			{from && (
				<p className={styles.available}>
					{t('statistics.chart.unavailable', { date: formatDate(from, i18n.language) })}
				</p>
			)}
		</section>
	);
}

/** Display names of import sources. */
const nameOfSource = (source: string): string =>
	source === 'ga4'
		? 'Google Analytics 4'
		: source
				.split('-')
				.map((word) => word.charAt(0).toUpperCase() + word.slice(1))
				.join(' ');

const isNothing = ({ data }: PageAnswer): boolean =>
	data.totals.pageviews === 0 && data.totals.visits === 0 && !data.compared?.totals.visits;

/** Time zone, definition of a visitor, and time of the answer. */
function Foot({
	page,
	website,
	status,
	query,
	updateQuery,
}: {
	page: PageAnswer;
	website: ShownWebsite;
	status: ShownPage;
	query: ViewQuery;
	updateQuery: UpdateQuery;
}) {
	const { t, i18n } = useTranslation();
	const time = formatTimeOfDay(page.meta.as_of, i18n.language, website.timezone);
	return (
		<footer className={styles.foot}>
			<span>{t('statistics.foot.zone', { zone: page.meta.timezone })}</span>
			<span>{t('statistics.foot.visitor')}</span>
			<Attribution />
			<StatisticsKeys website={website} query={query} updateQuery={updateQuery} />
			{!website.isShared && <Pin website={website.id} query={query} className={styles.pin} />}
			<button
				type="button"
				aria-label={t('statistics.foot.refresh', { time })}
				aria-busy={status.isAsking}
				onClick={status.again}
			>
				<time dateTime={page.meta.as_of}>{t('common.asOf', { time })}</time>
			</button>
		</footer>
	);
}

/** Placeholder in the final layout. */
function Waiting() {
	const { t } = useTranslation();
	const { query, updateQuery } = useViewQuery();
	return (
		<>
			<p className="unseen" role="status">
				{t('statistics.loading')}
			</p>
			<div className={styles.toolbar}>
				<Skeleton width={90} height={34} />
				<div className={styles.time}>
					<Skeleton width={300} height={34} />
				</div>
			</div>
			<section className={styles.card}>
				<SummaryTiles query={query} updateQuery={updateQuery} data={undefined} />
				<div className={styles.interval} />
				<div className={styles.chart}>
					<Skeleton height={264} />
				</div>
			</section>
		</>
	);
}

/** Notes of the period. For named periods the latest notes are requested, because their dates come with the answer. */
function useNotes({ id, link }: ShownWebsite, { period, from, to }: ViewQuery): readonly Note[] {
	const dates = period === 'custom' && from !== undefined && to !== undefined ? { from, to } : {};
	const { data } = useQuery({
		queryKey: ['notes', id, dates],
		queryFn: () => statistics.notes(id, dates),
		staleTime: 60_000,
		// Not part of share links.
		enabled: !link,
	});
	return data ?? [];
}
