import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Filter } from '../../../presentation/filter-chips.ts';
import { formatViewQuery } from '../../../presentation/view-query.ts';
import type { JourneyNode } from '../../api-client.ts';
import { useViewQuery } from '../../stats/use-view-query.ts';
import { Menu, MenuLink } from '../../ui/Menu.tsx';
import styles from './NodeMenu.module.css';
import type { JourneyView } from './use-journey.ts';

/** A page or event of a journey, as a button with what can be done with it. */
export function NodeMenu({
	node: { kind, value },
	websiteId,
	view,
	label,
	className,
	children,
}: {
	node: JourneyNode;
	websiteId: number;
	view: JourneyView;
	/** What screen readers say, with the units of the numbers. */
	label: string;
	className: string | undefined;
	children: ReactNode;
}) {
	const { t } = useTranslation();
	const { query } = useViewQuery();
	const filters = withFilter(query.filters, { test: 'is', dimension: kind, values: [value ?? ''] });
	return (
		<Menu
			button={
				<>
					<span className="unseen">{label}</span>
					<span className={styles.shown} aria-hidden="true">
						{children}
					</span>
				</>
			}
			className={className}
			align="start"
		>
			<MenuLink href={view.hrefOf({ start: `${kind}:${value ?? ''}`, path: '' })}>
				{t(view.direction === 'after' ? 'journeys.startHere' : 'journeys.endHere')}
			</MenuLink>
			<MenuLink href={view.hrefOf({ path: '' }, { filters })}>{t('journeys.filterHere')}</MenuLink>
			<MenuLink href={`/websites/${websiteId}?${formatViewQuery({ ...query, filters })}`}>
				{t('journeys.filterStatistics')}
			</MenuLink>
		</Menu>
	);
}

/** Tests of two pages would have to be met by the same event, so a value replaces the one before. */
const withFilter = (filters: readonly Filter[], added: Filter): Filter[] => [
	...filters.filter(({ test, dimension }) => !(test === 'is' && dimension === added.dimension)),
	added,
];
