import { useQuery } from '@tanstack/react-query';
import { ChevronDown } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { addFilter, type Filter } from '../../presentation/filter-chips.ts';
import { formatCount, formatDates } from '../../presentation/format.ts';
import { hasShare } from '../../presentation/metrics.ts';
import { comparisonOf, type MetricName, rowParametersOf } from '../../presentation/view-query.ts';
import { breakdownPath, type Parameters, saveTable, statistics } from '../api-client.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { Menu, MenuItem } from '../ui/Menu.tsx';
import { Notice } from '../ui/Notice.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { Empty, Failure } from '../ui/States.tsx';
import { useFaultText } from '../ui/use-fault-text.ts';
import { canCompareRows } from './breakdown/compared-rows.ts';
import styles from './LargePanel.module.css';
import { InnerRows } from './large/InnerRows.tsx';
import { PivotTable } from './large/PivotTable.tsx';
import { changeNames, RowsTable } from './large/RowsTable.tsx';
import { SecondMenu, secondDimensions } from './large/SecondMenu.tsx';
import { canFilterBy, type PanelProps, showsPanel } from './panel.ts';
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
const parameters = ['q', 'columns', 'order', 'n', 'property', 'split', 'pivot'] as const;

const closed = { q: '', columns: '', order: '', n: '', split: '', pivot: '' };

/** All rows of a tab, with search, sorting, pagination, more columns, a second dimension and CSV export. */
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
	const known = showsPanel(website, 'conversions') ? offered : offered.filter((name) => name !== 'revenue');
	const choices = isGoal || query.goal !== undefined ? [...goalColumns, ...known] : known;
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

	const canSplit = !website.isShared && !isGoal;
	const second =
		(canSplit && secondDimensions.find((name) => name === values.split && name !== dimension)) || '';
	const isPivot = second !== '' && values.pivot === '1';
	const parametersWith = (more: readonly Filter[]): Parameters => ({
		...rowParametersOf(query, [...(tab.only ? [tab.only] : []), ...more]),
		...(query.goal !== undefined && !isGoal && { goal: query.goal }),
	});
	const question: Parameters = {
		...parametersWith([]),
		...(isCompared && comparisonOf(query)),
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
			const what = [dimension, ...(second === '' ? [] : [second])].join('-').replace(/[^\w-]+/g, '_');
			const name = `${website.domain}-${what}-${dates.from}-${dates.to}.csv`;
			await saveTable(breakdownPath(website.id, dimension), { ...question, by: second || undefined }, name);
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
				{canSplit && (
					<SecondMenu
						dimension={dimension}
						second={second}
						onChange={(split) => set({ split, ...(split === '' && { pivot: '' }) })}
					/>
				)}
				{second !== '' && (
					<Button aria-pressed={isPivot} onClick={() => set({ pivot: isPivot ? '' : '1' })}>
						{t('lazyPanels.large.pivot')}
					</Button>
				)}
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
			) : isPivot ? (
				<PivotTable
					websiteId={website.id}
					metric={main}
					{...{ title, dimension, second, rows, parametersWith }}
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
					second={
						second === ''
							? undefined
							: {
									dimension: second,
									rowsOf: (value, cells) => (
										<InnerRows
											key={`${value} ${second}`}
											websiteId={website.id}
											{...{ dimension, second, cells }}
											question={{
												...question,
												...parametersWith([{ test: 'is', dimension, values: [value] }]),
												search: undefined,
											}}
										/>
									),
								}
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
