import { useQuery } from '@tanstack/react-query';
import { Lock, Plus } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Filter } from '../../../presentation/filter-chips.ts';
import { goalOf } from '../../../presentation/view-query.ts';
import { statistics } from '../../api-client.ts';
import { lazyPageWithTexts } from '../../lazy-page.ts';
import { goalsKey } from '../../stats/goals/goals-key.ts';
import type { PanelProps } from '../../stats/panel.ts';
import { useLinkText } from '../../stats/use-link-text.ts';
import { type Names, useNames } from '../../stats/use-names.ts';
import styles from './FilterBar.module.css';
import { SegmentsMenu } from './segments/SegmentsMenu.tsx';

const FilterDialog = lazyPageWithTexts(async () => (await import('./FilterDialog.tsx')).FilterDialog);

/** Active filters as chips. */
export function FilterBar({
	website,
	query,
	updateQuery,
}: Pick<PanelProps, 'website' | 'query' | 'updateQuery'>) {
	const { t } = useTranslation();
	const [editing, setEditing] = useState<{ index: number | undefined }>();
	const { filters, segment, goal } = query;
	const names = useNames(useGoalNames(website.id, query));
	const segments = useQuery({
		queryKey: ['segments', website.id],
		queryFn: () => statistics.segments(website.id),
		enabled: segment !== undefined,
	});
	const segmentName =
		segments.data?.find(({ id }) => id === segment)?.name ??
		(segment === undefined ? '' : t('statistics.segments.unknown', { id: segment }));
	// A goal that is selected as a filter is its chip.
	const isGoalChip = goal !== undefined && goalOf({ goal: undefined, filters }) !== goal;
	const fixed = useLinkText()(website.link);
	const isAny = filters.length > 0 || segment !== undefined || goal !== undefined || fixed.length > 0;
	return (
		<div className={styles.bar}>
			{isAny && (
				<ul className={styles.chips} aria-label={t('statistics.filter.title')}>
					{fixed.map((text) => (
						<li key={text} className={`${styles.chip} ${styles.fixed}`} title={t('statistics.link.fixed')}>
							<Lock aria-hidden="true" />
							<span className={styles.words}>{text}</span>
						</li>
					))}
					{segment !== undefined && (
						<Chip
							text={t('statistics.segments.chip', { name: segmentName })}
							removeLabel={t('statistics.segments.remove', { name: segmentName })}
							onRemove={() => updateQuery({ segment: undefined })}
						/>
					)}
					{isGoalChip && (
						<Chip
							text={`${t('statistics.dimensions.goal')}: ${names.value('goal', String(goal))}`}
							removeLabel={t('statistics.filter.remove', { filter: names.value('goal', String(goal)) })}
							onRemove={() => updateQuery({ goal: undefined })}
						/>
					)}
					{filters.map((filter, index) => (
						<Chip
							key={`${filter.test} ${filter.dimension} ${filter.values.join(' ')}`}
							text={names.filter(filter)}
							editLabel={t('statistics.filter.edit', { filter: names.filter(filter) })}
							removeLabel={t('statistics.filter.remove', { filter: names.filter(filter) })}
							onEdit={() => setEditing({ index })}
							onRemove={() => updateQuery({ filters: filters.filter((_, other) => other !== index) })}
						>
							<FilterWords {...names.filterParts(filter)} />
						</Chip>
					))}
				</ul>
			)}
			<button
				type="button"
				className={styles.add}
				aria-keyshortcuts="f"
				onClick={() => setEditing({ index: undefined })}
			>
				<Plus />
				{t('statistics.filter.add')}
			</button>
			{!website.link && <SegmentsMenu website={website} query={query} updateQuery={updateQuery} />}
			{filters.length > 1 && (
				<button
					type="button"
					className={styles.add}
					onClick={() => updateQuery({ filters: [], segment: undefined, goal: undefined })}
				>
					{t('statistics.filter.clear')}
				</button>
			)}
			{editing && (
				<Suspense fallback={null}>
					<FilterDialog
						website={website}
						query={query}
						editing={editing}
						onClose={() => setEditing(undefined)}
						onApply={(filter) => {
							setEditing(undefined);
							updateQuery({ filters: replaced(filters, editing?.index, filter) });
						}}
					/>
				</Suspense>
			)}
		</div>
	);
}

const FilterWords = ({ test, values, note }: ReturnType<Names['filterParts']>) => (
	<>
		{test} <b>{values}</b> {note}
	</>
);

const replaced = (filters: readonly Filter[], index: number | undefined, filter: Filter): Filter[] =>
	index === undefined
		? [...filters, filter]
		: filters.map((existing, position) => (position === index ? filter : existing));

/** Goal names by id, requested only if a filter uses one. */
function useGoalNames(website: number, { filters, goal }: PanelProps['query']): ReadonlyMap<string, string> {
	const isSpokenOf = goal !== undefined || filters.some(({ dimension }) => dimension === 'goal');
	const { data } = useQuery({
		queryKey: goalsKey(website),
		queryFn: () => statistics.goals(website),
		enabled: isSpokenOf,
	});
	return new Map((data ?? []).map(({ id, name }) => [String(id), name]));
}

function Chip({
	text,
	editLabel,
	removeLabel,
	onEdit,
	onRemove,
	children,
}: {
	text: string;
	editLabel?: string;
	removeLabel: string;
	onEdit?: () => void;
	onRemove(): void;
	children?: React.ReactNode;
}) {
	return (
		<li className={styles.chip}>
			{onEdit ? (
				<button type="button" className={styles.words} aria-label={editLabel} onClick={onEdit}>
					{children ?? text}
				</button>
			) : (
				<span className={styles.words}>{children ?? text}</span>
			)}
			<button type="button" className={styles.remove} aria-label={removeLabel} onClick={onRemove}>
				×
			</button>
		</li>
	);
}
