import { ChevronDown, ChevronRight } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { formatCount, formatRate, noValue } from '../../../presentation/format.ts';
import { changeOf, formatMetric, type Value } from '../../../presentation/metrics.ts';
import type { MetricName } from '../../../presentation/view-query.ts';
import type { Row } from '../../api-client.ts';
import { Mark } from '../../marks/Mark.tsx';
import { Info } from '../../ui/Info.tsx';
import changes from '../Changed.module.css';
import styles from '../LargePanel.module.css';
import { useNames } from '../use-names.ts';

/** Sorts by the change of a number of something. */
export const changeNames = [
	'visitors_change',
	'visits_change',
	'pageviews_change',
	'events_change',
	'conversions_change',
] as const;
type ChangeName = (typeof changeNames)[number];
type SortName = MetricName | ChangeName;

type Props = {
	title: string;
	dimension: string;
	columns: readonly MetricName[];
	sort: { by: SortName; isAscending: boolean };
	onSort(name: SortName): void;
	rows: readonly Row[];
	isBusy: boolean;
	/** Total of the first column, if its rows have a share. */
	total: number | null | undefined;
	/** Whether rows have values of the comparison. */
	isCompared: boolean;
	/** What sorts by the change of the first column; undefined if nothing does. */
	changeName: ChangeName | undefined;
	/** Address of the page filtered by a value; undefined where it cannot be filtered. */
	filterHref(value: string): string | undefined;
	/** The second dimension that each row opens into, and its rows. */
	second: { dimension: string; rowsOf(value: string, cells: (row: Row) => ReactNode): ReactNode } | undefined;
};

export function RowsTable(props: Props) {
	const { t, i18n } = useTranslation();
	const names = useNames();
	const [opened, setOpened] = useState<readonly string[]>([]);
	const { title, dimension, columns, sort, total, isCompared, changeName, second } = props;
	const [main = 'visitors', ...others] = columns;
	const sortButton = (name: SortName, label: string, explanation?: string) => (
		<button type="button" title={explanation} onClick={() => props.onSort(name)}>
			{label}
			<i aria-hidden="true">{name === sort.by ? (sort.isAscending ? ' ↑' : ' ↓') : ''}</i>
		</button>
	);
	const sorted = (name: SortName | undefined) =>
		name === sort.by ? (sort.isAscending ? 'ascending' : 'descending') : undefined;
	const head = (name: MetricName) => (
		<th key={name} scope="col" aria-sort={sorted(name)}>
			{sortButton(name, t(`statistics.metrics.${name}.label`), t(`statistics.metrics.${name}.definition`))}
			<Info
				label={t('statistics.explain', { what: t(`statistics.metrics.${name}.label`) })}
				text={t(`statistics.metrics.${name}.definition`)}
			/>
		</th>
	);
	const cell = (row: Row, name: MetricName) => (
		<td key={name}>{formatMetric(name, row[name], i18n.language)}</td>
	);
	const cells = (row: Row) => (
		<>
			{cell(row, main)}
			{total ? <td>{formatShare(row[main], total, i18n.language)}</td> : null}
			{isCompared && (
				<td>{!row.other && <ChangeText metric={main} now={row[main]} before={row.compared?.[main]} />}</td>
			)}
			{others.map((name) => cell(row, name))}
		</>
	);
	const rowOf = (row: Row) => {
		const text = row.other ? t('statistics.values.other') : names.row(dimension, row);
		const href = row.other ? undefined : props.filterHref(row.value);
		const isOpen = !row.other && opened.includes(row.value);
		return [
			<tr key={`${row.value} ${row.other}`}>
				<th scope="row">
					{second && !row.other && (
						<button
							type="button"
							className={styles.opener}
							aria-expanded={isOpen}
							aria-label={t('lazyPanels.large.open', {
								value: text,
								dimension: names.dimension(second.dimension),
							})}
							onClick={() =>
								setOpened(isOpen ? opened.filter((value) => value !== row.value) : [...opened, row.value])
							}
						>
							{isOpen ? <ChevronDown size={15} /> : <ChevronRight size={15} />}
						</button>
					)}
					{!row.other && <Mark dimension={dimension} value={row.value} country={row.country} />}
					{href === undefined ? (
						text
					) : (
						<Link title={row.value} href={href}>
							{text}
						</Link>
					)}
				</th>
				{cells(row)}
			</tr>,
			isOpen && second?.rowsOf(row.value, cells),
		];
	};
	return (
		// biome-ignore lint/a11y/noNoninteractiveTabindex: a section that scrolls sideways must be reachable by keyboard
		<section className={styles.scroll} tabIndex={0} aria-label={title}>
			<table className={styles.table} aria-busy={props.isBusy}>
				<caption className="unseen">{title}</caption>
				<thead>
					<tr>
						<th scope="col">{names.dimension(dimension)}</th>
						{head(main)}
						{total ? <th scope="col">{t('lazyPanels.large.share')}</th> : null}
						{isCompared && (
							<th scope="col" aria-sort={sorted(changeName)}>
								{changeName
									? sortButton(changeName, t('lazyPanels.large.change'))
									: t('lazyPanels.large.change')}
							</th>
						)}
						{others.map(head)}
					</tr>
				</thead>
				<tbody>{props.rows.flatMap(rowOf)}</tbody>
			</table>
		</section>
	);
}

const formatShare = (value: Value, total: number, language: string): string =>
	typeof value === 'number' ? formatRate(value / total, language) : noValue;

/** `+2 (+50%)`, `−3 (−100%)`, `+1 (new)`, `0`, or `+4` percentage points. */
function ChangeText({ metric, now, before }: { metric: MetricName; now: Value; before: Value }) {
	const { t, i18n } = useTranslation();
	if (typeof now !== 'number' || typeof before !== 'number') return noValue;
	const size = formatCount(Math.abs(now - before), i18n.language);
	const change = changeOf(metric, now, before, i18n.language);
	if (!change)
		return now === before ? (
			size
		) : (
			<em className={changes.good}>{`+${size} (${t('lazyPanels.large.new')})`}</em>
		);
	const sign = { up: '+', down: '−', same: '' }[change.direction];
	const kind = change.isGood === undefined ? '' : change.isGood ? changes.good : changes.bad;
	const share = `${sign}${change.by.text}`;
	const text = change.by.kind === 'share' && sign !== '' ? `${sign}${size} (${share})` : share;
	return <em className={kind}>{text}</em>;
}
