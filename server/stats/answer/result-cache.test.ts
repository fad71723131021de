import assert from 'node:assert/strict';
import { test } from 'node:test';
import { param, sql } from '../../store/sql.ts';
import { createResultCache } from './result-cache.ts';

const statement = (generation: number) =>
	sql`SELECT 1 WHERE generation = ${param('UInt64', BigInt(generation))}`;

/** Returns how often each generation was read. */
function readerOf(results: ReturnType<typeof createResultCache>, bytes = 100) {
	const reads: number[] = [];
	const read = (websiteId: number, generation: number, during?: () => void) =>
		results.read(websiteId, statement(generation), async () => {
			reads.push(generation);
			during?.();
			return { result: { generation }, bytes };
		});
	return { reads, read };
}

test('[T28] a result is found by its statement alone: another generation is read', async () => {
	const { reads, read } = readerOf(createResultCache());
	assert.deepEqual(await read(1, 5), { generation: 5 });
	assert.deepEqual(await read(1, 5), { generation: 5 });
	assert.deepEqual(await read(1, 6), { generation: 6 });
	assert.deepEqual(reads, [5, 6]);
});

test('[T28] results are bounded in bytes: the least recently used go first, and a large one is not kept', async () => {
	const results = createResultCache({ maxBytes: 1_000 });
	const { reads, read } = readerOf(results, 250);
	for (const generation of [1, 2, 3, 4, 1, 5]) await read(1, generation);
	assert.equal(results.size(), 1_000);
	for (const generation of [1, 3, 4, 5]) await read(1, generation);
	assert.deepEqual(reads, [1, 2, 3, 4, 5]);
	await read(1, 2);
	assert.equal(reads.at(-1), 2);
	const large = readerOf(results, 251);
	await large.read(1, 9);
	await large.read(1, 9);
	assert.deepEqual(large.reads, [9, 9]);
	assert.equal(results.size(), 1_000);
});

test('[T28] the results of a website are gone when it changes, also one that was just being read', async () => {
	const results = createResultCache();
	const { reads, read } = readerOf(results);
	await read(1, 5);
	await read(2, 6);
	results.forget(1);
	assert.equal(results.size(), 100);
	await read(1, 5, () => results.forget(1));
	await read(1, 5);
	assert.deepEqual(reads, [5, 6, 5, 5]);
});

test('[T28] nothing is kept of a time in which changes were not heard', async () => {
	let since: number | undefined = 1;
	const results = createResultCache({ connectedSince: () => since });
	const { reads, read } = readerOf(results);
	await read(1, 5);
	since = undefined;
	await read(1, 6);
	since = 2;
	await read(1, 5);
	await read(1, 6);
	assert.deepEqual(reads, [5, 6, 5, 6]);
	await read(1, 6);
	assert.equal(reads.length, 4);
});
