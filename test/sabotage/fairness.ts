import type { Fault } from './faults.ts';

const lanes = ['server/collect/lanes.test.ts'];
const budgets = ['server/collect/budgets.test.ts'];
const door = ['test/collect/budgets.test.ts'];

/** Faults of what keeps one website from taking the machine from the others. */
export const fairnessFaults: readonly Fault[] = [
	{
		name: 'a budget has no end',
		file: 'server/collect/budgets.ts',
		line: 'budget.left -= hits;',
		instead: '',
		tests: budgets,
	},
	{
		name: 'a budget is kept for longer than a burst',
		file: 'server/collect/budgets.ts',
		line: 'Math.min(rate * burstSeconds, budget.left + (passed / 1000) * rate)',
		instead: 'budget.left + (passed / 1000) * rate',
		tests: budgets,
	},
	{
		name: 'a refusal is not counted',
		file: 'server/collect/budgets.ts',
		line: "eventLog.countDrop({ websiteId: website.id, date, reason: 'over_budget' });",
		instead: '{}',
		tests: budgets,
	},
	{
		name: 'a hit over the budget is parsed first',
		file: 'server/http/collect.ts',
		line: 'if (peeked !== undefined) services.budgets.check(peeked);',
		instead: '',
		tests: door,
	},
	{
		name: 'each name of a website is a question of its own',
		file: 'server/collect/tracked-websites.ts',
		line: 'const some = waiting.splice(0, maxAsked);',
		instead: 'const some = waiting.splice(0, 1);',
		tests: door,
	},
	{
		name: 'whoever waits first is served until nothing is left',
		file: 'server/collect/lanes.ts',
		line: 'if (count > lane.credit) {',
		instead: 'if (count < 0) {',
		tests: lanes,
	},
	{
		name: 'a lane has no bound',
		file: 'server/collect/lanes.ts',
		line: 'if (known && lane.events + events.length > limits.perLane)',
		instead: 'if (known && lane.events < 0)',
		tests: lanes,
	},
	{
		name: 'no room is kept for whoever has nothing waiting',
		file: 'server/collect/lanes.ts',
		line: '(known ? limits.waiting : 2 * limits.waiting)',
		instead: 'limits.waiting',
		tests: lanes,
	},
	{
		name: 'a connection that has ended a batch never waits for the disk again',
		file: 'server/store/event-log.ts',
		line: 'await tx.run(sql`SET LOCAL synchronous_commit = off`);',
		instead: 'await tx.run(sql`SET synchronous_commit = off`);',
		tests: ['test/write/batch.test.ts'],
	},
	{
		name: 'what cannot be undone at a stop leaves the rest as it is',
		file: 'server/lib/undo.ts',
		line: 'errors.push(error);',
		instead: 'throw error;',
		tests: ['server/lib/undo.test.ts'],
	},
	{
		name: 'every request of an outage is a line',
		file: 'server/http/outages.ts',
		line: 'if (ticks() - toldAt < everyMs) return;',
		instead: '',
		tests: ['server/http/outages.test.ts'],
	},
];
