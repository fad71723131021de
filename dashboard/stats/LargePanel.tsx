import { useQuery } from '@tanstack/react-query';
import { ChevronDown } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { formatCount, formatDates, formatRate, noValue } from '../../presentation/format.ts';
import { changeOf, formatMetric, hasShare, type Value } from '../../presentation/metrics.ts';
import { addFilter, comparisonOf, type MetricName, rowParametersOf } from '../../presentation/view-query.ts';
import {
	type BreakdownAnswer,
	breakdownPath,
	type Parameters,
	type Row,
	saveTable,
	statistics,
} from '../api-client.ts';
import { Mark } from '../marks/Mark.tsx';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { Info } from '../ui/Info.tsx';
import { Menu, MenuItem } from '../ui/Menu.tsx';
import { Notice } from '../ui/Notice.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { Empty, Failure } from '../ui/States.tsx';
import { useFaultText } from '../ui/use-fault-text.ts';
import { canCompareRows } from './breakdown/compared-rows.ts';
import changes from './Changed.module.css';
import styles from './LargePanel.module.css';
import { canFilterBy, type PanelProps } from './panel.ts';
import { useNames } from './use-names.ts';
import { useParameters } from './use-parameters.ts';

const perPage = 25;
const defaultColumns: readonly MetricName[] = [
	'visitors',
	'visits',
	'pageviews',
	'bounce_rate',
	'visit_duration',
];
const offered: readonly MetricName[] = [
	...defaultColumns,
	'views_per_visit',
	'engaged_time',
	'scroll_depth',
	'events',
	'revenue',
];
const goalColumns: readonly MetricName[] = ['conversions', 'conversion_rate'];

/** Query parameters while the panel is open. */
const parameters = ['q', 'columns', 'order', 'n', 'property'] as const;

const closed = { q: '', columns: '', order: '', n: '' };

/** Sorts by the change of a number of something. */
const changeNames = [
	'visitors_change',
	'visits_change',
	'pageviews_change',
	'events_change',
	'conversions_change',
] as const;
type ChangeName = (typeof changeNames)[number];
type SortName = MetricName | ChangeName;

/** All rows of a tab, with search, sorting, pagination, more columns and CSV export. */
export function LargePanel(props: PanelProps) {
	const { website, query, tab, page } = props;
	const { t, i18n } = useTranslation();
	const language = i18n.language;
	const textOf = useFaultText();
	const { values, set, hrefOf } = useParameters(parameters);
	const [written, setWritten] = useState(values.q);
	const [fault, setFault] = useState<unknown>();
	const [isSaving, setSaving] = useState(false);

	const dimension = tab.drawing === 'properties' ? `property:${values.property}` : (tab.dimension ?? 'goal');
	const isGoal = dimension === 'goal';
	const choices = isGoal || query.goal !== undefined ? [...goalColumns, ...offered] : offered;
	const first = isGoal
		? [...goalColumns, 'revenue' as const]
		: [...new Set([...(query.goal === undefined ? [] : goalColumns), ...tab.metrics, ...defaultColumns])];
	const chosen = values.columns.split(',');
	const columns = values.columns === '' ? first : choices.filter((name) => chosen.includes(name));
	const main = columns[0] ?? 'visitors';
	const isCompared = canCompareRows(props, dimension);
	const changeName = isCompared ? changeNames.find((name) => name === `${main}_change`) : undefined;
	const [sortName, direction = 'desc'] = values.order.split('.');
	const sortBy = [...columns, ...(changeName ? [changeName] : [])].find((name) => name === sortName) ?? main;
	const isAscending = sortBy === sortName && direction === 'asc';
	const current = Math.max(1, Number(values.n) || 1);

	// Searches after a pause in typing.
	useEffect(() => {
		if (written === values.q) return undefined;
		const timer = setTimeout(() => set({ q: written, n: '' }, {}, { replace: true }), 250);
		return () => clearTimeout(timer);
	});

	const question: Parameters = {
		...rowParametersOf(query, tab.only && [tab.only]),
		...(isCompared && comparisonOf(query)),
		...(query.goal !== undefined && !isGoal && { goal: query.goal }),
		metrics: columns.join(','),
		sort_by: sortBy,
		sort: isAscending ? 'asc' : 'desc',
		search: values.q || undefined,
	};
	const result = useQuery({
		queryKey: ['large', website.id, dimension, question, current],
		queryFn: ({ signal }) =>
			statistics.breakdown(website.id, dimension, { ...question, page: current, per_page: perPage }, signal),
		placeholderData: (before) => before,
	});
	const rows = result.data?.data ?? [];
	const close = () => set(closed, { large: undefined });
	const meta = result.data?.meta;
	const dates = meta?.period ?? page?.meta;

	async function save() {
		if (!dates) return;
		setSaving(true);
		setFault(undefined);
		try {
			const name = `${website.domain}-${dimension.replace(/[^\w-]+/g, '_')}-${dates.from}-${dates.to}.csv`;
			await saveTable(breakdownPath(website.id, dimension), question, name);
		} catch (error) {
			setFault(error);
		} finally {
			setSaving(false);
		}
	}

	const title = t(`statistics.tabs.${tab.id}`);
	return (
		<Dialog
			title={title}
			isOpen
			onClose={close}
			wide
			closeLabel={t('common.close')}
			{...(dates && { text: formatDates(dates.from, dates.to, language) })}
		>
			<div className={styles.tools}>
				<input
					// Not on touch devices, where the keyboard would cover the rows.
					autoFocus={matchMedia('(pointer: fine)').matches}
					type="search"
					className={styles.search}
					aria-label={t('lazyPanels.large.search')}
					placeholder={t('lazyPanels.large.search')}
					value={written}
					onChange={({ target }) => setWritten(target.value)}
				/>
				<ColumnsMenu
					choices={choices}
					columns={columns}
					onChange={(wanted) => set({ columns: wanted.join(',') })}
				/>
				<Button
					title={t('lazyPanels.large.csvTitle')}
					disabled={!dates}
					busy={isSaving}
					onClick={() => void save()}
				>
					{t('lazyPanels.large.csv')}
				</Button>
			</div>
			{fault !== undefined && <Notice kind="fault">{textOf(fault)}</Notice>}
			{result.error ? (
				<Failure error={result.error} onTryAgain={() => void result.refetch()} />
			) : !result.data ? (
				<Skeleton height={420} />
			) : rows.length === 0 ? (
				<Empty
					title={
						meta?.fewer_than
							? t('statistics.few.rows')
							: t(values.q === '' ? 'lazyPanels.large.empty' : 'lazyPanels.large.nothing')
					}
				/>
			) : (
				<RowsTable
					title={title}
					dimension={dimension}
					columns={columns}
					sort={{ by: sortBy, isAscending }}
					onSort={(name) => set({ order: name === sortBy && !isAscending ? `${name}.asc` : name, n: '' })}
					rows={rows}
					total={hasShare(main) ? page?.data.totals[main] : undefined}
					isCompared={rows.some(({ compared }) => compared) && main !== 'revenue'}
					changeName={changeName}
					isBusy={result.isPlaceholderData}
					filterHref={(value) =>
						canFilterBy(website, dimension)
							? hrefOf(closed, {
									large: undefined,
									filters: addFilter(query.filters, { test: 'is', dimension, values: [value] }),
								})
							: undefined
					}
				/>
			)}
			{meta && meta.total > 0 && (
				<nav className={styles.pages} aria-label={t('lazyPanels.large.pages')}>
					<span>
						{t('common.pageOf', {
							from: formatCount(meta.from ?? 0, language),
							to: formatCount(meta.to ?? 0, language),
							total: formatCount(meta.total, language),
						})}
					</span>
					<Button disabled={current <= 1} onClick={() => set({ n: current <= 2 ? '' : String(current - 1) })}>
						{t('common.previous')}
					</Button>
					<Button disabled={current >= meta.last_page} onClick={() => set({ n: String(current + 1) })}>
						{t('common.next')}
					</Button>
				</nav>
			)}
		</Dialog>
	);
}

