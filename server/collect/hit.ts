import type { BlockList } from 'node:net';
import type { Zones } from '../websites/zones.ts';
import type { EventKind } from './event.ts';

/** What was sent, parsed and bounded, before we believe it. */
export type Hit = {
	website: TrackedWebsite;
	/** When it happened, by our clock: now, less the age that a retry or an engagement tells. */
	time: Date;
	kind: EventKind;
	/** Decimal digits of 64 bits. */
	id: string;
	name: string;
	/** The address of the page as it was sent; not yet parsed. */
	url: string;
	/** What the browser itself says of the page: its `Origin`, '' where there is none. */
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
	/** 0 where the browser did not measure; as a page that never moved has a `cls` of 0, there it is -1. */
	vitals: { lcpMs: number; inpMs: number; cls: number };
	/** The visitor asked not to be counted, by header or by the tracker's word. */
	signals: { globalPrivacyControl: boolean; doNotTrack: boolean };
	/** From a browser: the page or image is only fetched ahead. */
	isPrefetch: boolean;
	headers: {
		userAgent: string;
		acceptLanguage: string;
		/** Sec-CH-UA-* as they came, '' where missing. */
		clientHints: {
			brands: string;
			platform: string;
			mobile: string;
			platformVersion: string;
			fullVersions: string;
		};
	};
	/** The visitor's address. Nothing after identify-visitor.ts has it, and no type that is stored can hold it. */
	address: string;
	/** Events that a server sent with a key may be up to seven days old; a browser's are of now. */
	isServerSide: boolean;
};

/** What collection must know of a website. */
export type TrackedWebsite = {
	id: number;
	domain: string;
	/** Hostnames that count: exact, `*.x`, `!x`, `localhost`. Empty: the domain and its subdomains (see hostnames.ts). */
	hostnames: readonly string[];
	excludeBots: boolean;
	/** Names of parameters; `&` stands for all. */
	excludeParams: ReadonlySet<string>;
	excludeIps: BlockList;
	/** Hits a second, where its account has a limit of its own. */
	hitLimit: number | null;
	honourSignals: boolean;
	zones: Zones;
	/** When its statistics were emptied last; what happened before is not counted. 0: never. */
	resetAt: number;
};

/** What only a browser tells: nothing of it is known of a hit that a program reports. */
export const notOfBrowser = {
	origin: '',
	pageEventId: '0',
	engagedMs: 0,
	scroll: 0,
	vitals: { lcpMs: 0, inpMs: 0, cls: 0 },
	signals: { globalPrivacyControl: false, doNotTrack: false },
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
