import type { Fault } from './faults.ts';

const seals = ['test/derive/seal.slow.test.ts'];
const scheduled = ['test/jobs/seal-days.test.ts'];
const retention = ['test/jobs/retention.test.ts'];

/** Faults of what is derived, when, and what becomes of it. */
export const sealFaults: readonly Fault[] = [
	{
		name: 'a seal includes a batch that is being numbered',
		file: 'server/derive/seal.ts',
		line: 'await tx.run(sql`LOCK TABLE batches IN SHARE MODE`);',
		instead: '',
		tests: seals,
	},
	{
		name: 'a seal includes batches that are open',
		file: 'server/derive/seal.ts',
		line: '(SELECT min(number) - 1 FROM batches),',
		instead: '',
		tests: seals,
	},
	{
		name: 'of two batches at once the lower number stays',
		file: 'server/write/batch.ts',
		line: 'last_batch = greatest(days.last_batch, excluded.last_batch)',
		instead: 'last_batch = excluded.last_batch',
		tests: seals,
	},
	{
		name: 'a seal counts without being checked',
		file: 'server/derive/seal.ts',
		line: 'checkCounts,\n\tpublishGeneration,',
		instead: 'publishGeneration,',
		tests: seals,
	},
	{
		name: 'a seal counts before its totals are there',
		file: 'server/derive/seal.ts',
		line: 'insertTotals,\n\tinsertOthers,\n\tcheckCounts,\n\tpublishGeneration,',
		instead: 'publishGeneration,\n\tinsertTotals,\n\tinsertOthers,\n\tcheckCounts,',
		tests: [...seals, 'test/faults/seal.slow.test.ts'],
	},
	{
		name: 'a seal brings back what was emptied while it ran',
		file: 'server/derive/publish-generation.ts',
		line: 'AND t.id > ${value(seal.tombstone)}',
		instead: 'AND false',
		tests: seals,
	},
	{
		name: 'a generation that is being deleted is made to count',
		file: 'server/derive/publish-generation.ts',
		line: 'AND NOT is_going',
		instead: '',
		tests: seals,
	},
	{
		name: 'of all other values the visits are counted as often as they have values',
		file: 'server/derive/counted-values.ts',
		line: "values: without ? [sql`''`] : values,",
		instead: 'values,',
		tests: seals,
	},
	{
		name: 'a day is sealed as soon as it is over',
		file: 'server/jobs/seal-days.ts',
		line: 'const overForMs = 2 * 3_600_000;',
		instead: 'const overForMs = 0;',
		tests: scheduled,
	},
	{
		name: 'provisional totals are renewed with every round',
		file: 'server/jobs/seal-days.ts',
		line: 'renewAt.set(key, ms() + waitMs);',
		instead: 'renewAt.delete(key);',
		tests: scheduled,
	},
	{
		name: 'a generation is deleted while questions read it',
		file: 'server/jobs/delete-dead-generations.ts',
		line: 'deadForMs = 15 * 60_000;',
		instead: 'deadForMs = 0;',
		tests: ['test/jobs/dead-generations.test.ts'],
	},
	{
		name: 'what a reset left in the totals stays',
		file: 'server/jobs/erase-websites.ts',
		line: '...[sql`visits`, sql`totals`].map((name) => ({',
		instead: '...[sql`visits`].map((name) => ({',
		tests: ['test/write/erase.test.ts'],
	},
	{
		name: 'events go although their day is dirty',
		file: 'server/jobs/apply-retention.ts',
		line: 'AND (generation = 0 OR last_batch > sealed_batch))',
		instead: 'AND generation = 0)',
		tests: retention,
	},
	{
		name: 'retention takes the totals too',
		file: 'server/jobs/apply-retention.ts',
		line: '[sql`events`, sql`visits`]',
		instead: '[sql`events`, sql`visits`, sql`totals`]',
		tests: retention,
	},
	{
		name: 'check looks at one side only',
		file: 'server/derive/check.ts',
		line: 'row.totals !== row.visits || row.visits !== row.events',
		instead: 'row.visits !== row.events',
		tests: ['test/derive/check.test.ts'],
	},
];