function RowsTable(props: {
	title: string;
	dimension: string;
	columns: readonly MetricName[];
	sort: { by: SortName; isAscending: boolean };
	onSort(name: SortName): void;
	rows: BreakdownAnswer['data'];
	isBusy: boolean;
	/** Total of the first column, if its rows have a share. */
	total: number | null | undefined;
	/** Whether rows have values of the comparison. */
	isCompared: boolean;
	/** What sorts by the change of the first column; undefined if nothing does. */
	changeName: ChangeName | undefined;
	/** Address of the page filtered by a value; undefined where it cannot be filtered. */
	filterHref(value: string): string | undefined;
}) {
	const { t, i18n } = useTranslation();
	const names = useNames();
	const { title, dimension, columns, sort, total, isCompared, changeName } = props;
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
				<tbody>
					{props.rows.map((row) => {
						const text = row.other ? t('statistics.values.other') : names.row(dimension, row);
						const href = row.other ? undefined : props.filterHref(row.value);
						return (
							<tr key={`${row.value} ${row.other}`}>
								<th scope="row">
									{!row.other && <Mark dimension={dimension} value={row.value} country={row.country} />}
									{href === undefined ? (
										text
									) : (
										<Link title={row.value} href={href}>
											{text}
										</Link>
									)}
								</th>
								{cell(row, main)}
								{total ? <td>{formatShare(row[main], total, i18n.language)}</td> : null}
								{isCompared && (
									<td>
										{!row.other && <ChangeText metric={main} now={row[main]} before={row.compared?.[main]} />}
									</td>
								)}
								{others.map((name) => cell(row, name))}
							</tr>
						);
					})}
				</tbody>
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

function ColumnsMenu({
	choices,
	columns,
	onChange,
}: {
	choices: readonly MetricName[];
	columns: readonly MetricName[];
	onChange(columns: readonly MetricName[]): void;
}) {
	const { t } = useTranslation();
	return (
		<Menu
			className={styles.button}
			button={
				<>
					{t('lazyPanels.large.columns')} <ChevronDown size={15} />
				</>
			}
		>
			{choices.map((name) => (
				<MenuItem
					key={name}
					isChosen={columns.includes(name)}
					onSelect={() => {
						const wanted = columns.includes(name)
							? columns.filter((column) => column !== name)
							: [...columns, name];
						if (wanted.length > 0) onChange(wanted);
					}}
				>
					{t(`statistics.metrics.${name}.label`)}
				</MenuItem>
			))}
		</Menu>
	);
}
