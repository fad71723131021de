import type { BlockList } from 'node:net';
import type { Zones } from '../websites/zones.ts';
import type { EventKind } from './event.ts';
import type { TrafficRules } from './lookups/traffic-rules.ts';
import type { PageUrl } from './page-url.ts';

/** A parsed hit: types and lengths are checked, the content is not yet cleaned. */
export type Hit = {
	website: TrackedWebsite;
	/** When it happened, by our clock: now minus the age that the tracker reports for retries and engagement. */
	time: Date;
	kind: EventKind;
	/** A 64-bit integer as decimal digits. */
	id: string;
	name: string;
	/** The URL of the page; undefined when it is missing or not an http or https URL. */
	url: PageUrl | undefined;
	/** The template of the path, as a framework sent it; '' when missing. */
	route: string;
	/** The `Origin` header, '' when missing. */
	origin: string;
	referrer: string;
	title: string;
	screenWidth: number;
	properties: Readonly<Record<string, string>>;
	revenue: string;
	currency: string;
	pageEventId: string;
	engagedMs: number;
	scroll: number;
	/** 0 when not measured, except `cls`, where 0 means no layout shift and -1 means not measured. */
	vitals: { lcpMs: number; inpMs: number; cls: number };
	/** Privacy signals, from headers or from the tracker. */
	signals: { globalPrivacyControl: boolean; doNotTrack: boolean };
	/** The tracker reports only that a visitor with a privacy signal was there, without the page. */
	isSignalOnly: boolean;
	/** The browser prefetches the page. */
	isPrefetch: boolean;
	headers: {
		userAgent: string;
		acceptLanguage: string;
		/** Sec-CH-UA-* headers as sent, '' when missing. */
		clientHints: {
			brands: string;
			platform: string;
			mobile: string;
			platformVersion: string;
			fullVersions: string;
		};
	};
	/** The visitor's IP address. No stored type has a field for it. */
	address: string;
	/** Sent by a server with an API key. Such events may be up to seven days old. */
	isServerSide: boolean;
};

/** The settings of a website that ingestion needs. */
export type TrackedWebsite = {
	id: number;
	domain: string;
	/** Allowed hostnames: exact, `*.x`, `!x`, `localhost`. Empty: the domain and its subdomains (see hostnames.ts). */
	hostnames: readonly string[];
	excludeBots: boolean;
	/** Names of query parameters; `&` means all. */
	excludeParams: ReadonlySet<string>;
	excludeIps: BlockList | undefined;
	/** Undefined for a website without rules. */
	rules: TrafficRules | undefined;
	/** Hits per second, if the account has its own limit. */
	hitLimit: number | null;
	honourSignals: boolean;
	zones: Zones;
	/** When its statistics were last reset, 0 for never. Hits from before are dropped. */
	resetAt: number;
};

/** Real browsers stay below this; longer ones only keep the parser busy. */
export const maxUserAgent = 512;

/** Fields that only browsers send, as they are for events from servers and imports. */
export const serverSideDefaults = {
	origin: '',
	pageEventId: '0',
	engagedMs: 0,
	scroll: 0,
	vitals: { lcpMs: 0, inpMs: 0, cls: 0 },
	signals: { globalPrivacyControl: false, doNotTrack: false },
	isSignalOnly: false,
	isPrefetch: false,
	isServerSide: true,
} as const satisfies Partial<Hit>;

export const noClientHints: Hit['headers']['clientHints'] = {
	brands: '',
	platform: '',
	mobile: '',
	platformVersion: '',
	fullVersions: '',
};
