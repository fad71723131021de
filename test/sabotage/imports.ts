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
		line: "if (own?.first && date >= own.first) return 'own_day';",
		instead: '',
		tests: totals,
	},
	{
		name: 'a second import of a day is added',
		file: 'server/import/preview.ts',
		line: "if (dates.has(date)) return 'other_import';",
		instead: '',
		tests: totals,
	},
	{
		name: 'what a source does not give is 0',
		file: 'server/stats/shape.ts',
		line: 'if (!of || metricOf(name).of.some((count) => lacking.has(count))) return [name, null];',
		instead: 'if (!of) return [name, null];',
		tests: totals,
	},
	{
		name: 'imported totals answer a filter',
		file: 'server/stats/plan.ts',
		line: "return isGiven && !filter && !timing && !goal ? 'imported' : 'none';",
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
		name: 'a negative number counts',
		file: 'server/import/read-cells.ts',
		line: 'if (!/^\\d{1,15}(?:\\.\\d{1,20})?$/.test(cell)) return undefined;',
		instead: '',
		tests: files,
	},
	{
		name: 'an account sends many files at once',
		file: 'server/http/routes/imports.ts',
		line: 'if (sending.has(turn))',
		instead: 'if (sending.size < 0)',
		tests: door,
	},
];
