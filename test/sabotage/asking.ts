import type { Fault } from './faults.ts';

const api = ['test/api/stats.test.ts'];
const shares = ['test/threats/shares.test.ts'];
const hostile = ['test/threats/stats.test.ts'];
const vitals = ['test/api/vitals.test.ts'];
const dear = ['test/threats/expensive-questions.test.ts'];

/** Faults of how statistics are asked for, who is shown what, and what a question may cost. */
export const askingFaults: readonly Fault[] = [
	{
		name: 'the percentile is one rank too high',
		file: 'server/stats/vitals.ts',
		line: 'quantileExactWeighted(0.75)(sample, 1) AS p75',
		instead: 'quantileExact(0.75)(sample) AS p75',
		tests: vitals,
	},
	{
		name: 'the public sees a vital of one page view',
		file: 'server/stats/vitals.ts',
		line: "audience === 'public' ? fewest : 1",
		instead: '1',
		tests: vitals,
	},
	{
		name: 'events that are to be deleted still count',
		file: 'server/stats/raw-events.ts',
		line: 'rawFrom !== null && rawFrom > span.from ? rawFrom : span.from',
		instead: 'span.from',
		tests: vitals,
	},
	{
		name: 'a misspelt parameter is ignored',
		file: 'server/http/read-parameters.ts',
		line: 'if (Object.keys(unknown).length > 0) throw invalid(unknown);',
		instead: '',
		tests: api,
	},
	{
		name: 'conversions of no goal in particular',
		file: 'server/stats/to-question.ts',
		line: 'attempt(() => refuseWithoutGoal(sent));',
		instead: '',
		tests: api,
	},
	{
		name: 'a segment makes the filter forgotten',
		file: 'server/stats/to-question.ts',
		line: "return parts.length > 1 ? { kind: 'and', parts } : (only ?? null);",
		instead: 'return only ?? null;',
		tests: api,
	},
	{
		name: 'a table in a spreadsheet runs formulas',
		file: 'server/http/csv.ts',
		line: 'const safe = formula.test(text)',
		instead: 'const safe = false',
		tests: ['server/http/csv.test.ts'],
	},
	{
		name: 'the name of a property is taken as it stands in the address',
		file: 'server/http/api.ts',
		line: 'decodeURIComponent(word)',
		instead: 'word',
		tests: hostile,
	},
	{
		name: 'a question of another website shares the answer',
		file: 'server/stats/ask.ts',
		line: 'withoutBuckets(asked)',
		instead: 'asked.breakdowns',
		tests: hostile,
	},
	{
		name: 'values are looked for with wildcards',
		file: 'server/stats/select-runs.ts',
		line: "sql`multiSearchAny(${of}, ${param('Array(String)', values)})`",
		instead: "sql`${of} LIKE concat('%', ${param('String', values[0])}, '%')`",
		tests: hostile,
	},
	{
		name: 'a village of one visitor is shown to everybody',
		file: 'server/stats/few.ts',
		line: 'row.counts.visitors >= fewest',
		instead: 'row.counts.visitors > 0',
		tests: shares,
	},
	{
		name: 'who is hidden can be worked out from the whole',
		file: 'server/stats/few.ts',
		line: '		shown.pop();',
		instead: '		break;',
		tests: shares,
	},
	{
		name: 'a search finds a city that is hidden',
		file: 'server/stats/few.ts',
		line: '						search: null,',
		instead: '',
		tests: shares,
	},
	{
		name: 'everybody may filter by city, within a group',
		file: 'server/stats/few.ts',
		line: 'return filter.parts.some(isAboutCity);',
		instead: 'return false;',
		tests: shares,
	},
	{
		name: 'an account may have any number of questions under way',
		file: 'server/stats/ask.ts',
		line: 'running: 4, waiting: 16',
		instead: 'running: 400, waiting: 1600',
		tests: dear,
	},
	{
		name: 'a question goes on after all have left',
		file: 'server/http/api.ts',
		line: 'if (!raw.writableFinished) leaving.abort();',
		instead: '',
		tests: dear,
	},
	{
		name: 'what a failed statement wrote begins the next answer',
		file: 'server/engine/lane-worker.ts',
		line: 'await discard();',
		instead: '',
		tests: ['test/engine/streams.test.ts'],
	},
	{
		name: 'a statement that was given up breaks another one',
		file: 'server/store/clickhouse.ts',
		line: 'idle_socket_ttl: 0',
		instead: 'idle_socket_ttl: 2_500',
		tests: ['test/engine/streams.test.ts'],
	},
];
