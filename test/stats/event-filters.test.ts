import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { freshDomain, websiteOf } from '../support/contract.ts';
import { storeEvents } from '../support/stored-events.ts';
import { world } from '../support/world.ts';

const date = '2026-11-05';
const w = await world({ after }, { now: () => new Date('2026-11-08T12:00:00.000Z') });
const owner = await w.account({ timezone: 'UTC' });

/** A visit by its events: a path is a page view, a name with a path is a custom event. */
const visits: Record<string, readonly string[]> = {
	together: ['/', 'buy /shop'],
	apart: ['/shop', 'buy /'],
	twice: ['buy /', 'buy /shop', 'ask /shop'],
	page: ['/shop'],
	event: ['buy /'],
	neither: ['/'],
};

const cases: [filter: unknown, visits: readonly string[]][] = [
	[
		['is', 'event', ['buy']],
		['together', 'apart', 'twice', 'event'],
	],
	[
		['is', 'page', ['/shop']],
		['together', 'apart', 'twice', 'page'],
	],
	// Within an `and`, one event must meet all conditions.
	[
		['and', ['is', 'event', ['buy']], ['is', 'page', ['/shop']]],
		['together', 'twice'],
	],
	[
		['and', ['is', 'event', ['buy']], ['is', 'event', ['buy', 'ask']]],
		['together', 'apart', 'twice', 'event'],
	],
	[['and', ['is', 'event', ['buy']], ['is', 'event', ['ask']]], []],
	[
		['and', ['is', 'browser', ['together', 'apart']], ['is', 'event', ['buy']], ['is', 'page', ['/shop']]],
		['together'],
	],
	// A negation is about the visit.
	[
		['is_not', 'event', ['buy']],
		['page', 'neither'],
	],
	[['and', ['is', 'page', ['/shop']], ['is_not', 'event', ['buy']]], ['page']],
	[
		['or', ['is', 'page', ['/shop']], ['is', 'event', ['ask']]],
		['together', 'apart', 'twice', 'page'],
	],
];

test('[C-STAT-9] a filter on events selects the visits that its definition names', async () => {
	const { id } = websiteOf(
		await owner.api('POST', '/websites', { form: { domain: freshDomain('filter') } }),
		201,
	);
	await storeEvents(
		w,
		id,
		Object.entries(visits).flatMap(([browser, events], index) =>
			events.map((text, nth) => {
				const [path = '', name] = text.split(' ').reverse();
				const time = `${date} 09:0${nth}:00.000`;
				// The browser tells the visits apart.
				const common = { date, time, visitor_id: String(index + 1), browser, path };
				return name === undefined ? common : { ...common, kind: 'custom' as const, name };
			}),
		),
	);
	for (const [filters, expected] of cases) {
		const answer = await owner.api('POST', `/websites/${id}/stats/query`, {
			json: {
				period: '7d',
				metrics: ['visits'],
				filters,
				breakdowns: [{ dimension: 'browser' }],
			},
		});
		assert.equal(answer.status, 200, answer.text);
		const { data } = answer.json as {
			data: { totals: { visits: number }; breakdowns: { rows: { value: string }[] }[] };
		};
		const found = data.breakdowns[0]?.rows.map(({ value }) => value) ?? [];
		assert.deepEqual(found.toSorted(), expected.toSorted(), JSON.stringify(filters));
		assert.equal(data.totals.visits, expected.length, JSON.stringify(filters));
	}
});
