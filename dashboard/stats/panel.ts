import type { ViewQuery } from '../../presentation/view-query.ts';
import type { PageAnswer } from '../api-client.ts';
import type { OpenLink, SharePanel } from '../share-links-client.ts';
import { panelOf, type Tab } from './breakdowns.ts';

/** The website of a statistics page, as far as the viewer may know it. */
export type ShownWebsite = {
	id: number;
	domain: string;
	timezone: string;
	/** The viewer is not a member: signed out, or on someone else's public page. */
	isShared: boolean;
	/** May change goals, funnels, segments, notes and settings. */
	canEdit: boolean;
	/** The share link that the viewer has. */
	link?: OpenLink;
};

/** A share link may leave panels out, and has none that its filter or its dates cannot apply to. */
export function showsPanel({ link }: Pick<ShownWebsite, 'link'>, panel: SharePanel): boolean {
	if (!link) return true;
	if ((panel === 'vitals' || panel === 'live') && link.filters) return false;
	if (panel === 'live' && (link.from !== null || link.to !== null)) return false;
	return link.panels === null || link.panels.includes(panel);
}

type Viewed = Pick<ShownWebsite, 'isShared' | 'link'>;

/** Public statistics cannot be filtered by small places, share links not by dimensions that they do not show. */
export const canFilterBy = (website: Viewed, dimension: string): boolean =>
	!(website.isShared && ['city', 'region', 'page_group'].includes(dimension)) &&
	showsPanel(website, panelOf(dimension));

/** Public statistics have no page groups. */
export function hasTab(website: Viewed, { id, only }: Tab): boolean {
	if (website.isShared && id === 'page_group') return false;
	if (website.link?.filters && id === 'properties') return false;
	return !only || showsPanel(website, panelOf(only.dimension));
}

/** Changes the query; omitted fields stay. Adds an entry to the browser history. */
export type UpdateQuery = (change: Partial<ViewQuery>) => void;

/** Props of every panel component. */
export type PanelProps = {
	website: ShownWebsite;
	query: ViewQuery;
	updateQuery: UpdateQuery;
	/** URL that `updateQuery` would navigate to. */
	hrefOf(change: Partial<ViewQuery>): string;
	tab: Tab;
	/** Answer to the page query; undefined before the first. */
	page: PageAnswer | undefined;
	/** Part of the answer for this tab; undefined if the tab sends its own request or has no answer yet. */
	breakdown: PageAnswer['data']['breakdowns'][number] | undefined;
};
