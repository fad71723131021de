import type { Fault } from './faults.ts';

const questions = ['test/stats/questions.slow.test.ts'];

/** Faults of what is counted and how. */
export const statisticsFaults: readonly Fault[] = [
	{
		name: 'nobody is a visitor',
		file: 'server/derive/totals.ts',
		line: '${visitor} != 0 AND NOT is_only',
		instead: 'NOT is_only',
		tests: questions,
	},
	{
		name: 'a city is in the country of its larger namesake, whatever the filter',
		file: 'server/stats/answer/city-countries.ts',
		line: "if (name !== 'country' && name !== 'region') return undefined;",
		instead: 'return undefined;',
		tests: ['test/stats/city-countries.test.ts'],
	},
	{
		name: 'a visitor with two visits on a day is two visitors',
		file: 'server/derive/visits.ts',
		line: 'toUInt8(NOT has(d.begins, 1)) AS is_only',
		instead: 'toUInt8(1) AS is_only',
		tests: questions,
	},
	{
		name: 'a visitor counts once for every page view of a page',
		file: 'server/derive/totals.ts',
		line: 'sql`visitor_id`, sql`nth = 1`',
		instead: 'sql`visitor_id`, sql`true`',
		tests: questions,
	},
	{
		name: "an event of nobody's is a visit",
		file: 'server/derive/counts.ts',
		line: 'visits: { columns: [], each: sql`visitor_id != 0` },',
		instead: 'visits: { columns: [], each: sql`1` },',
		tests: questions,
	},
	{
		name: 'a visit counts once for every page view of a page',
		file: 'server/derive/totals.ts',
		line: 'nth = 1 AND ',
		instead: 'nth > 0 AND ',
		tests: questions,
	},
	{
		name: 'a bounce has up to a minute',
		file: 'server/derive/visits.ts',
		line: 'const bounceBelowMs = sql`10000`;',
		instead: 'const bounceBelowMs = sql`60000`;',
		tests: questions,
	},
	{
		name: 'a test of an event is a test of the visit',
		file: 'server/stats/answer/visit-filter.ts',
		line: 'const matches = counted && hasEvents(counted) ? matchesOf(counted, goals) : null;',
		instead: 'const matches = null;',
		tests: questions,
	},
	{
		name: 'two events may meet the conditions of one and-group',
		file: 'server/stats/answer/visit-filter.ts',
		line: "[someEvent(matchesOf({ kind: 'and', parts: onOneEvent }, goals))]",
		instead: 'onOneEvent.map((part) => someEvent(matchesOf(part, goals)))',
		tests: ['test/stats/event-filters.test.ts'],
	},
	{
		name: "'is not' is met by one event that is another",
		file: 'server/stats/answer/visit-filter.ts',
		line: 'if (isEventCondition(filter)) return someEvent(matchesOf(filter, goals));',
		instead:
			"if (isEventCondition(filter) || (filter.kind === 'not' && isEventCondition(filter.part))) return someEvent(matchesOf(filter, goals));",
		tests: questions,
	},
	{
		name: 'a visit that began before the cut counts',
		file: 'server/derive/totals.ts',
		line: '{isWithin(sql`start_ms`, timing)} ',
		instead: '{sql`true`} ',
		tests: questions,
	},
	{
		name: 'an event belongs to the hour of its visit',
		file: 'server/derive/totals.ts',
		line: 'sql`start_ms + offset`',
		instead: 'sql`start_ms`',
		tests: questions,
	},
	{
		name: 'totals answer although there is a filter',
		file: 'server/stats/answer/plan.ts',
		line: '\t\t!isFiltered &&\n',
		instead: '',
		tests: questions,
	},
	{
		name: 'totals answer for a part of a day',
		file: 'server/stats/answer/plan.ts',
		line: '\t\t!timing &&\n',
		instead: '',
		tests: questions,
	},
	{
		name: 'a goal that is newer than the seal is looked for in it',
		file: 'server/stats/answer/plan.ts',
		line: "(dimension.name !== 'goal' || seal.goalRevision >= newestGoal)",
		instead: 'true',
		tests: questions,
	},
	{
		name: 'any generation of a day counts',
		file: 'server/stats/answer/build.ts',
		line: 'AND (date, ${generation}) IN arrayZip(',
		instead: 'AND (date, 1) IN arrayZip(',
		tests: questions,
	},
	{
		name: 'the hour is that of UTC',
		file: 'server/derive/visits.ts',
		line: '* 60000, 86400000)',
		instead: '* 0, 86400000)',
		// It counts every dimension. Random questions rarely are about hours.
		tests: ['test/derive/seal.slow.test.ts'],
	},
	{
		name: 'events before a reset count',
		file: 'server/derive/visits.ts',
		line: '${sinceMs == null ? sql`` :',
		instead: '${true ? sql`` :',
		tests: questions,
	},
	{
		name: 'rows without anything in them are listed',
		file: 'server/stats/answer/rank-rows.ts',
		line: ' AND (${isSomething})',
		instead: '',
		tests: questions,
	},
	{
		name: 'of two event dimensions, a visit counts once per value of the first',
		file: 'server/derive/counted-values.ts',
		line: 'only.of && others.length === 0 && !without',
		instead: 'only.of && !without',
		tests: ['test/api/stats-breakdowns.slow.test.ts'],
	},
];
