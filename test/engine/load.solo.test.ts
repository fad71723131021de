import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { createLog } from '../../server/lib/log.ts';
import { createClickHouse } from '../../server/store/clickhouse.ts';
import { sql } from '../../server/store/sql.ts';
import { engineFor } from './engine.ts';

const slow = sql`SELECT sum(sipHash64(number)) FROM numbers(1000000000000)`;

test('eight slow reads at once do not hold up an insert', async (t) => {
	const { clickhouse } = await engineFor(t);
	await clickhouse.script(
		'CREATE TABLE t (a UInt32, s String) ENGINE = MergeTree ORDER BY a SETTINGS fsync_after_insert = 1',
	);
	const lines = Array.from({ length: 1_000 }, (_, a) => JSON.stringify({ a, s: 'x'.repeat(200) })).join('\n');
	const insert = async (token: string) => {
		const from = performance.now();
		await clickhouse.insert({ table: 't', lines, token });
		return performance.now() - from;
	};
	await insert('warm');
	const leaving = new AbortController();
	const reads = Array.from({ length: 8 }, () =>
		assert.rejects(clickhouse.rows(slow, { signal: leaving.signal })),
	);
	await pause(300);
	const times: number[] = [];
	for (let n = 0; n < 20; n += 1) times.push(await insert(String(n)));
	leaving.abort();
	await Promise.all(reads);
	const worst = Math.max(...times);
	t.diagnostic(
		`inserts of 1,000 rows beside them: worst ${Math.round(worst)} ms, mean ${Math.round(times.reduce((a, b) => a + b) / times.length)} ms`,
	);
	assert.ok(worst < 1_500, `${worst} ms`);
});

test('more reads than may wait are refused, and those that wait can leave', async (t) => {
	const { clickhouse, engine } = await engineFor(t);
	// One client holds itself back at 64 requests.
	const other = createClickHouse(engine.connection, { log: createLog('silent') });
	const leaving = new AbortController();
	const refused: string[] = [];
	const read = async (_: unknown, n: number) => {
		try {
			await (n % 2 ? clickhouse : other).rows(slow, { signal: leaving.signal });
		} catch (error) {
			if (!leaving.signal.aborted && error instanceof Error && 'type' in error)
				refused.push(String(error.type));
		}
	};
	const reads = Array.from({ length: 4 + 64 + 12 }, read);
	await pause(2_000);
	assert.deepEqual(refused, Array(12).fill('TOO_MANY_SIMULTANEOUS_QUERIES'));
	leaving.abort();
	await Promise.all(reads);
	assert.deepEqual(await clickhouse.rows(sql`SELECT 1 AS a`), [{ a: 1 }]);
	await other.close();
});
