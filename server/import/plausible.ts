/** Plausible's export: a ZIP with one table per breakdown (plausible.io/docs/csv-import). */
import type { Readable } from 'node:stream';
import type { Importer, Item } from './importer.ts';
import { browserName, deviceName, sourceName, systemName } from './normalize-names.ts';
import { csvRows, isZip, unreadable, unzip } from './read-file.ts';
import { createOwners, createTableReader, type Table } from './tables.ts';

const counts = {
	visitors: ['visitors'],
	visits: ['visits'],
	entrances: ['visits'],
	exits: ['visits'],
	pageviews: ['views', 'visit_views'],
	bounces: ['bounces'],
	visit_duration: ['seconds'],
} as const satisfies Table['counts'];

/** By file name without its dates. Cities are not imported, because they are GeoNames ids. */
const tables: Readonly<Record<string, Table>> = {
	imported_visitors: { date: 'date', dayCounts: true, values: {}, counts },
	imported_sources: {
		date: 'date',
		values: {
			source: { column: 'source', say: sourceName },
			referrer: { column: 'referrer' },
			channel: { column: 'channel' },
			utm_source: { column: 'utm_source' },
			utm_medium: { column: 'utm_medium' },
			utm_campaign: { column: 'utm_campaign' },
			utm_term: { column: 'utm_term' },
			utm_content: { column: 'utm_content' },
		},
		counts,
	},
	imported_pages: {
		date: 'date',
		values: { page: { column: 'page' }, hostname: { column: 'hostname' } },
		counts: { visitors: counts.visitors, visits: counts.visits, pageviews: counts.pageviews },
	},
	imported_entry_pages: { date: 'date', values: { entry_page: { column: 'entry_page' } }, counts },
	imported_exit_pages: { date: 'date', values: { exit_page: { column: 'exit_page' } }, counts },
	imported_locations: {
		date: 'date',
		values: { country: { column: 'country' }, region: { column: 'region' } },
		counts,
	},
	imported_devices: { date: 'date', values: { device: { column: 'device', say: deviceName } }, counts },
	imported_browsers: {
		date: 'date',
		values: { browser: { column: 'browser', say: browserName } },
		counts,
	},
	imported_operating_systems: {
		date: 'date',
		values: { os: { column: 'operating_system', say: systemName } },
		counts,
	},
	imported_custom_events: {
		date: 'date',
		dayCounts: ['events'],
		values: { event: { column: 'name' } },
		counts: { visitors: ['visitors'], events: ['events'] },
	},
};

const tableOf = (fileName: string): Table | undefined =>
	tables[/^(imported_[a-z_]+?)(?:_\d{8}_\d{8})?\.csv$/.exec(fileName)?.[1] ?? ''];

export const plausible: Importer = {
	source: 'plausible',
	async open(path) {
		const reader = createTableReader();
		const isFirst = createOwners();
		let files = 0;
		async function* rowsOf(bytes: Readable, table: Table): AsyncGenerator<Item> {
			const file = ++files;
			const kind = Object.values(tables).indexOf(table);
			for await (const row of csvRows(bytes)) {
				if (isFirst(`${kind} ${row?.get('date')}`, file)) yield* reader.read(row, table);
				else yield { skipped: 'said_before' };
			}
		}
		async function* items(): AsyncGenerator<Item> {
			if (!(await isZip(path)))
				throw unreadable(
					'This is not an export of Plausible. Export a ZIP file under Settings, Imports & Exports.',
				);
			let hasWhole = false;
			for await (const file of unzip(path)) {
				const table = tableOf(file.name);
				if (!table) {
					yield { skipped: 'unknown_file' };
					continue;
				}
				hasWhole ||= table.dayCounts === true;
				yield* rowsOf(await file.read(), table);
			}
			if (!hasWhole)
				throw unreadable('The archive has no imported_visitors file, which contains the daily totals.');
		}
		return { kind: 'totals', suppliedCounts: reader.suppliedCounts, items: items() };
	},
};
