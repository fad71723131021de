import type { ComponentType, LazyExoticComponent } from 'react';
import { later, laterWithWords } from '../later.ts';
import { type Drawing, type Panel, panels } from './breakdowns.ts';
import type { PanelProps } from './panel.ts';

type Drawn = LazyExoticComponent<ComponentType<PanelProps>>;

/** What draws the tabs that are no bars. A tab whose drawing is not here is not shown. */
export const drawings: Partial<Record<Exclude<Drawing, 'rows'>, Drawn>> = {
	map: later(async () => (await import('./MapPanel.tsx')).MapPanel),
	goals: later(async () => (await import('./GoalsPanel.tsx')).GoalsPanel),
	properties: laterWithWords(async () => (await import('./PropertiesPanel.tsx')).PropertiesPanel),
	funnels: laterWithWords(async () => (await import('./FunnelsPanel.tsx')).FunnelsPanel),
	hours: later(async () => (await import('./HoursPanel.tsx')).HoursPanel),
};

/** The panels and tabs that there is a drawing for. */
export const shownPanels: readonly Panel[] = panels
	.map((panel) => ({
		...panel,
		tabs: panel.tabs.filter(({ drawing }) => drawing === 'rows' || drawings[drawing] !== undefined),
	}))
	.filter(({ tabs }) => tabs.length > 0);

/** What opens when all rows of a tab are asked for; it is given the tab and closes by `ask({ large: undefined })`. */
export const large: Drawn | undefined = laterWithWords(
	async () => (await import('./LargePanel.tsx')).LargePanel,
);

/** Below the panels, where a website sends vitals: whether it does is known when they are asked for. Its words come with it. */
export const vitals = laterWithWords(async () => (await import('./VitalsPanel.tsx')).VitalsPanel);
