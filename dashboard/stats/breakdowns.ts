import type { Filter } from '../../presentation/filter-chips.ts';
import type { BreakdownRequest, MetricName, ViewQuery } from '../../presentation/view-query.ts';

/** Component of a tab. `rows` are bars; the others are in lazy-panels.ts and load on demand. */
export type Drawing = 'rows' | 'map' | 'goals' | 'properties' | 'funnels' | 'hours';

export type Tab = {
	/** Unique id, used in the URL. Its label is the text `statistics.tabs.ID`. */
	id: TabId;
	drawing: Drawing;
	/** Dimension requested in the page query; a component without one sends its own request. */
	dimension?: string;
	/** The first sets the length of the bars. */
	metrics: readonly MetricName[];
	limit?: number;
	/** Extra filter. Such a tab needs its own request, because page filters apply to all panels. */
	only?: Filter;
	/** Menu at the end of the tabs that holds this tab: one for UTM parameters, and one for the rest. */
	menu?: 'utm' | 'more';
};

export type Panel = {
	id: 'sources' | 'pages' | 'places' | 'devices' | 'conversions' | 'hours';
	tabs: readonly Tab[];
};

export type TabId =
	| 'channel'
	| 'source'
	| 'referrer'
	| 'utm_campaign'
	| 'utm_source'
	| 'utm_medium'
	| 'utm_term'
	| 'utm_content'
	| 'page'
	| 'entry_page'
	| 'exit_page'
	| 'page_group'
	| 'title'
	| 'hostname'
	| 'not_found'
	| 'map'
	| 'country'
	| 'region'
	| 'city'
	| 'language'
	| 'browser'
	| 'os'
	| 'device'
	| 'screen'
	| 'browser_version'
	| 'os_version'
	| 'goals'
	| 'event'
	| 'properties'
	| 'funnels'
	| 'hours';

/** Rows per panel, so that all panels have the same height. */
export const rowsShown = 9;

/** A tab with a dimension, shown as bars. */
const by = (id: TabId, metrics: readonly MetricName[] = ['visitors']): Tab => ({
	id,
	drawing: 'rows',
	dimension: id,
	metrics,
});

const utm = (ids: readonly TabId[]): Tab[] => ids.map((id) => ({ ...by(id), menu: 'utm' }));

/** Panels below the chart, in display order. The first tab is the default. */
export const panels: readonly Panel[] = [
	{
		id: 'sources',
		tabs: [
			by('channel'),
			by('source'),
			by('referrer'),
			...utm(['utm_campaign', 'utm_source', 'utm_medium', 'utm_term', 'utm_content']),
		],
	},
	{
		id: 'pages',
		tabs: [
			by('page', ['visitors', 'pageviews']),
			by('entry_page', ['visitors', 'visits']),
			by('exit_page', ['visitors', 'visits']),
			{ ...by('page_group', ['visitors', 'pageviews']), menu: 'more' },
			{ ...by('title', ['visitors', 'pageviews']), menu: 'more' },
			{ ...by('hostname', ['visitors', 'pageviews']), menu: 'more' },
			{
				...by('not_found', ['events', 'visitors']),
				dimension: 'page',
				only: { test: 'is', dimension: 'event', values: ['404'] },
				menu: 'more',
			},
		],
	},
	{
		id: 'places',
		tabs: [
			by('country'),
			by('region'),
			by('city'),
			by('language'),
			{ id: 'map', drawing: 'map', dimension: 'country', metrics: ['visitors'], limit: 300 },
		],
	},
	{
		id: 'devices',
		tabs: [
			by('browser'),
			by('os'),
			by('device'),
			{ ...by('screen'), menu: 'more' },
			{ ...by('browser_version'), menu: 'more' },
			{ ...by('os_version'), menu: 'more' },
		],
	},
	{
		id: 'conversions',
		tabs: [
			{ id: 'goals', drawing: 'goals', metrics: ['conversions', 'conversion_rate'] },
			by('event', ['events', 'visitors']),
			{ id: 'properties', drawing: 'properties', metrics: ['events', 'visitors'] },
			{ id: 'funnels', drawing: 'funnels', metrics: ['visits'] },
		],
	},
	{ id: 'hours', tabs: [{ id: 'hours', drawing: 'hours', metrics: ['visits'] }] },
];

/** The panel that shows a dimension. */
export function panelOf(dimension: string): Panel['id'] {
	const panel = panels.find(({ tabs }) => tabs.some((tab) => tab.dimension === dimension && !tab.only));
	return panel?.id ?? (dimension === 'hour' || dimension === 'weekday' ? 'hours' : 'conversions');
}

export const tabOf = (panel: Panel, chosen: readonly string[]): Tab => {
	const tab = panel.tabs.find(({ id }) => chosen.includes(id)) ?? panel.tabs[0];
	if (!tab) throw new Error(`The panel ${panel.id} has no tabs.`);
	return tab;
};

/** `chosen`, with this tab selected in its panel. */
export function chooseTab(panel: Panel, tab: TabId, chosen: readonly string[]): string[] {
	const others = chosen.filter((id) => !panel.tabs.some((tab) => tab.id === id));
	return tab === panel.tabs[0]?.id ? others : [...others, tab];
}

export const findTab = (id: string | undefined): Tab | undefined =>
	panels.flatMap(({ tabs }) => tabs).find((tab) => tab.id === id);

/** Page groups are counted from visits, so their request does not delay the page. */
export const isInPage = (tab: Tab): boolean =>
	tab.dimension !== undefined && tab.only === undefined && tab.dimension !== 'page_group';

/** Breakdowns of the visible tabs, each dimension once. With a goal, rows include its conversions. */
export function visibleBreakdowns(
	{ tabs, goal }: Pick<ViewQuery, 'tabs' | 'goal'>,
	shownPanels: readonly Panel[] = panels,
): BreakdownRequest[] {
	return shownPanels
		.map((panel) => tabOf(panel, tabs))
		.filter(isInPage)
		.map((tab) => ({
			dimension: tab.dimension ?? '',
			metrics: metricsOf(tab, goal),
			...(goal !== undefined && { sort_by: 'conversions' as const }),
			// One more, because the row of visits without a value is shown apart.
			limit: tab.limit ?? rowsShown + 1,
		}));
}

export const metricsOf = (tab: Tab, goal: number | undefined): MetricName[] =>
	goal === undefined ? [...tab.metrics] : [...tab.metrics, 'conversions', 'conversion_rate'];
