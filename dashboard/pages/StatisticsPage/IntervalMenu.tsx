import { ChevronDown } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { PageAnswer } from '../../api-client.ts';
import type { Ask } from '../../panels/panel.ts';
import { type Interval, intervals } from '../../question-state.ts';
import { Menu, MenuItem, MenuTitle } from '../../ui/Menu.tsx';
import styles from './Picker.module.css';
import { countDays } from './shift-period.ts';

/** For how many days an interval gives a readable line; the service would allow more. */
const fits: Record<Interval, (days: number) => boolean> = {
	minute: (days) => days <= 1,
	hour: (days) => days <= 14,
	day: (days) => days > 1 && days <= 400,
	week: (days) => days > 7 && days <= 1_500,
	month: (days) => days > 31,
};

/** Into what the line is cut. */
export function IntervalMenu({
	ask,
	meta,
	isShared,
}: {
	ask: Ask;
	meta: PageAnswer['meta'];
	isShared: boolean;
}) {
	const { t } = useTranslation();
	const days = countDays(meta.from, meta.to);
	// Minutes could be about one person.
	const possible = intervals.filter((one) => fits[one](days) && !(one === 'minute' && isShared));
	if (possible.length < 2)
		return <span className={styles.menu}>{t(`statistics.intervals.${meta.interval}`)}</span>;
	return (
		<Menu
			className={styles.menu}
			button={
				<>
					{t(`statistics.intervals.${meta.interval}`)}
					<ChevronDown />
				</>
			}
		>
			<MenuTitle>{t('statistics.intervals.title')}</MenuTitle>
			{possible.map((one) => (
				<MenuItem key={one} isChosen={meta.interval === one} onSelect={() => ask({ interval: one })}>
					{t(`statistics.intervals.${one}`)}
				</MenuItem>
			))}
		</Menu>
	);
}
