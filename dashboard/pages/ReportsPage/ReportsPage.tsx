import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'wouter';
import { formatDates } from '../../../presentation/format.ts';
import { changeOf, formatMetric } from '../../../presentation/metrics.ts';
import { defaults, formatViewQuery, readId } from '../../../presentation/view-query.ts';
import { NoMail } from '../../account/NoMail.tsx';
import { statistics } from '../../api-client.ts';
import { AppLayout } from '../../layout/AppLayout.tsx';
import { NotFound } from '../../layout/NotFound.tsx';
import type { PageProps } from '../../routes.tsx';
import { Changed } from '../../stats/Changed.tsx';
import { useNames } from '../../stats/use-names.ts';
import { Card } from '../../ui/Card.tsx';
import { Pagination } from '../../ui/Pagination.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { Sparkline } from '../../ui/Sparkline.tsx';
import { Empty, Failure } from '../../ui/States.tsx';
import { type ReportRecord, reports, type WholeReport } from '../../website-client.ts';
import { type OpenWebsite, ShareGate } from '../SharePage/ShareGate.tsx';
import { Feed } from './Feed.tsx';
import styles from './ReportsPage.module.css';

const perPage = 10;
const metrics = ['visitors', 'visits', 'pageviews', 'bounce_rate', 'visit_duration'] as const;
type Metric = (typeof metrics)[number];

/** Reports of a website, whether or not they were emailed. */
export function ReportsPage({ params }: PageProps) {
	return (
		<ShareGate id={params.id}>
			{/* A shared view has no reports. */}
			{(open) => (open.role === undefined ? <NotFound /> : <Reports open={open} />)}
		</ShareGate>
	);
}

function Reports({ open }: { open: OpenWebsite }) {
	const { t } = useTranslation();
	const { id, domain, role } = open;
	return (
		<AppLayout
			title={`${t('reports.title')} · ${domain}`}
			crumbs={
				<>
					<Link className={styles.crumb} href={`/websites/${id}`}>
						{domain}
					</Link>
					<span className={styles.slash} aria-hidden="true">
						/
					</span>
					<span className={styles.here}>{t('reports.title')}</span>
				</>
			}
		>
			<header className={styles.head}>
				<h1>{t('reports.title')}</h1>
				<p>{t('reports.text')}</p>
				<nav aria-label={t('reports.schedule')}>
					<Link href="/account/mail">{t('reports.schedule')}</Link>
					<Link href={`/websites/${id}/settings/reports`}>{t('reports.mail')}</Link>
				</nav>
			</header>
			<div className={styles.noMail}>
				<NoMail about="reports" />
			</div>
			<List id={id} />
			{role === 'owner' && <Feed id={id} />}
		</AppLayout>
	);
}

/** The page and the open report are in the URL; the default is the latest report. */
function List({ id }: { id: number }) {
	const { t, i18n } = useTranslation();
	const [search] = useSearchParams();
	const page = Math.max(1, Number.parseInt(search.get('page') ?? '1', 10) || 1);
	const query = useQuery({
		queryKey: ['reports', id, page],
		queryFn: () => reports.list(id, { per_page: perPage, page }),
		placeholderData: keepPreviousData,
	});
	const { data, error } = query;
	const path = `/websites/${id}/reports`;
	const first = data?.data[0];
	if (!data)
		return error ? (
			<Failure error={error} onTryAgain={() => void query.refetch()} />
		) : (
			<Skeleton height={340} />
		);
	if (!first)
		return (
			<div className={styles.first}>
				<Preview id={id} />
				<Empty title={t('reports.none')}>
					<p>{t('reports.noneText')}</p>
				</Empty>
			</div>
		);
	const shown = readId(search.get('report')) ?? first.id;
	const addressOf = (to: number, report?: number) => {
		const parameters = new URLSearchParams({
			...(to > 1 && { page: String(to) }),
			...(report !== undefined && { report: String(report) }),
		}).toString();
		return parameters === '' ? path : `${path}?${parameters}`;
	};
	return (
		<>
			<ReportView websiteId={id} id={shown} />
			<ol className={styles.reports} aria-label={t('reports.listLabel')} aria-busy={query.isFetching}>
				{data.data.map((report) => (
					<li key={report.id}>
						<Link href={addressOf(page, report.id)} aria-current={report.id === shown ? 'true' : undefined}>
							<b>{formatDates(report.from, report.to, i18n.language)}</b>
							<small>{kindOf(report, t)}</small>
						</Link>
						<Visitors report={report} />
					</li>
				))}
			</ol>
			<Pagination
				label={t('reports.pages')}
				current={page}
				last={data.meta.last_page}
				addressOf={(to) => addressOf(to)}
				nameOf={(to) => t('websites.page', { page: to })}
				previous={t('common.previous')}
				next={t('common.next')}
			/>
		</>
	);
}

const kindOf = ({ kind, provisional }: ReportRecord, t: TFunction): string =>
	provisional ? `${t(`reports.${kind}`)} · ${t('reports.provisional')}` : t(`reports.${kind}`);

