/**
 * The dimensions. A visit has one value of a visit dimension; of an event dimension it has the values of its events. Their
 * columns are in derive/counts.ts, their descriptions are here.
 */
import type { EventDimension, VisitDimension } from '../../derive/counts.ts';

export type Scope = 'visit' | 'event';

type Definition = { label: string; definition: string; scope: Scope };

const visit = (label: string, definition: string): Definition => ({ label, definition, scope: 'visit' });
const event = (label: string, definition: string): Definition => ({ label, definition, scope: 'event' });

export const dimensions = {
	page: event('Page', 'Path of a page that was opened or on which an event happened.'),
	page_group: event(
		'Page group',
		'The `route` that was sent with the event, otherwise the group from the rules of the website, otherwise the path.',
	),
	entry_page: visit('Entry page', 'Path of the first page view of the visit.'),
	exit_page: visit('Exit page', 'Path of the last page view of the visit.'),
	hostname: event('Hostname', 'Host of the page.'),
	title: event('Title', 'Title of a page that was opened.'),
	source: visit(
		'Source',
		'Where the visit came from, by name: a search engine, a website, a campaign’s utm_source; empty when it came directly.',
	),
	referrer: visit('Referrer', 'Address of the page that linked to the first page view.'),
	channel: visit('Channel', 'Kind of source: direct, organic search, paid search, social, mail and so on.'),
	utm_source: visit('Campaign source', 'utm_source of the first page view.'),
	utm_medium: visit('Campaign medium', 'utm_medium of the first page view.'),
	utm_campaign: visit('Campaign', 'utm_campaign of the first page view.'),
	utm_term: visit('Campaign term', 'utm_term of the first page view.'),
	utm_content: visit('Campaign content', 'utm_content of the first page view.'),
	country: visit('Country', 'Country of the first page view, as two letters.'),
	region: visit('Region', 'Region of the first page view.'),
	city: visit('City', 'City of the first page view.'),
	language: visit('Language', 'Preferred language of the browser.'),
	browser: visit('Browser', 'Browser by name.'),
	browser_version: visit('Browser version', 'Version of the browser.'),
	os: visit('Operating system', 'Operating system by name.'),
	os_version: visit('OS version', 'Version of the operating system.'),
	device: visit('Device', 'Kind of device: desktop, mobile, tablet and so on.'),
	screen: visit('Screen', 'Class of the screen’s width.'),
	event: event('Event', 'Name of an event of your own.'),
	goal: event('Goal', 'A goal that was reached.'),
	hour: visit('Hour', 'Hour of the day in which the visit began, on the website’s clock: 0 to 23.'),
	weekday: visit('Weekday', 'Day of the week of the visit: 1 is Monday, 7 is Sunday.'),
} as const satisfies Record<VisitDimension | EventDimension | 'goal', Definition>;

export type DimensionName = keyof typeof dimensions;

/** One of the table, or a property by name. The name is passed as a parameter, never as SQL text. */
export type Dimension = { name: DimensionName } | { name: 'property'; property: string };

// Object.keys does not keep the type of the names.
export const dimensionNames = Object.keys(dimensions) as DimensionName[];

export const property: Definition = event(
	'Property',
	'Value of a property that an event or page view carried; `property:plan` asks for the one named plan.',
);

/** From `page` or `property:plan`; undefined if there is no such dimension. */
export function findDimension(text: string): Dimension | undefined {
	if (Object.hasOwn(dimensions, text)) return { name: text as DimensionName };
	const name = /^property:(.+)$/s.exec(text)?.[1];
	return name === undefined ? undefined : { name: 'property', property: name };
}

/** What a filter can test: a dimension, or the revenue of an event in one currency, or in any (''). */
export type FilterDimension = Dimension | { name: 'revenue'; currency: string };

/** From the text of a dimension, or `revenue` or `revenue:EUR`. */
export function findFilterDimension(text: string): FilterDimension | undefined {
	const currency = /^revenue(?::([A-Z]{3}))?$/.exec(text);
	return currency ? { name: 'revenue', currency: currency[1] ?? '' } : findDimension(text);
}

export function writeDimension(dimension: FilterDimension): string {
	if (dimension.name === 'property') return `property:${dimension.property}`;
	if (dimension.name === 'revenue') return dimension.currency ? `revenue:${dimension.currency}` : 'revenue';
	return dimension.name;
}
