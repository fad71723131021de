import type { Fault } from './faults.ts';

const overview = ['test/stats/overview.slow.test.ts'];
const funnels = ['test/stats/funnels.test.ts'];
const live = ['test/stats/live.test.ts'];

/** Faults of what stands beside the statistics of one website: all websites, funnels, live, drops, labels. */
export const overviewFaults: readonly Fault[] = [
	{
		name: 'a day that was sealed again is shown as it was',
		file: 'server/stats/answer/day-state-cache.ts',
		line: "hashint8extended(generation, date - DATE '1970-01-01')",
		instead: "hashint8extended(1, date - DATE '1970-01-01')",
		tests: overview,
	},
	{
		name: 'a generation that does not count is shown',
		file: 'server/stats/answer/day-counts.ts',
		line: 'generations.get(day) !== stamp',
		instead: 'generations.get(day) === undefined',
		tests: overview,
	},
	{
		name: 'what came to an open day is not seen',
		file: 'server/stats/answer/day-counts.ts',
		line: 'return stamp !== null && count?.stamp === stamp ? count : undefined;',
		instead: 'return stamp !== null && count ? count : undefined;',
		tests: ['test/api/overview.test.ts'],
	},
	{
		name: 'all websites are cut at the clock of the first',
		file: 'server/stats/answer/day-counts.ts',
		line: 'toUnixTimestamp64Milli(start) - ${base}',
		instead: "toUnixTimestamp64Milli(start) - ${param('Int64', first ? baseOf(first) : 0)}",
		tests: overview,
	},
	{
		name: 'the day that corresponds to today is compared whole',
		file: 'server/stats/overview/overview-lines.ts',
		line: 'last: dayOf(to) - (endMs === null ? 0 : 1),',
		instead: 'last: dayOf(to),',
		tests: overview,
	},
	{
		name: 'the overview shows what was emptied',
		file: 'server/stats/overview/overview-lines.ts',
		line: 'return resetAt !== null && dateOf(zones, resetAt).date >= date ? resetAt : null;',
		instead: 'return null;',
		tests: ['test/api/overview.test.ts'],
	},
	{
		name: 'a limited key sees the overview of all websites',
		file: 'server/http/api/routes/overview.ts',
		line: "websiteIds: principal.kind === 'key' ? principal.websiteIds : null,",
		instead: 'websiteIds: null,',
		tests: ['test/api/overview.test.ts'],
	},
	{
		name: 'favorites are not first',
		file: 'server/stats/overview/overview.ts',
		line: 'if (!favoritesFirst) return sorted;',
		instead: 'if (favoritesFirst) return sorted;',
		tests: ['test/api/overview.test.ts'],
	},
	{
		name: 'whoever was there today is there now',
		file: 'server/stats/live/live.ts',
		line: "AND time >= fromUnixTimestamp64Milli(${param('Int64', sinceMs)}, 'UTC')",
		instead: "AND time >= fromUnixTimestamp64Milli(${param('Int64', 0)}, 'UTC')",
		tests: ['test/api/overview.test.ts'],
	},
	{
		name: 'a limited key sees the labels of all websites',
		file: 'server/stats/overview/overview.ts',
		line: 'const all = { accountId, websiteIds, shared,',
		instead: 'const all = { accountId, websiteIds: null, shared,',
		tests: ['test/api/overview.test.ts'],
	},
	{
		name: 'one event meets two steps of a funnel',
		file: 'server/stats/answer/funnel.ts',
		line: 'arraySlice(${met}, ${position} + 1)',
		instead: 'arraySlice(${met}, greatest(1, ${position}))',
		tests: funnels,
	},
	{
		name: 'a step of a funnel may be left out',
		file: 'server/stats/answer/funnel.ts',
		line: "if(${reached} = ${param('UInt8', k - 1)}, ",
		instead: "if(${reached} >= 0 AND ${param('UInt8', k - 1)} >= 0, ",
		tests: funnels,
	},
	{
		name: 'somebody who reads across midnight is not live',
		file: 'server/stats/live/live.ts',
		line: '[firstMs, endMs - 1].map',
		instead: '[endMs - 1].map',
		tests: live,
	},
	{
		name: 'the public sees two visitors on a page',
		file: 'server/stats/live/live.ts',
		line: "audience === 'public' ? chooseRows(listed, list, visitors) : listed",
		instead: 'listed',
		tests: live,
	},
	{
		name: 'a stream goes on after its key was revoked',
		file: 'server/http/api/send-response.ts',
		line: 'if (!(await isStillAuthorized())) return;',
		instead: '',
		tests: ['test/api/live.slow.test.ts'],
	},
	{
		name: 'a stream that was left keeps its place',
		file: 'server/http/api/send-response.ts',
		line: "else reply.raw.once('close', () => stream.end());",
		instead: '',
		tests: ['test/api/live.slow.test.ts'],
	},
	{
		name: 'everybody who watches is polled for',
		file: 'server/stats/live/watch-live.ts',
		line: 'if (running) return running;',
		instead: '',
		tests: ['server/stats/live/watch-live.solo.test.ts'],
	},
	{
		name: "drops of another's website are shown",
		file: 'server/ingest/drops.ts',
		line: 'FROM drops\n\t\tWHERE website_id = ${value(websiteId)} AND date BETWEEN',
		instead: 'FROM drops\n\t\tWHERE ${value(websiteId)}::int > 0 AND date BETWEEN',
		tests: ['test/api/drops.test.ts'],
	},
	{
		name: 'a label is found by a part of it',
		file: 'server/websites/list-websites.ts',
		line: 'labels && ${value(list.labels)}::text[]',
		instead: "array_to_string(labels, ' ') ILIKE '%' || (${value(list.labels)}::text[])[1] || '%'",
		tests: ['test/api/overview.test.ts'],
	},
];
