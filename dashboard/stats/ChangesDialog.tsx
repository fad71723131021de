import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { addFilter } from '../../presentation/filter-chips.ts';
import { formatCount, formatDate, formatDates } from '../../presentation/format.ts';
import {
	comparisonOf,
	goalOf,
	type MetricName,
	rowParametersOf,
	type TileMetric,
} from '../../presentation/view-query.ts';
import { type ChangesAnswer, statistics } from '../api-client.ts';
import { Mark } from '../marks/Mark.tsx';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { Failure } from '../ui/States.tsx';
import styles from './ChangesDialog.module.css';
import type { PanelProps } from './panel.ts';
import { useNames } from './use-names.ts';

type Count = ChangesAnswer['data']['counts'][number];
type Dimension = Count['dimensions'][number];
type Amounts = NonNullable<Dimension['rest']>;

const firstDimensions = 4;

/** Why a metric changed: a sentence, and the parts of the difference by dimension. Each value filters the page. */
export function ChangesDialog({
	website,
	query,
	hrefOf,
	metric,
	onClose,
}: Pick<PanelProps, 'website' | 'query' | 'hrefOf'> & { metric: TileMetric; onClose(): void }) {
	const { t, i18n } = useTranslation();
	const goal = goalOf(query);
	const question = {
		...rowParametersOf(query),
		...comparisonOf(query),
		...(goal !== undefined && { goal }),
		metric,
		limit: 5,
		language: i18n.language,
	};
	const result = useQuery({
		queryKey: ['what changed', website.id, question],
		queryFn: ({ signal }) => statistics.changes(website.id, question, signal),
	});
	const { data, meta } = result.data ?? {};
	const filterHref = (dimension: string, value: string) =>
		hrefOf({ filters: addFilter(query.filters, { test: 'is', dimension, values: [value] }) });
	return (
		<Dialog
			title={t('statistics.changed', { what: t(`statistics.metrics.${metric}.label`) })}
			isOpen
			onClose={onClose}
			wide
			closeLabel={t('common.close')}
			{...(meta && { text: datesOf(meta, i18n.language) })}
		>
			{result.error ? (
				<Failure error={result.error} onTryAgain={() => void result.refetch()} />
			) : !data ? (
				<Skeleton height={420} />
			) : (
				<>
					<p className={styles.sentence} role="status">
						{data.sentence}
					</p>
					{meta?.available_from && (
						<p>
							{t('statistics.chart.unavailable', { date: formatDate(meta.available_from, i18n.language) })}
						</p>
					)}
					{data.counts.map((count) => (
						<CountParts
							key={count.count}
							count={count}
							metric={metric}
							isRatio={data.counts.length > 1}
							format={(amount) => formatCount(amount, i18n.language)}
							filterHref={filterHref}
							onFilter={onClose}
						/>
					))}
				</>
			)}
		</Dialog>
	);
}

function datesOf({ from, to, compared }: ChangesAnswer['meta'], language: string): string {
	const dates = formatDates(from, to, language);
	return compared ? `${formatDates(compared.from, compared.to, language)} → ${dates}` : dates;
}

type Shown = {
	format(amount: number): string;
	filterHref(dimension: string, value: string): string;
	onFilter(): void;
};

/** The metric itself, or the numerator or denominator of a ratio. */
function CountParts({
	count,
	metric,
	isRatio,
	...shown
}: Shown & { count: Count; metric: MetricName; isRatio: boolean }) {
	const { t } = useTranslation();
	const [isOpen, setOpen] = useState(false);
	const label =
		count.count === 'bounces' || count.count === 'seconds'
			? t(`lazyPanels.changes.${count.count}`)
			: // Other counts have the name of a metric.
				t(`statistics.metrics.${count.count as MetricName}.label`, {
					defaultValue: t(`statistics.metrics.${metric}.label`),
				});
	const divided = count.dimensions.filter(({ rows }) => rows !== null && rows.length > 0);
	const explaining = divided.filter(({ score }) => score !== null && score > 0).length;
	// At least one, and of a ratio only that.
	const shownFirst = isRatio ? 1 : Math.min(firstDimensions, Math.max(1, explaining));
	const { current, compared, difference } = count;
	return (
		<section className={styles.count} aria-label={label}>
			{isRatio && current !== null && compared !== null && difference !== null && (
				<h3>
					{label}{' '}
					<span>
						{shown.format(compared)} → {shown.format(current)} ({signed(difference, shown.format)})
					</span>
				</h3>
			)}
			{divided.length === 0 && <p>{t('lazyPanels.changes.none')}</p>}
			{divided.slice(0, isOpen ? divided.length : shownFirst).map((dimension) => (
				<DimensionTable
					key={dimension.dimension}
					dimension={dimension}
					label={label}
					isOfVisitors={count.count === 'visitors' || count.count === 'unique_conversions'}
					{...shown}
				/>
			))}
			{!isOpen && divided.length > shownFirst && (
				<div className={styles.more}>
					<Button onClick={() => setOpen(true)}>{t('lazyPanels.changes.all')}</Button>
				</div>
			)}
		</section>
	);
}

function DimensionTable({
	dimension: { dimension, rows, rest },
	label,
	isOfVisitors,
	format,
	filterHref,
	onFilter,
}: Shown & { dimension: Dimension; label: string; isOfVisitors: boolean }) {
	const { t } = useTranslation();
	const names = useNames();
	const cells = ({ compared, current, difference }: Amounts) => (
		<>
			<td>{format(compared)}</td>
			<td>{format(current)}</td>
			<td>{signed(difference, format)}</td>
		</>
	);
	const name = names.dimension(dimension);
	return (
		<div className={`${styles.dimension} ${styles.scroll}`}>
			<table className={styles.table}>
				<caption>
					<span aria-hidden="true">{name}</span>
					<span className="unseen">{t('lazyPanels.changes.table', { metric: label, dimension: name })}</span>
				</caption>
				<thead>
					<tr>
						<th scope="col">
							<span className="unseen">{name}</span>
						</th>
						<th scope="col">{t('lazyPanels.changes.before')}</th>
						<th scope="col">{t('lazyPanels.changes.now')}</th>
						<th scope="col">{t('lazyPanels.large.change')}</th>
					</tr>
				</thead>
				<tbody>
					{(rows ?? []).map((row) => (
						<tr key={row.value}>
							<th scope="row">
								<Mark dimension={dimension} value={row.value} />
								<Link title={row.value} href={filterHref(dimension, row.value)} onClick={onFilter}>
									{names.value(dimension, row.value)}
								</Link>
							</th>
							{cells(row)}
						</tr>
					))}
					{rest && (
						<tr className={styles.rest}>
							<th scope="row">
								{t(isOfVisitors ? 'lazyPanels.changes.otherVisitors' : 'lazyPanels.changes.other')}
							</th>
							{cells(rest)}
						</tr>
					)}
				</tbody>
			</table>
		</div>
	);
}

const signed = (difference: number, format: (amount: number) => string): string =>
	difference === 0 ? format(0) : `${difference > 0 ? '+' : '−'}${format(Math.abs(difference))}`;
