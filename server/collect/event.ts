/**
 * A stored, cleaned hit: one row of `events`, member by member (a test holds the two equal). Nothing is optional: '' and
 * 0 mean 'not known', so that every step can be given a whole event and give one back.
 */
export type Event = {
	website_id: number;
	/** The day in the website's own zone, `2026-11-15`. */
	date: string;
	/** 64 bits as decimal digits: they do not fit into a number. '0' is nobody: counted in events, never in visitors. */
	visitor_id: string;
	/** UTC, `2026-11-15 09:00:00.000`. */
	time: string;
	/** 64 random bits, made by the tracker, unique per website; decimal digits. */
	event_id: string;
	kind: EventKind;
	/** Of a custom event; of the others their kind. */
	name: string;

	hostname: string;
	path: string;
	/** What is left of the query after excluded, campaign and click-id parameters went. */
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

	/** Two letters of ISO 3166, or ''. */
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

	/** 1 when the salt of its day was gone: told apart among the late, never joined with those already counted. */
	late: 0 | 1;

	properties: Record<string, string>;
	/** A decimal number with up to four places. */
	revenue: string;
	currency: string;

	/** Of engagement and vitals: the page view they belong to. */
	page_event_id: string;
	engaged_ms: number;
	scroll: number;
	lcp_ms: number;
	inp_ms: number;
	/** 0 is a page that never moved; -1 of a vital whose browser does not measure it. */
	cls: number;
};

export type EventKind = 'pageview' | 'custom' | 'engagement' | 'vital';

/** An event that knows nothing yet. */
export const blankEvent: Readonly<Event> = Object.freeze({
	website_id: 0,
	date: '',
	visitor_id: '0',
	time: '',
	event_id: '0',
	kind: 'pageview',
	name: 'pageview',
	hostname: '',
	path: '',
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
	properties: Object.freeze({}),
	revenue: '0',
	currency: '',
	page_event_id: '0',
	engaged_ms: 0,
	scroll: 0,
	lcp_ms: 0,
	inp_ms: 0,
	cls: 0,
});
