/**
 * What an import reads. An importer knows one source's files and nothing of ours but these types: it gives either what days came to
 * there, which is answered as it is and cannot be filtered, or events, which become events of the website. What it cannot read
 * it gives as skipped, with a reason of the list: nothing is left out in silence.
 */
import type { importSourceNames } from '../../api/imports.ts';
import type { Count } from '../derive/totals.ts';

export type ImportSource = (typeof importSourceNames)[number];

/** Revenue and conversions are of our own definition and come from no total. */
export type ImportedCount = Exclude<Count, 'revenue' | 'conversions'>;

/** By dimension, '' being the whole day: the counts that the source has of it. */
export type Given = Readonly<Record<string, readonly ImportedCount[]>>;

export type DayTotal = {
	date: string;
	dimension: string;
	value: string;
	counts: Readonly<Partial<Record<ImportedCount, number>>>;
};

/** An event of somewhere else, before it is cleaned as every other. */
export type ForeignEvent = {
	/** What it is called there: the same one is the same event here. */
	id: string;
	atMs: number;
	/** Whoever it is there, within a day; '' is nobody. */
	visitor: string;
	/** Of an event of the website's own; '' is a page view. */
	name: string;
	url: string;
	title: string;
	referrer: string;
	userAgent: string;
	/** Where the source has it: it tells the country, and is gone then. */
	address?: string;
	/** What the source has found out already; it wins over the user agent. */
	device: { browser?: string; os?: string; device?: string };
	screenWidth: number;
	language: string;
	country: string;
	region: string;
	city: string;
	properties: Readonly<Record<string, string>>;
};

export const skipReasons = {
	bad_row: 'has other columns than its heading, or is longer than a row can be',
	bad_date: 'has no date that can be read',
	bad_number: 'has a number that cannot be one: negative, broken, or larger than any',
	bad_url: 'has no address of a page',
	no_page: 'is no page that was given: a part of one, a redirect, an error',
	bot: 'is of a bot, by its user agent',
	excluded_address: 'is of an address that this website does not count',
	future: 'is of a date that has not come yet',
	own_day: 'is of a day on which this website counted by itself, or later',
	other_import: 'is of a day that an earlier import has brought',
	not_kept: 'is of a day whose events this website keeps no longer',
	said_before: 'says of a day what another table of the file has said',
	other_website: 'is of another website',
	unknown_file: 'is of a file in the archive that is not known',
	no_day: 'is not given by day',
	no_meaning: 'is of a kind that has no counterpart here',
} as const;
export type SkipReason = keyof typeof skipReasons;

export type Item = { total: DayTotal } | { event: ForeignEvent } | { skipped: SkipReason };

export type Opened = {
	/** Known when all items were read: a file names its columns when its turn comes. */
	given(): Given;
	kind: 'totals' | 'events';
	items: AsyncIterable<Item>;
};

export type ImportOptions = {
	/** Of times that do not say theirs. */
	zone: string;
	/** Of the website, for sources that keep paths alone. */
	domain: string;
};

export type Importer = {
	/** Its events come with addresses of visitors. */
	hasAddresses?: true;
	source: ImportSource;
	open(path: string, options: ImportOptions): Promise<Opened>;
};
