import type { Fault } from './faults.ts';

const journeys = ['test/stats/journeys.slow.test.ts'];
const changes = ['test/stats/changes.slow.test.ts'];
const groups = ['test/stats/page-groups.test.ts'];

/** Faults of journeys, of what changed, and of page groups. */
export const journeyFaults: readonly Fault[] = [
	{
		name: 'steps before an anchor are in the order of time',
		file: 'server/stats/answer/journey-paths.ts',
		line: "sql`arrayReverse(arraySlice(${name}, 1, anchor_at - ${param('UInt8', others)}))`",
		instead: "sql`arraySlice(${name}, 1, anchor_at - ${param('UInt8', others)})`",
		tests: journeys,
	},
	{
		name: 'a page that is reloaded is two steps',
		file: 'server/stats/answer/journey-paths.ts',
		line: 'const folded = isFolded ? sql`arrayCompact(${all})` : all;',
		instead: 'const folded = all;',
		tests: journeys,
	},
	{
		name: 'a journey starts at the last of equal pages',
		file: 'server/stats/answer/journey-paths.ts',
		line: "sql`arrayFirstIndex((kind, path) -> kind = 'pageview'",
		instead: "sql`arrayLastIndex((kind, path) -> kind = 'pageview'",
		tests: journeys,
	},
	{
		name: 'a link comes from a node that is not among those of its step',
		file: 'server/stats/answer/journey-paths.ts',
		line: "if(origin.1 = '' OR has(named_before, origin.1), origin.1, 'o') AS from_node",
		instead: 'origin.1 AS from_node',
		tests: journeys,
	},
	{
		name: 'what changed leaves out the rest where it has not changed',
		file: 'server/stats/answer/changes.ts',
		line: 'return rest.current === 0 && rest.compared === 0 ? null : rest;',
		instead: 'return rest.difference === 0 ? null : rest;',
		tests: changes,
	},
	{
		name: 'a value that was always large explains a change',
		file: 'server/stats/answer/changes.ts',
		line: 'Number((shareOf(rows, rest, total) - before).toFixed(6))',
		instead: 'Number(shareOf(rows, rest, total).toFixed(6))',
		tests: changes,
	},
	{
		name: 'what fell is listed after what rose, though the total fell',
		file: 'server/stats/answer/changes.ts',
		line: 'const direction = difference < 0 ? -1 : 1;',
		instead: 'const direction = 1;',
		tests: changes,
	},
	{
		name: 'the cause is divided without the filter of the question',
		file: 'server/stats/answer/changes.ts',
		line: "question.filter ? { kind: 'and', parts: [question.filter, isCause] } : isCause;",
		instead: 'isCause;',
		tests: ['test/api/changes.test.ts'],
	},
	{
		name: 'a wildcard that the target does not name moves those that it names',
		file: 'server/stats/page-groups/rules.ts',
		line: '`\\\\${groups.indexOf(nth) + 1}`',
		instead: '`\\\\${nth}`',
		tests: groups,
	},
	{
		name: 'a dot in a pattern is any character',
		file: 'server/stats/page-groups/rules.ts',
		line: "part.replace(/[\\\\.+?()|[\\]{}^$]/g, '\\\\$&')",
		instead: "part.replace(/[\\\\+?()|[\\]{}^$]/g, '\\\\$&')",
		tests: groups,
	},
	{
		name: 'the group of a view without a route is empty in visits that were derived before routes existed',
		file: 'server/stats/page-groups/rules.ts',
		line: 'arrayResize(routes, length(paths))',
		instead: 'routes',
		tests: groups,
	},
];
