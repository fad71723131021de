/**
 * What an import reads. An importer knows one source's files and nothing of ours but these types: it gives either what days came to
 * there, which is answered as it is and cannot be filtered, or events, which become events of the website. What it cannot read
 * it gives as skipped, with a reason of the list: nothing is left out in silence.
 */
import type { importSourceNames } from '../../api/imports.ts';
import type { Count, GoalCount } from '../derive/counts.ts';

export type ImportSource = (typeof importSourceNames)[number];

/** Without revenue and conversions, which depend on our own definitions. */
export type ImportedCount = Exclude<Count, 'revenue' | GoalCount>;

/** The counts that the source has, by dimension; '' is the whole day. */
export type SuppliedCounts = Readonly<Record<string, readonly ImportedCount[]>>;

export type DayTotal = {
	date: string;
	dimension: string;
	value: string;
	counts: Readonly<Partial<Record<ImportedCount, number>>>;
};

/** An event of another product, before the steps that every hit takes. */
export type ForeignEvent = {
	atMs: number;
	/** The visitor within a day; '' if unknown. */
	visitor: string;
	/** Name of a custom event; '' for a page view. */
	name: string;
	url: string;
	title: string;
	referrer: string;
	userAgent: string;
	/** IP address, if the source has it. Only used to look up the country. */
	address?: string;
	/** Values from the source, which take precedence over the user agent. */
	device: { browser?: string; os?: string; device?: string };
	screenWidth: number;
	language: string;
	country: string;
	region: string;
	city: string;
	properties: Readonly<Record<string, string>>;
};

export const skipReasons = {
	bad_row: 'the columns do not match the header, or the row is too long',
	bad_date: 'the date is missing or invalid',
	bad_number: 'a number is invalid, negative or too large',
	bad_url: 'the page URL is missing or invalid',
	no_page: 'not a page: an asset, a redirect or an error',
	bot: 'the user agent is a bot',
	excluded_address: 'the IP address is excluded for this website',
	future: 'the date is in the future',
	own_day: 'the website already has its own data from this day on',
	other_import: 'an earlier import already has this day',
	not_kept: 'the day is older than the data retention',
	said_before: 'another table of the file already has this day',
	other_website: 'belongs to another website',
	unknown_file: 'the file in the archive is unknown',
	no_day: 'not broken down by day',
	no_meaning: 'has no counterpart in Tidemark',
} as const;
export type SkipReason = keyof typeof skipReasons;

export type Item = { total: DayTotal } | { event: ForeignEvent } | { skipped: SkipReason };

export type ImportKind = 'totals' | 'events';

export type Opened = {
	/** Complete after all items were read, because each file of an archive has its own columns. */
	suppliedCounts(): SuppliedCounts;
	kind: ImportKind;
	items: AsyncIterable<Item>;
};

export type ImportOptions = {
	/** Time zone of times without an offset. */
	zone: string;
	/** Domain of the website, for sources that store only paths. */
	domain: string;
};

export type Importer = {
	/** Its events contain IP addresses. */
	hasAddresses?: true;
	source: ImportSource;
	open(path: string, options: ImportOptions): Promise<Opened>;
};
