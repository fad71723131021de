import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'wouter';
import { type ReportRecord, reports } from '../../api-client.ts';
import { Frame } from '../../Frame.tsx';
import { formatDates } from '../../format.ts';
import { NotFound } from '../../NotFound.tsx';
import { Changed } from '../../panels/Changed.tsx';
import { changeOf, formatMetric } from '../../panels/metrics.ts';
import { useNames } from '../../panels/use-names.ts';
import { defaults, writeAsked } from '../../question-state.ts';
import type { PageProps } from '../../routes.tsx';
import { Card } from '../../ui/Card.tsx';
import { Pages } from '../../ui/Pages.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { Sparkline } from '../../ui/Sparkline.tsx';
import { Empty, Failure } from '../../ui/States.tsx';
import { type OpenWebsite, ShareGate } from '../SharePage/ShareGate.tsx';
import { Feed } from './Feed.tsx';
import styles from './ReportsPage.module.css';

const perPage = 12;
const metrics = ['visitors', 'visits', 'pageviews', 'bounce_rate', 'visit_duration'] as const;

/** The reports that were made of a website, whether or not they were mailed. */
export function ReportsPage({ params }: PageProps) {
	return (
		<ShareGate id={params.id}>
			{/* Whoever sees what is shared sees no reports. */}
			{(open) => (open.role === undefined ? <NotFound /> : <Reports open={open} />)}
		</ShareGate>
	);
}

function Reports({ open }: { open: OpenWebsite }) {
	const { t } = useTranslation();
	const { id, domain, role } = open;
	return (
		<Frame
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
			<List id={id} />
			{role === 'owner' && <Feed id={id} />}
		</Frame>
	);
}

function List({ id }: { id: number }) {
	const { t } = useTranslation();
	const [search] = useSearchParams();
	const page = Math.max(1, Number.parseInt(search.get('page') ?? '1', 10) || 1);
	const asked = useQuery({
		queryKey: ['reports', id, page],
		queryFn: () => reports.list(id, { per_page: perPage, page }),
		placeholderData: keepPreviousData,
	});
	const { data, error } = asked;
	const path = `/websites/${id}/reports`;
	if (!data)
		return error ? (
			<Failure error={error} onTryAgain={() => void asked.refetch()} />
		) : (
			<Skeleton height={340} />
		);
	if (data.meta.total === 0)
		return (
			<Card padded>
				<Empty title={t('reports.none')}>
					<p>{t('reports.noneText')}</p>
				</Empty>
			</Card>
		);
	return (
		<>
			<ol className={styles.reports} aria-label={t('reports.listLabel')} aria-busy={asked.isFetching}>
				{data.data.map((report) => (
					<li key={`${report.kind} ${report.from}`}>
						<Report id={id} report={report} />
					</li>
				))}
			</ol>
			<Pages
				label={t('reports.pages')}
				current={page}
				last={data.meta.last_page}
				addressOf={(to) => (to === 1 ? path : `${path}?page=${to}`)}
				nameOf={(to) => t('websites.page', { page: to })}
				previous={t('common.previous')}
				next={t('common.next')}
			/>
		</>
	);
}

function Report({ id, report }: { id: number; report: ReportRecord }) {
	const { t, i18n } = useTranslation();
	const { language } = i18n;
	const names = useNames();
	const { kind, from, to, totals, series, risen } = report;
	const href = `/websites/${id}?${writeAsked({ ...defaults, period: 'custom', from, to })}`;
	return (
		<Card>
			<div className={styles.top}>
				<div>
					<h2>
						<Link href={href}>{formatDates(from, to, language)}</Link>
					</h2>
					<p>
						{t(`reports.${kind}`)}
						{report.isProvisional && ` · ${t('reports.provisional')}`}
						{risen.length > 0 &&
							` · ${t('reports.risen', { names: risen.map((one) => names.value(one.kind, one.value)).join(', ') })}`}
					</p>
				</div>
				<Sparkline className={styles.spark} values={series.map(({ visitors }) => visitors)} />
			</div>
			<dl className={styles.numbers}>
				{metrics.map((metric) => {
					const { now, before } = totals[metric];
					const change = changeOf(metric, now, before, language);
					return (
						<div key={metric}>
							<dt>{t(`statistics.metrics.${metric}.label`)}</dt>
							<dd>
								<strong>{formatMetric(metric, now, language)}</strong>
								{change ? (
									<Changed change={change} before={formatMetric(metric, before, language)} />
								) : (
									<em>&nbsp;</em>
								)}
							</dd>
						</div>
					);
				})}
			</dl>
		</Card>
	);
}
