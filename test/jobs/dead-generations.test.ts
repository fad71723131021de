import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sealSteps } from '../../server/derive/seal.ts';
import type { SealDay } from '../../server/derive/seal-types.ts';
import { blankEvent, type Event } from '../../server/ingest/event.ts';
import { deleteDeadGenerations } from '../../server/jobs/delete-dead-generations.ts';
import { openSealing } from '../support/sealing.ts';

const s = await openSealing({ after });
const date = '2026-05-01';

let ids = 0;
const view = ({ websiteId, date }: SealDay): Event => ({
	...blankEvent,
	...{ website_id: websiteId, date, time: `${date} 12:00:00.000`, visitor_id: '7', event_id: String(++ids) },
});
const minutesLater = (minutes: number) => {
	s.clock.now = new Date(s.clock.now.getTime() + minutes * 60_000);
};
const generationsOf = async (websiteId: number) => [
	await s.generations('visits', websiteId),
	await s.generations('totals', websiteId),
];

test('what counts no longer is gone after a quarter of an hour, and nothing else', async () => {
	const [one, two] = [await s.website(), await s.website()];
	const days = [one, two].map((websiteId) => ({ websiteId, date }));
	const later = { websiteId: one, date: '2026-05-02' };
	await s.write([...days, later].map(view));
	await s.seal([...days, later]);
	const before = await generationsOf(two);
	await s.write([view({ websiteId: one, date })]);
	// The first of the two websites only: the second keeps the generation that both have.
	await s.seal([{ websiteId: one, date }]);
	// And one that was killed.
	await s.seal([{ websiteId: two, date }], 'whole', { steps: sealSteps.slice(0, 3) });
	assert.equal((await generationsOf(one))[0]?.length, 2);
	assert.equal((await generationsOf(two))[0]?.length, 2);

	minutesLater(14);
	assert.equal(await deleteDeadGenerations(s.services), 0);
	minutesLater(2);
	assert.equal(await deleteDeadGenerations(s.services), 2);
	const named = await s.days(one);
	const counting = [...new Set(named.map(({ generation }) => generation))].toSorted((a, b) => a - b);
	assert.deepEqual(await generationsOf(one), [counting, counting]);
	assert.deepEqual(await generationsOf(two), before);
	for (const { date: day, generation } of named)
		assert.equal((await s.totals(one, day, generation))[0]?.views, day === date ? '2' : '1');
	assert.deepEqual([await s.deadGenerations(one), await s.deadGenerations(two)], [[], []]);
	assert.equal(await deleteDeadGenerations(s.services), 0, 'once is enough');
});

test('a deletion that was cut short is finished by the next', async () => {
	const websiteId = await s.website();
	const day = { websiteId, date };
	await s.write([view(day)]);
	await s.seal([day], 'whole', { steps: sealSteps.slice(0, 3) });
	minutesLater(16);
	const broken: typeof s.clickhouse = {
		...s.clickhouse,
		async command(query, of) {
			if (query.values[0] && 'strings' in query.values[0] && query.values[0].strings[0] === 'totals')
				throw new Error('The engine is away.');
			return s.clickhouse.command(query, of);
		},
	};
	await assert.rejects(deleteDeadGenerations({ ...s.services, clickhouse: broken }), /is away/);
	assert.deepEqual(await s.generations('visits', websiteId), []);
	assert.equal((await s.deadGenerations(websiteId)).length, 1, 'it is still listed');
	assert.equal(await deleteDeadGenerations(s.services), 1);
	assert.deepEqual(await generationsOf(websiteId), [[], []]);
});

test('a seal that takes long says that it lives', async () => {
	const websiteId = await s.website();
	const day = { websiteId, date };
	await s.write([view(day)]);
	const sealed = await s.seal([day], 'whole', {
		steps: sealSteps.flatMap((step) => [
			step,
			async () => {
				// No longer than a statement may take.
				minutesLater(5);
				assert.equal(await deleteDeadGenerations(s.services), 0);
			},
		]),
	});
	assert.deepEqual(sealed, [day]);
});
