import { ChevronDown } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { formatDates } from '../../format.ts';
import { later } from '../../later.ts';
import type { Ask } from '../../panels/panel.ts';
import { type Asked, comparisons } from '../../question-state.ts';
import { Menu, MenuItem, MenuLine, MenuTitle } from '../../ui/Menu.tsx';
import styles from './Picker.module.css';

const CompareDialog = later(async () => (await import('./CompareDialog.tsx')).CompareDialog);

/** What the period is compared with. */
export function CompareMenu({ asked, ask, today }: { asked: Asked; ask: Ask; today: string }) {
	const { t, i18n } = useTranslation();
	const [isChoosing, setChoosing] = useState(false);
	const { compare, compareFrom, compareTo, matchWeekdays } = asked;
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
						<span className={styles.whole}>{t(`statistics.compare.button.${compare}`, { dates })}</span>
						<span className={styles.short} aria-hidden="true">
							{t(`statistics.compare.short.${compare}`)}
						</span>
						<ChevronDown />
					</>
				}
			>
				<MenuTitle>{t('statistics.compare.title')}</MenuTitle>
				{comparisons.map((one) => (
					<MenuItem
						key={one}
						isChosen={compare === one}
						onSelect={() =>
							one === 'custom'
								? setChoosing(true)
								: ask({ compare: one, ...none, ...(one === 'none' && { matchWeekdays: false }) })
						}
					>
						{t(`statistics.compare.${one}`)}
					</MenuItem>
				))}
				{(compare === 'previous' || compare === 'year') && (
					<>
						<MenuLine />
						<MenuItem isChosen={matchWeekdays} onSelect={() => ask({ matchWeekdays: !matchWeekdays })}>
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
							ask({ compare: 'custom', compareFrom: from, compareTo: to, matchWeekdays: false });
						}}
					/>
				</Suspense>
			)}
		</>
	);
}
