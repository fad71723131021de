/**
 * JSON of Matomo's reporting API by day: the response of `VisitsSummary.get` with `period=day` and a date range, alone or in an
 * object with one response per method.
 */
import { readFile, stat } from 'node:fs/promises';
import { cleanText } from '../ingest/text.ts';
import { keysOf } from '../lib/keys-of.ts';
import { codeOfCountry } from './countries.ts';
import type { ImportedCount, Importer, Item } from './importer.ts';
import { browserName, countryCode, deviceName, sourceName, systemName } from './normalize-names.ts';
import { readCount, readDate } from './read-cells.ts';
import { unreadable } from './read-file.ts';
import { createSupplied, type Supplied } from './tables.ts';

/** JSON is read into memory. */
const maxBytes = 256 * 1024 * 1024;

type Json = Record<string, unknown>;
const isRecord = (value: unknown): value is Json =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

type Method = { dimension: string; value(row: Json): string };
const label = (row: Json): string => (typeof row.label === 'string' ? row.label : '');

/** API methods with the values of a dimension. */
const methods: Readonly<Record<string, Method>> = {
	'Actions.getPageUrls': { dimension: 'page', value: (row) => `/${label(row).replace(/^\/+/, '')}` },
	'Actions.getEntryPageUrls': {
		dimension: 'entry_page',
		value: (row) => `/${label(row).replace(/^\/+/, '')}`,
	},
	'Actions.getExitPageUrls': { dimension: 'exit_page', value: (row) => `/${label(row).replace(/^\/+/, '')}` },
	'Actions.getPageTitles': { dimension: 'title', value: label },
	'Referrers.getAll': { dimension: 'source', value: (row) => sourceName(label(row)) },
	'Referrers.getCampaigns': { dimension: 'utm_campaign', value: label },
	'UserCountry.getCountry': {
		dimension: 'country',
		value: (row) => countryCode(typeof row.code === 'string' ? row.code : '') || codeOfCountry(label(row)),
	},
	'DevicesDetection.getType': { dimension: 'device', value: (row) => deviceName(label(row)) },
	'DevicesDetection.getBrowsers': { dimension: 'browser', value: (row) => browserName(label(row)) },
	'DevicesDetection.getOsFamilies': { dimension: 'os', value: (row) => systemName(label(row)) },
	'Events.getAction': { dimension: 'event', value: label },
};

/** The first existing field counts. */
const counts: readonly { fields: readonly string[]; names: readonly ImportedCount[] }[] = [
	{ fields: ['nb_uniq_visitors', 'sum_daily_nb_uniq_visitors'], names: ['visitors'] },
	{ fields: ['nb_visits', 'entry_nb_visits'], names: ['visits'] },
	{ fields: ['nb_pageviews', 'nb_hits', 'nb_actions'], names: ['views', 'visit_views'] },
	{ fields: ['bounce_count'], names: ['bounces'] },
	{ fields: ['sum_visit_length'], names: ['seconds'] },
	{ fields: ['nb_events'], names: ['events'] },
];

export const matomo: Importer = {
	source: 'matomo',
	async open(path) {
		const supplied = createSupplied();
		async function* items(): AsyncGenerator<Item> {
			let hasWhole = false;
			for (const [method, answer] of await readAnswers(path)) {
				const known = Object.hasOwn(methods, method) ? methods[method] : undefined;
				if (isWhole(method) && hasWhole) {
					yield { skipped: 'said_before' };
					continue;
				}
				hasWhole ||= isWhole(method);
				if (!known && !isWhole(method)) yield { skipped: 'unknown_file' };
				else if (!isRecord(answer)) yield { skipped: 'no_day' };
				else for (const [day, said] of Object.entries(answer)) yield* itemsOf(day, said, known, supplied);
			}
		}
		return {
			kind: 'totals',
			suppliedCounts: supplied.counts,
			items: items(),
		};
	},
};

const isWhole = (method: string): boolean => method === 'VisitsSummary.get' || method === 'API.get';

async function readAnswers(path: string): Promise<[string, unknown][]> {
	const { size } = await stat(path);
	if (size > maxBytes)
		throw unreadable('The file is larger than 256 MB. Export fewer days at a time from Matomo.');
	let read: unknown;
	try {
		read = JSON.parse(await readFile(path, 'utf8'));
	} catch {
		throw unreadable('The file is not JSON.');
	}
	if (!isRecord(read))
		throw unreadable('The file is not a response of Matomo’s API with period=day and a date range.');
	if (read.result === 'error')
		throw unreadable(`The file contains an error of Matomo: ${cleanText(String(read.message), 200)}`);
	const names = Object.keys(read);
	if (names.some((name) => readDate(name) !== undefined)) return [['VisitsSummary.get', read]];
	if (!names.some(isWhole))
		throw unreadable('The file has no VisitsSummary.get, which contains the daily totals.');
	return Object.entries(read);
}

function* itemsOf(
	day: string,
	said: unknown,
	method: Method | undefined,
	supplied: Supplied,
): Generator<Item> {
	const date = readDate(day);
	if (date === undefined) return yield { skipped: 'bad_date' };
	// A day without a visit is an empty list.
	const rows = Array.isArray(said) ? said : [said];
	for (const row of rows) {
		if (!isRecord(row)) {
			yield { skipped: 'bad_row' };
			continue;
		}
		const dimension = method?.dimension ?? '';
		const read = countsOf(row);
		if (!read) {
			yield { skipped: 'bad_number' };
			continue;
		}
		supplied.add(dimension, keysOf(read));
		const value = method ? cleanText(method.value(row), 1_024) : '';
		yield { total: { date, dimension, value, counts: read } };
	}
}

function countsOf(row: Json): Partial<Record<ImportedCount, number>> | undefined {
	const read: Partial<Record<ImportedCount, number>> = {};
	for (const { fields, names } of counts) {
		const field = fields
			.map((name) => row[name])
			.find((field) => typeof field === 'number' || typeof field === 'string');
		if (field === undefined) continue;
		const count = readCount(String(field));
		if (count === undefined) return undefined;
		for (const name of names) read[name] = count;
	}
	return read;
}
