import type { Fault } from './faults.ts';

const timed = ['test/derive/hidden-events.test.ts'];
const api = ['test/api/deletions.test.ts'];

/** Faults of deletions: what hides events, what shows them again, and what deletes them from disk. */
export const deletionFaults: readonly Fault[] = [
	{
		name: 'a seal counts hidden events',
		file: 'server/derive/insert-derived.ts',
		line: 'const { offsets, sinceMs, hidden, visits } = seal;',
		instead: 'const { offsets, sinceMs, visits } = seal; const hidden = null;',
		tests: timed,
	},
	{
		name: 'an undone deletion does not raise the revision of its website',
		file: 'server/items/deletions.ts',
		line: "SET state = 'undone', revision = ${value(revision)}, ended_at",
		instead: "SET state = 'undone', ended_at",
		tests: timed,
	},
	{
		name: 'a deletion does not derive days again whose events arrived after the look for them',
		file: 'server/items/deletions.ts',
		line: 'OR (last_batch > ${value(sinceBatch)} AND days.date <= ${value(last)}::timestamptz::date)',
		instead: '',
		tests: timed,
	},
	{
		name: 'a seal is published though events were hidden since it read them',
		file: 'server/derive/publish-generation.ts',
		line: 'AND ${value(revisionOf(seal.hidden))}::bigint = coalesce(',
		instead: 'AND 0 <= coalesce(',
		tests: timed,
	},
	{
		name: 'visits of an open day are used again after a deletion',
		file: 'server/derive/open-days.ts',
		line: "${day.sinceMs ?? ''} ${revisionOf(day.hidden)}`",
		instead: "${day.sinceMs ?? ''}`",
		tests: api,
	},
	{
		name: 'the overview shows what was hidden since it was last asked',
		file: 'server/stats/overview/overview-lines.ts',
		line: "${sinceMs ?? ''} ${revisionOf(website.hidden)}`",
		instead: "${sinceMs ?? ''}`",
		tests: api,
	},
	{
		name: 'an export of events has hidden ones',
		file: 'server/export/export.ts',
		line: '${isVisible(hidden)}',
		instead: '',
		tests: api,
	},
	{
		name: 'an export of visits has days with hidden events',
		file: 'server/export/export.ts',
		line: 'AND deletions_revision <= sealed_revision',
		instead: '',
		tests: api,
	},
	{
		name: 'hidden events are deleted from disk while a seal counts them',
		file: 'server/jobs/delete-hidden-events.ts',
		line: 'AND deletions_revision > sealed_revision AND',
		instead: 'AND false AND',
		tests: timed,
	},
	{
		name: 'hidden events are deleted from disk while more of them are in the event log',
		file: 'server/jobs/delete-hidden-events.ts',
		line: 'AND created_at < ${value(oldest?.appendedAt ?? null)}::timestamptz IS NOT FALSE',
		instead: '',
		tests: timed,
	},
	{
		name: 'hidden events are deleted from disk while a batch may bring more of them',
		file: 'server/jobs/delete-hidden-events.ts',
		line: 'AND NOT EXISTS (SELECT 1 FROM batches WHERE number <= until_batch)',
		instead: '',
		tests: timed,
	},
];
