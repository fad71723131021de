/**
 * Simple Analytics' export of data points as CSV (docs.simpleanalytics.com/api/export-data-points). Without a session id it only says
 * whether a page view is the first of a visitor. The first one then gets a visitor, and the others have none.
 */
import { createReadStream } from 'node:fs';
import type { Importer, Item } from './importer.ts';
import { readTime } from './read-cells.ts';
import { type CsvRow, csvRows, unreadable } from './read-file.ts';

export const simpleAnalytics: Importer = {
	source: 'simple-analytics',
	async open(path, { zone, domain }) {
		async function* items(): AsyncGenerator<Item> {
			let number = 0;
			for await (const row of csvRows(createReadStream(path))) {
				if (number++ === 0 && row && !((row.has('added_iso') || row.has('added_unix')) && row.has('path')))
					throw unreadable(
						'The file is not an export of Simple Analytics: it has no columns added_iso and path.',
					);
				yield row ? toItem(row, number, zone, domain) : { skipped: 'bad_row' };
			}
		}
		return { kind: 'events', suppliedCounts: () => ({}), items: items() };
	},
};

function toItem(row: NonNullable<CsvRow>, number: number, zone: string, domain: string): Item {
	const cell = (name: string): string => row.get(name) ?? '';
	const unix = /^\d{9,11}$/.exec(cell('added_unix'))?.[0];
	const atMs = readTime(cell('added_iso'), zone) ?? (unix === undefined ? undefined : Number(unix) * 1000);
	if (atMs === undefined) return { skipped: 'bad_date' };
	if (isTrue(cell('is_robot'))) return { skipped: 'no_meaning' };
	const point = cell('datapoint');
	const name = point === '' || point === 'pageview' ? '' : point;
	const campaign = ['source', 'medium', 'campaign', 'content', 'term']
		.filter((word) => cell(`utm_${word}`) !== '')
		.map((word) => `utm_${word}=${encodeURIComponent(cell(`utm_${word}`))}`);
	const query = [...(cell('query') === '' ? [] : [cell('query').replace(/^\?/, '')]), ...campaign].join('&');
	return {
		event: {
			atMs,
			visitor: cell('session_id') || (isTrue(cell('is_unique')) ? cell('uuid') || `row ${number}` : ''),
			name,
			url: `https://${cell('hostname') || domain}${cell('path').replace(/^(?!\/)/, '/')}${query === '' ? '' : `?${query}`}`,
			title: '',
			referrer: cell('document_referrer').replace(/^(?!$|https?:)/, 'https://'),
			userAgent: cell('user_agent'),
			device: {
				...(cell('browser_name') !== '' && { browser: cell('browser_name') }),
				...(cell('os_name') !== '' && { os: cell('os_name') }),
				...(cell('device_type') !== '' && { device: cell('device_type') }),
			},
			screenWidth: Number(/^\d{2,5}$/.exec(cell('screen_width'))?.[0] ?? 0),
			language: cell('lang_language'),
			country: cell('country_code'),
			region: '',
			city: '',
			properties: {},
		},
	};
}

const isTrue = (text: string): boolean => /^(?:true|1|t)$/i.test(text);