function Visitors({ report: { visitors } }: { report: ReportRecord }) {
	const { t, i18n } = useTranslation();
	return (
		<span className={styles.visitors}>
			<strong>{formatMetric('visitors', visitors.now, i18n.language)}</strong>{' '}
			<span className="unseen">{t('statistics.metrics.visitors.label')}</span>
			<Against metric="visitors" now={visitors.now} before={visitors.before} />
		</span>
	);
}

function Against({
	metric,
	now,
	before,
}: {
	metric: Metric | 'conversions';
	now: number | null;
	before: number | null;
}) {
	const { language } = useTranslation().i18n;
	const change = changeOf(metric, now, before, language);
	return change ? (
		<Changed change={change} before={formatMetric(metric, before, language)} />
	) : (
		<em>&nbsp;</em>
	);
}

/** Of the last days, until there is a report. */
function Preview({ id }: { id: number }) {
	const { t, i18n } = useTranslation();
	const query = useQuery({
		queryKey: ['reports', id, 'preview'],
		queryFn: () =>
			statistics.summary(id, {
				period: '7d',
				compare: 'previous',
				metrics: metrics.join(','),
				interval: 'day',
			}),
	});
	const { data, error } = query;
	if (!data)
		return error ? (
			<Failure error={error} onTryAgain={() => void query.refetch()} />
		) : (
			<Skeleton height={190} />
		);
	const { from, to } = data.meta;
	return (
		<ReportCard
			title={`${t('reports.previewTitle')} · ${formatDates(from, to, i18n.language)}`}
			text={t('reports.preview')}
			series={data.data.series.map(({ visitors }) => visitors ?? 0)}
			isLastUnfinished={data.data.series.at(-1)?.unfinished === true}
			totals={(metric) => ({
				now: data.data.totals[metric] ?? null,
				before: data.data.compared?.totals[metric] ?? null,
			})}
		/>
	);
}

function ReportView({ websiteId, id }: { websiteId: number; id: number }) {
	const { t, i18n } = useTranslation();
	const query = useQuery({
		queryKey: ['reports', websiteId, 'whole', id],
		queryFn: () => reports.get(websiteId, id),
		placeholderData: keepPreviousData,
	});
	const report = query.data;
	if (!report)
		return query.error ? (
			<Failure error={query.error} onTryAgain={() => void query.refetch()} />
		) : (
			<Skeleton height={190} />
		);
	const { from, to, totals, series, changed, goals, revenue } = report;
	const href = `/websites/${websiteId}?${formatViewQuery({ ...defaults, period: 'custom', from, to })}`;
	return (
		<ReportCard
			title={<Link href={href}>{formatDates(from, to, i18n.language)}</Link>}
			text={kindOf(report, t)}
			series={series.map(({ visitors }) => visitors)}
			totals={(metric) => totals[metric]}
			{...{ changed, goals, revenue }}
		/>
	);
}

function ReportCard(
	props: {
		title: ReactNode;
		text: ReactNode;
		series: readonly number[];
		isLastUnfinished?: boolean;
		totals(metric: Metric): { now: number | null; before: number | null };
	} & Partial<Pick<WholeReport, 'changed' | 'goals' | 'revenue'>>,
) {
	const { t, i18n } = useTranslation();
	const names = useNames();
	const { changed = [], goals = [], revenue } = props;
	return (
		<Card>
			<div className={styles.top}>
				<div>
					<h2>{props.title}</h2>
					<p>{props.text}</p>
				</div>
				<Sparkline
					className={styles.spark}
					values={props.series}
					isLastUnfinished={props.isLastUnfinished ?? false}
				/>
			</div>
			{changed.length > 0 && (
				<section className={styles.changed}>
					<h3>{t('reports.changed')}</h3>
					<ul>
						{changed.map((row) => (
							<li key={`${row.kind} ${row.value}`}>
								<span>{names.dimension(row.kind)}</span> <b>{names.value(row.kind, row.value)}</b>{' '}
								{t('reports.visitors', { count: row.visitors })}
								<Against metric="visitors" now={row.visitors} before={row.before} />
							</li>
						))}
					</ul>
				</section>
			)}
			<dl className={styles.numbers}>
				{metrics.map((metric) => {
					const { now, before } = props.totals(metric);
					return (
						<div key={metric}>
							<dt>{t(`statistics.metrics.${metric}.label`)}</dt>
							<dd>
								<strong>{formatMetric(metric, now, i18n.language)}</strong>
								<Against metric={metric} now={now} before={before} />
							</dd>
						</div>
					);
				})}
				{revenue && Object.keys(revenue).length > 0 && (
					<div>
						<dt>{t('statistics.metrics.revenue.label')}</dt>
						<dd>
							<strong>{formatMetric('revenue', revenue, i18n.language)}</strong>
						</dd>
					</div>
				)}
				{goals.map((goal) => (
					<div key={goal.name}>
						<dt>{goal.name}</dt>
						<dd>
							<strong>{formatMetric('conversions', goal.conversions, i18n.language)}</strong>
							<Against metric="conversions" now={goal.conversions} before={goal.before} />
						</dd>
					</div>
				))}
			</dl>
		</Card>
	);
}
