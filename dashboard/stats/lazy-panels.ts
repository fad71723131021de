import type { ComponentType, LazyExoticComponent } from 'react';
import { lazyPage, lazyPageWithTexts } from '../lazy-page.ts';
import { type Drawing, type Panel, panels } from './breakdowns.ts';
import { type PanelProps, type ShownWebsite, showsPanel } from './panel.ts';

type Drawn = LazyExoticComponent<ComponentType<PanelProps>>;

/** Components of tabs that are not bar tables. A tab without a component is not shown. */
export const drawings: Partial<Record<Exclude<Drawing, 'rows'>, Drawn>> = {
	map: lazyPage(async () => (await import('./MapPanel.tsx')).MapPanel),
	goals: lazyPage(async () => (await import('./goals/GoalsPanel.tsx')).GoalsPanel),
	properties: lazyPageWithTexts(async () => (await import('./PropertiesPanel.tsx')).PropertiesPanel),
	funnels: lazyPageWithTexts(async () => (await import('./funnels/FunnelsPanel.tsx')).FunnelsPanel),
	hours: lazyPage(async () => (await import('./HoursPanel.tsx')).HoursPanel),
};

/** Panels and tabs that have a component. */
const drawnPanels: readonly Panel[] = panels
	.map((panel) => ({
		...panel,
		tabs: panel.tabs.filter(({ drawing }) => drawing === 'rows' || drawings[drawing] !== undefined),
	}))
	.filter(({ tabs }) => tabs.length > 0);

/** The panels that a viewer sees. */
export const panelsFor = (website: Pick<ShownWebsite, 'link'>): readonly Panel[] =>
	website.link ? drawnPanels.filter(({ id }) => showsPanel(website, id)) : drawnPanels;

/** Dialog with all rows of a tab; `updateQuery({ large: undefined })` closes it. */
export const large: Drawn | undefined = lazyPageWithTexts(
	async () => (await import('./LargePanel.tsx')).LargePanel,
);

/** Dialog with the parts of a change, opened from a tile. */
export const changes = lazyPageWithTexts(async () => (await import('./ChangesDialog.tsx')).ChangesDialog);

/** Actions of a row, loaded when the first row is hovered or focused. */
export const rowActions = lazyPageWithTexts(
	async () => (await import('./breakdown/RowActions.tsx')).RowActions,
);

/** Web Vitals, shown below the panels for websites that send them. */
export const vitals = lazyPageWithTexts(async () => (await import('./VitalsPanel.tsx')).VitalsPanel);
