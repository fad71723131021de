import { ChevronDown } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ButtonLink } from '../../ui/Button.tsx';
import { Menu, MenuItem } from '../../ui/Menu.tsx';
import { comparisons, type ListState, periods, sorts } from './list-state.ts';
import styles from './Tools.module.css';

/** Search, label, period, comparison and order of the list. */
export function Tools({
	state,
	onChange,
	labels,
	total,
}: {
	state: ListState;
	onChange(changed: Partial<ListState>, how?: { replace?: boolean }): void;
	labels: readonly string[];
	total: number | undefined;
}) {
	const { t } = useTranslation();
	return (
		<div className={styles.tools}>
			<Search
				search={state.search}
				total={state.search === '' && state.label === '' ? total : undefined}
				onChange={(search) => onChange({ search }, { replace: true })}
			/>
			<div className={styles.menus}>
				<Menu
					className={styles.pill}
					label={`${t('websites.sort')}: ${t(`websites.sorts.${state.sort}`)}`}
					button={<Chosen>{t(`websites.sorts.${state.sort}`)}</Chosen>}
				>
					{sorts.map((sort) => (
						<MenuItem key={sort} isChosen={sort === state.sort} onSelect={() => onChange({ sort })}>
							{t(`websites.sorts.${sort}`)}
						</MenuItem>
					))}
				</Menu>
				<Menu
					className={styles.pill}
					label={`${t('websites.period')}: ${t(`websites.periods.${state.period}`)}`}
					button={<Chosen>{t(`websites.periods.${state.period}`)}</Chosen>}
				>
					{periods.map((period) => (
						<MenuItem key={period} isChosen={period === state.period} onSelect={() => onChange({ period })}>
							{t(`websites.periods.${period}`)}
						</MenuItem>
					))}
				</Menu>
				<Menu
					className={styles.pill}
					label={t(`statistics.compare.button.${state.compare}`)}
					button={<Chosen>{t(`statistics.compare.button.${state.compare}`)}</Chosen>}
				>
					{comparisons.map((compare) => (
						<MenuItem
							key={compare}
							isChosen={compare === state.compare}
							onSelect={() => onChange({ compare })}
						>
							{t(`statistics.compare.${compare}`)}
						</MenuItem>
					))}
				</Menu>
				{(labels.length > 0 || state.label !== '') && (
					<Menu
						className={styles.pill}
						label={`${t('websites.label')}: ${state.label || t('websites.allLabels')}`}
						button={<Chosen>{state.label || t('websites.allLabels')}</Chosen>}
					>
						<MenuItem isChosen={state.label === ''} onSelect={() => onChange({ label: '' })}>
							{t('websites.allLabels')}
						</MenuItem>
						{labels.map((label) => (
							<MenuItem key={label} isChosen={label === state.label} onSelect={() => onChange({ label })}>
								{label}
							</MenuItem>
						))}
					</Menu>
				)}
			</div>
			<div className={styles.add}>
				<ButtonLink kind="primary" href="/websites/new">
					{t('websites.add')}
				</ButtonLink>
			</div>
		</div>
	);
}

const Chosen = ({ children }: { children: string }) => (
	<>
		<span className={styles.chosen}>{children}</span> <ChevronDown size={15} />
	</>
);

const typingMs = 220;

/** Updates the URL after a pause in typing. `/` focuses the field, Escape clears it. */
function Search({
	search,
	total,
	onChange,
}: {
	search: string;
	total: number | undefined;
	onChange(search: string): void;
}) {
	const { t } = useTranslation();
	const field = useRef<HTMLInputElement>(null);
	const [typed, setTyped] = useState(search);
	const lastSearch = useRef(search);
	const tell = useRef(onChange);
	tell.current = onChange;
	useEffect(() => {
		// The URL changed elsewhere: back button, link or “Show all websites”.
		if (search === lastSearch.current) return;
		lastSearch.current = search;
		setTyped(search);
	}, [search]);
	useEffect(() => {
		if (typed === lastSearch.current) return;
		const timer = setTimeout(() => {
			lastSearch.current = typed;
			tell.current(typed);
		}, typingMs);
		return () => clearTimeout(timer);
	}, [typed]);
	useEffect(() => {
		const focus = (event: KeyboardEvent) => {
			if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isWriting(event.target))
				return;
			event.preventDefault();
			field.current?.focus();
			field.current?.select();
		};
		addEventListener('keydown', focus);
		return () => removeEventListener('keydown', focus);
	}, []);
	return (
		<div className={styles.search}>
			<input
				ref={field}
				type="search"
				aria-label={t('websites.search')}
				aria-keyshortcuts="/"
				placeholder={total === undefined ? t('websites.search') : t('websites.searchAmong', { count: total })}
				value={typed}
				autoComplete="off"
				spellCheck={false}
				onChange={(event) => setTyped(event.target.value)}
				onKeyDown={(event) => event.key === 'Escape' && setTyped('')}
			/>
			<span className={styles.key} aria-hidden="true">
				/
			</span>
		</div>
	);
}

const isWriting = (target: EventTarget | null): boolean =>
	target instanceof HTMLElement &&
	(target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
