import { ChevronDown } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatDates } from '../../../presentation/format.ts';
import { comparisons, matchesWeekdays, type ViewQuery } from '../../../presentation/view-query.ts';
import { lazyPage } from '../../lazy-page.ts';
import type { UpdateQuery } from '../../stats/panel.ts';
import { Menu, MenuItem, MenuLine, MenuTitle } from '../../ui/Menu.tsx';
import styles from './Picker.module.css';

const CompareDialog = lazyPage(async () => (await import('./CompareDialog.tsx')).CompareDialog);

/** Menu of comparison periods. */
export function CompareMenu({
	query,
	updateQuery,
	today,
}: {
	query: ViewQuery;
	updateQuery: UpdateQuery;
	today: string;
}) {
	const { t, i18n } = useTranslation();
	const [isChoosing, setChoosing] = useState(false);
	const { compare, compareFrom, compareTo } = query;
	const isMatched = matchesWeekdays(query);
	const dates =
		compareFrom !== undefined && compareTo !== undefined
			? formatDates(compareFrom, compareTo, i18n.language)
			: '';
	const none = { compareFrom: undefined, compareTo: undefined };
	return (
		<>
			<Menu
				className={styles.menu}
				button={
					<>
						<span className={styles.whole}>
							{t(`statistics.compare.button.${compare}`, { dates })}
							{isMatched && <em> · {t('statistics.compare.matched')}</em>}
						</span>
						<span className={styles.short} aria-hidden="true">
							{t(`statistics.compare.short.${compare}`)}
						</span>
						<ChevronDown />
					</>
				}
			>
				<MenuTitle>{t('statistics.compare.title')}</MenuTitle>
				{comparisons.map((comparison) => (
					<MenuItem
						key={comparison}
						isChosen={compare === comparison}
						onSelect={() =>
							comparison === 'custom'
								? setChoosing(true)
								: updateQuery({
										compare: comparison,
										...none,
										...(comparison === 'none' && { matchWeekdays: undefined }),
									})
						}
					>
						{t(`statistics.compare.${comparison}`)}
					</MenuItem>
				))}
				{(compare === 'previous' || compare === 'year') && (
					<>
						<MenuLine />
						<MenuItem isChosen={isMatched} onSelect={() => updateQuery({ matchWeekdays: !isMatched })}>
							{t('statistics.compare.weekdays')}
						</MenuItem>
					</>
				)}
			</Menu>
			{isChoosing && (
				<Suspense fallback={null}>
					<CompareDialog
						from={compareFrom}
						to={compareTo}
						today={today}
						onClose={() => setChoosing(false)}
						onChoose={(from, to) => {
							setChoosing(false);
							updateQuery({ compare: 'custom', compareFrom: from, compareTo: to, matchWeekdays: undefined });
						}}
					/>
				</Suspense>
			)}
		</>
	);
}
