import type { Asked, AskedBreakdown, Filter, MetricName } from '../question-state.ts';

/** What draws a tab. `rows` are bars; the others are in drawings.ts and come when they are first shown. */
export type Drawing = 'rows' | 'map' | 'goals' | 'properties' | 'funnels' | 'hours';

export type Tab = {
	/** In the address; no two tabs have the same. Its name is the text `statistics.tabs.ID`. */
	id: TabId;
	drawing: Drawing;
	/** What the one question of the page asks for it; a drawing without one asks by itself. */
	dimension?: string;
	/** The first is what bars are as long as. */
	metrics: readonly MetricName[];
	limit?: number;
	/** Only these visits and events. Such a tab is asked apart, because the filters of the page are those of all. */
	only?: Filter;
};

export type Panel = {
	id: 'sources' | 'pages' | 'places' | 'devices' | 'happenings' | 'hours';
	tabs: readonly Tab[];
};

export type TabId =
	| 'channel'
	| 'source'
	| 'referrer'
	| 'utm_campaign'
	| 'utm_source'
	| 'utm_medium'
	| 'page'
	| 'entry_page'
	| 'exit_page'
	| 'not_found'
	| 'map'
	| 'country'
	| 'region'
	| 'city'
	| 'browser'
	| 'os'
	| 'device'
	| 'screen'
	| 'goals'
	| 'event'
	| 'properties'
	| 'funnels'
	| 'hours';

/** So many rows a panel shows; all panels are as high. */
export const rowsShown = 7;

/** A tab that is a dimension and is drawn as bars. */
const by = (id: TabId, metrics: readonly MetricName[] = ['visitors']): Tab => ({
	id,
	drawing: 'rows',
	dimension: id,
	metrics,
});

/** The panels below the chart, in their order. The title of a panel is its tabs; the first is shown. */
export const panels: readonly Panel[] = [
	{ id: 'sources', tabs: [by('channel'), by('source'), by('utm_campaign')] },
	{
		id: 'pages',
		tabs: [
			by('page', ['visitors', 'pageviews']),
			by('entry_page', ['visitors', 'visits']),
			by('exit_page', ['visitors', 'visits']),
			{
				...by('not_found', ['events', 'visitors']),
				dimension: 'page',
				only: { test: 'is', dimension: 'event', values: ['404'] },
			},
		],
	},
	{
		id: 'places',
		tabs: [
			by('country'),
			by('region'),
			by('city'),
			{ id: 'map', drawing: 'map', dimension: 'country', metrics: ['visitors'], limit: 300 },
		],
	},
	{ id: 'devices', tabs: [by('browser'), by('os'), by('device'), by('screen')] },
	{
		id: 'happenings',
		tabs: [
			{ id: 'goals', drawing: 'goals', metrics: ['conversions', 'conversion_rate'] },
			by('event', ['events', 'visitors']),
			{ id: 'properties', drawing: 'properties', metrics: ['events', 'visitors'] },
			{ id: 'funnels', drawing: 'funnels', metrics: ['visits'] },
		],
	},
	{ id: 'hours', tabs: [{ id: 'hours', drawing: 'hours', metrics: ['visits'] }] },
];

export const tabOf = (panel: Panel, chosen: readonly string[]): Tab => {
	const tab = panel.tabs.find(({ id }) => chosen.includes(id)) ?? panel.tabs[0];
	if (!tab) throw new Error(`The panel ${panel.id} has no tabs.`);
	return tab;
};

/** `chosen` with this tab in place of the panel's other. */
export function chooseTab(panel: Panel, tab: TabId, chosen: readonly string[]): string[] {
	const others = chosen.filter((id) => !panel.tabs.some((one) => one.id === id));
	return tab === panel.tabs[0]?.id ? others : [...others, tab];
}

export const findTab = (id: string | undefined): Tab | undefined =>
	panels.flatMap(({ tabs }) => tabs).find((tab) => tab.id === id);

const isInPage = (tab: Tab): boolean => tab.dimension !== undefined && tab.only === undefined;

/** What the page asks for the tabs in sight: no dimension twice. With a goal the rows tell what became of it too. */
export function askedBreakdowns(
	{ tabs, goal }: Pick<Asked, 'tabs' | 'goal'>,
	of: readonly Panel[] = panels,
): AskedBreakdown[] {
	return of
		.map((panel) => tabOf(panel, tabs))
		.filter(isInPage)
		.map((tab) => ({
			dimension: tab.dimension ?? '',
			metrics: metricsOf(tab, goal),
			limit: tab.limit ?? rowsShown,
		}));
}

export const metricsOf = (tab: Tab, goal: number | undefined): MetricName[] =>
	goal === undefined ? [...tab.metrics] : [...tab.metrics, 'conversions', 'conversion_rate'];
