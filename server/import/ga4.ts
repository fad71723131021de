/**
 * Google Analytics 4: events from its BigQuery export, one line of JSON each, or a report as CSV with comments after `#`. Tables
 * with a date have daily totals; tables without one are skipped.
 */
import { createReadStream } from 'node:fs';
import { cleanText } from '../ingest/text.ts';
import { keysOf } from '../lib/keys-of.ts';
import { addDays } from '../lib/local-dates.ts';
import { codeOfCountry } from './countries.ts';
import type { ForeignEvent, ImportedCount, Importer, Item } from './importer.ts';
import { browserName, countryCode, deviceName, sourceName, systemName } from './normalize-names.ts';
import { readCount, readDate } from './read-cells.ts';
import { csvRecords, lines } from './read-file.ts';
import { createOwners, createSupplied, type Supplied } from './tables.ts';

export const ga4: Importer = {
	source: 'ga4',
	async open(path) {
		if (await isJson(path)) return { kind: 'events', suppliedCounts: () => ({}), items: eventsOf(path) };
		const supplied = createSupplied();
		return {
			kind: 'totals',
			suppliedCounts: supplied.counts,
			items: totalsOf(path, supplied),
		};
	},
};

async function isJson(path: string): Promise<boolean> {
	for await (const line of lines(path)) if (line.trim() !== '') return line.trim().startsWith('{');
	return false;
}

/** By column name in lower case: the dimension, and how its values are normalized. */
const dimensions: Readonly<Record<string, { dimension: string; say?(text: string): string }>> = {
	'page path and screen class': { dimension: 'page' },
	'page path': { dimension: 'page' },
	'page path + query string': { dimension: 'page' },
	'landing page': { dimension: 'entry_page' },
	'landing page + query string': { dimension: 'entry_page' },
	hostname: { dimension: 'hostname' },
	'host name': { dimension: 'hostname' },
	'page title and screen name': { dimension: 'title' },
	'page title': { dimension: 'title' },
	'session source': { dimension: 'source', say: sourceName },
	'session default channel group': { dimension: 'channel' },
	'session primary channel group (default channel group)': { dimension: 'channel' },
	'session medium': { dimension: 'utm_medium', say: sourceName },
	'session campaign': { dimension: 'utm_campaign', say: sourceName },
	country: { dimension: 'country', say: codeOfCountry },
	'country id': { dimension: 'country', say: countryCode },
	'device category': { dimension: 'device', say: deviceName },
	browser: { dimension: 'browser', say: browserName },
	'operating system': { dimension: 'os', say: systemName },
	'language code': { dimension: 'language', say: (text) => text.slice(0, 2).toLowerCase() },
	'event name': { dimension: 'event' },
};

/** Google shows active users as users. */
const visitors = ['active users', 'users', 'total users'];
const views = ['views', 'screen page views', 'page views'];

type Table = {
	heading: readonly string[];
	/** Column of the date, or of the number of days since the first. */
	dateAt: number;
	isNumbered: boolean;
	dimensionAt: number;
	dimension: (typeof dimensions)[string] | undefined;
};

async function* totalsOf(path: string, supplied: Supplied): AsyncGenerator<Item> {
	const isFirst = createOwners();
	let tables = 0;
	let table: Table | undefined;
	let firstDate: string | undefined;
	for await (const cells of csvRecords(createReadStream(path))) {
		const [first = ''] = cells;
		if (first.startsWith('#')) {
			table = undefined;
			const [, start] = /start date:\s*(\d{8})/i.exec(first) ?? /^#\s*(\d{8})-\d{8}/.exec(first) ?? [];
			if (start !== undefined) firstDate = readDate(start);
			continue;
		}
		if (!table) {
			table = toTable(cells);
			tables++;
			continue;
		}
		if (cells.some((cell) => /^(?:grand )?totals?$/i.test(cell.trim()))) continue;
		for (const item of itemsOf(table, cells, firstDate, supplied)) {
			const isNew = !('total' in item) || isFirst(`${item.total.dimension} ${item.total.date}`, tables);
			yield isNew ? item : { skipped: 'said_before' };
		}
	}
}

function toTable(cells: readonly string[]): Table {
	const heading = cells.map((name) => name.trim().toLowerCase());
	const dateAt = heading.findIndex((name) => name === 'date' || name === 'nth day');
	const dimensionAt = heading.findIndex((name) => Object.hasOwn(dimensions, name));
	return {
		heading,
		dateAt,
		isNumbered: heading[dateAt] === 'nth day',
		dimensionAt,
		dimension: dimensionAt < 0 ? undefined : dimensions[heading[dimensionAt] ?? ''],
	};
}

function* itemsOf(
	table: Table,
	cells: readonly string[],
	firstDate: string | undefined,
	supplied: Supplied,
): Generator<Item> {
	const { heading, dateAt, isNumbered, dimensionAt, dimension } = table;
	if (cells.length !== heading.length) return yield { skipped: 'bad_row' };
	if (dateAt < 0) return yield { skipped: 'no_day' };
	const said = cells[dateAt]?.trim() ?? '';
	const nth = /^\d{1,4}$/.exec(said)?.[0];
	const date = !isNumbered
		? readDate(said)
		: nth === undefined || !firstDate
			? undefined
			: addDays(firstDate, Number(nth));
	if (date === undefined) return yield { skipped: 'bad_date' };
	// With other text columns, each row would be only part of a value.
	const counts = countsOf(heading, cells);
	if (counts === undefined) return yield { skipped: 'bad_number' };
	if (Object.keys(counts).length === 0) return yield { skipped: 'no_meaning' };
	const hasOthers = heading.some(
		(name, column) =>
			column !== dateAt &&
			column !== dimensionAt &&
			!isCounted(name) &&
			Number.isNaN(Number(cells[column]?.trim() || 0)),
	);
	if (hasOthers) return yield { skipped: 'no_meaning' };
	const label = dimension?.dimension ?? '';
	supplied.add(label, keysOf(counts));
	const text = cleanText(cells[dimensionAt] ?? '', 1_024);
	const value = dimension ? (dimension.say?.(text) ?? text.replace(/^\(not set\)$/, '')) : '';
	yield { total: { date, dimension: label, value, counts } };
}

