import type { Fault } from './faults.ts';

const queues = ['server/event-log/fair-queue.test.ts'];
const rateLimits = ['server/ingest/website-rate-limits.test.ts'];
const overHttp = ['test/ingest/website-rate-limits.solo.test.ts'];

/** Faults of what keeps one website from taking the machine from the others. */
export const fairnessFaults: readonly Fault[] = [
	{
		name: 'a budget has no end',
		file: 'server/ingest/website-rate-limits.ts',
		line: 'bucket.tokens -= hits;',
		instead: '',
		tests: rateLimits,
	},
	{
		name: 'a budget is kept for longer than a burst',
		file: 'server/ingest/website-rate-limits.ts',
		line: 'Math.min(rate * burstSeconds, bucket.tokens + (elapsedMs / 1000) * rate)',
		instead: 'bucket.tokens + (elapsedMs / 1000) * rate',
		tests: rateLimits,
	},
	{
		name: 'a refusal is not counted',
		file: 'server/ingest/website-rate-limits.ts',
		line: "eventLog.countDrop({ websiteId: website.id, date, reason: 'over_budget' });",
		instead: '{}',
		tests: rateLimits,
	},
	{
		name: 'a hit over the budget is parsed first',
		file: 'server/ingest/ingest.ts',
		line: 'if (peekedId !== undefined) rateLimits.check(peekedId);',
		instead: '',
		tests: overHttp,
	},
	{
		name: 'each name of a website is a question of its own',
		file: 'server/ingest/lookups/tracked-websites.ts',
		line: 'const requests = queue.splice(0, maxPerQuery);',
		instead: 'const requests = queue.splice(0, 1);',
		tests: overHttp,
	},
	{
		name: 'whoever waits first is served until nothing is left',
		file: 'server/event-log/fair-queue.ts',
		line: 'if (count > queue.credit) {',
		instead: 'if (count < 0) {',
		tests: queues,
	},
	{
		name: 'a lane has no bound',
		file: 'server/event-log/fair-queue.ts',
		line: 'if (known && queue.events + events.length > limits.perWebsite)',
		instead: 'if (known && queue.events < 0)',
		tests: queues,
	},
	{
		name: 'no room is kept for whoever has nothing waiting',
		file: 'server/event-log/fair-queue.ts',
		line: '(known ? limits.pending : 2 * limits.pending)',
		instead: 'limits.pending',
		tests: queues,
	},
	{
		name: 'a connection that has ended a batch never waits for the disk again',
		file: 'server/event-log/postgres-log.ts',
		line: 'await tx.run(sql`SET LOCAL synchronous_commit = off`);',
		instead: 'await tx.run(sql`SET synchronous_commit = off`);',
		tests: ['test/write/batch.solo.test.ts'],
	},
	{
		name: 'what cannot be undone at a stop leaves the rest as it is',
		file: 'server/lib/cleanup.ts',
		line: 'errors.push(error);',
		instead: 'throw error;',
		tests: ['server/lib/cleanup.test.ts'],
	},
	{
		name: 'every request of an outage is a line',
		file: 'server/http/ops/outage-log.ts',
		line: 'if (monotonicMs() - loggedAt < everyMs) return;',
		instead: '',
		tests: ['server/http/ops/outage-log.test.ts'],
	},
];
