import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { render } from '../../server/store/sql.ts';
import { engineFor } from '../engine/engine.ts';
import { committedSql, goldenSql } from '../support/golden-sql.ts';

// The statements of typical questions. `npm run golden` writes them anew; read every line that changes.
const goldens = goldenSql();

test('the committed statements are those that questions become, and no others', () => {
	assert.ok(goldens.length >= 25);
	assert.deepEqual(committedSql(), Object.fromEntries(goldens.map(({ name, text }) => [name, text])));
});

test('every one of them becomes at least one statement', () => {
	for (const { name, statements } of goldens) assert.ok(statements.length > 0, name);
});

test('[T21] no value stands in the text of a statement', () => {
	for (const { name, statements } of goldens)
		for (const statement of statements) {
			const { query, query_params } = render(statement);
			for (const value of Object.values(query_params).flat())
				if (typeof value === 'string' && value.length > 4 && !/^[a-z_]+$/.test(value))
					assert.equal(query.includes(value), false, `${name}: ${value}`);
		}
});

test('ClickHouse runs every one of them', async (t) => {
	const { clickhouse } = await engineFor(t);
	for (const file of globSync('migrations/clickhouse/*.sql').sort())
		await clickhouse.script(readFileSync(file, 'utf8'));
	let run = 0;
	for (const { name, statements } of goldens)
		for (const statement of statements) {
			const { rows } = await clickhouse.ask(statement).catch((error: unknown) => {
				throw new Error(`${name} cannot be run`, { cause: error });
			});
			assert.deepEqual(rows, [], name);
			run++;
		}
	t.diagnostic(`${run} statements of ${goldens.length} questions`);
});
