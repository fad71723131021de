/**
 * One row of the table `events` (a test compares the fields with the columns). No field is optional: '' and 0 mean unknown, so every
 * step has a complete event.
 */
export type Event = {
	website_id: number;
	/** The date in the time zone of the website, `2026-11-15`. */
	date: string;
	/** A 64-bit integer as decimal digits. '0' is an unknown visitor: counted in events, never in visitors. */
	visitor_id: string;
	/** UTC, `2026-11-15 09:00:00.000`. */
	time: string;
	/** A random 64-bit integer as decimal digits, chosen by the tracker, unique per website. */
	event_id: string;
	kind: EventKind;
	/** The name of a custom event; for other kinds, the kind. */
	name: string;

	hostname: string;
	path: string;
	/** The template of the path that a framework sent, `/product/[id]`; otherwise ''. */
	route: string;
	/** The query without excluded, campaign and click id parameters. */
	query: string;
	title: string;

	referrer: string;
	source: string;
	channel: string;
	utm_source: string;
	utm_medium: string;
	utm_campaign: string;
	utm_term: string;
	utm_content: string;
	/** The kind of a click id (`gclid`), never its value. */
	click_id: string;

	/** ISO 3166-1 alpha-2 code, or ''. */
	country: string;
	region: string;
	city: string;
	/** Primary language tag, `de`. */
	language: string;

	browser: string;
	browser_version: string;
	os: string;
	os_version: string;
	device: string;
	screen: string;

	/** 1 when the salt of its day was already destroyed: the visitor id then only matches other late events. */
	late: 0 | 1;

	properties: Record<string, string>;
	/** A decimal number with up to four places. */
	revenue: string;
	currency: string;

	/** For engagement and vitals: the event id of their page view. */
	page_event_id: string;
	engaged_ms: number;
	scroll: number;
	lcp_ms: number;
	inp_ms: number;
	/** 0 means no layout shift; -1 means that the browser did not measure it. */
	cls: number;
};

export type EventKind = 'pageview' | 'custom' | 'engagement' | 'vital';

export const noProperties: Record<string, string> = Object.freeze({});

/** An event with every field unknown. */
export const createEvent = (): Event => ({
	website_id: 0,
	date: '',
	visitor_id: '0',
	time: '',
	event_id: '0',
	kind: 'pageview',
	name: 'pageview',
	hostname: '',
	path: '',
	route: '',
	query: '',
	title: '',
	referrer: '',
	source: '',
	channel: '',
	utm_source: '',
	utm_medium: '',
	utm_campaign: '',
	utm_term: '',
	utm_content: '',
	click_id: '',
	country: '',
	region: '',
	city: '',
	language: '',
	browser: '',
	browser_version: '',
	os: '',
	os_version: '',
	device: '',
	screen: '',
	late: 0,
	properties: noProperties,
	revenue: '0',
	currency: '',
	page_event_id: '0',
	engaged_ms: 0,
	scroll: 0,
	lcp_ms: 0,
	inp_ms: 0,
	cls: 0,
});

export const blankEvent: Readonly<Event> = Object.freeze(createEvent());
