import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ChevronDown } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { formatCount } from '../../../presentation/format.ts';
import { oneOf } from '../../../presentation/one-of.ts';
import { parametersOf, type ViewQuery } from '../../../presentation/view-query.ts';
import { statistics } from '../../api-client.ts';
import { goalsKey } from '../../stats/goals/goals-key.ts';
import type { ShownWebsite } from '../../stats/panel.ts';
import { useNames } from '../../stats/use-names.ts';
import { TextField } from '../../ui/Field.tsx';
import { Popover } from '../../ui/Popover.tsx';
import styles from './StartPicker.module.css';
import type { JourneyView } from './use-journey.ts';

type Kind = 'page' | 'page_group' | 'event' | 'goal';

/** `page:/pricing` as its parts. */
function splitStart(start: string): { kind: Kind; value: string } {
	const [, kind = '', value = ''] = /^(page_group|event|goal|page):(.*)$/s.exec(start) ?? [];
	return { kind: oneOf(['page_group', 'event', 'goal'] as const, kind) ?? 'page', value };
}

function useGoals(website: number) {
	return useQuery({ queryKey: goalsKey(website), queryFn: () => statistics.goals(website) }).data ?? [];
}

/** The page, or the name of the event or goal. */
export function useStartName(website: number, start: string): string {
	const names = useNames();
	const { kind, value } = splitStart(start);
	const goals = useGoals(website);
	return kind === 'goal'
		? (goals.find(({ id }) => String(id) === value)?.name ?? value)
		: names.value(kind, value);
}

/** Chooses where journeys start: a page, an event or a goal. */
export function StartPicker({
	website,
	query,
	view,
}: {
	website: ShownWebsite;
	query: ViewQuery;
	view: JourneyView;
}) {
	const { t } = useTranslation();
	const [isOpen, setOpen] = useState(false);
	const name = useStartName(website.id, view.start);
	const { kind } = splitStart(view.start);
	return (
		<Popover
			label={t('journeys.chooseStart')}
			className={styles.button}
			isOpen={isOpen}
			onOpenChange={setOpen}
			align="start"
			button={
				<>
					<span>{t(`statistics.dimensions.${kind}`)}</span>
					<b>{name}</b>
					<ChevronDown />
				</>
			}
		>
			<Suggestions website={website} query={query} view={view} onClose={() => setOpen(false)} />
		</Popover>
	);
}

const mostShown = '10';

/** The most frequent pages and events of the period, and the goals. */
function Suggestions({
	website,
	query,
	view,
	onClose,
}: {
	website: ShownWebsite;
	query: ViewQuery;
	view: JourneyView;
	onClose(): void;
}) {
	const { t } = useTranslation();
	const [search, setSearch] = useState('');
	const typed = search.trim();
	const goals = useGoals(website.id).filter(({ name }) => name.toLowerCase().includes(typed.toLowerCase()));
	const pages = useRows(website.id, query, view.isGrouped ? 'page_group' : 'page', typed);
	const events = useRows(website.id, query, 'event', typed);
	const isKnown = [...pages, ...events].some(({ value }) => value === typed);
	const lists = [
		{
			kind: view.isGrouped ? ('page_group' as const) : ('page' as const),
			options: [
				...(typed.startsWith('/') && !isKnown ? [{ value: typed, name: typed, visits: undefined }] : []),
				...pages.map(({ value, visits }) => ({ value, name: value, visits })),
			],
		},
		{
			kind: 'event' as const,
			options: events.map(({ value, visits }) => ({ value, name: value, visits })),
		},
		{
			kind: 'goal' as const,
			options: goals.slice(0, 10).map(({ id, name }) => ({ value: String(id), name, visits: undefined })),
		},
	];
	return (
		<div className={styles.choices}>
			<TextField
				label={t('journeys.search')}
				value={search}
				placeholder="/pricing"
				autoComplete="off"
				onChange={(event) => setSearch(event.target.value)}
			/>
			{lists
				.filter(({ options }) => options.length > 0)
				.map(({ kind, options }) => (
					<StartList key={kind} kind={kind} options={options} view={view} onClose={onClose} />
				))}
		</div>
	);
}

function StartList({
	kind,
	options,
	view,
	onClose,
}: {
	kind: Kind;
	options: readonly { value: string; name: string; visits: number | null | undefined }[];
	view: JourneyView;
	onClose(): void;
}) {
	const { t, i18n } = useTranslation();
	const names = useNames();
	return (
		<section aria-label={t(`statistics.dimensions.${kind}`)}>
			<h3>{t(`statistics.dimensions.${kind}`)}</h3>
			<ul>
				{options.map(({ value, name, visits }) => {
					const start = `${kind}:${value}`;
					return (
						<li key={value}>
							<Link
								href={view.hrefOf({ start, path: '' })}
								aria-current={start === view.start || undefined}
								onClick={onClose}
							>
								<span>{kind === 'goal' ? name : names.value(kind, name)}</span>
								{visits !== undefined && <small>{formatCount(visits, i18n.language)}</small>}
							</Link>
						</li>
					);
				})}
			</ul>
		</section>
	);
}

function useRows(
	website: number,
	query: ViewQuery,
	dimension: 'page' | 'page_group' | 'event',
	search: string,
) {
	const parameters = {
		...parametersOf(query),
		metrics: 'visits',
		per_page: mostShown,
		search: search || undefined,
	};
	const { data } = useQuery({
		queryKey: ['stats', website, 'journey starts', dimension, parameters],
		queryFn: ({ signal }) => statistics.breakdown(website, dimension, parameters, signal),
		placeholderData: keepPreviousData,
	});
	return data?.data.filter(({ other }) => !other) ?? [];
}
