import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'wouter';
import { formatClock, formatCount, formatTimeOfDay } from '../../../presentation/format.ts';
import { defaults, formatViewQuery } from '../../../presentation/view-query.ts';
import { type Live, statistics } from '../../api-client.ts';
import { useConnectionLostAt } from '../../connection.ts';
import { AppLayout } from '../../layout/AppLayout.tsx';
import { Attribution } from '../../layout/Attribution.tsx';
import { KeyboardShortcuts } from '../../layout/KeyboardShortcuts.tsx';
import type { PageProps } from '../../routes.tsx';
import { goalsKey } from '../../stats/goals/goals-key.ts';
import type { ShownWebsite } from '../../stats/panel.ts';
import { useNames } from '../../stats/use-names.ts';
import { toShown } from '../../stats/use-website.ts';
import { BarTable } from '../../ui/BarTable.tsx';
import { Card } from '../../ui/Card.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { Failure } from '../../ui/States.tsx';
import { ShareGate } from '../SharePage/ShareGate.tsx';
import { EventFeed } from './EventFeed.tsx';
import styles from './LivePage.module.css';
import { MinuteBars } from './MinuteBars.tsx';
import { useLive, useLiveFeed, type Way } from './use-live.ts';

/** Current visitors, also for shared websites. */
export function LivePage({ params }: PageProps) {
	return (
		<ShareGate id={params.id} whileAsking={<Skeleton height={420} />}>
			{(open) => <LiveOf website={toShown(open)} />}
		</ShareGate>
	);
}

function LiveOf({ website }: { website: ShownWebsite }) {
	const { t } = useTranslation();
	const { live, error, way, tryAgain } = useLive(website.id);
	return (
		<AppLayout
			title={t('live.heading', { domain: website.domain })}
			crumbs={
				<>
					<Link className={styles.website} href={`/websites/${website.id}`}>
						{website.domain}
					</Link>
					<span aria-hidden="true">/</span>
					<h1>{t('live.title')}</h1>
				</>
			}
		>
			{live ? (
				<Picture website={website} live={live} way={way} />
			) : error ? (
				<Failure error={error} onTryAgain={tryAgain} />
			) : (
				<Skeleton height={420} />
			)}
		</AppLayout>
	);
}

function Picture({ website, live, way }: { website: ShownWebsite; live: Live; way: Way }) {
	const { t, i18n } = useTranslation();
	const language = i18n.language;
	const lostAt = useConnectionLostAt();
	const { data, meta } = live;
	const asOf = formatTimeOfDay(meta.as_of, language);
	return (
		<>
			<Card>
				<div className={styles.now}>
					<p className={styles.here}>
						<strong data-testid="visitors-now">{formatCount(data.visitors, language)}</strong>
						<span>
							<i
								className={styles.pulse}
								data-on={(data.visitors > 0 && !lostAt) || undefined}
								aria-hidden="true"
							/>
							{t('live.here', { count: data.visitors })}
						</span>
					</p>
					<MinuteBars live={live} />
				</div>
			</Card>
			{website.isShared ? (
				<div className={styles.lists}>
					<LiveList website={website} name="pages" dimension="page" rows={data.pages} />
					<LiveList website={website} name="sources" dimension="source" rows={data.sources} />
					<LiveList website={website} name="countries" dimension="country" rows={data.countries} />
				</div>
			) : (
				<MemberLists website={website} live={live} />
			)}
			<footer className={styles.foot}>
				{lostAt ? (
					<span>{t('common.connectionLost', { time: formatClock(lostAt.toISOString(), language) })}</span>
				) : (
					<span data-way={way}>{t(`live.ways.${way}`)}</span>
				)}
				{meta.step_minutes > 1 && <span>{t('live.fewer')}</span>}
				<Attribution />
				<LiveKeys website={website} />
				<span>{t('common.asOf', { time: asOf })}</span>
			</footer>
		</>
	);
}

/** Members also see the current pages, the devices and the feed. */
function MemberLists({ website, live }: { website: ShownWebsite; live: Live }) {
	const { t } = useTranslation();
	const { id } = website;
	const feed = useLiveFeed(id, { isOn: true, asOf: live.meta.as_of });
	const goals = useQuery({ queryKey: goalsKey(id), queryFn: () => statistics.goals(id) });
	const { data, error } = feed;
	const isNobody = live.data.visitors === 0;
	return (
		<>
			<div className={styles.pair}>
				<LiveList
					website={website}
					name="currentPages"
					dimension="page"
					rows={data?.data.current_pages}
					whenEmpty={isNobody ? t('live.nobody') : undefined}
				/>
				<Card>
					<div className={styles.list}>
						<h2>{t('live.feed')}</h2>
						{data ? (
							<EventFeed feed={data} goals={goals.data ?? []} />
						) : error ? (
							<Failure error={error} onTryAgain={() => void feed.refetch()} />
						) : (
							<Skeleton height={96} />
						)}
					</div>
				</Card>
			</div>
			{!isNobody && (
				<div className={styles.lists}>
					<LiveList website={website} name="sources" dimension="source" rows={live.data.sources} />
					<LiveList website={website} name="countries" dimension="country" rows={live.data.countries} />
					<LiveList website={website} name="devices" dimension="device" rows={data?.data.devices} />
				</div>
			)}
		</>
	);
}

function LiveList(props: {
	website: ShownWebsite;
	name: 'pages' | 'currentPages' | 'sources' | 'countries' | 'devices';
	dimension: string;
	/** Undefined: not loaded yet. */
	rows: readonly { value: string; visitors: number }[] | undefined;
	whenEmpty?: string | undefined;
}) {
	const { t, i18n } = useTranslation();
	const names = useNames();
	const { website, name, dimension, rows, whenEmpty = t('live.noRows') } = props;
	const most = Math.max(...(rows ?? []).map(({ visitors }) => visitors), 1);
	/** Link to today's statistics with this filter. */
	const hrefOf = (value: string) =>
		`/websites/${website.id}?${formatViewQuery({ ...defaults, period: 'today', filters: [{ test: 'is', dimension, values: [value] }] })}`;
	return (
		<Card>
			<div className={styles.list}>
				<h2>
					{t(`live.${name}`)} <small>{t('live.visitors')}</small>
				</h2>
				{!rows ? (
					<Skeleton height={96} />
				) : rows.length === 0 ? (
					<p className={styles.none}>{whenEmpty}</p>
				) : (
					<BarTable
						caption={t(`live.${name}`)}
						nameLabel={names.dimension(dimension)}
						columns={[{ key: 'visitors', label: t('live.visitors'), width: 56 }]}
						rows={rows.map(({ value, visitors }) => ({
							key: value,
							name: names.value(dimension, value),
							title: value,
							share: visitors / most,
							cells: [formatCount(visitors, i18n.language)],
							href: hrefOf(value),
						}))}
					/>
				)}
			</div>
		</Card>
	);
}

function LiveKeys({ website }: { website: ShownWebsite }) {
	const { t } = useTranslation();
	const [, navigate] = useLocation();
	const groups = useMemo(
		() => [
			{
				title: t('panels.keys.groups.go'),
				keys: [
					{ key: 's', says: t('panels.keys.statistics'), run: () => navigate(`/websites/${website.id}`) },
				],
			},
		],
		[t, navigate, website.id],
	);
	return <KeyboardShortcuts groups={groups} />;
}
