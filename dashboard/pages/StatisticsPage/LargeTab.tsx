import { Suspense } from 'react';
import { findTab } from '../../panels/breakdowns.ts';
import { large } from '../../panels/drawings.ts';
import type { PanelProps } from '../../panels/panel.ts';

/** The tab that was opened large, above the page. */
export function LargeTab(props: Omit<PanelProps, 'tab' | 'breakdown'>) {
	const tab = findTab(props.asked.large);
	const Large = large;
	if (!tab || !Large) return null;
	const breakdown = props.page?.data.breakdowns.find(({ dimension }) => dimension === tab.dimension);
	return (
		<Suspense fallback={null}>
			<Large {...props} tab={tab} breakdown={breakdown} />
		</Suspense>
	);
}
