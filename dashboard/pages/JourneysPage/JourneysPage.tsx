import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { formatDate, formatTimeOfDay } from '../../../presentation/format.ts';
import { type Journey, type JourneyAnswer, journeysPath, saveTable } from '../../api-client.ts';
import { AppLayout } from '../../layout/AppLayout.tsx';
import { NotFound } from '../../layout/NotFound.tsx';
import type { PageProps } from '../../routes.tsx';
import type { ShownWebsite } from '../../stats/panel.ts';
import { useViewQuery } from '../../stats/use-view-query.ts';
import { toShown } from '../../stats/use-website.ts';
import { Notice } from '../../ui/Notice.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { Empty, Failure } from '../../ui/States.tsx';
import { useFaultText } from '../../ui/use-fault-text.ts';
import { useMedia } from '../../ui/use-media.ts';
import { ShareGate } from '../SharePage/ShareGate.tsx';
import { CompareMenu } from '../StatisticsPage/CompareMenu.tsx';
import { FilterBar } from '../StatisticsPage/FilterBar.tsx';
import { PeriodPicker } from '../StatisticsPage/PeriodPicker.tsx';
import { dateIn } from '../StatisticsPage/shift-period.ts';
import { Controls } from './Controls.tsx';
import { Flow } from './Flow.tsx';
import styles from './JourneysPage.module.css';
import { pathKeyOf } from './journey-layout.ts';
import { SelectedPath, TopPaths } from './Paths.tsx';
import { useStartName } from './StartPicker.tsx';
import { StepTables } from './StepTables.tsx';
import { type JourneyView, useJourney, useJourneyView } from './use-journey.ts';

/** `/websites/:id/journeys`, for members. */
export function JourneysPage({ params }: PageProps) {
	return (
		<ShareGate id={params.id} whileAsking={<Skeleton height={560} />}>
			{(open) => (open.role === undefined ? <NotFound /> : <Journeys website={toShown(open)} />)}
		</ShareGate>
	);
}

function Journeys({ website }: { website: ShownWebsite }) {
	const { t, i18n } = useTranslation();
	const { query, updateQuery } = useViewQuery();
	const view = useJourneyView();
	const { data, error, isPlaceholderData, refetch, parameters } = useJourney(website.id, query, view);
	const textOf = useFaultText();
	const [fault, setFault] = useState<unknown>();
	const today = dateIn(website.timezone, data?.meta.as_of ?? Date.now());
	const statistics = `/websites/${website.id}`;
	async function save() {
		setFault(undefined);
		try {
			const { from, to } = data?.meta ?? { from: '', to: '' };
			await saveTable(journeysPath(website.id), parameters, `${website.domain}-journeys-${from}-${to}.csv`);
		} catch (failure) {
			setFault(failure);
		}
	}
	return (
		<AppLayout
			title={t('journeys.heading', { domain: website.domain })}
			crumbs={
				<>
					<Link className={styles.website} href={statistics}>
						{website.domain}
					</Link>
					<span aria-hidden="true">/</span>
					<h1>{t('statistics.journeys')}</h1>
				</>
			}
			links={[
				{ href: statistics, label: t('statistics.title') },
				{ href: `${statistics}/live`, label: t('live.title') },
			]}
		>
			<div className={styles.toolbar}>
				<FilterBar website={website} query={query} updateQuery={updateQuery} />
				<div className={styles.time}>
					<PeriodPicker query={query} updateQuery={updateQuery} meta={data?.meta} today={today} />
					<CompareMenu query={query} updateQuery={updateQuery} today={today} />
				</div>
			</div>
			{fault !== undefined && <Notice kind="fault">{textOf(fault)}</Notice>}
			<section className={styles.card} aria-label={t('statistics.journeys')}>
				<Controls website={website} query={query} view={view} onSave={() => void save()} />
				{data ? (
					<div className={isPlaceholderData ? styles.old : undefined} aria-busy={isPlaceholderData}>
						{error && <Notice kind="fault">{textOf(error)}</Notice>}
						<Shown website={website} view={view} answer={data} />
					</div>
				) : error ? (
					<Failure error={error} onTryAgain={() => void refetch()} />
				) : (
					<div className={styles.waiting}>
						<Skeleton height={460} />
					</div>
				)}
			</section>
			<footer className={styles.foot}>
				<span>{t('journeys.foot')}</span>
				{data && (
					<span>
						{t('common.asOf', { time: formatTimeOfDay(data.meta.as_of, i18n.language, website.timezone) })}
					</span>
				)}
			</footer>
		</AppLayout>
	);
}

function Shown({
	website,
	view,
	answer,
}: {
	website: ShownWebsite;
	view: JourneyView;
	answer: JourneyAnswer;
}) {
	const { t, i18n } = useTranslation();
	const isNarrow = useMedia('(max-width: 760px)');
	const name = useStartName(website.id, view.start);
	const { data: journey, meta } = answer;
	const selected = selectedIn(journey, view.path);
	if (meta.available_from !== null && journey.visits === null)
		return (
			<Empty title={t('statistics.empty.title')}>
				<p>{t('statistics.chart.unavailable', { date: formatDate(meta.available_from, i18n.language) })}</p>
			</Empty>
		);
	if (!journey.visits)
		return (
			<Empty title={t('journeys.empty', { name })}>
				<p>{t('journeys.emptyText')}</p>
			</Empty>
		);
	return (
		<div className={styles.columns}>
			<div className={styles.main}>
				{view.isTable || isNarrow ? (
					<StepTables journey={journey} view={view} websiteId={website.id} />
				) : (
					<Flow journey={journey} view={view} websiteId={website.id} startName={name} selected={selected} />
				)}
				{selected && <SelectedPath path={selected} view={view} />}
			</div>
			<TopPaths journey={journey} view={view} />
		</div>
	);
}

const selectedIn = ({ paths }: Journey, key: string) =>
	paths?.find(({ nodes }) => key !== '' && pathKeyOf(nodes) === key);
