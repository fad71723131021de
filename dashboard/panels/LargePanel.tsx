import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { breakdownPath, type Parameters, saveTable, statistics } from '../api-client.ts';
import { formatCount, formatDates } from '../format.ts';
import { addFilter, type MetricName, parametersOf } from '../question-state.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { Info } from '../ui/Info.tsx';
import { Menu, MenuItem } from '../ui/Menu.tsx';
import { Notice } from '../ui/Notice.tsx';
import { Skeleton } from '../ui/Skeleton.tsx';
import { Empty, Failure } from '../ui/States.tsx';
import { useFaultText } from '../ui/use-fault-text.ts';
import styles from './LargePanel.module.css';
import { formatMetric } from './metrics.ts';
import type { PanelProps } from './panel.ts';
import { useNames } from './use-names.ts';
import { useParameters } from './use-parameters.ts';

const perPage = 25;
const standard: readonly MetricName[] = ['visitors', 'visits', 'pageviews', 'bounce_rate', 'visit_duration'];
const offered: readonly MetricName[] = [
	...standard,
	'views_per_visit',
	'engaged_time',
	'scroll_depth',
	'events',
	'revenue',
];
const ofGoals: readonly MetricName[] = ['conversions', 'conversion_rate'];

/** In the address while it is open: what is searched, the columns, the order and the page. */
const parameters = ['q', 'columns', 'order', 'n', 'property'] as const;

const closed = { q: '', columns: '', order: '', n: '' };

/** All rows of a tab: searched, sorted, paged, with more columns, and as a file. */
export function LargePanel({ website, asked, tab, page }: PanelProps) {
	const { t, i18n } = useTranslation();
	const language = i18n.language;
	const names = useNames();
	const textOf = useFaultText();
	const { values, set, hrefOf } = useParameters(parameters);
	const [written, setWritten] = useState(values.q);
	const [fault, setFault] = useState<unknown>();
	const [isSaving, setSaving] = useState(false);

	const dimension = tab.drawing === 'properties' ? `property:${values.property}` : (tab.dimension ?? 'goal');
	const isOfGoal = dimension === 'goal';
	const choices = isOfGoal || asked.goal !== undefined ? [...ofGoals, ...offered] : offered;
	const first = isOfGoal ? [...ofGoals, 'revenue' as const] : [...new Set([...tab.metrics, ...standard])];
	const chosen = values.columns.split(',');
	const columns = values.columns === '' ? first : choices.filter((name) => chosen.includes(name));
	const [sortName, direction = 'desc'] = values.order.split('.');
	const sortBy = columns.find((name) => name === sortName) ?? columns[0] ?? 'visitors';
	const isAscending = direction === 'asc';
	const current = Math.max(1, Number(values.n) || 1);

	// What is written is asked for when the writing pauses.
	useEffect(() => {
		if (written === values.q) return undefined;
		const timer = setTimeout(() => set({ q: written, n: '' }, {}, { replace: true }), 250);
		return () => clearTimeout(timer);
	});

	const question: Parameters = {
		...parametersOf(asked, tab.only && [tab.only]),
		...(asked.goal !== undefined && !isOfGoal && { goal: asked.goal }),
		metrics: columns.join(','),
		sort_by: sortBy,
		sort: isAscending ? 'asc' : 'desc',
		search: values.q || undefined,
	};
	const found = useQuery({
		queryKey: ['large', website.id, dimension, question, current],
		queryFn: ({ signal }) =>
			statistics.breakdown(website.id, dimension, { ...question, page: current, per_page: perPage }, signal),
		placeholderData: (before) => before,
	});
	const close = () => set(closed, { large: undefined });
	const meta = found.data?.meta;
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
	const rows = found.data?.data ?? [];
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
					// Whoever opens all rows looks for one; on a phone the keyboard would hide them.
					autoFocus={matchMedia('(pointer: fine)').matches}
					type="search"
					className={styles.search}
					aria-label={t('drawings.large.search')}
					placeholder={t('drawings.large.search')}
					value={written}
					onChange={({ target }) => setWritten(target.value)}
				/>
				<Menu className={styles.button} button={<>{t('drawings.large.columns')} ⌄</>}>
					{choices.map((name) => (
						<MenuItem
							key={name}
							isChosen={columns.includes(name)}
							onSelect={() => {
								const wanted = columns.includes(name)
									? columns.filter((one) => one !== name)
									: [...columns, name];
								if (wanted.length > 0) set({ columns: wanted.join(',') });
							}}
						>
							{t(`statistics.metrics.${name}.label`)}
						</MenuItem>
					))}
				</Menu>
				<Button
					title={t('drawings.large.csvTitle')}
					disabled={!dates}
					busy={isSaving}
					onClick={() => void save()}
				>
					{t('drawings.large.csv')}
				</Button>
			</div>
			{fault !== undefined && <Notice kind="fault">{textOf(fault)}</Notice>}
			{found.error ? (
				<Failure error={found.error} onTryAgain={() => void found.refetch()} />
			) : !found.data ? (
				<Skeleton height={420} />
			) : rows.length === 0 ? (
				<Empty title={t(values.q === '' ? 'drawings.large.empty' : 'drawings.large.nothing')} />
			) : (
				// biome-ignore lint/a11y/noNoninteractiveTabindex: what can be scrolled sideways must be reached by keyboard
				<section className={styles.scroll} tabIndex={0} aria-label={title}>
					<table className={styles.table} aria-busy={found.isPlaceholderData}>
						<caption className="unseen">{title}</caption>
						<thead>
							<tr>
								<th scope="col">{names.dimension(dimension)}</th>
								{columns.map((name) => (
									<th
										key={name}
										scope="col"
										aria-sort={name === sortBy ? (isAscending ? 'ascending' : 'descending') : undefined}
									>
										<button
											type="button"
											title={t(`statistics.metrics.${name}.definition`)}
											onClick={() =>
												set({ order: name === sortBy && !isAscending ? `${name}.asc` : name, n: '' })
											}
										>
											{t(`statistics.metrics.${name}.label`)}
											<i aria-hidden="true">{name === sortBy ? (isAscending ? ' ↑' : ' ↓') : ''}</i>
										</button>
										<Info
											label={t('statistics.explain', { what: t(`statistics.metrics.${name}.label`) })}
											text={t(`statistics.metrics.${name}.definition`)}
										/>
									</th>
								))}
							</tr>
						</thead>
						<tbody>
							{rows.map((row) => {
								const text = row.other
									? t('statistics.values.other')
									: (row.name ?? names.value(dimension, row.value));
								return (
									<tr key={`${row.value} ${row.other}`}>
										<th scope="row">
											{row.other ? (
												text
											) : (
												<Link
													title={row.value}
													href={hrefOf(closed, {
														large: undefined,
														filters: addFilter(asked.filters, { test: 'is', dimension, values: [row.value] }),
													})}
												>
													{text}
												</Link>
											)}
										</th>
										{columns.map((name) => (
											<td key={name}>{formatMetric(name, row[name], language)}</td>
										))}
									</tr>
								);
							})}
						</tbody>
					</table>
				</section>
			)}
			{meta && meta.total > 0 && (
				<nav className={styles.pages} aria-label={t('drawings.large.pages')}>
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
