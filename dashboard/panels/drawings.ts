import { type ComponentType, type LazyExoticComponent, lazy } from 'react';
import { loadRooms } from '../texts/texts.ts';
import { type Drawing, type Panel, panels } from './breakdowns.ts';
import type { PanelProps } from './panel.ts';

type Drawn = LazyExoticComponent<ComponentType<PanelProps>>;

/** A drawing that comes as a file of its own when it is first shown. */
const later = <N extends string>(load: () => Promise<Record<N, ComponentType<PanelProps>>>, name: N): Drawn =>
	lazy(async () => ({ default: (await load())[name] }));

/** With the half of the texts that the first load has no room for. */
async function withWords<Module>(loading: Promise<Module>): Promise<Module> {
	const [module] = await Promise.all([loading, loadRooms()]);
	return module;
}

/** What draws the tabs that are no bars. A tab whose drawing is not here is not shown. */
export const drawings: Partial<Record<Exclude<Drawing, 'rows'>, Drawn>> = {
	map: later(() => import('./MapPanel.tsx'), 'MapPanel'),
	goals: later(() => import('./GoalsPanel.tsx'), 'GoalsPanel'),
	properties: later(() => withWords(import('./PropertiesPanel.tsx')), 'PropertiesPanel'),
	funnels: later(() => withWords(import('./FunnelsPanel.tsx')), 'FunnelsPanel'),
	hours: later(() => import('./HoursPanel.tsx'), 'HoursPanel'),
};

/** The panels and tabs that there is a drawing for. */
export const shownPanels: readonly Panel[] = panels
	.map((panel) => ({
		...panel,
		tabs: panel.tabs.filter(({ drawing }) => drawing === 'rows' || drawings[drawing] !== undefined),
	}))
	.filter(({ tabs }) => tabs.length > 0);

/** What opens when all rows of a tab are asked for; it is given the tab and closes by `ask({ large: undefined })`. */
export const large: Drawn | undefined = later(() => withWords(import('./LargePanel.tsx')), 'LargePanel');

/** Below the panels, where a website sends vitals: whether it does is known when they are asked for. Its words come with it. */
export const vitals = lazy(async () => ({
	default: (await withWords(import('./VitalsPanel.tsx'))).VitalsPanel,
}));
