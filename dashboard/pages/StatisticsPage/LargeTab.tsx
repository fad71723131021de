import { Suspense } from 'react';
import { findTab } from '../../stats/breakdowns.ts';
import { large } from '../../stats/lazy-panels.ts';
import type { PanelProps } from '../../stats/panel.ts';

/** The tab opened as a dialog with all rows. */
export function LargeTab(props: Omit<PanelProps, 'tab' | 'breakdown'>) {
	const tab = findTab(props.query.large);
	const Large = large;
	if (!tab || !Large) return null;
	const breakdown = props.page?.data.breakdowns.find(({ dimension }) => dimension === tab.dimension);
	return (
		<Suspense fallback={null}>
			<Large {...props} tab={tab} breakdown={breakdown} />
		</Suspense>
	);
}
