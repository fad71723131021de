/**
 * Fathom's CSV export, by day or hour: a table without another column has the totals, one with a column such as pathname or
 * browser is a breakdown. One file, or several in a ZIP. Hours are assigned to days of the given time zone.
 */
import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { cleanText } from '../ingest/text.ts';
import { keysOf } from '../lib/keys-of.ts';
import { localDate } from '../lib/local-dates.ts';
import { codeOfCountry } from './countries.ts';
import type { ImportedCount, Importer, Item } from './importer.ts';
import { browserName, countryCode, deviceName, sourceName, systemName } from './normalize-names.ts';
import { readCount, readDate, readTime } from './read-cells.ts';
import { type CsvRow, csvRows, isZip, unreadable, unzip } from './read-file.ts';
import { createOwners, createSupplied, type Supplied } from './tables.ts';

/** By the name of a column. */
const dimensions: Readonly<Record<string, { dimension: string; say?(text: string): string }>> = {
	pathname: { dimension: 'page' },
	path: { dimension: 'page' },
	referrer_hostname: {
		dimension: 'source',
		say: (text) => sourceName(text.replace(/^https?:\/\/(?:www\.)?/, '')),
	},
	referrer: { dimension: 'source', say: (text) => sourceName(text.replace(/^https?:\/\/(?:www\.)?/, '')) },
	browser: { dimension: 'browser', say: browserName },
	country_code: { dimension: 'country', say: countryCode },
	country: { dimension: 'country', say: (text) => countryCode(text) || codeOfCountry(text) },
	device_type: { dimension: 'device', say: deviceName },
	device: { dimension: 'device', say: deviceName },
	operating_system: { dimension: 'os', say: systemName },
	utm_source: { dimension: 'utm_source' },
	utm_medium: { dimension: 'utm_medium' },
	utm_campaign: { dimension: 'utm_campaign' },
};

const dateColumns = ['date', 'timestamp', 'day', 'hour'];

export const fathom: Importer = {
	source: 'fathom',
	async open(path, { zone }) {
		const supplied = createSupplied();
		const isFirst = createOwners();
		let tables = 0;
		async function* read(bytes: Readable): AsyncGenerator<Item> {
			const table = ++tables;
			for await (const row of csvRows(bytes))
				for (const item of itemsOf(row && spelt(row), zone, supplied)) {
					const isNew = !('total' in item) || isFirst(`${item.total.dimension} ${item.total.date}`, table);
					yield isNew ? item : { skipped: 'said_before' };
				}
		}
		async function* items(): AsyncGenerator<Item> {
			if (!(await isZip(path))) return yield* read(createReadStream(path));
			for await (const file of unzip(path)) {
				if (file.name.toLowerCase().endsWith('.csv')) yield* read(await file.read());
				else yield { skipped: 'unknown_file' };
			}
		}
		return {
			kind: 'totals',
			suppliedCounts: supplied.counts,
			items: items(),
		};
	},
};

/** `Device Type` is device_type. */
const spelt = (row: NonNullable<CsvRow>): NonNullable<CsvRow> =>
	new Map([...row].map(([name, cell]) => [name.replace(/[\s-]+/g, '_'), cell]));

function* itemsOf(row: CsvRow, zone: string, supplied: Supplied): Generator<Item> {
	if (!row) return yield { skipped: 'bad_row' };
	const dateColumn = dateColumns.find((name) => row.has(name));
	if (dateColumn === undefined) throw unreadable('The file has no column named date or timestamp.');
	const said = row.get(dateColumn) ?? '';
	// Times without an offset are in this zone; others are converted to it.
	const time = readTime(said, zone);
	const date = readDate(said) ?? (time === undefined ? undefined : localDate(zone, time));
	if (date === undefined) return yield { skipped: 'bad_date' };
	const counts = countsOf(row);
	if (!counts) return yield { skipped: 'bad_number' };
	if (Object.keys(counts).length === 0) return yield { skipped: 'no_meaning' };
	const column = Object.keys(dimensions).find((name) => row.has(name));
	const source = column === undefined ? undefined : dimensions[column];
	const dimension = source?.dimension ?? '';
	supplied.add(dimension, keysOf(counts));
	const text = cleanText(row.get(column ?? '') ?? '', 1_024);
	yield { total: { date, dimension, value: source ? (source.say?.(text) ?? text) : '', counts } };
}

function countsOf(row: NonNullable<CsvRow>): Partial<Record<ImportedCount, number>> | undefined {
	const cell = (name: string): number | undefined => {
		const text = row.get(name);
		return text === undefined ? undefined : (readCount(text) ?? Number.NaN);
	};
	const number = (name: string): number | undefined => {
		const text = row.get(name)?.trim();
		if (text === undefined || text === '') return undefined;
		return /^\d{1,9}(?:\.\d{1,20})?%?$/.test(text) ? Number(text.replace('%', '')) : Number.NaN;
	};
	const views = cell('pageviews') ?? cell('views');
	const visits = cell('visits');
	const visitors = cell('uniques') ?? cell('visitors');
	const duration = number('avg_duration');
	const rate = number('bounce_rate');
	if ([views, visits, visitors, duration, rate].some(Number.isNaN)) return undefined;
	return {
		...(visitors !== undefined && { visitors }),
		...(visits !== undefined && { visits }),
		...(views !== undefined && { views, visit_views: views }),
		...(visits !== undefined && duration !== undefined && { seconds: Math.round(duration * visits) }),
		...(visits !== undefined &&
			rate !== undefined && { bounces: Math.round(visits * (rate > 1 ? rate / 100 : rate)) }),
	};
}