const counted = [
	...visitors,
	...views,
	'sessions',
	'engaged sessions',
	'bounce rate',
	'average session duration',
	'event count',
];
const isCounted = (name: string): boolean => counted.includes(name);

function countsOf(
	heading: readonly string[],
	cells: readonly string[],
): Partial<Record<ImportedCount, number>> | undefined {
	const cellOf = (names: readonly string[]) => {
		const name = names.find((candidate) => heading.includes(candidate));
		return name === undefined ? undefined : (cells[heading.indexOf(name)] ?? '');
	};
	let isBad = false;
	const count = (names: readonly string[]): number | undefined => {
		const cell = cellOf(names);
		if (cell === undefined) return undefined;
		const number = readCount(cell);
		if (number === undefined) isBad = true;
		return number;
	};
	const rate = (name: string): number | undefined => {
		const cell = cellOf([name])?.trim();
		if (cell === undefined || cell === '') return undefined;
		if (!/^\d{1,9}(?:\.\d{1,20})?$/.test(cell)) isBad = true;
		return Number(cell);
	};
	const sessions = count(['sessions']);
	const engaged = count(['engaged sessions']);
	const bounceRate = rate('bounce rate');
	const duration = rate('average session duration');
	const seen = count(views);
	const people = count(visitors);
	const bounces =
		sessions === undefined
			? undefined
			: engaged !== undefined
				? Math.max(0, sessions - engaged)
				: bounceRate !== undefined && bounceRate <= 1
					? Math.round(bounceRate * sessions)
					: undefined;
	const events = heading.includes('event name') ? count(['event count']) : undefined;
	if (isBad) return undefined;
	return {
		...(people !== undefined && { visitors: people }),
		...(sessions !== undefined && { visits: sessions }),
		...(seen !== undefined && { views: seen, visit_views: seen }),
		...(bounces !== undefined && { bounces }),
		...(sessions !== undefined && duration !== undefined && { seconds: Math.round(duration * sessions) }),
		...(events !== undefined && { events }),
	};
}

/** Automatic events of Google that visitors do not cause or that have no counterpart here. */
const ofGoogle = new Set(['session_start', 'first_visit', 'user_engagement', 'scroll', 'first_open']);

async function* eventsOf(path: string): AsyncGenerator<Item> {
	for await (const line of lines(path)) {
		if (line.trim() === '') continue;
		let row: unknown;
		try {
			row = JSON.parse(line);
		} catch {
			yield { skipped: 'bad_row' };
			continue;
		}
		yield isRecord(row) ? toItem(row) : { skipped: 'bad_row' };
	}
}

type Json = Record<string, unknown>;
const isRecord = (value: unknown): value is Json =>
	typeof value === 'object' && value !== null && !Array.isArray(value);
const textAt = (from: unknown, ...names: string[]): string => {
	let value = from;
	for (const name of names) value = isRecord(value) ? value[name] : undefined;
	return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
};

function toItem(row: Json): Item {
	const micros = textAt(row, 'event_timestamp');
	if (!/^\d{15,16}$/.test(micros)) return { skipped: 'bad_date' };
	const name = textAt(row, 'event_name');
	if (name === '') return { skipped: 'bad_row' };
	if (ofGoogle.has(name)) return { skipped: 'no_meaning' };
	const params = readParams(row.event_params);
	const visitor = textAt(row, 'user_pseudo_id');
	const url = params.get('page_location') ?? '';
	if (url === '') return { skipped: 'bad_url' };
	const event: ForeignEvent = {
		atMs: Math.floor(Number(micros) / 1000),
		visitor,
		name: name === 'page_view' ? '' : name,
		url,
		title: params.get('page_title') ?? '',
		referrer: params.get('page_referrer') ?? '',
		userAgent: '',
		device: {
			browser: textAt(row, 'device', 'web_info', 'browser') || textAt(row, 'device', 'browser'),
			os: textAt(row, 'device', 'operating_system'),
			device: textAt(row, 'device', 'category'),
		},
		screenWidth: 0,
		language: textAt(row, 'device', 'language'),
		country: codeOfCountry(textAt(row, 'geo', 'country')),
		region: textAt(row, 'geo', 'region'),
		city: textAt(row, 'geo', 'city'),
		properties: name === 'page_view' ? {} : Object.fromEntries([...params].filter(([key]) => !isOfPage(key))),
	};
	return { event };
}

/** Parameters that Google sends with every event, and session ids. */
const isOfPage = (key: string): boolean =>
	/^(?:page_|ga_|engag|session_|entrances$|batch_|debug_|ignore_referrer$|source$|medium$|campaign|term$|content$|gclid$)/.test(
		key,
	);

function readParams(list: unknown): Map<string, string> {
	const params = new Map<string, string>();
	for (const entry of Array.isArray(list) ? list : []) {
		const key = textAt(entry, 'key');
		const value = isRecord(entry) ? entry.value : undefined;
		const text = ['string_value', 'int_value', 'double_value', 'float_value']
			.map((kind) => textAt(value, kind))
			.find((text) => text !== '');
		if (key !== '' && text !== undefined) params.set(key, text);
	}
	return params;
}
