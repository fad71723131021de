import type { ViewQuery } from '../../presentation/view-query.ts';
import type { PageAnswer } from '../api-client.ts';
import type { Tab } from './breakdowns.ts';

/** The website of a statistics page, as far as the viewer may know it. */
export type ShownWebsite = {
	id: number;
	domain: string;
	timezone: string;
	/** The viewer is not a member: signed out, or on someone else's public page. */
	isShared: boolean;
	/** May change goals, funnels, segments, notes and settings. */
	canEdit: boolean;
};

/** Public statistics cannot be filtered by small places. */
export const canFilterBy = ({ isShared }: Pick<ShownWebsite, 'isShared'>, dimension: string): boolean =>
	!(isShared && ['city', 'region', 'page_group'].includes(dimension));

/** Public statistics have no page groups. */
export const hasTab = ({ isShared }: Pick<ShownWebsite, 'isShared'>, { id }: Tab): boolean =>
	!(isShared && id === 'page_group');

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
