import type { PageAnswer } from '../api-client.ts';
import type { Asked } from '../question-state.ts';
import type { Tab } from './breakdowns.ts';

/** The website of a statistics page, as far as whoever looks may know it. */
export type ShownWebsite = {
	id: number;
	domain: string;
	timezone: string;
	/** Looked at by nobody of its people: signed out, or signed in on somebody else's public page. */
	isShared: boolean;
	/** May change goals, funnels, segments, notes and settings. */
	canEdit: boolean;
};

/** Changes the question: everything that is not named stays. It is a step that `back` takes back. */
export type Ask = (change: Partial<Asked>) => void;

/** What every drawing of a panel is given. */
export type PanelProps = {
	website: ShownWebsite;
	asked: Asked;
	ask: Ask;
	/** The address of what `ask` would ask: for links, which can be opened beside the page. */
	hrefOf(change: Partial<Asked>): string;
	tab: Tab;
	/** The answer to the page's one question; undefined before the first. */
	page: PageAnswer | undefined;
	/** The part of it that the tab asked for; undefined where it asks by itself or has not been answered. */
	breakdown: PageAnswer['data']['breakdowns'][number] | undefined;
};
