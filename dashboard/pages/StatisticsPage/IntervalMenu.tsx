import { ChevronDown } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { type Interval, intervals } from '../../../presentation/view-query.ts';
import type { PageAnswer } from '../../api-client.ts';
import type { UpdateQuery } from '../../stats/panel.ts';
import { Menu, MenuItem, MenuTitle } from '../../ui/Menu.tsx';
import styles from './Picker.module.css';
import { countDays } from './shift-period.ts';

/** Days for which an interval gives a readable chart; the server allows more. */
const fits: Record<Interval, (days: number) => boolean> = {
	minute: (days) => days <= 1,
	hour: (days) => days <= 14,
	day: (days) => days > 1 && days <= 400,
	week: (days) => days > 7 && days <= 1_500,
	month: (days) => days > 31,
};

/** Menu of chart intervals. */
export function IntervalMenu({
	updateQuery,
	meta,
	isShared,
}: {
	updateQuery: UpdateQuery;
	meta: PageAnswer['meta'];
	isShared: boolean;
}) {
	const { t } = useTranslation();
	const days = countDays(meta.from, meta.to);
	// Minutes could identify a single person.
	const possible = intervals.filter(
		(interval) => fits[interval](days) && !(interval === 'minute' && isShared),
	);
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
			{possible.map((interval) => (
				<MenuItem
					key={interval}
					isChosen={meta.interval === interval}
					onSelect={() => updateQuery({ interval })}
				>
					{t(`statistics.intervals.${interval}`)}
				</MenuItem>
			))}
		</Menu>
	);
}
