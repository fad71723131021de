import { useQuery } from '@tanstack/react-query';
import { type ReactNode, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { addFilter, type Filter, hasValue, removeValue } from '../../presentation/filter-chips.ts';
import { formatRate } from '../../presentation/format.ts';
import { formatMetric, hasShare } from '../../presentation/metrics.ts';
import { type MetricName, rowParametersOf } from '../../presentation/view-query.ts';
import { type PageAnswer, type Row, statistics } from '../api-client.ts';
import { Mark } from '../marks/Mark.tsx';
import { ErrorBoundary } from '../ui/ErrorBoundary.tsx';
import { Info } from '../ui/Info.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import styles from './BreakdownPanel.module.css';
import { PanelTabs } from './breakdown/PanelTabs.tsx';
import { RowChange } from './breakdown/RowChange.tsx';
import { isInPage, metricsOf, type Panel, rowsShown, type Tab, tabOf } from './breakdowns.ts';
import { drawings, rowActions as RowActions } from './lazy-panels.ts';
import { canFilterBy, hasTab, type PanelProps } from './panel.ts';
import { isNotSet, useNames } from './use-names.ts';

type Found = PageAnswer['data']['breakdowns'][number];
type Props = Omit<PanelProps, 'tab' | 'breakdown'>;

/** A panel whose tabs are its title. Each row filters the page. */
export function BreakdownPanel({ panel, ...props }: Props & { panel: Panel }) {
	const { t } = useTranslation();
	const chosen = tabOf(panel, props.query.tabs);
	const tab = hasTab(props.website, chosen) ? chosen : tabOf(panel, []);
	const breakdown = props.page?.data.breakdowns.find(({ dimension }) => dimension === tab.dimension);
	const Drawing = tab.drawing === 'rows' ? undefined : drawings[tab.drawing];
	const shown = { ...props, tab, breakdown };
	return (
		<section className={styles.panel} aria-label={t(`statistics.panels.${panel.id}`)}>
			<PanelHead panel={panel} tab={tab} {...props} />
			<div className={styles.body}>
				{Drawing ? (
					<ErrorBoundary resetKey={tab.id}>
						<Suspense fallback={<RowSkeletons />}>
							<Drawing {...shown} />
						</Suspense>
					</ErrorBoundary>
				) : !isInPage(chosen) ? (
					<ApartRows {...shown} />
				) : (
					<Rows {...shown} breakdownRows={breakdown} />
				)}
			</div>
		</section>
	);
}

function PanelHead({
	panel,
	tab,
	website,
	query,
	hrefOf,
}: Pick<Props, 'website' | 'query' | 'hrefOf'> & { panel: Panel; tab: Tab }) {
	const { t } = useTranslation();
	const [, second] = tab.metrics;
	// Hours count visits, whatever goal is selected.
	const metric = tab.drawing === 'hours' ? 'visits' : barMetric({ query, tab });
	const label = (name: MetricName) => t(`statistics.metrics.${name}.label`);
	const beside =
		query.goal !== undefined ? t('panels.goals.rate') : hasShare(metric) ? '%' : second && label(second);
	return (
		<header className={styles.head}>
			<h2 className="unseen">{t(`statistics.panels.${panel.id}`)}</h2>
			<PanelTabs panel={panel} tab={tab} website={website} query={query} hrefOf={hrefOf} />
			{tab.drawing !== 'goals' && tab.drawing !== 'funnels' && (
				<small className={styles.columns} title={t(`statistics.metrics.${metric}.definition`)}>
					<Info label={label(metric)} text={t(`statistics.metrics.${metric}.definition`)}>
						{label(metric)}
					</Info>
					{tab.drawing === 'rows' && <span>{beside}</span>}
				</small>
			)}
		</header>
	);
}

/** A tab with its own filter, which needs its own request. */
function ApartRows(props: PanelProps) {
	const { query, tab, website, page } = props;
	const parameters = {
		...rowParametersOf(query, tab.only ? [tab.only] : []),
		metrics: metricsOf(tab, query.goal).join(','),
		goal: query.goal,
		per_page: 10,
	};
	const dimension = tab.dimension ?? '';
	const result = useQuery({
		// Keyed by the time of the page answer, so that both are refreshed together.
		queryKey: ['stats', website.id, dimension, parameters, page?.meta.as_of],
		queryFn: ({ signal }) => statistics.breakdown(website.id, dimension, parameters, signal),
		placeholderData: (before) => before,
		enabled: page !== undefined,
	});
	const rows = result.data?.data;
	const { total = 0, fewer_than } = result.data?.meta ?? {};
	return <Rows {...props} breakdownRows={rows && { dimension, rows, total, fewer_than }} />;
}

function Rows(props: PanelProps & { breakdownRows: Found | undefined }) {
	const { t } = useTranslation();
	const { query, tab, breakdownRows, hrefOf } = props;
	if (!breakdownRows) return <RowSkeletons />;
	if (breakdownRows.rows === null) return <Nothing>{t('statistics.empty.gone')}</Nothing>;
	// The previous answer may have more rows or other metrics.
	const all = breakdownRows.rows.slice(0, rowsShown + 1);
	const notSet = all.find((row) => !row.other && isNotSet(tab.dimension ?? '', row.value));
	const rows = all.filter((row) => row !== notSet).slice(0, rowsShown);
	if (all.length === 0) {
		if (breakdownRows.fewer_than) return <Nothing>{t('statistics.few.rows')}</Nothing>;
		const isFiltered = query.filters.length > 0 || query.segment !== undefined;
		return <Nothing>{t(isFiltered ? 'statistics.empty.filtered' : 'statistics.empty.rows')}</Nothing>;
	}
	const isMore = (breakdownRows.total ?? 0) > rows.length + (notSet ? 1 : 0);
	return (
		<>
			{rows.length === 0 && <Nothing>{t('statistics.empty.rows')}</Nothing>}
			<ul className={styles.rows}>
				{rows.map((row) => (
					<RowItem
						key={row.other ? ' other' : row.value}
						{...props}
						row={row}
						most={mostOf(barMetric(props), rows)}
					/>
				))}
			</ul>
			<div className={styles.foot}>
				{isMore && (
					<Link className={styles.more} href={hrefOf({ large: tab.id })}>
						{t(`statistics.all.${tab.id}`)} →
					</Link>
				)}
				{notSet && <NotSet {...props} row={notSet} />}
			</div>
		</>
	);
}

/** Visits without a value, below the rows, so that their bar does not dwarf the others. Together they add up. */
function NotSet({ query, hrefOf, tab, website, row }: PanelProps & { row: Row }) {
	const { i18n } = useTranslation();
	const names = useNames();
	const dimension = tab.dimension ?? '';
	const metric = barMetric({ query, tab });
	const content = (
		<>
			{names.value(dimension, row.value)} <b>{formatMetric(metric, row[metric], i18n.language)}</b>
		</>
	);
	if (!canFilterBy(website, dimension)) return <span className={styles.notSet}>{content}</span>;
	return (
		<Link className={styles.notSet} href={hrefOf({ filters: toggled(query.filters, dimension, row.value) })}>
			{content}
		</Link>
	);
}

/** The filters with this value, or without it if it is one of them. */
const toggled = (filters: readonly Filter[], dimension: string, value: string): Filter[] =>
	hasValue(filters, dimension, value)
		? removeValue(filters, dimension, value)
		: addFilter(filters, { test: 'is', dimension, values: [value] });

const Nothing = ({ children }: { children: ReactNode }) => <p className={styles.nothing}>{children}</p>;

const numberIn = (row: Row, metric: MetricName): number => {
	const value = row[metric];
	return typeof value === 'number' ? value : 0;
};

/** The metric of the bars, which is the first number of a row. */
const barMetric = ({ query, tab }: Pick<PanelProps, 'query' | 'tab'>): MetricName =>
	query.goal === undefined ? (tab.metrics[0] ?? 'visitors') : 'conversions';

const mostOf = (metric: MetricName, rows: readonly Row[]): number =>
	Math.max(1, ...rows.map((row) => numberIn(row, metric)));

const canHover = matchMedia('(hover: hover)');

/** A row, and its actions while it is hovered or focused. Touch devices have no room for them. */
function RowItem(props: PanelProps & { row: Row; most: number }) {
	const { website, tab, row } = props;
	const names = useNames();
	const [isActive, setActive] = useState(false);
	const [hasDialog, setHasDialog] = useState(false);
	const dimension = tab.dimension ?? '';
	const hasActions = (isActive || hasDialog) && !row.other && row.value !== '';
	return (
		<li
			className={styles.item}
			onPointerEnter={() => canHover.matches && setActive(true)}
			onPointerLeave={({ currentTarget }) => setActive(currentTarget.contains(document.activeElement))}
			onFocus={() => canHover.matches && setActive(true)}
			onBlur={({ currentTarget, relatedTarget }) => {
				if (!currentTarget.contains(relatedTarget)) setActive(false);
			}}
		>
			<BarRow {...props} />
			{hasActions && (
				<Suspense fallback={null}>
					<RowActions
						website={website}
						dimension={dimension}
						value={row.value}
						name={names.value(dimension, row.value)}
						isCreating={hasDialog}
						onCreate={setHasDialog}
					/>
				</Suspense>
			)}
		</li>
	);
}

/** A row. Clicking it adds its value as a filter; clicking it again removes the filter. */
function BarRow({ query, hrefOf, tab, page, row, most, website }: PanelProps & { row: Row; most: number }) {
	const { t, i18n } = useTranslation();
	const { language } = i18n;
	const names = useNames();
	const dimension = tab.dimension ?? '';
	const name = row.other ? t('statistics.values.other') : names.row(dimension, row);
	const [first, second] = tab.metrics;
	const share = shareOf(row, first, page);
	const isOn = hasValue(query.filters, dimension, row.value);
	const content = (
		<>
			<span
				className={styles.bar}
				style={{ width: `calc((100% - 142px) * ${numberIn(row, barMetric({ query, tab })) / most})` }}
			/>
			<span className={styles.what}>
				{!row.other && <Mark dimension={dimension} value={row.value} country={row.country} />}
				<span>{name}</span>
			</span>
			{page && isInPage(tab) && query.compare !== 'none' && (
				<RowChange {...{ website, query, tab, page, row }} metric={barMetric({ query, tab })} />
			)}
			{query.goal === undefined ? (
				<>
					<span className={styles.count}>
						{formatMetric(first ?? 'visitors', row[first ?? 'visitors'], language)}
					</span>
					<span className={styles.share}>
						{share === undefined
							? second && formatMetric(second, row[second], language)
							: formatRate(share, language)}
					</span>
				</>
			) : (
				<>
					<span className={styles.count}>{formatMetric('conversions', row.conversions, language)}</span>
					<span className={styles.share}>
						{formatMetric('conversion_rate', row.conversion_rate, language)}
					</span>
				</>
			)}
		</>
	);
	if (row.other || !canFilterBy(website, dimension)) return <div className={styles.row}>{content}</div>;
	return (
		<Link
			className={`${styles.row} ${isOn ? styles.on : ''}`}
			href={hrefOf({ filters: toggled(query.filters, dimension, row.value) })}
			title={t(isOn ? 'statistics.filter.rowOn' : 'statistics.filter.row', { value: name })}
		>
			{content}
		</Link>
	);
}

/** Share of the total, where a total of the same kind exists. */
function shareOf(row: Row, metric: Tab['metrics'][number] | undefined, page: PageAnswer | undefined) {
	if (metric === undefined || !hasShare(metric)) return undefined;
	const [part, total] = [row[metric], page?.data.totals[metric]];
	return typeof part === 'number' && total ? part / total : undefined;
}

function RowSkeletons() {
	return (
		<div className={styles.rows} aria-hidden="true">
			{[84, 62, 55, 41, 33, 24, 18, 14, 11].slice(0, rowsShown).map((width) => (
				<div key={width} className={styles.row}>
					<Skeleton width={`${width}%`} height={22} />
				</div>
			))}
		</div>
	);
}
