import type { Fault } from './faults.ts';

const files = ['server/import/importers.test.ts'];
const totals = ['test/import/plausible.test.ts'];
const events = ['test/import/umami.test.ts'];
const door = ['test/api/imports.test.ts'];

/** Faults of what is brought in from elsewhere. */
export const importFaults: readonly Fault[] = [
	{
		name: 'days of our own are brought in as well',
		file: 'server/import/preview.ts',
		line: "if (firstOwn && date >= firstOwn) return 'own_day';",
		instead: '',
		tests: totals,
	},
	{
		name: 'a second import of a day is added',
		file: 'server/import/preview.ts',
		line: "if (taken.has(date)) return 'other_import';",
		instead: '',
		tests: totals,
	},
	{
		name: 'what a source does not give is 0',
		file: 'server/stats/answer/shape.ts',
		line: 'if (!counts || metricOf(name).inputs.some((count) => lacking.has(count))) return [name, null];',
		instead: 'if (!counts) return [name, null];',
		tests: totals,
	},
	{
		name: 'imported totals answer a filter',
		file: 'server/stats/answer/plan.ts',
		line: "return isGiven && !isFiltered && !timing && !dimension.by && !goal ? 'imported' : 'none';",
		instead: "return isGiven ? 'imported' : 'none';",
		tests: totals,
	},
	{
		name: 'undone totals stay on the disk',
		file: 'server/import/run-imports.ts',
		line: 'for (const table of [sql`totals_imported`, sql`events`]) {',
		instead: 'for (const table of [sql`events`]) {',
		tests: totals,
	},
	{
		name: 'undone events stay on the disk',
		file: 'server/import/run-imports.ts',
		line: 'for (const table of [sql`totals_imported`, sql`events`]) {',
		instead: 'for (const table of [sql`totals_imported`]) {',
		tests: events,
	},
	{
		name: 'the visitor of a source is the same on every day',
		file: 'server/import/to-event.ts',
		line: 'Buffer.from(`${date}\\0${visitor}`)',
		instead: 'Buffer.from(`${visitor}`)',
		tests: events,
	},
	{
		name: 'events of another website come along',
		file: 'server/import/to-event.ts',
		line: "if (!isOwnHostname(website, event.hostname)) return 'other_website';",
		instead: '',
		tests: events,
	},
	{
		name: 'an import that was cut short keeps what it had',
		file: 'server/import/run-imports.ts',
		line: '\t\tawait deleteRows(services, [about], options.signal);\n\t\tawait bring(',
		instead: '\t\tawait bring(',
		tests: door,
	},
	{
		name: 'an archive is unpacked whatever it becomes',
		file: 'server/import/read-file.ts',
		line: 'if (isTooMuch)',
		instead: 'if (unpacked < 0)',
		tests: files,
	},
	{
		name: 'a packed log is unpacked whatever it becomes',
		file: 'server/import/read-file.ts',
		line: 'if (isBomb(bytes, packed.bytesRead))',
		instead: 'if (bytes < 0)',
		tests: files,
	},
	{
		name: 'a file is read on after its caller has left',
		file: 'server/import/reader.ts',
		line: "signal.addEventListener('abort', leave, { once: true });",
		instead: '',
		tests: door,
	},
	{
		name: 'files of an account fill the disk',
		file: 'server/import/imports.ts',
		line: 'return maxAccountBytes - (used?.bytes ?? 0);',
		instead: 'return maxAccountBytes;',
		tests: door,
	},
	{
		name: 'events that were imported before keep the hash of their line',
		file: 'server/import/renew-event-ids.ts',
		line: 'event_id = greatest(rand64(), 1)',
		instead: 'event_id = event_id',
		tests: ['test/import/access-log.test.ts'],
	},
	{
		name: 'a negative number counts',
		file: 'server/import/read-cells.ts',
		line: 'if (!/^\\d{1,15}(?:\\.\\d{1,20})?$/.test(cell)) return undefined;',
		instead: '',
		tests: files,
	},
	{
		name: 'an account sends many files at once',
		file: 'server/http/api/routes/imports.ts',
		line: 'if (sending.has(ownerId))',
		instead: 'if (sending.size < 0)',
		tests: door,
	},
];
