import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../../test/support/service.ts';
import { param, sql } from '../../store/sql.ts';
import { createResultCache } from './result-cache.ts';

const statement = (generation: number) =>
	sql`SELECT 1 WHERE generation = ${param('UInt64', BigInt(generation))}`;

/** Returns how often each generation was read. */
function readerOf(results: ReturnType<typeof createResultCache>, bytes = 100) {
	const reads: number[] = [];
	const read = (generation: number) =>
		results.read(statement(generation), async () => {
			reads.push(generation);
			return { result: { generation }, bytes };
		});
	return { reads, read };
}

test('[T28] a result is found by its statement alone: another generation is read', async () => {
	const { reads, read } = readerOf(createResultCache());
	assert.deepEqual(await read(5), { generation: 5 });
	assert.deepEqual(await read(5), { generation: 5 });
	assert.deepEqual(await read(6), { generation: 6 });
	assert.deepEqual(reads, [5, 6]);
});

test('[T28] results are bounded in bytes: the least recently used go first, and a large one is not kept', async () => {
	const results = createResultCache({ maxBytes: 1_000 });
	const { reads, read } = readerOf(results, 250);
	for (const generation of [1, 2, 3, 4, 1, 5]) await read(generation);
	assert.equal(results.size(), 1_000);
	for (const generation of [1, 3, 4, 5]) await read(generation);
	assert.deepEqual(reads, [1, 2, 3, 4, 5]);
	await read(2);
	assert.equal(reads.at(-1), 2);
	const large = readerOf(results, 251);
	await large.read(9);
	await large.read(9);
	assert.deepEqual(large.reads, [9, 9]);
	assert.equal(results.size(), 1_000);
});

test('[T28] a result that is not used any more is dropped', async (t) => {
	const results = createResultCache({ dropUnusedMs: 100 });
	t.after(results.close);
	const { reads, read } = readerOf(results);
	await read(5);
	assert.equal(results.size(), 100);
	await until(() => results.size() === 0, 5_000, 'the result is dropped');
	await read(5);
	assert.deepEqual(reads, [5, 5]);
});
