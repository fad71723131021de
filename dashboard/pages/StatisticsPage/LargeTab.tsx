import { Suspense } from 'react';
import { findTab, panels } from '../../stats/breakdowns.ts';
import { large } from '../../stats/lazy-panels.ts';
import { hasTab, type PanelProps, showsPanel } from '../../stats/panel.ts';

/** The tab opened as a dialog with all rows. */
export function LargeTab(props: Omit<PanelProps, 'tab' | 'breakdown'>) {
	const tab = findTab(props.query.large);
	const Large = large;
	const panel = panels.find(({ tabs }) => tab && tabs.includes(tab));
	if (!tab || !panel || !Large || !hasTab(props.website, tab) || !showsPanel(props.website, panel.id))
		return null;
	const breakdown = props.page?.data.breakdowns.find(({ dimension }) => dimension === tab.dimension);
	return (
		<Suspense fallback={null}>
			<Large {...props} tab={tab} breakdown={breakdown} />
		</Suspense>
	);
}
