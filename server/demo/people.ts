/** The visitors of the demo: places with their languages, and devices. Shares are parts of all visits. */
import type { Event } from '../ingest/event.ts';

type Place = Pick<Event, 'country' | 'region' | 'city'> & {
	share: number;
	languages: readonly [language: string, share: number][];
	currency: 'EUR' | 'USD';
};

const place = (
	country: string,
	currency: Place['currency'],
	languages: Readonly<Record<string, number>>,
	cities: readonly [region: string, city: string, share: number][],
): Place[] =>
	cities.map(([region, city, share]) => ({
		country,
		region,
		city,
		share,
		languages: Object.entries(languages),
		currency,
	}));

export const places: readonly Place[] = [
	...place('DE', 'EUR', { de: 90, en: 8, tr: 2 }, [
		['DE-HH', 'Hamburg', 8],
		['DE-BE', 'Berlin', 7],
		['DE-NI', 'Hanover', 4],
		['DE-BY', 'Munich', 4],
		['DE-NW', 'Cologne', 4],
		['DE-SH', 'Kiel', 4],
		['DE-HB', 'Bremen', 3],
	]),
	...place('US', 'USD', { en: 94, es: 6 }, [
		['US-CA', 'San Francisco', 5],
		['US-WA', 'Seattle', 4],
		['US-MA', 'Boston', 3],
		['US-NY', 'New York', 4],
		['US-OR', 'Portland', 2],
	]),
	...place('GB', 'USD', { en: 1 }, [
		['GB-ENG', 'London', 5],
		['GB-ENG', 'Bristol', 3],
		['GB-SCT', 'Edinburgh', 2],
	]),
	...place('NL', 'EUR', { nl: 85, en: 15 }, [
		['NL-NH', 'Amsterdam', 4],
		['NL-FR', 'Leeuwarden', 3],
	]),
	...place('DK', 'EUR', { da: 85, en: 15 }, [
		['DK-84', 'Copenhagen', 2],
		['DK-83', 'Esbjerg', 2],
	]),
	...place('FR', 'EUR', { fr: 1 }, [
		['FR-BRE', 'Brest', 3],
		['FR-IDF', 'Paris', 3],
	]),
	...place('AT', 'EUR', { de: 1 }, [['AT-9', 'Vienna', 3]]),
	...place('CH', 'EUR', { de: 70, fr: 30 }, [['CH-ZH', 'Zurich', 3]]),
	...place('SE', 'EUR', { sv: 1 }, [['SE-O', 'Gothenburg', 2]]),
	...place('IN', 'USD', { en: 1 }, [['IN-KA', 'Bengaluru', 3]]),
	...place('CA', 'USD', { en: 1 }, [['CA-NS', 'Halifax', 2]]),
	...place('JP', 'USD', { ja: 1 }, [['JP-13', 'Tokyo', 1]]),
	// An IP address that is not in the geo database.
	{ country: '', region: '', city: '', share: 2, languages: [['en', 1]], currency: 'USD' },
];

export type Device = Pick<
	Event,
	'browser' | 'browser_version' | 'os' | 'os_version' | 'device' | 'screen'
> & {
	share: number;
	/** How much slower pages are than on a fast device. */
	slowness: number;
	/** Only Chromium browsers measure layout shifts. */
	measuresShifts: boolean;
};

const device = (
	[browser, browser_version]: [string, string],
	[os, os_version]: [string, string],
	[kind, screen]: [string, string],
	share: number,
	slowness: number,
): Device => ({
	browser,
	browser_version,
	os,
	os_version,
	device: kind,
	screen,
	share,
	slowness,
	measuresShifts: !['Safari', 'Firefox'].includes(browser),
});

export const devices: readonly Device[] = [
	device(['Safari', '26'], ['iOS', '26'], ['mobile', 'xs'], 21, 1.1),
	device(['Safari', '18'], ['iOS', '18'], ['mobile', 'xs'], 6, 1.3),
	device(['Chrome', '142'], ['Android', ''], ['mobile', 'xs'], 22, 1.5),
	device(['Samsung Internet', '29'], ['Android', ''], ['mobile', 'xs'], 4, 1.6),
	device(['Firefox', '145'], ['Android', '15'], ['mobile', 'xs'], 2, 1.5),
	device(['Safari', '26'], ['iOS', '26'], ['tablet', 'md'], 3, 1.1),
	device(['Chrome', '142'], ['Windows', '10 or 11'], ['desktop', 'xl'], 11, 1),
	device(['Chrome', '142'], ['Windows', '11'], ['desktop', 'lg'], 5, 1),
	device(['Edge', '142'], ['Windows', '11'], ['desktop', 'xl'], 6, 1),
	device(['Firefox', '145'], ['Windows', '10 or 11'], ['desktop', 'xl'], 4, 1),
	device(['Safari', '26'], ['macOS', ''], ['desktop', 'xl'], 6, 0.8),
	device(['Chrome', '142'], ['macOS', ''], ['desktop', 'xl'], 5, 0.8),
	device(['Firefox', '145'], ['Linux', ''], ['desktop', 'xl'], 3, 0.9),
	device(['Chrome', '141'], ['Linux', ''], ['desktop', 'xl'], 1, 0.9),
	device(['Chrome', '142'], ['ChromeOS', ''], ['desktop', 'lg'], 1, 1.4),
];
